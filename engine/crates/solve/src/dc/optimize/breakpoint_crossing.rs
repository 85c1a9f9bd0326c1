//! One breakpoint of a path: the constraint of a known event enters or leaves the active set.
//!
//! At a breakpoint the old and the new active set have the same optimum, so the solver needs no violation beyond a
//! tolerance to detect the event: the pivot is made at the breakpoint itself (parametric active sets: Best, in *Applied
//! Mathematics and Parallel Computing* (1996)). If no constraint blocks the dual ray of the entering constraint, that
//! ray proves where feasibility ends: its excess is zero here and grows along the path.

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

/// Distances ahead at which a ray is evaluated, per unit: its excess must exceed rounding errors.
const PROBES: [f64; 8] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];
/// Regions shorter than this (per unit) are points, by level of robustness.
const POINTS: [f64; 3] = [0.0, 1e-10, 1e-8];
/// Distance from the breakpoint within which the excess of a ray must be zero, relative to 1 + its position, per unit.
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
    // Other constraints at their limits are the next events at the same point.
    let crossed = state.cross(start, change);
    crossed.and_then(|()| state.conclude(data)).map_err(engine_error)
}

/// Transfers an optimum to the columns of `model` (`DcModel::for_path`): `start` has the same data in the columns of
/// `before`.
///
/// # Errors
/// `SOLVE.NOT_CONVERGED` if its active set has no optimum in these columns.
pub(crate) fn in_columns(model: &DcModel, before: &DcModel, start: &DcSolution) -> Result<DcSolution> {
    let columns = states(model, before, start);
    if model.is_linear {
        carry::<Linear>(model, start, &columns)
    } else {
        carry::<Quadratic>(model, start, &columns)
    }
}

/// Status and power of each column, from those of `start` in the columns of `before`.
fn states(model: &DcModel, before: &DcModel, start: &DcSolution) -> Vec<(Status, f64)> {
    let mut found = Vec::with_capacity(model.columns.len());
    while let Some(column) = model.columns.get(found.len()) {
        let (own, old) = (
            model.columns_of_unit(column.generator),
            before.columns_of_unit(column.generator),
        );
        if own.len() == old.len() {
            found.extend(old.map(|j| (start.status[j], start.p[j])));
            continue;
        }
        // Columns with a width are the same. The side of a column without width is decided once its limits separate.
        let is_wide = |j: &usize| before.columns[*j].hi > before.columns[*j].lo;
        let mut known = old.clone().filter(is_wide).map(|j| start.status[j]);
        let output: f64 = old.map(|j| start.p[j]).sum();
        let mut origin = 0.0;
        for column in &model.columns[own] {
            let status = if column.hi > column.lo { known.next() } else { None };
            let p = (output - origin).clamp(column.lo, column.hi);
            found.push((status.unwrap_or(Status::AtLower), p));
            origin += column.segment.1;
        }
    }
    found
}

fn carry<M: Method>(model: &DcModel, start: &DcSolution, columns: &[(Status, f64)]) -> Result<DcSolution> {
    let data = &start.data;
    let problem = ProblemData::new(model, data, Options { presolve: false });
    let mut state: SolverState<'_, M> = SolverState::new(problem, LazyRows::new(model));
    let carried = state.restore_in_columns(start, columns);
    carried.and_then(|()| state.conclude(data)).map_err(engine_error)
}

/// The error for a breakpoint that was not crossed.
fn engine_error(failure: Failure) -> EngineError {
    match failure {
        Failure::Infeasible(error) => error,
        Failure::Exhausted => EngineError::new("SOLVE.NOT_CONVERGED", message!("solve.work_used_up")),
        Failure::Stalled(why) => EngineError::new("SOLVE.NOT_CONVERGED", not_passed(why)),
        Failure::Uncertified(error) => error.with_sentence(not_passed(message_key!("stall.certificate"))),
    }
}

fn not_passed(why: &'static str) -> Message {
    message!("solve.breakpoint_not_passed", cause = Message::of_key(why))
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

    /// `restore` with every binding line as a row, at the current data.
    fn restore_rows(&mut self, start: &DcSolution) -> Step<()> {
        self.status.clone_from(&start.status);
        self.side.clone_from(&start.side);
        self.side.resize(self.rows.len(), 0);
        self.y.resize(self.rows.len(), 0.0);
        self.active.clone_from(&start.active);
        self.hold_parting(start);
        self.put_at_bounds(&start.p);
        if start.system.units.is_empty() && !self.precision.is_refined() {
            self.take_factor(start);
        }
        self.solve_active_set()
    }

    /// Restores the active set of an optimum with the same data in other columns.
    fn restore_in_columns(&mut self, start: &DcSolution, columns: &[(Status, f64)]) -> Step<()> {
        let lines: Vec<usize> = start
            .active
            .iter()
            .filter_map(|&row| Some(start.rows.line(row)?.line))
            .collect();
        self.add_lazy_rows(&lines);
        for &row in &start.active {
            match start.rows.line(row) {
                None => self.active.push(row),
                Some(pooled) => {
                    let Some(own) = self.rows.row_of_line[pooled.line] else {
                        return Err(Failure::Stalled(message_key!("stall.line_without_row")));
                    };
                    self.side[own] = start.side[row];
                    self.active.push(own);
                }
            }
        }
        self.status = columns.iter().map(|column| column.0).collect();
        let p: Vec<f64> = columns.iter().map(|column| column.1).collect();
        let model = self.model;
        for (j, column) in model.columns.iter().enumerate() {
            let (c, q) = column.beside;
            if column.hi <= column.lo && c + q * p[j] < start.price[column.bus] {
                self.status[j] = Status::AtUpper;
            }
        }
        self.put_at_bounds(&p);
        self.solve_active_set()
    }

    /// Columns whose limits are about to separate are fixed at the limit that the adjacent price implies.
    fn hold_parting(&mut self, start: &DcSolution) {
        let Some(ahead) = &self.problem.ahead else { return };
        let direction = ahead.direction;
        let moving = direction.output_min.iter().chain(&direction.output_max);
        for &(generator, _) in moving {
            for (j, column) in self.model.columns.iter().enumerate() {
                if column.generator == generator && column.hi <= column.lo && self.status[j] != Status::Free {
                    self.status[j] = start.held_at(self.model, j);
                }
            }
        }
    }

    fn put_at_bounds(&mut self, free: &[f64]) {
        for (j, &free) in free.iter().enumerate() {
            self.p[j] = match self.status[j] {
                Status::Free => free,
                Status::AtLower => self.lo(j),
                Status::AtUpper => self.hi(j),
            };
        }
    }

    /// Enters a constraint that is at its limit.
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
        // A rejected pivot recomputes the factor and changes nothing else.
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
    /// The ray as a proof that no solutions exist beyond the current data.
    pub fn contradiction(&self, model: &DcModel, rows: &LazyRows, terms: &[(usize, f64)]) -> Option<EngineError> {
        let ray = FarkasRay::new(model, rows, terms);
        let at = |step: f64| ray.excess_after(model, self.data, self.direction, step);
        let here = at(0.0);
        let (step, there) = PROBES
            .iter()
            .map(|&step| (step, at(step)))
            .find(|(_, e)| e.is_proof())?;
        // The position at which the excess is zero.
        let zero = -here.value * step / (there.value - here.value);
        if zero.is_nan() || zero.abs() > SAME_POINT * (1.0 + step) {
            return None;
        }
        refusals::contradiction(model, &ray, there)
    }
}
