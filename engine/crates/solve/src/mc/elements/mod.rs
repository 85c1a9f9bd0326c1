//! Elements with a linear law: currents from voltages by factored formulas, and entries of the admittance matrix.
//!
//! Voltages are subtracted before they are multiplied: the difference of two large products would have lost its digits.
//! Nodes are slots of the solver's numbering. Matrices of all lines and shunts lie one after the other, since every step of an iteration goes through all of them.

mod inverse;
mod lines;
pub(crate) mod load;
mod shunts;
pub(crate) mod transformer;

pub(crate) use inverse::invert;
pub(crate) use lines::Lines;
pub(crate) use shunts::Shunts;

use crate::mc::C;

/// Where entries of the admittance matrix go, which is symmetric.
pub(crate) trait Entries {
    /// What the voltage at a node adds to the current there.
    fn own(&mut self, node: usize, y: C);
    /// What the voltage at each of two terminals adds to the current at the other; they may be at one node.
    fn pair(&mut self, i: usize, j: usize, y: C);
    /// An admittance between two nodes.
    fn between(&mut self, i: usize, j: usize, y: C) {
        self.own(i, y);
        self.own(j, y);
        self.pair(i, j, -y);
    }
}
