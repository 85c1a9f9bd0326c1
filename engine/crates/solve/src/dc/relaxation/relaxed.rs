//! The case with all of its relaxable limits.

use super::candidate::{Candidate, FIRST_COLUMNS};
use super::entry::{Entry, What};
use super::interior::{at_one_level, Interior};
use crate::dc::basis::lazy_rows::Elastic;
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::infeasibility::{Contradicting, Kind, Limit};
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::{minimum_violation_within, Begin, Held, Parked, SearchOutcome};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::Result;

/// The shortfall of an island whose generators cannot meet its demand: positive for a shortage of capacity, negative
/// for too much must-run generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortfall {
    pub island: usize,
    pub amount: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    pub model: DcModel,
    pub original: DcData,
    /// The model with the costs of relaxation, and the part that the search has added.
    pub(super) program: DcModel,
    pub(super) data: DcData,
    pub(super) candidates: Vec<Candidate>,
    /// By line: whether it is a row rather than a bound of its unit.
    pub(super) is_row: Vec<bool>,
    pub entries: Vec<Entry>,
    pub shortfalls: Vec<Shortfall>,
    /// Final powers by column of the model.
    pub(super) p: Vec<f64>,
    /// State of the active-set search, the optimum of its last round, and the largest number of columns to add next.
    pub(super) parked: Option<Box<Parked>>,
    pub(super) held: Option<Held>,
    pub(super) most: usize,
    /// Whether injections at the ends of links are relaxable.
    links_give_way: bool,
    pub(super) crossing: Vec<Contradicting>,
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
            links_give_way: false,
            crossing: Vec::new(),
        };
        relaxed.uncross();
        relaxed.let_give_way();
        relaxed
    }

    /// Replaces bounds that cross: between them any value has the same cost.
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
                // Represented as an angle-difference limit from one bound to the other.
                let ends = [hi, lo].map(|flow| (flow + line.shift_flow) / line.b);
                (line.angle_min, line.angle_max) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                self.data.rating[line.row] = f64::INFINITY;
            }
        }
    }

    /// The optimum over all relaxable limits.
    ///
    /// Relaxation costs one per MW and helps only where prices exceed that. The search begins with lines and the needs
    /// of the balances, and adds other limits when prices require them. `None` if the work allowance is exhausted; the
    /// next call continues. `spent` is the work done, whose last part may exceed the allowance.
    pub fn search(&mut self, allowance: usize, spent: &mut usize) -> Result<Option<Proof>> {
        *spent = 0;
        loop {
            let left = allowance.saturating_sub(*spent).max(1);
            let from = match (self.parked.take(), &self.held) {
                (Some(parked), _) => Begin::Parked(parked),
                (None, Some(held)) => Begin::Held(held),
                (None, None) => Begin::Nothing,
            };
            let found = minimum_violation_within(&self.program, &self.data, Elastic::All, from, Some(left));
            let found = match found {
                Ok(SearchOutcome::Optimum(found)) => *found,
                Ok(SearchOutcome::Parked(parked)) => {
                    *spent += parked.spent;
                    self.parked = Some(parked);
                    return Ok(None);
                }
                // With a unit fixed by its line no dispatch exists.
                Err(error) if error.code == "SOLVE.INFEASIBLE" && !self.program.unit_lines.is_empty() => {
                    self.is_row.fill(true);
                    self.program.unit_lines.clear();
                    self.held = None;
                    continue;
                }
                // Links that must carry power, or lose it, leave no dispatch.
                Err(error)
                    if error.code == "SOLVE.INFEASIBLE"
                        && !self.links_give_way
                        && !self.model.links.sendings.is_empty() =>
                {
                    self.links_give_way = true;
                    self.let_links_give_way();
                    continue;
                }
                Err(error) => return Err(error),
            };
            *spent += found.spent;
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

    /// The interior point method for the whole program; `None` if there are branches without impedance.
    pub fn interior(&mut self) -> Option<Interior> {
        self.take_up_all();
        Interior::new(&self.program, &self.data)
    }

    /// The proof at the present point of the interior point method.
    pub fn proof_at(&self, interior: &Interior) -> Proof {
        let multipliers = interior.multipliers(&self.program, &self.data);
        self.proof(&multipliers.p, &multipliers.line_y, &multipliers.island_price)
    }

    /// A relaxation without a search, and the bound that the balances of islands prove alone.
    pub fn outright(&mut self) -> Proof {
        self.take_up_all();
        let mut island_price = vec![0.0; self.program.islands.len()];
        for s in &self.shortfalls {
            island_price[s.island] = s.amount.signum();
        }
        let p = at_one_level(&self.program, &self.data, 0.0);
        self.proof(&p, &vec![0.0; self.program.lines.len()], &island_price)
    }

    /// The lower bound on the sum of all relaxations that the balances prove, per unit.
    pub fn shortfall(&self) -> f64 {
        self.shortfalls.iter().fold(0.0, |sum, s| sum + s.amount.abs())
    }

    /// The lower bound on the sum that the multipliers of a point prove, per unit; `None` if they prove nothing.
    pub fn bound(&self, proof: &Proof) -> Option<f64> {
        let bound = proof.bound(&self.whole(), &self.data, self.cost(proof))?;
        Some(bound + self.crossed())
    }

    /// The sum by which bounds cross, per unit, which is part of every relaxation.
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

    /// Cost of relaxation at a point of the program, without bounds that cross.
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

    /// The difference between the relaxation and the proved bound, per unit; `None` if the multipliers prove nothing.
    pub fn gap(&self, proof: &Proof) -> Option<f64> {
        proof.gap(&self.whole(), &self.data, self.cost(proof), true)
    }

    /// The program with all relaxable limits, at their costs except for `TIE`.
    fn whole(&self) -> DcModel {
        let mut all = self.program.clone();
        let left = self.candidates.iter().filter(|c| c.place.is_none());
        all.columns.extend(left.map(|c| c.column.clone()));
        all.columns.iter_mut().for_each(|c| c.c = c.c.round());
        all
    }

    /// Sum of the relaxation, per unit.
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
}
