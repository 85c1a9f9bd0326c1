//! Proofs of infeasibility, and their messages.

mod explanation;
pub(crate) mod farkas_ray;
pub(crate) mod messages;
mod presolve;
pub(crate) mod refusals;
pub(crate) mod violation_bound;

pub use explanation::{Contradicting, Explanation, Kind, Limit, Relaxation, Verified};
