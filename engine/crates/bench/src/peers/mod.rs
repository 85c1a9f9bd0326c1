//! The problems as other solvers read them.

mod acpf;
mod dcopf;

pub use acpf::power_flow;
pub use dcopf::Problem;
