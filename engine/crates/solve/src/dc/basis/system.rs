//! The factored equality system of an optimum for derivatives: active lines and free units, independent of the solver's
//! representation of them.

use crate::dc::basis::inverse::Basis;
use crate::dc::basis::kkt::{clear_rows, fixed_multipliers, Item, Kkt, Pair};
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::row_products::RowProducts;
use crate::dc::model::DcModel;
use std::borrow::Cow;

/// The factor of the solver.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    Linear(Basis),
    Quadratic(Kkt),
}

impl Default for Core {
    fn default() -> Self {
        Self::Linear(Basis::default())
    }
}

impl Core {
    /// Active rows of the solver.
    fn rows(&self) -> Vec<usize> {
        match self {
            Self::Linear(basis) => basis.rows.clone(),
            Self::Quadratic(kkt) => kkt.rows().collect(),
        }
    }

    /// Free columns with quadratic costs.
    fn quadratic(&self) -> &[usize] {
        match self {
            Self::Linear(_) => &[],
            Self::Quadratic(kkt) => &kkt.quadratic,
        }
    }

    /// Rows with a free column that is in no other row.
    fn pairs(&self) -> &[Pair] {
        match self {
            Self::Linear(_) => &[],
            Self::Quadratic(kkt) => &kkt.pairs,
        }
    }

    /// Solves `G_F v = r`, `G_F' u - Q v = s` without pairs, with `r` by row after elimination of the quadratic columns,
    /// and `s` by column. Writes `u` by row, and `v` by column at free linear columns only.
    fn solve(&self, r: &[f64], s: &[f64], (u, v): (&mut [f64], &mut [f64])) {
        match self {
            Self::Linear(basis) => {
                let rhs: Vec<f64> = basis.rows.iter().map(|&row| r[row]).collect();
                for (&j, p) in basis.columns.iter().zip(basis.powers(&rhs)) {
                    v[j] = p;
                }
                let costs: Vec<f64> = basis.columns.iter().map(|&j| s[j]).collect();
                for (&row, y) in basis.rows.iter().zip(basis.multipliers(&costs)) {
                    u[row] = y;
                }
            }
            Self::Quadratic(kkt) => {
                let entry = |item: &Item| match *item {
                    Item::Column(j) => s[j],
                    Item::Row(row) => r[row],
                };
                let x = kkt.times(&kkt.items.iter().map(entry).collect::<Vec<_>>());
                for (item, &x) in kkt.items.iter().zip(&x) {
                    match *item {
                        Item::Column(j) => v[j] = x,
                        Item::Row(row) => u[row] = x,
                    }
                }
            }
        }
    }
}

/// A binding bridge with a single movable unit behind it: an active row that the solver represents as a bound of that
/// unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitRow {
    pub row: usize,
    pub column: usize,
    pub sign: f64,
}

/// The system of active rows and free columns, including unit rows: the unit behind such a line is free here, and the
/// line's row fixes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub core: Core,
    pub products: RowProducts,
    pub units: Vec<UnitRow>,
    /// All active rows, balances first, then by line.
    pub active: Vec<usize>,
}

impl System {
    /// Solves `G_F v = r`, `G_F' u - Q v = s` with `r` over the active rows and `s` over all columns, of which only the
    /// free ones are used. Returns `u` over active rows and `v` over all columns, zero for columns that are not free.
    ///
    /// A unit row gives `sign v_j = r`, and the stationarity of its unit gives its multiplier; the solver's factor
    /// solves the rest.
    pub fn solve(&self, model: &DcModel, rows: &LazyRows, q: &[f64], r: &[f64], s: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut by_row = vec![0.0; rows.len()];
        for (&row, r) in self.active.iter().zip(r) {
            by_row[row] = *r;
        }
        let (mut u, mut v) = (vec![0.0; rows.len()], vec![0.0; s.len()]);
        // The multipliers that the columns of pairs fix, and what they leave of `s`.
        let pairs = self.core.pairs();
        let mut rest = Cow::Borrowed(s);
        let fixed = fixed_multipliers(pairs, |j| s[j]);
        for &(row, y) in &fixed {
            u[row] = y;
        }
        if fixed.iter().any(|(_, y)| *y != 0.0) {
            let pull = self.products.gradient(model, rows, &fixed);
            rest = s.iter().zip(pull).map(|(s, pull)| s - pull).collect();
        }
        // Output of the units behind lines, and of the quadratic columns at constant multipliers.
        let mut given = vec![0.0; s.len()];
        for unit in &self.units {
            given[unit.column] = unit.sign * by_row[unit.row];
        }
        let quadratic = self.core.quadratic();
        for &j in quadratic {
            given[j] = -rest[j] / q[j];
        }
        let core_rows = self.core.rows();
        let whole = if pairs.is_empty() { Vec::new() } else { by_row.clone() };
        if given.iter().any(|g| *g != 0.0) {
            let values = self.products.values(model, rows, &core_rows, &given);
            for (&row, value) in core_rows.iter().zip(values) {
                by_row[row] -= value;
            }
        }
        self.core.solve(&by_row, &rest, (&mut u, &mut v));
        if !quadratic.is_empty() || !self.units.is_empty() {
            let terms: Vec<(usize, f64)> = core_rows.iter().map(|&row| (row, u[row])).collect();
            let pull = self.products.gradient(model, rows, &terms);
            for &j in quadratic {
                v[j] = (pull[j] - s[j]) / q[j];
            }
            for unit in &self.units {
                let j = unit.column;
                v[j] = given[j];
                u[unit.row] = unit.sign * (s[j] + q[j] * v[j] - pull[j]);
            }
        }
        clear_rows(pairs, (&self.products, model, rows), &whole, &mut v);
        (self.active.iter().map(|&row| u[row]).collect(), v)
    }

    /// Relative residual of a solution.
    pub fn residual(
        &self,
        model: &DcModel,
        rows: &LazyRows,
        q: &[f64],
        rhs: (&[f64], &[f64]),
        solution: (&[f64], &[f64]),
        is_free: impl Fn(usize) -> bool,
    ) -> f64 {
        self.check(model, rows, q, rhs, solution, is_free).0
    }

    /// Relative residual of a solution, and `G' u` by column.
    pub fn check(
        &self,
        model: &DcModel,
        rows: &LazyRows,
        q: &[f64],
        (r, s): (&[f64], &[f64]),
        (u, v): (&[f64], &[f64]),
        is_free: impl Fn(usize) -> bool,
    ) -> (f64, Vec<f64>) {
        // `f64::max` is a call in WebAssembly.
        let largest = |m: f64, x: &f64| if x.abs() > m { x.abs() } else { m };
        let scale = r.iter().chain(s).chain(u).chain(v).fold(1.0f64, largest);
        let values = self.products.values(model, rows, &self.active, v);
        let primal = r
            .iter()
            .zip(values)
            .fold(0.0f64, |m, (r, value)| m.max((r - value).abs()));
        let terms: Vec<(usize, f64)> = self.active.iter().copied().zip(u.iter().copied()).collect();
        let pull = self.products.gradient(model, rows, &terms);
        let missed = |j: usize| (pull[j] - q[j] * v[j] - s[j]).abs();
        let free = (0..s.len()).filter(|&j| is_free(j));
        let worst = free.fold(primal, |m, j| m.max(missed(j)));
        (worst / scale, pull)
    }
}
