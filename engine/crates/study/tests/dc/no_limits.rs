//! Generators without limits, lines without impedance and rating, and generators that cannot move: none of them ends an
//! interval.

use super::tracks::{close, list, near, study, track};
use crate::common::{column, ingest, text, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// Demand of 10 MW at bus 1 of an island with one generator, `generator` its Pmax and Pmin; more `lines` between buses 1 and 2.
fn two_buses(generator: &str, lines: &str) -> Answer {
    let text = format!(
        "function mpc = two\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 10 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 0 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 0 0 0 0 1 100 1 {generator};\n];\n\
         mpc.branch = [\n1 2 0 0.1 0 0 0 0 0 0 1 -360 360;\n{lines}];\n\
         mpc.gencost = [\n2 0 0 3 0.01 20 0;\n];\n"
    );
    ingest(text.as_bytes(), "matpower")
}

/// Where the column of the demand at bus 1 is exact, at a change of it.
fn valid_mw(study: &Study, mw: f64) -> Value {
    let deltas = json!({ "1": mw }).to_string();
    let column = study.sensitivity("x", (deltas.as_str(), ""), r#"{"bus":1}"#);
    Answer::from(column.expect("a column"))["warrant"]["valid_mw"].clone()
}

/// The price is `20 + 0.02 p`, whatever the demand.
#[test]
fn a_generator_without_a_limit_has_no_end() {
    let case = two_buses("Inf -Inf", "");
    let module = text(&case);
    assert_eq!(case.at(ColumnName::PMaxMw), [f64::INFINITY]);
    let mut s = study(&module);
    // Downwards the demand ends.
    assert_eq!(valid_mw(&s, 0.0), json!([-10.0, null]));
    // An added limit may have any value.
    for value in ["p_min", "p_max"] {
        let target = json!({ "generator": 1, "value": value }).to_string();
        let column = Answer::from(s.sensitivity("x", ("", ""), &target).expect("a column"));
        assert_eq!(column["warrant"]["point_only"], true, "{column}");
        assert_eq!(column["warrant"]["ends"], json!([null, null]));
        near(column.at(ColumnName::LmpSlope)[0], 0.0, 0.0);
    }
    let t = track(&mut s, &json!({ "bus": 1 }), -10.0, 1e6);
    assert_eq!((list(&t["breakpoints"]).len(), &t["stopped"]), (0, &Value::Null), "{t}");
    let solved = |mw: f64| {
        let request = json!({ "edits": { "deltas": { "1": mw } } });
        Answer::solved(&module, &request.to_string()).expect("an optimum")
    };
    for mw in [0.0, 5e3, 1e6] {
        let p = 10.0 + mw;
        let reported = s.track_state(mw).expect("a state of the track");
        let price = column(&reported.columns, ColumnName::Lmp)[0];
        assert!((price - (20.0 + 0.02 * p)).abs() < 1e-9 * (1.0 + p), "{price} at {mw}");
        let solution = solved(mw);
        close(&solution["objective"], (20.0 + 0.01 * p) * p, 1e-9 * p * p);
        near(solution.at(ColumnName::Lmp)[0], 20.0 + 0.02 * p, 1e-9 * p);
    }
    // The same by commits, one after the other and back.
    let mut sha = Vec::new();
    for mw in [5e3, 0.0, 5e3] {
        let answer = s
            .commit("x", (json!({ "1": mw }).to_string().as_str(), ""), "")
            .expect("an optimum");
        sha.push(Answer::from(answer)["solution"]["result_sha256"].clone());
        assert_eq!(valid_mw(&s, mw), json!([-10.0 - mw, null]));
    }
    assert_eq!(sha[0], sha[2]);
    // The limit of the line cannot be met.
    let failed = study(&text(&two_buses("Inf 0", "")))
        .commit("x", (json!({ "2": 5e5 }).to_string().as_str(), ""), "")
        .expect_err("the line");
    assert_eq!(failed.code, "SOLVE.INFEASIBLE");
    assert!(failed.message().contains("line 1"), "{}", failed.message());
}

/// A phase shifter of 30 degrees in a loop with a line without impedance carries `b shift` whatever the demand: 10 pu pi / 6.
#[test]
fn a_line_without_impedance_and_rating_is_not_limited() {
    let case = two_buses(
        "100 0",
        "1 2 0 0 0 0 0 0 0 0 1 -360 360;\n1 2 0 0.1 0 0 0 0 1 30 1 -360 360;\n",
    );
    let ratings = case.at(ColumnName::RatingMw);
    assert_eq!(
        (ratings[1], case.at(ColumnName::RatingIsFallback)[1]),
        (f64::INFINITY, 1.0)
    );
    assert!(ratings[2].is_finite());
    let reported = case["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|w| w["code"] == "RATING.FALLBACK")
        .unwrap();
    assert!(
        reported["message"]
            .as_str()
            .unwrap()
            .ends_with("of their buses: line 1 and line 3."),
        "{reported}"
    );
    let module = text(&case);
    let solution = Answer::solved(&module, "{}").expect("an optimum");
    let around = 1000.0 * std::f64::consts::FRAC_PI_6;
    near(solution.at(ColumnName::FlowMw)[2], -around, 1e-9 * around);
    near(solution.at(ColumnName::FlowMw)[1], around, 1e-9 * around);
    near(solution.at(ColumnName::Loading)[1], 0.0, 0.0);
    // There is no rating that could change.
    let mut s = study(&module);
    for refused in [
        s.commit("x", ("", json!({ "2": -5 }).to_string().as_str()), "")
            .unwrap_err(),
        s.sensitivity("x", ("", ""), r#"{"branch":2}"#).unwrap_err(),
        Answer::track(&mut s, &json!({ "branch": 2 }).to_string(), -5.0, 5.0, "", false).unwrap_err(),
    ] {
        assert_eq!(refused.code, "EDIT.NOT_EDITABLE");
        assert_eq!(
            refused.message(),
            "Line 2 has no impedance, and the file gives it no rating that could change. Give it one in the file."
        );
    }
}

/// If all generators of an island are fixed, one whose limits part retains its output.
#[test]
fn limits_of_the_only_generator_part_at_a_commit() {
    let module = text(&two_buses("10 10", ""));
    let mut s = study(&module);
    let edits = json!({ "1": { "p_min": 5.0 } }).to_string();
    let refused = s.preview(("", "", "", edits.as_str())).unwrap_err();
    assert_eq!(refused.code, "GENERATOR.NO_PREVIEW");
    assert_eq!(
        refused.message(),
        "All generators connected with generator 1, itself included, have Pmin equal to Pmax; the change has no preview. Commit it."
    );
    let target = json!({ "generator": 1, "value": "p_min" }).to_string();
    let refused = Answer::track(&mut s, &target, 10.0, 5.0, "", false).unwrap_err();
    assert_eq!(refused.code, "GENERATOR.NO_PREVIEW");
    s.commit("x", ("", "", "", edits.as_str()), "").expect("an optimum");
    let solution = Answer::of(&s);
    near(solution.at(ColumnName::DispatchMw)[0], 10.0, 1e-9);
}

#[test]
fn a_line_without_reactance_is_named() {
    let case = two_buses("100 0", "1 2 0.1 0 0 50 0 0 0 0 1 -360 360;\n");
    for formulation in ["dcopf", "dcpf"] {
        let study = Study::create(&text(&case), formulation, "{}").expect("an optimum");
        let solution = Answer::of(&study);
        let reported = list(&solution["diagnostics"])
            .iter()
            .find(|d| d["code"] == "BRANCH.NO_REACTANCE");
        let reported = reported.unwrap_or_else(|| panic!("{formulation}: {}", solution["diagnostics"]));
        assert_eq!(
            reported["message"],
            "1 line has resistance but no reactance, so the DC model carries nothing on it: line 2."
        );
        assert_eq!(reported["element"]["id"], 2);
    }
}

/// Bus 2 is between a reactance of 0.1 and a series capacitor of -0.1: its susceptances sum to zero, while the matrix
/// `[0 10; 10 -5]` of buses 2 and 3 is regular. The angles of buses 1 and 3 are equal, and the path over bus 2 carries
/// everything.
#[test]
fn a_series_capacitor_may_cancel_the_susceptance_of_a_line() {
    let text_of = "function mpc = capacitor\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 0 0 0 0 1 1 0 230 1 1.1 0.9;\n3 1 50 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 0 0 0 0 1 100 1 200 0;\n];\n\
         mpc.branch = [\n1 2 0 0.1 0 90 0 0 0 0 1 -360 360;\n2 3 0 -0.1 0 90 0 0 0 0 1 -360 360;\n1 3 0 0.2 0 90 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 3 0.01 20 0;\n];\n";
    let module = text(&ingest(text_of.as_bytes(), "matpower"));
    let solution = Answer::solved(&module, "{}").expect("an optimum");
    for (line, mw) in [(0, 50.0), (1, 50.0), (2, 0.0)] {
        near(solution.at(ColumnName::FlowMw)[line], mw, 1e-9);
    }
    near(solution.at(ColumnName::Lmp)[2], 21.0, 1e-9);
}

/// In an island without generators demands balance each other, and no single demand can change.
#[test]
fn demand_that_only_demand_balances_cannot_move() {
    let case = "function mpc = islands\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 10 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 5 0 0 0 1 1 0 230 1 1.1 0.9;\n3 1 -5 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 0 0 0 0 1 100 1 100 0;\n];\n\
         mpc.branch = [\n2 3 0 0.1 0 100 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 3 0.01 20 0;\n];\n";
    let mut s = study(&text(&ingest(case.as_bytes(), "matpower")));
    let column = Answer::from(s.sensitivity("x", ("", ""), r#"{"bus":2}"#).expect("a column"));
    assert_eq!(column["warrant"]["point_only"], true);
    let preview = Answer::from(s.preview((r#"{"2":1}"#, "")).expect("a preview"));
    assert_eq!(preview["exact"], false);
    let failed = s.commit("x", (r#"{"2":1}"#, ""), "").expect_err("no generator");
    assert_eq!(failed.code, "SOLVE.INFEASIBLE");
    let t = track(&mut s, &json!({ "bus": 2 }), -3.0, 4.0);
    for side in ["begins", "stopped"] {
        close(&t[side]["mw"], 0.0, 1e-9);
        assert_eq!(t[side]["reason"], "infeasible");
    }
    // Both together can.
    let both = Answer::from(s.preview((r#"{"2":-1,"3":1}"#, "")).expect("a preview"));
    assert_eq!(both["exact"], false);
    s.commit("x", (r#"{"2":-1,"3":1}"#, ""), "").expect("an optimum");
}
