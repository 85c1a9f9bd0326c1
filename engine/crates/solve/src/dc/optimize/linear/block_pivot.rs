//! Block pivot: the exchange of several constraints of a basis at once at the end of a suboptimization, a principal
//! pivot transform (Tsatsomeros, Linear Algebra Appl. 307 (2000)).

use super::method::Linear;
use crate::dc::basis::inverse::Basis;
use crate::dc::optimize::state::{Constraint, SolverState};
use wattbook_sparse::{add_scaled, dot, Lu};

/// Largest relative difference between the determinant of a block pivot and the product of its pivots.
const AGREEMENT: f64 = 1e-6;

/// The changes that a suboptimization makes.
#[derive(Default)]
pub(in crate::dc::optimize) struct Changes {
    pub entered: Vec<Constraint>,
    pub left: Vec<Constraint>,
    /// Rows that were flipped, with one entry per flip.
    pub flipped: Vec<usize>,
    /// Product of the pivots.
    pub determinant: f64,
}

impl SolverState<'_, Linear> {
    /// Exchanges the entered and left constraints in the basis, and moves the free columns from their positions
    /// `before`. False, with nothing moved, if the exchange is inaccurate. `responses` are rows of the inverse for each
    /// chosen constraint.
    pub(in crate::dc::optimize) fn block_pivot(
        &mut self,
        chosen: &[(Constraint, f64)],
        responses: &[Vec<f64>],
        before: &[f64],
        changes: &Changes,
    ) -> bool {
        let mut basis = std::mem::take(&mut self.method.basis);
        let moved = self.block_pivoted(&mut basis, chosen, responses, before, changes);
        self.method.basis = basis;
        if let Some(p) = moved {
            self.p = p;
            return true;
        }
        false
    }

    /// The powers after an exchange, which `basis` adopts; `None` with an unchanged basis if the exchange is
    /// inaccurate.
    fn block_pivoted(
        &self,
        basis: &mut Basis,
        chosen: &[(Constraint, f64)],
        responses: &[Vec<f64>],
        before: &[f64],
        changes: &Changes,
    ) -> Option<Vec<f64>> {
        let net = |of: &[Constraint], but: &[Constraint]| -> Vec<Constraint> {
            of.iter().copied().filter(|c| !but.contains(c)).collect()
        };
        let entered = net(&changes.entered, &changes.left);
        let left = net(&changes.left, &changes.entered);
        let (k, m) = (basis.len(), entered.len());

        // Residuals of the remaining active rows after all but the free columns and the left constraints have moved.
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

        // Movement of the free columns: for the residuals, and per unit of each left constraint.
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
                    moves.push(basis.inverse.column(basis.row_place(row)?));
                    entries.push(None);
                }
            }
        }

        // Movement of the entered constraints per unit of the left ones, and its inverse.
        let response = |c: &Constraint| chosen.iter().position(|(of, _)| of == c).map(|i| &responses[i]);
        let mut pivots = Vec::with_capacity(m * m);
        let mut entered_rows: Vec<&Vec<f64>> = Vec::with_capacity(m);
        for e in &entered {
            let v = response(e)?;
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
        let inverse = factor.filter(agrees)?.inverse();

        // Powers: the entered constraints move to their limits.
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
        replace_block(basis, &entered, &left, &moves, &entered_rows, &inverse);
        Some(p)
    }
}

/// The basis with `entered` (rows, or columns that were free) in place of `left` (active rows, or columns that become
/// free). `moves` are movements of the free columns per unit of each left constraint, `responses` the rows of the
/// inverse of each entered one, and `inverse` is the inverse of the movements of the entered per unit of the left.
fn replace_block(
    basis: &mut Basis,
    entered: &[Constraint],
    left: &[Constraint],
    moves: &[Vec<f64>],
    responses: &[&Vec<f64>],
    inverse: &[f64],
) {
    let (k, m) = (basis.len(), entered.len());
    // Rows of the inverse for the left constraints.
    let mut rows = vec![vec![0.0; k]; m];
    for (b, row) in rows.iter_mut().enumerate() {
        for (e, v) in responses.iter().enumerate() {
            add_scaled(row, -inverse[b * m + e], v);
        }
    }
    // Columns of the inverse for the entered constraints.
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
    // The remaining ones are removed, the last first.
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
