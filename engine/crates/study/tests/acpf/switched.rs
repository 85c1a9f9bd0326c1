//! Edits of generators in power flows: units switched off, and schedules.

use crate::common::{ingest, text, Answer};
use crate::AS_FILED;
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// Buses 1 and 2 with 50 MW, and in another island a unit at bus 3 and `demand_mw` at bus 4.
fn islands(demand_mw: f64) -> Study {
    let case = format!(
        "function mpc = islands\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 50 0 0 0 1 1 0 230 1 1.1 0.9;\n\
         3 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n4 1 {demand_mw} 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 50 0 100 -100 1 100 1 100 0;\n3 {demand_mw} 0 100 -100 1 100 1 100 0;\n];\n\
         mpc.branch = [\n1 2 0.01 0.1 0 100 0 0 0 0 1 -360 360;\n3 4 0.01 0.1 0 100 0 0 0 0 1 -360 360;\n];\n"
    );
    let module = text(&ingest(case.as_bytes(), "matpower"));
    Study::create(&module, "acpf", AS_FILED).expect("a solution")
}

/// The error of a commit with unit 2 off and these changes of demand: the code, and the id of its element.
fn refused(demand_mw: f64, deltas: &str) -> Option<(&'static str, u64)> {
    let edits = (deltas, "", "", r#"{"2":{"status":false}}"#);
    let error = islands(demand_mw).commit("x", edits, "").err()?;
    Some((error.code, error.element.map_or(0, |element| element.id)))
}

/// The error is the same whether the demand that lacks its unit was edited or not; without remaining demand there is no
/// error.
#[test]
fn demand_without_its_unit_has_no_solution() {
    let infeasible = Some(("SOLVE.INFEASIBLE", 4));
    for deltas in ["", r#"{"4":5}"#, r#"{"4":-5}"#, r#"{"2":5}"#, r#"{"2":5,"4":5}"#] {
        assert_eq!(refused(30.0, deltas), infeasible, "{deltas}");
    }
    assert_eq!(refused(30.0, r#"{"4":-30}"#), None);
    assert_eq!(refused(0.0, ""), None);
    assert_eq!(refused(0.0, r#"{"4":5}"#), infeasible);
    let both = r#"With generator 2 out of service, no generator in the island of bus 4 can balance its demand."#;
    let edits = (r#"{"4":5}"#, "", "", r#"{"2":{"status":false}}"#);
    let error = islands(0.0).commit("x", edits, "").expect_err("no solution");
    assert_eq!(error.message(), both);
}

/// Three units at one bus with a demand of 100 MW, whose schedule in the file is 60, 30 and 10 MW, at 10, 20 and 30 $/MWh; unit 1 can
/// give 70 MW, the others 50. The reference's slack is at its first unit.
fn three_units() -> String {
    let case = "function mpc = units\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 100 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 60 0 100 -100 1 100 1 70 0;\n1 30 0 100 -100 1 100 1 50 0;\n1 10 0 100 -100 1 100 1 50 0;\n];\n\
         mpc.branch = [\n];\nmpc.gencost = [\n2 0 0 2 10 0;\n2 0 0 2 20 0;\n2 0 0 2 30 0;\n];\n";
    text(&ingest(case.as_bytes(), "matpower"))
}

/// The source of the schedule and the outputs, MW; NaN for a unit that is off.
fn scheduled(options: &str, generators: &str) -> (Value, Vec<f64>) {
    let mut study = Study::create(&three_units(), "acpf", options).expect("a solution");
    study.commit("x", ("", "", "", generators), "").expect("a solution");
    let flow = Answer::of(&study);
    let rounded = flow
        .at(ColumnName::DispatchMw)
        .iter()
        .map(|mw| (1e6 * mw).round() / 1e6);
    (flow.head["power_flow"]["dispatch"].clone(), rounded.collect())
}

/// The file's schedule applies when a unit is switched off, whatever is missing; the DC OPF's schedule is computed with
/// the edited generators.
#[test]
fn edits_of_generators_and_the_schedule() {
    let off = r#"{"2":{"status":false}}"#;
    let (source, output) = scheduled("null", off);
    assert_eq!((source, output[0], output[2]), (json!("file"), 90.0, 10.0));
    assert!(output[1].is_nan());
    let dcopf = r#"{"dispatch":"dcopf"}"#;
    assert_eq!(scheduled(dcopf, ""), (json!("dcopf"), vec![70.0, 30.0, 0.0]));
    assert_eq!(scheduled(dcopf, r#"{"1":{"p_max":45}}"#).1, [45.0, 50.0, 5.0]);
    assert_eq!(scheduled(dcopf, r#"{"2":{"cost":5}}"#).1, [50.0, 50.0, 0.0]);
    let (_, output) = scheduled(dcopf, off);
    assert_eq!((output[0], output[2]), (70.0, 30.0));
}
