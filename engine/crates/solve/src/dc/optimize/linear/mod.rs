//! Linear programs: the dual simplex on the inverse between active rows and free columns (docs/method/dc-opf.md, section 3; Koberstein,
//! *The Dual Simplex Method*, 2005).

mod block_pivot;
mod method;
pub(super) mod minimum_violation;
mod pivot;
mod primal;
mod refinement;
mod suboptimization;
mod suspended;

use super::modes::Perturbation;
use super::state::{Constraint, Failure, SolverState, Step};
use wattbook_network::message_key;
use wattbook_sparse::dot;

use method::DualRun;
pub(super) use method::Linear;

/// Updates of the inverse before it is recomputed.
const REFACTOR_AFTER: usize = 2500;
/// Checks of all lines between corrections of powers and multipliers.
const LOOKS_PER_CORRECTION: usize = 4;
/// Pivots between checks of all lazy rows.
const PIVOTS_PER_LOOK: usize = 24;
/// Constraints in a suboptimization.
const CANDIDATES: usize = 12;
/// Pivots for ties that may be refused because of the age of the inverse.
const TIES_REFUSED: usize = 8;
/// Lines watched between checks.
const WATCHED: usize = 64;

impl SolverState<'_, Linear> {
    /// Solves to the optimum at the current costs.
    pub(in crate::dc::optimize) fn optimise_linear(&mut self) -> Step<()> {
        let begun = self.method.dual.take();
        let mut run = begun.unwrap_or_else(|| DualRun {
            repairs: 0,
            budget: 200 + 2 * self.active.len(),
            strength: super::PERTURBATION,
            weights: Vec::new(),
            uncorrected: LOOKS_PER_CORRECTION,
        });
        let outcome = self.dual_steps(&mut run);
        if matches!(outcome, Err(Failure::Exhausted)) {
            self.method.dual = Some(run);
        }
        outcome
    }

    /// Enters the ties of links.
    fn enter_ties(&mut self) -> Step<()> {
        let mut refused = 0;
        while let Some(tie) = self.next_tie() {
            let entered = self.pivot(tie);
            if let Err(failure) = entered {
                if !self.is_implied(tie, &failure) {
                    return Err(failure);
                }
            } else if self.next_tie().is_some_and(|next| next.constraint == tie.constraint) {
                refused += 1;
                if refused > TIES_REFUSED {
                    return Err(Failure::Stalled(message_key!("stall.small_pivot")));
                }
            }
        }
        Ok(())
    }

    fn dual_steps(&mut self, run: &mut DualRun) -> Step<()> {
        self.enter_ties()?;
        let DualRun {
            repairs,
            budget,
            strength,
            weights,
            uncorrected,
        } = run;
        loop {
            if self.method.basis.updates > REFACTOR_AFTER {
                self.refactor()?;
                *uncorrected = LOOKS_PER_CORRECTION;
            }
            *uncorrected += 1;
            if *uncorrected > LOOKS_PER_CORRECTION {
                *uncorrected = 0;
                self.refresh_linear()?;
                if self.repair()? {
                    *repairs += 1;
                    if *repairs > 200 {
                        return Err(Failure::Stalled(message_key!("stall.dual_infeasible")));
                    }
                    *uncorrected = LOOKS_PER_CORRECTION;
                    continue;
                }
            }
            let mut lines = self.violated_lines();
            lines.truncate(WATCHED);
            let watched = self.add_lazy_rows(&lines);
            if watched.is_empty() && self.worst_of(&watched).is_none() {
                if *uncorrected == 0 {
                    return Ok(());
                }
                *uncorrected = LOOKS_PER_CORRECTION;
                continue;
            }
            weights.resize(self.rows.len(), 1.0);
            let before = self.pivots;
            while self.pivots < before + PIVOTS_PER_LOOK {
                let chosen = self.steepest(&watched, weights);
                if chosen.is_empty() {
                    break;
                }
                let so_far = self.pivots;
                self.suboptimize(&chosen, weights)?;
                if self.pivots == so_far {
                    break;
                }
            }
            if self.pivots == before && *uncorrected > 0 {
                *uncorrected = LOOKS_PER_CORRECTION;
                continue;
            }
            if self.pivots == before {
                // By their own rows these lines are within their limits; the two computations of a flow differ by
                // rounding.
                return Ok(());
            }
            if self.pivots > *budget && self.perturbation == Perturbation::Growing && *strength < 1e-3 {
                *strength *= 10.0;
                self.perturb_more(*strength);
                *budget = self.pivots + 200 + 2 * self.active.len();
            }
            self.spend(self.pivots - before)?;
        }
    }

    /// Free columns and watched rows with the largest violations relative to the norms of their rows of the inverse
    /// (last known ones for rows), with their values.
    fn steepest(&self, watched: &[usize], weights: &[f64]) -> Vec<(Constraint, f64)> {
        let mut found: Vec<(f64, Constraint, f64)> = Vec::new();
        for (i, &j) in self.method.basis.columns.iter().enumerate() {
            let violation = (self.lo(j) - self.p[j]).max(self.p[j] - self.hi(j));
            if violation > super::PRIMAL_TOLERANCE {
                let row = self.method.basis.inverse.row(i);
                let score = violation * violation / dot(row, row);
                found.push((score, Constraint::Column(j), self.p[j]));
            }
        }
        let injections = self.products.injections(self.model, &self.p);
        for &row in watched.iter().filter(|&&row| self.side[row] == 0) {
            let (lo, hi) = self.limits(row);
            let value = self.products.value(&self.rows, row, &self.p, &injections);
            let violation = (lo - value).max(value - hi);
            if violation > super::PRIMAL_TOLERANCE {
                let score = violation * violation / weights[row];
                found.push((score, Constraint::Row(row), value));
            }
        }
        // The sort is stable, so equal scores keep their order.
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(CANDIDATES);
        // Of equal constraints, such as parallel lines, the first one enters, independent of the known norms.
        found.sort_by_key(|(_, constraint, _)| match *constraint {
            Constraint::Column(j) => (0, j),
            Constraint::Row(row) => (1, self.rows.line(row).map_or(0, |r| r.line)),
        });
        found
            .into_iter()
            .map(|(_, constraint, value)| (constraint, value))
            .collect()
    }
}
