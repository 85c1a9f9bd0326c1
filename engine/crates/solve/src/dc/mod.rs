//! DC optimal power flow: exact optima, their certificate and their derivatives; and the power flow of a given dispatch.

mod active_set;
mod angles;
mod approach;
mod basis;
mod bridges;
mod carried;
mod certificate;
mod columns;
mod contingency;
mod cuts;
mod explain;
mod infeasible;
mod islands;
mod kkt;
pub(crate) mod merges;
mod merit_order;
mod model;
mod onward;
mod pool;
mod power_flow;
mod price_parts;
mod products;
mod ray;
mod refute;
mod sensitivity;
mod sides;
mod solution;
mod system;
mod track;
mod unloaded;

pub use active_set::DualActiveSet;
pub use certificate::{Certificate, Claim};
pub use contingency::{Effect, NewOverload, Outage, Screening};
pub use explain::words::mw as megawatts;
pub use explain::{demand_limit, explain, Contradicting, Explaining, Explanation, Kind, Limit, Relaxation, Verified};
pub use infeasible::certain;
pub use model::{Convention, DcData, DcModel, DcOutline};
pub use power_flow::{DcPowerFlow, Slack};
pub use price_parts::{CongestionPart, PriceParts};
pub use sensitivity::{Cells, Column, Direction, End, Event, Operand, Parameter, Place, Target, Warrant, WarrantKind};
pub use sides::{Beyond, TwoSided};
pub use solution::{DcSolution, Progress};
pub use track::{follow, Path, Region, Stop};

use wattbook_network::error::Result;

/// Finds the optimum of a DC OPF: the active set and the exact primal and dual point that belongs to it.
///
/// The one seam between the solver and what is built on it (certificates, sensitivities, Studies).
pub trait DcOptimizer {
    /// Solves `data` on `model`, from `start` where an optimum of the same model is at hand.
    ///
    /// Errors: `SOLVE.INFEASIBLE`, `SOLVE.UNBOUNDED`, `SOLVE.NOT_CONVERGED`.
    fn optimum(&self, model: &DcModel, data: &DcData, start: Option<&DcSolution>) -> Result<DcSolution>;

    /// As `optimum` from `start`, without a cold start where that stalls.
    fn warm(&self, model: &DcModel, data: &DcData, start: &DcSolution) -> Result<DcSolution>;

    /// The optimum of the region past an event, at the event itself: `data` are those at which it happens, `start` an optimum
    /// of the region before, `ahead` the direction in which data move on. There the constraint of the event enters the active
    /// set or leaves it. With more `care` (0 to 2) nearly singular systems are
    /// solved more precisely, and regions of 1e-10 or 1e-8 per unit are points, which takes time.
    ///
    /// Errors: `SOLVE.INFEASIBLE` where the constraint cannot be met further on, proved by a ray that holds along `ahead`;
    /// `SOLVE.NOT_CONVERGED`.
    fn across(
        &self,
        model: &DcModel,
        data: &DcData,
        start: &DcSolution,
        event: Place,
        ahead: &Direction,
        care: usize,
    ) -> Result<DcSolution>;
}
