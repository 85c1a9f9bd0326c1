//! Switches: closed forms of two busbars with a coupler, in files of buses and branches and of nodes and breakers.

use crate::common::{commit, ingest, near, open, parse, refused, text, Answer};
use serde_json::json;
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// Two equal lines from a unit of 20 $/MWh to the busbars 2 and 3, rated 100 and 30 MW; 90 MW of demand at busbar 2, a unit of
/// 60 $/MWh at busbar 3. Row 3 of the branches is the coupler.
const COUPLED: &str = "function mpc = coupled
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1	3	0	0	0	0	1	1	0	230	1	1.1	0.9;
	2	1	90	20	0	0	1	1	0	230	1	1.1	0.9;
	3	2	0	0	0	0	1	1	0	230	1	1.1	0.9;
];
mpc.gen = [
	1	60	0	300	-300	1	100	1	500	0;
	3	30	0	300	-300	1	100	1	500	0;
];
mpc.branch = [
	1	2	0.01	0.1	0	100	0	0	0	0	1	-60	60;
	1	3	0.01	0.1	0	30	0	0	0	0	1	-60	60;
];
mpc.gencost = [
	2	0	0	2	20	0;
	2	0	0	2	60	0;
];
%column_names%	f_bus	t_bus	psw	qsw	state	thermal_rating	status
mpc.switch = [
	2	3	0	0	1	0	1;
];
";

const FORMULATIONS: [&str; 4] = ["dcopf", "dcpf", "acpf", "socwr"];

fn module(case: &str) -> String {
    text(&ingest(case.as_bytes(), "matpower"))
}

/// Coupled, both lines carry 30 MW, the limit of the second one; apart, the first line alone feeds the demand.
#[test]
fn a_coupler_in_closed_form() {
    let mut study = open(&module(COUPLED));
    let closed = Answer::of(&study);
    near(closed.at(ColumnName::Lmp), &[20.0, 60.0, 60.0]);
    near(closed.at(ColumnName::DispatchMw), &[60.0, 30.0]);
    near(closed.at(ColumnName::FlowMw), &[30.0, 30.0, -60.0]);
    let apart = commit(&mut study, &json!({ "branches": { "3": { "status": false } } }));
    near(apart.at(ColumnName::Lmp), &[20.0; 3]);
    near(apart.at(ColumnName::FlowMw), &[90.0, 0.0, f64::NAN]);
    let back = commit(&mut study, &json!({ "branches": { "3": { "status": true } } }));
    assert_eq!(back["result_sha256"], closed["result_sha256"]);
}

/// Flows around a loop of closed switches are the least-norm ones.
#[test]
fn parallel_couplers_share_the_flow() {
    let two = COUPLED.replace(
        "\t2\t3\t0\t0\t1\t0\t1;\n",
        "\t2\t3\t0\t0\t1\t0\t1;\n\t3\t2\t0\t0\t1\t0\t1;\n",
    );
    let mut study = open(&module(&two));
    near(Answer::of(&study).at(ColumnName::FlowMw), &[30.0, 30.0, -30.0, 30.0]);
    let one = commit(&mut study, &json!({ "branches": { "3": { "status": false } } }));
    near(one.at(ColumnName::FlowMw), &[30.0, 30.0, f64::NAN, 60.0]);
    near(one.at(ColumnName::Lmp), &[20.0, 60.0, 60.0]);
}

#[test]
fn a_case_with_the_position_in_its_file_is_the_same_in_every_formulation() {
    let open_file = module(&COUPLED.replace("2\t3\t0\t0\t1\t0\t1;", "2\t3\t0\t0\t0\t0\t1;"));
    let closed_file = module(COUPLED);
    for formulation in FORMULATIONS {
        for (file, other, status) in [(&closed_file, &open_file, false), (&open_file, &closed_file, true)] {
            let mut study = Study::create(file, formulation, "{}").unwrap_or_else(|e| panic!("{formulation}: {e}"));
            let base = study.result_sha256();
            let switched = commit(&mut study, &json!({ "branches": { "3": { "status": status } } }));
            let own = Answer::of(&Study::create(other, formulation, "{}").expect("a solvable case"));
            assert_eq!(switched.bits(), own.bits(), "{formulation} {status}");
            commit(&mut study, &json!({ "branches": { "3": { "status": !status } } }));
            assert_eq!(study.result_sha256(), base, "{formulation} {status}");
        }
    }
}

#[test]
fn a_busbar_that_is_cut_off_is_named_and_other_values_of_switches_are_refused() {
    let mut study = open(&module(COUPLED));
    let alone = json!({ "branches": { "2": { "status": false }, "3": { "status": false } } });
    let alone = commit(&mut study, &alone);
    let diagnostics = alone["diagnostics"].as_array().expect("diagnostics");
    let named: Vec<_> = diagnostics.iter().filter(|d| d["code"] == "ISLAND.NEW").collect();
    assert_eq!(named.len(), 1, "{alone}");
    assert_eq!(named[0]["element"], json!({ "kind": "bus", "id": 3 }));
    let before = study.result_sha256();
    for edit in [json!({ "x": 0.1 }), json!({ "tap": 1.02 }), json!({ "shift": 3.0 })] {
        let (code, message) = refused(&mut study, &json!({ "branches": { "3": edit } }));
        assert_eq!(code, "EDIT.NOT_EDITABLE");
        assert!(message.contains("is a switch"), "{message}");
    }
    assert_eq!(study.result_sha256(), before);
    let rated = commit(&mut study, &json!({ "branches": { "3": { "rating": 70.0 } } }));
    near(&rated.at(ColumnName::RatingMw)[2..], &[70.0]);
}

#[test]
fn the_topology_marks_switches() {
    let case = ingest(COUPLED.as_bytes(), "matpower");
    assert_eq!(case["topology"]["switches"], json!([2]));
    let without = COUPLED.split("%column").next().expect("a case");
    assert!(ingest(without.as_bytes(), "matpower")["topology"]["switches"].is_null());
}

/// The same station as nodes of bus 2: line 1 and the demand at busbar 1, line 2 and the unit at busbar 2.
const NODES: &str = "0,100.0,35,0,0,60.0
COUPLED

0 / END OF SYSTEM-WIDE DATA, BEGIN BUS DATA
1,'EAST',230.0,3,1,1,1,1.0,0.0
2,'WEST',230.0,2,1,1,1,1.0,0.0
0 / END OF BUS DATA, BEGIN LOAD DATA
2,'1',1,1,1,90.0,20.0
0 / END OF LOAD DATA, BEGIN FIXED SHUNT DATA
0 / END OF FIXED SHUNT DATA, BEGIN GENERATOR DATA
1,'1',60.0,0,300,-300,1.0,0,0,100,0,1,0,0,1,1,100,500,0
2,'1',30.0,0,300,-300,1.0,0,0,100,0,1,0,0,1,1,100,500,0
0 / END OF GENERATOR DATA, BEGIN BRANCH DATA
1,2,'1',0.01,0.1,0.0,'',100
1,2,'2',0.01,0.1,0.0,'',30
0 / END OF BRANCH DATA, BEGIN SYSTEM SWITCHING DEVICE DATA
0 / END OF SYSTEM SWITCHING DEVICE DATA, BEGIN TRANSFORMER DATA
0 / END OF TRANSFORMER DATA, BEGIN AREA DATA
0 / END OF AREA DATA, BEGIN TWO-TERMINAL DC DATA
0 / END OF TWO-TERMINAL DC DATA, BEGIN VSC DC LINE DATA
0 / END OF VSC DC LINE DATA, BEGIN IMPEDANCE CORRECTION DATA
0 / END OF IMPEDANCE CORRECTION DATA, BEGIN MULTI-TERMINAL DC DATA
0 / END OF MULTI-TERMINAL DC DATA, BEGIN MULTI-SECTION LINE DATA
0 / END OF MULTI-SECTION LINE DATA, BEGIN ZONE DATA
0 / END OF ZONE DATA, BEGIN INTER-AREA TRANSFER DATA
0 / END OF INTER-AREA TRANSFER DATA, BEGIN OWNER DATA
0 / END OF OWNER DATA, BEGIN FACTS DEVICE DATA
0 / END OF FACTS DEVICE DATA, BEGIN SWITCHED SHUNT DATA
0 / END OF SWITCHED SHUNT DATA, BEGIN GNE DATA
0 / END OF GNE DATA, BEGIN INDUCTION MACHINE DATA
0 / END OF INDUCTION MACHINE DATA, BEGIN SUBSTATION DATA
7,'STATION',40.0,-89.0,0.1
1,'BAR 1',2,1,1.0,0.0
2,'BAR 2',2,1,1.0,0.0
3,'LINE 1',2,1,1.0,0.0
4,'LINE 2',2,1,1.0,0.0
5,'DEMAND',2,1,1.0,0.0
6,'UNIT',2,1,1.0,0.0
0 / END OF SUBSTATION NODE DATA, BEGIN SUBSTATION SWITCHING DEVICE DATA
1,2,'1','COUPLER',2,1,1,0.0001,0,0,0
1,3,'1','BAY 1',2,1,1,0.0001,0,0,0
2,4,'1','BAY 2',2,1,1,0.0001,0,0,0
1,5,'1','FEEDER',2,1,1,0.0001,0,0,0
2,6,'1','MACHINE',2,1,1,0.0001,0,0,0
0 / END OF SUBSTATION SWITCHING DEVICE DATA, BEGIN SUBSTATION TERMINAL DATA
2,5,'L','1'
2,6,'M','1'
2,3,'B',1,'1'
2,4,'B',1,'2'
0 / END OF SUBSTATION TERMINAL DATA
0 / END OF SUBSTATION DATA
Q
";

#[test]
fn a_station_of_nodes_has_the_prices_of_its_buses() {
    let split = NODES.find("7,'STATION'").expect("a substation");
    let buses = format!("{}0 / END OF SUBSTATION DATA\nQ\n", &NODES[..split]);
    let costs = json!({ "1": { "cost": 20.0 }, "2": { "cost": 60.0 } });
    let solved = |file: &str, formulation: &str, edits: &serde_json::Value| {
        let module = text(&ingest(file.as_bytes(), "psse"));
        let mut study = Study::create(&module, formulation, "{}").unwrap_or_else(|e| panic!("{formulation}: {e}"));
        commit(&mut study, edits)
    };
    for (formulation, column, tolerance) in [
        ("dcopf", ColumnName::Lmp, 1e-9),
        ("socwr", ColumnName::Lmp, 1e-5),
        ("acpf", ColumnName::VmPu, 1e-9),
        ("acpf", ColumnName::VaRad, 1e-9),
    ] {
        let edits = match formulation {
            "acpf" => json!({}),
            _ => json!({ "generators": costs }),
        };
        let nodes = solved(NODES, formulation, &edits);
        let twin = solved(&buses, formulation, &edits);
        let (nodes, twin) = (nodes.at(column), twin.at(column));
        assert_eq!((nodes.len(), twin.len()), (7, 2));
        for (row, value) in nodes.iter().enumerate() {
            let own = twin[row.min(1)];
            assert!((value - own).abs() < tolerance, "{formulation} {row}: {value} {own}");
        }
    }
    let mut closed = json!({ "generators": costs });
    near(&solved(NODES, "dcopf", &closed).at(ColumnName::Lmp)[..2], &[20.0, 60.0]);
    // Rows 3 to 7 of the branches are the devices in their order; the coupler is the first one.
    closed["branches"] = parse(r#"{ "3": { "status": false } }"#);
    near(solved(NODES, "dcopf", &closed).at(ColumnName::Lmp), &[20.0; 7]);
    // The file with the coupler open is the same network, in which bus 2 remains with the demand.
    let open_file = NODES.replace("'COUPLER',2,1", "'COUPLER',2,0");
    let flows = solved(&open_file, "dcopf", &json!({ "generators": costs }));
    near(flows.at(ColumnName::Lmp), &[20.0; 7]);
    near(&flows.at(ColumnName::FlowMw)[..3], &[90.0, 0.0, f64::NAN]);
}
