//! Edits that the relaxation proves infeasible.

use crate::common::{data, ingest, parse, text, Answer, THREE_BUS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{Job, Study};

/// Twice the demand of ACTIVSg200: bus 30 behind one branch (values of an independent prototype).
#[test]
fn infeasible_edits_are_explained_by_name() {
    let Some(bytes) = data("activsg200/case_ACTIVSg200.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    let mut study = Study::create(&module, "socwr", "").expect("an optimum");
    let base = Answer::of(&study);
    let ids = Answer::from(study.rows());
    let demand = base.at(ColumnName::DemandMw);
    let doubled = ids
        .at(ColumnName::BusId)
        .iter()
        .zip(demand)
        .filter(|(_, mw)| **mw > 0.0);
    let deltas: serde_json::Map<String, Value> = doubled.map(|(id, mw)| (id.to_string(), json!(mw))).collect();
    let deltas = Value::Object(deltas).to_string();
    let refused = study.commit("c", (&deltas, ""), "").expect_err("no optimum");
    assert_eq!(refused.code, "SOLVE.INFEASIBLE");
    assert!(refused
        .details
        .as_ref()
        .is_some_and(|d| d["missing_mw"].as_f64().is_some_and(|mw| mw > 1.0)));
    assert_eq!(Answer::of(&study).head["result_sha256"], base.head["result_sha256"]);
    let mut job = Job::explanation(&study, (&deltas, "")).expect("a search");
    let mut fraction = 0.0;
    loop {
        let step = job.step(1).expect("a step");
        assert!(step.fraction >= fraction);
        fraction = step.fraction;
        if step.done {
            break;
        }
    }
    let found = parse(&job.finish().expect("an explanation").reply.json);
    let total = found["relaxation_total_mw"].as_f64().expect("a total");
    // A model in cvxpy finds 23.10 MVA: one rating, which applies at both ends.
    assert!((total - 23.10).abs() < 0.1, "{total}");
    assert_eq!(found["relaxation"][0]["element"]["kind"], "branch");
    assert_eq!(found["relaxation"][0]["element"]["id"], 45);
    assert_eq!(found["is_least"], true);
    let message = found["message"].as_str().expect("a sentence");
    println!("{message}");
    assert!(
        message.starts_with("No solution: ") && message.contains("raise the rating of line 45"),
        "{message}"
    );
    let feasible = Job::explanation(&study, ("", ""))
        .expect("a search")
        .run()
        .expect("a run");
    assert_eq!(feasible.reply.json, "null");
}

/// Contradicting limits of voltages and angle differences are named, and relaxed in their own units.
#[test]
fn voltage_and_angle_limits_give_way() {
    let Some(bytes) = data("pglib/pglib_opf_case118_ieee.m") else {
        return;
    };
    let source = String::from_utf8(bytes).expect("text");
    for (from, to, kinds, amount, words) in [
        (
            "0.94000;",
            "1.05000;",
            ["voltage_maximum", "voltage_minimum"].as_slice(),
            "voltage_pu",
            " pu",
        ),
        (
            "-30.0\t 30.0;",
            "-1.0\t 1.0;",
            ["angle"].as_slice(),
            "angle_deg",
            " degrees",
        ),
    ] {
        assert!(source.contains(from), "{from}");
        let module = text(&ingest(source.replace(from, to).as_bytes(), "matpower"));
        let found =
            Answer::run(Job::explanation_of_module(&module, r#"{"formulation":"socwr"}"#)).expect("an explanation");
        let named = |rows: &Value| -> Vec<String> {
            let rows = rows.as_array().expect("rows").iter();
            rows.map(|row| row["limit"].as_str().expect("a limit").to_string())
                .collect()
        };
        assert!(named(&found["elements"])
            .iter()
            .any(|limit| kinds.contains(&limit.as_str())));
        assert!(kinds.contains(&named(&found["relaxation"])[0].as_str()), "{found}");
        let first = &found["relaxation"][0];
        let by = first[amount].as_f64().expect("an amount");
        assert!(by > 0.0 && first["mw"] == 0.0 && first["rounded_mw"] == 0.0, "{first}");
        let remedy = found["remedy"].as_str().expect("a sentence");
        assert!(remedy.contains(&format!("by {by}{words}")), "{remedy}");
        println!("{}", found["message"]);
    }
}

/// Only a proved relaxation is called the minimum, whenever the search is stopped.
#[test]
fn a_proved_relaxation_is_called_the_minimum() {
    let source = THREE_BUS.replace(" 0 0 0 0 1 100 1 ", " 0 0 200 -200 1 100 1 ");
    let module = text(&ingest(source.as_bytes(), "matpower"));
    let study = Study::create(&module, "socwr", "").expect("an optimum");
    let stopped = |steps: usize| {
        let mut job = Job::explanation(&study, ("{\"2\":250}", "")).expect("a search");
        let last = (0..steps).map(|_| job.step(1).expect("a step").done).last();
        let found = parse(&job.finish().expect("an explanation").reply.json);
        (last == Some(true), found)
    };
    let (mut early, mut ended) = (0, false);
    for steps in 1..200 {
        let (is_done, found) = stopped(steps);
        if found.is_null() {
            continue;
        }
        let remedy = found["remedy"].as_str().expect("a sentence");
        let is_least = found["is_least"] == true;
        assert_eq!(remedy.starts_with("Minimum relaxation"), is_least, "{found}");
        assert!(is_done || !is_least, "not checked after {steps} steps: {found}");
        early += usize::from(!is_done);
        ended = is_done;
        if is_done {
            assert!(is_least, "{found}");
            break;
        }
    }
    assert!(ended && early > 3, "{early}");
}

/// One bus whose unit gives from -10 to 10 MVAr: 40 MVAr of a load leave 30 to supply, 40 of a capacitor 30 to absorb.
#[test]
fn reactive_power_is_supplied_or_absorbed() {
    for (demand_mvar, limit, words) in [
        (40.0, "reactive_supply", ": supply 30.1"),
        (-40.0, "reactive_absorption", ": absorb 30.1"),
    ] {
        let case = format!(
            "function mpc = one\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
             mpc.bus = [\n1 3 50 {demand_mvar} 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
             mpc.gen = [\n1 0 0 10 -10 1 100 1 100 0;\n];\nmpc.branch = [\n];\nmpc.gencost = [\n2 0 0 2 20 0;\n];\n"
        );
        let module = text(&ingest(case.as_bytes(), "matpower"));
        let found =
            Answer::run(Job::explanation_of_module(&module, r#"{"formulation":"socwr"}"#)).expect("an explanation");
        assert!(
            found["remedy"].as_str().is_some_and(|remedy| remedy.contains(words)),
            "{found}"
        );
        let relaxed = &found["relaxation"][0];
        assert_eq!(relaxed["limit"], limit, "{found}");
        assert!((relaxed["mw"].as_f64().expect("MVAr") - 30.0).abs() < 1e-3, "{found}");
    }
}
