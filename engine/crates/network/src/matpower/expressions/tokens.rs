//! Tokens of a statement.

use super::Outcome;
use crate::message;

/// Most tokens of a statement, which bounds the time for hostile input.
pub(super) const LONGEST: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Sign(&'a str),
}

/// A token as messages quote it.
pub(super) fn shown(token: Token<'_>) -> String {
    match token {
        Token::Number(value) => format!("`{value}`"),
        Token::Name(text) | Token::Sign(text) => format!("`{text}`"),
    }
}

/// The tokens of a statement without its comments and continuations.
pub(super) fn tokens(text: &str) -> Outcome<Vec<Token<'_>>> {
    const SIGNS: [&str; 16] = [
        ".*", "./", ".^", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", ":", "=", ".",
    ];
    let mut out = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.starts_with('%') || rest.starts_with("...") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let Some(first) = rest.chars().next() else {
            return Ok(out);
        };
        if out.len() == LONGEST {
            return Err(message!("arithmetic.too_long"));
        }
        let begins_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let length = if begins_number(rest) || (first == '.' && begins_number(&rest[1..])) {
            let length = number_length(rest);
            let value = rest[..length].parse();
            out.push(Token::Number(
                value.map_err(|_| message!("arithmetic.no_number", token = &rest[..length]))?,
            ));
            length
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let length = end.unwrap_or(rest.len());
            out.push(Token::Name(&rest[..length]));
            length
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            out.push(Token::Sign(&rest[..sign.len()]));
            sign.len()
        } else {
            return Err(message!("arithmetic.not_arithmetic", token = format!("`{first}`")));
        };
        rest = &rest[length..];
    }
}

/// Length of the number at the start of the text; the point of `.*`, `./` and `.^` belongs to the operator.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut at = digits(0);
    if bytes.get(at) == Some(&b'.') && !matches!(bytes.get(at + 1), Some(b'*' | b'/' | b'^')) {
        at = digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(at + 1 + sign);
        if end > at + 1 + sign {
            at = end;
        }
    }
    at
}
