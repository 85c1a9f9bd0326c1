//! Prices split into energy, losses, congestion and voltage limits.
//!
//! Along changes of voltage angles and magnitudes that keep each product's share of `w_f w_t`, the multipliers of
//! Jabr's cones do no work, tight or loose. The remaining optimality conditions are those of AC optimal power flow at
//! the products of the relaxation: `J'price = -gradient of the binding limits`, where `J` is the Jacobian of the powers
//! that nodes send into the network. Without limits the solution is the prices of energy with marginal losses, unique
//! up to a factor in each island, which the weights of the slack fix (Orfanogianni and Gross, *IEEE Trans. Power
//! Systems* 22, 2007). Each limit adds its own contribution.

mod by_line;
mod injection_jacobian;
mod slack;

pub use by_line::ConicCongestion;
pub use slack::ConicSlack;

use super::solution::ConicSolution;
use crate::conic::model::formulation::ConicModel;
use crate::conic::model::topology::NO_NODE;
use injection_jacobian::{add_along, InjectionJacobian};
use slack::Slacks;
use wattbook_network::error::Result;

/// `price = energy + losses + congestion + voltage` by bus, $/h per unit; pairs are of active and reactive power. Zero
/// for buses that are not energised.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicPriceComponents {
    /// Mean price of active power in the bus's island with the weights of the slack. Reactive power has no such
    /// component.
    pub energy: Vec<f64>,
    pub losses: Vec<[f64; 2]>,
    /// From ratings and angle-difference limits.
    pub congestion: Vec<[f64; 2]>,
    /// From voltage limits, and from the cuts that follow from them.
    pub voltage: Vec<[f64; 2]>,
    /// The slack of each island is distributed by demand, or evenly if the island has none. The weights of an island
    /// sum to one.
    pub slack_weight: Vec<f64>,
    /// Largest `|price - sum of the parts|`, relative to the largest price.
    pub residual: f64,
}

impl ConicSolution {
    /// Splits the prices of all buses.
    ///
    /// # Errors
    /// `SENS.NOT_REGULAR`.
    pub fn price_components(&self, model: &ConicModel) -> Result<ConicPriceComponents> {
        let jacobian = InjectionJacobian::new(model, self)?;
        let program = &self.program;
        let total: Vec<[f64; 2]> = self
            .point
            .v
            .y
            .iter()
            .map(|y| y.map(|y| -y * program.cost_scale))
            .collect();
        let [mut congestion, mut voltage] = self.limits(&jacobian);
        // The component of a voltage fixed by equal limits is the remainder.
        let all = jacobian.transposed(&total);
        for (node, _) in program.held.iter().enumerate().filter(|(_, held)| held.is_some()) {
            voltage[node][1] = all[node][1] - congestion[node][1];
        }
        let mut unit = vec![[0.0; 2]; program.n];
        for &node in &jacobian.references {
            (unit[node][0], congestion[node][0], voltage[node][0]) = (1.0, 0.0, 0.0);
        }
        let solved = [unit, congestion, voltage].map(|rhs| jacobian.solve(&rhs));
        Ok(self.parts(model, model.islands(), &total, solved))
    }

    /// The negative gradients of binding limits: of ratings and angle differences, and of voltages and cuts.
    fn limits(&self, jacobian: &InjectionJacobian) -> [Vec<[f64; 2]>; 2] {
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
            found[1][bound.variable][1] -= sign * z * scale * 2.0 * jacobian.w[bound.variable];
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
                add_along(found, pair.nodes, &jacobian.directions[k], gradient);
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
        let slacks = Slacks::new(model, &self.data.demand);
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
            let weight = slacks.weight(bus);
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
