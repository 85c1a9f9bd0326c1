//! Prices as energy, losses, congestion and voltage limits.
//!
//! Along changes of voltage angles and magnitudes that keep each product's share of `w_f w_t` the multipliers of Jabr's cones do
//! no work, tight or loose. What is left of the optimality conditions is that of AC optimal power flow at the products of the
//! relaxation: `J'price = -gradient of the limits that bind`, `J` the Jacobian of what nodes send into the network. The prices
//! that solve it without limits are those of energy with marginal losses; they are unique up to a factor in each island, which
//! the weights of the slack fix (Orfanogianni and Gross, *IEEE Trans. Power Systems* 22, 2007). Every limit adds what it moves.

use super::solution::ConicSolution;
use crate::conic::model::formulation::ConicModel;
use crate::conic::model::program::{dot4, Program};
use crate::conic::model::topology::NO_NODE;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_sparse::{Block, BlockLu, BlockPattern, BlockRows};

/// Rounds of iterative refinement.
const REFINEMENTS: usize = 2;

/// `price = energy + losses + congestion + voltage` by bus, $/h per unit; pairs are of active and reactive power. Zero where a
/// bus is not energised.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicPriceComponents {
    /// Mean price of active power in the bus's island with the weights of the slack. Reactive power has none.
    pub energy: Vec<f64>,
    pub losses: Vec<[f64; 2]>,
    /// Of ratings and angle-difference limits.
    pub congestion: Vec<[f64; 2]>,
    /// Of voltage limits, and of the cuts that follow from them.
    pub voltage: Vec<[f64; 2]>,
    /// The slack of each island is spread by demand; evenly where the island has none. Sums to one in each island.
    pub slack_weight: Vec<f64>,
    /// Largest `|price - sum of the parts|`, relative to the largest price.
    pub residual: f64,
}

/// Changes of `(w_f, w_t, e, wi)` by the angle and the logarithm of the magnitude at the first end, then at the second.
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

/// The transposed Jacobian of what nodes send into the network, by angle and logarithm of the magnitude of each node.
struct Sent<'a> {
    program: &'a Program,
    directions: Vec<[[f64; 4]; 4]>,
    w: &'a [f64],
    /// Nodes whose price replaces the equation of their angle: one in each island.
    references: Vec<usize>,
    pattern: BlockPattern,
    lu: BlockLu,
}

impl<'a> Sent<'a> {
    fn new(model: &ConicModel, solution: &'a ConicSolution) -> Result<Self> {
        let (program, v) = (&solution.program, &solution.point.v);
        let local = |k: usize| program.local(k, &v.x, &v.u);
        let directions: Vec<_> = (0..program.pairs.len()).map(|k| directions(local(k))).collect();
        let node_of_bus = &model.topology.node_of_bus;
        let references = model.topology.references.iter().map(|&bus| node_of_bus[bus]).collect();
        let pairs: Vec<(usize, usize)> = program.pairs.iter().map(|p| (p.nodes[0], p.nodes[1])).collect();
        let pattern = BlockPattern::new(program.n, &pairs);
        let mut sent = Self {
            program,
            directions,
            w: &v.x[..program.n],
            references,
            pattern,
            lu: BlockLu::default(),
        };
        sent.factor()?;
        Ok(sent)
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
        let mut is_reference = vec![false; n];
        for &node in &self.references {
            is_reference[node] = true;
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

    /// `J'price`, with the prices of references in place of the equations of their angles.
    fn transposed(&self, price: &[[f64; 2]]) -> Vec<[f64; 2]> {
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
        out
    }

    fn solve(&self, rhs: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let mut price = vec![[0.0; 2]; rhs.len()];
        let mut left = rhs.to_vec();
        for _ in 0..=REFINEMENTS {
            let mut ordered: Vec<[f64; 2]> = self.pattern.order().iter().map(|&node| left[node as usize]).collect();
            self.lu.solve_transposed(&self.pattern, &mut ordered);
            for (&node, step) in self.pattern.order().iter().zip(ordered) {
                let at = &mut price[node as usize];
                *at = [at[0] + step[0], at[1] + step[1]];
            }
            for ((left, rhs), done) in left.iter_mut().zip(rhs).zip(self.transposed(&price)) {
                *left = [rhs[0] - done[0], rhs[1] - done[1]];
            }
        }
        price
    }
}

/// Adds what a gradient over `(w_f, w_t, e, wi)` is along the directions of its ends.
fn add_along(out: &mut [[f64; 2]], nodes: [usize; 2], by: &[[f64; 4]; 4], gradient: &[f64; 4]) {
    for end in 0..2 {
        for state in 0..2 {
            out[nodes[end]][state] += dot4(gradient, &by[2 * end + state]);
        }
    }
}

impl ConicSolution {
    /// Splits the prices of all buses.
    ///
    /// # Errors
    /// `SENS.NOT_REGULAR`.
    pub fn price_components(&self, model: &ConicModel) -> Result<ConicPriceComponents> {
        let sent = Sent::new(model, self)?;
        let program = &self.program;
        let total: Vec<[f64; 2]> = self
            .point
            .v
            .y
            .iter()
            .map(|y| y.map(|y| -y * program.cost_scale))
            .collect();
        let [mut congestion, mut voltage] = self.limits(&sent);
        // What holds the voltage between equal limits is what the others leave.
        let all = sent.transposed(&total);
        for (node, _) in program.held.iter().enumerate().filter(|(_, held)| held.is_some()) {
            voltage[node][1] = all[node][1] - congestion[node][1];
        }
        let mut unit = vec![[0.0; 2]; program.n];
        for &node in &sent.references {
            (unit[node][0], congestion[node][0], voltage[node][0]) = (1.0, 0.0, 0.0);
        }
        let solved = [unit, congestion, voltage].map(|rhs| sent.solve(&rhs));
        Ok(self.parts(model, model.islands(), &total, solved))
    }

    /// Minus the gradients of the limits that bind: of ratings and angle differences, and of voltages and cuts.
    fn limits(&self, sent: &Sent) -> [Vec<[f64; 2]>; 2] {
        let (program, z) = (&self.program, &self.point.v.z);
        let scale = program.cost_scale;
        let mut found = [vec![[0.0; 2]; program.n], vec![[0.0; 2]; program.n]];
        let (bounds, rows) = z.linear.split_at(program.bounds.len());
        for (bound, z) in program
            .bounds
            .iter()
            .zip(bounds)
            .filter(|(b, _)| b.variable < program.n)
        {
            let sign = if bound.is_upper { 1.0 } else { -1.0 };
            found[1][bound.variable][1] -= sign * z * scale * 2.0 * sent.w[bound.variable];
        }
        for (k, pair) in program.pairs.iter().enumerate() {
            let mut gradient = [[0.0; 4]; 2];
            for (place, at) in pair.rows.clone().enumerate() {
                let of = &mut gradient[usize::from(place >= 2)];
                for c in 0..4 {
                    of[c] -= rows[at] * scale * program.rows[at].row[c];
                }
            }
            for at in pair.thermal.clone() {
                let (t, z) = (&program.thermal[at], &z.thermal[at]);
                for c in 0..4 {
                    gradient[0][c] += scale / t.scale * (z[1] * t.p[c] + z[2] * t.q[c]);
                }
            }
            for (found, gradient) in found.iter_mut().zip(&gradient) {
                add_along(found, pair.nodes, &sent.directions[k], gradient);
            }
        }
        found
    }

    fn parts(
        &self,
        model: &ConicModel,
        islands: usize,
        total: &[[f64; 2]],
        [unit, congestion, voltage]: [Vec<[f64; 2]>; 3],
    ) -> ConicPriceComponents {
        let (node_of_bus, island_of_bus) = (&model.topology.node_of_bus, &model.topology.island_of_bus);
        let n_bus = node_of_bus.len();
        let alive = || (0..n_bus).filter(|&bus| node_of_bus[bus] != NO_NODE);
        let (mut drawn, mut count) = (vec![0.0; islands], vec![0.0; islands]);
        for bus in alive() {
            drawn[island_of_bus[bus]] += self.data.demand[bus].max(0.0);
            count[island_of_bus[bus]] += 1.0;
        }
        let mut found = ConicPriceComponents {
            energy: vec![0.0; n_bus],
            losses: vec![[0.0; 2]; n_bus],
            congestion: vec![[0.0; 2]; n_bus],
            voltage: vec![[0.0; 2]; n_bus],
            slack_weight: vec![0.0; n_bus],
            residual: 0.0,
        };
        // Weighted means of active prices by island.
        let (mut energy, mut unit_mean) = (vec![0.0; islands], vec![0.0; islands]);
        let (mut congestion_mean, mut voltage_mean) = (vec![0.0; islands], vec![0.0; islands]);
        for bus in alive() {
            let (node, island) = (node_of_bus[bus], island_of_bus[bus]);
            let weight = match drawn[island] > 0.0 {
                true => self.data.demand[bus].max(0.0) / drawn[island],
                false => 1.0 / count[island],
            };
            found.slack_weight[bus] = weight;
            energy[island] += weight * total[node][0];
            unit_mean[island] += weight * unit[node][0];
            congestion_mean[island] += weight * congestion[node][0];
            voltage_mean[island] += weight * voltage[node][0];
        }
        let (mut worst, mut top) = (0.0f64, 0.0f64);
        for bus in alive() {
            let (node, island) = (node_of_bus[bus], island_of_bus[bus]);
            let eta = unit[node].map(|u| u / unit_mean[island]);
            found.energy[bus] = energy[island];
            found.losses[bus] = [energy[island] * (eta[0] - 1.0), energy[island] * eta[1]];
            for part in 0..2 {
                found.congestion[bus][part] = congestion[node][part] - congestion_mean[island] * eta[part];
                found.voltage[bus][part] = voltage[node][part] - voltage_mean[island] * eta[part];
                let own = if part == 0 { energy[island] } else { 0.0 };
                let sum = own + found.losses[bus][part] + found.congestion[bus][part] + found.voltage[bus][part];
                worst = worst.max((total[node][part] - sum).abs());
                top = top.max(total[node][part].abs());
            }
        }
        found.residual = if top > 0.0 { worst / top } else { worst };
        found
    }
}
