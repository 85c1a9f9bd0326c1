//! The admittance matrix between the unknown voltages, and its factors.

use crate::mc::elements::Entries;
use crate::mc::unknowns::slots::{Slots, KNOWN};
use crate::mc::C;
use wattbook_sparse::{BlockPattern, ComplexLdl, ComplexRows, Singular};

/// A pivot that is smaller than its diagonal entry by this factor is rounding: nothing but ungrounded parts comes below it.
const NO_PIVOT: f64 = 1e-13;

/// Entries of the matrix between unknowns, which are counted in the order of elimination.
pub(crate) struct Admittances<'a> {
    slots: &'a Slots,
    diagonal: Vec<C>,
    /// Two unknowns, in either order.
    pairs: Vec<([u32; 2], C)>,
}

impl<'a> Admittances<'a> {
    /// None yet, with room for some `pairs`.
    pub fn new(slots: &'a Slots, pairs: usize) -> Self {
        Self {
            slots,
            diagonal: vec![C::default(); slots.order.len()],
            pairs: Vec::with_capacity(pairs),
        }
    }
}

impl Entries for Admittances<'_> {
    #[inline]
    fn own(&mut self, slot: usize, y: C) {
        if let Some(diagonal) = self.diagonal.get_mut(self.slots.unknown(slot) as usize) {
            *diagonal += y;
        }
    }

    #[inline]
    fn pair(&mut self, i: usize, j: usize, y: C) {
        let (i, j) = (self.slots.unknown(i), self.slots.unknown(j));
        if i == KNOWN || j == KNOWN {
            return;
        }
        if i == j {
            self.diagonal[i as usize] += 2.0 * y;
        } else {
            self.pairs.push(([i, j], y));
        }
    }
}

/// Factors of a matrix with its order of elimination.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    pattern: BlockPattern,
    factors: ComplexLdl,
}

impl Factors {
    /// # Errors
    /// The unknown at which the matrix is singular, as the caller of the pattern counts them.
    pub fn new(pattern: BlockPattern, matrix: &Admittances) -> Result<Self, Singular> {
        let n = pattern.len();
        // The lower triangle by rows, each row with its diagonal entry first.
        let place = |[i, j]: [u32; 2]| (i.max(j), i.min(j));
        let mut start = vec![0u32; n + 2];
        start[2..].fill(1);
        for (pair, _) in &matrix.pairs {
            start[place(*pair).0 as usize + 2] += 1;
        }
        for k in 2..n + 2 {
            start[k] += start[k - 1];
        }
        let count = start[n + 1] as usize;
        let (mut columns, mut values) = (vec![0u32; count], vec![C::default(); count]);
        let mut put = |(row, column): (u32, u32), y: C| {
            let next = &mut start[row as usize + 1];
            columns[*next as usize] = column;
            values[*next as usize] = y;
            *next += 1;
        };
        for (k, y) in matrix.diagonal.iter().enumerate() {
            put((k as u32, k as u32), *y);
        }
        matrix.pairs.iter().for_each(|(pair, y)| put(place(*pair), *y));
        start.truncate(n + 1);
        let matrix = ComplexRows {
            start: &start,
            columns: &columns,
            values: &values,
        };
        let factors = ComplexLdl::factor(&pattern, &matrix, NO_PIVOT)?;
        Ok(Self { pattern, factors })
    }

    /// Solves in place, in the order of elimination.
    pub fn solve(&self, x: &mut [C]) {
        self.factors.solve(&self.pattern, x);
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
        // Lines of one to five conductors, ends that repeat a slot; slot 6 is ground, 7 and 8 belong to the unknowns 1 and 0.
        let ends: [(&[u32], &[u32]); 6] = [
            (&[0], &[1]),
            (&[0, 1], &[2, 3]),
            (&[1, 1, 2], &[3, 4, 4]),
            (&[0, 1, 2, 3], &[4, 7, 6, 5]),
            (&[0, 1, 2, 3, 4], &[7, 6, 5, 8, 7]),
            (&[3, 4], &[4, 3]),
        ];
        let slots = Slots {
            of_node: Vec::new(),
            order: (0..6).collect(),
            others: vec![(KNOWN, C::default()), (1, C::default()), (0, C::default())],
        };
        let (mut lines, mut shunts) = (Lines::default(), Shunts::default());
        for (from, to) in ends {
            lines.push(from, to, &some_matrix(from.len()));
            shunts.push(to, &some_matrix(to.len()));
        }
        let n = 6;
        let mut matrix = Admittances::new(&slots, 0);
        lines.stamp(&mut matrix);
        shunts.stamp(&mut matrix);
        let mut dense = vec![C::default(); n * n];
        for (i, y) in matrix.diagonal.iter().enumerate() {
            dense[i * n + i] += y;
        }
        for ([i, j], y) in &matrix.pairs {
            dense[*i as usize * n + *j as usize] += y;
            dense[*j as usize * n + *i as usize] += y;
        }
        for column in 0..n {
            let mut u = vec![C::default(); slots.len()];
            u[column] = C::new(1.0, 0.0);
            slots.complete(&mut u);
            let mut found = vec![C::default(); slots.len()];
            lines.leave(&u, &mut found);
            shunts.currents(&u, |_, _, slot, current| found[slot] += current);
            slots.fold(&mut found);
            found.truncate(n);
            for (row, found) in found.into_iter().enumerate() {
                let wrong = found - dense[row * n + column];
                assert!(size(wrong) < 1e-12, "{row} {column}: {wrong}");
            }
        }
    }
}
