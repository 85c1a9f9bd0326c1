//! What finds an optimum.

use crate::dc::model::{DcData, DcModel};
use crate::dc::result::DcSolution;
use crate::dc::sensitivity::ActiveSetChange;
use crate::vocabulary::Direction;
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
    /// set or leaves it. With a higher `robustness` (0 to 2) nearly singular systems are
    /// solved more precisely, and regions of 1e-10 or 1e-8 per unit are points, which takes time.
    ///
    /// Errors: `SOLVE.INFEASIBLE` where the constraint cannot be met further on, proved by a ray that holds along `ahead`;
    /// `SOLVE.NOT_CONVERGED`.
    fn cross_breakpoint(
        &self,
        model: &DcModel,
        data: &DcData,
        start: &DcSolution,
        change: ActiveSetChange,
        ahead: &Direction,
        robustness: usize,
    ) -> Result<DcSolution>;
}
