//! Optima as a function of one demand, rating or generator limit: paths, one-sided derivatives, the range of
//! feasibility, and restarts by continuation.

pub(crate) mod continuation;
mod feasible_limit;
mod one_sided_derivatives;
mod path;
mod path_tracer;

pub use feasible_limit::demand_limit;
pub use one_sided_derivatives::{OneSidedDerivatives, PastEnd};
pub use path::{parametric_path, Following, Path, Region, Stop};
