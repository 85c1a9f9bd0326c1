//! Products with the matrices of the program.

use super::program::{dot4, jabr_cone, jabr_transposed, Program};
use super::vectors::{times, ConeVector};

impl Program {
    /// Adds `G x` to rows, negated by the cone's sign convention: `out -= S x` where `s = h + S x`.
    pub fn add_g(&self, x: &[f64], u: &[[f64; 2]], out: &mut ConeVector) {
        let (bounds, rows) = out.linear.split_at_mut(self.bounds.len());
        for (out, b) in bounds.iter_mut().zip(&self.bounds) {
            *out += if b.is_upper { x[b.variable] } else { -x[b.variable] };
        }
        for (k, pair) in self.pairs.iter().enumerate() {
            let local = self.local(k, x, u);
            for (out, row) in rows[pair.rows.clone()].iter_mut().zip(&self.rows[pair.rows.clone()]) {
                *out += dot4(&row.row, &local);
            }
            let cone = jabr_cone(&local, pair.beta);
            for (out, c) in out.jabr[k].iter_mut().zip(cone) {
                *out -= c;
            }
            let ends = out.thermal[pair.thermal.clone()].iter_mut();
            for (out, t) in ends.zip(&self.thermal[pair.thermal.clone()]) {
                let inverse = 1.0 / t.scale;
                if let Some(variable) = t.elastic {
                    out[0] -= x[variable] * inverse;
                }
                out[1] -= dot4(&t.p, &local) * inverse;
                out[2] -= dot4(&t.q, &local) * inverse;
            }
        }
    }

    /// Adds `G'z` to variables.
    pub fn add_g_transposed(&self, z: &ConeVector, x: &mut [f64], u: &mut [[f64; 2]]) {
        let (bounds, rows) = z.linear.split_at(self.bounds.len());
        for (z, b) in bounds.iter().zip(&self.bounds) {
            x[b.variable] += if b.is_upper { *z } else { -z };
        }
        for (k, pair) in self.pairs.iter().enumerate() {
            let mut sum = times(-1.0, &jabr_transposed(&z.jabr[k], pair.beta));
            for (z, row) in rows[pair.rows.clone()].iter().zip(&self.rows[pair.rows.clone()]) {
                for c in 0..4 {
                    sum[c] += z * row.row[c];
                }
            }
            let ends = z.thermal[pair.thermal.clone()].iter();
            for (z, t) in ends.zip(&self.thermal[pair.thermal.clone()]) {
                let inverse = 1.0 / t.scale;
                if let Some(variable) = t.elastic {
                    x[variable] -= z[0] * inverse;
                }
                let (zp, zq) = (z[1] * inverse, z[2] * inverse);
                for c in 0..4 {
                    sum[c] -= zp * t.p[c] + zq * t.q[c];
                }
            }
            x[pair.nodes[0]] += sum[0];
            x[pair.nodes[1]] += sum[1];
            u[k][0] += sum[2];
            u[k][1] += sum[3];
        }
    }

    /// Adds `A x` to balances.
    pub fn add_a(&self, x: &[f64], u: &[[f64; 2]], y: &mut [[f64; 2]]) {
        for ((y, shunt), w) in y.iter_mut().zip(&self.shunt).zip(x) {
            y[0] += shunt[0] * w;
            y[1] += shunt[1] * w;
        }
        for (column, x) in self.columns.iter().zip(&x[self.n..]) {
            y[column.node][column.part] += column.sign * x;
        }
        for (k, pair) in self.pairs.iter().enumerate() {
            let local = self.local(k, x, u);
            let [f, t] = pair.nodes;
            y[f][0] -= dot4(&pair.flow[0], &local);
            y[f][1] -= dot4(&pair.flow[1], &local);
            y[t][0] -= dot4(&pair.flow[2], &local);
            y[t][1] -= dot4(&pair.flow[3], &local);
        }
    }

    /// Adds `A'y` to variables.
    pub fn add_a_transposed(&self, y: &[[f64; 2]], x: &mut [f64], u: &mut [[f64; 2]]) {
        for ((x, shunt), y) in x.iter_mut().zip(&self.shunt).zip(y) {
            *x += shunt[0] * y[0] + shunt[1] * y[1];
        }
        for (column, x) in self.columns.iter().zip(&mut x[self.n..]) {
            *x += column.sign * y[column.node][column.part];
        }
        for (k, pair) in self.pairs.iter().enumerate() {
            let [f, t] = pair.nodes;
            let by = [y[f][0], y[f][1], y[t][0], y[t][1]];
            let mut sum = [0.0; 4];
            for (row, y) in pair.flow.iter().zip(by) {
                for c in 0..4 {
                    sum[c] -= row[c] * y;
                }
            }
            x[f] += sum[0];
            x[t] += sum[1];
            u[k][0] += sum[2];
            u[k][1] += sum[3];
        }
    }
}
