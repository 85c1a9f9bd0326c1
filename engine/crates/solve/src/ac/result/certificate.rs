//! The independent check of a solution: it uses only the rows of the case and the published columns, branch by branch
//! in real arithmetic, and neither the model nor its nodes or admittance matrix.

use super::solution::AcSolution;
use crate::ac::model::analysis::AcData;
use crate::ac::newton::equations::SlackRule;
use crate::ac::newton::reactive::{Limited, ReactiveLimits};
use crate::largest::raise;
use crate::links::{own_generators, with_converters};
use crate::power_scale::power_scale;
use wattbook_network::analysis::{AnalysisNetwork, Branch, Generator};
use wattbook_network::union_find::components;

/// Largest mismatch, set-point deviation or violation of an enforced limit in a valid solution, per unit.
const LIMIT: f64 = 1e-6;

#[derive(Clone, Debug, PartialEq)]
pub struct AcCertificate {
    /// Largest imbalance of active and of reactive power at a bus, MW and MVAr, with the buses (dense rows).
    pub mismatch_mw: f64,
    pub mismatch_mvar: f64,
    pub worst_bus: Option<usize>,
    pub worst_bus_q: Option<usize>,
    /// Largest difference between a published flow and that of the voltages at its ends, MVA.
    pub flow_error_mva: f64,
    /// Largest deviation of a controlled voltage from its set-point, per unit.
    pub set_point_error_pu: f64,
    /// Largest difference of a generator's active output from its schedule that slack does not explain, MW.
    pub schedule_error_mw: f64,
    /// If reactive limits are enforced: largest violation, MVAr, and largest voltage on the wrong side of a set-point,
    /// per unit.
    pub reactive_violation_mvar: f64,
    pub wrong_side_pu: f64,
    base_mva: f64,
    /// Largest ratio of the power residuals above to the local powers ([`power_scale`]), per unit.
    power_part: f64,
    keeps_limits: bool,
}

/// Active and reactive power into a branch at its from and at its to end (MATPOWER manual, equations 3.2 and 3.17, written in
/// polar coordinates).
fn branch_flow(b: &Branch, [vf, vt]: [f64; 2], [af, at]: [f64; 2]) -> [f64; 4] {
    let square = b.r_pu * b.r_pu + b.x_pu * b.x_pu;
    let ([g_from, b_from], [g_to, b_to]) = (b.shunt_from_pu, b.shunt_to_pu);
    if square == 0.0 {
        return [g_from * vf * vf, -b_from * vf * vf, g_to * vt * vt, -b_to * vt * vt];
    }
    let (g, s) = (b.r_pu / square, -b.x_pu / square);
    let (sin, cos) = libm::sincos(af - at - b.shift_rad);
    let vf = vf / b.tap;
    let across = vf * vt;
    [
        (g + g_from) * vf * vf - across * (g * cos + s * sin),
        -(s + b_from) * vf * vf - across * (g * sin - s * cos),
        (g + g_to) * vt * vt - across * (g * cos - s * sin),
        -(s + b_to) * vt * vt + across * (g * sin + s * cos),
    ]
}

/// The claimed solution, from this engine or from elsewhere: per unit and radians by dense row.
#[derive(Clone, Copy, Debug)]
pub struct AcClaim<'a> {
    pub data: &'a AcData,
    pub slack_rule: SlackRule,
    pub magnitude: &'a [f64],
    pub angle: &'a [f64],
    pub output: &'a [f64],
    pub output_q: &'a [f64],
    pub flow_from: &'a [[f64; 2]],
    pub flow_to: &'a [[f64; 2]],
    /// Buses whose generators supply the slack.
    pub slack: &'a [usize],
    pub keeps_limits: bool,
    pub limited: &'a [(usize, Limited)],
}

/// By generator, the bus whose voltage it controls: its own if the regulated bus lies in another island or is joined to
/// the generator's bus by branches without impedance.
fn regulated_buses(network: &AnalysisNetwork) -> Vec<usize> {
    if network.generators.iter().all(|g| g.regulated_bus.is_none()) {
        return network.generators.iter().map(|g| g.bus).collect();
    }
    let branches = || network.branches.iter().filter(|b| b.in_service);
    let ends = |b: &Branch| (b.from, b.to);
    let n = network.buses.len();
    let merged = components(n, branches().filter(|b| b.is_zero_impedance()).map(ends));
    let joined = components(n, branches().map(ends));
    let regulated = |g: &Generator| {
        let apart = |other: &usize| merged[g.bus] != merged[*other] && joined[g.bus] == joined[*other];
        g.regulated_bus.filter(apart).unwrap_or(g.bus)
    };
    network.generators.iter().map(regulated).collect()
}

impl AcCertificate {
    /// Checks a solution of the network.
    pub fn new(network: &AnalysisNetwork, solution: &AcSolution) -> Self {
        let slack: Vec<usize> = solution.slack.iter().map(|s| s.bus).collect();
        let claim = AcClaim {
            data: &solution.data,
            slack_rule: solution.options.slack,
            magnitude: &solution.magnitude,
            angle: &solution.angle,
            output: &solution.output,
            output_q: &solution.output_q,
            flow_from: &solution.flow_from,
            flow_to: &solution.flow_to,
            slack: &slack,
            keeps_limits: matches!(solution.reactive_limits, ReactiveLimits::Kept { .. }),
            limited: &solution.limited,
        };
        Self::of_claim(network, &claim)
    }

    /// Checks a claimed solution. Outputs of the converters of HVDC links follow those of the generators, as in
    /// [`AcData::base`].
    pub fn of_claim(network: &AnalysisNetwork, solution: &AcClaim) -> Self {
        let network = &*with_converters(network);
        let (v, angle, base) = (solution.magnitude, solution.angle, network.base_mva);
        let mut found = Self {
            mismatch_mw: 0.0,
            mismatch_mvar: 0.0,
            worst_bus: None,
            worst_bus_q: None,
            flow_error_mva: 0.0,
            set_point_error_pu: 0.0,
            schedule_error_mw: 0.0,
            reactive_violation_mvar: 0.0,
            wrong_side_pu: 0.0,
            base_mva: base,
            power_part: 0.0,
            keeps_limits: solution.keeps_limits,
        };
        // Surplus of each bus, that is generation less demand and outgoing flows, with the sizes of these powers.
        let mut left: Vec<[f64; 2]> = network
            .buses
            .iter()
            .zip(v)
            .map(|(b, v)| [-b.gs_pu * v * v, b.bs_pu * v * v])
            .collect();
        for (bus, left) in left.iter_mut().enumerate().filter(|(bus, _)| v[*bus] > 0.0) {
            // Reduction of constant-current and constant-impedance demand relative to 1 pu voltage.
            let row = &network.buses[bus];
            let (first, second) = (1.0 - v[bus], 1.0 - v[bus] * v[bus]);
            let less = |part: usize| row.constant_current_pu[part] * first + row.constant_impedance_pu[part] * second;
            left[0] -= solution.data.demand[bus] - less(0);
            left[1] -= solution.data.demand_q[bus] - less(1);
        }
        let mut size: Vec<[f64; 2]> = left.iter().map(|left| left.map(f64::abs)).collect();
        for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
            let (from, to) = (solution.flow_from[row], solution.flow_to[row]);
            let flow = branch_flow(b, [v[b.from], v[b.to]], [angle[b.from], angle[b.to]]);
            let published = [from[0], from[1], to[0], to[1]];
            if b.is_zero_impedance() {
                // Any flow is admissible that enters one end and leaves the other.
                for part in 0..2 {
                    let through = [published[part] - flow[part], published[part + 2] - flow[part + 2]];
                    let error = (through[0] + through[1]).abs();
                    raise(&mut found.flow_error_mva, error * base);
                    found.judge(error, published[part].abs());
                }
                let apart = (v[b.from] - v[b.to]).abs() + (angle[b.from] - angle[b.to]).abs();
                raise(&mut found.set_point_error_pu, apart);
            } else {
                for (a, b) in published.iter().zip(flow) {
                    raise(&mut found.flow_error_mva, (a - b).abs() * base);
                    found.judge((a - b).abs(), a.abs());
                }
            }
            for (bus, flow) in [(b.from, from), (b.to, to)] {
                for (part, power) in flow.into_iter().enumerate() {
                    left[bus][part] -= power;
                    size[bus][part] += power.abs();
                }
            }
        }
        for (row, g) in network.generators.iter().enumerate().filter(|(_, g)| g.in_service) {
            for (part, output) in [solution.output[row], solution.output_q[row]].into_iter().enumerate() {
                left[g.bus][part] += output;
                size[g.bus][part] += output.abs();
            }
        }
        for (bus, (left, size)) in left.iter().zip(size).enumerate() {
            for (left, size) in left.iter().zip(size) {
                found.judge(left.abs(), size);
            }
            if raise(&mut found.mismatch_mw, left[0].abs() * base) {
                found.worst_bus = Some(bus);
            }
            if raise(&mut found.mismatch_mvar, left[1].abs() * base) {
                found.worst_bus_q = Some(bus);
            }
        }
        found.check_generators(network, solution);
        found
    }

    fn check_generators(&mut self, network: &AnalysisNetwork, solution: &AcClaim) {
        let base = self.base_mva;
        let n = network.buses.len();
        // By bus: the bus whose voltage its units control, the set-point of that bus, and reactive limits and output of
        // the units at buses of type 2 and 3.
        let (mut held, mut target) = (vec![None; n], vec![0.0; n]);
        let regulated = regulated_buses(network);
        let (mut lower, mut upper, mut q) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let single = solution.slack_rule == SlackRule::Single;
        let own = own_generators(network);
        for (row, g) in network.generators.iter().enumerate().filter(|(_, g)| g.in_service) {
            let bus = &network.buses[g.bus];
            let is_reference = solution.slack.contains(&g.bus);
            // The converters of links supply no slack.
            let is_scheduled = row >= own || (single && !is_reference);
            if is_scheduled && solution.magnitude[g.bus] > 0.0 {
                let error = (solution.output[row] - solution.data.output[row]).abs();
                raise(&mut self.schedule_error_mw, error * base);
                self.judge(error, solution.data.output[row].abs());
            }
            let holds = g.regulates_voltage && (bus.is_pv || bus.is_reference);
            if holds && solution.magnitude[g.bus] > 0.0 {
                target[regulated[row]] = solution.data.set_point[row];
                held[g.bus] = Some(regulated[row]);
                lower[g.bus] += g.qmin_pu;
                upper[g.bus] += g.qmax_pu;
                q[g.bus] += solution.output_q[row];
            } else if solution.magnitude[g.bus] > 0.0 {
                let error = (solution.output_q[row] - solution.data.output_q[row]).abs();
                raise(&mut self.schedule_error_mw, error * base);
                self.judge(error, solution.data.output_q[row].abs());
            }
        }
        // If buses joined without impedance have different set-points, the last generator's applies.
        let merged = network
            .branches
            .iter()
            .filter(|b| b.in_service && b.is_zero_impedance());
        let shared: std::collections::BTreeSet<usize> = merged.flat_map(|b| [b.from, b.to]).collect();
        for bus in (0..n).filter(|bus| !shared.contains(bus)) {
            let Some(regulated): Option<usize> = held[bus] else {
                continue;
            };
            let past = solution.magnitude[regulated] - target[regulated];
            match solution.limited.iter().find(|(limited, _)| *limited == bus) {
                None => {
                    raise(&mut self.set_point_error_pu, past.abs());
                    if self.keeps_limits && !solution.slack.contains(&bus) && lower[bus] <= upper[bus] {
                        let by = (q[bus] - upper[bus]).max(lower[bus] - q[bus]).max(0.0);
                        raise(&mut self.reactive_violation_mvar, by * base);
                        self.judge(by, q[bus].abs());
                    }
                }
                Some((_, side)) => {
                    let (limit, wrong) = match side {
                        Limited::AtMax => (upper[bus], past),
                        Limited::AtMin => (lower[bus], -past),
                    };
                    raise(&mut self.reactive_violation_mvar, (q[bus] - limit).abs() * base);
                    self.judge((q[bus] - limit).abs(), limit.abs());
                    // Equal limits leave the bus no side.
                    if (upper[bus] - lower[bus]).abs() > LIMIT {
                        raise(&mut self.wrong_side_pu, wrong);
                    }
                }
            }
        }
    }

    /// Judges a residual relative to powers of the given size, per unit.
    fn judge(&mut self, residual: f64, size: f64) {
        raise(&mut self.power_part, residual / power_scale(size, self.base_mva));
    }

    /// Whether every test holds.
    pub fn holds(&self) -> bool {
        // The solver tolerates violations of a limit below 1e-6 per unit; rounding adds to them.
        self.power_part <= 2.0 * LIMIT && self.set_point_error_pu <= LIMIT && self.wrong_side_pu <= LIMIT
    }
}
