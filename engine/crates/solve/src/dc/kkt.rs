//! The equality system of an active set: `K = [[0, G], [G', -Q]]` on active rows and free columns.
//!
//! Free quadratic columns are eliminated, which leaves `S = [[M, G_L], [G_L', 0]]` with `M = sum g g'/q` over them: its size
//! is the number of active rows plus free linear columns, however many units are free (dc-method.md section 2.3).

use super::pool::Rows;
use wattbook_sparse::Lu;

/// Where a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Free,
    AtLower,
    AtUpper,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Kkt {
    /// Active rows in the order of the system.
    pub rows: Vec<usize>,
    linear: Vec<usize>,
    quadratic: Vec<usize>,
    /// `g_rq` for active rows by free quadratic columns, row-major.
    gq: Vec<f64>,
    lu: Lu,
}

impl Kkt {
    /// Factors the system; `None` where it is singular.
    pub fn factor(rows: &Rows, active: &[usize], status: &[Status], q: &[f64]) -> Option<Self> {
        let free = |want_q: bool| -> Vec<usize> {
            (0..status.len())
                .filter(|&j| status[j] == Status::Free && (q[j] > 0.0) == want_q)
                .collect()
        };
        let (linear, quadratic) = (free(false), free(true));
        let (w, l, k) = (active.len(), linear.len(), quadratic.len());
        if l > w {
            return None;
        }
        let mut gq = vec![0.0; w * k];
        for (i, &row) in active.iter().enumerate() {
            for (g, &j) in gq[i * k..(i + 1) * k].iter_mut().zip(&quadratic) {
                *g = rows.at(row, j);
            }
        }
        let n = w + l;
        let mut s = vec![0.0; n * n];
        let mut scaled = vec![0.0; k];
        for i in 0..w {
            for ((x, g), &j) in scaled.iter_mut().zip(&gq[i * k..]).zip(&quadratic) {
                *x = g / q[j];
            }
            for j in 0..=i {
                let m: f64 = scaled.iter().zip(&gq[j * k..]).map(|(a, b)| a * b).sum();
                s[i * n + j] = m;
                s[j * n + i] = m;
            }
            for (c, &j) in linear.iter().enumerate() {
                let g = rows.at(active[i], j);
                s[i * n + w + c] = g;
                s[(w + c) * n + i] = g;
            }
        }
        let lu = Lu::factor(n, s, 1e-13)?;
        Some(Self {
            rows: active.to_vec(),
            linear,
            quadratic,
            gq,
            lu,
        })
    }

    /// Solves `G_F v = r`, `G_F' u - Q v = s` with `r` over active rows and `s` over all columns (only free ones are read).
    /// Returns `u` over active rows and `v` over all columns, zero where not free.
    pub fn solve(&self, rows: &Rows, q: &[f64], r: &[f64], s: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (w, k) = (self.rows.len(), self.quadratic.len());
        let mut x: Vec<f64> = r.to_vec();
        for (i, x) in x.iter_mut().enumerate() {
            for (g, &j) in self.gq[i * k..(i + 1) * k].iter().zip(&self.quadratic) {
                *x += g * s[j] / q[j];
            }
        }
        x.extend(self.linear.iter().map(|&j| s[j]));
        self.lu.solve(&mut x);
        let mut v = vec![0.0; s.len()];
        for (x, &j) in x[w..].iter().zip(&self.linear) {
            v[j] = *x;
        }
        for &j in &self.quadratic {
            let gu: f64 = self.rows.iter().zip(&x).map(|(&row, u)| rows.at(row, j) * u).sum();
            v[j] = (gu - s[j]) / q[j];
        }
        x.truncate(w);
        (x, v)
    }
}
