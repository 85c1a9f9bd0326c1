//! The state of a solve, and its start.

use super::modes::{Caution, Factor, Perturbation, Precision, Start};
use super::problem_data::ProblemData;
use crate::dc::basis::kkt::Status;
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::row_products::RowProducts;
use crate::dc::basis::system::Core;
use crate::dc::model::DcModel;
use crate::dc::result::solution::{DcSolution, Progress};
use wattbook_network::error::EngineError;
use wattbook_network::message_key;

/// Bound of slacks (per unit), far beyond any use, so that every column has two bounds.
const SLACK_BOUND: f64 = 1e6;

/// The reason for a solve without an optimum.
pub(super) enum Failure {
    Infeasible(EngineError),
    /// A stall, by its key in the catalogue.
    Stalled(&'static str),
    /// The result failed its certificate; the details contain the test and its value.
    Uncertified(EngineError),
    /// The work allowance is exhausted.
    Exhausted,
}

pub(super) type Step<T> = std::result::Result<T, Failure>;

/// An entering constraint: a free column outside a bound, or a line with a row outside a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entering {
    pub constraint: Constraint,
    /// +1 if the value must rise, -1 if it must fall.
    pub sign: f64,
    /// Distance beyond the limit.
    pub violation: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constraint {
    Column(usize),
    Row(usize),
}

/// The part of a solve that depends on the kind of the costs.
pub(super) trait Method: Clone {
    /// The method for a state with `rows` rows, without a factor.
    fn new(rows: usize) -> Self;

    /// Solves to the optimum at the current costs.
    fn optimise(state: &mut SolverState<'_, Self>) -> Step<()>;

    /// Corrects powers, multipliers and reduced costs by the residuals of the active set.
    fn refresh(state: &mut SolverState<'_, Self>) -> Step<()>;

    /// Factors the current active set.
    fn refactor(state: &mut SolverState<'_, Self>) -> Step<()>;

    /// Enters a violated constraint.
    fn enter(state: &mut SolverState<'_, Self>, entering: Entering) -> Step<()>;

    /// Removes a constraint at a breakpoint.
    fn leave(state: &mut SolverState<'_, Self>, leaving: Constraint) -> Step<()>;

    /// The rate of a reduced cost below which it is rounding, for the rates along a direction of the multipliers.
    fn rounding(_state: &SolverState<'_, Self>, _rates: &[f64]) -> f64 {
        0.0
    }

    /// Extends the state to `rows` rows in all.
    fn rows_added(&mut self, rows: usize);

    /// Number of updates since the system was factored.
    fn updates(&self) -> usize;

    /// Takes the factor out of the state.
    fn take_core(&mut self) -> Core;

    /// Adopts a factor; false for a factor of the other method.
    fn set_core(&mut self, core: Core) -> bool;
}

/// A solve: the problem, the active set with its values, and the state of the method for its costs (`M`).
#[derive(Clone)]
pub(super) struct SolverState<'a, M> {
    pub model: &'a DcModel,
    pub problem: ProblemData<'a>,
    pub rows: LazyRows,
    pub products: RowProducts,
    /// Scaled costs.
    pub c: Vec<f64>,
    pub q: Vec<f64>,
    pub status: Vec<Status>,
    pub p: Vec<f64>,
    /// Reduced costs `c + q p - g'y`, zero on free columns.
    pub rc: Vec<f64>,
    /// Active rows; the side at which each row is fixed (+1 upper, -1 lower, 0 inactive or balance); multipliers by
    /// row.
    pub active: Vec<usize>,
    pub side: Vec<i8>,
    pub y: Vec<f64>,
    /// The factored system of the method.
    pub method: M,
    pub factor: Factor,
    pub start: Start,
    pub caution: Caution,
    pub precision: Precision,
    pub perturbation: Perturbation,
    pub pivots: usize,
    /// Remaining work, `None` without an allowance; see `spend`.
    pub allowance: Option<usize>,
    pub zero_steps: usize,
    /// Ties of links that other equations imply, so that they have no place in the active set.
    pub implied: Vec<usize>,
    pub progress: Vec<Progress>,
}

impl<'a, M: Method> SolverState<'a, M> {
    pub(super) fn new(problem: ProblemData<'a>, rows: LazyRows) -> Self {
        let products = RowProducts::new(problem.model, &rows);
        Self::with_products(problem, rows, products)
    }

    /// Starts from an optimum of the same model.
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
            status: vec![Status::AtLower; n],
            p: problem.bounds.lo.clone(),
            rc: vec![0.0; n],
            active: Vec::new(),
            side: vec![0; n_rows],
            y: vec![0.0; n_rows],
            method: M::new(n_rows),
            factor: Factor::Changed,
            start: Start::Cold,
            caution: Caution::Ordinary,
            precision: Precision::Standard,
            perturbation: Perturbation::Fixed,
            pivots: 0,
            allowance: None,
            zero_steps: 0,
            implied: Vec::new(),
            progress: Vec::new(),
            rows,
            problem,
            model,
        };
        state.add_slacks();
        state
    }

    /// Adds slack columns for rows without them, at zero.
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
                .add_slack(if self.rows.elastic.has(line) && self.model.lines[line].tie.is_none() {
                    SLACK_BOUND
                } else {
                    0.0
                });
        }
    }

    pub(super) fn lo(&self, j: usize) -> f64 {
        self.problem.bounds.lo[j]
    }

    pub(super) fn hi(&self, j: usize) -> f64 {
        self.problem.bounds.hi[j]
    }

    /// Adopts the active set of an optimum of the same model.
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
        // A binding bridge becomes a bound of its unit again.
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
        self.take_factor(start);
        self.start = Start::Warm;
        let gradient = self.gradient_of(&self.y);
        self.set_reduced_costs(&gradient);
    }

    /// Limits of `g'p` for a row.
    pub(super) fn limits(&self, row: usize) -> (f64, f64) {
        self.problem.limits(&self.rows, row)
    }

    /// Limit at which an active row is fixed.
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

    /// Residuals of the active rows.
    pub(super) fn residuals(&self) -> Vec<f64> {
        let values = self.products.values(self.model, &self.rows, &self.active, &self.p);
        self.active
            .iter()
            .zip(values)
            .map(|(&row, value)| self.target(row) - value)
            .collect()
    }

    /// Adopts the factor of an optimum of the same model.
    pub(super) fn take_factor(&mut self, start: &DcSolution) {
        if self.method.set_core(start.system.core.clone()) {
            self.factor = Factor::Canonical;
        }
    }

    pub(super) fn refactor(&mut self) -> Step<()> {
        M::refactor(self)
    }

    pub(super) fn count_step(&mut self, t: f64) -> Step<()> {
        self.zero_steps = if t > 1e-13 { 0 } else { self.zero_steps + 1 };
        if self.zero_steps > 200 {
            return Err(Failure::Stalled(message_key!("stall.no_progress")));
        }
        if self.pivots > 20_000 + 10 * self.rows.len() {
            return Err(Failure::Stalled(message_key!("stall.pivots")));
        }
        Ok(())
    }

    /// Cost of the current dispatch at the true costs, $/h.
    pub(super) fn objective(&self) -> f64 {
        let mut sum = self.model.constant_cost;
        for (column, p) in self.model.columns.iter().zip(&self.p) {
            sum += (0.5 * column.q * p + column.c) * p;
        }
        sum
    }
}
