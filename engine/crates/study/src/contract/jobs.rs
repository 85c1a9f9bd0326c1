//! Long work in steps: layouts, screenings, explanations, tracks, loadability, capacity plans, solves.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ContingencyRow, PlanTrial, SolveIteration};

/// One step of a job. What a kind of job does not tell is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JobStep {
    pub done: bool,
    /// Part of the work done, 0 to 1; it never falls. Of an explanation an estimate.
    pub fraction: f64,
    /// Track: how far it was followed, MW from the base case. Loadability: growth of the demand that has a solution, MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at_mw: Option<f64>,
    /// Explanation: no relaxation of a smaller sum exists, MW; verified, and never less than in the steps before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at_least_mw: Option<f64>,
    /// Screening: the outages of this step, in source order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rows: Option<Vec<ContingencyRow>>,
    /// Solve: the last iteration of a solver that iterates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub iteration: Option<SolveIteration>,
    /// Solve: the gap there, relative to the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub gap: Option<f64>,
    /// Plan: the trials of this step, in the order they were solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trials: Option<Vec<PlanTrial>>,
}

/// What a layout says besides its columns `layout_x` and `layout_y`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayoutHead {
    /// Longer side of the drawing where nothing better is known, kilometres.
    pub default_scale_km: f64,
}
