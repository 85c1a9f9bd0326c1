//! The case with everything in it that can give way.

use super::interior::{at_one_level, Interior};
use crate::dc::basis::lazy_rows::Elastic;
use crate::dc::dual_active_set::DualActiveSet;
use crate::dc::infeasibility::violation_bound::{row_values, Proof};
use crate::dc::infeasibility::{Contradicting, Kind, Limit, Relaxation};
use crate::dc::model::{DcData, DcModel, DcOutline, Line};
use crate::dc::optimize::DcOptimizer;
use crate::dc::optimize::{
    minimum_violation, minimum_violation_within, Begin, Held, Parked, SearchOutcome, COST_SCALE,
};
use crate::generator_columns::GenColumn;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::Result;

/// Violations below this (per unit) are the solver's tolerance.
const NEGLIGIBLE: f64 = 2e-8;
/// Weights below this are rounding.
const NO_WEIGHT: f64 = 1e-6;
/// What giving way elsewhere could still save, as a share of the relaxation.
const SAVES_NOTHING: f64 = 1e-8;
/// Demand and minimum outputs are taken up where they save more than this share of what they give, and are this share cheaper
/// then: of equal ways the one of a few places comes first.
const TIE: f64 = 1e-8;
/// Columns taken up at once, in the first round.
const FIRST_COLUMNS: usize = 64;

/// What an entry changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A column gets a bound that lets it stand where it does.
    Column(usize),
    /// Demand of a bus.
    Demand(usize),
    /// A line's row reaches this value.
    Line { line: usize, value: f64 },
}

/// A relaxed limit. `amount` is per unit, or radians for angle-difference limits that have no MW.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub what: What,
    pub element: ElementRef,
    pub limit: Limit,
    pub amount: f64,
    pub has_mw: bool,
    /// Radians by which a window that holds the line must be wider.
    pub angle: f64,
}

impl Entry {
    /// `rounded` is the amount as the words say it, per unit.
    pub fn told(&self, model: &DcModel, data: &DcData, rounded: f64) -> Relaxation {
        let mw = |amount: f64| if self.has_mw { amount * model.base_mva } else { 0.0 };
        let per_flow = match self.what {
            What::Line { line, .. } if self.angle > 0.0 && model.lines[line].b != 0.0 => {
                1.0 / model.lines[line].b.abs()
            }
            _ => 0.0,
        };
        Relaxation {
            element: self.element.clone(),
            limit: self.limit,
            mw: mw(self.amount),
            angle_deg: self.angle.to_degrees(),
            rounded_mw: mw(rounded),
            rounded_deg: (self.angle + per_flow * (rounded - self.amount)).to_degrees(),
            is_all: self.demand(data) == Some(rounded),
        }
    }

    /// What the bus takes, per unit, where this entry leaves out demand and does not ask for more than that.
    pub fn demand(&self, data: &DcData) -> Option<f64> {
        match (self.what, self.limit) {
            (What::Demand(bus), Limit::Demand) => {
                Some(data.demand[bus]).filter(|demand| self.amount <= demand + NEGLIGIBLE)
            }
            _ => None,
        }
    }
}

/// An island whose generators cannot meet its demand: positive where capacity is short, negative for too much must-run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortfall {
    pub island: usize,
    pub amount: f64,
}

/// Demand or minimum output that can give way, as a column; `place` among the program's columns once it is taken up.
#[derive(Clone, Debug)]
struct Candidate {
    what: What,
    column: GenColumn,
    place: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    pub model: DcModel,
    pub original: DcData,
    /// The model with the costs of giving way, and what of it the search has taken up.
    program: DcModel,
    data: DcData,
    candidates: Vec<Candidate>,
    /// Lines that hold as the bound of a unit no longer, by line.
    is_row: Vec<bool>,
    pub entries: Vec<Entry>,
    pub shortfalls: Vec<Shortfall>,
    /// Powers at the end, by column of the model.
    p: Vec<f64>,
    /// Where the search by the active set stands, the optimum of its last round, and the columns it takes up next at most.
    parked: Option<Box<Parked>>,
    held: Option<Held>,
    most: usize,
    crossing: Vec<Contradicting>,
}

impl Relaxed {
    pub fn new(model: &DcModel, data: &DcData) -> Self {
        let mut relaxed = Self {
            model: model.clone(),
            original: data.clone(),
            program: model.clone(),
            data: data.clone(),
            candidates: Vec::new(),
            is_row: vec![false; model.lines.len()],
            entries: Vec::new(),
            shortfalls: Vec::new(),
            p: Vec::new(),
            parked: None,
            held: None,
            most: FIRST_COLUMNS,
            crossing: Vec::new(),
        };
        relaxed.uncross();
        relaxed.let_give_way();
        relaxed
    }

    /// Bounds that cross: between them the element may stand anywhere, at one cost.
    fn uncross(&mut self) {
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
                        angle: outside,
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

    /// Demand down to nothing and minimum outputs down to zero, at one per MW (but for `TIE`); further where an island's balance asks for it.
    fn let_give_way(&mut self) {
        let withdrawals = self.program.withdrawals(&self.data.demand);
        let mut columns = self.program.columns.clone();
        for column in &mut columns {
            (column.c, column.q) = (0.0, 0.0);
        }
        let mut first = Vec::new();
        for island in 0..self.program.islands.len() {
            let members: Vec<usize> = (0..columns.len()).filter(|&j| columns[j].island == island).collect();
            let of_island = |&bus: &usize| self.model.island_of_bus[bus] == island;
            let buses: Vec<usize> = (0..self.model.n_bus).filter(of_island).collect();
            let sum = |of: &dyn Fn(&GenColumn) -> f64| members.iter().map(|&j| of(&columns[j])).sum::<f64>();
            let demand: f64 = buses.iter().map(|&bus| withdrawals[bus]).sum();
            let (low, high) = (sum(&|c| c.lo), sum(&|c| c.hi));
            let tolerance = 1e-9 * (1.0 + sum(&|c| c.lo.abs() + c.hi.abs()));
            let amount = if demand > high + tolerance {
                demand - high
            } else if demand < low - tolerance {
                demand - low
            } else {
                0.0
            };
            if amount != 0.0 {
                self.shortfalls.push(Shortfall { island, amount });
            }
            let at = |bus: usize| self.original.demand[bus];
            let all_shed = buses.iter().map(|&bus| at(bus).max(0.0)).sum::<f64>() < amount;
            let off = sum(&|c| c.lo.min(0.0));
            let all_off = amount < 0.0 && off + buses.iter().map(|&bus| at(bus).min(0.0)).sum::<f64>() > demand;
            let begins = self.candidates.len();
            for &bus in &buses {
                let (lo, hi) = (at(bus).min(0.0), if all_shed { amount } else { at(bus).max(0.0) });
                for (lo, hi) in [(lo, 0.0), (0.0, hi)].into_iter().filter(|(lo, hi)| hi > lo) {
                    self.candidates.push(Candidate {
                        what: What::Demand(bus),
                        column: self.giving_way(bus, lo, hi),
                        place: None,
                    });
                }
            }
            for &j in &members {
                let column = &columns[j];
                let least = if all_off { amount } else { -column.lo.max(0.0) };
                let crosses = self.model.columns[j].lo > self.model.columns[j].hi;
                if least < 0.0 && column.is_first && !crosses {
                    self.candidates.push(Candidate {
                        what: What::Column(j),
                        column: self.giving_way(column.bus, least, 0.0),
                        place: None,
                    });
                }
            }
            first.extend(self.first_of(begins, amount));
        }
        for (k, candidate) in self.candidates.iter_mut().enumerate() {
            candidate.column.generator = self.program.gen_ids.len() + k;
        }
        let element = |c: &Candidate| match c.what {
            What::Demand(bus) => self.model.bus_ids[bus].clone(),
            What::Column(j) => self.model.gen_ids[self.model.columns[j].generator].clone(),
            What::Line { line, .. } => self.model.element_of_line(line).clone(),
        };
        let elements: Vec<ElementRef> = self.candidates.iter().map(element).collect();
        self.program.gen_ids.extend(elements);
        self.program.constant_cost = 0.0;
        self.program.columns = columns;
        self.take_up(&first);
    }

    /// The largest candidates that together meet what an island's balance misses, and some more.
    fn first_of(&self, begins: usize, amount: f64) -> Vec<usize> {
        if amount == 0.0 {
            return Vec::new();
        }
        let contribution = |k: usize| {
            let column = &self.candidates[k].column;
            if amount > 0.0 {
                column.hi
            } else {
                -column.lo
            }
        };
        let mut usable: Vec<usize> = (begins..self.candidates.len())
            .filter(|&k| contribution(k) > 0.0)
            .collect();
        usable.sort_by(|&a, &b| contribution(b).total_cmp(&contribution(a)).then(a.cmp(&b)));
        let mut met = 0.0;
        let mut needed = usable.len();
        for (n, &k) in usable.iter().enumerate() {
            met += contribution(k);
            if met > amount.abs() * (1.0 + 1e-6) {
                needed = n + 1;
                break;
            }
        }
        usable.truncate(needed + FIRST_COLUMNS);
        usable
    }

    fn giving_way(&self, bus: usize, lo: f64, hi: f64) -> GenColumn {
        GenColumn {
            generator: 0,
            bus,
            island: self.model.island_of_bus[bus],
            lo,
            hi,
            c: if lo < 0.0 { TIE - 1.0 } else { 1.0 - TIE },
            q: 0.0,
            is_first: true,
            is_last: true,
            open_below: false,
            open_above: false,
        }
    }

    /// Makes candidates columns of the program.
    fn take_up(&mut self, chosen: &[usize]) {
        let mut columns = std::mem::take(&mut self.program.columns);
        for &k in chosen {
            self.candidates[k].place = Some(columns.len());
            columns.push(self.candidates[k].column.clone());
        }
        self.program.set_columns(columns);
        self.program.cost_scale = COST_SCALE;
        // What gives way does so at its cost and is not bound by a line.
        let program: &mut DcOutline = &mut self.program;
        let (units, bridges) = (self.model.columns.len(), &program.bridge_rows);
        let of_generator = |l: usize| {
            bridges[l]
                .as_ref()
                .and_then(|b| b.unit)
                .is_some_and(|unit| unit < units)
        };
        program.unit_lines.retain(|&l| !self.is_row[l] && of_generator(l));
    }

    /// The optimum over everything that can give way.
    ///
    /// What gives way costs one per MW, and only where prices are beyond that does it help: the search begins with lines and
    /// what the balances need, and takes up the rest where prices ask for it. None where it is not done within an allowance of
    /// work: called again, it goes on.
    pub fn search(&mut self, allowance: usize) -> Result<Option<Proof>> {
        loop {
            let from = match (self.parked.take(), &self.held) {
                (Some(parked), _) => Begin::Parked(parked),
                (None, Some(held)) => Begin::Held(held),
                (None, None) => Begin::Nothing,
            };
            let found = minimum_violation_within(&self.program, &self.data, Elastic::All, from, Some(allowance));
            let found = match found {
                Ok(SearchOutcome::Optimum(found)) => *found,
                Ok(SearchOutcome::Parked(parked)) => {
                    self.parked = Some(parked);
                    return Ok(None);
                }
                // With a unit held by its line no dispatch exists.
                Err(error) if error.code == "SOLVE.INFEASIBLE" && !self.program.unit_lines.is_empty() => {
                    self.is_row.fill(true);
                    self.program.unit_lines.clear();
                    self.held = None;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let proof = self.proof(&found.p, &found.line_y, &found.island_price);
            let wanted = self.wanted(&proof, self.most);
            let dear = self.release_units(&proof);
            if wanted.is_empty() && !dear {
                return Ok(Some(proof));
            }
            self.most *= 2;
            self.take_up(&wanted);
            self.held = Some(found.held);
        }
    }

    fn proof(&self, p: &[f64], line_y: &[f64], island_price: &[f64]) -> Proof {
        Proof::new(&self.program, &self.data, p, line_y, island_price)
    }

    /// Everything that can give way becomes a column of the program, and lines are rows alone.
    fn take_up_all(&mut self) {
        (self.parked, self.held) = (None, None);
        self.is_row.fill(true);
        let left = |k: &usize| self.candidates[*k].place.is_none();
        let left: Vec<usize> = (0..self.candidates.len()).filter(left).collect();
        self.take_up(&left);
    }

    /// The interior point of the whole program; none where branches have no impedance.
    pub fn interior(&mut self) -> Option<Interior> {
        self.take_up_all();
        Interior::new(&self.program, &self.data)
    }

    /// Where an interior point of the program stands.
    pub fn proof_at(&self, interior: &Interior) -> Proof {
        let multipliers = interior.multipliers(&self.program, &self.data);
        self.proof(&multipliers.p, &multipliers.line_y, &multipliers.island_price)
    }

    /// A relaxation without a search, and what the balances of islands alone prove.
    pub fn outright(&mut self) -> Proof {
        self.take_up_all();
        let mut island_price = vec![0.0; self.program.islands.len()];
        for s in &self.shortfalls {
            island_price[s.island] = s.amount.signum();
        }
        let p = at_one_level(&self.program, &self.data, 0.0);
        self.proof(&p, &vec![0.0; self.program.lines.len()], &island_price)
    }

    /// What the balances prove of the sum of all relaxations, per unit.
    pub fn shortfall(&self) -> f64 {
        self.shortfalls.iter().fold(0.0, |sum, s| sum + s.amount.abs())
    }

    /// No smaller sum exists than this, by the multipliers of a point, per unit; none where they prove nothing.
    pub fn bound(&self, proof: &Proof) -> Option<f64> {
        let bound = proof.bound(&self.whole(), &self.data, self.cost(proof))?;
        Some(bound + self.crossed())
    }

    /// By how much bounds cross, per unit: no point of the program has less of it.
    fn crossed(&self) -> f64 {
        let columns = self.model.columns.iter().map(|c| (c.lo - c.hi).max(0.0));
        let lines = self
            .model
            .lines
            .iter()
            .filter(|l| l.merged.is_none() && !l.is_angle_difference());
        let lines = lines.map(|line| {
            let (lo, hi) = line.limits(self.original.rating[line.row]);
            (lo - hi).max(0.0)
        });
        columns.sum::<f64>() + lines.sum::<f64>()
    }

    /// Candidates that prices ask for, those that may save most first; none where all of them together save nothing.
    fn wanted(&self, proof: &Proof, most: usize) -> Vec<usize> {
        let saves = |(k, c): (usize, &Candidate)| {
            let gain = proof.price[c.column.bus] * c.column.c.signum() - (1.0 + TIE);
            (c.place.is_none() && gain > 0.0).then_some((gain * (c.column.hi - c.column.lo), k))
        };
        let mut wanted: Vec<(f64, usize)> = self.candidates.iter().enumerate().filter_map(saves).collect();
        let all: f64 = wanted.iter().map(|w| w.0).sum();
        if all <= SAVES_NOTHING * (self.cost(proof) + NEGLIGIBLE) {
            return Vec::new();
        }
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        wanted.into_iter().take(most).map(|w| w.1).collect()
    }

    /// Units whose line is worth exceeding: it becomes a row. True where there are some.
    fn release_units(&mut self, proof: &Proof) -> bool {
        let bridges = &self.program.bridge_rows;
        let unit_of = |l: usize| bridges[l].as_ref().and_then(|b| b.unit);
        let is_dear = |&&l: &&usize| {
            let y = proof.line_y[l].abs();
            y > self.program.lines[l].slack_cost() * (1.0 + NEGLIGIBLE)
        };
        let units: Vec<usize> = self
            .program
            .unit_lines
            .iter()
            .filter(is_dear)
            .filter_map(|&l| unit_of(l))
            .collect();
        for &l in &self.program.unit_lines {
            self.is_row[l] |= unit_of(l).is_some_and(|unit| units.contains(&unit));
        }
        !units.is_empty()
    }

    /// Names what generators, demands and lines exceed at the optimum.
    pub fn name_exceeded(&mut self, proof: &Proof) {
        let n = self.model.columns.len();
        self.p = proof.p[..n].to_vec();
        for candidate in &self.candidates {
            if let (What::Column(j), Some(place)) = (candidate.what, candidate.place) {
                self.p[j] += proof.p[place];
            }
        }
        let mut entry = |what: What, element: &ElementRef, limit: Limit, amount: f64| {
            if amount > NEGLIGIBLE {
                self.entries.push(Entry {
                    what,
                    element: element.clone(),
                    limit,
                    amount,
                    has_mw: true,
                    angle: 0.0,
                });
            }
        };
        for (j, (column, &p)) in self.model.columns.iter().zip(&self.p).enumerate() {
            let element = &self.model.gen_ids[column.generator];
            entry(What::Column(j), element, Limit::Minimum, column.lo - p);
            entry(What::Column(j), element, Limit::Maximum, p - column.hi);
        }
        for candidate in &self.candidates {
            if let (What::Demand(bus), Some(place)) = (candidate.what, candidate.place) {
                let (p, element) = (proof.p[place], &self.model.bus_ids[bus]);
                entry(candidate.what, element, Limit::Demand, p);
                entry(candidate.what, element, Limit::Injection, -p);
            }
        }
        for (l, (line, &value)) in self.model.lines.iter().zip(&proof.value).enumerate() {
            if self.model.is_undetermined(l) {
                continue;
            }
            let rating = self.original.rating[line.row];
            let (lo, hi) = line.limits(rating);
            // Where bounds cross, both sides are exceeded.
            let amount = (lo - value).max(0.0) + (value - hi).max(0.0);
            if amount > NEGLIGIBLE {
                let limit = limits_exceeded(line, rating, value);
                let angle = angle_at(line, value);
                self.entries.push(Entry {
                    what: What::Line { line: l, value },
                    element: self.model.element_of_line(l).clone(),
                    limit,
                    amount,
                    has_mw: !line.is_angle_difference(),
                    angle: if limit == Limit::Rating {
                        0.0
                    } else {
                        (line.angle_min - angle).max(angle - line.angle_max)
                    },
                });
            }
        }
    }

    /// What giving way costs at a point of the program, beyond bounds that cross.
    pub fn cost(&self, proof: &Proof) -> f64 {
        let mut cost = 0.0;
        for (column, p) in self.program.columns.iter().zip(&proof.p) {
            cost += column.c.round() * p;
        }
        for (l, line) in self.program.lines.iter().enumerate() {
            let (lo, hi) = line.limits(self.data.rating[line.row]);
            let amount = (lo - proof.value[l]).max(proof.value[l] - hi);
            if amount > 0.0 && !self.program.is_undetermined(l) {
                cost += line.slack_cost() * amount;
            }
        }
        cost
    }

    /// How far the proved bound is below the relaxation, per unit; none where the multipliers prove nothing.
    pub fn gap(&self, proof: &Proof) -> Option<f64> {
        proof.gap(&self.whole(), &self.data, self.cost(proof), true)
    }

    /// The program with all that can give way, at its cost but for `TIE`.
    fn whole(&self) -> DcModel {
        let mut all = self.program.clone();
        let left = self.candidates.iter().filter(|c| c.place.is_none());
        all.columns.extend(left.map(|c| c.column.clone()));
        all.columns.iter_mut().for_each(|c| c.c = c.c.round());
        all
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
        let model = &self.model;
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
                            limit_mw: (!line.is_angle_difference()).then_some(limit * base),
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

    /// The true case with the named limits relaxed by these amounts, each at least that of its entry.
    fn apply(&self, amounts: &[f64]) -> (DcModel, DcData) {
        let mut model = self.model.clone();
        let mut data = self.original.clone();
        let mut columns = model.columns.clone();
        for (entry, amount) in self.entries.iter().zip(amounts) {
            let more = amount - entry.amount;
            match (entry.what, entry.limit) {
                (What::Column(j), Limit::Minimum) => columns[j].lo = columns[j].lo.min(self.p[j] - more),
                (What::Column(j), _) => columns[j].hi = columns[j].hi.max(self.p[j] + more),
                (What::Demand(bus), Limit::Injection) => data.demand[bus] += amount,
                (What::Demand(bus), _) => data.demand[bus] -= amount,
                (What::Line { line, value }, _) => {
                    let line = &mut model.lines[line];
                    let (lo, hi) = line.limits(data.rating[line.row]);
                    let reached = if value - hi > lo - value {
                        value + more
                    } else {
                        value - more
                    };
                    widen(line, &mut data.rating[line.row], value);
                    widen(line, &mut data.rating[line.row], reached);
                }
            }
        }
        model.set_columns(columns);
        (model, data)
    }

    /// Whether the true case, relaxed by these amounts, has a dispatch: one that is checked on it, whatever way it was found.
    pub fn is_feasible(&self, amounts: &[f64]) -> bool {
        let (model, data) = self.apply(amounts);
        if meets_all(&model, &data, &self.p) {
            return true;
        }
        let cuts = |(entry, amount): (&Entry, &f64)| matches!(entry.what, What::Demand(_)) && *amount != entry.amount;
        if !self.entries.iter().zip(amounts).any(cuts) {
            return false;
        }
        // Less demand than the search left needs another dispatch.
        let mut program = model.clone();
        let mut columns = model.columns.clone();
        for column in &mut columns {
            (column.c, column.q) = (0.0, 0.0);
        }
        program.set_columns(columns);
        program.cost_scale = COST_SCALE;
        match minimum_violation(&program, &data, Elastic::None, None) {
            Ok(found) => meets_all(&model, &data, &found.p),
            Err(_) => false,
        }
    }

    /// Whether the solver finds and certifies an optimum of the true case relaxed by these amounts: where they leave nothing
    /// over, one dispatch only is left, and rounding may hide it.
    pub fn has_optimum(&self, amounts: &[f64]) -> bool {
        let (model, data) = self.apply(amounts);
        DualActiveSet.optimum(&model, &data, None).is_ok()
    }
}

/// A dispatch by column is within all limits and meets the demand of every island.
fn meets_all(model: &DcModel, data: &DcData, p: &[f64]) -> bool {
    let mut injection: Vec<f64> = model.withdrawals(&data.demand).iter().map(|w| -w).collect();
    model.add_generation(p, &mut injection);
    let mut missed = vec![0.0; model.islands.len()];
    for (injection, &island) in injection.iter().zip(&model.island_of_bus) {
        if let Some(missed) = missed.get_mut(island) {
            *missed += injection;
        }
    }
    let [theta, _] = model.refined_angles([&injection, &vec![0.0; model.n_bus]], 2);
    let flow = model.flows(&theta, &injection);
    let values = row_values(&model.lines, &theta, &flow);
    let within = |lo: f64, hi: f64, value: f64| value >= lo - NEGLIGIBLE && value <= hi + NEGLIGIBLE;
    let lines_hold = model.lines.iter().zip(&values).enumerate().all(|(l, (line, &value))| {
        let (lo, hi) = line.limits(data.rating[line.row]);
        let window = line.merged.is_none() || within(line.angle_min, line.angle_max, 0.0);
        model.is_undetermined(l) || (window && within(lo, hi, value))
    });
    let units_hold = model.columns.iter().zip(p).all(|(c, &p)| within(c.lo, c.hi, p));
    lines_hold && units_hold && missed.iter().all(|m| m.abs() <= NEGLIGIBLE * (1.0 + model.capacity))
}

/// The angle difference at which a line's row has a value.
fn angle_at(line: &Line, value: f64) -> f64 {
    match line.merged {
        Some(_) => 0.0,
        None if line.is_angle_difference() => value,
        None => (value + line.shift_flow) / line.b,
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

/// Widens rating and angle-difference limit so that a line's row may have this value.
fn widen(line: &mut Line, rating: &mut f64, value: f64) {
    let angle = angle_at(line, value);
    if line.carries_flow() {
        *rating = rating.max(value.abs());
    }
    line.angle_min = line.angle_min.min(angle);
    line.angle_max = line.angle_max.max(angle);
}
