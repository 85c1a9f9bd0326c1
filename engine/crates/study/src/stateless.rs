//! The stateless solve.

use crate::capabilities::supports;
use crate::cells;
use crate::contract as c;
use crate::convert;
use crate::power_flow;
use crate::study::Problem;
use wattbook_network::error::Result;
use wattbook_solve::dc::{DcOptimizer, DualActiveSet};

/// Solves a module for a `SolveRequest` (JSON; `{}` is the base DC OPF) and returns a `SolveResponse` as JSON.
///
/// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, `SENS.*`, the codes of edits, of the module and of the solve.
pub fn solve_module_json(module_json: &str, request_json: &str) -> Result<String> {
    let request: c::SolveRequest = crate::from_json("request", request_json)?;
    let formulation = request.formulation.unwrap_or(c::FormulationId::Dcopf);
    let wanted = request.sensitivities.unwrap_or_default();
    let options = request.options.unwrap_or_default();
    for sensitivity in &wanted {
        supports(formulation, &options, sensitivity)?;
    }
    let problem = Problem::new(module_json, formulation, &options)?;
    let edits = request.edits.unwrap_or_default();
    let edits = problem.edits(&edits.deltas, &edits.rates)?;
    let data = edits.apply(&problem.network, &problem.base)?;
    if formulation == c::FormulationId::Dcpf {
        return Ok(crate::to_json(&power_flow::response(
            &problem.network,
            &problem.model,
            &data,
        )?));
    }
    let plans = cells::plan(&problem, &wanted)?;
    let refuted = problem.model.refute(&data);
    let solution = refuted.and_then(|()| DualActiveSet.optimum(&problem.model, &data, None));
    let solution = solution.map_err(|error| problem.refused(error, &data))?;
    let matrices = plans.iter().map(|plan| plan.matrix(&problem, &solution));
    let matrices = matrices.collect::<Result<Vec<_>>>()?;
    let matrices = (!matrices.is_empty()).then_some(matrices);
    Ok(crate::to_json(&convert::response(
        &problem.network,
        &problem.model,
        &solution,
        matrices,
    )))
}
