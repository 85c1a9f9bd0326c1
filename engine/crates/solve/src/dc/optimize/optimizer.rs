//! The interface of DC OPF solvers.

use crate::dc::model::{DcData, DcModel};
use crate::dc::result::DcSolution;
use crate::dc::sensitivity::ActiveSetChange;
use crate::vocabulary::Direction;
use wattbook_network::error::Result;

/// Finds the optimum of a DC OPF: the active set, with its exact primal and dual solution.
///
/// The only interface between the solver and its users (certificates, sensitivities, Studies).
pub trait DcOptimizer {
    /// Solves `data` on `model`, from `start` if an optimum of the same model is available.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE`, `SOLVE.UNBOUNDED`, `SOLVE.NOT_CONVERGED`.
    fn optimum(&self, model: &DcModel, data: &DcData, start: Option<&DcSolution>) -> Result<DcSolution>;

    /// `optimum` from `start`, without a cold start after a stall.
    fn warm(&self, model: &DcModel, data: &DcData, start: &DcSolution) -> Result<DcSolution>;

    /// The optimum of the region beyond an event, at the event itself. `data` are those of the event, `start` is an
    /// optimum of the region before it, and `ahead` is the direction of the data. The constraint of the event enters or
    /// leaves the active set. At a higher `robustness` (0 to 2), nearly singular systems are solved more precisely, and
    /// regions shorter than 1e-10 or 1e-8 per unit are points; this takes longer.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE` if the constraint cannot be met ahead, proved by a ray that is valid along `ahead`;
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
