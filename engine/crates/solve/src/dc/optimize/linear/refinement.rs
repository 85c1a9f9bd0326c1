//! Corrections of powers, multipliers and reduced costs by the residuals of rows and free columns.

use super::method::Linear;
use crate::dc::optimize::state::{Failure, SolverState, Step};
use wattbook_network::message_key;

/// Error of a solve above which the inverse is recomputed.
const INVERSE_TOLERANCE: f64 = 1e-7;

impl SolverState<'_, Linear> {
    /// Corrects powers, multipliers and reduced costs by the residuals of the rows and the free columns.
    pub(in crate::dc::optimize) fn refresh_linear(&mut self) -> Step<()> {
        for attempt in 0..2 {
            let basis = &self.method.basis;
            let values = self.products.values(self.model, &self.rows, &basis.rows, &self.p);
            let missed = basis
                .rows
                .iter()
                .zip(values)
                .map(|(&row, value)| self.target(row) - value);
            let missed: Vec<f64> = missed.collect();
            let dp = basis.powers(&missed);
            let moved: Vec<(usize, f64)> = basis.columns.iter().copied().zip(dp).collect();
            for (j, dp) in moved {
                self.p[j] += dp;
            }
            let mut gradient = self.gradient_of(&self.y);
            let basis = &self.method.basis;
            let wrong: Vec<f64> = basis.columns.iter().map(|&j| self.c[j] - gradient[j]).collect();
            let size = |v: &[f64]| v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if size(&wrong) > 1e-13 {
                let dy: Vec<(usize, f64)> = basis.rows.iter().copied().zip(basis.multipliers(&wrong)).collect();
                for (row, dy) in dy {
                    self.y[row] += dy;
                }
                gradient = self.gradient_of(&self.y);
            }
            self.set_reduced_costs(&gradient);
            // The residual after the correction measures the accuracy of the inverse.
            let basis = &self.method.basis;
            let left = basis
                .columns
                .iter()
                .fold(0.0f64, |m, &j| m.max((self.c[j] - gradient[j]).abs()));
            if left.is_nan() || left > INVERSE_TOLERANCE * (1.0 + size(&self.y)) {
                if attempt > 0 {
                    return Err(Failure::Stalled(message_key!("stall.basis_inverse")));
                }
                self.refactor()?;
                continue;
            }
            break;
        }
        Ok(())
    }
}
