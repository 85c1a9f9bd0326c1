//! Results that a module carries.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::super::{BranchEdit, BranchEdits, DemandDeltas, GeneratorEdit, GeneratorEdits, RatingDeltas};
use super::{RowsHead, Solution, SolutionHead};

/// A `SolutionModule` without rows: the columns of the solution, and those that name its rows, go beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolutionModuleHead {
    pub solution: SolutionHead,
    pub rows: RowsHead,
    pub module_json: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub producer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub case_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub deltas: Option<DemandDeltas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "RatingDeltas")]
    pub rates: Option<RatingDeltas>,
    /// Reactive demand of its own, MVAr from the case by bus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub reactive: Option<DemandDeltas>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, GeneratorEdit>>")]
    pub generators: GeneratorEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, BranchEdit>>")]
    pub branches: BranchEdits,
}

/// What a solution module holds, read without a solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolutionModule {
    /// As it was when the module was saved, bit for bit; of another producer's module, what its columns say and a certificate
    /// that was taken here.
    pub solution: Solution,
    /// The solved network as a module of its own, the edits stored in it.
    pub module_json: String,
    /// Who wrote the solution, as the module says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub producer: Option<String>,
    /// Our own modules: the case that was studied, and its edits in MW from that case by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub case_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub deltas: Option<DemandDeltas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "RatingDeltas")]
    pub rates: Option<RatingDeltas>,
    /// Reactive demand of its own, MVAr from the case by bus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub reactive: Option<DemandDeltas>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, GeneratorEdit>>")]
    pub generators: GeneratorEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, BranchEdit>>")]
    pub branches: BranchEdits,
}
