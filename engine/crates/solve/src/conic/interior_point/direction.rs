//! Right-hand sides and step lengths of predictor and corrector.

use super::cone::{jordan, larger};
use super::method::InteriorPoint;
use crate::conic::model::program::{dot4, jabr_cone};
use crate::conic::model::vectors::times;

impl InteriorPoint {
    /// Right-hand side of the predictor: `-r_d, -r_p, s - r_g`.
    pub fn predictor_rhs(&mut self) {
        let (at, rhs) = (&self.at, &mut self.rhs);
        for (rhs, r) in rhs.x.iter_mut().zip(&at.x) {
            *rhs = -r;
        }
        for (rhs, r) in rhs.u.iter_mut().zip(&at.u) {
            *rhs = times(-1.0, r);
        }
        for (rhs, r) in rhs.y.iter_mut().zip(&at.y) {
            *rhs = times(-1.0, r);
        }
        rhs.z.set_moved(&self.point.s, -1.0, &at.z);
    }

    /// `ds = -share r_g - G dx`, and the longest common step of slacks and multipliers. Stores `ds` for the corrector,
    /// and the second-order terms for the predictor.
    pub fn longest_step<const IS_AFFINE: bool>(&mut self, share: f64) -> f64 {
        let d = if IS_AFFINE { &self.affine } else { &self.step };
        let (program, weights, r, ds) = (&self.program, &self.kkt.weights, &self.at.z, &mut self.ds);
        // The reciprocal of the longest step.
        let mut most = 0.0;
        for (ds, (b, r)) in ds.linear.iter_mut().zip(program.bounds.iter().zip(&r.linear)) {
            let x = d.x[b.variable];
            *ds = -(share * r + if b.is_upper { x } else { -x });
        }
        let split = program.bounds.len();
        for (k, pair) in program.pairs.iter().enumerate() {
            let local = program.local(k, &d.x, &d.u);
            for at in pair.rows.clone() {
                ds.linear[split + at] = -(share * r.linear[split + at] + dot4(&program.rows[at].row, &local));
            }
            let w = &weights.jabr[k];
            let mut of_cone = jabr_cone(&local, pair.boost);
            for (ds, r) in of_cone.iter_mut().zip(&r.jabr[k]) {
                *ds -= share * r;
            }
            let (by_s, by_z) = (w.divide(&of_cone), w.times(&d.z.jabr[k]));
            most = w.fastest(w.fastest(most, &by_s), &by_z);
            if IS_AFFINE {
                self.second.jabr[k] = jordan(&by_s, &by_z);
            } else {
                ds.jabr[k] = of_cone;
            }
            for at in pair.thermal.clone() {
                let (t, w) = (&program.thermal[at], &weights.thermal[at]);
                let inverse = t.inverse;
                let excess = t.elastic.map_or(0.0, |variable| d.x[variable] * inverse);
                let mut of_cone = [excess, dot4(&t.p, &local) * inverse, dot4(&t.q, &local) * inverse];
                for (ds, r) in of_cone.iter_mut().zip(&r.thermal[at]) {
                    *ds -= share * r;
                }
                let (by_s, by_z) = (w.divide(&of_cone), w.times(&d.z.thermal[at]));
                most = w.fastest(w.fastest(most, &by_s), &by_z);
                if IS_AFFINE {
                    self.second.thermal[at] = jordan(&by_s, &by_z);
                } else {
                    ds.thermal[at] = of_cone;
                }
            }
        }
        for s in &program.softened {
            ds.linear[s.row] += s.slope * d.x[s.variable];
        }
        let (s, z) = (&self.point.s.linear, &self.point.v.z.linear);
        let steps = ds.linear.iter().zip(&d.z.linear);
        let mut fastest = [0.0; 2];
        for ((s, z), (ds, dz)) in s.iter().zip(z).zip(steps) {
            fastest = [larger(fastest[0], -ds / s), larger(fastest[1], -dz / z)];
        }
        if IS_AFFINE {
            for (second, (ds, dz)) in self.second.linear.iter_mut().zip(ds.linear.iter().zip(&d.z.linear)) {
                *second = ds * dz;
            }
        }
        1.0 / larger(larger(most, fastest[0]), fastest[1])
    }

    /// Right-hand side of the corrector for the centring parameter `sigma`.
    pub fn corrector_rhs(&mut self, sigma: f64, mu: f64) {
        let share = sigma - 1.0;
        let (at, rhs) = (&self.at, &mut self.rhs);
        for (rhs, r) in rhs.x.iter_mut().zip(&at.x) {
            *rhs = share * r;
        }
        for (rhs, r) in rhs.u.iter_mut().zip(&at.u) {
            *rhs = times(share, r);
        }
        for (rhs, r) in rhs.y.iter_mut().zip(&at.y) {
            *rhs = times(share, r);
        }
        let (s, z) = (&self.point.s, &self.point.v.z);
        for (k, rhs) in rhs.z.linear.iter_mut().enumerate() {
            let d = s.linear[k] * z.linear[k] + self.second.linear[k] - sigma * mu;
            *rhs = share * at.z.linear[k] + d / z.linear[k];
        }
        for (k, w) in self.kkt.weights.jabr.iter().enumerate() {
            let mut d = jordan(&w.lambda, &w.lambda);
            for (d, second) in d.iter_mut().zip(self.second.jabr[k]) {
                *d += second;
            }
            d[0] -= sigma * mu;
            let by = w.times(&w.jordan_divide(&d));
            for c in 0..4 {
                rhs.z.jabr[k][c] = share * at.z.jabr[k][c] + by[c];
            }
        }
        for (k, w) in self.kkt.weights.thermal.iter().enumerate() {
            let mut d = jordan(&w.lambda, &w.lambda);
            for (d, second) in d.iter_mut().zip(self.second.thermal[k]) {
                *d += second;
            }
            d[0] -= sigma * mu;
            let by = w.times(&w.jordan_divide(&d));
            for c in 0..3 {
                rhs.z.thermal[k][c] = share * at.z.thermal[k][c] + by[c];
            }
        }
    }
}
