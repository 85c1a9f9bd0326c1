//! Branches and generators of the model.

use super::admittance::{BranchData, TwoPort};

/// An in-service branch of an energised island.
#[derive(Clone, Debug)]
pub(crate) struct AcBranch {
    /// Dense branch row.
    pub row: usize,
    /// Dense bus rows of its ends.
    pub buses: [usize; 2],
    /// Nodes of its ends.
    pub nodes: [usize; 2],
    pub data: BranchData,
    pub port: TwoPort,
    /// `|r + jx|`, and the reactance that the DC angles of a start take; zero where its ends are one node.
    pub impedance: f64,
    pub reactance: f64,
}

impl AcBranch {
    pub fn is_merged(&self) -> bool {
        self.impedance == 0.0
    }
}

/// An in-service generator of an energised island.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Dense generator row.
    pub row: usize,
    pub bus: usize,
    pub node: usize,
    /// It stands at a bus of type 2 or 3 and gives the reactive power that holds the voltage there or at the bus that it regulates.
    pub holds_voltage: bool,
    /// It stands at a bus that is a reference itself, and not only joined with one.
    pub is_at_reference: bool,
    pub q_limits: [f64; 2],
    pub p_limits: [f64; 2],
    /// Share of its island's missing power where slack is distributed; the shares of an island add up to one.
    pub participation: f64,
}
