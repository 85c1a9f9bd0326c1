//! Edits of HVDC links and added links: closed forms of two islands, and agreement with the case that has the values in its file.

use crate::common::{commit, data, ingest, near, open, parse, refused, text, Answer};
use crate::links::{module, APART, CONVERTERS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{inspect_module, materialize_module, read_solution_module, Study};

/// The module with these values in the fields of its links, which mean the same as those of MATPOWER's `dcline`.
fn written(module: &str, edits: &Value) -> String {
    let mut module = parse(module);
    for (id, edit) in edits.as_object().unwrap() {
        let row = id.parse::<usize>().unwrap() - 1;
        let link = &mut module["value"]["data"]["hvdc"][row];
        for (name, field) in [
            ("status", "in_service"),
            ("p", "pf"),
            ("p_min", "pmin"),
            ("p_max", "pmax"),
            ("loss", "loss0"),
            ("loss_factor", "loss1"),
        ] {
            if !edit[name].is_null() {
                link[field] = edit[name].clone();
            }
        }
        if let Some(cost) = edit["cost"].as_f64() {
            link["cost"]["coeffs"] = json!([cost, 0.0]);
        }
    }
    module.to_string()
}

/// The link sends at 20 $/MWh, loses a share of 0.1 and 4 MW, and costs 3 $/MWh: where it is not full, its power costs 23 / 0.9 $/MWh.
#[test]
fn values_of_a_link_in_closed_form() {
    let mut study = open(&module());
    let base = study.result_sha256();
    let links = |values: Value| json!({ "links": { "1": values } });
    // 100 MW sent would deliver 86 MW; with 120 MW the 90 MW of demand are met by 94 / 0.9 MW.
    let wide = commit(&mut study, &links(json!({ "p_max": 100.0 })));
    near(wide.at(ColumnName::LinkToMw), &[86.0, f64::NAN]);
    near(wide.at(ColumnName::Lmp), &[20.0, 50.0, 20.0]);
    let wide = commit(&mut study, &links(json!({ "p_max": 120.0 })));
    near(wide.at(ColumnName::LinkMw), &[94.0 / 0.9, f64::NAN]);
    near(wide.at(ColumnName::Lmp), &[20.0, 23.0 / 0.9, 20.0]);
    // Without losses and cost both islands have one price; with a loss l alone it is p / (1 - l).
    let ideal = json!({ "p_max": 120.0, "loss": 0.0, "loss_factor": 0.0, "cost": 0.0 });
    near(commit(&mut study, &links(ideal)).at(ColumnName::Lmp), &[20.0; 3]);
    let lossy = json!({ "p_max": 150.0, "loss": 0.0, "loss_factor": 0.2, "cost": 0.0 });
    near(
        commit(&mut study, &links(lossy)).at(ColumnName::Lmp),
        &[20.0, 20.0 / 0.8, 20.0],
    );
    // At 30 $/MWh a MW sent costs 50 $/MWh and delivers 0.9 MW at 50: only the lower limit makes it run.
    let dear = json!({ "cost": 30.0, "p_min": 15.0 });
    let held = commit(&mut study, &links(dear));
    near(held.at(ColumnName::LinkMw), &[15.0, f64::NAN]);
    near(held.at(ColumnName::LinkShadow), &[50.0 - 0.9 * 50.0, f64::NAN]);
    // Out of service, and the other one in service from bus 2 to bus 1, where it has nothing to gain.
    let out = commit(&mut study, &links(json!({ "status": false })));
    near(out.at(ColumnName::LinkMw), &[f64::NAN; 2]);
    near(out.at(ColumnName::DispatchMw), &[30.0, 90.0]);
    let both = commit(&mut study, &json!({ "links": { "2": { "status": true } } }));
    near(both.at(ColumnName::LinkMw), &[60.0, 0.0]);
    // A saved state is restored, and values equal to those of the case are no edit.
    let own =
        json!({ "status": true, "p": 50.0, "p_min": 0.0, "p_max": 60.0, "loss": 4.0, "loss_factor": 0.1, "cost": 3.0 });
    commit(&mut study, &links(own));
    assert_eq!(study.result_sha256(), base);
}

/// Power flows hold the edited schedule: 30 MW arrive as 30 - 4 - 3 = 23 MW.
#[test]
fn a_power_flow_holds_an_edited_schedule() {
    let mut study = Study::create(&module(), "dcpf", "{}").expect("a case");
    let moved = commit(&mut study, &json!({ "links": { "1": { "p": 30.0 } } }));
    near(moved.at(ColumnName::LinkMw), &[30.0, f64::NAN]);
    near(moved.at(ColumnName::LinkToMw), &[23.0, f64::NAN]);
}

/// Bus 2 has no unit of its own and depends on the link: without it there is no supply, and the island is named where a
/// part of it can be supplied.
#[test]
fn islands_of_a_link_out_of_service_are_named() {
    let mut study = open(&module());
    let out = json!({ "1": { "status": false } });
    let alone = commit(&mut study, &json!({ "links": out }));
    let islands = |answer: &Answer| -> Vec<Value> {
        let all = answer["diagnostics"].as_array().unwrap().iter();
        all.filter(|d| d["code"] == "ISLAND.NEW").cloned().collect()
    };
    let named = islands(&alone);
    assert_eq!(named.len(), 1, "{alone}");
    assert_eq!(named[0]["element"], json!({ "kind": "bus", "id": 2 }));
    assert!(
        named[0]["message"].as_str().unwrap().contains("200.0 MW"),
        "{}",
        named[0]
    );
    let off = json!({ "2": { "status": false } });
    let (code, message) = refused(&mut study, &json!({ "links": out, "generators": off }));
    assert_eq!(code, "SOLVE.INFEASIBLE");
    assert!(message.contains("bus 2"), "{message}");
    // A line out of service beside a link cuts nothing off: bus 3 has a link of its own.
    let beside = json!({
        "added": { "links": [{ "from": 1, "to": 3, "p_max": 10.0 }] },
        "branches": { "1": { "status": false } },
    });
    assert!(islands(&commit(&mut study, &beside)).is_empty());
}

#[test]
fn malformed_edits_are_refused() {
    let mut study = open(&module());
    let base = study.result_sha256();
    for (edit, code) in [
        (json!({ "9": { "status": false } }), "LINK.UNKNOWN"),
        (json!({ "1": { "p_max": 1e12 } }), "LINK.MALFORMED"),
        (json!({ "1": { "loss": -1.0 } }), "LINK.MALFORMED"),
        (json!({ "1": { "loss_factor": 1.0 } }), "LINK.MALFORMED"),
        (json!({ "1": { "loss_factor": -0.1 } }), "LINK.MALFORMED"),
        (json!({ "1": { "p_min": 61.0 } }), "LINK.LIMITS"),
        (json!({ "1": { "p": 1.0 }, "01": { "p": 1.0 } }), "LINK.MALFORMED"),
        (json!({ "1": { "rating": 5.0 } }), "INPUT.REQUEST"),
    ] {
        let (found, message) = refused(&mut study, &json!({ "links": edit }));
        assert_eq!(found, code, "{edit}");
        if code.starts_with("LINK.") && code != "LINK.UNKNOWN" {
            assert!(message.contains("HVDC link 1"), "{message}");
        }
    }
    let added = |edit: Value| json!({ "added": { "links": [edit] } });
    for (edit, code) in [
        (json!({ "from": 1, "to": 9, "p_max": 5.0 }), "BUS.UNKNOWN"),
        (json!({ "from": 1, "to": 1, "p_max": 5.0 }), "ADDED.MALFORMED"),
        (json!({ "from": 1, "to": 2 }), "INPUT.REQUEST"),
        (json!({ "from": 1, "to": 2, "p_max": -5.0 }), "ADDED.MALFORMED"),
        (
            json!({ "from": 1, "to": 2, "p_max": 5.0, "loss_factor": 1.5 }),
            "ADDED.MALFORMED",
        ),
        (json!({ "from": 1, "to": 2, "p_max": 5.0, "name": "7" }), "ADDED.NAME"),
    ] {
        assert_eq!(refused(&mut study, &added(edit.clone())).0, code, "{edit}");
    }
    let out = json!({ "links": { "1": { "status": false } } }).to_string();
    let preview = study.preview(out.as_str()).err().map(|e| e.code);
    assert_eq!(preview, Some("LINK.NO_PREVIEW"));
    assert_eq!(study.result_sha256(), base);
    let isolated = APART
        .replace("2\t3\t90", "2\t4\t0")
        .replace("2\t1\t0\t50", "1\t3\t0\t50");
    let mut isolated = open(&text(&ingest(isolated.as_bytes(), "matpower")));
    assert_eq!(
        refused(&mut isolated, &json!({ "links": { "1": { "status": true } } })).0,
        "LINK.ISOLATED_BUS"
    );
}

/// A case with the values in its file solves to the same bits, in every formulation.
#[test]
fn a_case_with_the_values_in_its_file_is_the_same() {
    let apart = module();
    let converters = text(&ingest(CONVERTERS.as_bytes(), "matpower"));
    let costly = json!({ "1": { "p_max": 80.0, "p": 33.3, "loss": 1.1, "loss_factor": 0.07, "cost": 2.5 } });
    let plain = json!({ "1": { "p_min": -30.0, "p_max": 70.0, "p": 20.0, "loss_factor": 0.0 } });
    let out = json!({ "1": { "status": false } });
    for (module, formulation, edits) in [
        (&apart, "dcopf", vec![&costly, &out]),
        (&apart, "dcpf", vec![&costly]),
        (&converters, "dcopf", vec![&plain, &out]),
        (&converters, "acpf", vec![&plain, &out]),
        (&converters, "socwr", vec![&plain]),
    ] {
        let mut study = Study::create(module, formulation, "{}").expect("a solvable case");
        let base = study.result_sha256();
        for edits in edits {
            let committed = commit(&mut study, &json!({ "links": edits }));
            let request = json!({ "links": edits }).to_string();
            let text = materialize_module(module, request.as_str()).expect("a module");
            for text in [text, written(module, edits)] {
                let own = Answer::of(&Study::create(&text, formulation, "{}").expect("a solvable case"));
                assert!(committed.bits() == own.bits(), "{formulation} {edits}");
            }
            if formulation != "dcpf" {
                let saved = study.save_solution_module_json(module).expect("a solution module");
                let read = Answer::from(read_solution_module(&saved).expect("the same result"));
                assert_eq!(read["solution"]["result_sha256"], committed["result_sha256"]);
                assert_eq!(&read["links"], edits);
                if edits == &out {
                    let mut changed = parse(&saved);
                    let own = if formulation == "dcopf" {
                        "wattbook.dc-opf"
                    } else {
                        "wattbook.ac"
                    };
                    let stored = &mut changed["extensions"][own]["link_edits"];
                    assert_eq!(stored, edits);
                    *stored = json!({ "1": { "p": 5.0 } });
                    let changed = changed.to_string();
                    assert_eq!(read_solution_module(&changed).unwrap_err().code, "MODULE.TAMPERED");
                }
            }
        }
        study.commit("x", "{}", "").expect("the base case");
        assert_eq!(study.result_sha256(), base, "{formulation}");
    }
}

/// A link from bus 1 to bus 2 that loses 20 %: with it and without the link of the case, bus 2 has 20 / 0.8 $/MWh; in reverse it
/// delivers nothing.
#[test]
fn an_added_link_in_closed_form() {
    let mut study = open(&module());
    let base = study.result_sha256();
    let cable = json!({ "name": "cable", "from": 1, "to": 2, "p_min": -500.0, "p_max": 500.0, "loss_factor": 0.2 });
    let edits = json!({ "added": { "links": [cable] }, "links": { "1": { "status": false } } });
    let built = commit(&mut study, &edits);
    near(built.at(ColumnName::Lmp), &[20.0, 25.0, 20.0]);
    near(built.at(ColumnName::LinkMw), &[f64::NAN, f64::NAN, 90.0 / 0.8]);
    assert_eq!(Answer::from(study.rows()).at(ColumnName::LinkId), [1.0, 2.0, 3.0]);
    // Its values are edits by its name or its id.
    let mut edited = edits.clone();
    edited["links"]["cable"] = json!({ "p_max": 50.0 });
    near(
        commit(&mut study, &edited).at(ColumnName::LinkMw),
        &[f64::NAN, f64::NAN, 50.0],
    );
    study.commit("x", "{}", "").expect("the base case");
    assert_eq!(study.result_sha256(), base);
}

/// The module with an added link solves to the same bits, also of a case whose format has no such links, and in AC power flow the link
/// leaves voltages to the generators.
#[test]
fn a_case_with_the_link_in_its_file_is_the_same() {
    let converters = text(&ingest(CONVERTERS.as_bytes(), "matpower"));
    let link = json!({ "name": "cable", "from": 2, "to": 5, "p_max": 60.0, "p": 25.0, "loss": 1.0, "loss_factor": 0.03, "cost": 0.5 });
    let edits = json!({ "added": { "links": [link] }, "links": { "cable": { "p": 30.0 } } });
    let raw = text(&ingest(crate::common::THREE_WINDINGS.as_bytes(), "psse"));
    let buses = parse(&raw)["value"]["data"]["buses"].clone();
    let between = [buses[0]["id"].clone(), buses[1]["id"].clone()];
    let beside = json!({ "added": { "links": [{ "from": between[0], "to": between[1], "p_max": 5.0, "p": 5.0 }] } });
    for (module, formulation, edits) in [
        (&converters, "dcopf", &edits),
        (&converters, "dcpf", &edits),
        (&converters, "acpf", &edits),
        (&converters, "socwr", &edits),
        (&raw, "dcpf", &beside),
    ] {
        let mut study = Study::create(module, formulation, "{}").expect("a solvable case");
        let committed = commit(&mut study, edits);
        let text = materialize_module(module, edits.to_string().as_str()).expect("a module");
        let own = Answer::of(&Study::create(&text, formulation, "{}").expect("a solvable case"));
        assert!(committed.bits() == own.bits(), "{formulation}");
        let last = *committed.at(ColumnName::LinkMw).last().unwrap();
        match formulation {
            "acpf" => {
                assert!((last - 30.0).abs() < 1e-9, "{last}");
                assert_eq!(committed.at(ColumnName::LinkFromMvar)[1], 0.0);
            }
            "dcpf" => assert!(last == 30.0 || last == 5.0, "{last}"),
            _ => assert!((-1e-6..60.0 + 1e-6).contains(&last), "{last}"),
        }
    }
}

/// RTS-GMLC has one link: its values in the file, and the columns that describe it.
#[test]
fn the_link_of_a_public_case() {
    let Some(bytes) = data("rts_gmlc/RTS_GMLC.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    let described = Answer::from(inspect_module(&module).expect("a case"));
    near(described.at(ColumnName::LinkScheduledMw), &[0.0]);
    let mut study = open(&module);
    let edits = json!({ "1": { "p_max": 30.0, "p_min": -30.0 } });
    let committed = commit(&mut study, &json!({ "links": edits }));
    let own = Answer::of(&open(&written(&module, &edits)));
    assert!(committed.bits() == own.bits());
}
