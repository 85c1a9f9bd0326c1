//! The Jacobian of the power flow equations by blocks of two on the graph of nodes.
//!
//! Unknowns are `(d angle, d ln magnitude)` of each node. With `T_ij = V_i conj(Y_ij V_j) = a + jb` the derivatives of
//! `S_i = sum_j T_ij` are `dP/d angle_j = b`, `dP/d ln|V_j| = a`, `dQ/d angle_j = -a`, `dQ/d ln|V_j| = b` (van Amerongen,
//! IEEE Trans. Power Systems 4 (1989), equations 5 to 8). Which rows hold is a matter of values, not of the pattern: a node
//! that holds a voltage has the row `d ln|V| = 0`, a reference the unit block.

use super::equations::{Equations, SlackRule, Voltages};
use crate::ac::model::analysis::AcModel;
use crate::ac::model::topology::NodeKind;
use num_complex::Complex64;
use wattbook_sparse::{Block, BlockLu, BlockRows};

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
