//! An explicitly kept inverse of a small dense matrix, changed by rank-one updates, bordering and deletion (Golub and Van
//! Loan, *Matrix Computations*, 4th ed., section 2.1.4).

use crate::Lu;

/// A square matrix, row-major with room to grow.
#[derive(Clone, Debug, Default)]
pub struct Inverse {
    n: usize,
    stride: usize,
    a: Vec<f64>,
}

/// Room that is added when a matrix outgrows its own.
const ROOM: usize = 32;

impl Inverse {
    /// The inverse of a row-major `n` x `n` matrix; `None` where it is singular.
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

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let n = self.n;
        self.a
            .chunks_exact_mut(self.stride.max(1))
            .take(n)
            .map(move |row| &mut row[..n])
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| dot(self.row(i), x)).collect()
    }

    /// `A' x`.
    pub fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.n];
        let mut i = 0;
        // Four rows at a time: `y` is read and written once for them.
        while i + 4 <= self.n {
            let (a, b, c, d) = (self.row(i), self.row(i + 1), self.row(i + 2), self.row(i + 3));
            let (xa, xb, xc, xd) = (x[i], x[i + 1], x[i + 2], x[i + 3]);
            for ((((y, a), b), c), d) in y.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *y += (a * xa + b * xb) + (c * xc + d * xd);
            }
            i += 4;
        }
        for (k, &x) in x.iter().enumerate().skip(i) {
            add_scaled(&mut y, x, self.row(k));
        }
        y
    }

    /// `A += u v'`.
    pub fn add_outer(&mut self, u: &[f64], v: &[f64]) {
        for (row, &u) in self.rows_mut().zip(u) {
            if u != 0.0 {
                add_scaled(row, u, v);
            }
        }
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

    /// Deletes row `i` and column `j`; the last row and the last column take their places.
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

    /// The same matrix with its rows and columns in another order.
    pub fn permuted(&self, rows: &[usize], columns: &[usize]) -> Self {
        let mut a = Vec::with_capacity(self.n * self.n);
        for &i in rows {
            let row = self.row(i);
            a.extend(columns.iter().map(|&j| row[j]));
        }
        Self {
            n: self.n,
            stride: self.n,
            a,
        }
    }
}

/// Eight partial sums: one order everywhere, and short dependency chains.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (mut ca, mut cb) = (a.chunks_exact(8), b.chunks_exact(8));
    for (x, y) in (&mut ca).zip(&mut cb) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = ca.remainder().iter().zip(cb.remainder()).map(|(x, y)| x * y).sum();
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest
}

/// `out += factor x`.
#[inline]
pub fn add_scaled(out: &mut [f64], factor: f64, x: &[f64]) {
    for (o, x) in out.iter_mut().zip(x) {
        *o += factor * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize) -> Vec<f64> {
        (0..n * n)
            .map(|k| ((k * 37 + k / n * 11) % 17) as f64 - 8.0 + if k % (n + 1) == 0 { 20.0 } else { 0.0 })
            .collect()
    }

    /// Grows a 40 x 40 inverse by bordering, shrinks it again, and compares with the inverse of what is left.
    #[test]
    fn borders_and_deletes() {
        let n = 40;
        let a = matrix(n);
        let at = |i: usize, j: usize| a[i * n + j];
        let mut kept = Inverse::of(1, vec![at(0, 0)]).unwrap();
        for m in 1..n {
            let column: Vec<f64> = (0..m).map(|i| at(i, m)).collect();
            let row: Vec<f64> = (0..m).map(|j| at(m, j)).collect();
            let u = kept.times(&column);
            let v = kept.transposed_times(&row);
            let s = at(m, m) - dot(&row, &u);
            let scaled: Vec<f64> = u.iter().map(|u| u / s).collect();
            kept.add_outer(&scaled, &v);
            let (u, v): (Vec<f64>, Vec<f64>) =
                (scaled.iter().map(|u| -u).collect(), v.iter().map(|v| -v / s).collect());
            kept.push(&u, &v, 1.0 / s);
        }
        let whole = Inverse::of(n, a.clone()).unwrap();
        for i in 0..n {
            for j in 0..n {
                assert!((kept.at(i, j) - whole.at(i, j)).abs() < 1e-10);
            }
        }
        // Without row 3 and column 5 of the matrix: column 3 and row 5 of the inverse go.
        let (u, v, pivot) = (kept.column(3), kept.row(5).to_vec(), kept.at(5, 3));
        let u: Vec<f64> = u.iter().map(|u| -u / pivot).collect();
        kept.add_outer(&u, &v);
        kept.swap_remove(5, 3);
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
                assert!((kept.at(i, j) - rest.at(i, j)).abs() < 1e-9, "{i} {j}");
            }
        }
    }
}
