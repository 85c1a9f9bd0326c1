//! Several pivots of the dual simplex in one turn.
//!
//! The rows of the tableau of a few violated constraints are formed together, so that the inverse and the Laplacian's factor
//! are read once for all of them. Pivots among these constraints change their rows alone; then the basis takes all the
//! exchanges at once (suboptimisation: Rosander, Math. Prog. Study 4 (1975); Huangfu and Hall, Math. Prog. Comp. 10 (2018);
//! the exchange is a principal pivot transform: Tsatsomeros, Linear Algebra Appl. 307 (2000)).

use super::run::{Constraint, Entering, Failure, Run, Step};
use crate::dc::basis::Basis;
use wattbook_sparse::{add_scaled, dot, Lu};

/// Smaller pivots are refused.
const PIVOT_TOLERANCE: f64 = 1e-9;
/// After the first pivot of a turn the row of the tableau is a difference: pivots below this wait for the next turn.
const LATER_PIVOT: f64 = 1e-5;
/// The determinant of a turn's exchange and the product of its pivots may differ by this much of them.
const AGREEMENT: f64 = 1e-6;

/// A constraint that may enter, with its row of the tableau: rates of all multipliers per unit of its own.
struct Candidate {
    constraint: Constraint,
    value: f64,
    /// By row.
    y: Vec<f64>,
    /// By column.
    rc: Vec<f64>,
}

impl Candidate {
    fn rate(&self, of: Constraint) -> f64 {
        match of {
            Constraint::Row(row) => self.y[row],
            Constraint::Column(j) => self.rc[j],
        }
    }

    /// Squared norm of its row of the inverse, with the row's own one.
    fn weight(&self) -> f64 {
        dot(&self.y, &self.y)
    }
}

/// What a turn has changed.
#[derive(Default)]
struct Changes {
    entered: Vec<Constraint>,
    left: Vec<Constraint>,
    /// Rows that were flipped, once for each time.
    flipped: Vec<usize>,
    /// Product of the pivots.
    determinant: f64,
}

impl Run<'_> {
    /// How far a value is outside the limits of its constraint, and the sign of the way back.
    fn outside(&self, constraint: Constraint, value: f64) -> (f64, f64) {
        let (lo, hi) = match constraint {
            Constraint::Column(j) => (self.lo(j), self.hi(j)),
            Constraint::Row(row) => self.limits(row),
        };
        let (below, above) = (lo - value, value - hi);
        if below > above {
            (below, 1.0)
        } else {
            (above, -1.0)
        }
    }

    /// Pivots among these constraints, each with its value, as long as one of them is violated. Weights of rows are noted.
    pub(super) fn turn(&mut self, chosen: &[(Constraint, f64)], weights: &mut [f64]) -> Step<()> {
        let Some((responses, mut candidates)) = self.candidates(chosen) else {
            return Err(Failure::Stalled("a free column was not in the basis"));
        };
        for candidate in &candidates {
            if let Constraint::Row(row) = candidate.constraint {
                weights[row] = candidate.weight();
            }
        }
        let before = self.p.clone();
        let mut changes = Changes {
            determinant: 1.0,
            ..Changes::default()
        };
        while let Some((k, violation, sign)) = self.best_of(&candidates) {
            let candidate = candidates.remove(k);
            let dy: Vec<(usize, f64)> = self.active.iter().map(|&row| (row, sign * candidate.y[row])).collect();
            let drc: Vec<f64> = candidate.rc.iter().map(|rate| sign * rate).collect();
            let walk = self.walk(violation, 0.0, &dy, &drc);
            let is_first = changes.entered.is_empty();
            let Some(blocking) = walk.blocking else {
                if is_first {
                    let mut ray = dy;
                    if let Constraint::Row(row) = candidate.constraint {
                        ray.push((row, sign));
                    }
                    return Err(self.infeasible(&mut self.rows.clone(), &ray));
                }
                // To be seen again by its own row.
                break;
            };
            let pivot = candidate.rate(blocking.constraint);
            if is_first && pivot.abs() <= PIVOT_TOLERANCE {
                return self.start_anew("a pivot was too small");
            } else if !is_first && pivot.abs() <= LATER_PIVOT {
                break;
            }
            self.pivots += 1;
            for &(row, rate) in &dy {
                self.y[row] += walk.t * rate;
            }
            for (rc, rate) in self.rc.iter_mut().zip(&drc) {
                *rc += walk.t * rate;
            }
            // Flips move every value outside the basis, and the blocking constraint what is left of the violation.
            let mut value = candidate.value;
            for &flip in &walk.flips {
                let by = self.distance(flip);
                value -= candidate.rate(flip) * by;
                for other in &mut candidates {
                    other.value -= other.rate(flip) * by;
                }
                self.flip(flip);
                if let Constraint::Row(row) = flip {
                    changes.flipped.push(row);
                }
            }
            let (violation, _) = self.outside_at(candidate.constraint, value, sign);
            let by = -sign * violation / pivot;
            for other in &mut candidates {
                let rate = other.rate(blocking.constraint);
                if rate != 0.0 {
                    other.value -= rate * by;
                    let factor = -rate / pivot;
                    add_scaled(&mut other.y, factor, &candidate.y);
                    add_scaled(&mut other.rc, factor, &candidate.rc);
                    match blocking.constraint {
                        Constraint::Row(row) => other.y[row] = 0.0,
                        Constraint::Column(j) => other.rc[j] = 0.0,
                    }
                }
            }
            if let Constraint::Row(row) = blocking.constraint {
                weights[row] = (candidate.weight() / (pivot * pivot)).max(1.0);
            }
            changes.determinant *= pivot.abs();
            changes.left.push(blocking.constraint);
            changes.entered.push(candidate.constraint);
            self.release(blocking.constraint);
            let entering = Entering {
                constraint: candidate.constraint,
                sign,
                violation,
            };
            self.insert(entering, walk.t);
            self.count_step(walk.t)?;
        }
        if changes.entered.is_empty() {
            return Ok(());
        }
        if self.exchange_all(chosen, &responses, &before, changes)? {
            return Ok(());
        }
        self.start_anew("pivots did not agree")
    }

    /// A fresh inverse of the present active set.
    fn start_anew(&mut self, why: &'static str) -> Step<()> {
        if self.basis.updates == 0 {
            return Err(Failure::Stalled(why));
        }
        self.pivots += 1;
        self.refactor()?;
        self.refresh_linear()?;
        self.repair()?;
        Ok(())
    }

    /// From a constraint's present side to the other.
    fn distance(&self, of: Constraint) -> f64 {
        match of {
            Constraint::Column(j) if self.p[j] == self.lo(j) => self.hi(j) - self.lo(j),
            Constraint::Column(j) => self.lo(j) - self.hi(j),
            Constraint::Row(row) => {
                let (lo, hi) = self.limits(row);
                f64::from(self.side[row]) * (lo - hi)
            }
        }
    }

    /// How far a value is outside the limit on the side `sign` leads away from.
    fn outside_at(&self, constraint: Constraint, value: f64, sign: f64) -> (f64, f64) {
        let (lo, hi) = match constraint {
            Constraint::Column(j) => (self.lo(j), self.hi(j)),
            Constraint::Row(row) => self.limits(row),
        };
        if sign > 0.0 {
            (lo - value, lo)
        } else {
            (value - hi, hi)
        }
    }

    /// The candidate whose violation is largest in the norm of its row of the inverse (dual steepest edge; Forrest and
    /// Goldfarb, Math. Prog. 57 (1992)).
    fn best_of(&self, candidates: &[Candidate]) -> Option<(usize, f64, f64)> {
        let mut best = 0.0;
        let mut found = None;
        for (k, candidate) in candidates.iter().enumerate() {
            let (violation, sign) = self.outside(candidate.constraint, candidate.value);
            if violation > super::PRIMAL_TOLERANCE {
                let score = violation * violation / candidate.weight();
                if score > best {
                    best = score;
                    found = Some((k, violation, sign));
                }
            }
        }
        found
    }

    /// Rows of the inverse that belong to constraints, and their rows of the tableau.
    fn candidates(&self, chosen: &[(Constraint, f64)]) -> Option<(Vec<Vec<f64>>, Vec<Candidate>)> {
        let basis = &self.basis;
        let mut terms = basis.rows.clone();
        let entries: Vec<Vec<f64>> = chosen
            .iter()
            .filter_map(|(constraint, _)| match constraint {
                Constraint::Row(row) => Some(basis.entries_of_row(&self.rows, *row)),
                Constraint::Column(_) => None,
            })
            .collect();
        let entries: Vec<&[f64]> = entries.iter().map(|e| &e[..]).collect();
        let mut products = basis.inverse.transposed_times_together(&entries).into_iter();
        let mut responses = Vec::with_capacity(chosen.len());
        for (constraint, _) in chosen {
            responses.push(match constraint {
                Constraint::Row(row) => {
                    terms.push(*row);
                    products.next()?
                }
                Constraint::Column(j) => basis.inverse.row(basis.column_place(*j)?).to_vec(),
            });
        }
        let k = basis.len();
        let rates: Vec<Vec<f64>> = chosen
            .iter()
            .zip(&responses)
            .map(|((constraint, _), response)| {
                let own = |row: &usize| f64::from(u8::from(*constraint == Constraint::Row(*row)));
                let of_others = response.iter().map(|x| -x);
                of_others.chain(terms[k..].iter().map(own)).collect()
            })
            .collect();
        let gradients = self.products.gradients(self.model, &self.rows, &terms, &rates);
        let mut found = Vec::with_capacity(chosen.len());
        for (((constraint, value), rates), mut rc) in chosen.iter().zip(rates).zip(gradients) {
            let mut y = vec![0.0; self.rows.len()];
            for (&row, rate) in terms.iter().zip(rates) {
                y[row] += rate;
            }
            rc.iter_mut().for_each(|g| *g = -*g);
            for &j in &basis.columns {
                rc[j] = 0.0;
            }
            if let Constraint::Column(j) = *constraint {
                rc[j] = 1.0;
            }
            found.push(Candidate {
                constraint: *constraint,
                value: *value,
                y,
                rc,
            });
        }
        Some((responses, found))
    }

    /// Exchanges what has entered and left in the basis, and moves the free columns; false where the exchange is not trusted.
    fn exchange_all(
        &mut self,
        chosen: &[(Constraint, f64)],
        responses: &[Vec<f64>],
        before: &[f64],
        changes: Changes,
    ) -> Step<bool> {
        let net = |of: &[Constraint], but: &[Constraint]| -> Vec<Constraint> {
            of.iter().copied().filter(|c| !but.contains(c)).collect()
        };
        let entered = net(&changes.entered, &changes.left);
        let left = net(&changes.left, &changes.entered);
        let mut basis = std::mem::take(&mut self.basis);
        let (k, m) = (basis.len(), entered.len());

        // What the active rows that stay miss, once all but the free columns and what has left have moved.
        let mut moved = vec![0.0; self.p.len()];
        for (j, (now, then)) in self.p.iter().zip(before).enumerate() {
            moved[j] = now - then;
        }
        for &j in &basis.columns {
            moved[j] = 0.0;
        }
        for c in &left {
            if let Constraint::Column(j) = *c {
                moved[j] = 0.0;
            }
        }
        let mut missed = vec![0.0; k];
        if moved.iter().any(|x| *x != 0.0) {
            let values = self.products.values(self.model, &self.rows, &basis.rows, &moved);
            for (missed, value) in missed.iter_mut().zip(values) {
                *missed = -value;
            }
        }
        for (i, &row) in changes.flipped.iter().enumerate() {
            let again = changes.flipped[..i].contains(&row);
            let odd = changes.flipped.iter().filter(|&&r| r == row).count() % 2 == 1;
            if let (false, true, true, Some(r)) = (again, odd, self.side[row] != 0, basis.row_place(row)) {
                missed[r] -= self.distance(Constraint::Row(row));
            }
        }

        // Movement of the free columns: by what is missed, and per unit of each constraint that has left.
        let mut sides: Vec<Vec<f64>> = vec![missed];
        for c in &left {
            if let Constraint::Column(j) = *c {
                sides.push(basis.entries_of_column(&self.rows, j));
            }
        }
        let views: Vec<&[f64]> = sides.iter().map(|s| &s[..]).collect();
        let mut products = basis.inverse.times_together(&views).into_iter();
        let shift = products.next().unwrap_or_default();
        let mut moves: Vec<Vec<f64>> = Vec::with_capacity(m);
        let mut entries: Vec<Option<&Vec<f64>>> = Vec::with_capacity(m);
        let mut given = sides.iter().skip(1);
        for c in &left {
            match *c {
                Constraint::Column(_) => {
                    moves.push(products.next().unwrap_or_default().iter().map(|u| -u).collect());
                    entries.push(given.next());
                }
                Constraint::Row(row) => {
                    let Some(r) = basis.row_place(row) else {
                        self.basis = basis;
                        return Ok(false);
                    };
                    moves.push(basis.inverse.column(r));
                    entries.push(None);
                }
            }
        }

        // Movement of what has entered per unit of what has left, and the inverse of that.
        let response = |c: &Constraint| chosen.iter().position(|(of, _)| of == c).map(|i| &responses[i]);
        let mut pivots = Vec::with_capacity(m * m);
        let mut entered_rows: Vec<&Vec<f64>> = Vec::with_capacity(m);
        for e in &entered {
            let Some(v) = response(e) else {
                self.basis = basis;
                return Ok(false);
            };
            entered_rows.push(v);
            for (b, c) in left.iter().enumerate() {
                pivots.push(match (*e, *c, entries[b]) {
                    (Constraint::Column(j), _, _) => basis.column_place(j).map_or(0.0, |i| moves[b][i]),
                    (Constraint::Row(row), Constraint::Column(j), Some(g)) => self.rows.at(row, j) - dot(v, g),
                    (Constraint::Row(_), Constraint::Row(r), _) => basis.row_place(r).map_or(0.0, |r| v[r]),
                    _ => 0.0,
                });
            }
        }
        let factor = Lu::factor(m, pivots, 0.0);
        let agrees = |f: &Lu| (f.determinant() - changes.determinant).abs() <= AGREEMENT * changes.determinant;
        let Some(factor) = factor.filter(agrees) else {
            self.basis = basis;
            return Ok(false);
        };
        let inverse = factor.inverse();

        // Powers: what has entered is brought to its limit.
        let mut p = self.p.clone();
        for (&j, by) in basis.columns.iter().zip(&shift) {
            p[j] = before[j] + by;
        }
        for c in &left {
            if let Constraint::Column(j) = *c {
                p[j] = before[j];
            }
        }
        let injections = self.products.injections(self.model, &p);
        let mut short: Vec<f64> = Vec::with_capacity(m);
        for e in &entered {
            short.push(match *e {
                Constraint::Column(j) => self.p[j] - p[j],
                Constraint::Row(row) => self.target(row) - self.products.value(&self.rows, row, &p, &injections),
            });
        }
        for (b, c) in left.iter().enumerate() {
            let by = dot(&inverse[b * m..(b + 1) * m], &short);
            for (&j, rate) in basis.columns.iter().zip(&moves[b]) {
                p[j] += by * rate;
            }
            if let Constraint::Column(j) = *c {
                p[j] += by;
            }
        }
        for e in &entered {
            if let Constraint::Column(j) = *e {
                p[j] = self.p[j];
            }
        }
        self.p = p;
        exchange_in(&mut basis, &entered, &left, &moves, &entered_rows, &inverse);
        self.basis = basis;
        Ok(true)
    }
}

/// The basis with `entered` (rows, or columns that were free) in the place of `left` (active rows, or columns that become
/// free): `moves` are movements of the free columns per unit of each that left, `responses` the rows of the inverse of each
/// that entered, `inverse` that of the movements of the one per unit of the other.
fn exchange_in(
    basis: &mut Basis,
    entered: &[Constraint],
    left: &[Constraint],
    moves: &[Vec<f64>],
    responses: &[&Vec<f64>],
    inverse: &[f64],
) {
    let (k, m) = (basis.len(), entered.len());
    // Rows of the inverse by what has left.
    let mut rows = vec![vec![0.0; k]; m];
    for (b, row) in rows.iter_mut().enumerate() {
        for (e, v) in responses.iter().enumerate() {
            add_scaled(row, -inverse[b * m + e], v);
        }
    }
    // Columns of the inverse by what has entered.
    let mut columns = vec![vec![0.0; k]; m];
    for (e, column) in columns.iter_mut().enumerate() {
        for (b, u) in moves.iter().enumerate() {
            add_scaled(column, inverse[b * m + e], u);
        }
    }
    basis.inverse.add_outers(moves, &rows);
    let place = |c: &Constraint| match *c {
        Constraint::Row(row) => (true, row, basis.row_place(row)),
        Constraint::Column(j) => (false, j, basis.column_place(j)),
    };
    let list = |of: &[Constraint], wants_row: bool| -> Vec<(usize, usize, Option<usize>)> {
        let found = of.iter().enumerate().map(|(i, c)| (i, place(c)));
        found
            .filter(|(_, (is_row, _, _))| *is_row == wants_row)
            .map(|(i, (_, name, at))| (i, name, at))
            .collect()
    };
    let (new_rows, old_rows) = (list(entered, true), list(left, true));
    let (new_columns, old_columns) = (list(left, false), list(entered, false));
    let grown = new_rows.len().saturating_sub(old_rows.len());
    basis.inverse.grow(grown);
    let slots = |old: &[(usize, usize, Option<usize>)], new: usize| -> Vec<usize> {
        let known = old.iter().filter_map(|o| o.2);
        known.chain(k..).take(new).collect()
    };
    let column_slots = slots(&old_columns, new_columns.len());
    let row_slots = slots(&old_rows, new_rows.len());
    basis.columns.resize(k + grown, 0);
    basis.rows.resize(k + grown, 0);
    for (&(b, name, _), &i) in new_columns.iter().zip(&column_slots) {
        basis.inverse.row_mut(i)[..k].copy_from_slice(&rows[b]);
        basis.columns[i] = name;
    }
    for (&(e, name, _), &r) in new_rows.iter().zip(&row_slots) {
        for (i, value) in columns[e].iter().enumerate() {
            basis.inverse.set(i, r, *value);
        }
        for (&(b, _, _), &i) in new_columns.iter().zip(&column_slots) {
            basis.inverse.set(i, r, inverse[b * m + e]);
        }
        basis.rows[r] = name;
    }
    // What is left over goes, the last first.
    let spare = |old: &[(usize, usize, Option<usize>)], used: usize| -> Vec<usize> {
        let mut at: Vec<usize> = old.iter().skip(used).filter_map(|o| o.2).collect();
        at.sort_unstable_by(|a, b| b.cmp(a));
        at
    };
    let gone = spare(&old_columns, new_columns.len()).into_iter();
    for (i, r) in gone.zip(spare(&old_rows, new_rows.len())) {
        basis.inverse.swap_remove(i, r);
        basis.columns.swap_remove(i);
        basis.rows.swap_remove(r);
    }
    basis.updates += m;
}
