//! A solve of the relaxation in steps of a few iterations.

use super::{Socwr, SocwrState};
use crate::contract as c;
use crate::convert::plain;
use crate::edits::Edits;
use crate::problem::stepping::{way, Way};
use crate::problem::{Solving, State};
use std::sync::{Arc, Mutex, OnceLock};
use wattbook_network::error::Result;
use wattbook_solve::conic::{ConicCertificate, ConicProgress, ConicSolution, ConicSolve};

/// Number of buses for which an iteration takes about a millisecond.
const BUSES_PER_MS: usize = 300;
/// Fraction of the work that iterations take, and the share of the base case's iterations where edits follow it.
const ITERATIONS: f64 = 0.95;
const BASE: f64 = 0.8;

/// The solve of edits, warm-started from the optimum of the base case where it has one, so that a state is the same
/// however it was reached.
pub(super) struct Iterating {
    problem: Arc<Socwr>,
    edits: Edits,
    stage: Stage,
    iterations: Vec<c::SolveIteration>,
    step: c::JobStep,
    /// Fractions of the work before this stage and including it.
    part: [f64; 2],
    /// Distance of the stage's first iterate from the optimum, in powers of ten.
    from: f64,
}

enum Stage {
    Base(Box<ConicSolve>),
    Edited {
        solve: Box<ConicSolve>,
        /// `None` where the base case has no optimum.
        base: Option<Arc<SocwrState>>,
        is_warm: bool,
    },
    Done(Arc<SocwrState>),
}

impl std::fmt::Debug for Iterating {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Iterating({} iterations)", self.iterations.len())
    }
}

impl Iterating {
    /// A cold start.
    ///
    /// Errors: the codes of edits.
    pub fn new(problem: Arc<Socwr>, edits: &Edits) -> Result<Self> {
        problem.data(edits)?;
        let solve = ConicSolve::new(&problem.model, &problem.base, None);
        let mut found = Self::at(problem, edits, Stage::Base(Box::new(solve)));
        if !edits.is_empty() {
            found.part[1] = BASE;
        }
        Ok(found)
    }

    /// A start from a state of the same problem.
    ///
    /// Errors: the codes of edits.
    pub fn from(state: Arc<SocwrState>, edits: &Edits) -> Result<Self> {
        let problem = Arc::clone(&state.problem);
        let stage = match way(&state, edits) {
            Way::Known(state) => Stage::Done(state),
            Way::FromBase(base) => edited(&problem, Some(base), edits, true)?,
            Way::Cold => edited(&problem, None, edits, false)?,
        };
        Ok(Self::at(problem, edits, stage))
    }

    fn at(problem: Arc<Socwr>, edits: &Edits, stage: Stage) -> Self {
        Self {
            step: c::JobStep {
                done: matches!(stage, Stage::Done(_)),
                ..c::JobStep::default()
            },
            problem,
            edits: edits.clone(),
            stage,
            iterations: Vec::new(),
            part: [0.0, ITERATIONS],
            from: 0.0,
        }
    }

    /// One iteration.
    ///
    /// Errors: `SOLVE.*`, `PHYSICS.UNSUPPORTED`.
    fn iterate(&mut self) -> Result<()> {
        let model = &self.problem.model;
        let (outcome, progress) = match &mut self.stage {
            Stage::Base(solve) | Stage::Edited { solve, .. } => (solve.step(model), solve.progress(model)),
            Stage::Done(_) => return Ok(()),
        };
        self.note(&progress);
        let Some(outcome) = outcome else { return Ok(()) };
        let found = self.problem.checked(outcome);
        self.stage = match &self.stage {
            Stage::Base(_) if self.edits.is_empty() => Stage::Done(self.state(None, found?)),
            Stage::Base(_) => {
                let base = found.ok().map(|found| self.state(None, found));
                self.begin([self.part[1], ITERATIONS]);
                edited(&self.problem, base, &self.edits, true)?
            }
            // A warm start that is undecided or fails the check is replaced by a cold start.
            Stage::Edited {
                base, is_warm: true, ..
            } if base.is_some() && found.as_ref().is_err_and(|error| error.code == "SOLVE.NOT_CONVERGED") => {
                let base = base.clone();
                self.begin(self.part);
                edited(&self.problem, base, &self.edits, false)?
            }
            Stage::Edited { base, .. } => Stage::Done(self.state(base.clone(), found?)),
            Stage::Done(state) => Stage::Done(Arc::clone(state)),
        };
        self.step.done = matches!(self.stage, Stage::Done(_));
        Ok(())
    }

    fn begin(&mut self, part: [f64; 2]) {
        self.part = part;
        self.from = 0.0;
        self.iterations.clear();
    }

    fn note(&mut self, progress: &ConicProgress) {
        let base_mva = self.problem.network.case.network.base_mva;
        let residuals = &progress.residuals;
        let excess = residuals.excess();
        let iteration = progress.iterations as u32;
        let is_new = self.iterations.last().is_none_or(|last| last.iteration < iteration);
        if !is_new || iteration == 0 || !excess.is_finite() || !progress.objective.is_finite() {
            return;
        }
        let latest = c::SolveIteration {
            iteration,
            objective: plain(progress.objective),
            residual: plain(residuals.primal * base_mva),
        };
        self.iterations.push(latest.clone());
        let left = excess.max(1.0).log10();
        self.from = self.from.max(left).max(1.0);
        let [before, with] = self.part;
        let fraction = before + (with - before) * (1.0 - left / self.from);
        self.step.fraction = self.step.fraction.max(fraction);
        self.step.iteration = Some(latest);
        self.step.gap = Some(plain(residuals.gap));
    }

    fn state(
        &self,
        base: Option<Arc<SocwrState>>,
        (solution, certificate): (ConicSolution, ConicCertificate),
    ) -> Arc<SocwrState> {
        Arc::new(SocwrState {
            problem: Arc::clone(&self.problem),
            edits: match self.stage {
                Stage::Base(_) => self.edits.base(),
                _ => self.edits.clone(),
            },
            base,
            solution,
            certificate,
            iterations: self.iterations.clone(),
            components: OnceLock::new(),
            tangents: Mutex::new(None),
        })
    }
}

/// The solver for edits.
///
/// Errors: the codes of edits.
fn edited(problem: &Socwr, base: Option<Arc<SocwrState>>, edits: &Edits, is_warm: bool) -> Result<Stage> {
    let start = base.as_ref().filter(|_| is_warm).map(|base| &base.solution);
    let solve = ConicSolve::new(&problem.model, &problem.data(edits)?, start);
    Ok(Stage::Edited {
        solve: Box::new(solve),
        base,
        is_warm,
    })
}

impl Solving for Iterating {
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        let each = (self.problem.network.case.network.buses.len() / BUSES_PER_MS).max(1);
        let mut spent = 0;
        while !self.step.done && spent < budget as usize {
            self.iterate()?;
            spent += each;
        }
        if self.step.done {
            self.step.fraction = 1.0;
        }
        Ok(self.step.clone())
    }

    fn finish(mut self: Box<Self>) -> Result<Arc<dyn State>> {
        loop {
            if let Stage::Done(state) = self.stage {
                return Ok(state);
            }
            self.iterate()?;
        }
    }
}
