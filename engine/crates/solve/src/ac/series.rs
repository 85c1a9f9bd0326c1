//! The solution as a power series in a parameter, on the factored Jacobian of a base.
//!
//! With `z = ln|V| + j angle = z_0 + sum c_k t^k` the voltages follow from `V' = z' V`, that is `k v_k = sum m c_m v_{k-m}`,
//! currents from `I = Y V` and injections from `S = V conj(I)`. The terms of order `k` that do not contain `c_k` are a right-hand
//! side of the Jacobian (the recursion of Trias's holomorphic embedding, IEEE PES General Meeting 2012, in logarithmic
//! coordinates, so that the linear system is Newton's own).

use super::base::AcBase;
use super::model::AcModel;
use super::parameter::Change;
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
    /// The first `orders` coefficients.
    pub fn new(base: &AcBase, model: &AcModel, change: &Change, orders: usize) -> Self {
        let n = model.kinds.len();
        let v0 = &base.solution.voltages.phasor;
        let mut found = Self {
            c: vec![vec![[0.0; 2]; n]],
            v: vec![v0.clone()],
            current: vec![base.currents.clone()],
            slack: vec![base.solution.voltages.slack.clone()],
        };
        for k in 1..=orders {
            let mut c = vec![[0.0; 2]; n];
            if let Some(node) = change.set_point {
                // ln(V + t), without `powi`, which may differ between machines.
                let falls = -1.0 / base.solution.voltages.magnitude[node];
                c[node][1] = -(0..k).fold(1.0, |product, _| product * falls) / k as f64;
            }
            let mut v = vec![Complex64::default(); n];
            for m in 1..k {
                let weight = m as f64 / k as f64;
                for ((v, c), earlier) in v.iter_mut().zip(&found.c[m]).zip(&found.v[k - m]) {
                    *v += Complex64::new(c[1] * weight, c[0] * weight) * earlier;
                }
            }
            if let Some(node) = change.set_point {
                v[node] += v0[node] * c[node][1];
            }
            found.v.push(v);
            found.current.push(Vec::new());
            let current = found.currents(model, change, k);
            found.current[k] = current;

            let mut left = vec![Complex64::default(); n];
            for m in 0..=k {
                for ((left, v), i) in left.iter_mut().zip(&found.v[m]).zip(&found.current[k - m]) {
                    *left -= v * i.conj();
                }
            }
            if k == 1 {
                for &(node, s) in &change.specified {
                    left[node] += s;
                }
            }
            let mut x: Vec<[f64; 2]> = left.iter().map(|s| [s.re, s.im]).collect();
            found.slack.push(base.jacobian.solve(model, &mut x));
            for (((c, x), v), v0) in c.iter_mut().zip(&x).zip(&mut found.v[k]).zip(v0) {
                c[0] += x[0];
                c[1] += x[1];
                *v += Complex64::new(x[1], x[0]) * v0;
            }
            found.c.push(c);
            found.current[k] = found.currents(model, change, k);
        }
        found
    }

    /// Currents of order `k` for the voltages up to it, what the change adds to the admittances included.
    fn currents(&self, model: &AcModel, change: &Change, k: usize) -> Vec<Complex64> {
        let mut out = vec![Complex64::default(); model.kinds.len()];
        model.admittance.times(&self.v[k], &mut out);
        if let Some((node, y)) = change.shunt {
            out[node] += y * self.v[k - 1][node];
        }
        if let Some((branch, parameter)) = change.branch {
            let branch = &model.branches[branch];
            let [f, t] = branch.nodes;
            for m in 1..=k {
                let port = branch.data.taylor(parameter, m);
                let (v_f, v_t) = (self.v[k - m][f], self.v[k - m][t]);
                out[f] += port.ff * v_f + port.ft * v_t;
                out[t] += port.tf * v_f + port.tt * v_t;
            }
        }
        out
    }

    /// Largest coefficient of an order, radians or relative.
    pub fn largest(&self, order: usize) -> f64 {
        self.c[order]
            .iter()
            .flatten()
            .fold(0.0, |m, x| if x.abs() > m { x.abs() } else { m })
    }
}
