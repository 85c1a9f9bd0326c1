//! The range of feasibility for one moving demand, rating, phase shift, or limit of a generator or link.

use crate::dc::basis::lazy_rows::Elastic;
use crate::dc::infeasibility::farkas_ray::FarkasRay;
use crate::dc::infeasibility::refusals;
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::model::prices::nonzero;
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::{
    minimum_violation, minimum_violation_within, Begin, MinimumViolation, SearchOutcome, COST_SCALE,
};
use crate::generator_columns::{GenColumn, EVERYWHERE};
use crate::vocabulary::Direction;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Distance beyond the end of feasibility within which a conflict must be proved, relative to 1 + position, per unit.
const PROVED_WITHIN: f64 = 1e-7;
/// Work allowance of the search for a bus's largest demand (numbers read), after which no limit is reported.
const MOST_WORK: usize = 100_000_000;
/// Rays to the end of a phase shift.
const MOST_RAYS: usize = 100;
/// Iterations to the zero of an excess, which has a corner where a rating passes its angle-difference limit.
const SECANTS: usize = 8;

/// The end of feasibility along a direction.
#[derive(Clone, Debug)]
pub(crate) struct FeasibleLimit {
    /// Position beyond which no solution exists, per unit of the direction from its start.
    pub position: f64,
    /// The verified conflict just beyond it.
    pub error: EngineError,
}

/// By how much the demand of a bus must move back towards `data.demand[bus] - back` for a solution to exist, with
/// everything else unchanged, per unit with the sign of `back`; `None` if no solution exists even there. The value is
/// exact, and the multipliers of its program prove it.
///
/// # Errors
/// `SOLVE.NOT_CONVERGED`, and the errors of data with a conflict of their own.
pub fn demand_limit(model: &DcModel, data: &DcData, bus: usize, back: f64) -> Result<Option<f64>> {
    refusals::check_limits(model, data)?;
    let wider = model.reaching(data);
    let model = wider.as_ref().unwrap_or(model);
    let program = moving_demand(model, bus, back);
    let found = match minimum_violation_within(&program, data, Elastic::None, Begin::Nothing, Some(MOST_WORK)) {
        Ok(SearchOutcome::Optimum(found)) => *found,
        Ok(SearchOutcome::Parked(_)) => return Ok(None),
        Err(error) if error.code == "SOLVE.INFEASIBLE" => return Ok(None),
        Err(error) => return Err(error),
    };
    let moved = found.p.last().copied().unwrap_or_default();
    let proof = Proof::new(&program, data, &found.p, &found.line_y, &found.island_price);
    if proof.gap(&program, data, moved.abs(), false).is_none() {
        let bus = &model.bus_ids[bus];
        let message = message!("solve.demand_limit_not_verified", bus = bus);
        return Err(EngineError::new("SOLVE.NOT_CONVERGED", message).at(bus.clone()));
    }
    Ok(Some(moved))
}

/// The end of feasibility between `from` and `to` along a direction of one demand, rating, phase shift, or limit of a generator or
/// link; `None` if `to` is feasible. `from` must be feasible. `model` and `data` are those at the start of the direction.
///
/// The multipliers of the linear program for the end are a ray whose excess is zero there and grows by one per unit of
/// demand, rating or limit. Costs are not involved, so the end is equally sharp where prices diverge.
///
/// # Errors
/// `SOLVE.NOT_CONVERGED` without a proof, and the errors of data with a conflict of their own at `to`.
pub(crate) fn feasible_limit(
    model: &DcModel,
    data: &DcData,
    direction: &Direction,
    (from, to): (f64, f64),
) -> Result<Option<FeasibleLimit>> {
    if !direction.phase_shift.is_empty() {
        return shift_limit(model, data, direction, (from, to));
    }
    let goal = data.moved(direction, to);
    let wider = model.reaching(&goal);
    let model = wider.as_ref().unwrap_or(model);
    // The limits at the delivering end of a link never bind, so the program is the same with the wider ones of the start.
    let of_sending = direction.without_units(|unit| model.is_delivering(unit));
    let there = model.at(&of_sending, to);
    refusals::check_limits(&there, &goal)?;
    let back = to - from;
    let found = match (&direction.demand[..], &direction.rating[..]) {
        ([], []) => match (&of_sending.output_min[..], &of_sending.output_max[..]) {
            // A wider range of a unit preserves every solution.
            (&[(_, d)], []) if d < 0.0 => return Ok(None),
            ([], &[(_, d)]) if d > 0.0 => return Ok(None),
            // Reduced output at a bus is equivalent to additional demand there.
            (&[(unit, d)], []) | ([], &[(unit, d)]) => {
                let Some(bus) = model.columns.iter().find(|c| c.generator == unit).map(|c| c.bus) else {
                    return Ok(None);
                };
                let program = moving_demand(&there, bus, -back * d);
                minimum_violation(&program, &goal, Elastic::None, None)?
            }
            _ => return Err(not_proved()),
        },
        _ if direction.moves_limits() => return Err(not_proved()),
        (&[(bus, d)], []) => {
            let program = moving_demand(model, bus, back * d);
            minimum_violation(&program, &goal, Elastic::None, None)?
        }
        // A higher rating of a line preserves every solution.
        ([], &[(_, d)]) if d > 0.0 => return Ok(None),
        ([], &[(branch, _)]) => match model.line_of_branch[branch] {
            Some(line) => exceeding_rating(model, &goal, line)?,
            None => return Ok(None),
        },
        _ => return Err(not_proved()),
    };
    let ray = FarkasRay::of(model, &found.island_price, nonzero(&found.line_y));
    if !ray.excess_after(model, data, direction, to).is_proof() {
        return Ok(None);
    }
    let position =
        end_of(|step| ray.excess_after(model, data, direction, step).value, from, to).ok_or_else(not_proved)?;
    ended_by(model, data, direction, position, &ray).map(Some)
}

/// `feasible_limit` for a phase shift. The minimum violation of lines is convex and piecewise affine in the shift, and its
/// multipliers at a position are a ray whose excess bounds it from below; so Newton's method from an infeasible position
/// meets the end of feasibility after finitely many rays.
fn shift_limit(
    model: &DcModel,
    data: &DcData,
    direction: &Direction,
    (from, to): (f64, f64),
) -> Result<Option<FeasibleLimit>> {
    let (mut position, mut last) = (to, None);
    for _ in 0..MOST_RAYS {
        let there = model.at(direction, position);
        refusals::check_limits(&there, data)?;
        let program = without_costs(&there, None);
        let least = minimum_violation(&program, data, Elastic::All, None)?;
        let ray = FarkasRay::of(model, &least.island_price, nonzero(&least.line_y));
        let excess = |step: f64| ray.excess_after(model, data, direction, step);
        if !excess(position).is_proof() {
            return match last {
                Some(ray) => ended_by(model, data, direction, position, &ray).map(Some),
                None => Ok(None),
            };
        }
        let before = position;
        position = end_of(|step| excess(step).value, from, before).ok_or_else(not_proved)?;
        if before - position <= f64::EPSILON * (1.0 + before.abs()) {
            return ended_by(model, data, direction, position, &ray).map(Some);
        }
        last = Some(ray);
    }
    Err(not_proved())
}

/// The end at a position that a ray proves just beyond it.
fn ended_by(
    model: &DcModel,
    data: &DcData,
    direction: &Direction,
    position: f64,
    ray: &FarkasRay,
) -> Result<FeasibleLimit> {
    let beyond = position + PROVED_WITHIN * (1.0 + position.abs());
    let past = ray.excess_after(model, data, direction, beyond);
    let error = refusals::contradiction(model, ray, past).ok_or_else(not_proved)?;
    Ok(FeasibleLimit { position, error })
}

/// Zero of an increasing convex function between two points (Illinois method).
fn end_of(excess: impl Fn(f64) -> f64, from: f64, to: f64) -> Option<f64> {
    let (mut a, mut b) = ((from, excess(from)), (to, excess(to)));
    // `from` is feasible, so a positive value there is a rounding error.
    if a.1 >= 0.0 {
        return Some(from);
    }
    for _ in 0..SECANTS {
        let at = b.0 - b.1 * (b.0 - a.0) / (b.1 - a.1);
        let value = excess(at);
        if value * b.1 < 0.0 {
            a = b;
        } else {
            a.1 *= 0.5;
        }
        b = (at, value);
        if value == 0.0 || (b.0 - a.0).abs() < f64::EPSILON * (1.0 + to.abs()) {
            break;
        }
    }
    Some(b.0).filter(|at| at.is_finite())
}

/// The program in which the demand of a bus moves back by the minimum, at a cost of one per unit and with no other
/// costs.
fn moving_demand(model: &DcModel, bus: usize, back: f64) -> DcModel {
    let last = GenColumn {
        generator: model.n_gen,
        bus,
        island: model.island_of_bus[bus],
        lo: back.min(0.0),
        hi: back.max(0.0),
        c: back.signum(),
        q: 0.0,
        beside: (back.signum(), 0.0),
        segment: EVERYWHERE,
        is_first: true,
        is_last: true,
        open_below: false,
        open_above: false,
    };
    let mut program = without_costs(model, Some(last));
    program.gen_ids.push(model.bus_ids[bus].clone());
    program
}

/// The program that minimises the violation of one line's limits.
fn exceeding_rating(model: &DcModel, data: &DcData, line: usize) -> Result<MinimumViolation> {
    let mut program = without_costs(model, None);
    program.unit_lines.retain(|&l| l != line);
    minimum_violation(&program, data, Elastic::One(line), None)
}

/// The program without costs, with an optional additional last column.
pub(crate) fn without_costs(model: &DcModel, last: Option<GenColumn>) -> DcModel {
    let mut program = model.clone();
    let mut columns = model.columns.clone();
    for column in &mut columns {
        (column.c, column.q) = (0.0, 0.0);
    }
    columns.extend(last);
    program.constant_cost = 0.0;
    program.set_columns(columns);
    program.cost_scale = COST_SCALE;
    program
}

fn not_proved() -> EngineError {
    EngineError::new("SOLVE.NOT_CONVERGED", message!("solve.limit_not_proved"))
}
