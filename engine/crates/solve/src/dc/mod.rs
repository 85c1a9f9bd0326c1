//! DC optimal power flow: exact optima, their certificate and their derivatives; and the power flow of a given dispatch.
//!
//! Each folder uses only those before it: `model`, `basis`, `result`, `sensitivity`, `infeasibility`, `optimize`, `parametric`,
//! `dual_active_set`, `relaxation`.

mod basis;
mod dual_active_set;
mod infeasibility;
mod model;
mod optimize;
mod parametric;
mod relaxation;
mod result;
mod sensitivity;

pub use dual_active_set::DualActiveSet;
pub use infeasibility::refusals::certain;
pub use infeasibility::{Contradicting, Explanation, Kind, Limit, Relaxation, Verified};
pub use model::{Convention, DcData, DcModel, DcOutline, SlackShares, Target};
pub use optimize::DcOptimizer;
pub use parametric::{demand_limit, parametric_path, Following, OneSidedDerivatives, PastEnd, Path, Region, Stop};
pub use relaxation::{explain, Explaining};
pub use result::{
    Certificate, Claim, CongestionPart, DcPowerFlow, DcSolution, Effect, LmpComponents, NewOverload, Outage, Progress,
    Screening, Slack,
};
pub use sensitivity::{ActiveSetChange, Cells, End, Event, SensitivityColumn, Warrant, WarrantKind};
