//! N-1 screening through the JSON surface, against power flows of the case without the branch.

use crate::common::{data, ingest, parse, text, three_bus, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{Job, Study};

fn rows(study: &Study, budget: u32) -> Vec<Value> {
    let mut run = Job::screening(study, "").unwrap();
    let (mut rows, mut fraction) = (Vec::new(), 0.0);
    loop {
        let step = parse(&run.step_json(budget).unwrap());
        let now = step["fraction"].as_f64().unwrap();
        assert!(now >= fraction, "{now} after {fraction}");
        fraction = now;
        rows.extend(step["rows"].as_array().unwrap().iter().cloned());
        if step["done"] == true {
            assert_eq!(fraction, 1.0);
            return rows;
        }
    }
}

/// p1 = 60, p3 = 30, d2 = 90: without line 1-2 bus 2 is fed over line 2-3, to which line 1-3 brings the 60 MW of unit 1.
#[test]
fn flows_after_an_outage_in_closed_form() {
    let study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let flows = study.outage_flows("{\"branch\":1}").unwrap();
    for (flow, wanted) in flows.iter().zip([0.0, -90.0, 60.0]) {
        assert!((flow - wanted).abs() < 1e-6, "{flows:?}");
    }
    for (target, code) in [
        ("{\"branch\":9}", "BRANCH.UNKNOWN"),
        ("{\"bus\":1}", "INPUT.REQUEST"),
        ("null", "INPUT.REQUEST"),
    ] {
        assert_eq!(study.outage_flows(target).unwrap_err().code, code);
    }
}

#[test]
fn the_three_bus_outages_in_closed_form() {
    let study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let rows = rows(&study, 1);
    assert_eq!(rows.len(), 3);
    // p1 = 60, p3 = 30, d2 = 90: without line 1-2 everything of bus 2 comes over line 2-3, rated 40.
    assert_eq!(
        (rows[0]["kind"].as_str(), rows[0]["worst_branch"].as_u64()),
        (Some("loading"), Some(2))
    );
    assert!(
        (rows[0]["worst_mw"].as_f64().unwrap() + 90.0).abs() < 1e-6,
        "{}",
        rows[0]
    );
    assert!((rows[0]["worst_loading"].as_f64().unwrap() - 90.0 / 40.0).abs() < 1e-7);
    assert_eq!(rows[0]["overloads"], 1);
    // It was at its limit before, so it is not a new overload.
    assert_eq!(
        (&rows[0]["new_overloads"], rows[0].get("worst_new_overload")),
        (&json!(0), None)
    );
    // Without line 2-3 it comes over line 1-2, rated 250.
    assert_eq!(
        (rows[1]["worst_branch"].as_u64(), rows[1]["overloads"].as_u64()),
        (Some(1), Some(0))
    );
    assert!((rows[1]["worst_loading"].as_f64().unwrap() - 90.0 / 250.0).abs() < 1e-7);
}

/// With line 1-3 rated 50 MW the 60 MW of unit 1 overload it after the loss of line 1-2, in addition to line 2-3, which
/// was at its limit.
#[test]
fn a_new_overload_is_named_with_its_ends() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    study.commit("x", ("", "{\"3\":-200}"), "").unwrap();
    let rows = rows(&study, 10);
    assert_eq!(rows[0]["worst_branch"], 2);
    assert_eq!(
        (&rows[0]["overloads"], &rows[0]["new_overloads"]),
        (&json!(2), &json!(1))
    );
    let new = &rows[0]["worst_new_overload"];
    assert_eq!(
        (&new["branch"], &new["from_bus"], &new["to_bus"]),
        (&json!(3), &json!(1), &json!(3))
    );
    for (key, wanted) in [("mw", 60.0), ("loading_after", 1.2), ("loading_before", 0.2)] {
        assert!((new[key].as_f64().unwrap() - wanted).abs() < 1e-7, "{key}: {new}");
    }
}

#[test]
fn a_screening_is_of_its_initial_state_whatever_the_budget() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let at_once = rows(&study, 100);
    let mut run = Job::screening(&study, "").unwrap();
    let first = run.step(1).unwrap().rows.unwrap();
    study.commit("x", ("{\"2\":8}", ""), "").unwrap();
    let rest: Vec<Value> = (0..2)
        .flat_map(|_| parse(&run.step_json(1).unwrap())["rows"].as_array().unwrap().clone())
        .collect();
    assert_eq!((first.len(), rest.len()), (1, 2));
    assert_eq!(rest, at_once[1..]);
    assert_ne!(rows(&study, 2), at_once);
}

/// The power flow of the optimal dispatch without the branch gives the same worst loading.
#[test]
fn screenings_agree_with_power_flows_without_the_branch() {
    let Some(bytes) = data("pglib/pglib_opf_case118_ieee.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    let study = Study::create(&module, "dcopf", "{}").unwrap();
    let solution = Answer::of(&study);
    let mut dispatched = parse(&module);
    let dispatch = solution.at(ColumnName::DispatchMw).iter().enumerate();
    for (row, mw) in dispatch.filter(|(_, mw)| !mw.is_nan()) {
        dispatched["value"]["data"]["generators"][row]["pg"] = json!(mw);
    }
    let module_branches = dispatched["value"]["data"]["branches"].clone();
    let rows = rows(&study, 7);
    let islanding = rows.iter().filter(|r| r["kind"] == "islanding").count();
    assert_eq!((rows.len(), islanding), (186, 9), "{islanding} islanding outages");
    for row in rows.iter().filter(|r| r["kind"] == "islanding") {
        let refused = study
            .outage_flows(&json!({ "branch": row["branch"] }).to_string())
            .unwrap_err();
        assert_eq!(refused.code, "OUTAGE.ISLANDING");
        assert!(!row["buses_cut_off"].as_array().unwrap().is_empty() && row["demand_cut_off_mw"].is_f64());
    }
    let before = solution.at(ColumnName::Loading);
    let (mut checked, mut named) = (0, 0);
    for row in rows.iter().filter(|r| r["kind"] == "loading").step_by(9) {
        let mut without = dispatched.clone();
        let k = row["branch"].as_u64().unwrap() as usize - 1;
        without["value"]["data"]["branches"][k]["in_service"] = json!(false);
        let flow = Answer::solved(&without.to_string(), "{\"formulation\":\"dcpf\"}").unwrap();
        let [flows, loading] = [ColumnName::FlowMw, ColumnName::Loading].map(|name| flow.at(name));
        let taking = || (0..flows.len()).filter(|row| !flows[*row].is_nan());
        let reported = study
            .outage_flows(&json!({ "branch": row["branch"] }).to_string())
            .unwrap();
        for row in taking() {
            assert!(
                (reported[row] - flows[row]).abs() < 1e-6,
                "{} {}",
                reported[row],
                flows[row]
            );
        }
        assert_eq!(reported[k], 0.0);
        let worst = taking().map(|row| loading[row]).fold(0.0, f64::max);
        assert!(
            (worst - row["worst_loading"].as_f64().unwrap()).abs() < 1e-9,
            "{row} {worst}"
        );
        let over = taking().filter(|row| loading[*row] > 1.0 + 1e-6).count();
        assert_eq!(over as u64, row["overloads"].as_u64().unwrap());
        let rise = |row: usize| loading[row] - before[row];
        let new = taking().filter(|row| loading[*row] > 1.0 + 1e-6 && before[*row] < 1.0 - 1e-6);
        assert_eq!(new.clone().count() as u64, row["new_overloads"].as_u64().unwrap());
        let reported = row.get("worst_new_overload");
        let most = new.max_by(|a, b| rise(*a).total_cmp(&rise(*b)));
        assert_eq!(reported.is_some(), most.is_some(), "{row}");
        if let (Some(reported), Some(most)) = (reported, most) {
            assert_eq!(reported["branch"], most + 1);
            let branch = &module_branches[reported["branch"].as_u64().unwrap() as usize - 1];
            assert_eq!(
                (&reported["from_bus"], &reported["to_bus"]),
                (&branch["from"], &branch["to"])
            );
            for (key, wanted) in [
                ("mw", flows[most]),
                ("loading_after", loading[most]),
                ("loading_before", before[most]),
            ] {
                assert!(
                    (reported[key].as_f64().unwrap() - wanted).abs() < 1e-7,
                    "{key}: {reported} {most}"
                );
            }
            named += 1;
        }
        checked += 1;
    }
    assert!(checked >= 15 && named > 0, "{checked} outages, {named} new overloads");
}
