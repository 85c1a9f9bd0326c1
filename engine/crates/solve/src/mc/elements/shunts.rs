//! Admittances to ground.

use super::Entries;
use crate::mc::{size, C};

/// Matrices between some nodes and ground: shunts, and the shunt admittances at both ends of lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shunts {
    start: Vec<[u32; 2]>,
    nodes: Vec<u32>,
    y: Vec<C>,
}

impl Shunts {
    /// Adds a matrix by rows.
    pub fn push(&mut self, nodes: impl Iterator<Item = u32>, y: impl Iterator<Item = C>) {
        if self.start.is_empty() {
            self.start.push([0, 0]);
        }
        self.nodes.extend(nodes);
        self.y.extend(y);
        self.start.push([self.nodes.len() as u32, self.y.len() as u32]);
    }

    fn each(&self) -> impl Iterator<Item = (&[u32], &[C])> {
        self.start.windows(2).map(|at| {
            (
                &self.nodes[at[0][0] as usize..at[1][0] as usize],
                &self.y[at[0][1] as usize..at[1][1] as usize],
            )
        })
    }

    /// Calls `add` with each row, place among its nodes, node and current into it.
    pub fn currents(&self, u: &[C], mut add: impl FnMut(usize, usize, usize, C)) {
        for (row, (nodes, y)) in self.each().enumerate() {
            for (i, y) in y.chunks_exact(nodes.len().max(1)).enumerate() {
                let mut sum = C::default();
                for (y, &node) in y.iter().zip(nodes) {
                    sum += y * u[node as usize];
                }
                add(row, i, nodes[i] as usize, sum);
            }
        }
    }

    pub fn stamp(&self, entries: &mut impl Entries) {
        for (nodes, y) in self.each() {
            for (i, y) in y.chunks_exact(nodes.len().max(1)).enumerate() {
                entries.own(nodes[i] as usize, y[i]);
                for (j, y) in y[..i].iter().enumerate().filter(|(_, y)| **y != C::default()) {
                    entries.pair(nodes[i] as usize, nodes[j] as usize, *y);
                }
            }
        }
    }

    /// As `Lines::products`.
    pub fn products(&self, size_of: &[f64], products: &mut [f64]) {
        for (nodes, y) in self.each() {
            for (i, y) in y.chunks_exact(nodes.len().max(1)).enumerate() {
                let sum: f64 = y
                    .iter()
                    .zip(nodes)
                    .map(|(y, &node)| size(*y) * size_of[node as usize])
                    .sum();
                products[nodes[i] as usize] += sum;
            }
        }
    }
}
