//! Results as solution modules, read back without a solve.

use crate::common::{data, ingest, parse, text, three_bus, Answer, THREE_BUS, THREE_WINDINGS};
use serde_json::{json, Value};
use wattbook_study::contract::{Column, ColumnName, SOLUTION_ROWS};
use wattbook_study::{inspect_module, materialize_module, read_solution_module, Study};

const NAME: &str = "wattbook.dc-opf";

fn saved(module: &str, options: &str, deltas: &str, rates: &str) -> (Study, String) {
    let mut study = Study::create(module, "dcopf", options).expect("a solvable case");
    study
        .commit("as I call it", (deltas, rates), "")
        .expect("a solvable edit");
    let text = study.save_solution_module_json(module).expect("a solution module");
    (study, text)
}

fn read(text: &str) -> Answer {
    Answer::from(read_solution_module(text).expect("a readable module"))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

/// The whole answer, bit for bit: hash, certificate, diagnostics, every row and uid.
#[track_caller]
fn is_the_result(back: &Answer, study: &Study, what: &str) {
    let result = Answer::of(study);
    assert_eq!(back["solution"], result.head, "{what}");
    let rows = Answer::from(study.rows());
    assert_eq!(back["rows"], rows.head, "{what}");
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let published = |column: &&Column| SOLUTION_ROWS.iter().any(|(.., name)| *name == column.name);
    for column in result.columns.iter().filter(published).chain(&rows.columns) {
        assert_eq!(
            bits(back.at(column.name)),
            bits(&column.values),
            "{what} {:?}",
            column.name
        );
    }
}

/// The same numbers are read back without a solve, and the solve of the network in the module reproduces them.
#[track_caller]
fn comes_back(module: &str, options: &str, deltas: &str, rates: &str) {
    let (study, text) = saved(module, options, deltas, rates);
    let back = read(&text);
    is_the_result(&back, &study, deltas);
    let edited = materialize_module(module, (deltas, rates)).expect("a saved case");
    assert_eq!(back["module_json"], edited, "the network is that of saveModule");
    let edited = back["module_json"].as_str().unwrap();
    assert_eq!(
        Answer::from(inspect_module(edited).expect("a case"))["model"],
        "balanced"
    );
    let again = Study::create(edited, "dcopf", options).expect("a solvable case");
    let again = Answer::of(&again);
    let solution = Answer::of(&study);
    assert!(close(again.objective(), solution.objective()));
    let [again, solution] = [again, solution].map(|solution| solution.taking(ColumnName::Lmp));
    for (a, b) in again.into_iter().zip(solution) {
        assert!((a - b).abs() < 1e-8 * b.abs().max(1.0), "{a} against {b}");
    }
}

#[test]
fn the_three_bus_case_is_restored_with_its_edits() {
    let module = three_bus();
    comes_back(&module, "{}", "", "");
    comes_back(&module, "{}", r#"{"2":5,"1":10}"#, r#"{"2":5}"#);
    let (_, text) = saved(&module, "{}", r#"{"2":5,"1":10}"#, r#"{"2":5}"#);
    let back = read(&text);
    assert_eq!(
        (&back["deltas"], &back["rates"]),
        (&json!({ "1": 10.0, "2": 5.0 }), &json!({ "2": 5.0 }))
    );
    let case = Answer::from(inspect_module(&module).unwrap());
    assert_eq!(back["case_sha256"], case["sha256"]);
    assert_eq!(back["solution"]["case"], "as I call it");
    assert!(back["producer"].as_str().unwrap().starts_with("wattbook "));
    // The slots are in the units of the format.
    let data = &parse(&text)["value"];
    assert_eq!(data["type"], "powerio.DcOpfSolution");
    let slots = &data["data"];
    assert!(text.contains("\"pio-ir\"") && slots["objective"].is_f64(), "{slots}");
    assert_eq!(slots["instance"]["network"]["loads"][0]["p"], 95.0);
}

#[test]
fn a_three_winding_transformer_has_the_powers_of_its_legs() {
    let module = text(&ingest(THREE_WINDINGS.as_bytes(), "psse"));
    comes_back(&module, "{}", r#"{"3":4}"#, "");
    let (study, text) = saved(&module, "{}", r#"{"3":4}"#, "");
    // Bus 3 is connected only to the third winding: its 24 MW leave the transformer there.
    let slots = &parse(&text)["value"]["data"];
    let terminals = &slots["three_winding_transformer_terminal_active_powers"][0]["p_mw"];
    let powers: Vec<f64> = terminals
        .as_array()
        .unwrap_or_else(|| panic!("{slots}"))
        .iter()
        .map(|p| p.as_f64().unwrap())
        .collect();
    assert!(
        (powers[2] + 24.0).abs() < 1e-9 && powers.iter().sum::<f64>().abs() < 1e-9,
        "{powers:?}"
    );
    assert_eq!(slots["branch_from_active_flow"].as_array().map_or(0, Vec::len), 1);
    assert_eq!(Answer::of(&study).at(ColumnName::FlowMw).len(), 4);
}

#[test]
fn real_cases_are_restored() {
    for (file, options) in [
        ("activsg500/case_ACTIVSg500.m", "{}"),
        ("pglib/pglib_opf_case118_ieee.m", "{\"dc_convention\":\"matpower\"}"),
        (
            "pglib/api/pglib_opf_case300_ieee__api.m",
            "{\"dc_convention\":\"powermodels\"}",
        ),
        ("pglib/pglib_opf_case2869_pegase.m", "{}"),
    ] {
        let Some(bytes) = data(file) else { return };
        let case = ingest(&bytes, "matpower");
        let load = case.at(ColumnName::DemandMw).iter().position(|mw| *mw > 20.0).unwrap();
        let load = case.at(ColumnName::BusId)[load].to_string();
        comes_back(
            &text(&case),
            options,
            &json!({ load: -3.25 }).to_string(),
            "{\"1\":7.5}",
        );
    }
}

/// Each change of a saved module is detected, by its hash or because network and result no longer agree.
#[test]
fn a_changed_module_is_refused() {
    let (_, text) = saved(&three_bus(), "{}", "{\"2\":3}", "");
    let whole = parse(&text);
    assert!(read_solution_module(&text).is_ok());
    let slot = |path: &str| format!("/value/data/{path}");
    let ours = |path: &str| format!("/extensions/{NAME}/{path}");
    for (path, value) in [
        (slot("objective"), json!(700.0)),
        (slot("bus_active_power_marginal/1"), json!(31.0)),
        (slot("generator_active_power/0"), json!(61.0)),
        (slot("branch_from_active_flow/0"), json!(49.0)),
        (slot("bus_voltage_angle/1"), json!(-2.0)),
        (slot("branch_to_limit_multiplier/1"), json!(36.0)),
        (ours("va_rad/1"), json!(-0.01)),
        (ours("loading/0"), json!(0.5)),
        (ours("certificate/relative_gap"), json!(0.0001)),
        (ours("deltas"), json!({ "2": 4.0 })),
        (ours("left_out/buses"), json!([2])),
        (ours("va_rad"), json!([0.0])),
        (slot("instance/network/loads/0/p"), json!(90.0)),
        (slot("instance/network/branches/0/rate_a"), json!(300.0)),
        (slot("instance/network/generators/0/cost/coeffs/1"), json!(5.5)),
        (slot("instance/network/generators/0/pmax"), json!(11.0)),
        (slot("instance/network/branches/0/x"), json!(0.2)),
        (slot("instance/network/buses/0/vmax"), json!(1.2)),
    ] {
        let mut changed = whole.clone();
        *changed
            .pointer_mut(&path)
            .unwrap_or_else(|| panic!("{path} in {whole}")) = value;
        let error = read_solution_module(&changed.to_string()).expect_err(&path);
        assert_eq!(error.code, "MODULE.TAMPERED", "{path}: {error}");
    }
    let mut newer = whole.clone();
    newer["extensions"][NAME]["version"] = json!(9);
    assert_eq!(
        read_solution_module(&newer.to_string()).unwrap_err().code,
        "MODULE.VERSION"
    );
}

#[test]
fn modules_of_other_producers_are_read_and_checked() {
    let (study, text) = saved(&three_bus(), "{}", "", "");
    let solution = Answer::of(&study);
    let mut other = parse(&text);
    other["extensions"].as_object_mut().unwrap().remove(NAME);
    other["value"]["data"]["producer"] = json!("another solver 3.1");
    let back = read(&other.to_string());
    assert!(back.get("deltas").is_none());
    let s = &back["solution"];
    assert_eq!(
        (s["status"].as_str(), s["dc_convention"].as_str()),
        (Some("optimal"), Some("service"))
    );
    assert_eq!(s["objective"], solution["objective"]);
    for name in [ColumnName::Lmp, ColumnName::FlowMw, ColumnName::Shadow] {
        assert_eq!(back.at(name), solution.at(name), "{name:?}");
    }
    let diagnostic = &s["diagnostics"][0];
    assert_eq!(diagnostic["code"], "SOLUTION.OTHER_PRODUCER");
    assert!(
        diagnostic["message"].as_str().unwrap().contains("another solver 3.1")
            && diagnostic["message"].as_str().unwrap().ends_with("It is an optimum.")
    );
    assert!(s["certificate"]["relative_gap"].as_f64().unwrap() < 1e-9);
    // A result that is not an optimum: the certificate computed here shows it.
    for (slot, value) in [
        ("bus_active_power_marginal/1", 33.0),
        ("generator_active_power/0", 70.0),
        ("bus_voltage_angle/1", -3.0),
    ] {
        let mut wrong = other.clone();
        *wrong.pointer_mut(&format!("/value/data/{slot}")).unwrap() = json!(value);
        let s = read(&wrong.to_string())["solution"].clone();
        assert_eq!(s["status"], "feasible", "{slot}");
        assert!(
            s["diagnostics"][0]["message"]
                .as_str()
                .unwrap()
                .contains("It is not an optimum"),
            "{slot}"
        );
    }
    let mut bare = other.clone();
    bare["value"]["data"]["bus_active_power_marginal"] = Value::Null;
    assert_eq!(
        read_solution_module(&bare.to_string()).unwrap_err().code,
        "MODULE.INCOMPLETE"
    );
    let mut failed = other;
    failed["value"]["data"]["termination"] = json!({ "kind": "infeasible" });
    assert_eq!(
        read_solution_module(&failed.to_string()).unwrap_err().code,
        "MODULE.NO_SOLUTION"
    );
}

#[test]
fn texts_that_are_no_solution_module_are_refused() {
    for (text, code) in [
        (three_bus(), "MODULE.KIND"),
        ("{}".into(), "MODULE.INVALID"),
        (String::new(), "MODULE.INVALID"),
    ] {
        let error = read_solution_module(&text).unwrap_err();
        assert_eq!(error.code, code, "{error}");
    }
    let study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let other = materialize_module(&three_bus(), ("{\"2\":1}", "")).unwrap();
    assert_eq!(
        study.save_solution_module_json(&other).unwrap_err().code,
        "MODULE.OTHER_CASE"
    );
    let (_, text) = saved(&three_bus(), "{}", "", "");
    assert_eq!(Study::create(&text, "dcopf", "{}").unwrap_err().code, "MODULE.KIND");
}

/// AC power flow and relaxation: the same numbers without a solve, certified again on the network of the module.
#[test]
fn results_of_the_ac_formulations_are_restored() {
    // The units of the first two cases give no reactive power, which leaves the relaxation without a solution.
    let (three, windings) = (three_bus(), text(&ingest(THREE_WINDINGS.as_bytes(), "psse")));
    let wide = text(&ingest(
        THREE_BUS
            .replace(" 0 0 0 0 1 100 1 2", " 0 0 100 -100 1 100 1 2")
            .as_bytes(),
        "matpower",
    ));
    let mut modules = vec![three.clone(), windings.clone(), wide.clone()];
    assert_ne!(three, wide);
    if let Some(bytes) = data("pglib/pglib_opf_case118_ieee.m") {
        modules.push(text(&ingest(&bytes, "matpower")));
    }
    for (module, bus) in modules.iter().zip(["2", "2", "2", "59"]) {
        for (formulation, options) in [
            ("acpf", "null"),
            ("acpf", r#"{"q_limits":true,"slack":"distributed"}"#),
            ("socwr", "null"),
            ("socwr", r#"{"lifted_cuts":false}"#),
        ] {
            let name = format!("{formulation} {options}");
            if formulation == "socwr" && [&three, &windings].contains(&module) {
                continue;
            }
            let mut study = Study::create(module, formulation, options).expect("a solvable case");
            let (deltas, reactive) = (json!({ bus: 2 }).to_string(), json!({ bus: 1 }).to_string());
            let edits = (&*deltas, r#"{"1":5}"#, &*reactive);
            study.commit("as I call it", edits, "").expect("a solvable edit");
            let saved = study.save_solution_module_json(module).expect("a solution module");
            let back = read(&saved);
            is_the_result(&back, &study, &name);
            assert_eq!(
                back["module_json"],
                materialize_module(module, edits).expect("a saved case"),
                "{name}"
            );
            for (field, text) in [("deltas", edits.0), ("rates", edits.1), ("reactive", edits.2)] {
                assert_eq!(amounts(&back[field]), amounts(&parse(text)), "{name}");
            }
            assert!(back["producer"].as_str().unwrap().starts_with("wattbook "));
            assert_tampering_is_noticed(&saved, &name);
        }
    }
}

fn amounts(edits: &Value) -> Vec<(String, f64)> {
    let rows = edits.as_object().expect("edits").iter();
    rows.map(|(key, by)| (key.clone(), by.as_f64().expect("an amount")))
        .collect()
}

/// Numbers everywhere: of the slots, of the extension, of the network.
#[track_caller]
fn assert_tampering_is_noticed(saved: &str, name: &str) {
    let module = parse(saved);
    let mut found: Vec<(Vec<String>, f64)> = Vec::new();
    see_numbers(&module, &mut Vec::new(), &mut |path, number| {
        found.push((path.to_vec(), number))
    });
    assert!(found.len() > 50, "{name}: too little to change");
    for (path, number) in found.iter().step_by(found.len().div_ceil(60)) {
        let mut other = module.clone();
        let mut at = &mut other;
        for key in path {
            at = match key.parse::<usize>() {
                Ok(k) if at.is_array() => &mut at[k],
                _ => &mut at[key.as_str()],
            };
        }
        *at = json!(number + 0.75);
        let error = read_solution_module(&other.to_string()).expect_err("a changed module");
        assert!(
            ["MODULE.TAMPERED", "MODULE.INVALID", "MODULE.VERSION"].contains(&error.code),
            "{name} {path:?}: {error}"
        );
    }
}

fn see_numbers(value: &Value, path: &mut Vec<String>, see: &mut dyn FnMut(&[String], f64)) {
    let mut into = |key: String, value: &Value| {
        path.push(key);
        see_numbers(value, path, see);
        path.pop();
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| into(key.clone(), value)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(k, value)| into(k.to_string(), value)),
        Value::Number(number) => see(path, number.as_f64().unwrap_or_default()),
        _ => {}
    }
}
