//! Profiles of demand: the synthetic shape against its formula, tables by bus, area, zone and system, and refusals.

use crate::common::{grid, ingest, parse, text, Answer, THREE_BUS};
use serde_json::json;
use std::sync::Arc;
use wattbook_study::contract::ColumnName;
use wattbook_study::{Case, Reply, Series, Study};

/// Monday 6 July 2026, midnight.
const MONDAY_S: f64 = 1_783_296_000.0;

fn case_of(module: &str) -> Arc<Case> {
    Case::read(module).expect("a good case")
}

fn three_bus() -> Arc<Case> {
    case_of(&text(&ingest(THREE_BUS.as_bytes(), "matpower")))
}

/// Steps by buses.
fn rows(reply: &Reply) -> Vec<Vec<f64>> {
    let width = parse(&reply.json)["buses"].as_array().expect("buses").len();
    reply.columns[0]
        .values
        .chunks_exact(width)
        .map(<[f64]>::to_vec)
        .collect()
}

#[test]
fn one_bus_without_position_has_the_daily_and_weekly_shape_with_its_own_variation() {
    let week = three_bus().synthetic_demand(MONDAY_S, 168, 7).expect("a profile");
    let head = parse(&week.json);
    assert_eq!(head["buses"], json!([2]));
    assert_eq!(
        (&head["steps"][0], &head["steps"][57]),
        (&json!("2026-07-06T00:00"), &json!("2026-07-08T09:00"))
    );
    let mw: Vec<f64> = rows(&week).into_iter().map(|row| row[0]).collect();
    assert_eq!(mw.len(), 168);
    // The largest hour has the demand of the base case.
    let most = mw.iter().copied().fold(0.0, f64::max);
    assert!((most - 90.0).abs() < 1e-9, "{most}");
    // The remainder without the shape is the variation: 2 % with a correlation of 0.9 from hour to hour, mean 0.
    let bump = |x: f64, at: f64, width: f64| {
        let away = (x - at + 12.0).rem_euclid(24.0) - 12.0;
        (-(away / width).powi(2)).exp()
    };
    let shape = |k: usize| {
        let hour = (k % 24) as f64;
        let weekend = if k / 24 % 7 >= 5 { 0.93 } else { 1.0 };
        (0.62 + 0.20 * bump(hour, 9.5, 3.0) + 0.34 * bump(hour, 18.5, 3.6)) * weekend
    };
    let rest: Vec<f64> = mw.iter().enumerate().map(|(k, mw)| mw / shape(k)).collect();
    let mean = rest.iter().sum::<f64>() / 168.0;
    let off: Vec<f64> = rest.iter().map(|x| x / mean - 1.0).collect();
    let spread = (off.iter().map(|x| x * x).sum::<f64>() / 168.0).sqrt();
    assert!((0.008..0.04).contains(&spread), "{spread}");
    let steps: f64 = off.windows(2).map(|w| (w[1] - 0.9 * w[0]).powi(2)).sum::<f64>() / 167.0;
    let expected = 0.02 * (1.0_f64 - 0.81).sqrt();
    assert!((steps.sqrt() / expected - 1.0).abs() < 0.25, "{}", steps.sqrt());
}

#[test]
fn a_seed_gives_the_same_numbers_and_another_one_others() {
    let case = case_of(&grid("carolina"));
    let of = |seed| case.synthetic_demand(MONDAY_S, 24, seed).unwrap();
    let (one, again, other) = (of(0), of(0), of(1));
    assert_eq!(one.columns[0].values, again.columns[0].values);
    assert_ne!(one.columns[0].values, other.columns[0].values);
    // Buses further east have an earlier morning, by at most an hour.
    let total = |row: &Vec<f64>| row.iter().sum::<f64>();
    let day: Vec<f64> = rows(&one).iter().map(total).collect();
    let peak = (0..24).max_by(|&a, &b| day[a].total_cmp(&day[b])).unwrap();
    assert!((17..=20).contains(&peak), "{peak}");
}

#[test]
fn tables_by_bus_are_read_unchanged() {
    let table = "time;bus 2\n# a comment\n2026-07-06 00:00;80,5\n2026-07-06 01:00;90\n";
    let found = three_bus().read_profile(table.as_bytes()).expect("a profile");
    let head = parse(&found.json);
    assert_eq!(
        head,
        json!({ "steps": ["2026-07-06 00:00", "2026-07-06 01:00"], "buses": [2] })
    );
    assert_eq!(rows(&found), [[80.5], [90.0]]);
    let plain = three_bus().read_profile(b"hour,2\n1,80.5\n2,90\n").expect("a profile");
    assert_eq!(rows(&plain), rows(&found));
}

#[test]
fn demand_of_the_system_and_of_areas_is_shared_as_in_the_base_case() {
    let case = case_of(&grid("carolina"));
    let inspected = Answer::from(wattbook_study::inspect_module(&grid("carolina")).unwrap());
    let [demand, area, id] = [ColumnName::DemandMw, ColumnName::Area, ColumnName::BusId].map(|name| inspected.at(name));
    let buses: Vec<(f64, u64, u64)> = (0..id.len())
        .map(|row| (demand[row], area[row] as u64, id[row] as u64))
        .filter(|bus| bus.0 > 0.0)
        .collect();
    let base: f64 = buses.iter().map(|bus| bus.0).sum();
    let half = rows(
        &case
            .read_profile(format!("step,system\n1,{}\n", base / 2.0).as_bytes())
            .unwrap(),
    );
    assert_eq!(half[0].len(), buses.len());
    for (found, bus) in half[0].iter().zip(&buses) {
        assert!((found - bus.0 / 2.0).abs() < 1e-9, "bus {}", bus.2);
    }
    let area = buses[0].1;
    let of_area: Vec<_> = buses.iter().filter(|bus| bus.1 == area).collect();
    let total: f64 = of_area.iter().map(|bus| bus.0).sum();
    let found = case
        .read_profile(format!("step,area {area}\n1,{}\n", 0.9 * total).as_bytes())
        .unwrap();
    let ids: Vec<u64> = parse(&found.json)["buses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_u64().unwrap())
        .collect();
    assert_eq!(ids, of_area.iter().map(|bus| bus.2).collect::<Vec<_>>());
    for (found, bus) in rows(&found)[0].iter().zip(&of_area) {
        assert!((found - 0.9 * bus.0).abs() < 1e-9, "bus {}", bus.2);
    }
}

#[test]
fn errors_of_a_table_are_named_by_row_and_column() {
    let case = three_bus();
    let refusal = |table: &str| {
        let error = case.read_profile(table.as_bytes()).expect_err(table);
        (error.code, error.sentence.english())
    };
    for (table, code, message) in [
        ("", "PROFILE.MALFORMED", "no steps"),
        ("time,2\n", "PROFILE.MALFORMED", "no steps"),
        ("time\n1\n", "PROFILE.MALFORMED", "first column"),
        ("time,2,99\n1,2,3\n", "BUS.UNKNOWN", "Column 3, 99"),
        ("time,bus 99\n1,2\n", "BUS.UNKNOWN", "Column 2, bus 99"),
        ("time,area 7\n1,2\n", "PROFILE.MALFORMED", "Column 2, area 7"),
        (
            "time,2,bus 2\n1,2,3\n",
            "PROFILE.MALFORMED",
            "Column 3, bus 2, repeats 2",
        ),
        (
            "time,2,system\n1,2,3\n",
            "PROFILE.MALFORMED",
            "Column 3, system, does not go with 2",
        ),
        (
            "time,2\nnoon,90\nevening,many\n",
            "PROFILE.MALFORMED",
            "Row 2 (evening), column 2: many",
        ),
        (
            "time,2\nnoon,90\nevening,\n",
            "PROFILE.MALFORMED",
            "Row 2 (evening), column 2",
        ),
        ("time,2\nnoon,90,4\n", "PROFILE.MALFORMED", "Row 1 has 3 cells"),
        ("time,2\nnoon,inf\n", "PROFILE.MALFORMED", "Row 1 (noon), column 2: inf"),
    ] {
        let found = refusal(table);
        assert_eq!(found.0, code, "{table}");
        assert!(found.1.contains(message), "{table}: {}", found.1);
    }
    let none = case.synthetic_demand(MONDAY_S, 0, 0).expect_err("no hours");
    assert_eq!(none.code, "PROFILE.MALFORMED");
    assert_eq!(
        case.synthetic_demand(f64::NAN, 1, 0).expect_err("no start").code,
        "PROFILE.MALFORMED"
    );
    assert_eq!(
        case.synthetic_demand(0.0, u32::MAX, 0).expect_err("too long").code,
        "PROFILE.MALFORMED"
    );
}

#[test]
fn a_profile_is_the_input_of_a_series() {
    let module = text(&ingest(THREE_BUS.as_bytes(), "matpower"));
    let study = Study::create(&module, "dcopf", "").expect("a solvable case");
    let profile = study.read_profile(b"step,2\na,80\nb,90\n").expect("a profile");
    let spec = json!({ "buses": parse(&profile.json)["buses"], "columns": ["lmp"] }).to_string();
    let changes: Vec<f64> = profile.columns[0].values.iter().map(|mw| mw - 90.0).collect();
    let found = Series::new(&study, &spec).unwrap().solve(&changes, 1).unwrap();
    // The prices of the base case, known in closed form (18.20, 30.10, 6.30), are those of step b.
    for (found, price) in found.columns[0].values[3..].iter().zip([18.2, 30.1, 6.3]) {
        assert!((found - price).abs() < 1e-9, "{found}");
    }
}
