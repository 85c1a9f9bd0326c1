//! The minimum violation of limits: the linear program of `explain`.
//!
//! Generators have no costs, so there are many ties. Costs are scaled up by `1 / cost_scale`, so that perturbations and
//! tolerances are a billionth of the cost of a violation. Little is then left to improve after removal of the
//! perturbation, and primal steps do that (`primal`).

use super::method::Linear;
use super::suspended::Suspended;
use crate::dc::basis::kkt::Status;
use crate::dc::basis::lazy_rows::{Elastic, LazyRows};
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::modes::Caution;
use crate::dc::optimize::problem_data::ProblemData;
use crate::dc::optimize::random::Random;
use crate::dc::optimize::state::{Failure, SolverState, Step};
use crate::dc::optimize::{Options, COLD_STARTS, EXHAUSTED, PERTURBATION, STRONGER};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;
use wattbook_network::message_key;

/// Price scale of these programs: inside the method, one MW costs this much less.
pub(crate) const COST_SCALE: f64 = 1e-4;
/// An optimum of the program: powers by column, multipliers by line (positive at the lower limit), island prices.
pub(crate) struct MinimumViolation {
    pub p: Vec<f64>,
    pub line_y: Vec<f64>,
    pub island_price: Vec<f64>,
    /// State of the search, for a continuation.
    pub held: Held,
    /// Work of the call, if it had an allowance.
    pub spent: usize,
}

/// An active set for a continuation with more columns, and with lines that no longer represent a unit's bound.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    lines: Vec<usize>,
    columns: usize,
    status: Vec<Status>,
    p: Vec<f64>,
    active: Vec<usize>,
    side: Vec<i8>,
    /// Lines that bind as the bound of a unit: the unit, the line and the side.
    units: Vec<(usize, usize, i8)>,
}

/// The minimum cost at which a dispatch exists: costs of the columns of `model`, and `slack_cost` for exceeded limits
/// of the `elastic` lines. Lines of `model.unit_lines` are enforced as bounds of their units and are not exceeded.
///
/// `model` has linear costs, in units of its `cost_scale`. `held` comes from a program whose columns are the first of
/// this program; all later columns are zero.
///
/// # Errors
/// `SOLVE.INFEASIBLE`, `SOLVE.NOT_CONVERGED`.
pub(crate) fn minimum_violation(
    model: &DcModel,
    data: &DcData,
    elastic: Elastic,
    held: Option<&Held>,
) -> Result<MinimumViolation> {
    let from = held.map_or(Begin::Nothing, Begin::Held);
    match minimum_violation_within(model, data, elastic, from, None)? {
        SearchOutcome::Optimum(found) => Ok(*found),
        SearchOutcome::Parked(_) => Err(not_converged(EXHAUSTED)),
    }
}

/// A suspended search that has exhausted its allowance.
#[derive(Clone, Debug)]
pub(crate) struct Parked {
    state: Suspended,
    is_cleaning: bool,
    attempt: i32,
    /// Work of the call that suspended it.
    pub spent: usize,
}

/// The state of a search after a call.
pub(crate) enum SearchOutcome {
    Optimum(Box<MinimumViolation>),
    Parked(Box<Parked>),
}

/// The start of a search.
pub(crate) enum Begin<'a> {
    Nothing,
    /// The optimum of a smaller program.
    Held(&'a Held),
    /// The same program, suspended.
    Parked(Box<Parked>),
}

/// `minimum_violation` with an allowance of work (`SolverState::spend`), after which it is suspended.
pub(crate) fn minimum_violation_within(
    model: &DcModel,
    data: &DcData,
    elastic: Elastic,
    from: Begin,
    allowance: Option<usize>,
) -> Result<SearchOutcome> {
    let (mut rows, mut attempt, mut reason) = (LazyRows::new(model), 0, EXHAUSTED);
    rows.elastic = elastic;
    let make = || ProblemData::new(model, data, Options { presolve: true });
    let (problem, begun) = match from {
        Begin::Nothing => (make(), None),
        Begin::Held(held) => {
            let problem = make();
            rows.add_lines(model, &held.lines);
            match resume(&problem, rows.clone(), held) {
                Ok(state) => (problem, Some((state, true))),
                Err(Failure::Infeasible(error) | Failure::Uncertified(error)) => return Err(error),
                Err(Failure::Stalled(_) | Failure::Exhausted) => (problem, None),
            }
        }
        Begin::Parked(parked) => {
            attempt = parked.attempt;
            let state = SolverState::resume(parked.state, model);
            (state.problem.clone(), Some((state, parked.is_cleaning)))
        }
    };
    let mut begun = begun;
    let mut spent = 0;
    loop {
        let (mut state, mut is_cleaning) = match begun.take() {
            Some(begun) => begun,
            None if attempt >= COLD_STARTS => return Err(not_converged(reason)),
            None => {
                let mut state = SolverState::new(problem.clone(), rows);
                state.caution = Caution::of_attempt(attempt);
                state.perturb_alike(PERTURBATION * STRONGER.powi(attempt));
                attempt += 1;
                match state.merit_order() {
                    Ok(()) => (state, false),
                    Err(Failure::Infeasible(error) | Failure::Uncertified(error)) => return Err(error),
                    Err(Failure::Stalled(why)) => {
                        (rows, reason) = (state.rows, why);
                        continue;
                    }
                    Err(Failure::Exhausted) => return Err(not_converged(EXHAUSTED)),
                }
            }
        };
        state.allowance = allowance;
        state.method.spent = 0;
        let concluded = state.conclude_minimum_violation(&mut is_cleaning);
        spent += state.method.spent;
        match concluded {
            Ok(found) => return Ok(SearchOutcome::Optimum(Box::new(MinimumViolation { spent, ..found }))),
            Err(Failure::Infeasible(error) | Failure::Uncertified(error)) => return Err(error),
            Err(Failure::Exhausted) => {
                return Ok(SearchOutcome::Parked(Box::new(Parked {
                    state: state.suspend(),
                    is_cleaning,
                    attempt,
                    spent,
                })))
            }
            Err(Failure::Stalled(why)) => (rows, reason) = (state.rows, why),
        }
    }
}

fn not_converged(reason: &'static str) -> EngineError {
    let message = message!("solve.relaxation_not_converged", cause = Message::of_key(reason));
    EngineError::new("SOLVE.NOT_CONVERGED", message)
}

/// The state at the result of an earlier search: its dispatch is feasible here, and new columns can only improve it.
/// `rows` contains its lines.
fn resume<'a>(problem: &ProblemData<'a>, mut rows: LazyRows, held: &Held) -> Step<SolverState<'a, Linear>> {
    let model = problem.model;
    let released: Vec<_> = held
        .units
        .iter()
        .filter(|(_, line, _)| !problem.bounds.is_bound[*line])
        .collect();
    let of_units: Vec<usize> = released.iter().map(|unit| unit.1).collect();
    rows.add_lines(model, &of_units);
    let mut state = SolverState::new(problem.clone(), rows);
    let columns = model.columns.len();
    for j in 0..state.p.len() {
        let before = if j < columns {
            (j < held.columns).then_some(j)
        } else {
            Some(j - columns + held.columns).filter(|&k| k < held.p.len())
        };
        (state.status[j], state.p[j]) = match before {
            Some(k) => (held.status[k], held.p[k]),
            None if state.hi(j) == 0.0 => (Status::AtUpper, 0.0),
            None => (Status::AtLower, state.lo(j)),
        };
    }
    state.active.clone_from(&held.active);
    state.side[..held.side.len()].copy_from_slice(&held.side);
    for &&(column, line, side) in &released {
        let Some(row) = state.rows.row_of_line[line] else {
            return Err(Failure::Stalled(message_key!("stall.line_without_row")));
        };
        state.status[column] = Status::Free;
        state.active.push(row);
        state.side[row] = side;
    }
    state.refactor()?;
    state.remove_perturbation();
    Ok(state)
}

/// Extracts the optimum.
fn finished(state: &mut SolverState<'_, Linear>) -> Step<MinimumViolation> {
    state.solve_active_set()?;
    let model = state.model;
    let mut found = MinimumViolation {
        p: state.p[..model.columns.len()].to_vec(),
        line_y: vec![0.0; model.lines.len()],
        island_price: vec![0.0; model.islands.len()],
        held: Held {
            lines: state.rows.lazy.iter().map(|r| r.line).collect(),
            columns: model.columns.len(),
            status: state.status.clone(),
            p: state.p.clone(),
            active: state.active.clone(),
            side: state.side.clone(),
            units: Vec::new(),
        },
        spent: 0,
    };
    for &row in &state.active {
        let y = state.y[row] * model.cost_scale;
        match state.rows.line(row) {
            None => found.island_price[row] += y,
            Some(line) => {
                found.line_y[line.line] = y;
                found.island_price[line.island] -= y * line.kappa;
            }
        }
    }
    for j in 0..model.columns.len() {
        let (source, upper) = match state.status[j] {
            Status::AtLower => (state.problem.bounds.below[j], false),
            Status::AtUpper => (state.problem.bounds.above[j], true),
            Status::Free => (None, false),
        };
        let Some((line, bridge)) = source.and_then(|l| Some((l, model.bridge_rows[l].as_ref()?))) else {
            continue;
        };
        let y = bridge.sign * state.rc[j] * model.cost_scale;
        found.line_y[line] = y;
        found.island_price[model.columns[j].island] -= y * bridge.kappa;
        let side = if upper == (bridge.sign > 0.0) { 1 } else { -1 };
        found.held.units.push((j, line, side));
    }
    Ok(found)
}

impl SolverState<'_, Linear> {
    /// Solves to the optimum: by dual steps at perturbed costs, then by primal steps at the true costs.
    fn conclude_minimum_violation(&mut self, is_cleaning: &mut bool) -> Step<MinimumViolation> {
        if !*is_cleaning {
            self.optimise()?;
            self.remove_perturbation();
            *is_cleaning = true;
        }
        self.clean()?;
        finished(self)
    }

    /// Breaks ties between columns equally, with or without a cost.
    fn perturb_alike(&mut self, xi: f64) {
        let mut random = Random::default();
        for (c, column) in self.c.iter_mut().zip(&self.model.columns) {
            let by = xi * (0.5 + 0.5 * random.unit());
            *c += if column.c < 0.0 { -by } else { by };
        }
    }
}
