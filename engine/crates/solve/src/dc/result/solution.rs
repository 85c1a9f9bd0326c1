//! The optimum of a DC OPF, with its derived quantities.

use crate::dc::basis::kkt::Status;
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::system::System;
use crate::dc::model::prices::{finish_prices, line_price_rhs};
use crate::dc::model::zero_generation::ZeroGeneration;
use crate::dc::model::{DcData, DcModel, Line};
use crate::dc::result::certificate::{Certificate, Point};
use crate::generator_columns::GenColumn;
use std::sync::{Arc, OnceLock};
use wattbook_network::error::EngineError;
use wattbook_network::message;

/// Multipliers below this (relative to the scale of prices) are rounding errors: the line is at its limit at zero
/// price.
pub(crate) const NO_SHADOW: f64 = 1e-9;

/// Progress of the solve at one round of lazy lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Cost of the relaxed dispatch, $/h.
    pub objective: f64,
    /// Largest violation of a line without a row, per unit.
    pub violation: f64,
}

/// Certified optimum. Per unit and dense rows; prices and multipliers in $/h per unit.
#[derive(Clone, Debug)]
pub struct DcSolution {
    pub data: DcData,
    /// $/h.
    pub objective: f64,
    /// Price at each bus, $/h per unit; zero for buses outside the model.
    pub price: Vec<f64>,
    /// Radians.
    pub theta: Vec<f64>,
    /// Flow of each branch at the from end, per unit; zero for branches outside the model. In the rows of combinations,
    /// their values less the excess.
    pub flow: Vec<f64>,
    /// Multiplier of each branch's limit, $/h per unit: at least zero at the upper limit and at most zero at the lower,
    /// the signed saving.
    pub shadow: Vec<f64>,
    /// Branch rows limited by their angle-difference limit rather than their rating.
    pub held_by_angle: Vec<usize>,
    /// Power of each generator; zero for generators outside the model.
    pub dispatch: Vec<f64>,
    pub certificate: Certificate,
    pub progress: Vec<Progress>,
    /// Number of changes of the active set.
    pub pivots: usize,
    // The active set: all binding lines are active rows, including those that the solver represents by a bound.
    pub(crate) rows: Arc<LazyRows>,
    pub(crate) status: Vec<Status>,
    pub(crate) p: Vec<f64>,
    /// Balances, then lines in their order.
    pub(crate) active: Vec<usize>,
    pub(crate) side: Vec<i8>,
    pub(crate) y: Vec<f64>,
    pub(crate) system: Arc<System>,
    /// Largest violation of a line's limits, per unit.
    pub(crate) outside: f64,
    /// `DcOutline::shifted` of its program.
    pub(crate) shifted: Vec<(usize, f64)>,
    /// See `slack`; computed on first use.
    slack: OnceLock<Vec<(f64, f64)>>,
    zero_generation: OnceLock<ZeroGeneration>,
}

/// The active set of an optimum: rows and columns as in `DcSolution`, multipliers in $/h per unit.
pub(crate) struct ActiveSet {
    pub rows: Arc<LazyRows>,
    pub status: Vec<Status>,
    pub p: Vec<f64>,
    pub side: Vec<i8>,
    pub y: Vec<f64>,
    pub system: Arc<System>,
}

impl DcSolution {
    /// The solution of an active set with refined angles and prices.
    pub(crate) fn new(
        model: &DcModel,
        data: &DcData,
        active_set: ActiveSet,
        progress: Vec<Progress>,
        pivots: usize,
    ) -> Self {
        let mut injection: Vec<f64> = model.withdrawals(&data.demand).iter().map(|w| -w).collect();
        model.add_generation(&active_set.p, &mut injection);
        let terms = active_set.system.active.iter().map(|&row| (row, active_set.y[row]));
        let (island_price, line_y) = active_set.rows.multipliers(terms);
        let [theta, mut price] = model.refined_angles([&injection, &line_price_rhs(model, &line_y)], 2);
        finish_prices(model, &island_price, &line_y, &mut price);
        Self {
            progress,
            pivots,
            ..Self::at(model, data, active_set, theta, price)
        }
    }

    /// The certified solution from powers, multipliers, angles and prices.
    pub(crate) fn at(model: &DcModel, data: &DcData, active_set: ActiveSet, theta: Vec<f64>, price: Vec<f64>) -> Self {
        let ActiveSet {
            rows,
            status,
            p,
            side,
            y,
            system,
        } = active_set;
        let active = system.active.clone();
        let mut line_y = Vec::new();
        let mut shadow = vec![0.0; model.n_branch];
        let mut held_by_angle = Vec::new();
        for &row in &active {
            let Some(pooled) = rows.line(row) else { continue };
            let line = &model.lines[pooled.line];
            if y[row] != 0.0 {
                line_y.push((pooled.line, y[row]));
            }
            if y[row].abs() > NO_SHADOW * model.cost_scale && line.tie.is_none() {
                shadow[line.row] = -y[row];
            }
            let (lo, hi) = line.limits(data.rating[line.row]);
            let limit = if side[row] > 0 { hi } else { lo };
            if line.tie.is_none() && (limit.abs() < data.rating[line.row] || line.is_angle_difference()) {
                held_by_angle.push(line.row);
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
            price: &price,
            objective,
        };
        let mut flow = vec![0.0; model.n_branch];
        let (certificate, outside) = if model.zero_impedance.lines().is_empty() {
            let flow = &mut flow[..];
            Certificate::check(model, data, &point, move |_, s, apart| {
                let value = s.b * apart - s.shift_flow;
                flow[s.row as usize] = value;
                value
            })
        } else {
            let mut injection: Vec<f64> = model.drawn(&data.demand).map(|w| -w).collect();
            model.add_generation(&p, &mut injection);
            let line_flow = model.flows(&theta, &injection);
            for (line, value) in model.lines.iter().zip(&line_flow) {
                flow[line.row] = *value;
            }
            Certificate::check(model, data, &point, |l, _, _| line_flow[l])
        };
        let mut solution = Self {
            data: data.clone(),
            objective,
            price,
            theta,
            flow,
            shadow,
            held_by_angle,
            dispatch,
            certificate,
            progress: Vec::new(),
            pivots: 0,
            rows,
            status,
            p,
            active,
            side,
            y,
            system,
            outside,
            shifted: model.shifted.clone(),
            slack: OnceLock::new(),
            zero_generation: OnceLock::new(),
        };
        solution.set_combined_flows(model);
        solution
    }

    /// The same optimum in a program with further rows and excesses, which are zero.
    pub(crate) fn extended(&self, program: &DcModel, data: DcData) -> Self {
        let mut extended = Self {
            data,
            rows: Arc::new(self.rows.extended(program)),
            slack: OnceLock::new(),
            zero_generation: OnceLock::new(),
            ..self.clone()
        };
        extended.p.resize(program.columns.len(), 0.0);
        extended.status.resize(program.columns.len(), Status::AtLower);
        extended.dispatch.resize(program.n_gen, 0.0);
        extended.theta.resize(program.n_bus, 0.0);
        extended.price.resize(program.n_bus, 0.0);
        extended.shadow.resize(program.n_branch, 0.0);
        extended.flow.resize(program.n_branch, 0.0);
        extended.set_combined_flows(program);
        extended
    }

    /// Sets the values of combinations from the flows of lines.
    fn set_combined_flows(&mut self, model: &DcModel) {
        for l in model.combinations() {
            let sum = model.combined(l, |m| self.flow[model.lines[m].row]);
            self.flow[model.lines[l].row] = sum + model.injected_by(l, &self.p);
        }
    }

    /// The data in the form of the solver, computed when another optimum is first sought from this one.
    pub(crate) fn zero_generation(&self, model: &DcModel) -> &ZeroGeneration {
        self.zero_generation
            .get_or_init(|| ZeroGeneration::new(model, &self.data))
    }

    /// By line: distance of its row's value from the lower and from the upper limit.
    pub(crate) fn slack(&self, model: &DcModel) -> &[(f64, f64)] {
        self.slack.get_or_init(|| {
            let slack = |line: &Line| {
                let (lo, hi) = line.limits(self.data.rating[line.row]);
                let value = self.row_value(line);
                (value - lo, hi - value)
            };
            model.lines.iter().map(slack).collect()
        })
    }

    /// Value of a line's row at the optimum: its flow, or the angle difference of a line without flow.
    pub(crate) fn row_value(&self, line: &Line) -> f64 {
        if line.is_angle_difference() {
            self.theta[line.from] - self.theta[line.to]
        } else {
            self.flow[line.row]
        }
    }

    /// Whether a row is the tie of a link, whose multiplier has no sign.
    pub(crate) fn is_tie(&self, model: &DcModel, row: usize) -> bool {
        self.rows.line(row).is_some_and(|r| model.lines[r.line].tie.is_some())
    }

    /// A link that sends power in both directions at once, which only burns it: where the prices at its ends sum to less
    /// than zero, the program with a column for each direction is not exact.
    pub(crate) fn circulating(&self, model: &DcModel) -> Option<usize> {
        model.links.circulating(&self.dispatch)
    }

    /// Number of binding lines that the solver represented as a bound of the single unit behind them.
    pub fn binding_unit_bridges(&self) -> usize {
        self.system.units.len()
    }

    /// A line without impedance that closes a loop and carries more than its rating, which the program omits.
    pub(crate) fn overloaded_loop(&self, model: &DcModel) -> Option<usize> {
        model.overloaded_loop(&self.data, &self.flow)
    }

    /// The error for an unlimited unit that reaches its artificial bound.
    pub(crate) fn unbounded(&self, model: &DcModel) -> Option<EngineError> {
        let open = |(column, status): (&GenColumn, &Status)| match status {
            Status::AtUpper => column.open_above && column.is_last,
            Status::AtLower => column.open_below && column.is_first,
            Status::Free => false,
        };
        let j = model.columns.iter().zip(&self.status).position(open)?;
        let element = model.gen_ids[model.columns[j].generator].clone();
        let message = message!("solve.unbounded", generator = &element);
        Some(EngineError::new("SOLVE.UNBOUNDED", message).at(element))
    }
}
