//! Syntax errors of a JSON text.

use crate::message;
use crate::message::Message;

/// Removes ` at line 3 column 7` from the end of a message.
pub(super) fn place(message: &str) -> (&str, Option<(u64, u64)>) {
    let found = message.rsplit_once(" at line ").and_then(|(body, rest)| {
        let (line, column) = rest.split_once(" column ")?;
        Some((body, (line.parse().ok()?, column.parse().ok()?)))
    });
    found.map_or((message, None), |(body, place)| (body, Some(place)))
}

/// The sentence for a syntax error, without its position; `None` for other errors.
pub(super) fn syntax(body: &str) -> Option<Message> {
    Some(match body {
        "EOF while parsing a list" => message!("json.ends_in_list"),
        "EOF while parsing an object" => message!("json.ends_in_object"),
        "EOF while parsing a string" => message!("json.ends_in_text"),
        "EOF while parsing a value" => message!("json.ends_before_value"),
        "expected value" => message!("json.no_value"),
        "expected ident" => message!("json.no_word"),
        "expected `:`" => message!("json.colon"),
        "expected `,` or `]`" => message!("json.comma_in_list"),
        "expected `,` or `}`" => message!("json.comma_in_object"),
        "expected `\"`" | "key must be a string" => message!("json.name_quotes"),
        "trailing comma" => message!("json.trailing_comma"),
        "trailing characters" => message!("json.trailing_characters"),
        "invalid number" => message!("json.no_number"),
        "number out of range" => message!("json.number_too_large"),
        "recursion limit exceeded" => message!("json.too_deep"),
        "invalid escape" => message!("json.escape"),
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            message!("json.control_character")
        }
        "invalid unicode code point" | "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            message!("json.character_code")
        }
        _ => return None,
    })
}
