//! Commits, previews, reactive demand and ratings, and functions that a power flow does not have.

use crate::balance::largest_imbalance;
use crate::common::{column, grid, parse, Answer};
use crate::five_bus;
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{materialize_module, solve_module, Job, Study};

#[test]
fn a_committed_state_is_a_function_of_base_and_edits() {
    let module = grid("illinois");
    let mut study = Study::create(&module, "acpf", "null").expect("a solvable case");
    let base = Answer::of(&study);
    let ids = study.rows().columns;
    let loaded: Vec<usize> = (0..base.at(ColumnName::DemandMw).len())
        .filter(|&row| base.at(ColumnName::DemandMw)[row] > 5.0 && base.at(ColumnName::DemandMvar)[row] > 0.0)
        .collect();
    let [a, b] = [loaded[0], loaded[loaded.len() / 2]];
    let id = |row: usize| column(&ids, ColumnName::BusId)[row] as u64;
    let edits = json!({ id(a).to_string(): 4.0, id(b).to_string(): -3.0 }).to_string();

    // A preview is the commit's state.
    let preview = study.preview((&edits, "")).expect("a preview");
    assert_eq!(parse(&preview.json)["exact"], true);
    study.commit("x", (&edits, ""), "").expect("a solvable edit");
    let direct = Answer::of(&study);
    for (row, change) in column(&preview.columns, ColumnName::VmChange).iter().enumerate() {
        let [before, after] = [&base, &direct].map(|flow| flow.at(ColumnName::VmPu)[row]);
        assert_eq!(*change, after - before + 0.0);
    }
    for (change, of) in [
        (ColumnName::FlowChange, ColumnName::FlowMw),
        (ColumnName::FlowMvarChange, ColumnName::FlowMvar),
        (ColumnName::FlowToChange, ColumnName::FlowToMw),
        (ColumnName::FlowToMvarChange, ColumnName::FlowToMvar),
    ] {
        for (row, change) in column(&preview.columns, change).iter().enumerate() {
            let [before, after] = [&base, &direct].map(|flow| flow.at(of)[row]);
            assert!(
                (change - (after - before)).abs() < 1e-9,
                "{of:?}: {change} in row {row}"
            );
        }
    }
    // Reached through other states.
    study
        .commit("x", (&json!({ id(b).to_string(): 20.0 }).to_string(), ""), "")
        .expect("a solvable edit");
    assert_ne!(Answer::of(&study).sha256(), direct.sha256());
    study.commit("x", (&edits, ""), "").expect("a solvable edit");
    assert_eq!(Answer::of(&study).sha256(), direct.sha256());
    assert_eq!(direct.head["power_flow"]["start"], "base");

    // The power factor is constant, and the balance holds with the published demands.
    for (row, mw) in [(a, 4.0), (b, -3.0)] {
        let [p, q] = [ColumnName::DemandMw, ColumnName::DemandMvar].map(|name| base.at(name)[row]);
        assert!((direct.at(ColumnName::DemandMw)[row] - p - mw).abs() < 1e-9);
        assert!((direct.at(ColumnName::DemandMvar)[row] - q * (p + mw) / p).abs() < 1e-9);
    }
    assert!(largest_imbalance(&module, &direct) < 2e-6);

    // The stateless solve and the saved case agree.
    let request = json!({ "formulation": "acpf", "edits": { "deltas": parse(&edits) } }).to_string();
    let stateless = Answer::solved(&module, &request).expect("a solution");
    assert_eq!(stateless["result_sha256"], direct.sha256());
    let saved = materialize_module(&module, (&edits, "")).expect("a saved case");
    let again = Answer::of(&Study::create(&saved, "acpf", "null").expect("a solvable case"));
    for name in [ColumnName::VmPu, ColumnName::VaRad, ColumnName::DemandMvar] {
        for (x, y) in again.at(name).iter().zip(direct.at(name)) {
            assert!(
                (x - y).abs() < 1e-7 || x.is_nan() && y.is_nan(),
                "{name:?}: {x} against {y}"
            );
        }
    }

    study.reset("x").expect("the base case");
    assert_eq!(Answer::of(&study).sha256(), base.sha256());
}

#[test]
fn independent_reactive_demand() {
    let Some(module) = five_bus() else { return };
    let request = |edits: Value| json!({ "formulation": "acpf", "edits": edits }).to_string();
    let q = |request: String| {
        let solved = Answer::solved(&module, &request).expect("a solution");
        solved.at(ColumnName::InjectionMvar)[1]
    };
    let base = q(request(json!({})));
    assert!(
        (q(request(json!({"deltas": {"2": 30.0}}))) - base * 1.1).abs() < 1e-6,
        "{base}"
    );
    assert!((q(request(json!({"deltas": {"2": 30.0}, "reactive": {"2": 0.0}}))) - base).abs() < 1e-6);
    assert!((q(request(json!({"reactive": {"2": 25.0}}))) - (base - 25.0)).abs() < 1e-6);
}

/// Edits of reactive demand are previewed, committed, differentiated and saved like any other, and refused where the
/// formulation has no reactive power.
#[test]
fn a_study_accepts_independent_reactive_demand() {
    let Some(module) = five_bus() else { return };
    for formulation in ["acpf", "socwr"] {
        let mut study = Study::create(&module, formulation, "null").expect("a solvable case");
        let base = Answer::of(&study);
        let edits = (r#"{"2":30}"#, "", r#"{"2":-25,"3":10}"#);
        let preview = study.preview(edits).expect("a preview");
        study.commit("x", edits, "").expect("a solvable edit");
        let there = Answer::of(&study);
        let moved = |name: ColumnName, row: usize| there.at(name)[row] - base.at(name)[row];
        assert!((moved(ColumnName::DemandMw, 1) - 30.0).abs() < 1e-9);
        assert!((moved(ColumnName::DemandMvar, 1) + 25.0).abs() < 1e-9);
        assert!((moved(ColumnName::DemandMvar, 2) - 10.0).abs() < 1e-9);
        if formulation == "acpf" {
            let change = column(&preview.columns, ColumnName::VmChange);
            assert!(change
                .iter()
                .enumerate()
                .all(|(row, x)| *x == moved(ColumnName::VmPu, row) + 0.0));
        }
        // At constant power factor it is another state; the stateless solve and the saved case give the same one.
        study.commit("x", (r#"{"2":30}"#, ""), "").expect("a solvable edit");
        assert_ne!(Answer::of(&study).sha256(), there.sha256());
        let request = json!({
            "formulation": formulation,
            "edits": { "deltas": { "2": 30 }, "reactive": { "2": -25, "3": 10 } },
        });
        let stateless = Answer::solved(&module, &request.to_string()).expect("a solution");
        assert_eq!(stateless["result_sha256"], there.sha256());
        let saved = materialize_module(&module, edits).expect("a saved case");
        let again = Answer::of(&Study::create(&saved, formulation, "null").expect("a solvable case"));
        for (x, y) in again
            .at(ColumnName::DemandMvar)
            .iter()
            .zip(there.at(ColumnName::DemandMvar))
        {
            assert!((x - y).abs() < 1e-9);
        }
        // Where reactive demand is edited independently, a column moves active demand alone.
        let slope = |edits: (&str, &str, &str)| -> Vec<f64> {
            let reply = study.sensitivity("x", edits, r#"{"bus":2}"#).expect("a column");
            reply.columns[0].values.clone()
        };
        assert_ne!(slope((r#"{"2":30}"#, "", "")), slope((r#"{"2":30}"#, "", r#"{"2":0}"#)));
        for (reactive, code) in [
            (r#"{"99":1}"#, "DELTA.UNKNOWN_BUS"),
            (r#"{"2":1e300}"#, "DELTA.MALFORMED"),
            (r#"{"2":"much"}"#, "INPUT.REQUEST"),
        ] {
            let edits = ("", "", reactive);
            assert_eq!(study.commit("x", edits, "").expect_err("a refusal").code, code);
            assert_eq!(study.preview(edits).expect_err("a refusal").code, code);
        }
    }
    for formulation in ["dcopf", "dcpf"] {
        let mut study = Study::create(&module, formulation, "null").expect("a solvable case");
        let plain = Answer::of(&study);
        assert!(!plain.head["diagnostics"].to_string().contains("REACTIVE_UNREAD"));
        study
            .commit("x", ("", "", r#"{"2":1}"#), "")
            .expect("stored for other formulations");
        let answer = Answer::of(&study);
        assert_eq!(answer.head["diagnostics"][0]["code"], "DEMAND.REACTIVE_UNREAD");
        assert_eq!(answer.sha256(), plain.sha256());
    }
}

#[test]
fn ratings_change_loadings_only() {
    let Some(module) = five_bus() else { return };
    let mut study = Study::create(&module, "acpf", "null").expect("a solvable case");
    let before = Answer::of(&study);
    study.commit("x", ("", r#"{"1": -100}"#), "").expect("a rating");
    let after = Answer::of(&study);
    assert_eq!(before.sha256(), after.sha256());
    let [old, new] = [&before, &after].map(|flow| flow.at(ColumnName::RatingMva)[0]);
    assert_eq!(new, old - 100.0);
    let moved = after.at(ColumnName::Loading)[0] / before.at(ColumnName::Loading)[0];
    assert!((moved - old / new).abs() < 1e-12, "{moved}");
    let preview = study.preview(("", r#"{"1": 0}"#)).expect("a preview");
    let change = column(&preview.columns, ColumnName::LoadingChange)[0];
    assert!((change - before.at(ColumnName::Loading)[0] + after.at(ColumnName::Loading)[0]).abs() < 1e-12);
    assert_eq!(
        study
            .commit("x", ("", r#"{"1": -100000}"#), "")
            .expect_err("no rating")
            .code,
        "RATE.NOT_POSITIVE"
    );
}

#[test]
fn functions_that_a_power_flow_lacks_are_refused_by_code() {
    let Some(module) = five_bus() else { return };
    let mut study = Study::create(&module, "acpf", "null").expect("a solvable case");
    let code = |refused: Result<(), wattbook_network::error::EngineError>| refused.expect_err("a refusal").code;
    assert_eq!(
        code(study.lmp_components_json(r#"{"bus":2}"#).map(drop)),
        "FORMULATION.UNAVAILABLE"
    );
    assert_eq!(
        code(Answer::run(Job::explanation(&study, ("", ""))).map(drop)),
        "FORMULATION.UNAVAILABLE"
    );
    let track = Answer::track(&mut study, r#"{"bus":2}"#, 0.0, 1.0, "null", false);
    assert_eq!(code(track.map(drop)), "FORMULATION.UNAVAILABLE");
    assert_eq!(
        code(study.sensitivity("x", ("", ""), r#"{"branch":1}"#).map(drop)),
        "SENS.UNSUPPORTED"
    );
    for (operand, parameter) in [
        (json!({"Price": "Active"}), json!({"Demand": "Active"})),
        (json!({"Voltage": "Magnitude"}), json!("LineLimit")),
        (json!({"Voltage": "Squared"}), json!({"Demand": "Active"})),
    ] {
        let request = json!({
            "formulation": "acpf",
            "sensitivities": [{ "operand": operand, "parameter": parameter }],
        });
        let refused = solve_module(&module, &request.to_string());
        assert_eq!(code(refused.map(drop)), "SENS.UNSUPPORTED");
    }
    let dc = Study::create(&module, "dcopf", "null").expect("a solvable case");
    assert_eq!(
        code(Answer::run(Job::loadability(&dc, r#"{"bus":2}"#)).map(drop)),
        "FORMULATION.UNAVAILABLE"
    );
    let options = Study::create(&module, "dcopf", r#"{"q_limits":true}"#);
    assert_eq!(code(options.map(drop)), "INPUT.REQUEST");
    let options = Study::create(&module, "acpf", r#"{"set_point_pu":-1}"#);
    assert_eq!(code(options.map(drop)), "INPUT.REQUEST");
}
