//! The equality system of an active set with quadratic costs: `K = [[0, G], [G', -Q]]` on active rows and free columns.
//!
//! Free quadratic columns are eliminated, which leaves `S = [[M, G_L], [G_L', 0]]` with `M = sum g g'/q` over them. Its
//! size is the number of active rows plus free linear columns, independent of the number of free units
//! (docs/method/dc-opf.md, section 3). The inverse of `S` is stored explicitly and updated when the active set changes.
//!
//! A free column outside the network, the excess of a limit, may be in one active row only. The pair is eliminated: the
//! excess fixes the row's multiplier at its price, and the row then determines the excess. The inverse of what is left is
//! the block of the whole inverse, so a pair is eliminated by deleting it.

use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::row_products::RowProducts;
use crate::dc::model::DcModel;
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

/// An active row and the only free column outside the network in it, which is in no other active row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub row: usize,
    pub column: usize,
    pub entry: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Kkt {
    pub items: Vec<Item>,
    pub pairs: Vec<Pair>,
    pub quadratic: Vec<usize>,
    /// Inverse of `S` without the pairs, in the order of `items`.
    inverse: SymmetricInverse,
    updates: usize,
}

impl Item {
    pub fn row(self) -> Option<usize> {
        match self {
            Self::Row(row) => Some(row),
            Self::Column(_) => None,
        }
    }

    pub fn column(self) -> Option<usize> {
        match self {
            Self::Row(_) => None,
            Self::Column(column) => Some(column),
        }
    }
}

/// A column outside the network that is in one of the active rows only, and this row.
fn only_entry(rows: &LazyRows, active: impl Iterator<Item = usize>, column: usize) -> Option<Pair> {
    if !rows.is_outside(column) {
        return None;
    }
    let entries = active.map(|row| (row, rows.at(row, column)));
    let mut entries = entries.filter(|(_, entry)| *entry != 0.0);
    let (row, entry) = entries.next()?;
    entries.next().is_none().then_some(Pair { row, column, entry })
}

/// By row of a pair, the multiplier that its column fixes, of `G_F' u - Q v = s` with `s` by column.
pub(crate) fn fixed_multipliers(pairs: &[Pair], s: impl Fn(usize) -> f64) -> Vec<(usize, f64)> {
    let of_pair = |pair: &Pair| (pair.row, s(pair.column) / pair.entry);
    pairs.iter().map(of_pair).collect()
}

/// Sets the columns of pairs so that `G_F v = r` holds in their rows, with `r` by row and `v` by column.
pub(crate) fn clear_rows(
    pairs: &[Pair],
    (products, model, rows): (&RowProducts, &DcModel, &LazyRows),
    r: &[f64],
    v: &mut [f64],
) {
    if pairs.is_empty() {
        return;
    }
    let of_pairs: Vec<usize> = pairs.iter().map(|pair| pair.row).collect();
    let values = products.values(model, rows, &of_pairs, v);
    for (pair, value) in pairs.iter().zip(values) {
        v[pair.column] = (r[pair.row] - value) / pair.entry;
    }
}

impl Kkt {
    /// Factors the system; `None` if it is singular.
    pub fn factor(rows: &LazyRows, active: &[usize], status: &[Status], q: &[f64]) -> Option<Self> {
        let mut kkt = Self::of_active_set(rows, active, status, q)?;
        let (items, quadratic) = (&kkt.items, &kkt.quadratic);
        let active: Vec<usize> = items.iter().filter_map(|item| item.row()).collect();
        let (w, n) = (active.len(), items.len());
        let mut s = vec![0.0; n * n];
        // Entries of the active rows in the free quadratic columns, scaled so that M is their Gram matrix.
        let scaled: Vec<Vec<f64>> = active
            .iter()
            .map(|&row| {
                let entries = rows.entries(row, quadratic);
                entries.iter().zip(quadratic).map(|(g, &j)| g / q[j].sqrt()).collect()
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
        kkt.inverse = SymmetricInverse::of(n, s)?;
        Some(kkt)
    }

    /// `factor` by way of `K` itself, the leading block of whose inverse is that of `S`.
    ///
    /// `M` has entries as large as `1 / q`, and with few free quadratic columns its rank is small, so its rounding
    /// errors hide the linear columns. `K` has no such entries.
    pub fn factor_whole(rows: &LazyRows, active: &[usize], status: &[Status], q: &[f64]) -> Option<Self> {
        let mut kkt = Self::of_active_set(rows, active, status, q)?;
        let (items, quadratic) = (&kkt.items, &kkt.quadratic);
        let active: Vec<usize> = items.iter().filter_map(|item| item.row()).collect();
        let (w, n) = (active.len(), items.len());
        let linear = items[w..].iter().filter_map(|item| item.column());
        let columns: Vec<usize> = linear.chain(quadratic.iter().copied()).collect();
        let size = w + columns.len();
        let mut k = vec![0.0; size * size];
        for (i, &row) in active.iter().enumerate() {
            for (at, value) in (w..).zip(rows.entries(row, &columns)) {
                k[i * size + at] = value;
                k[at * size + i] = value;
            }
        }
        for (at, &j) in (n..).zip(quadratic) {
            k[at * size + at] = -q[j];
        }
        kkt.inverse = SymmetricInverse::leading(size, n, k)?;
        Some(kkt)
    }

    /// The system of an active set without its inverse: rows first, then free linear columns; `None` if there are more
    /// columns than rows.
    fn of_active_set(rows: &LazyRows, active: &[usize], status: &[Status], q: &[f64]) -> Option<Self> {
        let free =
            |want_q: bool| (0..status.len()).filter(move |&j| status[j] == Status::Free && (q[j] > 0.0) == want_q);
        let mut pairs: Vec<Pair> = Vec::new();
        let mut linear = Vec::new();
        for j in free(false) {
            match only_entry(rows, active.iter().copied(), j) {
                Some(pair) if pairs.iter().all(|other| other.row != pair.row) => pairs.push(pair),
                _ => linear.push(Item::Column(j)),
            }
        }
        let is_left = |row: &usize| pairs.iter().all(|pair| pair.row != *row);
        let mut items: Vec<Item> = active.iter().copied().filter(is_left).map(Item::Row).collect();
        if linear.len() > items.len() {
            return None;
        }
        items.append(&mut linear);
        Some(Self {
            items,
            pairs,
            quadratic: free(true).collect(),
            ..Self::default()
        })
    }

    /// `S^-1 x` in the order of `items`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.inverse.times(x)
    }

    /// All active rows.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        let of_pairs = self.pairs.iter().map(|pair| pair.row);
        self.items.iter().filter_map(|item| item.row()).chain(of_pairs)
    }

    /// All free linear columns.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        let of_pairs = self.pairs.iter().map(|pair| pair.column);
        self.items.iter().filter_map(|item| item.column()).chain(of_pairs)
    }

    fn place(&self, item: Item) -> Option<usize> {
        self.items.iter().position(|i| *i == item)
    }

    fn pair_of(&self, item: Item) -> Option<usize> {
        let has = |pair: &Pair| item == Item::Row(pair.row) || item == Item::Column(pair.column);
        self.pairs.iter().position(has)
    }

    /// `inverse -= u u' / pivot`.
    fn subtract(&mut self, u: &[f64], pivot: f64) {
        self.inverse.add_square(-1.0 / pivot, u);
    }

    /// Entries of `S` between a row and the items without pairs, and its diagonal.
    fn border_of_row(&self, rows: &LazyRows, q: &[f64], row: usize) -> (Vec<f64>, f64) {
        let own = rows.entries(row, &self.quadratic);
        let scaled: Vec<f64> = own.iter().zip(&self.quadratic).map(|(g, &j)| g / q[j]).collect();
        let entry = |item: &Item| match *item {
            Item::Row(other) => dot(&scaled, &rows.entries(other, &self.quadratic)),
            Item::Column(j) => rows.at(row, j),
        };
        (self.items.iter().map(entry).collect(), dot(&scaled, &own))
    }

    /// Makes a pair two items of the inverse, the last ones.
    fn dissolve(&mut self, rows: &LazyRows, q: &[f64], k: usize) {
        let Pair { row, column, entry } = self.pairs.swap_remove(k);
        let (border, diagonal) = self.border_of_row(rows, q, row);
        let u = self.inverse.times(&border);
        let left = diagonal - dot(&border, &u);
        // The inverse of [[left, entry], [entry, 0]] has no first diagonal entry, so the block before stays as it is.
        self.inverse.push(&vec![0.0; self.items.len()], 0.0);
        let mut last: Vec<f64> = u.iter().map(|u| -u / entry).collect();
        last.push(1.0 / entry);
        self.inverse.push(&last, -left / (entry * entry));
        self.items.extend([Item::Row(row), Item::Column(column)]);
    }

    /// Eliminates the pairs that have formed because a row was removed.
    pub fn pair_up(&mut self, rows: &LazyRows) {
        let columns = self.items.iter().filter_map(|item| item.column());
        let outside: Vec<usize> = columns.filter(|&j| rows.is_outside(j)).collect();
        for column in outside {
            let Some(pair) = only_entry(rows, self.rows(), column) else {
                continue;
            };
            for item in [Item::Row(pair.row), Item::Column(column)] {
                if let Some(k) = self.place(item) {
                    self.delete(k);
                }
            }
            self.pairs.push(pair);
        }
    }

    /// Entries of `S` between a linear column and the items.
    fn border_of_column(&self, rows: &LazyRows, column: usize) -> Vec<f64> {
        let entry = |item: &Item| match item {
            Item::Row(r) => rows.at(*r, column),
            Item::Column(_) => 0.0,
        };
        self.items.iter().map(entry).collect()
    }

    /// Adds a free linear column with its diagonal of `S`; false if the pivot is too small.
    #[must_use]
    pub fn add_column(&mut self, rows: &LazyRows, column: usize, diagonal: f64) -> bool {
        if diagonal == 0.0 {
            let pair = only_entry(rows, self.rows(), column);
            let place = pair.and_then(|pair| Some((pair, self.place(Item::Row(pair.row))?)));
            if let Some((pair, k)) = place {
                let is_removed = self.take_out(k);
                if is_removed {
                    self.pairs.push(pair);
                }
                return is_removed;
            }
        }
        let border = self.border_of_column(rows, column);
        let u = self.inverse.times(&border);
        self.push(Item::Column(column), &border, &u, diagonal)
    }

    /// Adds a row with its entries of `S`, the product `u` of the inverse with them, and its diagonal; false if the pivot
    /// is too small.
    #[must_use]
    pub fn add_row(
        &mut self,
        (rows, q): (&LazyRows, &[f64]),
        row: usize,
        (border, u, diagonal): (&[f64], &[f64], f64),
    ) -> bool {
        // A column that is in the new row too forms no pair.
        let is_shared = |pair: &Pair| rows.at(row, pair.column) != 0.0;
        if !self.pairs.iter().any(is_shared) {
            return self.push(Item::Row(row), border, u, diagonal);
        }
        while let Some(k) = self.pairs.iter().position(is_shared) {
            self.dissolve(rows, q, k);
        }
        let (border, _) = self.border_of_row(rows, q, row);
        let u = self.inverse.times(&border);
        self.push(Item::Row(row), &border, &u, diagonal)
    }

    /// Adds an item to the inverse with its border and the product `u` of the two.
    fn push(&mut self, item: Item, border: &[f64], u: &[f64], diagonal: f64) -> bool {
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

    /// Whether a free linear column can be removed alone: its pivot is at least the share `least` of its row of the
    /// inverse.
    pub fn can_remove(&self, rows: &LazyRows, q: &[f64], column: usize, least: f64) -> bool {
        let (row, k) = if let Some(pair) = self.pairs.iter().find(|pair| pair.column == column) {
            // Its row of the inverse, times the square of its entry: see `dissolve`.
            let (border, diagonal) = self.border_of_row(rows, q, pair.row);
            let u = self.inverse.times(&border);
            let mut row = vec![diagonal - dot(&border, &u), pair.entry];
            row.extend(u.iter().map(|u| pair.entry * u));
            (row, 0)
        } else if let Some(k) = self.place(Item::Column(column)) {
            (self.inverse.row(k), k)
        } else {
            return false;
        };
        row[k].abs() > least * row.iter().fold(0.0f64, |m, x| m.max(x.abs()))
    }

    /// Removes an item; false if the pivot is too small.
    #[must_use]
    pub fn remove(&mut self, rows: &LazyRows, q: &[f64], item: Item) -> bool {
        if let Some(k) = self.pair_of(item) {
            let Pair { row, .. } = self.pairs[k];
            if item == Item::Row(row) {
                // Nothing would determine the column.
                return false;
            }
            let (border, diagonal) = self.border_of_row(rows, q, row);
            let u = self.inverse.times(&border);
            let is_added = self.push(Item::Row(row), &border, &u, diagonal);
            if is_added {
                self.pairs.swap_remove(k);
            }
            return is_added;
        }
        self.place(item).is_some_and(|k| self.take_out(k))
    }

    /// Removes the item at a position of the inverse.
    fn take_out(&mut self, k: usize) -> bool {
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
    pub fn remove_both(&mut self, rows: &LazyRows, q: &[f64], a: Item, b: Item) -> bool {
        for item in [a, b] {
            if let Some(k) = self.pair_of(item) {
                self.dissolve(rows, q, k);
            }
        }
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

    /// `S += weight * e e'` for an item that was added with another diagonal.
    #[must_use]
    pub fn correct(&mut self, item: Item, weight: f64) -> bool {
        // The diagonal of its row has no part in the elimination of a pair.
        if self.pair_of(item).is_some() {
            return true;
        }
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
        let u = self.inverse.times(&g);
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
