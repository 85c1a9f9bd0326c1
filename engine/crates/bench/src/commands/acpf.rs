//! `acpf`: the AC power flow natively. Writes the input of the other sides under the name of the case: `.module.json`,
//! and for peers `.flow.json`.

use super::timing::{least_on_processor, peak_mb};
use crate::Outcome;
use serde_json::{json, Value};
use std::path::Path;
use wattbook_bench::Calls;
use wattbook_bench::{power_flow, FlowCall, FlowSession};
use wattbook_network::{format_of, ingest_case};

pub(crate) fn file(path: &Path, folder: &Path, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let format = format_of(&path.to_string_lossy()).ok_or_else(|| failed(&"no case file"))?;
    let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
    let case = ingest_case(&bytes, format).map_err(|e| failed(&e))?;
    let put = |extension: &str, text: &str| {
        let file = folder.join(format!("{name}.{extension}.json"));
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
    };
    put("module", &case.module_json)?;
    let mut session = match FlowSession::open(&case.module_json) {
        Ok(session) => session,
        Err(error) => {
            println!("{}", json!({ "case": name, "refused": error.to_string() }));
            return Ok(());
        }
    };
    let timed = |session: &mut FlowSession, call, repeats| -> Result<(f64, Value), String> {
        let (outcome, ms) = least_on_processor(repeats, || session.call(call));
        outcome.map_err(|e| failed(&e))?;
        Ok((ms, session.answer()))
    };
    let before = peak_mb();
    let (model_ms, _) = timed(&mut session, FlowCall::Model, repeats)?;
    let (newton_ms, newton) = timed(&mut session, FlowCall::Newton, repeats)?;
    let memory_mb = peak_mb().zip(before).map(|(after, before)| after - before);
    let problem = session
        .solution()
        .and_then(|s| power_flow(&session.network, &session.data, s));
    let (solve_ms, solve) = timed(&mut session, FlowCall::Solve, repeats)?;
    let mut figures = json!({
        "case": name,
        "n_bus": session.network.buses.len(),
        "n_branch": session.network.branches.len(),
        "model_ms": model_ms,
        "newton_ms": newton_ms,
        "newton": newton,
        "solve_ms": solve_ms,
        "solve": solve,
        "memory_mb": memory_mb,
        "has_peers": problem.is_some(),
    });
    if let Some(problem) = problem {
        put("flow", &problem.to_string())?;
    }
    timed(&mut session, FlowCall::Study, 1)?;
    for (kind, call) in [
        ("preview", FlowCall::Preview as fn(usize) -> FlowCall),
        ("commit", FlowCall::Commit),
    ] {
        // Repeating a commit does nothing, so every round uses all edits.
        let mut steps = vec![(f64::INFINITY, Value::Null); session.n_edits()];
        for _ in 0..repeats {
            for (k, (least, answer)) in steps.iter_mut().enumerate() {
                let (ms, found) = timed(&mut session, call(k), 1)?;
                (*least, *answer) = (least.min(ms), found);
            }
        }
        let steps = steps.iter().map(|(ms, answer)| json!({ "ms": ms, "answer": answer }));
        figures[kind] = Value::Array(steps.collect());
    }
    println!("{figures}");
    Ok(())
}
