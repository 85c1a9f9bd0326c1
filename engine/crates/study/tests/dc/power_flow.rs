//! DC power flow through the JSON surface, on the three-bus network of identical lines.

use crate::common::{parse, three_bus, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::{ColumnName, FormulationId};
use wattbook_study::{abilities_of, capabilities_json, solve_module, Ability, Job, Study};

fn solve(request: &Value) -> Answer {
    Answer::solved(&three_bus(), &request.to_string()).expect("a power flow")
}

fn refused(request: &Value) -> &'static str {
    solve_module(&three_bus(), &request.to_string())
        .expect_err("a refusal")
        .code
}

#[track_caller]
fn column(solved: &Answer, name: ColumnName, want: &[f64]) {
    let got = solved.at(name);
    let close = got.len() == want.len() && got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-9);
    assert!(close, "{got:?} against {want:?}");
}

/// The file has no schedule at bus 1 (reference) and bus 3, so the reference serves the 90 MW at bus 2: two thirds over
/// the direct line, one third over bus 3.
#[test]
fn the_reference_serves_unscheduled_demand() {
    let s = solve(&json!({ "formulation": "dcpf" }));
    assert_eq!(
        (s["formulation"].as_str(), s["status"].as_str()),
        (Some("dcpf"), Some("feasible"))
    );
    column(&s, ColumnName::FlowMw, &[60.0, -30.0, 30.0]);
    column(&s, ColumnName::InjectionMw, &[90.0, -90.0, 0.0]);
    assert!((s["slack"][0]["value"].as_f64().unwrap() - 90.0).abs() < 1e-9 && s["slack"][1].is_null());
    assert_eq!(s["slack"][0]["bus"], 1);
    // Line 2-3 is rated 40 MW; a power flow only reports its loading.
    assert!((s.at(ColumnName::Loading)[1] - 0.75).abs() < 1e-9);
    let b = 0.1 / 0.0101;
    column(&s, ColumnName::VaRad, &[0.0, -0.6 / b, -0.3 / b]);
    assert!(s["certificate"]["mismatch_mw"].as_f64().unwrap() < 1e-9);
    assert!(s["certificate"]["worst_bus"].is_u64());
    for block in ["objective", "sensitivities", "iterations"] {
        assert!(s.get(block).is_none(), "{block}");
    }
    for name in [ColumnName::Lmp, ColumnName::DispatchMw, ColumnName::Shadow] {
        assert!(!s.has(name), "{name:?}");
    }
}

#[test]
fn edits_move_it_and_the_hash_is_of_the_result() {
    let base = solve(&json!({ "formulation": "dcpf" }));
    let edited = solve(&json!({ "formulation": "dcpf", "edits": { "deltas": { "2": 30.0 }, "rates": { "2": 40.0 } } }));
    column(&edited, ColumnName::FlowMw, &[80.0, -40.0, 40.0]);
    assert!((edited.at(ColumnName::Loading)[1] - 0.5).abs() < 1e-9);
    assert_ne!(base["result_sha256"], edited["result_sha256"]);
    let rated = solve(&json!({ "formulation": "dcpf", "edits": { "rates": { "2": 40.0 } } }));
    assert_eq!(base["result_sha256"], rated["result_sha256"]);
    // x is ten times r: the conventions differ by 1 % in the angles and not in the flows.
    let matpower = solve(&json!({ "formulation": "dcpf", "options": { "dc_convention": "matpower" } }));
    column(&matpower, ColumnName::FlowMw, &[60.0, -30.0, 30.0]);
    column(&matpower, ColumnName::VaRad, &[0.0, -0.06, -0.03]);
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

/// A Study of it accepts edits like any other, and refuses what the formulation does not have with the usual code.
#[test]
fn a_study_of_it_accepts_edits_and_refuses_what_it_lacks() {
    let mut study = Study::create(&three_bus(), "dcpf", "{}").expect("a study");
    let base = Answer::of(&study);
    column(&base, ColumnName::FlowMw, &[60.0, -30.0, 30.0]);
    let edited = Answer::from(study.commit("three", (r#"{"2": 30.0}"#, ""), "").expect("a commit"));
    column(&edited, ColumnName::FlowMw, &[80.0, -40.0, 40.0]);
    let stateless = solve(&json!({ "formulation": "dcpf", "edits": { "deltas": { "2": 30.0 } } }));
    assert_eq!(edited["solution"]["result_sha256"], stateless["result_sha256"]);
    let lacking = [
        study.sensitivity("three", ("", ""), r#"{"bus": 2}"#).err(),
        study.lmp_components_json(r#"{"bus": 2}"#).err(),
        Job::explanation(&study, ("", "")).err(),
        Job::track(&study, r#"{"bus": 2}"#, -1.0, 1.0, "", false).err(),
        Job::screening(&study, "").err(),
    ];
    for error in lacking {
        assert_eq!(error.expect("a refusal").code, "FORMULATION.UNAVAILABLE");
    }
    assert_eq!(abilities_of(FormulationId::Dcpf), [Ability::Edits]);
}

/// Without line 1-3 all 90 MW flow over line 1-2: outage factors at fixed injections are exact.
#[test]
fn an_outage_is_previewed_exactly() {
    let mut study = Study::create(&three_bus(), "dcpf", "{}").expect("a case");
    let out = json!({ "branches": { "3": { "status": false } } }).to_string();
    let preview = Answer::from(study.preview(out.as_str()).expect("a preview"));
    column(&preview, ColumnName::FlowChange, &[30.0, 30.0, -30.0]);
    assert_eq!(preview["exact"], true);
    let after = study.outage_flows(r#"{ "branch": 3 }"#).expect("flows");
    assert!(
        after
            .iter()
            .zip([90.0, 0.0, 0.0])
            .all(|(got, want)| (got - want).abs() < 1e-9),
        "{after:?}"
    );
    study.commit("x", out.as_str(), "").expect("a power flow");
    let committed = Answer::of(&study);
    assert!((committed.at(ColumnName::FlowMw)[0] - 90.0).abs() < 1e-9);
    // The next outage splits the network, and other edits have no preview.
    let both = json!({ "branches": { "3": { "status": false }, "1": { "status": false } } }).to_string();
    assert_eq!(
        study.preview(both.as_str()).expect_err("an island").code,
        "OUTAGE.ISLANDING"
    );
    let changed = json!({ "branches": { "3": { "status": false, "x": 0.2 } } }).to_string();
    assert_eq!(
        study.preview(changed.as_str()).expect_err("no preview").code,
        "BRANCH.NO_PREVIEW"
    );
    let demand = json!({ "branches": { "3": { "status": false } }, "deltas": { "2": 1.0 } }).to_string();
    assert_eq!(
        study.preview(demand.as_str()).expect_err("no preview").code,
        "FORMULATION.UNAVAILABLE"
    );
    // Prices need a solve.
    let priced = Study::create(&three_bus(), "dcopf", "{}").expect("a case");
    let refused = priced.preview(out.as_str()).expect_err("no preview");
    assert_eq!(refused.code, "BRANCH.NO_PREVIEW");
    assert!(refused.message().contains("need a solve"), "{}", refused.message());
}
