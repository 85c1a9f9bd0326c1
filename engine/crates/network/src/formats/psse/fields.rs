//! Fields of a PSS/E record: separated by commas or white space, quoted with `'` or `"`, up to a `/` comment.

/// The fields of a record with their quotes, so that joining them with commas gives the same record again. An empty field
/// between two commas is kept, because the position of a field is its meaning.
pub(super) fn fields(line: &str) -> Vec<&str> {
    let code = without_comment(line);
    let mut out = Vec::new();
    let mut start: Option<usize> = None;
    let mut quote: Option<char> = None;
    let mut after_comma = false;
    for (at, c) in code.char_indices() {
        if let Some(open) = quote {
            quote = (c != open).then_some(open);
        } else if c == ',' {
            match start.take() {
                Some(from) => out.push(&code[from..at]),
                None if after_comma || out.is_empty() => out.push(""),
                None => {}
            }
            after_comma = true;
        } else if c.is_whitespace() {
            if let Some(from) = start.take() {
                out.push(&code[from..at]);
                after_comma = false;
            }
        } else {
            quote = matches!(c, '\'' | '"').then_some(c);
            start = start.or(Some(at));
        }
    }
    match start {
        Some(from) => out.push(&code[from..]),
        None if after_comma => out.push(""),
        None => {}
    }
    out
}

/// The record without the comment that a `/` outside quotes begins.
pub(super) fn without_comment(line: &str) -> &str {
    let mut quote: Option<char> = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '/') => return &line[..at],
            _ => {}
        }
    }
    line
}

/// The comment of a record, empty where there is none.
pub(super) fn comment(line: &str) -> &str {
    &line[without_comment(line).len()..]
}

/// A field without quotes and padding.
pub(super) fn unquoted(field: &str) -> &str {
    field.trim().trim_matches(|c| c == '\'' || c == '"').trim()
}

/// Field `at` as a number; `default` where it is absent, empty or no number (the reader refuses the latter).
pub(super) fn number(fields: &[&str], at: usize, default: f64) -> f64 {
    fields.get(at).and_then(|f| unquoted(f).parse().ok()).unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_blanks_and_quotes() {
        assert_eq!(fields(" 0,   100.00, 33 / x, y"), ["0", "100.00", "33"]);
        assert_eq!(fields("1 'a, /b' 2,,3,"), ["1", "'a, /b'", "2", "", "3", ""]);
        assert_eq!(fields(",,"), ["", "", ""]);
        assert_eq!(fields("5,'',\"O'S\""), ["5", "''", "\"O'S\""]);
        assert_eq!(fields("/ nothing"), [""; 0]);
        assert_eq!((unquoted("' 1 '"), comment("1 '/' / c")), ("1", "/ c"));
        assert_eq!(number(&["1", "x", ""], 1, 7.0), 7.0);
    }
}
