//! Branches without impedance: their ends are exactly one node of the network.
//!
//! Both ends have the same angle. The branch's flow follows from the balance of the buses behind it. If it is the only
//! connection between two groups of merged buses, its flow is unique, `sum of net injections - flows that leave the
//! group otherwise`, and its rating is a row like any other. Around a loop of such branches the flow is not determined;
//! the least-norm flow is published, and a rating that could bind there is refused.

use crate::topology::least_norm_flows::LeastNormFlows;
use wattbook_network::union_find::components;

/// A merged branch.
#[derive(Clone, Debug)]
pub(crate) struct ZeroImpedanceBranch {
    /// `None` if the branch closes a loop of merged branches.
    pub side: Option<Side>,
}

/// The buses that the from end of a merged branch reaches over other merged branches.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// Ascending.
    pub buses: Vec<usize>,
    /// The other lines that leave these buses, with +1 if they start there.
    pub cross: Vec<(usize, f64)>,
}

/// The merged buses of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct ZeroImpedanceBranches {
    /// The representative bus of each bus's node.
    pub node_of_bus: Vec<usize>,
    /// By `Line::merged`.
    pub branches: Vec<ZeroImpedanceBranch>,
    /// Lines that are merged, in the same order.
    lines: Vec<usize>,
    /// Their flows.
    flows: LeastNormFlows,
}

impl ZeroImpedanceBranches {
    /// Finds the sides of the merged branches by line. `others` are the lines with an impedance over which power can
    /// flow, both as `(line, from, to)`. `terminals` are further buses without branches, after the bus whose node they
    /// belong to.
    pub fn new(
        n_bus: usize,
        merged: &[(usize, usize, usize)],
        others: impl Iterator<Item = (usize, usize, usize)> + Clone,
        terminals: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> Self {
        let ends: Vec<(usize, usize)> = merged.iter().map(|&(_, from, to)| (from, to)).collect();
        let between_buses = components(n_bus, ends.iter().copied());
        let node_of_bus = components(n_bus, ends.iter().copied().chain(terminals.clone()));
        let mut branches = Vec::with_capacity(merged.len());
        for (k, &(from, to)) in ends.iter().enumerate() {
            // Buses that the from end reaches over the other merged branches.
            let rest = ends.iter().enumerate().filter(|&(o, _)| o != k);
            let group = components(n_bus, rest.map(|(_, ends)| *ends).chain(terminals.clone()));
            let own = group[from];
            let side = (own != group[to]).then(|| {
                let buses: Vec<usize> = (0..n_bus).filter(|&bus| group[bus] == own).collect();
                let mut cross = Vec::new();
                for (o, from, to) in others.clone() {
                    match (group[from] == own, group[to] == own) {
                        (true, false) => cross.push((o, 1.0)),
                        (false, true) => cross.push((o, -1.0)),
                        _ => {}
                    }
                }
                Side { buses, cross }
            });
            branches.push(ZeroImpedanceBranch { side });
        }
        Self {
            lines: merged.iter().map(|m| m.0).collect(),
            flows: LeastNormFlows::new(&between_buses, ends),
            node_of_bus,
            branches,
        }
    }

    /// Lines that are merged, by index.
    pub fn lines(&self) -> &[usize] {
        &self.lines
    }

    /// Flows of the merged branches, as `(line, flow)`, for the imbalance that the other lines leave at each bus.
    pub fn flows(&self, unbalanced: &[f64]) -> impl Iterator<Item = (usize, f64)> + '_ {
        let flows = self.flows.solve(unbalanced.iter().map(|u| [*u]));
        self.lines.iter().zip(flows).map(|(&l, [flow])| (l, flow))
    }
}
