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

/// A branch that an outage overloads and that was neither overloaded nor binding before.
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
    /// |flow| / rating after and before the outage.
    pub loading_after: f64,
    pub loading_before: f64,
}

/// Outage of one branch at the displayed state, with dispatch and demand unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContingencyRow {
    #[ts(type = "number")]
    pub branch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub kind: ContingencyKind,
    /// The most loaded branch after the outage, its flow in MW at its from end and |flow| / rating. Absent where no
    /// other branch carries a flow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub worst_branch: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_mw: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_loading: Option<f64>,
    /// Number of overloaded branches after the outage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub overloads: Option<u32>,
    /// Number of those that were neither overloaded nor binding before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub new_overloads: Option<u32>,
    /// The new overload whose loading rises most. Absent if there is no new overload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_new_overload: Option<NewOverload>,
    /// For an islanding outage: the buses of the smaller part, and their totals.
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
