//! AC power flow with default options: the file's dispatch, and the offers where it has no solution.

use crate::common::{column, ingest, text, Answer};
use serde_json::json;
use wattbook_study::contract::ColumnName;
use wattbook_study::{solve_module, Job, Study};

/// Two units on both sides of a lossless line of 0.1 pu, which carries at most 1000 MW at 1 pu: 1400 MW are needed at bus 2, and in the file
/// unit 1 gives all of them. At 10 and 5 $/MWh the DC OPF runs unit 2 at its 1000 MW.
fn far_away(unit_1_mw: f64) -> String {
    let case = format!(
        "function mpc = far\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 2 1400 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 {unit_1_mw} 0 900 -900 1 100 1 1500 0;\n2 0 0 900 -900 1 100 1 1000 0;\n];\n\
         mpc.branch = [\n1 2 0 0.1 0 0 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 2 10 0;\n2 0 0 2 5 0;\n];\n"
    );
    text(&ingest(case.as_bytes(), "matpower"))
}

#[test]
fn a_dispatch_without_a_solution_offers_the_optimum() {
    let module = far_away(1400.0);
    let error = Study::create(&module, "acpf", "").expect_err("more than the line carries");
    assert_eq!(error.code, "SOLVE.NOT_CONVERGED");
    assert_eq!(
        error.details.as_ref().expect("details")["options"],
        json!({ "dispatch": "dcopf" })
    );
    assert!(error.message().contains("dispatch of the DC OPF"), "{error}");
    // The offer solves and reports its options.
    let study = Study::create(&module, "acpf", r#"{"dispatch":"dcopf"}"#).expect("a solution");
    let flow = Answer::of(&study);
    assert_eq!(flow.head["power_flow"]["dispatch"], "dcopf");
    assert_eq!(flow.head["power_flow"]["slack"], "distributed");
    // 400 MW over the line: sin(angle) = 0.4.
    let angle = flow.at(ColumnName::VaRad);
    assert!(((angle[0] - angle[1]).sin() - 0.4).abs() < 1e-8, "{angle:?}");
    // The stateless solve returns the same error.
    let refused = solve_module(&module, r#"{"formulation":"acpf"}"#).expect_err("no solution");
    assert_eq!(refused.message(), error.message());
}

/// The reference supplies what the file's dispatch lacks, whatever the amount.
#[test]
fn the_reference_supplies_the_missing_power() {
    let case = "function mpc = short\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 2 90 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 0 0 900 -900 1.02 100 1 50 0;\n2 10 0 900 -900 1.02 100 1 30 0;\n];\n\
         mpc.branch = [\n1 2 0 0.1 0 0 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 2 10 0;\n2 0 0 2 5 0;\n];\n";
    let module = text(&ingest(case.as_bytes(), "matpower"));
    // 90 MW exceed the 80 MW of both units: no optimum, and a power flow.
    let infeasible = Study::create(&module, "dcopf", "").expect_err("too much demand");
    assert_eq!(infeasible.code, "SOLVE.INFEASIBLE");
    let study = Study::create(&module, "acpf", "").expect("a solution");
    let flow = Answer::of(&study);
    let [first, second] = flow.at(ColumnName::DispatchMw)[..] else {
        panic!("two units")
    };
    assert!((first - 80.0).abs() < 1e-6 && second == 10.0, "{first} and {second}");
    assert!(flow.at(ColumnName::VmPu).iter().all(|v| (v - 1.02).abs() < 1e-9));
    assert_eq!(flow.head["diagnostics"][0]["code"], "SLACK.BEYOND_LIMITS");
}

/// Loads with negative demand: `at` are the demands of buses 2 and 3, MW.
fn loads(at: [f64; 2]) -> String {
    let [a, b] = at;
    let case = format!(
        "function mpc = loads\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 {a} 0 0 0 1 1 0 230 1 1.1 0.9;\n\
         3 1 {b} 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 60 0 900 -900 1 100 1 900 -900;\n];\n\
         mpc.branch = [\n1 2 0 0.1 0 900 0 0 0 0 1 -360 360;\n2 3 0 0.1 0 900 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 2 10 0;\n];\n"
    );
    text(&ingest(case.as_bytes(), "matpower"))
}

#[test]
fn demand_that_is_negative_in_the_file_may_be_edited() {
    let module = loads([100.0, -40.0]);
    for formulation in ["dcopf", "acpf"] {
        let mut study = Study::create(&module, formulation, "").expect("a solution");
        for (change, demand) in [(-30.0, -70.0), (25.0, -15.0), (60.0, 20.0)] {
            let edits = json!({ "3": change }).to_string();
            study.commit("x", (edits.as_str(), ""), "").expect("an edit");
            assert!((Answer::of(&study).at(ColumnName::DemandMw)[2] - demand).abs() < 1e-9);
        }
        let refused = study
            .commit("x", (r#"{"2":-100.5}"#, ""), "")
            .expect_err("a load made negative");
        assert_eq!(refused.code, "DELTA.NEGATIVE_DEMAND");
    }
    let mut study = Study::create(&module, "dcopf", "").expect("a solution");
    let track = Answer::track(&mut study, r#"{"bus":3}"#, -500.0, 0.0, "null", false);
    assert_eq!(track.expect("a track")["stopped"], json!(null));
}

#[test]
fn negative_demand_counts_in_profiles_and_growth() {
    let study = Study::create(&loads([100.0, -40.0]), "acpf", "").expect("a solution");
    let profile = study.read_profile(b"hour,system\n1,60\n2,90\n").expect("a profile");
    let demand = column(&profile.columns, ColumnName::DemandMw);
    for (got, want) in demand.iter().zip([100.0, -40.0, 150.0, -60.0]) {
        assert!((got - want).abs() < 1e-9, "{demand:?}");
    }
    let found = Answer::run(Job::loadability(&study, r#"{"system":true}"#)).expect("a curve");
    assert_eq!(found["demand_mw"], 60.0);
    // Both loads by one factor k: the line from 1 to 2 carries 60 k MW, that from 2 to 3 40 k MW back.
    let k = 1.0 + found["margin_mw"].as_f64().expect("MW") / 60.0;
    let more = json!({ "2": 100.0 * (0.999 * k - 1.0), "3": -40.0 * (0.999 * k - 1.0) }).to_string();
    let mut study = Study::create(&loads([100.0, -40.0]), "acpf", "").expect("a solution");
    study
        .commit("x", (more.as_str(), ""), "")
        .expect("a solution before the end");
    let beyond = json!({ "2": 100.0 * (1.001 * k - 1.0), "3": -40.0 * (1.001 * k - 1.0) }).to_string();
    assert_eq!(
        study
            .commit("x", (beyond.as_str(), ""), "")
            .expect_err("none behind it")
            .code,
        "SOLVE.NOT_CONVERGED"
    );
    // Demand that sums to zero cannot grow by a factor and is refused.
    let even = Study::create(&loads([40.0, -40.0]), "acpf", "").expect("a solution");
    assert_eq!(
        even.read_profile(b"hour,system\n1,60\n").expect_err("no factor").code,
        "PROFILE.MALFORMED"
    );
    assert_eq!(
        Answer::run(Job::loadability(&even, r#"{"system":true}"#))
            .expect_err("no factor")
            .code,
        "INPUT.REQUEST"
    );
}
