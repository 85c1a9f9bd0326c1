//! LU with partial pivoting for the small dense systems of the active-set method (Golub and Van Loan, *Matrix
//! Computations*, 4th ed., algorithm 3.4.1).

use crate::kernels::subtract_block;

/// Columns and rows in a block.
const BLOCK: usize = 8;

/// Factors of a dense `n` x `n` matrix, row-major.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    n: usize,
    a: Vec<f64>,
    pivots: Vec<usize>,
}

impl Lu {
    /// Factors a row-major matrix; `None` if a pivot is smaller than `tolerance` times the largest entry of its column.
    pub fn factor(n: usize, mut a: Vec<f64>, tolerance: f64) -> Option<Self> {
        debug_assert_eq!(a.len(), n * n);
        let column_scale: Vec<f64> = (0..n)
            .map(|j| (0..n).fold(0.0f64, |m, i| m.max(a[i * n + j].abs())))
            .collect();
        let mut pivots = vec![0; n];
        for first in (0..n).step_by(BLOCK) {
            let end = n.min(first + BLOCK);
            wattbook_interrupt::work((end - first) * (n - first) * (n - first));
            // The block's columns, one after the other.
            for k in first..end {
                let mut best = k;
                for i in k + 1..n {
                    if a[i * n + k].abs() > a[best * n + k].abs() {
                        best = i;
                    }
                }
                let pivot = a[best * n + k];
                if !pivot.is_finite() || pivot.abs() <= tolerance * column_scale[k] || pivot == 0.0 {
                    return None;
                }
                pivots[k] = best;
                let (upper, lower) = a.split_at_mut((k + 1) * n);
                let pivot_row = &mut upper[k * n..];
                if best != k {
                    pivot_row.swap_with_slice(&mut lower[(best - k - 1) * n..(best - k) * n]);
                }
                for row in lower.chunks_exact_mut(n) {
                    let l = row[k] / pivot;
                    row[k] = l;
                    if l != 0.0 {
                        for j in k + 1..end {
                            row[j] -= l * pivot_row[j];
                        }
                    }
                }
            }
            // Their updates to the right: in the block's own rows, then in all rows below at once.
            for k in first + 1..end {
                let (above, row) = a[first * n..(k + 1) * n].split_at_mut((k - first) * n);
                let factors = row[first..k].to_vec();
                subtract_block(row, &factors, 0, above, n, end, n);
            }
            let (block, below) = a[first * n..].split_at_mut((end - first) * n);
            for row in below.chunks_exact_mut(n) {
                let mut factors = [0.0; BLOCK];
                factors[..end - first].copy_from_slice(&row[first..end]);
                subtract_block(row, &factors, 0, block, n, end, n);
            }
        }
        Some(Self { n, a, pivots })
    }

    /// Absolute value of the determinant.
    pub fn determinant(&self) -> f64 {
        (0..self.n).fold(1.0, |d, k| d * self.a[k * self.n + k].abs())
    }

    /// The inverse, row-major.
    pub fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        // All unit vectors at once, row by row: first the inverse of L, a lower triangle.
        let mut x = vec![0.0; n * n];
        for i in 0..n {
            x[i * n + i] = 1.0;
        }
        // Rows in blocks, so that the rows on which they depend are read once per block.
        for first in (0..n).step_by(BLOCK) {
            let end = n.min(first + BLOCK);
            wattbook_interrupt::work((end - first) * n * first);
            let (above, rest) = x.split_at_mut(first * n);
            let block = &mut rest[..(end - first) * n];
            subtract_block(block, &self.a[first * n..], n, above, n, 0, first);
            for i in first + 1..end {
                let (above, row) = block[..(i - first + 1) * n].split_at_mut((i - first) * n);
                subtract_block(row, &self.a[i * n + first..], n, above, n, 0, i);
            }
        }
        for first in (0..n).step_by(BLOCK).rev() {
            let end = n.min(first + BLOCK);
            wattbook_interrupt::work((end - first) * n * (n - first));
            let (head, below) = x.split_at_mut(end * n);
            let block = &mut head[first * n..];
            if end < n {
                subtract_block(block, &self.a[first * n + end..], n, below, n, 0, n);
            }
            for i in (first..end).rev() {
                let (row, below) = block[(i - first) * n..].split_at_mut(n);
                subtract_block(row, &self.a[i * n + i + 1..], n, below, n, 0, n);
                let pivot = self.a[i * n + i];
                for r in row {
                    *r /= pivot;
                }
            }
        }
        // Columns back to the order that pivoting has changed.
        let mut order: Vec<usize> = (0..n).collect();
        for k in 0..n {
            order.swap(k, self.pivots[k]);
        }
        let mut sorted = vec![0.0; n];
        for row in x.chunks_exact_mut(n.max(1)) {
            for (value, &to) in row.iter().zip(&order) {
                sorted[to] = *value;
            }
            row.copy_from_slice(&sorted);
        }
        x
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        wattbook_interrupt::work(n * n);
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for i in 0..n {
            let mut x = b[i];
            for (l, v) in self.a[i * n..i * n + i].iter().zip(&b[..i]) {
                x -= l * v;
            }
            b[i] = x;
        }
        for i in (0..n).rev() {
            let mut x = b[i];
            for (u, v) in self.a[i * n + i + 1..(i + 1) * n].iter().zip(&b[i + 1..]) {
                x -= u * v;
            }
            b[i] = x / self.a[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_with_pivoting() {
        let lu = Lu::factor(3, vec![0.0, 2.0, 1.0, 1.0, -2.0, -3.0, -1.0, 1.0, 2.0], 1e-12).unwrap();
        let mut x = [-8.0, 0.0, 3.0];
        lu.solve(&mut x);
        for (got, want) in x.iter().zip([-4.0, -5.0, 2.0]) {
            assert!((got - want).abs() < 1e-12, "{x:?}");
        }
    }

    /// Larger than a block, and requiring row exchanges.
    #[test]
    fn inverts_block_by_block() {
        let n = 29;
        let at = |i: usize, j: usize| ((i * i * 7 + j * j * j * 5 + i * j * 3) % 37) as f64 - 18.0;
        let a: Vec<f64> = (0..n * n).map(|k| at(k / n, k % n)).collect();
        let inverse = Lu::factor(n, a.clone(), 1e-12).unwrap().inverse();
        for i in 0..n {
            for j in 0..n {
                let x: f64 = (0..n).map(|k| a[i * n + k] * inverse[k * n + j]).sum();
                assert!((x - f64::from(u8::from(i == j))).abs() < 1e-10, "{i} {j} {x}");
            }
        }
    }

    #[test]
    fn inverts() {
        let a = vec![0.0, 2.0, 1.0, 1.0, -2.0, -3.0, -1.0, 1.0, 2.0];
        let inverse = Lu::factor(3, a.clone(), 1e-12).unwrap().inverse();
        for i in 0..3 {
            for j in 0..3 {
                let x: f64 = (0..3).map(|k| a[i * 3 + k] * inverse[k * 3 + j]).sum();
                assert!((x - f64::from(u8::from(i == j))).abs() < 1e-14, "{inverse:?}");
            }
        }
    }

    #[test]
    fn refuses_a_singular_matrix() {
        assert!(Lu::factor(2, vec![1.0, 2.0, 2.0, 4.0], 1e-12).is_none());
    }
}
