//! Newton's method in polar coordinates (Tinney and Hart, IEEE Trans. PAS-86 (1967)), by blocks of two on the graph of nodes.
//!
//! Unknowns are `(d angle, d ln magnitude)` of each node. With `T_ij = V_i conj(Y_ij V_j) = a + jb` the derivatives of
//! `S_i = sum_j T_ij` are `dP/d angle_j = b`, `dP/d ln|V_j| = a`, `dQ/d angle_j = -a`, `dQ/d ln|V_j| = b` (van Amerongen,
//! IEEE Trans. Power Systems 4 (1989), equations 5 to 8). Which rows hold is a matter of values, not of the pattern: a node
//! that holds a voltage has the row `d ln|V| = 0`, a reference the unit block.

use super::equations::{Equations, SlackRule, Voltages};
use super::model::AcModel;
use super::topology::NodeKind;
use num_complex::Complex64;
use wattbook_sparse::{Block, BlockLu, BlockRows};

/// Largest mismatch of a solution, per unit.
pub(crate) const TOLERANCE: f64 = 1e-8;
/// From a usable start Newton's method is done in nine steps.
pub(crate) const MOST_STEPS: usize = 15;
/// On the way to a solution the mismatch grows in few steps, mostly the first.
const MOST_GROWTHS: usize = 3;
/// A magnitude below this is no operating point, per unit.
const COLLAPSED: f64 = 0.2;
/// A mismatch above this does not come back, per unit.
const DIVERGED: f64 = 1e8;

/// The Jacobian of an iterate, factored, and bordered where slack is distributed:
/// `J dx - w d slack = r`, the reference's row of active power included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jacobian {
    lu: BlockLu,
    blocks: Vec<Block>,
    diagonal: Vec<Block>,
    /// Kinds of the rows.
    pub kinds: Vec<NodeKind>,
    border: Option<Border>,
}

#[derive(Clone, Debug)]
struct Border {
    /// Solution for the participation of the nodes, `J^-1 w`; islands do not meet.
    dw: Vec<[f64; 2]>,
    /// By island: row of the reference's active power, and `row dw - w_reference`.
    rows: Vec<Vec<(usize, [f64; 2])>>,
    pivot: Vec<f64>,
}

/// The Jacobian is singular, or its values are no numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingularJacobian;

fn along(row: &[(usize, [f64; 2])], x: &[[f64; 2]]) -> f64 {
    row.iter()
        .fold(0.0, |sum, &(j, c)| sum + c[0] * x[j][0] + c[1] * x[j][1])
}

impl Jacobian {
    /// Factors at `voltages`, where nodes inject `injections`.
    pub fn set(
        &mut self,
        equations: &Equations,
        voltages: &Voltages,
        injections: &[Complex64],
    ) -> Result<(), SingularJacobian> {
        let model = equations.model;
        let (y, v) = (&model.admittance, &voltages.phasor);
        self.blocks.resize(y.values.len(), [0.0; 4]);
        self.diagonal.resize(v.len(), [0.0; 4]);
        self.kinds.clone_from(&equations.kinds);
        let distributed = equations.rule == SlackRule::Distributed;
        let mut rows = vec![Vec::new(); if distributed { model.references.len() } else { 0 }];
        for (i, &kind) in equations.kinds.iter().enumerate() {
            let range = y.range(i);
            let blocks = &mut self.blocks[range.clone()];
            let entries = y.columns[range.clone()].iter().zip(&y.values[range]);
            if kind == NodeKind::Reference {
                blocks.fill([0.0; 4]);
                self.diagonal[i] = [1.0, 0.0, 0.0, 1.0];
                if distributed {
                    rows[model.island_of_node[i]] = entries
                        .map(|(&j, y)| (j as usize, v[i] * (y * v[j as usize]).conj()))
                        .map(|(j, t)| (j, [t.im, t.re]))
                        .collect();
                }
                continue;
            }
            let is_pq = kind == NodeKind::Pq;
            for ((&j, y), block) in entries.zip(blocks) {
                let t = v[i] * (y * v[j as usize]).conj();
                *block = if is_pq {
                    [t.im, t.re, -t.re, t.im]
                } else {
                    [t.im, t.re, 0.0, 0.0]
                };
            }
            let (t, s) = (v[i] * (y.diagonal[i] * v[i]).conj(), injections[i]);
            self.diagonal[i] = if is_pq {
                [t.im - s.im, s.re + t.re, s.re - t.re, s.im + t.im]
            } else {
                [t.im - s.im, s.re + t.re, 0.0, 1.0]
            };
        }
        let matrix = BlockRows {
            start: &y.start,
            columns: &y.columns,
            blocks: &self.blocks,
            diagonal: &self.diagonal,
        };
        self.lu
            .refactor(&model.pattern, &matrix)
            .map_err(|_| SingularJacobian)?;
        self.border = None;
        if distributed {
            let mut dw: Vec<[f64; 2]> = (0..v.len()).map(|i| [equations.participation(i), 0.0]).collect();
            self.mask(&mut dw);
            self.lu.solve(&model.pattern, &mut dw);
            let pivot = model.references.iter().zip(&rows);
            let pivot: Vec<f64> = pivot
                .map(|(&(node, _), row)| along(row, &dw) - equations.participation(node))
                .collect();
            if pivot.iter().any(|p| !p.is_finite() || p.abs() < 1e-12) {
                return Err(SingularJacobian);
            }
            self.border = Some(Border { dw, rows, pivot });
        }
        Ok(())
    }

    /// Puts zeros where a right-hand side has no equation.
    fn mask(&self, x: &mut [[f64; 2]]) {
        for (x, kind) in x.iter_mut().zip(&self.kinds) {
            match kind {
                NodeKind::Pq => {}
                NodeKind::Pv => x[1] = 0.0,
                NodeKind::Reference => *x = [0.0; 2],
            }
        }
    }

    /// Solves `J x - w s = r` in place, whatever `r` holds where there is no equation; gives `s` by island, zero where slack is
    /// not distributed.
    pub fn solve(&self, model: &AcModel, x: &mut [[f64; 2]]) -> Vec<f64> {
        let reference: Vec<f64> = model.references.iter().map(|&(node, _)| x[node][0]).collect();
        self.mask(x);
        self.lu.solve(&model.pattern, x);
        let Some(border) = &self.border else {
            return vec![0.0; model.references.len()];
        };
        let slack: Vec<f64> = (0..reference.len())
            .map(|k| (reference[k] - along(&border.rows[k], x)) / border.pivot[k])
            .collect();
        for ((x, dw), &island) in x.iter_mut().zip(&border.dw).zip(&model.island_of_node) {
            x[0] += slack[island] * dw[0];
            x[1] += slack[island] * dw[1];
        }
        slack
    }

    /// Solves the transposed system: with the result `l`, `g'x = l'r` for the solution `x` of `solve` with any `r`. Zero where
    /// there is no equation.
    pub fn solve_transposed(&self, model: &AcModel, g: &mut [[f64; 2]]) {
        let mut at_reference = vec![0.0; model.references.len()];
        if let Some(border) = &self.border {
            for ((g, dw), &island) in g.iter().zip(&border.dw).zip(&model.island_of_node) {
                at_reference[island] += g[0] * dw[0] + g[1] * dw[1];
            }
            for (k, row) in border.rows.iter().enumerate() {
                at_reference[k] /= border.pivot[k];
                for &(j, c) in row {
                    g[j][0] -= at_reference[k] * c[0];
                    g[j][1] -= at_reference[k] * c[1];
                }
            }
        }
        self.lu.solve_transposed(&model.pattern, g);
        self.mask(g);
        for (&(node, _), value) in model.references.iter().zip(at_reference) {
            g[node][0] = value;
        }
    }
}

/// Newton's method and what it leaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    /// Injections and mismatch of the last iterate.
    pub injections: Vec<Complex64>,
    pub mismatch: Vec<[f64; 2]>,
    pub largest: f64,
    /// The smallest largest mismatch on the way, with the mismatches.
    pub best: Option<(f64, Vec<[f64; 2]>)>,
    jacobian: Jacobian,
    /// All steps so far.
    pub steps: usize,
}

/// No solution from this start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotConverged;

impl Newton {
    /// Mismatch of `voltages`.
    pub fn evaluate(&mut self, equations: &Equations, voltages: &Voltages) -> f64 {
        equations.injections(voltages, &mut self.injections);
        self.measure(equations, voltages)
    }

    /// Mismatch of `voltages` with their injections, which are known.
    fn measure(&mut self, equations: &Equations, voltages: &Voltages) -> f64 {
        self.largest = equations.mismatch(&self.injections, &voltages.slack, &mut self.mismatch);
        self.largest
    }

    /// Moves `voltages` to a solution. Magnitudes that are held must stand at their set-points. Given up where the mismatch has
    /// grown in `MOST_GROWTHS` steps.
    pub fn solve(
        &mut self,
        equations: &Equations,
        voltages: &mut Voltages,
        tolerance: f64,
    ) -> Result<(), NotConverged> {
        let (mut before, mut growths) = (self.evaluate(equations, voltages), 0);
        for _ in 0..=MOST_STEPS {
            if !self.is_usable(voltages) {
                return Err(NotConverged);
            }
            if self.largest <= tolerance {
                return Ok(());
            }
            if self.best.as_ref().is_none_or(|(best, _)| self.largest < *best) {
                self.best = Some((self.largest, self.mismatch.clone()));
            }
            let mut jacobian = std::mem::take(&mut self.jacobian);
            let set = jacobian.set(equations, voltages, &self.injections);
            if set.is_ok() {
                self.step(&jacobian, equations, voltages);
            }
            self.jacobian = jacobian;
            set.map_err(|_| NotConverged)?;
            growths += usize::from(self.largest > before);
            before = self.largest;
            if growths >= MOST_GROWTHS {
                return Err(NotConverged);
            }
        }
        Err(NotConverged)
    }

    /// As `solve` from a solution close by: given up where a step other than the first does not halve the mismatch. At the
    /// nose of a solution curve Newton's steps still divide it by four.
    pub fn correct(
        &mut self,
        equations: &Equations,
        voltages: &mut Voltages,
        tolerance: f64,
    ) -> Result<(), NotConverged> {
        let mut before = f64::INFINITY;
        self.evaluate(equations, voltages);
        for _ in 0..=MOST_STEPS {
            if !self.is_usable(voltages) {
                return Err(NotConverged);
            }
            if self.largest <= tolerance {
                return Ok(());
            }
            if self.largest > 0.5 * before {
                return Err(NotConverged);
            }
            // What the first step leaves is of second order, and may be more than there was.
            before = if before.is_finite() {
                self.largest
            } else {
                2.0 * DIVERGED
            };
            let mut jacobian = std::mem::take(&mut self.jacobian);
            let set = jacobian.set(equations, voltages, &self.injections);
            if set.is_ok() {
                self.step(&jacobian, equations, voltages);
            }
            self.jacobian = jacobian;
            set.map_err(|_| NotConverged)?;
        }
        Err(NotConverged)
    }

    fn step(&mut self, jacobian: &Jacobian, equations: &Equations, voltages: &mut Voltages) {
        let mut x: Vec<[f64; 2]> = self.mismatch.iter().map(|f| [-f[0], -f[1]]).collect();
        let slack = jacobian.solve(equations.model, &mut x);
        voltages.step(&x, &slack);
        self.steps += 1;
        self.evaluate(equations, voltages);
    }

    fn is_usable(&self, voltages: &Voltages) -> bool {
        // Not so where it is no number.
        self.largest <= DIVERGED && voltages.magnitude.iter().all(|&v| v > COLLAPSED)
    }

    /// Moves `voltages` to a solution by chord steps: with the Jacobian `held`, and another one once the mismatch falls by less
    /// than a factor of ten. `injections` are those of `voltages`, where they are known.
    pub fn solve_from(
        &mut self,
        held: &Jacobian,
        injections: Option<&[Complex64]>,
        equations: &Equations,
        voltages: &mut Voltages,
    ) -> Result<(), NotConverged> {
        const MOST: usize = 30;
        let mut own: Option<Jacobian> = None;
        match injections {
            Some(known) => {
                self.injections = known.to_vec();
                self.measure(equations, voltages);
            }
            None => {
                self.evaluate(equations, voltages);
            }
        }
        for _ in 0..MOST {
            if !self.is_usable(voltages) {
                return Err(NotConverged);
            }
            let before = self.largest;
            if before <= TOLERANCE {
                return Ok(());
            }
            self.step(own.as_ref().unwrap_or(held), equations, voltages);
            if self.largest > TOLERANCE && self.largest > 0.1 * before && self.is_usable(voltages) {
                let jacobian = own.get_or_insert_default();
                jacobian
                    .set(equations, voltages, &self.injections)
                    .map_err(|_| NotConverged)?;
            }
        }
        Err(NotConverged)
    }
}

impl Newton {
    /// The Jacobian at `voltages`, which must have been evaluated last.
    pub fn jacobian_at(&self, equations: &Equations, voltages: &Voltages) -> Result<Jacobian, NotConverged> {
        let mut jacobian = Jacobian::default();
        jacobian
            .set(equations, voltages, &self.injections)
            .map_err(|_| NotConverged)?;
        Ok(jacobian)
    }
}
