//! Right-hand sides and step lengths of predictor and corrector.

use super::cone::jordan;
use super::method::InteriorPoint;
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
        rhs.z.clone_from(&self.point.s);
        rhs.z.add(-1.0, &at.z);
    }

    /// `ds = -share r_g - G dx`.
    pub fn slack_step(&mut self, share: f64, is_affine: bool) {
        let d = if is_affine { &self.affine } else { &self.step };
        self.ds.clone_from(&self.at.z);
        self.ds.scale(share);
        self.program.add_g(&d.x, &d.u, &mut self.ds);
        self.ds.scale(-1.0);
    }

    /// Longest common step of slacks and multipliers. Of the predictor it keeps the second-order terms.
    pub fn longest_step(&mut self, is_affine: bool) -> f64 {
        let dz = if is_affine { &self.affine.z } else { &self.step.z };
        let (s, z) = (&self.point.s, &self.point.v.z);
        let mut longest = f64::INFINITY;
        let linear = s
            .linear
            .iter()
            .zip(&z.linear)
            .zip(self.ds.linear.iter().zip(&dz.linear));
        for (k, ((s, z), (ds, dz))) in linear.enumerate() {
            if *ds < 0.0 {
                longest = longest.min(-s / ds);
            }
            if *dz < 0.0 {
                longest = longest.min(-z / dz);
            }
            if is_affine {
                self.second.linear[k] = ds * dz;
            }
        }
        for (k, w) in self.kkt.weights.jabr.iter().enumerate() {
            let (ds, dz) = (w.divide(&self.ds.jabr[k]), w.times(&dz.jabr[k]));
            longest = longest.min(w.longest_step(&ds)).min(w.longest_step(&dz));
            if is_affine {
                self.second.jabr[k] = jordan(&ds, &dz);
            }
        }
        for (k, w) in self.kkt.weights.thermal.iter().enumerate() {
            let (ds, dz) = (w.divide(&self.ds.thermal[k]), w.times(&dz.thermal[k]));
            longest = longest.min(w.longest_step(&ds)).min(w.longest_step(&dz));
            if is_affine {
                self.second.thermal[k] = jordan(&ds, &dz);
            }
        }
        longest
    }

    /// Right-hand side of the corrector for the share `sigma` of the barrier parameter.
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
