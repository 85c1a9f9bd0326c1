//! The vocabulary of all formulations: directions of edits, operands, and parameters of derivatives.
//!
//! Elements are named by dense row. Powers and admittances are per unit, angles in radians, prices and costs in $/h
//! with powers per unit. A formulation refuses operands and parameters that its equations do not contain.

mod direction;
mod operand;
mod parameter;

pub use direction::{Direction, InterfaceBound};
pub use operand::{BranchEnd, Operand};
pub use parameter::Parameter;

use wattbook_network::error::EngineError;
use wattbook_network::message;

/// `SENS.UNSUPPORTED`: the equations of the formulation have no such operand or parameter.
pub(crate) fn not_available(operand: &str, parameter: &str, formulation: &str) -> EngineError {
    EngineError::new(
        "SENS.UNSUPPORTED",
        message!(
            "sens.unavailable",
            operand = operand,
            parameter = parameter,
            formulation = formulation,
        ),
    )
}
