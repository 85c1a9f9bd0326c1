//! State of one run, and its start.

use super::random::Random;
use crate::dc::infeasible;
use crate::dc::kkt::{Kkt, Status};
use crate::dc::merit_order;
use crate::dc::model::{DcData, DcModel};
use crate::dc::pool::Rows;
use crate::dc::solution::{DcSolution, Progress};
use wattbook_network::error::EngineError;

/// Why a run ended without an optimum.
pub(super) enum Failure {
    Infeasible(EngineError),
    Stalled(&'static str),
}

pub(super) type Step<T> = std::result::Result<T, Failure>;

/// A constraint that enters: a free column outside a bound, or a pooled line outside a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entering {
    pub constraint: Constraint,
    /// +1 where the value must rise, -1 where it must fall.
    pub sign: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constraint {
    Column(usize),
    Row(usize),
}

/// A multiplier that reaches zero at step `t`.
pub(super) struct Breakpoint {
    pub t: f64,
    pub rate: f64,
    pub range: f64,
    pub constraint: Constraint,
    pub can_flip: bool,
}

pub(super) struct Run<'a> {
    pub model: &'a DcModel,
    pub rows: Rows,
    /// Demand of each island, and each line's value without generation.
    pub island_demand: Vec<f64>,
    pub line_base: Vec<f64>,
    pub line_limits: Vec<(f64, f64)>,
    /// Scaled costs.
    pub c: Vec<f64>,
    pub q: Vec<f64>,
    pub status: Vec<Status>,
    pub p: Vec<f64>,
    pub rc: Vec<f64>,
    /// Active rows, the side each row is held at (+1 upper, -1 lower, 0 inactive or balance), multipliers by row.
    pub active: Vec<usize>,
    pub side: Vec<i8>,
    pub y: Vec<f64>,
    pub kkt: Kkt,
    pub pivots: usize,
    pub zero_steps: usize,
    pub known_feasible: bool,
    pub progress: Vec<Progress>,
}

impl<'a> Run<'a> {
    pub(super) fn new(model: &'a DcModel, data: &DcData, rows: Rows) -> Self {
        let withdrawals = model.withdrawals(&data.demand);
        let mut island_demand = vec![0.0; model.islands.len()];
        for (bus, w) in withdrawals.iter().enumerate() {
            if model.bus_is_active(bus) {
                island_demand[model.island_of_bus[bus]] += w;
            }
        }
        let injection: Vec<f64> = withdrawals.iter().map(|w| -w).collect();
        let theta = model.angles(&injection);
        let n = model.columns.len();
        let n_rows = rows.len();
        Self {
            line_base: model.lines.iter().map(|l| model.row_value(l, &theta)).collect(),
            line_limits: model.lines.iter().map(|l| l.limits(data.rating[l.row])).collect(),
            c: model.columns.iter().map(|g| g.c / model.cost_scale).collect(),
            q: model.columns.iter().map(|g| g.q / model.cost_scale).collect(),
            status: vec![Status::AtLower; n],
            p: model.columns.iter().map(|g| g.lo).collect(),
            rc: vec![0.0; n],
            active: Vec::new(),
            side: vec![0; n_rows],
            y: vec![0.0; n_rows],
            kkt: Kkt::default(),
            pivots: 0,
            zero_steps: 0,
            known_feasible: false,
            progress: Vec::new(),
            island_demand,
            rows,
            model,
        }
    }

    /// Takes over the active set of an optimum of the same model.
    pub(super) fn restore(&mut self, start: &DcSolution) {
        self.status.clone_from(&start.status);
        self.p.clone_from(&start.p);
        self.active.clone_from(&start.active);
        self.side.clone_from(&start.side);
        self.y = start.y.iter().map(|y| y / self.model.cost_scale).collect();
        self.kkt = start.kkt.clone();
        for j in 0..self.p.len() {
            if self.status[j] != Status::Free {
                self.rc[j] = self.c[j] + self.q[j] * self.p[j];
            }
        }
        for &row in &self.active {
            let mut part = vec![0.0; self.p.len()];
            self.rows.add_scaled(row, -self.y[row], &mut part);
            for (rc, part) in self.rc.iter_mut().zip(part) {
                *rc += part;
            }
        }
        for (rc, status) in self.rc.iter_mut().zip(&self.status) {
            if *status == Status::Free {
                *rc = 0.0;
            }
        }
    }

    /// Breaks ties between equal units: `c += xi u (|c| + 1)`, u in [0.5, 1] from a fixed xorshift.
    pub(super) fn perturb(&mut self, xi: f64) {
        let mut random = Random::default();
        for c in &mut self.c {
            *c += xi * (0.5 + 0.5 * random.unit()) * (c.abs() + 1.0);
        }
    }

    pub(super) fn remove_perturbation(&mut self) {
        for (c, column) in self.c.iter_mut().zip(&self.model.columns) {
            *c = column.c / self.model.cost_scale;
        }
    }

    /// Dual feasible start: each island in merit order, its balance active where something can move.
    pub(super) fn merit_order(&mut self) -> Step<()> {
        for island in 0..self.rows.n_islands {
            let members: Vec<usize> = (0..self.p.len())
                .filter(|&j| self.rows.island_of_column[j] == island)
                .collect();
            let demand = self.island_demand[island];
            let costs = (&self.c[..], &self.q[..]);
            match merit_order::dispatch(
                &self.model.columns,
                &members,
                costs,
                demand,
                &mut self.status,
                &mut self.p,
            ) {
                Ok(price) => {
                    if self.model.islands[island].movable {
                        self.active.push(island);
                        self.y[island] = price;
                    }
                }
                Err(shortfall) => {
                    return Err(Failure::Infeasible(infeasible::island_balance(
                        self.model, island, shortfall,
                    )))
                }
            }
        }
        self.refactor()
    }

    /// Constant of a row: what its value is without generation.
    pub(super) fn base(&self, row: usize) -> f64 {
        match row.checked_sub(self.rows.n_islands) {
            Some(k) => {
                let r = &self.rows.pooled[k];
                r.kappa * self.island_demand[r.island] + self.line_base[r.line]
            }
            None => 0.0,
        }
    }

    /// Limits of `g'p` for a row.
    pub(super) fn limits(&self, row: usize) -> (f64, f64) {
        match row.checked_sub(self.rows.n_islands) {
            Some(k) => {
                let (lo, hi) = self.line_limits[self.rows.pooled[k].line];
                let base = self.base(row);
                (lo - base, hi - base)
            }
            None => (self.island_demand[row], self.island_demand[row]),
        }
    }

    /// Right-hand side an active row is held at.
    pub(super) fn target(&self, row: usize) -> f64 {
        let (lo, hi) = self.limits(row);
        if self.side[row] > 0 {
            hi
        } else {
            lo
        }
    }

    pub(super) fn residuals(&self) -> Vec<f64> {
        self.active
            .iter()
            .map(|&row| self.target(row) - self.rows.dot(row, &self.p))
            .collect()
    }

    /// Cost of the present dispatch at true costs, $/h.
    pub(super) fn objective(&self) -> f64 {
        let mut sum = self.model.constant_cost;
        for (column, p) in self.model.columns.iter().zip(&self.p) {
            sum += (0.5 * column.q * p + column.c) * p;
        }
        sum
    }
}
