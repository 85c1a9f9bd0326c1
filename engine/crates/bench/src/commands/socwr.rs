//! `socwr`: the conic relaxation natively. Writes the input of the other sides under the name of the case:
//! `.module.json`, and for peers `.products.json` and `.boosted.json`, the same program in two forms.

use super::timing::{least_on_processor, peak_mb};
use crate::Outcome;
use serde_json::{json, Value};
use std::path::Path;
use wattbook_bench::{Calls, ConicCall, ConicSession};
use wattbook_network::{format_of, ingest_case};
use wattbook_solve::conic::{ConicCertificate, ConicData, ConicForm, ConicModel, ConicOutcome, Cuts};

/// Number of steps of each kind.
const STEPS: usize = 8;

pub(crate) fn file(path: &Path, folder: &Path, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let format = format_of(&path.to_string_lossy()).ok_or_else(|| failed(&"no case file"))?;
    let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
    let case = ingest_case(&bytes, format).map_err(|e| failed(&e))?;
    let mut session = ConicSession::open(&case.module_json).map_err(|e| failed(&e))?;
    let before = peak_mb();
    let timed = |session: &mut ConicSession, call| -> Result<(f64, Value), String> {
        let (outcome, ms) = least_on_processor(repeats, || session.call(call));
        outcome.map_err(|e| failed(&e))?;
        Ok((ms, session.answer()))
    };
    let (model_ms, _) = timed(&mut session, ConicCall::Model)?;
    let (solve_ms, base) = timed(&mut session, ConicCall::Solve)?;
    let memory_mb = peak_mb().zip(before).map(|(after, before)| after - before);
    let (overload_ms, overload) = timed(&mut session, ConicCall::Overload)?;
    let mut figures = json!({
        "case": name,
        "n_bus": session.network.buses.len(),
        "n_branch": session.network.branches.len(),
        "model_ms": model_ms,
        "solve_ms": solve_ms,
        "memory_mb": memory_mb,
        "base": base,
        "overload_ms": overload_ms,
        "overload": overload,
    });
    session.call(ConicCall::Solve).map_err(|e| failed(&e))?;
    if session.keep() {
        for (kind, call) in [
            ("percent", ConicCall::Percent as fn(usize) -> ConicCall),
            ("ten_mw", ConicCall::TenMw),
        ] {
            let steps = (0..STEPS).map(|k| {
                let (ms, answer) = timed(&mut session, call(k))?;
                Ok(json!({ "ms": ms, "answer": answer }))
            });
            figures[kind] = Value::Array(steps.collect::<Result<_, String>>()?);
        }
    }
    let put = |extension: &str, text: &str| {
        let file = folder.join(format!("{name}.{extension}.json"));
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
    };
    put("module", &case.module_json)?;
    for (extension, form) in [("products", ConicForm::Products), ("boosted", ConicForm::Boosted)] {
        let program = session.program(form).map_err(|e| failed(&e))?;
        put(extension, &program.to_string())?;
    }
    println!("{figures}");
    Ok(())
}

/// One row of the accuracy table: a cold solve of a case file, with its residuals and its certificate.
pub(crate) fn row(path: &Path, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
    let network = ingest_case(&bytes, "matpower").map_err(|e| failed(&e))?.network;
    let model = ConicModel::new(&network, Cuts::Lifted).map_err(|e| failed(&e))?;
    let data = ConicData::base(&network);
    let (outcome, ms) = least_on_processor(repeats, || model.solve(&data, None));
    let mut figures = json!({ "case": name, "n_bus": network.buses.len(), "ms": ms });
    match outcome {
        ConicOutcome::Optimal(s) => {
            let certificate = ConicCertificate::new(&network, Cuts::Lifted, &s);
            figures["status"] = json!(if certificate.holds() { "optimal" } else { "uncertified" });
            figures["objective"] = json!(s.objective);
            figures["iterations"] = json!(s.iterations);
            figures["precise"] = json!(s.precise_factors);
            figures["residual"] = json!(s.residuals.primal.max(s.residuals.dual).max(s.residuals.gap));
            figures["certificate"] = json!(certificate.gap);
        }
        ConicOutcome::Infeasible(proof) => {
            figures["status"] = json!("infeasible");
            figures["reason"] = json!(proof.error().message());
        }
        ConicOutcome::Failed(error) => {
            figures["status"] = json!(error.code);
            figures["reason"] = json!(error.message());
        }
    }
    println!("{figures}");
    Ok(())
}
