//! The region of a path beyond one of its breakpoints.
//!
//! The event's constraint enters or leaves at the breakpoint itself (`DcOptimizer::cross_breakpoint`). If rounding
//! decides the result, the same pivot is tried slightly further on, then warm solves. A separate program without prices
//! finds the end of feasibility (`feasible_limit`): nothing is sought beyond it, and the path ends there with that
//! proof.

use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use crate::dc::parametric::feasible_limit::{feasible_limit, FeasibleLimit};
use crate::dc::result::solution::DcSolution;
use crate::dc::sensitivity::{ActiveSetChange, End, SensitivityColumn};
use crate::vocabulary::Direction;
use std::borrow::Cow;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// First step beyond a breakpoint, per unit: large enough to violate a limit by more than the solver's tolerance.
const STEP_PAST: f64 = 1e-5;
/// Bounds of the steps beyond a breakpoint.
const SHORTEST_STEP: f64 = 1e-9;
const LONGEST_STEP: f64 = 1e-2;
/// Near the end of feasibility, where prices diverge, regions may be shorter than the rounding error of their ends. If
/// no active set is found for one, up to this distance may be skipped, relative to 1 + position, per unit.
pub(super) const RESOLUTION: f64 = 1e-6;
/// Distance before the end of feasibility that may be skipped, because the search finds no region there either.
const LAST: f64 = 1e-5;
/// Positions closer than this, relative to 1 + position, are equal, per unit.
pub(super) const SAME_POINT: f64 = 1e-9;
/// Distances beyond the breakpoint at which an event is tried again, relative to 1 + position, per unit.
const ASIDE: [f64; 4] = [1e-9, 1e-8, 1e-7, 1e-6];
/// Costs with a smaller difference, relative to 1 + cost, are equal.
const SAME_COST: f64 = 1e-9;
/// Most solves beyond one breakpoint.
const TRIES: usize = 24;
/// Distances of cold solves beyond a breakpoint that warm ones did not cross, in units of `RESOLUTION`.
const COLD_LOOKS: [f64; 3] = [1.0, 10.0, 100.0];
/// Highest level of robustness (`DcOptimizer::cross_breakpoint`).
const MOST_ROBUST: usize = 2;
/// Most events at one point.
const MOST_MEET: usize = 100;
/// Distance ahead in which the end of feasibility is sought, per unit.
const IN_SIGHT: f64 = 0.1;

/// An optimum on a path, and its derivative along the path.
#[derive(Clone, Debug)]
pub(crate) struct PathPoint {
    pub at: f64,
    pub solution: DcSolution,
    pub column: SensitivityColumn,
}

impl PathPoint {
    /// The event ahead, if it is within `same`.
    fn degenerate_end(&self, same: f64) -> Option<&End> {
        let end = self.column.warrant.upper.as_ref();
        end.filter(|end| end.step <= same && end.change != ActiveSetChange::Edit)
    }
}

/// Known range of feasibility.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// The end of feasibility, if it has been found.
    end: Option<FeasibleLimit>,
    /// The position up to which feasibility is known.
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

    /// Adopts the knowledge of an earlier tracer along the same direction.
    pub fn seeing(self, Sight { end, seen }: Sight) -> Self {
        Self { end, seen, ..self }
    }

    /// Knowledge for the next tracer along the same direction.
    pub fn sight(self) -> Sight {
        Sight {
            end: self.end,
            seen: self.seen,
        }
    }

    /// The end of feasibility, if it is within `IN_SIGHT` of a feasible position.
    pub fn end(&mut self, position: f64) -> Option<&FeasibleLimit> {
        if self.end.is_none() && self.seen < position + LONGEST_STEP {
            let used_up = |&(branch, d): &(usize, f64)| (d < 0.0).then(|| self.start.data.rating[branch] / -d);
            let most = self.direction.rating.iter().filter_map(used_up);
            let most = most.chain([self.model.limits_meet_at(self.direction)]);
            let to = most.fold(position + IN_SIGHT, f64::min);
            // Without a result the search continues unchanged.
            if let Ok(found) = feasible_limit(self.model, &self.start.data, self.direction, (position, to)) {
                self.end = found;
                self.seen = to;
            }
        }
        self.end.as_ref()
    }

    /// The region just beyond an event of `warm`, an optimum before it, at the position `breakpoint`.
    ///
    /// Several events at one point are taken one after the other. A region shorter than `SAME_POINT` is skipped like a
    /// point.
    ///
    /// # Errors
    /// Those of the solver if no region was found beyond the breakpoint.
    pub fn enter(&mut self, warm: &DcSolution, breakpoint: f64, change: ActiveSetChange) -> Result<PathPoint> {
        let scale = 1.0 + breakpoint.abs();
        let resolution = RESOLUTION * scale;
        // With linear costs a pivot has one variant only.
        let most_robust = if self.model.is_linear { 0 } else { MOST_ROBUST };
        for robustness in 0..=most_robust {
            match self.cross(warm, breakpoint, breakpoint, change, robustness) {
                Ok(Some(point)) => return Ok(point),
                Ok(None) => {}
                // The ray proves an end, and the other program gives its distance.
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

    /// The end of a path that cannot be traced beyond `position` because feasibility ends: that end, if it is known and
    /// near enough to skip to.
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

    /// The region beyond an event by its pivot, at the data of position `at`; `None` if there is none.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE`.
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
                // A degenerate region may be a rounding artefact of another one.
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

    /// Warm solves beyond the breakpoint, without its event. The step grows while the solver still accepts the old
    /// active set or gives no result, and shrinks while it may skip a region longer than `RESOLUTION`. A region is
    /// returned only if the path is continuous: it begins at the breakpoint, or its cost agrees there.
    fn search(&mut self, warm: &DcSolution, breakpoint: f64, end: f64) -> Result<PathPoint> {
        let resolution = RESOLUTION * (1.0 + breakpoint.abs());
        let longest = LONGEST_STEP.min(0.5 * (end - breakpoint));
        let (mut low, mut high) = (SHORTEST_STEP, f64::INFINITY);
        let mut step = STEP_PAST.min(longest);
        // Without a proof of the end of feasibility, the proof of a solve counts.
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
        // The warm solves failed; cold ones may succeed.
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

    /// The program at a position: bounds of its columns move with generator limits.
    pub fn model_at(&self, at: f64) -> Cow<'a, DcModel> {
        self.model.at(self.direction, at)
    }
}

/// The optimum at a position, where `model` is the program there.
pub(super) fn point_of(model: &DcModel, direction: &Direction, at: f64, solution: DcSolution) -> PathPoint {
    let column = solution.derivative(model, direction);
    PathPoint { at, solution, column }
}

fn not_followed() -> EngineError {
    EngineError::new("SOLVE.NOT_CONVERGED", message!("solve.not_followed"))
}

/// Whether the region of a point reaches back to a position.
fn begins_by(point: &PathPoint, position: f64) -> bool {
    point.at + point.column.warrant.interval().0 <= position
}

/// Whether the cost of a region, extrapolated back to a position, equals that of the optimum there.
fn joins(here: &DcSolution, position: f64, point: &PathPoint) -> bool {
    let (step, column) = (position - point.at, &point.column);
    let slope = column.objective + step * column.objective_curvature;
    let cost = point.solution.objective + step * (column.objective + 0.5 * step * column.objective_curvature);
    let passed_over = RESOLUTION * (1.0 + position.abs()) * slope.abs();
    (cost - here.objective).abs() <= SAME_COST * (1.0 + here.objective.abs()) + passed_over
}
