//! Corrections of powers and multipliers by the residuals of rows and free columns.

use super::method::Quadratic;
use crate::dc::basis::kkt::Status;
use crate::dc::optimize::state::{Failure, SolverState, Step};
use wattbook_network::message_key;

/// Error of a solve above which the inverse is recomputed.
const INVERSE_TOLERANCE: f64 = 1e-7;

impl SolverState<'_, Quadratic> {
    pub(in crate::dc::optimize) fn residuals_by_row(&self) -> Vec<f64> {
        let mut r = vec![0.0; self.rows.len()];
        for (&row, value) in self.active.iter().zip(self.residuals()) {
            r[row] = value;
        }
        r
    }

    /// Corrects powers and multipliers by the residuals of the rows and the free columns, and recomputes reduced costs
    /// from the multipliers.
    pub(in crate::dc::optimize) fn refresh_quadratic(&mut self) -> Step<()> {
        let last = if self.precision.is_refined() { 7 } else { 3 };
        for attempt in 0..=last {
            let r = self.residuals_by_row();
            let gradient = self.gradient_of(&self.y);
            let mut s = vec![0.0; self.p.len()];
            let (mut largest_power, mut largest_price) = (1.0f64, 1.0f64);
            let mut wrong = 0.0f64;
            for j in 0..self.p.len() {
                largest_power = largest_power.max(self.p[j].abs());
                if self.status[j] == Status::Free {
                    s[j] = self.c[j] + self.q[j] * self.p[j] - gradient[j];
                    wrong = wrong.max(s[j].abs());
                }
            }
            for &row in &self.active {
                largest_price = largest_price.max(self.y[row].abs());
            }
            let missed = r.iter().fold(0.0f64, |m, r| m.max(r.abs()));
            let error = (missed / largest_power).max(wrong / largest_price);
            if error.is_nan() || (attempt > 0 && error > INVERSE_TOLERANCE) {
                if attempt == last {
                    return Err(Failure::Stalled(message_key!("stall.system_inverse")));
                }
                if !self.precision.is_refined() || self.method.kkt.updates() > 0 {
                    self.refactor()?;
                }
            }
            if error <= 1e-12 || (attempt > 0 && error <= 1e-10) {
                self.set_reduced_costs(&gradient);
                self.method.missed = r;
                return Ok(());
            }
            let correction = self.respond(&r, Some(&s));
            for (row, dy) in correction.dy {
                self.y[row] += dy;
            }
            for (p, dp) in self.p.iter_mut().zip(&correction.dp) {
                *p += dp;
            }
        }
        let gradient = self.gradient_of(&self.y);
        self.set_reduced_costs(&gradient);
        self.method.missed = self.residuals_by_row();
        Ok(())
    }
}
