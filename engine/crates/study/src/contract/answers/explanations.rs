//! Why data have no solution, and the least change of limits that gives them one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::Message;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExplanationKind {
    /// Two limits of one element contradict each other.
    Bounds,
    /// The generators of an island cannot meet its demand, or cannot go as low as it.
    Balance,
    /// Limits of lines, in the relaxation of voltages too, cannot be met, given the generators' limits and the balance.
    Lines,
    /// The limits do not contradict: the problem is unbounded.
    Unbounded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    Rating,
    Angle,
    /// Both hold the line: neither alone helps.
    RatingAndAngle,
    /// Output of a generator.
    Minimum,
    Maximum,
    Demand,
    /// A demand below zero, which gives power.
    Injection,
    /// Reactive power that a bus lacks, MVAr.
    ReactiveSupply,
    /// Reactive power that a bus has in excess, MVAr.
    ReactiveAbsorption,
    /// Voltage magnitude limits of a bus.
    VoltageMinimum,
    VoltageMaximum,
}

/// An element by its original id, and what tells people where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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
}

/// A limit that takes part in the contradiction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContradictingLimit {
    pub element: NamedElement,
    pub limit: LimitKind,
    /// MW of the minimum relaxation that one more MW of this limit saves; per radian where `limit_mw` is absent. In the conic
    /// relaxation one MVA, 0.01 pu or one degree count as one MW.
    pub weight: f64,
    /// The limit, MW (flow signed from the from end). Absent for the angle-difference limit of a branch without
    /// flow, and where a generator has no limit at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit_mw: Option<f64>,
    /// The source has no rating of the branch: the reader assumed this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rating_assumed: bool,
}

/// By how much a limit is exceeded in the minimum relaxation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RelaxedLimit {
    pub element: NamedElement,
    pub limit: LimitKind,
    /// MW, of a rating in the conic relaxation MVA, of reactive power MVAr; zero where only `angle_deg` or `voltage_pu` counts.
    pub mw: f64,
    /// The same rounded up, as `remedy` says it, but never beyond the demand of a bus: with these amounts the data were checked
    /// to have a dispatch.
    pub rounded_mw: f64,
    /// Degrees by which the angle-difference limit must be wider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub angle_deg: Option<f64>,
    /// Per unit by which a voltage limit must be higher or lower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub voltage_pu: Option<f64>,
    /// As in `ContradictingLimit`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rating_assumed: bool,
}

/// What was checked on the data themselves after the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplanationCheck {
    /// The multipliers prove that no relaxation of a smaller total exists, MW.
    pub bound_mw: f64,
    /// The relaxation told minus the bound, MW: rounding, but for a search that was stopped.
    pub gap_mw: f64,
    /// With what `remedy` says the data have a dispatch, which was checked; its figures are rounded up by at most this, MW.
    pub margin_mw: f64,
    /// Unbounded only: change of the cost for each MW more of the generator, $/MWh, from two certified optima with its
    /// output limited far out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slope_usd_per_mwh: Option<f64>,
}

/// How far a single edit of demand can go with everything else as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DemandLimit {
    pub element: NamedElement,
    /// The most or the least that the bus can take, MW, and the edit that this is; exact.
    pub demand_mw: f64,
    pub edit_mw: f64,
    pub is_most: bool,
    /// A sentence; its figure is rounded to where there is a solution.
    pub message: String,
}

/// A contradiction by name, and the minimum relaxation that removes it: the least sum of MW, all of equal weight, of flows beyond
/// ratings and angle windows, of demand that is not served and of minimum outputs that are undercut. Of all relaxations with
/// that sum one is told. The conic relaxation counts power missing or in excess at buses, ratings, voltage limits and
/// angle-difference limits: 1 MW as much as 1 MVAr, 1 MVA, 0.01 pu and one degree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    pub kind: ExplanationKind,
    /// The whole text: `No solution: the limits of line 12 and line 40 cannot both be met. Minimum relaxation: raise the rating of line 12
    /// by 4.1 MW.`
    pub message: String,
    /// What contradicts, a part of a sentence.
    pub reason: String,
    /// What helps, a sentence; what it says is enough, its figures being rounded up.
    pub remedy: String,
    /// What `message` says, with the messages `reason`, `remedy` and, with `demand_limit`, `limit`.
    pub sentence: Message,
    /// Largest weight first.
    pub elements: Vec<ContradictingLimit>,
    /// Largest first; empty where the problem is unbounded.
    pub relaxation: Vec<RelaxedLimit>,
    pub relaxation_total_mw: f64,
    /// Of no relaxation the sum is smaller. False where that is not proved: the search was stopped before its end, or the conic
    /// relaxation needs more than was proved. Then this is the best that was found, as well checked (of the conic relaxation, stopped
    /// before its end, an estimate), and `verified.gap_mw` is how much smaller the least one may be.
    pub is_least: bool,
    /// Where the demand of one bus alone was edited, and there is a solution between the base case and the edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub demand_limit: Option<DemandLimit>,
    pub verified: ExplanationCheck,
}
