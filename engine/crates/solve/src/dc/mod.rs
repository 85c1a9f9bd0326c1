//! DC optimal power flow: exact optima with certificates, their derivatives and N-1 outages; and the power flow of a
//! given dispatch.
//!
//! Each module uses only those before it: `model`, `basis`, `result`, `outages`, `sensitivity`, `infeasibility`,
//! `optimize`, `parametric`, `dual_active_set`, `directions`, `relaxation`, `day`.

mod basis;
mod day;
mod directions;
mod dual_active_set;
mod infeasibility;
mod model;
mod optimize;
mod outages;
mod parametric;
mod relaxation;
mod result;
mod security;
mod sensitivity;

pub use day::{
    day_network, fixed_costs, Day, DayCertificate, DayColumn, DayEvent, DayEventKind, DayHour, DayOptimum, DayRounds,
    DayStorage, HourOptimum, Ramp,
};
pub use directions::{is_circulating, optimum_by_directions};
pub use dual_active_set::DualActiveSet;
pub use infeasibility::refusals::certain;
pub use infeasibility::{Contradicting, Explanation, Kind, Limit, Relaxation, Verified};
pub use model::links::Apart;
pub use model::{Convention, DcData, DcModel, DcOutline, LinkLimit, MovingLink, SlackShares, Target};
pub use optimize::DcOptimizer;
pub use outages::{Effect, NewOverload, Outage, Screening};
pub use parametric::{demand_limit, parametric_path, Following, OneSidedDerivatives, PastEnd, Path, Region, Stop};
pub use relaxation::{explain, Explaining};
pub use result::{Certificate, Claim, CongestionPart, DcPowerFlow, DcSolution, LmpComponents, Progress, Slack};
pub use security::{
    BindingPair, Contingency, Exceeded, Interface, InterfaceState, LeastExcess, LimitRule, Pool, RaisedLimit, Secured,
    Security, SecurityLimits,
};
pub use sensitivity::{ActiveSetChange, Cells, End, Event, SensitivityColumn, Warrant, WarrantKind};
pub use wattbook_sparse::Orders;
