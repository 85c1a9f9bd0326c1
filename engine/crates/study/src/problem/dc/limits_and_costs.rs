//! Sensitivity columns by the limits and the cost of a generator or a link.
//!
//! The solver's program has fixed data of generators and links, so the state past an end of an interval is solved from scratch as
//! another problem.

use super::sensitivity::{by_bus, warrant};
use super::track_course::direction;
use super::{Dc, DcOpf, DcState};
use crate::contract::{self as c, Column, ColumnName, GeneratorValue};
use crate::convert::{element, plain};
use crate::edits::{is_moved, ColumnTarget, Edits};
use crate::results::{parameter_of, Sensitivity};
use std::sync::Arc;
use wattbook_network::analysis::Cost;
use wattbook_network::error::Result;
use wattbook_solve::dc::{End, Event, SensitivityColumn, WarrantKind};

/// Distance past an end at which it is examined: per unit for a limit, $/MWh for a cost.
const PAST_LIMIT: f64 = 1e-5;
const PAST_COST: f64 = 1e-4;
/// Intervals this short count as empty.
const HERE: f64 = 1e-9;

/// What is differentiated by: a value of a generator, or of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    pub target: ColumnTarget,
    pub value: GeneratorValue,
}

impl Moved {
    /// Whether an edit moves what is there, and does not replace it: an output may be without a limit, and a cost that is a curve
    /// is replaced.
    fn is_moved(self, problem: &Dc) -> bool {
        let network = &problem.case.network;
        match self.target {
            ColumnTarget::Generator(row, value) => is_moved(&network.generators[row], value),
            ColumnTarget::Link(row, GeneratorValue::Cost) => {
                matches!(network.links[row].cost, Cost::Quadratic { c2: 0.0, .. })
            }
            ColumnTarget::Link(row, GeneratorValue::PMin) => network.links[row].pmin_pu.is_finite(),
            ColumnTarget::Link(row, GeneratorValue::PMax) => network.links[row].pmax_pu.is_finite(),
            ColumnTarget::Edit(_) | ColumnTarget::Shift(_) | ColumnTarget::Interface(..) => true,
        }
    }

    /// The bus whose price jumps are reported: that of the generator, or the to end of the link.
    fn watched(self, problem: &Dc) -> usize {
        let network = &problem.case.network;
        match self.target {
            ColumnTarget::Generator(row, _) => network.generators[row].bus,
            ColumnTarget::Link(row, _) => network.links[row].to,
            ColumnTarget::Edit(_) | ColumnTarget::Shift(_) | ColumnTarget::Interface(..) => 0,
        }
    }
}

/// The column of a value, with the derivatives past both ends of its interval from one cold solve each. For a cost curve
/// it is the derivative by a shift of the whole curve, and no interval is given, because an edit replaces the curve. Nor
/// is there an interval for a limit that does not exist, because an edit adds the limit.
///
/// Errors: `LINK.NO_PREVIEW`.
pub(super) fn column(state: &DcState, moved: Moved, case_id: &str) -> Result<Sensitivity> {
    let problem = state.dc();
    let network = &problem.case.network;
    let (target, value, base) = (moved.target, moved.value, network.base_mva);
    let direction = direction(problem, target)?;
    let mut column = state.solution.derivative(&problem.model, &direction);
    if !moved.is_moved(problem) {
        let warrant = &mut column.warrant;
        warrant.point_only = true;
        (warrant.lower, warrant.upper) = (None, None);
    }
    // One internal unit in physical units; prices are in $/h per unit.
    let step = target.step(base);
    let slopes = |rates: &[f64]| by_bus(problem, rates, base * step);
    let watched = moved.watched(problem);
    let look = |end: &Option<End>, sign: f64| {
        let end = end.as_ref().filter(|end| end.event != Event::EditLimit);
        end.map_or(Beyond::Unknown, |end| past(state, moved, &column, end.step, sign))
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
    if let (ColumnTarget::Link(..), GeneratorValue::PMin | GeneratorValue::PMax, false) =
        (target, value, warrant.point_only)
    {
        let (low, high) = state.reach_mw(target);
        let position = state.position_mw(target);
        end_at(&mut warrant, (low - position, high - position), state, target);
    }
    if let ColumnTarget::Generator(row, value) = target {
        let unit = &network.generators[row];
        // Limits that have met cannot cross: the interval ends here, and the column holds to the other side.
        if unit.pmin_pu == unit.pmax_pu {
            let infinite = f64::INFINITY;
            match value {
                GeneratorValue::PMax => end_at(&mut warrant, (0.0, infinite), state, target),
                GeneratorValue::PMin => end_at(&mut warrant, (-infinite, 0.0), state, target),
                GeneratorValue::Cost => {}
            }
        }
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
    let (parameter, units) = parameter_of(value);
    let (generator, link) = match target {
        ColumnTarget::Link(row, _) => (None, Some(network.links[row].id)),
        ColumnTarget::Generator(row, _) => (Some(network.generators[row].id), None),
        ColumnTarget::Edit(_) | ColumnTarget::Shift(_) | ColumnTarget::Interface(..) => (None, None),
    };
    Ok(Sensitivity {
        head: c::SensitivityHead {
            case: case_id.to_string(),
            operand: "lmp".into(),
            parameter: parameter.into(),
            bus: None,
            branch: None,
            generator,
            link,
            interface: None,
            units: units.into(),
            warrant,
            losses: None,
            collapse: None,
        },
        columns: columns
            .filter_map(|(name, slopes)| Some(Column::new(name, slopes?)))
            .collect(),
    })
}

/// Ends an interval where edits do, at these distances in MW, if it does not end before.
fn end_at(warrant: &mut c::Warrant, (low, high): (f64, f64), state: &DcState, target: ColumnTarget) {
    let end = |mw: f64| c::WarrantEnd {
        mw: plain(mw),
        event: c::BreakpointEvent::EditLimit,
        element: element(&target.element(&state.dc().case, state.dc())),
        price_jump: None,
        watched_bus: None,
        no_solution_beyond: false,
    };
    if low.is_finite() && warrant.ends.0.as_ref().is_none_or(|own| own.mw <= low) {
        warrant.ends.0 = Some(end(low));
        warrant.valid_mw.0 = Some(plain(low));
    }
    if high.is_finite() && warrant.ends.1.as_ref().is_none_or(|own| own.mw >= high) {
        warrant.ends.1 = Some(end(high));
        warrant.valid_mw.1 = Some(plain(high));
    }
}

/// The state past one end of an interval.
enum Beyond {
    /// The jump of the price at the watched bus, $/h per unit, and the derivatives there.
    Region {
        jump: f64,
        rates: Vec<f64>,
    },
    NoSolution,
    Unknown,
}

/// Solves slightly past an end; if the solution is in a region other than the adjacent one, nothing is known.
fn past(state: &DcState, moved: Moved, column: &SensitivityColumn, end: f64, sign: f64) -> Beyond {
    let back = match moved.value {
        GeneratorValue::Cost => PAST_COST * state.dc().case.network.base_mva,
        GeneratorValue::PMin | GeneratorValue::PMax => PAST_LIMIT,
    };
    let bus = moved.watched(state.dc());
    match beside(state, moved, end + sign * back) {
        Ok(there) => {
            let Ok(direction) = direction(there.dc(), moved.target) else {
                return Beyond::Unknown;
            };
            let here = there.solution.derivative(&there.dc().model, &direction);
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

/// The state with a value changed by a step, per unit.
///
/// Errors: `SOLVE.*`.
fn beside(state: &DcState, moved: Moved, step: f64) -> Result<Arc<DcState>> {
    let problem = state.dc();
    let network = &problem.case.network;
    let base = network.base_mva;
    let mut edits: Edits = state.edits.clone();
    let limit = |limits: [f64; 2]| match moved.value {
        GeneratorValue::PMin => (limits[0] + step) * base,
        _ => (limits[1] + step) * base,
    };
    let cost = |cost: &Cost| match cost {
        Cost::Quadratic { c1, .. } => Some((c1 + step) / base),
        Cost::PiecewiseLinear { .. } => None,
    };
    match moved.target {
        ColumnTarget::Generator(row, GeneratorValue::Cost) => {
            if let Some(cost) = cost(&network.generators[row].cost) {
                edits.network.generators.entry(row).or_default().cost = Some(cost);
            }
        }
        ColumnTarget::Link(row, GeneratorValue::Cost) => {
            if let Some(cost) = cost(&network.links[row].cost) {
                edits.network.links.entry(row).or_default().cost = Some(cost);
            }
        }
        ColumnTarget::Generator(row, value) => {
            let unit = &network.generators[row];
            edits = edits.with_limit(row, value, limit([unit.pmin_pu, unit.pmax_pu]));
        }
        ColumnTarget::Link(row, value) => {
            let link = &network.links[row];
            edits = edits.with_link_limit(&problem.case, row, value, limit([link.pmin_pu, link.pmax_pu]));
        }
        ColumnTarget::Edit(_) | ColumnTarget::Shift(_) | ColumnTarget::Interface(..) => {}
    }
    let case = problem.case.with_network(&edits.network);
    Arc::new(DcOpf(Dc::secured(&case, &problem.options)?)).cold(&edits)
}
