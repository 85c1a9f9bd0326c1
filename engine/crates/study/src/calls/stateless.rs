//! The stateless solve.

use crate::capabilities::supports;
use crate::case::Case;
use crate::contract as c;
use crate::edits::Edits;
use crate::problem::{self, Problem};
use crate::results::Reply;
use std::sync::Arc;
use wattbook_network::error::Result;

/// Solves a module for a `SolveRequest` (JSON; `{}` is the base DC OPF): a `Solved`, its columns and matrices.
///
/// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, `SENS.*`, the codes of edits, those of the module and of the
/// solve.
pub fn solve_module(module_json: &str, request_json: &str) -> Result<Reply> {
    let request: c::SolveRequest = crate::json::solve_request(request_json)?;
    let wanted = request.sensitivities.clone().unwrap_or_default();
    let options = request.options.clone().unwrap_or_default();
    for sensitivity in &wanted {
        supports(formulation(&request), &options, sensitivity)?;
    }
    let (problem, edits) = requested(module_json, &request)?;
    problem.check(&wanted)?;
    let state = Arc::clone(&problem).solve(&edits)?;
    let matrices = match wanted[..] {
        [] => None,
        _ => Some(state.matrices(&wanted)?),
    };
    Ok(state.results().solved(problem.case(), matrices))
}

fn formulation(request: &c::SolveRequest) -> c::FormulationId {
    request.formulation.unwrap_or(c::FormulationId::Dcopf)
}

/// The problem and the edits of a request.
pub(crate) fn requested(module_json: &str, request: &c::SolveRequest) -> Result<(Arc<dyn Problem>, Edits)> {
    let case = Case::read(module_json)?;
    let options = request.options.clone().unwrap_or_default();
    let problem = problem::open(&case, formulation(request), &options)?;
    let edits = request.edits.clone().unwrap_or_default();
    let edits = problem::resolve(&*problem, &edits)?;
    match edits.network.is_empty() {
        true => Ok((problem, edits)),
        false => Ok((problem::with_network(&*problem, &edits)?, edits)),
    }
}
