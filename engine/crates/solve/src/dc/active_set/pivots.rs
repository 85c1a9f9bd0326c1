//! Changes of the active set, and the factored system that follows them.

use super::run::{Constraint, Entering, Failure, Run, Step};
use crate::dc::kkt::{Item, Kkt, Status};

/// Relative residual of a solve at which the inverse is formed anew.
const INVERSE_TOLERANCE: f64 = 1e-7;
/// Reduced costs and multipliers of the wrong sign below this (scaled prices) are zero.
const DUAL_TOLERANCE: f64 = 1e-9;

impl Run<'_> {
    pub(super) fn refactor(&mut self) -> Step<()> {
        self.kkt = Kkt::factor(&self.rows, &self.active, &self.status, &self.q)
            .ok_or(Failure::Stalled("the system of the active set became singular"))?;
        Ok(())
    }

    /// Moves a constraint to its other side.
    pub(super) fn flip(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Column(j) => {
                let column = &self.model.columns[j];
                (self.status[j], self.p[j]) = match self.status[j] {
                    Status::AtLower => (Status::AtUpper, column.hi),
                    _ => (Status::AtLower, column.lo),
                };
            }
            Constraint::Row(row) => self.side[row] = -self.side[row],
        }
    }

    /// Lets a constraint go: a column becomes free, a row inactive.
    pub(super) fn release(&mut self, constraint: Constraint) {
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
        match entering.constraint {
            Constraint::Column(j) => {
                let column = &self.model.columns[j];
                (self.status[j], self.p[j]) = if entering.sign > 0.0 {
                    (Status::AtLower, column.lo)
                } else {
                    (Status::AtUpper, column.hi)
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

    /// Lets a constraint go where that alone keeps the system regular.
    pub(super) fn let_go(&mut self, constraint: Constraint) -> Step<()> {
        self.pivots += 1;
        let (rows, q) = (&self.rows, &self.q);
        let updated = match constraint {
            Constraint::Column(j) if q[j] > 0.0 => self.kkt.change_quadratic(rows, q, j, true),
            Constraint::Column(j) => self.kkt.add(rows, q, Item::Column(j), 0.0),
            Constraint::Row(row) => self.kkt.remove(Item::Row(row)),
        };
        self.release(constraint);
        self.refactor_unless(updated)
    }

    /// Takes a constraint in where that alone keeps the system regular.
    pub(super) fn take_in(&mut self, entering: Entering, multiplier: f64) -> Step<()> {
        self.pivots += 1;
        let (rows, q) = (&self.rows, &self.q);
        let updated = match entering.constraint {
            Constraint::Column(j) if q[j] > 0.0 => self.kkt.change_quadratic(rows, q, j, false),
            Constraint::Column(j) => self.kkt.remove(Item::Column(j)),
            Constraint::Row(row) => self.kkt.add(rows, q, Item::Row(row), 0.0),
        };
        self.insert(entering, multiplier);
        self.refactor_unless(updated)
    }

    /// Swaps two linear constraints, neither of which could change alone: what comes gets an extra diagonal until what goes
    /// is gone (dc-method.md section 2.7).
    pub(super) fn exchange(&mut self, entering: Entering, multiplier: f64, leaving: Constraint) -> Step<()> {
        self.pivots += 1;
        let (rows, q, kkt) = (&self.rows, &self.q, &mut self.kkt);
        let updated = match (entering.constraint, leaving) {
            (Constraint::Row(e), Constraint::Row(j)) => {
                let (e, j) = (Item::Row(e), Item::Row(j));
                kkt.add(rows, q, e, 1.0) && kkt.remove(j) && kkt.correct(e, -1.0)
            }
            (Constraint::Row(e), Constraint::Column(j)) if q[j] == 0.0 => {
                let (e, j) = (Item::Row(e), Item::Column(j));
                kkt.add(rows, q, e, 1.0) && kkt.add(rows, q, j, 0.0) && kkt.correct(e, -1.0)
            }
            (Constraint::Column(e), Constraint::Column(j)) if q[e] == 0.0 && q[j] == 0.0 => {
                let (e, j) = (Item::Column(e), Item::Column(j));
                kkt.add(rows, q, j, -1.0) && kkt.remove(e) && kkt.correct(j, 1.0)
            }
            (Constraint::Column(e), Constraint::Row(j)) if q[e] == 0.0 => {
                kkt.remove_both(Item::Column(e), Item::Row(j))
            }
            _ => false,
        };
        self.release(leaving);
        self.insert(entering, multiplier);
        self.refactor_unless(updated)
    }

    pub(super) fn refactor_unless(&mut self, updated: bool) -> Step<()> {
        if updated {
            return Ok(());
        }
        self.refactor()
    }

    /// Fresh powers, multipliers and reduced costs from the factored system, refined on the unfactored one; the system is
    /// factored anew where its inverse has become inaccurate.
    pub(super) fn refresh(&mut self) -> Step<()> {
        let fixed: Vec<f64> = (0..self.p.len())
            .map(|j| if self.status[j] == Status::Free { 0.0 } else { self.p[j] })
            .collect();
        let rhs: Vec<f64> = self
            .active
            .iter()
            .map(|&row| self.target(row) - self.rows.dot(row, &fixed))
            .collect();
        let (mut u, mut v) = self.kkt.solve(&self.rows, &self.q, &rhs, &self.c);
        for attempt in 0..3 {
            let r: Vec<f64> = self
                .active
                .iter()
                .zip(&rhs)
                .map(|(&row, rhs)| rhs - self.rows.dot(row, &v))
                .collect();
            let mut s = self.c.clone();
            for (&row, u) in self.active.iter().zip(&u) {
                self.rows.add_scaled(row, -u, &mut s);
            }
            for ((s, q), v) in s.iter_mut().zip(&self.q).zip(&v) {
                *s += q * v;
            }
            let size = |v: &[f64]| v.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            let error = r.iter().fold(0.0f64, |m, r| m.max(r.abs())) / size(&v);
            let dual = s
                .iter()
                .zip(&self.status)
                .filter(|(_, status)| **status == Status::Free);
            let error = dual.fold(error, |m, (s, _)| m.max(s.abs() / size(&u)));
            if error.is_nan() || (attempt == 0 && error > INVERSE_TOLERANCE) {
                self.refactor()?;
                (u, v) = self.kkt.solve(&self.rows, &self.q, &rhs, &self.c);
                continue;
            }
            if error < 1e-13 {
                break;
            }
            let (du, dv) = self.kkt.solve(&self.rows, &self.q, &r, &s);
            for (u, d) in u.iter_mut().zip(du) {
                *u += d;
            }
            for (v, d) in v.iter_mut().zip(dv) {
                *v += d;
            }
        }
        for (&row, u) in self.active.iter().zip(&u) {
            self.y[row] = *u;
        }
        for (j, v) in v.into_iter().enumerate() {
            if self.status[j] == Status::Free {
                self.p[j] = v;
            }
            self.rc[j] = self.c[j] + self.q[j] * self.p[j];
        }
        for &row in &self.active {
            self.rows.add_scaled(row, -self.y[row], &mut self.rc);
        }
        for (rc, status) in self.rc.iter_mut().zip(&self.status) {
            if *status == Status::Free {
                *rc = 0.0;
            }
        }
        Ok(())
    }

    /// Makes multipliers of the wrong sign right: linear columns and rows flip, quadratic columns flip or become free.
    /// True where something changed.
    pub(super) fn repair(&mut self) -> Step<bool> {
        let scale = self.y.iter().fold(1.0f64, |m, y| m.max(y.abs()));
        let tolerance = DUAL_TOLERANCE * scale;
        let mut changed = false;
        for (j, column) in self.model.columns.iter().enumerate() {
            let wrong = match self.status[j] {
                Status::AtLower => self.rc[j] < -tolerance,
                Status::AtUpper => self.rc[j] > tolerance,
                Status::Free => false,
            };
            if !wrong || column.hi <= column.lo {
                continue;
            }
            changed = true;
            let range = column.hi - column.lo;
            if self.q[j] > 0.0 && self.rc[j].abs() < self.q[j] * range {
                self.status[j] = Status::Free;
            } else {
                (self.status[j], self.p[j]) = match self.status[j] {
                    Status::AtLower => (Status::AtUpper, column.hi),
                    _ => (Status::AtLower, column.lo),
                };
            }
        }
        for k in 0..self.active.len() {
            let row = self.active[k];
            let wrong = match self.side[row] {
                -1 => self.y[row] < -tolerance,
                1 => self.y[row] > tolerance,
                _ => false,
            };
            if wrong {
                self.side[row] = -self.side[row];
                changed = true;
            }
        }
        if changed {
            self.refactor()?;
        }
        Ok(changed)
    }
}
