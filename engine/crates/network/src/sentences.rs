//! Sentences for people out of what the parser says, and out of pieces of a file.
//!
//! The parser's messages are written for programmers: they begin with the name of a reader, count rows from zero, name
//! types of its source code and end in a position. Here each becomes a sentence with the position in front; what is not
//! known stays as it is, with the worst words replaced.

mod json;

use crate::visible::visible;

/// Longest sentence, characters: pieces of a file must not fill the screen.
const LONGEST: usize = 500;
/// Longest piece of a file in quotes or backticks inside a message of the parser, characters.
const LONGEST_PIECE: usize = 60;
/// Words of source code, and what they mean to somebody with a file; the longer ones first.
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

/// `text` in one line and of bounded length, without control characters.
pub(crate) fn clean(text: &str) -> String {
    let text = visible(text);
    let mut out: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('\u{2026}');
    }
    out
}

/// A piece of a file to be quoted in a sentence: its first `most` characters.
pub(crate) fn piece(text: &str, most: usize) -> String {
    let text = visible(text.trim());
    let mut out: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        out.push('\u{2026}');
    }
    out
}

/// A message of the parser as a sentence.
pub(crate) fn sentence(message: &str) -> String {
    // Pieces of the file are cut before the whole is, so that the words behind them stay.
    let message = without_escapes(message);
    let message = clean(&shortened(&visible(&message)));
    // "network read error: ", "PowerWorld .aux read error: ": which reader, and sometimes which one inside it.
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
        return "The document is no module of a case.".into();
    }
    if let Some(sentence) = generation(body).or_else(|| row(body)).or_else(|| field(body)) {
        return sentence;
    }
    let (body, place) = json::place(body);
    let sentence = match json::syntax(body) {
        Some(known) => known.to_string(),
        None => capitalised(&plain(body)),
    };
    let end = if sentence.ends_with(['.', ')', '\u{2026}']) {
        ""
    } else {
        "."
    };
    match place {
        Some((line, column)) => format!("Line {line}, column {column}: {}{end}", lower(&sentence)),
        None => format!("{sentence}{end}"),
    }
}

/// A module of another generation.
fn generation(body: &str) -> Option<String> {
    let rest = body.strip_prefix("unsupported stored module `")?;
    let (schema, rest) = rest.split_once("` version ")?;
    let (stated, _) = rest.split_once(':')?;
    let (version, producer) = stated
        .split_once(" written by ")
        .unwrap_or((stated, "an unknown program"));
    let version = version.replace("<none>", "unknown");
    Some(format!(
        "The module is a `{schema}` of generation {version}, written by {producer}; modules of generation 2 of `pio-ir` can be \
         read. Open the file that it was made from."
    ))
}

/// Messages with a row, which the parser counts from zero and everybody else from one.
fn row(body: &str) -> Option<String> {
    if let Some(rest) = body.strip_prefix("could not parse `") {
        let (field, rest) = rest.split_once("` row ")?;
        let (row, rest) = rest.split_once(" value `")?;
        let value = rest.strip_suffix("` as f64")?;
        let row = row.parse::<u64>().ok()?.saturating_add(1);
        return Some(format!(
            "Row {row} of `mpc.{field}` holds `{value}`, which is no number."
        ));
    }
    if let Some(rest) = body.strip_prefix("malformed MATPOWER `") {
        let (field, rest) = rest.split_once("` row ")?;
        let (row, what) = rest.split_once(": ")?;
        let row = row.parse::<u64>().ok()?.saturating_add(1);
        return Some(format!("Row {row} of `mpc.{field}`: {}.", plain(what)));
    }
    let (who, bus) = body.split_once(" references unknown bus ")?;
    let who = match who.split_once(' ') {
        Some((kind, row)) => format!("{} {}", capitalised(kind), row.parse::<u64>().ok()?.saturating_add(1)),
        None => format!("A {who}"),
    };
    Some(format!("{who} refers to bus {bus}, which does not exist."))
}

/// `load mw field 1 value "x" is invalid at line 16`; the name says more than the number of the field.
fn field(body: &str) -> Option<String> {
    let (body, line) = body.rsplit_once(" is invalid at line ")?;
    let (body, value) = body.strip_suffix('"')?.split_once(" value \"")?;
    let (name, _) = body.rsplit_once(" field ")?;
    let line = line.parse::<u64>().ok()?;
    Some(format!("Line {line}: `{value}` is no valid {name}."))
}

/// The parser quotes pieces of a file as Rust does: `\u{7}` stands for a character without a picture.
fn without_escapes(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once("\\u{") {
        out.push_str(before);
        let escape = after.split_once('}').filter(|(digits, _)| digits.len() <= 6);
        rest = escape.map_or(after, |(_, behind)| behind);
        let code = escape.and_then(|(digits, _)| u32::from_str_radix(digits, 16).ok());
        // Kept for the one rule to judge, which may take it out.
        out.push(code.and_then(char::from_u32).unwrap_or(' '));
    }
    out.push_str(rest);
    out
}

/// The message without words of source code and without the parser's own references.
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
        // "expected struct Document": what a structure is in JSON.
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

/// Replaces `word` where it stands alone and outside backticks and quotes, which hold pieces of the file.
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

/// The text cut at its backticks and double quotes; true for what stands between two of them, they included.
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

/// The text with long pieces of the file cut off.
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

/// The first word with a capital; a name of the file (`baseMVA`, `grid.nodes`) in backticks instead.
fn capitalised(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let word = word.trim_end_matches([':', ',', '.']);
    let is_word = word.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '\''));
    match text.chars().next() {
        Some(c) if c.is_lowercase() && !is_word => format!("`{word}`{}", &text[word.len()..]),
        Some(c) if c.is_ascii_lowercase() => format!("{}{}", c.to_ascii_uppercase(), &text[1..]),
        Some(c) if c.is_whitespace() || c.is_lowercase() => format!("\"{text}\""),
        Some(_) => text.to_string(),
        None => "The reader gives no reason".to_string(),
    }
}

/// The sentence behind a colon: without the capital of its first word, unless that is a name.
fn lower(sentence: &str) -> String {
    let mut chars = sentence.chars();
    match (chars.next(), chars.next()) {
        (Some(a), Some(b)) if a.is_ascii_uppercase() && (b.is_ascii_lowercase() || b == ' ') => {
            format!("{}{}", a.to_ascii_lowercase(), &sentence[1..])
        }
        _ => sentence.to_string(),
    }
}

#[cfg(test)]
mod tests;
