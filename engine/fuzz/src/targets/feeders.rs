//! Power flows of mutated feeders: options, previews and commits of loads, and stored results opened again, all drawn
//! from a sequence that the input seeds.

use crate::check;
use crate::sequence::Sequence;
use serde_json::{json, Value};
use wattbook_network::EngineError;
use wattbook_study::contract::{Column, ColumnName};
use wattbook_study::{apply_mc_study_geo, ingest_distribution_json, replay_mc_study, McStudy, Reply};

/// Feeders with more elements, buses included, are skipped, since mutations repeat lines.
const LARGE: u64 = 120;
/// Bytes of the longest script.
const LONG: usize = 40_000;
/// Number of edits of a feeder.
const EDITS: usize = 4;
/// Permitted refusals of a power flow.
const REFUSALS: [&str; 4] = ["INPUT.", "EDIT.", "PHYSICS.", "SOLVE."];

pub fn feeder(bytes: &[u8]) {
    // Bad and long files belong to the target of their format.
    if bytes.len() > LONG {
        return;
    }
    let Ok(text) = ingest_distribution_json(bytes, "dss", &[]) else {
        return;
    };
    let case: Value = serde_json::from_str(&text).expect("the case is JSON");
    let module = case["module_json"].as_str().expect("a module");
    let elements = case["counts"].as_object().expect("counts").values();
    if elements.filter_map(Value::as_u64).sum::<u64>() > LARGE {
        return;
    }
    let mut next = Sequence::of(
        "feeder",
        bytes.iter().fold(0, |sum, b| sum * 31 % 1_000_003 + usize::from(*b)),
    );
    let all = json!({ "source_impedance": "branch", "controls": "held" });
    let options = next.pick(&[json!({}), all.clone(), all.clone(), all]).to_string();
    let mut study = match McStudy::new(module, &options, "") {
        Ok(study) => study,
        Err(e) => return check::error(&e, &REFUSALS, bytes),
    };
    let base = sound(&study.result());
    let rows: Value = serde_json::from_str(&study.rows().json).expect("JSON");
    let loads: Vec<&str> = rows["loads"]
        .as_array()
        .expect("loads")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for _ in 0..EDITS {
        let edit = edits(&mut next, &loads);
        match study.preview(&edit) {
            Ok(reply) => numbers(&reply.columns),
            Err(e) => refused(&e, bytes),
        }
        let before = sound(&study.result());
        match study.commit(&edit) {
            Err(e) => {
                refused(&e, bytes);
                assert_eq!(sound(&study.result()), before, "a refused edit changed the state");
            }
            Ok(reply) => {
                let committed = sound(&reply);
                let stateless = McStudy::new(module, &options, &edit);
                let stateless = stateless.unwrap_or_else(|e| panic!("a commit solves what a new feeder does not: {e}"));
                assert_eq!(sound(&stateless.result()), committed, "the path to a state matters");
            }
        }
    }
    let stored = study
        .saved_json(module)
        .unwrap_or_else(|e| panic!("a result that cannot be stored: {e}"));
    let again = replay_mc_study(&stored).unwrap_or_else(|e| panic!("a stored result is refused: {e}"));
    numbers(&again.columns);
    if let Err(e) = apply_mc_study_geo(&stored, b"bus,lat,lon\ngrid,31.25,-100.5\nlv,31.3,-100.4\n") {
        check::error(&e, &["INPUT.", "GEO."], bytes);
    }
    let reply = study
        .commit("")
        .unwrap_or_else(|e| panic!("the base case was solved and is not any more: {e}"));
    assert_eq!(sound(&reply), base, "the base case is another one");
}

/// The hash of a result, after checking that its numbers are finite or absent and its certificate holds.
fn sound(reply: &Reply) -> Value {
    numbers(&reply.columns);
    let head: Value = serde_json::from_str(&reply.json).expect("JSON");
    let certificate = &head["certificate"];
    for part in ["kcl_residual_part", "current_error_part"] {
        assert!(
            certificate[part].as_f64().is_some_and(|v| v <= 1.0),
            "{part}: {certificate}"
        );
    }
    head["result_sha256"].clone()
}

fn refused(e: &EngineError, input: &[u8]) {
    check::error(e, &REFUSALS, input);
}

/// kW of loads; occasionally of an unknown load, or an invalid power.
fn edits(next: &mut Sequence, loads: &[&str]) -> String {
    const KW: [f64; 8] = [0.0, 1.0, -1.0, 5.0, 40.0, 1e5, 1e300, 1e-9];
    let mut edits = serde_json::Map::new();
    for _ in 0..next.below(3) {
        let name = match next.below(20) {
            0 => "nowhere",
            _ if loads.is_empty() => continue,
            _ => next.pick(loads),
        };
        let mut power = json!({ "p_kw": next.pick(&KW) });
        if next.below(2) == 0 {
            power["q_kvar"] = json!(next.pick(&KW));
        }
        edits.insert(name.to_owned(), power);
    }
    Value::Object(edits).to_string()
}

/// Asserts that numbers are finite, or absent for inactive rows.
fn numbers(columns: &[Column]) {
    for column in columns {
        let is_row = matches!(column.name, ColumnName::TerminalBus | ColumnName::ConductorElement);
        let good = |x: &f64| x.is_finite() || (x.is_nan() && !is_row);
        assert!(column.values.iter().all(good), "{:?}: {:?}", column.name, column.values);
    }
}
