//! The search for the least relaxation as a job of steps.

use crate::contract as c;
use crate::problem::Search;
use crate::stateless;
use crate::study::Study;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Budget of the steps of a search that is not to be interrupted.
const AT_ONCE: u32 = 1000;

/// Why edits have no solution, and the least relaxation that gives them one: a job that a caller can tell the progress of, cancel
/// and end early. It keeps the data it was made with: later commits do not change it.
#[derive(Debug)]
pub struct Explaining(Box<dyn Search>);

impl Explaining {
    /// Of absolute edits of a Study (MW from the base case by id or uid).
    ///
    /// Errors: the codes of edits, `PHYSICS.UNSUPPORTED`.
    pub fn start(study: &Study, deltas_json: &str, rates_json: &str) -> Result<Self> {
        study.search(deltas_json, rates_json).map(Self)
    }

    /// Of a `SolveRequest` on a module, which makes no Study where it has no solution even without edits. Sensitivities of the
    /// request are left alone.
    ///
    /// Errors: as there, and `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, the codes of the module.
    pub fn start_module(module_json: &str, request_json: &str) -> Result<Self> {
        let request: c::SolveRequest = crate::from_json("request", request_json)?;
        if request.formulation == Some(c::FormulationId::Dcpf) {
            let said = message!("formulation.power_flow_limits");
            return Err(EngineError::new("FORMULATION.UNAVAILABLE", said));
        }
        let (problem, edits) = stateless::asked(module_json, &request)?;
        problem.search(edits).map(Self)
    }

    /// Works for about `budget` milliseconds of a desktop's core: the same work everywhere, and a few parts are not divided (some
    /// tens of milliseconds at 10,000 buses). The budgets do not change the result.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED` where a check fails, and those of the solver of data whose limits do not contradict.
    pub fn step(&mut self, budget: u32) -> Result<c::ExplainStep> {
        self.0.step(budget)
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
        self.0.stop()
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
