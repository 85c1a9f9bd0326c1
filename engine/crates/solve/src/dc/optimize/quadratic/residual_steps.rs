//! Residual steps: powers move until every active row is satisfied, while multipliers keep their signs.

use super::method::Quadratic;
use super::response::Response;
use crate::dc::basis::kkt::{Item, Status};
use crate::dc::optimize::bound_flipping::DualStep;
use crate::dc::optimize::modes::{Caution, Factor};
use crate::dc::optimize::state::{Constraint, Entering, Failure, SolverState, Step};
use crate::dc::optimize::PRIMAL_TOLERANCE;
use wattbook_network::message_key;

/// A column stops at its bound only if this share of its curvature remains without it.
const CURVATURE_LEFT: f64 = 1e-3;
/// A linear column stops at its bound only if its pivot is at least this share of its row of the inverse.
const REMOVABLE: f64 = 1e-3;

impl SolverState<'_, Quadratic> {
    /// Moves powers until every active row is satisfied, while multipliers keep their signs.
    pub(in crate::dc::optimize) fn clear_residual(&mut self) -> Step<()> {
        let (mut full, mut rose) = (false, false);
        loop {
            if self.caution == Caution::Ordinary && self.stop_at_bounds(rose)? {
                full = false;
            }

            let scale = self.p.iter().fold(1.0f64, |m, p| m.max(p.abs()));
            let r = &self.method.missed;
            let worst = r.iter().fold(0.0f64, |m, r| m.max(r.abs()));
            if !worst.is_finite() {
                return Err(Failure::Stalled(message_key!("stall.overflow")));
            }
            if worst <= 1e-11 * scale || (full && worst <= 1e-7 * scale) {
                return Ok(());
            }
            let response = self.respond(r, None);
            let slope = self.curvature(&response.dp);
            let drc: Vec<f64> = response.gradient.iter().map(|g| -g).collect();
            let step = if slope > 0.0 {
                self.bound_flipping_search(slope, slope, &response.dy, &drc)
            } else {
                DualStep {
                    t: 1.0,
                    ..DualStep::default()
                }
            };
            full = step.t >= 1.0 && step.blocking.is_none();
            self.pivots += 1;
            for r in &mut self.method.missed {
                *r -= step.t * *r;
            }
            self.apply(&step, &response, &drc)?;
            if let Some(b) = step.blocking {
                self.let_go(b.constraint)?;
            }
            self.count_step(step.t)?;
            rose = step.t > 1e-9;
        }
    }

    /// Stops free columns outside their bounds there if the system remains regular without them. Linear ones stop only
    /// after a step that increased the dual objective, since their stop does not.
    fn stop_at_bounds(&mut self, linear: bool) -> Step<bool> {
        let mut any = false;
        let columns: Vec<usize> = if linear {
            self.method.kkt.columns().collect()
        } else {
            Vec::new()
        };
        for j in columns.into_iter().rev() {
            let (below, above) = (self.lo(j) - self.p[j], self.p[j] - self.hi(j));
            if below.max(above) <= PRIMAL_TOLERANCE
                || self.method.kkt.is_old()
                || !self.method.kkt.can_remove(&self.rows, &self.q, j, REMOVABLE)
            {
                continue;
            }
            if self.method.kkt.remove(&self.rows, &self.q, Item::Column(j)) {
                any = true;
                self.pivots += 1;
                let sign = if below > 0.0 { 1.0 } else { -1.0 };
                let violation = below.max(above);
                let constraint = Constraint::Column(j);
                self.insert_quadratic(
                    Entering {
                        constraint,
                        sign,
                        violation,
                    },
                    0.0,
                );
            }
        }
        for k in (0..self.method.kkt.quadratic.len()).rev() {
            let Some(&j) = self.method.kkt.quadratic.get(k) else {
                continue;
            };
            let (below, above) = (self.lo(j) - self.p[j], self.p[j] - self.hi(j));
            if below.max(above) <= PRIMAL_TOLERANCE {
                continue;
            }
            if self.method.kkt.is_old() {
                self.refactor()?;
                return self.stop_at_bounds(linear).map(|more| more || any);
            }
            if !self
                .method
                .kkt
                .change_quadratic(&self.rows, &self.q, j, false, CURVATURE_LEFT)
            {
                continue;
            }
            any = true;
            self.pivots += 1;
            let (status, bound) = if below > 0.0 {
                (Status::AtLower, self.lo(j))
            } else {
                (Status::AtUpper, self.hi(j))
            };
            self.rc[j] = self.q[j] * (bound - self.p[j]);
            self.status[j] = status;
            self.move_column(j, bound);
            self.factor = Factor::Changed;
        }
        Ok(any)
    }

    /// Moves one column and updates the residuals of the active rows.
    fn move_column(&mut self, j: usize, to: f64) {
        let by = to - self.p[j];
        for &row in &self.active {
            self.method.missed[row] -= self.rows.at(row, j) * by;
        }
        self.p[j] = to;
    }

    fn flip_quadratic(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Column(j) => {
                let from = self.p[j];
                self.flip(constraint);
                let to = std::mem::replace(&mut self.p[j], from);
                self.move_column(j, to);
            }
            Constraint::Row(row) => {
                let before = self.target(row);
                self.flip(constraint);
                self.method.missed[row] += self.target(row) - before;
            }
        }
    }

    /// Adds a constraint at its side, to which its value jumps.
    pub(in crate::dc::optimize) fn insert_quadratic(&mut self, entering: Entering, multiplier: f64) {
        match entering.constraint {
            Constraint::Column(j) => {
                let from = self.p[j];
                self.insert(entering, multiplier);
                let to = std::mem::replace(&mut self.p[j], from);
                self.move_column(j, to);
            }
            Constraint::Row(row) => {
                let violation = self.violation_of(row, entering.sign);
                self.insert(entering, multiplier);
                self.method.missed[row] = entering.sign * violation;
            }
        }
    }

    /// Applies a step: multipliers, powers, flips, and the quadratic columns that become free.
    pub(in crate::dc::optimize) fn apply(&mut self, step: &DualStep, response: &Response, drc: &[f64]) -> Step<()> {
        let t = step.t;
        for &(row, dy) in &response.dy {
            self.y[row] += t * dy;
        }
        for (j, dp) in response.dp.iter().enumerate() {
            if self.status[j] == Status::Free {
                self.p[j] += t * dp;
            } else {
                self.rc[j] += t * drc[j];
            }
        }
        for &flip in &step.flips {
            self.flip_quadratic(flip);
        }
        for &j in &step.passed {
            self.flip_quadratic(Constraint::Column(j));
            let range = self.hi(j) - self.lo(j);
            self.rc[j] += if self.status[j] == Status::AtUpper {
                self.q[j] * range
            } else {
                -self.q[j] * range
            };
        }
        for &j in &step.started {
            self.move_column(j, self.p[j] - self.rc[j] / self.q[j]);
            self.pivots += 1;
            let updated = self.method.kkt.change_quadratic(&self.rows, &self.q, j, true, 0.0);
            self.release(Constraint::Column(j));
            self.refactor_unless(updated)?;
        }
        Ok(())
    }
}
