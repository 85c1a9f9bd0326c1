//! The program for other solvers: sparse rows over equalities, half-lines and Lorentz cones.

use super::data::ConicData;
use super::formulation::ConicModel;
use super::program::Program;

/// The variables and cones of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConicForm {
    /// Products `wr`, with Jabr's cones as in the literature: `|(w_f - w_t, 2 wr, 2 wi)| <= w_f + w_t`.
    Products,
    /// The form that the engine solves: `e` in place of `wr`, boosted cones, scaled ratings.
    Boosted,
}

/// A sparse row: columns and coefficients.
pub type SparseRow = Vec<(usize, f64)>;

/// `min quad x^2 / 2 + cost x + constant` subject to `row x = value` for `equal`, `row x <= value` for `below`, and
/// `value - row x` in the Lorentz cone for the rows of each cone.
#[derive(Clone, Debug)]
pub struct ConicStandardForm {
    pub quad: Vec<f64>,
    pub cost: Vec<f64>,
    pub constant: f64,
    pub equal: Vec<(SparseRow, f64)>,
    pub below: Vec<(SparseRow, f64)>,
    pub cones: Vec<Vec<(SparseRow, f64)>>,
}

impl ConicModel {
    /// The program for these data in the form of general conic solvers.
    pub fn standard_form(&self, data: &ConicData, form: ConicForm) -> ConicStandardForm {
        let program = self.program(data);
        let n = program.n_outer();
        let size = n + 2 * program.pairs.len();
        // Converts gradients over (w_f, w_t, e, wi) to rows of the form.
        let local = |pair: usize, row: &[f64; 4]| -> SparseRow {
            let [f, t] = program.pairs[pair].nodes;
            let [by_f, by_t, by_e, by_i] = *row;
            let (shift, own) = match form {
                ConicForm::Boosted => (0.0, by_e),
                ConicForm::Products => (0.5 * by_e, -by_e),
            };
            vec![
                (f, by_f + shift),
                (t, by_t + shift),
                (n + 2 * pair, own),
                (n + 2 * pair + 1, by_i),
            ]
        };
        let mut found = ConicStandardForm {
            quad: vec![0.0; size],
            cost: vec![0.0; size],
            constant: self.cost_constant,
            equal: Vec::new(),
            below: Vec::new(),
            cones: Vec::new(),
        };
        for (k, column) in program.columns.iter().enumerate() {
            (found.cost[program.n + k], found.quad[program.n + k]) = (column.c, column.q);
        }
        found.equal = balances(&program, &local);
        let held = program.held.iter().enumerate();
        found
            .equal
            .extend(held.filter_map(|(node, at)| at.map(|at| (vec![(node, 1.0)], at))));
        let bounds = program.bounds.iter().map(|b| {
            let sign = if b.is_upper { 1.0 } else { -1.0 };
            (vec![(b.variable, sign)], sign * b.limit)
        });
        found.below = bounds.collect();
        for (k, pair) in program.pairs.iter().enumerate() {
            let rows = program.rows[pair.rows.clone()].iter();
            found.below.extend(rows.map(|row| (local(k, &row.row), row.limit)));
            let beta = match form {
                ConicForm::Boosted => pair.boost.beta,
                ConicForm::Products => 1.0,
            };
            found
                .cones
                .push(jabr(beta, form).map(|row| (local(k, &row.map(|c| -c)), 0.0)).to_vec());
            for t in &program.thermal[pair.thermal.clone()] {
                let scale = if form == ConicForm::Boosted { t.scale } else { 1.0 };
                let part = |row: &[f64; 4]| (local(k, &row.map(|c| -c / scale)), 0.0);
                found
                    .cones
                    .push(vec![(Vec::new(), t.limit / scale), part(&t.p), part(&t.q)]);
            }
        }
        found
    }
}

/// Rows of Jabr's cone over `(w_f, w_t, e, wi)`.
fn jabr(beta: f64, form: ConicForm) -> [[f64; 4]; 4] {
    let b = 1.0 / beta;
    match form {
        ConicForm::Boosted => [
            [b, b, beta - b, 0.0],
            [1.0, -1.0, 0.0, 0.0],
            [b, b, -beta - b, 0.0],
            [0.0, 0.0, 0.0, 2.0],
        ],
        // 2 wr = w_f + w_t - 2 e
        ConicForm::Products => [
            [1.0, 1.0, 0.0, 0.0],
            [1.0, -1.0, 0.0, 0.0],
            [1.0, 1.0, -2.0, 0.0],
            [0.0, 0.0, 0.0, 2.0],
        ],
    }
}

fn balances(program: &Program, local: &dyn Fn(usize, &[f64; 4]) -> SparseRow) -> Vec<(SparseRow, f64)> {
    let mut rows: Vec<(SparseRow, f64)> = Vec::with_capacity(2 * program.n);
    for node in 0..program.n {
        for part in 0..2 {
            rows.push((vec![(node, program.shunt[node][part])], program.demand[node][part]));
        }
    }
    for (k, column) in program.columns.iter().enumerate() {
        rows[2 * column.node + column.part].0.push((program.n + k, column.sign));
        if let Some(beyond) = &column.beyond {
            rows[2 * beyond.node].0.push((program.n + k, beyond.share));
        }
    }
    for (k, pair) in program.pairs.iter().enumerate() {
        for (of, row) in pair.flow.iter().enumerate() {
            let node = pair.nodes[of / 2];
            rows[2 * node + of % 2].0.extend(local(k, &row.map(|c| -c)));
        }
    }
    rows
}
