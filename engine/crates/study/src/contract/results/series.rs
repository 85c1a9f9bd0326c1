//! Many exact solves of one case in a row, and what they are over.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{ElementKey, ErrorBody};
use super::{ColumnName, ResponseCertificate};

/// One step of a series. A solved step has all that a commit of the same edits has; one that failed has its error instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeriesStep {
    /// $/h.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub certificate: Option<ResponseCertificate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<ErrorBody>,
}

/// What is said of consecutive steps beside their columns, which have the rows of the first step, then those of the second, and
/// so on; NaN in steps that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeriesHead {
    pub steps: Vec<SeriesStep>,
}

/// What a series is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeriesSpec {
    /// Whose demand each step gives, by id or uid. All other edits are those committed.
    #[serde(default)]
    pub buses: Vec<ElementKey>,
    /// Whose rating each step gives.
    #[serde(default)]
    pub branches: Vec<ElementKey>,
    /// Columns wanted of each step.
    #[serde(default)]
    pub columns: Vec<ColumnName>,
}

/// What a demand profile says beside its column `demand_mw`, which has the buses of the first step, then those of the second, and
/// so on, MW.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileHead {
    /// Labels of the steps: times as ISO 8601 writes them, or what a table calls them.
    pub steps: Vec<String>,
    /// Original ids.
    #[ts(type = "number[]")]
    pub buses: Vec<u64>,
}
