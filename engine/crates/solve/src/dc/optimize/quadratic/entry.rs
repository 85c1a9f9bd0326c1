//! The entry of one violated constraint, alone or in exchange for the one that blocks its direction.

use super::method::Quadratic;
use super::response::Response;
use crate::dc::basis::kkt::Item;
use crate::dc::optimize::state::{Constraint, Entering, Failure, SolverState, Step};
use wattbook_network::message_key;

/// Curvature below this counts as zero.
const CURVATURE_TOLERANCE: f64 = 1e-9;

/// Entries of `S` between a constraint and its items, the product of the inverse with them, and the diagonal.
struct Border {
    entries: Vec<f64>,
    solved: Vec<f64>,
    diagonal: f64,
}

impl SolverState<'_, Quadratic> {
    /// Brings one violated constraint into the active set.
    pub(in crate::dc::optimize) fn enter(&mut self, entering: Entering) -> Step<()> {
        let mut multiplier = 0.0;
        let nothing = vec![0.0; self.rows.len()];
        loop {
            // Response to one unit of its multiplier: G_F dp = 0, G_F' dy - Q dp = -sign g_e.
            let own: Vec<f64> = match entering.constraint {
                Constraint::Column(j) => {
                    let mut own = vec![0.0; self.p.len()];
                    own[j] = entering.sign;
                    own
                }
                Constraint::Row(row) => self.products.gradient(self.model, &self.rows, &[(row, entering.sign)]),
            };
            let s: Vec<f64> = own.iter().map(|g| -g).collect();
            let response = self.respond(&nothing, Some(&s));
            let curvature = self.curvature(&response.dp);
            if !curvature.is_finite() {
                return Err(Failure::Stalled(message_key!("stall.overflow")));
            }
            if curvature > CURVATURE_TOLERANCE && !self.is_degenerate_entry(entering, curvature, &response, &own) {
                let border = self.border(entering, &own, &response);
                return self.take_in(entering, multiplier, &border);
            }

            // Zero curvature: only multipliers move.
            let total = response.gradient.iter().zip(&own);
            let drc: Vec<f64> = total.map(|(g, own)| -g - own).collect();
            let aty = response.dy.iter().map(|&(row, d)| self.method.missed[row] * d);
            let slope = self.violation(entering) + aty.sum::<f64>();
            let step = self.bound_flipping_search(slope, 0.0, &response.dy, &drc);
            if step.is_unbounded {
                let mut ray = response.dy.clone();
                if let Constraint::Row(row) = entering.constraint {
                    ray.push((row, entering.sign));
                }
                return Err(self.infeasible(&mut self.rows.clone(), &ray));
            }
            let border = self.border(entering, &own, &response);
            let still = Response {
                dp: vec![0.0; self.p.len()],
                ..response
            };
            self.apply(&step, &still, &drc)?;
            multiplier += step.t;
            self.count_step(step.t)?;
            let Some(blocking) = step.blocking.filter(|_| step.started.is_empty()) else {
                continue;
            };
            if !self.precision.is_refined() && self.curvature_of(blocking.constraint) > CURVATURE_TOLERANCE {
                self.let_go(blocking.constraint)?;
                continue;
            }
            return self.swap(entering, multiplier, blocking.constraint, &border);
        }
    }

    /// The current violation of the entering constraint.
    pub(in crate::dc::optimize) fn violation(&self, entering: Entering) -> f64 {
        match entering.constraint {
            Constraint::Column(j) if entering.sign > 0.0 => self.lo(j) - self.p[j],
            Constraint::Column(j) => self.p[j] - self.hi(j),
            Constraint::Row(row) => self.violation_of(row, entering.sign),
        }
    }

    /// Curvature along the primal ray that opens when this linear constraint alone is removed, per unit of its own
    /// movement.
    fn curvature_of(&self, constraint: Constraint) -> f64 {
        let mut r = vec![0.0; self.rows.len()];
        match constraint {
            Constraint::Column(j) => self.active.iter().for_each(|&row| r[row] = -self.rows.at(row, j)),
            Constraint::Row(row) => r[row] = 1.0,
        }
        self.curvature(&self.respond(&r, None).dp)
    }

    /// Removes a constraint if the system remains regular.
    pub(super) fn let_go(&mut self, constraint: Constraint) -> Step<()> {
        self.pivots += 1;
        let updated = match constraint {
            Constraint::Column(j) if self.q[j] > 0.0 => {
                self.method.kkt.change_quadratic(&self.rows, &self.q, j, true, 0.0)
            }
            Constraint::Column(j) => self.method.kkt.add_column(&self.rows, j, 0.0),
            Constraint::Row(row) => self.method.kkt.remove(&self.rows, &self.q, Item::Row(row)),
        };
        self.method.kkt.pair_up(&self.rows);
        self.release(constraint);
        self.refactor_unless(updated)
    }

    /// Entries of `S` for the entering constraint, from its own row `own = sign g` and its response, whose right-hand
    /// side they were.
    fn border(&self, entering: Entering, own: &[f64], response: &Response) -> Border {
        let signed = |x: &[f64]| x.iter().map(|x| -entering.sign * x).collect();
        Border {
            entries: signed(&response.rhs),
            solved: signed(&response.solved),
            diagonal: self
                .method
                .kkt
                .quadratic
                .iter()
                .map(|&j| own[j] * own[j] / self.q[j])
                .sum(),
        }
    }

    /// Adds a constraint if the system remains regular.
    fn take_in(&mut self, entering: Entering, multiplier: f64, border: &Border) -> Step<()> {
        self.pivots += 1;
        if self.precision.is_refined() {
            self.insert_quadratic(entering, multiplier);
            return self.refactor();
        }
        let updated = match entering.constraint {
            Constraint::Column(j) if self.q[j] > 0.0 => {
                self.method.kkt.change_quadratic(&self.rows, &self.q, j, false, 0.0)
            }
            Constraint::Column(j) => self.method.kkt.remove(&self.rows, &self.q, Item::Column(j)),
            Constraint::Row(row) => {
                let border = (&border.entries[..], &border.solved[..], border.diagonal);
                self.method.kkt.add_row((&self.rows, &self.q), row, border)
            }
        };
        self.insert_quadratic(entering, multiplier);
        self.refactor_unless(updated)
    }

    /// Exchanges two linear constraints, neither of which can change alone: the entering one gets an additional
    /// diagonal until the leaving one is removed.
    fn swap(&mut self, entering: Entering, multiplier: f64, leaving: Constraint, border: &Border) -> Step<()> {
        self.pivots += 1;
        if self.precision.is_refined() {
            self.release(leaving);
            self.insert_quadratic(entering, multiplier);
            return self.refactor();
        }
        let (kkt, rows, q) = (&mut self.method.kkt, &self.rows, &self.q);
        let updated = match (entering.constraint, leaving) {
            (Constraint::Row(e), leaving) => {
                let border = (&border.entries[..], &border.solved[..], border.diagonal + 1.0);
                kkt.add_row((rows, q), e, border)
                    && match leaving {
                        Constraint::Row(j) => kkt.remove(rows, q, Item::Row(j)),
                        Constraint::Column(j) => q[j] == 0.0 && kkt.add_column(rows, j, 0.0),
                    }
                    && kkt.correct(Item::Row(e), -1.0)
            }
            (Constraint::Column(e), Constraint::Column(j)) if q[e] == 0.0 && q[j] == 0.0 => {
                kkt.add_column(rows, j, -1.0)
                    && kkt.remove(rows, q, Item::Column(e))
                    && kkt.correct(Item::Column(j), 1.0)
            }
            (Constraint::Column(e), Constraint::Row(j)) if q[e] == 0.0 => {
                kkt.remove_both(rows, q, Item::Column(e), Item::Row(j))
            }
            _ => false,
        };
        kkt.pair_up(rows);
        self.release(leaving);
        self.insert_quadratic(entering, multiplier);
        self.refactor_unless(updated)
    }

    pub(super) fn refactor_unless(&mut self, updated: bool) -> Step<()> {
        if updated {
            return Ok(());
        }
        self.refactor()
    }
}
