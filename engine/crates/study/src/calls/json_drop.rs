//! JSON files dropped without saying what they are.

use crate::calls::distribution::distribution;
use crate::calls::ingest;
use crate::contract as c;
use wattbook_network::distribution::ingest_distribution;
use wattbook_network::error::Result;
use wattbook_network::{classify_json, ingest_json_drop, JsonDrop, JsonKind, ModulePayload};

/// Kind and reader of a document by its content; a `JsonDropClassification` as JSON. Never fails.
pub fn classify_json_json(bytes: &[u8]) -> String {
    let class = classify_json(bytes);
    crate::json::to_json(&c::JsonDropClassification {
        kind: match class.kind {
            JsonKind::Module => c::JsonDropKind::Module,
            JsonKind::Transmission => c::JsonDropKind::Transmission,
            JsonKind::Distribution => c::JsonDropKind::Distribution,
            JsonKind::Ambiguous => c::JsonDropKind::Ambiguous,
            JsonKind::Unknown => c::JsonDropKind::Unknown,
        },
        format: class.format.map(str::to_owned),
    })
}

/// Classifies a document and reads it; an `IngestedJsonDrop` as JSON.
///
/// Errors: `INPUT.TOO_LARGE`; of a document whose kind is certain, those of its reader.
pub fn ingest_json_drop_json(bytes: &[u8]) -> Result<String> {
    let drop = match ingest_json_drop(bytes)? {
        JsonDrop::Module(ModulePayload::Balanced(ingested)) => c::IngestedJsonDrop::Module {
            format: (),
            payload: c::IngestedNetwork::Balanced(Box::new(ingest::case(*ingested))),
        },
        JsonDrop::Module(ModulePayload::Multiconductor(module_json)) => c::IngestedJsonDrop::Module {
            format: (),
            payload: ingest::network_of(module_json)?,
        },
        JsonDrop::Transmission { format, ingested } => c::IngestedJsonDrop::Transmission {
            format: format.to_owned(),
            payload: Box::new(ingest::case(*ingested)),
        },
        JsonDrop::Distribution { format, bytes } => c::IngestedJsonDrop::Distribution {
            format: format.to_owned(),
            payload: Box::new(distribution(ingest_distribution(&bytes, format, &[])?)),
        },
        JsonDrop::Ambiguous => c::IngestedJsonDrop::Ambiguous {
            format: (),
            payload: (),
        },
        JsonDrop::Unknown => c::IngestedJsonDrop::Unknown {
            format: (),
            payload: (),
        },
    };
    Ok(crate::json::to_json(&drop))
}
