//! Messages for users as a key of the catalogue with values, and their English sentences.
//!
//! The catalogue is `engine/messages/en.json`. Numbers contain their text, so that other renderers (the page, in other
//! languages and with the names of elements) only join texts: `widgets/src/text/messages.ts`.

pub mod amounts;
mod catalogue;
pub(crate) mod pieces;
pub(crate) mod visible;

pub use catalogue::{check, template, Template, CATALOGUE};
pub use visible::{visible, visible_value};

use crate::element::{ElementKind, ElementRef, OutageIds};
use crate::message::pieces::{clean, piece};
use std::fmt::{Display, Formatter, Result, Write};

/// Items of a list that are named; the others are counted.
const LISTED: usize = 4;
/// Longest text in a sentence, characters.
const LONGEST_TEXT: usize = 200;

/// A sentence or a part of one, constructed by the macro [`crate::message!`].
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub key: &'static str,
    pub values: Vec<(&'static str, Value)>,
}

/// The value of a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Verbatim text: a requested key, a name from a file.
    Text(String),
    /// A number with its formatted text and unit ([`amounts`]).
    Number { value: f64, text: String },
    /// A number of items; the value named `count` selects the form of the template.
    Count(u64),
    /// An element, shown by kind and id, or by name where names are known.
    Element(ElementRef),
    /// "a, b and c", shortened if it is long.
    List(Vec<Value>),
    /// A part of a sentence.
    Message(Message),
}

/// A [`Message`]: `message!("key", name = value, ...)`. Does not compile for a key outside the catalogue or other
/// placeholders.
#[macro_export]
macro_rules! message {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        const _: () = $crate::message::check($key, &[$(stringify!($name)),*]);
        $crate::message::Message {
            key: $key,
            values: vec![$((stringify!($name), $crate::message::Value::from($value))),*],
        }
    }};
}

/// A key of the catalogue with these placeholders; does not compile for other keys.
#[macro_export]
macro_rules! message_key {
    ($key:literal $(, $name:ident)*) => {{
        const _: () = $crate::message::check($key, &[$(stringify!($name)),*]);
        $key
    }};
}

impl Message {
    /// A message without values; `key` is one of [`message_key!`](crate::message_key).
    pub fn of_key(key: &'static str) -> Self {
        let values = Vec::new();
        Self { key, values }
    }

    /// The sentence in English, on one line of limited length and without control characters, whatever it quotes.
    pub fn english(&self) -> String {
        clean(&self.to_string())
    }

    /// A value by its name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// The part in place of a placeholder.
    pub fn part(&self, name: &str) -> Option<&Self> {
        match self.value(name) {
            Some(Value::Message(part)) => Some(part),
            _ => None,
        }
    }
}

/// Formats the message in English.
impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Some(template) = template(self.key) else {
            return f.write_str(self.key);
        };
        let is_one = matches!(self.value("count"), Some(Value::Count(1)));
        let mut rest = if is_one { template.one } else { template.other };
        while let Some((before, behind)) = rest.split_once('{') {
            f.write_str(before)?;
            let (placeholder, after) = behind.split_once('}').unwrap_or((behind, ""));
            let (name, kind) = placeholder.split_once(':').unwrap_or((placeholder, ""));
            match self.value(name) {
                Some(value) if kind == "Element" => f.write_str(&capitalised(&value.to_string()))?,
                Some(value) => write!(f, "{value}")?,
                None => write!(f, "{{{placeholder}}}")?,
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Text(text) | Self::Number { text, .. } => f.write_str(text),
            Self::Count(count) => count.fmt(f),
            Self::Element(element) => element_name(element).fmt(f),
            Self::List(items) => list(items, f),
            Self::Message(message) => message.fmt(f),
        }
    }
}

/// "line 12", "bus 7", "line 12 after the outage of line 40".
fn element_name(element: &ElementRef) -> Message {
    let id = element.id.to_string();
    if let Some(outage) = &element.outage {
        let outages = outage.elements();
        let before = element.clone().after(OutageIds::default());
        return message!("element.after_outage", element = &before, outages = outages);
    }
    match element.kind {
        ElementKind::Bus => message!("element.bus", id = id),
        ElementKind::Branch => message!("element.branch", id = id),
        ElementKind::Generator => message!("element.generator", id = id),
        ElementKind::Switch => message!("element.switch", id = id),
        ElementKind::Storage => message!("element.storage", id = id),
        ElementKind::Hvdc => message!("element.hvdc", id = id),
        ElementKind::Transformer3w => message!("element.transformer3w", id = id),
        ElementKind::Interface => message!("element.interface", id = element.uid.as_ref().unwrap_or(&id)),
    }
}

/// A list as it is shown: a long one ends with a message on the number of the other items.
pub fn listed(items: &[Value]) -> Vec<Value> {
    // One more item is as long as its name.
    let more = items.len().saturating_sub(LISTED);
    let more = if more > 1 { more } else { 0 };
    let mut shown: Vec<Value> = items[..items.len() - more].to_vec();
    if more > 0 {
        shown.push(message!("list.more", count = more).into());
    }
    shown
}

fn list(items: &[Value], f: &mut Formatter<'_>) -> Result {
    let shown = listed(items);
    let Some((last, first)) = shown.split_last() else {
        return Ok(());
    };
    if first.is_empty() {
        return last.fmt(f);
    }
    let mut joined = String::new();
    for (k, item) in first.iter().enumerate() {
        write!(joined, "{}{item}", if k > 0 { ", " } else { "" })?;
    }
    message!("list.and", first = Value::Text(joined), last = last.clone()).fmt(f)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Verbatim: a number with the digits of its file.
pub fn written(value: impl Display) -> Value {
    Value::from(value.to_string())
}

/// Text of a file or a request, without control characters and of limited length.
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(piece(text, LONGEST_TEXT))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::from(&text[..])
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::from(&text[..])
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<ElementRef> for Value {
    fn from(element: ElementRef) -> Self {
        Self::Element(element)
    }
}

impl From<&ElementRef> for Value {
    fn from(element: &ElementRef) -> Self {
        Self::Element(element.clone())
    }
}

impl From<Message> for Value {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let formatted = |n: u64| {
            let items: Vec<Value> = (1..=n).map(|k| Value::from(k.to_string())).collect();
            Value::from(items).to_string()
        };
        let lists = [1, 2, 3, 5, 7].map(formatted);
        assert_eq!(
            lists,
            [
                "1",
                "1 and 2",
                "1, 2 and 3",
                "1, 2, 3, 4 and 5",
                "1, 2, 3, 4 and 3 more"
            ]
        );
        assert_eq!(formatted(0), "");
    }

    #[test]
    fn elements_at_the_beginning_of_a_sentence_have_a_capital() {
        let branch = ElementRef::numbered(ElementKind::Branch, 12);
        let formatted = message!("edit.branch_out_of_service", branch = &branch).to_string();
        assert_eq!(formatted, "Line 12 is out of service; its rating has no effect.");
    }

    #[test]
    fn texts_of_others_are_bounded_and_visible() {
        let Value::Text(text) = Value::from(format!("a\u{7}b{}", "x".repeat(1000))) else {
            panic!("a text")
        };
        assert!(!text.contains('\u{7}') && text.chars().count() <= LONGEST_TEXT + 1);
    }

    #[test]
    fn the_table_is_sorted_and_each_key_is_found() {
        assert!(CATALOGUE.windows(2).all(|pair| pair[0].key < pair[1].key));
        assert!(CATALOGUE
            .iter()
            .all(|entry| template(entry.key).is_some_and(|found| found.key == entry.key)));
        assert!(template("no.such").is_none());
    }
}
