//! Plans: ratings raised, or demand placed or moved, in increments that lower weighted prices, each step verified by an
//! exact solve.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::contract::{Diagnostic, ElementKey};

/// The objective of a plan: `sum_b weight_b * LMP_b`, $/MWh times the unit of the weights.
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

/// The ratings that may rise, and by how much. Amounts are MW in DC and MVA in the SOC relaxation, counted from the
/// state that the plan starts from. Budget and maximum are whole multiples of the increment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CapacityPlanSpecJson {
    pub objective: ImplicitObjectiveJson,
    /// Lines, each once.
    pub candidates: Vec<ElementKey>,
    pub max_increase_per_branch_mw: f64,
    /// Limit on the sum of all increases.
    pub budget_mw: f64,
    pub increment_mw: f64,
    /// Number of lines that may change.
    pub max_changed_lines: u32,
    /// Number of exact solves: the baseline and every trial, whether accepted, rejected or failed.
    pub exact_solve_budget: u32,
}

/// An increase of a rating from the state that the plan starts from.
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

/// A candidate that was solved exactly. Changes of `phi` are relative to the best state before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CapacityPlanTrial {
    /// Number of its exact solve; the baseline is 1.
    pub exact_solve: u32,
    /// The line that receives another increment.
    pub line: RatingIncrease,
    /// Gradient at the best state before it, by candidate in branch order.
    pub gradient: Vec<GradientEntry>,
    /// All increases of the trial.
    pub delta_mw: Vec<RatingIncrease>,
    /// Gradient times increment.
    pub predicted_phi_delta: f64,
    /// Change along the exact path of this rating; absent in the SOC relaxation, which has no exact paths.
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
    /// Why the trial was not accepted.
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

/// Why a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CapacityPlanEnd {
    /// `exact_solve_budget` is exhausted.
    SolveBudget,
    /// `budget_mw` of a capacity plan is exhausted.
    CapacityBudget,
    /// No further move within the limits of a demand plan lowers the objective.
    DemandBudget,
    /// `max_changed_lines` or `max_changed_buses` is reached; to first order one more element would lower the
    /// objective.
    ElementLimit,
    /// `max_increase_per_branch_mw` or `max_change_per_bus_mw` is reached where a further increment would lower the
    /// objective.
    ChangeLimit,
    /// Placement: no candidate can take the remaining demand.
    NotPlaced,
    /// No further increment of a candidate lowers the objective.
    NoImprovement,
    /// The plan was cancelled.
    Cancelled,
}

/// The best verified candidate within the budget: an unapplied proposal, not a global optimum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CapacityPlanOutcomeJson {
    pub baseline: CapacityPlanState,
    pub best: CapacityPlanState,
    /// In branch order; empty where no trial improved on the baseline.
    pub proposal: Vec<RatingIncrease>,
    pub spent_budget_mw: f64,
    pub exact_solves: u32,
    /// Whether the exact solves are exhausted.
    pub exhausted: bool,
    pub ended: CapacityPlanEnd,
    pub trials: Vec<CapacityPlanTrial>,
}

/// The kind of a demand plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DemandPlanKind {
    /// Adds `budget_mw` of demand and searches for the buses where it raises the objective least.
    DemandPlacement,
    /// Moves demand between buses at constant total.
    DemandRedistribution,
}

/// The demand that may change, and by how much, counted from the state that the plan starts from. Reactive demand
/// follows as for an edit. Budget and maximum are whole multiples of the increment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DemandPlanSpecJson {
    pub kind: DemandPlanKind,
    pub objective: ImplicitObjectiveJson,
    /// Buses, each once.
    pub candidates: Vec<ElementKey>,
    /// For a redistribution the limit in either direction; no demand falls below zero.
    pub max_change_per_bus_mw: f64,
    /// Placement: the demand to place, all of it. Redistribution: the largest amount that may move.
    pub budget_mw: f64,
    pub increment_mw: f64,
    /// Number of buses that may change.
    pub max_changed_buses: u32,
    /// Number of exact solves: the baseline and every trial, whether it places or moves demand, accepted, rejected or
    /// failed.
    pub exact_solve_budget: u32,
}

/// A change of the demand of a bus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DemandChange {
    #[ts(type = "number")]
    pub bus: u64,
    pub delta_mw: f64,
}

/// Derivative of the plan's objective by the demand of a bus, per MW, with reactive demand following.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DemandGradientEntry {
    #[ts(type = "number")]
    pub bus: u64,
    pub value: f64,
}

/// A candidate that was solved exactly. Changes of `phi` are relative to the best state before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DemandPlanTrial {
    /// Number of its exact solve; the baseline is 1.
    pub exact_solve: u32,
    /// The changes: demand placed at a bus, or an increment moved from one bus to another.
    pub step: Vec<DemandChange>,
    /// Whether it places demand. A placement is accepted if it has a solution; a move must lower `phi`.
    pub places: bool,
    /// Gradient at the best state before it, by candidate in bus order.
    pub gradient: Vec<DemandGradientEntry>,
    /// All changes of the trial, from the state that the plan starts from.
    pub delta_mw: Vec<DemandChange>,
    /// Gradient times step.
    pub predicted_phi_delta: f64,
    /// Change along the exact path of this step; absent in the SOC relaxation, which has no exact paths.
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
    /// Why the trial was not accepted.
    pub reason: Option<Diagnostic>,
}

/// The best verified candidate within the budget: an unapplied proposal, not a global optimum. The baseline of a
/// placement is the state without the placed demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DemandPlanOutcomeJson {
    pub kind: DemandPlanKind,
    pub baseline: CapacityPlanState,
    pub best: CapacityPlanState,
    /// In bus order; empty where no improvement was found, or not all of the demand could be placed.
    pub proposal: Vec<DemandChange>,
    /// Demand that is placed or moved.
    pub spent_budget_mw: f64,
    pub exact_solves: u32,
    /// Whether the exact solves are exhausted.
    pub exhausted: bool,
    pub ended: CapacityPlanEnd,
    pub trials: Vec<DemandPlanTrial>,
}

/// Specification of a plan: of demand if it has a `kind`, otherwise of line capacity.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PlanSpecJson {
    Capacity(CapacityPlanSpecJson),
    Demand(DemandPlanSpecJson),
}

/// Outcome of a plan: of demand if it has a `kind`, otherwise of line capacity.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PlanOutcomeJson {
    Capacity(CapacityPlanOutcomeJson),
    Demand(DemandPlanOutcomeJson),
}

/// A trial of a plan: of demand if it has a `step`, of line capacity if it has a `line`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PlanTrial {
    Capacity(CapacityPlanTrial),
    Demand(DemandPlanTrial),
}

impl PlanOutcomeJson {
    /// Whether a trial has this number of exact solve.
    pub fn has_trial(&self, exact_solve: u32) -> bool {
        match self {
            Self::Capacity(found) => found.trials.iter().any(|trial| trial.exact_solve == exact_solve),
            Self::Demand(found) => found.trials.iter().any(|trial| trial.exact_solve == exact_solve),
        }
    }
}

// Dispatched on `kind` by hand, so that an error refers to one type instead of stating that neither fits.
impl<'de> Deserialize<'de> for PlanSpecJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        by_kind(from, Self::Capacity, Self::Demand)
    }
}

impl<'de> Deserialize<'de> for PlanOutcomeJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        by_kind(from, Self::Capacity, Self::Demand)
    }
}

fn by_kind<'de, D, A, B, T>(from: D, capacity: fn(A) -> T, demand: fn(B) -> T) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    A: DeserializeOwned,
    B: DeserializeOwned,
{
    let value = serde_json::Value::deserialize(from)?;
    let read = match value.get("kind") {
        Some(_) => serde_json::from_value(value).map(demand),
        None => serde_json::from_value(value).map(capacity),
    };
    read.map_err(D::Error::custom)
}
