//! Long work in steps: layouts, screenings, explanations, tracks, loadability, capacity plans, solves.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ContingencyRow, PlanTrial, SolveIteration};

/// One step of a job. Fields that a kind of job does not report are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JobStep {
    pub done: bool,
    /// Completed fraction of the work, 0 to 1, never decreasing; for an explanation an estimate.
    pub fraction: f64,
    /// Track: the position reached, MW from the base case. Loadability: growth of the demand with a solution, MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at_mw: Option<f64>,
    /// Explanation: verified lower bound on the minimum relaxation, MW, never decreasing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at_least_mw: Option<f64>,
    /// Screening: the outages of this step, in source order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rows: Option<Vec<ContingencyRow>>,
    /// Solve: the last iteration of an iterative solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub iteration: Option<SolveIteration>,
    /// Solve: the gap at that iteration, relative to the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub gap: Option<f64>,
    /// Plan: the trials of this step, in the order in which they were solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trials: Option<Vec<PlanTrial>>,
}

/// A layout without its columns `layout_x` and `layout_y`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayoutHead {
    /// Default length of the longer side of the drawing, kilometres.
    pub default_scale_km: f64,
}
