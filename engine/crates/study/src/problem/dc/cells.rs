//! Matrices of derivatives in physical units: any supported operand by any supported parameter.

use super::{sensitivity, Dc};
use crate::case::Case;
use crate::contract as c;
use crate::convert::plain;
use crate::problem::cells::{Differentiable, Plan, Refusal};
use crate::results::Matrix;
use wattbook_network::analysis::{Branch, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{Cells, DcSolution};
use wattbook_solve::vocabulary::{Operand, Parameter};

impl Differentiable for Dc {
    fn case(&self) -> &Case {
        &self.case
    }

    fn takes_part(&self, kind: ElementKind, row: usize) -> bool {
        match kind {
            ElementKind::Bus => self.model.bus_is_active(row),
            ElementKind::Generator => self.runs(row),
            _ => self.model.branch_is_active(row),
        }
    }

    /// A flow round a loop of branches without impedance is not unique and has no derivative.
    fn has_derivative(&self, operand: c::Operand, row: usize) -> bool {
        !matches!(operand, c::Operand::Flow { .. }) || self.model.flow_is_unique(row)
    }

    /// `SENS.ISLANDING`; `SENS.UNSUPPORTED` for a branch without impedance.
    fn refusal(&self, parameter: c::Parameter) -> Refusal<'_> {
        if matches!(
            parameter,
            c::Parameter::Demand(_) | c::Parameter::Cost(_) | c::Parameter::GenBound { .. }
        ) {
            return Box::new(|_| None);
        }
        let apart = match parameter {
            c::Parameter::Switching => self.model.bridge_branches(),
            _ => Vec::new(),
        };
        Box::new(move |k| refusal(self, parameter, k, &apart))
    }
}

/// The error where there is no derivative by this branch.
fn refusal(problem: &Dc, parameter: c::Parameter, k: usize, apart: &[bool]) -> Option<EngineError> {
    let branch = problem.case.network.branches.get(k)?;
    let element = ElementRef::from(branch);
    let (code, message) = match parameter {
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
    Some(EngineError::new(code, message).at(element))
}

/// Whether a branch has only an angle-difference limit and no flow: its susceptance is zero (the convention `matpower`
/// refuses such branches).
fn has_no_susceptance(branch: &Branch) -> bool {
    branch.x_pu == 0.0 && branch.r_pu != 0.0
}

/// Computes a matrix. The mode `auto` uses the adjoint where it takes fewer solves and the optimum allows it.
///
/// Errors: `SENS.NOT_REGULAR` for the adjoint mode at a breakpoint.
pub(super) fn matrix(plan: &Plan, problem: &Dc, s: &DcSolution) -> Result<Matrix> {
    let operands = plan.operands(&problem.case);
    let parameters = plan.parameters(&problem.case);
    let adjoint = match plan.request.mode.unwrap_or_default() {
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
        checked_adjoint(problem, s, &ops, &pars)?
    } else {
        s.cells_forward(&problem.model, &ops, &pars)?
    };
    for (row, (_, of)) in cells.values.iter_mut().zip(&operands) {
        for (value, (_, by)) in row.iter_mut().zip(&parameters) {
            *value = plain(*value * of * by);
        }
    }
    let warrants = cells.warrants.iter().zip(&parameters);
    let warrants = warrants.map(|(w, (_, by))| sensitivity::warrant(w, 1.0 / by)).collect();
    plan.matrix(&problem.case, cells.values, warrants)
}

/// The adjoint solution, checked against one column solved forward: their relative difference is the residual of the
/// warrants.
fn checked_adjoint(problem: &Dc, s: &DcSolution, operands: &[Operand], parameters: &[Parameter]) -> Result<Cells> {
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
