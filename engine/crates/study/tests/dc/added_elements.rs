//! Added branches, generators and loads: closed forms of the triangle, and agreement with the case that has them in its file.

use crate::common::{
    commit, data, grid, ingest, near, open, parse, refused, text, three_bus, Answer, THREE_BUS, THREE_WINDINGS,
};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{inspect_module, materialize_module, read_solution_module, Study};

/// A second circuit 2-3 of 25 MW carries half of the flow `0.8 p3 + 0.4 p1`, which it holds at 50 MW.
#[test]
fn a_parallel_circuit_in_closed_form() {
    let mut study = open(&three_bus());
    let base = Answer::of(&study);
    let circuit = json!({ "added": { "branches": [{ "copy_of": 2, "rating": 25.0, "name": "second circuit" }] } });
    let built = commit(&mut study, &circuit);
    near(built.at(ColumnName::DispatchMw), &[55.0, 35.0]);
    let [first, third] = [0.22 * 55.0 + 5.0, 0.17 * 35.0 + 1.2];
    let shadow = (first - third) / 0.4;
    near(built.at(ColumnName::Lmp), &[first, third + 0.8 * shadow, third]);
    near(built.at(ColumnName::FlowMw), &[40.0, -25.0, 15.0, -25.0]);
    // Its rows are named as the others, it has a derivative, and edits apply to it.
    let rows = Answer::from(study.rows());
    assert_eq!(rows.at(ColumnName::BranchId), [1.0, 2.0, 3.0, 4.0]);
    let column = study.sensitivity("x", circuit.to_string().as_str(), "{\"branch\": \"second circuit\"}");
    near(
        Answer::from(column.expect("a column")).at(ColumnName::LmpSlope),
        &[-1.1, -3.05, 0.85],
    );
    let mut edited = circuit.clone();
    edited["rates"] = json!({ "4": 5.0 });
    near(commit(&mut study, &edited).at(ColumnName::DispatchMw), &[30.0, 60.0]);
    edited = circuit.clone();
    edited["branches"] = json!({ "second circuit": { "status": false } });
    near(
        commit(&mut study, &edited).at(ColumnName::Lmp),
        base.at(ColumnName::Lmp),
    );
    // Without it the Study is the base case again, bit for bit.
    let back = commit(&mut study, &json!({}));
    assert_eq!(back["result_sha256"], base["result_sha256"]);
}

/// With 12 $/MWh at bus 2 the two units move until 40 MW flow over line 2-3, and the new one sets the price of bus 2.
#[test]
fn a_generator_and_a_load_in_closed_form() {
    let mut study = open(&three_bus());
    let unit = json!({ "bus": 2, "p_max": 50.0, "cost": 12.0, "name": "peaker" });
    let built = commit(&mut study, &json!({ "added": { "generators": [unit] } }));
    let slope = 2.0 * 2.0 / 3.0 / 0.17 + 1.0 / 3.0 / 0.22;
    let shadow = (2.0 * 10.8 / 0.17 + 7.0 / 0.22 - 120.0) / slope;
    let [p1, p3] = [(7.0 - shadow / 3.0) / 0.22, (10.8 - 2.0 * shadow / 3.0) / 0.17];
    near(built.at(ColumnName::DispatchMw), &[p1, p3, 90.0 - p1 - p3]);
    near(
        built.at(ColumnName::Lmp),
        &[12.0 - shadow / 3.0, 12.0, 12.0 - 2.0 * shadow / 3.0],
    );
    assert_eq!(Answer::from(study.rows()).at(ColumnName::GeneratorBus), [1.0, 3.0, 2.0]);
    // Its cost is an edit like that of any other unit.
    let free = json!({ "added": { "generators": [unit] }, "generators": { "peaker": { "cost": 0.0, "p_max": 60.0 } } });
    near(commit(&mut study, &free).at(ColumnName::Lmp), &[4.6; 3]);

    let load = json!({ "added": { "loads": [{ "bus": 2, "p": 1.0, "q": 0.5 }] } });
    let added = commit(&mut study, &load);
    near(added.at(ColumnName::Lmp), &[18.64, 31.15, 6.13]);
    let both = json!({ "added": { "loads": [{ "bus": 2, "p": 1.0 }] }, "deltas": { "2": -1.0 } });
    near(commit(&mut study, &both).at(ColumnName::Lmp), &[18.2, 30.1, 6.3]);
}

/// Edits of every kind of added elements on bundled grids: the module with them solves to the same bits, in every
/// formulation, and a solution module restores them.
#[test]
fn a_case_with_the_elements_in_its_file_is_the_same() {
    let module = grid("carolina");
    let case = parse(&module);
    let buses = &case["value"]["data"]["buses"];
    let number = |row: usize| buses[row]["id"].clone();
    let n_branch = case["value"]["data"]["branches"].as_array().unwrap().len();
    let edits = json!({
        "added": {
            "branches": [
                { "copy_of": 11, "x": 0.04 },
                { "name": "tie", "from": number(3), "to": number(40), "r": 0.002, "x": 0.03, "b": 0.01, "rating": 300.0 },
                { "from": number(5), "to": number(90), "x": 0.2, "shift": 1.5, "tap": 1.02, "angle_min": -20.0, "angle_max": 25.0 },
            ],
            "generators": [
                { "bus": number(7), "p_max": 400.0, "cost": 9.5, "p": 120.0, "q_min": -30.0, "q_max": 40.0, "energy_source": "gas" },
                { "name": "solar park", "bus": number(7), "p_max": 80.0, "cost": 0.0, "energy_source": "solar" },
            ],
            "loads": [{ "bus": number(9), "p": 35.0, "q": 12.0 }],
        },
        "branches": { "tie": { "tap": 0.99 }, "20": { "status": false } },
        "rates": { (n_branch + 2).to_string(): 25.0 },
        "generators": { "solar park": { "p_max": 90.0 } },
    });
    let text = materialize_module(&module, edits.to_string().as_str()).expect("a module");
    for formulation in ["dcopf", "dcpf", "acpf", "socwr"] {
        let mut study = Study::create(&module, formulation, "{}").expect("a solvable case");
        let base = study.result_sha256();
        // The relaxation reaches other ratings from its base case, which a file with these ratings does not have.
        let mut edits = edits.clone();
        if formulation == "socwr" {
            edits["rates"] = json!({});
        }
        let text = materialize_module(&module, edits.to_string().as_str()).expect("a module");
        let committed = commit(&mut study, &edits);
        let own = Answer::of(&Study::create(&text, formulation, "{}").expect("a solvable case"));
        assert!(committed.bits() == own.bits(), "{formulation}");
        if formulation != "dcpf" {
            let saved = study.save_solution_module_json(&module).expect("a solution module");
            let read = Answer::from(read_solution_module(&saved).expect("the same result"));
            assert_eq!(read["solution"]["result_sha256"], committed["result_sha256"]);
            assert_eq!(read["added"]["branches"][1]["name"], "tie");
            assert_eq!(read["added"]["generators"][0]["energy_source"], "gas");
        }
        study.commit("x", "{}", "").expect("the base case");
        assert_eq!(study.result_sha256(), base, "{formulation}");
    }
    // The module names fuels as the Study does, and the other units keep theirs.
    let read = Answer::from(inspect_module(&text).expect("a case"));
    let sources = read["topology"]["energy_sources"].as_array().expect("sources");
    let last: Vec<&Value> = sources.iter().rev().take(2).collect();
    assert_eq!(last, [&json!("solar"), &json!("gas")]);
}

/// A copy of every seventh line of case118 in the file of the case and in the Study.
#[test]
fn circuits_of_a_public_case() {
    let Some(bytes) = data("pglib/pglib_opf_case118_ieee.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    let mut study = open(&module);
    for line in (1..=186).step_by(31) {
        let mut own = parse(&module);
        let branches = own["value"]["data"]["branches"].as_array_mut().unwrap();
        let mut copy = branches[line - 1].clone();
        copy["uid"] = json!("copy");
        branches.push(copy);
        let own = Answer::of(&open(&own.to_string()));
        let committed = commit(
            &mut study,
            &json!({ "added": { "branches": [{ "copy_of": line, "name": "copy" }] } }),
        );
        assert!(committed.bits() == own.bits(), "{line}");
    }
}

#[test]
fn malformed_elements_are_refused() {
    let mut study = open(&three_bus());
    let base = study.result_sha256();
    let branch = |edit: Value| json!({ "branches": [edit] });
    let unit = |edit: Value| json!({ "generators": [edit] });
    for (added, code) in [
        (branch(json!({ "from": 1, "to": 9, "x": 0.1 })), "BUS.UNKNOWN"),
        (branch(json!({ "from": 1, "to": 1, "x": 0.1 })), "ADDED.MALFORMED"),
        (branch(json!({ "from": 1, "x": 0.1 })), "ADDED.MALFORMED"),
        (branch(json!({ "from": 1, "to": 2 })), "ADDED.MALFORMED"),
        (branch(json!({ "copy_of": 9 })), "BRANCH.UNKNOWN"),
        (branch(json!({ "copy_of": 1, "from": 1 })), "ADDED.MALFORMED"),
        (branch(json!({ "copy_of": 1, "rating": 0.0 })), "ADDED.MALFORMED"),
        (branch(json!({ "copy_of": 1, "angle_min": -20.0 })), "ADDED.MALFORMED"),
        (branch(json!({ "copy_of": 1, "name": "12" })), "ADDED.NAME"),
        (branch(json!({ "copy_of": 1, "length": 3.0 })), "INPUT.REQUEST"),
        (unit(json!({ "bus": 2, "p_max": 1e12, "cost": 1.0 })), "ADDED.MALFORMED"),
        (
            unit(json!({ "bus": 2, "p_max": 5.0, "p_min": 6.0, "cost": 1.0 })),
            "ADDED.MALFORMED",
        ),
        (unit(json!({ "bus": 2, "p_max": 5.0 })), "INPUT.REQUEST"),
        (json!({ "loads": [{ "bus": 2, "p": -1.0 }] }), "ADDED.MALFORMED"),
        (
            json!({ "loads": [{ "bus": 2, "p": 1.0, "name": "a" }, { "bus": 2, "p": 1.0, "name": "a" }] }),
            "ADDED.NAME",
        ),
    ] {
        assert_eq!(refused(&mut study, &json!({ "added": added })).0, code, "{added}");
    }
    let circuit = json!({ "added": { "branches": [{ "copy_of": 1 }] } }).to_string();
    assert_eq!(
        study.preview(circuit.as_str()).err().map(|e| e.code),
        Some("BRANCH.NO_PREVIEW")
    );
    assert_eq!(study.result_sha256(), base);
    // Nothing can be added at an isolated bus.
    let isolated = THREE_BUS
        .replace("3 2 0 0", "3 4 0 0")
        .replace("3 0 0 0 0 1", "3 0 0 0 0 0");
    let mut isolated = open(&text(&ingest(isolated.as_bytes(), "matpower")));
    let load = json!({ "added": { "loads": [{ "bus": 3, "p": 1.0 }] } });
    assert_eq!(refused(&mut isolated, &load).0, "DELTA.ISOLATED_BUS");
}

/// Rows of a three-winding transformer stand before added lines, and its legs have no copy.
#[test]
fn added_lines_beside_a_three_winding_transformer() {
    let module = text(&ingest(THREE_WINDINGS.as_bytes(), "psse"));
    let mut study = Study::create(&module, "dcpf", "{}").expect("a case");
    let added = json!({ "added": { "branches": [{ "copy_of": 1 }] } });
    let built = commit(&mut study, &added);
    let written = materialize_module(&module, added.to_string().as_str()).expect("a module");
    let own = Answer::of(&Study::create(&written, "dcpf", "{}").expect("a case"));
    near(built.at(ColumnName::VaRad), own.at(ColumnName::VaRad));
    let rows = built.at(ColumnName::FlowMw);
    let order = [rows[0], rows[4], rows[1], rows[2], rows[3]];
    near(&order, own.at(ColumnName::FlowMw));
    let leg = json!({ "added": { "branches": [{ "copy_of": 2 }] } });
    assert_eq!(refused(&mut study, &leg).0, "EDIT.NOT_EDITABLE");
}

/// A load of 10 MW beside a demand of 90 MW has a tenth of a demand of the system.
#[test]
fn profiles_share_demand_with_added_loads() {
    let mut study = open(&three_bus());
    let table = b"hour,system\n1,50\n";
    near(&study.read_profile(table).unwrap().columns[0].values, &[50.0]);
    let load = json!({ "added": { "loads": [{ "bus": 3, "p": 10.0 }] } });
    commit(&mut study, &load);
    near(&study.read_profile(table).unwrap().columns[0].values, &[45.0, 5.0]);
}
