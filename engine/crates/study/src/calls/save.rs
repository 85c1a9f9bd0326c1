//! Edited cases as files: modules and other formats.

use crate::case::Case;
use crate::contract as c;
use crate::convert::diagnostic;
use crate::edits::EditsJson;
use crate::problem;
use wattbook_network::error::Result;
use wattbook_network::{export_formats, materialize_module as materialize, StoredEdits};

/// The content of a file to save.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    pub bytes: Vec<u8>,
    /// Name of the case with the extension of the format.
    pub file_name: String,
    /// What the format cannot represent: `Diagnostic[]` as JSON.
    pub warnings_json: String,
}

/// The formats that balanced cases can be written in: `ExportFormat[]` as JSON.
pub fn export_formats_json() -> String {
    let formats: Vec<c::ExportFormat> = export_formats()
        .into_iter()
        .map(|f| c::ExportFormat {
            format: f.format.to_owned(),
            label: f.label.to_owned(),
            extension: f.extension.to_owned(),
        })
        .collect();
    crate::json::to_json(&formats)
}

/// Writes a balanced module in another format.
///
/// Errors: `EXPORT.FORMAT`, `EXPORT.REFUSED`, `MODULE.INVALID`, `MODULE.KIND`.
pub fn export_module(module_json: &str, format: &str) -> Result<Exported> {
    let exported = wattbook_network::export_module(module_json, format)?;
    let warnings: Vec<c::Diagnostic> = exported.warnings.iter().map(diagnostic).collect();
    Ok(Exported {
        bytes: exported.bytes,
        file_name: exported.file_name,
        warnings_json: crate::json::to_json(&warnings),
    })
}

/// The module with edits stored in it: a Study of the result without edits equals the Study of the module with these
/// edits. Where reactive demand has no edit of its own, it follows active demand at constant power factor, as in AC
/// formulations. Limits of interfaces are options and no part of a module.
///
/// Errors: the codes of edits, as for a commit, and those of the module.
pub fn materialize_module<'a>(module_json: &str, edits: impl Into<EditsJson<'a>>) -> Result<String> {
    let mut wanted = edits.into().read()?;
    wanted.interfaces.clear();
    if wanted == c::Edits::default() {
        return materialize(module_json, &StoredEdits::default());
    }
    let case = Case::read(module_json)?;
    let problem = problem::open(&case, c::FormulationId::Dcopf, &c::SolveOptions::default())?;
    let edits = problem::resolve(&*problem, &wanted)?;
    if !edits.network.is_empty() {
        problem::with_network(&*problem, &edits)?;
    }
    let edited = case.with_network(&edits.network);
    edits.demand_pu(&edited)?;
    edits.rating_pu(&edited)?;
    materialize(module_json, &edits.stored(&edited))
}
