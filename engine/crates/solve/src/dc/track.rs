//! The exact path of the optimum while one demand or rating moves.
//!
//! Between breakpoints the optimum is affine, so a path is a list of regions, each with prices and their derivative (critical
//! load levels: Li and Bo, IEEE Trans. Power Syst. 22 (2007); Ji, Thomas and Tong, IEEE Trans. Power Syst. 32 (2017)). The
//! end of a region names its event, and the next region is entered by the pivot of that event at the breakpoint itself; where
//! that pivot finds nothing to meet the constraint, its ray proves that the path ends there.

use super::model::{DcData, DcModel};
use super::sensitivity::{Column, Direction, End, Event, Place};
use super::solution::{DcSolution, NO_SHADOW};
use super::DcOptimizer;
use wattbook_network::error::{EngineError, Result};

/// First step past a breakpoint, per unit: far enough to violate a limit by more than the solver's tolerance.
const STEP_PAST: f64 = 1e-5;
/// Steps past a breakpoint stay between these.
const SHORTEST_STEP: f64 = 1e-9;
const LONGEST_STEP: f64 = 1e-2;
/// Close to the end of what is feasible, where prices grow without bound, regions may be shorter than rounding in the position
/// of their ends. Where no active set can be found for one, up to this much may be passed over, relative to 1 + position, per
/// unit.
const RESOLUTION: f64 = 1e-6;
/// Positions closer than this, relative to 1 + position, are one, per unit.
const SAME_POINT: f64 = 1e-9;
/// Costs that differ by less, relative to 1 + cost, are one.
const SAME_COST: f64 = 1e-9;
/// Solves tried past one breakpoint.
const TRIES: usize = 24;
/// Where cold solves look past a breakpoint that warm ones did not pass, in `RESOLUTION`s, and how far at most, per unit: what is
/// outside by less than the solver's tolerance is feasible to it. A limit may be told too early by this much there.
const COLD_LOOKS: [f64; 3] = [1.0, 10.0, 100.0];
const FARTHEST_LOOK: f64 = 1e-4;
/// Events taken at one point.
const MOST_MEET: usize = 100;

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
    pub column: Column,
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

/// An optimum on a path, and its derivative along it.
pub(crate) struct State {
    pub at: f64,
    pub solution: DcSolution,
    pub column: Column,
}

/// Follows the optimum from `start` for `length` steps (>= 0) along `direction`, through at most `most_breakpoints`.
pub fn follow(
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
    let mut state = State {
        at: 0.0,
        solution: start.clone(),
        column: start.derivative(model, direction),
    };
    if let Some(end) = state.column.warrant.upper.clone().filter(|end| end.step <= SAME_POINT) {
        // The start lies on a breakpoint: the region ahead is another one.
        match enter(optimizer, model, start, start, direction, (0.0, end.place)) {
            Ok(entered) => state = entered,
            Err(error) => {
                path.stopped = Some((0.0, stop(error)));
                return path;
            }
        }
    }
    let mut here = 0.0;
    loop {
        let end = state.column.warrant.upper.clone();
        let to = end.as_ref().map_or(f64::INFINITY, |e| state.at + e.step).max(here);
        path.regions.push(Region {
            from: here,
            to: to.min(length),
            at: state.at,
            objective: state.solution.objective,
            price: state.solution.price.clone(),
            shadow: (state.column.shadow.iter())
                .map(|&(branch, _)| state.solution.shadow[branch])
                .collect(),
            column: state.column,
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
            match enter(optimizer, model, start, &state.solution, direction, (here, end.place)) {
                Ok(entered) => {
                    state = entered;
                    path.breakpoints.push(End { step: here, ..end });
                    continue;
                }
                Err(error) => stop(error),
            }
        };
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

/// The region just past an event of `warm`, an optimum before it; `breakpoint` is its position along `direction` from `start`.
///
/// Where several events meet at one point they are taken one after the other. What is shorter than `SAME_POINT` is no region:
/// it is passed like a point.
///
/// Errors: those of the solver where no region was found past the breakpoint.
pub(crate) fn enter(
    optimizer: &impl DcOptimizer,
    model: &DcModel,
    start: &DcSolution,
    warm: &DcSolution,
    direction: &Direction,
    (breakpoint, event): (f64, Place),
) -> Result<State> {
    let same = SAME_POINT * (1.0 + breakpoint.abs());
    let data = start.data.moved(direction, breakpoint);
    let (mut before, mut event) = (warm.clone(), event);
    for _ in 0..MOST_MEET {
        let crossed = optimizer.across(model, &data, &before, event, direction);
        let solution = match crossed {
            Ok(solution) => solution,
            Err(error) if error.code == "SOLVE.INFEASIBLE" => return Err(error),
            Err(_) => break,
        };
        let column = solution.derivative(model, direction);
        match &column.warrant.upper {
            Some(end) if end.step <= same && end.place != Place::Edit => {
                event = end.place;
                before = solution;
            }
            _ => {
                return Ok(State {
                    at: breakpoint,
                    solution,
                    column,
                })
            }
        }
    }
    search(optimizer, model, start, warm, direction, breakpoint)
}

/// As `enter` without the event: by warm solves past the breakpoint. The step grows while the solver still accepts the old active
/// set there or decides nothing, and shrinks while a region would be jumped over that is longer than `RESOLUTION`. What was found
/// is told only where the path is continuous: a region that begins at the breakpoint or whose cost joins there, or a proof of
/// infeasibility just past it.
fn search(
    optimizer: &impl DcOptimizer,
    model: &DcModel,
    start: &DcSolution,
    warm: &DcSolution,
    direction: &Direction,
    breakpoint: f64,
) -> Result<State> {
    let resolution = RESOLUTION * (1.0 + breakpoint.abs());
    let (mut low, mut high) = (SHORTEST_STEP, f64::INFINITY);
    let mut step = STEP_PAST;
    let (mut infeasible, mut undecided, mut farther) = (None, None, None);
    for _ in 0..TRIES {
        let at = breakpoint + step;
        match optimizer.optimum(model, &start.data.moved(direction, at), Some(warm)) {
            Ok(solution) => {
                let column = solution.derivative(model, direction);
                let (back, ahead) = column.warrant.interval();
                if ahead <= SAME_POINT * (1.0 + at.abs()) {
                    low = low.max(step);
                } else if at + back <= breakpoint + resolution {
                    return Ok(State { at, solution, column });
                } else {
                    high = high.min(step);
                    (infeasible, farther) = (None, Some(State { at, solution, column }));
                }
            }
            Err(error) if error.code == "SOLVE.INFEASIBLE" => {
                high = high.min(step);
                (infeasible, farther) = (Some(error), None);
            }
            Err(error) => {
                low = low.max(step);
                undecided = Some(error);
            }
        }
        step = if high.is_finite() {
            (low * high).sqrt()
        } else {
            10.0 * low.max(step)
        };
        if step > LONGEST_STEP || high < 2.0 * low {
            break;
        }
    }
    if let Some(state) = farther {
        let here = optimizer.optimum(model, &start.data.moved(direction, breakpoint), Some(warm));
        if here.is_ok_and(|here| joins(&here, breakpoint, &state)) {
            return Ok(state);
        }
    }
    if let Some(error) = infeasible.filter(|_| high <= resolution) {
        return Err(error);
    }
    // The warm solves lost their way; cold ones may not.
    for times in COLD_LOOKS {
        let at = breakpoint + (times * resolution).min(FARTHEST_LOOK);
        match optimizer.optimum(model, &start.data.moved(direction, at), None) {
            Ok(solution) => {
                let column = solution.derivative(model, direction);
                let (back, ahead) = column.warrant.interval();
                if ahead > SAME_POINT * (1.0 + at.abs()) && at + back <= breakpoint + resolution {
                    return Ok(State { at, solution, column });
                }
            }
            Err(error) if error.code == "SOLVE.INFEASIBLE" => return Err(error),
            Err(error) => undecided = Some(error),
        }
    }
    Err(undecided.unwrap_or_else(|| {
        EngineError::new(
            "SOLVE.NOT_CONVERGED",
            "The optimum could not be followed past a point at which several limits meet.",
        )
    }))
}

/// Whether the cost of a region, continued back to a position, is that of the optimum there.
fn joins(here: &DcSolution, position: f64, state: &State) -> bool {
    let (step, column) = (position - state.at, &state.column);
    let slope = column.objective + step * column.objective_curvature;
    let cost = state.solution.objective + step * (column.objective + 0.5 * step * column.objective_curvature);
    let passed_over = RESOLUTION * (1.0 + position.abs()) * slope.abs();
    (cost - here.objective).abs() <= SAME_COST * (1.0 + here.objective.abs()) + passed_over
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
