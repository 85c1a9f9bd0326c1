//! Operands and parameters that an AC power flow can be differentiated in.

use super::sensitivity::warrant;
use super::{Ac, AcState};
use crate::case::Case;
use crate::contract as c;
use crate::problem::cells::{Derivatives, Differentiable, Refusal};
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::error::Result;
use wattbook_solve::ac::{AcBase, AcSensitivity};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

impl Differentiable for Ac {
    fn case(&self) -> &Case {
        &self.network.case
    }

    fn takes_part(&self, kind: ElementKind, row: usize) -> bool {
        self.network.takes_part(kind, row)
    }

    fn has_derivative(&self, operand: c::Operand, row: usize) -> bool {
        self.network.has_derivative(operand, row)
    }

    fn refusal(&self, parameter: c::Parameter) -> Refusal<'_> {
        let by_branch = matches!(
            parameter,
            c::Parameter::SeriesAdmittance(_) | c::Parameter::Transformer(_)
        );
        self.network.refusal(by_branch)
    }
}

/// A state with its factored Jacobian.
pub(super) struct Factored<'a> {
    problem: &'a Ac,
    base: &'a AcBase,
}

impl<'a> Factored<'a> {
    /// Errors: `SOLVE.NOT_CONVERGED`.
    pub fn new(state: &'a AcState) -> Result<Self> {
        Ok(Self {
            problem: &state.problem,
            base: state.differentiable()?,
        })
    }
}

impl Derivatives for Factored<'_> {
    type Column = AcSensitivity;

    fn column(&mut self, parameter: Parameter) -> Result<AcSensitivity> {
        self.base.sensitivity(&self.problem.model, parameter)
    }

    /// NaN where a power flow has no such operand; `supports` has refused those.
    fn value(&self, column: &AcSensitivity, operand: Operand) -> f64 {
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

    fn warrant(&self, column: &AcSensitivity, step: f64, changed: &ElementRef) -> c::Warrant {
        warrant(self.problem, &column.warrant, step, changed)
    }

    fn row(&mut self, operand: Operand, parameters: &[Parameter]) -> Result<Vec<f64>> {
        self.base.gradient(&self.problem.model, operand, parameters)
    }
}
