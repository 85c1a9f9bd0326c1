//! Derivatives of a solution with respect to one parameter, with an estimate of their range.

use super::parameter::Change;
use super::series::Series;
use crate::ac::model::analysis::AcModel;
use crate::ac::model::topology::NodeKind;
use crate::ac::newton::equations::SlackRule;
use crate::ac::newton::reactive::{are_equal, Limited, ReactiveLimits};
use crate::ac::result::base::AcBase;
use crate::vocabulary::{Direction, Parameter};
use num_complex::Complex64;
use wattbook_network::error::Result;

/// Voltage error that a warrant allows: radians, or relative.
pub const WARRANTED_ERROR: f64 = 1e-3;

/// The event that ends the interval of a warrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcEvent {
    /// The estimated error of some voltage reaches `WARRANTED_ERROR`.
    Error,
    /// Units that control the voltage of this bus (dense row) reach a reactive limit.
    ReactiveLimit { bus: usize },
    /// The voltage of this bus, whose units are at a reactive limit, reaches its set-point.
    SetPointReached { bus: usize },
}

/// The end of a column's range in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcEnd {
    /// Step from the present state, per unit of the parameter.
    pub step: f64,
    pub event: AcEvent,
}

/// The range of a column. The error after a step `t` is estimated as `t^2 n2 + t^3 n3 + t^4 n4 / (1 - t n4 / n3)` from
/// the next three terms of the series, where `n_k` is the largest coefficient of order `k`. It is an estimate, not a
/// bound.
#[derive(Clone, Debug, PartialEq)]
pub struct AcWarrant {
    /// `n2`, `n3`, `n4`.
    pub terms: [f64; 3],
    /// `None` if nothing ends the interval.
    pub lower: Option<AcEnd>,
    pub upper: Option<AcEnd>,
}

/// Derivatives with respect to one parameter, per unit and radians by dense row; zero for elements out of service.
#[derive(Clone, Debug, PartialEq)]
pub struct AcSensitivity {
    /// Of each bus voltage.
    pub magnitude: Vec<f64>,
    pub angle: Vec<f64>,
    /// Of active and reactive power into each branch at its ends; NaN for a branch without impedance.
    pub flow_from: Vec<[f64; 2]>,
    pub flow_to: Vec<[f64; 2]>,
    pub losses: f64,
    /// Of the slack, in the order of `AcSolution::slack`.
    pub slack: Vec<f64>,
    /// Of the reactive output of the units that control a voltage, at the first bus of their node.
    pub reactive: Vec<f64>,
    pub warrant: AcWarrant,
}

/// The largest `t` at which the error estimate is valid and within its tolerance; `None` if `t` is unlimited.
fn allowed_step(terms: [f64; 3]) -> Option<f64> {
    const FAR: f64 = 1e6;
    let [n2, n3, n4] = terms;
    let ratio = if n3 > 0.0 { n4 / n3 } else { 0.0 };
    let is_allowed = |t: f64| {
        let error = t * t * (n2 + t * (n3 + t * n4 / (1.0 - t * ratio)));
        t * ratio <= 0.5 && error <= WARRANTED_ERROR
    };
    if is_allowed(FAR) {
        return None;
    }
    let mut high = FAR;
    while high > 1e-12 && !is_allowed(0.5 * high) {
        high *= 0.5;
    }
    let mut low = 0.5 * high;
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if is_allowed(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

impl AcBase {
    /// Differentiates the solution with respect to a parameter.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for an element out of service, a branch without impedance, or the set-point of a bus whose voltage is not controlled.
    pub fn sensitivity(&self, model: &AcModel, parameter: Parameter) -> Result<AcSensitivity> {
        Ok(self.derive(model, &Change::of_parameter(self, model, parameter)?))
    }

    /// Differentiates the solution along a change of powers.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for an element out of service.
    pub fn sensitivity_along(&self, model: &AcModel, direction: &Direction) -> Result<AcSensitivity> {
        Ok(self.derive(model, &Change::of_direction(model, direction)?))
    }

    fn derive(&self, model: &AcModel, change: &Change) -> AcSensitivity {
        let series = Series::new(self, model, change, 4);
        let c = &series.c[1];
        let mut constant_current = vec![Complex64::default(); c.len()];
        for demand in &model.voltage_dependent {
            constant_current[demand.node] += demand.constant_current;
        }
        // Injection of a node and its constant-current demand, less the specified power.
        let injected = |node: usize| -> Complex64 {
            let (v0, v1) = (series.v[0][node], series.v[1][node]);
            let drawn = constant_current[node] * (c[node][1] * self.solution.voltages.magnitude[node]);
            v1 * series.current[0][node].conj() + v0 * series.current[1][node].conj() + drawn
        };
        let mut specified = vec![Complex64::default(); c.len()];
        for &(node, s) in &change.specified {
            specified[node] += s;
        }
        let mut column = AcSensitivity {
            magnitude: vec![0.0; model.n_bus],
            angle: vec![0.0; model.n_bus],
            flow_from: vec![[0.0; 2]; model.n_branch],
            flow_to: vec![[0.0; 2]; model.n_branch],
            losses: 0.0,
            slack: series.slack[1].clone(),
            reactive: vec![0.0; model.n_bus],
            warrant: AcWarrant {
                terms: [2, 3, 4].map(|k| series.largest(k)),
                lower: None,
                upper: None,
            },
        };
        for bus in (0..model.n_bus).filter(|&bus| model.energised(bus)) {
            let node = model.node_of_bus[bus];
            column.angle[bus] = c[node][0];
            column.magnitude[bus] = c[node][1] * self.solution.voltages.magnitude[node];
        }
        for (node, kind) in self.jacobian.kinds.iter().enumerate() {
            if *kind != NodeKind::Pq {
                column.reactive[model.bus_of_node[node]] = (injected(node) - specified[node]).im;
            }
        }
        if self.solution.options.slack == SlackRule::Single {
            let at = |bus: usize| model.node_of_bus[bus];
            let references = self.solution.slack.iter().map(|s| at(s.bus));
            column.slack = references.map(|node| (injected(node) - specified[node]).re).collect();
        }
        self.derive_flows(model, change, &series, &mut column);
        self.bound(model, &mut column);
        column
    }

    fn derive_flows(&self, model: &AcModel, change: &Change, series: &Series, column: &mut AcSensitivity) {
        for (k, branch) in model.branches.iter().enumerate() {
            if branch.is_merged() {
                column.flow_from[branch.row] = [f64::NAN; 2];
                column.flow_to[branch.row] = [f64::NAN; 2];
                continue;
            }
            let [f, t] = branch.nodes;
            let (f0, t0, f1, t1) = (series.v[0][f], series.v[0][t], series.v[1][f], series.v[1][t]);
            let port = &branch.port;
            let mut current = [port.ff * f1 + port.ft * t1, port.tf * f1 + port.tt * t1];
            if let Some((own, parameter)) = change.branch {
                if own == k {
                    let port = branch.data.taylor(parameter, 1);
                    current[0] += port.ff * f0 + port.ft * t0;
                    current[1] += port.tf * f0 + port.tt * t0;
                }
            }
            let s_f = f1 * (port.ff * f0 + port.ft * t0).conj() + f0 * current[0].conj();
            let s_t = t1 * (port.tf * f0 + port.tt * t0).conj() + t0 * current[1].conj();
            column.flow_from[branch.row] = [s_f.re, s_f.im];
            column.flow_to[branch.row] = [s_t.re, s_t.im];
            column.losses += s_f.re + s_t.re;
        }
    }

    /// Sets the ends of the warrant: by the estimated error, and by the first reactive limit if limits are enforced.
    fn bound(&self, model: &AcModel, column: &mut AcSensitivity) {
        let step = allowed_step(column.warrant.terms);
        let end = |step| AcEnd {
            step,
            event: AcEvent::Error,
        };
        let mut ends = [step.map(|s| end(-s)), step.map(end)];
        if matches!(self.solution.reactive_limits, ReactiveLimits::Kept { .. }) {
            // By node: reactive power of the units that control the voltage, and the voltage.
            let (mut q, mut set_point) = (vec![0.0; model.kinds.len()], vec![1.0; model.kinds.len()]);
            for unit in model.units.iter().filter(|unit| unit.holds_voltage) {
                q[unit.node] += self.solution.output_q[unit.row];
                set_point[unit.node] = self.solution.data.set_point[unit.row];
            }
            let mut held: Vec<usize> = model.bus_of_node.clone();
            for control in &model.remote {
                held[control.node] = model.bus_of_node[control.regulated];
            }
            let mut meet = |distance: f64, rate: f64, event: AcEvent| {
                // `distance` remains of a quantity that falls at `rate`.
                if rate == 0.0 || !distance.is_finite() {
                    return;
                }
                let step = distance.max(0.0) / rate;
                let side = usize::from(rate > 0.0);
                if ends[side].is_none_or(|e| step.abs() < e.step.abs()) {
                    ends[side] = Some(AcEnd { step, event });
                }
            };
            for (node, side) in self.solution.sides.iter().enumerate() {
                let bus = model.bus_of_node[node];
                match side {
                    None if self.jacobian.kinds[node] == NodeKind::Pv => {
                        let q = q[node];
                        let [lower, upper] = model.q_limits[node];
                        let rate = column.reactive[bus];
                        if lower <= upper {
                            meet(upper - q, rate, AcEvent::ReactiveLimit { bus });
                            meet(q - lower, -rate, AcEvent::ReactiveLimit { bus });
                        }
                    }
                    None => {}
                    Some(_) if are_equal(model.q_limits[node]) => {}
                    Some(side) => {
                        let past = self.solution.magnitude[held[node]] - set_point[node];
                        let rate = column.magnitude[held[node]];
                        match side {
                            Limited::AtMax => meet(-past, rate, AcEvent::SetPointReached { bus }),
                            Limited::AtMin => meet(past, -rate, AcEvent::SetPointReached { bus }),
                        }
                    }
                }
            }
        }
        [column.warrant.lower, column.warrant.upper] = ends;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_where_the_estimate_does() {
        // t^2 n2 alone.
        let t = allowed_step([10.0, 0.0, 0.0]).unwrap();
        assert!((t - 0.01).abs() < 1e-10);
        // The estimate ends before its error does.
        let t = allowed_step([1e-6, 1e-6, 1e-5]).unwrap();
        assert!((t - 0.05).abs() < 1e-10);
        assert_eq!(allowed_step([0.0, 0.0, 0.0]), None);
    }
}
