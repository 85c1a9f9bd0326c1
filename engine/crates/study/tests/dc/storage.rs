//! Storage units: held in every formulation, valued by what their energy is worth, edited, added and saved; closed forms.

use crate::common::{commit, ingest, near, open, parse, refused, text, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{inspect_module, materialize_module, read_solution_module, Study};

/// 100 MW at bus 1 with units at 30 $/MWh up to 200 MW and at 60 $/MWh. At bus 2 a storage unit of 50 MW of charging and 40 MW of
/// discharging with the efficiencies 0.9 and 0.8 and 100 of 200 MWh, which discharges 20 MW and 5 MVAr (PowerModels' sign); another one
/// is out of service.
const BATTERY: &str = "function mpc = battery
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1	3	100	0	0	0	1	1	0	230	1	1.1	0.9;
	2	1	0	0	0	0	1	1	0	230	1	1.1	0.9;
];
mpc.gen = [
	1	80	0	99	-99	1	100	1	200	0;
	1	0	0	99	-99	1	100	1	200	0;
];
mpc.branch = [
	1	2	0	0.1	0	200	0	0	0	0	1	-60	60;
];
mpc.gencost = [
	2	0	0	2	30	0;
	2	0	0	2	60	0;
];
% bus ps qs energy energy_rating charge_rating discharge_rating eff_c eff_d thermal qmin qmax r x p_loss q_loss status
mpc.storage = [
	2	-20	-5	100	200	50	40	0.9	0.8	60	-9	9	0	0	0	0	1;
	2	-7	0	100	200	50	40	0.9	0.8	60	-9	9	0	0	0	0	0;
];
";

/// Three equal lines, the one between buses 1 and 2 limited to 40 MW, 20 $/MWh at bus 1, 60 $/MWh and all demand at bus 2: at most 60 MW
/// arrive.
fn triangle(demand: f64) -> String {
    let case = format!(
        "function mpc = triangle
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [1 3 0 0 0 0 1 1 0 230 1 1.1 0.9; 2 1 {demand} 0 0 0 1 1 0 230 1 1.1 0.9; 3 1 0 0 0 0 1 1 0 230 1 1.1 0.9];
mpc.gen = [1 0 0 99 -99 1 100 1 500 0; 2 0 0 99 -99 1 100 1 500 0];
mpc.branch = [1 2 0 0.1 0 40 0 0 0 0 1 -60 60; 1 3 0 0.1 0 500 0 0 0 0 1 -60 60; 3 2 0 0.1 0 500 0 0 0 0 1 -60 60];
mpc.gencost = [2 0 0 2 20 0; 2 0 0 2 60 0];
"
    );
    text(&ingest(case.as_bytes(), "matpower"))
}

fn module() -> String {
    text(&ingest(BATTERY.as_bytes(), "matpower"))
}

fn valued(module: &str, formulation: &str) -> Study {
    Study::create(module, formulation, r#"{"storage":"valued"}"#).expect("a solvable case")
}

fn storage(values: Value) -> Value {
    json!({ "storage": { "1": values } })
}

fn held_messages(answer: &Answer) -> Vec<&str> {
    let all = answer["diagnostics"].as_array().unwrap().iter();
    let held = all.filter(|d| d["code"] == "STORAGE.HELD");
    held.map(|d| d["message"].as_str().unwrap()).collect()
}

#[test]
fn storage_is_held_at_the_power_of_its_file_in_every_formulation() {
    let module = module();
    let case = Answer::from(inspect_module(&module).unwrap());
    near(case.at(ColumnName::StorageHeldMw), &[20.0, 7.0]);
    near(case.at(ColumnName::StorageHeldMvar), &[5.0, 0.0]);
    near(case.at(ColumnName::StorageInService), &[1.0, 0.0]);
    near(case.at(ColumnName::StorageEnergyMaxMwh), &[200.0, 200.0]);
    near(case.at(ColumnName::StorageEnergyValue), &[f64::NAN; 2]);
    for formulation in ["dcopf", "dcpf", "acpf", "socwr"] {
        let result = Answer::of(&Study::create(&module, formulation, "{}").expect("a solvable case"));
        let within = |name: ColumnName, want: f64| {
            let got = result.at(name)[0];
            assert!((got - want).abs() < 1e-4, "{formulation} {name:?} {got}");
        };
        within(ColumnName::StorageMw, 20.0);
        assert!(result.at(ColumnName::StorageMw)[1].is_nan());
        within(ColumnName::FlowMw, -20.0);
        if formulation != "dcpf" {
            let supplied: f64 = result.at(ColumnName::DispatchMw).iter().sum();
            assert!((supplied - 80.0).abs() < 1e-3, "{formulation} {supplied}");
        }
        if matches!(formulation, "acpf" | "socwr") {
            within(ColumnName::StorageMvar, 5.0);
        }
        let [message] = held_messages(&result)[..] else {
            panic!("one sentence: {result}")
        };
        assert!(
            message.starts_with("Storage unit 1 at bus 2 is held at 20.0 MW of discharging"),
            "{message}"
        );
        assert_eq!(
            message.contains("Set its energy value"),
            !formulation.ends_with("pf") || formulation == "dcopf"
        );
    }
    let charging = BATTERY.replace("2\t-20\t-5", "2\t20\t5");
    let charging = Answer::of(&open(&text(&ingest(charging.as_bytes(), "matpower"))));
    near(charging.at(ColumnName::StorageMw), &[-20.0, f64::NAN]);
    near(charging.at(ColumnName::DispatchMw), &[120.0, 0.0]);
}

/// At 30 $/MWh energy worth between 24 and 33.3 $/MWh stays: it would sell above v / 0.8 and buy below 0.9 v.
#[test]
fn a_valued_unit_in_closed_form() {
    let module = module();
    let mut study = valued(&module, "dcopf");
    assert_eq!(
        held_messages(&Answer::of(&study)),
        ["Storage unit 1 at bus 2 has no energy value and is held at 20.0 MW of discharging."]
    );
    for (value, power, band) in [
        (25.0, 0.0, [22.5, 31.25]),
        (20.0, 40.0, [18.0, 25.0]),
        (40.0, -50.0, [36.0, 50.0]),
        (0.0, 40.0, [0.0, 0.0]),
    ] {
        let result = commit(&mut study, &storage(json!({ "energy_value": value })));
        near(result.at(ColumnName::StorageMw), &[power, f64::NAN]);
        near(result.at(ColumnName::StorageChargesBelow), &[band[0], f64::NAN]);
        near(result.at(ColumnName::StorageDischargesAbove), &[band[1], f64::NAN]);
        near(result.at(ColumnName::Lmp), &[30.0, 30.0]);
        let worth = if power > 0.0 { power * band[1] } else { power * band[0] };
        assert!(
            (result.objective() - (30.0 * (100.0 - power) + worth)).abs() < 1e-9,
            "{value}"
        );
        assert!(held_messages(&result).is_empty(), "{result}");
    }
    // 6 of 10 MWh may leave and 3 MWh may enter.
    let little =
        |value: f64| storage(json!({ "energy_value": value, "energy": 10.0, "energy_min": 4.0, "energy_max": 13.0 }));
    near(
        commit(&mut study, &little(20.0)).at(ColumnName::StorageMw),
        &[6.0 * 0.8, f64::NAN],
    );
    near(
        commit(&mut study, &little(40.0)).at(ColumnName::StorageMw),
        &[-3.0 / 0.9, f64::NAN],
    );
    // Between the units it sets the price: 35 / 0.8 $/MWh.
    let short = json!({ "storage": { "1": { "energy_value": 35.0 } }, "generators": { "1": { "p_max": 80.0 } } });
    let result = commit(&mut study, &short);
    near(result.at(ColumnName::Lmp), &[43.75; 2]);
    near(result.at(ColumnName::StorageMw), &[20.0, f64::NAN]);
    // Demand that pays to be served: a price below zero fills it, and it never discharges at once.
    let negative = json!({
        "storage": { "1": { "energy_value": 10.0 } },
        "generators": { "1": { "p_min": 130.0, "cost": -20.0 } },
    });
    let result = commit(&mut study, &negative);
    near(result.at(ColumnName::StorageMw), &[-50.0, f64::NAN]);
    near(result.at(ColumnName::Lmp), &[-20.0; 2]);
}

/// With energy worth 54 $/MWh a battery with the efficiencies 0.9 takes what the line leaves: 15 MW at 0.9 * 54 $/MWh. At 50 $/MWh it
/// supplies all that it has.
#[test]
fn a_valued_unit_behind_a_congested_line() {
    let battery = |value: f64| {
        json!({ "added": { "storage": [{
            "name": "battery", "bus": 2, "p_charge_max": 50.0, "p_discharge_max": 50.0, "charge_efficiency": 0.9,
            "discharge_efficiency": 0.9, "energy": 13.5, "energy_value": value,
        }] } })
    };
    let result = commit(&mut valued(&triangle(45.0), "dcopf"), &battery(54.0));
    near(result.at(ColumnName::StorageMw), &[-15.0]);
    near(result.at(ColumnName::Lmp), &[20.0, 48.6, 34.3]);
    near(result.at(ColumnName::FlowMw), &[40.0, 20.0, 20.0]);
    let mut study = valued(&triangle(100.0), "dcopf");
    let base = study.result_sha256();
    let result = commit(&mut study, &battery(50.0));
    near(result.at(ColumnName::StorageMw), &[12.15]);
    near(result.at(ColumnName::Lmp), &[20.0, 60.0, 40.0]);
    near(result.at(ColumnName::DispatchMw), &[60.0, 27.85]);
    // It is found by its name, and taken back.
    let mut edited = battery(50.0);
    edited["storage"] = json!({ "battery": { "p_discharge_max": 5.0 } });
    near(commit(&mut study, &edited).at(ColumnName::StorageMw), &[5.0]);
    study.commit("x", "{}", "").expect("the base case");
    assert_eq!(study.result_sha256(), base);
    // Not valued, it does nothing.
    near(
        commit(&mut open(&triangle(100.0)), &battery(50.0)).at(ColumnName::StorageMw),
        &[0.0],
    );
}

#[test]
fn the_relaxation_values_storage_as_the_linear_program_does() {
    let module = module();
    for (value, power) in [(20.0, 40.0), (40.0, -50.0), (25.0, 0.0)] {
        let mut study = valued(&module, "socwr");
        let result = commit(&mut study, &storage(json!({ "energy_value": value, "q": 0.0 })));
        let got = result.at(ColumnName::StorageMw)[0];
        assert!((got - power).abs() < 1e-3, "{value} {got}");
        assert_eq!(result.at(ColumnName::StorageMvar)[0], 0.0);
    }
    // The rating leaves sqrt(60^2 - 50^2) MW beside 50 MVAr.
    let mut study = valued(&module, "dcopf");
    let rated = storage(json!({ "energy_value": 40.0, "q": 50.0 }));
    near(
        commit(&mut study, &rated).at(ColumnName::StorageMw),
        &[-(1100f64.sqrt()), f64::NAN],
    );
}

/// A case with the values in its module solves to the same bits, and a solution module comes back.
#[test]
fn a_case_with_the_values_in_its_module_is_the_same() {
    let module = module();
    let values = json!({ "1": { "p": 12.5, "q": 3.0, "p_charge_max": 30.0, "charge_efficiency": 0.95, "energy": 90.0,
        "energy_min": 5.0, "energy_value": 20.0 } });
    let out = json!({ "1": { "status": false }, "2": { "status": true } });
    let added = json!([{ "name": "new", "bus": 1, "p": -3.0, "p_charge_max": 5.0, "energy_value": 99.0 }]);
    for (formulation, options) in [
        ("dcopf", "{}"),
        ("dcopf", r#"{"storage":"valued"}"#),
        ("dcpf", "{}"),
        ("acpf", "{}"),
        ("socwr", "{}"),
        ("socwr", r#"{"storage":"valued"}"#),
    ] {
        let mut study = Study::create(&module, formulation, options).expect("a solvable case");
        let base = study.result_sha256();
        for edits in [
            json!({ "storage": values }),
            json!({ "storage": out }),
            json!({ "storage": values, "added": { "storage": added } }),
        ] {
            let committed = commit(&mut study, &edits);
            let text = materialize_module(&module, edits.to_string().as_str()).expect("a module");
            let own = Answer::of(&Study::create(&text, formulation, options).expect("a solvable case"));
            assert!(committed.bits() == own.bits(), "{formulation} {options} {edits}");
            if formulation == "dcpf" {
                continue;
            }
            let saved = study.save_solution_module_json(&module).expect("a solution module");
            let read = Answer::from(read_solution_module(&saved).expect("the same result"));
            assert_eq!(read["solution"]["result_sha256"], committed["result_sha256"]);
            assert_eq!(read["storage"], edits["storage"]);
            near(read.at(ColumnName::StorageMw), committed.at(ColumnName::StorageMw));
            let mut changed = parse(&saved);
            let own = if formulation == "dcopf" {
                "wattbook.dc-opf"
            } else {
                "wattbook.ac"
            };
            let stored = &mut changed["extensions"][own]["storage_edits"];
            assert_eq!(*stored, edits["storage"]);
            *stored = json!({ "1": { "p": 5.0 } });
            assert_eq!(
                read_solution_module(&changed.to_string()).unwrap_err().code,
                "MODULE.TAMPERED"
            );
        }
        study.commit("x", "{}", "").expect("the base case");
        assert_eq!(study.result_sha256(), base, "{formulation}");
    }
}

#[test]
fn values_of_the_case_are_no_edit() {
    let mut study = open(&module());
    let base = study.result_sha256();
    let own = json!({ "status": true, "p": 20.0, "q": 5.0, "p_charge_max": 50.0, "p_discharge_max": 40.0, "charge_efficiency": 0.9,
        "discharge_efficiency": 0.8, "energy": 100.0, "energy_min": 0.0, "energy_max": 200.0 });
    commit(&mut study, &storage(own));
    assert_eq!(study.result_sha256(), base);
    assert_eq!(Answer::of(&study)["deltas"], Value::Null);
}

#[test]
fn malformed_edits_are_refused() {
    let mut study = open(&module());
    let base = study.result_sha256();
    for (edit, code) in [
        (json!({ "9": { "status": false } }), "STORAGE.UNKNOWN"),
        (json!({ "1": { "p": 1e12 } }), "STORAGE.MALFORMED"),
        (json!({ "1": { "p_charge_max": -1.0 } }), "STORAGE.MALFORMED"),
        (json!({ "1": { "charge_efficiency": 0.0 } }), "STORAGE.MALFORMED"),
        (json!({ "1": { "discharge_efficiency": 1.1 } }), "STORAGE.MALFORMED"),
        (json!({ "1": { "energy_value": -1.0 } }), "STORAGE.MALFORMED"),
        (json!({ "1": { "energy_min": 201.0 } }), "STORAGE.MALFORMED"),
        (json!({ "1": { "p": 1.0 }, "01": { "p": 1.0 } }), "STORAGE.MALFORMED"),
        (json!({ "1": { "rating": 5.0 } }), "INPUT.REQUEST"),
    ] {
        let (found, message) = refused(&mut study, &json!({ "storage": edit }));
        assert_eq!(found, code, "{edit}");
        assert_eq!(
            message.contains("torage unit 1"),
            code == "STORAGE.MALFORMED",
            "{message}"
        );
    }
    for (edit, code) in [
        (json!({ "bus": 9 }), "BUS.UNKNOWN"),
        (json!({ "p": 9.0 }), "INPUT.REQUEST"),
        (json!({ "bus": 1, "energy": -5.0 }), "ADDED.MALFORMED"),
        (json!({ "bus": 1, "name": "7" }), "ADDED.NAME"),
    ] {
        assert_eq!(refused(&mut study, &json!({ "added": { "storage": [edit] } })).0, code);
    }
    let edit = storage(json!({ "p": 1.0 })).to_string();
    assert_eq!(
        study.preview(edit.as_str()).err().map(|e| e.code),
        Some("STORAGE.NO_PREVIEW")
    );
    assert_eq!(study.result_sha256(), base);
    assert_eq!(
        Study::create(&module(), "acpf", r#"{"storage":"valued"}"#)
            .err()
            .map(|e| e.code),
        Some("INPUT.REQUEST")
    );
    let isolated = BATTERY.replace("2\t1\t0\t0\t0\t0\t1", "2\t4\t0\t0\t0\t0\t1");
    let mut isolated = open(&text(&ingest(isolated.as_bytes(), "matpower")));
    assert_eq!(
        refused(&mut isolated, &storage(json!({ "status": true }))).0,
        "STORAGE.ISOLATED_BUS"
    );
}

/// Held storage that injects more than its line carries leaves no dispatch; the explanation names it and finds a relaxation.
#[test]
fn held_storage_can_contradict_a_limit() {
    let tight = BATTERY.replace("0\t0.1\t0\t200", "0\t0.1\t0\t10");
    let module = text(&ingest(tight.as_bytes(), "matpower"));
    let error = Study::create(&module, "dcopf", "{}").expect_err("no dispatch");
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    // Valued, it may do nothing.
    let mut study = valued(
        &text(&ingest(tight.replace("2\t-20\t-5", "2\t0\t0").as_bytes(), "matpower")),
        "dcopf",
    );
    let result = commit(&mut study, &storage(json!({ "energy_value": 0.0 })));
    near(result.at(ColumnName::StorageMw), &[10.0, f64::NAN]);
    near(result.at(ColumnName::Lmp), &[30.0, 0.0]);
}
