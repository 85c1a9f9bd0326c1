//! Sensitivity columns and previews in physical units.

use super::results::apparent_of;
use super::{Ac, AcState};
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, plain};
use crate::edits::Edits;
use crate::results::{Preview, Sensitivity};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::ac::{AcEnd, AcEvent, AcSolution, AcWarrant, Nose, WARRANTED_ERROR};
use wattbook_solve::vocabulary::Direction;

/// The change from the committed state to `edits`, solved by chord steps from the base case: the same state as that of
/// a commit, but without its certificate and without further starts where the steps fail.
///
/// Errors: the codes of edits, `SOLVE.NOT_CONVERGED`.
pub(super) fn preview(state: &AcState, edits: &Edits) -> Result<Preview> {
    let problem = &state.problem;
    let base = state.base.as_deref().unwrap_or(state);
    let data = problem.data(edits)?;
    let ratings = problem.network.ratings(edits)?;
    let stepped;
    let after = if *edits == state.edits {
        Shown::of(&state.solution)
    } else if *edits == base.edits {
        Shown::of(&base.solution)
    } else {
        let followed = base.differentiable()?.follow_flows(&problem.model, &data)?;
        stepped = followed.ok_or_else(|| EngineError::new("SOLVE.NOT_CONVERGED", message!("ac.preview")))?;
        Shown {
            magnitude: &stepped.magnitude,
            angle: &stepped.angle,
            flow_from: &stepped.flow_from,
            flow_to: &stepped.flow_to,
        }
    };
    let before = Shown::of(&state.solution);
    let parts = &problem.network;
    let mva = parts.case.network.base_mva;
    let by_bus = |to: &[f64], from: &[f64]| parts.by_bus(|row| to[row] - from[row]);
    let flow = |to: &[[f64; 2]], from: &[[f64; 2]], part: usize| {
        parts.by_branch(|row| (to[row][part] - from[row][part]) * mva)
    };
    let loading = |s: &Shown, ratings: &[f64], row: usize| {
        wattbook_solve::loading(apparent_of(s.flow_from[row], s.flow_to[row]), ratings[row])
    };
    let loading = |row: usize| loading(&after, &ratings, row) - loading(&before, &state.ratings, row);
    Ok(Preview {
        head: c::PreviewHead {
            objective_delta: None,
            exact: base.edits.is_empty(),
            valid_step: None,
            valid_mw: None,
        },
        columns: vec![
            Column::new(ColumnName::VmChange, by_bus(after.magnitude, before.magnitude)),
            Column::new(ColumnName::VaChange, by_bus(after.angle, before.angle)),
            Column::new(ColumnName::FlowChange, flow(after.flow_from, before.flow_from, 0)),
            Column::new(ColumnName::FlowMvarChange, flow(after.flow_from, before.flow_from, 1)),
            Column::new(ColumnName::FlowToChange, flow(after.flow_to, before.flow_to, 0)),
            Column::new(ColumnName::FlowToMvarChange, flow(after.flow_to, before.flow_to, 1)),
            Column::new(ColumnName::LoadingChange, parts.by_branch(loading)),
        ],
    })
}

/// The quantities of a state that a preview shows, by dense row.
struct Shown<'a> {
    magnitude: &'a [f64],
    angle: &'a [f64],
    flow_from: &'a [[f64; 2]],
    flow_to: &'a [[f64; 2]],
}

impl<'a> Shown<'a> {
    fn of(solution: &'a AcSolution) -> Self {
        Self {
            magnitude: &solution.magnitude,
            angle: &solution.angle,
            flow_from: &solution.flow_from,
            flow_to: &solution.flow_to,
        }
    }
}

/// The derivatives by the demand of a bus, reactive demand following as for an edit, with the estimate of voltage
/// collapse.
///
/// Errors: `SOLVE.NOT_CONVERGED` where the Jacobian is singular.
pub(super) fn column(state: &AcState, row: usize, case_id: &str) -> Result<Sensitivity> {
    let problem = &state.problem;
    let (network, model) = (&problem.network.case.network, &problem.model);
    let base = state.differentiable()?;
    let direction = Direction {
        demand: vec![(row, 1.0)],
        reactive_demand: vec![(row, state.edits.reactive_per_active(&problem.network.case, row))],
        ..Direction::default()
    };
    let found = base.sensitivity_along(model, &direction)?;
    let nose = base.nose(model, &direction)?;
    let per_mw = 1.0 / network.base_mva;
    let parts = &problem.network;
    let mut warrant = warrant(
        problem,
        &found.warrant,
        network.base_mva,
        &ElementRef::from(&network.buses[row]),
    );
    if network.buses[row].demand_pu >= 0.0 {
        let demand_mw = state.solution.data.demand[row] * network.base_mva;
        end_at_zero(&mut warrant, demand_mw, &ElementRef::from(&network.buses[row]));
    }
    Ok(Sensitivity {
        head: c::SensitivityHead {
            case: case_id.to_string(),
            operand: "vm".into(),
            parameter: "d".into(),
            bus: Some(network.buses[row].id),
            branch: None,
            generator: None,
            link: None,
            interface: None,
            units: "pu/MW".into(),
            warrant,
            losses: Some(plain(found.losses)),
            collapse: nose.and_then(|nose| collapse(problem, &nose)),
        },
        columns: vec![
            Column::new(ColumnName::VmSlope, parts.by_bus(|b| found.magnitude[b] * per_mw)),
            Column::new(ColumnName::VaSlope, parts.by_bus(|b| found.angle[b] * per_mw)),
            Column::new(ColumnName::FlowSlope, parts.by_branch(|b| found.flow_from[b][0])),
            Column::new(ColumnName::FlowMvarSlope, parts.by_branch(|b| found.flow_from[b][1])),
        ],
    })
}

/// Edits cannot make a demand negative unless it is negative in the file.
fn end_at_zero(warrant: &mut c::Warrant, demand_mw: f64, bus: &ElementRef) {
    let lowest = 0.0 - demand_mw.max(0.0);
    if warrant.valid_mw.0.is_none_or(|mw| mw < lowest) {
        warrant.valid_mw.0 = Some(lowest);
        warrant.ends.0 = Some(end(lowest, c::BreakpointEvent::EditLimit, bus));
    }
}

fn end(mw: f64, event: c::BreakpointEvent, at: &ElementRef) -> c::WarrantEnd {
    c::WarrantEnd {
        mw: plain(mw),
        event,
        element: element(at),
        price_jump: None,
        watched_bus: None,
        no_solution_beyond: false,
    }
}

/// The estimated collapse; `None` where it depends on the last terms of the series.
pub(super) fn collapse(problem: &Ac, nose: &Nose) -> Option<c::Collapse> {
    const AGREED: f64 = 0.1;
    let network = &problem.network.case.network;
    (nose.change <= AGREED * nose.step).then(|| c::Collapse {
        mw: plain(nose.step * network.base_mva),
        change_mw: plain(nose.change * network.base_mva),
        buses: nose.buses.iter().map(|&row| network.buses[row].id).collect(),
    })
}

/// A warrant in physical units: `step` physical units are one internal unit of the parameter, which belongs to
/// `changed`.
pub(super) fn warrant(problem: &Ac, w: &AcWarrant, step: f64, changed: &ElementRef) -> c::Warrant {
    let buses = &problem.network.case.network.buses;
    let end_of = |e: &AcEnd| {
        let (event, at) = match e.event {
            AcEvent::Error => (c::BreakpointEvent::ErrorEstimate, changed.clone()),
            AcEvent::ReactiveLimit { bus } => (c::BreakpointEvent::ReactiveLimit, ElementRef::from(&buses[bus])),
            AcEvent::SetPointReached { bus } => (c::BreakpointEvent::VoltageHeld, ElementRef::from(&buses[bus])),
        };
        end(e.step * step, event, &at)
    };
    let (lower, upper) = (w.lower.as_ref().map(end_of), w.upper.as_ref().map(end_of));
    c::Warrant {
        kind: c::WarrantKind::Estimate,
        valid_mw: (lower.as_ref().map(|e| e.mw), upper.as_ref().map(|e| e.mw)),
        ends: (lower, upper),
        price_interval: None,
        residual: 0.0,
        point_only: false,
        error_below_pu: Some(WARRANTED_ERROR),
    }
}
