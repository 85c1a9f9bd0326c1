//! LU with partial pivoting for the small dense systems of the active-set method (Golub and Van Loan, *Matrix
//! Computations*, 4th ed., algorithm 3.4.1).

/// Factors of a dense `n` x `n` matrix, row-major.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    n: usize,
    a: Vec<f64>,
    pivots: Vec<usize>,
}

impl Lu {
    /// Factors a row-major matrix; `None` where a pivot is smaller than `tolerance` times the largest entry of its column.
    pub fn factor(n: usize, mut a: Vec<f64>, tolerance: f64) -> Option<Self> {
        debug_assert_eq!(a.len(), n * n);
        let column_scale: Vec<f64> = (0..n)
            .map(|j| (0..n).fold(0.0f64, |m, i| m.max(a[i * n + j].abs())))
            .collect();
        let mut pivots = vec![0; n];
        for k in 0..n {
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
            if best != k {
                for j in 0..n {
                    a.swap(k * n + j, best * n + j);
                }
            }
            let (upper, lower) = a.split_at_mut((k + 1) * n);
            let pivot_row = &upper[k * n..];
            for row in lower.chunks_exact_mut(n) {
                let l = row[k] / pivot;
                row[k] = l;
                if l != 0.0 {
                    for (x, u) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                        *x -= l * u;
                    }
                }
            }
        }
        Some(Self { n, a, pivots })
    }

    /// The inverse, row-major.
    pub fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        // Rows of the inverse of A' are columns of the inverse of A: solve for all unit vectors at once, row by row.
        let mut x = vec![0.0; n * n];
        let mut order: Vec<usize> = (0..n).collect();
        for k in 0..n {
            order.swap(k, self.pivots[k]);
        }
        for (i, &source) in order.iter().enumerate() {
            x[i * n + source] = 1.0;
        }
        for i in 0..n {
            let (above, rest) = x.split_at_mut(i * n);
            subtract_rows(&mut rest[..n], &self.a[i * n..i * n + i], above);
        }
        for i in (0..n).rev() {
            let (head, below) = x.split_at_mut((i + 1) * n);
            let row = &mut head[i * n..];
            subtract_rows(row, &self.a[i * n + i + 1..(i + 1) * n], below);
            let pivot = self.a[i * n + i];
            for r in row {
                *r /= pivot;
            }
        }
        x
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
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

/// `row -= sum_k factors[k] rows[k]`, four rows at a time so that `row` is read and written once for them.
fn subtract_rows(row: &mut [f64], factors: &[f64], rows: &[f64]) {
    let n = row.len();
    let (mut fours, mut blocks) = (factors.chunks_exact(4), rows.chunks_exact(4 * n.max(1)));
    for (f, block) in (&mut fours).zip(&mut blocks) {
        if f == [0.0; 4] {
            continue;
        }
        let (a, rest) = block.split_at(n);
        let (b, rest) = rest.split_at(n);
        let (c, d) = rest.split_at(n);
        for ((((r, a), b), c), d) in row.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *r -= (f[0] * a + f[1] * b) + (f[2] * c + f[3] * d);
        }
    }
    let done = factors.len() - fours.remainder().len();
    for (k, &f) in fours.remainder().iter().enumerate() {
        if f != 0.0 {
            let start = (done + k) * n;
            for (r, x) in row.iter_mut().zip(&rows[start..start + n]) {
                *r -= f * x;
            }
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
