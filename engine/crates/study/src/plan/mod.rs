//! Capacity planning: a bounded search that raises ratings in increments, on states of its own. Which line comes next says the
//! gradient of the weighted prices, one adjoint solve of the KKT system; what it brings says an exact solve.

mod planner;
mod spec;

pub(crate) use planner::Planner;
pub(crate) use spec::Spec;
