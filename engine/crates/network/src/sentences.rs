//! Sentences for users from the parser's messages and from quotations of a file.
//!
//! The parser's messages are written for programmers: they begin with the name of a reader, count rows from zero, name
//! types of its source code and end with a position. Here each becomes a sentence with the position in front. An
//! unknown message stays, with its technical words replaced.

mod json;
pub(crate) mod recognised;

use crate::element::{ElementKind, ElementRef};
use crate::message::pieces::clean;
use crate::message::visible::visible;
use crate::message::{Message, Value};
use crate::{message, message_key};

/// Longest quotation of a file, in quotes or backticks, inside a message of the parser, characters.
const LONGEST_PIECE: usize = 60;
/// Words of source code with their meaning to a user; longer ones first.
const WORDS: [(&str, &str); 14] = [
    ("non-negative integer", "whole number from zero up"),
    ("non negative integer", "whole number from zero up"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("sequence", "list"),
    ("usize", "a whole number"),
    ("u64", "a whole number"),
    ("u32", "a whole number"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("floating point", "the number"),
    ("integer", "the whole number"),
    (" vintage", " version"),
    ("powerio", "this program"),
];

/// A message of the parser as a sentence of this crate. `otherwise` is the key of the sentence around an unknown
/// message (`cause`).
///
/// The parser's messages are structured only by words and codes; only this file and its folder analyse them.
pub(crate) fn sentence(otherwise: &'static str, message: &str) -> Message {
    // Quotations are shortened first, so that the words after them remain.
    let message = without_escapes(message);
    let message = clean(&shortened(&visible(&message)));
    // "network read error: ", "PowerWorld .aux read error: ": the reader, sometimes followed by one inside it.
    let body = message
        .rsplit_once(" read error: ")
        .map_or(&message[..], |(_, body)| body);
    let body = body.split_once(" emission failed: ").map_or(body, |(_, body)| body);
    let body = body.strip_prefix("invalid OPFData schema: ").unwrap_or(body);
    let is_code =
        |lead: &str| lead.contains('.') && lead.bytes().all(|b| b.is_ascii_uppercase() || matches!(b, b'.' | b'_'));
    let body = body
        .split_once(": ")
        .filter(|(lead, _)| is_code(lead))
        .map_or(body, |(_, rest)| rest);
    if body == "the document is not PowerIO IR" {
        return message!("reader.no_module");
    }
    if let Some(message) = generation(body).or_else(|| row(body)).or_else(|| field(body)) {
        return message;
    }
    let (body, place) = json::place(body);
    match (json::syntax(body), place) {
        (Some(what), Some((line, column))) => message!("json.at", line = line, column = column, what = what),
        (None, Some((line, column))) => message!("json.at", line = line, column = column, what = cause(body)),
        (Some(what), None) => message!("json.nowhere", what = what),
        (None, None) => Message {
            key: otherwise,
            values: vec![("cause", Value::Message(cause(body)))],
        },
    }
}

/// A diagnostic of the parser that is not a refusal.
pub(crate) fn remark(message: &str) -> Message {
    sentence(message_key!("reader.remark", cause), message)
}

/// A diagnostic of the parser with its code, for a search in its documentation.
pub(crate) fn remark_with_code(diagnostic: &powerio::Diagnostic) -> Message {
    with_code(remark(diagnostic.message()), diagnostic)
}

/// The text of a diagnostic, as a part of a sentence.
pub(crate) fn words(diagnostic: &powerio::Diagnostic) -> Message {
    cause(&clean(&shortened(&visible(diagnostic.message()))))
}

/// A loss of a format, with the code of the diagnostic.
pub(crate) fn loss_with_code(diagnostic: &powerio::Diagnostic) -> Message {
    with_code(
        sentence(message_key!("writer.remark", cause), diagnostic.message()),
        diagnostic,
    )
}

fn with_code(remark: Message, diagnostic: &powerio::Diagnostic) -> Message {
    message!("reader.remark_with_code", remark = remark, code = diagnostic.code())
}

/// The parser's own text in a sentence around it.
fn words_of(message: &Message) -> Option<&str> {
    match message.part("cause")?.value("words")? {
        Value::Text(words) => Some(words),
        _ => None,
    }
}

/// The parser's own text, as a clause.
fn cause(body: &str) -> Message {
    let words = clause(&plain(body));
    match words.trim_end_matches('.') {
        "" => message!("reader.no_words"),
        words => message!("reader.words", words = Value::Text(words.to_owned())),
    }
}

/// A module of another generation.
fn generation(body: &str) -> Option<Message> {
    let rest = body.strip_prefix("unsupported stored module `")?;
    let (schema, rest) = rest.split_once("` version ")?;
    let (stated, _) = rest.split_once(':')?;
    let (version, producer) = match stated.split_once(" written by ") {
        Some((version, producer)) => (version, Some(producer)),
        None => (stated, None),
    };
    Some(match (version, producer) {
        ("<none>", _) => message!("reader.generation_unknown", schema = schema),
        (_, Some(producer)) => message!(
            "reader.generation_of",
            schema = schema,
            version = version,
            producer = producer
        ),
        (_, None) => message!("reader.generation", schema = schema, version = version),
    })
}

/// Messages with a row, which the parser counts from zero and users from one.
fn row(body: &str) -> Option<Message> {
    if let Some(rest) = body.strip_prefix("could not parse `") {
        let (field, rest) = rest.split_once("` row ")?;
        let (row, rest) = rest.split_once(" value `")?;
        let value = rest.strip_suffix("` as f64")?;
        let row = from_one(row)?;
        return Some(message!("reader.row_value", row = row, table = field, value = value));
    }
    if let Some(rest) = body.strip_prefix("malformed MATPOWER `") {
        let (field, rest) = rest.split_once("` row ")?;
        let (row, what) = rest.split_once(": ")?;
        let row = from_one(row)?;
        return Some(message!("reader.row", row = row, table = field, why = cause(what)));
    }
    let (who, bus) = body.split_once(" references unknown bus ")?;
    let Some((kind, row)) = who.split_once(' ') else {
        return Some(message!("reader.kind_at_unknown_bus", kind = who, bus = bus));
    };
    let row = from_one(row)?;
    let of = |kind| unknown_bus(&ElementRef::numbered(kind, row), bus.to_owned());
    Some(match kind {
        "branch" => of(ElementKind::Branch),
        "generator" => of(ElementKind::Generator),
        "switch" => of(ElementKind::Switch),
        _ => message!("reader.row_at_unknown_bus", kind = kind, row = row, bus = bus),
    })
}

/// The message that an element is at a bus which does not exist. The row of a branch is called branch here, because a
/// line is a line of the file.
pub(crate) fn unknown_bus(element: &ElementRef, bus: String) -> Message {
    match element.kind {
        ElementKind::Branch => message!("case.branch_at_unknown_bus", row = element.id, bus = bus),
        _ => message!("case.unknown_bus", element = element, bus = bus),
    }
}

fn from_one(row: &str) -> Option<u64> {
    Some(row.parse::<u64>().ok()?.saturating_add(1))
}

/// `load mw field 1 value "x" is invalid at line 16`; the name is clearer than the number of the field.
fn field(body: &str) -> Option<Message> {
    let (body, line) = body.rsplit_once(" is invalid at line ")?;
    let (body, value) = body.strip_suffix('"')?.split_once(" value \"")?;
    let (name, _) = body.rsplit_once(" field ")?;
    let line = line.parse::<u64>().ok()?;
    Some(message!("reader.field", line = line, value = value, field = name))
}

/// Reverts the parser's Rust escapes in quotations: `\u{7}` stands for an invisible character.
fn without_escapes(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once("\\u{") {
        out.push_str(before);
        let escape = after.split_once('}').filter(|(digits, _)| digits.len() <= 6);
        rest = escape.map_or(after, |(_, behind)| behind);
        let code = escape.and_then(|(digits, _)| u32::from_str_radix(digits, 16).ok());
        // It stays for the common rule, which may remove it.
        out.push(code.and_then(char::from_u32).unwrap_or(' '));
    }
    out.push_str(rest);
    out
}

/// The message without words of source code and the parser's own references.
fn plain(body: &str) -> String {
    let mut out = body.to_string();
    if let Some((before, after)) = out.split_once(" (see powerio/") {
        let rest = after.split_once(')').map_or("", |(_, rest)| rest);
        out = format!("{before}{rest}");
    }
    // "(BusType::Ref)": a name of the parser's own.
    if let Some((before, after)) = out.split_once("::") {
        if let (Some(open), Some(close)) = (before.rfind(" ("), after.find(')')) {
            out = format!("{}{}", &before[..open], &after[close + 1..]);
        }
    }
    for lead in ["struct ", "enum ", "tuple struct ", "unit struct "] {
        // "expected struct Document": a structure is an object in JSON.
        while let Some((before, after)) = out.split_once(&format!("expected {lead}")) {
            let name = after
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(after.len());
            out = format!("{before}expected an object{}", &after[name..]);
        }
    }
    if let Some((before, _)) = out.split_once(" of untagged enum ") {
        out = before.replace(
            "data did not match any variant",
            "the value is none of the kinds that belong here",
        );
    }
    if let Some((before, _)) = out
        .split_once(", expected one of ")
        .filter(|(_, list)| list.len() > 200)
    {
        out = before.to_string();
    }
    for (word, meaning) in WORDS {
        out = replaced(&out, word, meaning);
    }
    out
}

/// Replaces `word` as a separate word outside backticks and quotes, which contain quotations of the file.
fn replaced(text: &str, word: &str, meaning: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (piece, quoted) in pieces(text) {
        if quoted {
            out.push_str(piece);
            continue;
        }
        let mut rest = piece;
        while let Some((before, after)) = rest.split_once(word) {
            let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let alone = word.starts_with(' ') || !letter(before.chars().next_back());
            out.push_str(before);
            out.push_str(if alone && !letter(after.chars().next()) {
                meaning
            } else {
                word
            });
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

/// The text split at its backticks and double quotes; true for the parts between two of them, including these.
fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut out = Vec::new();
    let (mut from, mut open, mut escaped) = (0, None, false);
    for (at, c) in text.char_indices() {
        match open {
            Some('"') if c == '\\' && !escaped => {
                escaped = true;
                continue;
            }
            Some(quote) if c == quote && !escaped => {
                out.push((&text[from..=at], true));
                (from, open) = (at + 1, None);
            }
            None if matches!(c, '`' | '"') => {
                out.push((&text[from..at], false));
                (from, open) = (at, Some(c));
            }
            _ => {}
        }
        escaped = false;
    }
    out.push((&text[from..], open.is_some()));
    out
}

/// The text with long quotations shortened.
fn shortened(text: &str) -> String {
    let short = |(piece, quoted): (&str, bool)| match quoted && piece.chars().count() > LONGEST_PIECE {
        true => {
            let mark = piece.chars().next().unwrap_or_default();
            format!(
                "{}\u{2026}{mark}",
                piece.chars().take(LONGEST_PIECE).collect::<String>()
            )
        }
        false => piece.to_string(),
    };
    pieces(text).into_iter().map(short).collect()
}

/// A clause after a colon; a name of the file (`baseMVA`, `grid.nodes`) at its start is put in backticks.
fn clause(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let word = word.trim_end_matches([':', ',', '.']);
    let is_word = word.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '\''));
    match text.chars().next() {
        Some(c) if c.is_lowercase() && !is_word => format!("`{word}`{}", &text[word.len()..]),
        Some(c) if c.is_whitespace() => format!("\"{text}\""),
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests;
