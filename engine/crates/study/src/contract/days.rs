//! The market day: many hours as one program.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Diagnostic, Element, ElementKey};

/// How much energy a storage unit has at the end of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DayEnd {
    /// As much as at the start, which the optimum chooses.
    Cyclic,
    /// At least as much as at the start.
    Start,
    /// Any amount. An energy value of the unit counts as revenue.
    Free,
}

/// Limits of the change of a generator's output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RampLimit {
    pub generator: ElementKey,
    /// MW per hour, at least zero; no limit if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub up_mw_per_h: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub down_mw_per_h: Option<f64>,
}

/// A storage unit in a day. Values that are absent are those of the case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DayStorage {
    pub storage: ElementKey,
    /// Stored energy at the start of the day, MWh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub start_mwh: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub end: Option<DayEnd>,
    /// Wear of a unit by its power, $/MWh, at least zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub charge_cost: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub discharge_cost: Option<f64>,
}

/// The elements of a day and what couples its hours. Each step has one value for each bus (change of demand from the base case, MW),
/// branch (change of rating, MW), generator (part of Pmax that is available, 0 to 1) and storage unit with inflow (MW), in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DaySpec {
    #[serde(default)]
    pub buses: Vec<ElementKey>,
    #[serde(default)]
    pub branches: Vec<ElementKey>,
    #[serde(default)]
    pub generators: Vec<ElementKey>,
    #[serde(default)]
    pub inflow: Vec<ElementKey>,
    /// Number of steps.
    pub steps: u32,
    /// Length of a step, hours; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hours: Option<f64>,
    /// Of units without one of their own. By default a unit with an energy value ends `free`, one without a stored energy in the source
    /// `cyclic`, others as at the `start`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub end: Option<DayEnd>,
    #[serde(default)]
    pub storage: Vec<DayStorage>,
    #[serde(default)]
    pub ramps: Vec<RampLimit>,
}

/// Independent check of a day, computed from its dispatch, energies and bus prices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DayCertificate {
    /// Largest imbalance of an island in an hour, MW.
    pub primal_residual_mw: f64,
    /// Largest violation of a limit of a line, an output, a stored energy or a change of output, MW.
    pub worst_violation_mw: f64,
    /// Largest error of a change of stored energy, MW.
    pub energy_residual_mw: f64,
    pub stationarity_usd_per_mwh: f64,
    /// Cost of the day less the lower bound that its prices prove.
    pub duality_gap_usd: f64,
    pub relative_gap: f64,
}

/// A solved day without its columns, which have all rows of the first step, then those of the second, and so on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DayHead {
    /// Cost of all steps, $.
    pub objective_usd: f64,
    /// Worth of the energy that is stored at the end, by the energy values of the units, $. It is not part of the cost.
    pub end_value_usd: f64,
    /// Cost of each step, $/h.
    pub step_costs: Vec<f64>,
    /// SHA-256 over the objective and the columns of all steps.
    pub result_sha256: String,
    pub certificate: DayCertificate,
    pub diagnostics: Vec<Diagnostic>,
}

/// What happens at an end of the interval of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DayEventKind {
    /// An output, a line or a stored energy reaches a limit, or a change of output its own.
    Reaches,
    /// It leaves the limit.
    Leaves,
}

/// An end of the interval of a derivative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DayEvent {
    /// From 1.
    pub step: u32,
    pub element: Element,
    pub kind: DayEventKind,
}

/// Derivatives of all prices and outputs of a day by one demand, without their columns `lmp_slope` and `dispatch_slope`, which have all rows
/// of the first step, then those of the second, and so on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DaySensitivity {
    /// Original id.
    #[ts(type = "number")]
    pub bus: u64,
    /// From 1.
    pub step: u32,
    /// Changes of the demand, MW, between which the derivatives are exact; null is unbounded. The least interval where the value of idle
    /// storage is not unique.
    pub valid_mw: [Option<f64>; 2],
    /// What ends the interval below and above.
    pub ends: [Option<DayEvent>; 2],
}
