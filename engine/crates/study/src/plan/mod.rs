//! Planning: a bounded search that raises ratings, or places or moves demand, in increments, on states of its own. The
//! gradient of the weighted prices, one adjoint solve of the KKT system, chooses the next trial; an exact solve decides
//! on it.

mod planner;
mod reporting;
mod search;
mod spec;
mod steps;

pub(crate) use search::Planner;
pub(crate) use spec::Spec;
