//! Contradictions and least relaxations: closed forms, and public cases against an independent linear program.

mod common;

use common::{bus, close, generator, line, network, quadratic};
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind};
use wattbook_network::ingest_case;
use wattbook_solve::dc::{explain, Convention, DcData, DcModel, Explanation, Kind, Limit};

#[track_caller]
fn explained(network: &AnalysisNetwork) -> Explanation {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let found = explain(&model, &DcData::base(network)).unwrap();
    let e = found.expect("no solution");
    let total = e.relaxation_total_mw;
    close(&[e.verified.bound_mw], &[total], 1e-6 * (1.0 + total));
    assert!(e.verified.margin_mw <= 1e-6 * (1.0 + total));
    assert!(e.verified.objective.is_some_and(f64::is_finite));
    e
}

/// `(kind, id, limit, MW)` of every relaxed limit.
fn relaxed(e: &Explanation) -> Vec<(ElementKind, u64, Limit, f64)> {
    let told = e
        .relaxation
        .iter()
        .map(|r| (r.element.kind, r.element.id, r.limit, r.mw));
    told.collect()
}

/// As `relaxed` for what contradicts, with weight and limit.
fn contradicting(e: &Explanation) -> Vec<(ElementKind, u64, Limit, f64, f64)> {
    let told = e.elements.iter().map(|c| {
        let mw = c.limit_mw.expect("a limit in MW");
        (c.element.kind, c.element.id, c.limit, c.weight, mw)
    });
    told.collect()
}

fn two_bus(demand: f64, rating: f64, units: &[(usize, f64, f64)]) -> AnalysisNetwork {
    let unit = |(k, &(at, lo, hi)): (usize, &(usize, f64, f64))| {
        generator(k as u64 + 1, at, (lo, hi), quadratic(0.1, 5.0 + k as f64))
    };
    network(
        vec![bus(1, 0.0), bus(2, demand)],
        vec![line(1, 0, 1, rating)],
        units.iter().enumerate().map(unit).collect(),
    )
}

#[test]
fn one_line() {
    let e = explained(&two_bus(90.0, 80.0, &[(0, 0.0, 250.0)]));
    assert_eq!(e.kind, Kind::Lines);
    close(&[e.relaxation_total_mw], &[10.0], 1e-6);
    assert_eq!(contradicting(&e)[0].1, 1);
    close(&[e.elements[0].weight, contradicting(&e)[0].4], &[1.0, 80.0], 1e-9);
    assert_eq!(e.elements.len(), 1);
    assert_eq!(
        e.message(""),
        "No solution: line 1 cannot be held. Least relaxation: 10.0 MW on line 1."
    );
    assert_eq!(
        e.message("above 80.0 MW at bus 2"),
        "No solution above 80.0 MW at bus 2: line 1 cannot be held. Least relaxation: 10.0 MW on line 1."
    );
}

/// Flows to bus 3 are `30 + p1/3` and `60 - p1/3`: they add up to 90 MW whatever the dispatch, and the ratings to 70.
#[test]
fn triangle_with_two_lines() {
    let e = explained(&network(
        vec![bus(1, 0.0), bus(2, 0.0), bus(3, 90.0)],
        vec![line(1, 0, 1, 250.0), line(2, 1, 2, 20.0), line(3, 0, 2, 50.0)],
        vec![
            generator(1, 0, (0.0, 250.0), quadratic(0.1, 5.0)),
            generator(2, 1, (0.0, 250.0), quadratic(0.0, 7.0)),
        ],
    ));
    assert_eq!(e.kind, Kind::Lines);
    close(&[e.relaxation_total_mw], &[20.0], 1e-6);
    let mut both = contradicting(&e);
    both.sort_by_key(|c| c.1);
    assert_eq!(both.iter().map(|c| c.1).collect::<Vec<_>>(), [2, 3]);
    close(&[both[0].3, both[1].3], &[1.0, 1.0], 1e-9);
    close(&[both[0].4, both[1].4], &[20.0, 50.0], 1e-9);
    assert_eq!(e.reason, "lines 2 and 3 cannot both be held");
}

#[test]
fn capacity_is_short() {
    let e = explained(&two_bus(300.0, 400.0, &[(0, 0.0, 100.0), (1, 0.0, 150.0)]));
    assert_eq!(e.kind, Kind::Balance);
    close(&[e.relaxation_total_mw], &[50.0], 1e-6);
    let units: Vec<_> = contradicting(&e).iter().map(|c| (c.1, c.2, c.3, c.4)).collect();
    assert_eq!(
        units,
        [(1, Limit::Maximum, 1.0, 100.0), (2, Limit::Maximum, 1.0, 150.0)]
    );
    assert_eq!(
        e.message(""),
        "No solution: the demand exceeds the generators' capacity by 50.0 MW. Least relaxation: 50.0 MW less demand, for \
         example 50.0 MW at bus 2."
    );
}

/// Of the 100 MW at bus 1 the line lets 50 through, and all of them count: what the balance misses and what the line does.
#[test]
fn capacity_is_short_behind_a_line() {
    let e = explained(&two_bus(300.0, 50.0, &[(0, 0.0, 100.0), (1, 0.0, 150.0)]));
    assert_eq!(e.kind, Kind::Balance);
    close(&[e.relaxation_total_mw], &[100.0], 1e-6);
    assert_eq!(
        e.remedy,
        "Least relaxation, first of the balance and then of lines: 100.0 MW in total, 50.0 MW less demand at bus 2 and 50.0 MW on line 1."
    );
}

#[test]
fn too_much_must_run() {
    let e = explained(&two_bus(60.0, 400.0, &[(0, 100.0, 250.0), (1, 0.0, 150.0)]));
    assert_eq!(e.kind, Kind::Balance);
    assert_eq!(relaxed(&e).len(), 1);
    let (kind, id, limit, mw) = relaxed(&e)[0];
    assert_eq!((kind, id, limit), (ElementKind::Generator, 1, Limit::Minimum));
    close(&[mw], &[40.0], 1e-6);
    assert!(e
        .reason
        .starts_with("the minimum output of the generators exceeds the demand by 40.0 MW"));
}

#[test]
fn a_line_and_the_minimum_behind_it() {
    let e = explained(&two_bus(200.0, 50.0, &[(0, 80.0, 250.0), (1, 0.0, 300.0)]));
    assert_eq!(e.kind, Kind::Lines);
    close(&[e.relaxation_total_mw], &[30.0], 1e-6);
    let found = contradicting(&e);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].0, found[0].2), (ElementKind::Branch, Limit::Rating));
    assert_eq!(
        (found[1].0, found[1].1, found[1].2),
        (ElementKind::Generator, 1, Limit::Minimum)
    );
    close(
        &[found[0].3, found[0].4, found[1].3, found[1].4],
        &[1.0, 50.0, 1.0, 80.0],
        1e-9,
    );
    assert_eq!(e.reason, "line 1 cannot be held with generator 1 at its minimum output");
}

/// `b` of the hand-made lines in MW per radian.
const B_MW: f64 = 100.0 * 0.1 / (0.01 * 0.01 + 0.1 * 0.1);

#[test]
fn angle_window() {
    let mut case = two_bus(90.0, 80.0, &[(0, 0.0, 250.0)]);
    case.branches[0].angle_max_rad = 0.02;
    let e = explained(&case);
    close(&[e.relaxation_total_mw], &[90.0 - 0.02 * B_MW], 1e-6);
    assert_eq!(e.elements[0].limit, Limit::Angle);
    // At 90 MW the rating is exceeded too.
    assert_eq!(relaxed(&e)[0].2, Limit::RatingAndAngle);
    case.branches[0].rating_pu = 2.5;
    let e = explained(&case);
    assert_eq!(relaxed(&e)[0].2, Limit::Angle);
    assert!(e.remedy.contains("70.2 MW on line 1 (angle window)"), "{}", e.remedy);
}

#[test]
fn two_islands() {
    let e = explained(&network(
        vec![bus(1, 0.0), bus(2, 90.0), bus(3, 40.0), bus(4, 20.0)],
        vec![line(1, 0, 1, 80.0), line(2, 2, 3, 100.0)],
        vec![
            generator(1, 0, (0.0, 250.0), quadratic(0.1, 5.0)),
            generator(2, 2, (0.0, 45.0), quadratic(0.1, 5.0)),
        ],
    ));
    assert_eq!(e.kind, Kind::Balance);
    close(&[e.relaxation_total_mw], &[25.0], 1e-6);
    assert_eq!(
        e.reason,
        "the demand of the island at bus 3 exceeds the generators' capacity by 15.0 MW"
    );
    // Only that island's generators contradict its balance; the line of the other one is relaxed all the same.
    assert_eq!(contradicting(&e).iter().map(|c| c.1).collect::<Vec<_>>(), [2]);
    assert!(relaxed(&e)
        .iter()
        .any(|r| (r.0, r.1) == (ElementKind::Branch, 1) && (r.3 - 10.0).abs() < 1e-6));
}

#[test]
fn an_island_without_generators() {
    let e = explained(&network(
        vec![bus(1, 0.0), bus(2, 10.0), bus(3, 40.0)],
        vec![line(1, 0, 1, 80.0)],
        vec![generator(1, 0, (0.0, 250.0), quadratic(0.1, 5.0))],
    ));
    assert_eq!(e.kind, Kind::Balance);
    let (kind, id, limit, mw) = relaxed(&e)[0];
    assert_eq!((kind, id, limit), (ElementKind::Bus, 3, Limit::Demand));
    close(&[mw], &[40.0], 1e-6);
}

#[test]
fn bounds_that_cross() {
    let e = explained(&two_bus(90.0, 100.0, &[(0, 100.0, 80.0), (1, 0.0, 150.0)]));
    assert_eq!(e.kind, Kind::Bounds);
    close(&[e.relaxation_total_mw], &[20.0], 1e-6);
    assert_eq!(
        e.reason,
        "the minimum of generator 1 (100.0 MW) is above its maximum (80.0 MW)"
    );

    // A window that asks for at least 0.08 b = 79.2 MW, a rating of 10 and a flow of 90: the rating alone is short, of 80.
    let mut case = two_bus(90.0, 10.0, &[(0, 0.0, 250.0)]);
    case.branches[0].angle_min_rad = 0.08;
    let e = explained(&case);
    assert_eq!(e.kind, Kind::Bounds);
    close(&[e.relaxation_total_mw], &[80.0], 1e-6);
    assert_eq!(relaxed(&e)[0].2, Limit::Rating);
    assert_eq!(
        e.reason,
        "line 1 cannot meet its angle window and its rating of 10.0 MW at once"
    );
}

#[test]
fn the_window_of_a_branch_without_impedance() {
    let mut case = two_bus(90.0, 100.0, &[(0, 0.0, 250.0)]);
    (case.branches[0].r_pu, case.branches[0].x_pu) = (0.0, 0.0);
    case.branches[0].angle_min_rad = 0.01;
    let e = explained(&case);
    assert_eq!(e.kind, Kind::Bounds);
    close(
        &[e.relaxation[0].angle_deg, e.relaxation_total_mw],
        &[0.01f64.to_degrees(), 0.0],
        1e-9,
    );
    assert_eq!(
        e.remedy,
        "Least relaxation: 0.573 degrees on the angle window of line 1."
    );
}

#[test]
fn nothing_to_explain() {
    let case = two_bus(70.0, 80.0, &[(0, 0.0, 250.0)]);
    let model = DcModel::new(&case, Convention::Service).unwrap();
    assert_eq!(explain(&model, &DcData::base(&case)).unwrap(), None);
}

/// `reference/relaxations.csv`: HiGHS on the network with its angles, `tests/bench/peers/relaxation_reference.py`.
#[test]
fn public_cases_against_highs() {
    let Some(data) = common::data_folder() else { return };
    let table = include_str!("reference/relaxations.csv");
    let mut compared = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [balance, lines] = [cells[1], cells[2]].map(|x| x.parse::<f64>().expect("a number"));
        let Ok(bytes) = std::fs::read(data.join(cells[0])) else {
            println!("skipped: {}", cells[0]);
            continue;
        };
        let e = explained(&ingest_case(&bytes, "matpower").expect("readable case").network);
        let mut parts = BTreeMap::new();
        for (kind, _, _, mw) in relaxed(&e) {
            *parts.entry(kind == ElementKind::Branch).or_insert(0.0) += mw;
        }
        let part = |of_lines: bool| parts.get(&of_lines).copied().unwrap_or(0.0);
        println!("{}: {}", cells[0], e.message(""));
        close(
            &[part(false), part(true)],
            &[balance, lines],
            1e-6 * (1.0 + balance + lines),
        );
        assert_eq!(e.kind == Kind::Balance, balance > 0.0, "{}", cells[0]);
        compared += 1;
    }
    println!("{compared} relaxations agree");
    assert!(compared > 0);
}
