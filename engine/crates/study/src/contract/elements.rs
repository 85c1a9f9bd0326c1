//! How an answer names elements and says what is wrong with them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names one element in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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
#[serde(untagged)]
pub enum ElementKey {
    Id(#[ts(type = "number")] u64),
    Key(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Diagnostic {
    pub code: String,
    pub message: String,
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
pub struct ErrorBody {
    pub code: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<Element>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub details: Option<serde_json::Value>,
}
