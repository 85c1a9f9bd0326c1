//! The factored equality system of an optimum, as derivatives need it: active lines and free units, whatever the solver
//! made of them.

use super::basis::Basis;
use super::kkt::{Item, Kkt};
use super::pool::Rows;

/// The solver's own factor.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    Linear(Basis),
    Mixed(Kkt),
}

impl Default for Core {
    fn default() -> Self {
        Self::Linear(Basis::default())
    }
}

impl Core {
    /// Solves `G_F v = r`, `G_F' u - Q v = s` with `r` by row and `s` by column. Returns `u` by row, and `v` by column, zero
    /// where not free.
    fn solve(&self, rows: &Rows, q: &[f64], r: &[f64], s: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut u, mut v) = (vec![0.0; rows.len()], vec![0.0; s.len()]);
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
            Self::Mixed(kkt) => {
                let pull: Vec<usize> = kkt.quadratic.iter().copied().filter(|&j| s[j] != 0.0).collect();
                let entry = |item: &Item| match *item {
                    Item::Column(j) => s[j],
                    Item::Row(row) => r[row] + pull.iter().map(|&j| rows.at(row, j) * s[j] / q[j]).sum::<f64>(),
                };
                let x = kkt.times(&kkt.items.iter().map(entry).collect::<Vec<_>>());
                for (item, &x) in kkt.items.iter().zip(&x) {
                    match *item {
                        Item::Column(j) => v[j] = x,
                        Item::Row(row) => {
                            u[row] = x;
                            if x != 0.0 {
                                for &j in &kkt.quadratic {
                                    v[j] += rows.at(row, j) * x;
                                }
                            }
                        }
                    }
                }
                for &j in &kkt.quadratic {
                    v[j] = (v[j] - s[j]) / q[j];
                }
            }
        }
        (u, v)
    }
}

/// A binding bridge with a single movable unit behind it: an active row that the solver sees as a bound of that unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitRow {
    pub row: usize,
    pub column: usize,
    pub sign: f64,
}

/// The system of active rows and free columns, unit rows included: the unit behind such a line is free here, and the line
/// holds it.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub core: Core,
    pub units: Vec<UnitRow>,
    /// All active rows, balances first, then by line.
    pub active: Vec<usize>,
}

impl System {
    /// Solves `G_F v = r`, `G_F' u - Q v = s` with `r` over the active rows and `s` over all columns (only free ones are
    /// read). Returns `u` over active rows and `v` over all columns, zero where not free.
    ///
    /// A unit row says `sign v_j = r`, and the stationarity of its unit gives its multiplier; the rest is the solver's core.
    pub fn solve(&self, rows: &Rows, q: &[f64], r: &[f64], s: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut by_row = vec![0.0; rows.len()];
        for (&row, r) in self.active.iter().zip(r) {
            by_row[row] = *r;
        }
        let held: Vec<f64> = self.units.iter().map(|unit| unit.sign * by_row[unit.row]).collect();
        let core_rows: Vec<usize> = match &self.core {
            Core::Linear(basis) => basis.rows.clone(),
            Core::Mixed(kkt) => kkt
                .items
                .iter()
                .filter_map(|i| match i {
                    Item::Row(row) => Some(*row),
                    Item::Column(_) => None,
                })
                .collect(),
        };
        for (unit, v) in self.units.iter().zip(&held).filter(|(_, v)| **v != 0.0) {
            for &row in &core_rows {
                by_row[row] -= rows.at(row, unit.column) * v;
            }
        }
        let (mut u, mut v) = self.core.solve(rows, q, &by_row, s);
        for (unit, held) in self.units.iter().zip(&held) {
            let j = unit.column;
            let pull: f64 = core_rows.iter().map(|&row| rows.at(row, j) * u[row]).sum();
            v[j] = *held;
            u[unit.row] = unit.sign * (s[j] + q[j] * held - pull);
        }
        (self.active.iter().map(|&row| u[row]).collect(), v)
    }
}
