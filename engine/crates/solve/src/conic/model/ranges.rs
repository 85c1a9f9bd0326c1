//! Ranges of voltages and outputs, and the scale of the objective.

use super::element_refs::bus_ref;
use super::program::{Column, Program};
use super::topology::{Topology, NO_NODE};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::plain;

pub(crate) type Boxes = (Vec<[f64; 2]>, Vec<[usize; 2]>);

/// Limits of squared voltages by node, and the buses that set them.
pub(crate) fn voltage_boxes(network: &AnalysisNetwork, topology: &Topology) -> Result<Boxes> {
    let n = topology.bus_of_node.len();
    let mut boxes = vec![[0.0, f64::INFINITY]; n];
    let mut set_by = vec![[0usize; 2]; n];
    for (bus, &node) in topology.node_of_bus.iter().enumerate().filter(|(_, n)| **n != NO_NODE) {
        let row = &network.buses[bus];
        if !row.vmax_pu.is_finite() || row.vmin_pu.is_nan() {
            let at = bus_ref(network, bus);
            let message = message!(
                "socwr.voltage_limits_not_finite",
                bus = &at,
                lower = plain(row.vmin_pu, "pu"),
                upper = plain(row.vmax_pu, "pu")
            );
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(at));
        }
        let lo = row.vmin_pu.max(0.0);
        let hi = row.vmax_pu.max(0.0);
        if lo * lo >= boxes[node][0] {
            (boxes[node][0], set_by[node][0]) = (lo * lo, bus);
        }
        if hi * hi < boxes[node][1] {
            (boxes[node][1], set_by[node][1]) = (hi * hi, bus);
        }
        if boxes[node][0] > boxes[node][1] || row.vmax_pu < 0.0 {
            let [low, high] = set_by[node].map(|bus| &network.buses[bus]);
            let [at, other] = set_by[node].map(|bus| bus_ref(network, bus));
            let message = message!(
                "socwr.voltage_limits",
                bus = &at,
                lower = plain(low.vmin_pu, "pu"),
                upper = plain(high.vmax_pu, "pu"),
                other = &other
            );
            return Err(EngineError::new("SOLVE.INFEASIBLE", message).at(at));
        }
    }
    Ok((boxes, set_by))
}

/// At each node, a power that no dispatch exceeds: the bound of generators without limits.
pub(crate) fn reach(network: &AnalysisNetwork, topology: &Topology, program: &Program) -> Vec<f64> {
    let mut reach: Vec<f64> = (program.w_box.iter().zip(&program.shunt))
        .map(|([_, hi], [g, b])| 1.0 + hi * (g.abs() + b.abs()))
        .collect();
    let mut add = |bus: usize, power: f64| {
        if let Some(reach) = reach.get_mut(topology.node_of_bus[bus]) {
            *reach += if power.is_finite() { power.abs() } else { 0.0 };
        }
    };
    for (bus, row) in network.buses.iter().enumerate() {
        add(bus, row.demand_pu);
        add(bus, row.demand_q_pu);
    }
    for b in network.branches.iter().filter(|b| b.in_service) {
        add(b.from, b.rating_pu);
        add(b.to, b.rating_pu);
    }
    for g in network.generators.iter().filter(|g| g.in_service) {
        for bound in [g.pmin_pu, g.pmax_pu, g.qmin_pu, g.qmax_pu] {
            add(g.bus, bound);
        }
    }
    for (_, link) in network.links_in_service() {
        for (end, bus) in [link.from, link.to].into_iter().enumerate() {
            for bound in [
                link.pmin_pu,
                link.pmax_pu,
                link.loss0_pu,
                link.qmin_pu[end],
                link.qmax_pu[end],
            ] {
                add(bus, bound);
            }
        }
    }
    reach.iter().map(|reach| 2.0 * reach).collect()
}

/// The larger of median and capacity-weighted mean of the marginal costs at half output.
pub(crate) fn cost_scale(columns: &[Column]) -> f64 {
    let marginal = |c: &Column| (c.c + 0.5 * c.q * (c.lo + c.hi)).abs();
    let mut found: Vec<f64> = columns.iter().map(marginal).filter(|m| *m > 0.0).collect();
    if found.is_empty() {
        return 1.0;
    }
    found.sort_unstable_by(f64::total_cmp);
    let median = found[found.len() / 2];
    let weight: f64 = columns.iter().map(|c| c.hi - c.lo).sum();
    let mean = columns.iter().map(|c| marginal(c) * (c.hi - c.lo)).sum::<f64>() / weight;
    median.max(mean)
}
