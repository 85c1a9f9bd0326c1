//! Demand plans through the JSON surface: placement and redistribution, verified by commits, differences and
//! enumeration of all plans.

use crate::common::{grid, ingest, text, Answer, THREE_BUS};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use wattbook_study::contract::ColumnName;
use wattbook_study::{Job, Study};

/// A case with reactive demand, and generators that can supply it.
pub(crate) fn reactive() -> String {
    THREE_BUS
        .replace("1 3 0 0", "1 3 10 5")
        .replace("2 1 90 0", "2 1 90 20")
        .replace("3 2 0 0 0 0", "3 2 20 4 0 0")
        .replace("0 0 0 0 1 100 1", "0 0 100 -100 1 100 1")
}

pub(crate) fn study_of(case: &str, formulation: &str) -> Study {
    Study::create(&text(&ingest(case.as_bytes(), "matpower")), formulation, "").expect("a solvable case")
}

pub(crate) fn spec(changes: &Value) -> String {
    let mut spec = json!({
        "kind": "demand_placement",
        "objective": { "kind": "weighted_lmp", "weights": [
            { "bus": 1, "weight": 0.3 }, { "bus": 2, "weight": 1.0 }, { "bus": 3, "weight": 0.2 }] },
        "candidates": [1, 2, 3],
        "max_change_per_bus_mw": 20.0,
        "budget_mw": 30.0,
        "increment_mw": 5.0,
        "max_changed_buses": 3,
        "exact_solve_budget": 40,
    });
    for (name, value) in changes.as_object().expect("an object") {
        spec[name] = value.clone();
    }
    spec.to_string()
}

pub(crate) fn plan(study: &Study, changes: &Value) -> Answer {
    Answer::run(Job::plan(study, &spec(changes))).expect("a plan")
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The objective of `spec` and the cost after changes of demand.
pub(crate) fn at(study: &Study, changes: &[f64]) -> Option<(f64, f64)> {
    let mut moved = study.clone();
    let deltas: BTreeMap<String, f64> = (1..)
        .map(|bus: i32| bus.to_string())
        .zip(changes.iter().copied())
        .collect();
    moved.commit("three", (&json!(deltas).to_string(), ""), "").ok()?;
    let s = Answer::of(&moved);
    let price = |bus: usize| s.at(ColumnName::Lmp)[bus];
    Some((0.3 * price(0) + price(1) + 0.2 * price(2), s.objective()))
}

/// Changes by bus, from a list of the contract.
pub(crate) fn by_bus(list: &Value) -> [f64; 3] {
    let mut changes = [0.0; 3];
    for one in list.as_array().expect("a list") {
        changes[one["bus"].as_u64().unwrap() as usize - 1] += number(&one["delta_mw"]);
    }
    changes
}

/// The smallest objective of all plans: changes by 5 MW within limits by bus and a sum.
pub(crate) fn least(study: &Study, low: [i32; 3], high: i32, sum: i32, most_up: i32) -> f64 {
    let mut best = f64::INFINITY;
    for a in low[0]..=high {
        for b in low[1]..=high {
            let c = sum - a - b;
            let up = [a, b, c].iter().map(|n| (*n).max(0)).sum::<i32>();
            if (low[2]..=high).contains(&c) && up <= most_up {
                let changes = [a, b, c].map(|n| 5.0 * f64::from(n));
                best = best.min(at(study, &changes).map_or(f64::INFINITY, |(phi, _)| phi));
            }
        }
    }
    best
}

/// Every trial agrees with commits: its change, its error, its cost; its total is constant.
pub(crate) fn check_trials(study: &Study, found: &Value, total: f64, tolerance: f64) {
    let (mut before, _) = at(study, &[0.0; 3]).unwrap();
    let mut reached = [0.0; 3];
    assert!((number(&found["baseline"]["phi"]) - before).abs() <= tolerance);
    for (k, trial) in found["trials"].as_array().unwrap().iter().enumerate() {
        assert_eq!(trial["exact_solve"], json!(k + 2));
        let (step, changes) = (by_bus(&trial["step"]), by_bus(&trial["delta_mw"]));
        let expected: Vec<f64> = reached.iter().zip(step).map(|(a, b)| a + b).collect();
        assert_eq!(expected, changes, "{trial}");
        let placed: f64 = step.iter().sum();
        assert_eq!(placed > 0.0, trial["places"] == true, "{trial}");
        if trial["places"] == false {
            assert_eq!(changes.iter().sum::<f64>(), total, "{trial}");
        }
        let Some((phi, cost)) = at(study, &changes) else {
            assert_eq!(trial["exact_phi_delta"], Value::Null);
            assert_eq!(trial["accepted"], false);
            assert_eq!(trial["reason"]["code"], "SOLVE.INFEASIBLE");
            continue;
        };
        let exact = number(&trial["exact_phi_delta"]);
        assert!((exact - (phi - before)).abs() <= tolerance, "{exact} {phi} {before}");
        assert!((number(&trial["objective"]) - cost).abs() <= 1e-6 * cost);
        let predicted = number(&trial["predicted_phi_delta"]);
        let slope: f64 = (0..3).map(|b| number(&trial["gradient"][b]["value"]) * step[b]).sum();
        assert!((predicted - slope).abs() < 1e-9);
        assert_eq!(number(&trial["first_order_error"]), (exact - predicted).abs());
        if let Some(path) = trial.get("path_phi_delta") {
            assert!((number(path) - exact).abs() < 1e-8, "{trial}");
        }
        assert_eq!(trial["accepted"], json!(trial["places"] == true || exact < 0.0));
        if trial["accepted"] == true {
            (before, reached) = (phi, changes);
        }
    }
    assert_eq!(by_bus(&found["proposal"]), reached);
    assert!((number(&found["best"]["phi"]) - before).abs() <= tolerance);
}

#[test]
fn a_placement_is_the_best_of_all_placements() {
    for (formulation, tolerance) in [("dcopf", 1e-9), ("socwr", 1e-4)] {
        for budget in [30.0, 45.0, 60.0] {
            let study = study_of(&reactive(), formulation);
            let found = plan(&study, &json!({ "budget_mw": budget }));
            check_trials(&study, &found, budget, tolerance);
            assert_eq!(
                (&found["trials"][0]["places"], &found["kind"]),
                (&json!(true), &json!("demand_placement"))
            );
            assert_eq!(number(&found["spent_budget_mw"]), budget);
            let sum = (budget / 5.0) as i32;
            let brute = least(&study, [0; 3], 4, sum, sum);
            let best = number(&found["best"]["phi"]);
            assert!(
                (best - brute).abs() <= tolerance,
                "{formulation}, {budget} MW: {best} against {brute}: {found}"
            );
        }
    }
}

#[test]
fn a_redistribution_preserves_the_total_and_is_the_best_of_all() {
    for (formulation, tolerance) in [("dcopf", 1e-9), ("socwr", 1e-4)] {
        for budget in [10.0, 25.0] {
            let study = study_of(&reactive(), formulation);
            let found = plan(&study, &json!({ "kind": "demand_redistribution", "budget_mw": budget }));
            check_trials(&study, &found, 0.0, tolerance);
            let most_up = (budget / 5.0) as i32;
            // Bus 1 can give 10 MW, bus 3 can give 20; 20 MW is the limit of each.
            let brute = least(&study, [-2, -4, -4], 4, 0, most_up);
            let best = number(&found["best"]["phi"]);
            assert!(
                (best - brute).abs() <= tolerance,
                "{formulation}, {budget} MW: {best} against {brute}: {found}"
            );
            assert!(best < number(&found["baseline"]["phi"]), "{formulation}: {found}");
            let up: f64 = by_bus(&found["proposal"]).iter().map(|mw| mw.max(0.0)).sum();
            assert_eq!(number(&found["spent_budget_mw"]), up);
            assert!(up <= budget);
        }
    }
}

/// Reactive demand follows as for an edit, in the gradient as well.
#[test]
fn the_gradient_by_demand_is_the_difference_quotient() {
    for (formulation, tolerance) in [("dcopf", 1e-6), ("socwr", 1e-3)] {
        let study = study_of(&reactive(), formulation);
        let gradient = plan(&study, &json!({}))["trials"][0]["gradient"].clone();
        for bus in 0..3 {
            let moved = |mw: f64| {
                let mut changes = [0.0; 3];
                changes[bus] = mw;
                at(&study, &changes).unwrap().0
            };
            let quotient = (moved(0.05) - moved(-0.05)) / 0.1;
            let slope = number(&gradient[bus]["value"]);
            assert_eq!(gradient[bus]["bus"], json!(bus + 1));
            assert!(
                (slope - quotient).abs() < tolerance * quotient.abs().max(0.01),
                "{formulation}: {slope} {quotient}"
            );
        }
    }
}

/// Prices of linear costs move in steps: derivatives are zero, exact paths are not.
#[test]
fn linear_costs_are_planned_along_exact_paths() {
    let linear = reactive()
        .replace("2 0 0 3 0.11 5 0", "2 0 0 3 0 30 0")
        .replace("2 0 0 3 0.085 1.2 0", "2 0 0 3 0 10 0");
    let study = study_of(&linear, "dcopf");
    let found = plan(
        &study,
        &json!({ "kind": "demand_redistribution", "increment_mw": 40.0, "budget_mw": 40.0, "max_change_per_bus_mw": 40.0 }),
    );
    let trial = &found["trials"][0];
    assert!(trial["gradient"]
        .as_array()
        .unwrap()
        .iter()
        .all(|g| number(&g["value"]) == 0.0));
    assert_eq!(
        (&trial["predicted_phi_delta"], &trial["accepted"]),
        (&json!(0.0), &json!(true))
    );
    check_trials(&study, &found, 0.0, 1e-9);
}

/// On a grid of 200 buses, a plan of all loads is verified by commits, and each step by its exact path.
#[test]
fn a_grid_is_planned_on() {
    let study = Study::create(&grid("illinois"), "dcopf", "").expect("a solvable grid");
    let rows = Answer::from(study.rows());
    let buses: Vec<u64> = rows.at(ColumnName::BusId).iter().map(|id| *id as u64).collect();
    let weights: Vec<Value> = buses
        .iter()
        .map(|bus| json!({ "bus": bus, "weight": 1.0 / buses.len() as f64 }))
        .collect();
    for kind in ["demand_placement", "demand_redistribution"] {
        let found = plan(
            &study,
            &json!({ "kind": kind, "candidates": buses, "objective": { "kind": "weighted_lmp", "weights": weights },
                "increment_mw": 10.0, "budget_mw": 100.0, "max_change_per_bus_mw": 40.0, "max_changed_buses": 6, "exact_solve_budget": 16 }),
        );
        let trials = found["trials"].as_array().unwrap();
        assert!(
            trials.iter().all(|trial| trial["exact_phi_delta"].is_number()),
            "paths prove what has no solution: {found}"
        );
        let total: f64 = (found["proposal"].as_array().unwrap().iter())
            .map(|one| number(&one["delta_mw"]))
            .sum();
        assert_eq!(total, if kind == "demand_placement" { 100.0 } else { 0.0 });
        assert!(
            trials
                .iter()
                .any(|trial| trial["accepted"] == true && trial["places"] == false),
            "a move: {found}"
        );
        for trial in trials {
            let total: f64 = trial["delta_mw"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| number(&one["delta_mw"]))
                .sum();
            if trial["places"] == false {
                assert_eq!(total, if kind == "demand_placement" { 100.0 } else { 0.0 });
            }
            assert!(trial["delta_mw"].as_array().unwrap().len() <= 6);
            if let (Some(path), Some(exact)) = (trial["path_phi_delta"].as_f64(), trial["exact_phi_delta"].as_f64()) {
                assert!((path - exact).abs() < 1e-6, "{trial}");
            }
        }
        let deltas: BTreeMap<String, f64> = (found["proposal"].as_array().unwrap().iter())
            .map(|one| (one["bus"].to_string(), number(&one["delta_mw"])))
            .collect();
        let mut moved = study.clone();
        moved.commit("illinois", (&json!(deltas).to_string(), ""), "").unwrap();
        let after = Answer::of(&moved);
        let prices = after.at(ColumnName::Lmp);
        let mean = prices.iter().sum::<f64>() / prices.len() as f64;
        assert!((mean - number(&found["best"]["phi"])).abs() < 1e-8);
        assert_eq!(after["objective"], found["best"]["objective"]);
        if kind == "demand_redistribution" {
            assert!(mean < number(&found["baseline"]["phi"]));
        }
    }
}
