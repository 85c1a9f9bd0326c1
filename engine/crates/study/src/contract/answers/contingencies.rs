//! N-1 screening.

use crate::contract::{ElementKey, ReactiveLimits};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The outages of a screening.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScreeningOptions {
    /// Outages of these branches, which must be in service; of all branches in service if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub branches: Option<Vec<ElementKey>>,
    /// AC power flow: outages whose `estimated_loading` is below this fraction are not solved and have the kind
    /// `estimated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub min_estimated_loading: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContingencyKind {
    /// The flow moves to other branches.
    Loading,
    /// The outage splits an island.
    Islanding,
    /// AC: no power flow was found after the outage.
    NotConverged,
    /// AC: not solved, since the estimated loading is below that of the options.
    Estimated,
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
    /// AC: the larger apparent power of its ends after the outage, MVA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mva: Option<f64>,
    /// |flow| / rating after and before the outage; AC: apparent power / rating.
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
    /// The most loaded branch after the outage, its flow in MW at its from end and |flow| / rating; AC: the larger apparent
    /// power of its ends, MVA, and its share of the rating. Absent where no other branch carries a flow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub worst_branch: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_mw: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_mva: Option<f64>,
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
    /// AC: the buses with the lowest and the highest voltage after the outage, and these voltages, pu.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub lowest_voltage_bus: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lowest_voltage_pu: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub highest_voltage_bus: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub highest_voltage_pu: Option<f64>,
    /// AC: number of buses beyond a voltage limit after the outage, and of those that were within their limits before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub voltage_violations: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub new_voltage_violations: Option<u32>,
    /// AC, where the Study enforces reactive limits: whether they hold after the outage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reactive_limits: Option<ReactiveLimits>,
    /// AC: the most loaded branch by line outage distribution factors (DC), which move the active flows of the state while
    /// its reactive flows remain, and its loading. Absent where factors do not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub estimated_branch: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub estimated_loading: Option<f64>,
}

impl ContingencyRow {
    /// A row without values.
    pub(crate) fn new(branch: u64, uid: Option<String>, kind: ContingencyKind) -> Self {
        Self {
            branch,
            uid,
            kind,
            worst_branch: None,
            worst_mw: None,
            worst_mva: None,
            worst_loading: None,
            overloads: None,
            new_overloads: None,
            worst_new_overload: None,
            buses_cut_off: None,
            demand_cut_off_mw: None,
            generation_cut_off_mw: None,
            lowest_voltage_bus: None,
            lowest_voltage_pu: None,
            highest_voltage_bus: None,
            highest_voltage_pu: None,
            voltage_violations: None,
            new_voltage_violations: None,
            reactive_limits: None,
            estimated_branch: None,
            estimated_loading: None,
        }
    }
}
