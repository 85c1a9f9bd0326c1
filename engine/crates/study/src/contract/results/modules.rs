//! Results in modules.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::super::{
    AddedElements, BranchEdit, BranchEdits, DemandDeltas, GeneratorEdit, GeneratorEdits, InterfaceEdit, InterfaceEdits,
    LinkEdit, LinkEdits, RatingDeltas, StorageEdit, StorageEdits,
};
use super::{RowsHead, Solution, SolutionHead};

/// A `SolutionModule` without rows: the columns of the solution, and the columns that identify its rows, are returned
/// beside it.
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
    /// Independently edited reactive demand, MVAr from the case by bus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub reactive: Option<DemandDeltas>,
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
}

/// The content of a solution module, read without a solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolutionModule {
    /// The solution as saved, bit for bit; for another producer's module, its columns with a certificate computed here.
    pub solution: Solution,
    /// The solved network as a separate module with the edits stored in it.
    pub module_json: String,
    /// The producer of the solution, according to the module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub producer: Option<String>,
    /// For our own modules: the case that was studied, and its edits in MW from that case by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub case_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub deltas: Option<DemandDeltas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "RatingDeltas")]
    pub rates: Option<RatingDeltas>,
    /// Independently edited reactive demand, MVAr from the case by bus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub reactive: Option<DemandDeltas>,
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
}
