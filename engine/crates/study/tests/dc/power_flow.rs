//! DC power flow through the JSON surface, on the three-bus network of identical lines.

use serde_json::{json, Value};
use wattbook_study::contract::FormulationId;
use wattbook_study::{abilities_of, capabilities_json, ingest_case_json, solve_module_json, Ability, Job, Study};

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn module() -> String {
    let case = parse(&ingest_case_json(include_bytes!("../three_bus.m"), "matpower").expect("a good case"));
    case["module_json"].as_str().expect("module text").to_string()
}

fn solve(request: &Value) -> Value {
    parse(&solve_module_json(&module(), &request.to_string()).expect("a power flow"))
}

fn refused(request: &Value) -> &'static str {
    solve_module_json(&module(), &request.to_string())
        .expect_err("a refusal")
        .code
}

#[track_caller]
fn column(list: &Value, field: &str, want: &[f64]) {
    let got: Vec<f64> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row[field].as_f64().expect("a number"))
        .collect();
    let close = got.len() == want.len() && got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-9);
    assert!(close, "{got:?} against {want:?}");
}

/// The file schedules nothing at bus 1 (reference) and bus 3, so the reference serves the 90 MW at bus 2: two thirds over
/// the direct line, one third over bus 3.
#[test]
fn the_reference_serves_what_nobody_is_scheduled_for() {
    let s = solve(&json!({ "formulation": "dcpf" }));
    assert_eq!(
        (s["formulation"].as_str(), s["status"].as_str()),
        (Some("dcpf"), Some("feasible"))
    );
    column(&s["flows"], "pf", &[60.0, -30.0, 30.0]);
    column(&s["injections"], "p", &[90.0, -90.0, 0.0]);
    column(&s["slack"], "value", &[90.0]);
    assert_eq!(s["slack"][0]["bus"], 1);
    // Line 2-3 is rated 40 MW; a power flow only tells how full it is.
    assert!((s["flows"][1]["loading"].as_f64().unwrap() - 0.75).abs() < 1e-9);
    let b = 0.1 / 0.0101;
    column(&s["va"], "value", &[0.0, -0.6 / b, -0.3 / b]);
    assert!(s["certificate"]["mismatch_mw"].as_f64().unwrap() < 1e-9);
    assert!(s["certificate"]["worst_bus"].is_u64());
    for block in ["objective", "prices", "dispatch", "sensitivities", "iterations"] {
        assert!(s.get(block).is_none(), "{block}");
    }
    assert!(s["flows"][0].get("shadow").is_none());
}

#[test]
fn edits_move_it_and_the_hash_is_of_the_result() {
    let base = solve(&json!({ "formulation": "dcpf" }));
    let edited = solve(&json!({ "formulation": "dcpf", "edits": { "deltas": { "2": 30.0 }, "rates": { "2": 40.0 } } }));
    column(&edited["flows"], "pf", &[80.0, -40.0, 40.0]);
    assert!((edited["flows"][1]["loading"].as_f64().unwrap() - 0.5).abs() < 1e-9);
    assert_ne!(base["result_sha256"], edited["result_sha256"]);
    let rated = solve(&json!({ "formulation": "dcpf", "edits": { "rates": { "2": 40.0 } } }));
    assert_eq!(base["result_sha256"], rated["result_sha256"]);
    // x is ten times r: the conventions differ by 1 % in the angles and not in the flows.
    let matpower = solve(&json!({ "formulation": "dcpf", "options": { "dc_convention": "matpower" } }));
    column(&matpower["flows"], "pf", &[60.0, -30.0, 30.0]);
    column(&matpower["va"], "value", &[0.0, -0.06, -0.03]);
    // Bus 1 can give 250 MW.
    let much = solve(&json!({ "formulation": "dcpf", "edits": { "deltas": { "2": 200.0 } } }));
    assert_eq!(much["diagnostics"][0]["code"], "SLACK.BEYOND_LIMITS");
    assert_eq!(
        refused(&json!({ "formulation": "dcpf", "edits": { "deltas": { "9": 1.0 } } })),
        "DELTA.UNKNOWN_BUS"
    );
}

#[test]
fn it_has_no_sensitivities() {
    let column = json!([{ "operand": { "Price": "Active" }, "parameter": { "Demand": "Active" } }]);
    assert_eq!(
        refused(&json!({ "formulation": "dcpf", "sensitivities": column })),
        "SENS.UNSUPPORTED"
    );
    let caps = parse(&capabilities_json());
    let dcpf = caps["formulations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|f| f["formulation"] == "dcpf")
        .unwrap();
    assert_eq!((&dcpf["available"], &dcpf["operands"]), (&json!(true), &json!([])));
    assert_eq!(dcpf["blocks"], json!(["va", "flows", "injections", "slack"]));
}

/// A Study of it takes edits as any other does, and refuses the rest by the code of what a formulation lacks.
#[test]
fn a_study_of_it_takes_edits_and_refuses_what_it_lacks() {
    let mut study = Study::create(&module(), "dcpf", "{}").expect("a study");
    let base = parse(&study.current_solution_json().expect("a solution"));
    column(&base["flows"], "mw", &[60.0, -30.0, 30.0]);
    let edited = parse(
        &study
            .commit_json("three", (r#"{"2": 30.0}"#, ""), "")
            .expect("a commit"),
    );
    column(&edited["solution"]["flows"], "mw", &[80.0, -40.0, 40.0]);
    let stateless = solve(&json!({ "formulation": "dcpf", "edits": { "deltas": { "2": 30.0 } } }));
    assert_eq!(edited["solution"]["result_sha256"], stateless["result_sha256"]);
    let lacking = [
        study.sensitivity_json("three", ("", ""), r#"{"bus": 2}"#).err(),
        study.lmp_components_json(r#"{"bus": 2}"#).err(),
        Job::explanation(&study, ("", "")).err(),
        Job::track(&study, r#"{"bus": 2}"#, -1.0, 1.0, "", false).err(),
        Job::screening(&study).err(),
    ];
    for error in lacking {
        assert_eq!(error.expect("a refusal").code, "FORMULATION.UNAVAILABLE");
    }
    assert_eq!(abilities_of(FormulationId::Dcpf), [Ability::Edits]);
}
