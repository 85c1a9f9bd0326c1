//! Long work in steps, as problems define it; [`crate::job`] runs it.

use super::{Path, Problem, State};
use crate::contract as c;
use crate::results::Reply;
use std::fmt::Debug;
use std::sync::Arc;
use wattbook_network::error::Result;

/// The work of a job.
pub(crate) trait Work: Debug + Send {
    /// Works for `budget` units of the job's own, each about a millisecond or less. A few parts are not divided (some
    /// tens of milliseconds at 10,000 buses), and all of them can be interrupted. Budgets do not change the result, and
    /// even the smallest budget makes progress worth the overhead of a step.
    fn step(&mut self, budget: u32) -> Result<c::JobStep>;

    /// Whether an interrupted step leaves the work as it was before the step.
    fn outlives_interrupts(&self) -> bool {
        false
    }

    /// The result; for unfinished work the partial result, as well verified as a complete one.
    fn finish(self: Box<Self>) -> Result<Product>;
}

/// The product of a job.
pub(crate) struct Product {
    pub reply: Reply,
    pub adopted: Adopted,
}

/// What a Study can adopt from a job.
pub(crate) enum Adopted {
    Nothing,
    /// The path of a track from a state.
    Path(Arc<dyn State>, Arc<dyn Path>),
    /// The state of a commit, with the name of the case.
    State(Arc<dyn State>, String),
    /// A day that answers for its derivatives.
    Day(Arc<dyn DifferentiableDay>),
    /// The problem and state of a new Study.
    Opened(Arc<dyn Problem>, Arc<dyn State>),
}

impl From<Reply> for Product {
    fn from(reply: Reply) -> Self {
        Self {
            reply,
            adopted: Adopted::Nothing,
        }
    }
}

/// The optimum of a day.
pub(crate) trait DifferentiableDay: Debug + Send + Sync {
    /// Derivatives of all prices and outputs by the demand of a bus in a step (from 0): a `DaySensitivity` and the columns of all steps.
    ///
    /// Errors: `INPUT.REQUEST`, `BUS.UNKNOWN`, the codes of targets, `SENS.UNSUPPORTED` where the price is not unique.
    fn column(&self, target: &c::SensTarget, step: usize) -> Result<Reply>;
}
