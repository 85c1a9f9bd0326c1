//! The states of a saved Study.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::super::{
    AddedElements, BranchEdit, BranchEdits, DemandDeltas, FormulationId, GeneratorEdit, GeneratorEdits, InterfaceEdit,
    InterfaceEdits, LinkEdit, LinkEdits, RatingDeltas, SolveOptions, StorageEdit, StorageEdits,
};
use super::StudyView;

/// A solved state: `input`, a module, with absolute edits by original id. Its result depends only on these,
/// `formulation` and options; `result_sha256` is its hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateNode {
    /// The label in lists: the name, or the edit that led to the state.
    pub label: String,
    /// The name that a user gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
    pub formulation: FormulationId,
    /// Present where they differ from those of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub options: Option<SolveOptions>,
    /// SHA-256 of the module that the edits apply to.
    pub input: String,
    /// The state from which it was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parent: Option<String>,
    /// MW.
    #[serde(default)]
    #[ts(type = "DemandDeltas")]
    pub deltas: DemandDeltas,
    /// MW, in AC formulations MVA.
    #[serde(default)]
    #[ts(type = "RatingDeltas")]
    pub rates: RatingDeltas,
    /// MVAr, for buses whose reactive demand is edited independently.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, f64>>")]
    pub reactive: DemandDeltas,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, GeneratorEdit>>")]
    pub generators: GeneratorEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, BranchEdit>>")]
    pub branches: BranchEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, LinkEdit>>")]
    pub links: LinkEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, StorageEdit>>")]
    pub storage: StorageEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, InterfaceEdit>>")]
    pub interfaces: InterfaceEdits,
    #[serde(default, skip_serializing_if = "AddedElements::is_empty")]
    #[ts(optional, as = "Option<AddedElements>")]
    pub added: AddedElements,
    /// The revision at which it was first published; absent for an unpublished candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub revision: Option<u64>,
    /// ISO 8601, UTC.
    pub at: String,
    /// Absent where it has not been solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub solve_ms: Option<f64>,
    /// Whether it was committed elsewhere, for instance in a kernel.
    #[serde(default, skip_serializing_if = "super::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub remote: bool,
    /// $/h; absent where the formulation has no cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective: Option<f64>,
    /// The solution module of the result; a state without it is solved again when it is displayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub solution: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub view: Option<StudyView>,
}
