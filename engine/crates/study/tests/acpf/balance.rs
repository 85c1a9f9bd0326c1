//! Power balance, computed in this file from the published columns.

use crate::common::Answer;
use wattbook_study::contract::ColumnName;

/// Balances of all buses from the module's own rows and the published columns, MW and MVAr: injections minus the flows
/// that the voltages drive into branches (two-port by admittances in rectangular form) and shunts. Flows are compared
/// too.
pub fn largest_imbalance(module: &str, flow: &Answer) -> f64 {
    let network = wattbook_network::network_from_module(module).expect("a network");
    let base = network.base_mva;
    let vm = flow.at(ColumnName::VmPu);
    let va = flow.at(ColumnName::VaRad);
    let v = |bus: usize| (vm[bus] * va[bus].cos(), vm[bus] * va[bus].sin());
    let times = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
    let conj = |a: (f64, f64)| (a.0, -a.1);
    let scale = |a: (f64, f64), k: f64| (a.0 * k, a.1 * k);
    let mut left: Vec<(f64, f64)> = (0..network.buses.len())
        .map(|bus| {
            let (p, q) = (
                flow.at(ColumnName::InjectionMw)[bus],
                flow.at(ColumnName::InjectionMvar)[bus],
            );
            let square = vm[bus] * vm[bus] * base;
            (
                p - network.buses[bus].gs_pu * square,
                q + network.buses[bus].bs_pu * square,
            )
        })
        .collect();
    let mut worst = 0.0f64;
    for (row, branch) in network.branches.iter().enumerate() {
        let published = [
            ColumnName::FlowMw,
            ColumnName::FlowMvar,
            ColumnName::FlowToMw,
            ColumnName::FlowToMvar,
        ]
        .map(|name| flow.at(name)[row]);
        if published[0].is_nan() {
            continue;
        }
        if branch.is_zero_impedance() {
            // Its flow follows from the balances of its ends.
            left[branch.from] = add(left[branch.from], (-published[0], -published[1]));
            left[branch.to] = add(left[branch.to], (-published[2], -published[3]));
            continue;
        }
        let square = branch.r_pu * branch.r_pu + branch.x_pu * branch.x_pu;
        let y = (branch.r_pu / square, -branch.x_pu / square);
        let [own_from, own_to] = [branch.shunt_from_pu, branch.shunt_to_pu].map(|[g, b]| (y.0 + g, y.1 + b));
        let a = (branch.tap * branch.shift_rad.cos(), branch.tap * branch.shift_rad.sin());
        let over = |z: (f64, f64), by: (f64, f64)| scale(times(z, conj(by)), 1.0 / (by.0 * by.0 + by.1 * by.1));
        let (f, t) = (v(branch.from), v(branch.to));
        let i_f = add(
            times(scale(own_from, 1.0 / (branch.tap * branch.tap)), f),
            scale(times(over(y, conj(a)), t), -1.0),
        );
        let i_t = add(times(own_to, t), scale(times(over(y, a), f), -1.0));
        let s_f = scale(times(f, conj(i_f)), base);
        let s_t = scale(times(t, conj(i_t)), base);
        for (mine, theirs) in [s_f.0, s_f.1, s_t.0, s_t.1].iter().zip(published) {
            worst = worst.max((mine - theirs).abs());
        }
        left[branch.from] = add(left[branch.from], (-s_f.0, -s_f.1));
        left[branch.to] = add(left[branch.to], (-s_t.0, -s_t.1));
    }
    for (p, q) in left.iter().filter(|(p, _)| !p.is_nan()) {
        worst = worst.max(p.abs()).max(q.abs());
    }
    // Injection is generation minus demand.
    let mut given = vec![(0.0, 0.0); network.buses.len()];
    for (row, generator) in network.generators.iter().enumerate() {
        let (p, q) = (
            flow.at(ColumnName::DispatchMw)[row],
            flow.at(ColumnName::DispatchMvar)[row],
        );
        if !p.is_nan() {
            given[generator.bus] = add(given[generator.bus], (p, q));
        }
    }
    for (bus, (p, q)) in given.into_iter().enumerate().filter(|(bus, _)| !vm[*bus].is_nan()) {
        let p = p - flow.at(ColumnName::DemandMw)[bus] - flow.at(ColumnName::InjectionMw)[bus];
        let q = q - flow.at(ColumnName::DemandMvar)[bus] - flow.at(ColumnName::InjectionMvar)[bus];
        worst = worst.max(p.abs()).max(q.abs());
    }
    worst
}
