//! An explicitly stored inverse of a small dense matrix, changed by rank-one updates, bordering and deletion (Golub and
//! Van Loan, *Matrix Computations*, 4th ed., section 2.1.4).

use crate::{kernels, Lu};

/// A square matrix, row-major with spare capacity.
#[derive(Clone, Debug, Default)]
pub struct Inverse {
    n: usize,
    stride: usize,
    a: Vec<f64>,
}

/// Capacity added when a matrix outgrows its own.
const ROOM: usize = 32;

impl Inverse {
    /// The inverse of a row-major `n` x `n` matrix; `None` if it is singular.
    pub fn of(n: usize, matrix: Vec<f64>) -> Option<Self> {
        let a = Lu::factor(n, matrix, 1e-13)?.inverse();
        Some(Self { n, stride: n, a })
    }

    pub fn len(&self) -> usize {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    #[inline]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.a[i * self.stride + j]
    }

    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.a[i * self.stride..i * self.stride + self.n]
    }

    pub fn column(&self, j: usize) -> Vec<f64> {
        (0..self.n).map(|i| self.at(i, j)).collect()
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.n];
        wattbook_interrupt::work(self.n * self.n);
        kernels::products(&self.a, self.stride, &x[..self.n], &mut y);
        y
    }

    /// `A' x`.
    pub fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.n];
        wattbook_interrupt::work(self.n * self.n);
        kernels::add_transposed(&self.a, self.stride, &x[..self.n], &mut y);
        y
    }

    /// `A x` of several vectors.
    pub fn times_together(&self, x: &[&[f64]]) -> Vec<Vec<f64>> {
        let mut y = vec![vec![0.0; self.n]; x.len()];
        wattbook_interrupt::work(x.len() * self.n * self.n);
        kernels::products_together(&self.a, self.stride, x, &mut y);
        y
    }

    /// `A' x` of several vectors, each equal to `transposed_times`.
    pub fn transposed_times_together(&self, x: &[&[f64]]) -> Vec<Vec<f64>> {
        let mut y = vec![vec![0.0; self.n]; x.len()];
        wattbook_interrupt::work(x.len() * self.n * self.n);
        kernels::add_transposed_together(&self.a, self.stride, x, &mut y);
        y
    }

    /// `A += sum_b u_b v_b'`.
    pub fn add_outers(&mut self, u: &[Vec<f64>], v: &[Vec<f64>]) {
        wattbook_interrupt::work(u.len() * self.n * self.n);
        kernels::add_outers(&mut self.a, self.stride, u, v);
    }

    #[inline]
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.a[i * self.stride + j] = value;
    }

    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.a[i * self.stride..i * self.stride + self.n]
    }

    /// Appends rows and columns of zeros.
    pub fn grow(&mut self, by: usize) {
        let (old, n) = (self.n, self.n + by);
        if n > self.stride {
            let stride = n + ROOM.max(n / 4);
            let mut grown = vec![0.0; stride * stride];
            for i in 0..old {
                grown[i * stride..i * stride + old].copy_from_slice(self.row(i));
            }
            (self.a, self.stride) = (grown, stride);
        }
        if self.a.len() < n * self.stride {
            self.a.resize(n * self.stride, 0.0);
        }
        for i in 0..n {
            let from = if i < old { old } else { 0 };
            self.a[i * self.stride + from..i * self.stride + n].fill(0.0);
        }
        self.n = n;
    }

    /// `A += u v'`.
    pub fn add_outer(&mut self, u: &[f64], v: &[f64]) {
        wattbook_interrupt::work(self.n * self.n);
        kernels::add_outer(&mut self.a, self.stride, &u[..self.n], &v[..self.n]);
    }

    /// Multiplies a row.
    pub fn scale_row(&mut self, i: usize, factor: f64) {
        let range = i * self.stride..i * self.stride + self.n;
        self.a[range].iter_mut().for_each(|x| *x *= factor);
    }

    /// Appends a row and a column.
    pub fn push(&mut self, column: &[f64], row: &[f64], corner: f64) {
        let n = self.n;
        if n == self.stride {
            let stride = n + ROOM.max(n / 4);
            let mut grown = vec![0.0; stride * stride];
            for i in 0..n {
                grown[i * stride..i * stride + n].copy_from_slice(self.row(i));
            }
            (self.a, self.stride) = (grown, stride);
        }
        let stride = self.stride;
        if self.a.len() < (n + 1) * stride {
            self.a.resize((n + 1) * stride, 0.0);
        }
        for (i, &value) in column.iter().enumerate() {
            self.a[i * stride + n] = value;
        }
        self.a[n * stride..n * stride + n].copy_from_slice(row);
        self.a[n * stride + n] = corner;
        self.n = n + 1;
    }

    /// Deletes row `i` and column `j`; the last row and the last column move to their positions.
    pub fn swap_remove(&mut self, i: usize, j: usize) {
        let last = self.n - 1;
        let stride = self.stride;
        if i != last {
            self.a.copy_within(last * stride..last * stride + self.n, i * stride);
        }
        if j != last {
            for k in 0..last {
                self.a[k * stride + j] = self.a[k * stride + last];
            }
        }
        self.n = last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dot;

    fn matrix(n: usize) -> Vec<f64> {
        (0..n * n)
            .map(|k| ((k * 37 + k / n * 11) % 17) as f64 - 8.0 + if k % (n + 1) == 0 { 20.0 } else { 0.0 })
            .collect()
    }

    /// Grows a 40 x 40 inverse by bordering, shrinks it again, and compares with the inverse of the remaining matrix.
    #[test]
    fn borders_and_deletes() {
        let n = 40;
        let a = matrix(n);
        let at = |i: usize, j: usize| a[i * n + j];
        let mut inverse = Inverse::of(1, vec![at(0, 0)]).unwrap();
        for m in 1..n {
            let column: Vec<f64> = (0..m).map(|i| at(i, m)).collect();
            let row: Vec<f64> = (0..m).map(|j| at(m, j)).collect();
            let u = inverse.times(&column);
            let v = inverse.transposed_times(&row);
            let s = at(m, m) - dot(&row, &u);
            let scaled: Vec<f64> = u.iter().map(|u| u / s).collect();
            inverse.add_outer(&scaled, &v);
            let (u, v): (Vec<f64>, Vec<f64>) =
                (scaled.iter().map(|u| -u).collect(), v.iter().map(|v| -v / s).collect());
            inverse.push(&u, &v, 1.0 / s);
        }
        let whole = Inverse::of(n, a.clone()).unwrap();
        for i in 0..n {
            for j in 0..n {
                assert!((inverse.at(i, j) - whole.at(i, j)).abs() < 1e-10);
            }
        }
        // Removing row 3 and column 5 of the matrix removes column 3 and row 5 of the inverse.
        let (u, v, pivot) = (inverse.column(3), inverse.row(5).to_vec(), inverse.at(5, 3));
        let u: Vec<f64> = u.iter().map(|u| -u / pivot).collect();
        inverse.add_outer(&u, &v);
        inverse.swap_remove(5, 3);
        let rows: Vec<usize> = (0..n - 1).map(|i| if i == 3 { n - 1 } else { i }).collect();
        let columns: Vec<usize> = (0..n - 1).map(|j| if j == 5 { n - 1 } else { j }).collect();
        let rest = rows
            .iter()
            .flat_map(|&i| columns.iter().map(move |&j| (i, j)))
            .map(|(i, j)| at(i, j))
            .collect();
        let rest = Inverse::of(n - 1, rest).unwrap();
        for i in 0..n - 1 {
            for j in 0..n - 1 {
                assert!((inverse.at(i, j) - rest.at(i, j)).abs() < 1e-9, "{i} {j}");
            }
        }
    }
}
