//! Planning: a bounded search that raises ratings, or places or moves demand, in increments, on states of its own. What is tried next
//! says the gradient of the weighted prices, one adjoint solve of the KKT system; what it brings says an exact solve.

mod planner;
mod search;
mod spec;
mod steps;
mod telling;

pub(crate) use search::Planner;
pub(crate) use spec::Spec;
