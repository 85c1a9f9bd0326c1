//! LU of sparse matrices of 2 x 2 blocks, row by row and with pivots on the diagonal (Davis, *Direct Methods for Sparse
//! Linear Systems*, SIAM 2006, chapters 4 and 6).
//!
//! The pattern is symmetric, values are not. Ordering and patterns of the factors are found once for all values.

mod block;
mod pattern;
#[cfg(test)]
mod tests;

pub use pattern::BlockPattern;

pub use block::FourPairs;
use block::{inverted, subtract, subtract_four, subtract_transposed, times};

use crate::ldl::Singular;
use crate::pairs::Block;

/// Values of a matrix, rows and columns in the order of elimination. Columns of a row are distinct.
#[derive(Clone, Copy, Debug)]
pub struct BlockRows<'a> {
    /// Start of each row in `columns` and `blocks`, followed by the end of the last.
    pub start: &'a [u32],
    /// Off-diagonal columns.
    pub columns: &'a [u32],
    pub blocks: &'a [Block],
    pub diagonal: &'a [Block],
}

/// Factors `A = L (D + U)`, L with a unit diagonal.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    lower: Vec<Block>,
    upper: Vec<Block>,
    d_inv: Vec<Block>,
    /// Zero between factorisations.
    work: Vec<Block>,
}

impl BlockLu {
    /// Factors a matrix with the analysed pattern.
    ///
    /// # Errors
    /// The caller's row at which a pivot is singular.
    pub fn factor(pattern: &BlockPattern, matrix: &BlockRows) -> Result<Self, Singular> {
        let mut factors = Self::default();
        factors.refactor(pattern, matrix)?;
        Ok(factors)
    }

    /// Replaces the factors by those of other values. After an error they are unusable.
    ///
    /// # Errors
    /// The caller's row at which a pivot is singular.
    pub fn refactor(&mut self, pattern: &BlockPattern, matrix: &BlockRows) -> Result<(), Singular> {
        let n = pattern.len();
        self.lower.resize(pattern.fill(), [0.0; 4]);
        self.upper.resize(pattern.fill(), [0.0; 4]);
        self.d_inv.resize(n, [0.0; 4]);
        self.work.resize(n, [0.0; 4]);
        let row = self.eliminate_wide(pattern, matrix);
        if row == n {
            return Ok(());
        }
        self.work.clear();
        Err(Singular {
            row: pattern.order[row] as usize,
        })
    }

    /// `eliminate`, compiled a second time for wider registers like `kernels`, with the same sums in the same order.
    fn eliminate_wide(&mut self, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn wide(factors: &mut BlockLu, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
                factors.eliminate(pattern, matrix)
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the features for which the function was compiled.
                return unsafe { wide(self, pattern, matrix) };
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            #[target_feature(enable = "simd128")]
            fn wide(factors: &mut BlockLu, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
                factors.eliminate(pattern, matrix)
            }
            return wide(self, pattern, matrix);
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.eliminate(pattern, matrix)
    }

    // The loops here and below use indices because zipped iterators were not inlined.
    /// Returns the number of eliminated rows: all, or those before a singular pivot.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn eliminate(&mut self, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
        let n = pattern.len();
        let w = &mut self.work[..n];
        for k in 0..n {
            let row = matrix.start[k] as usize..matrix.start[k + 1] as usize;
            for (&column, block) in matrix.columns[row.clone()].iter().zip(&matrix.blocks[row]) {
                w[column as usize] = *block;
            }
            w[k] = matrix.diagonal[k];
            let row = pattern.lower.range(k);
            let (columns, row) = (&pattern.lower.columns[row.clone()], &mut self.lower[row]);
            let mut done = 0;
            for at in 0..columns.len() {
                let j = columns[at] as usize;
                let f = times(&std::mem::take(&mut w[j]), &self.d_inv[j]);
                row[at] = f;
                let above = pattern.upper.range(j);
                let (columns, blocks) = (&pattern.upper.columns[above.clone()], &self.upper[above]);
                done += 8 * (columns.len() + 1);
                for i in 0..columns.len() {
                    let t = &mut w[columns[i] as usize];
                    let product = times(&f, &blocks[i]);
                    *t = [
                        t[0] - product[0],
                        t[1] - product[1],
                        t[2] - product[2],
                        t[3] - product[3],
                    ];
                }
            }
            wattbook_interrupt::work(done);
            let Some(inverse) = inverted(&std::mem::take(&mut w[k])) else {
                return k;
            };
            self.d_inv[k] = inverse;
            let row = pattern.upper.range(k);
            for (&column, u) in pattern.upper.columns[row.clone()].iter().zip(&mut self.upper[row]) {
                *u = std::mem::take(&mut w[column as usize]);
            }
        }
        n
    }

    /// Solves `A x = b` in place, in the order of elimination. Compiled like `eliminate_wide`.
    pub fn solve(&self, pattern: &BlockPattern, x: &mut [[f64; 2]]) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn wide(factors: &BlockLu, pattern: &BlockPattern, x: &mut [[f64; 2]]) {
                factors.substitute(pattern, x);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the features for which the function was compiled.
                return unsafe { wide(self, pattern, x) };
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            #[target_feature(enable = "simd128")]
            fn wide(factors: &BlockLu, pattern: &BlockPattern, x: &mut [[f64; 2]]) {
                factors.substitute(pattern, x);
            }
            return wide(self, pattern, x);
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.substitute(pattern, x);
    }

    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn substitute(&self, pattern: &BlockPattern, x: &mut [[f64; 2]]) {
        let n = pattern.len();
        wattbook_interrupt::work(4 * (self.lower.len() + self.upper.len()));
        for k in 0..n {
            let mut sum = x[k];
            let row = pattern.lower.range(k);
            let (columns, blocks) = (&pattern.lower.columns[row.clone()], &self.lower[row]);
            for i in 0..columns.len() {
                subtract(&mut sum, &blocks[i], &x[columns[i] as usize]);
            }
            x[k] = sum;
        }
        for k in (0..n).rev() {
            let mut sum = x[k];
            let row = pattern.upper.range(k);
            let (columns, blocks) = (&pattern.upper.columns[row.clone()], &self.upper[row]);
            for i in 0..columns.len() {
                subtract(&mut sum, &blocks[i], &x[columns[i] as usize]);
            }
            let d = &self.d_inv[k];
            x[k] = [d[0] * sum[0] + d[1] * sum[1], d[2] * sum[0] + d[3] * sum[1]];
        }
    }

    /// Solves `A X = B` in place for four right-hand sides, which are zero except in two rows. Compiled like
    /// `eliminate_wide`.
    pub fn solve_four(&self, pattern: &BlockPattern, rows: [usize; 2], x: &mut [FourPairs]) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn wide(factors: &BlockLu, pattern: &BlockPattern, rows: [usize; 2], x: &mut [FourPairs]) {
                factors.substitute_four(pattern, rows, x);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the features for which the function was compiled.
                return unsafe { wide(self, pattern, rows, x) };
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            #[target_feature(enable = "simd128")]
            fn wide(factors: &BlockLu, pattern: &BlockPattern, rows: [usize; 2], x: &mut [FourPairs]) {
                factors.substitute_four(pattern, rows, x);
            }
            return wide(self, pattern, rows, x);
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.substitute_four(pattern, rows, x);
    }

    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn substitute_four(&self, pattern: &BlockPattern, rows: [usize; 2], x: &mut [FourPairs]) {
        let n = pattern.len();
        wattbook_interrupt::work(16 * self.upper.len());
        // L^-1 b is zero except at the ancestors of the rows in the elimination tree. The parent of a row is the first
        // column of its row of U (Davis, section 4.1).
        let mut next = rows;
        loop {
            let k = next[0].min(next[1]);
            if k >= n {
                break;
            }
            let row = pattern.lower.range(k);
            let (columns, blocks) = (&pattern.lower.columns[row.clone()], &self.lower[row]);
            let mut sum = x[k];
            for i in 0..columns.len() {
                subtract_four(&mut sum, &blocks[i], &x[columns[i] as usize]);
            }
            x[k] = sum;
            let above = pattern.upper.columns[pattern.upper.range(k)].first();
            let parent = above.map_or(n, |&parent| parent as usize);
            next = next.map(|row| if row == k { parent } else { row });
        }
        for k in (0..n).rev() {
            let row = pattern.upper.range(k);
            let (columns, blocks) = (&pattern.upper.columns[row.clone()], &self.upper[row]);
            let mut sum = x[k];
            for i in 0..columns.len() {
                subtract_four(&mut sum, &blocks[i], &x[columns[i] as usize]);
            }
            let d = &self.d_inv[k];
            for lane in 0..4 {
                x[k][0][lane] = d[0] * sum[0][lane] + d[1] * sum[1][lane];
                x[k][1][lane] = d[2] * sum[0][lane] + d[3] * sum[1][lane];
            }
        }
    }

    /// Solves `A' x = b` in place, in the order of elimination.
    #[allow(clippy::needless_range_loop)]
    pub fn solve_transposed(&self, pattern: &BlockPattern, x: &mut [[f64; 2]]) {
        let n = pattern.len();
        wattbook_interrupt::work(4 * (self.lower.len() + self.upper.len()));
        for k in 0..n {
            let (b, d) = (x[k], &self.d_inv[k]);
            let z = [d[0] * b[0] + d[2] * b[1], d[1] * b[0] + d[3] * b[1]];
            x[k] = z;
            let row = pattern.upper.range(k);
            let (columns, blocks) = (&pattern.upper.columns[row.clone()], &self.upper[row]);
            for i in 0..columns.len() {
                subtract_transposed(&mut x[columns[i] as usize], &blocks[i], &z);
            }
        }
        for k in (0..n).rev() {
            let z = x[k];
            let row = pattern.lower.range(k);
            let (columns, blocks) = (&pattern.lower.columns[row.clone()], &self.lower[row]);
            for i in 0..columns.len() {
                subtract_transposed(&mut x[columns[i] as usize], &blocks[i], &z);
            }
        }
    }
}
