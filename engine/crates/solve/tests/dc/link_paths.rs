//! Paths along limits of HVDC links: against closed forms, and against cold solves of the case with the limit moved.

use crate::common::{agrees_with_cold_solves, close, link, quadratic, BASE};
use crate::links::{apart, meshed};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::dc::{
    parametric_path, Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, LinkLimit, MovingLink, Path,
    Stop,
};

fn solve(network: &AnalysisNetwork) -> (DcModel, DcSolution) {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let solution = DualActiveSet.optimum(&model, &DcData::base(network), None).unwrap();
    (model, solution)
}

fn moving(network: &AnalysisNetwork, row: usize, limit: LinkLimit) -> Option<MovingLink> {
    let model = DcModel::new(network, Convention::Service).unwrap();
    model.moving_link(row, &network.links[row], limit)
}

/// The path of a limit by `step_mw`, checked against cold solves.
#[track_caller]
fn path(network: &AnalysisNetwork, (row, limit): (usize, LinkLimit), step_mw: f64) -> Path {
    let (model, start) = solve(network);
    let along = model.moving_link(row, &network.links[row], limit).unwrap().direction;
    let along = along.times(step_mw.signum());
    let path = parametric_path(&DualActiveSet, &model, &start, &along, step_mw.abs() / BASE, 500);
    agrees_with_cold_solves(&path, &format!("{limit:?} of {row} by {step_mw} MW"), |position| {
        let mut moved = network.clone();
        let of_link = &mut moved.links[row];
        match limit {
            LinkLimit::Min => of_link.pmin_pu += step_mw.signum() * position,
            LinkLimit::Max => of_link.pmax_pu += step_mw.signum() * position,
        }
        solve(&moved).1
    });
    path
}

fn prices(path: &Path, bus: usize) -> Vec<f64> {
    path.regions.iter().map(|r| r.price_at(bus, r.from) / BASE).collect()
}

fn ends(path: &Path) -> Vec<f64> {
    path.breakpoints.iter().map(|b| b.step * BASE).collect()
}

/// A link of 60 MW with a loss of 4 MW and a tenth from 20 $/MWh to 50 $/MWh and 90 MW. At 94 / 0.9 MW it meets all demand there.
#[test]
fn more_of_a_full_link_in_closed_form() {
    let mut full = link(1, 0, 1, (0.0, 60.0), 0.1);
    full.loss0_pu = 4.0 / BASE;
    full.cost = quadratic(0.0, 3.0);
    let net = apart([30.0, 90.0], vec![full]);
    let up = path(&net, (0, LinkLimit::Max), 90.0);
    close(&ends(&up), &[94.0 / 0.9 - 60.0], 1e-9);
    close(&prices(&up, 0), &[20.0, 20.0], 1e-9);
    close(&prices(&up, 1), &[50.0, 23.0 / 0.9], 1e-9);
    // One MW more into the link saves 0.9 MW at 50 for one at 20 and the cost of 3 $/MWh.
    close(&[up.regions[0].column.objective / BASE], &[-22.0], 1e-9);
    let down = path(&net, (0, LinkLimit::Max), -90.0);
    let (at, stop) = down.stopped.as_ref().unwrap();
    assert!(matches!(stop, Stop::EditLimit), "{stop:?}");
    close(&[at * BASE], &[60.0], 1e-9);
    close(&prices(&down, 1), &[50.0], 1e-9);
}

/// Without supply of its own beyond 50 MW, bus 2 needs 40 MW of the link, 40 / 0.9 MW sent.
#[test]
fn a_link_that_demand_needs_ends_in_a_proof() {
    let mut net = apart([30.0, 90.0], vec![link(1, 0, 1, (0.0, 60.0), 0.1)]);
    net.generators[1].pmax_pu = 50.0 / BASE;
    let down = path(&net, (0, LinkLimit::Max), -60.0);
    let (at, stop) = down.stopped.as_ref().unwrap();
    let Stop::NoSolution(error) = stop else {
        panic!("{stop:?}")
    };
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    close(&[at * BASE], &[60.0 - 40.0 / 0.9], 1e-9);
    // A minimum above what bus 2 can take has none either: 90 MW arrive of 100.
    net.links[0].pmax_pu = 200.0 / BASE;
    let up = path(&net, (0, LinkLimit::Min), 150.0);
    let (at, stop) = up.stopped.as_ref().unwrap();
    assert!(matches!(stop, Stop::NoSolution(_)), "{stop:?}");
    close(&[at * BASE], &[100.0], 1e-9);
}

/// Of a link without losses a limit moves through zero, also in reverse.
#[test]
fn a_link_without_losses_moves_through_zero() {
    let mut net = apart([90.0, 30.0], vec![link(1, 0, 1, (-60.0, 60.0), 0.0)]);
    net.generators[0].cost = quadratic(0.0, 50.0);
    net.generators[1].cost = quadratic(0.0, 20.0);
    // 60 MW flow in reverse. Less of them cost 30 $/MWh each, up to a forced 60 MW forward.
    let path = path(&net, (0, LinkLimit::Min), 200.0);
    close(&prices(&path, 0), &[50.0], 1e-9);
    close(&[path.regions[0].column.objective / BASE], &[30.0], 1e-9);
    let (at, _) = path.stopped.as_ref().unwrap();
    // At 30 MW forward the unit at bus 2 is at zero.
    close(&[at * BASE], &[90.0], 1e-9);
}

#[test]
fn limits_of_links_in_a_mesh() {
    let mut checked = 0;
    for rating in [40.0, 200.0] {
        let net = meshed(rating);
        for row in 0..net.links.len() {
            for limit in [LinkLimit::Min, LinkLimit::Max] {
                let Some(MovingLink { reach, .. }) = moving(&net, row, limit) else {
                    continue;
                };
                let own = &net.links[row];
                let (value, low, high) = match limit {
                    LinkLimit::Min => (own.pmin_pu, reach.0, reach.1.min(own.pmax_pu)),
                    LinkLimit::Max => (own.pmax_pu, reach.0.max(own.pmin_pu), reach.1),
                };
                let down = (value - low).min(0.3) - 1e-6;
                let up = (high - value).min(0.3) - 1e-6;
                for step in [-down, up] {
                    if step.abs() > 1e-5 {
                        checked += path(&net, (row, limit), step * BASE).regions.len();
                    }
                }
            }
        }
    }
    assert!(checked > 24, "{checked}");
}

/// With losses a limit of zero or in reverse changes the columns, apart from the minimum of a link that has both directions.
#[test]
fn limits_that_change_the_columns_do_not_move() {
    let with = |limits: (f64, f64), loss: f64, constant: f64| {
        let mut own = link(1, 0, 1, limits, loss);
        own.loss0_pu = constant / BASE;
        apart([30.0, 90.0], vec![own])
    };
    let reach = |net: &AnalysisNetwork, limit| moving(net, 0, limit).map(|m| (m.reach.0 * BASE, m.reach.1 * BASE));
    let (min, max, infinite) = (LinkLimit::Min, LinkLimit::Max, f64::INFINITY);
    let lossless = with((-10.0, 50.0), 0.0, 0.0);
    assert_eq!(reach(&lossless, min), Some((-infinite, infinite)));
    assert_eq!(reach(&lossless, max), Some((-infinite, infinite)));
    let forward = with((0.0, 50.0), 0.1, 2.0);
    assert_eq!(reach(&forward, min), Some((0.0, infinite)));
    assert_eq!(reach(&forward, max), Some((0.0, infinite)));
    let both = with((-10.0, 50.0), 0.1, 2.0);
    assert_eq!(reach(&both, min), Some((-infinite, -2.0)));
    assert_eq!(reach(&both, max), Some((0.0, infinite)));
    // In reverse alone, within the constant loss, at zero, and fixed.
    assert_eq!(reach(&with((-20.0, -10.0), 0.1, 0.0), max), None);
    assert_eq!(reach(&with((-1.0, 50.0), 0.1, 2.0), min), None);
    assert_eq!(reach(&with((-10.0, 0.0), 0.1, 0.0), max), None);
    assert_eq!(reach(&with((20.0, 20.0), 0.0, 0.0), max), None);
}
