//! The condensed KKT system: pairs, columns and elastic ratings are eliminated locally, nodes by a block factorisation.

use super::local_block::LocalBlock;
use super::weights::{elastic_coupling, elastic_rows, elastic_weight, jabr_rows, thermal_rows, Weights};
use crate::conic::model::program::{dot4, jabr_cone, jabr_transposed, Program};
use crate::conic::model::vectors::{times, Vector};
use wattbook_sparse::{Block3, BlockFactor, BlockLdl, Diagonal, DoubleDouble, Number};

/// Regularisation that keeps the system quasi-definite (Friedlander and Orban, Math. Prog. Comp. 4 (2012)). As proximal
/// terms around the iterate, the terms do not change the right-hand side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Regularisation {
    /// On variables, and with negative sign on balances.
    pub primal: f64,
    pub dual: f64,
    /// On the flows of pairs.
    pub flow: f64,
}

/// A factored system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kkt {
    pub regularisation: Regularisation,
    pub weights: Weights,
    /// Whether refinement uses the system without regularisation.
    pub refines_exactly: bool,
    local: Vec<LocalBlock>,
    /// Pivots of columns, and of elastic ratings from the cones of their branches.
    column_pivot: Vec<f64>,
    elastic_pivot: Vec<f64>,
    /// Pivots of softened rows, and the remaining weights of linear rows if some are softened.
    soft_pivot: Vec<f64>,
    soft_weight: Vec<f64>,
    /// Sum of the weights of each variable's bounds.
    bound_weight: Vec<f64>,
    factor: BlockFactor<f64>,
    precise: BlockFactor<DoubleDouble>,
    pub(super) is_precise: bool,
    /// Relative residual of the last solve before refinement; accuracy decreases slightly with each factorisation.
    pub(super) unrefined: f64,
    // Workspace shared by calls.
    diagonal: Vec<Diagonal<f64>>,
    beside: Vec<Block3<f64>>,
    rows: Vec<[f64; 4]>,
    nodes: Vec<[f64; 3]>,
    precise_nodes: Vec<[DoubleDouble; 3]>,
    reduced: Vec<[f64; 2]>,
    pub(super) residual: Vector,
    pub(super) correction: Vector,
}

impl Kkt {
    /// Condenses and factors for the current weights; false if a pivot has the wrong sign.
    pub fn factor(&mut self, program: &Program, pattern: &BlockLdl) -> bool {
        self.condense(program);
        self.is_precise = false;
        let mut diagonal = std::mem::take(&mut self.diagonal);
        let mut beside = std::mem::take(&mut self.beside);
        self.assemble(program, &mut diagonal, &mut beside);
        pattern.factor(&diagonal, &beside, &mut self.factor);
        (self.diagonal, self.beside) = (diagonal, beside);
        self.factor.wrong_pivots == 0
    }

    /// Factors the condensed system again in double the precision, which later solves use too.
    pub fn factor_precisely(&mut self, program: &Program, pattern: &BlockLdl) -> bool {
        self.is_precise = true;
        let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
        self.assemble(program, &mut diagonal, &mut beside);
        pattern.factor(&diagonal, &beside, &mut self.precise);
        self.precise.wrong_pivots == 0
    }

    pub fn is_precise(&self) -> bool {
        self.is_precise
    }

    fn condense(&mut self, program: &Program) {
        let n = program.n;
        let Regularisation { primal, flow, .. } = self.regularisation;
        self.bound_weight.clear();
        self.bound_weight.resize(program.n_outer(), primal);
        self.soft_pivot.clear();
        if !program.softened.is_empty() {
            self.soft_weight.clone_from(&self.weights.linear);
        }
        for s in &program.softened {
            let own = primal + self.weights.linear[program.own_bound(s.variable)];
            let weight = self.weights.linear[s.row];
            let pivot = own + s.slope * s.slope * weight;
            self.soft_pivot.push(pivot);
            self.soft_weight[s.row] = weight * (own / pivot);
        }
        let weights = match program.softened.is_empty() {
            true => &self.weights.linear,
            false => &self.soft_weight,
        };
        for (b, w) in program.bounds.iter().zip(weights) {
            self.bound_weight[b.variable] += w;
        }
        self.column_pivot.clear();
        let columns = program.columns.iter().zip(&self.bound_weight[n..]);
        self.column_pivot
            .extend(columns.map(|(c, w)| c.q / program.cost_scale + w));
        self.elastic_pivot.clear();
        if program.n_elastic > 0 {
            for (ends, weights) in program
                .thermal
                .chunks_exact(2)
                .zip(self.weights.thermal.chunks_exact(2))
            {
                let own = ends[0].elastic.map_or(0.0, |variable| self.bound_weight[variable]);
                let pivot = own + elastic_weight(&weights[0], &ends[0]) + elastic_weight(&weights[1], &ends[1]);
                self.elastic_pivot.extend([pivot; 2]);
            }
        }
        let pair_weights = &weights[program.bounds.len()..];
        let (root, root_flow) = (primal.sqrt(), flow.sqrt());
        self.local.clear();
        for (k, pair) in program.pairs.iter().enumerate() {
            let rows = &mut self.rows;
            rows.clear();
            rows.extend_from_slice(&[[root, 0.0, 0.0, 0.0], [0.0, root, 0.0, 0.0]]);
            for at in pair.rows.clone() {
                let (g, w) = (&program.rows[at].row, pair_weights[at].sqrt());
                rows.push([w * g[2], w * g[3], w * g[0], w * g[1]]);
            }
            for g in &pair.flow {
                rows.push([root_flow * g[2], root_flow * g[3], root_flow * g[0], root_flow * g[1]]);
            }
            // The two ends of a branch are adjacent.
            for at in pair.thermal.clone().step_by(2) {
                let ends = [at, at + 1].map(|end| (&self.weights.thermal[end], &program.thermal[end]));
                match program.thermal[at].elastic {
                    Some(variable) => rows.extend_from_slice(&elastic_rows(ends, self.bound_weight[variable])),
                    None => ends
                        .iter()
                        .for_each(|(w, t)| rows.extend_from_slice(&thermal_rows(w, t))),
                }
            }
            rows.extend_from_slice(&jabr_rows(&self.weights.jabr[k], pair.boost));
            let held = program.held_ends(pair);
            self.local.push(LocalBlock::new(rows, &pair.flow, held));
        }
    }

    fn assemble<T: Number>(&self, program: &Program, diagonal: &mut Vec<Diagonal<T>>, beside: &mut Vec<Block3<T>>) {
        let number = T::from_f64;
        diagonal.clear();
        for node in 0..program.n {
            let is_held = program.held[node].is_some();
            let [p, q] = if is_held { [0.0; 2] } else { program.shunt[node] };
            let w = if is_held { 1.0 } else { self.bound_weight[node] };
            let dual = -self.regularisation.dual;
            diagonal.push([w, p, q, dual, 0.0, dual].map(number));
        }
        for (column, pivot) in program.columns.iter().zip(&self.column_pivot) {
            let place = if column.part == 0 { 3 } else { 5 };
            let d = &mut diagonal[column.node][place];
            *d = *d - number(column.sign * column.sign) / number(*pivot);
            if let Some(beyond) = &column.beyond {
                let d = &mut diagonal[beyond.node][3];
                *d = *d - T::product(beyond.share, beyond.share) / number(*pivot);
            }
        }
        beside.clear();
        for (pair, local) in program.pairs.iter().zip(&self.local) {
            let held = program.held_ends(pair);
            let (f1, f2) = (&local.f1, &local.f2);
            let product = |i: usize, j: usize| T::product(f1[i], f1[j]) + T::product(f2[i], f2[j]);
            let direct = |end: usize, row: usize| if held[end] { 0.0 } else { -pair.flow[row][end] };
            for (end, node) in pair.nodes.into_iter().enumerate() {
                let d = &mut diagonal[node];
                let at = 3 * end;
                d[0] = d[0] + number(local.squares[2 * end]);
                d[1] = d[1] + (number(direct(end, 2 * end)) - product(at, at + 1));
                d[2] = d[2] + (number(direct(end, 2 * end + 1)) - product(at, at + 2));
                d[3] = d[3] - product(at + 1, at + 1);
                d[4] = d[4] - product(at + 1, at + 2);
                d[5] = d[5] - product(at + 2, at + 2);
            }
            // Entries of the later node are rows.
            beside.push([
                number(local.squares[1]),
                number(direct(1, 0)) - product(3, 1),
                number(direct(1, 1)) - product(3, 2),
                number(direct(0, 2)) - product(4, 0),
                -product(4, 1),
                -product(4, 2),
                number(direct(0, 3)) - product(5, 0),
                -product(5, 1),
                -product(5, 2),
            ]);
        }
        beside.resize(program.pairs.len() + program.n_link_pairs, [number(0.0); 9]);
        for (column, pivot) in program.columns.iter().zip(&self.column_pivot) {
            if let Some(beyond) = &column.beyond {
                // Between the active balances of the two nodes.
                let b = &mut beside[beyond.place][4];
                *b = *b - T::product(column.sign, beyond.share) / number(*pivot);
            }
        }
    }

    /// One solve without refinement, in two passes over the pairs: elimination towards the nodes, and back
    /// substitution.
    pub(super) fn solve_once(&mut self, program: &Program, pattern: &BlockLdl, rhs: &Vector, out: &mut Vector) {
        self.eliminate(program, rhs, out);
        if self.is_precise {
            self.precise_nodes.clear();
            self.precise_nodes
                .extend(self.nodes.iter().map(|b| b.map(DoubleDouble::from_f64)));
            pattern.solve(&self.precise, &mut self.precise_nodes);
            for (x, precise) in self.nodes.iter_mut().zip(&self.precise_nodes) {
                *x = precise.map(DoubleDouble::to_f64);
            }
        } else {
            pattern.solve(&self.factor, &mut self.nodes);
        }
        self.recover(program, rhs, out);
    }

    /// Right-hand sides of nodes and reduced ones of pairs; those of columns and elastic variables are in `out.x`.
    fn eliminate(&mut self, program: &Program, rhs: &Vector, out: &mut Vector) {
        let n = program.n;
        let (weights, nodes) = (&self.weights, &mut self.nodes);
        out.x.copy_from_slice(&rhs.x);
        for (b, (w, r)) in program.bounds.iter().zip(weights.linear.iter().zip(&rhs.z.linear)) {
            out.x[b.variable] += if b.is_upper { w * r } else { -(w * r) };
        }
        let is_softened = !program.softened.is_empty();
        if is_softened {
            out.u.fill([0.0; 2]);
        }
        for (s, pivot) in program.softened.iter().zip(&self.soft_pivot) {
            let weight = weights.linear[s.row];
            out.x[s.variable] -= s.slope * (weight * rhs.z.linear[s.row]);
            // The eliminated variable contributes the row's gradient times this to the others.
            let step = s.slope * weight * out.x[s.variable] / pivot;
            program.add_gradient(s.row, step, &mut out.x, &mut out.u);
        }
        nodes.clear();
        nodes.extend(out.x[..n].iter().zip(&rhs.y).map(|(w, y)| [*w, y[0], y[1]]));
        let (of_rows, w_rows) = (
            &rhs.z.linear[program.bounds.len()..],
            &weights.linear[program.bounds.len()..],
        );
        self.reduced.clear();
        // Indices are used because setting up iterators costs more than the few rows of a pair.
        for (k, pair) in program.pairs.iter().enumerate() {
            let (local, u) = (&self.local[k], &rhs.u[k]);
            let of_cone = weights.jabr[k].square_divide(&rhs.z.jabr[k]);
            let mut sum = times(-1.0, &jabr_transposed(&of_cone, pair.boost));
            for at in pair.rows.clone() {
                let (row, z) = (&program.rows[at].row, w_rows[at] * of_rows[at]);
                for c in 0..4 {
                    sum[c] += z * row[c];
                }
            }
            for at in pair.thermal.clone() {
                let (t, scaling) = (&program.thermal[at], &weights.thermal[at]);
                let z = scaling.square_divide(&rhs.z.thermal[at]);
                let inverse = t.inverse;
                let (zp, zq) = (z[1] * inverse, z[2] * inverse);
                for c in 0..4 {
                    sum[c] -= zp * t.p[c] + zq * t.q[c];
                }
                if let Some(variable) = t.elastic {
                    out.x[variable] -= z[0] * inverse;
                    if t.end == 1 {
                        let step = out.x[variable] / self.elastic_pivot[at];
                        let coupling = couplings(weights, program, at - 1);
                        for c in 0..4 {
                            sum[c] -= coupling[c] * step;
                        }
                    }
                }
            }
            let mut own = [u[0] + sum[2], u[1] + sum[3]];
            if is_softened {
                own = [own[0] + out.u[k][0], own[1] + out.u[k][1]];
            }
            let g = local.reduce(own);
            for end in 0..2 {
                let (b, at) = (&mut nodes[pair.nodes[end]], 3 * end);
                b[0] += sum[end] - (local.f1[at] * g[0] + local.f2[at] * g[1]);
                b[1] -= local.f1[at + 1] * g[0] + local.f2[at + 1] * g[1];
                b[2] -= local.f1[at + 2] * g[0] + local.f2[at + 2] * g[1];
            }
            self.reduced.push(g);
        }
        for (b, held) in nodes.iter_mut().zip(&program.held) {
            if held.is_some() {
                b[0] = 0.0;
            }
        }
        for ((column, pivot), x) in program.columns.iter().zip(&self.column_pivot).zip(&out.x[n..]) {
            nodes[column.node][1 + column.part] -= column.sign * x / pivot;
            if let Some(beyond) = &column.beyond {
                nodes[beyond.node][1] -= beyond.share * x / pivot;
            }
        }
    }

    /// The whole solution from the solution at the nodes; `dz = W^-2 (G dx - r3)`.
    fn recover(&mut self, program: &Program, rhs: &Vector, out: &mut Vector) {
        let n = program.n;
        let (weights, nodes) = (&self.weights, &self.nodes);
        for (((x, y), node), held) in out.x.iter_mut().zip(&mut out.y).zip(nodes).zip(&program.held) {
            *x = if held.is_some() { 0.0 } else { node[0] };
            *y = [node[1], node[2]];
        }
        for ((column, pivot), x) in program.columns.iter().zip(&self.column_pivot).zip(&mut out.x[n..]) {
            let beyond = column.beyond.map_or(0.0, |beyond| beyond.share * out.y[beyond.node][0]);
            *x = (*x - column.sign * out.y[column.node][column.part] - beyond) / pivot;
        }
        let split = program.bounds.len();
        let (w_rows, of_rows) = (&weights.linear[split..], &rhs.z.linear[split..]);
        let z_rows = &mut out.z.linear[split..];
        for (k, pair) in program.pairs.iter().enumerate() {
            let [from, to] = pair.nodes;
            let (f, t) = (&nodes[from], &nodes[to]);
            let u = self.local[k].recover(self.reduced[k], &[f[0], f[1], f[2], t[0], t[1], t[2]]);
            out.u[k] = u;
            let x = [out.x[from], out.x[to], u[0], u[1]];
            for at in pair.rows.clone() {
                z_rows[at] = w_rows[at] * (dot4(&program.rows[at].row, &x) - of_rows[at]);
            }
            let cone = jabr_cone(&x, pair.boost);
            let mut moved = rhs.z.jabr[k];
            for c in 0..4 {
                moved[c] = -moved[c] - cone[c];
            }
            out.z.jabr[k] = weights.jabr[k].square_divide(&moved);
            for at in pair.thermal.clone() {
                let (t, scaling) = (&program.thermal[at], &weights.thermal[at]);
                let inverse = t.inverse;
                let mut moved = times(-1.0, &rhs.z.thermal[at]);
                if let Some(variable) = t.elastic {
                    if t.end == 0 {
                        let along = dot4(&couplings(weights, program, at), &x);
                        out.x[variable] = (out.x[variable] - along) / self.elastic_pivot[at];
                    }
                    moved[0] -= out.x[variable] * inverse;
                }
                moved[1] -= dot4(&t.p, &x) * inverse;
                moved[2] -= dot4(&t.q, &x) * inverse;
                out.z.thermal[at] = scaling.square_divide(&moved);
            }
        }
        for (s, pivot) in program.softened.iter().zip(&self.soft_pivot) {
            let along = s.slope * weights.linear[s.row] * program.linear_row(s.row, &out.x, &out.u);
            out.x[s.variable] = (out.x[s.variable] + along) / pivot;
        }
        let bounds = program.bounds.iter().zip(&rhs.z.linear).zip(&weights.linear);
        for (z, ((b, r), w)) in out.z.linear.iter_mut().zip(bounds) {
            let x = out.x[b.variable];
            *z = w * (if b.is_upper { x - r } else { -x - r });
        }
        for s in &program.softened {
            out.z.linear[s.row] -= weights.linear[s.row] * s.slope * out.x[s.variable];
        }
    }
}

/// Coupling over `(w_f, w_t, e, wi)` of the elastic rating of a branch whose cones are `from` and the next one.
fn couplings(weights: &Weights, program: &Program, from: usize) -> [f64; 4] {
    let [a, b] = [from, from + 1].map(|at| elastic_coupling(&weights.thermal[at], &program.thermal[at]));
    std::array::from_fn(|c| a[c] + b[c])
}
