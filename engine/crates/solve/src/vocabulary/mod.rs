//! What all formulations edit, differentiate and differentiate by.
//!
//! Elements are named by dense row; powers and admittances are per unit, angles in radians, prices and costs in $/h with powers
//! per unit. A formulation refuses what its equations do not have.

mod direction;
mod operand;
mod parameter;

pub use direction::Direction;
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
