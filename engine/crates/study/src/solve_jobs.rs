//! Solves as jobs: new Studies, and commits.

use crate::case::Case;
use crate::contract as c;
use crate::edits::EditsJson;
use crate::edits::{ColumnTarget, Edits};
use crate::formulation_request::FormulationRequest;
use crate::job::{Finished, Job};
use crate::problem::work::{Adopted, Product, Work};
use crate::problem::{self, Problem, Solving};
use crate::results::Reply;
use crate::study::{column, Study};
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// The base case of a Study to be created.
#[derive(Debug)]
struct Opening {
    problem: Arc<dyn Problem>,
    solving: Box<dyn Solving>,
}

impl Work for Opening {
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        self.solving.step(budget)
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        let state = self.solving.finish()?;
        Ok(Product {
            reply: Study::of_state(Arc::clone(&self.problem), Arc::clone(&state)).rows(),
            adopted: Adopted::Opened(self.problem, state),
        })
    }
}

/// The state at absolute edits, for a commit to their Study.
#[derive(Debug)]
struct Committing {
    solving: Box<dyn Solving>,
    case_id: String,
    target: Option<ColumnTarget>,
}

impl Work for Committing {
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        self.solving.step(budget)
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        let state = self.solving.finish()?;
        let column = |target| column(&*state, target, &self.case_id);
        let sensitivity = self.target.map(column).transpose()?;
        Ok(Product {
            reply: state.results().commit(&self.case_id, sensitivity),
            adopted: Adopted::State(state, self.case_id),
        })
    }
}

impl Job {
    /// A Study of an open case, solved in steps: `Finished::study` is the Study, and the reply identifies its rows. If
    /// ended early, it completes the remaining work.
    ///
    /// Errors: those of `Study::of_case`.
    pub fn study(case: &Arc<Case>, formulation: &str, options_json: &str) -> Result<Self> {
        let request = FormulationRequest::read(formulation, options_json)?;
        let problem = problem::open(case, request.formulation, &request.options)?;
        let solving = Arc::clone(&problem).solving(&Edits::default())?;
        Ok(Self::of(Box::new(Opening { problem, solving })))
    }

    /// [`Job::study`] of a module.
    ///
    /// Errors: those of `Study::create`.
    pub fn study_of_module(module_json: &str, formulation: &str, options_json: &str) -> Result<Self> {
        Self::study(&Case::read(module_json)?, formulation, options_json)
    }

    /// `Study::commit` in steps. The reply is the same; `Study::keep` then makes the state that of the Study, which is
    /// unchanged until then. If ended early, it completes the remaining work.
    ///
    /// Errors: those of `Study::commit`.
    pub fn commit<'a>(
        study: &Study,
        case_id: &str,
        edits: impl Into<EditsJson<'a>>,
        target_json: &str,
    ) -> Result<Self> {
        let (solving, target) = study.requested(edits.into(), target_json)?;
        Ok(Self::of(Box::new(Committing {
            solving,
            case_id: case_id.to_string(),
            target,
        })))
    }
}

impl Finished {
    /// The Study that the job created.
    ///
    /// Errors: `INTERNAL` for a job of another kind.
    pub fn study(self) -> Result<(Study, Reply)> {
        match self.adopted {
            Adopted::Opened(problem, state) => Ok((Study::of_state(problem, state), self.reply)),
            _ => {
                let message = message!("engine.failed", cause = "this job makes no Study");
                Err(EngineError::new("INTERNAL", message))
            }
        }
    }
}
