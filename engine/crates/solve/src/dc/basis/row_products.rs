//! Products with the rows of the program: by one sparse solve for all rows, or row by row if there are few.

use crate::dc::basis::lazy_rows::{Coefficients, Elastic, LazyRows};
use crate::dc::model::DcModel;
use std::sync::Arc;
use wattbook_sparse::{add_rows, dot, Part};

/// Cost of an entry of the sparse factor, which is accessed twice and out of order, relative to a dense entry.
const SPARSE_PENALTY: usize = 4;

/// Gradients computed together.
const TOGETHER: usize = 4;

/// The part of the Laplacian's factor between generator buses and the ends of the lazy rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowProducts {
    part: Arc<Part>,
    lines: usize,
}

impl RowProducts {
    pub fn new(model: &DcModel, rows: &LazyRows) -> Self {
        let dense = rows.lazy.iter().filter(|r| matches!(&*r.g, Coefficients::Buses(_)));
        Self {
            part: Arc::new(model.part(dense.map(|r| r.line))),
            lines: rows.lazy.len(),
        }
    }

    /// Extends the part to rows added since.
    pub fn follow(&mut self, model: &DcModel, rows: &LazyRows) {
        if self.lines != rows.lazy.len() {
            *self = Self::new(model, rows);
        }
    }

    fn sparse_is_cheaper(&self, model: &DcModel, dense_rows: usize) -> bool {
        dense_rows * model.gen_buses.len() > SPARSE_PENALTY * self.part.work()
    }

    /// `sum_i y_i g_i` over rows, by column.
    pub fn gradient(&self, model: &DcModel, rows: &LazyRows, terms: &[(usize, f64)]) -> Vec<f64> {
        let mut island = vec![0.0; rows.n_islands];
        let mut by_bus = vec![0.0; model.gen_buses.len()];
        let dense = |row: usize| rows.line(row).is_some_and(|r| matches!(&*r.g, Coefficients::Buses(_)));
        let count = terms.iter().filter(|t| t.1 != 0.0 && dense(t.0)).count();
        let mut few = Vec::new();
        if self.sparse_is_cheaper(model, count) {
            let mut x = vec![0.0; model.n_places()];
            for &(row, y) in terms {
                match rows.line(row) {
                    None => island[row] += y,
                    Some(r) if matches!(&*r.g, Coefficients::Columns(_)) => few.push((row, y)),
                    Some(r) => {
                        island[r.island] -= y * r.kappa;
                        for (o, c) in model.terms(r.line) {
                            let line = &model.lines[o];
                            if let Some(k) = model.elimination_index(line.from) {
                                x[k] += y * c;
                            }
                            if let Some(k) = model.elimination_index(line.to) {
                                x[k] -= y * c;
                            }
                        }
                        for (bus, coefficient) in model.direct(r.line) {
                            if let Ok(k) = model.gen_buses.binary_search(&bus) {
                                by_bus[k] += y * coefficient;
                            }
                        }
                    }
                }
            }
            model.solve_part(&self.part, &mut x);
            for (value, &bus) in by_bus.iter_mut().zip(&model.gen_buses) {
                *value += model.elimination_index(bus).map_or(0.0, |k| x[k]);
            }
        } else {
            let (mut factors, mut dense) = (Vec::with_capacity(count), Vec::with_capacity(count));
            for &(row, y) in terms {
                match rows.line(row).map(|r| &*r.g) {
                    None => island[row] += y,
                    Some(Coefficients::Columns(_)) => few.push((row, y)),
                    Some(Coefficients::Buses(g)) if y != 0.0 => {
                        factors.push(y);
                        dense.push(&g[..]);
                    }
                    Some(_) => {}
                }
            }
            add_rows(&mut by_bus, &factors, &dense);
        }
        for (value, &bus) in by_bus.iter_mut().zip(&model.gen_buses) {
            *value += island.get(model.island_of_bus[bus]).copied().unwrap_or(0.0);
        }
        let mut out: Vec<f64> = model.gen_bus_of_column.iter().map(|&k| by_bus[k as usize]).collect();
        for (row, y) in few {
            rows.add_scaled(row, y, &mut out);
        }
        if rows.elastic != Elastic::None {
            rows.append_slacks(terms, &mut out);
        }
        out
    }

    /// `gradient` for several sets of multipliers of the same rows: `y[w]` is indexed by the row's position in `terms`.
    pub fn gradients(&self, model: &DcModel, rows: &LazyRows, terms: &[usize], y: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let dense = |row: usize| rows.line(row).is_some_and(|r| matches!(&*r.g, Coefficients::Buses(_)));
        let count = terms.iter().filter(|&&row| dense(row)).count();
        if y.len() == 1 || !self.sparse_is_cheaper(model, count) {
            let single = |y: &Vec<f64>| {
                let terms: Vec<(usize, f64)> = terms.iter().copied().zip(y.iter().copied()).collect();
                self.gradient(model, rows, &terms)
            };
            return y.iter().map(single).collect();
        }
        let mut found = Vec::with_capacity(y.len());
        let mut x = vec![[0.0; TOGETHER]; model.n_places()];
        for y in y.chunks(TOGETHER) {
            for &k in self.part.columns() {
                x[k as usize] = [0.0; TOGETHER];
            }
            let mut island = vec![[0.0; TOGETHER]; rows.n_islands];
            let mut by_bus = vec![[0.0; TOGETHER]; model.gen_buses.len()];
            let mut few = Vec::new();
            for (i, &row) in terms.iter().enumerate() {
                let mut factors = [0.0; TOGETHER];
                for (factor, y) in factors.iter_mut().zip(y) {
                    *factor = y[i];
                }
                let add = |to: &mut [f64; TOGETHER], by: f64| (0..TOGETHER).for_each(|w| to[w] += by * factors[w]);
                match rows.line(row) {
                    None => add(&mut island[row], 1.0),
                    Some(r) if matches!(&*r.g, Coefficients::Columns(_)) => few.push(i),
                    Some(r) => {
                        add(&mut island[r.island], -r.kappa);
                        for (o, c) in model.terms(r.line) {
                            let line = &model.lines[o];
                            if let Some(k) = model.elimination_index(line.from) {
                                add(&mut x[k], c);
                            }
                            if let Some(k) = model.elimination_index(line.to) {
                                add(&mut x[k], -c);
                            }
                        }
                        for (bus, coefficient) in model.direct(r.line) {
                            if let Ok(k) = model.gen_buses.binary_search(&bus) {
                                add(&mut by_bus[k], coefficient);
                            }
                        }
                    }
                }
            }
            model.solve_part_together(&self.part, &mut x);
            for (value, &bus) in by_bus.iter_mut().zip(&model.gen_buses) {
                let at_bus = model.elimination_index(bus).map_or([0.0; TOGETHER], |k| x[k]);
                let of_island = island.get(model.island_of_bus[bus]).copied().unwrap_or_default();
                for w in 0..TOGETHER {
                    value[w] += at_bus[w] + of_island[w];
                }
            }
            for (w, y) in y.iter().enumerate() {
                let at = &model.gen_bus_of_column;
                let mut out: Vec<f64> = at.iter().map(|&k| by_bus[k as usize][w]).collect();
                for &i in &few {
                    rows.add_scaled(terms[i], y[i], &mut out);
                }
                if rows.elastic != Elastic::None {
                    let terms: Vec<(usize, f64)> = terms.iter().copied().zip(y.iter().copied()).collect();
                    rows.append_slacks(&terms, &mut out);
                }
                found.push(out);
            }
        }
        found
    }

    /// Injections at generator buses.
    pub fn injections(&self, model: &DcModel, p: &[f64]) -> Vec<f64> {
        let mut at = vec![0.0; model.gen_buses.len()];
        for (&k, p) in model.gen_bus_of_column.iter().zip(p) {
            at[k as usize] += p;
        }
        at
    }

    /// `g_i' p` of one row; `injections` are those of `p`.
    pub fn value(&self, rows: &LazyRows, row: usize, p: &[f64], injections: &[f64]) -> f64 {
        match rows.line(row).map(|r| &*r.g) {
            Some(Coefficients::Buses(g)) => dot(g, injections) + rows.slack(row, p),
            _ => rows.dot(row, p),
        }
    }

    /// `g_i' p` of some rows.
    pub fn values(&self, model: &DcModel, rows: &LazyRows, wanted: &[usize], p: &[f64]) -> Vec<f64> {
        let injections = self.injections(model, p);
        let dense = |row: usize| rows.line(row).is_some_and(|r| matches!(&*r.g, Coefficients::Buses(_)));
        let count = wanted.iter().filter(|&&row| dense(row)).count();
        if !self.sparse_is_cheaper(model, count) {
            return wanted
                .iter()
                .map(|&row| self.value(rows, row, p, &injections))
                .collect();
        }
        let mut x = vec![0.0; model.n_places()];
        let mut island = vec![0.0; rows.n_islands];
        for (&bus, value) in model.gen_buses.iter().zip(&injections) {
            if let Some(island) = island.get_mut(model.island_of_bus[bus]) {
                *island += value;
            }
            if let Some(k) = model.elimination_index(bus) {
                x[k] += value;
            }
        }
        model.solve_part(&self.part, &mut x);
        let angle = |bus: usize| model.elimination_index(bus).map_or(0.0, |k| x[k]);
        let value = |&row: &usize| match rows.line(row) {
            None => island[row],
            Some(r) => match &*r.g {
                Coefficients::Columns(_) => rows.dot(row, p),
                Coefficients::Buses(_) => {
                    let mut sum = rows.slack(row, p) - r.kappa * island[r.island];
                    for (o, c) in model.terms(r.line) {
                        sum += c * (angle(model.lines[o].from) - angle(model.lines[o].to));
                    }
                    for (bus, coefficient) in model.direct(r.line) {
                        sum += coefficient * model.gen_buses.binary_search(&bus).map_or(0.0, |k| injections[k]);
                    }
                    sum
                }
            },
        };
        wanted.iter().map(value).collect()
    }
}
