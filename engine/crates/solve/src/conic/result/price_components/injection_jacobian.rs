//! The Jacobian of the powers that nodes send into the network, at the products of the relaxation.

use crate::conic::model::formulation::ConicModel;
use crate::conic::model::program::{dot4, Program};
use crate::conic::result::solution::ConicSolution;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_sparse::{Block, BlockLu, BlockPattern, BlockRows};

/// Rounds of iterative refinement.
const REFINEMENTS: usize = 2;

/// Derivatives of `(w_f, w_t, e, wi)` by angle and logarithm of the magnitude, at the first end, then at the second.
fn directions([wf, wt, e, wi]: [f64; 4]) -> [[f64; 4]; 4] {
    let wr = 0.5 * (wf + wt) - e;
    let half = 0.5 * (wf - wt);
    [
        [0.0, 0.0, wi, wr],
        [2.0 * wf, 0.0, e + half, wi],
        [0.0, 0.0, -wi, -wr],
        [0.0, 2.0 * wt, e - half, wi],
    ]
}

/// The transposed Jacobian of the powers that nodes send into the network, by angle and logarithm of the magnitude of
/// each node.
pub(super) struct InjectionJacobian<'a> {
    program: &'a Program,
    pub directions: Vec<[[f64; 4]; 4]>,
    pub w: &'a [f64],
    /// Nodes whose price replaces the equation of their angle; one in each island.
    pub references: Vec<usize>,
    /// Isolated nodes whose voltage does not affect reactive power; its price replaces the equation of their magnitude.
    lone: Vec<usize>,
    pattern: BlockPattern,
    lu: BlockLu,
}

impl<'a> InjectionJacobian<'a> {
    /// # Errors
    /// `SENS.NOT_REGULAR`.
    pub fn new(model: &ConicModel, solution: &'a ConicSolution) -> Result<Self> {
        let (program, v) = (&solution.program, &solution.point.v);
        let local = |k: usize| program.local(k, &v.x, &v.u);
        let directions: Vec<_> = (0..program.pairs.len()).map(|k| directions(local(k))).collect();
        let node_of_bus = &model.topology.node_of_bus;
        let references = model.topology.references.iter().map(|&bus| node_of_bus[bus]).collect();
        let pairs: Vec<(usize, usize)> = program.pairs.iter().map(|p| (p.nodes[0], p.nodes[1])).collect();
        let pattern = BlockPattern::new(program.n, &pairs);
        let mut jacobian = Self {
            program,
            directions,
            w: &v.x[..program.n],
            references,
            lone: Vec::new(),
            pattern,
            lu: BlockLu::default(),
        };
        jacobian.factor()?;
        Ok(jacobian)
    }

    fn factor(&mut self) -> Result<()> {
        let (n, program) = (self.program.n, self.program);
        let mut diagonal: Vec<Block> = (program.shunt.iter().zip(self.w))
            .map(|([p, q], w)| [0.0, -2.0 * p * w, 0.0, -2.0 * q * w])
            .collect();
        let mut beside: Vec<Vec<(usize, Block)>> = vec![Vec::new(); n];
        for (pair, by) in program.pairs.iter().zip(&self.directions) {
            for end in 0..2 {
                let (own, other) = (pair.nodes[end], pair.nodes[1 - end]);
                let block = |column: usize| -> Block {
                    let at = |part: usize, state: usize| dot4(&pair.flow[2 * end + part], &by[2 * column + state]);
                    [at(0, 0), at(0, 1), at(1, 0), at(1, 1)]
                };
                for (sum, value) in diagonal[own].iter_mut().zip(block(end)) {
                    *sum += value;
                }
                beside[own].push((other, block(1 - end)));
            }
        }
        self.lone = (0..n)
            .filter(|&k| beside[k].is_empty() && diagonal[k][3] == 0.0)
            .collect();
        for &node in &self.lone {
            diagonal[node][3] = 1.0;
        }
        let is_reference = self.is_reference();
        for &node in &self.references {
            (diagonal[node][0], diagonal[node][2]) = (1.0, 0.0);
        }
        let order = self.pattern.order();
        let mut place = vec![0; n];
        for (k, &node) in order.iter().enumerate() {
            place[node as usize] = k as u32;
        }
        let (mut start, mut columns, mut blocks) = (vec![0], Vec::new(), Vec::new());
        for &node in order {
            for &(other, mut block) in &beside[node as usize] {
                if is_reference[other] {
                    (block[0], block[2]) = (0.0, 0.0);
                }
                columns.push(place[other]);
                blocks.push(block);
            }
            start.push(columns.len() as u32);
        }
        let ordered: Vec<Block> = order.iter().map(|&node| diagonal[node as usize]).collect();
        let matrix = BlockRows {
            start: &start,
            columns: &columns,
            blocks: &blocks,
            diagonal: &ordered,
        };
        self.lu = BlockLu::factor(&self.pattern, &matrix)
            .map_err(|_| EngineError::new("SENS.NOT_REGULAR", message!("socwr.singular_split")))?;
        Ok(())
    }

    /// `J'price`, with prices in place of the equations of references and of isolated nodes.
    pub fn transposed(&self, price: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let shunts = self.program.shunt.iter().zip(self.w).zip(price);
        let mut out: Vec<[f64; 2]> = shunts
            .map(|(([p, q], w), price)| [0.0, -2.0 * w * (p * price[0] + q * price[1])])
            .collect();
        for (pair, by) in self.program.pairs.iter().zip(&self.directions) {
            let [f, t] = pair.nodes;
            let mut sum = [0.0; 4];
            for (row, price) in pair
                .flow
                .iter()
                .zip([price[f][0], price[f][1], price[t][0], price[t][1]])
            {
                for c in 0..4 {
                    sum[c] += row[c] * price;
                }
            }
            add_along(&mut out, pair.nodes, by, &sum);
        }
        for &node in &self.references {
            out[node][0] = price[node][0];
        }
        for &node in &self.lone {
            out[node][1] += price[node][1];
        }
        out
    }

    /// `J x`, where the angles of references replace the active powers there.
    fn forward(&self, x: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let is_reference = self.is_reference();
        let angle = |node: usize| if is_reference[node] { 0.0 } else { x[node][0] };
        let shunts = self.program.shunt.iter().zip(self.w).zip(x);
        let mut out: Vec<[f64; 2]> = shunts
            .map(|(([p, q], w), x)| [-2.0 * w * p * x[1], -2.0 * w * q * x[1]])
            .collect();
        for (pair, by) in self.program.pairs.iter().zip(&self.directions) {
            let mut moved = [0.0; 4];
            for (end, &node) in pair.nodes.iter().enumerate() {
                for (c, moved) in moved.iter_mut().enumerate() {
                    *moved += by[2 * end][c] * angle(node) + by[2 * end + 1][c] * x[node][1];
                }
            }
            for (end, &node) in pair.nodes.iter().enumerate() {
                for part in 0..2 {
                    out[node][part] += dot4(&pair.flow[2 * end + part], &moved);
                }
            }
        }
        for &node in &self.references {
            out[node][0] += x[node][0];
        }
        for &node in &self.lone {
            out[node][1] += x[node][1];
        }
        out
    }

    fn is_reference(&self) -> Vec<bool> {
        let mut is_reference = vec![false; self.program.n];
        self.references.iter().for_each(|&node| is_reference[node] = true);
        is_reference
    }

    /// Solves `J x = rhs`. A sum of the prices of a gradient, weighted by `rhs`, is `x` times the gradient.
    pub fn solve_forward(&self, rhs: &[[f64; 2]]) -> Vec<[f64; 2]> {
        self.refined(rhs, |lu, pattern, x| lu.solve(pattern, x), |x| self.forward(x))
    }

    /// Solves `J'price = rhs`.
    pub fn solve(&self, rhs: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let transposed = |x: &[[f64; 2]]| self.transposed(x);
        self.refined(rhs, |lu, pattern, x| lu.solve_transposed(pattern, x), transposed)
    }

    fn refined(
        &self,
        rhs: &[[f64; 2]],
        solve: impl Fn(&BlockLu, &BlockPattern, &mut [[f64; 2]]),
        product: impl Fn(&[[f64; 2]]) -> Vec<[f64; 2]>,
    ) -> Vec<[f64; 2]> {
        let mut found = vec![[0.0; 2]; rhs.len()];
        let mut left = rhs.to_vec();
        for _ in 0..=REFINEMENTS {
            let mut ordered: Vec<[f64; 2]> = self.pattern.order().iter().map(|&node| left[node as usize]).collect();
            solve(&self.lu, &self.pattern, &mut ordered);
            for (&node, step) in self.pattern.order().iter().zip(ordered) {
                let at = &mut found[node as usize];
                *at = [at[0] + step[0], at[1] + step[1]];
            }
            for ((left, rhs), done) in left.iter_mut().zip(rhs).zip(product(&found)) {
                *left = [rhs[0] - done[0], rhs[1] - done[1]];
            }
        }
        found
    }
}

/// Adds the derivative of a gradient over `(w_f, w_t, e, wi)` along the directions of its ends.
pub(super) fn add_along(out: &mut [[f64; 2]], nodes: [usize; 2], by: &[[f64; 4]; 4], gradient: &[f64; 4]) {
    for end in 0..2 {
        for state in 0..2 {
            out[nodes[end]][state] += dot4(gradient, &by[2 * end + state]);
        }
    }
}
