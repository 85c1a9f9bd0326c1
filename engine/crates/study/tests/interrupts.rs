//! Long work can be interrupted anywhere and leaves everything unchanged.

mod common;

use common::{ingest, parse, text, Answer};
use serde_json::{json, Value};
use std::cell::Cell;
use std::fmt::Write;
use std::rc::Rc;
use wattbook_interrupt::{interruptible_after, Interrupted, PORTION};
use wattbook_study::{read_study_bundle_json, Job, Series, Study};

/// Portions of work that make small cases large.
const SMALL: usize = PORTION / 64;

/// A square grid of lines with random reactances, a generator at every thirtieth bus, and a rating on every tenth line.
fn lattice(side: usize, rating: f64) -> String {
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1u32 << 31)
    };
    let n = side * side;
    let mut case = String::from("function mpc = lattice\nmpc.version = '2';\nmpc.baseMVA = 100;\nmpc.bus = [\n");
    for i in 1..=n {
        let kind = if i == 1 { 3 } else { 1 };
        writeln!(case, "{i} {kind} {:.2} 0 0 0 1 1 0 230 1 1.1 0.9;", 8.0 * random()).unwrap();
    }
    case += "];\nmpc.gen = [\n";
    let units: Vec<usize> = (1..=n).step_by(30).collect();
    for bus in &units {
        writeln!(case, "{bus} 0 0 300 -300 1 100 1 {:.1} 0;", 200.0 + 100.0 * random()).unwrap();
    }
    case += "];\nmpc.branch = [\n";
    let mut lines = 0;
    for i in 0..n {
        let right = (i % side + 1 < side).then_some(i + 1);
        let below = (i + side < n).then_some(i + side);
        for j in right.into_iter().chain(below) {
            lines += 1;
            let rated = if lines % 10 == 0 { rating } else { 0.0 };
            let x = 0.01 + 0.05 * random();
            writeln!(
                case,
                "{} {} {:.5} {x:.5} 0 {rated} 0 0 0 0 1 -360 360;",
                i + 1,
                j + 1,
                0.1 * x
            )
            .unwrap();
        }
    }
    case += "];\nmpc.gencost = [\n";
    for _ in units {
        writeln!(case, "2 0 0 3 0 {:.3} 0;", 10.0 + 40.0 * random()).unwrap();
    }
    case += "];\n";
    text(&ingest(case.as_bytes(), "matpower"))
}

/// The result of a call that is first interrupted wherever it checks (at some of the places where there are many), and
/// must end there.
#[track_caller]
fn interrupted_then_done<T>(what: &str, mut call: impl FnMut() -> T) -> T {
    let heard = Rc::new(Cell::new(0usize));
    let counted = Rc::clone(&heard);
    let count = move || {
        counted.set(counted.get() + 1);
        false
    };
    assert!(interruptible_after(SMALL, count, &mut call).is_ok());
    let all = heard.get();
    assert!(all > 0, "{what} listens {all} times");
    for at in [1, all / 3 + 1, all / 2 + 1, all] {
        let heard = Rc::new(Cell::new(0usize));
        let counted = Rc::clone(&heard);
        let stop = move || {
            counted.set(counted.get() + 1);
            counted.get() >= at
        };
        match interruptible_after(SMALL, stop, &mut call) {
            Err(Interrupted) => assert_eq!(heard.get(), at, "{what} goes on after it was interrupted"),
            // Where earlier runs were interrupted, less work remained.
            Ok(_) => assert!(at == all, "{what} listens {} times, not {at}", heard.get()),
        }
    }
    call()
}

fn result(study: &Study) -> Value {
    Answer::of(study)["result_sha256"].clone()
}

#[test]
fn solves_end_where_they_are_interrupted_and_studies_stay_as_they_were() {
    let module = lattice(30, 300.0);
    let mut study = interrupted_then_done("a new Study", || Study::create(&module, "dcopf", "{}").unwrap());
    let base = result(&study);
    let deltas = json!({ "500": 150.0, "77": 20.0 }).to_string();
    let committed = interrupted_then_done("a commit", || {
        // From the base case each time.
        study.reset("x").unwrap();
        assert_eq!(result(&study), base);
        study.commit("x", (&deltas, ""), "").unwrap();
        result(&study)
    });
    assert_eq!(result(&study), committed);
    let mut anew = Study::create(&module, "dcopf", "{}").unwrap();
    anew.commit("x", (&deltas, ""), "").unwrap();
    assert_eq!(result(&anew), committed);
}

#[test]
fn jobs_end_within_a_step() {
    let module = lattice(30, 300.0);
    let study = Study::create(&module, "dcopf", "{}").unwrap();
    let base = result(&study);
    let run = |job: Job| job.run().unwrap().reply.json;
    let outages = interrupted_then_done("a screening", || run(Job::screening(&study, "").unwrap()));
    assert_eq!(outages, run(Job::screening(&study, "").unwrap()));
    let target = json!({ "bus": 500 }).to_string();
    let track = || run(Job::track(&study, &target, 0.0, 3000.0, "", true).unwrap());
    assert_eq!(interrupted_then_done("a track", track), track());
    let spec = json!({
        "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 500, "weight": 1.0 }] },
        "candidates": [10, 20, 30, 40, 50, 60, 70, 80],
        "max_increase_per_branch_mw": 10.0, "budget_mw": 20.0, "increment_mw": 2.0,
        "max_changed_lines": 3, "exact_solve_budget": 12,
    });
    let plan = || run(Job::plan(&study, &spec.to_string()).unwrap());
    assert_eq!(interrupted_then_done("a plan", plan), plan());
    let rates: serde_json::Map<String, Value> = (1..174).map(|k| ((10 * k).to_string(), json!(-299.9))).collect();
    let rates = Value::from(rates).to_string();
    let explain = || run(Job::explanation(&study, ("", rates.as_str())).unwrap());
    let found = interrupted_then_done("an explanation", explain);
    assert_eq!(found, explain());
    assert!(parse(&found)["relaxation_total_mw"].as_f64().unwrap() > 1.0, "{found}");
    let layout = || run(Job::layout(&module).unwrap());
    assert_eq!(interrupted_then_done("a layout", layout), layout());
    assert_eq!(result(&study), base);
}

/// A step that was interrupted midway cannot be continued; a plan can.
#[test]
fn an_interrupted_job_is_refused() {
    let study = Study::create(&lattice(30, 300.0), "dcopf", "{}").unwrap();
    let mut job = Job::screening(&study, "").unwrap();
    assert_eq!(
        interruptible_after(SMALL, || true, || job.step(u32::MAX).is_ok()),
        Err(Interrupted)
    );
    assert_eq!(job.step(1).err().unwrap().code, "JOB.INTERRUPTED");
    assert_eq!(job.finish().err().unwrap().code, "JOB.INTERRUPTED");
    let spec = json!({
        "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 500, "weight": 1.0 }] },
        "candidates": [10, 20, 30], "max_increase_per_branch_mw": 10.0, "budget_mw": 10.0, "increment_mw": 2.0,
        "max_changed_lines": 3, "exact_solve_budget": 4,
    });
    let whole = Job::plan(&study, &spec.to_string()).unwrap().run().unwrap().reply.json;
    let mut job = Job::plan(&study, &spec.to_string()).unwrap();
    for _ in 0..2 {
        let step = interruptible_after(SMALL, || true, || job.step(1));
        assert!(step.is_err() || step.is_ok_and(|step| step.is_ok()));
    }
    let left = parse(&job.finish().unwrap().reply.json);
    let (trials, whole) = (left["trials"].as_array().unwrap(), parse(&whole));
    assert!(trials.len() <= whole["trials"].as_array().unwrap().len());
    assert_eq!(
        trials.len() + 1,
        left["exact_solves"].as_u64().unwrap() as usize,
        "{left}"
    );
}

#[test]
fn threads_of_a_series_end_with_their_caller() {
    let study = Study::create(&lattice(30, 300.0), "dcopf", "{}").unwrap();
    let series = Series::new(
        &study,
        &json!({ "buses": [500], "branches": [], "columns": ["lmp"] }).to_string(),
    )
    .unwrap();
    let steps: Vec<f64> = (0..400).map(|k| f64::from(k % 50)).collect();
    for threads in [1, 2] {
        assert_eq!(
            interruptible_after(SMALL, || true, || series.solve(&steps, threads).is_ok()),
            Err(Interrupted)
        );
    }
    let all = series.solve(&steps[..8], 2).unwrap().json;
    assert_eq!(series.solve(&steps[..8], 1).unwrap().json, all);
}

/// Steps of the smallest budget find the same result as a single run, in about as many steps as the work takes.
#[test]
fn the_least_budget_is_progress() {
    let study = Study::create(&lattice(30, 300.0), "dcopf", "{}").unwrap();
    let rates: serde_json::Map<String, Value> = (1..174).map(|k| ((10 * k).to_string(), json!(-299.91))).collect();
    let rates = Value::from(rates).to_string();
    let whole = parse(
        &Job::explanation(&study, ("", rates.as_str()))
            .unwrap()
            .run()
            .unwrap()
            .reply
            .json,
    );
    let mut job = Job::explanation(&study, ("", rates.as_str())).unwrap();
    let mut steps = 0;
    while !job.step(1).unwrap().done {
        steps += 1;
        assert!(steps < 200, "{steps} steps");
    }
    let small = parse(&job.finish().unwrap().reply.json);
    let total = |found: &Value| found["relaxation_total_mw"].as_f64().unwrap();
    assert!(total(&whole) > 1.0);
    assert!(
        (total(&small) - total(&whole)).abs() < 1e-4 * total(&whole),
        "{small}\n{whole}"
    );
}

#[test]
fn study_files_are_read_in_linear_time_up_to_a_limit() {
    let module = common::three_bus();
    let bundle = |states: usize| {
        let sha256 = wattbook_network::sha256::sha256_hex(module.as_bytes());
        let mut nodes = serde_json::Map::new();
        for k in 0..states {
            let mut node = json!({ "label": "x", "formulation": "dcopf", "at": "2026-01-01T00:00:00Z", "deltas": {}, "rates": {},
                "input": sha256 });
            if k > 0 {
                node["parent"] = json!(format!("s{}", k - 1));
            }
            nodes.insert(format!("s{k}"), node);
        }
        json!({
            "document": { "schema": "wattbook-study", "version": 2, "id": "a", "title": "b", "revision": 0,
                "case": { "id": "c", "sha256": sha256, "name": "c" }, "formulation": "dcopf", "options": {},
                "producer": { "version": "0", "contract_sha256": "0" }, "states": nodes, "goals": {}, "experiments": {},
                "experiment_order": [], "decisions": {}, "applied_state": "s0", "inspected_state": "s0" },
            "artifacts": { sha256.as_str(): { "kind": "module", "text": module } },
        })
        .to_string()
    };
    let most = bundle(10_000);
    let read = interrupted_then_done("a Study file", || read_study_bundle_json(most.as_bytes()).unwrap());
    assert_eq!(parse(&read)["document"]["states"].as_object().unwrap().len(), 10_000);
    let error = read_study_bundle_json(bundle(10_001).as_bytes()).unwrap_err();
    assert_eq!(error.code, "STUDY_FILE.TOO_MANY");
    assert!(
        error.sentence.english().contains("10001 entries in `states`"),
        "{}",
        error.sentence.english()
    );
}
