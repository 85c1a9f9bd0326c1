//! Derivatives of one result with respect to many parameters, by one solve, since the differentiated conditions are
//! symmetric.

use super::entries::{Entries, Entry};
use super::tangents::{check_residual, ConicTangents};
use crate::conic::model::formulation::{branch_ref, bus_ref, generator_ref, ConicModel, Output};
use crate::conic::model::program::dot4;
use crate::conic::model::topology::NO_NODE;
use crate::conic::result::solution::ConicSolution;
use crate::vocabulary::{not_available, Operand, Parameter};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

/// Derivatives of a result with respect to parameters, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicRow {
    pub values: Vec<f64>,
    /// Whether rows or cones may be tight on one side of the present state and loose on the other. The left and right
    /// derivatives with respect to some parameters then differ, and the one given is that of the present active set.
    pub may_be_one_sided: bool,
    /// Relative residual of the linear system.
    pub residual: f64,
}

fn refuse(message: Message, element: ElementRef) -> EngineError {
    EngineError::new("SENS.UNSUPPORTED", message).at(element)
}

impl ConicSolution {
    /// The result as a linear function of the program's vector.
    fn operand(&self, model: &ConicModel, operand: Operand) -> Result<Entries> {
        let (program, network) = (&self.program, &model.network);
        let node_of = |bus: usize| match model.topology.node_of_bus[bus] {
            NO_NODE => {
                let element = bus_ref(network, bus);
                Err(refuse(message!("ac.not_energised", bus = &element), element))
            }
            node => Ok(node),
        };
        let mut found = Entries::default();
        let mut output = |o: Output| {
            if let Output::Column(k) = o {
                found.add(Entry::X(program.n + k), 1.0);
            }
        };
        match operand {
            Operand::Dispatch(g) | Operand::ReactiveDispatch(g) if !network.generators[g].in_service => {
                let element = generator_ref(network, g);
                return Err(refuse(message!("ac.out_of_service", element = &element), element));
            }
            Operand::Dispatch(g) => {
                let own = model.active.iter().filter(|(c, _)| c.generator == g);
                own.for_each(|(_, o)| output(*o));
            }
            Operand::ReactiveDispatch(g) => {
                let own = model.reactive.iter().filter(|(row, _)| *row == g);
                own.for_each(|(_, o)| output(*o));
            }
            Operand::Price(bus) => found.add(Entry::Y(node_of(bus)?, 0), -program.cost_scale),
            Operand::ReactivePrice(bus) => found.add(Entry::Y(node_of(bus)?, 1), -program.cost_scale),
            Operand::Magnitude(bus) => {
                let node = node_of(bus)?;
                // |V| = sqrt(w)
                found.add(Entry::X(node), 0.5 / self.point.v.x[node].sqrt());
            }
            Operand::VoltageSquared(bus) => found.add(Entry::X(node_of(bus)?), 1.0),
            Operand::ProductReal(row) | Operand::ProductImag(row) => {
                let branch = model.branches[row].ok_or_else(|| {
                    let element = branch_ref(network, row);
                    refuse(message!("sens.no_branch_equations", branch = &element), element)
                })?;
                // wr = (w_f + w_t) / 2 - e
                let turn = if branch.is_turned { -1.0 } else { 1.0 };
                let gradient = match operand {
                    Operand::ProductReal(_) => [0.5, 0.5, -1.0, 0.0],
                    _ => [0.0, 0.0, 0.0, turn],
                };
                found.add_local(branch.pair, program.pairs[branch.pair].nodes, 1.0, &gradient);
            }
            Operand::Flow(row, end) | Operand::ReactiveFlow(row, end) => {
                let branch = model.branches[row].ok_or_else(|| {
                    let element = branch_ref(network, row);
                    refuse(message!("sens.no_branch_equations", branch = &element), element)
                })?;
                let t = &program.thermal[branch.thermal[end as usize]];
                let gradient = if matches!(operand, Operand::Flow(..)) {
                    &t.p
                } else {
                    &t.q
                };
                found.add_local(branch.pair, program.pairs[branch.pair].nodes, 1.0, gradient);
            }
            other => return Err(not_available(&format!("{other:?}"), "any parameter", "socwr")),
        }
        // A fixed squared voltage does not move.
        found.drop_columns(|variable| program.held.get(variable).is_some_and(Option::is_some));
        Ok(found)
    }
}

impl ConicTangents {
    /// Derivatives with respect to parameters of a weighted sum of results that are variables of the program (no
    /// flows).
    ///
    /// # Errors
    /// Those of `row`.
    pub fn gradient(
        &mut self,
        model: &ConicModel,
        solution: &ConicSolution,
        weights: &[(Operand, f64)],
        parameters: &[Parameter],
    ) -> Result<Vec<f64>> {
        let program = &solution.program;
        let mut sum = Entries::default();
        for &(operand, weight) in weights {
            sum.add_all(weight, &solution.operand(model, operand)?);
        }
        let (mut rhs, mut adjoint) = (program.zeros(), program.zeros());
        sum.add_to(&mut rhs);
        let [_, residual] = self.base.kkt.solve(program, &model.pattern, &rhs, &mut adjoint);
        check_residual(residual)?;
        let by = |&parameter: &Parameter| Ok(solution.perturbation(model, parameter)?.rhs.dot(&adjoint));
        parameters.iter().map(by).collect()
    }

    /// Derivatives of one result with respect to parameters.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for results of elements that are not in the model, `SENS.NOT_REGULAR`, and those of `column`
    /// for parameters.
    pub fn row(
        &mut self,
        model: &ConicModel,
        solution: &ConicSolution,
        operand: Operand,
        parameters: &[Parameter],
    ) -> Result<ConicRow> {
        let program = &solution.program;
        let mut rhs = program.zeros();
        solution.operand(model, operand)?.add_to(&mut rhs);
        let mut adjoint = program.zeros();
        let [_, residual] = self.base.kkt.solve(program, &model.pattern, &rhs, &mut adjoint);
        check_residual(residual)?;
        let v = &solution.point.v;
        let derivative = |&parameter: &Parameter| {
            let change = solution.perturbation(model, parameter)?;
            let mut value = change.rhs.dot(&adjoint);
            let (row, of_flow) = match operand {
                Operand::Flow(row, end) => (row, 2 * end as usize),
                Operand::ReactiveFlow(row, end) => (row, 2 * end as usize + 1),
                _ => return Ok(value),
            };
            for (_, rows) in change.flows.iter().filter(|(changed, _)| *changed == row) {
                let pair = model.branches[row].map_or(0, |b| b.pair);
                value += dot4(&rows[of_flow], &program.local(pair, &v.x, &v.u));
            }
            Ok(value)
        };
        Ok(ConicRow {
            values: parameters.iter().map(derivative).collect::<Result<_>>()?,
            may_be_one_sided: !self.ambiguous.is_empty(),
            residual,
        })
    }
}
