//! Problems in the form of other solvers.

mod acpf;
mod dcopf;

pub use acpf::power_flow;
pub use dcopf::Problem;
