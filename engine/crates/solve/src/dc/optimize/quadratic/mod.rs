//! Quadratic and mixed costs: residual steps, and the entry of a violated constraint (docs/method/dc-opf.md, section 3).
//!
//! Free quadratic columns follow the price. In each line search, columns at a bound whose reduced cost reaches zero
//! become free, and after each step columns outside their bounds stop there. Both increase the dual objective, which
//! each step maximises along its direction, so no active set recurs.

mod degenerate_entry;
mod entry;
mod method;
mod refinement;
mod residual_steps;
mod response;

use super::linear::Linear;
use super::modes::{Caution, Perturbation};
use super::random::Random;
use super::state::{Failure, SolverState, Step};
use super::PERTURBATION;
use method::Feasibility;
use wattbook_network::message_key;

pub(super) use method::Quadratic;

/// Entries between checks of all lines, and lines watched between checks.
const ENTRIES_PER_LOOK: usize = 8;
const WATCHED: usize = 16;
/// Steps after which ties are broken more strongly, in addition to four per item of the system, and the largest
/// strength.
const BUDGET: usize = 400;
const STRONGEST: f64 = 1e-3;
/// After a stall, updates of the inverse between factorisations.
const CAUTIOUS_UPDATES: usize = 20;
/// Scaled prices beyond this raise doubts about feasibility.
const SUSPICIOUS_PRICE: f64 = 1e3;

impl SolverState<'_, Quadratic> {
    /// Solves to the optimum at the current costs.
    pub(super) fn optimise_quadratic(&mut self) -> Step<()> {
        let mut repairs = 0;
        let mut watched: Vec<usize> = Vec::new();
        let mut entered = ENTRIES_PER_LOOK;
        let (mut budget, mut strength) = (self.pivots + BUDGET, PERTURBATION);
        self.method.missed = self.residuals_by_row();
        loop {
            if self.caution == Caution::Cautious && self.method.kkt.updates() > CAUTIOUS_UPDATES {
                self.refactor()?;
            }
            self.clear_residual()?;
            if let Some(tie) = self.next_tie() {
                if let Err(failure) = self.enter(tie) {
                    if !self.is_implied(tie, &failure) {
                        return Err(failure);
                    }
                }
                continue;
            }
            let mut next = self.worst_of(&watched);
            if next.is_none() || entered >= ENTRIES_PER_LOOK {
                self.refresh_quadratic()?;
                if self.repair()? {
                    self.refactor()?;
                    self.method.missed = self.residuals_by_row();
                    repairs += 1;
                    if repairs > 200 {
                        return Err(Failure::Stalled(message_key!("stall.dual_infeasible")));
                    }
                    continue;
                }
                entered = 0;
                // Many ties cause many steps.
                if self.pivots > budget && self.perturbation == Perturbation::Growing && strength < STRONGEST {
                    strength *= 10.0;
                    self.perturb_more(strength);
                    budget = self.pivots + BUDGET + 4 * self.method.kkt.items.len();
                }
                let mut lines = self.violated_lines();
                lines.truncate(WATCHED);
                watched = self.add_lazy_rows(&lines);
                next = self.worst_of(&watched);
            }
            if self.method.feasibility == Feasibility::Unknown && self.y.iter().any(|y| y.abs() > SUSPICIOUS_PRICE) {
                self.check_feasible()?;
            }
            let Some(entering) = next else { return Ok(()) };
            self.enter(entering)?;
            entered += 1;
        }
    }

    /// In an infeasible mixed problem prices diverge slowly, whereas a linear one has a ray at once
    /// (docs/method/dc-opf.md, section 3). The costs are random because ties would cost pivots.
    fn check_feasible(&mut self) -> Step<()> {
        self.method.feasibility = Feasibility::Known;
        let mut check: SolverState<'_, Linear> = SolverState::new(self.problem.clone(), self.rows.clone());
        let mut random = Random::default();
        for j in 0..self.c.len() {
            let middle = self.c[j] + 0.5 * self.q[j] * (self.lo(j) + self.hi(j));
            check.c[j] = middle * (1.0 + 0.1 * random.unit()) + 0.1 * random.unit();
            check.q[j] = 0.0;
        }
        let outcome = check.merit_order().and_then(|()| check.optimise_linear());
        if let Err(Failure::Infeasible(error)) = outcome {
            return Err(Failure::Infeasible(error));
        }
        // The lines found there are useful here too.
        self.rows = check.rows;
        self.side.resize(self.rows.len(), 0);
        self.y.resize(self.rows.len(), 0.0);
        self.method.missed.resize(self.rows.len(), 0.0);
        self.products = check.products;
        Ok(())
    }
}
