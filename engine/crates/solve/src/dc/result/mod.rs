//! Certified results and their consequences: LMP components, N-1 outages; and the power flow of a given dispatch.

pub(crate) mod certificate;
mod lmp_components;
mod outages;
mod power_flow;
pub(crate) mod solution;

pub use certificate::{Certificate, Claim};
pub use lmp_components::{CongestionPart, LmpComponents};
pub use outages::{Effect, NewOverload, Outage, Screening};
pub use power_flow::{DcPowerFlow, Slack};
pub use solution::{DcSolution, Progress};
