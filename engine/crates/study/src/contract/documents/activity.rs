//! The activity of a saved Study, and its plans.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{Element, FormulationId, PlanOutcomeJson, PlanSpecJson};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExperimentKind {
    Observation,
    Edit,
    Solve,
    PlanningTrial,
    Decision,
}

/// One entry of the activity. Its texts are displayed, never interpreted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyExperiment {
    pub kind: ExperimentKind,
    pub label: String,
    /// The outcome; empty where there is nothing to report.
    #[serde(default)]
    pub result: String,
    #[serde(default, skip_serializing_if = "super::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub failed: bool,
    /// ISO 8601, UTC.
    pub at: String,
    /// Duration, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ms: Option<f64>,
    /// The state that resulted, or that the entry concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub goal: Option<String>,
    /// For a planning trial: its `exact_solve` in the outcome of the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trial: Option<u32>,
    /// For an entry of kind `decision`: the id of the decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub decision: Option<String>,
    #[serde(default, skip_serializing_if = "super::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub remote: bool,
}

/// The subject of a goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GoalScope {
    Network,
    Area {
        #[ts(type = "number")]
        area: i64,
    },
    Elements {
        elements: Vec<Element>,
    },
}

/// A plan: its specification from a state, and its outcome with every trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyGoal {
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub scope: Option<GoalScope>,
    pub formulation: FormulationId,
    /// The state that the plan starts from and that its amounts refer to.
    pub start_state: String,
    pub spec: PlanSpecJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outcome: Option<PlanOutcomeJson>,
    /// The state that the plan recommends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub candidate_state: Option<String>,
}

/// A record that somebody decided on a proposal. It grants no permission: approvals are given in the panel and are not
/// stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyDecision {
    pub label: String,
    #[serde(default)]
    pub result: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
    /// ISO 8601, UTC.
    pub at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub goal: Option<String>,
    /// The state that was proposed or applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<String>,
}
