//! Flows of zero-impedance branches: the least-norm solution of the balances, which is unique unless such branches form
//! a loop.

use wattbook_sparse::{Ldl, SymmetricBuilder};

/// Zero-impedance branches and the Laplacian of their unit weights.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeastNormFlows {
    /// Buses at their ends.
    ends: Vec<(usize, usize)>,
    /// Row of each bus in `laplacian`; `None` for the first bus of a node.
    row_of_bus: Vec<Option<usize>>,
    laplacian: Option<Ldl>,
}

impl LeastNormFlows {
    /// `node_of_bus` maps each bus to the first bus of its node.
    pub fn new(node_of_bus: &[usize], ends: Vec<(usize, usize)>) -> Self {
        let mut row_of_bus = vec![None; node_of_bus.len()];
        let mut size = 0;
        for (bus, row) in row_of_bus.iter_mut().enumerate() {
            if node_of_bus[bus] != bus {
                *row = Some(size);
                size += 1;
            }
        }
        let mut builder = SymmetricBuilder::new(size, ends.len());
        // A branch with both ends at one bus has no flow.
        for &(from, to) in ends.iter().filter(|(from, to)| from != to) {
            let (f, t) = (row_of_bus[from], row_of_bus[to]);
            for end in [f, t].into_iter().flatten() {
                builder.add(end, end, 1.0);
            }
            if let (Some(f), Some(t)) = (f, t) {
                builder.add(f, t, -1.0);
            }
        }
        Self {
            laplacian: (size > 0).then(|| Ldl::factor(&builder).ok()).flatten(),
            row_of_bus,
            ends,
        }
    }

    /// Flows from the from end to the to end by branch, for `W` values at each bus that the branches must carry away.
    pub fn solve<const W: usize>(&self, surplus: impl Iterator<Item = [f64; W]>) -> Vec<[f64; W]> {
        let Some(laplacian) = &self.laplacian else {
            return vec![[0.0; W]; self.ends.len()];
        };
        let mut x = vec![[0.0; W]; laplacian.len()];
        for (row, surplus) in self.row_of_bus.iter().zip(surplus) {
            if let Some(row) = *row {
                x[laplacian.positions()[row]] = surplus;
            }
        }
        laplacian.solve_ordered_together(&mut x);
        let at = |bus: usize| self.row_of_bus[bus].map_or([0.0; W], |row| x[laplacian.positions()[row]]);
        let flow = |&(from, to): &(usize, usize)| {
            let (from, to) = (at(from), at(to));
            std::array::from_fn(|k| from[k] - to[k])
        };
        self.ends.iter().map(flow).collect()
    }
}
