//! The result of an iteration.

use super::C;

/// The unknown voltages of a feeder, which determine all others.
#[derive(Clone, Debug, PartialEq)]
pub struct McVoltages {
    pub unknowns: Vec<C>,
    pub iterations: usize,
    /// Largest change of a voltage in the last step, relative to the voltage at its bus.
    pub last_change_pu: f64,
}

/// An iteration that did not converge.
pub(crate) struct Unsolved {
    pub iterations: usize,
    pub change_pu: f64,
    /// Unknown that changed most.
    pub worst: Option<usize>,
}
