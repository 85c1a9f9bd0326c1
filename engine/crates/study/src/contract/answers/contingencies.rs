//! N-1 screening.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContingencyKind {
    /// The flow moves to other branches.
    Loading,
    /// The outage splits an island.
    Islanding,
}

/// A branch that an outage overloads and that had room left before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewOverload {
    #[ts(type = "number")]
    pub branch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    #[ts(type = "number")]
    pub from_bus: u64,
    #[ts(type = "number")]
    pub to_bus: u64,
    /// Flow after the outage at the from end, MW.
    pub mw: f64,
    /// |flow| / rating after the outage and before it.
    pub loading_after: f64,
    pub loading_before: f64,
}

/// Outage of one branch at the displayed state; dispatch and demand stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContingencyRow {
    #[ts(type = "number")]
    pub branch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub kind: ContingencyKind,
    /// The branch that is loaded most afterwards, its flow in MW at its from end and |flow| / rating. Absent where no other
    /// branch carries anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub worst_branch: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_mw: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_loading: Option<f64>,
    /// Branches above their rating afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub overloads: Option<u32>,
    /// Those of them that had room left before: neither overloaded nor binding there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub new_overloads: Option<u32>,
    /// The one of these whose loading rises most. Absent without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_new_overload: Option<NewOverload>,
    /// Islanding: buses of the smaller part, and what is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number[]")]
    pub buses_cut_off: Option<Vec<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub demand_cut_off_mw: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub generation_cut_off_mw: Option<f64>,
}
