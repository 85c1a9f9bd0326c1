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

/// Work (`SolverState::spend`) that the active set may do for each line before the interior point takes over: where generators cannot meet
/// the demand, thousands of equal ways to cut it are certain; else few limits give way, and the relaxation is a short one.
const OF_LINE_SHORT: usize = 2_000;
const OF_LINE: usize = 100_000;
/// Work of the active set in a unit of a step's budget: about a millisecond.
const WORK: usize = 1_000_000;
/// And at least, for each line: some looks at all lines.
const LEAST_OF_LINE: usize = 500;
/// RowProducts of blocks in a unit of a step's budget: about a millisecond.
const PRODUCTS: usize = 25_000;
/// Steps of the interior point that a search is given that is stopped before it has any.
const STEPS_AFTER_STOP: usize = 4;

#[derive(Clone, Debug)]
enum Phase {
    /// The active set, with what is left of its allowance.
    ActiveSet(usize),
    Interior(Box<Interior>),
    /// The active set without an allowance, where there is no interior point.
    Alone,
    Done,
}

/// A search for the contradiction in data and the minimum relaxation that removes it. It keeps its own copy of both.
#[derive(Clone, Debug)]
pub struct Explaining {
    relaxed: Relaxed,
    phase: Phase,
    at_least: f64,
    steps: usize,
    /// Once done: none where there is a solution after all.
    pub explanation: Option<Explanation>,
    /// It is the interior point's.
    #[doc(hidden)]
    pub has_interior_end: bool,
}

impl Explaining {
    /// Prepares the search.
    ///
    /// Errors: `PHYSICS.UNSUPPORTED` as the solver itself.
    pub fn new(model: &DcModel, data: &DcData) -> Result<Self> {
        for (l, line) in model.lines.iter().enumerate() {
            // A relaxation must hold whatever flows round a loop.
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

    /// Works for about `budget` milliseconds, but for parts that are not divided; true where the search is done.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED` where a check fails, and what the solver says of data whose limits do not contradict.
    pub fn step(&mut self, budget: usize) -> Result<bool> {
        self.steps += 1;
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Done => {}
            Phase::ActiveSet(left) => {
                let work = self.work(budget).min(left);
                match self.relaxed.search(work)? {
                    Some(proof) => self.conclude(&proof)?,
                    None if left > work => self.phase = Phase::ActiveSet(left - work),
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
            Phase::Alone => match self.relaxed.search(self.work(budget))? {
                Some(proof) => self.conclude(&proof)?,
                None => self.phase = Phase::Alone,
            },
        }
        Ok(matches!(self.phase, Phase::Done))
    }

    /// Work of the active set in a step: never less than what taking it up again costs.
    fn work(&self, budget: usize) -> usize {
        let least = LEAST_OF_LINE * self.relaxed.model.lines.len();
        budget.saturating_mul(WORK).max(least).max(1)
    }

    /// Leaves everything to the interior point, where there is one; for tests.
    #[doc(hidden)]
    pub fn skip_active_set(&mut self) {
        self.phase = Phase::ActiveSet(1);
    }

    /// How far the search is, 0 to 1; an estimate.
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

    /// No relaxation of a smaller sum exists, MW: verified, and never less than before.
    pub fn at_least_mw(&self) -> f64 {
        self.at_least * self.relaxed.model.base_mva
    }

    /// Steps so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The best relaxation so far, with its gap: the explanation itself where the search is done. Of no use afterwards.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED` where a check fails.
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
            // No limit is in the way: there is an optimum, or none for another reason.
            DualActiveSet.optimum(&self.relaxed.model, &self.relaxed.original, None)?;
            return Ok(());
        }
        let found = explanation(&self.relaxed, proof, None)?;
        self.at_least = self.at_least.max(found.verified.bound_mw / self.relaxed.model.base_mva);
        self.explanation = Some(found);
        Ok(())
    }
}

/// The work of the active set: so much for each line, and for one where no branch takes part.
fn allowance(model: &DcModel, of_line: usize) -> usize {
    of_line * model.lines.len().max(1)
}
