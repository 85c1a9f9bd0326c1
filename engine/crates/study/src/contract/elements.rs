//! Elements and messages in answers.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// An element named in an answer, or its limit after an outage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Element {
    /// `bus`, `branch`, `generator`, `switch`, `storage`, `hvdc`, `transformer3w`, `interface`.
    pub kind: String,
    #[ts(type = "number")]
    pub id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    /// Ids of the branches after whose outage the limit of the element is meant; absent before outages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u32>>")]
    pub outage: Vec<u64>,
    /// Ids of the generators out of service in the outage; absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u32>>")]
    pub generators_out: Vec<u64>,
}

/// Original id (digits) or row uid (anything else).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ElementKey {
    Id(#[ts(type = "number")] u64),
    Key(String),
}

/// A sentence or a part of one: a key of the catalogue `engine/messages/en.json`, and the values of its placeholders.
/// Clients use it to show the English `message` in another language or with other element names.
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
    /// Verbatim.
    Text(String),
    /// A number, absent where it is not finite, and its formatted text with unit.
    Number {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        value: Option<f64>,
        text: String,
    },
    /// A count.
    Count(#[ts(type = "number")] u64),
    Element(Element),
    /// Joined by commas and a final "and"; of a list of more than five items, four and a message on the number of the
    /// others.
    List(Vec<MessageValue>),
    /// A part of a sentence.
    Message(Message),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnostic {
    pub code: String,
    pub message: String,
    /// `message` in catalogue form.
    pub sentence: Message,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<Element>,
    /// The element of a multiconductor case, `class.name`: those elements have names instead of numbers.
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
    /// `message` in catalogue form.
    pub sentence: Message,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<Element>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub details: Option<serde_json::Value>,
}
