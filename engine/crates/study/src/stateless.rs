//! The stateless solve.

use crate::capabilities::supports;
use crate::contract as c;
use crate::convert;
use crate::power_flow;
use crate::study::Problem;
use wattbook_network::error::{EngineError, Result};
use wattbook_solve::dc::{DcOptimizer, DcSolution, Direction, DualActiveSet, Target};

/// Solves a module for a `SolveRequest` (JSON; `{}` is the base DC OPF) and returns a `SolveResponse` as JSON.
///
/// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, `SENS.UNSUPPORTED`, `SENS.INDEX`, the codes of edits, of the module
/// and of the solve.
pub fn solve_module_json(module_json: &str, request_json: &str) -> Result<String> {
    let request: c::SolveRequest = crate::from_json("request", request_json)?;
    let formulation = request.formulation.unwrap_or(c::FormulationId::Dcopf);
    let wanted = request.sensitivities.unwrap_or_default();
    for sensitivity in &wanted {
        if !supports(formulation, sensitivity) || sensitivity.mode == Some(c::Mode::Adjoint) {
            let message = format!(
                "The derivative of {:?} by {:?}{} is not available for {}.",
                sensitivity.operand,
                sensitivity.parameter,
                if sensitivity.mode == Some(c::Mode::Adjoint) {
                    " in adjoint mode"
                } else {
                    ""
                },
                formulation.id()
            );
            return Err(EngineError::new("SENS.UNSUPPORTED", message));
        }
    }
    let problem = Problem::new(module_json, formulation, &request.options.unwrap_or_default())?;
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
    let solution = DualActiveSet.optimum(&problem.model, &data, None)?;
    let mut matrices = Vec::new();
    for sensitivity in &wanted {
        matrices.push(matrix(&problem, &solution, sensitivity)?);
    }
    let matrices = (!matrices.is_empty()).then_some(matrices);
    Ok(crate::to_json(&convert::response(
        &problem.network,
        &problem.model,
        &solution,
        matrices,
    )))
}

fn matrix(problem: &Problem, solution: &DcSolution, request: &c::SensRequest) -> Result<c::SensitivityMatrix> {
    let by_demand = request.parameter == c::Parameter::Demand(c::Power::Active);
    let network = &problem.network;
    let n = if by_demand {
        network.buses.len()
    } else {
        network.branches.len()
    };
    let takes_part = |k: usize| {
        if by_demand {
            problem.model.bus_is_active(k)
        } else {
            problem.model.branch_is_active(k)
        }
    };
    let indices: Vec<usize> = match &request.indices {
        None => (0..n).filter(|&k| takes_part(k)).collect(),
        Some(list) => list.iter().map(|&k| k as usize).collect(),
    };
    let buses: Vec<usize> = (0..network.buses.len())
        .filter(|&b| problem.model.bus_is_active(b))
        .collect();
    let bus_element = |b: usize| c::Element {
        kind: "bus".into(),
        id: network.buses[b].id,
        uid: network.buses[b].uid.clone(),
    };
    let mut values = vec![Vec::with_capacity(indices.len()); buses.len()];
    let (mut cols, mut warrants) = (Vec::new(), Vec::new());
    for k in indices {
        if k >= n || !takes_part(k) {
            let message = format!("Column {k} is not one of the {n} columns that take part.");
            return Err(EngineError::new("SENS.INDEX", message));
        }
        let (target, element) = if by_demand {
            (Target::Demand(k), bus_element(k))
        } else {
            let row = &network.branches[k];
            let element = c::Element {
                kind: "branch".into(),
                id: row.id,
                uid: row.uid.clone(),
            };
            (Target::Rating(k), element)
        };
        let column = solution.derivative(&problem.model, &Direction::from(target));
        for (row, value) in values
            .iter_mut()
            .zip(convert::column_values(network, &problem.model, &column))
        {
            row.push(value.value);
        }
        cols.push(c::MatrixCol {
            parameter: request.parameter,
            element,
            index: k as u32,
        });
        warrants.push(convert::warrant(network, &column.warrant));
    }
    let rows = buses
        .into_iter()
        .map(|b| c::MatrixRow {
            operand: request.operand,
            element: bus_element(b),
            index: b as u32,
        })
        .collect();
    Ok(c::SensitivityMatrix {
        values,
        rows,
        cols,
        units: "($/MWh)/MW".into(),
        warrants,
    })
}
