//! Edits of branches: closed forms of the triangle, and agreement with the case that has the values in its file.

use crate::common::{commit, data, grid, ingest, near, open, parse, refused, text, three_bus, Answer, THREE_BUS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{materialize_module, Study};

/// Without line 1-3 generator 2 sends its 40 MW over line 2-3; without line 2-3 nothing limits the two units.
#[test]
fn a_line_out_of_service_in_closed_form() {
    let mut study = open(&three_bus());
    let base = Answer::of(&study);
    let out = commit(&mut study, &json!({ "branches": { "3": { "status": false } } }));
    near(out.at(ColumnName::Lmp), &[16.0, 16.0, 8.0]);
    assert!((out.objective() - 709.0).abs() < 1e-7);
    assert!(out.at(ColumnName::FlowMw)[2].is_nan());
    let out = commit(&mut study, &json!({ "branches": { "2": { "status": false } } }));
    let p1 = 11.5 / 0.39;
    near(out.at(ColumnName::Lmp), &[0.22 * p1 + 5.0; 3]);
    // 50 MW of demand are out of reach of line 2-3.
    let (code, message) = refused(&mut study, &json!({ "branches": { "1": { "status": false } } }));
    assert_eq!(code, "SOLVE.INFEASIBLE");
    assert!(message.contains("50"), "{message}");
    // The Study still has the state before, and a status that the case has is no edit.
    near(Answer::of(&study).at(ColumnName::Lmp), &[0.22 * p1 + 5.0; 3]);
    let back = commit(&mut study, &json!({ "branches": { "2": { "status": true } } }));
    assert_eq!(back["result_sha256"], base["result_sha256"]);
}

/// A phase shift of one degree on line 1-3 moves `b φ` MW of room on line 2-3 to generator 2.
#[test]
fn a_phase_shift_in_closed_form() {
    let mut study = open(&three_bus());
    let shifted = commit(&mut study, &json!({ "branches": { "3": { "shift": 1.0 } } }));
    let susceptance = 100.0 * 0.1 / (0.01 * 0.01 + 0.1 * 0.1);
    let p3 = 30.0 + susceptance * 1.0f64.to_radians();
    near(shifted.at(ColumnName::DispatchMw), &[90.0 - p3, p3]);
    assert!((shifted.at(ColumnName::FlowMw)[1] + 40.0).abs() < 1e-7);
}

/// A rating of 50 MW lets 60 MW of generator 2 through: `(p3 + 90) / 3 = 50`; a change counts from it.
#[test]
fn a_rating_in_closed_form() {
    let mut study = open(&three_bus());
    let rated = commit(
        &mut study,
        &json!({ "branches": { "2": { "rating": 48.0 } }, "rates": { "2": 1.0 } }),
    );
    near(rated.at(ColumnName::DispatchMw), &[33.0, 57.0]);
    near(&rated.at(ColumnName::RatingMw)[1..2], &[49.0]);
}

#[test]
fn islands_are_named() {
    let mut study = open(&three_bus());
    let cut = json!({ "2": { "status": false }, "3": { "status": false } });
    let (code, message) = refused(&mut study, &json!({ "branches": cut }));
    assert_eq!(code, "SOLVE.INFEASIBLE");
    assert!(
        message.contains("bus 3") || message.contains("generator 2"),
        "{message}"
    );
    let alone = commit(
        &mut study,
        &json!({ "branches": cut, "generators": { "2": { "p_min": 0.0 } } }),
    );
    near(alone.at(ColumnName::DispatchMw), &[90.0, 0.0]);
    let islands: Vec<&Value> = alone["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|d| d["code"] == "ISLAND.NEW")
        .collect();
    assert_eq!(islands.len(), 1, "{alone}");
    assert_eq!(islands[0]["element"], json!({ "kind": "bus", "id": 3 }));
    assert!(
        islands[0]["message"].as_str().unwrap().contains("270.0 MW"),
        "{}",
        islands[0]
    );
    // Demand that is cut off from every generator has no solution.
    let cut = json!({ "1": { "status": false }, "2": { "status": false } });
    let idle = json!({ "1": { "p_min": 0.0 }, "2": { "p_min": 0.0 } });
    let (code, message) = refused(&mut study, &json!({ "branches": cut, "generators": idle }));
    assert_eq!(code, "SOLVE.INFEASIBLE");
    assert!(message.contains("bus 2"), "{message}");
}

#[test]
fn malformed_edits_are_refused() {
    let mut study = open(&three_bus());
    let base = study.result_sha256();
    for (edit, code) in [
        (json!({ "9": { "status": false } }), "BRANCH.UNKNOWN"),
        (json!({ "1": { "rating": 0.0 } }), "BRANCH.MALFORMED"),
        (json!({ "1": { "rating": 1e12 } }), "BRANCH.MALFORMED"),
        (json!({ "1": { "tap": -1.0 } }), "BRANCH.MALFORMED"),
        (
            json!({ "1": { "status": false }, "01": { "status": false } }),
            "BRANCH.MALFORMED",
        ),
        (json!({ "1": { "state": false } }), "INPUT.REQUEST"),
        (json!({ "1": { "x": "a" } }), "INPUT.REQUEST"),
    ] {
        assert_eq!(refused(&mut study, &json!({ "branches": edit })).0, code, "{edit}");
    }
    let out = json!({ "branches": { "3": { "status": false } } }).to_string();
    assert_eq!(
        study.preview(out.as_str()).err().map(|e| e.code),
        Some("BRANCH.NO_PREVIEW")
    );
    assert_eq!(study.result_sha256(), base);
    let zero = THREE_BUS.replace("1 2 0.01 0.1 0", "1 2 0 0 0");
    let mut merged = open(&text(&ingest(zero.as_bytes(), "matpower")));
    assert_eq!(
        refused(&mut merged, &json!({ "branches": { "1": { "x": 0.1 } } })).0,
        "EDIT.NOT_EDITABLE"
    );
    let isolated = THREE_BUS
        .replace("3 2 0 0", "3 4 0 0")
        .replace("3 0 0 0 0 1", "3 0 0 0 0 0");
    let mut isolated = open(&text(&ingest(isolated.as_bytes(), "matpower")));
    assert_eq!(
        refused(&mut isolated, &json!({ "branches": { "2": { "status": true } } })).0,
        "BRANCH.ISOLATED_BUS"
    );
}

/// A change of a rating stays without effect while its line is out, and previews in the edited network equal commits in their interval.
#[test]
fn the_edited_network_has_every_other_edit() {
    let mut study = open(&three_bus());
    let out = json!({ "3": { "status": false } });
    commit(
        &mut study,
        &json!({ "branches": out, "rates": { "3": -10.0, "2": 5.0 } }),
    );
    let state = commit(&mut study, &json!({ "branches": out, "rates": { "2": 5.0 } }));
    near(state.at(ColumnName::DispatchMw), &[45.0, 45.0]);
    let edits = json!({ "branches": out, "rates": { "2": 5.0 }, "deltas": { "2": 3.0 } }).to_string();
    let previewed = Answer::from(study.preview(edits.as_str()).expect("a preview"));
    let committed = commit(&mut study, &parse(&edits));
    let change = previewed.at(ColumnName::LmpChange);
    let sum: Vec<f64> = state
        .at(ColumnName::Lmp)
        .iter()
        .zip(change)
        .map(|(a, b)| a + b)
        .collect();
    near(&sum, committed.at(ColumnName::Lmp));
}

/// Line and value as the module has it: `[status, rating, x, tap, shift]` of the edit are written into the fields of its branch.
fn written(module: &str, edits: &Value) -> String {
    let mut module = parse(module);
    for (id, edit) in edits.as_object().unwrap() {
        let row = id.parse::<usize>().unwrap() - 1;
        let branch = &mut module["value"]["data"]["branches"][row];
        for (name, field) in [
            ("status", "in_service"),
            ("rating", "rate_a"),
            ("x", "x"),
            ("tap", "tap"),
            ("shift", "shift"),
        ] {
            if !edit[name].is_null() {
                branch[field] = edit[name].clone();
            }
        }
    }
    module.to_string()
}

/// A case with the values in its file solves to the same bits, in every formulation.
#[test]
fn a_case_with_the_values_in_its_file_is_the_same() {
    let edits = [
        json!({ "7": { "status": false }, "20": { "status": false } }),
        json!({ "11": { "x": 0.05 }, "12": { "rating": 400.0 } }),
        json!({ "30": { "tap": 0.97 }, "31": { "shift": 2.0 }, "9": { "status": false } }),
    ];
    for name in ["carolina", "illinois"] {
        let module = grid(name);
        for formulation in ["dcopf", "dcpf", "acpf"] {
            let mut study = Study::create(&module, formulation, "{}").expect("a solvable case");
            for edits in &edits {
                let committed = commit(&mut study, &json!({ "branches": edits }));
                let text =
                    materialize_module(&module, json!({ "branches": edits }).to_string().as_str()).expect("a module");
                for text in [text, written(&module, edits)] {
                    let own = Answer::of(&Study::create(&text, formulation, "{}").expect("a solvable case"));
                    assert_eq!(committed.bits(), own.bits(), "{name} {formulation} {edits}");
                }
            }
        }
    }
}

/// Assumed ratings follow their rule with the reactance, as in a file.
#[test]
fn an_assumed_rating_follows_the_reactance() {
    let unrated = THREE_BUS.replace("0.01 0.1 0 250", "0.01 0.1 0 0");
    let module = text(&ingest(unrated.as_bytes(), "matpower"));
    let edits = json!({ "1": { "x": 0.3 }, "3": { "shift": 70.0 } });
    let committed = Study::create(&module, "dcpf", "{}").and_then(|mut study| {
        study
            .commit("x", json!({ "branches": edits }).to_string().as_str(), "")
            .map(Answer::from)
    });
    let shifted = written(&module, &edits);
    let own = Answer::of(&Study::create(&shifted, "dcpf", "{}").expect("a case"));
    assert_eq!(committed.expect("a flow").bits(), own.bits());
    // Back from the file with these values: assumed limits are about zero again, bit for bit.
    let back = json!({ "branches": { "1": { "x": 0.1 }, "3": { "shift": 0.0 } } }).to_string();
    let mut study = Study::create(&shifted, "dcpf", "{}").expect("a case");
    study.commit("x", back.as_str(), "").expect("a flow");
    let plain = Answer::of(&Study::create(&module, "dcpf", "{}").expect("a case"));
    assert_eq!(Answer::of(&study).bits(), plain.bits());
}

/// The outage of each line of case118 at fixed demand: prices of a file with `BR_STATUS` 0.
#[test]
fn outages_of_a_public_case() {
    let Some(bytes) = data("pglib/pglib_opf_case118_ieee.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    let mut study = open(&module);
    let mut solved = 0;
    for line in (1..=186).step_by(23) {
        let edits = json!({ (line.to_string()): { "status": false } });
        let text = json!({ "branches": edits }).to_string();
        let own = Study::create(&written(&module, &edits), "dcopf", "{}").map(|study| Answer::of(&study));
        match (study.commit("x", text.as_str(), "").map(Answer::from), own) {
            (Ok(committed), Ok(own)) => {
                solved += 1;
                assert_eq!(committed.bits(), own.bits(), "{line}");
            }
            (Err(a), Err(b)) => assert_eq!(a.code, b.code, "{line}"),
            (a, b) => panic!("line {line}: {:?} against {:?}", a.is_ok(), b.is_ok()),
        }
    }
    assert!(solved >= 6);
}
