//! Sensitivity columns by the limits and the cost of a generator.
//!
//! The solver's program has fixed generator data, so the state past an end of an interval is solved from scratch as
//! another problem.

use super::sensitivity::{by_bus, warrant};
use super::{Dc, DcOpf, DcState};
use crate::contract::{self as c, Column, ColumnName, GeneratorValue};
use crate::convert::{element, generator_ref, plain};
use crate::edits::{is_moved, ColumnTarget, Edits};
use crate::results::Sensitivity;
use std::sync::Arc;
use wattbook_network::analysis::Cost;
use wattbook_network::error::Result;
use wattbook_solve::dc::{End, Event, SensitivityColumn, WarrantKind};
use wattbook_solve::vocabulary::Direction;

/// Distance past an end at which it is examined: per unit for a limit, $/MWh for a cost.
const PAST_LIMIT: f64 = 1e-5;
const PAST_COST: f64 = 1e-4;
/// Intervals this short count as empty.
const HERE: f64 = 1e-9;

/// A generator by dense row, and the value that changes.
pub(super) type Value = (usize, GeneratorValue);

/// The column of a generator's value, with the derivatives past both ends of its interval from one cold solve each. For
/// a cost curve it is the derivative by a shift of the whole curve, and no interval is given, because an edit replaces
/// the curve. Nor is there an interval for a limit that does not exist, because an edit adds the limit.
pub(super) fn column(state: &DcState, (row, value): Value, case_id: &str) -> Sensitivity {
    let problem = state.dc();
    let network = &problem.case.network;
    let (unit, base) = (&network.generators[row], network.base_mva);
    let direction = direction((row, value));
    let mut column = state.solution.derivative(&problem.model, &direction);
    if !is_moved(unit, value) {
        let warrant = &mut column.warrant;
        warrant.point_only = true;
        (warrant.lower, warrant.upper) = (None, None);
    }
    // One internal unit in physical units; prices are in $/h per unit.
    let step = ColumnTarget::Generator(row, value).step(base);
    let units = match value {
        GeneratorValue::Cost => "($/MWh)/($/MWh)",
        GeneratorValue::PMin | GeneratorValue::PMax => "($/MWh)/MW",
    };
    let slopes = |rates: &[f64]| by_bus(problem, rates, base * step);
    let watched = unit.bus;
    let look = |end: &Option<End>, sign: f64| {
        let end = end.as_ref().filter(|end| end.event != Event::EditLimit);
        end.map_or(Beyond::Unknown, |end| {
            past(state, (row, value), &column, end.step, sign)
        })
    };
    let beyond = (look(&column.warrant.lower, -1.0), look(&column.warrant.upper, 1.0));
    let mut warrant = warrant(&column.warrant, step);
    for (end, beyond) in [(&mut warrant.ends.0, &beyond.0), (&mut warrant.ends.1, &beyond.1)] {
        let Some(end) = end else { continue };
        match beyond {
            Beyond::Region { jump, .. } => {
                end.price_jump = Some(plain(jump / base));
                end.watched_bus = Some(network.buses[watched].id);
            }
            Beyond::NoSolution => end.no_solution_beyond = true,
            Beyond::Unknown => {}
        }
    }
    if unit.pmin_pu == unit.pmax_pu {
        end_where_limits_meet(&mut warrant, value, state, row);
    }
    // Where the active set stays the same on one side, its column is the one-sided derivative there.
    let one_sided = |end: &Option<End>, beyond: &Beyond| match (end, beyond) {
        _ if column.warrant.kind == WarrantKind::Regular => None,
        (Some(end), Beyond::Region { rates, .. }) if end.step.abs() <= HERE => Some(slopes(rates)),
        (Some(end), _) if end.step.abs() <= HERE => None,
        _ => Some(slopes(&column.price)),
    };
    let columns = [
        (ColumnName::LmpSlope, Some(slopes(&column.price))),
        (ColumnName::LmpSlopeLeft, one_sided(&column.warrant.lower, &beyond.0)),
        (ColumnName::LmpSlopeRight, one_sided(&column.warrant.upper, &beyond.1)),
    ];
    let columns = columns.into_iter();
    let parameter = match value {
        GeneratorValue::PMin => "pmin",
        GeneratorValue::PMax => "pmax",
        GeneratorValue::Cost => "cost",
    };
    Sensitivity {
        head: c::SensitivityHead {
            case: case_id.to_string(),
            operand: "lmp".into(),
            parameter: parameter.into(),
            bus: None,
            branch: None,
            generator: Some(unit.id),
            units: units.into(),
            warrant,
            losses: None,
            collapse: None,
        },
        columns: columns
            .filter_map(|(name, slopes)| Some(Column::new(name, slopes?)))
            .collect(),
    }
}

/// One unit of the value in the solver's terms.
fn direction((row, value): Value) -> Direction {
    let one = vec![(row, 1.0)];
    match value {
        GeneratorValue::PMin => Direction {
            output_min: one,
            ..Direction::default()
        },
        GeneratorValue::PMax => Direction {
            output_max: one,
            ..Direction::default()
        },
        GeneratorValue::Cost => Direction {
            cost: one,
            ..Direction::default()
        },
    }
}

/// Limits that have met cannot cross: the interval ends here, and the column holds to the other side.
fn end_where_limits_meet(warrant: &mut c::Warrant, value: GeneratorValue, state: &DcState, row: usize) {
    let end = c::WarrantEnd {
        mw: 0.0,
        event: c::BreakpointEvent::EditLimit,
        element: element(&generator_ref(&state.dc().case.network.generators[row])),
        price_jump: None,
        watched_bus: None,
        no_solution_beyond: false,
    };
    match value {
        GeneratorValue::PMax => {
            warrant.ends.0 = Some(end);
            warrant.valid_mw.0 = Some(0.0);
        }
        GeneratorValue::PMin => {
            warrant.ends.1 = Some(end);
            warrant.valid_mw.1 = Some(0.0);
        }
        GeneratorValue::Cost => {}
    }
}

/// The state past one end of an interval.
enum Beyond {
    /// The jump of the price at the generator's bus, $/h per unit, and the derivatives there.
    Region {
        jump: f64,
        rates: Vec<f64>,
    },
    NoSolution,
    Unknown,
}

/// Solves slightly past an end; if the solution is in a region other than the adjacent one, nothing is known.
fn past(state: &DcState, (row, value): Value, column: &SensitivityColumn, end: f64, sign: f64) -> Beyond {
    let network = &state.dc().case.network;
    let back = match value {
        GeneratorValue::Cost => PAST_COST * network.base_mva,
        GeneratorValue::PMin | GeneratorValue::PMax => PAST_LIMIT,
    };
    let bus = network.generators[row].bus;
    match beside(state, (row, value), end + sign * back) {
        Ok(there) => {
            let here = there.solution.derivative(&there.dc().model, &direction((row, value)));
            let (lo, hi) = here.warrant.interval();
            let reach = if sign > 0.0 { -lo } else { hi };
            if reach < 0.9 * back {
                return Beyond::Unknown;
            }
            let before = state.solution.price[bus] + end * column.price[bus];
            let after = there.solution.price[bus] - sign * back * here.price[bus];
            Beyond::Region {
                jump: after - before,
                rates: here.price,
            }
        }
        Err(error) if error.code == "SOLVE.INFEASIBLE" => Beyond::NoSolution,
        Err(_) => Beyond::Unknown,
    }
}

/// The state with a generator's value changed by a step, per unit.
///
/// Errors: `SOLVE.*`.
fn beside(state: &DcState, (row, value): Value, step: f64) -> Result<Arc<DcState>> {
    let problem = state.dc();
    let network = &problem.case.network;
    let (unit, base) = (&network.generators[row], network.base_mva);
    let mut edits: Edits = state.edits.clone();
    let edit = edits.network.generators.entry(row).or_default();
    match value {
        GeneratorValue::PMin => edit.p_min = Some((unit.pmin_pu + step) * base),
        GeneratorValue::PMax => edit.p_max = Some((unit.pmax_pu + step) * base),
        GeneratorValue::Cost => {
            if let Cost::Quadratic { c1, .. } = unit.cost {
                edit.cost = Some((c1 + step) / base);
            }
        }
    }
    let case = problem.case.with_network(&edits.network);
    Arc::new(DcOpf(Dc::secured(&case, &problem.options)?)).cold(&edits)
}
