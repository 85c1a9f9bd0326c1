//! The search for the least relaxation as a job of steps.

use crate::contract as c;
use crate::edits::Edits;
use crate::explain::told;
use crate::study::{Problem, Study};
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_solve::dc::{self, DcData};

/// Budget of the steps of a search that is not to be interrupted.
const AT_ONCE: u32 = 1000;

/// Why edits have no solution, and the least relaxation that gives them one: a job that a caller can tell the progress of, cancel
/// and end early. It keeps the data it was made with: later commits do not change it.
#[derive(Clone, Debug)]
pub struct Explaining {
    problem: Arc<Problem>,
    edits: Edits,
    data: DcData,
    phase: Phase,
    fraction: f64,
    at_least_mw: f64,
    steps: u32,
}

#[derive(Clone, Debug)]
enum Phase {
    Search(Box<dc::Explaining>),
    /// What the limits contradict in is known; how far a single demand can go is not.
    Limit(Box<c::Explanation>),
    Done(Option<Box<c::Explanation>>),
}

impl Explaining {
    /// Of absolute edits of a Study (MW from the base case by id or uid).
    ///
    /// Errors: the codes of edits, `PHYSICS.UNSUPPORTED`.
    pub fn start(study: &Study, deltas_json: &str, rates_json: &str) -> Result<Self> {
        let edits = study.resolve(deltas_json, rates_json)?;
        Self::of(Arc::clone(&study.problem), edits)
    }

    /// Of a `SolveRequest` on a module, which makes no Study where it has no solution even without edits. Sensitivities of the
    /// request are left alone.
    ///
    /// Errors: as there, and `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, the codes of the module.
    pub fn start_module(module_json: &str, request_json: &str) -> Result<Self> {
        let request: c::SolveRequest = crate::from_json("request", request_json)?;
        let formulation = request.formulation.unwrap_or(c::FormulationId::Dcopf);
        if formulation == c::FormulationId::Dcpf {
            let message = "A power flow has no limits that could contradict; the formulation dcopf has.";
            return Err(EngineError::new("FORMULATION.UNAVAILABLE", message));
        }
        let problem = Problem::new(module_json, formulation, &request.options.unwrap_or_default())?;
        let edits = request.edits.unwrap_or_default();
        let edits = problem.edits(&edits.deltas, &edits.rates)?;
        Self::of(Arc::new(problem), edits)
    }

    fn of(problem: Arc<Problem>, edits: Edits) -> Result<Self> {
        let data = edits.apply(&problem.network, &problem.base)?;
        let search = dc::Explaining::new(&problem.model, &data)?;
        Ok(Self {
            at_least_mw: search.at_least_mw(),
            phase: Phase::Search(Box::new(search)),
            problem,
            edits,
            data,
            fraction: 0.0,
            steps: 0,
        })
    }

    /// Works for about `budget` milliseconds of a desktop's core: the same work everywhere, and a few parts are not divided (some
    /// tens of milliseconds at 10,000 buses). The budgets do not change the result.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED` where a check fails, and those of the solver of data whose limits do not contradict.
    pub fn step(&mut self, budget: u32) -> Result<c::ExplainStep> {
        self.steps += 1;
        match std::mem::replace(&mut self.phase, Phase::Done(None)) {
            Phase::Done(explanation) => self.phase = Phase::Done(explanation),
            Phase::Limit(mut explanation) => {
                self.problem.add_demand_limit(&self.edits, &self.data, &mut explanation);
                self.phase = Phase::Done(Some(explanation));
            }
            Phase::Search(mut search) => {
                let outcome = search.step(budget as usize);
                self.at_least_mw = search.at_least_mw();
                self.fraction = self.fraction.max(0.95 * search.fraction());
                self.phase = match outcome {
                    Ok(false) => Phase::Search(search),
                    Ok(true) => self.found(search.explanation.as_ref()),
                    Err(error) if error.code == "SOLVE.UNBOUNDED" => {
                        let explanation = self.problem.unbounded(&self.data, error)?;
                        Phase::Done(Some(Box::new(explanation)))
                    }
                    Err(error) => return Err(error),
                };
            }
        }
        Ok(self.told())
    }

    fn found(&self, explanation: Option<&dc::Explanation>) -> Phase {
        let explanation = explanation.map(|e| Box::new(told(&self.problem.network, e)));
        match explanation {
            Some(explanation) if self.edits.demand.len() == 1 => Phase::Limit(explanation),
            explanation => Phase::Done(explanation),
        }
    }

    fn told(&self) -> c::ExplainStep {
        let (done, explanation) = match &self.phase {
            Phase::Done(explanation) => (true, explanation.as_deref().cloned()),
            _ => (false, None),
        };
        c::ExplainStep {
            done,
            fraction: if done { 1.0 } else { self.fraction },
            steps: self.steps,
            at_least_mw: self.at_least_mw,
            explanation,
        }
    }

    /// [`Explaining::step`] with an `ExplainStep` as JSON.
    pub fn step_json(&mut self, budget: u32) -> Result<String> {
        Ok(crate::to_json(&self.step(budget)?))
    }

    /// Ends the search: the best relaxation so far, checked like any other, with `is_least` false and its gap to what is proved
    /// (`verified.gap_mw`); the explanation itself where the search is done.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED` where a check fails.
    pub fn stop(self) -> Result<Option<c::Explanation>> {
        match self.phase {
            Phase::Done(explanation) => Ok(explanation.map(|e| *e)),
            Phase::Limit(explanation) => Ok(Some(*explanation)),
            Phase::Search(search) => Ok(search.stop()?.map(|e| told(&self.problem.network, &e))),
        }
    }

    /// [`Explaining::stop`] with an `Explanation` or `null` as JSON.
    pub fn stop_json(self) -> Result<String> {
        Ok(crate::to_json(&self.stop()?))
    }

    /// The search to its end.
    ///
    /// Errors: as `step`.
    pub fn finish(mut self) -> Result<Option<c::Explanation>> {
        loop {
            let step = self.step(AT_ONCE)?;
            if step.done {
                return Ok(step.explanation);
            }
        }
    }
}

impl Study {
    /// [`Explaining`] to its end: an `Explanation`, or `null` where the edits have a solution. The Study stays as it is.
    ///
    /// Errors: as there.
    pub fn explain_json(&self, deltas_json: &str, rates_json: &str) -> Result<String> {
        Ok(crate::to_json(
            &Explaining::start(self, deltas_json, rates_json)?.finish()?,
        ))
    }
}

/// As `Study::explain_json` for [`Explaining::start_module`].
///
/// Errors: as there.
pub fn explain_module_json(module_json: &str, request_json: &str) -> Result<String> {
    Ok(crate::to_json(
        &Explaining::start_module(module_json, request_json)?.finish()?,
    ))
}
