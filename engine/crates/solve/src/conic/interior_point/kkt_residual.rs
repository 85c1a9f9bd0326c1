//! The residual of the uncondensed KKT system, which refinement reduces.

use super::kkt::{Kkt, Regularisation};
use crate::conic::model::program::{dot4, jabr_cone, jabr_transposed, Program};
use crate::conic::model::vectors::{times, Vector};

impl Kkt {
    /// `rhs - K d` of the full system in variables, balances and rows, with the regularisation. Omitted rows and cones
    /// have no residual.
    pub fn residual(&self, program: &Program, rhs: &Vector, d: &Vector, out: &mut Vector) {
        let n = program.n;
        let counted = match self.refines_exactly {
            true => Regularisation::default(),
            false => self.regularisation,
        };
        let Regularisation { primal, dual, flow } = counted;
        for (out, (r, x)) in out.x.iter_mut().zip(rhs.x.iter().zip(&d.x)) {
            *out = r - primal * x;
        }
        for (node, out) in out.y.iter_mut().enumerate() {
            let (r, y, shunt, w) = (&rhs.y[node], &d.y[node], &program.shunt[node], d.x[node]);
            *out = [r[0] + dual * y[0] - shunt[0] * w, r[1] + dual * y[1] - shunt[1] * w];
        }
        for node in 0..n {
            out.x[node] -= program.shunt[node][0] * d.y[node][0] + program.shunt[node][1] * d.y[node][1];
        }
        for (k, column) in program.columns.iter().enumerate() {
            let x = d.x[n + k];
            out.x[n + k] -= column.q / program.cost_scale * x + column.sign * d.y[column.node][column.part];
            out.y[column.node][column.part] -= column.sign * x;
            if let Some(beyond) = &column.beyond {
                out.x[n + k] -= beyond.share * d.y[beyond.node][0];
                out.y[beyond.node][0] -= beyond.share * x;
            }
        }
        let split = program.bounds.len();
        for (k, b) in program.bounds.iter().enumerate() {
            let (x, z, w) = (d.x[b.variable], d.z.linear[k], self.weights.linear[k]);
            let (gx, gz) = if b.is_upper { (x, z) } else { (-x, -z) };
            out.x[b.variable] -= gz;
            out.z.linear[k] = if w > 0.0 { rhs.z.linear[k] - gx + z / w } else { 0.0 };
        }
        let (w_rows, r_rows) = (&self.weights.linear[split..], &rhs.z.linear[split..]);
        let (d_rows, out_rows) = (&d.z.linear[split..], &mut out.z.linear[split..]);
        let out_thermal = &mut out.z.thermal[..];
        for (k, pair) in program.pairs.iter().enumerate() {
            let local = program.local(k, &d.x, &d.u);
            let [f, t] = pair.nodes;
            let y = [d.y[f][0], d.y[f][1], d.y[t][0], d.y[t][1]];
            let mut flows = [0.0; 4];
            let mut sum = times(-1.0, &jabr_transposed(&d.z.jabr[k], pair.boost));
            for (part, row) in pair.flow.iter().enumerate() {
                flows[part] = dot4(row, &local);
                let by = flow * flows[part] - y[part];
                for c in 0..4 {
                    sum[c] += by * row[c];
                }
            }
            out.y[f][0] += flows[0];
            out.y[f][1] += flows[1];
            out.y[t][0] += flows[2];
            out.y[t][1] += flows[3];
            for at in pair.rows.clone() {
                let (row, w, z) = (&program.rows[at].row, w_rows[at], d_rows[at]);
                for c in 0..4 {
                    sum[c] += z * row[c];
                }
                let left = r_rows[at] - dot4(row, &local) + z / w;
                out_rows[at] = if w > 0.0 { left } else { 0.0 };
            }
            let cone = jabr_cone(&local, pair.boost);
            let by = self.weights.jabr[k].square_times(&d.z.jabr[k]);
            let is_in = self.weights.jabr[k].eta.is_finite();
            for c in 0..4 {
                out.z.jabr[k][c] = if is_in { rhs.z.jabr[k][c] + cone[c] + by[c] } else { 0.0 };
            }
            for at in pair.thermal.clone() {
                let (w, t) = (&self.weights.thermal[at], &program.thermal[at]);
                let (r, z) = (&rhs.z.thermal[at], &d.z.thermal[at]);
                let inverse = t.inverse;
                let mut cone = [0.0, dot4(&t.p, &local) * inverse, dot4(&t.q, &local) * inverse];
                if let Some(variable) = t.elastic {
                    cone[0] = d.x[variable] * inverse;
                    out.x[variable] += z[0] * inverse;
                }
                let (zp, zq) = (z[1] * inverse, z[2] * inverse);
                for c in 0..4 {
                    sum[c] -= zp * t.p[c] + zq * t.q[c];
                }
                let by = w.square_times(z);
                let is_in = w.eta.is_finite();
                for c in 0..3 {
                    let left = r[c] + cone[c] + by[c];
                    out_thermal[at][c] = if is_in { left } else { 0.0 };
                }
            }
            out.x[f] -= sum[0];
            out.x[t] -= sum[1];
            out.u[k][0] = rhs.u[k][0] - primal * d.u[k][0] - sum[2];
            out.u[k][1] = rhs.u[k][1] - primal * d.u[k][1] - sum[3];
        }
        for s in &program.softened {
            out.x[s.variable] += s.slope * d.z.linear[s.row];
            if self.weights.linear[s.row] > 0.0 {
                out.z.linear[s.row] += s.slope * d.x[s.variable];
            }
        }
        for (out, held) in out.x.iter_mut().zip(&program.held) {
            if held.is_some() {
                *out = 0.0;
            }
        }
    }
}
