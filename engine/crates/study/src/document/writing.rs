//! Writing Study files.

use super::check::{checked, named};
use super::graph::dangling;
use super::packing::packed;
use super::reading::{bundle_of, Keys};
use super::solution::solution_claim;
use crate::contract::{self as c, ArtifactKind};
use serde::Serialize;
use std::collections::BTreeMap;
use wattbook_network::error::Result;
use wattbook_network::sha256::sha256_hex;

/// The bytes of a Study file for a `StudyBundle`. Its artifacts may have any names: they are renamed to their SHA-256,
/// equal texts are merged, and solutions are written without white space. Equal content gives equal bytes. Whatever
/// reading would refuse is refused.
///
/// Errors: `STUDY_FILE.*`.
pub fn write_study_bundle(bundle_json: &str, gzip: bool) -> Result<Vec<u8>> {
    let given = bundle_of(bundle_json, Keys::Names)?;
    let mut hashes = BTreeMap::new();
    let mut artifacts = BTreeMap::new();
    for (name, mut artifact) in given.artifacts {
        if artifact.kind == ArtifactKind::Solution {
            artifact.text = compact(&artifact.text);
        }
        let sha256 = sha256_hex(artifact.text.as_bytes());
        hashes.insert(name, sha256.clone());
        artifacts.insert(sha256, artifact);
    }
    let mut document = given.document;
    for (place, reference, _) in named(&mut document) {
        *reference = hashes
            .get(reference.as_str())
            .ok_or_else(|| dangling(place, reference))?
            .clone();
    }
    for state in document.states.values_mut() {
        canonical(state, &artifacts);
    }
    let bundle = c::StudyBundle { document, artifacts };
    checked(&bundle)?;
    packed(crate::json::to_json(&bundle), gzip)
}

/// Leaves out values of branches, links, storage units and interfaces that equal those of the case: they are no edits, and its solution does
/// not have them.
fn canonical(state: &mut c::StateNode, artifacts: &BTreeMap<String, c::StudyArtifact>) {
    let has_no_elements = state.branches.is_empty() && state.links.is_empty() && state.storage.is_empty();
    if has_no_elements && state.interfaces.is_empty() {
        return;
    }
    let artifact = state.solution.as_ref().and_then(|sha256| artifacts.get(sha256));
    // A text that is no solution is refused later.
    if let Some(claim) = artifact.and_then(|artifact| solution_claim(&artifact.text).ok()) {
        let is_of_claim = includes(&state.branches, &claim.branches)
            && includes(&state.links, &claim.links)
            && includes(&state.storage, &claim.storage)
            && includes(&state.interfaces, &claim.interfaces);
        if is_of_claim {
            state.branches = claim.branches;
            state.links = claim.links;
            state.storage = claim.storage;
            state.interfaces = claim.interfaces;
        }
    }
}

/// Whether edits by element have all values of others.
fn includes<Edit: Serialize>(edits: &BTreeMap<String, Edit>, others: &BTreeMap<String, Edit>) -> bool {
    let values = |edit: &Edit| serde_json::to_value(edit).unwrap_or_default();
    others.iter().all(|(key, other)| {
        let own = edits.get(key).map(values).unwrap_or_default();
        let other = values(other);
        other
            .as_object()
            .into_iter()
            .flatten()
            .all(|(name, value)| own[name] == *value)
    })
}

/// Removes the white space between the values of a JSON text: half of a solution module is indentation.
fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut inside, mut escaped) = (false, false);
    for c in json.chars() {
        if inside {
            inside = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if matches!(c, ' ' | '\n' | '\r' | '\t') {
            continue;
        } else {
            inside = c == '"';
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn white_space_is_removed_outside_of_texts_only() {
        let spread = "{\n  \"a b\": [1, 2.50],\r\n\t\"c\\\" \\\\\": \" x \"\n}";
        assert_eq!(compact(spread), "{\"a b\":[1,2.50],\"c\\\" \\\\\":\" x \"}");
        let value: serde_json::Value = serde_json::from_str(spread).unwrap();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&compact(spread)).unwrap(),
            value
        );
    }
}
