//! Power flows of feeders (`wattbook-mc-study`) as Study files: a bundle like that of any Study, with the feeder's
//! module as its artifact.

use super::graph::dangling;
use super::packing::{packed, unpacked};
use super::reading::{unreadable, version_refused};
use super::MC_SCHEMA;
use crate::contract::{ArtifactKind, StudyArtifact};
use crate::json::to_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::sha256::sha256_hex;

const VERSION: u32 = 1;

/// `document` is a `McStudyFile` whose input names its module by SHA-256.
#[derive(Serialize, Deserialize)]
struct Bundle {
    document: Value,
    artifacts: BTreeMap<String, StudyArtifact>,
}

/// Reads the Study file of a feeder, plain or gzip, as a `McStudyFile`; the module may be an artifact or inline.
/// `replay_mc_study` verifies its numbers.
///
/// Errors: `STUDY_FILE.*`.
pub fn read_mc_study_bundle(bytes: &[u8]) -> Result<String> {
    let text = unpacked(bytes)?;
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| unreadable(&e))?;
    if value.get("document").is_none() {
        known(&value)?;
        return Ok(text.into_owned());
    }
    let Bundle {
        mut document,
        artifacts,
    } = serde_json::from_value(value).map_err(|e| unreadable(&e))?;
    known(&document)?;
    for (sha256, artifact) in &artifacts {
        if sha256_hex(artifact.text.as_bytes()) != *sha256 {
            let message = message!("study_file.hash", artifact = sha256);
            return Err(EngineError::new("STUDY_FILE.HASH", message));
        }
    }
    let place = "input.sha256";
    let named = document["input"]["sha256"].as_str().unwrap_or_default().to_owned();
    let Some(module) = artifacts.get(&named) else {
        return Err(dangling(place.into(), &named));
    };
    if module.kind != ArtifactKind::Module {
        let kind = serde_json::to_value(module.kind).unwrap_or_default();
        let kind = kind.as_str().unwrap_or_default().to_owned();
        let message = message!("study_file.kind", place = place, kind = kind, needed = "module");
        return Err(EngineError::new("STUDY_FILE.KIND", message));
    }
    document["input"]["module_json"] = Value::from(module.text.as_str());
    Ok(to_json(&document))
}

/// The bytes of a Study file for a `McStudyFile`. Equal content gives equal bytes.
///
/// Errors: `STUDY_FILE.*`.
pub fn write_mc_study_bundle(text: &str, gzip: bool) -> Result<Vec<u8>> {
    let mut document: Value = serde_json::from_str(text).map_err(|e| unreadable(&e))?;
    known(&document)?;
    let module = document["input"]
        .as_object_mut()
        .and_then(|input| input.remove("module_json"));
    let Some(Value::String(text)) = module else {
        return Err(dangling("input.module_json".into(), ""));
    };
    let sha256 = sha256_hex(text.as_bytes());
    let kind = ArtifactKind::Module;
    let artifacts = BTreeMap::from([(sha256, StudyArtifact { kind, text })]);
    packed(to_json(&Bundle { document, artifacts }), gzip)
}

/// Whether a document is a feeder's power flow of a version that this engine reads.
fn known(document: &Value) -> Result<()> {
    let schema = document.get("schema").and_then(Value::as_str).unwrap_or_default();
    if schema != MC_SCHEMA {
        let message = message!("study_file.schema", schema = schema, expected = MC_SCHEMA);
        return Err(EngineError::new("STUDY_FILE.SCHEMA", message));
    }
    let version = document.get("version").cloned().unwrap_or_default();
    match version == VERSION {
        true => Ok(()),
        false => Err(version_refused(&version, VERSION)),
    }
}
