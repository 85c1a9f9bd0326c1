//! Elements with a linear law: currents from voltages by factored formulas, and entries of the admittance matrix.
//!
//! Voltages are subtracted before they are multiplied, because the difference of two large products would lose
//! precision. Nodes are slots of the solver's numbering. Matrices of all lines and shunts are stored contiguously,
//! since every step of an iteration passes over all of them.

mod inverse;
mod lines;
pub(crate) mod load;
mod shunts;
pub(crate) mod transformer;

pub(crate) use inverse::invert;
pub(crate) use lines::Lines;
pub(crate) use shunts::Shunts;

use crate::mc::C;

/// A receiver of entries of the symmetric admittance matrix.
pub(crate) trait Entries {
    /// Adds the coefficient of a node's voltage in its own current.
    fn own(&mut self, node: usize, y: C);
    /// Adds the coefficient of the voltage at each of two terminals in the current at the other; both may be at one
    /// node.
    fn pair(&mut self, i: usize, j: usize, y: C);
    /// Adds an admittance between two nodes.
    fn between(&mut self, i: usize, j: usize, y: C) {
        self.own(i, y);
        self.own(j, y);
        self.pair(i, j, -y);
    }
}
