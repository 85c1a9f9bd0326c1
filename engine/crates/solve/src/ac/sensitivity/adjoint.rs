//! Derivatives of one result with respect to many parameters, by one solve with the transposed Jacobian.
//!
//! For a result `g(x, p)` of the equations `F(x, p) = 0` the derivative is `dg/dp - l' dF/dp` with `J' l = dg/dx`. The
//! partial derivatives are formed here from admittances and voltages, independently of the power series that gives
//! columns.

use super::parameter::{branch, node, Change};
use crate::ac::model::admittance::{BranchData, BranchParameter, TwoPort};
use crate::ac::model::analysis::AcModel;
use crate::ac::result::base::AcBase;
use crate::vocabulary::{not_available, BranchEnd, Operand, Parameter};
use num_complex::Complex64;
use wattbook_network::error::Result;

/// The gradient of a result: its derivative with respect to `(angle, ln magnitude)` of each node, and complex weights
/// of the branch powers `[S_f, S_t]` in it (real part for P, imaginary for Q).
struct Gradient {
    by_state: Vec<[f64; 2]>,
    weight: BranchWeight,
}

#[derive(Clone, Copy)]
enum BranchWeight {
    None,
    One(usize, [Complex64; 2]),
    Losses,
}

impl BranchWeight {
    fn of(self, branch: usize) -> Option<[Complex64; 2]> {
        match self {
            Self::One(own, weight) if own == branch => Some(weight),
            Self::Losses => Some([Complex64::new(1.0, 0.0); 2]),
            _ => None,
        }
    }
}

/// Weighted sum of a complex power's parts.
fn weighed(weight: Complex64, s: Complex64) -> f64 {
    weight.re * s.re + weight.im * s.im
}

/// Partial derivatives of the equations with respect to a parameter, as complex powers by node.
type Partials = Vec<(usize, Complex64)>;

impl AcBase {
    /// Derivatives of a result with respect to `parameters`, in their order, per unit and radians.
    ///
    /// # Errors
    /// As [`AcBase::sensitivity`], for results and parameters.
    pub fn gradient(&self, model: &AcModel, operand: Operand, parameters: &[Parameter]) -> Result<Vec<f64>> {
        let changes = parameters.iter().map(|&p| Change::of_parameter(self, model, p));
        let changes: Vec<Change> = changes.collect::<Result<_>>()?;
        let gradient = self.operand(model, operand)?;
        let mut l = gradient.by_state.clone();
        self.jacobian.solve_transposed(model, &mut l);
        let value = |change: &Change| {
            let (partials, direct) = self.partials(model, change, &gradient);
            let along = partials
                .iter()
                .fold(0.0, |sum, &(node, s)| sum + l[node][0] * s.re + l[node][1] * s.im);
            direct - along
        };
        Ok(changes.iter().map(value).collect())
    }

    fn operand(&self, model: &AcModel, operand: Operand) -> Result<Gradient> {
        let mut g = vec![[0.0; 2]; model.kinds.len()];
        let mut weight = BranchWeight::None;
        let (one, j) = (Complex64::new(1.0, 0.0), Complex64::new(0.0, 1.0));
        let ends = |end: BranchEnd, w: Complex64| match end {
            BranchEnd::From => [w, Complex64::default()],
            BranchEnd::To => [Complex64::default(), w],
        };
        match operand {
            Operand::Magnitude(bus) => {
                let node = node(model, bus)?;
                g[node][1] = self.solution.voltages.magnitude[node];
            }
            Operand::Angle(bus) => g[node(model, bus)?][0] = 1.0,
            Operand::Flow(row, end) => weight = BranchWeight::One(branch(model, row)?, ends(end, one)),
            Operand::ReactiveFlow(row, end) => weight = BranchWeight::One(branch(model, row)?, ends(end, j)),
            Operand::Losses => weight = BranchWeight::Losses,
            other => return Err(not_available(&format!("{other:?}"), "any parameter", "acpf")),
        }
        for k in 0..model.branches.len() {
            if let Some(weight) = weight.of(k) {
                self.add_flow(model, k, weight, &mut g);
            }
        }
        Ok(Gradient { by_state: g, weight })
    }

    /// Adds the derivative of a branch's weighed powers: of `S_f = |V_f|^2 conj(ff) + T` with `T = V_f conj(ft V_t)` it is
    /// `j T, 2 S_ff + T` by angle and magnitude of the own end, `-j T, T` by those of the other.
    fn add_flow(&self, model: &AcModel, k: usize, weight: [Complex64; 2], g: &mut [[f64; 2]]) {
        let branch = &model.branches[k];
        let v = &self.solution.voltages.phasor;
        let port = &branch.port;
        let [f, t] = branch.nodes;
        let j = Complex64::new(0.0, 1.0);
        for (own, other, y_own, y_other, weight) in
            [(f, t, port.ff, port.ft, weight[0]), (t, f, port.tt, port.tf, weight[1])]
        {
            let square = y_own.conj() * v[own].norm_sqr();
            let across = v[own] * (y_other * v[other]).conj();
            g[own][0] += weighed(weight, j * across);
            g[own][1] += weighed(weight, square * 2.0 + across);
            g[other][0] += weighed(weight, -j * across);
            g[other][1] += weighed(weight, across);
        }
    }

    /// Partial derivatives of the equations and of the result itself at constant voltages, except a controlled
    /// magnitude that moves.
    fn partials(&self, model: &AcModel, change: &Change, gradient: &Gradient) -> (Partials, f64) {
        let v = &self.solution.voltages.phasor;
        let mut partials: Partials = change.specified.iter().map(|&(node, s)| (node, -s)).collect();
        let mut direct = 0.0;
        if let Some((node, y)) = change.shunt {
            partials.push((node, y.conj() * v[node].norm_sqr()));
        }
        if let Some((k, parameter)) = change.branch {
            let branch = &model.branches[k];
            let [f, t] = branch.nodes;
            let port = first_order(&branch.data, parameter);
            let s_f = v[f] * (port.ff * v[f] + port.ft * v[t]).conj();
            let s_t = v[t] * (port.tf * v[f] + port.tt * v[t]).conj();
            partials.extend([(f, s_f), (t, s_t)]);
            if let Some(weight) = gradient.weight.of(k) {
                direct += weighed(weight[0], s_f) + weighed(weight[1], s_t);
            }
        }
        if let Some(node) = change.set_point {
            let y = &model.admittance;
            let scale = 1.0 / self.solution.voltages.magnitude[node];
            let own = v[node] * (y.diagonal[node] * v[node]).conj();
            partials.push((node, (self.injections[node] + own) * scale));
            for demand in model.voltage_dependent.iter().filter(|demand| demand.node == node) {
                partials.push((node, demand.constant_current));
            }
            // The pattern is symmetric, so the rows of neighbours contain the node.
            for &other in &y.columns[y.range(node)] {
                let other = other as usize;
                let row = y.range(other);
                if let Ok(at) = y.columns[row.clone()].binary_search(&(node as u32)) {
                    let across = v[other] * (y.values[row.start + at] * v[node]).conj();
                    partials.push((other, across * scale));
                }
            }
            direct += gradient.by_state[node][1] * scale;
        }
        (partials, direct)
    }
}

/// Derivative of a branch's two-port with respect to a parameter.
fn first_order(data: &BranchData, parameter: BranchParameter) -> TwoPort {
    let now = data.two_port();
    let j = Complex64::new(0.0, 1.0);
    let zero = Complex64::default();
    match parameter {
        BranchParameter::Tap => TwoPort {
            ff: now.ff * (-2.0 / data.tap),
            ft: -now.ft / data.tap,
            tf: -now.tf / data.tap,
            tt: zero,
        },
        BranchParameter::Shift => TwoPort {
            ff: zero,
            ft: now.ft * j,
            tf: now.tf * -j,
            tt: zero,
        },
        BranchParameter::SeriesConductance | BranchParameter::SeriesSusceptance => {
            let is_conductance = parameter == BranchParameter::SeriesConductance;
            let unit = if is_conductance { Complex64::new(1.0, 0.0) } else { j };
            TwoPort {
                ff: unit / (data.tap * data.tap),
                ft: -unit * data.shift / data.tap,
                tf: -unit * data.shift.conj() / data.tap,
                tt: unit,
            }
        }
    }
}
