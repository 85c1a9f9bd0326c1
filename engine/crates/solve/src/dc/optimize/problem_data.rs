//! The data of a case in the form of the method.

use super::bounds::Bounds;
use super::Options;
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::model::zero_generation::ZeroGeneration;
use crate::dc::model::{DcData, DcModel};
use crate::dc::result::solution::DcSolution;
use crate::vocabulary::Direction;
use std::sync::Arc;

/// The constants of a solve: the data of the case in the form of the method.
#[derive(Clone)]
pub(super) struct ProblemData<'a> {
    pub model: &'a DcModel,
    /// Withdrawal of each bus, demand of each island, and each line's value without generation.
    pub withdrawals: Vec<f64>,
    pub island_demand: Vec<f64>,
    pub line_base: Vec<f64>,
    pub line_limits: Arc<Vec<(f64, f64)>>,
    pub bounds: Bounds,
    /// The direction of the data at a breakpoint of a path: conflicts are sought ahead, not here.
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

    /// `new` for data that differ by `change` from those of an optimum.
    pub fn from(start: &DcSolution, model: &'a DcModel, data: &DcData, change: &Direction, options: Options) -> Self {
        match start.shifted == model.shifted {
            true => Self::of(
                model,
                data,
                start.zero_generation(model).moved(model, data, change),
                options,
            ),
            false => Self::new(model, data, options),
        }
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
