//! Fields of a PSS/E record: separated by commas or white space, quoted with `'` or `"`, up to a `/` comment.

use std::borrow::Cow;

/// Width of a bus name, which writers pad with blanks.
const NAME_WIDTH: usize = 12;

/// The fields of a record with their quotes. An empty field between two commas is preserved, because fields are
/// positional.
///
/// An apostrophe inside a quoted field ends it only if a separator, a comment or the next value follows, so that
/// `'O'Donnell ~1'` is one name.
pub(crate) fn fields(line: &str) -> Vec<&str> {
    split(line, None).0
}

/// The fields of a bus record: a name padded to twelve characters ends by its width.
pub(crate) fn bus_fields(line: &str) -> Vec<&str> {
    split(line, Some(NAME_WIDTH)).0
}

/// The comment of a record; empty without one.
pub(crate) fn comment(line: &str) -> &str {
    &line[split(line, None).1..]
}

/// The fields, and the start of the comment.
fn split(line: &str, width: Option<usize>) -> (Vec<&str>, usize) {
    let mut out = Vec::new();
    let mut start: Option<usize> = None;
    let mut after_comma = false;
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        if matches!(c, '\'' | '"') && start.is_none() {
            start = Some(at);
            at = closing(line, at, c, width).map_or(line.len(), |end| end + 1);
            continue;
        }
        match c {
            ',' => {
                match start.take() {
                    Some(from) => out.push(&line[from..at]),
                    None if after_comma || out.is_empty() => out.push(""),
                    None => {}
                }
                after_comma = true;
            }
            '/' => break,
            c if c.is_whitespace() => {
                if let Some(from) = start.take() {
                    out.push(&line[from..at]);
                    after_comma = false;
                }
            }
            _ => start = start.or(Some(at)),
        }
        at += c.len_utf8();
    }
    match start {
        Some(from) => out.push(&line[from..at]),
        None if after_comma => out.push(""),
        None => {}
    }
    (out, at)
}

/// The closing quote of the field that begins with the quote at `open`.
fn closing(line: &str, open: usize, quote: char, width: Option<usize>) -> Option<usize> {
    let inner = open + 1;
    let fixed = width.and_then(|width| line[inner..].char_indices().nth(width));
    if let Some(at) = fixed.map(|(offset, _)| inner + offset) {
        let after = line[at..].strip_prefix(quote).map(str::trim_start);
        let separated = after.is_some_and(|after| after.is_empty() || after.starts_with([',', '/']));
        if separated && line[inner..at].contains(quote) {
            return Some(at);
        }
    }
    let quotes = || line[inner..].match_indices(quote).map(|(offset, _)| inner + offset);
    let before_comma = |at: usize| line[at + 1..].trim_start().starts_with(',');
    let ends = |at: &usize| {
        let rest = &line[at + 1..];
        let next = rest.trim_start();
        match next.chars().next() {
            None | Some(',') => true,
            Some('/') => !quotes().any(|later| later > *at && before_comma(later)),
            Some(c) => next.len() < rest.len() && (c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | '\'' | '"')),
        }
    };
    quotes().find(ends)
}

/// A field without quotes and padding.
pub(crate) fn unquoted(field: &str) -> &str {
    let field = field.trim();
    let inner = ['\'', '"']
        .iter()
        .find_map(|quote| field.strip_prefix(*quote)?.strip_suffix(*quote));
    inner.unwrap_or(field).trim()
}

/// Whether the field begins with a quote and has no closing one.
pub(crate) fn is_unclosed(field: &str) -> bool {
    let quote = field.chars().next().filter(|c| matches!(c, '\'' | '"'));
    quote.is_some_and(|quote| field.len() < 2 || !field.ends_with(quote))
}

/// A quoted text for the reader; a doubled apostrophe counts as one.
pub(crate) fn quoted(text: &str) -> String {
    let text = text.replace("''", "'");
    match (text.contains('\''), text.contains('"')) {
        (false, _) => format!("'{text}'"),
        (true, false) => format!("\"{text}\""),
        (true, true) => format!("\"{}\"", text.replace('"', "''")),
    }
}

/// A finite number in the reader's notation (which includes `1.5D-3`); `None` for other fields.
pub(crate) fn finite(field: &str) -> Option<Cow<'_, str>> {
    let is_finite = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let field = unquoted(field);
    if is_finite(field) {
        return Some(Cow::Borrowed(field));
    }
    let fortran = field.replace(['d', 'D'], "E");
    is_finite(&fortran).then_some(Cow::Owned(fortran))
}

/// Field `at` as a number; `default` if it is absent, empty or invalid.
pub(crate) fn number(fields: &[&str], at: usize, default: f64) -> f64 {
    let value = fields.get(at).and_then(|field| finite(field)?.parse().ok());
    value.unwrap_or(default)
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
        assert_eq!(number(&["1.5D-3"], 0, 7.0), 1.5e-3);
    }

    #[test]
    fn apostrophes_in_names() {
        assert_eq!(
            fields("1485,'O'Donnell ~1', 115.0,3"),
            ["1485", "'O'Donnell ~1'", "115.0", "3"]
        );
        assert_eq!(
            fields("20 '10' DROP, /E' 115.0 1"),
            ["20", "'10' DROP, /E'", "115.0", "1"]
        );
        assert_eq!(
            bus_fields("20,'ST 5' 2, /E ', 115.0"),
            ["20", "'ST 5' 2, /E '", "115.0"]
        );
        assert_eq!(
            bus_fields("20,'A',115.0,'3',1,1"),
            ["20", "'A'", "115.0", "'3'", "1", "1"]
        );
        assert_eq!(fields("7,'O'/B',115,1"), ["7", "'O'/B'", "115", "1"]);
        assert_eq!(fields("1,'A',5/*[1 O'Donnell ]*/"), ["1", "'A'", "5"]);
        assert!(is_unclosed("'A, 115.0, 1") && is_unclosed("'") && !is_unclosed("''") && !is_unclosed("5"));
        assert_eq!(quoted("O''Donnell"), "\"O'Donnell\"");
    }
}
