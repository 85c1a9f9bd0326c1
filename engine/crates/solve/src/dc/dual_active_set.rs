//! The DC OPF solver: the dual active-set method, with a restart by continuation if it stalls.

use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::{solve, DcOptimizer, Ended, Options, Plain};
use crate::dc::parametric::continuation::continuation_restart;
use crate::dc::result::DcSolution;
use crate::dc::sensitivity::ActiveSetChange;
use crate::vocabulary::Direction;
use wattbook_network::error::Result;

/// The method of docs/method/dc-opf.md, section 3. It is stateless: a solution contains all state.
#[derive(Clone, Copy, Debug, Default)]
pub struct DualActiveSet;

impl DualActiveSet {
    /// `optimum` without the bridge presolve, for tests.
    #[doc(hidden)]
    pub fn optimum_without_presolve(
        &self,
        model: &DcModel,
        data: &DcData,
        start: Option<&DcSolution>,
    ) -> Result<DcSolution> {
        Ok(solve(model, data, start, Options { presolve: false })?)
    }
}

impl DcOptimizer for DualActiveSet {
    fn optimum(&self, model: &DcModel, data: &DcData, start: Option<&DcSolution>) -> Result<DcSolution> {
        match solve(model, data, start, Options { presolve: true }) {
            Ok(solution) => Ok(solution),
            Err(Ended::Error(error)) => Err(error),
            Err(Ended::Stalled { error, lines }) => continuation_restart(model, data, &lines)?.ok_or(*error),
        }
    }

    fn warm(&self, model: &DcModel, data: &DcData, start: &DcSolution) -> Result<DcSolution> {
        Plain.warm(model, data, start)
    }

    fn cross_breakpoint(
        &self,
        model: &DcModel,
        data: &DcData,
        start: &DcSolution,
        change: ActiveSetChange,
        ahead: &Direction,
        robustness: usize,
    ) -> Result<DcSolution> {
        Plain.cross_breakpoint(model, data, start, change, ahead, robustness)
    }
}
