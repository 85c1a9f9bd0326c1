//! The case with limits relaxed one kind after the other.

use super::proof::Proof;
use super::{Contradicting, Kind, Limit, Relaxation};
use crate::dc::columns::GenColumn;
use crate::dc::model::{DcData, DcModel, Line};
use wattbook_network::analysis::ElementRef;

/// Exceedances below this (per unit) are the solver's tolerance.
const NEGLIGIBLE: f64 = 2e-8;
/// Weights below this are rounding.
const NO_WEIGHT: f64 = 1e-6;

/// What an entry changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A column gets bounds that let it stand where it does.
    Column(usize),
    /// Demand of a bus.
    Demand(usize),
    /// A line's row reaches this value.
    Line { line: usize, value: f64 },
}

/// A relaxed limit. `amount` is per unit, or radians for angle windows that have no MW.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub what: What,
    pub element: ElementRef,
    pub limit: Limit,
    pub amount: f64,
    pub has_mw: bool,
}

impl Entry {
    pub fn told(&self, model: &DcModel) -> Relaxation {
        let (mw, angle_deg) = if self.has_mw {
            (self.amount * model.base_mva, 0.0)
        } else {
            (0.0, self.amount.to_degrees())
        };
        Relaxation {
            element: self.element.clone(),
            limit: self.limit,
            mw,
            angle_deg,
        }
    }
}

/// An island whose generators cannot meet its demand: positive where capacity is short, negative for too much must-run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortfall {
    pub island: usize,
    pub amount: f64,
}

pub(super) struct Relaxed<'a> {
    model: &'a DcModel,
    original: &'a DcData,
    /// The model without costs and with the bounds relaxed so far; `data` likewise.
    pub program: DcModel,
    pub data: DcData,
    pub entries: Vec<Entry>,
    pub shortfalls: Vec<Shortfall>,
    /// Powers at the end, by column of `program`.
    p: Vec<f64>,
    crossing: Vec<Contradicting>,
    /// Buses whose demand can be shed, in the order of their columns behind the generators'.
    shed: Vec<usize>,
}

impl<'a> Relaxed<'a> {
    pub fn new(model: &'a DcModel, data: &'a DcData) -> Self {
        Self {
            model,
            original: data,
            program: model.clone(),
            data: data.clone(),
            entries: Vec::new(),
            shortfalls: Vec::new(),
            p: Vec::new(),
            crossing: Vec::new(),
            shed: Vec::new(),
        }
    }

    /// Bounds that cross: between them the element may stand anywhere, at one cost.
    pub fn uncross(&mut self) {
        let base = self.model.base_mva;
        let mut contradicting = |element: &ElementRef, limit: Limit, limit_mw: Option<f64>| {
            self.crossing.push(Contradicting {
                element: element.clone(),
                limit,
                weight: 1.0,
                limit_mw,
            });
        };
        for column in self.program.columns.iter_mut().filter(|c| c.lo > c.hi) {
            let element = &self.model.gen_ids[column.generator];
            contradicting(element, Limit::Minimum, Some(column.lo * base));
            contradicting(element, Limit::Maximum, Some(column.hi * base));
            std::mem::swap(&mut column.lo, &mut column.hi);
        }
        for (l, line) in self.program.lines.iter_mut().enumerate() {
            let element = self.model.element_of_line(l);
            if line.merged.is_some() {
                let outside = line.angle_min.max(-line.angle_max);
                if outside > 0.0 {
                    contradicting(element, Limit::Angle, None);
                    self.entries.push(Entry {
                        what: What::Line { line: l, value: 0.0 },
                        element: element.clone(),
                        limit: Limit::Angle,
                        amount: outside,
                        has_mw: false,
                    });
                }
                continue;
            }
            let (lo, hi) = line.limits(self.original.rating[line.row]);
            if lo > hi {
                let (angle, rating) = if hi < 0.0 { (hi, lo) } else { (lo, hi) };
                contradicting(element, Limit::Angle, Some(angle * base));
                contradicting(element, Limit::Rating, Some(rating * base));
                // As a window that reaches from one bound to the other.
                let ends = [hi, lo].map(|flow| (flow + line.shift_flow) / line.b);
                (line.angle_min, line.angle_max) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                self.data.rating[line.row] = f64::INFINITY;
            }
        }
    }

    /// Lets generators run below their minimum, or sheds demand, where an island's balance misses it, by the amount missed.
    /// Where they do so is left to the lines.
    pub fn meet_demand(&mut self) {
        let withdrawals = self.program.withdrawals(&self.data.demand);
        let mut columns = self.program.columns.clone();
        for column in &mut columns {
            (column.c, column.q) = (0.0, 0.0);
        }
        for island in 0..self.program.islands.len() {
            let here = |bus: usize| self.model.island_of_bus[bus] == island;
            let members: Vec<usize> = (0..columns.len()).filter(|&j| columns[j].island == island).collect();
            let buses: Vec<usize> = (0..self.model.n_bus).filter(|&bus| here(bus)).collect();
            let demand: f64 = buses.iter().map(|&bus| withdrawals[bus]).sum();
            let low: f64 = members.iter().map(|&j| columns[j].lo).sum();
            let high: f64 = members.iter().map(|&j| columns[j].hi).sum();
            let reach: f64 = members.iter().map(|&j| columns[j].lo.abs() + columns[j].hi.abs()).sum();
            let tolerance = 1e-9 * (1.0 + reach);
            if demand > high + tolerance {
                let amount = demand - high;
                self.shortfalls.push(Shortfall { island, amount });
                members.iter().for_each(|&j| columns[j].lo = columns[j].hi);
                let at = |bus: usize| self.original.demand[bus].max(0.0);
                let enough = buses.iter().map(|&bus| at(bus)).sum::<f64>() >= amount;
                for &bus in &buses {
                    let most = if enough { at(bus) } else { amount };
                    if most > 0.0 {
                        self.shed.push(bus);
                        columns.push(self.shed_column(bus, most));
                    }
                }
            } else if demand < low - tolerance {
                let amount = demand - low;
                self.shortfalls.push(Shortfall { island, amount });
                let off: f64 = members.iter().map(|&j| columns[j].lo.min(0.0)).sum();
                for &j in &members {
                    let column = &mut columns[j];
                    let least = if off <= demand {
                        column.lo.min(0.0)
                    } else {
                        column.lo + amount
                    };
                    (column.lo, column.hi) = (least, column.lo);
                }
            }
        }
        for &bus in &self.shed {
            self.program.gen_ids.push(self.model.bus_ids[bus].clone());
        }
        let first = self.model.gen_ids.len();
        for (k, column) in columns.iter_mut().skip(self.model.columns.len()).enumerate() {
            column.generator = first + k;
        }
        self.program.constant_cost = 0.0;
        self.program.set_columns(columns);
    }

    fn shed_column(&self, bus: usize, most: f64) -> GenColumn {
        GenColumn {
            generator: 0,
            bus,
            island: self.model.island_of_bus[bus],
            lo: 0.0,
            hi: most,
            c: 0.0,
            q: 0.0,
            is_first: true,
            is_last: true,
            open_below: false,
            open_above: false,
        }
    }

    /// Names what generators, demands and lines exceed at the optimum of the program.
    pub fn name_exceeded(&mut self, proof: &Proof) {
        self.p = proof.p.clone();
        // Where bounds cross, both sides are exceeded.
        let outside = |lo: f64, hi: f64, value: f64| (lo - value).max(0.0) + (value - hi).max(0.0);
        let mut entry = |what: What, element: &ElementRef, limit: Limit, amount: f64, has_mw: bool| {
            if amount > NEGLIGIBLE {
                self.entries.push(Entry {
                    what,
                    element: element.clone(),
                    limit,
                    amount,
                    has_mw,
                });
            }
        };
        for (j, (column, &p)) in self.model.columns.iter().zip(&proof.p).enumerate() {
            let limit = if p < column.lo { Limit::Minimum } else { Limit::Maximum };
            let element = &self.model.gen_ids[column.generator];
            entry(What::Column(j), element, limit, outside(column.lo, column.hi, p), true);
        }
        for (&bus, &amount) in self.shed.iter().zip(&proof.p[self.model.columns.len()..]) {
            entry(What::Demand(bus), &self.model.bus_ids[bus], Limit::Demand, amount, true);
        }
        for (l, (line, &value)) in self.model.lines.iter().zip(&proof.value).enumerate() {
            if !self.model.is_undetermined(l) {
                let rating = self.original.rating[line.row];
                let (lo, hi) = line.limits(rating);
                let what = What::Line { line: l, value };
                let limit = limits_exceeded(line, rating, value);
                let element = self.model.element_of_line(l);
                entry(what, element, limit, outside(lo, hi, value), !line.is_window());
            }
        }
    }

    /// Exceedance of lines as the program counts it, beyond bounds that cross.
    pub fn line_cost(&self, proof: &Proof) -> f64 {
        let mut cost = 0.0;
        for (l, line) in self.program.lines.iter().enumerate() {
            let (lo, hi) = line.limits(self.data.rating[line.row]);
            let amount = (lo - proof.value[l]).max(proof.value[l] - hi);
            if amount > 0.0 && !self.program.is_undetermined(l) {
                cost += line.slack_cost() * amount;
            }
        }
        cost
    }

    /// Per unit.
    pub fn total(&self) -> f64 {
        self.entries.iter().filter(|e| e.has_mw).map(|e| e.amount).sum()
    }

    pub fn kind(&self) -> Kind {
        match (self.crossing.is_empty(), self.shortfalls.is_empty()) {
            (false, _) => Kind::Bounds,
            (true, false) => Kind::Balance,
            (true, true) => Kind::Lines,
        }
    }

    /// The limits that contradict, largest weight first.
    pub fn contradicting(&self, proof: &Proof) -> Vec<Contradicting> {
        let model = self.model;
        let base = model.base_mva;
        let mut found = self.crossing.clone();
        let by_bus: Vec<f64> = match self.kind() {
            Kind::Bounds => return found,
            Kind::Balance => {
                let mut pull = vec![0.0; model.n_bus];
                for s in &self.shortfalls {
                    for (pull, island) in pull.iter_mut().zip(&model.island_of_bus) {
                        *pull += f64::from(u8::from(*island == s.island)) * s.amount.signum();
                    }
                }
                pull
            }
            Kind::Lines => {
                for ((line, &y), l) in model.lines.iter().zip(&proof.line_y).zip(0..) {
                    if y.abs() > NO_WEIGHT {
                        let (lo, hi) = line.limits(self.original.rating[line.row]);
                        let limit = if y > 0.0 { lo } else { hi };
                        found.push(Contradicting {
                            element: model.element_of_line(l).clone(),
                            limit: limits_exceeded(line, self.original.rating[line.row], limit),
                            weight: y.abs(),
                            limit_mw: (!line.is_window()).then_some(limit * base),
                        });
                    }
                }
                proof.price.clone()
            }
        };
        let mut bounds = vec![(0.0, 0.0); model.n_gen];
        for column in &model.columns {
            let (lo, hi): &mut (f64, f64) = &mut bounds[column.generator];
            *lo += column.lo;
            *hi += column.hi;
        }
        for column in model.columns.iter().filter(|c| c.is_first) {
            let (pull, (lo, hi)) = (by_bus[column.bus], bounds[column.generator]);
            if pull.abs() > NO_WEIGHT && (lo != 0.0 || hi != 0.0) {
                let (limit, value) = if pull > 0.0 {
                    (Limit::Maximum, hi)
                } else {
                    (Limit::Minimum, lo)
                };
                found.push(Contradicting {
                    element: model.gen_ids[column.generator].clone(),
                    limit,
                    weight: pull.abs(),
                    limit_mw: Some(value * base),
                });
            }
        }
        found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        found
    }

    /// The true case with the named limits relaxed as told, and by `margin_mw` more.
    pub fn apply(&self, margin_mw: f64) -> (DcModel, DcData) {
        let margin = margin_mw / self.model.base_mva;
        let mut model = self.model.clone();
        let mut data = self.original.clone();
        let mut columns = model.columns.clone();
        for entry in &self.entries {
            match entry.what {
                What::Column(j) => {
                    let (column, p) = (&mut columns[j], self.p[j]);
                    (column.lo, column.hi) = (column.lo.min(p - margin), column.hi.max(p + margin));
                }
                // Where nothing can move, less demand would be as wrong as more.
                What::Demand(bus) if model.islands[model.island_of_bus[bus]].movable => {
                    data.demand[bus] -= entry.amount + margin;
                }
                What::Demand(bus) => data.demand[bus] -= entry.amount,
                What::Line { line, value } => {
                    let line = &mut model.lines[line];
                    for reached in [value - margin, value + margin] {
                        widen(line, &mut data.rating[line.row], reached);
                    }
                }
            }
        }
        model.set_columns(columns);
        (model, data)
    }
}

/// The limits of a line that a value reaches or exceeds.
fn limits_exceeded(line: &Line, rating: f64, value: f64) -> Limit {
    let by_rating = line.carries_flow() && value.abs() >= rating;
    let unrated = line.limits(f64::INFINITY);
    let by_angle = line.merged.is_none() && (value <= unrated.0 || value >= unrated.1);
    match (by_rating, by_angle) {
        (true, true) => Limit::RatingAndAngle,
        (false, true) => Limit::Angle,
        _ => Limit::Rating,
    }
}

/// Widens rating and angle window so that a line's row may have this value.
fn widen(line: &mut Line, rating: &mut f64, value: f64) {
    let angle = match line.merged {
        Some(_) => 0.0,
        None if line.is_window() => value,
        None => (value + line.shift_flow) / line.b,
    };
    if line.carries_flow() {
        *rating = rating.max(value.abs());
    }
    line.angle_min = line.angle_min.min(angle);
    line.angle_max = line.angle_max.max(angle);
}
