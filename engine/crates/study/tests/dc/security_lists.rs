//! Lists of outages as options: those that stand for every branch solve as `all` does.

use crate::common::{data, ingest, text};
use serde_json::{json, Value};
use wattbook_study::{is_security_list, read_security_lists_json, solve_module};

fn lists(module: &str, files: &[(&str, &[u8])]) -> Value {
    let files: Vec<(String, Vec<u8>)> = files
        .iter()
        .map(|(name, bytes)| ((*name).into(), bytes.to_vec()))
        .collect();
    let read = read_security_lists_json(module, &files).expect("lists");
    serde_json::from_str(&read).expect("JSON")
}

/// Hash and report of the optimum with these outages.
fn secured(module: &str, outages: &Value) -> [Value; 2] {
    let request = json!({"formulation": "dcopf", "options": {"security": {"outages": outages}}});
    let solved = solve_module(module, &request.to_string()).expect("an optimum");
    let mut head: Value = serde_json::from_str(&solved.json).expect("JSON");
    ["result_sha256", "security"].map(|part| head["response"][part].take())
}

#[test]
fn a_single_branch_in_a_subsystem_of_all_buses_is_every_branch() {
    let Some(raw) = data("raw/powsybl/IEEE_24_bus.raw") else {
        return;
    };
    let module = text(&ingest(&raw, "psse"));
    let files: [(&str, &[u8]); 2] = [
        ("x.con", b"SINGLE BRANCH IN SUBSYSTEM 'EVERYTHING'\nEND\n"),
        ("x.sub", b"SUBSYSTEM 'EVERYTHING'\nKVRANGE 0 9999\nEND\nEND\n"),
    ];
    let read = lists(&module, &files);
    assert_eq!(
        read["outages"].as_array().map(Vec::len),
        Some(38),
        "the branches of the IEEE RTS"
    );
    let [sha256, report] = secured(&module, &read["outages"]);
    // One of them is a bridge.
    assert_eq!(report["outages"], json!(37));
    assert_eq!([sha256, report], secured(&module, &json!("all")));
}

#[test]
fn contingencies_of_an_interchange_file() {
    let Some(sample) = data("aux/ctg_sample.AUX") else {
        return;
    };
    assert!(is_security_list("ctg_sample.AUX", &sample));
    let Some(raw) = data("raw/powsybl/IEEE_14_bus.raw") else {
        return;
    };
    let module = text(&ingest(&raw, "psse"));
    let read = lists(&module, &[("ctg_sample.AUX", &sample)]);
    let statement =
        |line: u32, text: &str| json!({"file": "ctg_sample.AUX", "line": line, "text": text, "left_out": "005bbb"});
    let missing = [
        statement(5, "\"BRANCH 514 7512 1 OPEN\" \"\" CHECK"),
        statement(6, "\"BRANCH 750 7752 1 OPEN\" \"\" CHECK"),
        statement(7, "\"BRANCH 750 7756 1 OPEN\" \"\" CHECK"),
        statement(8, "\"BRANCH 536 7535 1 OPEN\" \"\" CHECK"),
        statement(9, "\"BRANCH 522 7524 1 OPEN\" \"\" CHECK"),
    ];
    assert_eq!(read["not_found"], json!(missing));
    assert_eq!((&read["outages"], &read["unsupported"]), (&json!([]), &json!([])));
}

#[test]
fn contingencies_of_a_complete_powerworld_case() {
    let Some(aux) = data("activsg200/ACTIVSg200.aux") else {
        return;
    };
    assert!(
        !is_security_list("ACTIVSg200.aux", &aux),
        "it is a case with contingencies"
    );
    let module = text(&ingest(&aux, "powerworld"));
    let read = lists(&module, &[("ACTIVSg200.aux", &aux)]);
    assert_eq!(read["not_found"], json!([]));
    assert_eq!(read["unsupported"], json!([]));
    // The file has 245 contingencies, each of one branch.
    assert_eq!(read["outages"].as_array().map(Vec::len), Some(245));
}
