//! Matrices of derivatives in physical units: any supported operand by any supported parameter.

use super::sensitivity::warrant;
use super::{Socwr, SocwrState};
use crate::case::Case;
use crate::contract as c;
use crate::convert::{branch_ref, plain};
use crate::edits::Parts;
use crate::problem::cells::{Differentiable, Plan, Refusal};
use wattbook_network::analysis::ElementKind;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::conic::{ConicColumn, ConicSolution};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

impl Differentiable for Socwr {
    fn case(&self) -> &Case {
        &self.case
    }

    fn takes_part(&self, kind: ElementKind, row: usize) -> bool {
        match kind {
            ElementKind::Bus => self.bus_takes_part(row),
            ElementKind::Generator => {
                let generator = &self.case.network.generators[row];
                generator.in_service && self.bus_takes_part(generator.bus)
            }
            _ => self.branch_takes_part(row),
        }
    }

    /// The flow of a branch without impedance is not a function of the voltages at its ends.
    fn has_derivative(&self, operand: c::Operand, row: usize) -> bool {
        let is_of_branch = match operand {
            c::Operand::Flow { .. } => true,
            c::Operand::Voltage(kind) => matches!(kind, c::VoltageKind::ProductReal | c::VoltageKind::ProductImag),
            _ => false,
        };
        !is_of_branch || !self.case.network.branches[row].is_zero_impedance()
    }

    fn refusal(&self, parameter: c::Parameter) -> Refusal<'_> {
        match parameter {
            c::Parameter::SeriesAdmittance(_) | c::Parameter::LineLimit => Box::new(|row| {
                let branch = &self.case.network.branches[row];
                branch.is_zero_impedance().then(|| {
                    let element = branch_ref(branch);
                    let said = message!("sens.without_impedance", branch = &element);
                    EngineError::new("SENS.UNSUPPORTED", said).at(element)
                })
            }),
            _ => Box::new(|_| None),
        }
    }
}

/// Per unit and $/h; no number for what the relaxation does not have, which `supports` has refused.
fn value(s: &ConicSolution, column: &ConicColumn, operand: Operand) -> f64 {
    let flow = |row: usize, end: BranchEnd| match end {
        BranchEnd::From => column.flow_from[row],
        BranchEnd::To => column.flow_to[row],
    };
    match operand {
        Operand::Price(row) => column.price[row],
        Operand::ReactivePrice(row) => column.price_q[row],
        Operand::Dispatch(row) => column.dispatch[row],
        Operand::ReactiveDispatch(row) => column.dispatch_q[row],
        // |V| = sqrt(w)
        Operand::Magnitude(row) => 0.5 * column.voltage_squared[row] / s.voltage_squared[row].sqrt(),
        Operand::VoltageSquared(row) => column.voltage_squared[row],
        Operand::ProductReal(row) => column.product[row][0],
        Operand::ProductImag(row) => column.product[row][1],
        Operand::Flow(row, end) => flow(row, end)[0],
        Operand::ReactiveFlow(row, end) => flow(row, end)[1],
        _ => f64::NAN,
    }
}

/// Differentiates: a column at a time with its warrant, or where that takes fewer solves a row at a time. Rows come without an
/// interval: `point_only`, and how far they are from one column that is solved forward.
///
/// Errors: `SENS.*`.
pub(super) fn matrix(plan: &Plan, state: &SocwrState) -> Result<c::SensitivityMatrix> {
    let (problem, s) = (&*state.problem, &state.solution);
    let operands = plan.operands(&problem.case);
    let parameters = plan.parameters(&problem.case);
    let by_row = match plan.request.mode.unwrap_or_default() {
        c::Mode::Forward => false,
        c::Mode::Adjoint => true,
        c::Mode::Auto => operands.len() < parameters.len(),
    };
    let (values, warrants) = state.differentiate(|tangents| {
        let mut values = vec![vec![0.0; parameters.len()]; operands.len()];
        let mut warrants = Vec::with_capacity(parameters.len());
        if !by_row {
            for (j, (parameter, by)) in parameters.iter().enumerate() {
                let column = tangents.column(&problem.model, s, *parameter)?;
                for (row, (operand, of)) in values.iter_mut().zip(&operands) {
                    row[j] = plain(value(s, &column.ahead, *operand) * of * by);
                }
                warrants.push(warrant(&column.warrant, 1.0 / by));
            }
            return Ok((values, warrants));
        }
        let by: Vec<Parameter> = parameters.iter().map(|(parameter, _)| *parameter).collect();
        for (row, (operand, of)) in values.iter_mut().zip(&operands) {
            let found = tangents.row(&problem.model, s, *operand, &by)?;
            for ((cell, x), (_, by)) in row.iter_mut().zip(&found.values).zip(&parameters) {
                *cell = plain(x * of * by);
            }
        }
        let Some((middle, &(parameter, by))) = parameters.iter().enumerate().nth(parameters.len() / 2) else {
            return Ok((values, warrants));
        };
        let column = tangents.column(&problem.model, s, parameter)?;
        let (mut apart, mut scale) = (0.0f64, f64::MIN_POSITIVE);
        for (row, (operand, of)) in values.iter().zip(&operands) {
            let forward = value(s, &column.ahead, *operand) * of * by;
            apart = apart.max((row[middle] - forward).abs());
            scale = scale.max(forward.abs());
        }
        warrants.extend(parameters.iter().map(|(_, by)| c::Warrant {
            valid_mw: (Some(0.0), Some(0.0)),
            ends: (None, None),
            residual: apart / scale,
            point_only: true,
            ..warrant(&column.warrant, 1.0 / by)
        }));
        Ok((values, warrants))
    })?;
    Ok(plan.matrix(&problem.case, values, warrants))
}
