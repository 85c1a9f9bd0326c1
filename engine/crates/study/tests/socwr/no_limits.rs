//! Generators and lines without limits in the relaxation.

use crate::common::{ingest, text, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// Two buses with nothing between them, 10 MW and 300 MVAr at the second; `limits` of the generator are Qmax, Qmin, Pmax and Pmin.
fn study([q_max, q_min, p_max, p_min]: [&str; 4]) -> Study {
    let case = format!(
        "function mpc = two\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 10 300 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 0 0 {q_max} {q_min} 1 100 1 {p_max} {p_min};\n];\n\
         mpc.branch = [\n1 2 0 0 0 0 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 3 0.01 20 0;\n];\n"
    );
    let module = text(&ingest(case.as_bytes(), "matpower"));
    Study::create(&module, "socwr", "{}").expect("an optimum")
}

#[track_caller]
fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-6 * (1.0 + want.abs()), "{got} against {want}");
}

/// Its reactive power is many times the sum of the generators' active power.
#[test]
fn a_line_without_impedance_and_rating_carries_any_reactive_power() {
    let solved = Answer::of(&study(["400", "-400", "20", "0"]));
    close(solved.at(ColumnName::Lmp)[1], 20.2);
    close(solved.at(ColumnName::FlowMw)[0], 10.0);
    close(solved.at(ColumnName::FlowMvar)[0], 300.0);
    close(solved.at(ColumnName::Loading)[0], 0.0);
}

/// The reach of a generator without limits follows the edits.
#[test]
fn a_generator_without_limits_follows_demand() {
    let mut s = study(["Inf", "-Inf", "Inf", "-Inf"]);
    let column = |target: &str| Answer::from(s.sensitivity("x", ("", ""), target).expect("a column"));
    // No end is a limit that does not exist.
    let warrant = column(r#"{"bus":2}"#)["warrant"].clone();
    assert_eq!(
        (&warrant["ends"], &warrant["point_only"]),
        (&json!([null, null]), &Value::Null),
        "{warrant}"
    );
    let warrant = column(r#"{"generator":1}"#)["warrant"].clone();
    assert_eq!(
        (&warrant["ends"], &warrant["point_only"]),
        (&json!([null, null]), &json!(true)),
        "{warrant}"
    );
    for mw in [5e3, 0.0, 4e4] {
        let deltas = json!({ "2": mw }).to_string();
        s.commit("x", (deltas.as_str(), ""), "").expect("an optimum");
        let solved = Answer::of(&s);
        let p = 10.0 + mw;
        close(solved.at(ColumnName::Lmp)[1], 20.0 + 0.02 * p);
        close(solved.at(ColumnName::DispatchMw)[0], p);
        close(solved.at(ColumnName::DispatchMvar)[0], 300.0 * p / 10.0);
    }
}
