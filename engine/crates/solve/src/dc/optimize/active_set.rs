//! Changes of the active set, the violation of its constraints, and the ray of an infeasible one.

use super::modes::Factor;
use super::state::{Constraint, Entering, Failure, Method, SolverState};
use crate::dc::basis::kkt::Status;
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::infeasibility::farkas_ray::FarkasRay;
use crate::dc::infeasibility::refusals;
use wattbook_network::message_key;

impl<M: Method> SolverState<'_, M> {
    /// Moves a constraint to its other side.
    pub(super) fn flip(&mut self, constraint: Constraint) {
        self.factor = Factor::Changed;
        match constraint {
            Constraint::Column(j) => {
                (self.status[j], self.p[j]) = match self.status[j] {
                    Status::AtLower => (Status::AtUpper, self.hi(j)),
                    _ => (Status::AtLower, self.lo(j)),
                };
            }
            Constraint::Row(row) => self.side[row] = -self.side[row],
        }
    }

    /// Removes a constraint from the active set: a column becomes free, or a row inactive.
    pub(super) fn release(&mut self, constraint: Constraint) {
        self.factor = Factor::Changed;
        match constraint {
            Constraint::Column(j) => {
                self.status[j] = Status::Free;
                self.rc[j] = 0.0;
            }
            Constraint::Row(row) => {
                self.active.retain(|&r| r != row);
                self.side[row] = 0;
                self.y[row] = 0.0;
            }
        }
    }

    /// Puts the entering constraint into the active set with multiplier `t` at the side it violates.
    pub(super) fn insert(&mut self, entering: Entering, t: f64) {
        self.factor = Factor::Changed;
        match entering.constraint {
            Constraint::Column(j) => {
                (self.status[j], self.p[j]) = if entering.sign > 0.0 {
                    (Status::AtLower, self.lo(j))
                } else {
                    (Status::AtUpper, self.hi(j))
                };
                self.rc[j] = entering.sign * t;
            }
            Constraint::Row(row) => {
                self.active.push(row);
                self.side[row] = if entering.sign > 0.0 { -1 } else { 1 };
                self.y[row] = entering.sign * t;
            }
        }
    }

    /// A tie of a link outside the active set. Ties are equations, so all of them enter before anything else, violated or
    /// not: otherwise derivatives would not know of them.
    pub(super) fn next_tie(&mut self) -> Option<Entering> {
        for l in self.model.ties() {
            let row = *self.add_lazy_rows(&[l]).first()?;
            if self.side[row] != 0 || self.implied.contains(&row) {
                continue;
            }
            let value = self.rows.dot(row, &self.p);
            return Some(Entering {
                constraint: Constraint::Row(row),
                sign: if value > 0.0 { -1.0 } else { 1.0 },
                violation: value.abs().max(f64::MIN_POSITIVE),
            });
        }
        None
    }

    /// Whether a tie that cannot enter is satisfied, because other equations imply it. It is then left out.
    pub(super) fn is_implied(&mut self, tie: Entering, failure: &Failure) -> bool {
        let Constraint::Row(row) = tie.constraint else {
            return false;
        };
        let is_implied = matches!(failure, Failure::Stalled(_)) && tie.violation <= super::PRIMAL_TOLERANCE;
        if is_implied {
            self.implied.push(row);
        }
        is_implied
    }

    /// The free column or watched row that is violated most.
    pub(super) fn worst_of(&self, watched: &[usize]) -> Option<Entering> {
        let mut worst = super::PRIMAL_TOLERANCE;
        let mut found = None;
        let mut consider = |constraint, below: f64, above: f64| {
            let (violation, sign) = if below > above { (below, 1.0) } else { (above, -1.0) };
            if violation > worst {
                worst = violation;
                found = Some(Entering {
                    constraint,
                    sign,
                    violation,
                });
            }
        };
        for (j, status) in self.status.iter().enumerate() {
            if *status == Status::Free {
                consider(Constraint::Column(j), self.lo(j) - self.p[j], self.p[j] - self.hi(j));
            }
        }
        if !watched.is_empty() {
            let injections = self.products.injections(self.model, &self.p);
            for &row in watched.iter().filter(|&&row| self.side[row] == 0) {
                let (lo, hi) = self.limits(row);
                let value = self.products.value(&self.rows, row, &self.p, &injections);
                consider(Constraint::Row(row), lo - value, value - hi);
            }
        }
        found
    }

    /// The current distance of a row beyond the limit at which it enters.
    pub(super) fn violation_of(&self, row: usize, sign: f64) -> f64 {
        let injections = self.products.injections(self.model, &self.p);
        let value = self.products.value(&self.rows, row, &self.p, &injections);
        let (lo, hi) = self.limits(row);
        if sign > 0.0 {
            lo - value
        } else {
            value - hi
        }
    }

    /// Verifies a dual ray and names the conflict. A bound that represents a line is reported as that line.
    pub(super) fn infeasible(&self, rows: &mut LazyRows, ray: &[(usize, f64)]) -> Failure {
        let mut aty = self.products.gradient(self.model, rows, ray);
        let mut ray = ray.to_vec();
        for (j, aty) in aty.iter_mut().enumerate() {
            // The dispatch of the box with the largest supply uses the upper bound if the gradient is positive.
            let source = if *aty > 0.0 {
                self.problem.bounds.above[j]
            } else {
                self.problem.bounds.below[j]
            };
            let sign = source.and_then(|l| self.model.bridge_rows[l].as_ref()).map(|b| b.sign);
            if let (Some(l), Some(sign), true) = (source, sign, *aty != 0.0) {
                ray.push((rows.add_line(self.model, l), -sign * *aty));
            }
        }
        let found = match &self.problem.ahead {
            Some(ahead) => ahead.contradiction(self.model, rows, &ray),
            None => {
                let ray = FarkasRay::new(self.model, rows, &ray);
                let excess = ray.excess(self.model, &self.problem.withdrawals, &self.problem.line_limits);
                refusals::contradiction(self.model, &ray, excess)
            }
        };
        match found {
            Some(error) => Failure::Infeasible(error),
            None => Failure::Stalled(message_key!("stall.proof")),
        }
    }
}
