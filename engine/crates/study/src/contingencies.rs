//! N-1 screening of a Study's committed state, in steps.

use crate::contract as c;
use crate::problem::Screening;
use crate::study::Study;
use std::sync::Arc;
use wattbook_network::error::Result;

/// A screening in progress. It keeps the state it was made with: later commits do not change it.
#[derive(Debug)]
pub struct Contingencies(Box<dyn Screening>);

impl Contingencies {
    /// Prepares the outage of every branch that takes part, at the committed state.
    ///
    /// Errors: `FORMULATION.UNAVAILABLE`.
    pub fn start(study: &Study) -> Result<Self> {
        Arc::clone(&study.current).screening().map(Self)
    }

    /// Screens about `budget` further outages. The budgets do not change the rows.
    pub fn step(&mut self, budget: u32) -> c::ContingencyStep {
        self.0.step(budget)
    }

    /// [`Contingencies::step`] with a `ContingencyStep` as JSON.
    pub fn step_json(&mut self, budget: u32) -> String {
        crate::to_json(&self.step(budget))
    }
}
