//! Studies, edits and the contract: JSON in, JSON out, for the WebAssembly and Python surfaces.

mod capabilities;
pub mod contract;
mod convert;
mod edits;
mod ingest;
mod power_flow;
mod stateless;
mod study;

pub use capabilities::capabilities_json;
pub use ingest::{ingest_case_json, inspect_module_json};
pub use stateless::solve_module_json;
pub use study::{Columns, Study};

use sha2::{Digest, Sha256};
use wattbook_network::error::EngineError;

/// Version of the contract: that of the engine package.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// SHA-256 of the Rust contract source, newline-normalised, lower-case hex.
pub fn contract_source_sha256() -> String {
    sha256_hex(include_str!("contract.rs").replace("\r\n", "\n").as_bytes())
}

pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// JSON form of an error (`contract::ErrorBody`).
pub fn error_json(error: &EngineError) -> String {
    let body = contract::ErrorBody {
        code: error.code.to_string(),
        message: error.message.clone(),
        element: error.element.as_ref().map(convert::element),
        details: error.details.clone(),
    };
    to_json(&body)
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
    serde_json::from_str(trimmed)
        .map_err(|e| EngineError::new("INPUT.REQUEST", format!("The {what} cannot be read: {e}.")))
}
