//! Matrices of derivatives in physical units: any supported operand by any supported parameter.

use super::sensitivity::warrant;
use super::{Ac, AcState};
use crate::case::Case;
use crate::contract as c;
use crate::convert::{branch_ref, bus_ref, plain};
use crate::edits::Parts;
use crate::problem::cells::{Differentiable, Plan, Refusal};
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::ac::{AcBase, AcSensitivity};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

impl Differentiable for Ac {
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
        !matches!(operand, c::Operand::Flow { .. }) || !self.case.network.branches[row].is_zero_impedance()
    }

    fn refusal(&self, parameter: c::Parameter) -> Refusal<'_> {
        match parameter {
            c::Parameter::SeriesAdmittance(_) | c::Parameter::Transformer(_) => Box::new(|row| {
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

/// Per unit and radians; no number for what a power flow does not have, which `supports` has refused.
fn value(column: &AcSensitivity, operand: Operand) -> f64 {
    let flow = |row: usize, end: BranchEnd| match end {
        BranchEnd::From => column.flow_from[row],
        BranchEnd::To => column.flow_to[row],
    };
    match operand {
        Operand::Magnitude(row) => column.magnitude[row],
        Operand::Angle(row) => column.angle[row],
        Operand::Flow(row, end) => flow(row, end)[0],
        Operand::ReactiveFlow(row, end) => flow(row, end)[1],
        Operand::Losses => column.losses,
        _ => f64::NAN,
    }
}

/// Differentiates: a column at a time with its warrant, or where that takes fewer solves a row at a time. Rows come without an
/// interval: `point_only`, and how far they are from one column that is solved forward.
pub(super) fn matrix(plan: &Plan, state: &AcState) -> Result<c::SensitivityMatrix> {
    let problem = &state.problem;
    let network = &problem.case.network;
    let base = state.differentiable()?;
    let operands = plan.operands(&problem.case);
    let parameters = plan.parameters(&problem.case);
    let adjoint = match plan.request.mode.unwrap_or_default() {
        c::Mode::Forward => false,
        c::Mode::Adjoint => true,
        c::Mode::Auto => operands.len() < parameters.len(),
    };
    let changed = |k: usize| -> ElementRef {
        match plan.request.parameter {
            c::Parameter::Demand(_) | c::Parameter::ShuntAdmittance(_) => bus_ref(&network.buses[k]),
            _ => branch_ref(&network.branches[k]),
        }
    };
    let (values, warrants) = match adjoint {
        true => rows(plan, state, base, &operands, &parameters, &changed)?,
        false => columns(plan, state, base, &operands, &parameters, &changed)?,
    };
    Ok(plan.matrix(&problem.case, values, warrants))
}

type Cells = (Vec<Vec<f64>>, Vec<c::Warrant>);

fn columns(
    plan: &Plan,
    state: &AcState,
    base: &AcBase,
    operands: &[(Operand, f64)],
    parameters: &[(Parameter, f64)],
    changed: &dyn Fn(usize) -> ElementRef,
) -> Result<Cells> {
    let problem = &state.problem;
    let mut values = vec![vec![0.0; parameters.len()]; operands.len()];
    let mut warrants = Vec::with_capacity(parameters.len());
    for (j, ((parameter, by), &k)) in parameters.iter().zip(&plan.cols).enumerate() {
        let column = base.sensitivity(&problem.model, *parameter)?;
        for (row, (operand, of)) in values.iter_mut().zip(operands) {
            row[j] = plain(value(&column, *operand) * of * by);
        }
        warrants.push(warrant(problem, &column.warrant, 1.0 / by, &changed(k)));
    }
    Ok((values, warrants))
}

fn rows(
    plan: &Plan,
    state: &AcState,
    base: &AcBase,
    operands: &[(Operand, f64)],
    parameters: &[(Parameter, f64)],
    changed: &dyn Fn(usize) -> ElementRef,
) -> Result<Cells> {
    let problem = &state.problem;
    let pars: Vec<Parameter> = parameters.iter().map(|p| p.0).collect();
    let mut values = Vec::with_capacity(operands.len());
    for (operand, of) in operands {
        let gradient = base.gradient(&problem.model, *operand, &pars)?;
        let row = gradient.iter().zip(parameters);
        values.push(row.map(|(x, (_, by))| plain(x * of * by)).collect::<Vec<f64>>());
    }
    let Some((middle, &(parameter, by))) = parameters.iter().enumerate().nth(parameters.len() / 2) else {
        return Ok((values, Vec::new()));
    };
    let column = base.sensitivity(&problem.model, parameter)?;
    let (mut apart, mut scale) = (0.0f64, f64::MIN_POSITIVE);
    for (row, (operand, of)) in values.iter().zip(operands) {
        let forward = value(&column, *operand) * of * by;
        apart = apart.max((row[middle] - forward).abs());
        scale = scale.max(forward.abs());
    }
    let warrants = plan.cols.iter().map(|&k| c::Warrant {
        valid_mw: (Some(0.0), Some(0.0)),
        ends: (None, None),
        residual: apart / scale,
        point_only: true,
        error_below_pu: None,
        ..warrant(problem, &column.warrant, 1.0 / by, &changed(k))
    });
    Ok((values, warrants.collect()))
}
