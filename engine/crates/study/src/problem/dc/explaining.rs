//! The search for the minimum relaxation as a job of steps.

use super::explain::named_explanation;
use super::DcOpf;
use crate::contract as c;
use crate::edits::Edits;
use crate::problem::work::{Product, Work};
use crate::results::Reply;
use std::sync::Arc;
use wattbook_network::error::Result;
use wattbook_solve::dc::{self, DcData};

#[derive(Debug)]
pub(super) struct DcSearch {
    problem: Arc<DcOpf>,
    edits: Edits,
    data: DcData,
    phase: Phase,
    fraction: f64,
    at_least_mw: f64,
}

#[derive(Debug)]
enum Phase {
    Search(Box<dc::Explaining>),
    /// The contradiction is known; the limit of a single demand is not.
    Limit(Box<c::Explanation>),
    Done(Option<Box<c::Explanation>>),
}

impl DcSearch {
    pub fn new(problem: Arc<DcOpf>, edits: Edits) -> Result<Self> {
        let data = problem.0.data(&edits)?;
        let problem = problem.reaching(&data);
        let of_security = problem.0.contradicting_limits(&data);
        let (at_least_mw, phase) = match of_security {
            Some(found) => {
                let explanation = found.explanation(&problem.0.case.network);
                (
                    explanation.relaxation_total_mw,
                    Phase::Done(Some(Box::new(explanation))),
                )
            }
            None => {
                let search = dc::Explaining::new(&problem.0.model, &data)?;
                (search.at_least_mw(), Phase::Search(Box::new(search)))
            }
        };
        Ok(Self {
            at_least_mw,
            phase,
            problem,
            edits,
            data,
            fraction: 0.0,
        })
    }

    fn found(&self, explanation: Option<&dc::Explanation>) -> Phase {
        let explanation = explanation.map(|e| Box::new(named_explanation(&self.problem.0.case.network, e)));
        match explanation {
            Some(explanation) if self.edits.demand.len() == 1 => Phase::Limit(explanation),
            explanation => Phase::Done(explanation),
        }
    }

    /// Fraction of the work that is done.
    pub fn fraction(&self) -> f64 {
        match self.phase {
            Phase::Done(_) => 1.0,
            _ => self.fraction,
        }
    }

    /// Works for about `budget` milliseconds on a desktop; true when done.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED` where a check fails, and those of the solver for data whose limits do not
    /// contradict.
    pub fn advance(&mut self, budget: u32) -> Result<bool> {
        match std::mem::replace(&mut self.phase, Phase::Done(None)) {
            Phase::Done(explanation) => self.phase = Phase::Done(explanation),
            Phase::Limit(mut explanation) => {
                self.problem
                    .0
                    .add_demand_limit(&self.edits, &self.data, &mut explanation);
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
                        let explanation = self.problem.0.unbounded(&self.data, error)?;
                        Phase::Done(Some(Box::new(explanation)))
                    }
                    Err(error) => return Err(error),
                };
            }
        }
        Ok(matches!(self.phase, Phase::Done(_)))
    }

    /// The explanation; for an unfinished search the best relaxation so far.
    pub fn explanation(self) -> Result<Option<c::Explanation>> {
        match self.phase {
            Phase::Done(explanation) => Ok(explanation.map(|e| *e)),
            Phase::Limit(explanation) => Ok(Some(*explanation)),
            Phase::Search(search) => Ok(search
                .stop()?
                .map(|e| named_explanation(&self.problem.0.case.network, &e))),
        }
    }
}

impl Work for DcSearch {
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        Ok(c::JobStep {
            done: self.advance(budget)?,
            fraction: self.fraction(),
            at_least_mw: Some(self.at_least_mw),
            ..c::JobStep::default()
        })
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        let reply = Reply::new(&self.explanation()?, Vec::new());
        Ok(reply.into())
    }
}
