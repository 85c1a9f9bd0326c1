//! JSON files dropped without saying what they are.

use crate::calls::distribution::distribution;
use crate::calls::ingest;
use crate::contract::{self as c, Column};
use crate::results::Reply;
use wattbook_network::distribution::ingest_distribution;
use wattbook_network::error::Result;
use wattbook_network::{classify_json, JsonDrop, JsonKind, ModulePayload};

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
pub fn ingest_json_drop(bytes: &[u8]) -> Result<Reply> {
    let (head, columns) = dropped(bytes)?;
    Ok(Reply::new(&head, columns))
}

/// As [`ingest_json_drop`], with the module text of a balanced case returned separately; that of the head is empty.
pub fn ingest_json_drop_apart(bytes: &[u8]) -> Result<(Reply, String)> {
    let (mut head, columns) = dropped(bytes)?;
    let module_json = head.payload.as_mut().map(ingest::take_module).unwrap_or_default();
    Ok((Reply::new(&head, columns), module_json))
}

fn dropped(bytes: &[u8]) -> Result<(c::IngestedJsonDropHead, Vec<Column>)> {
    let balanced = |ingested| {
        let (head, columns) = ingest::case(ingested);
        (c::IngestedNetworkHead::Balanced(Box::new(head)), columns)
    };
    let (kind, format, payload) = match wattbook_network::ingest_json_drop(bytes)? {
        JsonDrop::Module(payload) => {
            let payload = match payload {
                ModulePayload::Balanced(ingested) => balanced(*ingested),
                ModulePayload::Multiconductor(module_json) => ingest::network_of(module_json)?,
            };
            (c::JsonDropKind::Module, None, Some(payload))
        }
        JsonDrop::Transmission { format, ingested } => {
            (c::JsonDropKind::Transmission, Some(format), Some(balanced(*ingested)))
        }
        JsonDrop::Distribution { format, bytes } => {
            let feeder = distribution(ingest_distribution(&bytes, format, &[])?);
            let payload = c::IngestedNetworkHead::Multiconductor(Box::new(feeder));
            (c::JsonDropKind::Distribution, Some(format), Some((payload, Vec::new())))
        }
        JsonDrop::Ambiguous => (c::JsonDropKind::Ambiguous, None, None),
        JsonDrop::Unknown => (c::JsonDropKind::Unknown, None, None),
    };
    let format = format.map(str::to_owned);
    let (payload, columns) = payload.unzip();
    let head = c::IngestedJsonDropHead { kind, format, payload };
    Ok((head, columns.unwrap_or_default()))
}
