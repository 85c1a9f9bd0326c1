//! Reading and checking Study files.

use super::check::checked;
use super::packing::unpacked;
use super::solution::solution_claim;
use super::{MC_SCHEMA, MOST_ENTRIES, SCHEMA, VERSION};
use crate::contract as c;
use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::{visible, visible_value};

/// A bundle whose document has not been checked yet.
#[derive(Deserialize)]
#[serde(expecting = "a JSON object")]
struct Opened {
    document: Value,
    artifacts: BTreeMap<String, c::StudyArtifact>,
}

/// Reads a Study file, plain or gzip (`StudyBundle`). Invisible characters are removed from its texts. Unknown fields
/// are dropped, and so are approvals, which no file can carry.
///
/// Errors: `STUDY_FILE.*`; nothing of a refused file is returned.
pub fn read_study_bundle_json(bytes: &[u8]) -> Result<String> {
    Ok(crate::json::to_json(&bundle_of(&unpacked(bytes)?, Keys::Hashes)?))
}

/// How the artifacts of a bundle are keyed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// By their SHA-256, as in files.
    Hashes,
    /// By arbitrary names that a writer chooses.
    Names,
}

/// Errors: `STUDY_FILE.*`.
pub(super) fn bundle_of(text: &str, keys: Keys) -> Result<c::StudyBundle> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let opened: Opened = serde_json::from_str(text).map_err(|e| unreadable(&e))?;
    let mut bundle = c::StudyBundle {
        document: document(opened.document)?,
        artifacts: opened.artifacts,
    };
    if keys == Keys::Hashes {
        checked(&bundle)?;
        state_dispatch(&mut bundle);
    }
    Ok(bundle)
}

/// Before the file's dispatch became the default, a power flow used the DC OPF's dispatch where the file's did not meet
/// the demand, without an option that stated it. Where the solution of an old Study file shows this, it becomes an
/// explicit option of all its power flows, which share one case.
fn state_dispatch(bundle: &mut c::StudyBundle) {
    let of_flow = |state: &c::StateNode| state.formulation == c::FormulationId::Acpf;
    let c::StudyBundle { document, artifacts } = bundle;
    let common = document.options.clone();
    let unstated = |state: &c::StateNode| state.options.as_ref().unwrap_or(&common).dispatch.is_none();
    let is_of_optimum = |state: &c::StateNode| {
        let text = state.solution.as_ref().and_then(|sha256| artifacts.get(sha256));
        let claim = text.and_then(|artifact| solution_claim(&artifact.text).ok());
        claim.is_some_and(|claim| claim.dispatch == Some(c::DispatchSource::Dcopf))
    };
    let mut flows = document
        .states
        .values()
        .filter(|state| of_flow(state) && unstated(state));
    if flows.any(is_of_optimum) {
        let states = document.states.values_mut();
        for state in states.filter(|state| of_flow(state) && unstated(state)) {
            let mut options = state.options.clone().unwrap_or_else(|| common.clone());
            options.dispatch = Some(c::DispatchSource::Dcopf);
            state.options = Some(options);
        }
    }
}

fn document(value: Value) -> Result<c::StudyDocument> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("schema") {
        SCHEMA => {}
        MC_SCHEMA => {
            return Err(EngineError::new("STUDY_FILE.SCHEMA", message!("study_file.feeder")));
        }
        schema => {
            let message = message!("study_file.schema", schema = schema, expected = SCHEMA);
            return Err(EngineError::new("STUDY_FILE.SCHEMA", message));
        }
    }
    let version = value.get("version").cloned().unwrap_or_default();
    if version != VERSION {
        return Err(version_refused(&version, VERSION));
    }
    sizes(&value)?;
    keys_are_visible(&value, "document")?;
    formulations(&value)?;
    let mut document: c::StudyDocument =
        serde_json::from_value(visible_value(value.clone())).map_err(|e| misshapen(&value, &e))?;
    // Only notes may have line breaks.
    let lines = |kind: &str, id: &str| {
        let note = value.get(kind)?.get(id)?.get("note")?.as_str()?;
        let lines: Vec<_> = note.lines().map(visible).collect();
        Some(lines.join("\n"))
    };
    for (id, state) in &mut document.states {
        state.note = lines("states", id);
    }
    for (id, goal) in &mut document.goals {
        goal.note = lines("goals", id);
    }
    for (id, decision) in &mut document.decisions {
        decision.note = lines("decisions", id);
    }
    Ok(document)
}

/// Refuses tables with too many entries. This check is first because all others take time for each entry.
fn sizes(document: &Value) -> Result<()> {
    for table in ["states", "goals", "experiments", "decisions"] {
        let entries = document
            .get(table)
            .and_then(Value::as_object)
            .map_or(0, serde_json::Map::len);
        if entries > MOST_ENTRIES {
            let message = message!(
                "study_file.too_many",
                table = table,
                count = entries.to_string(),
                most = MOST_ENTRIES.to_string()
            );
            return Err(EngineError::new("STUDY_FILE.TOO_MANY", message));
        }
    }
    Ok(())
}

/// The error for a version that this engine does not read.
pub(super) fn version_refused(version: &Value, expected: u32) -> EngineError {
    let newer = version.as_u64().is_some_and(|version| version > u64::from(expected));
    let message = match newer {
        true => message!("study_file.version_newer", version = version.to_string()),
        false => message!(
            "study_file.version",
            version = version.to_string(),
            expected = expected.to_string()
        ),
    };
    EngineError::new("STUDY_FILE.VERSION", message)
}

/// The error for an entry, or else the document, that does not match the contract.
fn misshapen(document: &Value, error: &serde_json::Error) -> EngineError {
    let entry = first::<c::StateNode>(document, "states")
        .or_else(|| first::<c::StudyGoal>(document, "goals"))
        .or_else(|| first::<c::StudyExperiment>(document, "experiments"))
        .or_else(|| first::<c::StudyDecision>(document, "decisions"));
    let (place, cause) = entry.unwrap_or_else(|| ("document".into(), error.to_string()));
    let message = message!("study_file.unreadable_at", place = place, cause = cause);
    EngineError::new("STUDY_FILE.UNREADABLE", message)
}

/// The first entry of a table that does not deserialise as `T`, and why.
fn first<T: DeserializeOwned>(document: &Value, table: &str) -> Option<(String, String)> {
    let entries = document.get(table)?.as_object()?;
    entries.iter().find_map(|(id, entry)| {
        let error = T::deserialize(entry).err()?;
        Some((format!("{table}.{id}"), error.to_string()))
    })
}

/// The error for a bundle that is not valid JSON or lacks a field.
pub(super) fn unreadable(error: &serde_json::Error) -> EngineError {
    let cause = error.to_string();
    // serde_json's message for 1e999, which exceeds the largest double.
    if cause.starts_with("number out of range") {
        let message = message!("study_file.number", line = error.line().to_string());
        return EngineError::new("STUDY_FILE.NUMBER", message);
    }
    let message = message!("study_file.unreadable", cause = cause);
    EngineError::new("STUDY_FILE.UNREADABLE", message)
}

/// Refuses names that would change or collide once their invisible characters are removed.
fn keys_are_visible(value: &Value, place: &str) -> Result<()> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            if let Some(key) = members.keys().find(|key| visible(key) != **key) {
                let message = message!("study_file.name", place = place, name = visible(key).into_owned());
                return Err(EngineError::new("STUDY_FILE.NAME", message));
            }
            members
                .iter()
                .map(|(key, value)| (format!("{place}.{key}"), value))
                .collect()
        }
        Value::Array(values) => values.iter().map(|value| (place.to_string(), value)).collect(),
        _ => return Ok(()),
    };
    inner
        .iter()
        .try_for_each(|(place, value)| keys_are_visible(value, place))
}

/// Refuses formulations that this engine does not know, in the document and in its states.
fn formulations(document: &Value) -> Result<()> {
    let states = document.get("states").and_then(Value::as_object);
    let named = states
        .into_iter()
        .flatten()
        .map(|(id, state)| (format!("states.{id}"), state));
    for (place, value) in std::iter::once(("document".to_string(), document)).chain(named) {
        let Some(Value::String(formulation)) = value.get("formulation") else {
            continue; // reported as a missing field
        };
        let known = serde_json::from_value::<c::FormulationId>(Value::from(formulation.as_str())).ok();
        if known.is_none_or(|known| !crate::abilities_of(known).contains(&crate::Ability::Edits)) {
            let message = message!("study_file.formulation", place = place, formulation = formulation);
            return Err(EngineError::new("STUDY_FILE.FORMULATION", message));
        }
    }
    Ok(())
}
