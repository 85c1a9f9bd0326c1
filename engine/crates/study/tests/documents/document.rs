//! Study files: round trips, their bytes, and a bundle damaged in each way, which is refused.

use crate::common::{parse, three_bus, Answer};
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use flate2::Compression;
use serde_json::{json, Value};
use std::io::{Read, Write};
use wattbook_network::sha256::sha256_hex;
use wattbook_study::{read_solution_module, read_study_bundle_json, write_study_bundle, Job, Study};

/// Three states of the three-bus case, the last one in another formulation, with a plan and the activity.
pub(crate) fn draft() -> Value {
    let module = three_bus();
    let solved = |formulation: &str, deltas: &str| {
        let mut study = Study::create(&module, formulation, "").expect("a solvable case");
        study.commit("three", (deltas, ""), "").expect("a solvable edit");
        let solution = Answer::of(&study);
        let plan = Answer::run(Job::plan(
            &study,
            &json!({
                "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": 1.0 }] },
                "candidates": [1, 2, 3], "max_increase_per_branch_mw": 4.0, "budget_mw": 4.0, "increment_mw": 2.0,
                "max_changed_lines": 3, "exact_solve_budget": 8,
            })
            .to_string(),
        ));
        (solution, study.save_solution_module_json(&module).unwrap(), plan.ok())
    };
    let (base, base_module, plan) = solved("dcopf", "");
    let (edited, edited_module, _) = solved("dcopf", r#"{"2":5}"#);
    let (flow, flow_module, _) = solved("acpf", r#"{"2":5}"#);
    let state = |of: &Value, formulation: &str, label: &str, revision: u32, solution: &str| {
        let mut state = json!({
            "label": label, "formulation": formulation, "input": "case", "revision": revision, "at": "2026-01-31T12:00:00.125Z",
            "result_sha256": of["result_sha256"], "solution": solution,
        });
        if let Some(objective) = of.get("objective") {
            state["objective"] = objective.clone();
        }
        state
    };
    let mut states = json!({
        "s0": state(&base, "dcopf", "Base case", 0, "base"),
        "s1": state(&edited, "dcopf", "Bus 2 +5 MW", 1, "edited"),
        "s2": state(&flow, "acpf", "AC power flow", 2, "flow"),
    });
    for (id, parent) in [("s1", "s0"), ("s2", "s1")] {
        states[id]["parent"] = json!(parent);
        states[id]["deltas"] = json!({ "2": 5.0 });
    }
    states["s1"]["name"] = json!("More demand");
    states["s1"]["note"] = json!("first line\nsecond line");
    json!({
        "document": {
            "schema": "wattbook-study", "version": 2, "id": "study-1", "title": "Three buses", "revision": 2,
            "case": { "id": "three", "sha256": sha256_hex(module.as_bytes()) },
            "formulation": "acpf", "states": states,
            "goals": { "g1": {
                "label": "Lower prices", "scope": { "kind": "area", "area": 1 }, "formulation": "dcopf", "start_state": "s0",
                "candidate_state": "s1",
                "spec": {
                    "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 2, "weight": 1.0 }] },
                    "candidates": [1, 2, 3], "max_increase_per_branch_mw": 4.0, "budget_mw": 4.0, "increment_mw": 2.0,
                    "max_changed_lines": 3, "exact_solve_budget": 8,
                },
                "outcome": plan.expect("a plan").head,
            } },
            "experiments": {
                "e1": { "kind": "solve", "label": "Base case", "result": "solved", "at": "2026-01-31T12:00:01Z", "ms": 1.5, "state": "s0" },
                "e2": { "kind": "planning_trial", "label": "Line 2 +2 MW", "at": "2026-01-31T12:00:02Z", "result": "", "goal": "g1", "trial": 2 },
            },
            "experiment_order": ["e1", "e2"],
            "decisions": { "d1": { "label": "Bus 2", "result": "applied", "at": "2026-01-31T12:00:03Z", "state": "s1" } },
            "inspected_state": "s1", "recommended_state": "s0", "applied_state": "s2", "active_goal": "g1",
            "base_input": "case",
            "display": {
                "layers": [{ "name": "buses.geojson", "artifact": "layer" }],
                "drawing": { "name": "lines.pwd", "artifact": "drawing" },
                "view": { "quantity": "lmp", "selection": [{ "kind": "bus", "id": 2 }] },
            },
        },
        "artifacts": {
            "case": { "kind": "module", "text": module },
            "the same again": { "kind": "module", "text": module },
            "base": { "kind": "solution", "text": base_module },
            "edited": { "kind": "solution", "text": edited_module },
            "flow": { "kind": "solution", "text": flow_module },
            "layer": { "kind": "geo_layer", "text": r#"{"type":"FeatureCollection","features":[]}"# },
            "drawing": { "kind": "drawing", "text": "{}" },
        },
    })
}

pub(crate) fn written(draft: &Value) -> Vec<u8> {
    write_study_bundle(&draft.to_string(), false).expect("a good bundle")
}

pub(crate) fn read(bytes: &[u8]) -> Value {
    parse(&read_study_bundle_json(bytes).expect("a readable file"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The code of the refusal; its sentence contains `named`.
#[track_caller]
pub(crate) fn refused(bytes: &[u8], code: &str, named: &str) {
    let error = read_study_bundle_json(bytes).expect_err("a refusal");
    assert_eq!(error.code, code, "{error}");
    assert!(error.message().contains(named), "{error}");
}

#[test]
fn a_bundle_is_restored_completely() {
    let draft = draft();
    let back = read(&written(&draft));
    let (document, artifacts) = (&back["document"], back["artifacts"].as_object().unwrap());
    assert_eq!(artifacts.len(), 6, "the case is stored once");
    for (sha256, artifact) in artifacts {
        assert_eq!(sha256_hex(artifact["text"].as_str().unwrap().as_bytes()), *sha256);
    }
    assert_eq!(document["base_input"], document["case"]["sha256"]);
    for name in [
        "goals",
        "experiments",
        "experiment_order",
        "decisions",
        "inspected_state",
        "active_goal",
    ] {
        assert_eq!(document[name], draft["document"][name], "{name}");
    }
    for (id, state) in document["states"].as_object().unwrap() {
        assert_eq!(state["input"], document["base_input"]);
        let solution = artifacts[state["solution"].as_str().unwrap()]["text"].as_str().unwrap();
        let solution = Answer::from(read_solution_module(solution).expect("an exact result"));
        assert_eq!(solution["solution"]["result_sha256"], state["result_sha256"], "{id}");
        assert_eq!(state["label"], draft["document"]["states"][id]["label"]);
    }
    assert_eq!(document["states"]["s1"]["note"], "first line\nsecond line");
}

#[test]
fn equal_content_gives_equal_bytes_and_writing_is_idempotent() {
    let draft = draft();
    let bytes = written(&draft);
    assert_eq!(written(&draft), bytes);
    // Other names and another order of the artifacts.
    let mut renamed = draft.to_string().replace("\"edited\"", "\"0\"");
    assert_eq!(write_study_bundle(&renamed, false).unwrap(), bytes);
    renamed = read_study_bundle_json(&bytes).unwrap();
    assert_eq!(write_study_bundle(&renamed, false).unwrap(), bytes);
    let packed = write_study_bundle(&renamed, true).unwrap();
    assert_eq!(packed, write_study_bundle(&draft.to_string(), true).unwrap());
    assert!(packed.starts_with(b"\x1f\x8b") && packed.len() < bytes.len() / 4);
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, bytes);
    assert_eq!(read(&packed), read(&bytes));
}

#[test]
fn bytes_that_are_no_study_file_are_refused() {
    let bytes = written(&draft());
    refused(b"", "STUDY_FILE.EMPTY", "empty");
    refused(b" \n", "STUDY_FILE.EMPTY", "empty");
    refused(&[b"\xff\xfe".as_slice(), &bytes].concat(), "STUDY_FILE.TEXT", "UTF-8");
    refused(&bytes[..bytes.len() / 2], "STUDY_FILE.UNREADABLE", "damaged (EOF");
    refused(
        b"{",
        "STUDY_FILE.UNREADABLE",
        "The file is not a Study file, or it is damaged (",
    );
    refused(b"[]", "STUDY_FILE.UNREADABLE", "expected a JSON object");
    refused(b"[1, 2]", "STUDY_FILE.UNREADABLE", "");
    refused(b"{\"document\": {}}", "STUDY_FILE.UNREADABLE", "artifacts");
    let packed = gzip(&bytes);
    refused(&packed[..packed.len() - 9], "STUDY_FILE.GZIP", "gzip");
    let mut flipped = packed.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0xff;
    assert!([
        "STUDY_FILE.GZIP",
        "STUDY_FILE.TEXT",
        "STUDY_FILE.UNREADABLE",
        "STUDY_FILE.HASH"
    ]
    .contains(&read_study_bundle_json(&flipped).expect_err("a refusal").code));
    refused(&vec![b' '; (128 << 20) + 1], "STUDY_FILE.TOO_LARGE", "128 MiB");
}

#[test]
fn a_gzip_bomb_is_refused_before_it_is_unpacked() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..200 {
        encoder.write_all(&spaces).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 1 << 20, "200 MiB in {} bytes", bomb.len());
    refused(&bomb, "STUDY_FILE.TOO_LARGE", "128 MiB");
}

/// The bytes of a bundle after a change, with the old hashes.
pub(crate) fn damaged(bundle: &Value, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut bundle = bundle.clone();
    change(&mut bundle);
    bundle.to_string().into_bytes()
}

#[test]
fn a_document_damaged_in_each_way_is_refused_by_name() {
    let good = read(&written(&draft()));
    #[track_caller]
    fn check(good: &Value, code: &str, named: &str, change: impl FnOnce(&mut Value)) {
        refused(&damaged(good, |bundle| change(&mut bundle["document"])), code, named);
    }
    check(&good, "STUDY_FILE.SCHEMA", "wattbook-mc-study", |d| {
        d["schema"] = json!("wattbook-mc-study")
    });
    check(&good, "STUDY_FILE.VERSION", "newer", |d| d["version"] = json!(3));
    check(&good, "STUDY_FILE.VERSION", "Version 1", |d| d["version"] = json!(1));
    check(&good, "STUDY_FILE.VERSION", "\"2\"", |d| d["version"] = json!("2"));
    check(&good, "STUDY_FILE.UNREADABLE", "title", |d| {
        drop(d.as_object_mut().unwrap().remove("title"))
    });
    check(&good, "STUDY_FILE.UNREADABLE", "states.s1` (invalid type: null", |d| {
        d["states"]["s1"]["deltas"]["2"] = json!(null);
    });
    check(
        &good,
        "STUDY_FILE.UNREADABLE",
        "experiments.e1` (unknown variant `approval`",
        |d| {
            d["experiments"]["e1"]["kind"] = json!("approval");
        },
    );
    check(&good, "STUDY_FILE.FORMULATION", "states.s1", |d| {
        d["states"]["s1"]["formulation"] = json!("opf")
    });
    check(&good, "STUDY_FILE.FORMULATION", "document", |d| {
        d["formulation"] = json!("magic")
    });
    check(&good, "STUDY_FILE.NAME", "states", |d| {
        d["states"]["s\u{202e}9"] = json!({})
    });
    check(&good, "STUDY_FILE.ID", "a b", |d| {
        d["states"]["a b"] = d["states"]["s1"].clone()
    });
    check(&good, "STUDY_FILE.ID", "goals", |d| {
        d["goals"][""] = d["goals"]["g1"].clone()
    });
    // References, one by one.
    for place in ["applied_state", "inspected_state", "recommended_state", "active_goal"] {
        check(&good, "STUDY_FILE.REFERENCE", place, |d| d[place] = json!("gone"));
    }
    for (table, id, field) in [
        ("states", "s1", "parent"),
        ("goals", "g1", "start_state"),
        ("goals", "g1", "candidate_state"),
        ("experiments", "e2", "decision"),
        ("experiments", "e1", "state"),
        ("experiments", "e2", "goal"),
        ("decisions", "d1", "state"),
        ("decisions", "d1", "goal"),
    ] {
        let place = format!("{table}.{id}.{field}");
        check(&good, "STUDY_FILE.REFERENCE", &place, |d| {
            d[table][id][field] = json!("gone")
        });
    }
    check(&good, "STUDY_FILE.REFERENCE", "experiments.e2.trial", |d| {
        d["experiments"]["e2"]["trial"] = json!(99)
    });
    for time in [
        "yesterday",
        "2026-13-31T12:00:00Z",
        "2026-01-31T12:00:00",
        "2026-01-31T12:00:00.Z",
    ] {
        check(&good, "STUDY_FILE.TIME", "experiments.e1", |d| {
            d["experiments"]["e1"]["at"] = json!(time)
        });
    }
    let nowhere = "0".repeat(64);
    check(&good, "STUDY_FILE.REFERENCE", "states.s0.input", |d| {
        d["states"]["s0"]["input"] = json!(nowhere)
    });
    check(&good, "STUDY_FILE.REFERENCE", "states.s0.solution", |d| {
        d["states"]["s0"]["solution"] = json!(nowhere);
    });
    check(&good, "STUDY_FILE.REFERENCE", "display.layers.0", |d| {
        d["display"]["layers"][0]["artifact"] = json!(nowhere);
    });
    check(&good, "STUDY_FILE.REFERENCE", "display.drawing", |d| {
        d["display"]["drawing"]["artifact"] = json!(nowhere);
    });
    check(&good, "STUDY_FILE.REFERENCE", "experiment_order", |d| {
        d["experiment_order"] = json!(["e1", "e2", "e3"])
    });
    check(&good, "STUDY_FILE.ORDER", "e2", |d| {
        d["experiment_order"] = json!(["e1"])
    });
    check(&good, "STUDY_FILE.ORDER", "e1", |d| {
        d["experiment_order"] = json!(["e1", "e2", "e1"])
    });
    check(&good, "STUDY_FILE.CYCLE", "itself", |d| {
        d["states"]["s0"]["parent"] = json!("s2")
    });
    check(&good, "STUDY_FILE.CYCLE", "s0", |d| {
        d["states"]["s0"]["parent"] = json!("s0")
    });
    check(&good, "STUDY_FILE.KIND", "states.s0.solution", |d| {
        d["states"]["s0"]["solution"] = d["base_input"].clone();
    });
    // Identities.
    check(&good, "STUDY_FILE.IDENTITY", "base input", |d| {
        d["case"]["sha256"] = json!(nowhere)
    });
    check(&good, "STUDY_FILE.IDENTITY", "s2", |d| {
        d["formulation"] = json!("dcopf")
    });
    check(&good, "STUDY_FILE.IDENTITY", "result", |d| {
        d["states"]["s1"]["result_sha256"] = json!(nowhere)
    });
    check(&good, "STUDY_FILE.IDENTITY", "edits", |d| {
        d["states"]["s1"]["deltas"]["2"] = json!(6.0)
    });
    check(&good, "STUDY_FILE.IDENTITY", "edits", |d| {
        d["states"]["s1"]["rates"] = json!({ "1": 1.0 })
    });
    check(&good, "STUDY_FILE.IDENTITY", "edits", |d| {
        d["states"]["s2"]["reactive"] = json!({ "2": 1.0 })
    });
    check(&good, "STUDY_FILE.IDENTITY", "formulation", |d| {
        d["states"]["s1"]["formulation"] = json!("socwr");
    });
    check(&good, "STUDY_FILE.IDENTITY", "edits", |d| {
        d["states"]["s1"]["solution"] = d["states"]["s0"]["solution"].clone()
    });
    // A number beyond the doubles.
    let large = String::from_utf8(damaged(&good, |_| {}))
        .unwrap()
        .replacen("\"2\":5.0", "\"2\":1e999", 1);
    refused(large.as_bytes(), "STUDY_FILE.NUMBER", "number");
}

/// A branch that is in service in the case, and a rating that it has there, are no edits: the solution does not have them.
#[test]
fn values_of_the_case_are_left_out() {
    let module = three_bus();
    let edits = json!({ "branches": { "1": { "status": true }, "2": { "rating": 60.0, "status": true } } });
    let mut study = Study::create(&module, "dcopf", "").expect("a solvable case");
    study
        .commit("three", edits.to_string().as_str(), "")
        .expect("a solvable edit");
    let mut bundle = draft();
    let document = &mut bundle["document"];
    document["states"]["s1"]["branches"] = edits["branches"].clone();
    document["states"]["s1"]["deltas"] = json!({});
    document["states"]["s1"]["result_sha256"] = json!(Answer::of(&study)["result_sha256"]);
    bundle["artifacts"]["edited"]["text"] = json!(study.save_solution_module_json(&module).unwrap());
    let written = write_study_bundle(&bundle.to_string(), false).expect("a Study file");
    let written: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(
        written["document"]["states"]["s1"]["branches"],
        json!({ "2": { "rating": 60.0 } })
    );
}
