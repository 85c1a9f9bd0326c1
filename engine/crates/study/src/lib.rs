//! Studies, edits and the contract: JSON in, JSON out, for the WebAssembly and Python surfaces.

mod capabilities;
mod case;
pub mod contract;
mod convert;
mod display;
mod distribution;
mod edits;
mod geography;
mod ingest;
mod job;
mod json_drop;
mod layout;
mod parameters;
mod problem;
mod results;
mod save;
mod solution_module;
mod stateless;
mod study;

pub use capabilities::{abilities_of, capabilities_json, Ability};
pub use case::Case;
pub use display::parse_display_json;
pub use distribution::{ingest_distribution_json, inspect_distribution_json};
pub use geography::{apply_geo_json, geo_json};
pub use ingest::{ingest_case_json, inspect_kept_module_json, inspect_module_json};
pub use job::{explain_module_json, Finished, Job};
pub use json_drop::{classify_json_json, ingest_json_drop_json};
pub use layout::{apply_layout_json, placement_json};
pub use results::Reply;
pub use save::{export_formats_json, export_module, materialize_module, Exported};
pub use solution_module::{read_solution_module, read_solution_module_json};
pub use stateless::solve_module_json;
pub use study::Study;

use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::sha256::sha256_hex;

/// Version of the contract: that of the engine package.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// SHA-256 of the Rust contract sources in `src/contract`, newline-normalised and joined by ascending file name; lower-case hex.
pub fn contract_source_sha256() -> String {
    let joined: String = contract::SOURCES
        .iter()
        .map(|(_, text)| text.replace("\r\n", "\n"))
        .collect();
    sha256_hex(joined.as_bytes())
}

/// Names of the files of [`contract_source_sha256`], in its order.
pub fn contract_source_files() -> Vec<&'static str> {
    contract::SOURCES.iter().map(|(name, _)| *name).collect()
}

/// JSON form of an error (`contract::ErrorBody`).
pub fn error_json(error: &EngineError) -> String {
    to_json(&error_body(error))
}

pub(crate) fn error_body(error: &EngineError) -> contract::ErrorBody {
    contract::ErrorBody {
        code: error.code.to_string(),
        message: error.message(),
        sentence: Some(convert::sentence(&error.sentence)),
        element: error.element.as_ref().map(convert::element),
        details: error.details.clone(),
    }
}

/// The English of a message of the catalogue that a client puts together (a `Message`).
///
/// # Errors
/// `INPUT.REQUEST` where it is none, or the catalogue has no such key.
pub fn tell_json(text: &str) -> Result<String, EngineError> {
    let unreadable = |cause: String| {
        let said = message!("request.unreadable", what = "message", cause = cause);
        EngineError::new("INPUT.REQUEST", said)
    };
    let wire: contract::Message = serde_json::from_str(text).map_err(|e| unreadable(e.to_string()))?;
    let message = convert::message_of(&wire).ok_or_else(|| unreadable(wire.key))?;
    Ok(message.english())
}

/// Serialises a contract value. These types hold finite numbers, strings and lists only, so it cannot fail; were it to, the
/// text says so instead of hiding it.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value)
        .unwrap_or_else(|e| format!("{{\"code\":\"INTERNAL\",\"message\":\"not serialisable: {e}\"}}"))
}

/// Reads a JSON argument; the empty text and `null` mean the default.
pub(crate) fn from_json<T: serde::de::DeserializeOwned + Default>(what: &str, text: &str) -> Result<T, EngineError> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed == "null" {
        return Ok(T::default());
    }
    serde_json::from_str(trimmed).map_err(|e| {
        // Requests are written by programs: where in the text it is means nothing to people.
        let told = e.to_string();
        let place = format!(" at line {} column {}", e.line(), e.column());
        let cause = told.strip_suffix(&place).unwrap_or(&told);
        EngineError::new(
            "INPUT.REQUEST",
            message!("request.unreadable", what = what, cause = cause),
        )
        .with_details(serde_json::json!({ "line": e.line(), "column": e.column() }))
    })
}
