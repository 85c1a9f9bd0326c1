//! Saved Studies: the document, and the bundle of a document with the texts that it references.

mod activity;
mod display;
mod states;

pub use activity::*;
pub use display::*;
pub use states::*;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::{FormulationId, SolveOptions};

/// A saved Study, the content of a `.study.json` file: the document, and each referenced text once by its SHA-256.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyBundle {
    pub document: StudyDocument,
    #[ts(type = "{ [key in string]: StudyArtifact }")]
    pub artifacts: BTreeMap<String, StudyArtifact>,
}

/// The kind of a text in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// An electrical input: a generation-2 module of a balanced network.
    Module,
    /// An exact result: a generation-2 solution module.
    Solution,
    /// Positions and routes: GeoJSON, as in a `.geo.json` file.
    GeoLayer,
    /// A one-line drawing in units of its own: JSON.
    Drawing,
    /// Any other text that a user stores with a Study; it is never read.
    Evidence,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyArtifact {
    pub kind: ArtifactKind,
    pub text: String,
}

/// A Study without the texts: states, goals and activity, by ids of its own (letters, digits, `-`, `_`, `.`).
/// References are ids of states and goals, and SHA-256 of artifacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyDocument {
    /// `wattbook-study`.
    pub schema: String,
    pub version: u32,
    pub id: String,
    pub title: String,
    /// Number of changes of the applied state.
    #[ts(type = "number")]
    pub revision: u64,
    pub case: StudyCase,
    /// Formulation of the applied state.
    pub formulation: FormulationId,
    /// Options of every state without its own.
    #[serde(default, skip_serializing_if = "is_default")]
    #[ts(optional, as = "Option<SolveOptions>")]
    pub options: SolveOptions,
    /// The engine that solved the states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub producer: Option<StudyProducer>,
    #[ts(type = "{ [key in string]: StateNode }")]
    pub states: BTreeMap<String, StateNode>,
    #[serde(default)]
    #[ts(type = "{ [key in string]: StudyGoal }")]
    pub goals: BTreeMap<String, StudyGoal>,
    #[serde(default)]
    #[ts(type = "{ [key in string]: StudyExperiment }")]
    pub experiments: BTreeMap<String, StudyExperiment>,
    /// The ids of all experiments, the oldest first.
    #[serde(default)]
    pub experiment_order: Vec<String>,
    #[serde(default)]
    #[ts(type = "{ [key in string]: StudyDecision }")]
    pub decisions: BTreeMap<String, StudyDecision>,
    /// The state on display.
    pub inspected_state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recommended_state: Option<String>,
    pub applied_state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub active_goal: Option<String>,
    /// The module of the base case, which is the case; without it a Study cannot be reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub base_input: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub display: Option<StudyDisplay>,
}

/// The case of a Study: `sha256` is the hash of its module text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyCase {
    pub id: String,
    pub sha256: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
}

/// `contract_sha256` is `CONTRACT_SOURCE_SHA256` of that engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyProducer {
    pub version: String,
    pub contract_sha256: String,
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
