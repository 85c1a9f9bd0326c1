//! A solved AC power flow, and its options.

use super::outputs::{active_outputs, flows, reactive_outputs, AcSlack};
use crate::ac::model::analysis::{AcData, AcModel};
use crate::ac::model::elements::Unit;
use crate::ac::newton::equations::{Equations, SlackRule, Voltages};
use crate::ac::newton::failure::not_converged;
use crate::ac::newton::method::Newton;
use crate::ac::newton::reactive::{enforce, enforce_equal, Limited, ReactiveLimits, Sides};
use crate::ac::newton::starts::{self, Start};
use num_complex::Complex64;
use wattbook_network::error::Result;

/// Options of a power flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcOptions {
    pub slack: SlackRule,
    /// Enforce the reactive limits of voltage-controlling units, except at references.
    pub reactive_limits: bool,
    /// Start from the voltages of the source only, as MATPOWER does.
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
    /// One entry for each reference, or for each island under distributed slack; islands by their first bus.
    pub slack: Vec<AcSlack>,
    /// Generators (dense rows) whose output exceeds their active limits because of their slack.
    pub active_violations: Vec<usize>,
    pub reactive_limits: ReactiveLimits,
    /// Buses fixed at a reactive limit, by the first bus of their node.
    pub limited: Vec<(usize, Limited)>,
    /// Buses whose voltage control needs more (positive) or less reactive power than their units have, with the excess.
    pub reactive_violations: Vec<(usize, f64)>,
    pub start: Start,
    /// Newton steps of all starts and rounds.
    pub steps: usize,
    /// Largest remaining mismatch.
    pub mismatch: f64,
    pub(crate) voltages: Voltages,
    pub(crate) sides: Sides,
}

/// Voltages and flows of a solution, with the meaning of those in `AcSolution`.
#[derive(Clone, Debug)]
pub struct AcFlows {
    pub magnitude: Vec<f64>,
    pub angle: Vec<f64>,
    pub flow_from: Vec<[f64; 2]>,
    pub flow_to: Vec<[f64; 2]>,
}

/// The state of the solver at a solution.
pub(crate) struct Found<'a> {
    pub equations: Equations<'a>,
    pub voltages: Voltages,
    pub sides: Sides,
    pub limits: ReactiveLimits,
    pub start: Start,
}

impl AcModel {
    /// Whether a start other than the source's voltages and the continuation in load leads to a solution, without
    /// reactive limits.
    ///
    /// # Errors
    /// The data errors of `solve`.
    pub fn converges(&self, data: &AcData, slack: SlackRule) -> Result<bool> {
        let equations = Equations::new(self, data, slack)?;
        Ok(starts::converges(&equations))
    }

    /// Solves the power flow of `data` from the usual starts.
    ///
    /// # Errors
    /// `SOLVE.NOT_CONVERGED`, with the largest loading that has a solution, if any, and the buses where it ends;
    /// `SOLVE.INFEASIBLE` for an island with power but no voltage control; `INPUT.VOLTAGE_SET_POINT`.
    pub fn solve(&self, data: &AcData, options: AcOptions) -> Result<AcSolution> {
        let mut equations = Equations::new(self, data, options.slack)?;
        let mut newton = Newton::default();
        let (mut voltages, start) = starts::solve(&mut newton, &equations, options.only_stored_start)
            .map_err(|unsolved| not_converged(self, &unsolved))?;
        let mut sides = vec![None; self.kinds.len()];
        let limits = limited(&mut newton, &mut equations, &mut voltages, &mut sides, options);
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

/// Enforces the reactive limits from a solution without limits, if the options ask for it.
pub(crate) fn limited(
    newton: &mut Newton,
    equations: &mut Equations,
    voltages: &mut Voltages,
    sides: &mut Sides,
    options: AcOptions,
) -> ReactiveLimits {
    if !options.reactive_limits {
        return ReactiveLimits::Ignored;
    }
    let mut rounds = enforce(newton, equations, voltages, sides);
    if rounds.is_none() && !options.only_stored_start {
        rounds = enforce_equal(newton, equations, voltages, sides);
    }
    rounds.map_or(ReactiveLimits::NotKept, |rounds| ReactiveLimits::Kept { rounds })
}

/// Outputs and flows at the solved voltages.
struct Outputs {
    output: Vec<f64>,
    output_q: Vec<f64>,
    slack: Vec<AcSlack>,
    reactive_violations: Vec<(usize, f64)>,
    /// Generation less demand of each bus.
    net: Vec<Complex64>,
}

impl Found<'_> {
    /// Voltage of each bus.
    fn by_bus(&self) -> (Vec<f64>, Vec<f64>) {
        let model = self.equations.model;
        let (mut magnitude, mut angle) = (vec![0.0; model.n_bus], vec![0.0; model.n_bus]);
        for bus in (0..model.n_bus).filter(|&bus| model.energised(bus)) {
            let node = model.node_of_bus[bus];
            (magnitude[bus], angle[bus]) = (self.voltages.magnitude[node], self.voltages.angle[node]);
        }
        (magnitude, angle)
    }

    /// Requires that `newton` last evaluated these voltages.
    fn outputs(&self, data: &AcData, newton: &Newton) -> Outputs {
        let (equations, model) = (&self.equations, self.equations.model);
        let injections = &newton.injections;
        let voltages = &self.voltages;
        let (output, slack) = active_outputs(equations, data, injections, voltages);
        let (output_q, reactive_violations) = reactive_outputs(equations, data, injections, voltages, &self.sides);
        let mut net = vec![Complex64::default(); model.n_bus];
        for (bus, net) in net.iter_mut().enumerate().filter(|(bus, _)| model.energised(*bus)) {
            *net -= Complex64::new(data.demand[bus], data.demand_q[bus]);
        }
        for demand in &model.voltage_dependent {
            net[demand.bus] -= demand.beyond(voltages.magnitude[demand.node]);
        }
        for unit in &model.units {
            net[unit.bus] += Complex64::new(output[unit.row], output_q[unit.row]);
        }
        Outputs {
            output,
            output_q,
            slack,
            reactive_violations,
            net,
        }
    }

    /// Voltages and flows alone; requires that `newton` last evaluated these voltages.
    pub fn flows(&self, data: &AcData, newton: &Newton) -> AcFlows {
        let model = self.equations.model;
        // Only flows between buses of one node follow from balances.
        let net = match model.zero_impedance.is_empty() {
            true => Vec::new(),
            false => self.outputs(data, newton).net,
        };
        let (flow_from, flow_to) = flows(model, &self.voltages.phasor, &net);
        let (magnitude, angle) = self.by_bus();
        AcFlows {
            magnitude,
            angle,
            flow_from,
            flow_to,
        }
    }
}

impl AcSolution {
    /// Publishes a solution; requires that `newton` last evaluated it.
    pub(crate) fn new(data: &AcData, options: AcOptions, newton: Newton, found: Found) -> Self {
        let model = found.equations.model;
        let (magnitude, angle) = found.by_bus();
        let Outputs {
            output,
            output_q,
            slack,
            reactive_violations,
            net,
        } = found.outputs(data, &newton);
        let (from, to) = flows(model, &found.voltages.phasor, &net);
        let added_to = |unit: &&Unit| output[unit.row] != data.output[unit.row];
        let outside = |unit: &&Unit| {
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
