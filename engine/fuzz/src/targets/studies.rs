//! Studies of mutated cases: options, edits, previews, commits, derivatives and the other answers of a formulation, all
//! drawn from a sequence that the input seeds.

use crate::check;
use crate::sequence::Sequence;
use serde_json::{json, Value};
use wattbook_network::EngineError;
use wattbook_study::contract::{Column, ColumnName};
use wattbook_study::{ingest_case, solve_module, Job, Study};

/// Cases above this size are skipped, since mutations repeat lines.
const LARGE: u64 = 60;
/// Number of edits of a case.
const EDITS: usize = 4;
/// Permitted refusals of a formulation.
const REFUSALS: [&str; 8] = [
    "INPUT.", "PHYSICS.", "SOLVE.", "SENS.", "DELTA.", "RATE.", "BUS.", "EDIT.",
];

pub fn acpf(bytes: &[u8]) {
    study(bytes, "acpf", |next| {
        json!({
            "dispatch": next.pick(&[Value::Null, json!("file"), json!("dcopf")]),
            "slack": next.pick(&[Value::Null, json!("single"), json!("distributed")]),
            "q_limits": next.pick(&[Value::Null, json!(true), json!(false)]),
            "set_point_pu": next.pick(&[Value::Null, Value::Null, json!(1.03), json!(0.97), json!(0.0), json!(1e300)]),
        })
    });
}

pub fn socwr(bytes: &[u8]) {
    study(
        bytes,
        "socwr",
        |next| json!({ "lifted_cuts": next.pick(&[Value::Null, json!(true), json!(false)]) }),
    );
}

fn study(bytes: &[u8], formulation: &str, options: fn(&mut Sequence) -> Value) {
    // Bad files belong to the target of their format.
    let Ok(case) = ingest_case(bytes, "matpower") else {
        return;
    };
    let (reply, module) = case.apart();
    let case: Value = serde_json::from_str(&reply.json).expect("the case is JSON");
    if case["n_analysis_bus"].as_u64().unwrap_or_default() > LARGE {
        return;
    }
    let mut next = Sequence::of(
        formulation,
        bytes.iter().fold(0, |sum, b| sum * 31 % 1_000_003 + usize::from(*b)),
    );
    let options = options(&mut next);
    let mut study = match Study::create(&module, formulation, &options.to_string()) {
        Ok(study) => study,
        Err(e) => return refused(&e, bytes),
    };
    let base = solution(&study);
    let rows = study.rows().columns;
    let ids = |name: ColumnName| -> Vec<u64> {
        let found = rows.iter().find(|column| column.name == name);
        found.map_or_else(Vec::new, |column| column.values.iter().map(|id| *id as u64).collect())
    };
    let (buses, branches) = (ids(ColumnName::BusId), ids(ColumnName::BranchId));
    for _ in 0..EDITS {
        let (demand, rating) = (edits(&mut next, &buses, &MOVES), edits(&mut next, &branches, &RATINGS));
        match study.preview((&demand, &rating)) {
            Ok(reply) => numbers(&reply.columns),
            Err(e) => refused(&e, bytes),
        }
        let before = solution(&study);
        match study.commit("", (&demand, &rating), "") {
            Err(e) => {
                refused(&e, bytes);
                assert_eq!(solution(&study), before, "a refused edit changed the state");
            }
            Ok(reply) => {
                numbers(&reply.columns);
                let committed = solution(&study);
                let parsed = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
                let request = json!({
                    "formulation": formulation,
                    "options": options,
                    "edits": { "deltas": parsed(&demand), "rates": parsed(&rating) },
                });
                let stateless = solve_module(&module, &request.to_string());
                let stateless = stateless.unwrap_or_else(|e| panic!("the Study solves what the request does not: {e}"));
                assert_eq!(
                    parsed(&stateless.json)["response"]["result_sha256"],
                    committed,
                    "the path to a state matters"
                );
            }
        }
        let target = match next.below(3) {
            0 if !branches.is_empty() => json!({ "branch": next.pick(&branches) }),
            _ => json!({ "bus": next.pick(&buses) }),
        };
        match study.sensitivity("", (&demand, ""), &target.to_string()) {
            Ok(reply) => numbers(&reply.columns),
            Err(e) => refused(&e, bytes),
        }
    }
    match formulation {
        "acpf" => {
            let targets = [json!({ "system": true }), json!({ "bus": next.pick(&buses) })];
            let job = Job::loadability(&study, &next.pick(&targets).to_string());
            if let Err(e) = job.and_then(Job::run) {
                refused(&e, bytes);
            }
        }
        _ => {
            let job = Job::explanation(&study, (&edits(&mut next, &buses, &MOVES), ""));
            if let Err(e) = job.and_then(Job::run) {
                refused(&e, bytes);
            }
        }
    }
    study
        .reset("")
        .unwrap_or_else(|e| panic!("the base case was solved and is not any more: {e}"));
    assert_eq!(solution(&study), base, "the base case is another one");
}

/// MW by which a demand changes, and a rating.
const MOVES: [f64; 8] = [5.0, -5.0, 60.0, 0.0, 400.0, 1e6, -1e6, 1e-9];
const RATINGS: [f64; 5] = [10.0, -10.0, 0.0, -1e3, 1e5];

/// One to three changes; occasionally one of an unknown element.
fn edits(next: &mut Sequence, ids: &[u64], by: &[f64]) -> String {
    let mut edits = serde_json::Map::new();
    for _ in 0..next.below(3) {
        let id = match next.below(20) {
            0 => 987_654_321,
            _ if ids.is_empty() => continue,
            _ => *next.pick(ids),
        };
        edits.insert(id.to_string(), json!(next.pick(by)));
    }
    Value::Object(edits).to_string()
}

fn refused(e: &EngineError, input: &[u8]) {
    check::error(e, &REFUSALS, input);
}

/// Asserts that numbers are finite or absent.
pub(super) fn numbers(columns: &[Column]) {
    for column in columns {
        // A limit may be infinite, and so may the loading of a line rated 1e-320 MVA.
        let is_limit = matches!(
            column.name,
            ColumnName::RatingMw
                | ColumnName::RatingMva
                | ColumnName::QMinMvar
                | ColumnName::QMaxMvar
                | ColumnName::Loading
        );
        let good = |x: &f64| x.is_finite() || x.is_nan() || is_limit;
        assert!(column.values.iter().all(good), "{:?}: {:?}", column.name, column.values);
    }
}

/// The hash of the committed state, which must be a solution.
pub(super) fn solution(study: &Study) -> Value {
    let reply = study
        .current_solution()
        .unwrap_or_else(|e| panic!("a Study without a solution: {e}"));
    numbers(&reply.columns);
    let head: Value = serde_json::from_str(&reply.json).expect("JSON");
    assert!(head["status"] == "optimal" || head["status"] == "feasible", "{head}");
    assert!(head["certificate"].is_object(), "{head}");
    head["result_sha256"].clone()
}
