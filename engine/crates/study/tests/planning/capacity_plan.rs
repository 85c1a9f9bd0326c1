//! Capacity plans through the JSON surface: proposals verified by commits, differences and closed forms.

use crate::common::{ingest, parse, text, Answer, THREE_BUS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{Job, Study};

fn study_of(case: &str, formulation: &str) -> Study {
    Study::create(&text(&ingest(case.as_bytes(), "matpower")), formulation, "").expect("a solvable case")
}

fn spec(changes: &Value) -> String {
    let mut spec = json!({
        "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": 1.0 }] },
        "candidates": [1, 2, 3],
        "max_increase_per_branch_mw": 10.0,
        "budget_mw": 10.0,
        "increment_mw": 2.0,
        "max_changed_lines": 3,
        "exact_solve_budget": 32,
    });
    for (name, value) in changes.as_object().expect("an object") {
        spec[name] = value.clone();
    }
    spec.to_string()
}

fn plan(study: &Study, changes: &Value) -> Answer {
    Answer::run(Job::plan(study, &spec(changes))).expect("a plan")
}

fn refusal(study: &Study, changes: &Value) -> (String, String) {
    let error = Answer::run(Job::plan(study, &spec(changes))).expect_err("a refusal");
    (error.code.to_string(), error.sentence.english())
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn price_of_bus_2(study: &Study) -> f64 {
    Answer::of(study).at(ColumnName::Lmp)[1]
}

#[test]
fn every_accepted_trial_equals_a_commit_and_raises_the_binding_line() {
    let mut study = study_of(THREE_BUS, "dcopf");
    let found = plan(&study, &json!({}));
    assert_eq!(found["proposal"], json!([{ "branch": 2, "delta_mw": 10.0 }]));
    assert_eq!(found["ended"], "capacity_budget");
    assert_eq!(
        (&found["exact_solves"], &found["exhausted"]),
        (&json!(6), &json!(false))
    );
    let trials = found["trials"].as_array().unwrap();
    let mut before = price_of_bus_2(&study);
    assert!((before - 30.1).abs() < 1e-6, "the closed form of the base case");
    assert_eq!(number(&found["baseline"]["phi"]).to_bits(), before.to_bits());
    for (k, trial) in trials.iter().enumerate() {
        assert_eq!((&trial["accepted"], &trial["reason"]), (&json!(true), &Value::Null));
        let rates = json!({ "2": 2.0 * (k + 1) as f64 }).to_string();
        study.commit("three", ("", &rates), "").unwrap();
        let change = price_of_bus_2(&study) - before;
        assert_eq!(number(&trial["exact_phi_delta"]).to_bits(), change.to_bits());
        // Affine while line 2 binds, so first order is exact, and so is the path.
        assert!((number(&trial["predicted_phi_delta"]) - change).abs() < 1e-9, "{trial}");
        assert!((number(&trial["path_phi_delta"]) - change).abs() < 1e-9, "{trial}");
        before += change;
    }
    assert!((number(&found["best"]["phi"]) - before).abs() < 1e-9);
    // The Study is unchanged; a plan of its new state starts there.
    let further = plan(&study, &json!({}));
    assert_eq!(
        number(&further["baseline"]["phi"]).to_bits(),
        price_of_bus_2(&study).to_bits()
    );
}

/// In every formulation the gradient is the derivative of the objective by finite differences.
#[test]
fn the_gradient_is_the_difference_quotient() {
    let voltages = THREE_BUS
        .replace("1 3 0 0", "1 3 10 5")
        .replace("2 1 90 0", "2 1 90 20");
    let reactive = voltages.replace("0 0 0 0 1 100 1", "0 0 100 -100 1 100 1");
    for (formulation, text, tolerance) in [("dcopf", THREE_BUS, 1e-8), ("socwr", reactive.as_str(), 1e-3)] {
        let study = study_of(text, formulation);
        let weights = json!({ "objective": { "kind": "weighted_lmp",
            "weights": [{ "bus": 1, "weight": 0.5 }, { "bus": 2, "weight": 2.0 }, { "bus": 3, "weight": -1.0 }] } });
        let phi = |mw: f64| {
            let mut moved = study.clone();
            moved
                .commit("three", ("", &json!({ "2": mw }).to_string()), "")
                .unwrap();
            let s = Answer::of(&moved);
            let price = |bus: usize| s.at(ColumnName::Lmp)[bus];
            0.5 * price(0) + 2.0 * price(1) - price(2)
        };
        let found = plan(&study, &weights);
        let gradient = &found["trials"][0]["gradient"];
        assert_eq!(gradient[1]["branch"], 2);
        let quotient = (phi(0.05) - phi(-0.05)) / 0.1;
        let slope = number(&gradient[1]["value"]);
        assert!(quotient < -1e-3, "{formulation}: line 2 binds: {quotient}");
        assert!(
            (slope - quotient).abs() < tolerance * quotient.abs(),
            "{formulation}: {slope} against {quotient}"
        );
        assert!(number(&found["best"]["phi"]) < number(&found["baseline"]["phi"]));
    }
}

#[test]
fn limits_hold_and_failed_or_rejected_trials_count() {
    let study = study_of(THREE_BUS, "dcopf");
    let three = plan(&study, &json!({ "exact_solve_budget": 3 }));
    assert_eq!((&three["exact_solves"], &three["exhausted"]), (&json!(3), &json!(true)));
    assert_eq!(
        (three["trials"].as_array().unwrap().len(), &three["ended"]),
        (2, &json!("solve_budget"))
    );
    let one = plan(&study, &json!({ "exact_solve_budget": 1 }));
    assert_eq!(
        (&one["trials"], &one["proposal"], &one["exhausted"]),
        (&json!([]), &json!([]), &json!(true))
    );
    assert_eq!(one["best"], one["baseline"]);
    let narrow = plan(&study, &json!({ "max_increase_per_branch_mw": 4.0 }));
    assert_eq!(narrow["proposal"], json!([{ "branch": 2, "delta_mw": 4.0 }]));
    assert_eq!(narrow["ended"], "change_limit", "line 2 would lower it further");
    // A weight that prefers a high price gains nothing from the binding line.
    let against = json!({ "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": -1.0 }] } });
    let none = plan(&study, &against);
    assert_eq!(
        (&none["proposal"], &none["ended"]),
        (&json!([]), &json!("no_improvement"))
    );
    // Past 50.6 MW the line ceases to bind: the last step lowers the price less than predicted, and the plan ends where
    // it is flat.
    let wide = plan(
        &study,
        &json!({ "max_increase_per_branch_mw": 40.0, "budget_mw": 40.0, "increment_mw": 8.0 }),
    );
    assert_eq!(wide["ended"], "no_improvement");
    let trials = wide["trials"].as_array().unwrap();
    let error = number(&trials[trials.len() - 1]["first_order_error"]);
    assert!(error > 0.1, "the kink is met within a step: {error}");
}

#[test]
fn scaled_weights_leave_the_proposal() {
    let study = study_of(THREE_BUS, "dcopf");
    let weighted = |by: f64| {
        let weights = [(1, 0.3), (2, 0.7), (3, 0.1)].map(|(bus, w)| json!({ "bus": bus, "weight": w * by }));
        plan(
            &study,
            &json!({ "objective": { "kind": "weighted_lmp", "weights": weights } }),
        )
    };
    let (one, many) = (weighted(1.0), weighted(1234.5));
    assert_eq!(one["proposal"], many["proposal"]);
    assert_eq!(one["exact_solves"], many["exact_solves"]);
    let (a, b) = (number(&one["best"]["phi"]), number(&many["best"]["phi"]));
    assert!((a * 1234.5 - b).abs() < 1e-9 * b.abs());
}

/// Prices of linear costs move in steps, so derivatives give no direction; the exact path does.
#[test]
fn linear_costs_are_planned_along_exact_paths() {
    let linear = THREE_BUS
        .replace("2 0 0 3 0.11 5 0", "2 0 0 3 0 30 0")
        .replace("2 0 0 3 0.085 1.2 0", "2 0 0 3 0 10 0");
    let study = study_of(&linear, "dcopf");
    // Generator 3 alone would send 60 MW of 90 over line 2: with 40 MW generator 1 helps at 30 $/MWh.
    let found = plan(
        &study,
        &json!({ "increment_mw": 20.0, "max_increase_per_branch_mw": 40.0, "budget_mw": 40.0 }),
    );
    let trial = &found["trials"][0];
    assert_eq!(trial["gradient"][1]["value"], 0.0);
    assert_eq!(
        (&trial["predicted_phi_delta"], &trial["accepted"]),
        (&json!(0.0), &json!(true))
    );
    let change = number(&trial["exact_phi_delta"]);
    assert!(
        (number(&trial["path_phi_delta"]) - change).abs() < 1e-9 && change < -1.0,
        "{trial}"
    );
}

#[test]
fn a_plan_ended_early_has_its_trials_and_the_best() {
    let study = study_of(THREE_BUS, "dcopf");
    let mut job = Job::plan(&study, &spec(&json!({}))).unwrap();
    let step = parse(&job.step_json(1).unwrap());
    assert_eq!(
        (&step["done"], step["trials"].as_array().unwrap().len()),
        (&json!(false), 1)
    );
    let so_far = parse(&job.finish().unwrap().reply.json);
    assert_eq!(
        (&so_far["ended"], &so_far["trials"]),
        (&json!("cancelled"), &step["trials"])
    );
    assert_eq!(so_far["proposal"], json!([{ "branch": 2, "delta_mw": 2.0 }]));
}

#[test]
fn invalid_plans_are_refused_by_name() {
    let study = study_of(THREE_BUS, "dcopf");
    let weights = |list: Value| json!({ "objective": { "kind": "weighted_lmp", "weights": list } });
    let one = |code: &str, message: &str| (code.to_string(), message.to_string());
    let refused = [
        (
            json!({ "increment_mw": 0.0 }),
            "increment_mw must be a positive number.",
        ),
        (
            json!({ "budget_mw": 3.0 }),
            "budget_mw is 3.0 MW, which is not a whole multiple of increment_mw (2.0 MW).",
        ),
        (
            json!({ "max_changed_lines": 0 }),
            "max_changed_lines must be at least 1.",
        ),
        (json!({ "candidates": [] }), "The plan has no candidate lines."),
        (json!({ "candidates": [2, 2] }), "Line 2 is named twice."),
        (
            weights(json!([])),
            "The objective of the plan has no weight other than zero.",
        ),
        (
            weights(json!([{ "bus": 2, "weight": 1.0 }, { "bus": 2, "weight": 1.0 }])),
            "Bus 2 is named twice.",
        ),
    ];
    for (changes, message) in refused {
        assert_eq!(refusal(&study, &changes), one("PLAN.SPEC", message));
    }
    assert_eq!(refusal(&study, &json!({ "candidates": [9] })).0, "BRANCH.UNKNOWN");
    assert_eq!(
        refusal(&study, &weights(json!([{ "bus": 9, "weight": 1.0 }]))).0,
        "BUS.UNKNOWN"
    );
    assert_eq!(refusal(&study, &json!({ "candidate": [1] })).0, "INPUT.REQUEST");
    assert_eq!(
        Answer::run(Job::plan(&study, "")).expect_err("nothing").code,
        "PLAN.SPEC"
    );
    assert_eq!(
        refusal(&study_of(THREE_BUS, "acpf"), &json!({})).0,
        "FORMULATION.UNAVAILABLE"
    );
}
