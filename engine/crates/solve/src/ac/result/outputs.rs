//! Outputs of generators and flows of branches at solved voltages.

use crate::ac::model::analysis::{AcData, AcModel};
use crate::ac::model::elements::Unit;
use crate::ac::newton::equations::{Equations, SlackRule, Voltages};
use crate::ac::newton::reactive::{excess, Limited, Sides, Q_TOLERANCE};
use num_complex::Complex64;

/// The slack of one island, or of one of its references.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcSlack {
    /// Dense bus row of the reference.
    pub bus: usize,
    /// Active power in excess of the scheduled output, per unit: of the reference, or of all generators of the island
    /// under distributed slack.
    pub added: f64,
}

/// Active output of each generator, and the added slack. At a reference the first unit supplies the imbalance.
pub(crate) fn active_outputs(
    equations: &Equations,
    data: &AcData,
    injections: &[Complex64],
    voltages: &Voltages,
) -> (Vec<f64>, Vec<AcSlack>) {
    let distributed = &voltages.slack;
    let model = equations.model;
    let mut output = vec![0.0; model.n_generator];
    for unit in &model.units {
        output[unit.row] = data.output[unit.row];
    }
    if equations.rule == SlackRule::Distributed {
        for unit in &model.units {
            output[unit.row] += unit.participation * distributed[model.island_of_node[unit.node]];
        }
        let references = model.references.iter().zip(distributed);
        let slack = references.map(|(&(_, bus), &added)| AcSlack { bus, added }).collect();
        return (output, slack);
    }
    let mut supplied = vec![false; equations.kinds.len()];
    let mut slack = Vec::new();
    for unit in model.units.iter().filter(|unit| unit.is_at_reference) {
        let node = unit.node;
        if !supplied[node] {
            supplied[node] = true;
            let added = equations.required(node, injections, voltages).re;
            output[unit.row] += added;
            slack.push((model.island_of_node[node], AcSlack { bus: unit.bus, added }));
        }
    }
    slack.sort_by_key(|(island, slack)| (*island, slack.bus));
    (output, slack.into_iter().map(|(_, slack)| slack).collect())
}

/// Reactive output of each generator, and the nodes that need more than their units have, by first bus. Units that
/// control one node share its need in proportion to their ranges (MATPOWER's `pfsoln`).
pub(crate) fn reactive_outputs(
    equations: &Equations,
    data: &AcData,
    injections: &[Complex64],
    voltages: &Voltages,
    sides: &Sides,
) -> (Vec<f64>, Vec<(usize, f64)>) {
    let model = equations.model;
    let mut output = vec![0.0; model.n_generator];
    let n = equations.kinds.len();
    let mut needed = vec![0.0; n];
    let mut beyond = Vec::new();
    for node in 0..n {
        needed[node] = match sides[node] {
            Some(Limited::AtMax) => model.q_limits[node][1],
            Some(Limited::AtMin) => model.q_limits[node][0],
            None => equations.required(node, injections, voltages).im,
        };
        let by = excess(model.q_limits[node], needed[node]);
        if sides[node].is_none() && equations.holds_voltage(node) && by.abs() > Q_TOLERANCE {
            beyond.push((model.bus_of_node[node], by));
        }
    }
    beyond.sort_by_key(|(bus, _)| *bus);
    // An infinite limit counts as more than all finite ones together.
    let mut proxy: Vec<f64> = needed.iter().map(|q| 1.0 + q.abs()).collect();
    let holding = || model.units.iter().filter(|unit| unit.holds_voltage);
    for unit in holding() {
        for limit in unit.q_limits.into_iter().filter(|limit| limit.is_finite()) {
            proxy[unit.node] += limit.abs();
        }
    }
    let bounds = |unit: &Unit| {
        unit.q_limits
            .map(|limit| limit.clamp(-proxy[unit.node], proxy[unit.node]))
    };
    let (mut lower, mut range, mut count) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for unit in holding() {
        let [low, high] = bounds(unit);
        lower[unit.node] += low;
        range[unit.node] += high - low;
        count[unit.node] += 1.0;
    }
    for unit in &model.units {
        let node = unit.node;
        let [low, high] = bounds(unit);
        output[unit.row] = if !unit.holds_voltage {
            data.output_q[unit.row]
        } else if count[node] == 1.0 {
            needed[node]
        } else if range[node] > 0.0 {
            low + (needed[node] - lower[node]) * ((high - low) / range[node])
        } else {
            low + (needed[node] - lower[node]) / count[node]
        };
    }
    (output, beyond)
}

/// Power into every branch at both ends, by branch row.
pub(crate) fn flows(model: &AcModel, v: &[Complex64], net: &[Complex64]) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
    let (mut from, mut to) = (vec![[0.0; 2]; model.n_branch], vec![[0.0; 2]; model.n_branch]);
    let mut surplus = if model.zero_impedance.is_empty() {
        Vec::new()
    } else {
        net.to_vec()
    };
    for branch in &model.branches {
        let [f, t] = branch.nodes.map(|node| v[node]);
        let s_f = f * (branch.port.ff * f + branch.port.ft * t).conj();
        let s_t = t * (branch.port.tf * f + branch.port.tt * t).conj();
        from[branch.row] = [s_f.re, s_f.im];
        to[branch.row] = [s_t.re, s_t.im];
        if !surplus.is_empty() {
            surplus[branch.buses[0]] -= s_f;
            surplus[branch.buses[1]] -= s_t;
        }
    }
    if !surplus.is_empty() {
        for (bus, surplus) in surplus.iter_mut().enumerate().filter(|(bus, _)| model.energised(*bus)) {
            *surplus -= model.shunts[bus].conj() * v[model.node_of_bus[bus]].norm_sqr();
        }
        // `net` already includes constant-impedance demand.
        for demand in &model.voltage_dependent {
            surplus[demand.bus] += demand.constant_impedance * v[demand.node].norm_sqr();
        }
        for (k, s) in model.zero_impedance.flows(&surplus) {
            let row = model.branches[k].row;
            from[row] = [from[row][0] + s.re, from[row][1] + s.im];
            to[row] = [to[row][0] - s.re, to[row][1] - s.im];
        }
    }
    (from, to)
}
