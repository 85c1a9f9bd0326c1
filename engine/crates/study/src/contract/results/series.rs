//! Series of exact solves of one case.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{ElementKey, ErrorBody};
use super::{ColumnName, ResponseCertificate};

/// One step of a series. A solved step has everything that a commit of the same edits has; a failed step has its error
/// instead.
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

/// Consecutive steps without their columns, which have all rows of the first step, then those of the second, and so on;
/// NaN in failed steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeriesHead {
    pub steps: Vec<SeriesStep>,
}

/// The elements and columns of a series.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeriesSpec {
    /// The buses whose demand each step sets, by id or uid. All other edits are the committed ones.
    #[serde(default)]
    pub buses: Vec<ElementKey>,
    /// The branches whose rating each step sets.
    #[serde(default)]
    pub branches: Vec<ElementKey>,
    /// Requested columns of each step.
    #[serde(default)]
    pub columns: Vec<ColumnName>,
}

/// A demand profile without its column `demand_mw`, which has all buses of the first step, then those of the second,
/// and so on, MW.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileHead {
    /// Labels of the steps: ISO 8601 times, or the labels of a table.
    pub steps: Vec<String>,
    /// Original ids.
    #[ts(type = "number[]")]
    pub buses: Vec<u64>,
}
