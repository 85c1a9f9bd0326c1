//! A JSON file of unknown kind.

use powerio::PioValue;

use crate::error::Result;
use crate::formats::json::classify::{classify_json, JsonKind};
use crate::ingest::{finish, ingest_case, Ingested};
use crate::input::{guard, text};
use crate::module;

/// The kind and contents of a JSON file.
#[derive(Clone, Debug)]
pub enum JsonDrop {
    /// A generation-2 module.
    Module(ModulePayload),
    /// A balanced network in another format.
    Transmission {
        /// One of [`crate::JSON_FORMATS`].
        format: &'static str,
        ingested: Box<Ingested>,
    },
    /// A multiconductor network, for the distribution reader.
    Distribution {
        /// One of [`crate::DISTRIBUTION_JSON_FORMATS`].
        format: &'static str,
        bytes: Vec<u8>,
    },
    Ambiguous,
    Unknown,
}

/// The contents of a module.
#[derive(Clone, Debug)]
pub enum ModulePayload {
    Balanced(Box<Ingested>),
    /// The text of a multiconductor module, for the distribution reader.
    Multiconductor(String),
}

/// Classifies a JSON file and reads it if this crate can. Invalid JSON is `Unknown` rather than an error.
///
/// # Errors
/// For a file of certain kind: `MODULE.INVALID`, `MODULE.KIND` and the errors of [`crate::ingest_case`].
/// `INPUT.TOO_LARGE` for any file.
pub fn ingest_json_drop(bytes: &[u8]) -> Result<JsonDrop> {
    match guard::before_reading(bytes, false) {
        Err(e) if e.code == "INPUT.TOO_LARGE" => return Err(e),
        Err(_) => return Ok(JsonDrop::Unknown),
        Ok(()) => {}
    }
    let class = classify_json(bytes);
    match (class.kind, class.format) {
        (JsonKind::Module, _) => ingest_module(bytes).map(JsonDrop::Module),
        (JsonKind::Transmission, Some(format)) => Ok(JsonDrop::Transmission {
            format,
            ingested: Box::new(ingest_case(bytes, format)?),
        }),
        (JsonKind::Distribution, Some(format)) => Ok(JsonDrop::Distribution {
            format,
            bytes: bytes.to_vec(),
        }),
        (JsonKind::Ambiguous, _) => Ok(JsonDrop::Ambiguous),
        _ => Ok(JsonDrop::Unknown),
    }
}

/// Reads a module. Its text is written again, so that a reformatted module keeps the identity of its case.
fn ingest_module(bytes: &[u8]) -> Result<ModulePayload> {
    let parsed = module::open(&text::decode(bytes)?)?;
    if matches!(parsed.value(), PioValue::MulticonductorNetwork(_)) {
        return Ok(ModulePayload::Multiconductor(module::write(&parsed)?));
    }
    Ok(ModulePayload::Balanced(Box::new(finish(&parsed)?)))
}
