//! `explain`: times of refusing demand without a solution, and of finding its minimum relaxation.

use super::timing::least;
use crate::Outcome;
use serde_json::{json, Map, Value};
use std::path::Path;
use std::time::Instant;
use wattbook_bench::Problem;
use wattbook_network::network_from_module;
use wattbook_solve::dc::Convention;
use wattbook_study::contract::Explanation;
use wattbook_study::{Job, Study};

/// Budget of a step, as in the Python package.
const BUDGET: u32 = 20;

/// Explains a module whose positive demands are raised by a share. Writes `.module.json`, `.deltas.json` and for peers
/// `.problem.json` into `folder` under the name of the case.
pub(crate) fn file(path: &Path, share: f64, folder: &Path, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}_{:.0}", 100.0 * share);
    let module = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
    let network = network_from_module(&module).map_err(|e| failed(&e))?;
    let rows = network.buses.iter().filter(|bus| bus.demand_pu > 0.0 && bus.editable);
    let deltas: Map<String, Value> = rows
        .map(|bus| (bus.id.to_string(), json!(share * bus.demand_pu * network.base_mva)))
        .collect();
    let deltas = Value::Object(deltas).to_string();
    let put = |extension: &str, text: &str| {
        let file = folder.join(format!("{name}.{extension}"));
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
    };
    put("module.json", &module)?;
    put("deltas.json", &deltas)?;
    let problem = Problem::relaxed(&network, Convention::Service, 1.0 + share);
    put("problem.json", &problem.json().to_string())?;

    let mut study = Study::create(&module, "dcopf", "{}").map_err(|e| failed(&e))?;
    let (refused, refusal_ms) = least(repeats, || study.commit("bench", (&deltas, ""), ""));
    let refused = match refused {
        Ok(_) => return Err(failed(&"the raised demand has a solution")),
        Err(error) => error,
    };
    let mut longest_ms = f64::INFINITY;
    let mut search = || {
        let mut job = Job::explanation(&study, (&deltas, ""))?;
        let (mut longest, mut steps) = (0.0f64, 0);
        loop {
            let clock = Instant::now();
            let step = job.step(BUDGET)?;
            longest = longest.max(clock.elapsed().as_secs_f64() * 1e3);
            steps += 1;
            if step.done {
                longest_ms = longest_ms.min(longest);
                return Ok((steps, job.finish()?.reply.json));
            }
        }
    };
    let (found, explain_ms) = least(repeats, &mut search);
    let (steps, found) = found.map_err(|e: wattbook_network::EngineError| failed(&e))?;
    let explanation: Explanation = serde_json::from_str(&found).map_err(|e| failed(&e))?;
    println!(
        "{}",
        json!({
            "case": name,
            "n_bus": network.buses.len(),
            "kind": explanation.kind,
            "refused": refused.details.and_then(|d| d["shortfall_mw"].as_f64()),
            "refusal_ms": refusal_ms,
            "total_mw": explanation.relaxation_total_mw,
            "gap_mw": explanation.verified.gap_mw,
            "steps": steps,
            "longest_ms": longest_ms,
            "explain_ms": explain_ms,
        })
    );
    Ok(())
}
