//! Several pivots of the dual simplex at once.
//!
//! The tableau rows of a few violated constraints are computed together, so that the inverse and the Laplacian's factor
//! are read once for all. Pivots among these constraints change only their rows; then the basis adopts all exchanges at
//! once (suboptimisation: Rosander, Math. Prog. Study 4 (1975); Huangfu and Hall, Math. Prog. Comp. 10 (2018); the
//! exchange is a principal pivot transform: Tsatsomeros, Linear Algebra Appl. 307 (2000)).

use super::block_pivot::Changes;
use super::method::Linear;
use crate::dc::optimize::state::{Constraint, Entering, Failure, SolverState, Step};
use wattbook_network::message_key;
use wattbook_sparse::{add_scaled, dot};

/// Smaller pivots are rejected.
const PIVOT_TOLERANCE: f64 = 1e-9;
/// After the first pivot of a suboptimization, a tableau row is a difference, so pivots below this wait for the next
/// suboptimization.
const LATER_PIVOT: f64 = 1e-5;

/// A constraint that may enter, with its tableau row: rates of all multipliers per unit of its own.
struct Candidate {
    constraint: Constraint,
    value: f64,
    /// By row.
    y: Vec<f64>,
    /// By column.
    rc: Vec<f64>,
}

impl Candidate {
    fn rate(&self, of: Constraint) -> f64 {
        match of {
            Constraint::Row(row) => self.y[row],
            Constraint::Column(j) => self.rc[j],
        }
    }

    /// Squared norm of its row of the inverse, including the row's own entry.
    fn weight(&self) -> f64 {
        dot(&self.y, &self.y)
    }
}

impl SolverState<'_, Linear> {
    fn limits_of(&self, constraint: Constraint) -> (f64, f64) {
        match constraint {
            Constraint::Column(j) => (self.lo(j), self.hi(j)),
            Constraint::Row(row) => self.limits(row),
        }
    }

    /// The distance of a value beyond the limits of its constraint, and the sign of the correction.
    fn outside(&self, constraint: Constraint, value: f64) -> (f64, f64) {
        let (lo, hi) = self.limits_of(constraint);
        let (below, above) = (lo - value, value - hi);
        if below > above {
            (below, 1.0)
        } else {
            (above, -1.0)
        }
    }

    /// Pivots among these constraints, given their values, while one of them is violated. Stores the norms of rows.
    pub(in crate::dc::optimize) fn suboptimize(
        &mut self,
        chosen: &[(Constraint, f64)],
        weights: &mut [f64],
    ) -> Step<()> {
        let Some((responses, mut candidates)) = self.candidates(chosen) else {
            return Err(Failure::Stalled(message_key!("stall.free_column")));
        };
        for candidate in &candidates {
            if let Constraint::Row(row) = candidate.constraint {
                weights[row] = candidate.weight();
            }
        }
        let before = self.p.clone();
        let mut changes = Changes {
            determinant: 1.0,
            ..Changes::default()
        };
        while let Some((k, violation, sign)) = self.best_of(&candidates) {
            let candidate = candidates.remove(k);
            let dy: Vec<(usize, f64)> = self.active.iter().map(|&row| (row, sign * candidate.y[row])).collect();
            let drc: Vec<f64> = candidate.rc.iter().map(|rate| sign * rate).collect();
            let step = self.bound_flipping_search(violation, 0.0, &dy, &drc);
            let is_first = changes.entered.is_empty();
            let Some(blocking) = step.blocking else {
                if is_first {
                    let mut ray = dy;
                    if let Constraint::Row(row) = candidate.constraint {
                        ray.push((row, sign));
                    }
                    return Err(self.infeasible(&mut self.rows.clone(), &ray));
                }
                // It is checked again by its own row.
                break;
            };
            let pivot = candidate.rate(blocking.constraint);
            if is_first && pivot.abs() <= PIVOT_TOLERANCE {
                return self.start_anew("a pivot was too small");
            } else if !is_first && pivot.abs() <= LATER_PIVOT {
                break;
            }
            self.pivots += 1;
            for &(row, rate) in &dy {
                self.y[row] += step.t * rate;
            }
            for (rc, rate) in self.rc.iter_mut().zip(&drc) {
                *rc += step.t * rate;
            }
            // Flips move every value outside the basis, and the blocking constraint moves by the remaining violation.
            let mut value = candidate.value;
            for &flip in &step.flips {
                let by = self.distance(flip);
                value -= candidate.rate(flip) * by;
                for other in &mut candidates {
                    other.value -= other.rate(flip) * by;
                }
                self.flip(flip);
                if let Constraint::Row(row) = flip {
                    changes.flipped.push(row);
                }
            }
            let (lo, hi) = self.limits_of(candidate.constraint);
            let violation = if sign > 0.0 { lo - value } else { value - hi };
            let by = -sign * violation / pivot;
            for other in &mut candidates {
                let rate = other.rate(blocking.constraint);
                if rate != 0.0 {
                    other.value -= rate * by;
                    let factor = -rate / pivot;
                    add_scaled(&mut other.y, factor, &candidate.y);
                    add_scaled(&mut other.rc, factor, &candidate.rc);
                    match blocking.constraint {
                        Constraint::Row(row) => other.y[row] = 0.0,
                        Constraint::Column(j) => other.rc[j] = 0.0,
                    }
                }
            }
            if let Constraint::Row(row) = blocking.constraint {
                weights[row] = (candidate.weight() / (pivot * pivot)).max(1.0);
            }
            changes.determinant *= pivot.abs();
            changes.left.push(blocking.constraint);
            changes.entered.push(candidate.constraint);
            self.release(blocking.constraint);
            let entering = Entering {
                constraint: candidate.constraint,
                sign,
                violation,
            };
            self.insert(entering, step.t);
            self.count_step(step.t)?;
        }
        if changes.entered.is_empty() {
            return Ok(());
        }
        if self.block_pivot(chosen, &responses, &before, &changes) {
            return Ok(());
        }
        self.start_anew("pivots did not agree")
    }

    /// Computes a fresh inverse for the current active set.
    fn start_anew(&mut self, why: &'static str) -> Step<()> {
        if self.method.basis.updates == 0 {
            return Err(Failure::Stalled(why));
        }
        self.pivots += 1;
        self.refactor()?;
        self.refresh_linear()?;
        self.repair()?;
        Ok(())
    }

    /// Distance from the current side of a constraint to the other.
    pub(in crate::dc::optimize) fn distance(&self, of: Constraint) -> f64 {
        match of {
            Constraint::Column(j) if self.p[j] == self.lo(j) => self.hi(j) - self.lo(j),
            Constraint::Column(j) => self.lo(j) - self.hi(j),
            Constraint::Row(row) => {
                let (lo, hi) = self.limits(row);
                f64::from(self.side[row]) * (lo - hi)
            }
        }
    }

    /// The candidate with the largest violation relative to the norm of its row of the inverse (dual steepest edge;
    /// Forrest and Goldfarb, Math. Prog. 57 (1992)).
    fn best_of(&self, candidates: &[Candidate]) -> Option<(usize, f64, f64)> {
        let mut best = 0.0;
        let mut found = None;
        for (k, candidate) in candidates.iter().enumerate() {
            let (violation, sign) = self.outside(candidate.constraint, candidate.value);
            if violation > crate::dc::optimize::PRIMAL_TOLERANCE {
                let score = violation * violation / candidate.weight();
                if score > best {
                    best = score;
                    found = Some((k, violation, sign));
                }
            }
        }
        found
    }

    /// Rows of the inverse for constraints, and their tableau rows.
    fn candidates(&self, chosen: &[(Constraint, f64)]) -> Option<(Vec<Vec<f64>>, Vec<Candidate>)> {
        let basis = &self.method.basis;
        let mut terms = basis.rows.clone();
        let entries: Vec<Vec<f64>> = chosen
            .iter()
            .filter_map(|(constraint, _)| match constraint {
                Constraint::Row(row) => Some(basis.entries_of_row(&self.rows, *row)),
                Constraint::Column(_) => None,
            })
            .collect();
        let entries: Vec<&[f64]> = entries.iter().map(|e| &e[..]).collect();
        let mut products = basis.inverse.transposed_times_together(&entries).into_iter();
        let mut responses = Vec::with_capacity(chosen.len());
        for (constraint, _) in chosen {
            responses.push(match constraint {
                Constraint::Row(row) => {
                    terms.push(*row);
                    products.next()?
                }
                Constraint::Column(j) => basis.inverse.row(basis.column_place(*j)?).to_vec(),
            });
        }
        let k = basis.len();
        let rates: Vec<Vec<f64>> = chosen
            .iter()
            .zip(&responses)
            .map(|((constraint, _), response)| {
                let own = |row: &usize| f64::from(u8::from(*constraint == Constraint::Row(*row)));
                let of_others = response.iter().map(|x| -x);
                of_others.chain(terms[k..].iter().map(own)).collect()
            })
            .collect();
        let gradients = self.products.gradients(self.model, &self.rows, &terms, &rates);
        let mut found = Vec::with_capacity(chosen.len());
        for (((constraint, value), rates), mut rc) in chosen.iter().zip(rates).zip(gradients) {
            let mut y = vec![0.0; self.rows.len()];
            for (&row, rate) in terms.iter().zip(rates) {
                y[row] += rate;
            }
            rc.iter_mut().for_each(|g| *g = -*g);
            for &j in &basis.columns {
                rc[j] = 0.0;
            }
            if let Constraint::Column(j) = *constraint {
                rc[j] = 1.0;
            }
            found.push(Candidate {
                constraint: *constraint,
                value: *value,
                y,
                rc,
            });
        }
        Some((responses, found))
    }
}
