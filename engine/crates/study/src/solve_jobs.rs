//! Solves as jobs: a new Study, and commits.

use crate::asked::Asked;
use crate::case::Case;
use crate::contract as c;
use crate::edits::EditsJson;
use crate::edits::{ColumnTarget, Edits};
use crate::job::{Finished, Job};
use crate::problem::work::{Kept, Product, Work};
use crate::problem::{self, Problem, Solving};
use crate::results::Reply;
use crate::study::{column, Study};
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// The base case of a Study to be.
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
            kept: Kept::Opened(self.problem, state),
        })
    }
}

/// The state at absolute edits, for the Study that they are of.
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
            kept: Kept::State(state, self.case_id),
        })
    }
}

impl Job {
    /// A Study of a case that is open, solved in steps: `Finished::study` is the Study, the reply what names its rows. Ended
    /// early it does what is left.
    ///
    /// Errors: those of `Study::of_case`.
    pub fn study(case: &Arc<Case>, formulation: &str, options_json: &str) -> Result<Self> {
        let asked = Asked::read(formulation, options_json)?;
        let problem = problem::open(case, asked.formulation, &asked.options)?;
        let solving = Arc::clone(&problem).solving(&Edits::default())?;
        Ok(Self::of(Box::new(Opening { problem, solving })))
    }

    /// [`Job::study`] of a module.
    ///
    /// Errors: those of `Study::create`.
    pub fn study_of_module(module_json: &str, formulation: &str, options_json: &str) -> Result<Self> {
        Self::study(&Case::read(module_json)?, formulation, options_json)
    }

    /// `Study::commit` in steps: the reply is the same, and `Study::keep` makes the state that of the Study, which until then stays as
    /// it was. Ended early it does what is left.
    ///
    /// Errors: those of `Study::commit`.
    pub fn commit<'a>(
        study: &Study,
        case_id: &str,
        edits: impl Into<EditsJson<'a>>,
        target_json: &str,
    ) -> Result<Self> {
        let (edits, target) = study.asked(edits.into(), target_json)?;
        Ok(Self::of(Box::new(Committing {
            solving: study.moving(&edits)?,
            case_id: case_id.to_string(),
            target,
        })))
    }
}

impl Finished {
    /// The Study that the job has made.
    ///
    /// Errors: `INTERNAL` where it was of another kind.
    pub fn study(self) -> Result<(Study, Reply)> {
        match self.kept {
            Kept::Opened(problem, state) => Ok((Study::of_state(problem, state), self.reply)),
            _ => {
                let said = message!("engine.failed", cause = "this job makes no Study");
                Err(EngineError::new("INTERNAL", said))
            }
        }
    }
}
