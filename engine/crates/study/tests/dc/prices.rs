//! LMP components and intervals of prices through the JSON surface.

use super::tracks::STAIRCASE;
use crate::common::{data, ingest, parse, text, three_bus, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[track_caller]
fn close(got: &Value, want: f64, tolerance: f64) {
    assert!((number(got) - want).abs() <= tolerance, "{got} against {want}");
}

fn parts(study: &Study, bus: u64) -> Value {
    parse(&study.lmp_components_json(&json!({ "bus": bus }).to_string()).unwrap())
}

/// All demand is at bus 2, so its price is the energy; of injections at buses 1 and 3 a third and two thirds flow over
/// line 3-2.
#[test]
fn parts_of_the_three_bus_prices() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    for (bus, price, factor) in [(1, 18.2, 1.0 / 3.0), (2, 30.1, 0.0), (3, 6.3, 2.0 / 3.0)] {
        let p = parts(&study, bus);
        close(&p["price"], price, 1e-9);
        close(&p["energy"], 30.1, 1e-9);
        close(&p["residual"], 0.0, 1e-9);
        assert_eq!(
            (p["reference"].as_str(), p["bus"].as_u64()),
            (Some("demand"), Some(bus))
        );
        let [line] = list(&p["congestion"]) else { panic!("{p}") };
        assert_eq!(line["branch"], 2);
        close(&line["shadow"], 35.7, 1e-9);
        close(&line["shift_factor"], factor, 1e-12);
        close(&line["value"], -35.7 * factor, 1e-9);
    }
    // Demand at bus 1 as well: the energy is the mean of the two prices.
    study.commit("x", ("{\"1\":30}", ""), "").unwrap();
    let solution = Answer::of(&study);
    let price = |row: usize| solution.at(ColumnName::Lmp)[row];
    close(
        &parts(&study, 3)["energy"],
        (30.0 * price(0) + 90.0 * price(1)) / 120.0,
        1e-9,
    );
    // Without congestion there is one component.
    study.commit("x", ("", "{\"2\":200}"), "").unwrap();
    let p = parts(&study, 1);
    assert_eq!(list(&p["congestion"]), &[] as &[Value]);
    close(&p["energy"], number(&p["price"]), 1e-12);
    for (target, code) in [
        ("{\"branch\":2}", "INPUT.REQUEST"),
        ("", "INPUT.REQUEST"),
        ("{\"bus\":17}", "BUS.UNKNOWN"),
    ] {
        assert_eq!(study.lmp_components_json(target).unwrap_err().code, code);
    }
}

/// Every price of congested cases equals the sum of its components, to 1e-9, and the energy is the demand-weighted mean
/// price.
#[test]
fn parts_add_up() {
    for path in [
        "pglib/pglib_opf_case118_ieee.m",
        "pglib/api/pglib_opf_case300_ieee__api.m",
        "pglib/pglib_opf_case2383wp_k.m",
        "pglib/pglib_opf_case500_goc.m",
    ] {
        let Some(bytes) = data(path) else { return };
        let ingested = ingest(&bytes, "matpower");
        let study = Study::create(&text(&ingested), "dcopf", "{}").unwrap();
        let solution = Answer::of(&study);
        let [ids, demands] = [ColumnName::BusId, ColumnName::DemandMw].map(|name| ingested.at(name));
        let prices = ids.iter().zip(demands).zip(solution.at(ColumnName::Lmp));
        let prices: Vec<((&f64, &f64), &f64)> = prices.filter(|(_, price)| !price.is_nan()).collect();
        let (mut paid, mut total) = (0.0, 0.0);
        for ((_, mw), price) in &prices {
            paid += mw.max(0.0) * **price;
            total += mw.max(0.0);
        }
        let scale = prices.iter().fold(1.0f64, |m, (_, price)| m.max(price.abs()));
        let shadow = solution.at(ColumnName::Shadow).iter();
        let binding = shadow.filter(|shadow| **shadow > 0.0).count();
        let (mut congested, mut worst) = (0, 0.0f64);
        for ((id, _), price) in prices.iter().step_by(1 + prices.len() / 200) {
            let parts = parts(&study, **id as u64);
            assert_eq!(parts["price"], **price);
            let congestion = list(&parts["congestion"]);
            assert_eq!(congestion.len(), binding);
            let mut sum = number(&parts["energy"]);
            for line in congestion {
                close(
                    &line["value"],
                    -number(&line["shadow"]) * number(&line["shift_factor"]),
                    1e-9 * scale,
                );
                sum += number(&line["value"]);
                congested += usize::from(number(&line["value"]).abs() > 0.01);
            }
            worst = worst.max((sum - **price).abs());
            close(&parts["energy"], paid / total, 1e-9 * scale);
        }
        assert!(worst <= 1e-9 * scale, "{path}: {worst}");
        println!("{path}: {binding} lines, {congested} parts above 0.01 $/MWh, identity to {worst:.1e}");
    }
}

fn interval(study: &Study, bus: u64, deltas: &Value) -> Option<(Option<f64>, Option<f64>)> {
    let target = json!({ "bus": bus }).to_string();
    let column = Answer::from(study.sensitivity("x", (&deltas.to_string(), ""), &target).unwrap());
    let found = column["warrant"].get("price_interval")?;
    Some((found[0].as_f64(), found[1].as_f64()))
}

#[test]
fn prices_at_the_steps_of_a_staircase() {
    let study = Study::create(&text(&ingest(STAIRCASE.as_bytes(), "matpower")), "dcopf", "{}").unwrap();
    let at = |mw: f64| interval(&study, 2, &json!({ "2": mw }));
    for (mw, want) in [
        // Without demand no unit can go lower.
        (-40.0, (None, Some(10.0))),
        (10.0, (Some(10.0), Some(20.0))),
        (40.0, (Some(20.0), Some(40.0))),
        // At full capacity no unit can go higher.
        (70.0, (Some(40.0), None)),
    ] {
        let (lo, hi) = at(mw).unwrap_or_else(|| panic!("unique at {mw}"));
        let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-7,
            (a, b) => a == b,
        };
        assert!(same(lo, want.0) && same(hi, want.1), "{mw}: {lo:?} {hi:?}");
    }
    for mw in [-39.9, 0.0, 9.99, 10.01, 55.0, 69.9] {
        assert_eq!(at(mw), None, "{mw}");
    }
    // A corner of quadratic costs is not a step: the derivative is one-sided there, the price is unique.
    let study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let target = json!({ "bus": 2 }).to_string();
    let deltas = json!({ "2": -30 });
    let track = {
        let mut study = study.clone();
        Answer::track(&mut study, &target, -60.0, 0.0, "", false).unwrap()
    };
    let corners: Vec<f64> = list(&track["breakpoints"]).iter().map(|b| number(&b["mw"])).collect();
    assert!(!corners.is_empty(), "{track}");
    for mw in corners {
        assert_eq!(interval(&study, 2, &json!({ "2": mw })), None);
    }
    assert_eq!(interval(&study, 2, &deltas), None);
    // The column of a rating has no interval of prices.
    let column = Answer::from(study.sensitivity("x", ("", ""), "{\"branch\":2}").unwrap());
    assert!(column["warrant"].get("price_interval").is_none());
}

/// At jumps in public cases with linear costs the interval equals the differences of certified costs.
#[test]
fn intervals_are_the_one_sided_differences_of_the_cost() {
    let mut checked = 0;
    for (path, every) in [
        ("pglib/pglib_opf_case5_pjm.m", 1),
        ("pglib/pglib_opf_case39_epri.m", 4),
        ("pglib/pglib_opf_case300_ieee.m", 12),
        ("pglib/pglib_opf_case1354_pegase.m", 100),
        ("pglib/pglib_opf_case2383wp_k.m", 150),
    ] {
        let Some(bytes) = data(path) else { return };
        let ingested = ingest(&bytes, "matpower");
        let mut study = Study::create(&text(&ingested), "dcopf", "{}").unwrap();
        for id in ingested.at(ColumnName::BusId).iter().step_by(every) {
            let id = *id as u64;
            let target = json!({ "bus": id }).to_string();
            let track = Answer::track(&mut study, &target, -40.0, 300.0, "", false).unwrap();
            let steps = list(&track["breakpoints"]);
            for step in steps
                .iter()
                .filter(|b| number(&b["price_after"]) - number(&b["price_before"]) > 1e-3)
                .take(3)
            {
                let mw = number(&step["mw"]);
                let key = id.to_string();
                let Some((lo, hi)) = interval(&study, id, &json!({ key.clone(): mw })) else {
                    panic!("{path}, bus {id} at {mw}: unique, but {step}")
                };
                let mut cost = |mw: f64| {
                    let edits = json!({ key.clone(): mw }).to_string();
                    let r = Answer::from(study.commit("x", (&edits, ""), "").unwrap());
                    number(&r["solution"]["objective"])
                };
                // Short enough to stay in the neighbouring regions of most steps; a longer step would lie outside the
                // interval.
                let h = 1e-3;
                let (below, here, above) = (cost(mw - h), cost(mw), cost(mw + h));
                let differences = ((here - below) / h, (above - here) / h);
                let tolerance = 1e-4;
                assert!(
                    (lo.unwrap() - differences.0).abs() < tolerance && (hi.unwrap() - differences.1).abs() < tolerance,
                    "{path}, bus {id} at {mw}: {lo:?} {hi:?} against {differences:?}"
                );
                checked += 1;
            }
            study.reset("x").unwrap();
        }
    }
    println!("{checked} steps");
    assert!(checked > 40, "{checked}");
}
