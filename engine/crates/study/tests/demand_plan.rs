//! Demand plans through the JSON surface: placement and redistribution, verified by commits, differences and all possible plans.

mod common;

use common::{grid, ingest, parse, text, THREE_BUS};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use wattbook_study::{Job, Study};

/// With reactive demand, and generators that can supply it.
fn reactive() -> String {
    THREE_BUS
        .replace("1 3 0 0", "1 3 10 5")
        .replace("2 1 90 0", "2 1 90 20")
        .replace("3 2 0 0 0 0", "3 2 20 4 0 0")
        .replace("0 0 0 0 1 100 1", "0 0 100 -100 1 100 1")
}

fn study_of(case: &str, formulation: &str) -> Study {
    Study::create(&text(&ingest(case.as_bytes(), "matpower")), formulation, "").expect("a solvable case")
}

fn spec(changes: &Value) -> String {
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

fn plan(study: &Study, changes: &Value) -> Value {
    parse(&study.plan_json(&spec(changes)).expect("a plan"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The objective of `spec` and the cost where demands have changed.
fn at(study: &Study, changes: &[f64]) -> Option<(f64, f64)> {
    let mut moved = study.clone();
    let deltas: BTreeMap<String, f64> = (1..)
        .map(|bus: i32| bus.to_string())
        .zip(changes.iter().copied())
        .collect();
    moved.commit("three", (&json!(deltas).to_string(), ""), "").ok()?;
    let s = parse(&moved.current_solution_json().unwrap());
    let price = |bus: usize| number(&s["prices"][bus]["value"]);
    Some((0.3 * price(0) + price(1) + 0.2 * price(2), number(&s["objective"])))
}

/// Changes by bus, from a list of the contract.
fn by_bus(list: &Value) -> [f64; 3] {
    let mut changes = [0.0; 3];
    for one in list.as_array().expect("a list") {
        changes[one["bus"].as_u64().unwrap() as usize - 1] += number(&one["delta_mw"]);
    }
    changes
}

/// The least objective of all plans: changes by 5 MW within limits by bus and a sum.
fn least(study: &Study, low: [i32; 3], high: i32, sum: i32, most_up: i32) -> f64 {
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

/// Every trial is what commits find: its change, its error, its cost; its total is kept.
fn check_trials(study: &Study, found: &Value, total: f64, tolerance: f64) {
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
fn a_redistribution_keeps_the_total_and_is_the_best_of_all() {
    for (formulation, tolerance) in [("dcopf", 1e-9), ("socwr", 1e-4)] {
        for budget in [10.0, 25.0] {
            let study = study_of(&reactive(), formulation);
            let found = plan(&study, &json!({ "kind": "demand_redistribution", "budget_mw": budget }));
            check_trials(&study, &found, 0.0, tolerance);
            let most_up = (budget / 5.0) as i32;
            // Bus 1 has 10 MW to give, bus 3 has 20; 20 MW is the most of each.
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

/// Reactive demand follows as that of an edit does, in the gradient as well.
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

#[test]
fn limits_hold_and_a_part_of_the_demand_is_no_placement() {
    let study = study_of(&reactive(), "dcopf");
    let one = plan(&study, &json!({ "exact_solve_budget": 1 }));
    assert_eq!(
        (&one["trials"], &one["proposal"], &one["ended"]),
        (&json!([]), &json!([]), &json!("solve_budget"))
    );
    // 30 MW take two buses of at most 20 MW, so two solves besides the baseline.
    let two = plan(&study, &json!({ "exact_solve_budget": 2 }));
    assert_eq!(
        (&two["exact_solves"], &two["exhausted"], &two["proposal"]),
        (&json!(2), &json!(true), &json!([]))
    );
    assert_eq!(
        (two["trials"].as_array().unwrap().len(), &two["best"]),
        (1, &two["baseline"])
    );
    assert_eq!(number(&two["spent_budget_mw"]), 0.0);
    let three = plan(&study, &json!({ "exact_solve_budget": 3 }));
    assert_eq!(number(&three["spent_budget_mw"]), 30.0);
    check_trials(&study, &three, 30.0, 1e-9);
    let single = plan(&study, &json!({ "max_changed_buses": 1, "budget_mw": 20.0 }));
    check_trials(&study, &single, 20.0, 1e-9);
    for trial in single["trials"].as_array().unwrap() {
        assert_eq!(trial["delta_mw"].as_array().unwrap().len(), 1, "{trial}");
    }
    let pair = plan(
        &study,
        &json!({ "kind": "demand_redistribution", "max_changed_buses": 2 }),
    );
    check_trials(&study, &pair, 0.0, 1e-9);
    for trial in pair["trials"].as_array().unwrap() {
        assert_eq!(trial["delta_mw"].as_array().unwrap().len(), 2, "{trial}");
    }
    let narrow = plan(&study, &json!({ "kind": "demand_redistribution", "budget_mw": 5.0 }));
    check_trials(&study, &narrow, 0.0, 1e-9);
    assert_eq!(number(&narrow["spent_budget_mw"]), 5.0);
}

/// Bus 4 hangs on a line of 12 MVA: no more than two increments of 5 MW can be there. The exact path knows; without one, trials fail,
/// and count, until what is placed is small enough.
#[test]
fn no_more_is_placed_than_has_a_solution() {
    let spur = reactive()
        .replace("];\nmpc.gen =", "4 1 1 0 0 0 1 1 0 230 1 1.1 0.9;\n];\nmpc.gen =")
        .replace(
            "];\nmpc.gencost",
            "3 4 0.01 0.1 0 12 0 0 0 0 1 -360 360;\n];\nmpc.gencost",
        );
    let low = json!({ "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": 1.0 }] });
    let asked = json!({ "candidates": [2, 4], "budget_mw": 20.0, "objective": low });
    for formulation in ["dcopf", "socwr"] {
        let study = study_of(&spur, formulation);
        let found = plan(&study, &asked);
        let trials = found["trials"].as_array().unwrap();
        let failed: Vec<&Value> = trials
            .iter()
            .filter(|trial| trial["exact_phi_delta"].is_null())
            .collect();
        assert_eq!(failed.is_empty(), formulation == "dcopf", "{formulation}: {found}");
        for trial in &failed {
            assert_eq!(
                (&trial["accepted"], &trial["reason"]["code"]),
                (&json!(false), &json!("SOLVE.INFEASIBLE"))
            );
        }
        if let Some(first) = failed.first() {
            assert_eq!(
                first["step"],
                json!([{ "bus": 4, "delta_mw": 20.0 }]),
                "where the price of bus 2 rises least"
            );
        }
        assert_eq!(
            found["proposal"],
            json!([{ "bus": 2, "delta_mw": 10.0 }, { "bus": 4, "delta_mw": 10.0 }])
        );
        assert_eq!(found["exact_solves"], json!(trials.len() + 1));
        let alone = plan(
            &study,
            &json!({ "candidates": [4], "budget_mw": 20.0, "objective": low }),
        );
        assert_eq!(
            (&alone["ended"], &alone["proposal"]),
            (&json!("not_placed"), &json!([]))
        );
    }
}

/// Prices of linear costs move by steps: no derivative says anything, exact paths do.
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

#[test]
fn scaled_weights_leave_the_proposal() {
    let study = study_of(&reactive(), "dcopf");
    for kind in ["demand_placement", "demand_redistribution"] {
        let weighted = |by: f64| {
            let weights = [(1, 0.3), (2, 0.7), (3, 0.1)].map(|(bus, w)| json!({ "bus": bus, "weight": w * by }));
            plan(
                &study,
                &json!({ "kind": kind, "objective": { "kind": "weighted_lmp", "weights": weights } }),
            )
        };
        let (one, many) = (weighted(1.0), weighted(1234.5));
        assert_eq!(one["proposal"], many["proposal"]);
        assert_eq!(one["exact_solves"], many["exact_solves"]);
    }
}

#[test]
fn a_plan_that_is_ended_early_keeps_its_trials_and_the_best() {
    let study = study_of(&reactive(), "dcopf");
    let asked = spec(&json!({ "kind": "demand_redistribution" }));
    let mut job = Job::plan(&study, &asked).unwrap();
    let step = parse(&job.step_json(1).unwrap());
    let so_far = parse(&job.finish().unwrap().reply.json);
    assert_eq!(
        (&so_far["ended"], &so_far["trials"]),
        (&json!("cancelled"), &step["trials"])
    );
    assert_eq!(step["trials"].as_array().unwrap().len(), 1);
    assert_eq!(so_far["proposal"], step["trials"][0]["delta_mw"]);
}

#[test]
fn what_a_demand_plan_cannot_do_is_refused_by_name() {
    let study = study_of(&reactive(), "dcopf");
    let refused = |changes: Value| {
        let error = study.plan_json(&spec(&changes)).expect_err("a refusal");
        (error.code.to_string(), error.sentence.english())
    };
    let one = |said: &str| ("PLAN.SPEC".to_string(), said.to_string());
    assert_eq!(
        refused(json!({ "candidates": [] })),
        one("The plan has no candidate buses.")
    );
    assert_eq!(refused(json!({ "candidates": [2, 2] })), one("Bus 2 is named twice."));
    assert_eq!(
        refused(json!({ "budget_mw": 65.0 })),
        one("65.0 MW cannot be placed: 3 buses may change, by at most 20.0 MW each.")
    );
    assert_eq!(
        refused(json!({ "max_changed_buses": 1 })),
        one("30.0 MW cannot be placed: 1 bus may change, by at most 20.0 MW.")
    );
    let redistribution = "Redistribution moves demand between buses: at least two candidates are needed, and max_changed_buses of at least 2.";
    assert_eq!(
        refused(json!({ "kind": "demand_redistribution", "candidates": [2] })),
        one(redistribution)
    );
    assert_eq!(
        refused(json!({ "max_changed_buses": 0 })),
        one("max_changed_buses must be at least 1.")
    );
    assert_eq!(refused(json!({ "max_change_per_bus_mw": 3.0 })).0, "PLAN.SPEC");
    assert_eq!(refused(json!({ "candidates": [9] })).0, "BUS.UNKNOWN");
    assert_eq!(refused(json!({ "kind": "demand" })).0, "INPUT.REQUEST");
    assert_eq!(refused(json!({ "max_changed_lines": 1 })).0, "INPUT.REQUEST");
    let acpf = study_of(&reactive(), "acpf")
        .plan_json(&spec(&json!({})))
        .expect_err("no prices");
    assert_eq!(acpf.code, "FORMULATION.UNAVAILABLE");
}

/// On a grid of 200 buses: a plan of all loads is verified by commits, and each step by its exact path.
#[test]
fn a_grid_is_planned_on() {
    let study = Study::create(&grid("illinois"), "dcopf", "").expect("a solvable grid");
    let s = parse(&study.current_solution_json().unwrap());
    let network = s["prices"].as_array().unwrap().iter().map(|row| row["bus"].clone());
    let buses: Vec<Value> = network.collect();
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
        let after = parse(&moved.current_solution_json().unwrap());
        let prices = after["prices"].as_array().unwrap();
        let mean = prices.iter().map(|row| number(&row["value"])).sum::<f64>() / prices.len() as f64;
        assert!((mean - number(&found["best"]["phi"])).abs() < 1e-8);
        assert_eq!(after["objective"], found["best"]["objective"]);
        if kind == "demand_redistribution" {
            assert!(mean < number(&found["baseline"]["phi"]));
        }
    }
}
