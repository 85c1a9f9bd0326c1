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
    /// `|r + jx|`, and the reactance for the DC angles of a start; zero if both ends are one node.
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
    /// Whether it stands at a bus of type 2 or 3 and supplies the reactive power that controls the voltage there or at
    /// its regulated bus.
    pub holds_voltage: bool,
    /// Whether its bus is itself a reference, rather than joined to one by a branch without impedance.
    pub is_at_reference: bool,
    /// Whether it is the converter of an HVDC link, which takes no part in slack.
    pub is_converter: bool,
    pub q_limits: [f64; 2],
    pub p_limits: [f64; 2],
    /// Share of its island's imbalance under distributed slack; the shares of an island add up to one.
    pub participation: f64,
}
