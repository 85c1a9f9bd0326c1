//! Limits of demand plans, and their ends and refusals.

use crate::common::{parse, Answer};
use crate::demand_plan::{check_trials, number, plan, reactive, spec, study_of};
use serde_json::{json, Value};
use wattbook_study::Job;

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

/// Bus 4 is fed by a line of 12 MVA: at most two increments of 5 MW fit there. The exact path shows it; without a path,
/// trials fail, and count, until the placed amount is small enough.
#[test]
fn no_more_is_placed_than_has_a_solution() {
    let spur = reactive()
        .replace("];\nmpc.gen =", "4 1 1 0 0 0 1 1 0 230 1 1.1 0.9;\n];\nmpc.gen =")
        .replace(
            "];\nmpc.gencost",
            "3 4 0.01 0.1 0 12 0 0 0 0 1 -360 360;\n];\nmpc.gencost",
        );
    let low = json!({ "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": 1.0 }] });
    let request = json!({ "candidates": [2, 4], "budget_mw": 20.0, "objective": low });
    for formulation in ["dcopf", "socwr"] {
        let study = study_of(&spur, formulation);
        let found = plan(&study, &request);
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
fn a_plan_ended_early_has_its_trials_and_the_best() {
    let study = study_of(&reactive(), "dcopf");
    let request = spec(&json!({ "kind": "demand_redistribution" }));
    let mut job = Job::plan(&study, &request).unwrap();
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
fn invalid_demand_plans_are_refused_by_name() {
    let study = study_of(&reactive(), "dcopf");
    let refused = |changes: Value| {
        let error = Answer::run(Job::plan(&study, &spec(&changes))).expect_err("a refusal");
        (error.code.to_string(), error.sentence.english())
    };
    let one = |message: &str| ("PLAN.SPEC".to_string(), message.to_string());
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
    let acpf = Answer::run(Job::plan(&study_of(&reactive(), "acpf"), &spec(&json!({})))).expect_err("no prices");
    assert_eq!(acpf.code, "FORMULATION.UNAVAILABLE");
}
