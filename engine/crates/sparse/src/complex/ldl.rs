//! LDL^T of rows in a general order: the up-looking variant of Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006,
//! section 4.8, with transposes instead of adjoints.

use super::inverse_of_pivot;
use crate::block_lu::BlockPattern;
use num_complex::Complex64;

/// Values of a matrix, rows and columns in the order of elimination; duplicate entries are added.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComplexRows<'a> {
    /// Start of each row in `columns` and `values`, followed by the end of the last.
    pub start: &'a [u32],
    /// Columns up to the diagonal.
    pub columns: &'a [u32],
    pub values: &'a [Complex64],
}

/// Factors `A = L D L^T`, L with a unit diagonal.
#[derive(Clone, Debug, Default)]
pub(super) struct ComplexLdl {
    /// L by columns below its diagonal, at the positions of the pattern's upper triangle by rows.
    lower: Vec<Complex64>,
    d_inv: Vec<Complex64>,
    /// First row of each run of rows with the same columns of the upper triangle beyond the run, followed by the end of
    /// the last.
    runs: Vec<u32>,
}

/// Longest run: the number of values in registers during the pass over its columns.
const RUN: usize = 4;

impl ComplexLdl {
    /// Factors a matrix with the analysed pattern. A pivot must be larger than `smallest`, by row.
    ///
    /// # Errors
    /// The row whose pivot is rejected.
    pub fn factor(pattern: &BlockPattern, matrix: &ComplexRows, smallest: &[f64]) -> Result<Self, usize> {
        let n = pattern.len();
        let zero = Complex64::default();
        let mut lower = vec![zero; pattern.fill()];
        let mut d_inv = vec![zero; n];
        // Number of entries of each column of L from rows before the present one.
        let mut filled = vec![0u32; n];
        let mut w = vec![zero; n];
        for k in 0..n {
            let row = matrix.start[k] as usize..matrix.start[k + 1] as usize;
            for (&column, value) in matrix.columns[row.clone()].iter().zip(&matrix.values[row]) {
                w[column as usize] += value;
            }
            let mut d = std::mem::take(&mut w[k]);
            for &j in pattern.lower(k) {
                let j = j as usize;
                let y = std::mem::take(&mut w[j]);
                let (range, rows) = pattern.upper(j);
                let above = filled[j] as usize;
                for (l, &i) in lower[range.clone()][..above].iter().zip(&rows[..above]) {
                    w[i as usize] -= l * y;
                }
                let l = y * d_inv[j];
                d -= l * y;
                lower[range.start + above] = l;
                filled[j] += 1;
            }
            d_inv[k] = inverse_of_pivot(d, smallest[k]).ok_or(k)?;
        }
        let runs = runs(pattern);
        Ok(Self { lower, d_inv, runs })
    }

    /// Solves `A x = b` in place, in the order of elimination.
    pub fn solve(&self, pattern: &BlockPattern, x: &mut [Complex64]) {
        let runs = || {
            self.runs
                .windows(2)
                .map(|run| (run[0] as usize, (run[1] - run[0]) as usize))
        };
        for (first, length) in runs() {
            match length {
                1 => self.forward::<1>(pattern, first, x),
                2 => self.forward::<2>(pattern, first, x),
                3 => self.forward::<3>(pattern, first, x),
                _ => self.forward::<RUN>(pattern, first, x),
            }
        }
        for (first, length) in runs().rev() {
            match length {
                1 => self.backward::<1>(pattern, first, x),
                2 => self.backward::<2>(pattern, first, x),
                3 => self.backward::<3>(pattern, first, x),
                _ => self.backward::<RUN>(pattern, first, x),
            }
        }
    }

    /// Eliminates the rows of a run from those after it.
    #[inline(always)]
    fn forward<const N: usize>(&self, pattern: &BlockPattern, first: usize, x: &mut [Complex64]) {
        let (within, beyond, rows) = self.run::<N>(pattern, first);
        let mut own = [Complex64::default(); N];
        own.copy_from_slice(&x[first..first + N]);
        for j in 0..N {
            for (l, i) in within[j].iter().zip(j + 1..N) {
                own[i] -= l * own[j];
            }
        }
        x[first..first + N].copy_from_slice(&own);
        for (t, &i) in rows.iter().enumerate() {
            let mut sum = x[i as usize];
            for j in 0..N {
                sum -= beyond[j][t] * own[j];
            }
            x[i as usize] = sum;
        }
    }

    #[inline(always)]
    fn backward<const N: usize>(&self, pattern: &BlockPattern, first: usize, x: &mut [Complex64]) {
        let (within, beyond, rows) = self.run::<N>(pattern, first);
        let mut own = [Complex64::default(); N];
        for j in 0..N {
            own[j] = x[first + j] * self.d_inv[first + j];
        }
        for (t, &i) in rows.iter().enumerate() {
            let value = x[i as usize];
            for j in 0..N {
                own[j] -= beyond[j][t] * value;
            }
        }
        for j in (0..N).rev() {
            for (l, i) in within[j].iter().zip(j + 1..N) {
                let value = own[i];
                own[j] -= l * value;
            }
        }
        x[first..first + N].copy_from_slice(&own);
    }

    /// Values of the `N` rows of a run in the upper triangle: within the run, beyond it, and the columns there.
    #[inline(always)]
    fn run<'a, const N: usize>(
        &'a self,
        pattern: &'a BlockPattern,
        first: usize,
    ) -> ([&'a [Complex64]; N], [&'a [Complex64]; N], &'a [u32]) {
        let (_, rows) = pattern.upper(first + N - 1);
        let mut within: [&[Complex64]; N] = [&[]; N];
        let mut beyond: [&[Complex64]; N] = [&[]; N];
        for j in 0..N {
            let (range, _) = pattern.upper(first + j);
            (within[j], beyond[j]) = self.lower[range].split_at(N - 1 - j);
            beyond[j] = &beyond[j][..rows.len()];
        }
        (within, beyond, rows)
    }
}

/// Runs of rows in which each row but the last is coupled to the next and has the same columns beyond it. Since the
/// columns of L are nested, equal numbers suffice (fundamental supernodes; Liu, Ng and Peyton, SIAM J. Matrix Anal.
/// Appl. 14 (1993)).
fn runs(pattern: &BlockPattern) -> Vec<u32> {
    let n = pattern.len();
    let mut runs = vec![0u32];
    for k in 1..=n {
        let first = runs[runs.len() - 1] as usize;
        let goes_on = k < n && k - first < RUN && {
            let (before, columns) = pattern.upper(k - 1);
            columns.first() == Some(&(k as u32)) && before.len() == pattern.upper(k).0.len() + 1
        };
        if !goes_on {
            runs.push(k as u32);
        }
    }
    if n == 0 {
        runs.clear();
    }
    runs
}
