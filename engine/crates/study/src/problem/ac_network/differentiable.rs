//! Rows of matrices of derivatives, and refusals for branches without impedance.

use super::AcNetwork;
use crate::contract as c;
use crate::edits::Parts;
use crate::problem::cells::Refusal;
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::error::EngineError;
use wattbook_network::message;

impl AcNetwork {
    pub fn takes_part(&self, kind: ElementKind, row: usize) -> bool {
        match kind {
            ElementKind::Bus => self.bus_takes_part(row),
            ElementKind::Generator => self.generator_takes_part(row),
            _ => self.branch_takes_part(row),
        }
    }

    /// Whether an operand has a derivative: flow and voltage product of a branch without impedance do not depend on
    /// voltages alone.
    pub fn has_derivative(&self, operand: c::Operand, row: usize) -> bool {
        use c::VoltageKind::{ProductImag, ProductReal};
        match operand {
            c::Operand::Flow { .. } | c::Operand::Voltage(ProductReal | ProductImag) => {
                !self.case.network.branches[row].is_zero_impedance()
            }
            _ => true,
        }
    }

    /// Refuses branches without impedance if `refused` holds for the parameter.
    pub fn refusal(&self, refused: bool) -> Refusal<'_> {
        if !refused {
            return Box::new(|_| None);
        }
        Box::new(|row| {
            let branch = &self.case.network.branches[row];
            branch.is_zero_impedance().then(|| {
                let element = ElementRef::from(branch);
                let message = message!("sens.without_impedance", branch = &element);
                EngineError::new("SENS.UNSUPPORTED", message).at(element)
            })
        })
    }
}
