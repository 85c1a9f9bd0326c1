//! Contradictions and minimum relaxations: closed forms, and public cases against an independent linear program.

use crate::common::{bus, close, generator, line, network, quadratic};
use wattbook_network::analysis::{AnalysisNetwork, ElementKind};
use wattbook_network::ingest_case;
use wattbook_network::message::amounts::mw;
use wattbook_solve::dc::{
    explain, Convention, DcData, DcModel, DcOptimizer, DualActiveSet, Explaining, Explanation, Kind, Limit,
};

#[track_caller]
pub(crate) fn explained(network: &AnalysisNetwork) -> Explanation {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let found = explain(&model, &DcData::base(network)).unwrap();
    let e = found.expect("no solution");
    let total = e.relaxation_total_mw;
    close(&[e.verified.bound_mw], &[total], 1e-6 * (1.0 + total));
    close(
        &[e.verified.gap_mw],
        &[total - e.verified.bound_mw],
        1e-9 * (1.0 + total),
    );
    assert!((0.0..=0.1).contains(&e.verified.margin_mw));
    let reported: f64 = e.relaxation.iter().map(|r| r.mw).sum();
    close(&[reported], &[total], 1e-9 * (1.0 + total));
    for r in &e.relaxation {
        let above = r.rounded_mw - r.mw;
        assert!(
            (-1e-7..=if r.mw < 0.9995 { 0.001 } else { 0.1 }).contains(&above),
            "{r:?}"
        );
    }
    e
}

/// `(kind, id, limit, MW)` of every relaxed limit.
pub(crate) fn relaxed(e: &Explanation) -> Vec<(ElementKind, u64, Limit, f64)> {
    let reported = e
        .relaxation
        .iter()
        .map(|r| (r.element.kind, r.element.id, r.limit, r.mw));
    reported.collect()
}

/// As `relaxed` for the contradicting limits, with weight and limit.
pub(crate) fn contradicting(e: &Explanation) -> Vec<(ElementKind, u64, Limit, f64, f64)> {
    let reported = e.elements.iter().map(|c| {
        let mw = c.limit_mw.expect("a limit in MW");
        (c.element.kind, c.element.id, c.limit, c.weight, mw)
    });
    reported.collect()
}

pub(crate) fn two_bus(demand: f64, rating: f64, units: &[(usize, f64, f64)]) -> AnalysisNetwork {
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
        e.message().to_string(),
        "No solution: the limit of line 1 cannot be met. Minimum relaxation: raise the rating of line 1 by 10.0 MW."
    );
    assert_eq!(
        e.remedy(Some(mw(85.0))).to_string(),
        "Minimum relaxation to reach 85.0 MW: raise the rating of line 1 by 10.0 MW."
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
    assert_eq!(
        e.reason.to_string(),
        "the limits of line 2 and line 3 cannot both be met"
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
        .to_string()
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
    assert_eq!(
        e.reason.to_string(),
        "the limit of line 1 cannot be met with generator 1 at its minimum output"
    );
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
    assert!(
        e.remedy(None).to_string().contains("which is 70.2 MW of flow"),
        "{}",
        e.remedy(None)
    );
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
        e.reason.to_string(),
        "the demand of the island at bus 3 exceeds its generators' capacity by 15.0 MW"
    );
    // Only that island's generators contradict its balance, but the line of the other island is relaxed too.
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
        e.reason.to_string(),
        "the minimum output of generator 1 (100.0 MW) is above its maximum (80.0 MW)"
    );

    // An angle-difference limit that requires at least 0.08 b = 79.2 MW, a rating of 10 and a flow of 90: only the
    // rating is exceeded, by 80.
    let mut case = two_bus(90.0, 10.0, &[(0, 0.0, 250.0)]);
    case.branches[0].angle_min_rad = 0.08;
    let e = explained(&case);
    assert_eq!(e.kind, Kind::Bounds);
    close(&[e.relaxation_total_mw], &[80.0], 1e-6);
    assert_eq!(relaxed(&e)[0].2, Limit::Rating);
    assert_eq!(
        e.reason.to_string(),
        "line 1 cannot meet both its angle-difference limit and its rating of 10.0 MW"
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
        e.remedy(None).to_string(),
        "Minimum relaxation: widen the angle-difference limit of line 1 by 0.573 degrees."
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
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let table = include_str!("../reference/relaxations.csv");
    let (mut compared, mut within) = (0, 0);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [more, least, balance] = [cells[2], cells[3], cells[4]].map(|x| x.parse::<f64>().expect("a number"));
        let Ok(bytes) = std::fs::read(data.join(cells[0])) else {
            println!("skipped: {}", cells[0]);
            continue;
        };
        let mut network = ingest_case(&bytes, "matpower").expect("readable case").network;
        let base = network.base_mva;
        for bus in network.buses.iter_mut().filter(|bus| bus.id.to_string() == cells[1]) {
            bus.demand_pu += more / base;
        }
        let e = explained(&network);
        println!("{row}: {}", e.message());
        // The table has six decimals.
        close(&[e.relaxation_total_mw], &[least], 1e-6 * least + 1e-6);
        assert_eq!(e.kind == Kind::Balance, balance > 0.0, "{row}");
        compared += 1;
        // The interior point reaches the same sum, and its bound rises to it.
        let model = DcModel::new(&network, Convention::Service).unwrap();
        let mut job = Explaining::new(&model, &DcData::base(&network)).unwrap();
        job.skip_active_set();
        let mut at_least = 0.0;
        while !job.step(1).unwrap() {
            assert!(job.at_least_mw() >= at_least, "{row}");
            at_least = job.at_least_mw();
        }
        let inside = job.explanation.expect("no solution");
        close(&[inside.relaxation_total_mw], &[least], 1e-6 * least + 1e-6);
        assert!(at_least <= least * (1.0 + 1e-9) + 1e-6, "{row}: {at_least}");
        within += usize::from(job.has_interior_end);
    }
    println!("{compared} relaxations agree, {within} of them found by the interior point too");
    assert!(compared > 0 && within >= compared * 3 / 4, "{within} of {compared}");
}

/// A branch of almost zero impedance is refused with the name of its convention.
#[test]
fn an_impedance_too_small_to_divide_by() {
    let mut case = two_bus(50.0, 80.0, &[(0, 0.0, 250.0)]);
    (case.branches[0].r_pu, case.branches[0].x_pu) = (0.0, 1e-300);
    for convention in [Convention::Service, Convention::Matpower] {
        let error = DcModel::new(&case, convention).unwrap_err();
        assert_eq!(
            (error.code, error.element.as_ref().map(|e| e.id)),
            ("PHYSICS.UNSUPPORTED", Some(1))
        );
        assert_eq!(
            error.message(),
            "Line 1 has an impedance of 1.0e-300 per unit, too small to divide by. Give it at least 1.0e-12 per unit, or none at all."
        );
    }
    (case.branches[0].r_pu, case.branches[0].x_pu) = (0.01, 0.0);
    let error = DcModel::new(&case, Convention::Matpower).unwrap_err();
    assert!(
        error.message().contains("the matpower convention divides by it"),
        "{error}"
    );
}

/// Every displayed figure is applied to a real case: no demand becomes negative, and there is an optimum.
#[test]
fn reported_relaxations_are_sufficient() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let Ok(bytes) = std::fs::read(data.join("activsg500/case_ACTIVSg500.m")) else {
        println!("skipped: activsg500");
        return;
    };
    let case = ingest_case(&bytes, "matpower").expect("readable case").network;
    let base = case.base_mva;
    let (mut carried_out, mut whole) = (0, 0);
    for (row, more) in (0..case.buses.len())
        .step_by(29)
        .flat_map(|row| [(row, 10.0), (row, 50.0)])
    {
        let mut tried = case.clone();
        tried.buses[row].demand_pu += more;
        let e = explained(&tried);
        for r in &e.relaxation {
            let pu = r.rounded_mw / base;
            let (buses, lines, units) = (&mut tried.buses, &mut tried.branches, &mut tried.generators);
            match r.limit {
                Limit::Demand => {
                    let bus = buses.iter_mut().find(|b| b.id == r.element.id).expect("a bus");
                    bus.demand_pu -= pu;
                    assert!(bus.demand_pu > -1e-12, "{}", e.remedy(None));
                    assert_eq!(r.is_all, bus.demand_pu.abs() < 1e-12);
                }
                Limit::Rating => {
                    let line = lines.iter_mut().find(|l| l.id == r.element.id);
                    line.expect("a line").rating_pu += pu;
                }
                Limit::Minimum => {
                    let unit = units.iter_mut().find(|g| g.id == r.element.id);
                    unit.expect("a generator").pmin_pu -= pu;
                }
                _ => panic!("{r:?}"),
            }
            whole += usize::from(r.is_all);
        }
        let model = DcModel::new(&tried, Convention::Service).unwrap();
        let optimum = DualActiveSet.optimum(&model, &DcData::base(&tried), None);
        assert!(
            optimum.is_ok(),
            "{more} at row {row}: {} {:?}",
            e.remedy(None),
            optimum.err()
        );
        carried_out += 1;
    }
    println!("{carried_out} relaxations carried out, all the demand of a bus in {whole} places");
    assert!(carried_out > 30 && whole > 0);
}
