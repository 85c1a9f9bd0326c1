//! `secure`: prices with limits after the outage of every branch, beside the plain solve of the same case.

use super::network::{chosen, opened};
use super::timing::{least_on_processor, least_prepared};
use crate::Outcome;
use serde_json::{json, Value};
use std::path::Path;
use wattbook_bench::Problem;
use wattbook_solve::dc::Convention;
use wattbook_study::{EditsJson, Study};

/// Limits after outages at the ratings themselves, at their price even where no dispatch holds them.
const OPTIONS: &str = r#"{"security":{"emergency":1.0,"raise_limits":false}}"#;
/// Increase of a demand in a step, of its value.
const SHARE: f64 = 0.05;

/// The cold solve of each file without and with security, and commits at `edits` buses with demand. Writes the plain program
/// for peers and the module for WebAssembly into a folder.
pub(crate) fn file(path: &Path, edits: usize, folder: &Path, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let (network, case, module) = opened(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut problem = Problem::new(&network, Convention::Service).json_with_lines();
    problem["base_mva"] = json!(network.base_mva);
    for (part, text) in [("module", &module), ("problem", &problem.to_string())] {
        std::fs::write(folder.join(format!("{name}.{part}.json")), text).map_err(|e| failed(&e))?;
    }
    let cold = |options: &str| {
        let solve = || Study::of_case(&case, "dcopf", options);
        let (solved, took) = least_on_processor(repeats, solve);
        solved.map(|study| (study, took)).map_err(|e| failed(&e))
    };
    let (_, plain_ms) = cold("{}")?;
    let (study, secured_ms) = cold(OPTIONS)?;
    let solution = study.current_solution().map_err(|e| failed(&e))?;
    let head: Value = serde_json::from_str(&solution.json).map_err(|e| failed(&e))?;
    let report = &head["security"];
    let loads: Vec<usize> = (0..network.buses.len())
        .filter(|&b| network.buses[b].in_service && network.buses[b].demand_pu > 0.0)
        .collect();
    let (mut steps, mut edits_json) = (Vec::new(), Vec::new());
    for bus in chosen(&loads, edits) {
        let bus = &network.buses[bus];
        let change = SHARE * bus.demand_pu * network.base_mva;
        let text = json!({ "deltas": { (bus.id.to_string()): change } }).to_string();
        edits_json.push(text.clone());
        let commit = |mut study: Study| {
            let outcome = study.commit("bench", EditsJson::from(text.as_str()), "");
            // Returned, so that the state before is not dropped within the time.
            (study, outcome)
        };
        let ((_, outcome), took) = least_prepared(repeats, (|| study.clone(), commit));
        outcome.map_err(|e| failed(&e))?;
        steps.push(took);
    }
    let row = json!({
        "case": name,
        "n_bus": network.buses.len(),
        "n_branch": network.branches.len(),
        "outages": report["outages"],
        "rounds": report["rounds"],
        "binding": report["binding"].as_array().map_or(0, Vec::len),
        "excess_mw": report["excess_mw"],
        "objective": head["objective"],
        "plain_ms": plain_ms,
        "secured_ms": secured_ms,
        "steps_ms": steps,
        "options": OPTIONS,
        "edits": edits_json,
    });
    println!("{row}");
    Ok(())
}
