//! The admittance matrix between the unknown voltages, and its factors.

use super::C;
use wattbook_sparse::{BlockPattern, ComplexLdl, ComplexRows, Singular};

/// A pivot that is smaller than its diagonal entry by this factor is rounding: nothing but ungrounded parts comes below it.
const NO_PIVOT: f64 = 1e-13;

/// Factors of a matrix with its order of elimination.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    pub pattern: BlockPattern,
    factors: ComplexLdl,
}

impl Factors {
    /// `entries` are those of both triangles; `group` puts unknowns of a bus together.
    ///
    /// # Errors
    /// The unknown at which the matrix is singular.
    pub fn new(group: &[u32], entries: &[(u32, u32, C)]) -> Result<Self, Singular> {
        let below = |e: &&(u32, u32, C)| e.0 > e.1;
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for e in entries.iter().filter(below) {
            // Entries of an element follow one another: this leaves out most duplicates.
            let pair = (e.0 as usize, e.1 as usize);
            if pairs.last() != Some(&pair) {
                pairs.push(pair);
            }
        }
        let pattern = BlockPattern::grouped(&pairs, group);
        let n = pattern.len();
        let mut position = vec![0u32; n];
        for (k, &row) in pattern.order().iter().enumerate() {
            position[row as usize] = k as u32;
        }
        // The lower triangle by rows in the order of elimination; entries keep their order within a row.
        let place = |e: &(u32, u32, C)| {
            let (i, j) = (position[e.0 as usize], position[e.1 as usize]);
            (j <= i).then_some((i, j))
        };
        let mut start = vec![0u32; n + 2];
        for (i, _) in entries.iter().filter_map(place) {
            start[i as usize + 2] += 1;
        }
        for k in 2..n + 2 {
            start[k] += start[k - 1];
        }
        let count = start[n + 1] as usize;
        let (mut columns, mut values) = (vec![0u32; count], vec![C::default(); count]);
        for e in entries {
            let Some((i, j)) = place(e) else { continue };
            let next = &mut start[i as usize + 1];
            columns[*next as usize] = j;
            values[*next as usize] = e.2;
            *next += 1;
        }
        start.truncate(n + 1);
        let matrix = ComplexRows {
            start: &start,
            columns: &columns,
            values: &values,
        };
        let factors = ComplexLdl::factor(&pattern, &matrix, NO_PIVOT)?;
        Ok(Self { pattern, factors })
    }

    /// Solves in place, unknowns in the caller's order; `work` has room for as many.
    pub fn solve(&self, x: &mut [C], work: &mut Vec<C>) {
        work.clear();
        work.extend(self.pattern.order().iter().map(|&row| x[row as usize]));
        self.factors.solve(&self.pattern, work);
        for (&row, value) in self.pattern.order().iter().zip(work.iter()) {
            x[row as usize] = *value;
        }
    }
}
