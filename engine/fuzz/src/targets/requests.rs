//! Hostile requests, edits and plans for one valid case.

use std::sync::OnceLock;

use super::studies::{numbers, solution};
use crate::check;
use serde_json::{json, Value};
use wattbook_network::EngineError;
use wattbook_study::{ingest_case, solve_module, Job, Study};

/// Permitted refusals.
const REFUSALS: [&str; 14] = [
    "INPUT.",
    "PHYSICS.",
    "SOLVE.",
    "SENS.",
    "DELTA.",
    "RATE.",
    "BUS.",
    "BRANCH.",
    "EDIT.",
    "GENERATOR.",
    "REACTIVE.",
    "FORMULATION.",
    "COST.",
    "PLAN.",
];

/// The case: ten buses in three islands, all kinds of branches and costs.
fn module() -> &'static str {
    static MODULE: OnceLock<String> = OnceLock::new();
    MODULE.get_or_init(|| {
        let file = include_bytes!("../../seeds/ac_grid.m");
        ingest_case(file, "matpower").expect("a good case").apart().1
    })
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// A `SolveRequest`.
pub fn request(bytes: &[u8]) {
    if let Err(e) = solved(bytes) {
        check::refusal(&e, &REFUSALS);
    }
    let explanation = Job::explanation_of_module(module(), &String::from_utf8_lossy(bytes));
    if let Err(e) = explanation.and_then(Job::run) {
        check::refusal(&e, &REFUSALS);
    }
}

/// Solves a request: finite numbers, with their certificate.
pub fn solved(bytes: &[u8]) -> Result<(), EngineError> {
    let text = String::from_utf8_lossy(bytes);
    let reply = solve_module(module(), &text)?;
    numbers(&reply.columns);
    let head = parsed(&reply.json);
    assert!(head["response"]["certificate"].is_object(), "no certificate: {head}");
    Ok(())
}

/// Lines of a formulation, and of edits of demand, ratings, reactive demand and generators, and a target of sensitivities.
pub fn edits(bytes: &[u8]) {
    if let Err(e) = committed(bytes) {
        check::refusal(&e, &REFUSALS);
    }
}

/// Previews, commits and derivatives: a refusal leaves the state unchanged, and a commit equals the stateless request.
pub fn committed(bytes: &[u8]) -> Result<(), EngineError> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let mut line = || lines.next().unwrap_or_default();
    let formulation = line();
    let edits = (line(), line(), line(), line());
    let target = line();
    let mut study = Study::create(module(), formulation, "")?;
    let base = solution(&study);
    if let Err(e) = study.preview(edits) {
        check::refusal(&e, &REFUSALS);
    }
    if let Err(e) = study.sensitivity("", edits, target) {
        check::refusal(&e, &REFUSALS);
    }
    assert_eq!(solution(&study), base, "a question changed the state");
    match study.commit("", edits, "") {
        Err(e) => {
            assert_eq!(solution(&study), base, "a refused edit changed the state");
            return Err(e);
        }
        Ok(reply) => numbers(&reply.columns),
    }
    let value = |text: &str| match text.trim() {
        "" => Value::Null,
        text => parsed(text),
    };
    let mut request = json!({ "formulation": formulation, "edits": {} });
    let names = ["deltas", "rates", "reactive", "generators"];
    for (name, text) in names.into_iter().zip([edits.0, edits.1, edits.2, edits.3]) {
        if !value(text).is_null() {
            request["edits"][name] = value(text);
        }
    }
    let stateless = solve_module(module(), &request.to_string());
    let stateless = stateless.unwrap_or_else(|e| panic!("the Study solves what the request does not: {e}"));
    assert_eq!(
        parsed(&stateless.json)["response"]["result_sha256"],
        solution(&study),
        "the path to a state matters"
    );
    Ok(())
}

/// The specification of a plan.
pub fn plan(bytes: &[u8]) {
    if let Err(e) = planned(bytes) {
        check::refusal(&e, &REFUSALS);
    }
}

/// Plans from the base case: within its exact solves, never worse than its start, and without changing the state.
pub fn planned(bytes: &[u8]) -> Result<(), EngineError> {
    let text = String::from_utf8_lossy(bytes);
    let study = Study::create(module(), "dcopf", "").unwrap_or_else(|e| panic!("a good case: {e}"));
    let base = solution(&study);
    let outcome = Job::plan(&study, &text).and_then(Job::run);
    assert_eq!(solution(&study), base, "a plan changed the state");
    let (outcome, spec) = (parsed(&outcome?.reply.json), parsed(text.trim()));
    let solves = |of: &Value| of.as_u64().expect("a count");
    assert!(
        solves(&outcome["exact_solves"]) <= solves(&spec["exact_solve_budget"]),
        "{outcome}"
    );
    let phi = |of: &str| outcome[of]["phi"].as_f64().expect("a number");
    if spec["kind"] != "demand_placement" {
        assert!(phi("best") <= phi("baseline"), "{outcome}");
    }
    Ok(())
}
