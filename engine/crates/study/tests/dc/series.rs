//! Series through the JSON surface: each step equals a commit, whatever the order and the number of threads.

use crate::common::{ingest, parse, text, THREE_BUS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{Reply, Series, Study};

fn study_of(formulation: &str) -> Study {
    Study::create(&text(&ingest(THREE_BUS.as_bytes(), "matpower")), formulation, "").expect("a solvable case")
}

fn series(study: &Study) -> Series {
    series_with(study, ["lmp", "flow_mw"])
}

fn series_with(study: &Study, columns: [&str; 2]) -> Series {
    let spec = json!({ "buses": [2], "branches": [2], "columns": columns });
    Series::new(study, &spec.to_string()).expect("a series")
}

fn values(reply: &Reply, name: ColumnName) -> &[f64] {
    &reply
        .columns
        .iter()
        .find(|column| column.name == name)
        .expect("the column")
        .values
}

/// Demand at bus 2 and rating of line 2, MW from the base case.
const STEPS: [[f64; 2]; 5] = [[0.0, 0.0], [4.0, 0.0], [-30.0, 5.0], [0.0, 0.0], [3.0, -1.0]];

#[test]
fn every_step_is_the_commit_of_its_edits() {
    for (formulation, of_bus) in [("dcopf", ColumnName::Lmp), ("acpf", ColumnName::VmPu)] {
        let mut study = study_of(formulation);
        let found = series_with(&study, [of_bus.head().0, "flow_mw"])
            .solve(&STEPS.concat(), 2)
            .expect("a series");
        let head = parse(&found.json);
        for (k, [demand, rating]) in STEPS.iter().enumerate() {
            let edits = (json!({ "2": demand }).to_string(), json!({ "2": rating }).to_string());
            let commit = study.commit("three", (&edits.0, &edits.1), "").expect("a solution");
            let committed = &parse(&commit.json)["solution"];
            let step = &head["steps"][k];
            assert_eq!(
                step["result_sha256"], committed["result_sha256"],
                "{formulation} step {k}"
            );
            assert_eq!(step["objective"], committed["objective"]);
            assert_eq!(step["certificate"], committed["certificate"]);
            for name in [of_bus, ColumnName::FlowMw] {
                let of_commit = values(&commit, name);
                assert_eq!(
                    &values(&found, name)[3 * k..3 * (k + 1)],
                    of_commit,
                    "{formulation} step {k}"
                );
            }
        }
    }
}

#[test]
fn neither_threads_nor_the_order_of_steps_change_a_bit() {
    let study = study_of("dcopf");
    let one = series(&study).solve(&STEPS.concat(), 1).unwrap();
    let many = series(&study).solve(&STEPS.concat(), 8).unwrap();
    assert_eq!(one.json, many.json);
    for (a, b) in one.columns.iter().zip(&many.columns) {
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&a.values), bits(&b.values));
    }
    let mut backwards = STEPS;
    backwards.reverse();
    let backwards = series(&study).solve(&backwards.concat(), 2).unwrap();
    let hashes = |reply: &Reply| -> Vec<Value> {
        let head = parse(&reply.json);
        head["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["result_sha256"].clone())
            .collect()
    };
    let mut turned = hashes(&backwards);
    turned.reverse();
    assert_eq!(turned, hashes(&one));
}

#[test]
fn edits_that_are_committed_stay_and_the_study_too() {
    let mut study = study_of("dcopf");
    study.commit("three", (r#"{"2": 6}"#, r#"{"1": -10}"#), "").unwrap();
    let before = study.current_solution().unwrap().json;
    let spec = json!({ "buses": [2], "columns": ["lmp"] }).to_string();
    let found = parse(&Series::new(&study, &spec).unwrap().solve(&[6.0, 9.0], 1).unwrap().json);
    assert_eq!(found["steps"][0]["result_sha256"], parse(&before)["result_sha256"]);
    assert_eq!(study.current_solution().unwrap().json, before);
    let commit = study.commit("three", (r#"{"2": 9}"#, r#"{"1": -10}"#), "").unwrap();
    let hash = &parse(&commit.json)["solution"]["result_sha256"];
    assert_eq!(&found["steps"][1]["result_sha256"], hash);
}

#[test]
fn a_step_without_a_solution_is_reported_and_stops_no_other() {
    let study = study_of("dcopf");
    let found = series(&study)
        .solve(&[0.0, 0.0, 5000.0, 0.0, f64::NAN, 0.0, -200.0, 0.0, 1.0, 0.0], 2)
        .unwrap();
    let steps = &parse(&found.json)["steps"];
    let code = |k: usize| steps[k]["error"]["code"].as_str();
    assert_eq!(
        [0, 1, 2, 3, 4].map(code),
        [
            None,
            Some("SOLVE.INFEASIBLE"),
            Some("DELTA.MALFORMED"),
            Some("DELTA.NEGATIVE_DEMAND"),
            None
        ]
    );
    assert!(steps[1]["objective"].is_null() && steps[1]["result_sha256"].is_null());
    let lmp = values(&found, ColumnName::Lmp);
    assert_eq!(lmp.len(), 15);
    assert!(lmp[3..12].iter().all(|x| x.is_nan()));
    assert!(lmp[..3].iter().chain(&lmp[12..]).all(|x| x.is_finite()));
}

#[test]
fn an_invalid_request_is_refused_by_name() {
    let study = study_of("dcopf");
    let refusal = |spec: Value| {
        let error = Series::new(&study, &spec.to_string()).expect_err("a refusal");
        (error.code.to_string(), error.sentence.english())
    };
    assert_eq!(refusal(json!({ "buses": [99] })).0, "BUS.UNKNOWN");
    let (code, message) = refusal(json!({ "branches": [1, 1] }));
    assert_eq!(
        (code.as_str(), message.contains("line 1")),
        ("INPUT.REQUEST", true),
        "{message}"
    );
    let (code, message) = refusal(json!({ "buses": [2], "columns": ["vm_pu"] }));
    assert_eq!(
        (code.as_str(), message.contains("vm_pu")),
        ("INPUT.REQUEST", true),
        "{message}"
    );
    let error = series(&study).solve(&[1.0], 1).expect_err("one change of two");
    assert_eq!(error.code, "INPUT.REQUEST");
}
