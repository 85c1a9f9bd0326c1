//! A solved AC power flow, and how it is solved.

use super::equations::{Equations, SlackRule, Voltages};
use super::failure::not_converged;
use super::model::{AcData, AcModel};
use super::newton::Newton;
use super::reactive::{enforce, Limited, ReactiveLimits, Sides};
use super::starts::{self, Start};
use super::topology::NodeKind;
use num_complex::Complex64;
use wattbook_network::error::Result;

/// How a power flow is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcOptions {
    pub slack: SlackRule,
    /// Keep the reactive limits of the units that hold a voltage, those at references apart.
    pub reactive_limits: bool,
    /// Start from the voltages of the source and nowhere else, as MATPOWER does.
    pub only_stored_start: bool,
}

impl Default for AcOptions {
    fn default() -> Self {
        Self {
            slack: SlackRule::Single,
            reactive_limits: false,
            only_stored_start: false,
        }
    }
}

/// What balances one island, or one reference of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcSlack {
    /// Dense bus row of the reference.
    pub bus: usize,
    /// Active power beyond the scheduled output, per unit: of the reference, or of all generators of the island where slack is
    /// distributed.
    pub added: f64,
}

/// Solved AC power flow. Per unit, radians, dense rows; zero for elements out of service.
#[derive(Clone, Debug)]
pub struct AcSolution {
    pub data: AcData,
    pub options: AcOptions,
    /// Voltage of each bus.
    pub magnitude: Vec<f64>,
    pub angle: Vec<f64>,
    /// Active and reactive output of each generator.
    pub output: Vec<f64>,
    pub output_q: Vec<f64>,
    /// Generation less demand of each bus.
    pub injection: Vec<f64>,
    pub injection_q: Vec<f64>,
    /// Active and reactive power into each branch at its from and at its to end.
    pub flow_from: Vec<[f64; 2]>,
    pub flow_to: Vec<[f64; 2]>,
    /// Active power lost in branches.
    pub losses: f64,
    /// One for each reference, or for each island where slack is distributed; islands by their first bus.
    pub slack: Vec<AcSlack>,
    /// Generators whose output is outside their active limits because of the slack they take, dense rows.
    pub active_violations: Vec<usize>,
    pub reactive_limits: ReactiveLimits,
    /// Buses held at a reactive limit, by the first bus of their node.
    pub limited: Vec<(usize, Limited)>,
    /// Buses that hold their voltage with more (positive) or less reactive power than their units have, and by how much.
    pub reactive_violations: Vec<(usize, f64)>,
    pub start: Start,
    /// Steps of Newton's method, of all starts and rounds.
    pub steps: usize,
    /// Largest mismatch that the solver is left with.
    pub mismatch: f64,
    pub(crate) voltages: Voltages,
    pub(crate) sides: Sides,
}

/// What the solver has found.
pub(crate) struct Found<'a> {
    pub equations: Equations<'a>,
    pub voltages: Voltages,
    pub sides: Sides,
    pub limits: ReactiveLimits,
    pub start: Start,
}

impl AcModel {
    /// Solves the power flow of `data` from the usual starts.
    ///
    /// # Errors
    /// `SOLVE.NOT_CONVERGED`, with the largest loading that solves where one does, and the buses where it ends;
    /// `SOLVE.INFEASIBLE` for an island that needs power without a generator to hold its voltage; `INPUT.VOLTAGE_SET_POINT`.
    pub fn solve(&self, data: &AcData, options: AcOptions) -> Result<AcSolution> {
        let mut equations = Equations::new(self, data, options.slack)?;
        let mut newton = Newton::default();
        let (mut voltages, start) = starts::solve(&mut newton, &equations, options.only_stored_start)
            .map_err(|unsolved| not_converged(self, &unsolved))?;
        let mut sides = vec![None; self.kinds.len()];
        let limits = match options.reactive_limits {
            false => ReactiveLimits::Ignored,
            true => match enforce(&mut newton, &mut equations, &mut voltages, &mut sides) {
                Some(rounds) => ReactiveLimits::Kept { rounds },
                None => ReactiveLimits::NotKept,
            },
        };
        let found = Found {
            equations,
            voltages,
            sides,
            limits,
            start,
        };
        Ok(AcSolution::new(data, options, newton, found))
    }
}

impl AcSolution {
    /// Publishes what the solver has found; `newton` has evaluated it last.
    pub(crate) fn new(data: &AcData, options: AcOptions, newton: Newton, found: Found) -> Self {
        let (equations, voltages) = (&found.equations, &found.voltages);
        let model = equations.model;
        let injections = &newton.injections;
        let (mut magnitude, mut angle) = (vec![0.0; model.n_bus], vec![0.0; model.n_bus]);
        for bus in (0..model.n_bus).filter(|&bus| model.energised(bus)) {
            let node = model.node_of_bus[bus];
            (magnitude[bus], angle[bus]) = (voltages.magnitude[node], voltages.angle[node]);
        }

        let (output, slack) = active_outputs(equations, data, injections, &voltages.slack);
        let (output_q, reactive_violations) = reactive_outputs(equations, data, injections, &found.sides);
        let mut net = vec![Complex64::default(); model.n_bus];
        for (bus, net) in net.iter_mut().enumerate().filter(|(bus, _)| model.energised(*bus)) {
            *net -= Complex64::new(data.demand[bus], data.demand_q[bus]);
        }
        for unit in &model.units {
            net[unit.bus] += Complex64::new(output[unit.row], output_q[unit.row]);
        }
        let (from, to) = flows(model, &voltages.phasor, &net);
        let added_to = |unit: &&super::model::Unit| output[unit.row] != data.output[unit.row];
        let outside = |unit: &&super::model::Unit| {
            let slip = 1e-9 * output[unit.row].abs().max(1.0);
            output[unit.row] < unit.p_limits[0] - slip || output[unit.row] > unit.p_limits[1] + slip
        };
        let limited = found.sides.iter().enumerate();
        Self {
            data: data.clone(),
            options,
            losses: from.iter().zip(&to).fold(0.0, |sum, (f, t)| sum + (f[0] + t[0])),
            active_violations: model
                .units
                .iter()
                .filter(added_to)
                .filter(outside)
                .map(|u| u.row)
                .collect(),
            limited: limited
                .filter_map(|(node, side)| side.map(|side| (model.bus_of_node[node], side)))
                .collect(),
            injection: net.iter().map(|s| s.re).collect(),
            injection_q: net.iter().map(|s| s.im).collect(),
            magnitude,
            angle,
            output,
            output_q,
            flow_from: from,
            flow_to: to,
            slack,
            reactive_limits: found.limits,
            reactive_violations,
            start: found.start,
            steps: newton.steps,
            mismatch: newton.largest,
            voltages: found.voltages,
            sides: found.sides,
        }
    }
}

/// Active output of each generator, and what slack adds. At a reference its first unit gives what is missing.
fn active_outputs(
    equations: &Equations,
    data: &AcData,
    injections: &[Complex64],
    distributed: &[f64],
) -> (Vec<f64>, Vec<AcSlack>) {
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
    for unit in model.units.iter().filter(|unit| unit.holds_voltage) {
        let node = unit.node;
        if equations.kinds[node] == NodeKind::Reference && !supplied[node] {
            supplied[node] = true;
            let added = injections[node].re - equations.specified[node].re;
            output[unit.row] += added;
            slack.push((model.island_of_node[node], AcSlack { bus: unit.bus, added }));
        }
    }
    slack.sort_by_key(|(island, slack)| (*island, slack.bus));
    (output, slack.into_iter().map(|(_, slack)| slack).collect())
}

/// Reactive output of each generator: units that hold the voltage of one node share what it needs in proportion to their ranges
/// (MATPOWER's `pfsoln`). And the nodes that need more than they have, by their first bus.
fn reactive_outputs(
    equations: &Equations,
    data: &AcData,
    injections: &[Complex64],
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
            None => injections[node].im - equations.specified[node].im,
        };
        let by = super::reactive::excess(model.q_limits[node], needed[node]);
        if sides[node].is_none() && equations.holds_voltage(node) && by.abs() > super::reactive::Q_TOLERANCE {
            beyond.push((model.bus_of_node[node], by));
        }
    }
    beyond.sort_by_key(|(bus, _)| *bus);
    // A limit that is infinite counts as more than all that is finite.
    let mut proxy: Vec<f64> = needed.iter().map(|q| 1.0 + q.abs()).collect();
    let holding = || model.units.iter().filter(|unit| unit.holds_voltage);
    for unit in holding() {
        for limit in unit.q_limits.into_iter().filter(|limit| limit.is_finite()) {
            proxy[unit.node] += limit.abs();
        }
    }
    let bounds = |unit: &super::model::Unit| {
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
fn flows(model: &AcModel, v: &[Complex64], net: &[Complex64]) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
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
        for (k, s) in model.zero_impedance.flows(&surplus) {
            let row = model.branches[k].row;
            from[row] = [from[row][0] + s.re, from[row][1] + s.im];
            to[row] = [to[row][0] - s.re, to[row][1] - s.im];
        }
    }
    (from, to)
}
