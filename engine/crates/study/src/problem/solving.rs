//! Solves in steps, which can be followed and cancelled where a formulation iterates.

use super::State;
use crate::contract as c;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;
use wattbook_network::error::Result;

/// A solve in steps.
pub(crate) trait Solving: Debug + Send {
    /// Works for `budget` units, each about a millisecond or less, and at least for one iteration. Budgets do not
    /// change the result.
    ///
    /// Errors: `SOLVE.*`, `PHYSICS.UNSUPPORTED`; the solve is over then.
    fn step(&mut self, budget: u32) -> Result<c::JobStep>;

    /// The state; an unfinished solve is completed first.
    ///
    /// Errors: as `step`.
    fn finish(self: Box<Self>) -> Result<Arc<dyn State>>;
}

type Solve = Box<dyn FnOnce() -> Result<Arc<dyn State>> + Send>;

/// A solve in a single step.
pub(crate) struct AtOnce(Solve);

impl AtOnce {
    pub fn boxed(solve: impl FnOnce() -> Result<Arc<dyn State>> + Send + 'static) -> Box<dyn Solving> {
        Box::new(Self(Box::new(solve)))
    }
}

impl Debug for AtOnce {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("AtOnce")
    }
}

impl Solving for AtOnce {
    fn step(&mut self, _budget: u32) -> Result<c::JobStep> {
        Ok(c::JobStep {
            done: true,
            fraction: 1.0,
            ..c::JobStep::default()
        })
    }

    fn finish(self: Box<Self>) -> Result<Arc<dyn State>> {
        (self.0)()
    }
}
