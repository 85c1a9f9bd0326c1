//! Dual steps: residual steps, and the entry of a violated constraint.

use super::run::{Breakpoint, Constraint, Entering, Failure, Run, Step};
use crate::dc::infeasible;
use crate::dc::kkt::Status;

/// Curvature below this is linear.
const CURVATURE_TOLERANCE: f64 = 1e-9;

impl Run<'_> {
    /// Residual steps (dc-method.md section 2.7): moves until every active row is met, multipliers keeping their sign.
    pub(super) fn clear_residual(&mut self) -> Step<()> {
        let mut full = false;
        loop {
            let r = self.residuals();
            let scale = self.p.iter().fold(1.0f64, |m, p| m.max(p.abs()));
            let worst = r.iter().fold(0.0f64, |m, r| m.max(r.abs()));
            if !worst.is_finite() {
                return Err(Failure::Stalled("a number overflowed"));
            }
            if worst <= 1e-11 * scale || (full && worst <= 1e-7 * scale) {
                return Ok(());
            }
            let zero = vec![0.0; self.p.len()];
            let (dy, dp) = self.kkt.solve(&self.rows, &self.q, &r, &zero);
            let drc = self.reduced_cost_rates(&dy);
            let slope0: f64 = dp.iter().zip(&self.q).map(|(d, q)| q * d * d).sum();
            let mut flipped = 0.0;
            let mut flips = Vec::new();
            let mut blocking = None;
            let mut t = 1.0;
            for b in self.breakpoints(&dy, &drc) {
                if b.t >= 1.0 {
                    break;
                }
                if slope0 * (1.0 - b.t) - flipped <= 0.0 {
                    break;
                }
                if b.can_flip && slope0 * (1.0 - b.t) - flipped - b.rate * b.range > 0.0 {
                    flipped += b.rate * b.range;
                    flips.push(b.constraint);
                } else {
                    t = b.t;
                    blocking = Some(b.constraint);
                    break;
                }
            }
            if blocking.is_none() && flipped > 0.0 {
                t = (1.0 - flipped / slope0).clamp(0.0, 1.0);
            }
            self.advance(t, &dy, &drc);
            for (p, d) in self.p.iter_mut().zip(&dp) {
                *p += t * d;
            }
            for f in flips {
                self.flip(f);
            }
            full = t == 1.0 && blocking.is_none();
            if let Some(constraint) = blocking {
                self.let_go(constraint)?;
            }
            self.pivots += 1;
            self.count_step(t)?;
        }
    }

    /// Brings one violated constraint into the active set.
    pub(super) fn enter(&mut self, entering: Entering) -> Step<()> {
        let mut multiplier = 0.0;
        loop {
            // Response to one unit of its multiplier: G_F dp = 0, G_F' dy - Q dp = -sign g_e.
            let mut gradient = vec![0.0; self.p.len()];
            match entering.constraint {
                Constraint::Column(j) => gradient[j] = entering.sign,
                Constraint::Row(row) => self.rows.add_scaled(row, entering.sign, &mut gradient),
            }
            let s: Vec<f64> = gradient.iter().map(|g| -g).collect();
            let zero = vec![0.0; self.active.len()];
            let (dy, dp) = self.kkt.solve(&self.rows, &self.q, &zero, &s);
            let curvature: f64 = dp.iter().zip(&self.q).map(|(d, q)| q * d * d).sum();
            if !curvature.is_finite() {
                return Err(Failure::Stalled("a number overflowed"));
            }
            if curvature > CURVATURE_TOLERANCE {
                return self.take_in(entering, multiplier);
            }

            // Linear: only multipliers move. Long-step ratio test with bound flips.
            let mut drc = self.reduced_cost_rates(&dy);
            for ((d, g), status) in drc.iter_mut().zip(&gradient).zip(&self.status) {
                if *status != Status::Free {
                    *d -= g;
                }
            }
            let (flips, blocking) = self.long_step(entering, &dy, &drc)?;
            let Some(blocking) = blocking else {
                let ray: Vec<(usize, f64)> = self.active.iter().copied().zip(dy.iter().copied()).collect();
                return Err(self.infeasible(entering, ray));
            };
            self.advance(blocking.t, &dy, &drc);
            multiplier += blocking.t;
            for f in flips {
                self.flip(f);
            }
            self.count_step(blocking.t)?;

            if self.curvature_of(blocking.constraint) > CURVATURE_TOLERANCE {
                self.let_go(blocking.constraint)?;
                continue;
            }
            return self.exchange(entering, multiplier, blocking.constraint);
        }
    }

    /// Walks the breakpoints of a linear dual direction while the dual objective still rises; returns the constraints to
    /// flip and the blocking one (Harris: among nearly equal steps the largest rate), or none where nothing blocks.
    pub(super) fn long_step(
        &self,
        entering: Entering,
        dy: &[f64],
        drc: &[f64],
    ) -> Step<(Vec<Constraint>, Option<Breakpoint>)> {
        let r = self.residuals();
        let violation = match entering.constraint {
            Constraint::Column(j) => {
                let column = &self.model.columns[j];
                if entering.sign > 0.0 {
                    column.lo - self.p[j]
                } else {
                    self.p[j] - column.hi
                }
            }
            Constraint::Row(row) => {
                let (lo, hi) = self.limits(row);
                let value = self.rows.dot(row, &self.p);
                if entering.sign > 0.0 {
                    lo - value
                } else {
                    value - hi
                }
            }
        };
        let mut slope = violation + r.iter().zip(dy).map(|(r, d)| r * d).sum::<f64>();
        let mut points = self.breakpoints(dy, drc);
        let mut stop = None;
        for (k, b) in points.iter().enumerate() {
            let after = slope - b.rate * b.range;
            if b.can_flip && after > 0.0 {
                slope = after;
            } else {
                stop = Some(k);
                break;
            }
        }
        let Some(stop) = stop else {
            return Ok((Vec::new(), None));
        };
        let t_max = points[stop..]
            .iter()
            .fold(f64::INFINITY, |m, b| m.min(b.t + 1e-9 / b.rate));
        let mut chosen = stop;
        for (k, b) in points.iter().enumerate().skip(stop) {
            if b.t <= t_max && b.rate > points[chosen].rate {
                chosen = k;
            }
        }
        let blocking = points.swap_remove(chosen);
        points.truncate(stop);
        Ok((points.into_iter().map(|b| b.constraint).collect(), Some(blocking)))
    }

    /// Curvature along the primal ray that opens when this constraint alone is let go, per unit of its own movement.
    pub(super) fn curvature_of(&self, constraint: Constraint) -> f64 {
        let zero = vec![0.0; self.p.len()];
        let (rhs, own) = match constraint {
            Constraint::Column(j) => (
                self.active.iter().map(|&row| -self.rows.at(row, j)).collect::<Vec<_>>(),
                self.q[j],
            ),
            Constraint::Row(row) => (
                self.active.iter().map(|&r| if r == row { 1.0 } else { 0.0 }).collect(),
                0.0,
            ),
        };
        let (_, z) = self.kkt.solve(&self.rows, &self.q, &rhs, &zero);
        own + z.iter().zip(&self.q).map(|(z, q)| q * z * z).sum::<f64>()
    }

    /// `-G_N' dy` on non-free columns, zero on free ones.
    pub(super) fn reduced_cost_rates(&self, dy: &[f64]) -> Vec<f64> {
        let mut rates = vec![0.0; self.p.len()];
        for (&row, dy) in self.active.iter().zip(dy) {
            self.rows.add_scaled(row, -dy, &mut rates);
        }
        for (rate, status) in rates.iter_mut().zip(&self.status) {
            if *status == Status::Free {
                *rate = 0.0;
            }
        }
        rates
    }

    /// Multipliers that move towards zero, by the step at which they reach it.
    pub(super) fn breakpoints(&self, dy: &[f64], drc: &[f64]) -> Vec<Breakpoint> {
        let mut found = Vec::new();
        for (j, column) in self.model.columns.iter().enumerate() {
            let (rc, rate) = (self.rc[j], drc[j]);
            let towards = match self.status[j] {
                Status::AtLower => rate < -1e-11,
                Status::AtUpper => rate > 1e-11,
                Status::Free => false,
            };
            if towards && column.hi > column.lo {
                let t = (-rc / rate).max(0.0);
                let range = column.hi - column.lo;
                let can_flip = self.q[j] == 0.0;
                found.push(Breakpoint {
                    t,
                    rate: rate.abs(),
                    range,
                    constraint: Constraint::Column(j),
                    can_flip,
                });
            }
        }
        for (&row, &rate) in self.active.iter().zip(dy) {
            // y >= 0 at a lower limit, <= 0 at an upper one; balances are free.
            let towards = match self.side[row] {
                -1 => rate < -1e-11,
                1 => rate > 1e-11,
                _ => false,
            };
            let (lo, hi) = self.limits(row);
            if towards && hi > lo {
                let t = (-self.y[row] / rate).max(0.0);
                let constraint = Constraint::Row(row);
                found.push(Breakpoint {
                    t,
                    rate: rate.abs(),
                    range: hi - lo,
                    constraint,
                    can_flip: true,
                });
            }
        }
        found.sort_by(|a, b| a.t.total_cmp(&b.t));
        found
    }

    pub(super) fn advance(&mut self, t: f64, dy: &[f64], drc: &[f64]) {
        for (&row, dy) in self.active.iter().zip(dy) {
            self.y[row] += t * dy;
        }
        for (rc, d) in self.rc.iter_mut().zip(drc) {
            *rc += t * d;
        }
    }

    pub(super) fn count_step(&mut self, t: f64) -> Step<()> {
        self.zero_steps = if t > 1e-13 { 0 } else { self.zero_steps + 1 };
        if self.zero_steps > 200 {
            return Err(Failure::Stalled("it made no progress for 200 steps"));
        }
        if self.pivots > 20_000 + 10 * self.rows.len() {
            return Err(Failure::Stalled("it used up its pivots"));
        }
        Ok(())
    }

    /// A dual ray was found: verify it, and name what contradicts.
    pub(super) fn infeasible(&self, entering: Entering, mut ray: Vec<(usize, f64)>) -> Failure {
        if let Constraint::Row(row) = entering.constraint {
            ray.push((row, entering.sign));
        }
        let rows: Vec<infeasible::RayRow> = ray
            .into_iter()
            .map(|(row, u)| infeasible::RayRow {
                row,
                u,
                limits: self.limits(row),
            })
            .collect();
        match infeasible::contradiction(self.model, &self.rows, &rows) {
            Some(error) => Failure::Infeasible(error),
            None => Failure::Stalled("a proof of infeasibility did not verify"),
        }
    }
}
