//! The program of a day in equality form: `min c'x + x'Qx/2`, `A x = b`, `lo <= x <= hi`.
//!
//! Columns are those of the DC model in each hour, then the further ones: the flow of each line with a row, the stored energies, what is
//! spilled, and the changes of output with a limit. The rows of an hour are its balances, its lines, the stored energy at its end, and the
//! changes of output from the hour before. Rows of neighbouring hours alone have columns in common, so `A W A'` is block tridiagonal.
//! With a cyclic storage unit the last hour is also a neighbour of the first: hours `k` from either end are one block then.

use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::model::DcModel;
use wattbook_sparse::{add_scaled, dot, products, BlockTridiagonal};

/// A column with few entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Further {
    /// Rows with the hours that they belong to and coefficients; a single entry is repeated with the coefficient zero.
    pub entries: [(usize, usize, f64); 2],
}

/// The part of a generator column in a row of stored energy or of change of output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupling {
    pub column: usize,
    /// The row among those of an hour.
    pub row: usize,
    /// Its coefficient in the row of its own hour, and in that of the next.
    pub own: f64,
    pub next: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Columns of the DC model.
    pub width: usize,
    pub n_islands: usize,
    /// Index of the bus of each column among the buses with columns.
    bus_of_column: Vec<usize>,
    /// Coefficients of the balances and then of the lines, by bus with columns: they are equal for all columns of a bus.
    coefficients: Vec<Vec<f64>>,
    /// By hour, the lines with a row, as an index among the lines of `LazyRows`.
    pub lines: Vec<Vec<usize>>,
    /// Rows of stored energy, and of changes of output, of an hour; the first hour has none of the latter.
    pub n_storages: usize,
    pub n_ramps: usize,
    /// First row of each hour, and its block.
    pub first_row: Vec<usize>,
    block_of_hour: Vec<usize>,
    block_sizes: Vec<usize>,
    /// In the order of their columns.
    pub couplings: Vec<Coupling>,
    pub further: Vec<Further>,
    pub lo: Vec<f64>,
    pub hi: Vec<f64>,
    pub c: Vec<f64>,
    pub q: Vec<f64>,
    pub b: Vec<f64>,
}

impl Program {
    /// The rows of a program without further columns, bounds, costs and right-hand sides.
    pub fn new(
        model: &DcModel,
        pool: &LazyRows,
        lines: Vec<Vec<usize>>,
        couplings: Vec<Coupling>,
        [n_storages, n_ramps]: [usize; 2],
        is_cyclic: bool,
    ) -> Self {
        let (hours, width) = (lines.len(), model.columns.len());
        let n_islands = pool.n_islands;
        let bus_of_column: Vec<usize> = model.gen_bus_of_column.iter().map(|&bus| bus as usize).collect();
        let mut by_column = vec![0.0; width];
        let mut of_row = |row: usize| {
            by_column.fill(0.0);
            pool.add_scaled(row, 1.0, &mut by_column);
            let mut coefficients = vec![0.0; model.gen_buses.len()];
            for (&bus, &coefficient) in bus_of_column.iter().zip(&by_column) {
                coefficients[bus] = coefficient;
            }
            coefficients
        };
        let coefficients = (0..pool.len()).map(&mut of_row).collect();
        let height = |hour: usize| {
            let ramps = if hour == 0 { 0 } else { n_ramps };
            n_islands + lines[hour].len() + n_storages + ramps
        };
        let blocks: Vec<Vec<usize>> = if is_cyclic {
            let pair = |k: usize| [k, hours - 1 - k];
            let mut pairs: Vec<Vec<usize>> = (0..hours.div_ceil(2)).map(|k| pair(k).to_vec()).collect();
            pairs.iter_mut().for_each(Vec::dedup);
            pairs
        } else {
            (0..hours).map(|hour| vec![hour]).collect()
        };
        let (mut first_row, mut block_of_hour) = (vec![0; hours], vec![0; hours]);
        let mut next = 0;
        for (block, of_block) in blocks.iter().enumerate() {
            for &hour in of_block {
                (first_row[hour], block_of_hour[hour]) = (next, block);
                next += height(hour);
            }
        }
        Self {
            width,
            n_islands,
            coefficients,
            bus_of_column,
            block_sizes: blocks
                .iter()
                .map(|hours| hours.iter().map(|&h| height(h)).sum())
                .collect(),
            lines,
            n_storages,
            n_ramps,
            first_row,
            block_of_hour,
            couplings,
            further: Vec::new(),
            lo: Vec::new(),
            hi: Vec::new(),
            c: Vec::new(),
            q: Vec::new(),
            b: vec![0.0; next],
        }
    }

    pub fn hours(&self) -> usize {
        self.lines.len()
    }

    /// The row of the stored energy of a unit at the end of an hour.
    pub fn energy_row(&self, storage: usize, hour: usize) -> usize {
        self.first_row[hour] + self.n_islands + self.lines[hour].len() + storage
    }

    /// The row of the change of a unit's output from the hour before, which the first hour does not have.
    pub fn ramp_row(&self, ramp: usize, hour: usize) -> usize {
        self.energy_row(self.n_storages + ramp, hour)
    }

    /// The row of a coupling; `None` for changes of output into the first hour and after the last.
    fn coupled_row(&self, row: usize, hour: usize) -> Option<usize> {
        let exists = hour < self.hours() && (row < self.n_storages || hour > 0);
        exists.then(|| self.energy_row(row, hour))
    }

    /// Adds a column with few entries, and returns its index.
    pub fn add(&mut self, entries: &[(usize, usize, f64)], [lo, hi]: [f64; 2], cost: f64) -> usize {
        let first = entries[0];
        let second = entries.get(1).copied().unwrap_or((first.0, first.1, 0.0));
        self.further.push(Further {
            entries: [first, second],
        });
        self.add_column([lo, hi], cost, 0.0)
    }

    pub fn add_column(&mut self, [lo, hi]: [f64; 2], cost: f64, curvature: f64) -> usize {
        self.lo.push(lo);
        self.hi.push(hi);
        self.c.push(cost);
        self.q.push(curvature);
        self.lo.len() - 1
    }

    /// The vectors of coefficients of the balances and lines of an hour, in the order of its rows.
    fn network_rows(&self, hour: usize) -> impl Iterator<Item = &[f64]> {
        let balances = self.coefficients[..self.n_islands].iter();
        let lines = self.lines[hour]
            .iter()
            .map(|&line| &self.coefficients[self.n_islands + line]);
        balances.chain(lines).map(Vec::as_slice)
    }

    /// The columns and row prices of a program with fewer lines and limits of changes of output: a new row has no price, and its flow or
    /// change follows from the columns.
    pub fn carried(&self, before: &Self, x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut prices = vec![0.0; self.b.len()];
        let mut columns = x[..self.hours() * self.width].to_vec();
        let mut flows = &x[self.hours() * self.width..];
        let mut new = Vec::new();
        for hour in 0..self.hours() {
            let (old, all) = (before.lines[hour].len(), self.lines[hour].len());
            let of_hour = |program: &Self, first: usize| program.first_row[hour] + first;
            let [from, to] = [of_hour(before, 0), of_hour(self, 0)];
            let network_rows = self.n_islands + old;
            prices[to..to + network_rows].copy_from_slice(&y[from..from + network_rows]);
            let coupled = self.n_storages + if hour == 0 { 0 } else { before.n_ramps };
            let [from, to] = [of_hour(before, network_rows), of_hour(self, self.n_islands + all)];
            prices[to..to + coupled].copy_from_slice(&y[from..from + coupled]);
            let (own, rest) = flows.split_at(old);
            columns.extend_from_slice(own);
            for line in old..all {
                new.push((columns.len(), of_hour(self, self.n_islands + line)));
                columns.push(0.0);
            }
            flows = rest;
        }
        columns.extend_from_slice(flows);
        for ramp in before.n_ramps..self.n_ramps {
            for hour in 1..self.hours() {
                new.push((columns.len(), self.ramp_row(ramp, hour)));
                columns.push(0.0);
            }
        }
        let activity = self.times(&columns);
        for (column, row) in new {
            columns[column] = (activity[row] - self.b[row]).clamp(self.lo[column], self.hi[column]);
        }
        (columns, prices)
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.b.len()];
        for hour in 0..self.hours() {
            let own = &x[hour * self.width..(hour + 1) * self.width];
            let of_buses = self.by_bus(own);
            for (k, row) in self.network_rows(hour).enumerate() {
                product[self.first_row[hour] + k] = dot(row, &of_buses);
            }
            for coupling in &self.couplings {
                let value = own[coupling.column];
                for (row, _, coefficient) in self.entries_of(coupling, hour) {
                    product[row] += coefficient * value;
                }
            }
        }
        for (column, x) in self.further.iter().zip(&x[self.hours() * self.width..]) {
            for (row, _, coefficient) in column.entries {
                product[row] += coefficient * x;
            }
        }
        product
    }

    /// `A'y`.
    pub fn transposed_times(&self, y: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.hours() * self.width];
        for hour in 0..self.hours() {
            let mut of_buses = vec![0.0; self.coefficients.first().map_or(0, Vec::len)];
            for (k, row) in self.network_rows(hour).enumerate() {
                let y = y[self.first_row[hour] + k];
                if y != 0.0 {
                    add_scaled(&mut of_buses, y, row);
                }
            }
            let own = &mut product[hour * self.width..(hour + 1) * self.width];
            for (own, &bus) in own.iter_mut().zip(&self.bus_of_column) {
                *own = of_buses[bus];
            }
            for coupling in &self.couplings {
                for (row, _, coefficient) in self.entries_of(coupling, hour) {
                    own[coupling.column] += coefficient * y[row];
                }
            }
        }
        let of = |column: &Further| {
            column
                .entries
                .iter()
                .map(|(row, _, coefficient)| coefficient * y[*row])
                .sum()
        };
        product.extend(self.further.iter().map(|column| -> f64 { of(column) }));
        product
    }

    /// Sums over the columns of each bus.
    fn by_bus(&self, columns: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.coefficients.first().map_or(0, Vec::len)];
        for (&bus, value) in self.bus_of_column.iter().zip(columns) {
            sums[bus] += value;
        }
        sums
    }

    /// The entries of a coupling in an hour's column, with the hours of their rows.
    fn entries_of(&self, coupling: &Coupling, hour: usize) -> impl Iterator<Item = (usize, usize, f64)> {
        let entry = |at: usize, coefficient: f64| {
            let row = self.coupled_row(coupling.row, at).filter(|_| coefficient != 0.0);
            row.map(|row| (row, at, coefficient))
        };
        entry(hour, coupling.own)
            .into_iter()
            .chain(entry(hour + 1, coupling.next))
    }

    /// A matrix with the blocks of `A W A'`.
    pub fn blocks(&self) -> BlockTridiagonal {
        BlockTridiagonal::new(&self.block_sizes)
    }

    /// Sets `normal` to `A W A'` for the weights of the columns.
    pub fn set_normal(&self, weights: &[f64], normal: &mut BlockTridiagonal) {
        normal.clear();
        let n_buses = self.coefficients.first().map_or(0, Vec::len);
        let (mut scaled, mut rows, mut sums) = (vec![0.0; n_buses], Vec::new(), Vec::new());
        for hour in 0..self.hours() {
            let own = &weights[hour * self.width..(hour + 1) * self.width];
            let first = self.first_row[hour];
            let of_buses = self.by_bus(own);
            rows.clear();
            self.network_rows(hour).for_each(|row| rows.extend_from_slice(row));
            for (i, row) in self.network_rows(hour).enumerate() {
                for ((scaled, row), weight) in scaled.iter_mut().zip(row).zip(&of_buses) {
                    *scaled = row * weight;
                }
                sums.resize(i + 1, 0.0);
                products(&rows, n_buses, &scaled, &mut sums);
                for (j, sum) in sums.iter().enumerate() {
                    self.add_to(normal, (first + i, hour), (first + j, hour), *sum);
                }
            }
            wattbook_interrupt::work(of_buses.len() * (self.n_islands + self.lines[hour].len()).pow(2) / 2);
            for (k, coupling) in self.couplings.iter().enumerate() {
                let weight = own[coupling.column];
                if weight == 0.0 {
                    continue;
                }
                let before = self.couplings[..k].iter().rev();
                let of_column = before.take_while(|other| other.column == coupling.column);
                let others: Vec<_> = of_column.flat_map(|other| self.entries_of(other, hour)).collect();
                let entries: Vec<_> = self.entries_of(coupling, hour).collect();
                for (at, &(row, of, coefficient)) in entries.iter().enumerate() {
                    let factor = weight * coefficient;
                    for (j, network_row) in self.network_rows(hour).enumerate() {
                        let value = factor * network_row[self.bus_of_column[coupling.column]];
                        if value != 0.0 {
                            self.add_to(normal, (row, of), (first + j, hour), value);
                        }
                    }
                    for &(other, of_other, coefficient) in others.iter().chain(&entries[..=at]) {
                        self.add_to(normal, (row, of), (other, of_other), factor * coefficient);
                    }
                }
            }
        }
        for (column, weight) in self.further.iter().zip(&weights[self.hours() * self.width..]) {
            let [(i, hour_i, a), (j, hour_j, b)] = column.entries;
            self.add_to(normal, (i, hour_i), (i, hour_i), weight * a * a);
            if b != 0.0 {
                self.add_to(normal, (j, hour_j), (j, hour_j), weight * b * b);
                let both = if i == j { 2.0 } else { 1.0 };
                self.add_to(normal, (i, hour_i), (j, hour_j), both * weight * a * b);
            }
        }
    }

    fn add_to(&self, normal: &mut BlockTridiagonal, (i, of_i): (usize, usize), (j, of_j): (usize, usize), value: f64) {
        let (block_i, block_j) = (self.block_of_hour[of_i], self.block_of_hour[of_j]);
        let (i, j) = (i - normal.first(block_i), j - normal.first(block_j));
        match block_i.cmp(&block_j) {
            std::cmp::Ordering::Equal => normal.add_within(block_i, i, j, value),
            std::cmp::Ordering::Greater => normal.add_between(block_j, i, j, value),
            std::cmp::Ordering::Less => normal.add_between(block_i, j, i, value),
        }
    }

    /// `c'x + x'Qx/2`.
    pub fn cost(&self, x: &[f64]) -> f64 {
        let of = |((x, c), q): ((&f64, &f64), &f64)| (0.5 * q * x + c) * x;
        x.iter().zip(&self.c).zip(&self.q).map(of).sum()
    }
}
