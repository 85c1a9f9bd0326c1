//! The optimum of changed data where the active set of another optimum still holds: that optimum plus its derivative.
//!
//! Inside a region the optimum is affine in demand and rating, so one linearised system and one solve with the Laplacian carry
//! it to the new data (`sensitivity/tangent.rs`). Nothing is assumed about the region: limits, signs of multipliers and the
//! certificate are those of the result itself, and where one of them fails nothing is returned.

use super::kkt::Status;
use super::model::{DcData, DcModel};
use super::sensitivity::{Direction, Perturbation};
use super::solution::{ActiveSet, DcSolution, Progress};

/// Limits are kept within this, per unit: as the solver keeps them.
const PRIMAL_TOLERANCE: f64 = 1e-8;
/// Multipliers of the wrong sign below this share of the largest are zero.
const DUAL_TOLERANCE: f64 = 1e-9;
/// Largest relative residual of the linearised system.
const RESIDUAL: f64 = 1e-10;
/// Largest relative duality gap.
const GAP: f64 = 1e-10;

impl DcSolution {
    /// The optimum of `data` with this active set; none where it is not optimal there.
    pub(crate) fn carried(&self, model: &DcModel, data: &DcData) -> Option<DcSolution> {
        let changes = |to: &[f64], from: &[f64]| -> Vec<(usize, f64)> {
            let rows = to.iter().zip(from).enumerate().filter(|(_, (to, from))| to != from);
            rows.map(|(row, (to, from))| (row, to - from)).collect()
        };
        let direction = Direction {
            demand: changes(&data.demand, &self.data.demand),
            rating: changes(&data.rating, &self.data.rating),
        };
        let change = Perturbation::of_direction(self, model, &direction);
        let (tangent, _) = self.tangent_at_buses(model, &change);
        if tangent.residual.is_nan() || tangent.residual > RESIDUAL {
            return None;
        }
        let sum = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
        let (p, price, theta) = (
            sum(&self.p, &tangent.p),
            sum(&self.price, &tangent.price),
            sum(&self.theta, &tangent.theta),
        );
        let mut y = self.y.clone();
        for (&row, dy) in self.active.iter().zip(&tangent.y) {
            y[row] += dy;
        }
        if !self.signs_hold(model, &p, &price, &y) {
            return None;
        }
        let active_set = ActiveSet {
            rows: self.rows.clone(),
            status: self.status.clone(),
            p,
            side: self.side.clone(),
            y,
            system: self.system.clone(),
        };
        let mut found = DcSolution::at(model, data, active_set, theta, price);
        found.progress.push(Progress {
            objective: found.objective,
            violation: 0.0,
        });
        let least_room = found.room.iter().fold(0.0f64, |m, room| m.min(room.0).min(room.1));
        let certificate = &found.certificate;
        let holds = least_room >= -PRIMAL_TOLERANCE
            && found.active_lines_are_at_their_limits(model)
            && certificate.holds()
            && certificate.relative_gap <= GAP;
        holds.then_some(found)
    }

    /// Free columns are inside their bounds, and multipliers have the sign of their side.
    fn signs_hold(&self, model: &DcModel, p: &[f64], price: &[f64], y: &[f64]) -> bool {
        let largest = self.active.iter().fold(model.cost_scale, |m, &row| m.max(y[row].abs()));
        let wrong = DUAL_TOLERANCE * largest;
        let columns = model
            .columns
            .iter()
            .zip(&self.status)
            .zip(p)
            .all(|((column, status), &p)| {
                let rc = column.c + column.q * p - price[column.bus];
                match status {
                    Status::Free => column.lo - p <= PRIMAL_TOLERANCE && p - column.hi <= PRIMAL_TOLERANCE,
                    Status::AtLower => rc >= -wrong || column.lo == column.hi,
                    Status::AtUpper => rc <= wrong || column.lo == column.hi,
                }
            });
        columns
            && self
                .active
                .iter()
                .all(|&row| f64::from(self.side[row]) * y[row] <= wrong)
    }

    fn active_lines_are_at_their_limits(&self, model: &DcModel) -> bool {
        let lines = self
            .active
            .iter()
            .filter_map(|&row| Some((row, self.rows.line(row)?.line)));
        lines.into_iter().all(|(row, l)| {
            let (above, below) = self.room[l];
            let distance = if self.side[row] > 0 { below } else { above };
            let scale = 1.0 + self.row_value(&model.lines[l]).abs();
            distance.abs() <= PRIMAL_TOLERANCE * scale
        })
    }
}
