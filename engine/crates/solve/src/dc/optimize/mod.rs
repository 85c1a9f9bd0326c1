//! Dual active-set method with lazy lines: the DC OPF solver.
//!
//! The network is eliminated: columns are generators, and rows are island balances and the few lines that were violated
//! at any time (`lazy_rows`). Every column and line has finite bounds, so every basis can be made dual feasible and no
//! phase one is needed. Linear programs use the dual simplex (`linear`). Quadratic and mixed costs use similar steps
//! without any regularisation: a violated constraint enters along a dual direction, and residual steps clear the
//! remaining imbalance (`quadratic`; docs/method/dc-opf.md, section 3; Goldfarb and Idnani, Math. Prog. 27 (1983);
//! Boland, Math. Prog. 78 (1997) for semidefinite Q).

mod active_set;
mod bound_flipping;
mod bounds;
pub(crate) mod breakpoint_crossing;
mod cost_perturbation;
mod driver;
mod linear;
mod merit_order;
mod modes;
mod optimizer;
mod problem_data;
mod quadratic;
mod random;
mod same_basis;
mod state;

use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::infeasibility::refusals;
use crate::dc::model::{DcData, DcModel};
use crate::dc::result::solution::DcSolution;
use crate::dc::sensitivity::ActiveSetChange;
use crate::vocabulary::Direction;
use linear::Linear;
use modes::{Caution, Precision};
use problem_data::ProblemData;
use quadratic::Quadratic;
use state::{Failure, Method, SolverState};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;
use wattbook_network::message_key;

pub(crate) use breakpoint_crossing::in_columns;
pub(crate) use linear::minimum_violation::{
    minimum_violation, minimum_violation_within, Begin, Held, MinimumViolation, Parked, SearchOutcome, COST_SCALE,
};
pub use optimizer::DcOptimizer;

/// Tolerance of limits, per unit.
const PRIMAL_TOLERANCE: f64 = 1e-8;
/// Relative perturbation of the costs in a cold start, and its growth with each restart.
const PERTURBATION: f64 = 1e-5;
const STRONGER: f64 = 30.0;
const COLD_STARTS: i32 = 4;
/// From this cold start on, systems are factored whole and refined.
const PRECISE_FROM: i32 = 2;

/// Reason of a solve that exhausted its work allowance.
const EXHAUSTED: &str = message_key!("stall.work_limit");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Whether bridges with a single unit become bounds of that unit. Results do not depend on it, as tests verify.
    pub presolve: bool,
}

/// The method without its last remedy (`parametric::continuation`), which itself uses it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plain;

impl DcOptimizer for Plain {
    fn optimum(&self, model: &DcModel, data: &DcData, start: Option<&DcSolution>) -> Result<DcSolution> {
        Ok(solve(model, data, start, Options { presolve: true })?)
    }

    fn warm(&self, model: &DcModel, data: &DcData, start: &DcSolution) -> Result<DcSolution> {
        let change = data.changes_from(&start.data);
        refusals::check_limits(model, data)?;
        if let Some(found) = start.same_basis_update(model, data, &change) {
            return Ok(found);
        }
        let problem = ProblemData::from(start, model, data, &change, Options { presolve: true });
        refusals::check_balance(model, &problem.island_demand)?;
        if model.is_linear {
            finish_warm::<Linear>(data, start, &problem)
        } else {
            finish_warm::<Quadratic>(data, start, &problem)
        }
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
        breakpoint_crossing::cross_breakpoint(model, data, start, change, ahead, robustness)
    }
}

/// Solves from the active set of `start`, and after a stall once more with caution.
fn finish_warm<M: Method>(data: &DcData, start: &DcSolution, problem: &ProblemData<'_>) -> Result<DcSolution> {
    let mut last = not_converged(EXHAUSTED);
    for (caution, precision) in [
        (Caution::Ordinary, Precision::Standard),
        (Caution::Cautious, Precision::REFINED),
    ] {
        let mut state: SolverState<'_, M> = SolverState::from(start, problem.clone());
        (state.caution, state.precision) = (caution, precision);
        match state.finish(data) {
            Ok(solution) => return Ok(solution),
            Err(Failure::Infeasible(error)) => return Err(error),
            Err(Failure::Uncertified(error)) => last = error,
            Err(Failure::Stalled(why)) => last = not_converged(why),
            Err(Failure::Exhausted) => last = not_converged(EXHAUSTED),
        }
    }
    Err(last)
}

/// The end of a solve without an optimum.
pub(crate) enum Ended {
    Error(EngineError),
    /// Every cold start stalled; `lines` are those with lazy rows.
    Stalled {
        error: Box<EngineError>,
        lines: Vec<usize>,
    },
}

impl From<EngineError> for Ended {
    fn from(error: EngineError) -> Self {
        Self::Error(error)
    }
}

impl From<Ended> for EngineError {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Error(error) => error,
            Ended::Stalled { error, .. } => *error,
        }
    }
}

pub(crate) fn solve(
    model: &DcModel,
    data: &DcData,
    start: Option<&DcSolution>,
    options: Options,
) -> std::result::Result<DcSolution, Ended> {
    let start = start.filter(|start| start.shifted == model.shifted);
    let change = start.map(|start| data.changes_from(&start.data));
    // At the ratings of an optimum no limits cross.
    if change.as_ref().is_none_or(|change| !change.rating.is_empty()) {
        refusals::check_limits(model, data)?;
    }
    let start = start.zip(change);
    if let Some(found) = start
        .as_ref()
        .and_then(|(start, change)| start.same_basis_update(model, data, change))
    {
        return Ok(found);
    }
    let problem = match &start {
        Some((start, change)) => ProblemData::from(start, model, data, change, options),
        None => ProblemData::new(model, data, options),
    };
    refusals::check_balance(model, &problem.island_demand)?;
    let start = start.as_ref().map(|(start, change)| (*start, &change.demand[..]));
    if model.is_linear {
        optimum::<Linear>(data, start, problem)
    } else {
        optimum::<Quadratic>(data, start, problem)
    }
}

/// Solves from an optimum and the change of demand since, if given; otherwise, and after a stall, cold.
fn optimum<M: Method>(
    data: &DcData,
    start: Option<(&DcSolution, &[(usize, f64)])>,
    problem: ProblemData<'_>,
) -> std::result::Result<DcSolution, Ended> {
    let Some((start, demand)) = start else {
        let rows = LazyRows::new(problem.model);
        return cold::<M>(data, &problem, rows);
    };
    let mut state: SolverState<'_, M> = SolverState::from(start, problem);
    match state.optimise().and_then(|()| state.conclude_from(start, demand, data)) {
        Ok(solution) => Ok(solution),
        Err(Failure::Infeasible(error)) => Err(error.into()),
        // Any stall restarts cold, with the lines found so far.
        Err(Failure::Stalled(_) | Failure::Uncertified(_) | Failure::Exhausted) => {
            cold::<M>(data, &state.problem, state.rows)
        }
    }
}

/// Solves from the merit order at perturbed costs, then at the true costs; restarts after a stall with the lines found
/// so far.
fn cold<M: Method>(
    data: &DcData,
    problem: &ProblemData<'_>,
    mut rows: LazyRows,
) -> std::result::Result<DcSolution, Ended> {
    let mut last = not_converged(EXHAUSTED);
    let mut strength = PERTURBATION;
    for attempt in 0..COLD_STARTS {
        let mut state: SolverState<'_, M> = SolverState::new(problem.clone(), rows);
        state.caution = Caution::of_attempt(attempt);
        if attempt >= PRECISE_FROM {
            state.precision = Precision::REFINED;
        }
        state.perturb(strength);
        strength *= STRONGER;
        let outcome = state.merit_order().and_then(|()| state.optimise()).and_then(|()| {
            state.remove_perturbation();
            state.finish(data)
        });
        match outcome {
            Ok(solution) => return Ok(solution),
            Err(Failure::Infeasible(error)) => return Err(error.into()),
            Err(Failure::Uncertified(error)) => last = error,
            Err(Failure::Stalled(why)) => last = not_converged(why),
            Err(Failure::Exhausted) => last = not_converged(EXHAUSTED),
        }
        rows = state.rows;
    }
    let lines = rows.lazy.iter().map(|row| row.line).collect();
    let error = Box::new(last);
    Err(Ended::Stalled { error, lines })
}

/// The error for a stall, with `reason` as a key of the catalogue.
pub(crate) fn not_converged(reason: &'static str) -> EngineError {
    let cause = Message::of_key(reason);
    EngineError::new("SOLVE.NOT_CONVERGED", message!("solve.not_converged", cause = cause))
}
