//! The derivative of everything along one change of the data.

use super::perturbation::Perturbation;
use crate::dc::kkt::Status;
use crate::dc::model::DcModel;
use crate::dc::solution::{nodal, DcSolution};

/// Rates of change per unit of step, dense rows. Prices and multipliers in $/h per unit.
#[derive(Clone, Debug)]
pub(crate) struct Tangent {
    /// Power of each column.
    pub p: Vec<f64>,
    /// Multiplier of each line's limit, positive at the lower.
    pub line_y: Vec<f64>,
    /// Price at each bus.
    pub price: Vec<f64>,
    /// Angle at each bus, radians.
    pub theta: Vec<f64>,
    /// Value of each line's row: flow, or angle difference where it carries none. Without meaning where a branch closes a
    /// loop of branches without impedance.
    pub value: Vec<f64>,
    /// Lower and upper limit of each line.
    pub limits: Vec<(f64, f64)>,
    /// Relative residual of the linear system.
    pub residual: f64,
}

impl DcSolution {
    /// Solves the linearised KKT system of the optimum (implicit function theorem) for one perturbation.
    pub(crate) fn tangent(&self, model: &DcModel, change: &Perturbation) -> Tangent {
        let mut injection = vec![0.0; model.n_bus];
        let mut island_demand = vec![0.0; self.rows.n_islands];
        for &(bus, d) in &change.injection {
            injection[bus] += d;
            island_demand[model.island_of_bus[bus]] -= d;
        }
        let mut base_rate = if change.injection.is_empty() {
            vec![0.0; model.lines.len()]
        } else {
            model.row_rates(&model.angles(&injection), &injection)
        };
        let mut limits = vec![(0.0, 0.0); model.lines.len()];
        for &(l, lo, hi) in &change.limits {
            limits[l].0 += lo;
            limits[l].1 += hi;
        }
        for &(l, d) in &change.flow {
            base_rate[l] += d;
        }
        let mut held = vec![0.0; model.columns.len()];
        for &(j, d) in &change.bound {
            held[j] += d;
        }
        let mut potential = vec![0.0; model.n_bus];
        for &(bus, z) in &change.potential {
            potential[bus] += z;
        }
        let bus_cost = if change.potential.is_empty() {
            vec![0.0; model.n_bus]
        } else {
            model.refined_angles(&potential, 1)
        };

        // Right-hand sides of the active rows and of the stationarity of free columns.
        let rhs: Vec<f64> = self
            .active
            .iter()
            .map(|&row| {
                let moved = if change.bound.is_empty() {
                    0.0
                } else {
                    self.rows.dot(row, &held)
                };
                let wanted = match row.checked_sub(self.rows.n_islands) {
                    None => island_demand[row],
                    Some(k) => {
                        let pooled = &self.rows.pooled[k];
                        let (lo, hi) = limits[pooled.line];
                        let base = pooled.kappa * island_demand[pooled.island] + base_rate[pooled.line];
                        (if self.side[row] > 0 { hi } else { lo }) - base
                    }
                };
                wanted - moved
            })
            .collect();
        let mut cost: Vec<f64> = model
            .columns
            .iter()
            .map(|c| -bus_cost[c.bus] / model.cost_scale)
            .collect();
        for &(j, d) in &change.cost {
            cost[j] += d / model.cost_scale;
        }
        let q: Vec<f64> = model.columns.iter().map(|g| g.q / model.cost_scale).collect();
        let (dy, mut dp) = self.system.solve(&self.rows, &q, &rhs, &cost);
        let residual = self.residual(&q, &rhs, &cost, &dy, &dp);
        for (p, held) in dp.iter_mut().zip(&held) {
            *p += held;
        }

        let mut island_price = vec![0.0; self.rows.n_islands];
        let mut line_y = vec![0.0; model.lines.len()];
        for (&row, y) in self.active.iter().zip(&dy) {
            let y = y * model.cost_scale;
            match row.checked_sub(self.rows.n_islands) {
                None => island_price[row] += y,
                Some(k) => {
                    let pooled = &self.rows.pooled[k];
                    line_y[pooled.line] = y;
                    island_price[pooled.island] -= y * pooled.kappa;
                }
            }
        }
        let mut price = nodal(model, &island_price, &line_y, 1);
        for (price, cost) in price.iter_mut().zip(&bus_cost) {
            *price += cost;
        }
        model.add_generation(&dp, &mut injection);
        let theta = model.angles(&injection);
        let mut value = model.row_rates(&theta, &injection);
        for &(l, d) in &change.flow {
            value[l] += d;
        }
        Tangent {
            p: dp,
            line_y,
            price,
            theta,
            value,
            limits,
            residual,
        }
    }

    fn residual(&self, q: &[f64], rhs: &[f64], cost: &[f64], dy: &[f64], dp: &[f64]) -> f64 {
        let scale = rhs
            .iter()
            .chain(cost)
            .chain(dy)
            .chain(dp)
            .fold(1.0f64, |m, x| m.max(x.abs()));
        let primal = self
            .active
            .iter()
            .zip(rhs)
            .fold(0.0f64, |m, (&row, r)| m.max((r - self.rows.dot(row, dp)).abs()));
        let mut dual: Vec<f64> = q.iter().zip(dp).zip(cost).map(|((q, d), c)| q * d + c).collect();
        for (&row, dy) in self.active.iter().zip(dy) {
            self.rows.add_scaled(row, -dy, &mut dual);
        }
        let free = dual.iter().zip(&self.status).filter(|(_, s)| **s == Status::Free);
        free.fold(primal, |m, (d, _)| m.max(d.abs())) / scale
    }
}
