//! The search for the minimum relaxation in steps.

use super::explanation;
use super::interior::{Interior, Stepped};
use super::relaxed::Relaxed;
use crate::dc::dual_active_set::DualActiveSet;
use crate::dc::infeasibility::refusals;
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::infeasibility::Explanation;
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use wattbook_network::error::Result;

/// Work (`SolverState::spend`) per line of the active set before the interior point method takes over. If generators
/// cannot meet the demand, there are thousands of equal ways to cut it; otherwise few limits are relaxed.
const OF_LINE_SHORT: usize = 2_000;
const OF_LINE: usize = 100_000;
/// Work of the active set per unit of a step's budget, about a millisecond.
const WORK: usize = 1_000_000;
/// Smallest work per line: some checks of all lines.
const LEAST_OF_LINE: usize = 500;
/// Block products per unit of a step's budget, about a millisecond.
const PRODUCTS: usize = 25_000;
/// Steps of the interior point method granted to a search that is stopped before it has any result.
const STEPS_AFTER_STOP: usize = 4;

#[derive(Clone, Debug)]
enum Phase {
    /// The active set, with the remaining allowance.
    ActiveSet(usize),
    Interior(Box<Interior>),
    /// The active set without an allowance, if no interior point method applies.
    Alone,
    Done,
}

/// A search for the conflict in data and its minimum relaxation. It owns copies of the model and the data.
#[derive(Clone, Debug)]
pub struct Explaining {
    relaxed: Relaxed,
    phase: Phase,
    at_least: f64,
    steps: usize,
    /// The result once done; `None` if the data are feasible.
    pub explanation: Option<Explanation>,
    /// Whether the result is that of the interior point method.
    #[doc(hidden)]
    pub has_interior_end: bool,
}

impl Explaining {
    /// Prepares the search.
    ///
    /// # Errors
    /// `PHYSICS.UNSUPPORTED`, as in the solver.
    pub fn new(model: &DcModel, data: &DcData) -> Result<Self> {
        for (l, line) in model.lines.iter().enumerate() {
            // A relaxation must be valid for every flow around a loop.
            if model.is_undetermined(l) && data.rating[line.row] < model.capacity {
                return Err(refusals::merged_loop(model, data, l));
            }
        }
        let relaxed = Relaxed::new(model, data);
        Ok(Self {
            at_least: relaxed.shortfall(),
            phase: Phase::ActiveSet(if relaxed.shortfalls.is_empty() {
                allowance(model, OF_LINE)
            } else {
                allowance(model, OF_LINE_SHORT)
            }),
            relaxed,
            steps: 0,
            explanation: None,
            has_interior_end: false,
        })
    }

    /// Works for about `budget` milliseconds, except for indivisible parts; true once the search is done.
    ///
    /// # Errors
    /// `SOLVE.NOT_CONVERGED` if a check fails, and the solver's errors for data without a conflict of limits.
    pub fn step(&mut self, budget: usize) -> Result<bool> {
        self.steps += 1;
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Done => {}
            Phase::ActiveSet(left) => {
                let work = self.work(budget).min(left);
                let mut spent = 0;
                match self.relaxed.search(work, &mut spent)? {
                    Some(proof) => self.conclude(&proof)?,
                    None if left > spent => self.phase = Phase::ActiveSet(left - spent),
                    None => {
                        let interior = self.relaxed.interior();
                        self.phase = interior.map_or(Phase::Alone, |i| Phase::Interior(Box::new(i)));
                    }
                }
            }
            Phase::Interior(mut interior) => {
                let most = (budget.saturating_mul(PRODUCTS) / interior.work().max(1)).max(1);
                let mut stepped = Stepped::On;
                for _ in 0..most {
                    stepped = interior.step();
                    if stepped != Stepped::On {
                        break;
                    }
                }
                let proof = self.relaxed.proof_at(&interior);
                self.note(&proof);
                match stepped {
                    Stepped::On => self.phase = Phase::Interior(interior),
                    _ if self.relaxed.gap(&proof).is_some() => {
                        self.has_interior_end = true;
                        self.conclude(&proof)?;
                    }
                    _ => self.phase = Phase::Alone,
                }
            }
            Phase::Alone => match self.relaxed.search(self.work(budget), &mut 0)? {
                Some(proof) => self.conclude(&proof)?,
                None => self.phase = Phase::Alone,
            },
        }
        Ok(matches!(self.phase, Phase::Done))
    }

    /// Work of the active set in a step, at least the cost of resuming it.
    fn work(&self, budget: usize) -> usize {
        let least = LEAST_OF_LINE * self.relaxed.model.lines.len();
        budget.saturating_mul(WORK).max(least).max(1)
    }

    /// Leaves the search to the interior point method, if it applies; for tests.
    #[doc(hidden)]
    pub fn skip_active_set(&mut self) {
        self.phase = Phase::ActiveSet(1);
    }

    /// Estimated progress of the search, 0 to 1.
    pub fn fraction(&self) -> f64 {
        match &self.phase {
            Phase::ActiveSet(left) => {
                let whole = allowance(&self.relaxed.model, OF_LINE);
                0.1 * (1.0 - *left as f64 / whole as f64).max(0.0)
            }
            Phase::Interior(interior) => 0.1 + 0.8 * interior.fraction(),
            Phase::Alone => 0.9,
            Phase::Done => 1.0,
        }
    }

    /// Verified lower bound on every relaxation, MW, which never decreases.
    pub fn at_least_mw(&self) -> f64 {
        self.at_least * self.relaxed.model.base_mva
    }

    /// Steps so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The best relaxation so far with its gap, or the explanation if the search is done. Consumes the search.
    ///
    /// # Errors
    /// `SOLVE.NOT_CONVERGED` if a check fails.
    pub fn stop(mut self) -> Result<Option<Explanation>> {
        if matches!(self.phase, Phase::Done) {
            return Ok(self.explanation);
        }
        let mut interior = match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Interior(interior) => Some(*interior),
            _ => self.relaxed.interior(),
        };
        if let Some(interior) = &mut interior {
            while interior.steps < STEPS_AFTER_STOP && interior.step() == Stepped::On {}
        }
        let outright = self.relaxed.outright();
        let reached = interior.map(|interior| self.relaxed.proof_at(&interior));
        let proof = match reached {
            Some(proof) => {
                self.note(&proof);
                let is_better = self.relaxed.cost(&proof) <= self.relaxed.cost(&outright);
                if is_better {
                    proof
                } else {
                    outright
                }
            }
            None => outright,
        };
        self.relaxed.name_exceeded(&proof);
        if self.relaxed.entries.is_empty() {
            return Ok(None);
        }
        explanation(&self.relaxed, &proof, Some(self.at_least)).map(Some)
    }

    fn note(&mut self, proof: &Proof) {
        if let Some(bound) = self.relaxed.bound(proof) {
            self.at_least = self.at_least.max(bound);
        }
    }

    fn conclude(&mut self, proof: &Proof) -> Result<()> {
        self.relaxed.name_exceeded(proof);
        if self.relaxed.entries.is_empty() {
            // No limit prevents a solution: there is an optimum, or an error for another reason.
            DualActiveSet.optimum(&self.relaxed.model, &self.relaxed.original, None)?;
            return Ok(());
        }
        let found = explanation(&self.relaxed, proof, None)?;
        self.at_least = self.at_least.max(found.verified.bound_mw / self.relaxed.model.base_mva);
        self.explanation = Some(found);
        Ok(())
    }
}

/// The work allowance of the active set, per line, with at least one.
fn allowance(model: &DcModel, of_line: usize) -> usize {
    of_line * model.lines.len().max(1)
}
