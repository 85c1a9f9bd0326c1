//! Long work in steps, as what can be asked of a problem defines it; [`crate::job`] runs it.

use super::{Path, Problem, State};
use crate::contract as c;
use crate::results::Reply;
use std::fmt::Debug;
use std::sync::Arc;
use wattbook_network::error::Result;

/// What a job does.
pub(crate) trait Work: Debug + Send {
    /// Works for `budget` units of the job's own, each about a millisecond or less; a few parts are not divided (some tens of
    /// milliseconds at 10,000 buses), and all of them can be interrupted. The budgets do not change the result, and even the least is
    /// progress that is worth what a step costs besides.
    fn step(&mut self, budget: u32) -> Result<c::JobStep>;

    /// Whether a step that was interrupted in the middle leaves the work as it was before it.
    fn outlives_interrupts(&self) -> bool {
        false
    }

    /// The result; of work that is not done what there is of it, as well checked as the whole.
    fn finish(self: Box<Self>) -> Result<Product>;
}

/// What a job leaves.
pub(crate) struct Product {
    pub reply: Reply,
    pub kept: Kept,
}

/// What a Study can keep of a job.
pub(crate) enum Kept {
    Nothing,
    /// The path of a track from a state.
    Path(Arc<dyn State>, Arc<dyn Path>),
    /// The state of a commit, with the name of the case.
    State(Arc<dyn State>, String),
    /// What a new Study is made of.
    Opened(Arc<dyn Problem>, Arc<dyn State>),
}

impl From<Reply> for Product {
    fn from(reply: Reply) -> Self {
        Self {
            reply,
            kept: Kept::Nothing,
        }
    }
}
