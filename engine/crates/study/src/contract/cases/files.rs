//! Files: kinds of JSON documents, drawings, and formats that a case can be written in.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{Diagnostic, IngestedCase, IngestedCaseHead, IngestedDistribution};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum JsonDropKind {
    /// A generation-2 module.
    Module,
    /// A balanced network.
    Transmission,
    /// A multiconductor network.
    Distribution,
    /// A case that matches several readers.
    Ambiguous,
    /// Not a case; it may be a geographic layer.
    Unknown,
}

/// Answer of `classifyJson`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JsonDropClassification {
    pub kind: JsonDropKind,
    /// The reader for a case; null for modules, ambiguous and unknown documents.
    pub format: Option<String>,
}

/// A case of either model, distinguished by `model`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum IngestedNetwork {
    Balanced(Box<IngestedCase>),
    Multiconductor(Box<IngestedDistribution>),
}

/// Answer of `ingestJsonDrop`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum IngestedJsonDrop {
    Module {
        format: (),
        payload: IngestedNetwork,
    },
    Transmission {
        format: String,
        payload: Box<IngestedCase>,
    },
    Distribution {
        format: String,
        payload: Box<IngestedDistribution>,
    },
    Ambiguous {
        format: (),
        payload: (),
    },
    Unknown {
        format: (),
        payload: (),
    },
}

/// An `IngestedNetwork` without the rows of a balanced case, whose numbers are columns beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum IngestedNetworkHead {
    Balanced(Box<IngestedCaseHead>),
    Multiconductor(Box<IngestedDistribution>),
}

/// An `IngestedJsonDrop` without the rows of a balanced case, whose numbers are columns beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IngestedJsonDropHead {
    #[ts(type = "IngestedJsonDrop[\"kind\"]")]
    pub kind: JsonDropKind,
    pub format: Option<String>,
    /// Null for a document that is not a case or matches several readers.
    pub payload: Option<IngestedNetworkHead>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DisplaySubstation {
    #[ts(type = "number")]
    pub number: u64,
    pub name: Option<String>,
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DisplayBus {
    #[ts(type = "number")]
    pub number: u64,
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DisplayBranch {
    #[ts(type = "number")]
    pub from: u64,
    #[ts(type = "number")]
    pub to: u64,
    /// Null where the drawing has no circuit names; parallel lines follow the order of the file.
    pub circuit: Option<String>,
    pub points: Vec<[f64; 2]>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DisplayCanvas {
    pub width: f64,
    pub height: f64,
}

/// Answer of `parseDisplay`: a drawing in its own units with y upwards, never longitude and latitude.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Display {
    pub substations: Vec<DisplaySubstation>,
    pub buses: Vec<DisplayBus>,
    pub branches: Vec<DisplayBranch>,
    pub canvas: Option<DisplayCanvas>,
    /// Symbols that could not be read or matched.
    pub unmatched: Vec<Diagnostic>,
}

/// A format that balanced cases can be written in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExportFormat {
    /// Token for `exportModule`.
    pub format: String,
    /// Display name.
    pub label: String,
    /// Without the dot.
    pub extension: String,
}
