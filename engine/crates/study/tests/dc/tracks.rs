//! Exact paths through the JSON surface: closed forms, one-sided columns, and commits at positions of a track.

use crate::common::{data, ingest, parse, text, three_bus, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{Job, Reply, Study};

/// One bus pair without congestion: 10 $/MWh up to 50 MW, 20 $/MWh up to 30 MW, 40 $/MWh up to 30 MW; demand 40 MW at bus 2.
pub(crate) const STAIRCASE: &str = "function mpc = stairs
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
2 1 40 0 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
1 0 0 0 0 1 100 1 50 0;
1 0 0 0 0 1 100 1 30 0;
2 0 0 0 0 1 100 1 30 0;
];
mpc.branch = [
1 2 0.01 0.1 0 500 0 0 0 0 1 -360 360;
];
mpc.gencost = [
2 0 0 3 0 10 0;
2 0 0 3 0 20 0;
2 0 0 3 0 40 0;
];
";

pub(crate) fn study(module: &str) -> Study {
    Study::create(module, "dcopf", "{}").expect("a solvable case")
}

pub(crate) fn track(study: &mut Study, target: &Value, from: f64, to: f64) -> Answer {
    Answer::track(study, &target.to_string(), from, to, "", false).expect("a track")
}

pub(crate) fn commit(study: &mut Study, deltas: &Value, rates: &Value) -> Answer {
    Answer::from(
        study
            .commit("x", (&deltas.to_string(), &rates.to_string()), "")
            .expect("a solvable edit"),
    )
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[track_caller]
pub(crate) fn close(got: &Value, want: f64, tolerance: f64) {
    assert!((number(got) - want).abs() <= tolerance, "{got} against {want}");
}

#[track_caller]
pub(crate) fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got} against {want}");
}

/// The binding branches at a position of a track, with their shadow prices, equal those of the exact solution there.
#[track_caller]
pub(crate) fn binding_agrees(state: &Value, exact: &Answer, tolerance: f64) {
    let reported = list(&state["binding"]);
    let want = exact.at(ColumnName::Shadow).iter().enumerate();
    let want: Vec<(usize, &f64)> = want.filter(|(_, shadow)| **shadow > tolerance).collect();
    let reported: Vec<&Value> = reported.iter().filter(|b| number(&b["shadow"]) > tolerance).collect();
    assert_eq!(reported.len(), want.len(), "{reported:?} against {want:?}");
    for (reported, (row, shadow)) in reported.iter().zip(want) {
        assert_eq!(reported["branch"], row + 1);
        close(&reported["shadow"], *shadow, tolerance);
    }
}

/// All columns at a position of the stored track equal those of a commit of the same edits, each to `tolerance` of its
/// largest value (at least 1). A separate Study solves the commits.
#[track_caller]
pub(crate) fn columns_agree(
    tracked: &Study,
    mw: f64,
    fresh: &mut Study,
    (deltas, rates): (&Value, &Value),
    tolerance: f64,
) {
    let track = tracked.track_state(mw).expect("columns of the track");
    let exact = fresh.commit("x", (&deltas.to_string()[..], &rates.to_string()[..]), "");
    let exact = exact.expect("a solvable edit");
    let names = |reply: &Reply| -> Vec<_> { reply.columns.iter().map(|c| c.name).collect() };
    assert_eq!(names(&track), names(&exact));
    for (reported, want) in track.columns.iter().zip(&exact.columns) {
        let largest = want.values.iter().fold(1.0f64, |most, value| most.max(value.abs()));
        assert_eq!(reported.values.len(), want.values.len());
        for (row, (a, b)) in reported.values.iter().zip(&want.values).enumerate() {
            let same = (a - b).abs() <= tolerance * largest || (a.is_nan() && b.is_nan());
            assert!(same, "{:?} row {row} at {mw}: {a} against {b}", want.name);
        }
    }
}

/// Segments follow one another without gaps, and breakpoints lie between them.
#[track_caller]
pub(crate) fn contiguous(track: &Value) {
    let (segments, breakpoints) = (list(&track["segments"]), list(&track["breakpoints"]));
    assert!(!segments.is_empty());
    for (a, b) in segments.iter().zip(&segments[1..]) {
        let gap = (number(&a["to_mw"]) - number(&b["from_mw"])).abs();
        assert!(gap <= 1e-9 * (1.0 + number(&a["to_mw"]).abs()), "{a} {b}");
        let (end, start) = (number(&a["objective_end"]), number(&b["objective"]));
        assert!((end - start).abs() <= 1e-6 * end.abs().max(1.0), "{end} {start}");
    }
    assert_eq!(breakpoints.len() + 1, segments.len());
    for (k, b) in breakpoints.iter().enumerate() {
        close(&b["mw"], number(&segments[k]["to_mw"]), 1e-6);
        let (s, next) = (&segments[k], &segments[k + 1]);
        let before = number(&s["price"]) + number(&s["slope"]) * (number(&s["to_mw"]) - number(&s["from_mw"]));
        close(&b["price_before"], before, 1e-6 * before.abs().max(1.0));
        close(&b["price_after"], number(&next["price"]), 1e-6 * before.abs().max(1.0));
    }
}

#[test]
fn a_staircase_jumps_where_units_are_full() {
    let module = text(&ingest(STAIRCASE.as_bytes(), "matpower"));
    let mut s = study(&module);
    let t = track(&mut s, &json!({ "bus": 2 }), -60.0, 100.0);
    contiguous(&t);
    assert_eq!(
        (t["watched_bus"].as_u64(), t["target"]["kind"].as_str()),
        (Some(2), Some("bus"))
    );
    let steps: Vec<(f64, f64, f64)> = list(&t["breakpoints"])
        .iter()
        .map(|b| (number(&b["mw"]), number(&b["price_before"]), number(&b["price_after"])))
        .collect();
    assert_eq!(steps.len(), 2, "{t}");
    for ((mw, before, after), want) in steps.iter().zip([(10.0, 10.0, 20.0), (40.0, 20.0, 40.0)]) {
        assert!((mw - want.0).abs() < 1e-7 && (before - want.1).abs() < 1e-9 && (after - want.2).abs() < 1e-9);
    }
    assert_eq!(t["breakpoints"][0]["event"], "generator_reaches_max");
    assert_eq!(t["breakpoints"][0]["element"]["id"], 1);
    let segments = list(&t["segments"]);
    close(&segments[0]["from_mw"], -40.0, 1e-9);
    close(&segments[0]["objective"], 0.0, 1e-9);
    close(
        &segments[2]["objective_end"],
        50.0 * 10.0 + 30.0 * 20.0 + 30.0 * 40.0,
        1e-6,
    );
    assert!(segments.iter().all(|s| number(&s["slope"]).abs() < 1e-12));
    // The units fill one after another, and the output of units 1 and 2 flows over the line.
    for (mw, dispatch) in [
        (-12.5, [27.5, 0.0, 0.0]),
        (25.0, [50.0, 15.0, 0.0]),
        (60.0, [50.0, 30.0, 20.0]),
    ] {
        let reply = s.track_state(mw).unwrap();
        let column = |name: ColumnName| &reply.columns.iter().find(|c| c.name == name).unwrap().values;
        let near = |got: &[f64], want: &[f64]| got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-9);
        let flow = dispatch[0] + dispatch[1];
        assert!(near(column(ColumnName::DispatchMw), &dispatch), "{mw}: {reply:?}");
        assert!(near(column(ColumnName::FlowMw), &[flow]), "{mw}: {reply:?}");
        assert!(near(column(ColumnName::Loading), &[flow / 500.0]), "{mw}: {reply:?}");
        assert!(near(column(ColumnName::DemandMw), &[0.0, 40.0 + mw]), "{mw}: {reply:?}");
    }
    assert_eq!(
        (t["begins"]["reason"].as_str(), t["stopped"]["reason"].as_str()),
        (Some("edit_limit"), Some("infeasible"))
    );
    close(&t["begins"]["mw"], -40.0, 1e-9);
    close(&t["stopped"]["mw"], 70.0, 1e-7);
    assert_eq!(t["stopped"]["error"]["code"], "SOLVE.INFEASIBLE");

    // The same downwards: everything is reversed, and positions name the same states.
    let up: Vec<Vec<f64>> = [-12.5, 3.0, 60.0]
        .iter()
        .map(|&mw| s.track_prices(mw).unwrap())
        .collect();
    let back = track(&mut s, &json!({ "bus": "2" }), 100.0, -60.0);
    contiguous(&back);
    assert_eq!(
        (back["begins"]["mw"].clone(), back["stopped"]["mw"].clone()),
        (t["stopped"]["mw"].clone(), t["begins"]["mw"].clone())
    );
    close(&back["breakpoints"][0]["price_before"], 40.0, 1e-9);
    close(&back["breakpoints"][0]["price_after"], 20.0, 1e-9);
    let down: Vec<Vec<f64>> = [-12.5, 3.0, 60.0]
        .iter()
        .map(|&mw| s.track_prices(mw).unwrap())
        .collect();
    assert_eq!(up, down);
    assert_eq!(parse(&s.track_state(60.0).unwrap().json)["segment"], 0);

    // Other committed edits are unchanged, and so is the origin of the positions.
    commit(&mut s, &json!({ "1": 5, "2": 20 }), &json!({}));
    let t = track(&mut s, &json!({ "bus": 2 }), 0.0, 100.0);
    let at: Vec<f64> = list(&t["breakpoints"]).iter().map(|b| number(&b["mw"])).collect();
    assert!((at[0] - 5.0).abs() < 1e-7 && (at[1] - 35.0).abs() < 1e-7, "{at:?}");
    close(&t["stopped"]["mw"], 65.0, 1e-7);
}

#[test]
fn invalid_tracks_are_refused_and_a_commit_drops_the_track() {
    let mut s = study(&three_bus());
    let none = s.track_prices(0.0).unwrap_err();
    assert_eq!(none.code, "TRACK.NONE");
    for (target, from, to, watch, code) in [
        ("", 0.0, 1.0, "", "INPUT.REQUEST"),
        ("{\"bus\":9}", 0.0, 1.0, "", "BUS.UNKNOWN"),
        ("{\"branch\":9}", 0.0, 1.0, "", "BRANCH.UNKNOWN"),
        ("{\"bus\":2}", f64::NAN, 1.0, "", "INPUT.REQUEST"),
        ("{\"bus\":2}", 0.0, f64::INFINITY, "", "INPUT.REQUEST"),
        ("{\"bus\":2}", 0.0, 1.0, "17", "BUS.UNKNOWN"),
        ("{\"bus\":2}", -91.0, -95.0, "", "DELTA.NEGATIVE_DEMAND"),
        ("{\"bus\":2}", 9000.0, 9001.0, "", "SOLVE.INFEASIBLE"),
        ("{\"branch\":2}", -50.0, -45.0, "", "RATE.NOT_POSITIVE"),
    ] {
        let error = Answer::track(&mut s, target, from, to, watch, false).unwrap_err();
        assert_eq!(error.code, code, "{target}: {error}");
        assert!(error.message().ends_with('.'));
    }
    track(&mut s, &json!({ "bus": 2 }), 0.0, 10.0);
    assert_eq!(s.track_prices(10.5).unwrap_err().code, "TRACK.OUTSIDE");
    assert_eq!(s.track_state(10.5).unwrap_err().code, "TRACK.OUTSIDE");
    assert!(s.track_prices(10.0).is_ok());
    let end = s.track_prices(10.0).unwrap();
    assert_eq!(s.track_prices(10.0 + 1e-12).unwrap(), end, "beyond the end by rounding");
    assert_eq!(s.track_prices(f64::NAN).unwrap_err().code, "TRACK.OUTSIDE");
    assert!(s.commit("x", ("{\"2\":9000}", ""), "").is_err());
    assert!(s.track_prices(10.0).is_ok(), "a failed commit changes nothing");
    commit(&mut s, &json!({ "2": 1 }), &json!({}));
    assert_eq!(s.track_state(5.0).unwrap_err().code, "TRACK.NONE");
    // There is no demand at bus 1, and edits do not go below zero.
    let t = track(&mut s, &json!({ "bus": 1 }), -10.0, 10.0);
    assert_eq!(
        (t["begins"]["reason"].as_str(), t["begins"]["mw"].as_f64()),
        (Some("edit_limit"), Some(0.0))
    );
    assert!(s.track_prices(-0.1).is_err() && s.track_prices(0.0).is_ok());
}

#[test]
fn tracks_of_real_cases_agree_with_commits() {
    let mut checked = 0;
    for (file, targets) in [
        ("pglib/pglib_opf_case118_ieee.m", 9),
        ("pglib/api/pglib_opf_case300_ieee__api.m", 8),
        ("activsg500/case_ACTIVSg500.m", 5),
        ("pglib/pglib_opf_case2000_goc.m", 2),
    ] {
        let Some(bytes) = data(file) else { return };
        let case = ingest(&bytes, "matpower");
        let module = text(&case);
        let demands = case.at(ColumnName::DemandMw);
        let loads: Vec<usize> = (0..demands.len()).filter(|row| demands[*row] > 1.0).collect();
        let id = |row: usize| case.at(ColumnName::BusId)[row].to_string();
        // Another bus and a rating retain their edits while one demand is tracked.
        let other = id(loads[loads.len() / 2]);
        let mut s = study(&module);
        let mut fresh = study(&module);
        for k in 0..targets {
            let bus = loads[k * loads.len() / targets];
            if id(bus) == other {
                continue;
            }
            let demand = demands[bus];
            let here = 0.1 * demand;
            commit(
                &mut s,
                &json!({ other.clone(): 1.0, id(bus): here }),
                &json!({ "1": 2.0 }),
            );
            let t = track(&mut s, &json!({ "bus": id(bus) }), -demand, 2.0 * demand);
            contiguous(&t);
            assert!(
                t["stopped"].is_null() || t["stopped"]["reason"] == "infeasible",
                "{}",
                t["stopped"]
            );
            let segments = list(&t["segments"]);
            let middles = segments.iter().map(|s| (number(&s["from_mw"]), number(&s["to_mw"])));
            for (from, to) in middles.filter(|(a, b)| b - a > 1e-3).step_by(1 + segments.len() / 6) {
                let mw = from + 0.6 * (to - from);
                let exact = commit(
                    &mut fresh,
                    &json!({ other.clone(): 1.0, id(bus): mw }),
                    &json!({ "1": 2.0 }),
                );
                let want = exact.taking(ColumnName::Lmp);
                let tracked: Vec<f64> = s
                    .track_prices(mw)
                    .unwrap()
                    .into_iter()
                    .filter(|p| !p.is_nan())
                    .collect();
                assert_eq!(tracked.len(), want.len());
                let largest = want.iter().fold(1.0f64, |m, p| m.max(p.abs()));
                for (a, b) in tracked.iter().zip(&want) {
                    assert!(
                        (a - b).abs() <= 1e-9 * largest,
                        "{file} bus {} at {mw}: {a} against {b}",
                        id(bus)
                    );
                }
                let cost = number(&exact["solution"]["objective"]);
                let state = parse(&s.track_state(mw).unwrap().json);
                close(&state["objective"], cost, 1e-9 * cost);
                binding_agrees(&state, &exact, 1e-8 * largest);
                let edits = (&json!({ other.clone(): 1.0, id(bus): mw }), &json!({ "1": 2.0 }));
                columns_agree(&s, mw, &mut fresh, edits, 1e-6);
                checked += 1;
            }
        }
    }
    assert!(checked >= 40, "{checked}");
    println!("{checked} positions of tracks agree with commits");
}

/// A track is the same in steps of any size; its progress rises, and its position runs down from the committed state,
/// then up.
#[test]
fn a_track_in_steps_is_the_track() {
    let module = text(&ingest(STAIRCASE.as_bytes(), "matpower"));
    let mut study = study(&module);
    commit(&mut study, &json!({ "2": 5 }), &json!({}));
    let target = json!({ "bus": 2 }).to_string();
    let at_once = Answer::track(&mut study, &target, -60.0, 100.0, "", true).unwrap();
    assert_eq!(at_once["stopped"]["reason"], "infeasible");
    assert!(at_once["stopped"]["explanation"].is_object());
    for budget in [1, 3] {
        let mut job = Job::track(&study, &target, -60.0, 100.0, "", true).unwrap();
        let (mut fraction, mut at, mut steps) = (0.0, Vec::new(), 0);
        loop {
            let step = job.step(budget).unwrap();
            assert!(step.fraction >= fraction, "{step:?}");
            fraction = step.fraction;
            at.push(step.at_mw.expect("a position"));
            steps += 1;
            if step.done {
                break;
            }
        }
        assert_eq!(fraction, 1.0);
        assert!(steps > 4 / budget as usize, "{steps} steps");
        let lowest = at.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(lowest == 5.0 && (at[at.len() - 1] - 70.0).abs() < 1e-9, "{at:?}");
        let finished = job.finish().unwrap();
        assert_eq!(parse(&finished.reply.json), at_once.head);
        study.keep(&finished);
        assert!(study.track_prices(20.0).is_ok());
    }
}

/// A track that is ended early has the part followed so far; the path of a state that a commit has replaced is not
/// stored.
#[test]
fn a_track_ended_early_or_superseded() {
    let module = text(&ingest(STAIRCASE.as_bytes(), "matpower"));
    let mut study = study(&module);
    let target = json!({ "bus": 2 }).to_string();
    let mut job = Job::track(&study, &target, 0.0, 60.0, "", false).unwrap();
    assert!(!job.step(1).unwrap().done);
    let finished = job.finish().unwrap();
    let track = parse(&finished.reply.json);
    let segments = list(&track["segments"]);
    assert_eq!(segments.len(), 1);
    close(&segments[0]["to_mw"], 10.0, 1e-9);
    assert_eq!(track["stopped"]["reason"], "interrupted");
    close(&track["stopped"]["mw"], 10.0, 1e-9);
    study.keep(&finished);
    assert!(study.track_prices(9.99).is_ok());
    assert_eq!(study.track_prices(20.0).unwrap_err().code, "TRACK.OUTSIDE");
    commit(&mut study, &json!({ "2": 1 }), &json!({}));
    study.keep(&finished);
    assert_eq!(study.track_prices(5.0).unwrap_err().code, "TRACK.NONE");
}
