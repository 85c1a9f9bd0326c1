//! What is read from solution modules, whatever the formulation.

use crate::case::Case;
use crate::contract as c;
use crate::results::Results;
use std::sync::Arc;
use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::message::Message;

/// What a solution module holds.
pub(crate) struct Saved {
    pub results: Results,
    /// The case as it was called.
    pub case_id: String,
    /// Of our own modules: the case that was studied, and its edits.
    pub edits: Option<SavedEdits>,
}

/// Absolute edits by id, and the case that they are of.
pub(crate) struct SavedEdits {
    pub case_sha256: String,
    pub deltas: c::DemandDeltas,
    pub rates: c::RatingDeltas,
    pub reactive: Option<c::DemandDeltas>,
    pub generators: c::GeneratorEdits,
    pub branches: c::BranchEdits,
}

/// A read module: its result, the solved network as a case and as a module, and who wrote it.
pub(crate) struct Read {
    pub saved: Saved,
    pub case: Arc<Case>,
    pub module_json: String,
    pub producer: Option<String>,
}

/// Somebody changed a module that we wrote.
pub(crate) fn tampered(what: Message) -> EngineError {
    EngineError::new("MODULE.TAMPERED", message!("module.changed", what = what))
}
