//! How much demand can grow: margins against bisection, and results beyond them.

use crate::common::{column, data_case, ingest, parse, text, Answer};
use crate::AS_FILED;
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{solve_module, Job, Study};

/// Largest growth that a commit solves, by bisection from zero: states of a Study on the base case.
fn bisected(module: &str, edits: &dyn Fn(f64) -> Value, guess: f64) -> f64 {
    let solves = |mw: f64| {
        let request = json!({ "formulation": "acpf", "edits": { "deltas": edits(mw) }, "options": parse(AS_FILED) });
        solve_module(module, &request.to_string()).is_ok()
    };
    let (mut low, mut high) = (0.0, 2.0 * guess);
    assert!(!solves(high), "still solvable at {high} MW");
    while high - low > 1e-4 * guess {
        let middle = 0.5 * (low + high);
        if solves(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[test]
fn loadability_equals_bisection() {
    let Some(module) = data_case("matpower/case39.m") else {
        return;
    };
    let study = Study::create(&module, "acpf", AS_FILED).expect("a solvable case");
    let flow = Answer::of(&study);
    let ids = study.rows().columns;
    let ids = column(&ids, ColumnName::BusId);
    let demand = flow.at(ColumnName::DemandMw);
    let all: f64 = demand.iter().filter(|d| **d > 0.0).sum();
    let one = |mw: f64| json!({ "15": mw });
    let system = |mw: f64| {
        let rows = ids.iter().zip(demand).filter(|(_, d)| **d > 0.0);
        rows.map(|(id, d)| ((*id as u64).to_string(), json!(mw * d / all)))
            .collect()
    };
    let cases: [(&str, &dyn Fn(f64) -> Value); 2] = [(r#"{"bus":15}"#, &one), (r#"{"system":true}"#, &system)];
    assert!(settles_or_is_absent(&study));
    for (target, edits) in cases {
        let answer = Answer::run(Job::loadability(&study, target)).expect("a margin");
        let margin = answer["margin_mw"].as_f64().expect("MW");
        let beyond = answer["no_solution_mw"].as_f64().expect("MW");
        assert!(
            margin < beyond && beyond - margin < 2e-4 * beyond,
            "{margin} to {beyond}"
        );
        let want = bisected(&module, edits, margin);
        assert!((margin - want).abs() < 2e-3 * want, "{target}: {margin} against {want}");
        let estimate = answer["estimate"]["mw"].as_f64().expect("MW");
        assert!(
            (estimate - want).abs() < 0.03 * want,
            "{target}: {estimate} against {want}"
        );
        let curve = answer["added_mw"].as_array().expect("points");
        assert_eq!(curve.last(), Some(&answer["margin_mw"]));
        let falling = &answer["buses"][0];
        let vm: Vec<f64> = falling["vm_pu"]
            .as_array()
            .expect("a curve")
            .iter()
            .filter_map(Value::as_f64)
            .collect();
        assert!(vm.len() == curve.len() && vm.windows(2).all(|v| v[1] < v[0]), "{vm:?}");
        let row = ids
            .iter()
            .position(|id| Some(*id as u64) == falling["bus"].as_u64())
            .expect("a bus");
        assert_eq!(vm[0], flow.at(ColumnName::VmPu)[row]);
    }
    assert_eq!(
        Answer::run(Job::loadability(&study, r#"{"area":99}"#))
            .expect_err("no such area")
            .code,
        "INPUT.REQUEST"
    );
    assert_eq!(
        Answer::run(Job::loadability(&study, "null"))
            .expect_err("no target")
            .code,
        "INPUT.REQUEST"
    );
}

/// Collapse of single demands is reported only where the last terms of the series agree on it.
fn settles_or_is_absent(study: &Study) -> bool {
    let column = |bus: u32| {
        let target = json!({ "bus": bus }).to_string();
        let head = parse(&study.sensitivity("x", ("", ""), &target).expect("a column").json);
        let [mw, change] = ["mw", "change_mw"].map(|name| head["collapse"][name].as_f64());
        mw.zip(change)
    };
    let found: Vec<_> = (1..=39).map(column).collect();
    let agreed = found.iter().flatten().all(|(mw, change)| change <= &(0.1 * mw));
    agreed && found.iter().flatten().count() > 20
}

#[test]
fn an_edit_beyond_the_nose_names_the_loading_that_solves() {
    let Some(module) = data_case("matpower/case39.m") else {
        return;
    };
    let mut study = Study::create(&module, "acpf", AS_FILED).expect("a solvable case");
    let before = Answer::of(&study);
    let error = study
        .commit("x", (r#"{"15": 20000}"#, ""), "")
        .expect_err("no solution");
    assert_eq!(error.code, "SOLVE.NOT_CONVERGED");
    let details = error.details.clone().expect("details");
    let loading = details["loading"].as_f64().expect("a part");
    assert!((0.0..1.0).contains(&loading) && !details["collapse_buses"].as_array().expect("buses").is_empty());
    assert_eq!(
        study.preview((r#"{"15": 20000}"#, "")).expect_err("no solution").code,
        "SOLVE.NOT_CONVERGED"
    );
    assert_eq!(Answer::of(&study).sha256(), before.sha256());
}

/// A lossless line of 0.1 pu carries at most `V^2 / (2 x)`: 405 MW from 0.9 pu, 530 MW from 1.03 pu.
const WEAK: &str = "function mpc = weak
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1	3	0	0	0	0	1	1	0	230	1	1.1	0.9;
	2	1	450	0	0	0	1	1	0	230	1	1.1	0.9;
];
mpc.gen = [
	1	450	0	900	-900	0.9	100	1	900	0;
];
mpc.branch = [
	1	2	0	0.1	0	0	0	0	0	0	1	-360	360;
];
mpc.gencost = [
	2	0	0	3	0	10	0;
];
";

#[test]
fn a_refusal_names_set_points_that_solve() {
    let module = text(&ingest(WEAK.as_bytes(), "matpower"));
    let error = Study::create(&module, "acpf", "").expect_err("no solution at 0.9 pu");
    assert_eq!(error.code, "SOLVE.NOT_CONVERGED");
    let details = error.details.clone().expect("details");
    let loading = details["loading"].as_f64().expect("a part");
    assert!((loading - 405.0 / 450.0).abs() < 2e-3, "{loading}");
    assert_eq!(details["options"]["set_point_pu"], 1.03);
    assert!(error.message().contains("1.03 pu"), "{error}");
    Study::create(&module, "acpf", r#"{"set_point_pu":1.03}"#).expect("a solution at 1.03 pu");
    // More than any set-point can carry: nothing is offered.
    let more = WEAK.replace("1	450	0	0", "1	600	0	0");
    let error = Study::create(&text(&ingest(more.as_bytes(), "matpower")), "acpf", "").expect_err("no solution");
    assert_eq!(error.details.expect("details")["options"], json!(null));
}
