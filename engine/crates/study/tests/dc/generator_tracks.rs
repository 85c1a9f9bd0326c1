//! Tracks along generator limits: closed forms, commits at their positions, and refusals.

use super::tracks::{close, contiguous, list, number, study, track, STAIRCASE};
use crate::common::{ingest, parse, text, three_bus, Answer};
use serde_json::{json, Value};
use wattbook_study::{Job, Study};

fn commit(study: &mut Study, deltas: &Value, generators: &Value) -> Answer {
    let (deltas, generators) = (deltas.to_string(), generators.to_string());
    let edits = (deltas.as_str(), "", "", generators.as_str());
    Answer::from(study.commit("x", edits, "").expect("a solvable edit"))
}

/// All results at a position equal those of a commit there.
#[track_caller]
fn agrees(tracked: &Study, mw: f64, module: &str, deltas: &Value, generators: &Value) {
    let mut fresh = study(module);
    let cost = number(&commit(&mut fresh, deltas, generators)["solution"]["objective"]);
    let reported = tracked.track_state(mw).expect("a state of the track");
    close(&parse(&reported.json)["objective"], cost, 1e-8 * cost.abs().max(1.0));
    let generators = generators.to_string();
    let deltas = deltas.to_string();
    let exact = fresh
        .commit("x", (deltas.as_str(), "", "", generators.as_str()), "")
        .unwrap();
    for (reported, want) in reported.columns.iter().zip(&exact.columns) {
        assert_eq!(reported.name, want.name);
        let largest = want.values.iter().fold(1.0f64, |most, value| most.max(value.abs()));
        for (a, b) in reported.values.iter().zip(&want.values) {
            let same = (a - b).abs() <= 1e-8 * largest || (a.is_nan() && b.is_nan());
            assert!(same, "{:?} at {mw}: {a} against {b}", want.name);
        }
    }
}

/// Line 2 carries (g1 + 2 g2) / 3, at most 40 MW, so g2 gives 30 of 90 MW. A capacity below that frees the line.
#[test]
fn a_track_of_a_capacity_has_positions_in_mw_of_the_limit() {
    let module = three_bus();
    let mut s = study(&module);
    let t = track(&mut s, &json!({ "generator": 2 }), 300.0, 0.0);
    contiguous(&t);
    assert_eq!(
        (&t["target"]["kind"], &t["target"]["id"]),
        (&json!("generator"), &json!(2))
    );
    assert_eq!((&t["value"], &t["watched_bus"]), (&json!("p_max"), &json!(3)));
    close(&t["breakpoints"][0]["mw"], 30.0, 1e-7);
    assert_eq!(t["breakpoints"][0]["event"], "generator_reaches_max");
    close(&t["breakpoints"][0]["price_before"], 0.17 * 30.0 + 1.2, 1e-7);
    close(&t["breakpoints"][0]["price_after"], 0.22 * 60.0 + 5.0, 1e-7);
    // Down to Pmin.
    close(&t["stopped"]["mw"], 10.0, 1e-9);
    assert_eq!(t["stopped"]["reason"], "edit_limit");
    assert_eq!(t["stopped"]["message"], "Pmax and Pmin of the generator meet.");
    assert_eq!(t["begins"], Value::Null);
    for mw in [280.0, 100.0, 31.0, 29.0, 11.0] {
        agrees(&s, mw, &module, &json!({}), &json!({ "2": { "p_max": mw } }));
    }
    // From another committed limit the path is the same.
    commit(&mut s, &json!({}), &json!({ "2": { "p_max": 20.0 } }));
    let again = track(&mut s, &json!({ "generator": 2, "value": "p_max" }), 300.0, 0.0);
    contiguous(&again);
    close(&again["breakpoints"][0]["mw"], 30.0, 1e-7);
    close(&again["stopped"]["mw"], 10.0, 1e-9);
    agrees(&s, 100.0, &module, &json!({}), &json!({ "2": { "p_max": 100.0 } }));
    // Also from one outside the requested range.
    let part = track(&mut s, &json!({ "generator": 2 }), 50.0, 25.0);
    contiguous(&part);
    close(&part["breakpoints"][0]["mw"], 30.0, 1e-7);
}

#[test]
fn a_track_of_a_minimum_ends_where_no_unit_can_yield() {
    let module = three_bus();
    let mut s = study(&module);
    // Unit 1 gives 60 MW; line 2 binds, and more from unit 1 frees it. Unit 2 must give 10 MW.
    let t = track(&mut s, &json!({ "generator": 1, "value": "p_min" }), 0.0, 300.0);
    contiguous(&t);
    assert_eq!(t["value"], "p_min");
    close(&t["breakpoints"][0]["mw"], 60.0, 1e-7);
    close(&t["stopped"]["mw"], 80.0, 1e-7);
    assert_eq!(t["stopped"]["reason"], "infeasible");
    let message = t["stopped"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("No solution with Pmin above 80.0 MW at generator 1: "),
        "{message}"
    );
    for mw in [5.0, 59.0, 61.0, 79.0] {
        agrees(&s, mw, &module, &json!({}), &json!({ "1": { "p_min": mw } }));
    }
}

/// 90 MW of demand with 110 MW of capacity: unit 1 cannot give less than 30 of its 50 MW.
#[test]
fn a_capacity_that_demand_needs_is_explained() {
    let module = text(&ingest(STAIRCASE.as_bytes(), "matpower"));
    let mut s = study(&module);
    let more = json!({ "2": 50 });
    commit(&mut s, &more, &json!({}));
    let t = Answer::track(&mut s, "{\"generator\": 1}", 50.0, 0.0, "", true).unwrap();
    contiguous(&t);
    let stop = &t["stopped"];
    close(&stop["mw"], 30.0, 1e-7);
    assert_eq!(
        (&stop["reason"], &stop["error"]["code"]),
        (&json!("infeasible"), &json!("SOLVE.INFEASIBLE"))
    );
    let message = stop["message"].as_str().unwrap();
    assert!(
        message.starts_with("No solution with Pmax below 30.0 MW at generator 1: "),
        "{message}"
    );
    close(&stop["explanation"]["relaxation_total_mw"], 30.0, 1e-6);
    agrees(&s, 40.0, &module, &more, &json!({ "1": { "p_max": 40.0 } }));
}

/// A unit of 10 $/MWh up to 50 MW and 20 up to 90 MW, beside one of 30 $/MWh; demand 100 MW.
const CURVE: &str = "function mpc = curve
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
2 1 100 0 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
1 0 0 0 0 1 100 1 90 0;
2 0 0 0 0 1 100 1 200 0;
];
mpc.branch = [
1 2 0.01 0.1 0 500 0 0 0 0 1 -360 360;
];
mpc.gencost = [
1 0 0 3 0 0 50 500 90 1300;
2 0 0 3 0 30 0 0 0 0;
];
";

#[test]
fn both_sides_of_a_corner_of_the_cost_are_joined() {
    let module = text(&ingest(CURVE.as_bytes(), "matpower"));
    for start in [90.0, 50.0, 20.0] {
        let mut s = study(&module);
        commit(&mut s, &json!({}), &json!({ "1": { "p_max": start } }));
        let t = track(&mut s, &json!({ "generator": 1 }), 0.0, 90.0);
        contiguous(&t);
        let corners: Vec<f64> = list(&t["breakpoints"]).iter().map(|b| number(&b["mw"])).collect();
        assert!(
            corners.len() == 1 && (corners[0] - 50.0).abs() < 1e-7,
            "from {start}: {corners:?}"
        );
        assert_eq!(t["breakpoints"][0]["event"], "generator_reaches_breakpoint");
        for mw in [10.0, 45.0, 55.0, 89.0] {
            agrees(&s, mw, &module, &json!({}), &json!({ "1": { "p_max": mw } }));
        }
    }
    // At first the limits coincide.
    let mut s = study(&module);
    commit(&mut s, &json!({}), &json!({ "1": { "p_min": 60.0, "p_max": 60.0 } }));
    let t = track(&mut s, &json!({ "generator": 1, "value": "p_min" }), 0.0, 60.0);
    contiguous(&t);
    agrees(
        &s,
        30.0,
        &module,
        &json!({}),
        &json!({ "1": { "p_min": 30.0, "p_max": 60.0 } }),
    );
}

#[test]
fn invalid_targets_of_tracks_are_named() {
    let mut s = study(&three_bus());
    let code = |s: &Study, target: Value, from: f64, to: f64| {
        let Err(error) = Job::track(s, &target.to_string(), from, to, "", false) else {
            panic!("{target} is followed")
        };
        (error.code, error.element.map(|element| element.id))
    };
    assert_eq!(
        code(&s, json!({ "generator": 9 }), 0.0, 1.0),
        ("GENERATOR.UNKNOWN", None)
    );
    let cost = json!({ "generator": 2, "value": "cost" });
    assert_eq!(code(&s, cost, 0.0, 1.0), ("INPUT.REQUEST", Some(2)));
    let unit = || json!({ "generator": 2 });
    assert_eq!(code(&s, unit(), f64::NAN, 1.0), ("INPUT.REQUEST", Some(2)));
    // The whole range is invalid: Pmax would be below Pmin.
    assert_eq!(code(&s, unit(), 5.0, 0.0), ("GENERATOR.LIMITS", Some(2)));
    commit(&mut s, &json!({}), &json!({ "2": { "status": false } }));
    assert_eq!(code(&s, unit(), 0.0, 50.0), ("GENERATOR.OUT_OF_SERVICE", Some(2)));
}
