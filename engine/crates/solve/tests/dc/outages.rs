//! Outages: closed forms, and power flows of the network without the branch.

use crate::common::{bus, close, data_folder, generator, line, network, quadratic, solve, three_bus, BASE};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::dc::{DcModel, DcSolution, Effect, NewOverload, Outage, Screening};

/// Flow of every branch for fixed injections, per unit, without branch `out`: the bus equations by Gaussian elimination with
/// partial pivoting, the first bus in service as reference. None where that splits the network.
fn power_flow(network: &AnalysisNetwork, dispatch: &[f64], out: usize) -> Option<Vec<f64>> {
    let n = network.buses.len();
    let susceptance = |k: usize| {
        let b = &network.branches[k];
        b.x_pu / (b.r_pu * b.r_pu + b.x_pu * b.x_pu)
    };
    let in_service = |k: &usize| *k != out && network.branches[*k].in_service;
    let lines: Vec<usize> = (0..network.branches.len()).filter(in_service).collect();
    let mut rows = vec![vec![0.0; n + 1]; n];
    for (row, bus) in network.buses.iter().enumerate().filter(|(_, b)| b.in_service) {
        rows[row][n] -= bus.demand_pu + bus.gs_pu;
    }
    for (unit, p) in network.generators.iter().zip(dispatch) {
        rows[unit.bus][n] += p;
    }
    for &k in &lines {
        let (line, b) = (&network.branches[k], susceptance(k));
        for (here, there, sign) in [(line.from, line.to, 1.0), (line.to, line.from, -1.0)] {
            rows[here][here] += b;
            rows[here][there] -= b;
            rows[here][n] += sign * b * line.shift_rad;
        }
    }
    let reference = network.buses.iter().position(|b| b.in_service).unwrap();
    for (place, row) in rows.iter_mut().enumerate() {
        if place == reference || !network.buses[place].in_service {
            row.fill(0.0);
            row[place] = 1.0;
        }
    }
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))
            .unwrap();
        rows.swap(k, pivot);
        if rows[k][k].abs() < 1e-6 {
            return None;
        }
        let (above, below) = rows.split_at_mut(k + 1);
        for row in below.iter_mut().filter(|row| row[k] != 0.0) {
            let factor = row[k] / above[k][k];
            for (x, y) in row[k..].iter_mut().zip(&above[k][k..]) {
                *x -= factor * y;
            }
        }
    }
    let mut angle = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|c| rows[k][c] * angle[c]).sum();
        angle[k] = (rows[k][n] - known) / rows[k][k];
    }
    let mut flow = vec![0.0; network.branches.len()];
    for &k in &lines {
        let line = &network.branches[k];
        flow[k] = susceptance(k) * (angle[line.from] - angle[line.to] - line.shift_rad);
    }
    Some(flow)
}

/// The effect of flows after the loss of branch `out`, from the definitions.
fn effect_of(network: &AnalysisNetwork, before: &[f64], after: &[f64], out: usize) -> Effect {
    let loading = |flow: &[f64], k: usize| flow[k].abs() / network.branches[k].rating_pu;
    let others: Vec<usize> = (0..after.len()).filter(|&k| k != out).collect();
    let most =
        |of: &dyn Fn(usize) -> f64, among: &[usize]| among.iter().copied().max_by(|&a, &b| of(a).total_cmp(&of(b)));
    let over: Vec<usize> = others
        .iter()
        .copied()
        .filter(|&k| loading(after, k) > 1.0 + 1e-6)
        .collect();
    let new: Vec<usize> = over
        .iter()
        .copied()
        .filter(|&k| loading(before, k) < 1.0 - 1e-6)
        .collect();
    let worst = most(&|k| loading(after, k), &others).unwrap();
    let rises = most(&|k| loading(after, k) - loading(before, k), &new);
    Effect::Loading {
        worst: Some(worst),
        flow: after[worst],
        loading: loading(after, worst),
        overloads: over.len(),
        new_overloads: new.len(),
        worst_new: rises.map(|k| NewOverload {
            branch: k,
            flow: after[k],
            loading: loading(after, k),
            base_loading: loading(before, k),
        }),
    }
}

/// The same numbers; two branches with equal loadings are interchangeable.
#[track_caller]
fn same(screened: &Effect, wanted: &Effect, tolerance: f64) {
    let numbers = |effect: &Effect| match effect {
        Effect::Loading {
            loading,
            overloads,
            new_overloads,
            worst_new,
            ..
        } => {
            let new = worst_new.as_ref();
            let rise = new.map_or(0.0, |new| new.loading - new.base_loading);
            (*overloads, *new_overloads, new.is_some(), [*loading, rise])
        }
        other => panic!("{other:?}"),
    };
    let (screened, wanted) = (numbers(screened), numbers(wanted));
    assert_eq!((screened.0, screened.1, screened.2), (wanted.0, wanted.1, wanted.2));
    close(&screened.3, &wanted.3, tolerance);
}

fn all(model: &DcModel, solution: &DcSolution) -> Vec<Outage> {
    Screening::new(model, solution, None).step(model, solution, usize::MAX / 2)
}

/// Line 2-3 is at its limit of 40 MW, line 1-2 carries 50 MW and line 1-3 10. Without line 1-2 line 2-3 carries 90 MW,
/// and line 1-3 the 60 MW of unit 1: a new overload at 50 MW, less loaded than the line that was at its limit before.
#[test]
fn a_new_overload_is_reported_beside_a_branch_at_its_limit() {
    let network = three_bus([250.0, 40.0, 50.0]);
    let (model, solution) = solve(&network);
    close(&solution.flow, &[0.5, -0.4, 0.1], 1e-9);
    let outages = all(&model, &solution);
    let Effect::Loading {
        worst,
        flow,
        loading,
        overloads,
        new_overloads,
        worst_new: Some(new),
    } = &outages[0].effect
    else {
        panic!("{:?}", outages[0])
    };
    assert_eq!((*worst, *overloads, *new_overloads, new.branch), (Some(1), 2, 1, 2));
    close(&[*flow, *loading, new.flow], &[-0.9, 2.25, 0.6], 1e-9);
    close(&[new.loading, new.base_loading], &[1.2, 0.2], 1e-9);
    // Without line 1-3 unit 1 sends its 60 MW over line 1-2, and line 2-3 carries the rest.
    let Effect::Loading {
        overloads,
        new_overloads,
        worst_new,
        ..
    } = &outages[2].effect
    else {
        panic!("{:?}", outages[2])
    };
    assert_eq!((*overloads, *new_overloads, worst_new), (0, 0, &None));
}

/// Of several new overloads the one that rises most is named, not the most loaded one.
#[test]
fn the_new_overload_that_rises_most_is_named() {
    // 90 MW at bus 2 come from bus 1 over one line, or over bus 3, where 6 MW stay.
    let lines = vec![line(1, 0, 1, 100.0), line(2, 0, 2, 80.0), line(3, 2, 1, 78.0)];
    let units = vec![generator(1, 0, (96.0, 96.0), quadratic(0.0, 10.0))];
    let network = network(vec![bus(1, 0.0), bus(2, 90.0), bus(3, 6.0)], lines, units);
    let (model, solution) = solve(&network);
    // 62 MW on the line, 34 MW to bus 3 and 28 MW on.
    close(&solution.flow, &[0.62, 0.34, 0.28], 1e-9);
    let outages = all(&model, &solution);
    let Effect::Loading {
        worst,
        new_overloads,
        worst_new: Some(new),
        ..
    } = &outages[0].effect
    else {
        panic!("{:?}", outages[0])
    };
    // 96 MW of 80, from 42.5 to 120 %, and 90 MW of 78, from 35.9 to 115.4 %.
    assert_eq!((*worst, *new_overloads, new.branch), (Some(1), 2, 2));
    close(&[new.base_loading, new.loading], &[28.0 / 78.0, 90.0 / 78.0], 1e-9);
}

#[test]
fn the_outage_of_a_joint_parts_its_node() {
    // A ring of four with bus 3 split into 3 and 5: without the joint the ring is open there.
    let mut joint = line(5, 2, 4, 500.0);
    (joint.r_pu, joint.x_pu) = (0.0, 0.0);
    let lines = vec![
        line(1, 0, 1, 90.0),
        line(2, 1, 2, 90.0),
        line(3, 4, 3, 90.0),
        line(4, 3, 0, 90.0),
        joint,
    ];
    let buses = vec![bus(1, 0.0), bus(2, 20.0), bus(3, 30.0), bus(4, 10.0), bus(5, 15.0)];
    let units = vec![generator(1, 0, (75.0, 75.0), quadratic(0.0, 10.0))];
    let (model, solution) = solve(&network(buses, lines, units));
    let outages = Screening::new(&model, &solution, None).step(&model, &solution, 10);
    // Line 1-2 then carries all of buses 2 and 3, and lines 3 and 4 the rest.
    let Effect::Loading {
        worst,
        flow,
        loading,
        overloads,
        ..
    } = &outages[4].effect
    else {
        panic!("{:?}", outages[4])
    };
    assert_eq!((*worst, *overloads), (Some(0), 0));
    close(&[flow * BASE, *loading], &[50.0, 50.0 / 90.0], 1e-12);
    // The outage of line 1-2 sends everything the other way, over the joint as well.
    let Effect::Loading { worst, flow, .. } = &outages[0].effect else {
        panic!("{:?}", outages[0])
    };
    assert_eq!(*worst, Some(3));
    close(&[flow * BASE], &[-75.0], 1e-12);
}

#[test]
fn outages_agree_with_power_flows_without_the_line() {
    // A meshed square with a tail: the tail line is a bridge.
    let buses = vec![bus(1, 0.0), bus(2, 60.0), bus(3, 40.0), bus(4, 30.0), bus(5, 7.0)];
    let lines = vec![
        line(1, 0, 1, 66.0),
        line(2, 1, 2, 66.0),
        line(3, 2, 3, 66.0),
        line(4, 3, 0, 66.0),
        line(5, 0, 2, 66.0),
        line(6, 3, 4, 66.0),
    ];
    let units = vec![generator(1, 0, (137.0, 137.0), quadratic(0.0, 10.0))];
    let network = network(buses, lines, units);
    let (model, solution) = solve(&network);
    let mut screening = Screening::new(&model, &solution, None);
    let mut outages = screening.step(&model, &solution, 4);
    outages.extend(screening.step(&model, &solution, 4));
    assert!(screening.step(&model, &solution, 4).is_empty());
    assert_eq!(outages.len(), network.branches.len());
    let mut new = 0;
    for (k, outage) in outages.iter().enumerate() {
        assert_eq!(outage.branch, k);
        let Some(after) = power_flow(&network, &solution.dispatch, k) else {
            let Effect::Islanding {
                buses,
                demand,
                generation,
            } = &outage.effect
            else {
                panic!("{outage:?}")
            };
            assert_eq!((k, &buses[..]), (5, &[4][..]));
            close(&[demand * BASE, generation * BASE], &[7.0, 0.0], 1e-12);
            continue;
        };
        let wanted = effect_of(&network, &solution.flow, &after, k);
        same(&outage.effect, &wanted, 1e-12);
        if let (
            Effect::Loading { worst, worst_new, .. },
            Effect::Loading {
                worst: w, worst_new: n, ..
            },
        ) = (&outage.effect, &wanted)
        {
            assert_eq!(
                (worst, worst_new.as_ref().map(|x| x.branch)),
                (w, n.as_ref().map(|x| x.branch))
            );
            new += usize::from(worst_new.is_some());
        }
    }
    assert!(new > 0);
}

/// Every fifth outage of two grids with transformers, phase shifters and shunts, at a dispatch that fills lines.
#[test]
fn outages_of_real_cases_agree_with_power_flows_without_the_branch() {
    let Some(data) = data_folder() else { return };
    for file in ["pglib_opf_case118_ieee.m", "api/pglib_opf_case300_ieee__api.m"] {
        let bytes = std::fs::read(data.join("pglib").join(file)).unwrap();
        let network = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let (model, solution) = solve(&network);
        let screening = Screening::new(&model, &solution, None);
        let (mut checked, mut hidden) = (0, 0);
        for outage in all(&model, &solution).iter().step_by(5) {
            let after = power_flow(&network, &solution.dispatch, outage.branch);
            let Effect::Loading { worst, worst_new, .. } = &outage.effect else {
                assert_eq!(after, None, "{file}: {outage:?}");
                continue;
            };
            let after = after.unwrap();
            let screened = screening.flows_after(&model, &solution, outage.branch).unwrap();
            close(&screened, &after, 1e-8);
            let wanted = effect_of(&network, &solution.flow, &after, outage.branch);
            same(&outage.effect, &wanted, 1e-8);
            checked += 1;
            hidden += usize::from(worst_new.as_ref().is_some_and(|new| Some(new.branch) != *worst));
        }
        assert!(
            checked > 30 && hidden > 0,
            "{file}: {checked} outages, {hidden} hidden overloads"
        );
    }
}

fn link(id: u64, from: usize, to: usize) -> wattbook_network::analysis::Branch {
    let mut link = line(id, from, to, 500.0);
    (link.r_pu, link.x_pu) = (0.0, 0.0);
    link
}

#[test]
fn the_loss_of_one_of_two_parallel_links_leaves_all_to_the_other() {
    let units = vec![generator(1, 0, (140.0, 140.0), quadratic(0.0, 10.0))];
    let branches = vec![link(1, 0, 1), link(2, 0, 1)];
    let (model, solution) = solve(&network(vec![bus(1, 0.0), bus(2, 140.0)], branches, units));
    close(&solution.flow, &[0.7, 0.7], 1e-12);
    let screening = Screening::new(&model, &solution, None);
    for (out, wanted) in [[0.0, 1.4], [1.4, 0.0]].iter().enumerate() {
        close(
            &screening.flows_after(&model, &solution, out).expect("flows"),
            wanted,
            1e-12,
        );
    }
    let outages = all(&model, &solution);
    let Effect::Loading {
        worst, flow, loading, ..
    } = &outages[0].effect
    else {
        panic!("{:?}", outages[0])
    };
    assert_eq!(*worst, Some(1));
    close(&[*flow, *loading], &[1.4, 1.4 / 5.0], 1e-12);
}

/// Bus 1 with its 120 MW, two parallel links to bus 2, a link on to bus 4 with 30 MW; 90 MW at bus 3 over a line from each end
/// of the parallel links; a line 1-4 that carries nothing while both its ends are one node.
#[test]
fn flows_round_a_loop_of_links_balance_after_every_outage() {
    let branches = vec![
        link(1, 0, 1),
        link(2, 0, 1),
        line(3, 0, 2, 500.0),
        line(4, 1, 2, 500.0),
        link(5, 1, 3),
        line(6, 0, 3, 500.0),
    ];
    let buses = vec![bus(1, 0.0), bus(2, 0.0), bus(3, 90.0), bus(4, 30.0)];
    let units = vec![generator(1, 0, (120.0, 120.0), quadratic(0.0, 10.0))];
    let (model, solution) = solve(&network(buses, branches, units));
    close(&solution.flow, &[0.375, 0.375, 0.45, 0.45, 0.3, 0.0], 1e-12);
    let after = [
        [0.0, 0.75, 0.45, 0.45, 0.3, 0.0],
        [0.75, 0.0, 0.45, 0.45, 0.3, 0.0],
        [0.6, 0.6, 0.0, 0.9, 0.3, 0.0],
        [0.15, 0.15, 0.9, 0.0, 0.3, 0.0],
        [0.225, 0.225, 0.45, 0.45, 0.0, 0.3],
        [0.375, 0.375, 0.45, 0.45, 0.3, 0.0],
    ];
    let screening = Screening::new(&model, &solution, None);
    for (out, wanted) in after.iter().enumerate() {
        close(
            &screening.flows_after(&model, &solution, out).expect("flows"),
            wanted,
            1e-12,
        );
    }
}
