//! The power flow equations, and the mismatch of a voltage in them.

use crate::ac::model::analysis::{AcData, AcModel};
use crate::ac::model::topology::{NodeKind, NO_NODE};
use num_complex::Complex64;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::{mvar, mw_exact, plain};
use wattbook_network::message::Message;

/// Which generators supply the imbalance of an island, losses included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlackRule {
    /// Each reference bus by itself (MATPOWER manual, section 4.1).
    Single,
    /// All generators of the island in proportion to their capacity. One reference fixes the angle; other references of
    /// the island control their voltage and supply their scheduled power.
    Distributed,
}

/// Voltages of all nodes, and the power of the slack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Voltages {
    pub magnitude: Vec<f64>,
    pub angle: Vec<f64>,
    /// `magnitude e^{j angle}`.
    pub phasor: Vec<Complex64>,
    /// By island: power that distributed slack adds, per unit.
    pub slack: Vec<f64>,
}

impl Voltages {
    pub fn new(magnitude: Vec<f64>, angle: Vec<f64>, islands: usize) -> Self {
        let mut voltages = Self {
            phasor: vec![Complex64::default(); magnitude.len()],
            slack: vec![0.0; islands],
            magnitude,
            angle,
        };
        voltages.set_phasors();
        voltages
    }

    /// Updates the phasors after a change of magnitudes or angles.
    pub fn set_phasors(&mut self) {
        for ((phasor, &magnitude), &angle) in self.phasor.iter_mut().zip(&self.magnitude).zip(&self.angle) {
            let (sin, cos) = libm::sincos(angle);
            *phasor = Complex64::new(magnitude * cos, magnitude * sin);
        }
    }

    /// Applies a step of `[d angle, d ln magnitude]` at each node.
    pub fn step(&mut self, by: &[[f64; 2]], slack: &[f64]) {
        for ((magnitude, angle), by) in self.magnitude.iter_mut().zip(&mut self.angle).zip(by) {
            *angle += by[0];
            *magnitude += *magnitude * by[1];
        }
        for (slack, by) in self.slack.iter_mut().zip(slack) {
            *slack += by;
        }
        self.set_phasors();
    }

    /// `step` that turns the phasors instead of computing them from the angles, which is faster for small steps. They
    /// differ by roundings.
    #[allow(clippy::needless_range_loop)]
    pub fn turn(&mut self, by: &[[f64; 2]], slack: &[f64]) {
        for node in 0..by.len() {
            let [turned, grown] = by[node];
            self.angle[node] += turned;
            self.magnitude[node] += self.magnitude[node] * grown;
            let (sin, cos) = sin_cos(turned);
            let (v, scale) = (self.phasor[node], 1.0 + grown);
            let (re, im) = (scale * cos, scale * sin);
            self.phasor[node] = Complex64::new(v.re * re - v.im * im, v.re * im + v.im * re);
        }
        for (slack, by) in self.slack.iter_mut().zip(slack) {
            *slack += by;
        }
    }
}

/// Sine and cosine; near zero by their series, whose first omitted terms are below a rounding.
#[inline(always)]
fn sin_cos(x: f64) -> (f64, f64) {
    const SMALL: f64 = 0.1;
    if x.abs() > SMALL {
        return libm::sincos(x);
    }
    let y = x * x;
    let sin =
        x * (1.0 - y * (1.0 / 6.0) * (1.0 - y * (1.0 / 20.0) * (1.0 - y * (1.0 / 42.0) * (1.0 - y * (1.0 / 72.0)))));
    let cos = 1.0 - y * 0.5 * (1.0 - y * (1.0 / 12.0) * (1.0 - y * (1.0 / 30.0) * (1.0 - y * (1.0 / 56.0))));
    (sin, cos)
}

/// The conditions at every node.
#[derive(Clone, Debug)]
pub(crate) struct Equations<'a> {
    pub model: &'a AcModel,
    pub rule: SlackRule,
    pub kinds: Vec<NodeKind>,
    /// Specified net injection, without the reactive power that controls a voltage.
    pub specified: Vec<Complex64>,
    /// Set-point of nodes with a controlled magnitude; at nodes whose units control another node, the magnitude of a
    /// start.
    pub set_point: Vec<f64>,
    /// Constant-current demand by node, per unit at 1 pu; empty if the case has none.
    pub constant_current: Vec<Complex64>,
    /// Nodes whose voltage is controlled by units at other nodes.
    pub remote: Vec<RemoteControl>,
}

/// A node whose voltage is controlled by units at other nodes. The nodes of these units supply equal reactive powers,
/// and so does the node itself if its own units control its voltage too.
#[derive(Clone, Debug)]
pub(crate) struct RemoteControl {
    pub regulated: usize,
    pub target: f64,
    /// Nodes of the units, in row order.
    pub by: Vec<usize>,
}

/// Net injections of the data, without the reactive power of units that control a voltage and without voltage-dependent
/// demand.
pub(crate) fn specified(model: &AcModel, data: &AcData) -> Vec<Complex64> {
    let mut out = vec![Complex64::default(); model.kinds.len()];
    for (bus, &node) in model
        .node_of_bus
        .iter()
        .enumerate()
        .filter(|(_, node)| **node != NO_NODE)
    {
        out[node] -= Complex64::new(data.demand[bus], data.demand_q[bus]);
    }
    for demand in &model.voltage_dependent {
        out[demand.node] += demand.constant_current + demand.constant_impedance;
    }
    for unit in &model.units {
        let q = if unit.holds_voltage {
            0.0
        } else {
            data.output_q[unit.row]
        };
        out[unit.node] += Complex64::new(data.output[unit.row], q);
    }
    out
}

impl<'a> Equations<'a> {
    /// # Errors
    /// `INPUT.VOLTAGE_SET_POINT`; `SOLVE.INFEASIBLE` for an island with power but no voltage control.
    pub fn new(model: &'a AcModel, data: &AcData, rule: SlackRule) -> Result<Self> {
        refuse_dead_islands(model, data)?;
        let mut kinds = model.kinds.clone();
        if rule == SlackRule::Distributed {
            for (node, kind) in kinds.iter_mut().enumerate() {
                if *kind == NodeKind::Reference && model.references[model.island_of_node[node]].0 != node {
                    *kind = NodeKind::Pv;
                }
            }
        }
        let mut set_point = vec![1.0; kinds.len()];
        for unit in model.units.iter().filter(|unit| unit.holds_voltage) {
            let v = data.set_point[unit.row];
            if !(v.is_finite() && v > 0.0) {
                let id = &model.generator_ids[unit.row];
                let (bus, voltage) = (&model.bus_ids[unit.bus], plain(v, "pu"));
                let message = message!("ac.voltage_set_point", generator = id, bus = bus, voltage = voltage);
                return Err(EngineError::new("INPUT.VOLTAGE_SET_POINT", message).at(id.clone()));
            }
            set_point[unit.node] = v;
        }
        let mut constant_current = Vec::new();
        for demand in &model.voltage_dependent {
            constant_current.resize(kinds.len(), Complex64::default());
            constant_current[demand.node] += demand.constant_current;
        }
        let mut remote: Vec<RemoteControl> = Vec::new();
        for control in &model.remote {
            let target = data.set_point[control.unit];
            set_point[control.node] = model.stored[control.node].0;
            match remote.iter_mut().find(|other| other.regulated == control.regulated) {
                Some(other) => {
                    other.target = target;
                    other.by.push(control.node);
                }
                None => remote.push(RemoteControl {
                    regulated: control.regulated,
                    target,
                    by: vec![control.node],
                }),
            }
        }
        Ok(Self {
            model,
            rule,
            kinds,
            specified: specified(model, data),
            set_point,
            constant_current,
            remote,
        })
    }

    /// Whether the units of the node control the voltage of another node.
    pub fn is_remote(&self, node: usize) -> bool {
        self.remote.iter().any(|control| control.by.contains(&node))
    }

    /// The node whose voltage the units of a node control, and its set-point.
    pub fn regulated(&self, node: usize) -> (usize, f64) {
        let control = self.remote.iter().find(|control| control.by.contains(&node));
        control.map_or((node, self.set_point[node]), |c| (c.regulated, c.target))
    }

    /// Power that slack and voltage-controlling units must supply at a node: its injection into the network in excess
    /// of the specified power.
    pub fn required(&self, node: usize, injections: &[Complex64], voltages: &Voltages) -> Complex64 {
        let left = injections[node] - self.specified[node];
        match self.constant_current.get(node) {
            Some(current) => left + current * voltages.magnitude[node],
            None => left,
        }
    }

    /// Conditions on the magnitudes of nodes whose units control another node's voltage, by node: either the voltage of
    /// the regulated node, or equality of its reactive power with that of another node.
    pub fn remote_conditions(&self) -> Vec<(usize, RemoteCondition)> {
        let mut conditions = Vec::new();
        for control in &self.remote {
            let mut by = control.by.iter().copied().filter(|&node| self.holds_voltage(node));
            let anchor = match self.holds_voltage(control.regulated) {
                true => Some(control.regulated),
                false => by.next().inspect(|&node| {
                    let (node_held, target) = (control.regulated, control.target);
                    conditions.push((node, RemoteCondition::Voltage(node_held, target)));
                }),
            };
            conditions.extend(anchor.into_iter().flat_map(|anchor| {
                let like = move |node| (node, RemoteCondition::ReactivePowerOf(anchor));
                by.by_ref().map(like).collect::<Vec<_>>()
            }));
        }
        conditions
    }

    pub fn holds_voltage(&self, node: usize) -> bool {
        self.kinds[node] != NodeKind::Pq
    }

    /// Share of its island's slack that a node supplies, in the equations of distributed slack.
    pub fn participation(&self, node: usize) -> f64 {
        match self.rule {
            SlackRule::Single => 0.0,
            SlackRule::Distributed => self.model.participation[node],
        }
    }

    /// Power that each node injects into the network (MATPOWER manual, equation 3.15).
    pub fn injections(&self, voltages: &Voltages, out: &mut Vec<Complex64>) {
        out.resize(self.kinds.len(), Complex64::default());
        self.model.admittance.times(&voltages.phasor, out);
        for (s, v) in out.iter_mut().zip(&voltages.phasor) {
            *s = v * s.conj();
        }
    }

    /// Active and reactive power that each node injects in excess of its specified power; zero where no power is
    /// specified. Returns the largest magnitude.
    ///
    /// Under distributed slack the active power of the reference is included.
    pub fn mismatch(&self, injections: &[Complex64], voltages: &Voltages, out: &mut Vec<[f64; 2]>) -> f64 {
        out.resize(self.kinds.len(), [0.0; 2]);
        let mut largest = 0.0;
        let conditions = self.remote_conditions();
        for (node, out) in out.iter_mut().enumerate() {
            let mut left = self.required(node, injections, voltages);
            if self.rule == SlackRule::Distributed {
                left.re -= self.model.participation[node] * voltages.slack[self.model.island_of_node[node]];
            }
            *out = match self.kinds[node] {
                NodeKind::Pq => [left.re, left.im],
                NodeKind::Pv => [left.re, 0.0],
                NodeKind::Reference if self.rule == SlackRule::Distributed => [left.re, 0.0],
                NodeKind::Reference => [0.0, 0.0],
            };
            for (_, condition) in conditions.iter().filter(|(at, _)| *at == node) {
                out[1] = match *condition {
                    RemoteCondition::Voltage(regulated, target) => libm::log(voltages.magnitude[regulated] / target),
                    RemoteCondition::ReactivePowerOf(other) => left.im - self.required(other, injections, voltages).im,
                };
            }
            for x in out {
                // NaN compares false and must not be overlooked.
                if x.abs() > largest || x.is_nan() {
                    largest = x.abs();
                }
            }
            if largest.is_nan() {
                return f64::NAN;
            }
        }
        largest
    }
}

/// The condition that determines the magnitude of a node whose units control another node's voltage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RemoteCondition {
    /// The voltage of the regulated node is at its set-point.
    Voltage(usize, f64),
    /// Its units supply as much reactive power as those of this node.
    ReactivePowerOf(usize),
}

fn refuse_dead_islands(model: &AcModel, data: &AcData) -> Result<()> {
    let refuse =
        |bus: &ElementRef, message: Message| Err(EngineError::new("SOLVE.INFEASIBLE", message).at(bus.clone()));
    for &bus in &model.dead {
        let (p, q) = (data.demand[bus] * model.base_mva, data.demand_q[bus] * model.base_mva);
        if p != 0.0 || q != 0.0 {
            let bus = &model.bus_ids[bus];
            let message = message!("ac.dead_demand", bus = bus, active = mw_exact(p), reactive = mvar(q));
            return refuse(bus, message);
        }
    }
    for &(row, bus) in &model.dead_units {
        let (p, q) = (data.output[row] * model.base_mva, data.output_q[row] * model.base_mva);
        if p != 0.0 || q != 0.0 {
            let (bus, unit) = (&model.bus_ids[bus], &model.generator_ids[row]);
            let (active, reactive) = (mw_exact(p), mvar(q));
            let message = message!(
                "ac.dead_generator",
                bus = bus,
                generator = unit,
                active = active,
                reactive = reactive
            );
            return refuse(bus, message);
        }
    }
    Ok(())
}
