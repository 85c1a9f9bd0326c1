//! The certificate of an optimum in the contract's types.

use super::SocwrState;
use crate::contract as c;
use crate::convert::element;
use wattbook_network::analysis::{Cost, ElementRef};

/// The price of a generator this close to a limit, per unit, may differ from its marginal cost.
const AT_LIMIT: f64 = 1e-4;

pub(super) fn of(state: &SocwrState) -> c::Certificate {
    let (network, k) = (&state.problem.network.case.network, &state.certificate);
    let base = network.base_mva;
    let worst_branch = k.worst_branch.filter(|_| k.rating_violation_mva > k.mismatch_mw);
    let worst_bus = k.worst_bus.map(|row| element(&ElementRef::from(&network.buses[row])));
    c::Certificate {
        primal_residual_mw: k.mismatch_mw,
        worst_violation_mw: k.rating_violation_mva.max(k.generator_violation_mw),
        worst_element: worst_branch
            .map(|row| element(&ElementRef::from(&network.branches[row])))
            .or(worst_bus),
        stationarity_usd_per_mwh: stationarity(state) / base,
        complementarity_usd_per_h: complementarity(state),
        duality_gap_usd_per_h: k.objective - k.bound,
        relative_gap: k.gap,
        mismatch_mvar: Some(k.mismatch_mvar),
        flow_error_mva: Some(k.flow_error_mva),
        cone_violation: Some(k.cone_violation),
        voltage_violation_pu: Some(k.voltage_violation_pu),
        angle_violation_rad: Some(k.angle_violation_rad),
    }
}

/// Largest difference of price and marginal cost at a generator between its limits, $/h per unit.
fn stationarity(state: &SocwrState) -> f64 {
    let s = &state.solution;
    let mut worst = 0.0f64;
    for (row, g) in state.problem.network.case.network.generators.iter().enumerate() {
        let (p, price) = (s.dispatch[row], s.price[g.bus]);
        if !g.in_service || p < g.pmin_pu + AT_LIMIT || p > g.pmax_pu - AT_LIMIT {
            continue;
        }
        let [low, high] = marginal(&g.cost, p);
        worst = worst.max(low - price).max(price - high);
    }
    worst
}

/// Slopes of a cost to the left and to the right of an output.
fn marginal(cost: &Cost, p: f64) -> [f64; 2] {
    match cost {
        Cost::Quadratic { c2, c1, .. } => [2.0 * c2 * p + c1; 2],
        Cost::PiecewiseLinear { points } => {
            let slope = |w: &[[f64; 2]]| (w[1][1] - w[0][1]) / (w[1][0] - w[0][0]);
            let near = |w: &&[[f64; 2]]| w[0][0] - AT_LIMIT <= p && p <= w[1][0] + AT_LIMIT;
            let slopes: Vec<f64> = points.windows(2).filter(near).map(slope).collect();
            match slopes[..] {
                [] => [f64::NEG_INFINITY, f64::INFINITY],
                [first, .., last] => [first, last],
                [only] => [only; 2],
            }
        }
    }
}

/// Sum of the multipliers of ratings times their slack, $/h.
fn complementarity(state: &SocwrState) -> f64 {
    let s = &state.solution;
    let mut sum = 0.0;
    for (row, ends) in s.multipliers.thermal.iter().enumerate() {
        for (z, flow) in ends.iter().zip([s.flow_from[row], s.flow_to[row]]) {
            sum += z[0] * s.data.rating[row] + z[1] * flow[0] + z[2] * flow[1];
        }
    }
    sum.abs()
}
