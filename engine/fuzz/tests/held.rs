//! Calls leave no memory behind, to the byte. The process's own memory cannot show it, because an allocator never
//! returns all of it.

use serde_json::Value;
use wattbook_fuzz::memory;
use wattbook_study::{ingest_case, ingest_distribution_json, Job, McStudy, Study};

#[global_allocator]
static COUNTING: memory::Counting = memory::Counting;

/// Rounds until all intended caches are filled, and rounds that must not add to them.
const FIRST: usize = 3;
const ROUNDS: usize = 40;

fn module(file: &[u8]) -> String {
    ingest_case(file, "matpower").expect("a good case").apart().1
}

fn text(json: &str, key: &str) -> String {
    let value: Value = serde_json::from_str(json).expect("JSON");
    value[key].as_str().expect("a text").to_owned()
}

/// Runs all rounds; the bytes held after the first ones and after the last must be equal.
fn holds_nothing(what: &str, mut round: impl FnMut(usize)) {
    memory::start();
    (0..FIRST).for_each(&mut round);
    let first = memory::held();
    (FIRST..ROUNDS).for_each(&mut round);
    assert_eq!(
        memory::held(),
        first,
        "{what}: bytes held after {FIRST} and after {ROUNDS} rounds"
    );
}

/// Every operation of a Study, with other numbers in each round, and back to the base case.
fn use_study(study: &mut Study, formulation: &str, round: usize) {
    let part = (round as f64 * 0.618).fract();
    let deltas = format!(r#"{{"3":{},"5":{}}}"#, 8.0 * part, 4.0 - 6.0 * part);
    let rates = format!(r#"{{"1":{}}}"#, 40.0 * part);
    let generators = format!(r#"{{"2":{{"cost":{}}}}}"#, 20.0 + 10.0 * part);
    let edits = (deltas.as_str(), rates.as_str(), "", generators.as_str());
    let bus = r#"{"bus":3}"#;
    study.preview((&deltas, &rates)).expect("a preview");
    study.commit("soak", edits, bus).expect("a commit");
    study.sensitivity("soak", edits, bus).expect("a column");
    study.current_solution().expect("the solution");
    let too_much = format!(r#"{{"4":{}}}"#, 5000.0 + 100.0 * part);
    let too_much = (too_much.as_str(), "", "", "");
    assert!(study.commit("soak", too_much, "").is_err(), "no generation for this");
    match formulation {
        "dcopf" => {
            study.lmp_components_json(bus).expect("components");
            study.outage_flows(r#"{"branch":2}"#).expect("flows");
            Job::explanation(study, too_much)
                .and_then(Job::run)
                .expect("an explanation");
            let track = Job::track(study, bus, 0.0, 10.0 * part, "", true).and_then(Job::run);
            study.keep(&track.expect("a path"));
            study.track_state(5.0 * part).expect("a state of it");
        }
        "acpf" => {
            Job::loadability(study, r#"{"system":true}"#)
                .and_then(Job::run)
                .expect("a curve");
        }
        _ => {}
    }
    study.reset("soak").expect("the base case");
}

// One test, since parallel threads share caches of the standard library and of regular expressions.
#[test]
fn calls_and_closed_studies_leave_nothing_behind() {
    let file = include_bytes!("../seeds/ac_grid.m");
    for formulation in ["dcopf", "acpf", "socwr"] {
        let mut study = Study::create(&module(file), formulation, "").expect("a Study");
        holds_nothing(formulation, |round| use_study(&mut study, formulation, round));
        holds_nothing(&format!("{formulation}, closed"), |round| {
            let mut study = Study::create(&module(file), formulation, "").expect("a Study");
            use_study(&mut study, formulation, round);
        });
    }
    let script = wattbook_fuzz::target("feeder").expect("the target").seeds[0];
    holds_nothing("a feeder, closed", |round| {
        let case = ingest_distribution_json(script, "dss", &[]).expect("a good feeder");
        let options = r#"{"source_impedance":"branch"}"#;
        let mut study = McStudy::new(&text(&case, "module_json"), options, "").expect("a feeder");
        for k in 0..5 {
            let loads = format!(r#"{{"current":{{"p_kw":{}}}}}"#, 1 + (round + k) % 7);
            study.preview(&loads).expect("a preview");
            study.commit(&loads).expect("a commit");
        }
    });
}
