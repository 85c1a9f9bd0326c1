//! The admittance matrix between the unknown voltages, and its factors.

use crate::mc::elements::Entries;
use crate::mc::unknowns::slots::{Slots, KNOWN};
use crate::mc::C;
use wattbook_sparse::{Singular, TreeFactors, TreeMatrix, TreeOrder};

/// A pivot smaller than its diagonal entry by this factor is a rounding error: only ungrounded parts have such pivots.
const NO_PIVOT: f64 = 1e-13;

/// Entries of the matrix between unknowns, numbered in the order of elimination.
pub(crate) struct Admittances<'a> {
    slots: &'a Slots,
    matrix: TreeMatrix,
}

impl<'a> Admittances<'a> {
    /// An empty matrix.
    pub fn new(slots: &'a Slots, order: TreeOrder) -> Self {
        let matrix = TreeMatrix::new(order);
        Self { slots, matrix }
    }

    /// # Errors
    /// The unknown at which the matrix is singular.
    pub fn factor(self) -> Result<TreeFactors, Singular> {
        self.matrix.factor(NO_PIVOT)
    }
}

impl Entries for Admittances<'_> {
    #[inline]
    fn own(&mut self, slot: usize, y: C) {
        let slot = self.slots.unknown(slot);
        if slot != KNOWN {
            self.matrix.add(slot as usize, slot as usize, y);
        }
    }

    #[inline]
    fn pair(&mut self, i: usize, j: usize, y: C) {
        let (i, j) = (self.slots.unknown(i), self.slots.unknown(j));
        if i == KNOWN || j == KNOWN {
            return;
        }
        let y = if i == j { 2.0 * y } else { y };
        self.matrix.add(i as usize, j as usize, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mc::elements::{Lines, Shunts};
    use crate::mc::size;

    /// Symmetric and of full size.
    fn some_matrix(n: usize) -> Vec<C> {
        let y = |i: usize, j: usize| C::new(1.0 + (i + j) as f64, -0.5 * (i * j) as f64 - 0.25);
        (0..n * n)
            .map(|at| y((at / n).max(at % n), (at / n).min(at % n)))
            .collect()
    }

    #[test]
    fn entries_are_the_currents_of_one_volt() {
        // Lines with one to five conductors and ends that repeat a slot; slot 6 is ground, 7 and 8 belong to the
        // unknowns 1 and 0.
        let ends: [(&[u32], &[u32]); 6] = [
            (&[0], &[1]),
            (&[0, 1], &[2, 3]),
            (&[1, 1, 2], &[3, 4, 4]),
            (&[0, 1, 2, 3], &[4, 7, 6, 5]),
            (&[0, 1, 2, 3, 4], &[7, 6, 5, 8, 7]),
            (&[3, 4], &[4, 3]),
        ];
        // All unknowns form one group.
        let order = TreeOrder::new(&[], &[0; 6]);
        let slots = Slots {
            of_node: Vec::new(),
            order: order.order().to_vec(),
            others: vec![(KNOWN, C::default()), (1, C::default()), (0, C::default())],
        };
        let (mut lines, mut shunts) = (Lines::with_room(0, 0, 0), Shunts::with_room(0, 0, 0));
        for (from, to) in ends {
            let y = some_matrix(from.len());
            lines.push(from.iter().copied(), to.iter().copied(), y.iter().copied());
            shunts.push(to.iter().copied(), y.into_iter());
        }
        let n = 6;
        let mut matrix = Admittances::new(&slots, order);
        lines.stamp(&mut matrix);
        shunts.stamp(&mut matrix);
        let factors = matrix.factor().expect("regular");
        for column in 0..n {
            let mut u = vec![C::default(); slots.len()];
            u[column] = C::new(1.0, 0.0);
            slots.complete(&mut u);
            let mut found = vec![C::default(); slots.len()];
            lines.leave(&u, &mut found);
            shunts.leave(&u, &mut found);
            slots.fold(&mut found);
            found.truncate(n);
            // The matrix has these entries if they reproduce the voltage of 1 V.
            factors.solve(&mut found);
            for (row, found) in found.into_iter().enumerate() {
                let wrong = found - u[row];
                assert!(size(wrong) < 1e-12, "{row} {column}: {wrong}");
            }
        }
    }
}
