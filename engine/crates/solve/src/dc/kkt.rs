//! The equality system of an active set: `K = [[0, G], [G', -Q]]` on active rows and free columns.
//!
//! Free quadratic columns are eliminated, which leaves `S = [[M, G_L], [G_L', 0]]` with `M = sum g g'/q` over them: its size
//! is the number of active rows plus free linear columns, however many units are free (dc-method.md section 2.3). The inverse
//! of `S` is kept explicitly and updated when the active set changes (bordering, deletion and rank-one corrections; Golub and
//! Van Loan, *Matrix Computations*, section 2.1.4), and formed anew after `REFRESH_AFTER` changes.

use super::pool::Rows;
use wattbook_sparse::Lu;

/// Where a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Free,
    AtLower,
    AtUpper,
}

/// A row or a free linear column of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Row(usize),
    Column(usize),
}

/// Updates of the inverse before it is formed anew.
const REFRESH_AFTER: usize = 100;
/// Smaller pivots of an update are not trusted.
const PIVOT_TOLERANCE: f64 = 1e-9;

#[derive(Clone, Debug, Default)]
pub(crate) struct Kkt {
    /// Rows appear in the order of the active set.
    items: Vec<Item>,
    quadratic: Vec<usize>,
    /// Inverse of `S`, row-major in the order of `items`.
    inverse: Vec<f64>,
    updates: usize,
}

impl Kkt {
    /// Factors the system; `None` where it is singular.
    pub fn factor(rows: &Rows, active: &[usize], status: &[Status], q: &[f64]) -> Option<Self> {
        let free =
            |want_q: bool| (0..status.len()).filter(move |&j| status[j] == Status::Free && (q[j] > 0.0) == want_q);
        let quadratic: Vec<usize> = free(true).collect();
        let items: Vec<Item> = active
            .iter()
            .map(|&r| Item::Row(r))
            .chain(free(false).map(Item::Column))
            .collect();
        let (w, n) = (active.len(), items.len());
        if n - w > w {
            return None;
        }
        let mut kkt = Self {
            items,
            quadratic,
            inverse: Vec::new(),
            updates: 0,
        };
        kkt.inverse = if kkt.quadratic.is_empty() && n == 2 * w {
            kkt.linear_inverse(rows, active)?
        } else {
            let mut s = vec![0.0; n * n];
            for i in 0..n {
                for (j, value) in kkt.entries(rows, q, kkt.items[i], i + 1).into_iter().enumerate() {
                    s[i * n + j] = value;
                    s[j * n + i] = value;
                }
            }
            Lu::factor(n, s, 1e-13)?.inverse()
        };
        Some(kkt)
    }

    /// `S^-1 = [[0, G^-T], [G^-1, 0]]` where no quadratic column is free and `G` is square.
    fn linear_inverse(&self, rows: &Rows, active: &[usize]) -> Option<Vec<f64>> {
        let (w, n) = (active.len(), self.items.len());
        let mut g = vec![0.0; w * w];
        for (i, &row) in active.iter().enumerate() {
            for (k, item) in self.items[w..].iter().enumerate() {
                if let Item::Column(j) = item {
                    g[i * w + k] = rows.at(row, *j);
                }
            }
        }
        let inv = Lu::factor(w, g, 1e-13)?.inverse();
        let mut s = vec![0.0; n * n];
        for i in 0..w {
            for k in 0..w {
                s[(w + i) * n + k] = inv[i * w + k];
                s[k * n + w + i] = inv[i * w + k];
            }
        }
        Some(s)
    }

    /// Entries of `S` between `item` and the first `count` items.
    fn entries(&self, rows: &Rows, q: &[f64], item: Item, count: usize) -> Vec<f64> {
        let weighted: Vec<f64> = match item {
            Item::Row(row) => self.quadratic.iter().map(|&j| rows.at(row, j) / q[j]).collect(),
            Item::Column(_) => Vec::new(),
        };
        self.items[..count]
            .iter()
            .map(|other| match (item, *other) {
                (Item::Row(_), Item::Row(r)) => self
                    .quadratic
                    .iter()
                    .zip(&weighted)
                    .map(|(&j, g)| rows.at(r, j) * g)
                    .sum(),
                (Item::Row(r), Item::Column(j)) | (Item::Column(j), Item::Row(r)) => rows.at(r, j),
                (Item::Column(_), Item::Column(_)) => 0.0,
            })
            .collect()
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.inverse[i * self.len() + j]
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        let n = self.len();
        if n == 0 {
            return Vec::new();
        }
        self.inverse.chunks_exact(n).map(|row| dot(row, x)).collect()
    }

    fn row_of_inverse(&self, i: usize) -> Vec<f64> {
        let n = self.len();
        self.inverse[i * n..(i + 1) * n].to_vec()
    }

    fn position(&self, item: Item) -> Option<usize> {
        self.items.iter().position(|i| *i == item)
    }

    /// `inverse -= u v' / pivot` with v = u.
    fn subtract(&mut self, u: &[f64], pivot: f64) {
        let n = self.len();
        if n == 0 {
            return;
        }
        for (row, ui) in self.inverse.chunks_exact_mut(n).zip(u) {
            let f = ui / pivot;
            if f != 0.0 {
                for (x, uj) in row.iter_mut().zip(u) {
                    *x -= f * uj;
                }
            }
        }
    }

    /// Adds an item with an extra diagonal entry; false where the pivot is too small.
    #[must_use]
    pub fn add(&mut self, rows: &Rows, q: &[f64], item: Item, extra: f64) -> bool {
        let n = self.len();
        let border = self.entries(rows, q, item, n);
        let diagonal = match item {
            Item::Row(row) => self
                .quadratic
                .iter()
                .map(|&j| rows.at(row, j) * rows.at(row, j) / q[j])
                .sum(),
            Item::Column(_) => 0.0,
        };
        let u = self.times(&border);
        let pivot = diagonal + extra - dot(&border, &u);
        if !self.trust(pivot) {
            return false;
        }
        self.subtract(&u, -pivot);
        let mut grown = Vec::with_capacity((n + 1) * (n + 1));
        for (i, ui) in u.iter().enumerate() {
            grown.extend_from_slice(&self.inverse[i * n..(i + 1) * n]);
            grown.push(-ui / pivot);
        }
        grown.extend(u.iter().map(|u| -u / pivot));
        grown.push(1.0 / pivot);
        self.inverse = grown;
        self.items.push(item);
        true
    }

    /// Removes an item; false where the pivot is too small.
    #[must_use]
    pub fn remove(&mut self, item: Item) -> bool {
        let Some(k) = self.position(item) else { return false };
        let u = self.row_of_inverse(k);
        if !self.trust(u[k]) {
            return false;
        }
        self.subtract(&u, u[k]);
        self.delete(k);
        true
    }

    /// Removes two items at once, where neither could go alone.
    #[must_use]
    pub fn remove_both(&mut self, a: Item, b: Item) -> bool {
        let (Some(i), Some(j)) = (self.position(a), self.position(b)) else {
            return false;
        };
        let (u, v) = (self.row_of_inverse(i), self.row_of_inverse(j));
        let (uu, uv, vv) = (u[i], u[j], v[j]);
        let determinant = uu * vv - uv * uv;
        if !self.trust(determinant) {
            return false;
        }
        let n = self.len();
        for (k, row) in self.inverse.chunks_exact_mut(n).enumerate() {
            let f = (vv * u[k] - uv * v[k]) / determinant;
            let g = (uu * v[k] - uv * u[k]) / determinant;
            for ((x, u), v) in row.iter_mut().zip(&u).zip(&v) {
                *x -= f * u + g * v;
            }
        }
        self.delete(i.max(j));
        self.delete(i.min(j));
        true
    }

    /// `S += weight * e e'` at an item's diagonal.
    #[must_use]
    pub fn correct(&mut self, item: Item, weight: f64) -> bool {
        let Some(k) = self.position(item) else { return false };
        let u = self.row_of_inverse(k);
        let pivot = 1.0 / weight + self.at(k, k);
        if !self.trust(pivot) {
            return false;
        }
        self.subtract(&u, pivot);
        true
    }

    /// A quadratic column becomes free, or is fixed again.
    #[must_use]
    pub fn change_quadratic(&mut self, rows: &Rows, q: &[f64], column: usize, free: bool) -> bool {
        let g: Vec<f64> = self
            .items
            .iter()
            .map(|item| match item {
                Item::Row(r) => rows.at(*r, column),
                Item::Column(_) => 0.0,
            })
            .collect();
        let u = self.times(&g);
        let weight = if free { 1.0 / q[column] } else { -1.0 / q[column] };
        let pivot = 1.0 / weight + dot(&g, &u);
        if !self.trust(pivot) {
            return false;
        }
        self.subtract(&u, pivot);
        if free {
            self.quadratic.push(column);
        } else {
            self.quadratic.retain(|&j| j != column);
        }
        true
    }

    /// Counts an update; it is refused where its pivot is small or the inverse is old.
    fn trust(&mut self, pivot: f64) -> bool {
        self.updates += 1;
        self.updates <= REFRESH_AFTER && pivot.abs() > PIVOT_TOLERANCE && pivot.is_finite()
    }

    fn delete(&mut self, k: usize) {
        let n = self.len();
        let mut index = 0;
        self.inverse.retain(|_| {
            let keep = index / n != k && index % n != k;
            index += 1;
            keep
        });
        self.items.remove(k);
    }

    /// Solves `G_F v = r`, `G_F' u - Q v = s` with `r` over active rows and `s` over all columns (only free ones are read).
    /// Returns `u` over active rows and `v` over all columns, zero where not free.
    pub fn solve(&self, rows: &Rows, q: &[f64], r: &[f64], s: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut next = r.iter();
        let x: Vec<f64> = self
            .items
            .iter()
            .map(|item| match item {
                Item::Column(j) => s[*j],
                Item::Row(row) => {
                    let eliminated: f64 = self
                        .quadratic
                        .iter()
                        .filter(|&&j| s[j] != 0.0)
                        .map(|&j| rows.at(*row, j) * s[j] / q[j])
                        .sum();
                    next.next().copied().unwrap_or(0.0) + eliminated
                }
            })
            .collect();
        let x = self.times(&x);
        let mut u = Vec::with_capacity(r.len());
        let mut v = vec![0.0; s.len()];
        for (item, &x) in self.items.iter().zip(&x) {
            match item {
                Item::Column(j) => v[*j] = x,
                Item::Row(row) => {
                    u.push(x);
                    if x != 0.0 {
                        for &j in &self.quadratic {
                            v[j] += rows.at(*row, j) * x;
                        }
                    }
                }
            }
        }
        for &j in &self.quadratic {
            v[j] = (v[j] - s[j]) / q[j];
        }
        (u, v)
    }
}

/// Eight partial sums: one order everywhere, and short dependency chains.
fn dot(a: &[f64], b: &[f64]) -> f64 {
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
