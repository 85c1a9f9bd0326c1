//! One limit for the amounts in every request: beyond it a request is refused by element or field before any solve.

mod common;

use common::{ingest, parse, text, three_bus, Answer, THREE_BUS};
use serde_json::{json, Value};
use wattbook_network::error::EngineError;
use wattbook_study::{ingest_distribution_json, materialize_module, solve_module, Job, McStudy, Series, Study};

const DEMAND: &str = "The demand change at bus 2 is 1.0e308 MW; the limit is 1.0e9 MW.";
const RATING: &str = "The rating change of line 3 is \u{2212}1.0e308 MW; the limit is 1.0e9 MW.";
const HUGE: (&str, &str) = (r#"{"2":1e308}"#, "");
const HUGE_RATING: (&str, &str) = ("", r#"{"3":-1e308}"#);

fn study_of(formulation: &str) -> Study {
    Study::create(&text(&ingest(THREE_BUS.as_bytes(), "matpower")), formulation, "").expect("a solvable case")
}

/// The refusal, which names the field and contains no long number.
fn refused<T>(found: Result<T, EngineError>, code: &str, sentence: &str) -> Option<u64> {
    let error = found.err().expect("a refusal");
    assert_eq!((error.code, error.message().as_str()), (code, sentence));
    error.element.map(|element| element.id)
}

#[test]
fn edits_of_every_formulation_and_call() {
    let (module, bus) = (three_bus(), r#"{"bus":1}"#);
    for formulation in ["dcopf", "acpf"] {
        let mut study = study_of(formulation);
        let before = study.result_sha256();
        let demand = |found: Result<(), EngineError>| {
            assert_eq!(refused(found, "DELTA.MALFORMED", DEMAND), Some(2), "{formulation}");
        };
        demand(study.commit("x", HUGE, "").map(drop));
        demand(study.preview(HUGE).map(drop));
        demand(study.sensitivity("x", HUGE, bus).map(drop));
        demand(Answer::run(Job::explanation(&study, HUGE)).map(drop));
        demand(Job::commit(&study, "x", HUGE, "").map(drop));
        assert_eq!(
            refused(study.commit("x", HUGE_RATING, ""), "RATE.MALFORMED", RATING),
            Some(3)
        );
        let request = json!({ "formulation": formulation, "edits": { "deltas": { "2": 1e308 } } }).to_string();
        demand(solve_module(&module, &request).map(drop));
        demand(Answer::run(Job::explanation_of_module(&module, &request)).map(drop));
        assert_eq!(study.result_sha256(), before);
    }
    assert_eq!(
        refused(materialize_module(&module, HUGE), "DELTA.MALFORMED", DEMAND),
        Some(2)
    );
}

/// Two spellings of one bus, each within the limit and together beyond it.
#[test]
fn the_sum_of_both_spellings_of_an_element() {
    let mut module = parse(&three_bus());
    module["value"]["data"]["buses"][1]["uid"] = json!("load centre");
    let module = module.to_string();
    let study = Study::create(&module, "dcopf", "").expect("a solvable case");
    let both = json!({ "2": 9e8, "load centre": 9e8 }).to_string();
    let sentence = "The demand change at bus 2 is 1.8e9 MW; the limit is 1.0e9 MW.";
    assert_eq!(
        refused(study.preview((&both, "")), "DELTA.MALFORMED", sentence),
        Some(2)
    );
}

#[test]
fn steps_of_a_series() {
    let study = study_of("dcopf");
    let spec = json!({ "buses": [2], "branches": [3], "columns": ["lmp"] }).to_string();
    let series = Series::new(&study, &spec).expect("a series");
    let solved = series.solve(&[1e308, 0.0, 1.0, 0.0, 0.0, -1e308], 1).expect("a series");
    let steps = &parse(&solved.json)["steps"];
    for (step, code, sentence) in [(0, "DELTA.MALFORMED", DEMAND), (2, "RATE.MALFORMED", RATING)] {
        assert_eq!(steps[step]["error"]["code"], code);
        assert_eq!(steps[step]["error"]["message"], sentence);
    }
    assert!(steps[1]["objective"].as_f64().is_some());
}

#[test]
fn ends_of_a_path() {
    let mut study = study_of("dcopf");
    for (target, from, to, sentence, id) in [
        (
            r#"{"bus":2}"#,
            0.0,
            1e308,
            "The track of bus 2 ends at 1.0e308 MW; the limit is 1.0e9 MW.",
            2,
        ),
        (
            r#"{"bus":2}"#,
            -1.1e9,
            0.0,
            "The track of bus 2 ends at \u{2212}1.1e9 MW; the limit is 1.0e9 MW.",
            2,
        ),
        (
            r#"{"branch":3}"#,
            0.0,
            1e10,
            "The track of line 3 ends at 1.0e10 MW; the limit is 1.0e9 MW.",
            3,
        ),
    ] {
        assert_eq!(
            refused(
                Answer::track(&mut study, target, from, to, "", false),
                "INPUT.REQUEST",
                sentence
            ),
            Some(id)
        );
    }
    let longest = Answer::track(&mut study, r#"{"bus":2}"#, 0.0, 1e9, "", false).expect("a path");
    assert!(longest["stopped"].is_object());
}

#[test]
fn fields_of_a_plan() {
    let study = study_of("dcopf");
    let plan = |changes: Value| {
        let mut spec = json!({
            "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": 1.0 }] },
            "candidates": [1, 2, 3], "max_increase_per_branch_mw": 4.0, "budget_mw": 4.0, "increment_mw": 2.0,
            "max_changed_lines": 3, "exact_solve_budget": 1,
        });
        for (name, value) in changes.as_object().expect("an object") {
            spec[name] = value.clone();
        }
        Answer::run(Job::plan(&study, &spec.to_string()))
    };
    for field in ["increment_mw", "budget_mw", "max_increase_per_branch_mw"] {
        let sentence = format!("{field} is 1.0e308 MW; the limit is 1.0e9 MW.");
        assert_eq!(refused(plan(json!({ field: 1e308 })), "PLAN.SPEC", &sentence), None);
    }
    for weight in [1e308, -1e308] {
        let sign = if weight < 0.0 { "\u{2212}" } else { "" };
        let weights = json!({ "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": weight }] } });
        let sentence = format!("The weight of bus 2 is {sign}1.0e308; the limit is 1.0e9.");
        assert_eq!(refused(plan(weights), "PLAN.SPEC", &sentence), Some(2));
    }
    assert!(plan(json!({})).is_ok());
}

#[test]
fn loads_of_a_feeder() {
    let script = "Clear\nNew Circuit.small basekv=11 bus1=grid\nNew Line.main bus1=grid bus2=end\n\
                  New Load.three bus1=end kv=11 kw=12 kvar=3\nSolve\n";
    let case = parse(&ingest_distribution_json(script.as_bytes(), "dss", &[]).expect("a feeder"));
    let module = case["module_json"].as_str().expect("a module");
    let options = r#"{"source_impedance":"branch"}"#;
    let mut feeder = McStudy::new(module, options, "").unwrap_or_else(|e| panic!("{e}"));
    for (power, amount) in [
        (r#"{"p_kw":1e308}"#, "1.0e308 kW; the limit is 1.0e9 kW."),
        (r#"{"q_kvar":-1.1e9}"#, "\u{2212}1.1e9 kvar; the limit is 1.0e9 kvar."),
    ] {
        let loads = format!(r#"{{"three":{power}}}"#);
        let sentence = format!("The power of load `three` is {amount}");
        for found in [
            feeder.commit(&loads).map(|_| ()),
            feeder.preview(&loads).map(|_| ()),
            McStudy::new(module, options, &loads).map(|_| ()),
        ] {
            let error = found.expect_err("a refusal");
            assert_eq!((error.code, error.message()), ("EDIT.LOAD_POWER", sentence.clone()));
            assert_eq!(error.details.expect("details")["element"], "load.three");
        }
    }
}

#[test]
fn demand_and_shunts_of_a_case() {
    for (from, to) in [("\"p\": 90.0", "\"p\": 1e308"), ("\"p\": 90.0", "\"p\": -1.1e9")] {
        let module = three_bus().replace(from, to);
        assert!(module != three_bus());
        let error = Study::create(&module, "dcopf", "").expect_err("a refusal");
        assert_eq!(
            (error.code, error.element.map(|e| e.id)),
            ("PHYSICS.UNSUPPORTED", Some(2))
        );
    }
}
