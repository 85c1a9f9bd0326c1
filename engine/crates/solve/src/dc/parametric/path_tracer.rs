//! The region of a path past one of its breakpoints.
//!
//! The event's constraint enters or leaves at the breakpoint itself (`DcOptimizer::cross_breakpoint`). Where rounding decides what that
//! leads to, the same is tried a hair further on, then by warm solves. How far solutions reach is known from a program of its
//! own (`feasible_limit`), in which prices take no part: nothing is looked for beyond, and the path ends there with that proof.

use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use crate::dc::parametric::feasible_limit::{feasible_limit, FeasibleLimit};
use crate::dc::result::solution::DcSolution;
use crate::dc::sensitivity::{ActiveSetChange, End, SensitivityColumn};
use crate::vocabulary::Direction;
use std::borrow::Cow;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// First step past a breakpoint, per unit: far enough to violate a limit by more than the solver's tolerance.
const STEP_PAST: f64 = 1e-5;
/// Steps past a breakpoint stay between these.
const SHORTEST_STEP: f64 = 1e-9;
const LONGEST_STEP: f64 = 1e-2;
/// Close to the end of what is feasible, where prices grow without bound, regions may be shorter than rounding in the position
/// of their ends. Where no active set can be found for one, up to this much may be passed over, relative to 1 + position, per
/// unit.
pub(super) const RESOLUTION: f64 = 1e-6;
/// As much before the end of solutions, where the search finds nothing either.
const LAST: f64 = 1e-5;
/// Positions closer than this, relative to 1 + position, are one, per unit.
pub(super) const SAME_POINT: f64 = 1e-9;
/// Where an event is looked at again after the breakpoint, relative to 1 + position, per unit.
const ASIDE: [f64; 4] = [1e-9, 1e-8, 1e-7, 1e-6];
/// Costs that differ by less, relative to 1 + cost, are one.
const SAME_COST: f64 = 1e-9;
/// Solves tried past one breakpoint.
const TRIES: usize = 24;
/// Where cold solves look past a breakpoint that warm ones did not pass, in `RESOLUTION`s.
const COLD_LOOKS: [f64; 3] = [1.0, 10.0, 100.0];
/// Levels of robustness with which an event is taken (`DcOptimizer::cross_breakpoint`).
const MOST_ROBUST: usize = 2;
/// Events taken at one point.
const MOST_MEET: usize = 100;
/// How far ahead the end of solutions is looked for, per unit.
const IN_SIGHT: f64 = 0.1;

/// An optimum on a path, and its derivative along it.
#[derive(Clone, Debug)]
pub(crate) struct PathPoint {
    pub at: f64,
    pub solution: DcSolution,
    pub column: SensitivityColumn,
}

impl PathPoint {
    /// The event ahead, where it lies no farther than `same`.
    fn degenerate_end(&self, same: f64) -> Option<&End> {
        let end = self.column.warrant.upper.as_ref();
        end.filter(|end| end.step <= same && end.change != ActiveSetChange::Edit)
    }
}

/// What is known of how far solutions reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// Where solutions end, once it was looked for and seen.
    end: Option<FeasibleLimit>,
    /// Up to here solutions are known to reach.
    seen: f64,
}

/// Traces the path along a direction from an optimum.
pub(crate) struct PathTracer<'a, O: DcOptimizer> {
    optimizer: &'a O,
    /// The program at the start.
    pub model: &'a DcModel,
    pub start: &'a DcSolution,
    pub direction: &'a Direction,
    end: Option<FeasibleLimit>,
    seen: f64,
}

impl<'a, O: DcOptimizer> PathTracer<'a, O> {
    pub fn new(optimizer: &'a O, model: &'a DcModel, start: &'a DcSolution, direction: &'a Direction) -> Self {
        Self {
            optimizer,
            model,
            start,
            direction,
            end: None,
            seen: 0.0,
        }
    }

    /// With what an earlier tracer along the same direction has seen.
    pub fn seeing(self, Sight { end, seen }: Sight) -> Self {
        Self { end, seen, ..self }
    }

    /// What was seen, for the next tracer along the same direction.
    pub fn sight(self) -> Sight {
        Sight {
            end: self.end,
            seen: self.seen,
        }
    }

    /// The end of solutions, where it is in sight of a position at which there is one.
    pub fn end(&mut self, position: f64) -> Option<&FeasibleLimit> {
        if self.end.is_none() && self.seen < position + LONGEST_STEP {
            let used_up = |&(branch, d): &(usize, f64)| (d < 0.0).then(|| self.start.data.rating[branch] / -d);
            let most = self.direction.rating.iter().filter_map(used_up);
            let most = most.chain([self.model.limits_meet_at(self.direction)]);
            let to = most.fold(position + IN_SIGHT, f64::min);
            // What cannot be told here leaves the search as it is.
            if let Ok(found) = feasible_limit(self.model, &self.start.data, self.direction, (position, to)) {
                self.end = found;
                self.seen = to;
            }
        }
        self.end.as_ref()
    }

    /// The region just past an event of `warm`, an optimum before it, at the position `breakpoint`.
    ///
    /// Where several events meet at one point they are taken one after the other. What is shorter than `SAME_POINT` is no
    /// region: it is passed like a point.
    ///
    /// Errors: those of the solver where no region was found past the breakpoint.
    pub fn enter(&mut self, warm: &DcSolution, breakpoint: f64, change: ActiveSetChange) -> Result<PathPoint> {
        let scale = 1.0 + breakpoint.abs();
        let resolution = RESOLUTION * scale;
        // With linear costs a pivot is taken in one way only.
        let most_robust = if self.model.is_linear { 0 } else { MOST_ROBUST };
        for robustness in 0..=most_robust {
            match self.cross(warm, breakpoint, breakpoint, change, robustness) {
                Ok(Some(point)) => return Ok(point),
                Ok(None) => {}
                // Its ray proves an end; the other program, how close that is.
                Err(error) => {
                    let end = self.end(breakpoint).map(|end| end.position);
                    if end.unwrap_or(self.seen) <= breakpoint + resolution {
                        return Err(error);
                    }
                }
            }
        }
        let end = self.end(breakpoint).map_or(f64::INFINITY, |end| end.position);
        if end <= breakpoint + resolution {
            return Err(self.ended(breakpoint));
        }
        for aside in ASIDE.map(|aside| breakpoint + aside * scale) {
            if aside < end {
                let found = self.cross(warm, aside, breakpoint, change, most_robust).ok().flatten();
                if let Some(point) = found.filter(|point| begins_by(point, breakpoint + resolution)) {
                    return Ok(point);
                }
            }
        }
        let found = self.search(warm, breakpoint, end);
        if found.is_err() && end <= breakpoint + LAST * scale {
            return Err(self.ended(breakpoint));
        }
        found
    }

    /// Where a path ends that leads no further than `position`, for lack of solutions: their end, where that is known and as
    /// close as one may pass over.
    pub fn stop(&mut self, position: f64) -> f64 {
        let near = position + LAST * (1.0 + position.abs());
        let end = self.end(position).map_or(position, |end| end.position);
        if end <= near {
            end.max(position)
        } else {
            position
        }
    }

    fn ended(&mut self, position: f64) -> EngineError {
        match self.end(position) {
            Some(end) => end.error.clone(),
            None => not_followed(),
        }
    }

    /// The region past an event by its pivot, the data those of the position `at`; none where that leads nowhere.
    ///
    /// Errors: `SOLVE.INFEASIBLE`.
    fn cross(
        &self,
        warm: &DcSolution,
        at: f64,
        breakpoint: f64,
        change: ActiveSetChange,
        robustness: usize,
    ) -> Result<Option<PathPoint>> {
        let same = SAME_POINT * (1.0 + breakpoint.abs());
        let (mut at, mut before, mut change) = (at, warm.clone(), change);
        for _ in 0..MOST_MEET {
            let (model, data) = (self.model_at(at), self.data(at));
            let mut found: Option<PathPoint> = None;
            for robustness in 0..=robustness {
                let optimizer = self.optimizer;
                match optimizer.cross_breakpoint(&model, &data, &before, change, self.direction, robustness) {
                    Ok(solution) => found = Some(point_of(&model, self.direction, at, solution)),
                    Err(error) if error.code == "SOLVE.INFEASIBLE" => return Err(error),
                    Err(_) => {}
                }
                // A region that is none may be what rounding leaves of another.
                if found.as_ref().is_some_and(|point| point.degenerate_end(same).is_none()) {
                    break;
                }
            }
            let Some(point) = found else { return Ok(None) };
            let Some(next) = point.degenerate_end(same) else {
                return Ok(Some(point));
            };
            (at, change) = (at + next.step, next.change);
            before = point.solution;
        }
        Ok(None)
    }

    /// Without the event: by warm solves past the breakpoint. The step grows while the solver still accepts the old active set
    /// there or decides nothing, and shrinks while a region would be jumped over that is longer than `RESOLUTION`. What was
    /// found is told only where the path is continuous: a region that begins at the breakpoint or whose cost joins there.
    fn search(&mut self, warm: &DcSolution, breakpoint: f64, end: f64) -> Result<PathPoint> {
        let resolution = RESOLUTION * (1.0 + breakpoint.abs());
        let longest = LONGEST_STEP.min(0.5 * (end - breakpoint));
        let (mut low, mut high) = (SHORTEST_STEP, f64::INFINITY);
        let mut step = STEP_PAST.min(longest);
        // Without a proof of where solutions end, what a solve proves counts.
        let is_open = self.end.is_none() && self.seen <= breakpoint;
        let (mut infeasible, mut undecided, mut farther) = (None, None, None);
        for _ in 0..TRIES {
            let at = breakpoint + step;
            let model = self.model_at(at);
            match self.optimizer.warm(&model, &self.data(at), warm) {
                Ok(solution) => {
                    let point = point_of(&model, self.direction, at, solution);
                    if point.column.warrant.interval().1 <= SAME_POINT * (1.0 + at.abs()) {
                        low = low.max(step);
                    } else if begins_by(&point, breakpoint + resolution) {
                        return Ok(point);
                    } else {
                        high = high.min(step);
                        (infeasible, farther) = (None, Some(point));
                    }
                }
                Err(error) if is_open && error.code == "SOLVE.INFEASIBLE" => {
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
            if step > longest || high < 2.0 * low {
                break;
            }
        }
        if let Some(point) = farther {
            let model = self.model_at(breakpoint);
            let here = self.optimizer.optimum(&model, &self.data(breakpoint), Some(warm));
            if here.is_ok_and(|here| joins(&here, breakpoint, &point)) {
                return Ok(point);
            }
        }
        if let Some(error) = infeasible.filter(|_| high <= resolution) {
            return Err(error);
        }
        // The warm solves lost their way; cold ones may not.
        for times in COLD_LOOKS {
            let at = breakpoint + times * resolution;
            if at >= end {
                break;
            }
            let model = self.model_at(at);
            match self.optimizer.optimum(&model, &self.data(at), None) {
                Ok(solution) => {
                    let point = point_of(&model, self.direction, at, solution);
                    let is_region = point.column.warrant.interval().1 > SAME_POINT * (1.0 + at.abs());
                    if is_region && begins_by(&point, breakpoint + resolution) {
                        return Ok(point);
                    }
                }
                Err(error) if is_open && error.code == "SOLVE.INFEASIBLE" => return Err(error),
                Err(error) => undecided = Some(error),
            }
        }
        Err(undecided
            .filter(|error| error.code != "SOLVE.INFEASIBLE")
            .unwrap_or_else(not_followed))
    }

    fn data(&self, at: f64) -> DcData {
        self.start.data.moved(self.direction, at)
    }

    /// The program at a position: where limits of generators move, bounds of its columns do.
    pub fn model_at(&self, at: f64) -> Cow<'a, DcModel> {
        self.model.at(self.direction, at)
    }
}

/// The optimum at a position, `model` being the program there.
pub(super) fn point_of(model: &DcModel, direction: &Direction, at: f64, solution: DcSolution) -> PathPoint {
    let column = solution.derivative(model, direction);
    PathPoint { at, solution, column }
}

fn not_followed() -> EngineError {
    EngineError::new("SOLVE.NOT_CONVERGED", message!("solve.not_followed"))
}

/// Whether the region of a state reaches back to a position.
fn begins_by(point: &PathPoint, position: f64) -> bool {
    point.at + point.column.warrant.interval().0 <= position
}

/// Whether the cost of a region, continued back to a position, is that of the optimum there.
fn joins(here: &DcSolution, position: f64, point: &PathPoint) -> bool {
    let (step, column) = (position - point.at, &point.column);
    let slope = column.objective + step * column.objective_curvature;
    let cost = point.solution.objective + step * (column.objective + 0.5 * step * column.objective_curvature);
    let passed_over = RESOLUTION * (1.0 + position.abs()) * slope.abs();
    (cost - here.objective).abs() <= SAME_COST * (1.0 + here.objective.abs()) + passed_over
}
