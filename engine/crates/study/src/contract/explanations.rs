//! Why data have no solution, and the least change of limits that gives them one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExplanationKind {
    /// Two limits of one element contradict each other.
    Bounds,
    /// The generators of an island cannot meet its demand, or cannot go as low as it.
    Balance,
    /// Lines cannot be held, given the generators' limits and the balance.
    Lines,
    /// The limits do not contradict: the cost falls without end.
    Unbounded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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
}

/// An element by its original id, and what tells people where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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
pub struct ContradictingLimit {
    pub element: NamedElement,
    pub limit: LimitKind,
    /// MW of the least relaxation that one more MW of this limit saves; per radian where `limit_mw` is absent.
    pub weight: f64,
    /// The limit, MW (flow signed from the from end). Absent for the angle window of a branch without flow, and where a
    /// generator has no limit at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit_mw: Option<f64>,
}

/// By how much a limit is exceeded in the least relaxation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RelaxedLimit {
    pub element: NamedElement,
    pub limit: LimitKind,
    /// MW; zero where only `angle_deg` counts.
    pub mw: f64,
    /// Degrees by which the angle window of a branch without flow or impedance must be wider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub angle_deg: Option<f64>,
}

/// What was checked on the data themselves after the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ExplanationCheck {
    /// The multipliers prove that no relaxation of a smaller total exists, MW.
    pub bound_mw: f64,
    /// The named limits were relaxed by this much more than told, MW, before the case was solved and certified.
    pub margin_mw: f64,
    /// Cost of that optimum, $/h; absent where the cost falls without end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective: Option<f64>,
    /// Unbounded only: change of the cost for each MW more of the generator, $/MWh, from two certified optima with its
    /// output limited far out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slope_usd_per_mwh: Option<f64>,
}

/// A contradiction by name, and the least relaxation that removes it. Of all relaxations with the least total one is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Explanation {
    pub kind: ExplanationKind,
    /// The whole text: `No solution: lines 12 and 40 cannot both be held. Least relaxation: 4.1 MW on line 12.`
    pub message: String,
    /// What contradicts, as the end of a sentence.
    pub reason: String,
    /// What helps, a sentence.
    pub remedy: String,
    /// Largest weight first.
    pub elements: Vec<ContradictingLimit>,
    /// Largest first; empty where the cost falls without end.
    pub relaxation: Vec<RelaxedLimit>,
    pub relaxation_total_mw: f64,
    pub verified: ExplanationCheck,
}
