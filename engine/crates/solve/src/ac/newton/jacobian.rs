//! The Jacobian of the power flow equations by blocks of two on the graph of nodes.
//!
//! Unknowns are `(d angle, d ln magnitude)` of each node. With `T_ij = V_i conj(Y_ij V_j) = a + jb` the derivatives of
//! `S_i = sum_j T_ij` are `dP/d angle_j = b`, `dP/d ln|V_j| = a`, `dQ/d angle_j = -a`, `dQ/d ln|V_j| = b` (van
//! Amerongen, IEEE Trans. Power Systems 4 (1989), equations 5 to 8). The sparsity pattern is independent of which
//! equations apply: a node with a controlled voltage has the row `d ln|V| = 0`, a reference the unit block.

use super::equations::{Equations, RemoteCondition, SlackRule, Voltages};
use crate::ac::model::analysis::AcModel;
use crate::ac::model::topology::NodeKind;
use num_complex::Complex64;
use wattbook_sparse::{Block, BlockLu, BlockRows, FourPairs};

/// The factored Jacobian of an iterate, bordered under distributed slack: `J dx - w d slack = r`, including the row of
/// the reference's active power.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jacobian {
    lu: BlockLu,
    blocks: Vec<Block>,
    diagonal: Vec<Block>,
    /// Kinds of the rows.
    pub kinds: Vec<NodeKind>,
    border: Option<Border>,
    remote: Option<RemoteBorder>,
}

/// The border for units that control another node's voltage: the magnitude `s` of their own node is unknown, with the
/// condition `C x = r`. If `x_0` is the solution without conditions, the solution is `x_0 + Z s` with `C Z s = r - C
/// x_0`.
#[derive(Clone, Debug)]
struct RemoteBorder {
    conditions: Vec<(usize, RemoteCondition)>,
    /// Solution for a unit magnitude of each of these nodes, with the slack of each island.
    z: Vec<(Vec<[f64; 2]>, Vec<f64>)>,
    /// Derivative of each condition.
    rows: Vec<Vec<(usize, [f64; 2])>>,
    /// Inverse of `C Z`, by rows.
    inverse: Vec<Vec<f64>>,
}

#[derive(Clone, Debug)]
struct Border {
    /// Solution for the participation of the nodes, `J^-1 w`. One vector serves all islands because they are not
    /// connected.
    dw: Vec<[f64; 2]>,
    /// By island: row of the reference's active power, and `row dw - w_reference`.
    rows: Vec<Vec<(usize, [f64; 2])>>,
    pivot: Vec<f64>,
}

/// The Jacobian is singular, or its values are not finite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingularJacobian;

fn along(row: &[(usize, [f64; 2])], x: &[[f64; 2]]) -> f64 {
    row.iter()
        .fold(0.0, |sum, &(j, c)| sum + c[0] * x[j][0] + c[1] * x[j][1])
}

/// Derivative of the reactive power that the units of a node supply, times `sign`.
fn reactive_row(
    equations: &Equations,
    voltages: &Voltages,
    injections: &[Complex64],
    node: usize,
    sign: f64,
) -> Vec<(usize, [f64; 2])> {
    let (y, v) = (&equations.model.admittance, &voltages.phasor);
    let range = y.range(node);
    let entries = y.columns[range.clone()].iter().zip(&y.values[range]);
    let mut row: Vec<(usize, [f64; 2])> = entries
        .map(|(&j, y)| (j as usize, v[node] * (y * v[j as usize]).conj()))
        .map(|(j, t)| (j, [-sign * t.re, sign * t.im]))
        .collect();
    let (t, s) = (v[node] * (y.diagonal[node] * v[node]).conj(), injections[node]);
    let current = equations.constant_current.get(node).copied().unwrap_or_default();
    let own = s.im + t.im + current.im * voltages.magnitude[node];
    row.push((node, [sign * (s.re - t.re), sign * own]));
    row
}

/// Inverse of a small dense matrix by Gauss-Jordan elimination with row pivots; `None` if it is singular.
pub(crate) fn inverse_of(mut rows: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = rows.len();
    for (k, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(j == k))));
    }
    for k in 0..n {
        let largest = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))?;
        rows.swap(k, largest);
        let pivot = rows[k][k];
        if !(pivot.is_finite() && pivot.abs() > 1e-12) {
            return None;
        }
        rows[k].iter_mut().for_each(|x| *x /= pivot);
        let own = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != k) {
            let factor = row[k];
            row.iter_mut().zip(&own).for_each(|(x, own)| *x -= factor * own);
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

impl Jacobian {
    /// Factors the Jacobian at `voltages`, where nodes inject `injections`.
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
            // With respect to the logarithm of the magnitude, the derivative of constant-current demand is the demand
            // itself.
            if let Some(current) = equations.constant_current.get(i) {
                let drawn = current * voltages.magnitude[i];
                self.diagonal[i][1] += drawn.re;
                self.diagonal[i][3] += if is_pq { drawn.im } else { 0.0 };
            }
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
        self.set_remote(equations, voltages, injections)
    }

    fn set_remote(
        &mut self,
        equations: &Equations,
        voltages: &Voltages,
        injections: &[Complex64],
    ) -> Result<(), SingularJacobian> {
        self.remote = None;
        let conditions = equations.remote_conditions();
        if conditions.is_empty() {
            return Ok(());
        }
        let model = equations.model;
        let row = |&(node, condition): &(usize, RemoteCondition)| match condition {
            RemoteCondition::Voltage(regulated, _) => vec![(regulated, [0.0, 1.0])],
            RemoteCondition::ReactivePowerOf(other) => {
                let mut row = reactive_row(equations, voltages, injections, node, 1.0);
                row.extend(reactive_row(equations, voltages, injections, other, -1.0));
                row
            }
        };
        let rows: Vec<_> = conditions.iter().map(row).collect();
        let z: Vec<_> = conditions
            .iter()
            .map(|&(node, _)| {
                let mut x = vec![[0.0; 2]; self.kinds.len()];
                x[node][1] = 1.0;
                self.lu.solve(&model.pattern, &mut x);
                let slack = self.add_slack(model, &vec![0.0; model.references.len()], &mut x);
                (x, slack)
            })
            .collect();
        let products = rows.iter().map(|row| z.iter().map(|(z, _)| along(row, z)).collect());
        let inverse = inverse_of(products.collect()).ok_or(SingularJacobian)?;
        self.remote = Some(RemoteBorder {
            conditions,
            z,
            rows,
            inverse,
        });
        Ok(())
    }

    /// Replaces reactive powers by the residuals of the remote-control conditions in a right-hand side by node.
    pub fn put_conditions(&self, x: &mut [[f64; 2]]) {
        let Some(remote) = &self.remote else { return };
        let reactive: Vec<f64> = x.iter().map(|x| x[1]).collect();
        for &(node, condition) in &remote.conditions {
            x[node][1] = match condition {
                RemoteCondition::Voltage(..) => 0.0,
                RemoteCondition::ReactivePowerOf(other) => reactive[node] - reactive[other],
            };
        }
    }

    /// Sets the right-hand side to zero where there is no equation.
    fn mask(&self, x: &mut [[f64; 2]]) {
        for (x, kind) in x.iter_mut().zip(&self.kinds) {
            match kind {
                NodeKind::Pq => {}
                NodeKind::Pv => x[1] = 0.0,
                NodeKind::Reference => *x = [0.0; 2],
            }
        }
    }

    /// Solves `J x - w s = r` in place and returns `s` by island, zero without distributed slack. Entries of `r`
    /// without an equation are ignored. At nodes whose units control another node's voltage, `r` holds the residual of
    /// the condition instead of the reactive power.
    pub fn solve(&self, model: &AcModel, x: &mut [[f64; 2]]) -> Vec<f64> {
        let reference: Vec<f64> = model.references.iter().map(|&(node, _)| x[node][0]).collect();
        let at = |&(node, _): &(usize, RemoteCondition)| x[node][1];
        let left: Option<Vec<f64>> = self.remote.as_ref().map(|r| r.conditions.iter().map(at).collect());
        self.mask(x);
        self.lu.solve(&model.pattern, x);
        let mut slack = self.add_slack(model, &reference, x);
        if let (Some(remote), Some(mut left)) = (&self.remote, left) {
            for (left, row) in left.iter_mut().zip(&remote.rows) {
                *left -= along(row, x);
            }
            for ((z, z_slack), inverse) in remote.z.iter().zip(&remote.inverse) {
                let s = inverse.iter().zip(&left).fold(0.0, |sum, (a, b)| sum + a * b);
                for (x, z) in x.iter_mut().zip(z) {
                    *x = [x[0] + s * z[0], x[1] + s * z[1]];
                }
                for (slack, z) in slack.iter_mut().zip(z_slack) {
                    *slack += s * z;
                }
            }
        }
        slack
    }

    /// The solutions of `solve` for one per unit of active and of reactive power at the first node, then for those at the
    /// second, as four columns; with `s` by island and column.
    pub fn solve_units(&self, model: &AcModel, nodes: [usize; 2], x: &mut Vec<FourPairs>, slack: &mut Vec<[f64; 4]>) {
        x.clear();
        x.resize(self.kinds.len(), [[0.0; 4]; 2]);
        slack.clear();
        slack.resize(model.references.len(), [0.0; 4]);
        if self.remote.is_some() {
            for column in 0..4 {
                let mut one = vec![[0.0; 2]; self.kinds.len()];
                one[nodes[column / 2]][column % 2] = 1.0;
                self.put_conditions(&mut one);
                let added = self.solve(model, &mut one);
                for (x, one) in x.iter_mut().zip(&one) {
                    (x[0][column], x[1][column]) = (one[0], one[1]);
                }
                for (slack, added) in slack.iter_mut().zip(added) {
                    slack[column] = added;
                }
            }
            return;
        }
        for (k, node) in nodes.into_iter().enumerate() {
            let kind = self.kinds[node];
            x[node][0][2 * k] = f64::from(u8::from(kind != NodeKind::Reference));
            x[node][1][2 * k + 1] = f64::from(u8::from(kind == NodeKind::Pq));
        }
        self.lu.solve_four(&model.pattern, nodes, x);
        let Some(border) = &self.border else { return };
        for (island, (slack, &(reference, _))) in slack.iter_mut().zip(&model.references).enumerate() {
            for (column, slack) in slack.iter_mut().enumerate() {
                let at_reference = column % 2 == 0 && nodes[column / 2] == reference;
                let terms = border.rows[island].iter();
                let along = terms.fold(0.0, |sum, &(j, c)| {
                    sum + c[0] * x[j][0][column] + c[1] * x[j][1][column]
                });
                *slack = (f64::from(u8::from(at_reference)) - along) / border.pivot[island];
            }
        }
        for ((x, dw), &island) in x.iter_mut().zip(&border.dw).zip(&model.island_of_node) {
            for column in 0..4 {
                x[0][column] += slack[island][column] * dw[0];
                x[1][column] += slack[island][column] * dw[1];
            }
        }
    }

    /// Adds the effect of each island's slack to a solution without it, given the residuals at the references.
    fn add_slack(&self, model: &AcModel, reference: &[f64], x: &mut [[f64; 2]]) -> Vec<f64> {
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

    /// Solves the transposed system: the result `l` satisfies `g'x = l'r` for the solution `x` of `solve` with any `r`.
    /// It is zero where there is no equation.
    pub fn solve_transposed(&self, model: &AcModel, g: &mut [[f64; 2]]) {
        let Some(remote) = &self.remote else {
            return self.solve_transposed_alone(model, g);
        };
        let count = remote.conditions.len();
        let by_z: Vec<f64> = remote
            .z
            .iter()
            .map(|(z, _)| g.iter().zip(z).fold(0.0, |sum, (g, z)| sum + g[0] * z[0] + g[1] * z[1]))
            .collect();
        let multipliers: Vec<f64> = (0..count)
            .map(|k| (0..count).fold(0.0, |sum, m| sum + remote.inverse[m][k] * by_z[m]))
            .collect();
        for (row, multiplier) in remote.rows.iter().zip(&multipliers) {
            for &(j, c) in row {
                g[j] = [g[j][0] - multiplier * c[0], g[j][1] - multiplier * c[1]];
            }
        }
        self.solve_transposed_alone(model, g);
        // Reactive powers have a multiplier where a condition compares them.
        for (&(node, condition), multiplier) in remote.conditions.iter().zip(multipliers) {
            if let RemoteCondition::ReactivePowerOf(other) = condition {
                g[node][1] += multiplier;
                g[other][1] -= multiplier;
            }
        }
    }

    /// `solve_transposed` without remote control.
    fn solve_transposed_alone(&self, model: &AcModel, g: &mut [[f64; 2]]) {
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
