//! Line rows that have been needed so far, written over generator columns.

use super::model::DcModel;
use std::sync::Arc;

/// Row of a line: `h'p + kappa * D + f0` is the line's value, with `h` the shift factors at the generators minus their mean
/// `kappa`, so that the row is orthogonal to the balance of its island (better conditioned) and `D` the island's demand.
#[derive(Clone, Debug)]
pub(crate) struct PoolRow {
    pub line: usize,
    pub island: usize,
    pub kappa: f64,
    pub h: Arc<Vec<f64>>,
}

/// Rows of the program: one balance per island, then the pooled lines. A row is named by its index in this order.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub n_islands: usize,
    pub island_of_column: Arc<Vec<usize>>,
    pub pooled: Vec<PoolRow>,
    pub row_of_line: Vec<Option<usize>>,
}

impl Rows {
    pub fn new(model: &DcModel) -> Self {
        Self {
            n_islands: model.islands.len(),
            island_of_column: Arc::new(model.columns.iter().map(|c| c.island).collect()),
            pooled: Vec::new(),
            row_of_line: vec![None; model.lines.len()],
        }
    }

    pub fn len(&self) -> usize {
        self.n_islands + self.pooled.len()
    }

    /// Coefficient of a column in a row.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        match row.checked_sub(self.n_islands) {
            Some(k) => self.pooled[k].h[column],
            None if self.island_of_column[column] == row => 1.0,
            None => 0.0,
        }
    }

    /// `sum_j g_j p_j` of a row.
    pub fn dot(&self, row: usize, p: &[f64]) -> f64 {
        match row.checked_sub(self.n_islands) {
            Some(k) => self.pooled[k].h.iter().zip(p).map(|(h, p)| h * p).sum(),
            None => self
                .island_of_column
                .iter()
                .zip(p)
                .filter(|(i, _)| **i == row)
                .map(|(_, p)| p)
                .sum(),
        }
    }

    /// `out += factor * g` of a row.
    pub fn add_scaled(&self, row: usize, factor: f64, out: &mut [f64]) {
        if factor == 0.0 {
            return;
        }
        match row.checked_sub(self.n_islands) {
            Some(k) => {
                for (o, h) in out.iter_mut().zip(self.pooled[k].h.iter()) {
                    *o += factor * h;
                }
            }
            None => {
                for (o, i) in out.iter_mut().zip(self.island_of_column.iter()) {
                    if *i == row {
                        *o += factor;
                    }
                }
            }
        }
    }

    /// Adds a line; its row index is returned (the old one if it is there already).
    pub fn add_line(&mut self, model: &DcModel, line: usize) -> usize {
        if let Some(row) = self.row_of_line[line] {
            return row;
        }
        let factors = model.shift_factors(&model.lines[line]);
        let island = model.island_of_bus[model.lines[line].from];
        let mut h: Vec<f64> = model.columns.iter().map(|c| factors[c.bus]).collect();
        let (mut sum, mut count) = (0.0, 0.0f64);
        for (h, column) in h.iter().zip(&model.columns) {
            if column.island == island {
                sum += h;
                count += 1.0;
            }
        }
        let kappa = if count > 0.0 { sum / count } else { 0.0 };
        for (h, column) in h.iter_mut().zip(&model.columns) {
            if column.island == island {
                *h -= kappa;
            }
        }
        let row = self.len();
        self.pooled.push(PoolRow {
            line,
            island,
            kappa,
            h: Arc::new(h),
        });
        self.row_of_line[line] = Some(row);
        row
    }
}
