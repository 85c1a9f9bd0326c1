//! Paths along generator limits: against closed forms, and against cold solves of the case with the limit moved.

use crate::common::{agrees_with_cold_solves, bus, close, generator, line, network, quadratic, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Cost};
use wattbook_solve::dc::{
    parametric_path, Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, Event, Path, Stop,
};
use wattbook_solve::vocabulary::Direction;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    Min,
    Max,
}

fn direction(unit: usize, limit: Limit, sign: f64) -> Direction {
    let list = vec![(unit, sign)];
    match limit {
        Limit::Min => Direction {
            output_min: list,
            ..Direction::default()
        },
        Limit::Max => Direction {
            output_max: list,
            ..Direction::default()
        },
    }
}

fn solve(network: &AnalysisNetwork) -> (DcModel, DcSolution) {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let solution = DualActiveSet.optimum(&model, &DcData::base(network), None).unwrap();
    (model, solution)
}

fn path(network: &AnalysisNetwork, (unit, limit): (usize, Limit), step_mw: f64) -> Path {
    let (model, start) = solve(network);
    let along = direction(unit, limit, step_mw.signum());
    let path = parametric_path(&DualActiveSet, &model, &start, &along, step_mw.abs() / BASE, 500);
    check(network, (unit, limit, step_mw.signum()), Convention::Service, &path);
    path
}

/// Every region agrees with cold solves of the case with the limit where it is there, and joins the one before.
#[track_caller]
fn check(network: &AnalysisNetwork, (unit, limit, sign): (usize, Limit, f64), as_in: Convention, path: &Path) -> usize {
    agrees_with_cold_solves(path, &format!("{limit:?} of {unit}"), |position| {
        let mut moved = network.clone();
        let of_unit = &mut moved.generators[unit];
        match limit {
            Limit::Min => of_unit.pmin_pu += sign * position,
            Limit::Max => of_unit.pmax_pu += sign * position,
        }
        let model = DcModel::new(&moved, as_in).unwrap();
        DualActiveSet.optimum(&model, &DcData::base(&moved), None).unwrap()
    })
}

fn ends(path: &Path) -> Vec<f64> {
    path.breakpoints.iter().map(|b| b.step * BASE).collect()
}

fn prices(path: &Path, bus: usize) -> Vec<f64> {
    path.regions.iter().map(|r| r.price_at(bus, r.from) / BASE).collect()
}

fn curve(slopes: &[(f64, f64)]) -> Cost {
    let mut points = vec![[0.0, 0.0]];
    for &(to_mw, price) in slopes {
        let [x, y] = points[points.len() - 1];
        let to = to_mw / BASE;
        points.push([to, y + (to - x) * price * BASE]);
    }
    Cost::PiecewiseLinear { points }
}

/// One bus with 50 MW: 10 $/MWh up to 60 MW, and 30 $/MWh up to `other` MW.
fn two_units(other: f64) -> AnalysisNetwork {
    network(
        vec![bus(1, 50.0)],
        Vec::new(),
        vec![
            generator(1, 0, (0.0, 60.0), quadratic(0.0, 10.0)),
            generator(2, 0, (0.0, other), quadratic(0.0, 30.0)),
        ],
    )
}

#[test]
fn a_capacity_that_falls_to_nothing() {
    let path = path(&two_units(100.0), (0, Limit::Max), -200.0);
    close(&ends(&path), &[10.0], 1e-9);
    close(&prices(&path, 0), &[10.0, 30.0], 1e-9);
    assert_eq!(path.breakpoints[0].event, Event::GeneratorReachesMax);
    let (at, stop) = path.stopped.as_ref().unwrap();
    assert!(matches!(stop, Stop::EditLimit), "{stop:?}");
    close(&[at * BASE], &[60.0], 1e-9);
    // 20 MW at 10 and 30 MW at 30 $/MWh.
    close(&[path.region_at(0.4).unwrap().objective_at(0.4)], &[1100.0], 1e-6);
    close(&path.region_at(0.4).unwrap().dispatch_at(0.4), &[0.2, 0.3], 1e-9);
}

#[test]
fn a_capacity_that_demand_needs_ends_in_a_proof() {
    let path = path(&two_units(20.0), (0, Limit::Max), -200.0);
    let (at, stop) = path.stopped.as_ref().unwrap();
    let Stop::NoSolution(error) = stop else {
        panic!("{stop:?}")
    };
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    close(&[at * BASE], &[30.0], 1e-9);
    close(&prices(&path, 0), &[10.0, 30.0], 1e-9);
}

#[test]
fn a_minimum_that_rises_ends_where_demand_does() {
    let path = path(&two_units(100.0), (1, Limit::Min), 200.0);
    assert!(path.breakpoints.is_empty());
    close(&prices(&path, 0), &[10.0], 1e-9);
    let (at, stop) = path.stopped.as_ref().unwrap();
    assert!(matches!(stop, Stop::NoSolution(_)), "{stop:?}");
    close(&[at * BASE], &[50.0], 1e-9);
    // The cheap unit serves the remaining demand.
    close(&path.regions[0].dispatch_at(0.2), &[0.3, 0.2], 1e-9);
}

#[test]
fn what_does_not_hold_changes_nothing() {
    for (unit, limit, step) in [(0, Limit::Max, 100.0), (1, Limit::Max, -100.0), (0, Limit::Min, -50.0)] {
        let path = path(&two_units(100.0), (unit, limit), step);
        assert_eq!((path.regions.len(), path.breakpoints.len()), (1, 0), "{unit} {limit:?}");
    }
}

/// 120 MW: the staircase 10, 30, 70 $/MWh up to 50, 80, 100 MW, and `other` $/MWh up to 200 MW.
fn staircase(limits: (f64, f64), other: f64) -> AnalysisNetwork {
    let cost = curve(&[(50.0, 10.0), (80.0, 30.0), (100.0, 70.0)]);
    network(
        vec![bus(1, 120.0)],
        Vec::new(),
        vec![
            generator(1, 0, limits, cost),
            generator(2, 0, (0.0, 200.0), quadratic(0.0, other)),
        ],
    )
}

#[test]
fn the_capacity_of_a_staircase_passes_its_corners() {
    // At 40 $/MWh the unit gives 80 MW.
    let falling = path(&staircase((0.0, 100.0), 40.0), (0, Limit::Max), -200.0);
    close(&ends(&falling), &[20.0, 50.0], 1e-9);
    close(&prices(&falling, 0), &[40.0, 40.0, 40.0], 1e-9);
    assert_eq!(falling.breakpoints[0].event, Event::GeneratorReachesMax);
    assert_eq!(falling.breakpoints[1].event, Event::GeneratorReachesBreakpoint);
    assert!(
        matches!(falling.stopped, Some((_, Stop::EditLimit))),
        "{:?}",
        falling.stopped
    );
    // 60 MW: 500 + 300 and 60 at 40 $/MWh. 30 MW: 300 and 90 at 40.
    let cost = |path: &Path, at: f64| path.region_at(at).unwrap().objective_at(at);
    close(&[cost(&falling, 0.4), cost(&falling, 0.7)], &[3200.0, 3900.0], 1e-6);

    // From inside the first segment up: the case has no further part of the curve.
    let rising = path(&staircase((0.0, 20.0), 40.0), (0, Limit::Max), 90.0);
    close(&ends(&rising), &[30.0, 60.0], 1e-9);
    close(&[cost(&rising, 0.0), cost(&rising, 0.9)], &[4200.0, 3000.0], 1e-6);
    assert!(rising.stopped.is_none());

    // At 20 $/MWh the second segment is too expensive.
    let rising = path(&staircase((0.0, 20.0), 20.0), (0, Limit::Max), 90.0);
    close(&ends(&rising), &[30.0], 1e-9);
    close(&[cost(&rising, 0.9)], &[500.0 + 70.0 * 20.0], 1e-6);
}

#[test]
fn the_minimum_of_a_staircase_passes_its_corners() {
    let rising = path(&staircase((0.0, 100.0), 20.0), (0, Limit::Min), 200.0);
    close(&ends(&rising), &[50.0, 80.0], 1e-9);
    let falling = path(&staircase((90.0, 100.0), 20.0), (0, Limit::Min), -90.0);
    close(&ends(&falling), &[10.0, 40.0], 1e-9);
    let cost = |at: f64| falling.region_at(at).unwrap().objective_at(at);
    // 85 MW: 500, 900 and 350, with 35 at 20 $/MWh. 70 MW: 500 and 600, with 50 at 20.
    close(&[cost(0.05), cost(0.2)], &[2450.0, 2100.0], 1e-6);
}

#[test]
fn a_derivative_by_a_limit_ends_at_corners_of_the_cost() {
    // Held at 60 MW, between the corners at 50 and 80 MW: one MW more saves 40 - 30 $/h.
    let (model, start) = solve(&staircase((0.0, 60.0), 40.0));
    let column = start.derivative(&model, &direction(0, Limit::Max, 1.0));
    close(&[column.objective / BASE], &[-10.0], 1e-9);
    let (low, high) = column.warrant.interval();
    close(&[low * BASE, high * BASE], &[-10.0, 20.0], 1e-9);
    for end in [column.warrant.lower, column.warrant.upper].into_iter().flatten() {
        assert_eq!(end.event, Event::GeneratorReachesBreakpoint);
    }
    // Not binding: its maximum descends to the 80 MW that it gives, and may rise without bound.
    let (model, start) = solve(&staircase((0.0, 100.0), 40.0));
    let column = start.derivative(&model, &direction(0, Limit::Max, 1.0));
    let (low, high) = column.warrant.interval();
    close(&[low * BASE], &[-20.0], 1e-9);
    assert_eq!(high, f64::INFINITY);
    assert_eq!(
        column.warrant.lower.map(|end| end.event),
        Some(Event::GeneratorReachesMax)
    );
}

#[test]
fn limits_that_stand_together_part() {
    // Fixed at 20 MW; 0.1 p^2 + 5 p is 9 $/MWh there.
    let fixed = |lo: f64, hi: f64| {
        network(
            vec![bus(1, 50.0)],
            Vec::new(),
            vec![
                generator(1, 0, (lo, hi), quadratic(0.1, 5.0)),
                generator(2, 0, (0.0, 100.0), quadratic(0.0, 13.0)),
            ],
        )
    };
    // Up to 40 MW the unit is worth more than its cost: 5 + 0.2 * 40 = 13.
    let rising = path(&fixed(20.0, 20.0), (0, Limit::Max), 60.0);
    close(&ends(&rising), &[20.0], 1e-7);
    close(&prices(&rising, 0), &[13.0, 13.0], 1e-9);
    // Down: it stays at its maximum.
    let falling = path(&fixed(20.0, 20.0), (0, Limit::Min), -20.0);
    assert!(falling.breakpoints.is_empty());
    let (model, start) = solve(&fixed(20.0, 20.0));
    let shut = parametric_path(
        &DualActiveSet,
        &model,
        &start,
        &direction(0, Limit::Max, -1.0),
        0.1,
        500,
    );
    assert!(
        matches!(shut.stopped, Some((0.0, Stop::EditLimit))),
        "{:?}",
        shut.stopped
    );
    let steps = path(&staircase((50.0, 50.0), 20.0), (0, Limit::Max), 40.0);
    assert!(steps.breakpoints.is_empty());
    let steps = path(&staircase((50.0, 50.0), 40.0), (0, Limit::Max), 60.0);
    close(&ends(&steps), &[30.0], 1e-9);
}

/// Three identical lines, 90 MW at bus 2, two quadratic units; line 2 may bind.
fn three_bus(rating_23_mw: f64) -> AnalysisNetwork {
    network(
        vec![bus(1, 0.0), bus(2, 90.0), bus(3, 0.0)],
        vec![line(1, 0, 1, 250.0), line(2, 1, 2, rating_23_mw), line(3, 0, 2, 250.0)],
        vec![
            generator(1, 0, (10.0, 250.0), quadratic(0.11, 5.0)),
            generator(2, 2, (10.0, 270.0), quadratic(0.085, 1.2)),
        ],
    )
}

#[test]
fn a_capacity_frees_a_line_that_binds() {
    // With 40 MW over line 2: (g1 + 2 g2) / 3 = 40, so g2 = 30 of 90 MW. A capacity below that frees the line.
    let path = path(&three_bus(40.0), (1, Limit::Max), -300.0);
    close(&ends(&path), &[240.0], 1e-7);
    assert_eq!(path.breakpoints[0].event, Event::GeneratorReachesMax);
    // Past it prices are one: 0.22 g1 + 5 with g1 = 90 - g2.
    let last = path.regions.last().unwrap();
    close(
        &last.prices_at(2.5).iter().map(|p| p / BASE).collect::<Vec<_>>(),
        &[20.4; 3],
        1e-7,
    );
    assert!(matches!(path.stopped, Some((at, Stop::EditLimit)) if (at * BASE - 260.0).abs() < 1e-9));
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }
}

/// A ring with chords; units with quadratic, linear and piecewise-linear costs, some of them fixed.
pub(crate) fn random_case(random: &mut Random) -> AnalysisNetwork {
    let n = 4 + random.below(8);
    let buses = (0..n).map(|k| bus(k as u64 + 1, 10.0 + 60.0 * random.next())).collect();
    let mut lines: Vec<_> = (0..n).map(|k| (k, (k + 1) % n)).collect();
    for _ in 0..n / 2 {
        let (a, b) = (random.below(n), random.below(n));
        if a != b {
            lines.push((a, b));
        }
    }
    let lines = lines.into_iter().enumerate();
    let lines = lines
        .map(|(k, (a, b))| line(k as u64 + 1, a, b, 25.0 + 80.0 * random.next()))
        .collect();
    let mut generators = Vec::new();
    for k in 0..n {
        let lo = if random.next() < 0.5 { 0.0 } else { 10.0 * random.next() };
        let hi = if random.next() < 0.15 {
            lo
        } else {
            lo + 30.0 + 120.0 * random.next()
        };
        let first = 5.0 + 40.0 * random.next();
        let cost = match random.below(3) {
            0 => quadratic(0.01 + 0.1 * random.next(), first),
            1 => quadratic(0.0, first),
            _ => curve(&[
                (20.0 + 20.0 * random.next(), first),
                (60.0 + 20.0 * random.next(), first + 10.0 * random.next() + 0.1),
                (120.0, first + 15.0 + 10.0 * random.next()),
            ]),
        };
        generators.push(generator(k as u64 + 1, k, (lo, hi), cost));
    }
    network(buses, lines, generators)
}

#[test]
fn random_paths_agree_with_cold_solves() {
    let mut random = Random(7);
    let (mut checked, mut proofs, mut met) = (0, 0, 0);
    for _ in 0..150 {
        let case = random_case(&mut random);
        let model = DcModel::new(&case, Convention::Service).unwrap();
        let Ok(start) = DualActiveSet.optimum(&model, &DcData::base(&case), None) else {
            continue;
        };
        for _ in 0..4 {
            let unit = random.below(case.generators.len());
            let limit = if random.next() < 0.6 { Limit::Max } else { Limit::Min };
            let sign = if random.next() < 0.6 { -1.0 } else { 1.0 };
            let along = direction(unit, limit, sign);
            let path = parametric_path(&DualActiveSet, &model, &start, &along, 2.0, 200);
            checked += check(&case, (unit, limit, sign), Convention::Service, &path);
            match &path.stopped {
                Some((_, Stop::NotFollowed(error))) => panic!("{unit} {limit:?} {sign}: {error:?}"),
                Some((at, Stop::NoSolution(_))) => {
                    proofs += 1;
                    let mut beyond = case.clone();
                    let of_unit = &mut beyond.generators[unit];
                    match limit {
                        Limit::Min => of_unit.pmin_pu += sign * (at + 1e-4),
                        Limit::Max => of_unit.pmax_pu += sign * (at + 1e-4),
                    }
                    let model = DcModel::new(&beyond, Convention::Service).unwrap();
                    let error = DualActiveSet.optimum(&model, &DcData::base(&beyond), None).unwrap_err();
                    assert_eq!(error.code, "SOLVE.INFEASIBLE");
                }
                Some((_, Stop::EditLimit)) => met += 1,
                _ => {}
            }
        }
    }
    println!("{checked} points agree; {proofs} ends are proved, at {met} limits meet");
    assert!(checked > 500 && proofs > 5 && met > 20, "{checked} {proofs} {met}");
}

#[test]
fn real_cases_agree_with_cold_solves() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let (mut checked, mut lost) = (0, Vec::new());
    for (file, units) in [
        ("pglib/pglib_opf_case118_ieee.m", 6),
        ("pglib/pglib_opf_case300_ieee.m", 5),
        ("pglib/pglib_opf_case500_goc.m", 5),
        ("activsg500/case_ACTIVSg500.m", 5),
    ] {
        let Ok(bytes) = std::fs::read(data.join(file)) else {
            println!("skipped: {file} is not there");
            continue;
        };
        let case = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let model = DcModel::new(&case, Convention::Matpower).unwrap();
        let start = DualActiveSet.optimum(&model, &DcData::base(&case), None).unwrap();
        let running: Vec<usize> = (0..case.generators.len())
            .filter(|&g| start.dispatch[g] > 0.0)
            .collect();
        for k in 0..units {
            let unit = running[k * running.len() / units];
            for (limit, sign) in [(Limit::Max, -1.0), (Limit::Max, 1.0), (Limit::Min, 1.0)] {
                let along = direction(unit, limit, sign);
                let length = 1.5 * start.dispatch[unit];
                let path = parametric_path(&DualActiveSet, &model, &start, &along, length, 200);
                if let Some((at, Stop::NotFollowed(error))) = &path.stopped {
                    lost.push(format!("{file} {unit} {limit:?} {sign} at {at}: {error:?}"));
                }
                checked += check(&case, (unit, limit, sign), Convention::Matpower, &path);
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
    println!("{checked} points of paths agree with cold solves");
}
