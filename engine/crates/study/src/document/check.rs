//! Checks of a bundle in itself: hashes, references, identities.

use super::graph::{dangling, references};
use super::solution::{solution_claim, Claim};
use crate::contract::{self as c, ArtifactKind};
use serde::de::IgnoredAny;
use serde::Deserialize;
use std::collections::BTreeMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;
use wattbook_network::sha256::sha256_hex;

/// Errors: `STUDY_FILE.*`.
pub(super) fn checked(bundle: &c::StudyBundle) -> Result<()> {
    for (sha256, artifact) in &bundle.artifacts {
        if sha256_hex(artifact.text.as_bytes()) != *sha256 {
            let message = message!("study_file.hash", artifact = sha256);
            return Err(EngineError::new("STUDY_FILE.HASH", message));
        }
    }
    let document = &bundle.document;
    references(document)?;
    finite(document)?;
    times(document)?;
    identity(document)?;
    artifacts(bundle)?;
    let mut claims = BTreeMap::new();
    for (id, state) in &document.states {
        let Some(sha256) = &state.solution else { continue };
        let claim = match claims.get(sha256) {
            Some(claim) => claim,
            None => {
                let claim =
                    solution_claim(&bundle.artifacts[sha256].text).map_err(|cause| not_a("solution", sha256, cause))?;
                claims.entry(sha256.clone()).or_insert(claim)
            }
        };
        claimed(id, state, claim)?;
    }
    Ok(())
}

/// The artifacts that a document refers to: the place of the reference, the reference, and the kind required there.
pub(super) fn named(document: &mut c::StudyDocument) -> Vec<(String, &mut String, ArtifactKind)> {
    let mut all: Vec<(String, &mut String, ArtifactKind)> = Vec::new();
    if let Some(input) = &mut document.base_input {
        all.push(("base_input".into(), input, ArtifactKind::Module));
    }
    for (id, state) in &mut document.states {
        all.push((format!("states.{id}.input"), &mut state.input, ArtifactKind::Module));
        if let Some(solution) = &mut state.solution {
            all.push((format!("states.{id}.solution"), solution, ArtifactKind::Solution));
        }
    }
    if let Some(display) = &mut document.display {
        let layers = display.layers.iter_mut().enumerate();
        all.extend(layers.map(|(k, layer)| {
            (
                format!("display.layers.{k}"),
                &mut layer.artifact,
                ArtifactKind::GeoLayer,
            )
        }));
        if let Some(drawing) = &mut display.drawing {
            all.push(("display.drawing".into(), &mut drawing.artifact, ArtifactKind::Drawing));
        }
    }
    all
}

fn kind_name(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Module => "module",
        ArtifactKind::Solution => "solution",
        ArtifactKind::GeoLayer => "geo_layer",
        ArtifactKind::Drawing => "drawing",
        ArtifactKind::Evidence => "evidence",
    }
}

/// Every referenced artifact exists and is of the required kind.
fn artifacts(bundle: &c::StudyBundle) -> Result<()> {
    for (place, sha256, needed) in named(&mut bundle.document.clone()) {
        let Some(artifact) = bundle.artifacts.get(sha256) else {
            return Err(dangling(place, sha256));
        };
        if artifact.kind != needed {
            let (kind, needed) = (kind_name(artifact.kind), kind_name(needed));
            let message = message!("study_file.kind", place = place, kind = kind, needed = needed);
            return Err(EngineError::new("STUDY_FILE.KIND", message));
        }
    }
    for (sha256, artifact) in &bundle.artifacts {
        match artifact.kind {
            ArtifactKind::Module => module(sha256, &artifact.text)?,
            ArtifactKind::GeoLayer | ArtifactKind::Drawing => {
                let read: serde_json::Result<IgnoredAny> = serde_json::from_str(&artifact.text);
                read.map_err(|e| not_a(kind_name(artifact.kind), sha256, e.to_string()))?;
            }
            ArtifactKind::Solution | ArtifactKind::Evidence => {}
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct ModuleHead {
    schema: String,
    value: ModuleValue,
}

#[derive(Deserialize)]
struct ModuleValue {
    #[serde(rename = "type")]
    kind: String,
}

/// Checks that this engine reads the text as a case with this hash.
fn module(sha256: &str, text: &str) -> Result<()> {
    let head: ModuleHead = serde_json::from_str(text).map_err(|e| not_a("module", sha256, e.to_string()))?;
    if head.schema != "pio-ir" || head.value.kind != "powerio.BalancedNetwork" {
        return Err(not_a("module", sha256, format!("it is a `{}`", head.value.kind)));
    }
    match wattbook_network::clean_module(text.to_string()) {
        Ok(clean) if clean == text => Ok(()),
        Ok(_) => Err(not_a(
            "module",
            sha256,
            "its names contain control or invisible characters".into(),
        )),
        Err(error) => Err(not_a("module", sha256, error.message())),
    }
}

fn not_a(kind: &str, sha256: &str, cause: String) -> EngineError {
    let message = message!("study_file.artifact", artifact = sha256, kind = kind, cause = cause);
    EngineError::new("STUDY_FILE.ARTIFACT", message)
}

fn finite(document: &c::StudyDocument) -> Result<()> {
    for (id, state) in &document.states {
        let tables = [&state.deltas, &state.rates, &state.reactive];
        let values = tables
            .into_iter()
            .flat_map(|table| table.values())
            .chain(
                state
                    .generators
                    .values()
                    .flat_map(|unit| [&unit.p_min, &unit.p_max, &unit.cost, &unit.c2].into_iter().flatten()),
            )
            .chain(state.branches.values().flat_map(|branch| {
                let values = [&branch.rating, &branch.x, &branch.tap, &branch.shift];
                values.into_iter().flatten()
            }))
            .chain(state.links.values().flat_map(|link| {
                let power = [&link.p, &link.p_min, &link.p_max];
                power
                    .into_iter()
                    .chain([&link.loss, &link.loss_factor, &link.cost])
                    .flatten()
            }))
            .chain(state.storage.values().flat_map(c::StorageEdit::numbers))
            .chain(
                state
                    .interfaces
                    .values()
                    .flat_map(|limits| [&limits.min_mw, &limits.max_mw].into_iter().flatten()),
            )
            .chain(state.added.numbers())
            .chain(&state.objective);
        if values.into_iter().any(|value| !value.is_finite()) {
            let message = message!("study_file.not_finite", place = format!("states.{id}"));
            return Err(EngineError::new("STUDY_FILE.NUMBER", message));
        }
    }
    Ok(())
}

/// Times are displayed, so they must be valid calendar times.
fn times(document: &c::StudyDocument) -> Result<()> {
    let states = document.states.iter().map(|(id, one)| ("states", id, &one.at));
    let experiments = document
        .experiments
        .iter()
        .map(|(id, one)| ("experiments", id, &one.at));
    let decisions = document.decisions.iter().map(|(id, one)| ("decisions", id, &one.at));
    match states.chain(experiments).chain(decisions).find(|(.., at)| !is_time(at)) {
        None => Ok(()),
        Some((table, id, at)) => {
            let message = message!("study_file.time", place = format!("{table}.{id}"), time = at);
            Err(EngineError::new("STUDY_FILE.TIME", message))
        }
    }
}

/// Whether a text has the form `2026-11-23T02:40:00Z`, with or without a fraction of a second.
fn is_time(text: &str) -> bool {
    const FORM: &[u8] = b"0000-00-00T00:00:00";
    let Some((whole, rest)) = text.as_bytes().split_at_checked(FORM.len()) else {
        return false;
    };
    let fits = |(c, form): (&u8, &u8)| if *form == b'0' { c.is_ascii_digit() } else { c == form };
    let fraction = rest.strip_suffix(b"Z").unwrap_or(b"?");
    let digits = fraction.strip_prefix(b".").unwrap_or(fraction);
    let number = |at: std::ops::Range<usize>| text[at].parse::<u32>().unwrap_or(u32::MAX);
    whole.iter().zip(FORM).all(fits)
        && (1..=12).contains(&number(5..7))
        && (1..=31).contains(&number(8..10))
        && number(11..13) < 24
        && number(14..16) < 60
        && number(17..19) < 60
        && digits.len() <= 9
        && digits.iter().all(u8::is_ascii_digit)
        && (digits.is_empty() == (fraction.len() == digits.len()))
}

fn identity(document: &c::StudyDocument) -> Result<()> {
    match &document.base_input {
        Some(input) if *input != document.case.sha256 => {
            let message = message!("study_file.case", case = &document.case.sha256, input = input);
            Err(EngineError::new("STUDY_FILE.IDENTITY", message))
        }
        _ => match document.states[&document.applied_state].formulation == document.formulation {
            true => Ok(()),
            false => {
                let message = message!("study_file.applied_formulation", state = &document.applied_state);
                Err(EngineError::new("STUDY_FILE.IDENTITY", message))
            }
        },
    }
}

/// The solution belongs to the state.
fn claimed(id: &str, state: &c::StateNode, claim: &Claim) -> Result<()> {
    let other: Option<Message> = if claim.case_sha256 != state.input {
        Some(message!("study_file.other_input"))
    } else if claim.formulation != state.formulation {
        Some(message!("study_file.other_formulation"))
    } else if claim.deltas != state.deltas
        || claim.rates != state.rates
        || claim.reactive != state.reactive
        || claim.generators != state.generators
        || claim.branches != state.branches
        || claim.links != state.links
        || claim.storage != state.storage
        || claim.interfaces != state.interfaces
        || claim.added != state.added
    {
        Some(message!("study_file.other_edits"))
    } else if state.result_sha256.as_ref() != Some(&claim.result_sha256) {
        Some(message!("study_file.other_result"))
    } else {
        None
    };
    match other {
        None => Ok(()),
        Some(what) => {
            let message = message!("study_file.solution", state = id, what = what);
            Err(EngineError::new("STUDY_FILE.IDENTITY", message))
        }
    }
}
