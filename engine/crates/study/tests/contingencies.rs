//! N-1 screening through the JSON surface, against power flows of the case without the branch.

mod common;

use common::{data, ingest, parse, text, three_bus};
use serde_json::{json, Value};
use wattbook_study::{solve_module_json, Contingencies, Study};

fn rows(study: &Study, budget: u32) -> Vec<Value> {
    let mut run = Contingencies::start(study);
    let (mut rows, mut fraction) = (Vec::new(), 0.0);
    loop {
        let step = parse(&run.step_json(budget));
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
    // Without line 2-3 it comes over line 1-2, rated 250.
    assert_eq!(
        (rows[1]["worst_branch"].as_u64(), rows[1]["overloads"].as_u64()),
        (Some(1), Some(0))
    );
    assert!((rows[1]["worst_loading"].as_f64().unwrap() - 90.0 / 250.0).abs() < 1e-7);
}

#[test]
fn a_screening_keeps_its_state_and_its_budget_changes_nothing() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let at_once = rows(&study, 100);
    let mut run = Contingencies::start(&study);
    let first = run.step(1).rows;
    study.commit_json("x", "{\"2\":8}", "", "").unwrap();
    let rest: Vec<Value> = (0..2)
        .flat_map(|_| parse(&run.step_json(1))["rows"].as_array().unwrap().clone())
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
    let solution = parse(&study.current_solution_json());
    let mut dispatched = parse(&module);
    for unit in solution["dispatch"].as_array().unwrap() {
        let row = unit["gen"].as_u64().unwrap() as usize - 1;
        dispatched["value"]["data"]["generators"][row]["pg"] = unit["mw"].clone();
    }
    let rows = rows(&study, 7);
    let islanding = rows.iter().filter(|r| r["kind"] == "islanding").count();
    assert_eq!((rows.len(), islanding), (186, 9), "{islanding} islanding outages");
    for row in rows.iter().filter(|r| r["kind"] == "islanding") {
        assert!(!row["buses_cut_off"].as_array().unwrap().is_empty() && row["demand_cut_off_mw"].is_f64());
    }
    let mut checked = 0;
    for row in rows.iter().filter(|r| r["kind"] == "loading").step_by(9) {
        let mut without = dispatched.clone();
        let k = row["branch"].as_u64().unwrap() as usize - 1;
        without["value"]["data"]["branches"][k]["in_service"] = json!(false);
        let flow = parse(&solve_module_json(&without.to_string(), "{\"formulation\":\"dcpf\"}").unwrap());
        let flows = flow["flows"].as_array().unwrap();
        let worst = flows.iter().max_by(|a, b| {
            a["loading"]
                .as_f64()
                .unwrap()
                .total_cmp(&b["loading"].as_f64().unwrap())
        });
        let worst = worst.unwrap();
        assert!(
            (worst["loading"].as_f64().unwrap() - row["worst_loading"].as_f64().unwrap()).abs() < 1e-9,
            "{row} {worst}"
        );
        let over = flows
            .iter()
            .filter(|f| f["loading"].as_f64().unwrap() > 1.0 + 1e-6)
            .count();
        assert_eq!(over as u64, row["overloads"].as_u64().unwrap());
        checked += 1;
    }
    assert!(checked >= 15);
}
