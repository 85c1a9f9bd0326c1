//! `dcopf`, `drag` and `sens`: the solver natively. Each writes the input of the other sides into a folder under the
//! name of the case: `.module.json`, and for peers `.problem.json`.

use super::timing::least;
use crate::Outcome;
use serde_json::{json, Value};
use std::path::Path;
use wattbook_bench::Problem;
use wattbook_bench::{convention, Answer, Bits, Session, Target};
use wattbook_network::{format_of, ingest_case};
use wattbook_solve::dc::DcSolution;

/// A case with the destination of its files.
struct Opened<'a> {
    session: Session,
    module_json: String,
    name: String,
    convention: &'a str,
    folder: &'a Path,
}

impl<'a> Opened<'a> {
    fn read(path: &Path, convention: &'a str, folder: &'a Path) -> Result<Self, String> {
        let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let format = format_of(&path.to_string_lossy()).ok_or_else(|| failed(&"no case file"))?;
        let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
        let case = ingest_case(&bytes, format).map_err(|e| failed(&e))?;
        let opened = Self {
            session: Session::open(&case.module_json, convention).map_err(|e| failed(&e))?,
            module_json: case.module_json,
            name,
            convention,
            folder,
        };
        opened.put("module.json", &opened.module_json)?;
        Ok(opened)
    }

    fn put(&self, extension: &str, text: &str) -> Outcome {
        let file = self.folder.join(format!("{}.{extension}", self.name));
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
    }

    fn problem(&self) -> Result<Problem, String> {
        let convention = convention(self.convention).ok_or("no such convention")?;
        let problem = Problem::new(&self.session.network, convention);
        self.put("problem.json", &problem.json().to_string())?;
        Ok(problem)
    }

    /// Builds and solves; returns the times of both in ms.
    fn solved(&mut self, repeats: usize) -> (wattbook_network::error::Result<DcSolution>, f64, f64) {
        let (built, model_ms) = least(repeats, || self.session.build());
        if let Err(error) = built {
            return (Err(error), model_ms, 0.0);
        }
        let (outcome, solve_ms) = least(repeats, || self.session.solve());
        (outcome, model_ms, solve_ms)
    }

    fn sizes(&self) -> Value {
        let n = &self.session.network;
        json!({ "case": self.name, "n_bus": n.buses.len(), "n_branch": n.branches.len(), "n_gen": n.generators.len() })
    }
}

fn say(parts: &[Value]) {
    let mut line = serde_json::Map::new();
    for part in parts {
        line.extend(part.as_object().cloned().unwrap_or_default());
    }
    println!("{}", Value::Object(line));
}

/// The optimum of a case, with separate times of model and solve, and the result hash of the contract.
pub(crate) fn dcopf(path: &Path, convention: &str, folder: &Path, repeats: usize) -> Outcome {
    let mut case = Opened::read(path, convention, folder)?;
    let problem = case.problem()?;
    let (outcome, model_ms, solve_ms) = case.solved(repeats);
    let request = json!({ "options": { "dc_convention": convention } }).to_string();
    let published = match wattbook_study::solve_module(&case.module_json, &request) {
        Ok(reply) => {
            let head: Value = serde_json::from_str(&reply.json).map_err(|e| e.to_string())?;
            head["response"]["result_sha256"].clone()
        }
        Err(error) => json!(error.code),
    };
    let times = json!({
        "quadratic": problem.is_quadratic(),
        "model_ms": model_ms,
        "solve_ms": solve_ms,
        "published": published,
    });
    say(&[case.sizes(), times, Answer::from(&outcome).json()]);
    Ok(())
}

/// Random demand steps, each solved exactly from the base optimum, and previewed.
pub(crate) fn drag(path: &Path, folder: &Path, buses: usize, per_bus: usize, repeats: usize) -> Outcome {
    let mut case = Opened::read(path, "service", folder)?;
    let problem = case.problem()?;
    let failed = |e: wattbook_network::EngineError| format!("{}: {e}", path.display());
    let (optimum, ..) = case.solved(1);
    case.session
        .prepare(optimum.map_err(failed)?, buses, per_bus, 0)
        .map_err(failed)?;
    let session = &case.session;
    let (mut ms, mut preview_ms, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    let mut bits = Bits::default();
    let mut preview_bits = Bits::default();
    for (k, step) in session.steps().iter().enumerate() {
        let (outcome, took) = least(repeats, || session.step(k));
        let (preview, preview_took) = least(repeats, || session.preview(k));
        let answer = Answer::from(&outcome);
        bits.add(answer.bits);
        preview_bits.add(Bits::of_column(&preview.map_err(failed)?));
        ms.push(took);
        preview_ms.push(preview_took);
        steps.push(json!({
            "row": problem.balance[step.bus],
            "demand": step.change,
            "status": answer.status,
            "objective": answer.objective,
            "gap": answer.gap,
        }));
    }
    let figures = json!({
        "quadratic": problem.is_quadratic(),
        "ms": ms,
        "preview_ms": preview_ms,
        "steps": steps,
        "bits": bits.hex(),
        "preview_bits": preview_bits.hex(),
    });
    say(&[case.sizes(), figures]);
    Ok(())
}

/// Sensitivity columns at the optimum.
pub(crate) fn sens(path: &Path, folder: &Path, columns: usize, repeats: usize) -> Outcome {
    let mut case = Opened::read(path, "service", folder)?;
    let failed = |e: wattbook_network::EngineError| format!("{}: {e}", path.display());
    let (optimum, model_ms, solve_ms) = case.solved(repeats);
    case.session
        .prepare(optimum.map_err(failed)?, 0, 0, columns)
        .map_err(failed)?;
    let mut figures = json!({ "model_ms": model_ms, "solve_ms": solve_ms });
    for (target, name) in Target::ALL {
        let mut bits = Bits::default();
        let mut ms = Vec::new();
        for k in 0..case.session.n_targets(target) {
            let (column, took) = least(repeats, || case.session.column(target, k));
            bits.add(column.map_err(failed)?.bits());
            ms.push(took);
        }
        figures[name] = json!({ "ms": ms, "bits": bits.hex() });
    }
    say(&[case.sizes(), figures]);
    Ok(())
}
