//! A feeder through the JSON surface: solved, edited, refused.

mod common;

use common::parse;
use serde_json::{json, Value};
use wattbook_study::{ingest_distribution_json, McStudy};

const FEEDER: &str = "Clear
Set DefaultBaseFrequency=50
New Circuit.small basekv=11 bus1=grid
New Transformer.sub windings=2 buses=(grid lv.1.2.3.0) conns=(delta wye) kvs=(11 0.4) kvas=(500 500) xhl=4
New Line.main bus1=lv.1.2.3 bus2=end.1.2.3 r1=0.3 x1=0.3 r0=0.3 x0=0.3 c1=0 c0=0 length=0.2 units=km
New Load.three bus1=end kv=0.4 kw=12 kvar=3
New Load.one bus1=end.2 phases=1 kv=0.23 kw=2.5 kvar=1
Solve
";
const BRANCH: &str = r#"{"source_impedance":"branch"}"#;

fn module() -> String {
    let case = parse(&ingest_distribution_json(FEEDER.as_bytes(), "dss", &[]).expect("a feeder"));
    case["module_json"].as_str().expect("a module").to_owned()
}

fn sum(column: &Value) -> f64 {
    column
        .as_array()
        .expect("a column")
        .iter()
        .filter_map(Value::as_f64)
        .sum()
}

/// What the sources give is what loads and losses take.
fn assert_balanced(result: &Value, load_w: f64) {
    let left = sum(&result["sources"]["p_w"]) - sum(&result["losses"]["p_w"]) - load_w;
    assert!(left.abs() < 1e-3, "{left} W are left");
    assert_eq!(result["is_certified"], true);
}

#[test]
fn a_feeder_is_solved_and_its_loads_are_edited() {
    let mut study = McStudy::new(&module(), BRANCH).unwrap_or_else(|e| panic!("{e}"));
    let before = parse(&study.result_json());
    assert_balanced(&before, 14_500.0);
    assert_eq!(
        before["options"],
        json!({"source_impedance": "branch", "controls": "refuse"})
    );
    let voltages = &before["voltages"];
    assert!(voltages["bus"]
        .as_array()
        .expect("buses")
        .iter()
        .all(|bus| !bus.as_str().expect("a name").starts_with("_pio")));
    let row = |result: &Value, bus: &str, terminal: &str| {
        let rows = result["voltages"]["bus"].as_array().expect("buses").len();
        let found =
            (0..rows).find(|k| result["voltages"]["bus"][k] == bus && result["voltages"]["terminal"][k] == terminal);
        result["voltages"]["voltage_v"][found.expect("a terminal")]
            .as_f64()
            .expect("a voltage")
    };
    // The loaded phase is the lowest; 0.06 ohm and some 27 A take about 1.6 V.
    assert!((225.0..229.5).contains(&row(&before, "end", "2")) && row(&before, "end", "2") < row(&before, "end", "1"));
    study
        .edit_loads(r#"{"One":{"p_kw":5}}"#)
        .unwrap_or_else(|e| panic!("{e}"));
    let after = parse(&study.result_json());
    assert_balanced(&after, 17_000.0);
    assert_eq!(
        after["loads"][1],
        json!({"load": "load.one", "p_kw": 5.0, "q_kvar": 1.0})
    );
    assert!(row(&after, "end", "2") < row(&before, "end", "2") - 0.5);
    // Failed edits change nothing.
    for (edits, code) in [
        (r#"{"nobody":{"p_kw":5}}"#, "INPUT.UNKNOWN_ELEMENT"),
        (r#"{"one":{"kw":5}}"#, "INPUT.REQUEST"),
    ] {
        assert_eq!(study.edit_loads(edits).expect_err(edits).code, code);
    }
    assert_eq!(parse(&study.result_json()), after);
}

#[test]
fn without_the_option_the_source_is_refused_by_name() {
    let error = McStudy::new(&module(), "").map(|_| ()).expect_err("refused");
    assert_eq!(error.code, "PHYSICS.UNSUPPORTED");
    assert_eq!(error.details.expect("details")["element"], "vsource.source");
    let unknown = McStudy::new(&module(), r#"{"sources":1}"#)
        .map(|_| ())
        .expect_err("unknown");
    assert_eq!(unknown.code, "INPUT.REQUEST");
}
