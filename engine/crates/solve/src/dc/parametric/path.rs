//! The exact path of the optimum along one moving demand, rating, phase shift or generator limit.
//!
//! Between breakpoints the optimum is affine, so a path is a list of regions, each with prices and their derivatives
//! (critical load levels: Li and Bo, IEEE Trans. Power Syst. 22 (2007); Ji, Thomas and Tong, IEEE Trans. Power Syst. 32
//! (2017)). The end of a region names its event, and the pivot of that event at the breakpoint leads into the next
//! region. If no constraint blocks that pivot, its ray proves that the path ends there.

use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::{in_columns, DcOptimizer};
use crate::dc::parametric::path_tracer::{point_of, PathPoint, PathTracer, Sight, SAME_POINT};
use crate::dc::result::solution::{DcSolution, NO_SHADOW};
use crate::dc::sensitivity::{End, Event, SensitivityColumn};
use crate::vocabulary::Direction;
use wattbook_network::error::{EngineError, Result};

/// An interval of the path in which the optimum is affine. Positions are steps along the direction from its start.
#[derive(Clone, Debug)]
pub struct Region {
    pub from: f64,
    pub to: f64,
    /// The position of the prices and cost below.
    pub at: f64,
    /// $/h.
    pub objective: f64,
    /// Price at each bus, $/h per unit.
    pub price: Vec<f64>,
    /// Multipliers of the lines of `column.shadow`, $/h per unit.
    pub shadow: Vec<f64>,
    /// Output of each generator, per unit, which determines angles and flows.
    pub dispatch: Vec<f64>,
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

    /// The branches (dense rows, ascending) with a nonzero shadow price at a position, and that price: $/h per unit,
    /// signed as in `DcSolution::shadow`.
    pub fn shadows_at(&self, model: &DcModel, position: f64) -> Vec<(usize, f64)> {
        let least = NO_SHADOW * model.cost_scale;
        let at = |(&(branch, rate), shadow): (&(usize, f64), &f64)| (branch, shadow + (position - self.at) * rate);
        let mut found: Vec<(usize, f64)> = self.column.shadow.iter().zip(&self.shadow).map(at).collect();
        found.retain(|(_, shadow)| shadow.abs() > least);
        found.sort_unstable_by_key(|&(branch, _)| branch);
        found
    }

    /// Output of each generator at a position, per unit.
    pub fn dispatch_at(&self, position: f64) -> Vec<f64> {
        let mut dispatch = self.dispatch.clone();
        for &(generator, rate) in &self.column.dispatch {
            dispatch[generator] += (position - self.at) * rate;
        }
        dispatch
    }

    /// Cost at a position, $/h.
    pub fn objective_at(&self, position: f64) -> f64 {
        let step = position - self.at;
        self.objective + step * (self.column.objective + 0.5 * step * self.column.objective_curvature)
    }
}

/// The reason for a path that ends before its goal.
#[derive(Clone, Debug)]
pub enum Stop {
    /// No optimum exists beyond.
    NoSolution(EngineError),
    /// The demand or rating reaches zero, or a generator limit reaches the other one.
    EditLimit,
    /// The path reached the largest number of breakpoints.
    TooManyBreakpoints,
    /// The solver did not find the next region.
    NotFollowed(EngineError),
}

/// The optimum along a straight line of edits.
#[derive(Clone, Debug)]
pub struct Path {
    /// In order of position; each region begins where the previous one ends.
    pub regions: Vec<Region>,
    /// The event at the end of each region but the last.
    pub breakpoints: Vec<End>,
    /// Position and reason, if the goal was not reached.
    pub stopped: Option<(f64, Stop)>,
}

impl Path {
    /// The region that contains a position (the earlier one at a breakpoint).
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
    let mut following = Following::new(start.clone(), direction.clone(), length, most_breakpoints);
    following.step(optimizer, model, usize::MAX);
    following.finish()
}

/// A path that is traced in steps.
#[derive(Clone, Debug)]
pub struct Following {
    start: DcSolution,
    direction: Direction,
    length: f64,
    most_breakpoints: usize,
    path: Path,
    here: f64,
    sight: Sight,
    next: Next,
    /// The program of the path, if it differs from that of its start.
    own: Option<Box<DcModel>>,
}

/// The next step of a path.
#[derive(Clone, Debug)]
enum Next {
    Begin,
    /// The region of this optimum.
    Region(Box<PathPoint>),
    Done,
}

impl Following {
    /// Prepares the path of [`parametric_path`].
    pub fn new(start: DcSolution, direction: Direction, length: f64, most_breakpoints: usize) -> Self {
        Self {
            start,
            direction,
            length,
            most_breakpoints,
            path: Path {
                regions: Vec::new(),
                breakpoints: Vec::new(),
                stopped: None,
            },
            here: 0.0,
            sight: Sight::default(),
            next: Next::Begin,
            own: None,
        }
    }

    /// Position reached so far, up to `length`.
    pub fn position(&self) -> f64 {
        self.path.regions.last().map_or(0.0, |region| region.to)
    }

    /// The path, or the part traced so far.
    pub fn finish(mut self) -> Path {
        // The optimum beyond the last breakpoint is not a region yet.
        let inner = self.path.regions.len().saturating_sub(1);
        self.path.breakpoints.truncate(inner);
        self.path
    }

    /// Traces up to `regions` further regions; true once the path is complete. `model` is that of the start.
    pub fn step(&mut self, optimizer: &impl DcOptimizer, model: &DcModel, regions: usize) -> bool {
        if let (Next::Begin, true) = (&self.next, regions > 0) {
            if let Err(error) = self.take_columns(optimizer, model) {
                self.path.stopped = Some((0.0, stop(error)));
                self.next = Next::Done;
            }
        }
        let model = self.own.as_deref().unwrap_or(model);
        let sight = std::mem::take(&mut self.sight);
        let mut tracer = PathTracer::new(optimizer, model, &self.start, &self.direction).seeing(sight);
        for _ in 0..regions {
            self.next = match std::mem::replace(&mut self.next, Next::Done) {
                Next::Done => break,
                Next::Begin => match begin(&mut tracer, &mut self.path) {
                    Some(state) => Next::Region(Box::new(state)),
                    None => Next::Done,
                },
                next @ Next::Region(_) => next,
            };
            let Next::Region(state) = std::mem::replace(&mut self.next, Next::Done) else {
                break;
            };
            let goal = (self.length, self.most_breakpoints);
            if let Some(state) = advance(&mut tracer, &mut self.path, &mut self.here, *state, goal) {
                self.next = Next::Region(Box::new(state));
            }
        }
        self.sight = tracer.sight();
        matches!(self.next, Next::Done)
    }

    /// Transfers the start to the columns of the path (`DcModel::for_path`), which are wide enough for its goal. The
    /// active set is the same, or the optimum is found again if rounding leaves none.
    fn take_columns(&mut self, optimizer: &impl DcOptimizer, model: &DcModel) -> Result<()> {
        let wider = model.reaching(&self.start.data.moved(&self.direction, self.length));
        let parted = wider.as_ref().unwrap_or(model).for_path(&self.direction);
        let Some(own) = parted.or(wider) else {
            return Ok(());
        };
        let carried = in_columns(&own, model, &self.start);
        self.start = carried.or_else(|_| optimizer.optimum(&own, &self.start.data, None))?;
        self.own = Some(Box::new(own));
        Ok(())
    }
}

/// The first optimum of a path; `None` if the path ends at its start.
fn begin<O: DcOptimizer>(tracer: &mut PathTracer<'_, O>, path: &mut Path) -> Option<PathPoint> {
    let start = tracer.start;
    let state = point_of(&tracer.model_at(0.0), tracer.direction, 0.0, start.clone());
    let end = state.column.warrant.upper.clone().filter(|end| end.step <= SAME_POINT);
    let is_used_up = end.as_ref().is_some_and(|end| end.event == Event::EditLimit);
    if is_used_up || tracer.model.limits_meet_at(tracer.direction) <= SAME_POINT {
        path.stopped = Some((0.0, Stop::EditLimit));
        return None;
    }
    if state.column.warrant.point_only {
        // There may be no solution ahead at all.
        if let Some(limit) = tracer.end(0.0).filter(|limit| limit.position <= SAME_POINT) {
            path.stopped = Some((0.0, Stop::NoSolution(limit.error.clone())));
            return None;
        }
    }
    let Some(end) = end else { return Some(state) };
    // The start is at a breakpoint, so the region ahead is another one.
    match tracer.enter(start, 0.0, end.change) {
        Ok(entered) => Some(entered),
        Err(error) => {
            path.stopped = Some((0.0, stop(error)));
            None
        }
    }
}

/// Adds the region of `state` to a path and finds the optimum beyond it; `None` if the path is complete.
fn advance<O: DcOptimizer>(
    tracer: &mut PathTracer<'_, O>,
    path: &mut Path,
    here: &mut f64,
    state: PathPoint,
    (length, most_breakpoints): (f64, usize),
) -> Option<PathPoint> {
    let end = state.column.warrant.upper.clone();
    let to = end.as_ref().map_or(f64::INFINITY, |e| state.at + e.step).max(*here);
    path.regions.push(Region {
        from: *here,
        to: to.min(length),
        at: state.at,
        objective: state.solution.objective,
        price: state.solution.price.clone(),
        shadow: (state.column.shadow.iter())
            .map(|&(branch, _)| state.solution.shadow[branch])
            .collect(),
        dispatch: state.solution.dispatch.clone(),
        column: state.column,
    });
    let end = end.filter(|_| to < length)?;
    *here = to;
    let reason = if end.event == Event::EditLimit || ends_at(tracer.model, &tracer.start.data, tracer.direction, to) {
        Stop::EditLimit
    } else if path.breakpoints.len() >= most_breakpoints {
        Stop::TooManyBreakpoints
    } else {
        match tracer.enter(&state.solution, to, end.change) {
            Ok(entered) => {
                path.breakpoints.push(End { step: to, ..end });
                return Some(entered);
            }
            Err(error) => stop(error),
        }
    };
    let mut at = to;
    if let Stop::NoSolution(_) = reason {
        at = tracer.stop(to);
        if let Some(last) = path.regions.last_mut() {
            last.to = at.min(length);
        }
    }
    path.stopped = Some((at, reason));
    None
}

fn stop(error: EngineError) -> Stop {
    if error.code == "SOLVE.INFEASIBLE" {
        Stop::NoSolution(error)
    } else {
        Stop::NotFollowed(error)
    }
}

/// Whether an edited demand or rating reaches zero at a position, or generator limits meet.
fn ends_at(model: &DcModel, data: &DcData, direction: &Direction, position: f64) -> bool {
    let used_up = |value: f64, d: f64| d < 0.0 && value > 0.0 && value + position * d <= SAME_POINT;
    direction.demand.iter().any(|&(bus, d)| used_up(data.demand[bus], d))
        || direction
            .rating
            .iter()
            .any(|&(branch, d)| used_up(data.rating[branch], d))
        || model.limits_meet_at(direction) <= position + SAME_POINT
}
