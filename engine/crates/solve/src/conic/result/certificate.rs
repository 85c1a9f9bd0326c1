//! The independent check of an optimum: it uses only the rows of the case and the published columns, not the model, its
//! program or its scalings.

use super::solution::ConicSolution;
use crate::conic::infeasibility::dual_bound::{flows, joined, DualBound, WORK_OF_A_BRANCH};
use crate::conic::infeasibility::multipliers::ConicMultipliers;
use crate::conic::model::data::ConicData;
use crate::conic::model::formulation::Cuts;
use crate::largest::raise;
use crate::links::{directions, LinkPower};
use crate::power_scale::power_scale;
use crate::storages::with_storages;
use wattbook_network::analysis::{AnalysisNetwork, Cost, Link};

/// Largest violation of a balance or limit, per unit, and largest gap relative to the objective.
const LIMIT: f64 = 1e-6;
/// If the objective is smaller than this ($/h), or than the highest cost of a unit of power, the gap is relative to the
/// lesser of these: without costs the optimum is zero.
const LEAST_OBJECTIVE: f64 = 1.0;

#[derive(Clone, Debug, PartialEq)]
pub struct ConicCertificate {
    /// Largest imbalance of active and of reactive power at a bus, MW and MVAr, with the buses (dense rows).
    pub mismatch_mw: f64,
    pub mismatch_mvar: f64,
    pub worst_bus: Option<usize>,
    pub worst_bus_q: Option<usize>,
    /// Largest difference between a published flow and that computed from the products, MVA.
    pub flow_error_mva: f64,
    /// Largest violation of `|W|^2 <= w_f w_t`, per unit of `w_f w_t`.
    pub cone_violation: f64,
    /// Largest apparent power in excess of a rating, MVA, with the branch (dense row).
    pub rating_violation_mva: f64,
    pub worst_branch: Option<usize>,
    /// Largest violations of voltage limits, of generator limits and of angle-difference limits.
    pub voltage_violation_pu: f64,
    pub generator_violation_mw: f64,
    pub angle_violation_rad: f64,
    /// The objective recomputed from the dispatch, $/h.
    pub objective: f64,
    /// Lower bound on the optimum that the multipliers prove, $/h.
    pub bound: f64,
    /// `(objective - bound) / |objective|`, with 1 $/h (less if all costs are less) for a smaller objective.
    pub gap: f64,
    base_mva: f64,
    /// Largest ratio of the power residuals above to the local powers ([`power_scale`]), per unit.
    power_part: f64,
    /// The gap relative to the part of the objective that depends on the dispatch.
    judged_gap: f64,
}

fn cost(cost: &Cost, p: f64) -> f64 {
    match cost {
        Cost::Quadratic { c2, c1, c0 } => (c2 * p + c1) * p + c0,
        Cost::PiecewiseLinear { points } => {
            let k = points.windows(2).position(|w| p <= w[1][0]);
            let k = k.unwrap_or(points.len().saturating_sub(2));
            match points.get(k..k + 2) {
                Some([a, b]) => a[1] + (b[1] - a[1]) / (b[0] - a[0]) * (p - a[0]),
                _ => points.first().map_or(0.0, |only| only[1]),
            }
        }
    }
}

/// Cost at zero output, and the slope at an output.
fn fixed_and_slope(cost: &Cost, p: f64) -> (f64, f64) {
    match cost {
        Cost::Quadratic { c2, c1, c0 } => (*c0, (2.0 * c2 * p + c1).abs()),
        Cost::PiecewiseLinear { points } => {
            let slopes = points
                .windows(2)
                .map(|w| ((w[1][1] - w[0][1]) / (w[1][0] - w[0][0])).abs());
            (0.0, slopes.fold(0.0, f64::max))
        }
    }
}

/// The claimed optimum, from this engine or from elsewhere: per unit by dense row.
#[derive(Clone, Copy, Debug)]
pub struct ConicClaim<'a> {
    pub data: &'a ConicData,
    pub voltage_squared: &'a [f64],
    /// By branch, `V_f conj(V_t)`.
    pub product: &'a [[f64; 2]],
    pub flow_from: &'a [[f64; 2]],
    pub flow_to: &'a [[f64; 2]],
    pub dispatch: &'a [f64],
    pub dispatch_q: &'a [f64],
    /// By HVDC link.
    pub links: &'a [LinkPower],
    pub multipliers: &'a ConicMultipliers,
}

impl ConicCertificate {
    /// Checks a solution of the network with its edits.
    pub fn new(network: &AnalysisNetwork, cuts: Cuts, solution: &ConicSolution) -> Self {
        let claim = ConicClaim {
            data: &solution.data,
            voltage_squared: &solution.voltage_squared,
            product: &solution.product,
            flow_from: &solution.flow_from,
            flow_to: &solution.flow_to,
            dispatch: &solution.dispatch,
            dispatch_q: &solution.dispatch_q,
            links: &solution.links,
            multipliers: &solution.multipliers,
        };
        Self::of_claim(network, cuts, &claim)
    }

    /// Checks a claimed optimum. Outputs of storage units that take part follow those of the generators.
    pub fn of_claim(network: &AnalysisNetwork, cuts: Cuts, solution: &ConicClaim) -> Self {
        let network = &*with_storages(network);
        let (data, base) = (solution.data, network.base_mva);
        let mut found = Self {
            mismatch_mw: 0.0,
            mismatch_mvar: 0.0,
            worst_bus: None,
            worst_bus_q: None,
            flow_error_mva: 0.0,
            cone_violation: 0.0,
            rating_violation_mva: 0.0,
            worst_branch: None,
            voltage_violation_pu: 0.0,
            generator_violation_mw: 0.0,
            angle_violation_rad: 0.0,
            objective: 0.0,
            bound: f64::NEG_INFINITY,
            gap: 0.0,
            base_mva: base,
            power_part: 0.0,
            judged_gap: 0.0,
        };
        found.check_balances(network, data, solution);
        found.check_branches(network, data, solution);
        // Costs that do not depend on the dispatch, and the highest cost of a unit of power.
        let (mut constant, mut dearest) = (0.0f64, 0.0f64);
        for (bus, row) in network.buses.iter().enumerate() {
            let w = solution.voltage_squared[bus];
            if row.in_service && w != 0.0 {
                let v = w.max(0.0).sqrt();
                raise(&mut found.voltage_violation_pu, (v - row.vmax_pu).max(row.vmin_pu - v));
            }
        }
        for (row, g) in network.generators.iter().enumerate().filter(|(_, g)| g.in_service) {
            let (p, q) = (solution.dispatch[row], solution.dispatch_q[row]);
            let limits = [g.pmax_pu, g.pmin_pu, g.qmax_pu, g.qmin_pu];
            for (past, limit) in [p - limits[0], limits[1] - p, q - limits[2], limits[3] - q]
                .into_iter()
                .zip(limits)
            {
                raise(&mut found.generator_violation_mw, past * base);
                found.judge(past, limit.abs());
            }
            found.objective += cost(&g.cost, p);
            let (fixed, slope) = fixed_and_slope(&g.cost, p);
            constant += fixed;
            dearest = dearest.max(slope);
        }
        for (row, link) in network.links_in_service() {
            let (cost, fixed, slope) = found.check_link(network, link, &solution.links[row]);
            found.objective += cost;
            constant += fixed;
            dearest = dearest.max(slope);
        }
        let bound = DualBound::new(network, data, cuts, solution.multipliers, true);
        found.bound = bound.value;
        let least = if dearest > 0.0 {
            dearest.min(LEAST_OBJECTIVE)
        } else {
            LEAST_OBJECTIVE
        };
        let size = |objective: f64, terms: f64| objective.abs().max(1e-3 * terms).max(least);
        let gap = found.objective - bound.value;
        found.gap = gap / size(found.objective, bound.magnitude);
        found.judged_gap = gap / size(found.objective - constant, bound.magnitude - constant.abs());
        found
    }

    /// Checks limits and losses of a link; returns its cost, the part that does not depend on its power, and the highest
    /// cost of a unit of power. Both directions may carry power, each within its limits.
    fn check_link(&mut self, network: &AnalysisNetwork, link: &Link, power: &LinkPower) -> (f64, f64, f64) {
        let base = self.base_mva;
        let Ok([forward, reversed]) = directions(network, link) else {
            return (f64::NAN, 0.0, 0.0); // no optimum has such a link
        };
        let share = 1.0 - link.loss1;
        let (from, to) = (power.active[0], power.active[1] + link.loss0_pu);
        // Sent in each direction, from `from = a - share b` and `to = share a - b`.
        let sent = match (&forward, &reversed) {
            (Some(_), Some(_)) => {
                let loss = 1.0 - share * share;
                [(from - share * to) / loss, (share * from - to) / loss]
            }
            (Some(_), None) => [from, 0.0],
            _ => [0.0, -to],
        };
        let lost = [from - (sent[0] - share * sent[1]), to - (share * sent[0] - sent[1])];
        for error in lost {
            raise(&mut self.flow_error_mva, error.abs() * base);
            self.judge(error.abs(), from.abs());
        }
        let (mut total, mut constant, mut dearest) = (0.0, 0.0, 0.0f64);
        for (direction, p) in [forward, reversed].into_iter().zip(sent) {
            let Some(direction) = direction else { continue };
            for (past, limit) in [(p - direction.hi, direction.hi), (direction.lo - p, direction.lo)] {
                raise(&mut self.generator_violation_mw, past * base);
                self.judge(past, limit.abs());
            }
            total += cost(&direction.cost, p);
            let (fixed, slope) = fixed_and_slope(&direction.cost, p);
            constant += fixed;
            dearest = dearest.max(slope);
        }
        for end in 0..2 {
            let (q, limits) = (power.reactive[end], [link.qmin_pu[end], link.qmax_pu[end]]);
            for (past, limit) in [(limits[0] - q, limits[0]), (q - limits[1], limits[1])] {
                raise(&mut self.generator_violation_mw, past * base);
                self.judge(past, limit.abs());
            }
        }
        (total, constant, dearest)
    }

    fn check_balances(&mut self, network: &AnalysisNetwork, data: &ConicData, solution: &ConicClaim) {
        let w = solution.voltage_squared;
        let mut left: Vec<[f64; 2]> = network
            .buses
            .iter()
            .zip(w)
            .map(|(b, w)| [-b.gs_pu * w, b.bs_pu * w])
            .collect();
        for (bus, left) in left
            .iter_mut()
            .enumerate()
            .filter(|(bus, _)| network.buses[*bus].in_service)
        {
            left[0] -= data.demand[bus];
            left[1] -= data.demand_q[bus];
        }
        let mut size: Vec<[f64; 2]> = left.iter().map(|left| left.map(f64::abs)).collect();
        for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
            for part in 0..2 {
                for (bus, flow) in [(b.from, solution.flow_from[row]), (b.to, solution.flow_to[row])] {
                    left[bus][part] -= flow[part];
                    size[bus][part] += flow[part].abs();
                }
            }
        }
        for (row, g) in network.generators.iter().enumerate().filter(|(_, g)| g.in_service) {
            for (part, output) in [solution.dispatch[row], solution.dispatch_q[row]]
                .into_iter()
                .enumerate()
            {
                left[g.bus][part] += output;
                size[g.bus][part] += output.abs();
            }
        }
        for (row, link) in network.links_in_service() {
            let LinkPower { active, reactive } = &solution.links[row];
            for (bus, injected) in [
                (link.from, [-active[0], reactive[0]]),
                (link.to, [active[1], reactive[1]]),
            ] {
                for part in 0..2 {
                    left[bus][part] += injected[part];
                    size[bus][part] += injected[part].abs();
                }
            }
        }
        for (bus, (left, size)) in left.iter().zip(size).enumerate() {
            for (left, size) in left.iter().zip(size) {
                self.judge(left.abs(), size);
            }
            if raise(&mut self.mismatch_mw, left[0].abs() * self.base_mva) {
                self.worst_bus = Some(bus);
            }
            if raise(&mut self.mismatch_mvar, left[1].abs() * self.base_mva) {
                self.worst_bus_q = Some(bus);
            }
        }
    }

    fn check_branches(&mut self, network: &AnalysisNetwork, data: &ConicData, solution: &ConicClaim) {
        let first = joined(network);
        for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
            wattbook_interrupt::work(WORK_OF_A_BRANCH);
            let (wf, wt) = (solution.voltage_squared[b.from], solution.voltage_squared[b.to]);
            let [wr, wi] = solution.product[row];
            let x = [wf, wt, wr, wi];
            let (from, to) = (solution.flow_from[row], solution.flow_to[row]);
            let published = [from[0], from[1], to[0], to[1]];
            let computed = flows(b).map(|f| f[0] * x[0] + f[1] * x[1] + f[2] * x[2] + f[3] * x[3]);
            let is_tie = b.is_zero_impedance();
            for part in 0..4 {
                let mut error = published[part] - computed[part];
                if is_tie {
                    // Any flow is admissible that enters one end and leaves the other.
                    error += published[(part + 2) % 4] - computed[(part + 2) % 4];
                }
                raise(&mut self.flow_error_mva, error.abs() * self.base_mva);
                self.judge(error.abs(), published[part].abs());
            }
            let size = |[p, q]: [f64; 2]| (p * p + q * q).sqrt();
            let most = size(from).max(size(to));
            self.judge(most - data.rating[row], data.rating[row]);
            if raise(
                &mut self.rating_violation_mva,
                (most - data.rating[row]) * self.base_mva,
            ) {
                self.worst_branch = Some(row);
            }
            if wf == 0.0 && wt == 0.0 {
                continue;
            }
            if first[b.from] == first[b.to] {
                raise(&mut self.cone_violation, (wf - wt).abs());
                continue;
            }
            raise(&mut self.cone_violation, (wr * wr + wi * wi) / (wf * wt) - 1.0);
            // Distance of the product from the half-planes of the limits, relative to its length.
            let length = (wr * wr + wi * wi).sqrt();
            for (angle, sign) in b.finite_angle_limits_rad().into_iter().zip([1.0, -1.0]) {
                let past = sign * (libm::sin(angle) * wr - libm::cos(angle) * wi);
                raise(&mut self.angle_violation_rad, past / length);
            }
        }
    }

    /// Judges a residual relative to powers of the given size, per unit.
    fn judge(&mut self, residual: f64, size: f64) {
        raise(&mut self.power_part, residual / power_scale(size, self.base_mva));
    }

    /// Whether every test holds.
    pub fn holds(&self) -> bool {
        let others = [self.cone_violation, self.voltage_violation_pu, self.angle_violation_rad];
        self.power_part <= LIMIT && others.iter().all(|x| *x <= LIMIT) && self.judged_gap.abs() <= LIMIT
    }
}
