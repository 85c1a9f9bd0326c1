//! Certified results and their consequences: LMP components; and the power flow of a given dispatch.

pub(crate) mod certificate;
mod lmp_components;
mod power_flow;
pub(crate) mod solution;

pub use certificate::{Certificate, Claim};
pub use lmp_components::{CongestionPart, LmpComponents};
pub use power_flow::{DcPowerFlow, Slack};
pub use solution::{DcSolution, Progress};
