//! Study files, checked.

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

/// A bundle of which the document is not looked at yet.
#[derive(Deserialize)]
#[serde(expecting = "a JSON object")]
struct Opened {
    document: Value,
    artifacts: BTreeMap<String, c::StudyArtifact>,
}

/// Reads a Study file, plain or gzip (`StudyBundle`). Invisible characters are taken out of its texts; approvals, which no file
/// can carry, and other unknown fields are left out.
///
/// Errors: `STUDY_FILE.*`; nothing of a refused file is returned.
pub fn read_study_bundle_json(bytes: &[u8]) -> Result<String> {
    Ok(crate::json::to_json(&bundle_of(&unpacked(bytes)?, Keys::Hashes)?))
}

/// How the artifacts of a bundle are named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// By their SHA-256, as in files.
    Hashes,
    /// By whatever a writer calls them.
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

/// Until the default was the dispatch of the file, power flows of cases whose dispatch missed the demand had that of the DC OPF, without an
/// option that says so. In a Study file with such a solution it is made an option of each of its power flows: they are of one case.
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
            let said = message!("study_file.schema", schema = schema, expected = SCHEMA);
            return Err(EngineError::new("STUDY_FILE.SCHEMA", said));
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
    // Notes are the texts that have lines.
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

/// Tables of more entries than a Study has. Looked at first: everything else takes time for each entry.
fn sizes(document: &Value) -> Result<()> {
    for table in ["states", "goals", "experiments", "decisions"] {
        let entries = document
            .get(table)
            .and_then(Value::as_object)
            .map_or(0, serde_json::Map::len);
        if entries > MOST_ENTRIES {
            let said = message!(
                "study_file.too_many",
                table = table,
                count = entries.to_string(),
                most = MOST_ENTRIES.to_string()
            );
            return Err(EngineError::new("STUDY_FILE.TOO_MANY", said));
        }
    }
    Ok(())
}

/// A version that is not the one that is read.
pub(super) fn version_refused(version: &Value, expected: u32) -> EngineError {
    let newer = version.as_u64().is_some_and(|version| version > u64::from(expected));
    let said = match newer {
        true => message!("study_file.version_newer", version = version.to_string()),
        false => message!(
            "study_file.version",
            version = version.to_string(),
            expected = expected.to_string()
        ),
    };
    EngineError::new("STUDY_FILE.VERSION", said)
}

/// What has not the shape of the contract: an entry of a table, else the document itself.
fn misshapen(document: &Value, error: &serde_json::Error) -> EngineError {
    let entry = first::<c::StateNode>(document, "states")
        .or_else(|| first::<c::StudyGoal>(document, "goals"))
        .or_else(|| first::<c::StudyExperiment>(document, "experiments"))
        .or_else(|| first::<c::StudyDecision>(document, "decisions"));
    let (place, cause) = entry.unwrap_or_else(|| ("document".into(), error.to_string()));
    let said = message!("study_file.unreadable_at", place = place, cause = cause);
    EngineError::new("STUDY_FILE.UNREADABLE", said)
}

/// The first entry of a table that is no `T`, and why.
fn first<T: DeserializeOwned>(document: &Value, table: &str) -> Option<(String, String)> {
    let entries = document.get(table)?.as_object()?;
    entries.iter().find_map(|(id, entry)| {
        let error = T::deserialize(entry).err()?;
        Some((format!("{table}.{id}"), error.to_string()))
    })
}

/// Where JSON itself ends, or what is missing in the bundle.
pub(super) fn unreadable(error: &serde_json::Error) -> EngineError {
    let told = error.to_string();
    // The words of serde_json for 1e999: JSON has no infinite numbers, but larger ones than there are.
    if told.starts_with("number out of range") {
        let said = message!("study_file.number", line = error.line().to_string());
        return EngineError::new("STUDY_FILE.NUMBER", said);
    }
    let said = message!("study_file.unreadable", cause = told);
    EngineError::new("STUDY_FILE.UNREADABLE", said)
}

/// Names that would become others, or one, once their invisible characters are gone.
fn keys_are_visible(value: &Value, place: &str) -> Result<()> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            if let Some(key) = members.keys().find(|key| visible(key) != **key) {
                let said = message!("study_file.name", place = place, name = visible(key).into_owned());
                return Err(EngineError::new("STUDY_FILE.NAME", said));
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

/// Formulations that this engine does not know, of the document and of its states.
fn formulations(document: &Value) -> Result<()> {
    let states = document.get("states").and_then(Value::as_object);
    let named = states
        .into_iter()
        .flatten()
        .map(|(id, state)| (format!("states.{id}"), state));
    for (place, value) in std::iter::once(("document".to_string(), document)).chain(named) {
        let Some(Value::String(formulation)) = value.get("formulation") else {
            continue; // told as a missing field
        };
        let known = serde_json::from_value::<c::FormulationId>(Value::from(formulation.as_str())).ok();
        if known.is_none_or(|known| !crate::abilities_of(known).contains(&crate::Ability::Edits)) {
            let said = message!("study_file.formulation", place = place, formulation = formulation);
            return Err(EngineError::new("STUDY_FILE.FORMULATION", said));
        }
    }
    Ok(())
}
