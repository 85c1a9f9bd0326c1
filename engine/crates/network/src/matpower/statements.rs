//! Splits MATLAB source into statements, so that the checks can find what the table reader would skip.

/// One statement: its text without comments, and where it starts.
#[derive(Debug)]
pub(crate) struct Statement<'a> {
    /// Source text from the first to the last byte of the statement, including comments.
    pub text: &'a str,
    /// 1-based line of the first byte.
    pub line: usize,
    /// Whether only white space precedes it on its line.
    pub at_line_start: bool,
    /// Whether a bracket or a quote is unclosed at the end of the file.
    pub unterminated: bool,
    /// Its terminator, `;`, `,` or a line break; `None` at the end of the file.
    pub end: Option<u8>,
}

/// The source with comments in MATLAB's own form: Octave's `#` becomes `%`, and text after the `...` of a continuation,
/// which is a comment too, is removed. Line numbers are preserved.
pub(crate) fn usual_comments(source: &str) -> std::borrow::Cow<'_, str> {
    if !source.contains('#') && !source.contains("...") {
        return source.into();
    }
    let mut out = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let (text, end) = line.split_at(line.trim_end_matches(['\n', '\r']).len());
        let bytes = text.as_bytes();
        let mut quote: Option<u8> = None;
        let mut cut = None;
        for (at, &c) in bytes.iter().enumerate() {
            match (quote, c) {
                (Some(q), _) if c == q => quote = None,
                (Some(_), _) => {}
                (None, b'"') => quote = Some(c),
                (None, b'\'') if !is_transpose(bytes, at, true) => quote = Some(c),
                (None, b'%') => break,
                (None, b'#') => {
                    cut = Some((at, "%", at + 1));
                    break;
                }
                (None, b'.') if bytes[at..].starts_with(b"...") => {
                    cut = Some((at + 3, "", text.len()));
                    break;
                }
                _ => {}
            }
        }
        match cut {
            Some((from, with, to)) => {
                out.push_str(&text[..from]);
                out.push_str(with);
                out.push_str(&text[to..]);
            }
            None => out.push_str(text),
        }
        out.push_str(end);
    }
    out.into()
}

/// Splits `source` at `;`, `,` and line breaks outside brackets and quotes. Comments (`%` to the end of the line) and
/// continuations (`...` to the end of the line) are not statements. Block comments must have been removed.
pub(crate) fn statements(source: &str) -> Vec<Statement<'_>> {
    let mut out = Vec::new();
    let bytes = source.as_bytes();
    let (mut line, mut line_has_code) = (1usize, false);
    let mut start: Option<(usize, usize, bool)> = None;
    let mut depth = 0usize;
    let mut quote: Option<u8> = None;
    let mut last = 0usize;
    let mut i = 0;
    while i < bytes.len() {
        let c = bytes[i];
        if c == b'\n' {
            // A quoted string cannot span lines in MATLAB, so an open quote ends here as unterminated.
            if depth == 0 && quote.is_none() {
                close(source, &mut out, &mut start, last, Some(c), false);
            } else if quote.take().is_some() && depth == 0 {
                close(source, &mut out, &mut start, last, Some(c), true);
            }
            line += 1;
            line_has_code = false;
            i += 1;
            continue;
        }
        if let Some(q) = quote {
            last = i + 1;
            if c == q {
                if bytes.get(i + 1) == Some(&q) {
                    i += 1;
                } else {
                    quote = None;
                }
            }
            i += 1;
            continue;
        }
        if c.is_ascii_digit() && start.is_some() {
            // Most of a case file is digits, which do not open or close anything.
            line_has_code = true;
            i += 1;
            last = i;
            continue;
        }
        if c == b'%' || (c == b'.' && bytes[i..].starts_with(b"...")) {
            let continued = c != b'%';
            while i < bytes.len() && bytes[i] != b'\n' {
                i += 1;
            }
            if continued && i < bytes.len() {
                line += 1;
                i += 1;
                line_has_code = false;
            }
            continue;
        }
        if c.is_ascii_whitespace() {
            i += 1;
            continue;
        }
        if depth == 0 && (c == b';' || c == b',') {
            close(source, &mut out, &mut start, last, Some(c), false);
            i += 1;
            continue;
        }
        if start.is_none() {
            start = Some((i, line, !line_has_code));
        }
        line_has_code = true;
        match c {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth = depth.saturating_sub(1),
            b'"' => quote = Some(c),
            b'\'' if !is_transpose(bytes, i, depth > 0) => quote = Some(c),
            _ => {}
        }
        last = i + 1;
        i += 1;
    }
    let open = depth > 0 || quote.is_some();
    close(source, &mut out, &mut start, last, None, open);
    out
}

fn close<'a>(
    source: &'a str,
    out: &mut Vec<Statement<'a>>,
    start: &mut Option<(usize, usize, bool)>,
    to: usize,
    end: Option<u8>,
    unterminated: bool,
) {
    if let Some((from, line, at_line_start)) = start.take() {
        out.push(Statement {
            text: &source[from..to],
            line,
            at_line_start,
            unterminated,
            end,
        });
    }
}

/// A quote directly after a name, number or closing bracket transposes. Inside brackets white space separates elements,
/// so a quote after it opens a string.
fn is_transpose(bytes: &[u8], at: usize, in_brackets: bool) -> bool {
    let mut j = at;
    if !in_brackets {
        while j > 0 && matches!(bytes[j - 1], b' ' | b'\t') {
            j -= 1;
        }
    }
    if j > 0 && bytes[j - 1] == b'.' {
        j -= 1;
    }
    j > 0 && (bytes[j - 1].is_ascii_alphanumeric() || matches!(bytes[j - 1], b'_' | b')' | b']' | b'}' | b'\''))
}

/// Blanks `%{ ... %}` block comments (each delimiter alone on its line), preserving line numbers. The table reader does
/// not know them and would read a table inside one. An unclosed block extends to the end, as in MATLAB.
pub(crate) fn blank_block_comments(source: &str) -> std::borrow::Cow<'_, str> {
    if !source.contains("%{") || !source.lines().any(|l| l.trim() == "%{") {
        return source.into();
    }
    let mut out = String::with_capacity(source.len());
    let mut depth = 0usize;
    for piece in source.split_inclusive('\n') {
        let trimmed = piece.trim();
        if trimmed == "%{" {
            depth += 1;
        }
        if depth > 0 {
            if piece.ends_with('\n') {
                out.push('\n');
            }
        } else {
            out.push_str(piece);
        }
        if trimmed == "%}" {
            depth = depth.saturating_sub(1);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        statements(source).into_iter().map(|s| s.text).collect()
    }

    #[test]
    fn splits_at_separators_outside_brackets_and_quotes() {
        assert_eq!(
            texts("a = 1; b = [1, 2;\n3, 4]; % c = 3;\nd = 'x;%y'"),
            ["a = 1", "b = [1, 2;\n3, 4]", "d = 'x;%y'"]
        );
        assert_eq!(texts("a = b'; c = {'it''s', '%'};"), ["a = b'", "c = {'it''s', '%'}"]);
        assert_eq!(
            texts("[a, ...  ignored ; text\n b] = f;\nx"),
            ["[a, ...  ignored ; text\n b] = f", "x"]
        );
    }

    #[test]
    fn reports_what_is_left_open() {
        let open = statements("a = 1;\nmpc.bus = [1 2;\n3 4;\n");
        assert!(open[1].unterminated && open[1].end.is_none() && open[1].line == 2);
        assert!(statements("mpc.branch")
            .pop()
            .is_some_and(|s| s.end.is_none() && !s.unterminated));
        assert!(!statements("x = 2; y = 3;")[1].at_line_start);
    }

    #[test]
    fn block_comments_disappear_and_lines_stay() {
        let text = blank_block_comments("a\n%{\nmpc.bus = [1];\n%}\nb\n");
        assert_eq!(text, "a\n\n\n\nb\n");
    }
}
