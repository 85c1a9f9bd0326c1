//! Edits stored in the module: a Study of the saved case is the Study of the case with its edits.

use crate::common::{data, ingest, parse, text, three_bus, Answer, THREE_BUS, THREE_WINDINGS};
use serde_json::{json, Map, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{export_module, inspect_module, materialize_module, Study};

fn edited(module: &str, deltas: &str, rates: &str) -> Answer {
    let mut study = Study::create(module, "dcopf", "{}").expect("a solvable case");
    study.commit("x", (deltas, rates), "").expect("a solvable edit");
    Answer::of(&study)
}

fn saved(module: &str, deltas: &str, rates: &str) -> Answer {
    let module = materialize_module(module, (deltas, rates)).expect("a saved case");
    let study = Study::create(&module, "dcopf", "{}").expect("a solvable case");
    Answer::of(&study)
}

/// Objective and prices agree to 1e-9, relative where they are greater than 1.
#[track_caller]
fn same(a: &Answer, b: &Answer, what: &str) {
    let numbers = |s: &Answer| -> Vec<f64> {
        let prices = s.taking(ColumnName::Lmp).into_iter();
        prices.chain([s.objective()]).collect()
    };
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len(), "{what}");
    for (a, b) in a.iter().zip(&b) {
        assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{what}: {a} against {b}");
    }
}

#[test]
fn the_three_bus_closed_form_is_saved() {
    // Line 2-3 at 45 instead of 40 MW, 5 MW more at bus 2 and 10 MW at bus 1, which has no load in the file.
    let (deltas, rates) = (r#"{"2":5,"1":10}"#, r#"{"2":5}"#);
    let study = edited(&three_bus(), deltas, rates);
    same(&study, &saved(&three_bus(), deltas, rates), "three bus");
    // By hand: in a triangle of equal lines the flow 3-2 is a third of the difference of the two injections,
    // f = (p3 + d2) / 3; bus 1 balances.
    let (d1, d2, f) = (10.0, 95.0, 45.0);
    let p3 = 3.0 * f - d2;
    let p1 = d1 + d2 - p3;
    let cost = 0.11 * p1 * p1 + 5.0 * p1 + 0.085 * p3 * p3 + 1.2 * p3;
    assert!((study.objective() - cost).abs() < 1e-6, "{study}");
}

#[test]
fn only_what_was_edited_changes() {
    let module = three_bus();
    assert_eq!(materialize_module(&module, ("", "null")).expect("no edits"), module);
    assert_eq!(
        materialize_module(&module, ("{\"2\":0}", "{\"1\":0.0}")).expect("none"),
        module
    );
    let text = materialize_module(&module, ("{\"2\":7.5}", "{\"2\":-3}")).expect("saved");
    let mut want = parse(&module);
    want["value"]["data"]["loads"][0]["p"] = json!(97.5);
    want["value"]["data"]["branches"][1]["rate_a"] = json!(37.0);
    assert_eq!(parse(&text), want);
    // The next save starts from there, and other formats contain it.
    let back = materialize_module(&text, ("{\"2\":-7.5}", "{\"2\":3}")).expect("saved");
    assert_eq!(parse(&back), parse(&module));
    let file = export_module(&text, "matpower").expect("a file");
    let again = ingest(&file.bytes, "matpower");
    assert_eq!(again.at(ColumnName::DemandMw)[1], 97.5);
    assert_eq!(again.at(ColumnName::RatingMw)[1], 37.0);
}

/// The three-bus module with uids at bus 2 and branch 2.
fn with_uids() -> String {
    let mut module = parse(&three_bus());
    let network = &mut module["value"]["data"];
    network["buses"][1]["uid"] = json!("load centre");
    network["branches"][1]["uid"] = json!("tie");
    let module = module.to_string();
    let case = Answer::from(inspect_module(&module).expect("a good module"));
    assert_eq!(case["topology"]["bus_uids"][1], "load centre");
    module
}

#[test]
fn edits_by_id_and_by_uid_give_equal_bytes() {
    let module = with_uids();
    let by_id = (r#"{"2":4,"3":2}"#, r#"{"2":6}"#);
    for (deltas, rates) in [
        (r#"{"load centre":4,"3":2}"#, r#"{"tie":6}"#),
        (r#"{"2":1,"load centre":3,"3":2}"#, r#"{"2":2.5,"tie":3.5}"#),
    ] {
        assert_eq!(
            materialize_module(&module, (deltas, rates)).expect("saved"),
            materialize_module(&module, (by_id.0, by_id.1)).expect("saved")
        );
        let answers = |deltas: &str, rates: &str, bus: &str, branch: &str| {
            let mut study = Study::create(&module, "dcopf", "{}").expect("a solvable case");
            [
                Answer::from(study.preview((deltas, rates)).expect("a preview")),
                Answer::from(study.commit("x", (deltas, rates), bus).expect("a commit")),
                Answer::from(study.sensitivity("x", (deltas, rates), branch).expect("a column")),
                Answer::of(&study),
            ]
        };
        assert_eq!(
            answers(deltas, rates, r#"{"bus":"load centre"}"#, r#"{"branch":"tie"}"#),
            answers(by_id.0, by_id.1, r#"{"bus":2}"#, r#"{"branch":"2"}"#)
        );
    }
}

#[test]
fn edits_are_refused_as_in_a_commit() {
    let module = three_bus();
    for (deltas, rates) in [
        ("{\"9\":1}", ""),
        ("{\"2\":-90.5}", ""),
        ("{\"2\":1e999}", ""),
        ("", "{\"2\":-40}"),
        ("", "{\"7\":1}"),
        ("{\"2\":\"x\"}", ""),
    ] {
        let mut study = Study::create(&module, "dcopf", "{}").expect("a solvable case");
        let commit = study.commit("x", (deltas, rates), "").unwrap_err();
        let save = materialize_module(&module, (deltas, rates)).unwrap_err();
        assert_eq!(commit, save, "{deltas} {rates}");
    }
    assert_eq!(materialize_module("{}", ("", "")).unwrap_err().code, "MODULE.INVALID");
}

#[test]
fn three_winding_transformers_stay_typed_and_their_rows_cannot_be_edited() {
    let case = ingest(THREE_WINDINGS.as_bytes(), "psse");
    let counts = ["n_bus", "n_branch", "n_analysis_bus", "n_analysis_branch"].map(|k| case[k].as_u64().unwrap());
    assert_eq!(counts, [3, 1, 4, 4]);
    assert_eq!(case.at(ColumnName::BusEditable), [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(case.at(ColumnName::BranchEditable), [1.0, 0.0, 0.0, 0.0]);
    let module = text(&case);
    let network = &parse(&module)["value"]["data"];
    assert_eq!(network["transformers_3w"].as_array().map(Vec::len), Some(1));
    assert_eq!(network["buses"].as_array().map(Vec::len), Some(3));
    for (deltas, rates) in [("{\"4\":1}", ""), ("", "{\"3\":1}")] {
        let error = materialize_module(&module, (deltas, rates)).unwrap_err();
        assert_eq!(error.code, "EDIT.NOT_EDITABLE");
        let mut study = Study::create(&module, "dcopf", "{}").expect("a solvable case");
        assert_eq!(study.commit("x", (deltas, rates), "").unwrap_err(), error);
    }
    let saved = materialize_module(&module, ("{\"3\":5}", "{\"1\":20}")).expect("saved");
    let network = parse(&saved)["value"]["data"].take();
    assert_eq!(
        network["transformers_3w"],
        parse(&module)["value"]["data"]["transformers_3w"]
    );
    assert_eq!(
        (&network["loads"][1]["p"], &network["branches"][0]["rate_a"]),
        (&json!(25.0), &json!(120.0))
    );
}

#[test]
fn a_fallback_rating_is_saved_as_a_number() {
    let case = ingest(THREE_BUS.replace("0 40 0", "0 0 0").as_bytes(), "matpower");
    assert_eq!(case.at(ColumnName::RatingIsFallback)[1], 1.0);
    let saved = materialize_module(&text(&case), ("", "{\"2\":12.5}")).expect("saved");
    let again = Answer::from(inspect_module(&saved).expect("a good module"));
    assert_eq!(again.at(ColumnName::RatingIsFallback)[1], 0.0);
    let [before, after] = [&case, &again].map(|case| case.at(ColumnName::RatingMw)[1]);
    assert!((after - before - 12.5).abs() < 1e-9, "{before} {after}");
}

#[test]
fn cases_of_the_data_folder_are_saved() {
    for path in [
        "matpower/case118.m",
        "matpower/case24_ieee_rts.m",
        "matpower/case30pwl.m",
        "matpower/case89pegase.m",
        "matpower/case57.m",
        "activsg200/case_ACTIVSg200.m",
    ] {
        let Some(bytes) = data(path) else { continue };
        let case = ingest(&bytes, "matpower");
        let module = text(&case);
        let (mut deltas, mut rates) = (Map::new(), Map::new());
        let demands = case.at(ColumnName::DemandMw);
        for bus in (0..demands.len()).step_by(7) {
            let demand = demands[bus];
            if case.at(ColumnName::BusInService)[bus] == 1.0 && demand >= 0.0 {
                // Every second one goes down; buses without demand get some.
                let mw = if deltas.len() % 2 == 1 {
                    -0.4 * demand
                } else {
                    0.02 * demand + 0.3
                };
                deltas.insert(case.at(ColumnName::BusId)[bus].to_string(), json!(mw));
            }
        }
        let ratings = case.at(ColumnName::RatingMw);
        for branch in (0..ratings.len()).step_by(5) {
            if case.at(ColumnName::BranchInService)[branch] == 1.0 {
                rates.insert((branch + 1).to_string(), json!(0.07 * ratings[branch]));
            }
        }
        let (deltas, rates) = (Value::from(deltas).to_string(), Value::from(rates).to_string());
        same(
            &edited(&module, &deltas, &rates),
            &saved(&module, &deltas, &rates),
            path,
        );
    }
}
