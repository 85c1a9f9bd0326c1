//! Lazy rows of the reduced program: island balances, and the lines that were violated at any time.
//!
//! A line's row is its shift factors at generator buses, one sparse solve each, with their mean subtracted so that the row
//! is orthogonal to the balance; a bridge's row is a few ones (`bridge_rows`). The full shift-factor matrix is never formed.
//!
//! With elastic rows (`explain`), limits of lazy rows can be exceeded: each row has two slack columns after the
//! generators' columns, with +1 and -1 in the line's own row and zero elsewhere.

use crate::dc::model::DcModel;
use crate::topology::NO_ISLAND;
use std::sync::Arc;

/// Coefficients of a row.
#[derive(Debug)]
pub(crate) enum Coefficients {
    /// By generator bus.
    Buses(Vec<f64>),
    /// The few nonzero coefficients, by column.
    Columns(Vec<(usize, f64)>),
}

/// A line as a row: `flow = base + kappa D + g'p`, where `base` is its flow without generation and `D` the demand of
/// its island.
#[derive(Clone, Debug)]
pub(crate) struct LazyRow {
    pub line: usize,
    pub island: usize,
    pub kappa: f64,
    pub g: Arc<Coefficients>,
}

/// The buses of the columns.
#[derive(Debug)]
struct Places {
    island_of_column: Vec<usize>,
    gen_bus_of_column: Vec<u32>,
}

/// The lines whose limits may be exceeded, which ties of links never are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elastic {
    None,
    All,
    One(usize),
}

impl Elastic {
    pub fn has(self, line: usize) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::One(of) => line == of,
        }
    }
}

/// Rows of the program: one balance per island, then the lazy rows. A row is identified by its index in this order.
#[derive(Clone, Debug)]
pub(crate) struct LazyRows {
    pub n_islands: usize,
    places: Arc<Places>,
    pub lazy: Vec<LazyRow>,
    pub row_of_line: Arc<Vec<Option<usize>>>,
    /// Unless this is `None`, lazy rows have slack columns; those of a line whose limits may not be exceeded stay at
    /// zero.
    pub elastic: Elastic,
}

impl LazyRows {
    pub fn new(model: &DcModel) -> Self {
        Self {
            elastic: Elastic::None,
            n_islands: model.islands.len(),
            places: Arc::new(Places {
                island_of_column: model.columns.iter().map(|c| c.island).collect(),
                gen_bus_of_column: model.gen_bus_of_column.clone(),
            }),
            lazy: Vec::new(),
            row_of_line: Arc::new(vec![None; model.lines.len()]),
        }
    }

    /// The same rows in a program with further lines and columns of excess, which have no part in them.
    pub fn extended(&self, model: &DcModel) -> Self {
        let mut extended = Self {
            lazy: Vec::with_capacity(self.lazy.len()),
            ..Self::new(model)
        };
        let row_of_line = Arc::make_mut(&mut extended.row_of_line);
        row_of_line[..self.row_of_line.len()].copy_from_slice(&self.row_of_line);
        for row in &self.lazy {
            let g = match &*row.g {
                Coefficients::Columns(_) => Arc::clone(&row.g),
                Coefficients::Buses(g) => {
                    let mut g = g.clone();
                    g.resize(model.gen_buses.len(), 0.0);
                    Arc::new(Coefficients::Buses(g))
                }
            };
            extended.lazy.push(LazyRow { g, ..row.clone() });
        }
        extended
    }

    pub fn len(&self) -> usize {
        self.n_islands + self.lazy.len()
    }

    /// Slack columns, as the line to which they belong.
    pub fn slacks(&self) -> impl Iterator<Item = usize> + '_ {
        let pooled = if self.elastic == Elastic::None {
            &[][..]
        } else {
            &self.lazy
        };
        pooled.iter().flat_map(|r| [r.line, r.line])
    }

    /// The slack columns of a row, if it has any; the first has the coefficient +1, the second -1.
    #[inline]
    fn slacks_of(&self, row: usize) -> Option<[usize; 2]> {
        if self.elastic == Elastic::None {
            return None;
        }
        let first = self.places.gen_bus_of_column.len() + 2 * row.checked_sub(self.n_islands)?;
        Some([first, first + 1])
    }

    /// Contribution of the slack columns to the value of a row.
    #[inline]
    pub fn slack(&self, row: usize, p: &[f64]) -> f64 {
        self.slacks_of(row).map_or(0.0, |[a, b]| p[a] - p[b])
    }

    /// Appends the entries of terms `(row, y)` in slack columns to `out`, which ends with the generators' columns.
    pub fn append_slacks(&self, terms: &[(usize, f64)], out: &mut Vec<f64>) {
        out.resize(out.len() + self.slacks().count(), 0.0);
        for &(row, y) in terms {
            if let Some([a, b]) = self.slacks_of(row) {
                out[a] += y;
                out[b] -= y;
            }
        }
    }

    /// Prices of islands and nonzero multipliers of lines, from multipliers by row.
    pub fn multipliers(&self, terms: impl Iterator<Item = (usize, f64)>) -> (Vec<f64>, Vec<(usize, f64)>) {
        let mut island = vec![0.0; self.n_islands];
        let mut lines = Vec::new();
        for (row, y) in terms.filter(|(_, y)| *y != 0.0) {
            match self.line(row) {
                None => island[row] += y,
                Some(pooled) => {
                    lines.push((pooled.line, y));
                    // Converts the multiplier of the centred row to the island's price.
                    island[pooled.island] -= y * pooled.kappa;
                }
            }
        }
        (island, lines)
    }

    /// The line of a row; `None` for a balance.
    pub fn line(&self, row: usize) -> Option<&LazyRow> {
        self.lazy.get(row.checked_sub(self.n_islands)?)
    }

    /// Coefficient of a column in a row.
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        if column >= self.places.gen_bus_of_column.len() {
            return match self.slacks_of(row) {
                Some([a, _]) if column == a => 1.0,
                Some([_, b]) if column == b => -1.0,
                _ => 0.0,
            };
        }
        match self.line(row) {
            None => f64::from(u8::from(self.places.island_of_column[column] == row)),
            Some(r) => match &*r.g {
                Coefficients::Columns(list) => list.iter().find(|e| e.0 == column).map_or(0.0, |e| e.1),
                Coefficients::Buses(g) => g[self.places.gen_bus_of_column[column] as usize],
            },
        }
    }

    /// Whether a column is outside the network: the excess of a limit.
    pub fn is_outside(&self, column: usize) -> bool {
        self.places.island_of_column.get(column) == Some(&NO_ISLAND)
    }

    /// Coefficients of some columns in a row.
    pub fn entries(&self, row: usize, columns: &[usize]) -> Vec<f64> {
        let at = &self.places.gen_bus_of_column;
        match self.line(row).map(|r| &*r.g) {
            Some(Coefficients::Buses(g)) if self.elastic == Elastic::None => {
                columns.iter().map(|&j| g[at[j] as usize]).collect()
            }
            _ => columns.iter().map(|&j| self.at(row, j)).collect(),
        }
    }

    /// `sum_j g_j p_j` of a row.
    pub fn dot(&self, row: usize, p: &[f64]) -> f64 {
        let of_units: f64 = match self.line(row) {
            None => {
                let members = self.places.island_of_column.iter().zip(p);
                members.filter(|(i, _)| **i == row).map(|(_, p)| p).sum()
            }
            Some(r) => match &*r.g {
                Coefficients::Columns(list) => list.iter().map(|&(j, g)| g * p[j]).sum(),
                Coefficients::Buses(g) => {
                    let at = self.places.gen_bus_of_column.iter().zip(p);
                    at.map(|(&bus, p)| g[bus as usize] * p).sum()
                }
            },
        };
        of_units + self.slack(row, p)
    }

    /// `out += factor * g` of a row, by generator column.
    pub fn add_scaled(&self, row: usize, factor: f64, out: &mut [f64]) {
        if factor == 0.0 {
            return;
        }
        match self.line(row) {
            None => {
                for (o, i) in out.iter_mut().zip(&self.places.island_of_column) {
                    if *i == row {
                        *o += factor;
                    }
                }
            }
            Some(r) => match &*r.g {
                Coefficients::Columns(list) => list.iter().for_each(|&(j, g)| out[j] += factor * g),
                Coefficients::Buses(g) => {
                    for (o, &bus) in out.iter_mut().zip(&self.places.gen_bus_of_column) {
                        *o += factor * g[bus as usize];
                    }
                }
            },
        }
    }

    /// Adds the lines that have no row yet, in the given order.
    pub fn add_lines(&mut self, model: &DcModel, lines: &[usize]) {
        let new = |l: &usize| self.row_of_line[*l].is_none();
        let lines: Vec<usize> = lines.iter().copied().filter(new).collect();
        let meshed: Vec<usize> = lines
            .iter()
            .copied()
            .filter(|&l| model.bridge_rows[l].is_none() && model.lines[l].tie.is_none())
            .collect();
        let factors = if meshed.is_empty() {
            Vec::new()
        } else {
            model.shift_factors(&model.part(meshed.iter().copied()), &meshed)
        };
        let mut factors = factors.into_iter();
        for line in lines {
            let island = model.island_of_bus[model.lines[line].from];
            let (kappa, g) = match &model.bridge_rows[line] {
                Some(bridge) => {
                    let ones = bridge.columns.iter().map(|&j| (j, bridge.sign)).collect();
                    (bridge.kappa, Coefficients::Columns(ones))
                }
                None if model.lines[line].tie.is_some() => (0.0, Coefficients::Columns(model.tied_columns(line))),
                None => self.centred(model, island, factors.next().unwrap_or_default()),
            };
            let row = self.len();
            Arc::make_mut(&mut self.row_of_line)[line] = Some(row);
            self.lazy.push(LazyRow {
                line,
                island,
                kappa,
                g: Arc::new(g),
            });
        }
    }

    /// Adds a line and returns its row index, which is the existing one if the line already has a row.
    pub fn add_line(&mut self, model: &DcModel, line: usize) -> usize {
        self.add_lines(model, &[line]);
        self.row_of_line[line].unwrap_or(0)
    }

    /// Shift factors at generator buses with their mean subtracted, and the mean.
    fn centred(&self, model: &DcModel, island: usize, mut g: Vec<f64>) -> (f64, Coefficients) {
        let (mut sum, mut count) = (0.0, 0.0f64);
        let columns = self.places.gen_bus_of_column.iter().zip(&self.places.island_of_column);
        for (&bus, _) in columns.filter(|(_, of)| **of == island) {
            sum += g[bus as usize];
            count += 1.0;
        }
        let kappa = if count > 0.0 { sum / count } else { 0.0 };
        for (g, &bus) in g.iter_mut().zip(&model.gen_buses) {
            if model.island_of_bus[bus] == island {
                *g -= kappa;
            }
        }
        (kappa, Coefficients::Buses(g))
    }
}
