//! Operands and parameters that the relaxation can be differentiated in.

use super::sensitivity::warrant;
use super::Socwr;
use crate::case::Case;
use crate::contract as c;
use crate::problem::cells::{Derivatives, Differentiable, Refusal};
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::error::Result;
use wattbook_solve::conic::{ConicModel, ConicSensitivity, ConicSolution, ConicTangents};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

impl Differentiable for Socwr {
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
        let by_branch = matches!(parameter, c::Parameter::SeriesAdmittance(_) | c::Parameter::LineLimit);
        self.network.refusal(by_branch)
    }
}

/// An optimum with its factored optimality conditions.
pub(super) struct Factored<'a> {
    pub model: &'a ConicModel,
    pub solution: &'a ConicSolution,
    pub tangents: &'a mut ConicTangents,
}

impl Derivatives for Factored<'_> {
    type Column = ConicSensitivity;

    fn column(&mut self, parameter: Parameter) -> Result<ConicSensitivity> {
        self.tangents.column(self.model, self.solution, parameter)
    }

    /// NaN where the relaxation has no such operand; `supports` has refused those.
    fn value(&self, column: &ConicSensitivity, operand: Operand) -> f64 {
        let column = &column.ahead;
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
            Operand::Magnitude(row) => 0.5 * column.voltage_squared[row] / self.solution.voltage_squared[row].sqrt(),
            Operand::VoltageSquared(row) => column.voltage_squared[row],
            Operand::ProductReal(row) => column.product[row][0],
            Operand::ProductImag(row) => column.product[row][1],
            Operand::Flow(row, end) => flow(row, end)[0],
            Operand::ReactiveFlow(row, end) => flow(row, end)[1],
            _ => f64::NAN,
        }
    }

    fn warrant(&self, column: &ConicSensitivity, step: f64, _changed: &ElementRef) -> c::Warrant {
        warrant(&column.warrant, step)
    }

    fn row(&mut self, operand: Operand, parameters: &[Parameter]) -> Result<Vec<f64>> {
        let found = self.tangents.row(self.model, self.solution, operand, parameters)?;
        Ok(found.values)
    }
}
