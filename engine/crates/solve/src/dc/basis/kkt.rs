//! The equality system of an active set with quadratic costs: `K = [[0, G], [G', -Q]]` on active rows and free columns.
//!
//! Free quadratic columns are eliminated, which leaves `S = [[M, G_L], [G_L', 0]]` with `M = sum g g'/q` over them. Its
//! size is the number of active rows plus free linear columns, independent of the number of free units
//! (docs/method/dc-opf.md, section 3). The inverse of `S` is stored explicitly and updated when the active set changes.

use crate::dc::basis::lazy_rows::LazyRows;
use wattbook_sparse::{dot, SymmetricInverse};

/// The position of a column relative to its bounds.
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

/// Updates of the inverse before it is recomputed.
const REFRESH_AFTER: usize = 400;
/// Updates with smaller pivots are rejected.
const PIVOT_TOLERANCE: f64 = 1e-9;

#[derive(Clone, Debug, Default)]
pub(crate) struct Kkt {
    pub items: Vec<Item>,
    pub quadratic: Vec<usize>,
    /// Inverse of `S` in the order of `items`.
    inverse: SymmetricInverse,
    updates: usize,
}

impl Kkt {
    /// Factors the system; `None` if it is singular.
    pub fn factor(rows: &LazyRows, active: &[usize], status: &[Status], q: &[f64]) -> Option<Self> {
        let (items, quadratic) = Self::parts(active, status, q);
        let (w, n) = (active.len(), items.len());
        if n - w > w {
            return None;
        }
        let mut s = vec![0.0; n * n];
        // Entries of the active rows in the free quadratic columns, scaled so that M is their Gram matrix.
        let scaled: Vec<Vec<f64>> = active
            .iter()
            .map(|&row| {
                let entries = rows.entries(row, &quadratic);
                entries.iter().zip(&quadratic).map(|(g, &j)| g / q[j].sqrt()).collect()
            })
            .collect();
        for i in 0..w {
            for j in 0..=i {
                let value = dot(&scaled[i], &scaled[j]);
                s[i * n + j] = value;
                s[j * n + i] = value;
            }
            for (k, item) in items.iter().enumerate().skip(w) {
                if let Item::Column(j) = *item {
                    let value = rows.at(active[i], j);
                    s[i * n + k] = value;
                    s[k * n + i] = value;
                }
            }
        }
        Some(Self {
            inverse: SymmetricInverse::of(n, s)?,
            items,
            quadratic,
            updates: 0,
        })
    }

    /// `factor` by way of `K` itself, the leading block of whose inverse is that of `S`.
    ///
    /// `M` has entries as large as `1 / q`, and with few free quadratic columns its rank is small, so its rounding
    /// errors hide the linear columns. `K` has no such entries.
    pub fn factor_whole(rows: &LazyRows, active: &[usize], status: &[Status], q: &[f64]) -> Option<Self> {
        let (items, quadratic) = Self::parts(active, status, q);
        let (w, n) = (active.len(), items.len());
        if n - w > w {
            return None;
        }
        let linear = items[w..].iter().filter_map(|item| match item {
            Item::Column(j) => Some(*j),
            Item::Row(_) => None,
        });
        let columns: Vec<usize> = linear.chain(quadratic.iter().copied()).collect();
        let size = w + columns.len();
        let mut k = vec![0.0; size * size];
        for (i, &row) in active.iter().enumerate() {
            for (at, value) in (w..).zip(rows.entries(row, &columns)) {
                k[i * size + at] = value;
                k[at * size + i] = value;
            }
        }
        for (at, &j) in (n..).zip(&quadratic) {
            k[at * size + at] = -q[j];
        }
        Some(Self {
            inverse: SymmetricInverse::leading(size, n, k)?,
            items,
            quadratic,
            updates: 0,
        })
    }

    /// The items of an active set and its free quadratic columns.
    fn parts(active: &[usize], status: &[Status], q: &[f64]) -> (Vec<Item>, Vec<usize>) {
        let free =
            |want_q: bool| (0..status.len()).filter(move |&j| status[j] == Status::Free && (q[j] > 0.0) == want_q);
        let linear = free(false).map(Item::Column);
        (
            active.iter().map(|&r| Item::Row(r)).chain(linear).collect(),
            free(true).collect(),
        )
    }

    /// `S^-1 x` in the order of `items`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.inverse.times(x)
    }

    fn place(&self, item: Item) -> Option<usize> {
        self.items.iter().position(|i| *i == item)
    }

    /// `inverse -= u u' / pivot`.
    fn subtract(&mut self, u: &[f64], pivot: f64) {
        self.inverse.add_square(-1.0 / pivot, u);
    }

    /// Entries of `S` between a linear column and the items.
    pub fn border_of_column(&self, rows: &LazyRows, column: usize) -> Vec<f64> {
        let entry = |item: &Item| match item {
            Item::Row(r) => rows.at(*r, column),
            Item::Column(_) => 0.0,
        };
        self.items.iter().map(entry).collect()
    }

    /// Adds an item with its entries of `S`; false if the pivot is too small.
    #[must_use]
    pub fn add(&mut self, item: Item, border: &[f64], diagonal: f64) -> bool {
        let u = self.times(border);
        self.add_with(item, border, &u, diagonal)
    }

    /// `add` with the product `u` of the inverse and the border.
    #[must_use]
    pub fn add_with(&mut self, item: Item, border: &[f64], u: &[f64], diagonal: f64) -> bool {
        let pivot = diagonal - dot(border, u);
        if !self.trust(pivot) {
            return false;
        }
        self.subtract(u, -pivot);
        let u: Vec<f64> = u.iter().map(|u| -u / pivot).collect();
        self.inverse.push(&u, 1.0 / pivot);
        self.items.push(item);
        true
    }

    /// Whether the item at index `k` can be removed alone: its pivot is at least the share `least` of its row of the
    /// inverse.
    pub fn can_remove(&self, k: usize, least: f64) -> bool {
        let row = self.inverse.row(k);
        row[k].abs() > least * row.iter().fold(0.0f64, |m, x| m.max(x.abs()))
    }

    /// Removes an item; false if the pivot is too small.
    #[must_use]
    pub fn remove(&mut self, item: Item) -> bool {
        let Some(k) = self.place(item) else { return false };
        let u = self.inverse.row(k);
        if !self.trust(u[k]) {
            return false;
        }
        self.subtract(&u, u[k]);
        self.delete(k);
        true
    }

    /// Removes two items at once, if neither can be removed alone.
    #[must_use]
    pub fn remove_both(&mut self, a: Item, b: Item) -> bool {
        let (Some(i), Some(j)) = (self.place(a), self.place(b)) else {
            return false;
        };
        let (u, v) = (self.inverse.row(i), self.inverse.row(j));
        let (uu, uv, vv) = (u[i], u[j], v[j]);
        let determinant = uu * vv - uv * uv;
        if !self.trust(determinant) {
            return false;
        }
        // -(vv u u' - uv (u v' + v u') + uu v v') / determinant, as squares of u, v and u + v.
        let factor = -1.0 / determinant;
        let both: Vec<f64> = u.iter().zip(&v).map(|(u, v)| u + v).collect();
        self.inverse.add_square(factor * (vv + uv), &u);
        self.inverse.add_square(factor * (uu + uv), &v);
        self.inverse.add_square(-factor * uv, &both);
        self.delete(i.max(j));
        self.delete(i.min(j));
        true
    }

    /// `S += weight * e e'` at an item's diagonal.
    #[must_use]
    pub fn correct(&mut self, item: Item, weight: f64) -> bool {
        let Some(k) = self.place(item) else { return false };
        let u = self.inverse.row(k);
        let pivot = 1.0 / weight + u[k];
        if !self.trust(pivot) {
            return false;
        }
        self.subtract(&u, pivot);
        true
    }

    /// Frees a quadratic column or fixes it again. Rejected if less than the share `least` of its curvature would
    /// remain in the directions in which it alone is curved.
    #[must_use]
    pub fn change_quadratic(&mut self, rows: &LazyRows, q: &[f64], column: usize, free: bool, least: f64) -> bool {
        let g = self.border_of_column(rows, column);
        let u = self.times(&g);
        let pivot = if free { q[column] } else { -q[column] } + dot(&g, &u);
        if pivot.is_nan() || pivot.abs() < least * q[column] || !self.trust(pivot) {
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

    /// Number of updates since the system was factored.
    pub fn updates(&self) -> usize {
        self.updates
    }

    /// Whether the next update will be rejected because of the inverse's age.
    pub fn is_old(&self) -> bool {
        self.updates >= REFRESH_AFTER
    }

    /// Counts an update; false if its pivot is too small or the inverse is old.
    fn trust(&mut self, pivot: f64) -> bool {
        self.updates += 1;
        self.updates <= REFRESH_AFTER && pivot.abs() > PIVOT_TOLERANCE && pivot.is_finite()
    }

    fn delete(&mut self, k: usize) {
        self.inverse.swap_remove(k);
        self.items.swap_remove(k);
    }
}
