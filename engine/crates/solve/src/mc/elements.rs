//! Elements with a linear law: currents from voltages by factored formulas, and entries of the admittance matrix.
//!
//! Voltages are subtracted before they are multiplied: the difference of two large products would have lost its digits.
//! Nodes are slots of the solver's numbering. Matrices of all lines and shunts lie one after the other, since every step of an iteration goes through all of them.

use super::{size, C};
use std::cmp::Ordering;

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

/// Series admittances between two ends, the nodes of either end in the order of the conductors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    /// By line, and the end of the last: begin of its nodes (from end, then to end) and of its matrix by rows.
    start: Vec<[u32; 2]>,
    nodes: Vec<u32>,
    y: Vec<C>,
}

impl Lines {
    pub fn push(&mut self, from: &[u32], to: &[u32], y: &[C]) {
        if self.start.is_empty() {
            self.start.push([0, 0]);
        }
        self.nodes.extend(from.iter().chain(to));
        self.y.extend(y);
        self.start.push([self.nodes.len() as u32, self.y.len() as u32]);
    }

    /// About as many pairs of terminals as have an admittance.
    pub fn pairs(&self) -> usize {
        2 * self.y.len()
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

    /// Adds to each node the sum of sizes of admittances times voltages (`size` by node) in its current.
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

/// Matrices between some nodes and ground: shunts, and the shunt admittances at both ends of lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shunts {
    start: Vec<[u32; 2]>,
    nodes: Vec<u32>,
    y: Vec<C>,
}

impl Shunts {
    pub fn push(&mut self, nodes: &[u32], y: &[C]) {
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

/// Inverse of a small matrix by rows, by elimination with row pivots in place; None where it is singular.
pub(crate) fn inverse(matrix: &[C], n: usize) -> Option<Vec<C>> {
    let mut a = matrix.to_vec();
    match n {
        1 => inverted::<1>(&mut a, 1),
        2 => inverted::<2>(&mut a, 2),
        3 => inverted::<3>(&mut a, 3),
        4 => inverted::<4>(&mut a, 4),
        _ => inverted::<0>(&mut a, n),
    }?;
    // A symmetric matrix has a symmetric inverse: rounding must not make an unsymmetric network of it.
    let is_symmetric = (0..n).all(|i| (0..i).all(|j| matrix[i * n + j] == matrix[j * n + i]));
    if is_symmetric {
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (a[i * n + j] + a[j * n + i]);
                a[i * n + j] = mean;
                a[j * n + i] = mean;
            }
        }
    }
    Some(a)
}

/// Inverts `n` rows in place; `N` is `n` where the compiler shall know it, else 0.
#[inline(always)]
fn inverted<const N: usize>(a: &mut [C], n: usize) -> Option<()> {
    let n = if N > 0 { N } else { n };
    let a = a.get_mut(..n * n)?;
    let mut swaps = Vec::new();
    let largest = a.iter().map(|z| size(*z)).fold(0.0, f64::max);
    for k in 0..n {
        let pivot = (k + 1..n).fold(k, |best, i| {
            if size(a[i * n + k]) > size(a[best * n + k]) {
                i
            } else {
                best
            }
        });
        let of_pivot = size(a[pivot * n + k]);
        if !(of_pivot > 1e-14 * largest && of_pivot.is_normal()) {
            return None;
        }
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            swaps.push((k, pivot));
        }
        let one_by = C::new(1.0, 0.0) / a[k * n + k];
        a[k * n + k] = C::new(1.0, 0.0);
        for j in 0..n {
            a[k * n + j] *= one_by;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = std::mem::take(&mut a[i * n + k]);
            for j in 0..n {
                let x = a[k * n + j];
                a[i * n + j] -= factor * x;
            }
        }
    }
    // Rows that were swapped before are columns of the inverse.
    for (k, pivot) in swaps.into_iter().rev() {
        (0..n).for_each(|i| a.swap(i * n + k, i * n + pivot));
    }
    Some(())
}
