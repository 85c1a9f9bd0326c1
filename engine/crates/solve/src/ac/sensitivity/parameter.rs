//! The parameters of derivatives, in terms of the model.

use crate::ac::model::admittance::BranchParameter;
use crate::ac::model::analysis::AcModel;
use crate::ac::model::topology::{NodeKind, NO_NODE};
use crate::ac::result::base::AcBase;
use crate::vocabulary::{not_available, Direction, Parameter};
use num_complex::Complex64;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

/// A change of the model's quantities.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    /// Net injections by node.
    pub specified: Vec<(usize, Complex64)>,
    /// A shunt admittance at a node.
    pub shunt: Option<(usize, Complex64)>,
    /// A branch, by its index in the model.
    pub branch: Option<(usize, BranchParameter)>,
    /// A node whose controlled magnitude moves.
    pub set_point: Option<usize>,
}

/// `SENS.UNSUPPORTED`.
pub(crate) fn refused(element: Option<&ElementRef>, message: Message) -> EngineError {
    let error = EngineError::new("SENS.UNSUPPORTED", message);
    match element {
        Some(element) => error.at(element.clone()),
        None => error,
    }
}

pub(crate) fn node(model: &AcModel, bus: usize) -> Result<usize> {
    let id = model.bus_ids.get(bus);
    let id = id.ok_or_else(|| refused(None, message!("ac.no_bus_row", row = bus + 1)))?;
    match model.node_of_bus[bus] {
        NO_NODE => Err(refused(Some(id), message!("ac.not_energised", bus = id))),
        node => Ok(node),
    }
}

/// A branch with an impedance, by its index in the model.
pub(crate) fn branch(model: &AcModel, row: usize) -> Result<usize> {
    let id = model.branch_ids.get(row);
    let id = id.ok_or_else(|| refused(None, message!("ac.no_branch_row", row = row + 1)))?;
    match model.branch_of_row[row] {
        Some(k) if !model.branches[k].is_merged() => Ok(k),
        Some(_) => Err(refused(Some(id), message!("ac.branch_without_impedance", branch = id))),
        None => Err(refused(Some(id), message!("ac.out_of_service", element = id))),
    }
}

fn generator(model: &AcModel, row: usize) -> Result<usize> {
    let unit = model.units.iter().find(|unit| unit.row == row);
    unit.map(|unit| unit.node)
        .ok_or_else(|| match model.generator_ids.get(row) {
            Some(id) => refused(Some(id), message!("ac.out_of_service", element = id)),
            None => refused(None, message!("ac.no_generator_row", row = row + 1)),
        })
}

impl Change {
    pub fn of_parameter(base: &AcBase, model: &AcModel, parameter: Parameter) -> Result<Self> {
        let mut change = Self::default();
        let (one, j) = (Complex64::new(1.0, 0.0), Complex64::new(0.0, 1.0));
        match parameter {
            Parameter::Demand(bus) => change.specified.push((node(model, bus)?, -one)),
            Parameter::ReactiveDemand(bus) => change.specified.push((node(model, bus)?, -j)),
            Parameter::Output(row) => change.specified.push((generator(model, row)?, one)),
            Parameter::ShuntConductance(bus) => change.shunt = Some((node(model, bus)?, one)),
            Parameter::ShuntSusceptance(bus) => change.shunt = Some((node(model, bus)?, j)),
            Parameter::TapRatio(row) => change.branch = Some((branch(model, row)?, BranchParameter::Tap)),
            Parameter::PhaseShift(row) => change.branch = Some((branch(model, row)?, BranchParameter::Shift)),
            Parameter::SeriesConductance(row) => {
                change.branch = Some((branch(model, row)?, BranchParameter::SeriesConductance));
            }
            Parameter::SeriesSusceptance(row) => {
                change.branch = Some((branch(model, row)?, BranchParameter::SeriesSusceptance));
            }
            Parameter::SetPoint(bus) => {
                let node = node(model, bus)?;
                let is_remote = model.remote.iter().any(|control| control.node == node);
                if base.jacobian.kinds[node] == NodeKind::Pq || is_remote {
                    let id = &model.bus_ids[bus];
                    return Err(refused(Some(id), message!("ac.voltage_not_controlled", bus = id)));
                }
                change.set_point = Some(node);
            }
            other => return Err(not_available("any result", &format!("{other:?}"), "acpf")),
        }
        Ok(change)
    }

    pub fn of_direction(model: &AcModel, direction: &Direction) -> Result<Self> {
        let mut change = Self::default();
        for &(bus, d) in &direction.demand {
            change.specified.push((node(model, bus)?, Complex64::new(-d, 0.0)));
        }
        for &(bus, d) in &direction.reactive_demand {
            change.specified.push((node(model, bus)?, Complex64::new(0.0, -d)));
        }
        for &(row, d) in &direction.output {
            change.specified.push((generator(model, row)?, Complex64::new(d, 0.0)));
        }
        Ok(change)
    }
}
