//! Branches without impedance: their ends are one node of the network, exactly.
//!
//! Both ends have one angle. The branch's flow follows from the balance of the buses behind it: where it is the only way
//! between two groups of merged buses its flow is unique, `sum of net injections - flows that leave the group otherwise`,
//! and its rating is a row like any other. Round a loop of such branches the flow is not determined; the least-norm one is
//! published, and a rating that could bind there is refused.

use wattbook_sparse::{Ldl, SymmetricBuilder};

/// A merged branch.
#[derive(Clone, Debug)]
pub(crate) struct Merge {
    /// None where the branch closes a loop of merged branches.
    pub side: Option<Side>,
}

/// What the from end of a merged branch reaches over other merged branches.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// Ascending.
    pub buses: Vec<usize>,
    /// The lines that leave these buses otherwise, with +1 where they start there.
    pub cross: Vec<(usize, f64)>,
}

/// The merged buses of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merges {
    /// The bus that stands for each bus's node.
    pub node_of_bus: Vec<usize>,
    /// By `Line::merged`.
    pub merges: Vec<Merge>,
    /// Lines that are merged, in the same order.
    lines: Vec<usize>,
    /// Their ends.
    ends: Vec<(usize, usize)>,
    /// Row of each bus in `laplacian`, the Laplacian of the merged branches with unit weights; none at a node's own bus.
    place: Vec<Option<usize>>,
    laplacian: Option<Ldl>,
}

/// The bus that stands for each bus's node, by the pairs that are merged: the first bus of each group.
pub(crate) fn nodes(n_bus: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut root: Vec<usize> = (0..n_bus).collect();
    for (a, b) in pairs {
        let (a, b) = (find(&mut root, a), find(&mut root, b));
        root[a.max(b)] = a.min(b);
    }
    (0..n_bus).map(|bus| find(&mut root, bus)).collect()
}

fn find(root: &mut [usize], mut i: usize) -> usize {
    while root[i] != i {
        root[i] = root[root[i]];
        i = root[i];
    }
    i
}

impl Merges {
    /// Finds the sides of the merged branches, by line: `others` are the lines with an impedance over which power can flow,
    /// both as `(line, from, to)`.
    pub fn new(
        n_bus: usize,
        merged: &[(usize, usize, usize)],
        others: impl Iterator<Item = (usize, usize, usize)> + Clone,
    ) -> Self {
        let ends: Vec<(usize, usize)> = merged.iter().map(|&(_, from, to)| (from, to)).collect();
        let pairs = ends.iter().copied();
        let node_of_bus = nodes(n_bus, pairs);
        let mut found = Self {
            node_of_bus,
            merges: Vec::with_capacity(merged.len()),
            place: vec![None; n_bus],
            laplacian: None,
            lines: merged.iter().map(|m| m.0).collect(),
            ends,
        };
        for (k, &(from, to)) in found.ends.iter().enumerate() {
            // What the from end reaches over the other merged branches.
            let rest = found.ends.iter().enumerate().filter(|&(o, _)| o != k);
            let group = nodes(n_bus, rest.map(|(_, ends)| *ends));
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
            found.merges.push(Merge { side });
        }
        let mut size = 0;
        for (bus, place) in found.place.iter_mut().enumerate() {
            if found.node_of_bus[bus] != bus {
                *place = Some(size);
                size += 1;
            }
        }
        let mut builder = SymmetricBuilder::new(size, found.lines.len());
        for &(from, to) in &found.ends {
            let (f, t) = (found.place[from], found.place[to]);
            for end in [f, t].into_iter().flatten() {
                builder.add(end, end, 1.0);
            }
            if let (Some(f), Some(t)) = (f, t) {
                builder.add(f, t, -1.0);
            }
        }
        found.laplacian = (size > 0).then(|| Ldl::factor(&builder).ok()).flatten();
        found
    }

    /// Lines that are merged, by index.
    pub fn lines(&self) -> &[usize] {
        &self.lines
    }

    /// Flows of the merged branches for what the other lines leave unbalanced at each bus, as `(line, flow)`: the least-norm
    /// solution of the balances, which is the only one without loops.
    pub fn flows(&self, unbalanced: &[f64]) -> Vec<(usize, f64)> {
        let Some(laplacian) = &self.laplacian else {
            return Vec::new();
        };
        let mut x = vec![0.0; laplacian.len()];
        for (place, u) in self.place.iter().zip(unbalanced) {
            if let Some(k) = *place {
                x[k] = *u;
            }
        }
        laplacian.solve(&mut x);
        let at = |bus: usize| self.place[bus].map_or(0.0, |k| x[k]);
        self.lines
            .iter()
            .zip(&self.ends)
            .map(|(&l, &(from, to))| (l, at(from) - at(to)))
            .collect()
    }
}
