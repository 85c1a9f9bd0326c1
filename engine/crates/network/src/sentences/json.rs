//! What is wrong with the syntax of a JSON text.

/// Takes ` at line 3 column 7` off the end of a message.
pub(super) fn place(message: &str) -> (&str, Option<(u64, u64)>) {
    let found = message.rsplit_once(" at line ").and_then(|(body, rest)| {
        let (line, column) = rest.split_once(" column ")?;
        Some((body, (line.parse().ok()?, column.parse().ok()?)))
    });
    found.map_or((message, None), |(body, place)| (body, Some(place)))
}

/// The sentence for a syntax error, without its position; None for anything else.
pub(super) fn syntax(body: &str) -> Option<&'static str> {
    Some(match body {
        "EOF while parsing a list" => "The file ends inside a list: it is cut off.",
        "EOF while parsing an object" => "The file ends inside an object: it is cut off.",
        "EOF while parsing a string" => "The file ends inside a text: it is cut off.",
        "EOF while parsing a value" => "The file ends where a value belongs: it is cut off.",
        "expected value" => "This is no value; texts stand in double quotes.",
        "expected ident" => "This is no value; true, false and null are the only words without quotes.",
        "expected `:`" => "A colon belongs between a name and its value.",
        "expected `,` or `]`" => "A comma, or the end of the list, belongs here.",
        "expected `,` or `}`" => "A comma, or the end of the object, belongs here.",
        "expected `\"`" | "key must be a string" => "The names in an object stand in double quotes.",
        "trailing comma" => "There is a comma behind the last entry.",
        "trailing characters" => "There is something behind the end of the document.",
        "invalid number" => "This is no number as JSON writes numbers.",
        "number out of range" => "The number is too large.",
        "recursion limit exceeded" => "Lists and objects are nested more than 127 deep.",
        "invalid escape" => "A backslash in a text is followed by something that JSON does not know.",
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "A text contains a line break or another control character; a quote may be missing."
        }
        "invalid unicode code point" | "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "A text contains a character code that does not exist."
        }
        _ => return None,
    })
}
