//! The solution as a power series in a parameter, on the factored Jacobian of a base.
//!
//! With `z = ln|V| + j angle = z_0 + sum c_k t^k` the voltages follow from `V' = z' V`, that is `k v_k = sum m c_m v_{k-m}`,
//! currents from `I = Y V` and injections from `S = V conj(I)`. The terms of order `k` that do not contain `c_k` are a right-hand
//! side of the Jacobian (the recursion of Trias's holomorphic embedding, IEEE PES General Meeting 2012, in logarithmic
//! coordinates, so that the linear system is Newton's own).

use super::parameter::Change;
use crate::ac::model::analysis::AcModel;
use crate::ac::result::base::AcBase;
use num_complex::Complex64;

/// Coefficients by order, from order 0; by node.
pub(crate) struct Series {
    /// `[angle, ln magnitude]`; zero at order 0.
    pub c: Vec<Vec<[f64; 2]>>,
    pub v: Vec<Vec<Complex64>>,
    pub current: Vec<Vec<Complex64>>,
    /// Slack of each island.
    pub slack: Vec<Vec<f64>>,
}

impl Series {
    /// The first `orders` coefficients. The loops use indices because zipped iterators were not inlined.
    #[allow(clippy::needless_range_loop)]
    pub fn new(base: &AcBase, model: &AcModel, change: &Change, orders: usize) -> Self {
        let n = model.kinds.len();
        let v0 = &base.solution.voltages.phasor;
        let mut found = Self {
            c: vec![vec![[0.0; 2]; n]],
            v: vec![v0.clone()],
            current: vec![base.currents.clone()],
            slack: vec![base.solution.voltages.slack.clone()],
        };
        // Magnitudes, which demand of constant current is proportional to: k m_k = sum j c_j m_{k-j}.
        let mut magnitude = vec![base.solution.voltages.magnitude.clone()];
        for k in 1..=orders {
            let mut c = vec![[0.0; 2]; n];
            if let Some(node) = change.set_point {
                // ln(V + t). `powi` may give different bits on different machines.
                let falls = -1.0 / base.solution.voltages.magnitude[node];
                c[node][1] = -(0..k).fold(1.0, |product, _| product * falls) / k as f64;
            }
            let mut v = vec![Complex64::default(); n];
            for m in 1..k {
                let weight = m as f64 / k as f64;
                let (c, earlier) = (&found.c[m][..n], &found.v[k - m][..n]);
                for node in 0..n {
                    v[node] += Complex64::new(c[node][1] * weight, c[node][0] * weight) * earlier[node];
                }
            }
            if let Some(node) = change.set_point {
                v[node] += v0[node] * c[node][1];
            }
            found.v.push(v);
            found.current.push(vec![Complex64::default(); n]);
            // At the first order only a moving set-point has a nonzero voltage.
            if k > 1 || change.set_point.is_some() {
                model.admittance.times(&found.v[k], &mut found.current[k]);
            }
            found.add_changes(model, change, k);

            let mut left = vec![Complex64::default(); n];
            for m in 0..=k {
                let (v, current) = (&found.v[m][..n], &found.current[k - m][..n]);
                for node in 0..n {
                    left[node] -= v[node] * current[node].conj();
                }
            }
            if !model.voltage_dependent.is_empty() {
                let mut known = vec![0.0; n];
                for node in 0..n {
                    known[node] = c[node][1] * magnitude[0][node];
                    for m in 1..k {
                        known[node] += m as f64 / k as f64 * found.c[m][node][1] * magnitude[k - m][node];
                    }
                }
                for demand in &model.voltage_dependent {
                    left[demand.node] -= demand.constant_current * known[demand.node];
                }
                magnitude.push(known);
            }
            if k == 1 {
                for &(node, s) in &change.specified {
                    left[node] += s;
                }
            }
            let mut x: Vec<[f64; 2]> = left.iter().map(|s| [s.re, s.im]).collect();
            base.jacobian.put_conditions(&mut x);
            found.slack.push(base.jacobian.solve(model, &mut x));
            if let Some(latest) = magnitude.get_mut(k) {
                for node in 0..n {
                    latest[node] += x[node][1] * base.solution.voltages.magnitude[node];
                }
            }
            let v = &mut found.v[k][..n];
            for node in 0..n {
                let [angle, magnitude] = x[node];
                c[node] = [c[node][0] + angle, c[node][1] + magnitude];
                v[node] += Complex64::new(magnitude, angle) * v0[node];
            }
            found.c.push(c);
            // Currents of the last order are not needed.
            if k == 1 || k < orders {
                model.admittance.times(&found.v[k], &mut found.current[k]);
                found.add_changes(model, change, k);
            }
        }
        found
    }

    /// Adds the effect of changed admittances to the currents of order `k`.
    fn add_changes(&mut self, model: &AcModel, change: &Change, k: usize) {
        if let Some((node, y)) = change.shunt {
            let v = self.v[k - 1][node];
            self.current[k][node] += y * v;
        }
        if let Some((branch, parameter)) = change.branch {
            let branch = &model.branches[branch];
            let [f, t] = branch.nodes;
            for m in 1..=k {
                let port = branch.data.taylor(parameter, m);
                let (v_f, v_t) = (self.v[k - m][f], self.v[k - m][t]);
                self.current[k][f] += port.ff * v_f + port.ft * v_t;
                self.current[k][t] += port.tf * v_f + port.tt * v_t;
            }
        }
    }

    /// Largest coefficient of an order, radians or relative.
    pub fn largest(&self, order: usize) -> f64 {
        self.c[order]
            .iter()
            .flatten()
            .fold(0.0, |m, x| if x.abs() > m { x.abs() } else { m })
    }
}
