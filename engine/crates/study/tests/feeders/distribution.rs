//! Multiconductor cases through the JSON surface: ingest, inspect, drop, layout and layers.

use crate::common::{data, parse, places, text, Answer};
use serde_json::{json, Value};
use wattbook_study::{
    apply_geo, apply_layout, geo_json, ingest_distribution_json, ingest_json_drop, inspect_distribution_json,
    inspect_module, placement_json, Job,
};

const FEEDER: &str = "New Circuit.Feeder basekv=12.47 bus1=SourceBus
Redirect lines.dss
New Load.L9 bus1=9r.1 phases=1 kv=7.2 kw=10 kvar=2
New Load.L7 bus1=7 kv=12.47 kw=30 kvar=5
";

const LINES: &str = "New Line.One bus1=SourceBus bus2=650 length=1
New Line.Two bus1=650.1 bus2=9r.1 phases=1 length=1
New Line.Tie bus1=650 bus2=7 switch=y
";

fn feeder() -> Value {
    let lines = [("lines.dss".to_string(), LINES.as_bytes().to_vec())];
    parse(&ingest_distribution_json(FEEDER.as_bytes(), "dss", &lines).expect("a feeder"))
}

fn ids(rows: &Value) -> Vec<&str> {
    rows.as_array()
        .expect("rows")
        .iter()
        .filter_map(|r| r["id"].as_str())
        .collect()
}

#[test]
fn a_feeder_is_described_as_a_graph() {
    let case = feeder();
    assert_eq!(
        (&case["model"], &case["coords_space"]),
        (&json!("multiconductor"), &json!("none"))
    );
    assert_eq!(case["coords_kind"], "synthetic_pending");
    assert_eq!(
        (case["load_kw"].as_f64(), case["gen_kw"].as_f64()),
        (Some(40.0), Some(0.0))
    );
    assert_eq!(
        (&case["counts"]["buses"], &case["counts"]["loads"]),
        (&json!(4), &json!(2))
    );
    let graph = &case["graph"];
    assert_eq!((ids(&graph["buses"]).len(), ids(&graph["edges"]).len()), (4, 3));
    let rows = graph["edges"].as_array().unwrap();
    assert!(rows
        .iter()
        .all(|e| ["line", "switch"].contains(&e["kind"].as_str().unwrap()) && e["closed"] == true));
    let two = rows
        .iter()
        .find(|e| e["id"].as_str().unwrap().eq_ignore_ascii_case("two"))
        .expect("line two");
    assert_eq!(
        (&two["n_phases"], &two["conductors"]),
        (&json!(1), &json!([["1", "1"]]))
    );
    assert_eq!(
        parse(&inspect_distribution_json(&text(&case)).expect("a good module")),
        case
    );
    assert_eq!(inspect_module(&text(&case)).unwrap_err().code, "MODULE.KIND");
    assert_eq!(
        inspect_distribution_json(&crate::common::three_bus()).unwrap_err().code,
        "MODULE.KIND"
    );
    // The script refers to a file that was not given.
    let error = ingest_distribution_json(FEEDER.as_bytes(), "dss", &[]).unwrap_err();
    assert_eq!(error.code, "INPUT.COMPANION");
    assert_eq!(
        ingest_distribution_json(FEEDER.as_bytes(), "matpower", &[])
            .unwrap_err()
            .code,
        "INPUT.FORMAT"
    );
}

#[test]
fn a_dropped_document_is_read_by_its_kind() {
    let found = Answer::from(ingest_json_drop(text(&feeder()).as_bytes()).expect("a module"));
    assert_eq!((&found["kind"], &found["format"]), (&json!("module"), &Value::Null));
    assert_eq!(found["payload"], feeder());
    for (path, format) in [
        ("dist_json/bmopf/example_ieee13.json", "bmopf-json"),
        ("dist_json/pmd/ieee13.json", "pmd-json"),
    ] {
        let Some(bytes) = data(path) else { continue };
        let found = Answer::from(ingest_json_drop(&bytes).expect(path));
        assert_eq!(
            (&found["kind"], &found["format"]),
            (&json!("distribution"), &json!(format)),
            "{path}"
        );
        assert_eq!(
            found["payload"],
            parse(&ingest_distribution_json(&bytes, format, &[]).expect(path)),
            "{path}"
        );
        assert!(!ids(&found["payload"]["graph"]["buses"]).is_empty(), "{path}");
    }
}

fn placed(case: &Value) -> Answer {
    let positions = places(Job::layout(&text(case)).expect("a network"));
    assert_eq!(
        positions.len(),
        2 * ids(&case["graph"]["buses"]).len(),
        "one each of the graph's buses"
    );
    Answer::from(apply_layout(&text(case), &positions, -98.0, 31.0, Some(5.0)).expect("placed"))
}

#[test]
fn a_layout_is_restored_from_its_file() {
    let case = feeder();
    assert_eq!(placement_json(&text(&case)).expect("a module"), "null");
    let stamped = placed(&case);
    assert_eq!(stamped, placed(&case), "byte for byte");
    assert_eq!(
        (&stamped["coords_space"], &stamped["coords_kind"]),
        (&json!("geographic"), &json!("synthetic"))
    );
    let file = geo_json(&text(&stamped)).expect("a file");
    let applied = Answer::from(apply_geo(&text(&case), file.as_bytes()).expect("the same case"));
    let report = &applied["report"];
    assert_eq!(
        (&report["matched_buses"], &report["unplaced_buses"]),
        (&json!(4), &json!(0))
    );
    assert_eq!(applied["case"]["model"], "multiconductor");
    let at = |case: &Value| -> Vec<f64> {
        let rows = case["graph"]["buses"].as_array().expect("buses").iter();
        rows.flat_map(|b| [0, 1].map(|axis| b["xy"][axis].as_f64().expect("a position")))
            .collect()
    };
    assert!(at(&applied["case"])
        .iter()
        .zip(at(&stamped))
        .all(|(a, b)| (a - b).abs() <= 1e-9));
    assert_eq!(applied["case"]["coords_kind"], "synthetic");
    let placement = parse(&placement_json(&text(&stamped)).expect("a module"));
    assert_eq!(placement["positions"].as_array().map(Vec::len), Some(4));
    assert!((placement["scale_km"].as_f64().unwrap() - 5.0).abs() < 1e-9);
    // A map replaces the layout; buses that it omits have no position.
    let applied =
        Answer::from(apply_geo(&text(&stamped), b"bus,lat,lon\n650,31.2,-98.1\n7,31.3,-98.2\n").expect("matched"));
    assert_eq!(
        (
            &applied["report"]["matched_buses"],
            &applied["report"]["unplaced_buses"]
        ),
        (&json!(2), &json!(2))
    );
    assert_eq!(
        (&applied["case"]["coords_kind"], &applied["drawing"]),
        (&json!("file"), &Value::Null)
    );
    // A drawing beside the map is reported by its code.
    let plan = b"650,100,50\n9r,200,50\n";
    let aside = Answer::from(apply_geo(&text(&applied["case"]), plan).expect("matched"));
    assert_eq!(aside["case"], applied["case"]);
    assert_eq!(
        aside["drawing"]["buses"],
        json!([{"bus": "650", "x": 100.0, "y": 50.0}, {"bus": "9r", "x": 200.0, "y": 50.0}])
    );
}
