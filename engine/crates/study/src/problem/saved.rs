//! Content of solution modules in any formulation.

use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use crate::results::Results;
use std::sync::Arc;
use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::message::Message;

/// A column as it is stored: null where a row has no value.
pub(crate) type StoredColumn = (ColumnName, Vec<Option<f64>>);

pub(crate) fn stored(column: &Column) -> StoredColumn {
    let values = column.values.iter().map(|x| (!x.is_nan()).then_some(*x));
    (column.name, values.collect())
}

pub(crate) fn restored((name, values): &StoredColumn) -> Column {
    Column::new(*name, values.iter().map(|x| x.unwrap_or(f64::NAN)).collect())
}

/// The content of a solution module.
pub(crate) struct Saved {
    pub results: Results,
    /// The name of the case in the module.
    pub case_id: String,
    /// For our own modules: the case that was studied, and its edits.
    pub edits: Option<SavedEdits>,
}

/// Absolute edits by id, and the case that they apply to.
pub(crate) struct SavedEdits {
    pub case_sha256: String,
    pub deltas: c::DemandDeltas,
    pub rates: c::RatingDeltas,
    pub reactive: Option<c::DemandDeltas>,
    pub generators: c::GeneratorEdits,
    pub branches: c::BranchEdits,
    pub links: c::LinkEdits,
    pub storages: c::StorageEdits,
    pub interfaces: c::InterfaceEdits,
    pub added: c::AddedElements,
}

/// A module that was read: its result, the solved network as a case and as a module, and its producer.
pub(crate) struct Read {
    pub saved: Saved,
    pub case: Arc<Case>,
    pub module_json: String,
    pub producer: Option<String>,
}

/// The error for a module of ours that was modified.
pub(crate) fn tampered(what: Message) -> EngineError {
    EngineError::new("MODULE.TAMPERED", message!("module.changed", what = what))
}
