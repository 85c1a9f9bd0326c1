//! The optimum of a DC OPF with everything that is derived from it.

use super::certificate::{Certificate, Point};
use super::columns::GenColumn;
use super::kkt::Status;
use super::model::{DcData, DcModel, Line};
use super::pool::Rows;
use super::system::System;
use wattbook_network::error::EngineError;

/// Multipliers below this (relative to the scale of prices) are rounding, not a price: the line is full but costs nothing.
const NO_SHADOW: f64 = 1e-9;

/// One round of lazy lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Cost of the relaxed dispatch, $/h.
    pub objective: f64,
    /// Largest violation found outside the pool, per unit.
    pub violation: f64,
}

/// Certified optimum. Per unit and dense rows; prices and multipliers in $/h per unit.
#[derive(Clone, Debug)]
pub struct DcSolution {
    pub data: DcData,
    /// $/h.
    pub objective: f64,
    /// Price at each bus, $/h per unit; zero at buses that take no part.
    pub price: Vec<f64>,
    /// Radians.
    pub theta: Vec<f64>,
    /// Flow of each branch at the from end, per unit; zero where it takes no part.
    pub flow: Vec<f64>,
    /// Multiplier of each branch's limit, $/h per unit, >= 0 at the upper limit, <= 0 at the lower: the signed saving.
    pub shadow: Vec<f64>,
    /// Branch rows held by their angle window and not by their rating.
    pub held_by_angle: Vec<usize>,
    /// Power of each generator; zero where it takes no part.
    pub dispatch: Vec<f64>,
    pub certificate: Certificate,
    pub progress: Vec<Progress>,
    /// Changes of the active set it took.
    pub pivots: usize,
    // The active set: all binding lines are active rows, those the solver held through a bound included.
    pub(crate) rows: Rows,
    pub(crate) status: Vec<Status>,
    pub(crate) p: Vec<f64>,
    /// Balances, then lines in their order.
    pub(crate) active: Vec<usize>,
    pub(crate) side: Vec<i8>,
    pub(crate) y: Vec<f64>,
    pub(crate) system: System,
    /// By line: how far its row's value is above the lower limit and below the upper.
    pub(crate) room: Vec<(f64, f64)>,
}

/// The active set of an optimum: rows and columns as `DcSolution` has them, multipliers in $/h per unit.
pub(crate) struct ActiveSet {
    pub rows: Rows,
    pub status: Vec<Status>,
    pub p: Vec<f64>,
    pub side: Vec<i8>,
    pub y: Vec<f64>,
    pub system: System,
}

impl DcSolution {
    pub(crate) fn new(
        model: &DcModel,
        data: &DcData,
        active_set: ActiveSet,
        progress: Vec<Progress>,
        pivots: usize,
    ) -> Self {
        let ActiveSet {
            rows,
            status,
            p,
            side,
            y,
            system,
        } = active_set;
        let active = system.active.clone();
        let mut injection: Vec<f64> = model.withdrawals(&data.demand).iter().map(|w| -w).collect();
        model.add_generation(&p, &mut injection);
        let mut line_y = vec![0.0; model.lines.len()];
        let mut island_price = vec![0.0; rows.n_islands];
        let mut held_by_angle = Vec::new();
        for &row in &active {
            match row.checked_sub(rows.n_islands) {
                None => island_price[row] += y[row],
                Some(k) => {
                    let pooled = &rows.pooled[k];
                    let line = &model.lines[pooled.line];
                    line_y[pooled.line] = y[row];
                    // Back from the centred row to the island's price.
                    island_price[pooled.island] -= y[row] * pooled.kappa;
                    let (lo, hi) = line.limits(data.rating[line.row]);
                    let limit = if side[row] > 0 { hi } else { lo };
                    if limit.abs() < data.rating[line.row] || line.is_window() {
                        held_by_angle.push(line.row);
                    }
                }
            }
        }
        let [theta, mut price] = model.refined_angles([&injection, &line_pull(model, &line_y)], 2);
        finish_prices(model, &island_price, &line_y, &mut price);
        let line_flow = model.flows(&theta, &injection);
        let mut flow = vec![0.0; model.n_branch];
        for (line, value) in model.lines.iter().zip(&line_flow) {
            flow[line.row] = *value;
        }
        let mut shadow = vec![0.0; model.n_branch];
        for (line, y) in model.lines.iter().zip(&line_y) {
            if y.abs() > NO_SHADOW * model.cost_scale {
                shadow[line.row] = -y;
            }
        }
        let mut dispatch = vec![0.0; model.n_gen];
        let mut objective = model.constant_cost;
        for (column, p) in model.columns.iter().zip(&p) {
            dispatch[column.generator] += p;
            objective += (0.5 * column.q * p + column.c) * p;
        }
        let point = Point {
            p: &p,
            line_y: &line_y,
            theta: &theta,
            flow: &line_flow,
            price: &price,
            objective,
        };
        let certificate = Certificate::check(model, data, &point);
        let room = model.lines.iter().zip(&line_flow).map(|(line, &flow)| {
            let (lo, hi) = line.limits(data.rating[line.row]);
            let value = if line.is_window() {
                theta[line.from] - theta[line.to]
            } else {
                flow
            };
            (value - lo, hi - value)
        });
        let room = room.collect();
        Self {
            data: data.clone(),
            objective,
            price,
            theta,
            flow,
            shadow,
            held_by_angle,
            dispatch,
            certificate,
            progress,
            pivots,
            rows,
            status,
            p,
            active,
            side,
            y,
            system,
            room,
        }
    }

    /// Value of a line's row at the optimum: its flow, or the angle difference where it carries none.
    pub(crate) fn row_value(&self, line: &Line) -> f64 {
        if line.is_window() {
            self.theta[line.from] - self.theta[line.to]
        } else {
            self.flow[line.row]
        }
    }

    /// Binding lines that the solver held as a bound of the single unit behind them.
    pub fn binding_unit_bridges(&self) -> usize {
        self.system.units.len()
    }

    /// A unit without limit that runs into its invented one.
    pub(crate) fn unbounded(&self, model: &DcModel) -> Option<EngineError> {
        let open = |(column, status): (&GenColumn, &Status)| match status {
            Status::AtUpper => column.open_above && column.is_last,
            Status::AtLower => column.open_below && column.is_first,
            Status::Free => false,
        };
        let j = model.columns.iter().zip(&self.status).position(open)?;
        let element = model.gen_ids[model.columns[j].generator].clone();
        let message = format!(
            "The cost falls without end: generator {} has no limit there.",
            element.id
        );
        Some(EngineError::new("SOLVE.UNBOUNDED", message).at(element))
    }
}

/// Right-hand side of the price equations `B pi = sum y w (e_f - e_t)` for line multipliers.
pub(crate) fn line_pull(model: &DcModel, line_y: &[f64]) -> Vec<f64> {
    let mut rhs = vec![0.0; model.n_bus];
    for (l, y) in line_y.iter().enumerate().filter(|(_, y)| **y != 0.0) {
        for (o, c) in model.terms(l) {
            rhs[model.lines[o].from] += y * c;
            rhs[model.lines[o].to] -= y * c;
        }
    }
    rhs
}

/// Turns potentials `B^-1 sum y w (e_f - e_t)` into prices: adds island prices and what merged branches add directly.
pub(crate) fn finish_prices(model: &DcModel, island: &[f64], line_y: &[f64], price: &mut [f64]) {
    for (l, y) in line_y.iter().enumerate().filter(|(_, y)| **y != 0.0) {
        for &bus in model.side(l) {
            price[bus] += y;
        }
    }
    for (bus, price) in price.iter_mut().enumerate() {
        if model.bus_is_active(bus) {
            *price += island[model.island_of_bus[bus]];
        }
    }
}
