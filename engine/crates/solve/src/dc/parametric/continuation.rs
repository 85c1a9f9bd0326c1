//! The last remedy after a cold solve stalls: the minimum violation of limits decides feasibility, and the optimum is
//! approached from a case with wider ratings.
//!
//! Wider ratings give lower prices and systems far from singular. From the optimum there, a path leads to the original
//! data, one pivot at a time (`path_tracer`), whereas a cold start has to search all active sets at once.

use crate::dc::basis::lazy_rows::Elastic;
use crate::dc::infeasibility::farkas_ray::FarkasRay;
use crate::dc::infeasibility::refusals;
use crate::dc::model::prices::nonzero;
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use crate::dc::optimize::{minimum_violation, Plain};
use crate::dc::parametric::feasible_limit::without_costs;
use crate::dc::parametric::path_tracer::{PathPoint, PathTracer};
use crate::dc::result::solution::DcSolution;
use crate::vocabulary::Direction;
use wattbook_network::error::Result;

/// Relative widening of ratings at the start.
const WIDER: [f64; 3] = [0.01, 0.05, 0.2];
const MOST_BREAKPOINTS: usize = 500;

/// The optimum of `data`, or the proof of infeasibility; `None` if this method stalls too. `lines` are those that may
/// bind.
///
/// # Errors
/// `SOLVE.INFEASIBLE`.
pub(crate) fn continuation_restart(model: &DcModel, data: &DcData, lines: &[usize]) -> Result<Option<DcSolution>> {
    let program = without_costs(model, None);
    if let Ok(least) = minimum_violation(&program, data, Elastic::All, None) {
        let ray = FarkasRay::of(model, &least.island_price, nonzero(&least.line_y));
        let excess = ray.excess_after(model, data, &Direction::default(), 0.0);
        if let Some(error) = refusals::contradiction(model, &ray, excess) {
            return Err(error);
        }
    }
    Ok(WIDER.iter().find_map(|wider| from_wider(model, data, lines, *wider)))
}

fn from_wider(model: &DcModel, data: &DcData, lines: &[usize], wider: f64) -> Option<DcSolution> {
    let narrowing = lines.iter().map(|&l| model.lines[l].row);
    let direction = Direction {
        rating: narrowing
            .map(|branch| (branch, -wider * data.rating[branch]))
            .filter(|(_, rate)| rate.is_finite())
            .collect(),
        ..Direction::default()
    };
    let start = Plain.optimum(model, &data.moved(&direction, -1.0), None).ok()?;
    let mut tracer = PathTracer::new(&Plain, model, &start, &direction);
    let mut point = PathPoint {
        at: 0.0,
        column: start.derivative(model, &direction),
        solution: start.clone(),
    };
    let mut here = 0.0f64;
    for _ in 0..MOST_BREAKPOINTS {
        let end = point.column.warrant.upper.clone();
        let Some(end) = end.filter(|end| point.at + end.step < 1.0) else {
            return Plain.warm(model, data, &point.solution).ok();
        };
        here = here.max(point.at + end.step);
        point = tracer.enter(&point.solution, here, end.change).ok()?;
    }
    None
}
