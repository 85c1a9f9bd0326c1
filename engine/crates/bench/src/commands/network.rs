//! `network`: exact steps after edits that change the network, each a solve of a case of its own, beside the cold solve of
//! the unedited case.

use super::timing::{least_on_processor, least_prepared};
use crate::Outcome;
use serde_json::{json, Value};
use std::path::Path;
use std::sync::Arc;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::{format_of, ingest_case};
use wattbook_study::{Case, EditsJson, Study};

/// The same rows in every run: every `n`-th of a list.
pub(super) fn chosen(rows: &[usize], count: usize) -> Vec<usize> {
    let every = (rows.len() / count.max(1)).max(1);
    rows.iter().copied().step_by(every).take(count).collect()
}

/// The network of a file, its case, and its module.
pub(super) fn opened(path: &Path) -> Result<(AnalysisNetwork, Arc<Case>, String), String> {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let format = format_of(&path.to_string_lossy()).ok_or_else(|| failed(&"no case file"))?;
    let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
    let read = ingest_case(&bytes, format).map_err(|e| failed(&e))?;
    let case = Case::read(&read.module_json).map_err(|e| failed(&e))?;
    Ok((read.network, case, read.module_json))
}

/// Commits of `edits` lines out of service, copies of lines, and generators out of service, on each file. A commit without a
/// solution counts too, because a user waits for its message.
pub(crate) fn file(path: &Path, edits: usize, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let (network, case, _) = opened(path)?;
    let branches: Vec<usize> = (0..network.branches.len())
        .filter(|&k| network.branches[k].in_service)
        .collect();
    let units: Vec<usize> = (0..network.generators.len())
        .filter(|&k| network.generators[k].in_service)
        .collect();
    let cold = || {
        let study = Study::of_case(&case, "dcopf", "{}")?;
        let solution = study.current_solution()?;
        Ok((study, solution))
    };
    let (solved, cold_ms) = least_on_processor(repeats, cold);
    let (study, _) = solved.map_err(|e: wattbook_network::EngineError| failed(&e))?;
    let mut kinds = serde_json::Map::new();
    for (kind, rows, edit) in [
        ("branch_out", &branches, branch_out as fn(usize) -> Value),
        ("added_branch", &branches, added_branch),
        ("generator_out", &units, generator_out),
    ] {
        let (mut ms, mut infeasible) = (Vec::new(), 0);
        for row in chosen(rows, edits) {
            let text = edit(row + 1).to_string();
            let commit = |mut study: Study| {
                let outcome = study.commit("bench", EditsJson::from(text.as_str()), "");
                // Returned, so that the state before is not dropped within the time.
                (study, outcome)
            };
            let ((_, outcome), took) = least_prepared(repeats, (|| study.clone(), commit));
            match outcome {
                Ok(_) => {}
                Err(error) if error.code == "SOLVE.INFEASIBLE" => infeasible += 1,
                Err(error) => return Err(failed(&format!("{text}: {error}"))),
            }
            ms.push(took);
        }
        kinds.insert(kind.into(), json!({ "ms": ms, "infeasible": infeasible }));
    }
    let sizes = json!({
        "case": path.file_stem().unwrap_or_default().to_string_lossy(),
        "n_bus": network.buses.len(),
        "n_branch": network.branches.len(),
        "cold_ms": cold_ms,
        "kinds": kinds,
    });
    println!("{sizes}");
    Ok(())
}

fn branch_out(id: usize) -> Value {
    json!({ "branches": { (id.to_string()): { "status": false } } })
}

fn added_branch(id: usize) -> Value {
    json!({ "added": { "branches": [{ "copy_of": id.to_string() }] } })
}

fn generator_out(id: usize) -> Value {
    json!({ "generators": { (id.to_string()): { "status": false } } })
}
