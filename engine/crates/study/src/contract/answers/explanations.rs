//! Explanations of edits without a solution, and the minimum relaxation that gives them one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::Message;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExplanationKind {
    /// Two limits of one element contradict each other.
    Bounds,
    /// The generators of an island cannot meet its demand, or cannot reduce their output to it.
    Balance,
    /// The limits of lines cannot be met, given the generators' limits and the balance; in the conic relaxation also
    /// the limits of voltages.
    Lines,
    /// The limits are consistent, and the problem is unbounded.
    Unbounded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    Rating,
    Angle,
    /// Both limits bind: relaxing either alone does not help.
    RatingAndAngle,
    /// Minimum output of a generator.
    Minimum,
    Maximum,
    Demand,
    /// A negative demand, which injects power.
    Injection,
    /// Shortage of reactive power at a bus, MVAr.
    ReactiveSupply,
    /// Excess of reactive power at a bus, MVAr.
    ReactiveAbsorption,
    /// Voltage magnitude limits of a bus.
    VoltageMinimum,
    VoltageMaximum,
}

/// An element by its original id, with names that locate it for a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedElement {
    /// As in `Element`.
    pub kind: String,
    #[ts(type = "number")]
    pub id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    /// A bus's name, where the source has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// A generator's bus, or the two buses of a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number[]")]
    pub buses: Option<Vec<u64>>,
    /// Ids of the branches and of the generators out of service, of a limit after an outage; absent before outages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<u32>>", optional)]
    pub outage: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<u32>>", optional)]
    pub generators_out: Vec<u64>,
}

/// A limit in the contradiction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContradictingLimit {
    pub element: NamedElement,
    pub limit: LimitKind,
    /// MW of the minimum relaxation saved by one more MW of this limit; per radian where `limit_mw` is absent. In the
    /// conic relaxation one MVA, 0.01 pu or one degree counts as one MW.
    pub weight: f64,
    /// The limit, MW (flow signed from the from end). Absent for the angle-difference limit of a branch without flow,
    /// and for a generator without limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit_mw: Option<f64>,
    /// The source has no rating for the branch; the reader assumed this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rating_assumed: bool,
}

/// A limit and the amount by which the minimum relaxation exceeds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RelaxedLimit {
    pub element: NamedElement,
    pub limit: LimitKind,
    /// MW; MVA for a rating in the conic relaxation, MVAr for reactive power; zero where only `angle_deg` or
    /// `voltage_pu` applies.
    pub mw: f64,
    /// The amount rounded up, as in `remedy`, but not beyond the demand of a bus. A dispatch was verified to exist with
    /// these amounts.
    pub rounded_mw: f64,
    /// Degrees by which the angle-difference limit must be widened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub angle_deg: Option<f64>,
    /// Per unit by which a voltage limit must be raised or lowered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub voltage_pu: Option<f64>,
    /// As in `ContradictingLimit`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rating_assumed: bool,
}

/// Checks of the explanation against the original data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplanationCheck {
    /// Lower bound on the total relaxation, proved by the multipliers, MW.
    pub bound_mw: f64,
    /// Total of the stated relaxation minus the bound, MW: rounding, unless the search was stopped.
    pub gap_mw: f64,
    /// The relaxation in `remedy` was verified to admit a dispatch; its figures are rounded up by at most this, MW.
    pub margin_mw: f64,
    /// Unbounded problems only: change of the cost per additional MW of the generator, $/MWh, from two certified optima
    /// with its output limited far out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slope_usd_per_mwh: Option<f64>,
}

/// How far a single demand can be edited with everything else unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DemandLimit {
    pub element: NamedElement,
    /// The largest or smallest feasible demand of the bus, MW, and the corresponding edit; exact.
    pub demand_mw: f64,
    pub edit_mw: f64,
    pub is_most: bool,
    /// A sentence whose figure is rounded into the feasible range.
    pub message: String,
}

/// The contradicting limits by name, and the minimum relaxation: the smallest sum, all MW weighted equally, of flows
/// above ratings and angle-difference limits, unserved demand, and output below the minimum. If several relaxations
/// have that sum, one is given. The conic relaxation counts missing and excess power at buses, ratings, voltage limits
/// and angle-difference limits: 1 MW equals 1 MVAr, 1 MVA, 0.01 pu and one degree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    pub kind: ExplanationKind,
    /// The full text: `No solution: the limits of line 12 and line 40 cannot both be met. Minimum relaxation: raise the
    /// rating of line 12 by 4.1 MW.`
    pub message: String,
    /// The contradiction, a part of a sentence.
    pub reason: String,
    /// The remedy, a sentence. The relaxation it states is sufficient, because its figures are rounded up.
    pub remedy: String,
    /// `message` in catalogue form, with the messages `reason`, `remedy` and, with `demand_limit`, `limit`.
    pub sentence: Message,
    /// Largest weight first.
    pub elements: Vec<ContradictingLimit>,
    /// Largest first; empty where the problem is unbounded.
    pub relaxation: Vec<RelaxedLimit>,
    pub relaxation_total_mw: f64,
    /// Whether the sum is proved to be minimal. Otherwise the search was stopped, or the conic relaxation has a gap to
    /// its proved bound; the relaxation is then the best found, equally verified (for a stopped search of the conic
    /// relaxation, an estimate), and the minimum may be smaller by `verified.gap_mw`.
    pub is_least: bool,
    /// Present where a single demand was edited and there is a solution between the base case and the edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub demand_limit: Option<DemandLimit>,
    pub verified: ExplanationCheck,
}
