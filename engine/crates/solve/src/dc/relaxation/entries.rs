//! The limits that an optimum of the relaxed case exceeds, as entries of the relaxation.

use super::relaxed::{Relaxed, NEGLIGIBLE};
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::infeasibility::{Limit, Relaxation};
use crate::dc::model::{DcData, DcModel, Line};
use wattbook_network::analysis::ElementRef;

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
    pub fn relaxation(&self, model: &DcModel, data: &DcData, rounded: f64) -> Relaxation {
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

impl Relaxed {
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
}

/// The angle difference at which a line's row has a value.
pub(super) fn angle_at(line: &Line, value: f64) -> f64 {
    match line.merged {
        Some(_) => 0.0,
        None if line.is_angle_difference() => value,
        None => (value + line.shift_flow) / line.b,
    }
}

/// The limits of a line that a value reaches or exceeds.
pub(super) fn limits_exceeded(line: &Line, rating: f64, value: f64) -> Limit {
    let by_rating = line.carries_flow() && value.abs() >= rating;
    let unrated = line.limits(f64::INFINITY);
    let by_angle = line.merged.is_none() && (value <= unrated.0 || value >= unrated.1);
    match (by_rating, by_angle) {
        (true, true) => Limit::RatingAndAngle,
        (false, true) => Limit::Angle,
        _ => Limit::Rating,
    }
}
