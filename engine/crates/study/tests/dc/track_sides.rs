//! Tracks and columns on the two sides of a state.

use crate::common::{ingest, parse, text, three_bus, Answer};
use crate::tracks::{binding_agrees, close, columns_agree, commit, contiguous, list, number, study, track, STAIRCASE};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

#[test]
fn ends_of_a_column_have_the_jump_and_the_end_of_feasibility() {
    let module = text(&ingest(STAIRCASE.as_bytes(), "matpower"));
    let mut s = study(&module);
    let column =
        |s: &Study, deltas: &Value| Answer::from(s.sensitivity("x", (&deltas.to_string(), ""), "{\"bus\":2}").unwrap());
    let c = column(&s, &json!({}));
    assert_eq!(
        (c["warrant"]["kind"].as_str(), c.has(ColumnName::LmpSlopeLeft)),
        (Some("regular"), false)
    );
    let end = &c["warrant"]["ends"][1];
    close(&end["mw"], 10.0, 1e-7);
    close(&end["price_jump"], 10.0, 1e-9);
    assert_eq!(
        (end["watched_bus"].as_u64(), end.get("no_solution_beyond")),
        (Some(2), None)
    );
    // Demand and unit 1 reach zero together, and the edit ends there.
    close(&c["warrant"]["ends"][0]["mw"], -40.0, 1e-7);
    assert!(c["warrant"]["ends"][0]["price_jump"].is_null());
    let c = column(&s, &json!({ "2": 60 }));
    let end = &c["warrant"]["ends"][1];
    close(&end["mw"], 10.0, 1e-7);
    assert_eq!(
        (end["no_solution_beyond"].as_bool(), end["price_jump"].is_null()),
        (Some(true), true)
    );
    close(&c["warrant"]["ends"][0]["price_jump"], -20.0, 1e-9);
    // Exactly on a step: both sides are flat.
    let r = Answer::from(s.commit("x", ("{\"2\":10}", ""), "{\"bus\":2}").unwrap());
    assert_ne!(r["sensitivity"]["warrant"]["kind"], "regular");
    for side in [ColumnName::LmpSlopeLeft, ColumnName::LmpSlopeRight] {
        assert!(r.at(side).iter().all(|slope| slope.abs() < 1e-12), "{r}");
    }
}

#[test]
fn one_sided_columns_are_the_differences_to_their_sides() {
    // Unit 2 reaches its 10 MW at +20 MW (closed form): the slope of the prices changes there.
    let c = Answer::from(
        study(&three_bus())
            .sensitivity("three", ("{\"2\":20}", ""), "{\"bus\":2}")
            .unwrap(),
    );
    assert_eq!(c["warrant"]["kind"], "one_sided", "{}", c["warrant"]);
    let at = |mw: f64| {
        let there = commit(&mut study(&three_bus()), &json!({ "2": mw }), &json!({}));
        there.at(ColumnName::Lmp).to_vec()
    };
    let (here, h) = (at(20.0), 0.5);
    for (side, sign) in [(ColumnName::LmpSlopeLeft, -1.0), (ColumnName::LmpSlopeRight, 1.0)] {
        if !c.has(side) {
            // Past the point where unit 2 is at its minimum the limit of the line cannot be met: no optimum, no column.
            assert_eq!(c["warrant"]["ends"][1]["no_solution_beyond"], true);
            continue;
        }
        let there = at(20.0 + sign * h);
        for (k, slope) in c.at(side).iter().enumerate() {
            let want = (there[k] - here[k]) / (sign * h);
            assert!((slope - want).abs() < 1e-7, "{side:?} {k}: {slope} against {want}");
        }
    }
    assert!((c.at(ColumnName::LmpSlopeLeft)[1] - 1.05).abs() < 1e-9);
}

#[test]
fn a_track_joins_both_sides_of_the_committed_state() {
    let mut s = study(&three_bus());
    commit(&mut s, &json!({ "2": 5 }), &json!({ "2": 3 }));
    let t = track(&mut s, &json!({ "bus": 2 }), -90.0, 200.0);
    contiguous(&t);
    // Both units at their minimum of 10 MW; above, the flow 3-2 of (p3 + d2) / 3 >= (10 + 90 + 29) / 3 = 43 MW.
    for (stop, mw) in [("begins", -70.0), ("stopped", 29.0)] {
        close(&t[stop]["mw"], mw, 1e-6);
        assert_eq!(t[stop]["reason"], "infeasible");
        let message = t[stop]["message"].as_str().unwrap();
        assert!(
            message.starts_with("No solution ") && message.ends_with('.'),
            "{message}"
        );
    }
    let (first, last) = (&t["segments"][0], list(&t["segments"]).last().unwrap());
    close(&first["from_mw"], -70.0, 1e-6);
    let top = number(&last["to_mw"]);
    let (mut checked, mut binding) = (0, 0);
    for k in 0..40 {
        let mw = -69.9 + (top + 69.8) * f64::from(k) / 40.0;
        let tracked = s.track_prices(mw).unwrap();
        let state = parse(&s.track_state(mw).unwrap().json);
        let exact = commit(&mut study(&three_bus()), &json!({ "2": mw }), &json!({ "2": 3 }));
        for (a, b) in tracked.iter().zip(exact.at(ColumnName::Lmp)) {
            assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{mw}: {a} against {b}");
        }
        let cost = number(&exact["solution"]["objective"]);
        close(&state["objective"], cost, 1e-8 * cost.max(1.0));
        binding_agrees(&state, &exact, 1e-7);
        let edits = (&json!({ "2": mw }), &json!({ "2": 3 }));
        columns_agree(&s, mw, &mut study(&three_bus()), edits, 1e-9);
        binding += list(&state["binding"]).len();
        checked += 1;
    }
    assert!(checked == 40 && (1..40).contains(&binding), "{binding}");
    // A rating: line 2-3 until it ceases to bind. The bus that moves most is watched, or a given one.
    let t = track(&mut s, &json!({ "branch": 2 }), -40.0, 60.0);
    contiguous(&t);
    assert_eq!(t["watched_bus"], 2);
    assert!(
        list(&t["breakpoints"]).iter().any(|b| b["event"] == "line_unbinds"),
        "{t}"
    );
    let at = 0.0;
    let tracked = s.track_prices(at).unwrap();
    let exact = commit(&mut study(&three_bus()), &json!({ "2": 5 }), &json!({ "2": at }));
    for (a, b) in tracked.iter().zip(exact.at(ColumnName::Lmp)) {
        assert!((a - b).abs() <= 1e-9 * b.abs(), "{a} against {b}");
    }
    for at in [-4.9, -1.5, 0.0, 42.0] {
        let edits = (&json!({ "2": 5 }), &json!({ "2": at }));
        columns_agree(&s, at, &mut study(&three_bus()), edits, 1e-9);
    }
    let t = Answer::track(&mut s, "{\"branch\":2}", -1.0, 1.0, "3", false).unwrap();
    assert_eq!(t["watched_bus"], 3);
}
