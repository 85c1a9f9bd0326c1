//! Solver states that wait between two steps of a search.

use super::bounds::Bounds;
use super::state::{ProblemData, SolverState};
use crate::dc::basis::inverse::Basis;
use crate::dc::basis::kkt::{Kkt, Status};
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::basis::row_products::RowProducts;
use crate::dc::model::DcModel;
use crate::dc::result::solution::Progress;
use std::sync::Arc;

/// A solver state without its model, between two steps of a search.
#[derive(Clone, Debug)]
pub(super) struct Resting {
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
    pub(super) fn rest(self) -> Resting {
        Resting {
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
    pub(super) fn awake(resting: Resting, model: &'a DcModel) -> Self {
        Self {
            problem: ProblemData {
                model,
                withdrawals: resting.withdrawals,
                island_demand: resting.island_demand,
                line_base: resting.line_base,
                line_limits: resting.line_limits,
                bounds: resting.bounds,
                ahead: None,
            },
            model,
            rows: resting.rows,
            products: resting.products,
            c: resting.c,
            q: resting.q,
            is_linear: resting.is_linear,
            status: resting.status,
            p: resting.p,
            rc: resting.rc,
            active: resting.active,
            side: resting.side,
            y: resting.y,
            missed: resting.missed,
            basis: resting.basis,
            kkt: resting.kkt,
            is_canonical: resting.is_canonical,
            is_warm: resting.is_warm,
            is_cautious: resting.is_cautious,
            is_precise: resting.is_precise,
            degenerate_length: resting.degenerate_length,
            is_perturbed: resting.is_perturbed,
            pivots: resting.pivots,
            allowance: resting.allowance,
            zero_steps: resting.zero_steps,
            known_feasible: resting.known_feasible,
            progress: resting.progress,
        }
    }
}
