//! How an answer names elements and says what is wrong with them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// Names one element in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Element {
    /// `bus`, `branch`, `generator`, `switch`, `storage`, `hvdc`, `transformer3w`.
    pub kind: String,
    #[ts(type = "number")]
    pub id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
}

/// Original id (digits) or row uid (anything else).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ElementKey {
    Id(#[ts(type = "number")] u64),
    Key(String),
}

/// A sentence or a part of one: a key of the catalogue `engine/messages/en.json`, and what stands in place of its placeholders. Whoever
/// shows it in other words than the English of `message` (other languages, names of elements) makes it from this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Message {
    pub key: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, MessageValue>>")]
    pub values: BTreeMap<String, MessageValue>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MessageValue {
    /// As it is.
    Text(String),
    /// A number, absent where it is none, and how it is told, with its unit.
    Number {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        value: Option<f64>,
        text: String,
    },
    /// How many.
    Count(#[ts(type = "number")] u64),
    Element(Element),
    /// Joined by commas and a last "and"; of more than five, four and the number of the others.
    List(Vec<MessageValue>),
    /// A part of a sentence.
    Message(Message),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnostic {
    pub code: String,
    pub message: String,
    /// What `message` says.
    pub sentence: Message,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<Element>,
    /// The element of a multiconductor case, `class.name`: those have names and no numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element_name: Option<String>,
}

/// The JSON form of an engine error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    pub code: String,
    pub message: String,
    /// What `message` says.
    pub sentence: Message,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<Element>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub details: Option<serde_json::Value>,
}
