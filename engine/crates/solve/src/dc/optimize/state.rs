//! State of a solve, and its start.

use super::bounds::Bounds;
use super::random::Random;
use super::Options;
use crate::dc::basis::inverse::Basis;
use crate::dc::basis::kkt::{Kkt, Status};
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::row_products::RowProducts;
use crate::dc::basis::system::Core;
use crate::dc::infeasibility::farkas_ray::FarkasRay;
use crate::dc::infeasibility::refusals;
use crate::dc::model::zero_generation::ZeroGeneration;
use crate::dc::model::Direction;
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::merit_order;
use crate::dc::result::solution::{DcSolution, Progress};
use std::sync::Arc;
use wattbook_network::error::EngineError;

/// Slacks end here (per unit), far beyond any use: every column has two bounds.
const SLACK_BOUND: f64 = 1e6;

/// What an allowance counts: a pivot for each entry of the inverse, and a look or a pivot for each line.
const OF_ENTRY: usize = 4;
const OF_LINE: usize = 30;

/// Why a solve ended without an optimum.
pub(super) enum Failure {
    Infeasible(EngineError),
    Stalled(&'static str),
    /// It has done the work it was allowed.
    Exhausted,
}

pub(super) type Step<T> = std::result::Result<T, Failure>;

/// A constraint that enters: a free column outside a bound, or a line with a row outside a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entering {
    pub constraint: Constraint,
    /// +1 where the value must rise, -1 where it must fall.
    pub sign: f64,
    /// How far it is outside.
    pub violation: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constraint {
    Column(usize),
    Row(usize),
}

/// What does not change in a solve: the data of the case as the method sees them.
#[derive(Clone)]
pub(super) struct ProblemData<'a> {
    pub model: &'a DcModel,
    /// Withdrawal of each bus, demand of each island, and each line's value without generation.
    pub withdrawals: Vec<f64>,
    pub island_demand: Vec<f64>,
    pub line_base: Vec<f64>,
    pub line_limits: Arc<Vec<(f64, f64)>>,
    pub bounds: Bounds,
    /// Where data move on, at a breakpoint of a path: what contradicts there, not here.
    pub ahead: Option<Ahead<'a>>,
}

/// A direction from the data of a breakpoint.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a> {
    pub data: &'a DcData,
    pub direction: &'a Direction,
}

impl<'a> ProblemData<'a> {
    pub fn new(model: &'a DcModel, data: &DcData, options: Options) -> Self {
        Self::of(model, data, ZeroGeneration::new(model, data), options)
    }

    /// As `new` for data that lie `change` away from those of an optimum.
    pub fn from(start: &DcSolution, model: &'a DcModel, data: &DcData, change: &Direction, options: Options) -> Self {
        Self::of(
            model,
            data,
            start.zero_generation(model).moved(model, data, change),
            options,
        )
    }

    fn of(model: &'a DcModel, data: &DcData, zero_generation: ZeroGeneration, options: Options) -> Self {
        let ZeroGeneration {
            island_demand,
            line_base,
            line_limits,
        } = zero_generation;
        Self {
            bounds: Bounds::new(model, options.presolve, &island_demand, &line_base, &line_limits),
            withdrawals: model.withdrawals(&data.demand),
            model,
            island_demand,
            line_base,
            line_limits,
            ahead: None,
        }
    }

    /// Limits of `g'p` for a row.
    pub fn limits(&self, rows: &LazyRows, row: usize) -> (f64, f64) {
        match rows.line(row) {
            Some(r) => {
                let (lo, hi) = self.line_limits[r.line];
                let base = r.kappa * self.island_demand[r.island] + self.line_base[r.line];
                (lo - base, hi - base)
            }
            None => (self.island_demand[row], self.island_demand[row]),
        }
    }
}

#[derive(Clone)]
pub(super) struct SolverState<'a> {
    pub model: &'a DcModel,
    pub problem: ProblemData<'a>,
    pub rows: LazyRows,
    pub products: RowProducts,
    /// Scaled costs.
    pub c: Vec<f64>,
    pub q: Vec<f64>,
    pub is_linear: bool,
    pub status: Vec<Status>,
    pub p: Vec<f64>,
    /// Reduced costs `c + q p - g'y`, zero on free columns.
    pub rc: Vec<f64>,
    /// Active rows, the side each row is held at (+1 upper, -1 lower, 0 inactive or balance), multipliers by row.
    pub active: Vec<usize>,
    pub side: Vec<i8>,
    pub y: Vec<f64>,
    /// What each active row misses of its limit, followed through every change of `p`; mixed costs only.
    pub missed: Vec<f64>,
    /// The factored system: `basis` where costs are linear, else `kkt`.
    pub basis: Basis,
    pub kkt: Kkt,
    /// It is the canonical factor of the present active set.
    pub is_canonical: bool,
    /// The solve starts from an optimum: its factor may be the one that the answer is solved on.
    pub is_warm: bool,
    /// A start after a stall: one change at a time, and a fresh factor every few.
    pub is_cautious: bool,
    /// A solve after a stall: systems are factored whole (`Kkt::factor_whole`) and their solutions refined.
    pub is_precise: bool,
    /// Regions of a path shorter than this (per unit) are points to a precise solve.
    pub degenerate_length: f64,
    /// Costs are not the true ones.
    pub is_perturbed: bool,
    pub pivots: usize,
    /// Work that may still be done, none where it does not matter: see `spend`.
    pub allowance: Option<usize>,
    pub zero_steps: usize,
    pub known_feasible: bool,
    pub progress: Vec<Progress>,
}

impl<'a> SolverState<'a> {
    pub(super) fn new(problem: ProblemData<'a>, rows: LazyRows) -> Self {
        let products = RowProducts::new(problem.model, &rows);
        Self::with_products(problem, rows, products)
    }

    /// From an optimum of the same model.
    pub(super) fn from(start: &DcSolution, problem: ProblemData<'a>) -> Self {
        let mut state = Self::with_products(problem, (*start.rows).clone(), start.system.products.clone());
        state.restore(start);
        state
    }

    fn with_products(problem: ProblemData<'a>, rows: LazyRows, products: RowProducts) -> Self {
        let model = problem.model;
        let n = model.columns.len();
        let n_rows = rows.len();
        let mut state = Self {
            products,
            c: model.columns.iter().map(|g| g.c / model.cost_scale).collect(),
            q: model.columns.iter().map(|g| g.q / model.cost_scale).collect(),
            is_linear: model.is_linear,
            status: vec![Status::AtLower; n],
            p: problem.bounds.lo.clone(),
            rc: vec![0.0; n],
            active: Vec::new(),
            side: vec![0; n_rows],
            y: vec![0.0; n_rows],
            missed: vec![0.0; n_rows],
            basis: Basis::default(),
            kkt: Kkt::default(),
            is_perturbed: false,
            is_cautious: false,
            is_precise: false,
            degenerate_length: 0.0,
            is_canonical: false,
            is_warm: false,
            pivots: 0,
            allowance: None,
            zero_steps: 0,
            known_feasible: false,
            progress: Vec::new(),
            rows,
            problem,
            model,
        };
        state.add_slacks();
        state
    }

    /// Columns for slacks that have none yet, at zero.
    pub(super) fn add_slacks(&mut self) {
        let known = self.p.len() - self.model.columns.len();
        for line in self.rows.slacks().skip(known) {
            let cost = self.model.lines[line].slack_cost() / self.model.cost_scale;
            self.c.push(cost);
            self.q.push(0.0);
            self.rc.push(cost);
            self.p.push(0.0);
            self.status.push(Status::AtLower);
            self.problem
                .bounds
                .add_slack(if self.rows.elastic.has(line) { SLACK_BOUND } else { 0.0 });
        }
    }

    /// Takes what `pivots` and a look at all lines cost off the allowance: some nanoseconds each.
    pub(super) fn spend(&mut self, pivots: usize) -> Step<()> {
        let Some(left) = self.allowance else { return Ok(()) };
        let of_lines = OF_LINE * self.model.lines.len();
        let of_pivots = pivots * (OF_ENTRY * self.basis.len() * self.basis.len() + of_lines);
        let left = left.saturating_sub(of_pivots + of_lines);
        self.allowance = Some(left);
        if left == 0 {
            return Err(Failure::Exhausted);
        }
        Ok(())
    }

    pub(super) fn lo(&self, j: usize) -> f64 {
        self.problem.bounds.lo[j]
    }

    pub(super) fn hi(&self, j: usize) -> f64 {
        self.problem.bounds.hi[j]
    }

    /// Takes over the active set of an optimum of the same model.
    fn restore(&mut self, start: &DcSolution) {
        self.status.clone_from(&start.status);
        self.side.clone_from(&start.side);
        self.side.resize(self.rows.len(), 0);
        self.y = vec![0.0; self.rows.len()];
        for (&row, y) in start.active.iter().zip(start.active.iter().map(|&r| start.y[r])) {
            self.y[row] = y / self.model.cost_scale;
        }
        self.active = start
            .active
            .iter()
            .copied()
            .filter(|row| !start.system.units.iter().any(|u| u.row == *row))
            .collect();
        // A binding bridge is a bound of its unit again.
        for unit in &start.system.units {
            let at_upper = (self.side[unit.row] > 0) == (unit.sign > 0.0);
            self.status[unit.column] = if at_upper { Status::AtUpper } else { Status::AtLower };
            self.side[unit.row] = 0;
            self.y[unit.row] = 0.0;
        }
        for j in 0..self.p.len() {
            self.p[j] = match self.status[j] {
                Status::Free => start.p[j],
                Status::AtLower => self.lo(j),
                Status::AtUpper => self.hi(j),
            };
        }
        match &start.system.core {
            Core::Linear(basis) => self.basis.clone_from(basis),
            Core::Quadratic(kkt) => self.kkt.clone_from(kkt),
        }
        self.is_canonical = true;
        self.is_warm = true;
        let gradient = self.gradient_of(&self.y);
        self.set_reduced_costs(&gradient);
    }

    /// Breaks ties between equal units: `c += xi u (|c| + 1)`, u in [0.5, 1] from a fixed xorshift.
    pub(super) fn perturb(&mut self, xi: f64) {
        self.is_perturbed = true;
        let mut random = Random::default();
        for c in &mut self.c {
            *c += xi * (0.5 + 0.5 * random.unit()) * (c.abs() + 1.0);
        }
    }

    /// As `perturb` in the middle of a solve: columns at a bound only, away from the sign change.
    pub(super) fn perturb_more(&mut self, xi: f64) {
        let mut random = Random::default();
        for j in 0..self.c.len() {
            let by = xi * (0.5 + 0.5 * random.unit()) * (self.c[j].abs() + 1.0);
            let by = match self.status[j] {
                Status::AtLower => by,
                Status::AtUpper => -by,
                Status::Free => continue,
            };
            self.c[j] += by;
            self.rc[j] += by;
        }
    }

    pub(super) fn remove_perturbation(&mut self) {
        self.is_perturbed = false;
        let units = self.model.columns.iter().map(|column| column.c / self.model.cost_scale);
        let slack = |line: usize| self.model.lines[line].slack_cost() / self.model.cost_scale;
        let slacks = self.rows.slacks().map(slack);
        for (c, true_cost) in self.c.iter_mut().zip(units.chain(slacks)) {
            *c = true_cost;
        }
    }

    /// Dual feasible start: each island in merit order, its balance active where something can move.
    pub(super) fn merit_order(&mut self) -> Step<()> {
        let (lo, hi) = (&self.problem.bounds.lo, &self.problem.bounds.hi);
        for island in 0..self.rows.n_islands {
            let of_island = |j: &usize| self.model.columns[*j].island == island;
            let members: Vec<usize> = (0..self.model.columns.len()).filter(of_island).collect();
            let demand = self.problem.island_demand[island];
            let costs = merit_order::Columns {
                lo,
                hi,
                c: &self.c,
                q: &self.q,
            };
            match merit_order::dispatch(&costs, &members, demand, &mut self.status, &mut self.p) {
                Ok(Some(price)) => {
                    self.active.push(island);
                    self.y[island] = price;
                }
                Ok(None) => {}
                Err(shortfall) => {
                    return Err(self.merit_order_fails(island, &members, shortfall));
                }
            }
        }
        self.refactor()?;
        let gradient = self.gradient_of(&self.y);
        self.set_reduced_costs(&gradient);
        Ok(())
    }

    /// Units and the bridges that bound them cannot meet the demand of an island.
    fn merit_order_fails(&self, island: usize, members: &[usize], shortfall: f64) -> Failure {
        let sources = if shortfall > 0.0 {
            &self.problem.bounds.above
        } else {
            &self.problem.bounds.below
        };
        if members.iter().all(|&j| sources[j].is_none()) {
            return Failure::Infeasible(refusals::island_balance(self.model, island, shortfall));
        }
        let mut rows = self.rows.clone();
        let sign = if shortfall > 0.0 { 1.0 } else { -1.0 };
        self.infeasible(&mut rows, &[(island, sign)])
    }

    /// Limits of `g'p` for a row.
    pub(super) fn limits(&self, row: usize) -> (f64, f64) {
        self.problem.limits(&self.rows, row)
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

    /// `sum_i y_i g_i` over the active rows, by column.
    pub(super) fn gradient_of(&self, y: &[f64]) -> Vec<f64> {
        let terms: Vec<(usize, f64)> = self.active.iter().map(|&row| (row, y[row])).collect();
        self.products.gradient(self.model, &self.rows, &terms)
    }

    /// Reduced costs from powers and the gradient of the multipliers.
    pub(super) fn set_reduced_costs(&mut self, gradient: &[f64]) {
        for (j, gradient) in gradient.iter().enumerate() {
            self.rc[j] = match self.status[j] {
                Status::Free => 0.0,
                _ => self.c[j] + self.q[j] * self.p[j] - gradient,
            };
        }
    }

    /// What the active rows miss.
    pub(super) fn residuals(&self) -> Vec<f64> {
        let values = self.products.values(self.model, &self.rows, &self.active, &self.p);
        self.active
            .iter()
            .zip(values)
            .map(|(&row, value)| self.target(row) - value)
            .collect()
    }

    pub(super) fn refactor(&mut self) -> Step<()> {
        let singular = Failure::Stalled("the system of the active set became singular");
        if self.is_linear {
            let free = (0..self.p.len()).filter(|&j| self.status[j] == Status::Free).collect();
            self.basis = Basis::factor(&self.rows, self.active.clone(), free).ok_or(singular)?;
        } else {
            let factor = if self.is_precise {
                Kkt::factor_whole
            } else {
                Kkt::factor
            };
            self.kkt = factor(&self.rows, &self.active, &self.status, &self.q).ok_or(singular)?;
        }
        Ok(())
    }

    /// Moves a constraint to its other side.
    pub(super) fn flip(&mut self, constraint: Constraint) {
        self.is_canonical = false;
        match constraint {
            Constraint::Column(j) => {
                (self.status[j], self.p[j]) = match self.status[j] {
                    Status::AtLower => (Status::AtUpper, self.hi(j)),
                    _ => (Status::AtLower, self.lo(j)),
                };
            }
            Constraint::Row(row) => self.side[row] = -self.side[row],
        }
    }

    /// Lets a constraint go: a column becomes free, a row inactive.
    pub(super) fn release(&mut self, constraint: Constraint) {
        self.is_canonical = false;
        match constraint {
            Constraint::Column(j) => {
                self.status[j] = Status::Free;
                self.rc[j] = 0.0;
            }
            Constraint::Row(row) => {
                self.active.retain(|&r| r != row);
                self.side[row] = 0;
                self.y[row] = 0.0;
            }
        }
    }

    /// Puts the entering constraint into the active set with multiplier `t` at the side it violates.
    pub(super) fn insert(&mut self, entering: Entering, t: f64) {
        self.is_canonical = false;
        match entering.constraint {
            Constraint::Column(j) => {
                (self.status[j], self.p[j]) = if entering.sign > 0.0 {
                    (Status::AtLower, self.lo(j))
                } else {
                    (Status::AtUpper, self.hi(j))
                };
                self.rc[j] = entering.sign * t;
            }
            Constraint::Row(row) => {
                self.active.push(row);
                self.side[row] = if entering.sign > 0.0 { -1 } else { 1 };
                self.y[row] = entering.sign * t;
            }
        }
    }

    pub(super) fn count_step(&mut self, t: f64) -> Step<()> {
        self.zero_steps = if t > 1e-13 { 0 } else { self.zero_steps + 1 };
        if self.zero_steps > 200 {
            return Err(Failure::Stalled("it made no progress for 200 steps"));
        }
        if self.pivots > 20_000 + 10 * self.rows.len() {
            return Err(Failure::Stalled("it used up its pivots"));
        }
        Ok(())
    }

    /// A dual ray was found: verify it, and name what contradicts. Bounds that stand for a line are told as that line.
    pub(super) fn infeasible(&self, rows: &mut LazyRows, ray: &[(usize, f64)]) -> Failure {
        let mut aty = self.products.gradient(self.model, rows, ray);
        let mut ray = ray.to_vec();
        for (j, aty) in aty.iter_mut().enumerate() {
            // The dispatch in the box that gives most uses the upper bound where the pull is positive.
            let source = if *aty > 0.0 {
                self.problem.bounds.above[j]
            } else {
                self.problem.bounds.below[j]
            };
            let sign = source.and_then(|l| self.model.bridge_rows[l].as_ref()).map(|b| b.sign);
            if let (Some(l), Some(sign), true) = (source, sign, *aty != 0.0) {
                ray.push((rows.add_line(self.model, l), -sign * *aty));
            }
        }
        let found = match &self.problem.ahead {
            Some(ahead) => ahead.contradiction(self.model, rows, &ray),
            None => {
                let ray = FarkasRay::new(self.model, rows, &ray);
                let excess = ray.excess(self.model, &self.problem.withdrawals, &self.problem.line_limits);
                refusals::contradiction(self.model, &ray, excess)
            }
        };
        match found {
            Some(error) => Failure::Infeasible(error),
            None => Failure::Stalled("a proof of infeasibility did not verify"),
        }
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
