//! Characters that no name may contain: controls, and invisible characters that change how the surrounding text is
//! read.
//!
//! A file may name a bus with a character that reverses the reading direction, which would also reverse the words of a
//! message. Such characters are removed from every module text ([`module_text`]) before anything is derived from it,
//! and from every sentence and detail of an error. Letters of all scripts remain, including right-to-left ones.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

/// The replacement of a forbidden character: a space for white space, nothing for others. `None` for permitted
/// characters.
fn replacement(c: char) -> Option<Option<char>> {
    match c {
        ' '..='~' => None,
        // Tab, line ends, form feed, next line, line and paragraph separator.
        '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(Some(' ')),
        c if c.is_control() => Some(None),
        // Marks, embeddings, overrides and isolates of the reading direction.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(None),
        // Zero-width characters, deprecated formatting, annotations, byte order mark, non-characters.
        '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' => Some(None),
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}' => Some(None),
        _ => None,
    }
}

/// Whether a joiner, which belongs to the spelling of several scripts, is between two of their letters.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// A name, or a part of a sentence, without such characters.
pub fn visible(text: &str) -> Cow<'_, str> {
    let plain = |c: char| replacement(c).is_none() && !is_joiner(c);
    if text.chars().all(plain) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        push(&mut out, c, rest.clone().next());
    }
    out.into()
}

fn push(out: &mut String, c: char, next: Option<char>) {
    let joins = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && replacement(c).is_none() && !is_joiner(c));
    match replacement(c) {
        Some(space) => out.extend(space),
        None if is_joiner(c) && !(joins(out.chars().next_back()) && joins(next)) => {}
        None => out.push(c),
    }
}

/// The text of a module with the forbidden characters removed from its names; borrowed if nothing changes. Invalid JSON
/// keeps its faults for its reader to report.
pub(crate) fn module_text(json: &str) -> Cow<'_, str> {
    // Most modules contain plain characters without escapes. These functions work by words, which matters while
    // WebAssembly is not optimised yet.
    let bytes = json.as_bytes();
    if bytes.is_ascii() && !bytes.contains(&0x7f) && !bytes.contains(&b'\\') {
        return json.into();
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json.chars();
    let mut inside = false;
    loop {
        let text = rest.as_str();
        let plain = text.bytes().position(|b| !is_plain(b)).unwrap_or(text.len());
        out.push_str(&text[..plain]);
        rest = text[plain..].chars();
        let Some(c) = rest.next() else { break };
        match c {
            '"' => {
                inside = !inside;
                out.push(c);
            }
            '\\' if inside => escape(&mut out, &mut rest),
            // JSON permits these only as escapes, so the reader refuses them.
            '\0'..='\u{1f}' => out.push(c),
            c if inside => push(&mut out, c, rest.clone().next()),
            '\u{feff}' if out.is_empty() => {}
            c => out.push(c),
        }
    }
    match out == json {
        true => json.into(),
        false => out.into(),
    }
}

/// Whether the byte is unchanged inside and outside of strings and ends neither.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

/// Processes one escape of a JSON text, after its backslash.
fn escape(out: &mut String, rest: &mut std::str::Chars<'_>) {
    let Some(kind) = rest.next() else {
        return out.push('\\');
    };
    match kind {
        'n' | 't' | 'r' | 'f' => return out.push(' '),
        'b' => return,
        'u' => {
            let digits: String = rest.clone().take(4).collect();
            let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
            if let Some(c) = code.and_then(char::from_u32).filter(|c| replacement(*c).is_some()) {
                *rest = rest.as_str()[4..].chars();
                return push(out, c, rest.clone().next());
            }
        }
        _ => {}
    }
    out.extend(['\\', kind]);
}

/// The first cleaned name that several names share: without invisible characters two identifiers are equal in any
/// letter case. In a balanced network only `uid` identifies, whereas a multiconductor network refers to everything by
/// name.
pub(crate) fn merged(before: &str, uids_only: bool) -> Option<String> {
    let document: Value = serde_json::from_str(before).ok()?;
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    let mut all = Vec::new();
    collect(&document, None, uids_only, &mut all);
    let changed: std::collections::BTreeSet<String> = all
        .iter()
        .filter(|name| visible(name) != **name)
        .map(|name| visible(name).to_lowercase())
        .collect();
    for name in all {
        let key = visible(name).to_lowercase();
        if changed.contains(&key) && *names.entry(key).or_insert(name) != name {
            return Some(visible(name).into_owned());
        }
    }
    None
}

fn collect<'a>(value: &'a Value, key: Option<&str>, uids_only: bool, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if !uids_only || key == Some("uid") => out.push(text),
        Value::Array(values) => values.iter().for_each(|v| collect(v, key, uids_only, out)),
        Value::Object(members) => {
            for (key, value) in members {
                if !uids_only {
                    out.push(key);
                }
                collect(value, Some(key), uids_only, out);
            }
        }
        _ => {}
    }
}

/// A JSON value with all of its texts cleaned.
pub fn visible_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(visible(&text).into_owned()),
        Value::Array(values) => values.into_iter().map(visible_value).collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(key, value)| (visible(&key).into_owned(), visible_value(value)))
                .collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs of the tests of the page and of the Python package.
    const PAIRS: [(&str, &str); 13] = [
        ("plain name [1]", "plain name [1]"),
        ("\u{202e}evil\u{202c}", "evil"),
        ("a\u{2066}b\u{2069}c\u{200e}\u{200f}\u{61c}", "abc"),
        ("tab\there", "tab here"),
        ("two\nlines\r\n", "two lines  "),
        ("sep\u{2028}a\u{2029}b\u{85}c", "sep a b c"),
        ("bell\u{7}\u{0}\u{1b}[31m\u{9b}", "bell[31m"),
        ("\u{feff}zero\u{200b}width\u{2060}", "zerowidth"),
        ("joi\u{200d}ner", "joiner"),
        (
            "\u{645}\u{200d}\u{200c}\u{645}\u{200d}\u{200d}x\u{200c}",
            "\u{645}\u{200c}\u{645}x",
        ),
        (
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
        ),
        (
            "Z\u{fc}rich \u{5317}\u{4eac} \u{5ea}\u{5dc} \u{627}\u{644}",
            "Z\u{fc}rich \u{5317}\u{4eac} \u{5ea}\u{5dc} \u{627}\u{644}",
        ),
        ("no\u{ffff}char\u{e0041}", "nochar"),
    ];

    #[test]
    fn names_keep_their_letters_and_nothing_invisible() {
        for (name, expected) in PAIRS {
            assert_eq!(visible(name), expected);
            assert_eq!(visible(expected), expected);
        }
        assert!(matches!(visible("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn module_texts_are_changed_inside_their_strings_only() {
        for (name, expected) in PAIRS {
            let text = |name: &str| serde_json::json!({ "a": [name, 1.5], name: null }).to_string();
            assert_eq!(module_text(&text(name)), text(expected));
            // Every character escaped.
            let escaped: String = name.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            if !name.contains(['\u{e0041}', '\u{200d}']) {
                let read: String = serde_json::from_str(&module_text(&format!("\"{escaped}\""))).expect("JSON");
                assert_eq!(read, expected);
            }
        }
        for not_json in ["{\"a\u{1b}\": \"\u{e9}\"}", "{\"a\": \u{feff}\"\\\\\"}"] {
            assert_eq!(module_text(not_json), not_json);
        }
        let spread = "{\n\t\"a\\\\u202e\": \"\\\"\\u00e9\\/\"\r\n}";
        assert_eq!(module_text(spread), spread);
        assert_eq!(module_text("{\"a\": \"\\u202"), "{\"a\": \"\\u202");
        assert_eq!(module_text("\"a\\"), "\"a\\");
    }

    #[test]
    fn names_that_would_become_one_are_found() {
        let found = |text: &str, uids_only| merged(text, uids_only);
        assert_eq!(found(r#"{"bus": ["a\u200b", "A"]}"#, false).as_deref(), Some("A"));
        assert_eq!(found(r#"{"bus": ["a\u200b", "a\u200b", "b", "B"]}"#, false), None);
        assert_eq!(found(r#"{"bus": [{"uid": "a\u200b", "name": "a"}]}"#, true), None);
        assert!(found(r#"{"bus": [{"uid": "a\u200b"}, {"uid": "a\u202e"}]}"#, true).is_some());
    }
}
