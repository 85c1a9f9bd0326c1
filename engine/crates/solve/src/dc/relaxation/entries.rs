//! The limits that an optimum of the relaxed case exceeds, as entries of the relaxation.

use super::entry::{angle_at, Entry, What, NEGLIGIBLE};
use super::relaxed::Relaxed;
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::infeasibility::Limit;
use crate::dc::model::Line;
use wattbook_network::analysis::ElementRef;

impl Relaxed {
    /// Records the violations of generators, demands and lines at the optimum.
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
            // If bounds cross, both sides are violated.
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
