//! Solver states that are suspended between two steps of a search.

use crate::dc::basis::inverse::Basis;
use crate::dc::basis::kkt::{Kkt, Status};
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::row_products::RowProducts;
use crate::dc::model::DcModel;
use crate::dc::optimize::bounds::Bounds;
use crate::dc::optimize::problem_data::ProblemData;
use crate::dc::optimize::state::SolverState;
use crate::dc::result::solution::Progress;
use std::sync::Arc;

/// A solver state without its model, between two steps of a search.
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
    is_linear: bool,
    status: Vec<Status>,
    p: Vec<f64>,
    rc: Vec<f64>,
    active: Vec<usize>,
    side: Vec<i8>,
    y: Vec<f64>,
    missed: Vec<f64>,
    basis: Basis,
    kkt: Kkt,
    is_canonical: bool,
    is_warm: bool,
    is_cautious: bool,
    is_precise: bool,
    degenerate_length: f64,
    is_perturbed: bool,
    pivots: usize,
    allowance: Option<usize>,
    zero_steps: usize,
    known_feasible: bool,
    progress: Vec<Progress>,
}

impl SolverState<'_> {
    /// Lets the model go.
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
            is_linear: self.is_linear,
            status: self.status,
            p: self.p,
            rc: self.rc,
            active: self.active,
            side: self.side,
            y: self.y,
            missed: self.missed,
            basis: self.basis,
            kkt: self.kkt,
            is_canonical: self.is_canonical,
            is_warm: self.is_warm,
            is_cautious: self.is_cautious,
            is_precise: self.is_precise,
            degenerate_length: self.degenerate_length,
            is_perturbed: self.is_perturbed,
            pivots: self.pivots,
            allowance: self.allowance,
            zero_steps: self.zero_steps,
            known_feasible: self.known_feasible,
            progress: self.progress,
        }
    }
}

impl<'a> SolverState<'a> {
    /// On the same model again.
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
            is_linear: suspended.is_linear,
            status: suspended.status,
            p: suspended.p,
            rc: suspended.rc,
            active: suspended.active,
            side: suspended.side,
            y: suspended.y,
            missed: suspended.missed,
            basis: suspended.basis,
            kkt: suspended.kkt,
            is_canonical: suspended.is_canonical,
            is_warm: suspended.is_warm,
            is_cautious: suspended.is_cautious,
            is_precise: suspended.is_precise,
            degenerate_length: suspended.degenerate_length,
            is_perturbed: suspended.is_perturbed,
            pivots: suspended.pivots,
            allowance: suspended.allowance,
            zero_steps: suspended.zero_steps,
            known_feasible: suspended.known_feasible,
            progress: suspended.progress,
        }
    }
}
