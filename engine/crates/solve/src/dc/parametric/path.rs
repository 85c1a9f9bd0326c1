//! The exact path of the optimum while one demand or rating moves.
//!
//! Between breakpoints the optimum is affine, so a path is a list of regions, each with prices and their derivative (critical
//! load levels: Li and Bo, IEEE Trans. Power Syst. 22 (2007); Ji, Thomas and Tong, IEEE Trans. Power Syst. 32 (2017)). The
//! end of a region names its event, and the next region is entered by the pivot of that event at the breakpoint itself; where
//! that pivot finds nothing to meet the constraint, its ray proves that the path ends there.

use crate::dc::model::Direction;
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use crate::dc::parametric::path_tracer::{PathPoint, PathTracer, SAME_POINT};
use crate::dc::result::solution::{DcSolution, NO_SHADOW};
use crate::dc::sensitivity::{End, Event, SensitivityColumn};
use wattbook_network::error::EngineError;

/// A stretch of the path in which the optimum is affine. Positions are steps along the direction from its start.
#[derive(Clone, Debug)]
pub struct Region {
    pub from: f64,
    pub to: f64,
    /// The position that prices and cost below belong to.
    pub at: f64,
    /// $/h.
    pub objective: f64,
    /// Price at each bus, $/h per unit.
    pub price: Vec<f64>,
    /// Multipliers of the lines of `column.shadow`, $/h per unit.
    pub shadow: Vec<f64>,
    /// Derivative along the direction.
    pub column: SensitivityColumn,
}

impl Region {
    /// Price of a bus at a position, $/h per unit.
    pub fn price_at(&self, bus: usize, position: f64) -> f64 {
        self.price[bus] + (position - self.at) * self.column.price[bus]
    }

    /// Prices of all buses at a position, $/h per unit.
    pub fn prices_at(&self, position: f64) -> Vec<f64> {
        (0..self.price.len()).map(|bus| self.price_at(bus, position)).collect()
    }

    /// The branches (dense rows, ascending) whose limits carry a price at a position, with it: $/h per unit, signed as
    /// `DcSolution::shadow`.
    pub fn shadows_at(&self, model: &DcModel, position: f64) -> Vec<(usize, f64)> {
        let least = NO_SHADOW * model.cost_scale;
        let at = |(&(branch, rate), shadow): (&(usize, f64), &f64)| (branch, shadow + (position - self.at) * rate);
        let mut found: Vec<(usize, f64)> = self.column.shadow.iter().zip(&self.shadow).map(at).collect();
        found.retain(|(_, shadow)| shadow.abs() > least);
        found.sort_unstable_by_key(|&(branch, _)| branch);
        found
    }

    /// Cost at a position, $/h.
    pub fn objective_at(&self, position: f64) -> f64 {
        let step = position - self.at;
        self.objective + step * (self.column.objective + 0.5 * step * self.column.objective_curvature)
    }
}

/// Why a path ends before its goal.
#[derive(Clone, Debug)]
pub enum Stop {
    /// No optimum exists beyond.
    NoSolution(EngineError),
    /// The demand or rating reaches zero.
    EditLimit,
    /// The path has as many breakpoints as it was allowed.
    TooManyBreakpoints,
    /// The solver did not find the next region.
    NotFollowed(EngineError),
}

/// The optimum along a straight line of edits.
#[derive(Clone, Debug)]
pub struct Path {
    /// In the order of positions; each begins where the one before ends.
    pub regions: Vec<Region>,
    /// What happens at the end of each region but the last.
    pub breakpoints: Vec<End>,
    /// Position and reason, where the goal was not reached.
    pub stopped: Option<(f64, Stop)>,
}

impl Path {
    /// The region that holds a position (the earlier one at a breakpoint).
    pub fn region_at(&self, position: f64) -> Option<&Region> {
        let k = self.regions.partition_point(|r| r.to < position);
        self.regions.get(k).filter(|r| r.from <= position)
    }
}

/// Follows the optimum from `start` for `length` steps (>= 0) along `direction`, through at most `most_breakpoints`.
pub fn parametric_path(
    optimizer: &impl DcOptimizer,
    model: &DcModel,
    start: &DcSolution,
    direction: &Direction,
    length: f64,
    most_breakpoints: usize,
) -> Path {
    let mut path = Path {
        regions: Vec::new(),
        breakpoints: Vec::new(),
        stopped: None,
    };
    let mut tracer = PathTracer::new(optimizer, model, start, direction);
    let mut point = PathPoint {
        at: 0.0,
        solution: start.clone(),
        column: start.derivative(model, direction),
    };
    if let Some(end) = point.column.warrant.upper.clone().filter(|end| end.step <= SAME_POINT) {
        // The start lies on a breakpoint: the region ahead is another one.
        match tracer.enter(start, 0.0, end.change) {
            Ok(entered) => point = entered,
            Err(error) => {
                path.stopped = Some((0.0, stop(error)));
                return path;
            }
        }
    }
    let mut here = 0.0;
    loop {
        let end = point.column.warrant.upper.clone();
        let to = end.as_ref().map_or(f64::INFINITY, |e| point.at + e.step).max(here);
        path.regions.push(Region {
            from: here,
            to: to.min(length),
            at: point.at,
            objective: point.solution.objective,
            price: point.solution.price.clone(),
            shadow: (point.column.shadow.iter())
                .map(|&(branch, _)| point.solution.shadow[branch])
                .collect(),
            column: point.column,
        });
        let Some(end) = end.filter(|_| to < length) else {
            return path;
        };
        here = to;
        let reason = if end.event == Event::EditLimit || ends_at(&start.data, direction, here) {
            Stop::EditLimit
        } else if path.breakpoints.len() >= most_breakpoints {
            Stop::TooManyBreakpoints
        } else {
            match tracer.enter(&point.solution, here, end.change) {
                Ok(entered) => {
                    point = entered;
                    path.breakpoints.push(End { step: here, ..end });
                    continue;
                }
                Err(error) => stop(error),
            }
        };
        if let Stop::NoSolution(_) = reason {
            here = tracer.stop(here);
            if let Some(last) = path.regions.last_mut() {
                last.to = here.min(length);
            }
        }
        path.stopped = Some((here, reason));
        return path;
    }
}

fn stop(error: EngineError) -> Stop {
    if error.code == "SOLVE.INFEASIBLE" {
        Stop::NoSolution(error)
    } else {
        Stop::NotFollowed(error)
    }
}

/// Whether an edited demand or rating that shrinks is used up at a position.
fn ends_at(data: &DcData, direction: &Direction, position: f64) -> bool {
    let used_up = |value: f64, d: f64| d < 0.0 && value > 0.0 && value + position * d <= SAME_POINT;
    direction.demand.iter().any(|&(bus, d)| used_up(data.demand[bus], d))
        || direction
            .rating
            .iter()
            .any(|&(branch, d)| used_up(data.rating[branch], d))
}
