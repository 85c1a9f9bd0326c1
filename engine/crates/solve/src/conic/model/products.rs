//! Products with the matrices of the program.

use super::pair::PairRow;
use super::program::{dot4, jabr_cone, jabr_transposed, Program};
use super::vectors::{times, ConeVector, Vector};

impl Program {
    /// Adds `G x` to rows; with the cones' sign convention `s = h + S x`, this is `out -= S x`.
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
            let cone = jabr_cone(&local, pair.boost);
            for (out, c) in out.jabr[k].iter_mut().zip(cone) {
                *out -= c;
            }
            let ends = out.thermal[pair.thermal.clone()].iter_mut();
            for (out, t) in ends.zip(&self.thermal[pair.thermal.clone()]) {
                let inverse = t.inverse;
                if let Some(variable) = t.elastic {
                    out[0] -= x[variable] * inverse;
                }
                out[1] -= dot4(&t.p, &local) * inverse;
                out[2] -= dot4(&t.q, &local) * inverse;
            }
        }
        for s in &self.softened {
            out.linear[s.row] -= s.slope * x[s.variable];
        }
    }

    /// Adds `G'z` to variables.
    pub fn add_g_transposed(&self, z: &ConeVector, x: &mut [f64], u: &mut [[f64; 2]]) {
        let (bounds, rows) = z.linear.split_at(self.bounds.len());
        for (z, b) in bounds.iter().zip(&self.bounds) {
            x[b.variable] += if b.is_upper { *z } else { -z };
        }
        for (k, pair) in self.pairs.iter().enumerate() {
            let mut sum = times(-1.0, &jabr_transposed(&z.jabr[k], pair.boost));
            for (z, row) in rows[pair.rows.clone()].iter().zip(&self.rows[pair.rows.clone()]) {
                for c in 0..4 {
                    sum[c] += z * row.row[c];
                }
            }
            let ends = z.thermal[pair.thermal.clone()].iter();
            for (z, t) in ends.zip(&self.thermal[pair.thermal.clone()]) {
                let inverse = t.inverse;
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
        for s in &self.softened {
            x[s.variable] -= s.slope * z.linear[s.row];
        }
    }

    /// Residuals of the optimality conditions: `c + H x + A'y + G'z` without fixed variables, `A x - b`, and `G x + s -
    /// h`.
    pub fn optimality(&self, v: &Vector, s: &ConeVector, out: &mut Vector) {
        let Vector { x, u, y, z } = out;
        x.fill(0.0);
        self.add_cost_gradient(&v.x, x);
        for ((x, y), ((shunt, of), (w, b))) in
            (x.iter_mut().zip(y.iter_mut())).zip((self.shunt.iter().zip(&v.y)).zip(v.x.iter().zip(&self.demand)))
        {
            *x += shunt[0] * of[0] + shunt[1] * of[1];
            *y = [shunt[0] * w - b[0], shunt[1] * w - b[1]];
        }
        for ((column, own), x) in self.columns.iter().zip(&v.x[self.n..]).zip(&mut x[self.n..]) {
            *x += column.sign * v.y[column.node][column.part];
            y[column.node][column.part] += column.sign * own;
            if let Some(beyond) = &column.beyond {
                *x += beyond.share * v.y[beyond.node][0];
                y[beyond.node][0] += beyond.share * own;
            }
        }
        for (k, b) in self.bounds.iter().enumerate() {
            let (own, of, s) = (v.x[b.variable], v.z.linear[k], s.linear[k]);
            let (moved, gradient) = match b.is_upper {
                true => (s + own - b.limit, of),
                false => (s - own + b.limit, -of),
            };
            z.linear[k] = moved;
            x[b.variable] += gradient;
        }
        let split = self.bounds.len();
        for (k, pair) in self.pairs.iter().enumerate() {
            let local = self.local(k, &v.x, &v.u);
            let [f, t] = pair.nodes;
            let by = [v.y[f][0], v.y[f][1], v.y[t][0], v.y[t][1]];
            let mut sum = times(-1.0, &jabr_transposed(&v.z.jabr[k], pair.boost));
            let mut flow = [0.0; 4];
            for (part, row) in pair.flow.iter().enumerate() {
                flow[part] = dot4(row, &local);
                for c in 0..4 {
                    sum[c] -= row[c] * by[part];
                }
            }
            y[f] = [y[f][0] - flow[0], y[f][1] - flow[1]];
            y[t] = [y[t][0] - flow[2], y[t][1] - flow[3]];
            for at in pair.rows.clone() {
                let PairRow { row, limit } = &self.rows[at];
                let of = v.z.linear[split + at];
                z.linear[split + at] = s.linear[split + at] + dot4(row, &local) - limit;
                for c in 0..4 {
                    sum[c] += of * row[c];
                }
            }
            let cone = jabr_cone(&local, pair.boost);
            for c in 0..4 {
                z.jabr[k][c] = s.jabr[k][c] - cone[c];
            }
            for at in pair.thermal.clone() {
                let (t, of, s) = (&self.thermal[at], &v.z.thermal[at], &s.thermal[at]);
                let inverse = t.inverse;
                let mut excess = 0.0;
                if let Some(variable) = t.elastic {
                    excess = v.x[variable] * inverse;
                    x[variable] -= of[0] * inverse;
                }
                z.thermal[at] = [
                    s[0] - excess - t.limit / t.scale,
                    s[1] - dot4(&t.p, &local) * inverse,
                    s[2] - dot4(&t.q, &local) * inverse,
                ];
                let (zp, zq) = (of[1] * inverse, of[2] * inverse);
                for c in 0..4 {
                    sum[c] -= zp * t.p[c] + zq * t.q[c];
                }
            }
            x[f] += sum[0];
            x[t] += sum[1];
            u[k] = [sum[2], sum[3]];
        }
        for s in &self.softened {
            z.linear[s.row] -= s.slope * v.x[s.variable];
            x[s.variable] -= s.slope * v.z.linear[s.row];
        }
        for (x, held) in x.iter_mut().zip(&self.held) {
            if held.is_some() {
                *x = 0.0;
            }
        }
    }

    /// Value of a linear row without its elastic variable.
    pub fn linear_row(&self, row: usize, x: &[f64], u: &[[f64; 2]]) -> f64 {
        match row.checked_sub(self.bounds.len()) {
            None => self.bounds[row].sign() * x[self.bounds[row].variable],
            Some(row) => dot4(&self.rows[row].row, &self.local(self.pair_of_row(row), x, u)),
        }
    }

    /// Adds a linear row's gradient without its elastic variable, times a factor.
    pub fn add_gradient(&self, row: usize, factor: f64, x: &mut [f64], u: &mut [[f64; 2]]) {
        let Some(row) = row.checked_sub(self.bounds.len()) else {
            x[self.bounds[row].variable] += factor * self.bounds[row].sign();
            return;
        };
        let pair = self.pair_of_row(row);
        let ([f, t], g) = (self.pairs[pair].nodes, &self.rows[row].row);
        x[f] += factor * g[0];
        x[t] += factor * g[1];
        u[pair][0] += factor * g[2];
        u[pair][1] += factor * g[3];
    }

    /// The pair of a pair row; rows are in the order of pairs.
    fn pair_of_row(&self, row: usize) -> usize {
        self.pairs.partition_point(|pair| pair.rows.end <= row)
    }

    /// Adds `A x` to balances.
    pub fn add_a(&self, x: &[f64], u: &[[f64; 2]], y: &mut [[f64; 2]]) {
        for ((y, shunt), w) in y.iter_mut().zip(&self.shunt).zip(x) {
            y[0] += shunt[0] * w;
            y[1] += shunt[1] * w;
        }
        for (column, x) in self.columns.iter().zip(&x[self.n..]) {
            y[column.node][column.part] += column.sign * x;
            if let Some(beyond) = &column.beyond {
                y[beyond.node][0] += beyond.share * x;
            }
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
            if let Some(beyond) = &column.beyond {
                *x += beyond.share * y[beyond.node][0];
            }
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
