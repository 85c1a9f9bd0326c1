//! Linear programs: the dual simplex on the inverse between active rows and free columns (docs/method/dc-opf.md, section 3; Koberstein,
//! *The Dual Simplex Method*, 2005).

use super::bound_flipping_ratio_test::Breakpoint;
use super::state::{Constraint, Entering, Failure, SolverState, Step};
use crate::dc::basis::kkt::Status;
use wattbook_sparse::dot;

/// Updates of the inverse before it is formed anew.
const REFACTOR_AFTER: usize = 2500;
/// Error of a solve at which the inverse is formed anew.
const INVERSE_TOLERANCE: f64 = 1e-7;
/// Looks between two corrections of powers and multipliers.
const LOOKS_PER_CORRECTION: usize = 4;
/// Pivots between two looks at all lazy rows.
const PIVOTS_PER_LOOK: usize = 24;
/// Constraints that take part in a suboptimization.
const CANDIDATES: usize = 12;
/// Lines watched in between.
const WATCHED: usize = 64;
/// Two computations of one pivot may differ by this much of it.
const PIVOT_AGREEMENT: f64 = 1e-6;

impl SolverState<'_> {
    /// Runs to the optimum of the present costs.
    pub(super) fn optimise_linear(&mut self) -> Step<()> {
        let mut repairs = 0;
        // A solve that goes on has its budget anew.
        let before = if self.allowance.is_some() { self.pivots } else { 0 };
        let mut budget = before + 200 + 2 * self.active.len();
        let mut strength = super::PERTURBATION;
        // Squared norms of the rows of the inverse that belong to lazy rows, as last known.
        let mut weights: Vec<f64> = Vec::new();
        // Looks since powers and multipliers were corrected.
        let mut uncorrected = LOOKS_PER_CORRECTION;
        let mut spent = self.pivots;
        loop {
            self.spend(self.pivots - spent)?;
            spent = self.pivots;
            if self.basis.updates > REFACTOR_AFTER {
                self.refactor()?;
                uncorrected = LOOKS_PER_CORRECTION;
            }
            uncorrected += 1;
            if uncorrected > LOOKS_PER_CORRECTION {
                uncorrected = 0;
                self.refresh_linear()?;
                if self.repair()? {
                    repairs += 1;
                    if repairs > 200 {
                        return Err(Failure::Stalled("prices of the wrong sign kept coming back"));
                    }
                    uncorrected = LOOKS_PER_CORRECTION;
                    continue;
                }
            }
            let mut lines = self.violated_lines();
            lines.truncate(WATCHED);
            let watched = self.add_lazy_rows(&lines);
            if watched.is_empty() && self.worst_of(&watched).is_none() {
                if uncorrected == 0 {
                    return Ok(());
                }
                uncorrected = LOOKS_PER_CORRECTION;
                continue;
            }
            weights.resize(self.rows.len(), 1.0);
            let before = self.pivots;
            while self.pivots < before + PIVOTS_PER_LOOK {
                let chosen = self.steepest(&watched, &weights);
                if chosen.is_empty() {
                    break;
                }
                let so_far = self.pivots;
                self.suboptimize(&chosen, &mut weights)?;
                if self.pivots == so_far {
                    break;
                }
            }
            if self.pivots == before && uncorrected > 0 {
                uncorrected = LOOKS_PER_CORRECTION;
                continue;
            }
            if self.pivots == before {
                // By their own rows these lines are within their limits: the two ways to the flow differ by rounding.
                return Ok(());
            }
            if self.pivots > budget && self.is_perturbed && strength < 1e-3 {
                strength *= 10.0;
                self.perturb_more(strength);
                budget = self.pivots + 200 + 2 * self.active.len();
            }
        }
    }

    /// Free columns and watched rows whose violations are largest in the norms of their rows of the inverse, those of rows as
    /// last known, and their values.
    fn steepest(&self, watched: &[usize], weights: &[f64]) -> Vec<(Constraint, f64)> {
        let mut found: Vec<(f64, Constraint, f64)> = Vec::new();
        for (i, &j) in self.basis.columns.iter().enumerate() {
            let violation = (self.lo(j) - self.p[j]).max(self.p[j] - self.hi(j));
            if violation > super::PRIMAL_TOLERANCE {
                let row = self.basis.inverse.row(i);
                let score = violation * violation / dot(row, row);
                found.push((score, Constraint::Column(j), self.p[j]));
            }
        }
        let injections = self.products.injections(self.model, &self.p);
        for &row in watched.iter().filter(|&&row| self.side[row] == 0) {
            let (lo, hi) = self.limits(row);
            let value = self.products.value(&self.rows, row, &self.p, &injections);
            let violation = (lo - value).max(value - hi);
            if violation > super::PRIMAL_TOLERANCE {
                let score = violation * violation / weights[row];
                found.push((score, Constraint::Row(row), value));
            }
        }
        // Stable: equal scores keep their order.
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(CANDIDATES);
        // Of equal constraints, as lines side by side are, the first one is to enter, whatever was known of them.
        found.sort_by_key(|(_, constraint, _)| match *constraint {
            Constraint::Column(j) => (0, j),
            Constraint::Row(row) => (1, self.rows.line(row).map_or(0, |r| r.line)),
        });
        found
            .into_iter()
            .map(|(_, constraint, value)| (constraint, value))
            .collect()
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

    /// Powers, multipliers and reduced costs, corrected by what the rows and the free columns miss of them.
    pub(super) fn refresh_linear(&mut self) -> Step<()> {
        for attempt in 0..2 {
            let basis = &self.basis;
            let values = self.products.values(self.model, &self.rows, &basis.rows, &self.p);
            let missed = basis
                .rows
                .iter()
                .zip(values)
                .map(|(&row, value)| self.target(row) - value);
            let missed: Vec<f64> = missed.collect();
            let dp = basis.powers(&missed);
            let moved: Vec<(usize, f64)> = basis.columns.iter().copied().zip(dp).collect();
            for (j, dp) in moved {
                self.p[j] += dp;
            }
            let mut gradient = self.gradient_of(&self.y);
            let basis = &self.basis;
            let wrong: Vec<f64> = basis.columns.iter().map(|&j| self.c[j] - gradient[j]).collect();
            let size = |v: &[f64]| v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if size(&wrong) > 1e-13 {
                let dy: Vec<(usize, f64)> = basis.rows.iter().copied().zip(basis.multipliers(&wrong)).collect();
                for (row, dy) in dy {
                    self.y[row] += dy;
                }
                gradient = self.gradient_of(&self.y);
            }
            self.set_reduced_costs(&gradient);
            // What is left after the correction tells how good the inverse is.
            let basis = &self.basis;
            let left = basis
                .columns
                .iter()
                .fold(0.0f64, |m, &j| m.max((self.c[j] - gradient[j]).abs()));
            if left.is_nan() || left > INVERSE_TOLERANCE * (1.0 + size(&self.y)) {
                if attempt > 0 {
                    return Err(Failure::Stalled("the inverse of the basis was inaccurate"));
                }
                self.refactor()?;
                continue;
            }
            break;
        }
        Ok(())
    }

    /// One dual pivot: the entering constraint takes the place of the one that blocks its direction.
    pub(super) fn pivot(&mut self, entering: Entering) -> Step<()> {
        self.pivots += 1;
        let basis = &self.basis;
        let sign = entering.sign;
        // The row of the inverse that belongs to the entering constraint.
        let (own, response) = match entering.constraint {
            Constraint::Column(j) => match basis.column_place(j) {
                Some(i) => (Some(i), basis.inverse.row(i).to_vec()),
                None => return Err(Failure::Stalled("a free column was not in the basis")),
            },
            Constraint::Row(row) => (None, basis.multipliers(&basis.entries_of_row(&self.rows, row))),
        };
        let dy: Vec<(usize, f64)> = basis
            .rows
            .iter()
            .zip(&response)
            .map(|(&row, x)| (row, -sign * x))
            .collect();
        let mut terms = dy.clone();
        if let Constraint::Row(row) = entering.constraint {
            terms.push((row, sign));
        }
        let gradient = self.products.gradient(self.model, &self.rows, &terms);
        let drc: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let ratio_test = self.bound_flipping_ratio_test(entering.violation, 0.0, &dy, &drc);
        let Some(blocking) = ratio_test.blocking else {
            return Err(self.infeasible(&mut self.rows.clone(), &terms));
        };

        // Flips move the free columns.
        if !ratio_test.flips.is_empty() {
            self.flip_linear(&ratio_test.flips);
        }
        for &(row, rate) in &dy {
            self.y[row] += ratio_test.t * rate;
        }
        for (rc, rate) in self.rc.iter_mut().zip(&drc) {
            *rc += ratio_test.t * rate;
        }
        let step = self.swap_linear(entering, own, &response, blocking, ratio_test.t);
        self.count_step(ratio_test.t)?;
        if !step? {
            // The pivot was too small for an inverse this old.
            if self.basis.updates == 0 {
                return Err(Failure::Stalled("a pivot was too small"));
            }
            self.refactor()?;
            self.refresh_linear()?;
            self.repair()?;
        }
        Ok(())
    }

    /// Moves constraints to their other sides and the free columns so that the active rows stay met.
    fn flip_linear(&mut self, flips: &[Constraint]) {
        let basis = &self.basis;
        let mut rhs = vec![0.0; basis.len()];
        for &flip in flips {
            match flip {
                Constraint::Column(j) => {
                    let by = if self.status[j] == Status::AtLower {
                        self.hi(j) - self.lo(j)
                    } else {
                        self.lo(j) - self.hi(j)
                    };
                    for (r, &row) in rhs.iter_mut().zip(&basis.rows) {
                        *r -= self.rows.at(row, j) * by;
                    }
                }
                Constraint::Row(row) => {
                    let (lo, hi) = self.limits(row);
                    let by = if self.side[row] > 0 { lo - hi } else { hi - lo };
                    if let Some(k) = basis.row_place(row) {
                        rhs[k] += by;
                    }
                }
            }
        }
        let moved: Vec<(usize, f64)> = basis.columns.iter().copied().zip(basis.powers(&rhs)).collect();
        for (j, by) in moved {
            self.p[j] += by;
        }
        for &flip in flips {
            self.flip(flip);
        }
    }

    /// Changes basis and powers; false where the pivot is not trusted (nothing has changed then but the multipliers).
    fn swap_linear(
        &mut self,
        entering: Entering,
        own: Option<usize>,
        response: &[f64],
        blocking: Breakpoint,
        t: f64,
    ) -> Step<bool> {
        let mut basis = std::mem::take(&mut self.basis);
        let expected = blocking.rate;
        let agrees = |pivot: f64| (pivot.abs() - expected).abs() <= PIVOT_AGREEMENT * (1.0 + expected);
        // Movement of the free columns per unit of the leaving constraint's own movement, and the latter.
        let (moves, by, done) = match (entering.constraint, own, blocking.constraint) {
            (Constraint::Column(e), Some(i), Constraint::Column(j)) => {
                let u = basis.powers(&basis.entries_of_column(&self.rows, j));
                let bound = if entering.sign > 0.0 { self.lo(e) } else { self.hi(e) };
                let by = -(bound - self.p[e]) / u[i];
                let columns = basis.columns.clone();
                let done = agrees(u[i]) && basis.replace_column(i, j, &u);
                (
                    columns
                        .into_iter()
                        .zip(u)
                        .map(|(c, u)| (c, -u))
                        .chain([(j, 1.0)])
                        .collect::<Vec<_>>(),
                    by,
                    done,
                )
            }
            (Constraint::Column(e), Some(i), Constraint::Row(row)) => {
                let Some(r) = basis.row_place(row) else {
                    self.basis = basis;
                    return Ok(false);
                };
                let u = basis.inverse.column(r);
                let bound = if entering.sign > 0.0 { self.lo(e) } else { self.hi(e) };
                let by = (bound - self.p[e]) / u[i];
                let columns = basis.columns.clone();
                let done = agrees(u[i]) && basis.shrink(i, r);
                (columns.into_iter().zip(u).collect(), by, done)
            }
            (Constraint::Row(e), _, Constraint::Column(j)) => {
                let entries = basis.entries_of_column(&self.rows, j);
                let u = basis.powers(&entries);
                let pivot = self.rows.at(e, j) - dot(response, &entries);
                let by = entering.sign * self.violation_of(e, entering.sign) / pivot;
                let columns = basis.columns.clone();
                let done = agrees(pivot) && basis.grow(e, j, &u, response, pivot);
                (
                    columns
                        .into_iter()
                        .zip(u)
                        .map(|(c, u)| (c, -u))
                        .chain([(j, 1.0)])
                        .collect(),
                    by,
                    done,
                )
            }
            (Constraint::Row(e), _, Constraint::Row(row)) => {
                let Some(r) = basis.row_place(row) else {
                    self.basis = basis;
                    return Ok(false);
                };
                let u = basis.inverse.column(r);
                let by = entering.sign * self.violation_of(e, entering.sign) / response[r];
                let done = agrees(response[r]) && basis.replace_row(r, e, response);
                (basis.columns.iter().copied().zip(u).collect(), by, done)
            }
            _ => (Vec::new(), 0.0, false),
        };
        self.basis = basis;
        if !done || !by.is_finite() {
            return Ok(false);
        }
        for (j, rate) in moves {
            self.p[j] += by * rate;
        }
        self.release(blocking.constraint);
        self.insert(entering, t);
        Ok(true)
    }

    /// How far a row is outside the limit it enters at, now.
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
}
