//! The basis of a linear program: equally many active rows and free columns, and the inverse of their matrix.

use crate::dc::basis::lazy_rows::LazyRows;
use wattbook_sparse::Inverse;

/// Active rows, free columns, and the inverse of the matrix `G` between them, with one row per column and one column
/// per row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Basis {
    pub rows: Vec<usize>,
    pub columns: Vec<usize>,
    pub inverse: Inverse,
    /// Updates since the inverse was formed.
    pub updates: usize,
}

/// Smaller pivots are rejected.
const PIVOT_TOLERANCE: f64 = 1e-9;

impl Basis {
    /// Forms the inverse; `None` if the matrix is not square or is singular.
    pub fn factor(all: &LazyRows, rows: Vec<usize>, columns: Vec<usize>) -> Option<Self> {
        let k = rows.len();
        if columns.len() != k {
            return None;
        }
        let mut g = Vec::with_capacity(k * k);
        for &row in &rows {
            g.extend(all.entries(row, &columns));
        }
        Some(Self {
            inverse: Inverse::of(k, g)?,
            rows,
            columns,
            updates: 0,
        })
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn row_place(&self, row: usize) -> Option<usize> {
        self.rows.iter().position(|&r| r == row)
    }

    pub fn column_place(&self, column: usize) -> Option<usize> {
        self.columns.iter().position(|&c| c == column)
    }

    /// Entries of a column in the active rows.
    pub fn entries_of_column(&self, all: &LazyRows, column: usize) -> Vec<f64> {
        self.rows.iter().map(|&row| all.at(row, column)).collect()
    }

    /// Entries of a row in the free columns.
    pub fn entries_of_row(&self, all: &LazyRows, row: usize) -> Vec<f64> {
        all.entries(row, &self.columns)
    }

    fn trust(pivot: f64) -> bool {
        pivot.is_finite() && pivot.abs() > PIVOT_TOLERANCE
    }

    /// Column `enters` replaces the one at index `i`; `u` is the inverse times its entries.
    #[must_use]
    pub fn replace_column(&mut self, i: usize, enters: usize, u: &[f64]) -> bool {
        if !Self::trust(u[i]) {
            return false;
        }
        self.inverse.scale_row(i, 1.0 / u[i]);
        let pivot_row = self.inverse.row(i).to_vec();
        let mut factors: Vec<f64> = u.iter().map(|u| -u).collect();
        factors[i] = 0.0;
        self.inverse.add_outer(&factors, &pivot_row);
        self.columns[i] = enters;
        self.updates += 1;
        true
    }

    /// Row `enters` replaces the one at index `r`; `v` is its entries times the inverse.
    #[must_use]
    pub fn replace_row(&mut self, r: usize, enters: usize, v: &[f64]) -> bool {
        if !Self::trust(v[r]) {
            return false;
        }
        // A' = A - A_r (v - e_r) / v_r.
        let column: Vec<f64> = self.inverse.column(r).iter().map(|a| -a / v[r]).collect();
        let mut v = v.to_vec();
        v[r] -= 1.0;
        self.inverse.add_outer(&column, &v);
        self.rows[r] = enters;
        self.updates += 1;
        true
    }

    /// A row and a column enter: `u` is the inverse times the column's entries, `v` the row's entries times the inverse.
    #[must_use]
    pub fn grow(&mut self, row: usize, column: usize, u: &[f64], v: &[f64], pivot: f64) -> bool {
        if !Self::trust(pivot) {
            return false;
        }
        let u: Vec<f64> = u.iter().map(|u| u / pivot).collect();
        self.inverse.add_outer(&u, v);
        let u: Vec<f64> = u.iter().map(|u| -u).collect();
        let v: Vec<f64> = v.iter().map(|v| -v / pivot).collect();
        self.inverse.push(&u, &v, 1.0 / pivot);
        self.rows.push(row);
        self.columns.push(column);
        self.updates += 1;
        true
    }

    /// Removes the column at index `i` and the row at index `r`; the last ones move to their positions.
    #[must_use]
    pub fn shrink(&mut self, i: usize, r: usize) -> bool {
        let pivot = self.inverse.at(i, r);
        if !Self::trust(pivot) {
            return false;
        }
        let column: Vec<f64> = self.inverse.column(r).iter().map(|a| -a / pivot).collect();
        let row = self.inverse.row(i).to_vec();
        self.inverse.add_outer(&column, &row);
        self.inverse.swap_remove(i, r);
        self.rows.swap_remove(r);
        self.columns.swap_remove(i);
        self.updates += 1;
        true
    }

    /// Powers of the free columns for right-hand sides of the active rows.
    pub fn powers(&self, rhs: &[f64]) -> Vec<f64> {
        self.inverse.times(rhs)
    }

    /// Multipliers of the active rows for costs of the free columns.
    pub fn multipliers(&self, costs: &[f64]) -> Vec<f64> {
        self.inverse.transposed_times(costs)
    }
}
