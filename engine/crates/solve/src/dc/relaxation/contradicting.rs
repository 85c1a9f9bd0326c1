//! The conflicting limits, with their weights in the proof.

use super::entries::limits_exceeded;
use super::relaxed::Relaxed;
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::infeasibility::{Contradicting, Kind, Limit};
use crate::dc::model::links::LinkEnd;

/// Weights below this are rounding errors.
const NO_WEIGHT: f64 = 1e-6;

impl Relaxed {
    /// The conflicting limits, largest weight first.
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
                    if y.abs() > NO_WEIGHT && line.tie.is_none() {
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
            // The limits of a link are those of the power that it sends, the negative injection at its terminal.
            let end = model.links.end_of(column.generator);
            if pull.abs() > NO_WEIGHT && (lo != 0.0 || hi != 0.0) && end != Some(LinkEnd::Delivering) {
                let (limit, value) = match (pull > 0.0, end.is_some()) {
                    (true, false) => (Limit::Maximum, hi),
                    (false, false) => (Limit::Minimum, lo),
                    (true, true) => (Limit::Minimum, -hi),
                    (false, true) => (Limit::Maximum, -lo),
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
}
