//! JSON files of unknown kind.

use crate::calls::distribution::distribution;
use crate::calls::ingest::{self, balanced, multiconductor, network_of};
use crate::contract as c;
use crate::results::CaseReply;
use wattbook_network::distribution::ingest_distribution;
use wattbook_network::error::Result;
use wattbook_network::{classify_json, JsonDrop, JsonKind, ModulePayload};

/// Detects the kind and the reader of a document from its content: a `JsonDropClassification` as JSON. Never fails.
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

/// Classifies and reads a document: an `IngestedJsonDropHead` and, for a balanced case, the columns of its rows.
///
/// Errors: `INPUT.TOO_LARGE`; those of the reader where the kind is certain.
pub fn ingest_json_drop(bytes: &[u8]) -> Result<CaseReply<c::IngestedJsonDropHead>> {
    let (kind, format, payload) = match wattbook_network::ingest_json_drop(bytes)? {
        JsonDrop::Module(ModulePayload::Balanced(ingested)) => {
            (c::JsonDropKind::Module, None, Some(balanced(ingest::case(*ingested))))
        }
        JsonDrop::Module(ModulePayload::Multiconductor(module_json)) => {
            (c::JsonDropKind::Module, None, Some(network_of(module_json)?))
        }
        JsonDrop::Transmission { format, ingested } => (
            c::JsonDropKind::Transmission,
            Some(format),
            Some(balanced(ingest::case(*ingested))),
        ),
        JsonDrop::Distribution { format, bytes } => {
            let feeder = distribution(ingest_distribution(&bytes, format, &[])?);
            (
                c::JsonDropKind::Distribution,
                Some(format),
                Some(multiconductor(feeder)),
            )
        }
        JsonDrop::Ambiguous => (c::JsonDropKind::Ambiguous, None, None),
        JsonDrop::Unknown => (c::JsonDropKind::Unknown, None, None),
    };
    let (payload, columns) = payload.map(|reply| (reply.head, reply.columns)).unzip();
    let head = c::IngestedJsonDropHead {
        kind,
        format: format.map(str::to_owned),
        payload,
    };
    Ok(CaseReply {
        head,
        columns: columns.unwrap_or_default(),
    })
}
