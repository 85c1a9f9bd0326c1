//! Explanations as jobs: refusals without a search, steps, bounds and stopped searches, on the grids of the server.

use crate::common::{parse, three_bus, Answer};
use flate2::read::GzDecoder;
use serde_json::{json, Map, Value};
use std::io::Read;
use std::path::Path;
use wattbook_study::contract::ColumnName;
use wattbook_study::{inspect_module, Job, Study};

fn grid(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../server/grids/{name}.json.gz"));
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// A request that raises every demand by a share.
fn raised(module: &str, share: f64) -> Value {
    let case = Answer::from(inspect_module(module).unwrap());
    let buses = case.at(ColumnName::BusId).iter().zip(case.at(ColumnName::DemandMw));
    let deltas: Map<String, Value> = buses
        .filter(|(_, mw)| **mw > 0.0)
        .map(|(id, mw)| (id.to_string(), json!(share * mw)))
        .collect();
    assert!(!deltas.is_empty());
    json!(deltas)
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} of {value}"))
}

/// The job's steps to its end, with the bound rising below the optimum; the explanation.
fn explained(mut job: Job) -> Value {
    let (mut at_least, mut fraction) = (0.0, 0.0);
    for _ in 1..500 {
        let step = parse(&job.step_json(1).unwrap());
        assert!(number(&step, "at_least_mw") >= at_least, "{step}");
        assert!(number(&step, "fraction") >= fraction, "{step}");
        (at_least, fraction) = (number(&step, "at_least_mw"), number(&step, "fraction"));
        if step["done"] == true {
            let explanation = parse(&job.finish().unwrap().reply.json);
            let total = number(&explanation, "relaxation_total_mw");
            assert!(at_least <= total * (1.0 + 1e-9), "{at_least} above {total}");
            assert_eq!(fraction, 1.0);
            assert_eq!(explanation["is_least"], true);
            return explanation;
        }
    }
    panic!("no end after 500 steps");
}

/// Optima of HiGHS 1.11 on the whole network (tests/bench/peers/explain_highs.py), MW.
#[test]
fn texas_is_refused_at_once_and_explained_in_steps() {
    let module = grid("texas");
    let mut study = Study::create(&module, "dcopf", "{}").unwrap();
    let before = Answer::of(&study);
    for (share, least, missed) in [(0.6, 9_816.716_6, "8,953.6"), (1.0, 25_953.612_1, "25,233.8")] {
        let deltas = raised(&module, share).to_string();
        let refused = study.commit("x", (&deltas, ""), "").unwrap_err();
        assert_eq!(refused.code, "SOLVE.INFEASIBLE");
        assert_eq!(
            refused.message(),
            format!("No solution: the demand exceeds the generators' capacity; at least {missed} MW short.")
        );
        let shortfall = number(&refused.details.unwrap(), "shortfall_mw");
        assert!(shortfall > 0.9 * least && shortfall <= least, "{shortfall}");
        let job = Job::explanation(&study, (&deltas, "")).unwrap();
        let e = explained(job);
        let total = number(&e, "relaxation_total_mw");
        assert!((total - least).abs() <= 1e-6 * least, "{total} against {least}");
        assert!(number(&e["verified"], "gap_mw") <= 1e-6 * total, "{}", e["verified"]);
    }
    assert_eq!(Answer::of(&study), before);
}

/// A stopped search returns a verified relaxation, above the bound and never below the optimum.
#[test]
fn a_stop_leaves_the_best_relaxation_with_its_gap() {
    let module = grid("illinois");
    let study = Study::create(&module, "dcopf", "{}").unwrap();
    let deltas = raised(&module, 1.0).to_string();
    let start = || Job::explanation(&study, (&deltas, "")).unwrap();
    let optimum = number(&explained(start()), "relaxation_total_mw");
    let mut gaps = Vec::new();
    for steps in [0, 6, 9, 11, 13] {
        let mut job = start();
        let mut at_least = 0.0;
        for _ in 0..steps {
            at_least = number(&parse(&job.step_json(1).unwrap()), "at_least_mw");
        }
        let e = parse(&job.finish().unwrap().reply.json);
        let total = number(&e, "relaxation_total_mw");
        let (bound, gap) = (number(&e["verified"], "bound_mw"), number(&e["verified"], "gap_mw"));
        assert!(total >= optimum * (1.0 - 1e-9), "{total} below {optimum}");
        assert!(
            bound >= at_least * (1.0 - 1e-12) && bound <= optimum * (1.0 + 1e-9),
            "{bound}"
        );
        assert!((total - bound - gap).abs() <= 1e-9 * total);
        assert_eq!(e["is_least"], false, "after {steps} steps");
        let remedy = e["remedy"].as_str().unwrap();
        assert!(remedy.starts_with("Best relaxation so far, "), "{remedy}");
        gaps.push(gap);
    }
    assert!(gaps.windows(2).all(|pair| pair[1] <= pair[0]), "{gaps:?}");
    assert!(gaps[4] < 0.02 * optimum, "{gaps:?}");
}

#[test]
fn a_job_does_not_depend_on_later_commits() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let job = Job::explanation(&study, ("{\"2\":140}", "")).unwrap();
    study.commit("x", ("{\"2\":-20}", ""), "").unwrap();
    let e = explained(job);
    assert!((number(&e, "relaxation_total_mw") - 40.0).abs() < 1e-6);
    assert!((number(&e["demand_limit"], "demand_mw") - 110.0).abs() < 1e-6);
    // Edits with a solution end without an explanation, stopped or not.
    let mut job = Job::explanation(&study, ("{\"2\":10}", "")).unwrap();
    let step = parse(&job.step_json(1).unwrap());
    assert_eq!(step["done"], true);
    assert_eq!(job.finish().unwrap().reply.json, "null");
}

/// Amounts beyond the resolution of sums are refused before any solve, and numbers in messages are short.
#[test]
fn amounts_beyond_measure_name_their_element() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let demand = Job::explanation(&study, ("{\"2\":1e308}", "")).unwrap_err();
    assert_eq!(
        (demand.code, demand.element.as_ref().unwrap().id),
        ("DELTA.MALFORMED", 2)
    );
    assert_eq!(
        demand.message(),
        "The demand change at bus 2 is 1.0e308 MW; the limit is 1.0e9 MW."
    );
    let rating = study.commit("x", ("", "{\"3\":-1e308}"), "").unwrap_err();
    assert_eq!((rating.code, rating.element.unwrap().id), ("RATE.MALFORMED", 3));
    let short = study.commit("x", ("{\"2\":1e9}", ""), "").unwrap_err();
    assert_eq!(short.code, "SOLVE.INFEASIBLE");
    let longest = short.message().split_whitespace().map(str::len).max().unwrap();
    assert!(longest <= 14, "{}", short.message());
    let module = three_bus().replace("\"p\": 90.0", "\"p\": 1e308");
    assert!(module != three_bus());
    let refused = Study::create(&module, "dcopf", "{}").unwrap_err();
    assert_eq!(
        (refused.code, refused.element.as_ref().map(|e| e.id)),
        ("PHYSICS.UNSUPPORTED", Some(2))
    );
    assert!(refused.message().len() < 120, "{}", refused.message());
}
