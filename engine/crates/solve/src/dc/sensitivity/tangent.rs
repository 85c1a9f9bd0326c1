//! The derivative of all quantities along one change of the data.

use super::perturbation::Perturbation;
use crate::dc::basis::kkt::Status;
use crate::dc::model::prices::{finish_prices, line_price_rhs};
use crate::dc::model::DcModel;
use crate::dc::result::solution::DcSolution;

/// A derivative before that of angles and prices is computed.
pub(crate) struct Reduced {
    /// Power of each column.
    pub p: Vec<f64>,
    /// Multiplier of each active row, $/h per unit.
    pub y: Vec<f64>,
    /// The resulting price at the bus of each column, $/h per unit.
    pub aty: Vec<f64>,
    /// Changes of marginal costs in terms of prices, by bus.
    bus_cost: Option<Vec<f64>>,
    /// Relative residual of the linear system.
    pub residual: f64,
}

/// Rates of change per unit of step, dense rows. Prices and multipliers in $/h per unit.
#[derive(Clone, Debug)]
pub(crate) struct Tangent {
    /// Power of each column.
    pub p: Vec<f64>,
    /// Multiplier of each active row.
    pub y: Vec<f64>,
    /// Multiplier of each line's limit, positive at the lower.
    pub line_y: Vec<f64>,
    /// Price at each bus.
    pub price: Vec<f64>,
    /// Angle at each bus, radians.
    pub theta: Vec<f64>,
    /// Value of each line's row: its flow, or the angle difference of a line without flow. Undefined for a branch that
    /// closes a loop of branches without impedance.
    pub value: Vec<f64>,
    /// Relative residual of the linear system.
    pub residual: f64,
}

impl DcSolution {
    /// Solves the linearised KKT system of the optimum (implicit function theorem) for one perturbation.
    pub(crate) fn tangent(&self, model: &DcModel, change: &Perturbation) -> Tangent {
        let (mut tangent, injection) = self.tangent_at_buses(model, change);
        tangent.line_y = vec![0.0; model.lines.len()];
        for (&row, y) in self.active.iter().zip(&tangent.y) {
            if let Some(pooled) = self.rows.line(row) {
                tangent.line_y[pooled.line] = *y;
            }
        }
        tangent.value = model.row_rates(&tangent.theta, &injection);
        for &(l, d) in &change.flow {
            tangent.value[l] += d;
        }
        tangent
    }

    /// The part of `tangent` for powers and multipliers.
    pub(crate) fn reduced_tangent(&self, model: &DcModel, change: &Perturbation) -> Reduced {
        let mut island_demand = vec![0.0; self.rows.n_islands];
        for &(bus, d) in &change.injection {
            island_demand[model.island_of_bus[bus]] -= d;
        }
        let base_rates = self.base_rates(model, change);
        let mut held = vec![0.0; model.columns.len()];
        for &(j, d) in &change.bound {
            held[j] += d;
        }
        let bus_cost = (!change.potential.is_empty()).then(|| {
            let mut potential = vec![0.0; model.n_bus];
            for &(bus, z) in &change.potential {
                potential[bus] += z;
            }
            let [cost] = model.refined_angles([&potential], 1);
            cost
        });

        // Right-hand sides of the active rows and of the stationarity of free columns.
        let rhs: Vec<f64> = self
            .active
            .iter()
            .zip(&base_rates)
            .map(|(&row, base_rate)| {
                let moved = if change.bound.is_empty() {
                    0.0
                } else {
                    self.rows.dot(row, &held)
                };
                let wanted = match row.checked_sub(self.rows.n_islands) {
                    None => island_demand[row],
                    Some(k) => {
                        let pooled = &self.rows.lazy[k];
                        let upper = self.side[row] > 0;
                        let own = change.limits.iter().filter(|limit| limit.0 == pooled.line);
                        let limit: f64 = own.map(|&(_, lo, hi)| if upper { hi } else { lo }).sum();
                        limit - (pooled.kappa * island_demand[pooled.island] + base_rate)
                    }
                };
                wanted - moved
            })
            .collect();
        let mut cost: Vec<f64> = match &bus_cost {
            Some(bus_cost) => {
                let columns = model.columns.iter();
                columns.map(|c| -bus_cost[c.bus] / model.cost_scale).collect()
            }
            None => vec![0.0; model.columns.len()],
        };
        for &(j, d) in &change.cost {
            cost[j] += d / model.cost_scale;
        }
        let q: Vec<f64> = model.columns.iter().map(|g| g.q / model.cost_scale).collect();
        let (dy, mut dp) = self.system.solve(model, &self.rows, &q, &rhs, &cost);
        let is_free = |j: usize| self.status[j] == Status::Free;
        let (residual, mut aty) = self
            .system
            .check(model, &self.rows, &q, (&rhs, &cost), (&dy, &dp), is_free);
        for (p, held) in dp.iter_mut().zip(&held) {
            *p += held;
        }
        for aty in &mut aty {
            *aty *= model.cost_scale;
        }
        Reduced {
            p: dp,
            y: dy.iter().map(|y| y * model.cost_scale).collect(),
            aty,
            bus_cost,
            residual,
        }
    }

    /// The part of `tangent` by bus, with the change of net injections.
    fn tangent_at_buses(&self, model: &DcModel, change: &Perturbation) -> (Tangent, Vec<f64>) {
        let Reduced {
            p: dp,
            y,
            bus_cost,
            residual,
            ..
        } = self.reduced_tangent(model, change);
        let mut injection = vec![0.0; model.n_bus];
        for &(bus, d) in &change.injection {
            injection[bus] += d;
        }
        let terms = self.active.iter().copied().zip(y.iter().copied());
        let (island_price, line_y) = self.rows.multipliers(terms);
        model.add_generation(&dp, &mut injection);
        // If no line's multiplier moves, prices move by island.
        let (mut price, theta) = if line_y.is_empty() {
            (vec![0.0; model.n_bus], model.angles(&injection))
        } else {
            let aty = line_price_rhs(model, &line_y);
            let [price, theta] = model.refined_angles([&aty, &injection], 0);
            (price, theta)
        };
        finish_prices(model, &island_price, &line_y, &mut price);
        for (price, cost) in price.iter_mut().zip(bus_cost.iter().flatten()) {
            *price += cost;
        }
        let tangent = Tangent {
            p: dp,
            y,
            line_y: Vec::new(),
            price,
            theta,
            value: Vec::new(),
            residual,
        };
        (tangent, injection)
    }

    /// Change of the value of each active row at constant generation; zero for balances.
    fn base_rates(&self, model: &DcModel, change: &Perturbation) -> Vec<f64> {
        let mut rates = vec![0.0; self.active.len()];
        let lines = || {
            self.active
                .iter()
                .filter_map(|&row| self.rows.line(row))
                .map(|r| r.line)
        };
        if lines().next().is_none() {
            return rates;
        }
        let mut x = vec![0.0; model.n_places()];
        if !change.injection.is_empty() {
            // The part between the changed buses and the ends of the active lines.
            let mut buses = Vec::with_capacity(change.injection.len());
            for &(bus, d) in &change.injection {
                if let Some(k) = model.elimination_index(bus) {
                    x[k] += d;
                    buses.push(bus);
                }
            }
            model.solve_part(&model.part_between(buses, lines()), &mut x);
        }
        let angle = |bus: usize| model.elimination_index(bus).map_or(0.0, |k| x[k]);
        for (rate, &row) in rates.iter_mut().zip(&self.active) {
            let Some(pooled) = self.rows.line(row) else { continue };
            let l = pooled.line;
            for (o, c) in model.terms(l) {
                *rate += c * (angle(model.lines[o].from) - angle(model.lines[o].to));
            }
            for &(bus, d) in &change.injection {
                let direct = model.direct(l).filter(|&(at, _)| at == bus);
                *rate += direct.map(|(_, c)| c * d).sum::<f64>();
            }
            *rate += change.flow.iter().filter(|f| f.0 == l).map(|f| f.1).sum::<f64>();
        }
        rates
    }
}
