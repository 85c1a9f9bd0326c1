//! One pivot of the dual simplex.

use super::method::Linear;
use crate::dc::basis::kkt::Status;
use crate::dc::optimize::bound_flipping::Breakpoint;
use crate::dc::optimize::state::{Constraint, Entering, Failure, SolverState, Step};
use wattbook_network::message_key;
use wattbook_sparse::dot;

/// Largest relative difference between two computations of one pivot.
const PIVOT_AGREEMENT: f64 = 1e-6;

impl SolverState<'_, Linear> {
    /// One dual pivot: the entering constraint replaces the one that blocks its direction.
    pub(in crate::dc::optimize) fn pivot(&mut self, entering: Entering) -> Step<()> {
        self.pivots += 1;
        let basis = &self.method.basis;
        let sign = entering.sign;
        // The row of the inverse for the entering constraint.
        let (own, response) = match entering.constraint {
            Constraint::Column(j) => match basis.column_place(j) {
                Some(i) => (Some(i), basis.inverse.row(i).to_vec()),
                None => return Err(Failure::Stalled(message_key!("stall.free_column"))),
            },
            Constraint::Row(row) => (None, basis.multipliers(&basis.entries_of_row(&self.rows, row))),
        };
        let dy: Vec<(usize, f64)> = basis
            .rows
            .iter()
            .zip(&response)
            .map(|(&row, x)| (row, -sign * x))
            .collect();
        let mut terms = dy.clone();
        if let Constraint::Row(row) = entering.constraint {
            terms.push((row, sign));
        }
        let gradient = self.products.gradient(self.model, &self.rows, &terms);
        let drc: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let step = self.bound_flipping_search(entering.violation, 0.0, &dy, &drc);
        let Some(blocking) = step.blocking else {
            return Err(self.infeasible(&mut self.rows.clone(), &terms));
        };

        // Flips move the free columns.
        if !step.flips.is_empty() {
            self.flip_linear(&step.flips);
        }
        for &(row, rate) in &dy {
            self.y[row] += step.t * rate;
        }
        for (rc, rate) in self.rc.iter_mut().zip(&drc) {
            *rc += step.t * rate;
        }
        let swapped = self.swap_linear(entering, own, &response, blocking, step.t);
        self.count_step(step.t)?;
        if !swapped? {
            // The pivot was too small for an inverse of this age.
            if self.method.basis.updates == 0 {
                return Err(Failure::Stalled(message_key!("stall.small_pivot")));
            }
            self.refactor()?;
            self.refresh_linear()?;
            self.repair()?;
        }
        Ok(())
    }

    /// Moves constraints to their other sides, and the free columns so that the active rows remain satisfied.
    fn flip_linear(&mut self, flips: &[Constraint]) {
        let basis = &self.method.basis;
        let mut rhs = vec![0.0; basis.len()];
        for &flip in flips {
            match flip {
                Constraint::Column(j) => {
                    let by = if self.status[j] == Status::AtLower {
                        self.hi(j) - self.lo(j)
                    } else {
                        self.lo(j) - self.hi(j)
                    };
                    for (r, &row) in rhs.iter_mut().zip(&basis.rows) {
                        *r -= self.rows.at(row, j) * by;
                    }
                }
                Constraint::Row(row) => {
                    let (lo, hi) = self.limits(row);
                    let by = if self.side[row] > 0 { lo - hi } else { hi - lo };
                    if let Some(k) = basis.row_place(row) {
                        rhs[k] += by;
                    }
                }
            }
        }
        let moved: Vec<(usize, f64)> = basis.columns.iter().copied().zip(basis.powers(&rhs)).collect();
        for (j, by) in moved {
            self.p[j] += by;
        }
        for &flip in flips {
            self.flip(flip);
        }
    }

    /// Changes basis and powers; false if the pivot is rejected, in which case only the multipliers have changed.
    fn swap_linear(
        &mut self,
        entering: Entering,
        own: Option<usize>,
        response: &[f64],
        blocking: Breakpoint,
        t: f64,
    ) -> Step<bool> {
        let mut basis = std::mem::take(&mut self.method.basis);
        let expected = blocking.rate;
        let agrees = |pivot: f64| (pivot.abs() - expected).abs() <= PIVOT_AGREEMENT * (1.0 + expected);
        // Movement of the free columns per unit of movement of the leaving constraint, and that movement.
        let (moves, by, done) = match (entering.constraint, own, blocking.constraint) {
            (Constraint::Column(e), Some(i), Constraint::Column(j)) => {
                let u = basis.powers(&basis.entries_of_column(&self.rows, j));
                let bound = if entering.sign > 0.0 { self.lo(e) } else { self.hi(e) };
                let by = -(bound - self.p[e]) / u[i];
                let columns = basis.columns.clone();
                let done = agrees(u[i]) && basis.replace_column(i, j, &u);
                (
                    columns
                        .into_iter()
                        .zip(u)
                        .map(|(c, u)| (c, -u))
                        .chain([(j, 1.0)])
                        .collect::<Vec<_>>(),
                    by,
                    done,
                )
            }
            (Constraint::Column(e), Some(i), Constraint::Row(row)) => {
                let Some(r) = basis.row_place(row) else {
                    self.method.basis = basis;
                    return Ok(false);
                };
                let u = basis.inverse.column(r);
                let bound = if entering.sign > 0.0 { self.lo(e) } else { self.hi(e) };
                let by = (bound - self.p[e]) / u[i];
                let columns = basis.columns.clone();
                let done = agrees(u[i]) && basis.shrink(i, r);
                (columns.into_iter().zip(u).collect(), by, done)
            }
            (Constraint::Row(e), _, Constraint::Column(j)) => {
                let entries = basis.entries_of_column(&self.rows, j);
                let u = basis.powers(&entries);
                let pivot = self.rows.at(e, j) - dot(response, &entries);
                let by = entering.sign * self.violation_of(e, entering.sign) / pivot;
                let columns = basis.columns.clone();
                let done = agrees(pivot) && basis.grow(e, j, &u, response, pivot);
                (
                    columns
                        .into_iter()
                        .zip(u)
                        .map(|(c, u)| (c, -u))
                        .chain([(j, 1.0)])
                        .collect(),
                    by,
                    done,
                )
            }
            (Constraint::Row(e), _, Constraint::Row(row)) => {
                let Some(r) = basis.row_place(row) else {
                    self.method.basis = basis;
                    return Ok(false);
                };
                let u = basis.inverse.column(r);
                let by = entering.sign * self.violation_of(e, entering.sign) / response[r];
                let done = agrees(response[r]) && basis.replace_row(r, e, response);
                (basis.columns.iter().copied().zip(u).collect(), by, done)
            }
            _ => (Vec::new(), 0.0, false),
        };
        self.method.basis = basis;
        if !done || !by.is_finite() {
            return Ok(false);
        }
        for (j, rate) in moves {
            self.p[j] += by * rate;
        }
        self.release(blocking.constraint);
        self.insert(entering, t);
        Ok(true)
    }
}
