//! Solver states suspended between two steps of a search.

use super::method::Linear;
use crate::dc::basis::kkt::Status;
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::row_products::RowProducts;
use crate::dc::model::DcModel;
use crate::dc::optimize::bounds::Bounds;
use crate::dc::optimize::modes::{Caution, Factor, Perturbation, Precision, Start};
use crate::dc::optimize::problem_data::ProblemData;
use crate::dc::optimize::state::SolverState;
use crate::dc::result::solution::Progress;
use std::sync::Arc;

/// A solver state without its model.
#[derive(Clone, Debug)]
pub(in crate::dc::optimize) struct Suspended {
    withdrawals: Vec<f64>,
    island_demand: Vec<f64>,
    line_base: Vec<f64>,
    line_limits: Arc<Vec<(f64, f64)>>,
    bounds: Bounds,
    rows: LazyRows,
    products: RowProducts,
    c: Vec<f64>,
    q: Vec<f64>,
    status: Vec<Status>,
    p: Vec<f64>,
    rc: Vec<f64>,
    active: Vec<usize>,
    side: Vec<i8>,
    y: Vec<f64>,
    method: Linear,
    factor: Factor,
    start: Start,
    caution: Caution,
    precision: Precision,
    perturbation: Perturbation,
    pivots: usize,
    allowance: Option<usize>,
    zero_steps: usize,
    implied: Vec<usize>,
    progress: Vec<Progress>,
}

impl SolverState<'_, Linear> {
    /// Releases the model.
    pub(in crate::dc::optimize) fn suspend(self) -> Suspended {
        Suspended {
            withdrawals: self.problem.withdrawals,
            island_demand: self.problem.island_demand,
            line_base: self.problem.line_base,
            line_limits: self.problem.line_limits,
            bounds: self.problem.bounds,
            rows: self.rows,
            products: self.products,
            c: self.c,
            q: self.q,
            status: self.status,
            p: self.p,
            rc: self.rc,
            active: self.active,
            side: self.side,
            y: self.y,
            method: self.method,
            factor: self.factor,
            start: self.start,
            caution: self.caution,
            precision: self.precision,
            perturbation: self.perturbation,
            pivots: self.pivots,
            allowance: self.allowance,
            zero_steps: self.zero_steps,
            implied: self.implied,
            progress: self.progress,
        }
    }
}

impl<'a> SolverState<'a, Linear> {
    /// Resumes on the same model.
    pub(in crate::dc::optimize) fn resume(suspended: Suspended, model: &'a DcModel) -> Self {
        Self {
            problem: ProblemData {
                model,
                withdrawals: suspended.withdrawals,
                island_demand: suspended.island_demand,
                line_base: suspended.line_base,
                line_limits: suspended.line_limits,
                bounds: suspended.bounds,
                ahead: None,
            },
            model,
            rows: suspended.rows,
            products: suspended.products,
            c: suspended.c,
            q: suspended.q,
            status: suspended.status,
            p: suspended.p,
            rc: suspended.rc,
            active: suspended.active,
            side: suspended.side,
            y: suspended.y,
            method: suspended.method,
            factor: suspended.factor,
            start: suspended.start,
            caution: suspended.caution,
            precision: suspended.precision,
            perturbation: suspended.perturbation,
            pivots: suspended.pivots,
            allowance: suspended.allowance,
            zero_steps: suspended.zero_steps,
            implied: suspended.implied,
            progress: suspended.progress,
        }
    }
}
