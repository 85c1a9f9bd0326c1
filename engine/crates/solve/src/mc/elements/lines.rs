//! Series admittances of lines.

use super::Entries;
use crate::mc::{size, C};
use std::cmp::Ordering;

/// Series admittances between two ends, the nodes of either end in the order of the conductors.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// By line, followed by the end of the last: start of its nodes (from end, then to end) and of its matrix by rows.
    start: Vec<[u32; 2]>,
    nodes: Vec<u32>,
    y: Vec<C>,
}

impl Lines {
    /// An empty list with capacity for these numbers of lines, nodes and matrix entries.
    pub fn with_room(count: usize, nodes: usize, entries: usize) -> Self {
        let mut start = Vec::with_capacity(count + 1);
        start.push([0, 0]);
        Self {
            start,
            nodes: Vec::with_capacity(nodes),
            y: Vec::with_capacity(entries),
        }
    }

    /// Adds a line with its matrix by rows, and returns the stored matrix for changes.
    pub fn push(
        &mut self,
        from: impl Iterator<Item = u32>,
        to: impl Iterator<Item = u32>,
        y: impl Iterator<Item = C>,
    ) -> &mut [C] {
        let first = self.y.len();
        self.nodes.extend(from);
        self.nodes.extend(to);
        self.y.extend(y);
        self.start.push([self.nodes.len() as u32, self.y.len() as u32]);
        &mut self.y[first..]
    }

    /// From nodes, to nodes and matrix of each line.
    fn each(&self) -> impl Iterator<Item = (&[u32], &[u32], &[C])> {
        self.start.windows(2).map(|at| {
            let nodes = &self.nodes[at[0][0] as usize..at[1][0] as usize];
            let (from, to) = nodes.split_at(nodes.len() / 2);
            (from, to, &self.y[at[0][1] as usize..at[1][1] as usize])
        })
    }

    /// Adds the currents that leave the nodes into lines.
    pub fn leave(&self, u: &[C], leaving: &mut [C]) {
        for (from, to, y) in self.each() {
            match from.len() {
                1 => line::<1>(from, to, y, u, leaving),
                2 => line::<2>(from, to, y, u, leaving),
                3 => line::<3>(from, to, y, u, leaving),
                4 => line::<4>(from, to, y, u, leaving),
                _ => through(from, to, y, u, |k, current| {
                    leaving[from[k] as usize] += current;
                    leaving[to[k] as usize] -= current;
                }),
            }
        }
    }

    /// Calls `add` with each line, conductor and current through it.
    pub fn currents(&self, u: &[C], mut add: impl FnMut(usize, usize, C)) {
        for (row, (from, to, y)) in self.each().enumerate() {
            through(from, to, y, u, |k, current| add(row, k, current));
        }
    }

    /// Calls `add` with each node at an end and the current into the line there.
    pub fn at_ends(&self, u: &[C], mut add: impl FnMut(usize, C)) {
        for (from, to, y) in self.each() {
            through(from, to, y, u, |k, current| {
                add(from[k] as usize, current);
                add(to[k] as usize, -current);
            });
        }
    }

    pub fn stamp(&self, entries: &mut impl Entries) {
        for (from, to, y) in self.each() {
            let n = from.len();
            for i in 0..n {
                for j in 0..n {
                    let y = y[i * n + j];
                    if y == C::default() {
                        continue;
                    }
                    for end in [from, to] {
                        match j.cmp(&i) {
                            Ordering::Less => entries.pair(end[i] as usize, end[j] as usize, y),
                            Ordering::Equal => entries.own(end[i] as usize, y),
                            Ordering::Greater => {}
                        }
                    }
                    entries.pair(from[i] as usize, to[j] as usize, -y);
                }
            }
        }
    }

    /// Adds, at each node, the magnitudes of the admittance times voltage (`size` by node) products in its current.
    pub fn products(&self, size_of: &[f64], products: &mut [f64]) {
        for (from, to, y) in self.each() {
            let n = from.len();
            for (i, row) in y.chunks_exact(n.max(1)).enumerate() {
                let ends = |j: usize| size_of[from[j] as usize] + size_of[to[j] as usize];
                let sum: f64 = row.iter().enumerate().map(|(j, y)| size(*y) * ends(j)).sum();
                products[from[i] as usize] += sum;
                products[to[i] as usize] += sum;
            }
        }
    }
}

/// `leave` for a line of `N` conductors.
#[inline(always)]
fn line<const N: usize>(from: &[u32], to: &[u32], y: &[C], u: &[C], leaving: &mut [C]) {
    let (from, to, y) = (&from[..N], &to[..N], &y[..N * N]);
    let mut across = [C::default(); N];
    for k in 0..N {
        across[k] = u[from[k] as usize] - u[to[k] as usize];
    }
    for i in 0..N {
        let mut current = C::default();
        for j in 0..N {
            current += y[i * N + j] * across[j];
        }
        leaving[from[i] as usize] += current;
        leaving[to[i] as usize] -= current;
    }
}

fn through(from: &[u32], to: &[u32], y: &[C], u: &[C], mut add: impl FnMut(usize, C)) {
    let n = from.len();
    for i in 0..n {
        let mut current = C::default();
        for (y, (&f, &t)) in y[i * n..(i + 1) * n].iter().zip(from.iter().zip(to)) {
            current += y * (u[f as usize] - u[t as usize]);
        }
        add(i, current);
    }
}
