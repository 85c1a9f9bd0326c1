//! JSON files dropped without saying what they are.

use crate::calls::case_columns::{network_parted, take_module};
use crate::calls::distribution::distribution;
use crate::calls::ingest;
use crate::contract as c;
use crate::results::Reply;
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

/// Classifies a document and reads it: an `IngestedJsonDropHead` and, of a balanced case, the columns of its rows.
///
/// Errors: `INPUT.TOO_LARGE`; of a document whose kind is certain, those of its reader.
pub fn ingest_json_drop_columns(bytes: &[u8]) -> Result<Reply> {
    let (kind, format, payload) = told(bytes)?;
    Ok(reply(kind, format, payload))
}

/// As [`ingest_json_drop_columns`], with the module text of a balanced case apart; the head's is empty.
pub fn ingest_json_drop_apart(bytes: &[u8]) -> Result<(Reply, String)> {
    let (kind, format, mut payload) = told(bytes)?;
    let module_json = payload.as_mut().map(take_module);
    Ok((reply(kind, format, payload), module_json.unwrap_or_default()))
}

type Parts = (c::JsonDropKind, Option<String>, Option<c::IngestedNetwork>);

fn told(bytes: &[u8]) -> Result<Parts> {
    use c::IngestedNetwork::{Balanced, Multiconductor};
    Ok(match read(bytes)? {
        c::IngestedJsonDrop::Module { payload, .. } => (c::JsonDropKind::Module, None, Some(payload)),
        c::IngestedJsonDrop::Transmission { format, payload } => {
            (c::JsonDropKind::Transmission, Some(format), Some(Balanced(payload)))
        }
        c::IngestedJsonDrop::Distribution { format, payload } => (
            c::JsonDropKind::Distribution,
            Some(format),
            Some(Multiconductor(payload)),
        ),
        c::IngestedJsonDrop::Ambiguous { .. } => (c::JsonDropKind::Ambiguous, None, None),
        c::IngestedJsonDrop::Unknown { .. } => (c::JsonDropKind::Unknown, None, None),
    })
}

fn reply(kind: c::JsonDropKind, format: Option<String>, payload: Option<c::IngestedNetwork>) -> Reply {
    let (payload, columns) = payload.map(network_parted).unzip();
    let head = c::IngestedJsonDropHead { kind, format, payload };
    Reply::new(&head, columns.unwrap_or_default())
}

/// As [`ingest_json_drop_columns`] (`IngestedJsonDrop`).
pub fn ingest_json_drop_json(bytes: &[u8]) -> Result<String> {
    Ok(crate::json::to_json(&read(bytes)?))
}

fn read(bytes: &[u8]) -> Result<c::IngestedJsonDrop> {
    Ok(match ingest_json_drop(bytes)? {
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
    })
}
