//! Admittances to ground.

use super::Entries;
use crate::mc::{size, C};

/// Matrices between some nodes and ground: shunts, and the shunt admittances at both ends of lines.
#[derive(Clone, Debug)]
pub(crate) struct Shunts {
    start: Vec<[u32; 2]>,
    nodes: Vec<u32>,
    y: Vec<C>,
    /// Whether some have a conductance; otherwise half of the products are zero.
    has_conductance: bool,
}

impl Shunts {
    /// An empty list with capacity for these numbers of shunts, nodes and matrix entries.
    pub fn with_room(count: usize, nodes: usize, entries: usize) -> Self {
        let mut start = Vec::with_capacity(count + 1);
        start.push([0, 0]);
        Self {
            start,
            nodes: Vec::with_capacity(nodes),
            y: Vec::with_capacity(entries),
            has_conductance: false,
        }
    }

    /// Adds a matrix by rows.
    pub fn push(&mut self, nodes: impl Iterator<Item = u32>, y: impl Iterator<Item = C>) {
        self.nodes.extend(nodes);
        let first = self.y.len();
        self.y.extend(y);
        self.has_conductance |= self.y[first..].iter().any(|y| y.re != 0.0);
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

    /// Calls `add` with each row, index among its nodes, node and current into it.
    pub fn currents(&self, u: &[C], mut add: impl FnMut(usize, usize, usize, C)) {
        for (row, (nodes, y)) in self.each().enumerate() {
            rows(nodes, y, u, |i, current| add(row, i, nodes[i] as usize, current));
        }
    }

    /// Adds the currents that leave the nodes into shunts.
    pub fn leave(&self, u: &[C], leaving: &mut [C]) {
        match self.has_conductance {
            true => self.leave_by(u, leaving, |y, u| y * u),
            false => self.leave_by(u, leaving, |y, u| C::new(-y.im * u.im, y.im * u.re)),
        }
    }

    #[inline(always)]
    fn leave_by(&self, u: &[C], leaving: &mut [C], product: impl Fn(C, C) -> C + Copy) {
        for (nodes, y) in self.each() {
            match nodes.len() {
                1 => into::<1>(nodes, y, u, leaving, product),
                2 => into::<2>(nodes, y, u, leaving, product),
                3 => into::<3>(nodes, y, u, leaving, product),
                4 => into::<4>(nodes, y, u, leaving, product),
                _ => rows(nodes, y, u, |i, current| leaving[nodes[i] as usize] += current),
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

/// `leave` for a matrix of `N` rows.
#[inline(always)]
fn into<const N: usize>(nodes: &[u32], y: &[C], u: &[C], leaving: &mut [C], product: impl Fn(C, C) -> C) {
    let (nodes, y) = (&nodes[..N], &y[..N * N]);
    let mut at = [C::default(); N];
    for k in 0..N {
        at[k] = u[nodes[k] as usize];
    }
    for i in 0..N {
        let mut current = C::default();
        for j in 0..N {
            current += product(y[i * N + j], at[j]);
        }
        leaving[nodes[i] as usize] += current;
    }
}

/// Calls `add` with each index among the nodes and the current into it.
fn rows(nodes: &[u32], y: &[C], u: &[C], mut add: impl FnMut(usize, C)) {
    for (i, y) in y.chunks_exact(nodes.len().max(1)).enumerate() {
        let mut current = C::default();
        for (y, &node) in y.iter().zip(nodes) {
            current += y * u[node as usize];
        }
        add(i, current);
    }
}
