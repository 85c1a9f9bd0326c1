//! Values of a matrix by columns or by rows, for solvers that compute either one at a time.

use super::Plan;
use crate::case::Case;
use crate::contract as c;
use crate::convert::plain;
use crate::results::Matrix;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::Result;
use wattbook_solve::vocabulary::{Operand, Parameter};

/// A solved state to differentiate, in the solver's units.
pub(in crate::problem) trait Derivatives {
    /// A column solved forward for one parameter.
    type Column;

    /// Errors: `SENS.*`.
    fn column(&mut self, parameter: Parameter) -> Result<Self::Column>;

    fn value(&self, column: &Self::Column, operand: Operand) -> f64;

    /// `step` units of the warrant are one of the solver's; the parameter belongs to `changed`.
    fn warrant(&self, column: &Self::Column, step: f64, changed: &ElementRef) -> c::Warrant;

    /// Derivatives of one operand by many parameters.
    ///
    /// Errors: `SENS.*`.
    fn row(&mut self, operand: Operand, parameters: &[Parameter]) -> Result<Vec<f64>>;
}

/// Computes a matrix by columns, each with its warrant, or by rows where that takes fewer solves. Rows have no
/// interval: `point_only`, with their difference from one column solved forward.
///
/// Errors: `SENS.*`.
pub(in crate::problem) fn differentiate<D: Derivatives>(plan: &Plan, case: &Case, state: &mut D) -> Result<Matrix> {
    let operands = plan.operands(case);
    let parameters = plan.parameters(case);
    let by_row = match plan.request.mode.unwrap_or_default() {
        c::Mode::Forward => false,
        c::Mode::Adjoint => true,
        c::Mode::Auto => operands.len() < parameters.len(),
    };
    let (values, warrants) = match by_row {
        true => rows(plan, case, state, &operands, &parameters)?,
        false => columns(plan, case, state, &operands, &parameters)?,
    };
    plan.matrix(case, values, warrants)
}

type Values = (Vec<Vec<f64>>, Vec<c::Warrant>);

fn columns<D: Derivatives>(
    plan: &Plan,
    case: &Case,
    state: &mut D,
    operands: &[(Operand, f64)],
    parameters: &[(Parameter, f64)],
) -> Result<Values> {
    let mut values = vec![vec![0.0; parameters.len()]; operands.len()];
    let mut warrants = Vec::with_capacity(parameters.len());
    for (j, (&(parameter, by), &k)) in parameters.iter().zip(&plan.cols).enumerate() {
        let column = state.column(parameter)?;
        for (row, (operand, of)) in values.iter_mut().zip(operands) {
            row[j] = plain(state.value(&column, *operand) * of * by);
        }
        warrants.push(state.warrant(&column, 1.0 / by, &plan.changed(case, k)));
    }
    Ok((values, warrants))
}

fn rows<D: Derivatives>(
    plan: &Plan,
    case: &Case,
    state: &mut D,
    operands: &[(Operand, f64)],
    parameters: &[(Parameter, f64)],
) -> Result<Values> {
    let requested: Vec<Parameter> = parameters.iter().map(|p| p.0).collect();
    let mut values = Vec::with_capacity(operands.len());
    for (operand, of) in operands {
        let row = state.row(*operand, &requested)?;
        let row = row.iter().zip(parameters).map(|(x, (_, by))| plain(x * of * by));
        values.push(row.collect::<Vec<f64>>());
    }
    let Some((middle, &(parameter, by))) = parameters.iter().enumerate().nth(parameters.len() / 2) else {
        return Ok((values, Vec::new()));
    };
    let column = state.column(parameter)?;
    let (mut apart, mut scale) = (0.0f64, f64::MIN_POSITIVE);
    for (row, (operand, of)) in values.iter().zip(operands) {
        let forward = state.value(&column, *operand) * of * by;
        apart = apart.max((row[middle] - forward).abs());
        scale = scale.max(forward.abs());
    }
    let warrants = parameters.iter().zip(&plan.cols).map(|((_, by), &k)| c::Warrant {
        valid_mw: (Some(0.0), Some(0.0)),
        ends: (None, None),
        residual: apart / scale,
        point_only: true,
        error_below_pu: None,
        ..state.warrant(&column, 1.0 / by, &plan.changed(case, k))
    });
    Ok((values, warrants.collect()))
}
