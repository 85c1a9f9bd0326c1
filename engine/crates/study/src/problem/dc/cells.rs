//! Matrices of derivatives in physical units: any supported operand by any supported parameter.

use super::{sensitivity, Dc};
use crate::contract as c;
use crate::convert::branch_ref;
use crate::convert::{self, plain};
use wattbook_network::analysis::{Branch, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{Cells, DcSolution};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

/// Derivatives that one request may ask for.
const MOST_CELLS: usize = 4_000_000;

/// What one `SensRequest` comes to: checked before anything is solved.
pub(super) struct Plan<'a> {
    request: &'a c::SensRequest,
    /// Dense rows of the operands and of the parameters.
    rows: Vec<usize>,
    cols: Vec<usize>,
}

/// The columns and rows of each request.
///
/// Errors: `SENS.INDEX`, `SENS.ISLANDING`, `SENS.UNSUPPORTED` for a branch without impedance, `SENS.TOO_LARGE`.
pub(super) fn plan<'a>(problem: &Dc, requests: &'a [c::SensRequest]) -> Result<Vec<Plan<'a>>> {
    let mut plans = Vec::with_capacity(requests.len());
    let mut cells = 0usize;
    for request in requests {
        let plan = Plan {
            request,
            rows: rows(problem, request.operand),
            cols: columns(problem, request)?,
        };
        cells = cells.saturating_add(plan.rows.len().saturating_mul(plan.cols.len()));
        if cells > MOST_CELLS {
            let (operands, parameters) = (plan.rows.len(), plan.cols.len());
            let said = message!(
                "sens.too_large",
                operands = operands,
                parameters = parameters,
                most = MOST_CELLS
            );
            return Err(EngineError::new("SENS.TOO_LARGE", said));
        }
        plans.push(plan);
    }
    Ok(plans)
}

/// Rows of an operand: what takes part. A flow that is not unique (round a loop of branches without impedance) has no
/// derivative and no row.
fn rows(problem: &Dc, operand: c::Operand) -> Vec<usize> {
    let (network, model) = (&problem.case.network, &problem.model);
    match operand {
        c::Operand::Price(_) | c::Operand::Voltage(_) => {
            (0..network.buses.len()).filter(|&b| model.bus_is_active(b)).collect()
        }
        c::Operand::Dispatch(_) => (0..network.generators.len()).filter(|&g| problem.runs(g)).collect(),
        c::Operand::Flow { .. } => (0..network.branches.len())
            .filter(|&k| model.branch_is_active(k) && model.flow_is_unique(k))
            .collect(),
    }
}

fn columns(problem: &Dc, request: &c::SensRequest) -> Result<Vec<usize>> {
    let (network, model) = (&problem.case.network, &problem.model);
    let kind = kind(request.parameter);
    let n = match kind {
        ElementKind::Bus => network.buses.len(),
        ElementKind::Generator => network.generators.len(),
        _ => network.branches.len(),
    };
    let takes_part = |k: usize| match kind {
        ElementKind::Bus => model.bus_is_active(k),
        ElementKind::Generator => problem.runs(k),
        _ => model.branch_is_active(k),
    };
    let apart = if request.parameter == c::Parameter::Switching {
        model.bridge_branches()
    } else {
        Vec::new()
    };
    match &request.indices {
        None => Ok((0..n)
            .filter(|&k| takes_part(k) && refusal(problem, request.parameter, k, &apart).is_none())
            .collect()),
        Some(list) => list
            .iter()
            .map(|&k| {
                let k = k as usize;
                if k >= n || !takes_part(k) {
                    let column = k.to_string();
                    let said = match kind {
                        ElementKind::Bus => message!("sens.bus_column", column = column, buses = n),
                        ElementKind::Generator => message!("sens.generator_column", column = column, generators = n),
                        _ => message!("sens.branch_column", column = column, branches = n),
                    };
                    return Err(EngineError::new("SENS.INDEX", said));
                }
                refusal(problem, request.parameter, k, &apart).map_or(Ok(k), Err)
            })
            .collect(),
    }
}

/// Why there is no derivative by this branch.
fn refusal(problem: &Dc, parameter: c::Parameter, k: usize, apart: &[bool]) -> Option<EngineError> {
    let branch = problem.case.network.branches.get(k)?;
    let element = branch_ref(branch);
    let (code, said) = match parameter {
        c::Parameter::SeriesAdmittance(_) | c::Parameter::Transformer(_) | c::Parameter::Switching
            if branch.is_zero_impedance() =>
        {
            (
                "SENS.UNSUPPORTED",
                message!("sens.without_impedance", branch = &element),
            )
        }
        c::Parameter::SeriesAdmittance(_) if has_no_susceptance(branch) => (
            "SENS.UNSUPPORTED",
            message!("sens.without_reactance", branch = &element),
        ),
        c::Parameter::Switching if apart[k] => ("SENS.ISLANDING", message!("sens.islanding", branch = &element)),
        _ => return None,
    };
    Some(EngineError::new(code, said).at(element))
}

/// No flow, only an angle-difference limit: a susceptance of zero (the convention matpower refuses such branches).
fn has_no_susceptance(branch: &Branch) -> bool {
    branch.x_pu == 0.0 && branch.r_pu != 0.0
}

fn kind(parameter: c::Parameter) -> ElementKind {
    match parameter {
        c::Parameter::Demand(_) => ElementKind::Bus,
        c::Parameter::Cost(_) | c::Parameter::GenBound { .. } => ElementKind::Generator,
        _ => ElementKind::Branch,
    }
}

/// The solver's parameter, and its internal units in one physical unit. `supports` has refused all others.
fn parameter(tag: c::Parameter, k: usize, base: f64) -> (Parameter, f64) {
    match tag {
        c::Parameter::Demand(_) => (Parameter::Demand(k), 1.0 / base),
        c::Parameter::LineLimit => (Parameter::Rating(k), 1.0 / base),
        c::Parameter::Cost(c::CostTerm::Linear) => (Parameter::CostLinear(k), base),
        c::Parameter::Cost(c::CostTerm::Quadratic) => (Parameter::CostQuadratic(k), base * base),
        c::Parameter::GenBound {
            bound: c::Bound::Min, ..
        } => (Parameter::OutputMin(k), 1.0 / base),
        c::Parameter::GenBound {
            bound: c::Bound::Max, ..
        } => (Parameter::OutputMax(k), 1.0 / base),
        c::Parameter::Transformer(_) => (Parameter::PhaseShift(k), 1.0),
        c::Parameter::Switching => (Parameter::Switching(k), 1.0),
        _ => (Parameter::SeriesSusceptance(k), 1.0),
    }
}

fn branch_end(end: c::FlowEnd) -> BranchEnd {
    match end {
        c::FlowEnd::From => BranchEnd::From,
        c::FlowEnd::To => BranchEnd::To,
    }
}

/// The solver's operand, and its physical units in one internal unit.
fn operand(tag: c::Operand, k: usize, base: f64) -> (Operand, f64) {
    match tag {
        c::Operand::Price(_) => (Operand::Price(k), 1.0 / base),
        c::Operand::Dispatch(_) => (Operand::Dispatch(k), base),
        c::Operand::Flow { end, .. } => (Operand::Flow(k, branch_end(end)), base),
        c::Operand::Voltage(_) => (Operand::Angle(k), 1.0),
    }
}

fn units(request: &c::SensRequest) -> String {
    let of = match request.operand {
        c::Operand::Price(_) => "($/MWh)",
        c::Operand::Dispatch(_) | c::Operand::Flow { .. } => "MW",
        c::Operand::Voltage(_) => "rad",
    };
    let by = match request.parameter {
        c::Parameter::Demand(_) | c::Parameter::LineLimit | c::Parameter::GenBound { .. } => "MW",
        c::Parameter::Cost(c::CostTerm::Quadratic) => "($/MW^2h)",
        c::Parameter::Cost(c::CostTerm::Linear) => "($/MWh)",
        c::Parameter::Transformer(_) => "rad",
        c::Parameter::Switching => "1",
        _ => "pu",
    };
    format!("{of}/{by}")
}

impl Plan<'_> {
    /// Differentiates. Auto takes the adjoint where it has fewer solves and the optimum allows it.
    ///
    /// Errors: `SENS.NOT_REGULAR` for the adjoint mode at a breakpoint.
    pub fn matrix(&self, problem: &Dc, s: &DcSolution) -> Result<c::SensitivityMatrix> {
        let base = problem.case.network.base_mva;
        let operands: Vec<(Operand, f64)> = self
            .rows
            .iter()
            .map(|&k| operand(self.request.operand, k, base))
            .collect();
        let parameters: Vec<(Parameter, f64)> = self
            .cols
            .iter()
            .map(|&k| parameter(self.request.parameter, k, base))
            .collect();
        let adjoint = match self.request.mode.unwrap_or_default() {
            c::Mode::Forward => false,
            c::Mode::Auto => operands.len() < parameters.len() && s.is_regular(&problem.model),
            c::Mode::Adjoint if s.is_regular(&problem.model) => true,
            c::Mode::Adjoint => {
                return Err(EngineError::new("SENS.NOT_REGULAR", message!("sens.not_regular")));
            }
        };
        let (ops, pars): (Vec<Operand>, Vec<Parameter>) = (
            operands.iter().map(|o| o.0).collect(),
            parameters.iter().map(|p| p.0).collect(),
        );
        let mut cells = if adjoint {
            self.checked_adjoint(problem, s, &ops, &pars)?
        } else {
            s.cells_forward(&problem.model, &ops, &pars)?
        };
        for (row, (_, of)) in cells.values.iter_mut().zip(&operands) {
            for (value, (_, by)) in row.iter_mut().zip(&parameters) {
                *value = plain(*value * of * by);
            }
        }
        let element = |kind: ElementKind, k: usize| element(problem, kind, k);
        let row_kind = match self.request.operand {
            c::Operand::Price(_) | c::Operand::Voltage(_) => ElementKind::Bus,
            c::Operand::Dispatch(_) => ElementKind::Generator,
            c::Operand::Flow { .. } => ElementKind::Branch,
        };
        let warrants = cells.warrants.iter().zip(&parameters);
        Ok(c::SensitivityMatrix {
            warrants: warrants.map(|(w, (_, by))| sensitivity::warrant(w, 1.0 / by)).collect(),
            values: cells.values,
            rows: self
                .rows
                .iter()
                .map(|&k| c::MatrixRow {
                    operand: self.request.operand,
                    element: element(row_kind, k),
                    index: k as u32,
                })
                .collect(),
            cols: self
                .cols
                .iter()
                .map(|&k| c::MatrixCol {
                    parameter: self.request.parameter,
                    element: element(kind(self.request.parameter), k),
                    index: k as u32,
                })
                .collect(),
            units: units(self.request),
        })
    }

    /// The adjoint, with one column solved forward beside it: their relative difference is the residual of the warrants.
    fn checked_adjoint(
        &self,
        problem: &Dc,
        s: &DcSolution,
        operands: &[Operand],
        parameters: &[Parameter],
    ) -> Result<Cells> {
        let mut cells = s.cells_adjoint(&problem.model, operands, parameters)?;
        if let Some(middle) = parameters.get(parameters.len() / 2) {
            let forward = s.cells_forward(&problem.model, operands, &[*middle])?;
            let (mut apart, mut scale) = (0.0f64, 1.0f64);
            for (row, one) in cells.values.iter().zip(&forward.values) {
                apart = apart.max((row[parameters.len() / 2] - one[0]).abs());
                scale = scale.max(one[0].abs());
            }
            cells.warrants.iter_mut().for_each(|w| w.residual = apart / scale);
        }
        Ok(cells)
    }
}

fn element(problem: &Dc, kind: ElementKind, k: usize) -> c::Element {
    let network = &problem.case.network;
    let (id, uid) = match kind {
        ElementKind::Bus => (network.buses[k].id, &network.buses[k].uid),
        ElementKind::Generator => (network.generators[k].id, &network.generators[k].uid),
        _ => (network.branches[k].id, &network.branches[k].uid),
    };
    convert::element(&ElementRef {
        kind,
        id,
        uid: uid.clone(),
    })
}
