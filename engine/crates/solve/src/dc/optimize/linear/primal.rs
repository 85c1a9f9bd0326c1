//! Primal steps to the optimum at the true costs, from a feasible dispatch.
//!
//! Without generator costs there are many ties, and removal of the perturbation would send the dual method through as
//! many infeasible dispatches. Primal steps keep the dispatch feasible: every line is in the ratio test, with or
//! without a row (Maros, *Computational Techniques of the Simplex Method*, 2003, chapter 9).

use super::method::{Linear, PrimalRun};
use crate::dc::basis::kkt::Status;
use crate::dc::optimize::state::{Constraint, Failure, SolverState, Step};
use wattbook_network::message_key;
use wattbook_sparse::dot;

/// Multipliers of the wrong sign below this (scaled prices) are rounding errors.
const DUAL_TOLERANCE: f64 = 1e-10;
/// Share of the objective that multipliers of the wrong sign may still cost.
const NEGLIGIBLE: f64 = 1e-7;
/// Constraints with smaller rates do not move.
const ZERO_RATE: f64 = 1e-9;
/// A step may exceed a limit by this (per unit) in favour of a larger rate (Harris, Math. Prog. 5 (1973)).
const SLACK: f64 = 1e-9;
const MOST_STEPS: usize = 5_000;
/// Steps after which the values of lines are recomputed.
const FOLLOWED: usize = 20;

/// The constraint that stops a step.
#[derive(Clone, Copy, Debug)]
enum Wall {
    /// A free column, by its index in the basis.
    Column {
        place: usize,
        column: usize,
        upper: bool,
    },
    Line {
        line: usize,
        upper: bool,
    },
}

/// The result of a primal step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stepped {
    /// A move from one side to the other; basis and multipliers are unchanged.
    Flipped,
    Pivoted,
    /// The pivot is rejected; nothing has changed.
    Refused,
}

impl SolverState<'_, Linear> {
    /// Improves the objective until every multiplier has the right sign.
    pub(in crate::dc::optimize) fn clean(&mut self) -> Step<()> {
        let mut run = match self.method.primal.take() {
            Some(run) => run,
            None => {
                self.refresh_linear()?;
                PrimalRun {
                    steps: 0,
                    values: self.line_values(&self.p),
                    followed: 0,
                }
            }
        };
        while run.steps < MOST_STEPS {
            run.steps += 1;
            let Some((leaving, sign)) = self.wrong_sign() else {
                return Ok(());
            };
            match self.primal_step(leaving, sign, &mut run.values)? {
                Stepped::Flipped => {}
                Stepped::Pivoted => self.refresh_linear()?,
                Stepped::Refused if self.method.basis.updates == 0 => {
                    return Err(Failure::Stalled(message_key!("stall.small_primal_pivot")));
                }
                Stepped::Refused => {
                    self.refactor()?;
                    self.refresh_linear()?;
                    run.followed = FOLLOWED;
                }
            }
            run.followed += 1;
            if run.followed > FOLLOWED {
                run.values = self.line_values(&self.p);
                run.followed = 0;
            }
            if let Err(exhausted) = self.spend(1) {
                self.method.primal = Some(run);
                return Err(exhausted);
            }
        }
        Err(Failure::Stalled(message_key!("stall.primal_steps")))
    }

    /// The constraint whose multiplier of the wrong sign may cost most, and the direction in which to leave it; `None`
    /// if all of them together cost a negligible amount.
    fn wrong_sign(&self) -> Option<(Constraint, f64)> {
        let (mut worst, mut total) = (0.0, 0.0);
        let mut found = None;
        let mut consider = |wrong: f64, range: f64, constraint: Constraint, sign: f64| {
            if wrong > DUAL_TOLERANCE {
                total += wrong * range;
                if wrong * range > worst {
                    worst = wrong * range;
                    found = Some((constraint, sign));
                }
            }
        };
        for (j, (status, rc)) in self.status.iter().zip(&self.rc).enumerate() {
            let range = self.hi(j) - self.lo(j);
            match status {
                Status::AtLower => consider(-rc, range, Constraint::Column(j), 1.0),
                Status::AtUpper => consider(*rc, range, Constraint::Column(j), -1.0),
                Status::Free => {}
            }
        }
        for &row in &self.active {
            let (lo, hi) = self.limits(row);
            let side = f64::from(self.side[row]);
            consider(side * self.y[row], hi - lo, Constraint::Row(row), -side);
        }
        found.filter(|_| total > NEGLIGIBLE * dot(&self.c, &self.p))
    }

    /// Leaves a constraint as far as the others allow. `values` are those of the lines without their constants.
    fn primal_step(&mut self, leaving: Constraint, sign: f64, values: &mut [f64]) -> Step<Stepped> {
        let basis = &self.method.basis;
        let (own, range, entries, moved) = match leaving {
            Constraint::Column(j) => {
                let entries = basis.entries_of_column(&self.rows, j);
                let moved: Vec<f64> = basis.powers(&entries).iter().map(|u| -sign * u).collect();
                (None, self.hi(j) - self.lo(j), entries, moved)
            }
            Constraint::Row(row) => {
                let Some(k) = basis.row_place(row) else {
                    return Err(Failure::Stalled(message_key!("stall.row_not_in_basis")));
                };
                let (lo, hi) = self.limits(row);
                let moved = basis.inverse.column(k).iter().map(|u| sign * u).collect();
                (Some(k), hi - lo, Vec::new(), moved)
            }
        };
        let mut rates = vec![0.0; self.p.len()];
        for (&j, &rate) in basis.columns.iter().zip(&moved) {
            rates[j] = rate;
        }
        if let Constraint::Column(j) = leaving {
            rates[j] = sign;
        }
        let line_rates = self.line_values(&rates);
        let wall = self.wall(leaving, &moved, values, &line_rates);
        let wall = wall.filter(|(t, _)| *t < range);
        let by = wall.map_or(range, |(t, _)| t);
        let step = |x: &mut [f64], rates: &[f64]| x.iter_mut().zip(rates).for_each(|(x, rate)| *x += by * rate);
        let Some((_, wall)) = wall else {
            step(&mut self.p, &rates);
            step(values, &line_rates);
            self.flip(leaving);
            return Ok(Stepped::Flipped);
        };

        let blocking = match wall {
            Wall::Column { column, .. } => Constraint::Column(column),
            Wall::Line { line, .. } => Constraint::Row(self.add_lazy_rows(&[line])[0]),
        };
        let unsigned = |x: &[f64]| x.iter().map(|u| -sign * u).collect::<Vec<f64>>();
        let done = match (leaving, wall, blocking) {
            (Constraint::Column(j), Wall::Column { place, .. }, _) => {
                self.method.basis.replace_column(place, j, &unsigned(&moved))
            }
            (Constraint::Row(_), Wall::Column { place, .. }, _) => {
                own.is_some_and(|k| self.method.basis.shrink(place, k))
            }
            (_, _, Constraint::Row(row)) => {
                let response = self
                    .method
                    .basis
                    .multipliers(&self.method.basis.entries_of_row(&self.rows, row));
                match (leaving, own) {
                    (Constraint::Column(j), _) => {
                        let pivot = self.rows.at(row, j) - dot(&response, &entries);
                        self.method.basis.grow(row, j, &unsigned(&moved), &response, pivot)
                    }
                    (_, Some(k)) => self.method.basis.replace_row(k, row, &response),
                    _ => false,
                }
            }
            _ => false,
        };
        if !done {
            return Ok(Stepped::Refused);
        }
        rates.resize(self.p.len(), 0.0);
        step(&mut self.p, &rates);
        step(values, &line_rates);
        self.release(leaving);
        match (blocking, wall) {
            (Constraint::Column(j), Wall::Column { upper, .. }) => {
                (self.status[j], self.p[j]) = if upper {
                    (Status::AtUpper, self.hi(j))
                } else {
                    (Status::AtLower, self.lo(j))
                };
            }
            (Constraint::Row(row), Wall::Line { upper, .. }) => {
                self.active.push(row);
                self.side[row] = if upper { 1 } else { -1 };
            }
            _ => {}
        }
        Ok(Stepped::Pivoted)
    }

    /// The free column or line that stops a step first; of those at nearly the same length, the one that moves fastest.
    fn wall(&self, leaving: Constraint, moved: &[f64], values: &[f64], line_rates: &[f64]) -> Option<(f64, Wall)> {
        let mut walls: Vec<(f64, f64, Wall)> = Vec::new();
        let mut longest = f64::INFINITY;
        let mut consider = |rate: f64, value: f64, lo: f64, hi: f64, wall: &dyn Fn(bool) -> Wall| {
            let upper = rate > 0.0;
            let slack = if upper { hi - value } else { value - lo };
            if rate.abs() > ZERO_RATE && slack.is_finite() {
                longest = longest.min((slack.max(0.0) + SLACK) / rate.abs());
                walls.push((slack.max(0.0) / rate.abs(), rate.abs(), wall(upper)));
            }
        };
        for (place, (&column, &rate)) in self.method.basis.columns.iter().zip(moved).enumerate() {
            consider(rate, self.p[column], self.lo(column), self.hi(column), &|upper| {
                Wall::Column { place, column, upper }
            });
        }
        let leaving = match leaving {
            Constraint::Row(row) => self.rows.line(row).map(|r| r.line),
            Constraint::Column(_) => None,
        };
        for (line, (&value, &rate)) in values.iter().zip(line_rates).enumerate() {
            let active = self.rows.row_of_line[line].is_some_and(|row| self.side[row] != 0);
            if !active && Some(line) != leaving && !self.problem.bounds.is_bound[line] {
                let (lo, hi) = self.problem.line_limits[line];
                let base = self.problem.line_base[line];
                consider(rate, base + value, lo, hi, &|upper| Wall::Line { line, upper });
            }
        }
        let near = walls.into_iter().filter(|w| w.0 <= longest);
        let fastest = near.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((fastest.0, fastest.2))
    }
}
