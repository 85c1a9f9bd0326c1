//! An explicitly stored inverse of a small dense symmetric matrix: `Inverse` on the lower triangle only.

use crate::kernels::{symmetric_product, symmetric_update};
use crate::Lu;

/// A symmetric matrix: the rows of its lower triangle, stored contiguously.
#[derive(Clone, Debug, Default)]
pub struct SymmetricInverse {
    n: usize,
    a: Vec<f64>,
}

fn start(i: usize) -> usize {
    i * (i + 1) / 2
}

impl SymmetricInverse {
    /// The inverse of a row-major symmetric `n` x `n` matrix; `None` if it is singular.
    pub fn of(n: usize, matrix: Vec<f64>) -> Option<Self> {
        Self::leading(n, n, matrix)
    }

    /// The leading `n` x `n` block of the inverse of a row-major symmetric `size` x `size` matrix; `None` if that is
    /// singular.
    pub fn leading(size: usize, n: usize, matrix: Vec<f64>) -> Option<Self> {
        let whole = Lu::factor(size, matrix, 1e-13)?.inverse();
        let mut a = Vec::with_capacity(start(n));
        for i in 0..n {
            a.extend_from_slice(&whole[i * size..i * size + i + 1]);
        }
        Some(Self { n, a })
    }

    pub fn len(&self) -> usize {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    #[inline]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.a[start(i.max(j)) + i.min(j)]
    }

    /// A row, which is a column too.
    pub fn row(&self, i: usize) -> Vec<f64> {
        let mut row = Vec::with_capacity(self.n);
        row.extend_from_slice(&self.a[start(i)..start(i + 1)]);
        row.extend((i + 1..self.n).map(|k| self.a[start(k) + i]));
        row
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.n];
        wattbook_interrupt::work(self.a.len());
        symmetric_product(&self.a, &x[..self.n], &mut out);
        out
    }

    /// `A += factor u u'`.
    pub fn add_square(&mut self, factor: f64, u: &[f64]) {
        wattbook_interrupt::work(self.a.len());
        symmetric_update(&mut self.a, factor, &u[..self.n]);
    }

    /// Appends a row and column.
    pub fn push(&mut self, row: &[f64], corner: f64) {
        self.a.extend_from_slice(&row[..self.n]);
        self.a.push(corner);
        self.n += 1;
    }

    /// Deletes a row and column; the last ones move to their position.
    pub fn swap_remove(&mut self, i: usize) {
        let last = self.n - 1;
        if i != last {
            let corner = self.a[start(last) + last];
            self.a.copy_within(start(last)..start(last) + i, start(i));
            self.a[start(i) + i] = corner;
            for k in i + 1..last {
                self.a[start(k) + i] = self.a[start(last) + k];
            }
        }
        self.a.truncate(start(last));
        self.n = last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes a 23 x 23 inverse in every way and compares with the inverse of the resulting matrix.
    #[test]
    fn follows_its_matrix() {
        let n = 23;
        let at = |i: usize, j: usize| ((i * j + 3 * (i + j)) % 13) as f64 - 6.0 + if i == j { 40.0 } else { 0.0 };
        let whole = |rows: &[usize]| -> Vec<f64> {
            let entries = rows.iter().flat_map(|&i| rows.iter().map(move |&j| at(i, j)));
            entries.collect()
        };
        let mut rows: Vec<usize> = (0..n).collect();
        let mut inverse = SymmetricInverse::of(n, whole(&rows)).unwrap();
        let check = |inverse: &SymmetricInverse, rows: &[usize]| {
            let anew = SymmetricInverse::of(rows.len(), whole(rows)).unwrap();
            let x: Vec<f64> = (0..rows.len()).map(|k| (k % 5) as f64 - 1.5).collect();
            for (a, b) in inverse.times(&x).iter().zip(anew.times(&x)) {
                assert!((a - b).abs() < 1e-12, "{a} against {b}");
            }
            for i in 0..rows.len() {
                for (j, value) in inverse.row(i).into_iter().enumerate() {
                    assert_eq!(value, inverse.at(j, i));
                    assert!((value - anew.at(i, j)).abs() < 1e-13);
                }
            }
        };
        check(&inverse, &rows);
        for k in [4, 21, 0] {
            let u = inverse.row(k);
            inverse.add_square(-1.0 / u[k], &u);
            inverse.swap_remove(k);
            rows.swap_remove(k);
            check(&inverse, &rows);
        }
        let border: Vec<f64> = rows.iter().map(|&i| at(i, 4)).collect();
        let u = inverse.times(&border);
        let pivot = at(4, 4) - crate::dot(&border, &u);
        inverse.add_square(1.0 / pivot, &u);
        let side: Vec<f64> = u.iter().map(|u| -u / pivot).collect();
        inverse.push(&side, 1.0 / pivot);
        rows.push(4);
        check(&inverse, &rows);
    }

    /// The leading block needs no Schur complement: with `1 / q` of 1e11 the Schur complement has lost digits to
    /// rounding, but the leading block of the whole inverse has not.
    #[test]
    fn leading_block_is_the_inverse_of_the_schur_complement() {
        // Rows g of two balances and one line, a linear column h, and a column g with the diagonal -q: S = [[g g'/q, h], [h', 0]].
        let (g, h) = ([1.0, 0.3, 0.7], [0.2, 1.0, 0.1]);
        let inverse = |q: f64, whole: bool| {
            let size = if whole { 5 } else { 4 };
            let mut a = vec![0.0; size * size];
            let mut set = |i: usize, j: usize, value: f64| {
                a[i * size + j] = value;
                a[j * size + i] = value;
            };
            for i in 0..3 {
                set(i, 3, h[i]);
                // A second free column with ordinary curvature keeps the rows independent.
                for j in 0..3 {
                    let ordinary = if i == j { 1.0 } else { 0.0 };
                    set(i, j, ordinary + if whole { 0.0 } else { g[i] * g[j] / q });
                }
                if whole {
                    set(i, 4, g[i]);
                }
            }
            if whole {
                set(4, 4, -q);
            }
            SymmetricInverse::leading(size, 4, a).unwrap()
        };
        let error = |a: &SymmetricInverse, b: &SymmetricInverse| {
            let pairs = (0..4).flat_map(|i| (0..=i).map(move |j| (i, j)));
            pairs.fold(0.0f64, |m, (i, j)| m.max((a.at(i, j) - b.at(i, j)).abs()))
        };
        assert!(error(&inverse(0.5, true), &inverse(0.5, false)) < 1e-14);
        // With q = 0 the column is a linear one; its limit is known.
        let limit = inverse(0.0, true);
        assert!(error(&inverse(1e-11, true), &limit) < 1e-10);
        assert!(error(&inverse(1e-11, false), &limit) > 1e-8);
    }
}
