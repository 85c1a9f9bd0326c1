//! Sensitivity columns and previews in physical units.

use super::SocwrState;
use crate::contract::{self as c, Column, ColumnName, GeneratorValue};
use crate::convert::{element, plain};
use crate::edits::{difference, is_moved, ColumnTarget, Edits, GeneratorChange, Target};
use crate::results::{parameter_of, Preview, Sensitivity};
use wattbook_network::error::Result;
use wattbook_solve::conic::{ConicEnd, ConicEvent, ConicSensitivity, ConicWarrant};
use wattbook_solve::vocabulary::{Operand, Parameter};

/// The change from the committed state to `edits` along the tangent there, and the range in which no limit begins or
/// ceases to bind.
///
/// Errors: the codes of edits, `GENERATOR.NO_PREVIEW`, `SENS.*`.
pub(super) fn preview(state: &SocwrState, edits: &Edits) -> Result<Preview> {
    let problem = &*state.problem;
    let data = problem.data(edits)?;
    let network = &problem.network.case.network;
    let committed = &state.solution.data;
    let mut changes = Vec::new();
    let mut see = |parameter: fn(usize) -> Parameter, to: &[f64], from: &[f64]| {
        let pairs = to.iter().zip(from).enumerate();
        let changed = pairs.filter(|(_, (to, from))| to != from);
        changes.extend(changed.map(|(row, (to, from))| (parameter(row), to - from)));
    };
    see(Parameter::Demand, &data.demand, &committed.demand);
    see(Parameter::ReactiveDemand, &data.demand_q, &committed.demand_q);
    see(Parameter::Rating, &data.rating, &committed.rating);
    let generators = edits.generator_changes(&problem.network.case, &state.edits)?;
    let output = |change: &GeneratorChange| state.solution.dispatch[change.row];
    for change in &generators {
        let steps = [
            (Parameter::OutputMin(change.row), change.p_min[1] - change.p_min[0]),
            (Parameter::OutputMax(change.row), change.p_max[1] - change.p_max[0]),
            (Parameter::CostLinear(change.row), change.marginal_cost(output(change))),
        ];
        changes.extend(steps.into_iter().filter(|(_, step)| *step != 0.0));
    }
    // The other coefficients of a cost move only the objective.
    let beside = |change: &GeneratorChange| {
        change.cost_at(output(change)) - output(change) * change.marginal_cost(output(change))
    };
    let beside: f64 = generators.iter().map(beside).sum();
    let found = state.differentiate(|t| t.direction(&problem.model, &state.solution, &changes))?;
    let demand = difference(&edits.demand, &state.edits.demand);
    let rating = difference(&edits.rating, &state.edits.rating);
    // A cost that replaces a curve changes at once, so no step is valid.
    let (lo, hi) = match generators.iter().any(GeneratorChange::is_curved) {
        true => (Some(0.0), Some(0.0)),
        false => interval(&found.warrant),
    };
    let is_reactive_same = edits.reactive == state.edits.reactive;
    let moved = demand.iter().chain(&rating).map(|&(_, from, to)| [from, to]);
    let values = generators.iter().flat_map(|change| change.values(network.base_mva));
    let moved: Vec<_> = moved.chain(values).collect();
    let valid_mw = match moved[..] {
        [[from, to]] if is_reactive_same && !generators.iter().any(GeneratorChange::is_curved) => {
            let at = |step: Option<f64>| step.map(|step| from + step * (to - from));
            let (a, b) = if to < from { (at(hi), at(lo)) } else { (at(lo), at(hi)) };
            Some((a, b))
        }
        _ => None,
    };
    let prices = &found.ahead.price;
    let change = |b: usize| prices[b] / network.base_mva;
    Ok(Preview {
        columns: vec![Column::new(ColumnName::LmpChange, problem.network.by_bus(change))],
        head: c::PreviewHead {
            objective_delta: Some(plain(found.objective + 0.5 * found.curvature[0] + beside)),
            exact: changes.is_empty(),
            valid_step: (!changes.is_empty()).then_some((lo, hi)),
            valid_mw,
        },
    })
}

fn interval(warrant: &ConicWarrant) -> (Option<f64>, Option<f64>) {
    let step = |end: &Option<ConicEnd>| end.as_ref().map(|end| plain(end.step));
    (step(&warrant.lower), step(&warrant.upper))
}

/// The derivatives of prices by the demand of a bus (reactive demand following as for an edit), by the rating of a
/// branch, or by a limit or the cost of a generator; at a breakpoint the one-sided derivatives too. `check_target` refuses links.
///
/// Errors: `SENS.*`.
pub(super) fn column(state: &SocwrState, target: ColumnTarget, case_id: &str) -> Result<Sensitivity> {
    let problem = &*state.problem;
    let network = &problem.network.case.network;
    let changes = column_parameters(state, target);
    let found = state.differentiate(|t| t.direction(&problem.model, &state.solution, &changes))?;
    // One internal unit of the target in physical units.
    let step = target.step(network.base_mva);
    let scale = network.base_mva * step;
    let slopes = |price: &[f64]| problem.network.by_bus(|b| price[b] / scale);
    let ConicSensitivity { ahead, behind, .. } = &found;
    let mut columns = vec![Column::new(ColumnName::LmpSlope, slopes(&ahead.price))];
    if let Some(behind) = behind {
        columns.push(Column::new(ColumnName::LmpSlopeLeft, slopes(&behind.price)));
        columns.push(Column::new(ColumnName::LmpSlopeRight, slopes(&ahead.price)));
    }
    let (parameter, units) = match target {
        ColumnTarget::Edit(Target::Demand(_)) => ("d", "($/MWh)/MW"),
        ColumnTarget::Edit(Target::Rating(_)) => ("fmax", "($/MWh)/MVA"),
        ColumnTarget::Generator(_, value) | ColumnTarget::Link(_, value) => parameter_of(value),
        ColumnTarget::Shift(_) => ("shift", "($/MWh)/degree"),
        ColumnTarget::Interface(..) => ("imax", "($/MWh)/MW"),
    };
    let (mut bus, mut branch, mut generator, mut link) = (None, None, None, None);
    match target {
        ColumnTarget::Edit(Target::Demand(row)) => bus = Some(network.buses[row].id),
        ColumnTarget::Edit(Target::Rating(row)) | ColumnTarget::Shift(row) => {
            branch = Some(network.branches[row].id);
        }
        ColumnTarget::Generator(row, _) => generator = Some(network.generators[row].id),
        ColumnTarget::Link(row, _) => link = Some(network.links[row].id),
        ColumnTarget::Interface(..) => {}
    }
    let mut warrant = warrant(&found.warrant, step);
    if let ColumnTarget::Generator(row, value) = target {
        if !is_moved(&network.generators[row], value) {
            // An edit would add a limit that the generator does not have, or replace its cost curve.
            (warrant.ends, warrant.valid_mw, warrant.point_only) = ((None, None), (Some(0.0), Some(0.0)), true);
        }
    }
    Ok(Sensitivity {
        head: c::SensitivityHead {
            case: case_id.to_string(),
            operand: "lmp".into(),
            parameter: parameter.into(),
            bus,
            branch,
            generator,
            link,
            interface: None,
            units: units.into(),
            warrant,
            losses: None,
            collapse: None,
        },
        columns,
    })
}

fn column_parameters(state: &SocwrState, target: ColumnTarget) -> Vec<(Parameter, f64)> {
    match target {
        ColumnTarget::Edit(target) => parameters(state, target),
        ColumnTarget::Generator(row, GeneratorValue::PMin) => vec![(Parameter::OutputMin(row), 1.0)],
        ColumnTarget::Generator(row, GeneratorValue::PMax) => vec![(Parameter::OutputMax(row), 1.0)],
        ColumnTarget::Generator(row, GeneratorValue::Cost) => vec![(Parameter::CostLinear(row), 1.0)],
        ColumnTarget::Shift(row) => vec![(Parameter::PhaseShift(row), 1.0)],
        // `check_target` refuses links, and this formulation limits no interfaces.
        ColumnTarget::Link(..) | ColumnTarget::Interface(..) => Vec::new(),
    }
}

/// The parameters that one unit of a target changes; reactive demand follows as for an edit.
fn parameters(state: &SocwrState, target: Target) -> Vec<(Parameter, f64)> {
    match target {
        Target::Demand(row) => {
            let reactive = state.edits.reactive_per_active(&state.problem.network.case, row);
            vec![
                (Parameter::Demand(row), 1.0),
                (Parameter::ReactiveDemand(row), reactive),
            ]
        }
        Target::Rating(row) => vec![(Parameter::Rating(row), 1.0)],
    }
}

fn event(event: ConicEvent) -> c::BreakpointEvent {
    match event {
        ConicEvent::GeneratorReachesLimit => c::BreakpointEvent::GeneratorReachesLimit,
        ConicEvent::GeneratorLeavesLimit => c::BreakpointEvent::GeneratorLeavesLimit,
        ConicEvent::GeneratorReachesBreakpoint => c::BreakpointEvent::GeneratorReachesBreakpoint,
        ConicEvent::ReactiveReachesLimit => c::BreakpointEvent::ReactiveReachesLimit,
        ConicEvent::ReactiveLeavesLimit => c::BreakpointEvent::ReactiveLeavesLimit,
        ConicEvent::VoltageReachesLimit => c::BreakpointEvent::VoltageReachesLimit,
        ConicEvent::VoltageLeavesLimit => c::BreakpointEvent::VoltageLeavesLimit,
        ConicEvent::RatingBinds | ConicEvent::AngleBinds => c::BreakpointEvent::LineBinds,
        ConicEvent::RatingUnbinds | ConicEvent::AngleUnbinds => c::BreakpointEvent::LineUnbinds,
        ConicEvent::CutBinds => c::BreakpointEvent::CutBinds,
        ConicEvent::CutUnbinds => c::BreakpointEvent::CutUnbinds,
        ConicEvent::ConeTightens => c::BreakpointEvent::ConeTightens,
        ConicEvent::ConeLoosens => c::BreakpointEvent::ConeLoosens,
    }
}

/// A warrant in physical units: `step` physical units are one internal unit of the parameter (for MW, the power base).
pub(super) fn warrant(w: &ConicWarrant, step: f64) -> c::Warrant {
    let end = |e: &ConicEnd| c::WarrantEnd {
        mw: plain(e.step * step),
        event: event(e.event),
        element: element(&e.element),
        price_jump: None,
        watched_bus: None,
        no_solution_beyond: false,
    };
    let (lower, upper) = (w.lower.as_ref().map(end), w.upper.as_ref().map(end));
    c::Warrant {
        // The optimum is curved, so the column is exact only at the present state.
        kind: match w.is_one_sided {
            true => c::WarrantKind::OneSided,
            false => c::WarrantKind::Estimate,
        },
        valid_mw: (lower.as_ref().map(|e| e.mw), upper.as_ref().map(|e| e.mw)),
        ends: (lower, upper),
        price_interval: None,
        residual: w.residual,
        point_only: false,
        error_below_pu: None,
    }
}

/// See [`crate::problem::State::price_gradient`].
pub(super) fn price_gradient(state: &SocwrState, weights: &[(usize, f64)], by: &[Target]) -> Result<Vec<f64>> {
    let problem = &state.problem;
    let prices: Vec<(Operand, f64)> = weights.iter().map(|&(bus, w)| (Operand::Price(bus), w)).collect();
    let changes: Vec<_> = by.iter().map(|&target| parameters(state, target)).collect();
    let flat: Vec<Parameter> = changes.iter().flatten().map(|&(parameter, _)| parameter).collect();
    let base = problem.network.case.network.base_mva;
    let mut slopes = state
        .differentiate(|tangents| tangents.gradient(&problem.model, &state.solution, &prices, &flat))?
        .into_iter();
    let of_target = |change: &Vec<(Parameter, f64)>| {
        let parts = change.iter().zip(&mut slopes);
        parts.map(|((_, unit), slope)| unit * slope).sum::<f64>() / (base * base)
    };
    Ok(changes.iter().map(of_target).collect())
}
