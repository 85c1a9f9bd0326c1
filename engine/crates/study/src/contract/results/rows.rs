//! Rows of a result: the columns' values for one bus, branch or generator.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A value at a bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BusValue {
    #[ts(type = "number")]
    pub bus: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub value: f64,
}

/// Locational marginal price at a bus in $/MWh (repeats `prices` for older readers).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BusPrice {
    #[ts(type = "number")]
    pub bus: u64,
    pub usd_per_mwh: f64,
}

/// Flow of a branch: MW at the from end, |flow| / rating, multiplier of its binding limit in $/MWh (>= 0) where the formulation has
/// prices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BranchFlow {
    #[ts(type = "number")]
    pub branch: u64,
    pub mw: f64,
    pub loading: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shadow: Option<f64>,
    /// AC: MVAr at the from end, MW and MVAr into the branch at the to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mvar: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mw_to: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mvar_to: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeneratorDispatch {
    #[ts(type = "number")]
    pub gen: u64,
    #[ts(type = "number")]
    pub bus: u64,
    pub mw: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mvar: Option<f64>,
}

/// Flow row of the stateless response. MW and MVAr; `pf` at the from end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlowRow {
    #[ts(type = "number")]
    pub branch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub pf: f64,
    pub loading: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shadow: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub qf: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pt: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub qt: Option<f64>,
}

/// Dispatch row of the stateless response, MW and MVAr.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DispatchRow {
    #[ts(type = "number")]
    pub gen: u64,
    #[ts(type = "number")]
    pub bus: u64,
    pub pg: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub qg: Option<f64>,
}

/// Nodal injection of a power flow, MW and MVAr: generation minus demand, including the slack's share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InjectionRow {
    #[ts(type = "number")]
    pub bus: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub p: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub q: Option<f64>,
}
