//! Derivatives, previews and paths by the phase shift of a branch: closed forms of the triangle, and commits of public cases.

use crate::common::{grid, ingest, open, text, three_bus, Answer, THREE_BUS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// MW per degree of a shift of a line of the triangle: x / (r^2 + x^2), 100 MVA.
fn per_degree() -> f64 {
    (100.0 * 0.1 / (0.01 * 0.01 + 0.1 * 0.1f64)).to_radians()
}

fn shift(branch: usize, degrees: f64) -> String {
    json!({ "branches": { (branch.to_string()): { "shift": degrees } } }).to_string()
}

#[track_caller]
fn near(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    for (a, b) in got.iter().zip(want) {
        let both_absent = a.is_nan() && b.is_nan();
        assert!(both_absent || (a - b).abs() <= tolerance, "{got:?} against {want:?}");
    }
}

/// One degree on line 1-3 moves `s` MW from the unit at bus 1 to that at bus 3, until line 2-3 is free or unit 2 is at its minimum.
#[test]
fn the_derivative_in_closed_form() {
    let study = open(&three_bus());
    let s = per_degree();
    let column = study.sensitivity("x", "", r#"{ "branch": 3, "value": "shift" }"#);
    let column = Answer::from(column.expect("a column"));
    near(
        column.at(ColumnName::LmpSlope),
        &[-0.22 * s, -(2.0 * 0.22 + 0.17) * s, 0.17 * s],
        1e-7,
    );
    assert_eq!(column["units"], "($/MWh)/degree");
    assert_eq!(column["parameter"], "shift");
    let valid: Vec<f64> = (0..2)
        .map(|k| column["warrant"]["valid_mw"][k].as_f64().unwrap())
        .collect();
    near(&valid, &[-20.0 / s, (23.6 / 0.39 - 30.0) / s], 1e-7);
    assert_eq!(column["warrant"]["ends"][0]["no_solution_beyond"], true);
}

#[test]
fn previews_are_exact_inside_the_interval() {
    let mut study = open(&three_bus());
    let base = Answer::of(&study);
    let previewed = Answer::from(study.preview(shift(3, 0.5).as_str()).expect("a preview"));
    assert_eq!(previewed["exact"], true);
    study.commit("x", shift(3, 0.5).as_str(), "").expect("a solvable edit");
    let committed = Answer::of(&study);
    let lmp = base.at(ColumnName::Lmp).iter().zip(previewed.at(ColumnName::LmpChange));
    near(
        &lmp.map(|(a, b)| a + b).collect::<Vec<_>>(),
        committed.at(ColumnName::Lmp),
        1e-7,
    );
    let change = previewed["objectiveDelta"].as_f64().unwrap();
    near(&[base.objective() + change], &[committed.objective()], 1e-7);
    // From the committed state back to the case, and beyond the end of the interval.
    let back = Answer::from(study.preview("").expect("a preview"));
    assert_eq!(back["exact"], true);
    near(
        &[committed.objective() + back["objectiveDelta"].as_f64().unwrap()],
        &[base.objective()],
        1e-7,
    );
    let far = Answer::from(study.preview(shift(3, 9.0).as_str()).expect("a preview"));
    assert_eq!(far["exact"], false);
    let both = json!({ "branches": { "3": { "shift": 0.5, "x": 0.2 } } }).to_string();
    assert_eq!(
        study.preview(both.as_str()).expect_err("no preview").code,
        "BRANCH.NO_PREVIEW"
    );
}

#[test]
fn a_path_in_closed_form() {
    let s = per_degree();
    let mut study = open(&three_bus());
    for committed in [0.0, 1.0] {
        study
            .commit("x", shift(3, committed).as_str(), "")
            .expect("a solvable edit");
        let track = Answer::track(&mut study, r#"{ "branch": 3, "value": "shift" }"#, -4.0, 4.0, "", true);
        let track = track.expect("a track");
        assert_eq!(track["branch_value"], "shift");
        let begins = &track["begins"];
        assert_eq!(begins["reason"], "infeasible");
        near(&[begins["mw"].as_f64().unwrap()], &[-20.0 / s], 1e-7);
        let message = begins["message"].as_str().unwrap();
        assert!(
            message.contains("phase shift below −1.157 degrees on line 3"),
            "{message}"
        );
        assert!(message.contains("−4 degrees"), "{message}");
        let breakpoints = track["breakpoints"].as_array().unwrap();
        assert_eq!(breakpoints.len(), 1, "{track}");
        near(
            &[breakpoints[0]["mw"].as_f64().unwrap()],
            &[(23.6 / 0.39 - 30.0) / s],
            1e-7,
        );
        assert_eq!(breakpoints[0]["event"], "line_unbinds");
        for degrees in [-1.0, 0.3, 1.7, 3.5] {
            let state = Answer::from(study.track_state(degrees).expect("a state"));
            let mut other = open(&three_bus());
            other
                .commit("x", shift(3, degrees).as_str(), "")
                .expect("a solvable edit");
            let own = Answer::of(&other);
            for column in [
                ColumnName::Lmp,
                ColumnName::FlowMw,
                ColumnName::VaRad,
                ColumnName::DispatchMw,
                ColumnName::Shadow,
            ] {
                near(state.at(column), own.at(column), 1e-7);
            }
            near(&[state.objective()], &[own.objective()], 1e-6);
        }
    }
}

/// Assumed angle-difference limits are about zero up to 60 degrees: the interval and the path end there.
#[test]
fn assumed_limits_end_at_sixty_degrees() {
    let free = THREE_BUS
        .replace("0.1 0 40", "0.1 0 4000")
        .replace("0.1 0 250", "0.1 0 2500");
    let mut study = open(&text(&ingest(free.as_bytes(), "matpower")));
    let target = r#"{ "branch": 3, "value": "shift" }"#;
    let column = Answer::from(study.sensitivity("x", "", target).expect("a column"));
    let valid: Vec<f64> = (0..2)
        .map(|k| column["warrant"]["valid_mw"][k].as_f64().unwrap())
        .collect();
    near(&valid, &[-60.0, 60.0], 1e-9);
    for (committed, to, [from, stop]) in [(0.0, 70.0, [0.0, 60.0]), (62.0, 50.0, [62.0, 60.0])] {
        study
            .commit("x", shift(3, committed).as_str(), "")
            .expect("a solvable edit");
        let track = Answer::track(&mut study, target, from, to, "", false).expect("a track");
        assert_eq!(track["stopped"]["reason"], "edit_limit", "{track}");
        near(&[track["stopped"]["mw"].as_f64().unwrap()], &[stop], 1e-9);
    }
}

#[test]
fn targets_without_a_path_are_refused() {
    let target = r#"{ "branch": 1, "value": "shift" }"#;
    let zero = THREE_BUS.replace("1 2 0.01 0.1 0", "1 2 0 0 0");
    let merged = open(&text(&ingest(zero.as_bytes(), "matpower")));
    assert_eq!(
        merged.sensitivity("x", "", target).expect_err("no shift").code,
        "EDIT.NOT_EDITABLE"
    );
    let mut out = open(&three_bus());
    let status = json!({ "branches": { "1": { "status": false }, "2": { "rating": 300.0 } } }).to_string();
    out.commit("x", status.as_str(), "").expect("a solvable edit");
    let refused = Answer::track(&mut out, target, 0.0, 5.0, "", false).expect_err("out of service");
    assert_eq!(refused.code, "RATE.OUT_OF_SERVICE");
    let unknown = out
        .sensitivity("x", "", r#"{ "branch": 2, "value": "tap" }"#)
        .expect_err("no such value");
    assert_eq!(unknown.code, "INPUT.REQUEST");
    let price = out
        .lmp_components_json(r#"{ "branch": 2, "value": "shift" }"#)
        .expect_err("no price");
    assert_eq!(price.code, "INPUT.REQUEST");
    for (formulation, code) in [("acpf", "SENS.UNSUPPORTED"), ("dcpf", "FORMULATION.UNAVAILABLE")] {
        let study = Study::create(&three_bus(), formulation, "{}").expect("a solvable case");
        assert_eq!(
            study.sensitivity("x", "", target).expect_err(formulation).code,
            code,
            "{formulation}"
        );
        assert_eq!(
            study.preview(shift(1, 1.0).as_str()).expect_err(formulation).code,
            "BRANCH.NO_PREVIEW",
            "{formulation}"
        );
    }
}

/// A transformer of a bundled grid: every state on the path is that of a commit, and prices bend at breakpoints and nowhere else.
#[test]
fn a_path_of_a_grid_agrees_with_commits() {
    let module = grid("carolina");
    let mut study = open(&module);
    let branch = (1..=200).find(|row| {
        let edits = shift(*row, 8.0);
        let preview = study.preview(edits.as_str()).map(Answer::from);
        let moves = |p: &Answer| p.at(ColumnName::LmpChange).iter().any(|x| x.abs() > 0.5);
        preview.is_ok_and(|p| p["exact"] == false && moves(&p))
    });
    let branch = branch.expect("a branch whose shift moves prices");
    let target = json!({ "branch": branch, "value": "shift" }).to_string();
    let track = Answer::track(&mut study, &target, -8.0, 8.0, "", false).expect("a track");
    let segments: Vec<&Value> = track["segments"].as_array().unwrap().iter().collect();
    assert!(segments.len() > 1, "{track}");
    let number = |value: &Value| value.as_f64().unwrap();
    for segment in segments {
        let (from, to) = (number(&segment["from_mw"]), number(&segment["to_mw"]));
        for part in [0.1, 0.9] {
            let at = from + part * (to - from);
            let state = Answer::from(study.track_state(at).expect("a state"));
            let mut other = open(&module);
            other
                .commit("x", shift(branch, at).as_str(), "")
                .expect("a solvable edit");
            let own = Answer::of(&other);
            near(state.at(ColumnName::Lmp), own.at(ColumnName::Lmp), 1e-6);
            near(state.at(ColumnName::FlowMw), own.at(ColumnName::FlowMw), 1e-5);
            near(&[state.objective()], &[own.objective()], 1e-4);
        }
    }
}
