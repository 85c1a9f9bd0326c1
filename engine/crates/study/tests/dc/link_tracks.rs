//! Derivatives, previews and paths by the limits of HVDC links: closed forms of two islands, and commits along the path.

use crate::common::{commit, data, ingest, near, open, text, Answer};
use crate::links::module;
use serde_json::json;
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

const MAXIMUM: &str = r#"{ "link": 1 }"#;
const MINIMUM: &str = r#"{ "link": 1, "value": "p_min" }"#;

fn links(values: &serde_json::Value) -> String {
    json!({ "links": { "1": values } }).to_string()
}

/// The link of 60 MW sends at 20 $/MWh, loses 4 MW and a tenth, costs 3 $/MWh, and meets 90 MW at 50 $/MWh. At 94 / 0.9 MW it meets
/// them all; then the price is 23 / 0.9 $/MWh.
fn full() -> f64 {
    94.0 / 0.9
}

#[test]
fn the_derivative_has_the_interval_of_the_limit() {
    let study = open(&module());
    let column = Answer::from(study.sensitivity("x", "", MAXIMUM).expect("a column"));
    near(column.at(ColumnName::LmpSlope), &[0.0; 3]);
    assert_eq!(
        (&column["parameter"], &column["link"], &column["units"]),
        (&json!("pmax"), &json!(1), &json!("($/MWh)/MW"))
    );
    let warrant = &column["warrant"];
    let valid: Vec<f64> = (0..2)
        .map(|k| warrant["valid_mw"][k].as_f64().expect("an end"))
        .collect();
    near(&valid, &[-60.0, full() - 60.0]);
    // Down to its minimum of zero, where the limits meet; up to where the unit at bus 2 is at its own minimum.
    assert_eq!(warrant["ends"][0]["event"], "edit_limit");
    assert_eq!(warrant["ends"][1]["event"], "generator_reaches_min");
    let jump = warrant["ends"][1]["price_jump"].as_f64().expect("a jump");
    near(&[jump], &[23.0 / 0.9 - 50.0]);
    // A minimum of zero rises only: below, the link could be reversed.
    let column = Answer::from(study.sensitivity("x", "", MINIMUM).expect("a column"));
    near(&[column["warrant"]["valid_mw"][0].as_f64().expect("an end")], &[0.0]);
    let cost = r#"{ "link": 1, "value": "cost" }"#;
    let column = Answer::from(study.sensitivity("x", "", cost).expect("a column"));
    // The link is full until it costs 0.9 * 50 - 20 = 25 $/MWh.
    near(&[column["warrant"]["valid_mw"][1].as_f64().expect("an end")], &[22.0]);
}

/// Where the link is not full, its cost sets the price at its to end: a $/MWh of it is 1 / 0.9 there.
#[test]
fn the_cost_of_a_link_that_sets_a_price() {
    let mut study = open(&module());
    commit(&mut study, &json!({ "links": { "1": { "p_max": 120.0 } } }));
    let edits = links(&json!({ "p_max": 120.0 }));
    let cost = r#"{ "link": 1, "value": "cost" }"#;
    let column = Answer::from(study.sensitivity("x", edits.as_str(), cost).expect("a column"));
    near(column.at(ColumnName::LmpSlope), &[0.0, 1.0 / 0.9, 0.0]);
    let dearer = commit(
        &mut study,
        &json!({ "links": { "1": { "p_max": 120.0, "cost": 4.0 } } }),
    );
    near(dearer.at(ColumnName::Lmp), &[20.0, 24.0 / 0.9, 20.0]);
}

#[test]
fn previews_are_exact_inside_the_interval() {
    let mut study = open(&module());
    let base = Answer::of(&study);
    let wider = links(&json!({ "p_max": 100.0 }));
    let previewed = Answer::from(study.preview(wider.as_str()).expect("a preview"));
    assert_eq!(previewed["exact"], true);
    near(&[previewed["valid_mw"][1].as_f64().expect("an end")], &[full()]);
    let change = previewed["objectiveDelta"].as_f64().expect("a change");
    near(&[change], &[-40.0 * 22.0]);
    study.commit("x", wider.as_str(), "").expect("a solution");
    near(&[base.objective() + change], &[Answer::of(&study).objective()]);
    let back = Answer::from(study.preview("").expect("a preview"));
    near(&[back["objectiveDelta"].as_f64().expect("a change")], &[-change]);
    let far = Answer::from(
        study
            .preview(links(&json!({ "p_max": 150.0 })).as_str())
            .expect("a preview"),
    );
    assert_eq!(far["exact"], false);
    // Both limits at once are one direction; back from 100 to 90 MW.
    let both = links(&json!({ "p_min": 70.0, "p_max": 90.0 }));
    let both = Answer::from(study.preview(both.as_str()).expect("a preview"));
    assert_eq!(both["exact"], true);
    near(&[both["objectiveDelta"].as_f64().expect("a change")], &[10.0 * 22.0]);
}

/// What moves no limit, and limits that would change the columns of the link.
#[test]
fn what_has_no_derivative_is_refused() {
    let mut study = open(&module());
    let code = |edit: serde_json::Value, study: &Study| {
        let refusal = study.preview(links(&edit).as_str()).expect_err("a refusal");
        (refusal.code, refusal.message().to_string())
    };
    for edit in [
        json!({ "status": false }),
        json!({ "loss": 1.0 }),
        json!({ "p_max": 70.0, "cost": 5.0 }),
    ] {
        assert_eq!(code(edit.clone(), &study).0, "LINK.NO_PREVIEW", "{edit}");
    }
    let (reversed, message) = code(json!({ "p_min": -10.0 }), &study);
    assert_eq!(reversed, "LINK.NO_PREVIEW");
    assert!(message.contains("in reverse"), "{message}");
    let refused = |study: &mut Study, target: &str| {
        let refusal = study.sensitivity("x", "", target).expect_err("a refusal");
        let track = Answer::track(study, target, 0.0, 10.0, "", false).expect_err("a refusal");
        (refusal.code, track.code)
    };
    let out = r#"{ "link": 2 }"#;
    assert_eq!(refused(&mut study, out), ("LINK.OUT_OF_SERVICE", "LINK.OUT_OF_SERVICE"));
    let unknown = r#"{ "link": 9 }"#;
    assert_eq!(refused(&mut study, unknown), ("LINK.UNKNOWN", "LINK.UNKNOWN"));
    let cost = r#"{ "link": 1, "value": "cost" }"#;
    let track = Answer::track(&mut study, cost, 0.0, 10.0, "", false);
    assert_eq!(track.err().map(|e| e.code), Some("INPUT.REQUEST"));
    // A fixed power, and another formulation.
    let fixed = links(&json!({ "p_min": 60.0 }));
    let column = study.sensitivity("x", fixed.as_str(), MAXIMUM).err();
    assert_eq!(column.map(|e| e.code), Some("LINK.NO_PREVIEW"));
    let flow = Study::create(&module(), "dcpf", "{}").expect("a case");
    assert!(flow.sensitivity("x", "", MAXIMUM).is_err());
}

#[test]
fn a_path_in_closed_form() {
    let mut study = open(&module());
    let track = Answer::track(&mut study, MAXIMUM, -20.0, 150.0, "", true).expect("a track");
    assert_eq!((&track["value"], &track["target"]["id"]), (&json!("p_max"), &json!(1)));
    let begins = &track["begins"];
    assert_eq!(begins["reason"], "edit_limit");
    near(&[begins["mw"].as_f64().expect("a position")], &[0.0]);
    let breakpoints = track["breakpoints"].as_array().expect("breakpoints");
    assert_eq!(breakpoints.len(), 1, "{track}");
    near(&[breakpoints[0]["mw"].as_f64().expect("a position")], &[full()]);
    assert_eq!(track["watched_bus"], 2);
    agrees(&study, &module(), "p_max", &[5.0, 60.0, 99.0, 120.0, 150.0]);
}

/// States of the track are those of commits.
#[track_caller]
fn agrees(tracked: &Study, case: &str, limit: &str, positions: &[f64]) {
    for &mw in positions {
        let state = Answer::from(tracked.track_state(mw).expect("a state"));
        let mut other = open(case);
        let own = commit(&mut other, &json!({ "links": { "1": { (limit): mw } } }));
        for name in [
            ColumnName::Lmp,
            ColumnName::FlowMw,
            ColumnName::DispatchMw,
            ColumnName::LinkMw,
            ColumnName::LinkToMw,
            ColumnName::LinkRent,
            ColumnName::LinkShadow,
        ] {
            let pairs = state.at(name).iter().zip(own.at(name));
            for (a, b) in pairs {
                assert!(
                    (a - b).abs() < 1e-6 || (a.is_nan() && b.is_nan()),
                    "{name:?} at {mw}: {a} {b}"
                );
            }
        }
        assert!((state.objective() - own.objective()).abs() < 1e-6 * (1.0 + own.objective().abs()));
    }
}

/// The link between two areas of RTS-GMLC, in both directions without losses.
#[test]
fn the_link_of_rts_gmlc_along_its_limits() {
    let Some(file) = data("rts_gmlc/RTS_GMLC.m") else {
        return;
    };
    let case = text(&ingest(&file, "matpower"));
    for (value, from, to, positions) in [
        ("p_max", -60.0, 120.0, [-40.0, 10.0, 60.0]),
        ("p_min", -120.0, 60.0, [-90.0, -10.0, 40.0]),
    ] {
        let mut study = open(&case);
        let target = json!({ "link": 1, "value": value }).to_string();
        let track = Answer::track(&mut study, &target, from, to, "", false).expect("a track");
        assert!(track["stopped"].is_null(), "{track}");
        agrees(&study, &case, value, &positions);
    }
}
