//! The model without one branch.

use crate::ac::model::admittance::TwoPort;
use crate::ac::model::analysis::AcModel;
use crate::ac::model::elements::AcBranch;
use crate::ac::model::topology::NO_NODE;
use num_complex::Complex64;

/// The model without the branch of one outage. The pattern of its admittances remains.
#[derive(Clone, Debug)]
pub(super) struct Without {
    pub model: AcModel,
    /// Admittance to ground of each node.
    ground: Vec<Complex64>,
    /// Start of each node in `at_node`, followed by the end of the last; branches at each node in their order.
    start: Vec<u32>,
    at_node: Vec<u32>,
}

impl Without {
    pub fn new(model: &AcModel) -> Self {
        let n = model.kinds.len();
        let mut ground = vec![Complex64::default(); n];
        for (bus, &node) in model
            .node_of_bus
            .iter()
            .enumerate()
            .filter(|(_, node)| **node != NO_NODE)
        {
            ground[node] += model.shunts[bus];
        }
        let mut start = vec![0u32; n + 2];
        for node in model.branches.iter().flat_map(ends) {
            start[node + 2] += 1;
        }
        for k in 2..n + 2 {
            start[k] += start[k - 1];
        }
        let mut at_node = vec![0u32; start[n + 1] as usize];
        for (k, branch) in model.branches.iter().enumerate() {
            for node in ends(branch) {
                let next = &mut start[node + 1];
                at_node[*next as usize] = k as u32;
                *next += 1;
            }
        }
        Self {
            model: model.clone(),
            ground,
            start,
            at_node,
        }
    }

    /// Takes a branch out.
    pub fn take_out(&mut self, k: usize) {
        let branch = &mut self.model.branches[k];
        (branch.port, branch.impedance) = (TwoPort::default(), 0.0);
        self.sum_up(k);
    }

    /// Puts a branch back.
    pub fn put_back(&mut self, k: usize, branch: &AcBranch) {
        self.model.branches[k] = branch.clone();
        self.sum_up(k);
    }

    /// Sums the admittances of the nodes of a branch in the order of `Admittance::new`: a difference would keep roundings of
    /// the branch.
    fn sum_up(&mut self, k: usize) {
        let Self {
            model,
            ground,
            start,
            at_node,
        } = self;
        let [f, t] = model.branches[k].nodes;
        let at = |node: usize| at_node[start[node] as usize..start[node + 1] as usize].iter();
        for node in [f, t] {
            let mut sum = ground[node];
            for &k in at(node) {
                let AcBranch { nodes, port, .. } = &model.branches[k as usize];
                match [nodes[0] == node, nodes[1] == node] {
                    [true, true] => sum = sum + port.ff + port.ft + port.tf + port.tt,
                    [true, false] => sum += port.ff,
                    _ => sum += port.tt,
                }
            }
            model.admittance.diagonal[node] = sum;
        }
        for (row, column) in [(f, t), (t, f)] {
            let Some(position) = model.admittance.position(row, column) else {
                continue;
            };
            let mut sum = Complex64::default();
            for &k in at(row) {
                let AcBranch { nodes, port, .. } = &model.branches[k as usize];
                if *nodes == [row, column] {
                    sum += port.ft;
                } else if *nodes == [column, row] {
                    sum += port.tf;
                }
            }
            model.admittance.values[position] = sum;
        }
    }
}

/// The nodes of a branch, each once.
fn ends(branch: &AcBranch) -> impl Iterator<Item = usize> {
    let [f, t] = branch.nodes;
    [Some(f), (f != t).then_some(t)].into_iter().flatten()
}
