//! Matrices of derivatives: checked requests, and the form of the answer, the same for all formulations. `capabilities`
//! lists what each can differentiate.

mod matrix;
mod tags;

pub(super) use matrix::{differentiate, Derivatives};

use crate::case::Case;
use crate::contract as c;
use crate::convert;
use crate::results::{overflow, Matrix};
use tags::{operand, parameter, units};
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::vocabulary::{Operand, Parameter};

/// Largest number of derivatives in one request.
const MOST_CELLS: usize = 4_000_000;

/// Why there is no derivative by the parameter of a row.
pub(super) type Refusal<'a> = Box<dyn Fn(usize) -> Option<EngineError> + 'a>;

/// A problem that can be differentiated.
pub(super) trait Differentiable {
    fn case(&self) -> &Case;

    fn takes_part(&self, kind: ElementKind, row: usize) -> bool;

    /// Whether the operand of an energised row has a derivative.
    fn has_derivative(&self, _operand: c::Operand, _row: usize) -> bool {
        true
    }

    fn refusal(&self, parameter: c::Parameter) -> Refusal<'_>;
}

/// A `SensRequest` resolved to rows and columns before anything is solved.
pub(super) struct Plan<'a> {
    pub request: &'a c::SensRequest,
    /// Dense rows of the operands and of the parameters.
    pub rows: Vec<usize>,
    pub cols: Vec<usize>,
}

/// The columns and rows of each request.
///
/// Errors: `SENS.INDEX`, `SENS.TOO_LARGE`, and the refusals of the problem.
pub(super) fn plan<'a>(problem: &dyn Differentiable, requests: &'a [c::SensRequest]) -> Result<Vec<Plan<'a>>> {
    let mut plans = Vec::with_capacity(requests.len());
    let mut cells = 0usize;
    for request in requests {
        let kind = row_kind(request.operand);
        let rows = 0..count(problem.case(), kind);
        let rows = rows.filter(|&k| problem.takes_part(kind, k) && problem.has_derivative(request.operand, k));
        let plan = Plan {
            request,
            rows: rows.collect(),
            cols: columns(problem, request)?,
        };
        cells = cells.saturating_add(plan.rows.len().saturating_mul(plan.cols.len()));
        if cells > MOST_CELLS {
            let (operands, parameters) = (plan.rows.len(), plan.cols.len());
            let message = message!(
                "sens.too_large",
                operands = operands,
                parameters = parameters,
                most = MOST_CELLS
            );
            return Err(EngineError::new("SENS.TOO_LARGE", message));
        }
        plans.push(plan);
    }
    Ok(plans)
}

fn count(case: &Case, kind: ElementKind) -> usize {
    match kind {
        ElementKind::Bus => case.network.buses.len(),
        ElementKind::Generator => case.network.generators.len(),
        _ => case.network.branches.len(),
    }
}

fn columns(problem: &dyn Differentiable, request: &c::SensRequest) -> Result<Vec<usize>> {
    let kind = column_kind(request.parameter);
    let n = count(problem.case(), kind);
    let refusal = problem.refusal(request.parameter);
    match &request.indices {
        None => Ok((0..n)
            .filter(|&k| problem.takes_part(kind, k) && refusal(k).is_none())
            .collect()),
        Some(list) => list
            .iter()
            .map(|&k| {
                let k = k as usize;
                if k >= n || !problem.takes_part(kind, k) {
                    let column = k.to_string();
                    let message = match kind {
                        ElementKind::Bus => message!("sens.bus_column", column = column, buses = n),
                        ElementKind::Generator => message!("sens.generator_column", column = column, generators = n),
                        _ => message!("sens.branch_column", column = column, branches = n),
                    };
                    return Err(EngineError::new("SENS.INDEX", message));
                }
                refusal(k).map_or(Ok(k), Err)
            })
            .collect(),
    }
}

/// Element kind of an operand's rows.
fn row_kind(operand: c::Operand) -> ElementKind {
    match operand {
        c::Operand::Voltage(c::VoltageKind::ProductReal | c::VoltageKind::ProductImag) => ElementKind::Branch,
        c::Operand::Price(_) | c::Operand::Voltage(_) => ElementKind::Bus,
        c::Operand::Dispatch(_) => ElementKind::Generator,
        c::Operand::Flow { .. } => ElementKind::Branch,
    }
}

/// Element kind of a parameter's columns.
fn column_kind(parameter: c::Parameter) -> ElementKind {
    match parameter {
        c::Parameter::Demand(_) | c::Parameter::ShuntAdmittance(_) | c::Parameter::VoltageBound(_) => ElementKind::Bus,
        c::Parameter::Cost(_) | c::Parameter::GenBound { .. } => ElementKind::Generator,
        _ => ElementKind::Branch,
    }
}

impl Plan<'_> {
    /// The solver's operands by row, with their physical units per internal unit.
    pub fn operands(&self, case: &Case) -> Vec<(Operand, f64)> {
        let base = case.network.base_mva;
        let rows = self.rows.iter().map(|&k| operand(self.request.operand, k, base));
        rows.collect()
    }

    /// The solver's parameters by column, with their internal units per physical unit.
    pub fn parameters(&self, case: &Case) -> Vec<(Parameter, f64)> {
        let cols = self
            .cols
            .iter()
            .map(|&k| parameter(self.request.parameter, k, &case.network));
        cols.collect()
    }

    /// The element of a column's parameter.
    pub fn changed(&self, case: &Case, k: usize) -> ElementRef {
        element_ref(case, column_kind(self.request.parameter), k)
    }

    /// The matrix in physical units.
    ///
    /// Errors: `SENS.OVERFLOW`.
    pub fn matrix(&self, case: &Case, values: Vec<Vec<f64>>, warrants: Vec<c::Warrant>) -> Result<Matrix> {
        let c::SensRequest { operand, parameter, .. } = *self.request;
        let infinite = |row: &Vec<f64>| row.iter().any(|value| value.is_infinite());
        if let Some((_, &k)) = values.iter().zip(&self.rows).find(|(row, _)| infinite(row)) {
            return Err(overflow(element_ref(case, row_kind(operand), k)));
        }
        let rows = self.rows.iter().map(|&k| c::MatrixRow {
            operand,
            element: element(case, row_kind(operand), k),
            index: k as u32,
        });
        let cols = self.cols.iter().map(|&k| c::MatrixCol {
            parameter,
            element: element(case, column_kind(parameter), k),
            index: k as u32,
        });
        let head = c::SensitivityMatrixHead {
            rows: rows.collect(),
            cols: cols.collect(),
            units: units(self.request),
            warrants,
        };
        Ok((head, values.concat()))
    }
}

fn element(case: &Case, kind: ElementKind, k: usize) -> c::Element {
    convert::element(&element_ref(case, kind, k))
}

fn element_ref(case: &Case, kind: ElementKind, k: usize) -> ElementRef {
    let network = &case.network;
    match kind {
        ElementKind::Bus => ElementRef::from(&network.buses[k]),
        ElementKind::Generator => ElementRef::from(&network.generators[k]),
        _ => ElementRef::from(&network.branches[k]),
    }
}
