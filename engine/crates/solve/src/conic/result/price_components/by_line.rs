//! The congestion component of one price by line.
//!
//! A price is a linear function of the gradients of the binding limits, so one solve with the Jacobian gives all
//! contributions instead of one solve per line.

use super::injection_jacobian::InjectionJacobian;
use super::slack::Slacks;
use crate::conic::model::formulation::ConicModel;
use crate::conic::model::program::dot4;
use crate::conic::result::solution::ConicSolution;
use std::collections::BTreeMap;
use wattbook_network::error::Result;

/// Contribution of one binding line to a price, $/h per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConicCongestion {
    /// Dense branch row.
    pub branch: usize,
    pub value: f64,
    /// Multiplier of its rating, or of its angle-difference limit, > 0.
    pub shadow: f64,
    /// Change of the limited quantity, in the binding direction, per unit injected at the bus and withdrawn at the
    /// slack.
    pub shift_factor: f64,
}

impl ConicSolution {
    /// Contribution of each binding line to the price of active power at an energised bus, largest first. Residual
    /// multipliers of lines that do not bind are omitted.
    ///
    /// # Errors
    /// `SENS.NOT_REGULAR`.
    pub fn congestion_by_line(&self, model: &ConicModel, bus: usize) -> Result<Vec<ConicCongestion>> {
        let jacobian = InjectionJacobian::new(model, self)?;
        let (program, z) = (&self.program, &self.point.v.z);
        let moved = jacobian.solve_forward(&self.weights(model, &jacobian, bus));
        let angle = |node: usize| {
            if jacobian.references.contains(&node) {
                0.0
            } else {
                moved[node][0]
            }
        };
        let linear = &z.linear[program.bounds.len()..];
        let slack = &self.point.s.linear[program.bounds.len()..];
        let mut lines: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
        for (k, pair) in program.pairs.iter().enumerate() {
            let by = &jacobian.directions[k];
            // Change of the pair's `(w_f, w_t, e, wi)`.
            let change: [f64; 4] = std::array::from_fn(|c| {
                let at = |end: usize| {
                    let node = pair.nodes[end];
                    by[2 * end][c] * angle(node) + by[2 * end + 1][c] * moved[node][1]
                };
                at(0) + at(1)
            });
            for at in pair
                .thermal
                .clone()
                .filter(|&at| self.shadow[program.thermal[at].branch] > 0.0)
            {
                let (t, z) = (&program.thermal[at], &z.thermal[at]);
                let gradient = z[1] * dot4(&t.p, &change) + z[2] * dot4(&t.q, &change);
                let line = lines.entry(t.branch).or_default();
                line[0] += program.cost_scale / t.scale * gradient;
                line[1] = self.shadow[t.branch];
            }
            // Angle-difference limits; the cuts come after them.
            let binds = |at: &usize| slack[*at] <= linear[*at];
            for (side, at) in pair.rows.clone().take(2).enumerate().filter(|(_, at)| binds(at)) {
                let multiplier = linear[at] * program.cost_scale;
                let limit = model.limits[k].set_by[side];
                let line = lines.entry(limit).or_default();
                line[0] -= multiplier * dot4(&program.rows[at].row, &change);
                line[1] += multiplier;
            }
        }
        let parts = lines.into_iter().map(|(branch, [value, shadow])| ConicCongestion {
            branch,
            value,
            shadow,
            shift_factor: if shadow > 0.0 { -value / shadow } else { 0.0 },
        });
        let mut parts: Vec<ConicCongestion> = parts.filter(|part| part.shadow > 0.0).collect();
        parts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()).then(a.branch.cmp(&b.branch)));
        Ok(parts)
    }

    /// The congestion component of the price as weights of the prices that a gradient makes: that of the bus, less the
    /// mean of its island by the slack's weights, times the loss factor of the bus.
    fn weights(&self, model: &ConicModel, jacobian: &InjectionJacobian, bus: usize) -> Vec<[f64; 2]> {
        let (node_of_bus, island_of_bus) = (&model.topology.node_of_bus, &model.topology.island_of_bus);
        let slacks = Slacks::new(model, &self.data.demand);
        let mut unit = vec![[0.0; 2]; self.program.n];
        jacobian.references.iter().for_each(|&node| unit[node][0] = 1.0);
        let unit = jacobian.solve(&unit);
        let here = || (0..node_of_bus.len()).filter(|&b| island_of_bus[b] == island_of_bus[bus]);
        let mean: f64 = here().map(|b| slacks.weight(b) * unit[node_of_bus[b]][0]).sum();
        let factor = unit[node_of_bus[bus]][0] / mean;
        let mut weights = vec![[0.0; 2]; self.program.n];
        for b in here() {
            weights[node_of_bus[b]][0] -= factor * slacks.weight(b);
        }
        weights[node_of_bus[bus]][0] += 1.0;
        weights
    }
}
