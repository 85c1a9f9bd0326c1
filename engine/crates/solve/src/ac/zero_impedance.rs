//! Flows of branches without impedance, whose ends are one node.

use super::model::AcBranch;
use num_complex::Complex64;
use wattbook_sparse::{Ldl, SymmetricBuilder};

/// The branches without impedance and what connects them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ZeroImpedance {
    /// Their index among the model's branches, and their buses.
    branches: Vec<(usize, [usize; 2])>,
    /// Row of each of their buses in `laplacian`; none at the first bus of a node.
    place: Vec<Option<usize>>,
    /// Laplacian of these branches with unit weights.
    laplacian: Option<Ldl>,
}

impl ZeroImpedance {
    pub fn new(n_bus: usize, branches: &[AcBranch]) -> Self {
        let merged = branches.iter().enumerate().filter(|(_, b)| b.is_merged());
        let branches: Vec<(usize, [usize; 2])> = merged.map(|(k, b)| (k, b.buses)).collect();
        if branches.is_empty() {
            return Self::default();
        }
        let roots = crate::dc::merges::nodes(n_bus, branches.iter().map(|(_, [f, t])| (*f, *t)));
        let mut place = vec![None; n_bus];
        let mut size = 0;
        for (_, place) in place.iter_mut().enumerate().filter(|(bus, _)| roots[*bus] != *bus) {
            *place = Some(size);
            size += 1;
        }
        let mut builder = SymmetricBuilder::new(size, branches.len());
        for &(_, [f, t]) in &branches {
            for end in [place[f], place[t]].into_iter().flatten() {
                builder.add(end, end, 1.0);
            }
            if let (Some(f), Some(t)) = (place[f], place[t]) {
                // Both ends may be one bus: such a branch carries nothing.
                builder.add(f, t, -1.0);
                if f == t {
                    builder.add(f, t, -1.0);
                }
            }
        }
        Self {
            laplacian: (size > 0).then(|| Ldl::factor(&builder).ok()).flatten(),
            branches,
            place,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Flows from the from end to the to end, as `(branch, flow)`, for what the buses inject beyond what other branches and
    /// shunts take: the least-norm solution of the balances, which is the only one where such branches form no loop.
    pub fn flows(&self, surplus: &[Complex64]) -> Vec<(usize, Complex64)> {
        let Some(laplacian) = &self.laplacian else {
            return self.branches.iter().map(|(k, _)| (*k, Complex64::default())).collect();
        };
        let mut x = vec![[0.0; 2]; laplacian.len()];
        for (place, surplus) in self.place.iter().zip(surplus) {
            if let Some(place) = *place {
                x[laplacian.positions()[place]] = [surplus.re, surplus.im];
            }
        }
        laplacian.solve_ordered_together(&mut x);
        let at = |bus: usize| match self.place[bus] {
            Some(place) => Complex64::new(x[laplacian.positions()[place]][0], x[laplacian.positions()[place]][1]),
            None => Complex64::default(),
        };
        self.branches.iter().map(|&(k, [f, t])| (k, at(f) - at(t))).collect()
    }
}
