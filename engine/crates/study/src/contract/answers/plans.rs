//! Capacity plans: ratings raised in increments so that weighted prices fall, each step verified by an exact solve.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::contract::{Diagnostic, ElementKey};

/// What a plan lowers: `sum_b weight_b * LMP_b`, $/MWh times the unit of the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ImplicitObjectiveJson {
    WeightedLmp { weights: Vec<BusWeight> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BusWeight {
    pub bus: ElementKey,
    pub weight: f64,
}

/// Which ratings may rise, and by how much. Amounts are MW in DC and MVA in the SOC relaxation, and count from the state that the
/// plan starts from. Budget and maximum are whole multiples of the increment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CapacityPlanSpecJson {
    pub objective: ImplicitObjectiveJson,
    /// Lines, each once.
    pub candidates: Vec<ElementKey>,
    pub max_increase_per_branch_mw: f64,
    /// All increases together.
    pub budget_mw: f64,
    pub increment_mw: f64,
    /// Lines that may change.
    pub max_changed_lines: u32,
    /// Exact solves: the baseline, and every trial whether accepted, rejected or failed.
    pub exact_solve_budget: u32,
}

/// An increase of a rating from the state that the plan started from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingIncrease {
    #[ts(type = "number")]
    pub branch: u64,
    pub delta_mw: f64,
}

/// Derivative of the plan's objective by the rating of a line, per MW (MVA in the SOC relaxation).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradientEntry {
    #[ts(type = "number")]
    pub branch: u64,
    pub value: f64,
}

/// One candidate that was solved exactly. Changes of `phi` count from the best state before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CapacityPlanTrial {
    /// Number of its exact solve; the baseline is 1.
    pub exact_solve: u32,
    /// The line that gets another increment.
    pub line: RatingIncrease,
    /// At the best state before it, by candidate in branch order.
    pub gradient: Vec<GradientEntry>,
    /// All increases of the trial.
    pub delta_mw: Vec<RatingIncrease>,
    /// Gradient times increment.
    pub predicted_phi_delta: f64,
    /// What the exact path of this rating says; absent in the SOC relaxation, which has no exact paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path_phi_delta: Option<f64>,
    /// Null where the trial has no solution.
    pub exact_phi_delta: Option<f64>,
    /// |exact - predicted|.
    pub first_order_error: Option<f64>,
    /// Relative to the exact change; null where that is zero.
    pub first_order_error_rel: Option<f64>,
    /// Cost of the trial, $/h.
    pub objective: Option<f64>,
    pub accepted: bool,
    /// Why it was not accepted.
    pub reason: Option<Diagnostic>,
}

/// A state of a plan: its objective, its cost in $/h, and the exact solve that found it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CapacityPlanState {
    pub phi: f64,
    pub objective: f64,
    pub exact_solve: u32,
}

/// Why a plan has no more trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CapacityPlanEnd {
    /// `exact_solve_budget` is used.
    SolveBudget,
    /// `budget_mw` is used, or the lines that may change are at their maximum.
    CapacityBudget,
    /// No further increment of a candidate lowers the objective.
    NoImprovement,
    /// It was cancelled.
    Cancelled,
}

/// The best candidate that was verified within the budget: an unapplied proposal, not a global optimum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CapacityPlanOutcomeJson {
    pub baseline: CapacityPlanState,
    pub best: CapacityPlanState,
    /// In branch order; empty where no trial was better than the baseline.
    pub proposal: Vec<RatingIncrease>,
    pub spent_budget_mw: f64,
    pub exact_solves: u32,
    /// Whether the exact solves are used up.
    pub exhausted: bool,
    pub ended: CapacityPlanEnd,
    pub trials: Vec<CapacityPlanTrial>,
}
