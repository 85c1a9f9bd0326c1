//! Demand and minimum output that can be relaxed, as columns that are added to the program when prices require them.

use super::candidate::{Candidate, FIRST_COLUMNS};
use super::entry::{What, NEGLIGIBLE};
use super::relaxed::{Relaxed, Shortfall};
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::model::DcOutline;
use crate::dc::optimize::COST_SCALE;
use crate::generator_columns::{GenColumn, EVERYWHERE};
use wattbook_network::analysis::ElementRef;

/// Largest possible saving of further relaxations, as a share of the relaxation, that is negligible.
const SAVES_NOTHING: f64 = 1e-8;

/// Demand and minimum output are added if they save more than this share of their amount, and their costs are lower by
/// this share: of equal relaxations, those with few entries are preferred.
const TIE: f64 = 1e-8;

impl Relaxed {
    /// Makes demand relaxable down to zero and minimum output down to zero, at one per MW (except for `TIE`), and
    /// further if an island's balance requires it.
    pub(super) fn let_give_way(&mut self) {
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
            let (low, high) = (sum(&|c| c.limits().0), sum(&|c| c.limits().1));
            let finite = |limit: f64| if limit.is_finite() { limit.abs() } else { 0.0 };
            let tolerance = 1e-9 * (1.0 + sum(&|c| finite(c.limits().0) + finite(c.limits().1)));
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
            // The powers of links are not relaxed.
            let n_units = self.model.links.n_generators;
            for &j in members.iter().filter(|&&j| columns[j].generator < n_units) {
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

    /// Makes the injection at the ends of links relaxable beyond the demand there, so that the power that a link must
    /// carry, or loses, always has a way. It costs a little more, so that demand comes first.
    pub(super) fn let_links_give_way(&mut self) {
        let links = &self.model.links;
        let sent = self
            .model
            .columns
            .iter()
            .filter(|c| links.end_of(c.generator).is_some());
        let most = sent.map(|c| c.lo.abs().max(c.hi.abs())).sum::<f64>() + links.loss0.iter().sum::<f64>();
        let most = most.min(self.model.capacity);
        let mut buses = links.hosts.clone();
        buses.sort_unstable();
        buses.dedup();
        let begins = self.candidates.len();
        for bus in buses {
            for (lo, hi, c) in [(-most, 0.0, -1.0), (0.0, most, 1.0)] {
                let mut column = self.giving_way(bus, lo, hi);
                (column.c, column.beside) = (c, (c, 0.0));
                column.generator = self.program.gen_ids.len();
                let element = self.model.bus_ids[bus].clone();
                self.program.gen_ids.push(element);
                self.candidates.push(Candidate {
                    what: What::Demand(bus),
                    column,
                    place: None,
                });
            }
        }
        let added: Vec<usize> = (begins..self.candidates.len()).collect();
        (self.parked, self.held) = (None, None);
        self.take_up(&added);
    }

    /// The largest candidates that together cover the imbalance of an island, and some more.
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
        let c = if lo < 0.0 { TIE - 1.0 } else { 1.0 - TIE };
        GenColumn {
            generator: 0,
            bus,
            island: self.model.island_of_bus[bus],
            lo,
            hi,
            c,
            q: 0.0,
            beside: (c, 0.0),
            segment: EVERYWHERE,
            is_first: true,
            is_last: true,
            open_below: false,
            open_above: false,
        }
    }

    /// Adds candidates to the program as columns.
    pub(super) fn take_up(&mut self, chosen: &[usize]) {
        let mut columns = std::mem::take(&mut self.program.columns);
        for &k in chosen {
            self.candidates[k].place = Some(columns.len());
            columns.push(self.candidates[k].column.clone());
        }
        self.program.set_columns(columns);
        self.program.cost_scale = COST_SCALE;
        // A relaxed column has only its cost, and is not bound by a line.
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

    /// Adds all candidates to the program as columns, and makes all lines rows.
    pub(super) fn take_up_all(&mut self) {
        (self.parked, self.held) = (None, None);
        self.is_row.fill(true);
        let left = |k: &usize| self.candidates[*k].place.is_none();
        let left: Vec<usize> = (0..self.candidates.len()).filter(left).collect();
        self.take_up(&left);
    }

    /// Candidates that prices require, in descending order of their possible saving; `None` if all of them together
    /// save nothing.
    pub(super) fn wanted(&self, proof: &Proof, most: usize) -> Vec<usize> {
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

    /// Turns lines whose limits are worth exceeding from bounds of their units into rows. Returns whether there are
    /// any.
    pub(super) fn release_units(&mut self, proof: &Proof) -> bool {
        let bridges = &self.program.bridge_rows;
        let unit_of = |l: usize| bridges[l].as_ref().and_then(|b| b.unit);
        let is_dear = |&&l: &&usize| {
            let y = proof.line_y[l].abs();
            self.program.lines[l].tie.is_none() && y > self.program.lines[l].slack_cost() * (1.0 + NEGLIGIBLE)
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
}
