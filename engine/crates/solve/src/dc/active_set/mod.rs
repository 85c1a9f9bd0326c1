//! Dual active set with lazy lines: the DC OPF solver.
//!
//! The network is eliminated: columns are generators, rows are island balances and the few lines that were ever violated
//! (`pool`). Every column and every line has finite bounds, so every basis can be made dual feasible and no phase one
//! exists. Linear, quadratic and mixed costs take the same steps, without any regularisation: a violated constraint enters
//! along a dual direction, and what it leaves unbalanced is cleared by residual steps (`dc-method.md` sections 2.3 to 2.11;
//! Goldfarb and Idnani, Math. Prog. 27 (1983); Boland, Math. Prog. 78 (1997) for semidefinite Q).

mod pivots;
mod random;
mod rounds;
mod run;
mod steps;

use super::infeasible;
use super::model::{DcData, DcModel};
use super::pool::Rows;
use super::solution::DcSolution;
use super::DcOptimizer;
use run::{Failure, Run};
use wattbook_network::error::{EngineError, Result};

/// The method of `dc-method.md`. Stateless: all state is in the solution it returns.
#[derive(Clone, Copy, Debug, Default)]
pub struct DualActiveSet;

impl DcOptimizer for DualActiveSet {
    fn optimum(&self, model: &DcModel, data: &DcData, start: Option<&DcSolution>) -> Result<DcSolution> {
        infeasible::check_limits(model, data)?;
        let mut rows = Rows::new(model);
        if let Some(start) = start {
            let mut run = Run::new(model, data, start.rows.clone());
            run.restore(start);
            match run.finish(data) {
                Ok(solution) => return Ok(solution),
                Err(Failure::Infeasible(error)) => return Err(error),
                // Any stall restarts cold, with the lines known so far.
                Err(Failure::Stalled(_)) => rows = run.rows,
            }
        }
        let mut reason = "";
        for attempt in 0..4 {
            let mut run = Run::new(model, data, rows);
            run.perturb(1e-6 * 30f64.powi(attempt));
            let outcome = run.merit_order().and_then(|()| run.optimise()).and_then(|()| {
                run.remove_perturbation();
                run.finish(data)
            });
            match outcome {
                Ok(solution) => return Ok(solution),
                Err(Failure::Infeasible(error)) => return Err(error),
                Err(Failure::Stalled(why)) => reason = why,
            }
            rows = run.rows;
        }
        Err(EngineError::new(
            "SOLVE.NOT_CONVERGED",
            format!("The DC OPF did not converge: {reason}."),
        ))
    }
}
