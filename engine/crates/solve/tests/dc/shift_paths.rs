//! Derivatives and paths by phase shifts: against closed forms, differences and cold solves of the case with the shift in it.

use crate::common::{agrees_with_cold_solves, close, lmp, three_bus, BASE};
use crate::limit_paths::{random_case, Random};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::Result;
use wattbook_solve::dc::{
    parametric_path, Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, Event, Path, Stop,
};
use wattbook_solve::vocabulary::Direction;

fn model(network: &AnalysisNetwork, convention: Convention) -> DcModel {
    DcModel::new(network, convention).unwrap()
}

fn cold(network: &AnalysisNetwork, convention: Convention) -> Result<DcSolution> {
    DualActiveSet.optimum(&model(network, convention), &DcData::base(network), None)
}

/// The network with a phase shift of a branch moved; limits about the shift move with it.
fn shifted(network: &AnalysisNetwork, branch: usize, radians: f64) -> AnalysisNetwork {
    let mut moved = network.clone();
    let row = &mut moved.branches[branch];
    row.shift_rad += radians;
    if row.angle_limits_about_shift {
        row.angle_min_rad += radians;
        row.angle_max_rad += radians;
    }
    moved
}

/// A path of `radians` from the optimum, every region of which agrees with cold solves. Its positions are powers that the shift moves.
fn path(network: &AnalysisNetwork, convention: Convention, branch: usize, radians: f64) -> (Path, usize) {
    let start = cold(network, convention).unwrap();
    let model = model(network, convention);
    let scale = radians.signum() * model.shift_per_power(branch);
    let along = Direction::of_phase_shift(branch).times(scale);
    let path = parametric_path(&DualActiveSet, &model, &start, &along, radians / scale, 200);
    let checked = agrees_with_cold_solves(&path, &format!("shift of branch {branch}"), |position| {
        cold(&shifted(network, branch, scale * position), convention).unwrap()
    });
    (path, checked)
}

/// Per unit per radian: x / (r^2 + x^2).
const SUSCEPTANCE: f64 = 0.1 / (0.01 * 0.01 + 0.1 * 0.1);

/// Line 2-3 carries 40 MW: `2 p3 + p1 = 120 + 3 * b phi / 3` MW, so that a shift of line 1-3 by `phi` moves `b phi` to the unit at bus 3.
#[test]
fn a_phase_shifter_in_closed_form() {
    let network = three_bus([250.0, 40.0, 250.0]);
    let (up, _) = path(&network, Convention::Service, 2, 0.2);
    let p3 = 23.6 / 0.39;
    close(&[up.breakpoints[0].step], &[(p3 - 30.0) / BASE], 1e-9);
    assert_eq!(up.breakpoints[0].event, Event::LineUnbinds);
    let price = |position: f64, bus: usize| up.region_at(position).unwrap().price_at(bus, position) / BASE;
    let moved = 10.0;
    close(
        &[price(0.1, 0), price(0.1, 2)],
        &[0.22 * (60.0 - moved) + 5.0, 0.17 * (30.0 + moved) + 1.2],
        1e-7,
    );
    close(&[price(1.0, 0)], &[0.17 * p3 + 1.2], 1e-7);

    // The unit at bus 3 cannot give less than 10 MW.
    let (down, _) = path(&network, Convention::Service, 2, -0.2);
    let Some((at, Stop::NoSolution(error))) = &down.stopped else {
        panic!("{:?}", down.stopped)
    };
    close(&[*at], &[20.0 / BASE], 1e-9);
    assert_eq!(error.code, "SOLVE.INFEASIBLE");

    // The convention without phase shifts has no change.
    let (none, _) = path(&network, Convention::PowerModels, 2, 0.2);
    assert_eq!(none.regions.len(), 1);
    assert!(none.regions[0].column.price.iter().all(|rate| *rate == 0.0));
}

/// A line at its angle-difference limit: its flow falls by `b` per radian of its shift, and none where the limit is about the shift.
#[test]
fn a_binding_angle_limit_in_closed_form() {
    let mut network = three_bus([250.0, 400.0, 250.0]);
    let base = cold(&network, Convention::Service).unwrap();
    let binding = 0.8 * (base.theta[1] - base.theta[2]).abs();
    network.branches[1].angle_min_rad = -binding;
    for (is_about_shift, rate) in [(false, -SUSCEPTANCE), (true, 0.0)] {
        let mut network = network.clone();
        if is_about_shift {
            let row = &mut network.branches[1];
            row.angle_limits_about_shift = true;
            row.shift_rad = 0.001;
            row.angle_min_rad += 0.001;
            row.angle_max_rad += 0.001;
        }
        let flow = |network: &AnalysisNetwork| cold(network, Convention::Service).unwrap().flow[1];
        let h = 1e-4;
        let difference = (flow(&shifted(&network, 1, h)) - flow(&shifted(&network, 1, -h))) / (2.0 * h);
        close(&[difference], &[rate], 1e-5);
        let (path, _) = path(&network, Convention::Service, 1, 0.02);
        assert!(!path.regions.is_empty());
    }
}

/// The largest step in a direction up to which cold prices follow the column, by bisection.
fn bisected(network: &AnalysisNetwork, branch: usize, start: &DcSolution, rates: &[f64], most: f64) -> f64 {
    let follows = |radians: f64| {
        let Ok(there) = cold(&shifted(network, branch, radians), Convention::Service) else {
            return false;
        };
        let expected = lmp(start).into_iter().zip(rates);
        let pairs = expected.zip(lmp(&there));
        pairs
            .into_iter()
            .all(|((price, rate), there)| (price + radians * rate / BASE - there).abs() < 1e-6)
    };
    let (mut good, mut bad) = (0.0, most);
    if follows(most) {
        return most;
    }
    for _ in 0..40 {
        let middle = 0.5 * (good + bad);
        if follows(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

#[test]
fn random_paths_agree_with_cold_solves() {
    let mut random = Random(11);
    let (mut checked, mut proofs, mut handed, mut ends) = (0, 0, 0, 0);
    for _ in 0..120 {
        let mut case = random_case(&mut random);
        for row in &mut case.branches {
            // Angle-difference limits beside the rating, and a few shifts.
            let angle = (0.5 + random.next()) * row.rating_pu / SUSCEPTANCE;
            (row.angle_min_rad, row.angle_max_rad) = (-angle, angle);
            if random.next() < 0.3 {
                row.shift_rad = 0.01 * (random.next() - 0.5);
            }
        }
        let Ok(start) = cold(&case, Convention::Service) else {
            continue;
        };
        for _ in 0..3 {
            let branch = random.below(case.branches.len());
            let sign = if random.next() < 0.5 { -1.0 } else { 1.0 };
            let (path, n) = path(&case, Convention::Service, branch, 0.3 * sign);
            checked += n;
            match &path.stopped {
                Some((_, Stop::NotFollowed(error))) => panic!("{branch} {sign}: {error:?}"),
                Some((at, Stop::NoSolution(_))) => {
                    proofs += 1;
                    let beyond = shifted(&case, branch, sign * (at + 1e-4) / SUSCEPTANCE);
                    assert_eq!(cold(&beyond, Convention::Service).unwrap_err().code, "SOLVE.INFEASIBLE");
                }
                _ => {}
            }
            let own = |event: Event| event == Event::LineBinds || event == Event::LineUnbinds;
            handed += path.breakpoints.iter().filter(|end| own(end.event)).count();
            // The derivative by differences, and the end of its interval by bisection.
            let along = Direction::of_phase_shift(branch);
            let column = start.derivative(&model(&case, Convention::Service), &along);
            let (lower, upper) = column.warrant.interval();
            let h = 0.5 * upper.min(-lower).min(1e-3);
            if h < 1e-6 || column.warrant.point_only {
                continue;
            }
            let at = |radians: f64| cold(&shifted(&case, branch, radians), Convention::Service).unwrap();
            let (left, right) = (at(-h), at(h));
            let slope = (right.objective - left.objective) / (2.0 * h);
            close(&[column.objective], &[slope], 1e-6 * (1.0 + start.objective / h));
            let bend = (right.objective - 2.0 * start.objective + left.objective) / (h * h);
            close(
                &[column.objective_curvature],
                &[bend],
                1e-11 * (1.0 + start.objective) / (h * h) + 1e-6,
            );
            for (bus, rate) in column.price.iter().enumerate() {
                let difference = (right.price[bus] - left.price[bus]) / (2.0 * h);
                close(&[*rate], &[difference], 1e-6 * (1.0 + start.price[bus].abs() / h));
            }
            let moves = column.price.iter().any(|rate| rate.abs() > 1.0);
            if moves && upper < 0.2 && ends < 40 {
                ends += 1;
                let found = bisected(&case, branch, &start, &column.price, 0.3);
                // Beyond an end prices may go on by the same rate; they never leave it before.
                assert!(found > upper - 1e-6, "{found} before {upper}");
            }
        }
    }
    println!("{checked} points agree; {proofs} ends are proved; {handed} lines; {ends} intervals");
    assert!(checked > 400 && proofs > 10 && handed > 50 && ends > 10);
}

/// The phase shifters of public cases.
#[test]
fn real_cases_agree_with_cold_solves() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let (mut checked, mut breakpoints) = (0, 0);
    for file in [
        "pglib/pglib_opf_case118_ieee.m",
        "pglib/pglib_opf_case300_ieee.m",
        "pglib/pglib_opf_case2383wp_k.m",
    ] {
        let bytes = std::fs::read(data.join(file)).unwrap();
        let case = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let mut shifting: Vec<usize> = (0..case.branches.len())
            .filter(|&row| case.branches[row].shift_rad != 0.0)
            .collect();
        shifting.truncate(2);
        if shifting.is_empty() {
            // Transformers of a case without phase shifters.
            shifting = vec![7, 35];
        }
        for branch in shifting {
            // About six degrees: beyond, prices of the last case rise so steeply that regions are points (`path_tracer::RESOLUTION`).
            for radians in [0.1, -0.1] {
                let (path, n) = path(&case, Convention::Matpower, branch, radians);
                let lost = matches!(path.stopped, Some((_, Stop::NotFollowed(_))));
                assert!(!lost, "{file} {branch} {radians}: {:?}", path.stopped);
                checked += n;
                breakpoints += path.breakpoints.len();
            }
        }
    }
    println!("{checked} points of paths agree with cold solves, {breakpoints} breakpoints");
    assert!(checked > 30 && breakpoints > 5, "{checked} {breakpoints}");
}
