//! One breakpoint of a path: the constraint of a known event enters the active set, or leaves it.
//!
//! At a breakpoint the old and the new active set have the same optimum, so no tolerance has to be exceeded for the solver to
//! see the event: the pivot is made at the breakpoint itself (parametric active sets: Best, in *Applied Mathematics and
//! Parallel Computing* (1996)). Where the dual ray of the entering constraint meets nothing, that ray proves how far solutions
//! reach: its excess is zero here and grows along the path.

use super::linear::Linear;
use super::modes::Precision;
use super::problem_data::{Ahead, ProblemData};
use super::quadratic::Quadratic;
use super::state::{Constraint, Entering, Failure, Method, SolverState, Step};
use super::Options;
use crate::dc::basis::kkt::Status;
use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::infeasibility::farkas_ray::FarkasRay;
use crate::dc::infeasibility::refusals;
use crate::dc::model::{DcData, DcModel};
use crate::dc::result::solution::DcSolution;
use crate::dc::sensitivity::ActiveSetChange;
use crate::vocabulary::Direction;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;
use wattbook_network::message_key;

/// Steps ahead at which a ray is looked at, per unit: its excess must stand out of rounding.
const PROBES: [f64; 8] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];
/// Regions shorter than this (per unit) count as points, by robustness.
const POINTS: [f64; 3] = [0.0, 1e-10, 1e-8];
/// The excess of a ray reaches zero within this of the breakpoint, relative to 1 + its distance from there, per unit.
const SAME_POINT: f64 = 1e-7;

/// See `DcOptimizer::cross_breakpoint`.
pub(crate) fn cross_breakpoint(
    model: &DcModel,
    data: &DcData,
    start: &DcSolution,
    change: ActiveSetChange,
    direction: &Direction,
    robustness: usize,
) -> Result<DcSolution> {
    if model.is_linear {
        return cross::<Linear>(model, data, start, change, direction, Precision::Standard);
    }
    let precision = match robustness {
        0 => Precision::Standard,
        _ => Precision::Refined {
            degenerate_length: POINTS[robustness.min(POINTS.len() - 1)],
        },
    };
    cross::<Quadratic>(model, data, start, change, direction, precision)
}

fn cross<M: Method>(
    model: &DcModel,
    data: &DcData,
    start: &DcSolution,
    change: ActiveSetChange,
    direction: &Direction,
    precision: Precision,
) -> Result<DcSolution> {
    let ahead = Ahead { data, direction };
    refusals::check_limits(model, &data.moved(direction, PROBES[0]))?;
    let mut problem = ProblemData::new(model, data, Options { presolve: false });
    problem.ahead = Some(ahead);
    let mut state: SolverState<'_, M> = SolverState::new(problem, (*start.rows).clone());
    state.precision = precision;
    // Nothing else moves: what is at its limit too is the next event at the same point.
    match state.cross(start, change).and_then(|()| state.conclude(data)) {
        Ok(solution) => Ok(solution),
        Err(Failure::Infeasible(error)) => Err(error),
        Err(Failure::Exhausted) => Err(EngineError::new("SOLVE.NOT_CONVERGED", message!("solve.work_used_up"))),
        Err(Failure::Stalled(why)) => {
            let said = message!("solve.breakpoint_not_passed", cause = Message::of_key(why));
            Err(EngineError::new("SOLVE.NOT_CONVERGED", said))
        }
    }
}

impl<M: Method> SolverState<'_, M> {
    fn cross(&mut self, start: &DcSolution, change: ActiveSetChange) -> Step<()> {
        self.restore_rows(start)?;
        match change {
            ActiveSetChange::Bound { column, upper } => self.force(Constraint::Column(column), upper),
            ActiveSetChange::Limit { line, upper } => {
                let Some(&row) = self.add_lazy_rows(&[line]).first() else {
                    return Err(Failure::Stalled(message_key!("stall.line_without_row")));
                };
                if self.side[row] != 0 {
                    return Err(Failure::Stalled(message_key!("stall.equal_limits")));
                }
                self.force(Constraint::Row(row), upper)
            }
            ActiveSetChange::Leaving(column) => M::leave(self, Constraint::Column(column)),
            ActiveSetChange::Unbinding(line) => match self.rows.row_of_line[line] {
                Some(row) => M::leave(self, Constraint::Row(row)),
                None => Err(Failure::Stalled(message_key!("stall.line_without_row"))),
            },
            ActiveSetChange::OtherLimit => Ok(()),
            ActiveSetChange::Edit => Err(Failure::Stalled(message_key!("stall.no_change"))),
        }
    }

    /// As `restore` with every binding line as a row, at the present data.
    fn restore_rows(&mut self, start: &DcSolution) -> Step<()> {
        self.status.clone_from(&start.status);
        self.side.clone_from(&start.side);
        self.side.resize(self.rows.len(), 0);
        self.y.resize(self.rows.len(), 0.0);
        self.active.clone_from(&start.active);
        for j in 0..self.p.len() {
            self.p[j] = match self.status[j] {
                Status::Free => start.p[j],
                Status::AtLower => self.lo(j),
                Status::AtUpper => self.hi(j),
            };
        }
        if start.system.units.is_empty() && !self.precision.is_refined() {
            self.take_factor(start);
        }
        self.solve_active_set()
    }

    /// Lets a constraint enter that is at its limit.
    fn force(&mut self, constraint: Constraint, upper: bool) -> Step<()> {
        let entering = Entering {
            constraint,
            sign: if upper { -1.0 } else { 1.0 },
            violation: f64::MIN_POSITIVE,
        };
        let has_entered = |state: &Self| match constraint {
            Constraint::Column(j) => state.status[j] != Status::Free,
            Constraint::Row(row) => state.side[row] != 0,
        };
        // A pivot that is not trusted forms the factor anew and changes nothing else.
        for _ in 0..2 {
            M::enter(self, entering)?;
            if has_entered(self) {
                return Ok(());
            }
        }
        Err(Failure::Stalled(message_key!("stall.small_pivot")))
    }
}

impl Ahead<'_> {
    /// The ray as a proof that there are no solutions past the present data.
    pub fn contradiction(&self, model: &DcModel, rows: &LazyRows, terms: &[(usize, f64)]) -> Option<EngineError> {
        let ray = FarkasRay::new(model, rows, terms);
        let at = |step: f64| ray.excess_after(model, self.data, self.direction, step);
        let here = at(0.0);
        let (step, there) = PROBES
            .iter()
            .map(|&step| (step, at(step)))
            .find(|(_, e)| e.is_proof())?;
        // Where the excess is zero.
        let zero = -here.value * step / (there.value - here.value);
        if zero.is_nan() || zero.abs() > SAME_POINT * (1.0 + step) {
            return None;
        }
        refusals::contradiction(model, &ray, there)
    }
}
