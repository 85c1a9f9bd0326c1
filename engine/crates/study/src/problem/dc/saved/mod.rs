//! Optima in the slots of solution modules, read back without a solve.

mod details;
mod disagreement;
mod foreign;
mod own;
mod slots;
mod table;

pub(super) use slots::slots;

use self::details::{Details, VERSION};
use self::foreign::foreign;
use self::own::own;
use crate::case::Case;
use crate::contract as c;
use crate::problem::assumed::case_of;
use crate::problem::saved::{tampered, Saved, SavedEdits};
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::SolutionColumns;

/// Reads the result of a network (`case`, the edits stored in it).
///
/// Errors: `MODULE.INCOMPLETE`, `MODULE.TAMPERED`, `MODULE.VERSION`.
pub(crate) fn read(case: &Arc<Case>, columns: &SolutionColumns) -> Result<Saved> {
    let Some(extension) = &columns.extension else {
        return Ok(Saved {
            results: foreign(case, columns)?,
            case_id: case.network.name.clone(),
            edits: None,
        });
    };
    if extension.get("version").and_then(serde_json::Value::as_u64) != Some(u64::from(VERSION)) {
        return Err(EngineError::new("MODULE.VERSION", message!("module.version")));
    }
    let details: Details = serde_json::from_value(extension.clone())
        .map_err(|e| tampered(message!("module.changed.unreadable", cause = e.to_string())))?;
    let options = c::SolveOptions {
        assumed_ratings: Some(details.assumed_ratings),
        storage: details.storage,
        ..c::SolveOptions::default()
    };
    let results = own(&case_of(case, &options), columns, &details)?;
    if !columns.is_intact {
        return Err(tampered(message!("module.changed.file")));
    }
    Ok(Saved {
        results,
        case_id: details.case,
        edits: Some(SavedEdits {
            case_sha256: details.case_sha256,
            deltas: details.deltas,
            rates: details.rates,
            reactive: None,
            generators: details.generators,
            branches: details.branches,
            links: details.link_edits,
            storages: details.storage_edits,
            interfaces: details.interfaces,
            added: details.added,
        }),
    })
}
