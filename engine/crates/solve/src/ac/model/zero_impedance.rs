//! Flows of branches without impedance, whose two ends form one node.

use super::elements::AcBranch;
use crate::topology::least_norm_flows::LeastNormFlows;
use num_complex::Complex64;
use wattbook_network::union_find::components;

/// The branches without impedance and their flows.
#[derive(Clone, Debug, Default)]
pub(crate) struct ZeroImpedance {
    /// Their index among the model's branches.
    branches: Vec<usize>,
    flows: LeastNormFlows,
}

impl ZeroImpedance {
    pub fn new(n_bus: usize, branches: &[AcBranch]) -> Self {
        let merged = || branches.iter().enumerate().filter(|(_, b)| b.is_merged());
        let ends: Vec<(usize, usize)> = merged().map(|(_, b)| (b.buses[0], b.buses[1])).collect();
        if ends.is_empty() {
            return Self::default();
        }
        Self {
            branches: merged().map(|(k, _)| k).collect(),
            flows: LeastNormFlows::new(&components(n_bus, ends.iter().copied()), ends),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Flows from the from end to the to end, as `(branch, flow)`, given the injection of each bus that other branches
    /// and shunts do not take.
    pub fn flows(&self, surplus: &[Complex64]) -> impl Iterator<Item = (usize, Complex64)> + '_ {
        let flows = self.flows.solve(surplus.iter().map(|s| [s.re, s.im]));
        let flow = |(&k, [re, im]): (&usize, [f64; 2])| (k, Complex64::new(re, im));
        self.branches.iter().zip(flows).map(flow)
    }
}
