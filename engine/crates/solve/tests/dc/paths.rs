//! Paths, one-sided derivatives and their breakpoints: against closed forms, and against cold solves along the way.

use crate::common::{agrees_with_cold_solves, bus, close, generator, line, network, quadratic, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Cost};
use wattbook_solve::dc::{
    parametric_path, Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, Event, PastEnd, Path, Stop,
    Target, WarrantKind,
};
use wattbook_solve::vocabulary::Direction;

fn solve(network: &AnalysisNetwork) -> (DcModel, DcSolution) {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let solution = DualActiveSet.optimum(&model, &DcData::base(network), None).unwrap();
    (model, solution)
}

fn linear(slopes: &[(f64, f64)]) -> Cost {
    let mut points = vec![[0.0, 0.0]];
    for &(to_mw, price) in slopes {
        let [x, y] = points[points.len() - 1];
        let to = to_mw / BASE;
        points.push([to, y + (to - x) * price * BASE]);
    }
    Cost::PiecewiseLinear { points }
}

/// One bus, demand 50 MW: 10 $/MWh up to 50 MW, 30 $/MWh up to 80 MW, 70 $/MWh up to 100 MW.
fn staircase(demand_mw: f64) -> AnalysisNetwork {
    let cost = linear(&[(50.0, 10.0), (80.0, 30.0), (100.0, 70.0)]);
    network(
        vec![bus(1, demand_mw)],
        Vec::new(),
        vec![generator(1, 0, (0.0, 100.0), cost)],
    )
}

fn path(network: &AnalysisNetwork, target: Target, step_mw: f64) -> (Path, DcModel, DcSolution) {
    let (model, start) = solve(network);
    let direction = Direction::from(target).times(step_mw.signum());
    let path = parametric_path(&DualActiveSet, &model, &start, &direction, step_mw.abs() / BASE, 500);
    (path, model, start)
}

#[test]
fn a_staircase_is_followed_to_the_end_of_supply() {
    let (path, _, _) = path(&staircase(40.0), Target::Demand(0), 200.0);
    let ends: Vec<f64> = path.breakpoints.iter().map(|b| b.step * BASE).collect();
    close(&ends, &[10.0, 40.0], 1e-9);
    let prices: Vec<f64> = path.regions.iter().map(|r| r.price_at(0, r.from) / BASE).collect();
    close(&prices, &[10.0, 30.0, 70.0], 1e-9);
    assert!(path
        .breakpoints
        .iter()
        .all(|b| b.event == Event::GeneratorReachesBreakpoint));
    let (at, stop) = path.stopped.as_ref().unwrap();
    close(&[at * BASE], &[60.0], 1e-9);
    assert!(
        matches!(stop, Stop::NoSolution(e) if e.code == "SOLVE.INFEASIBLE"),
        "{stop:?}"
    );
    // Cost along the way: 500 + 30 * 30 at 80 MW.
    close(&[path.region_at(0.4).unwrap().objective_at(0.4)], &[1400.0], 1e-6);
}

#[test]
fn a_shrinking_demand_ends_at_zero() {
    let (path, _, _) = path(&staircase(60.0), Target::Demand(0), -90.0);
    let ends: Vec<f64> = path.breakpoints.iter().map(|b| b.step * BASE).collect();
    close(&ends, &[10.0], 1e-9);
    let (at, stop) = path.stopped.as_ref().unwrap();
    close(&[at * BASE], &[60.0], 1e-9);
    assert!(matches!(stop, Stop::EditLimit), "{stop:?}");
}

#[test]
fn at_a_breakpoint_both_sides_and_the_jump_are_reported() {
    let (model, solution) = solve(&staircase(50.0));
    let two = solution.one_sided_derivatives(&DualActiveSet, &model, Target::Demand(0));
    assert_ne!(two.column.warrant.kind, WarrantKind::Regular);
    close(two.left.as_ref().unwrap(), &[0.0], 1e-12);
    close(two.right.as_ref().unwrap(), &[0.0], 1e-12);
    let jumps: Vec<f64> = [two.past_ends.0, two.past_ends.1]
        .iter()
        .filter_map(|b| {
            if let PastEnd::Jump(j) = b {
                Some(j.abs() / BASE)
            } else {
                None
            }
        })
        .collect();
    // On one side the present active set holds up to the next corner, at the other end the price jumps by 20.
    assert!(jumps.iter().any(|j| (j - 20.0).abs() < 1e-9), "{jumps:?}");
}

#[test]
fn quadratic_corner_has_two_slopes() {
    // 0.1 p^2 at bus 1 up to 50 MW, then 0.2 p^2 + 10 p starts at price 10 = 0.2 * 50: exactly at the first one's limit.
    let net = network(
        vec![bus(1, 50.0)],
        Vec::new(),
        vec![
            generator(1, 0, (0.0, 50.0), quadratic(0.1, 0.0)),
            generator(2, 0, (0.0, 50.0), quadratic(0.2, 10.0)),
        ],
    );
    let (model, solution) = solve(&net);
    let two = solution.one_sided_derivatives(&DualActiveSet, &model, Target::Demand(0));
    let scale = BASE * BASE;
    close(&[two.left.as_ref().unwrap()[0] / scale], &[0.2], 1e-9);
    close(&[two.right.as_ref().unwrap()[0] / scale], &[0.4], 1e-9);
}

/// Three identical lines, 90 MW at bus 2, two quadratic units.
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
fn a_rating_is_followed_until_the_line_no_longer_binds() {
    // Uncongested, the line carries (2 * 60.51282 + 29.48718) / 3 MW; from 40 MW that is the following increase.
    let (path, _, start) = path(&three_bus(40.0), Target::Rating(1), 100.0);
    let free = (2.0 * 60.512_820_512_820_51 + 29.487_179_487_179_49) / 3.0;
    close(&[path.breakpoints[0].step * BASE], &[free - 40.0], 1e-9);
    assert_eq!(path.breakpoints[0].event, Event::LineUnbinds);
    assert_eq!(path.regions.len(), 2);
    close(&[path.regions[0].column.price[1] / BASE / BASE], &[-1.83], 1e-12);
    close(&path.regions[1].column.price, &[0.0, 0.0, 0.0], 1e-12);
    close(&[start.shadow[1].abs() / BASE], &[35.70], 1e-9);
    assert!(path.stopped.is_none());
}

#[test]
fn one_breakpoint_too_many_is_reported() {
    let (model, start) = solve(&staircase(10.0));
    let path = parametric_path(&DualActiveSet, &model, &start, &Target::Demand(0).into(), 0.8, 1);
    assert!(
        matches!(path.stopped, Some((_, Stop::TooManyBreakpoints))),
        "{:?}",
        path.stopped
    );
    assert_eq!(path.regions.len(), 2);
}

#[track_caller]
fn check(model: &DcModel, start: &DcSolution, direction: &Direction, path: &Path) -> usize {
    agrees_with_cold_solves(path, "path", |position| {
        let mut data = start.data.clone();
        for &(b, d) in &direction.demand {
            data.demand[b] += position * d;
        }
        for &(b, d) in &direction.rating {
            data.rating[b] += position * d;
        }
        DualActiveSet.optimum(model, &data, None).unwrap()
    })
}

#[test]
fn paths_on_real_cases_agree_with_cold_solves() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let mut checked = 0;
    for (file, load_rows) in [
        ("pglib/pglib_opf_case118_ieee.m", 12),
        ("pglib/pglib_opf_case300_ieee.m", 8),
        ("pglib/pglib_opf_case500_goc.m", 8),
        ("activsg500/case_ACTIVSg500.m", 8),
    ] {
        let Ok(bytes) = std::fs::read(data.join(file)) else {
            println!("skipped: {file} is not there");
            continue;
        };
        let network = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let model = DcModel::new(&network, Convention::Matpower).unwrap();
        let start = DualActiveSet.optimum(&model, &DcData::base(&network), None).unwrap();
        let loads: Vec<usize> = (0..network.buses.len())
            .filter(|&b| start.data.demand[b] > 0.0)
            .collect();
        for k in 0..load_rows {
            let b = loads[k * loads.len() / load_rows];
            for sign in [1.0, -1.0] {
                let direction = Direction::from(Target::Demand(b)).times(sign);
                let path = parametric_path(
                    &DualActiveSet,
                    &model,
                    &start,
                    &direction,
                    2.0 * start.data.demand[b],
                    200,
                );
                if let Some((_, Stop::NotFollowed(error))) = &path.stopped {
                    panic!("{file} bus {}: {error:?}", network.buses[b].id);
                }
                checked += check(&model, &start, &direction, &path);
            }
        }
    }
    assert!(checked > 100, "{checked}");
    println!("{checked} points of paths agree with cold solves");
}
