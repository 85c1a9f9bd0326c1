//! Sensitivity columns and previews in physical units.

use super::track_course::{moving_link, no_link_path};
use super::Dc;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, plain};
use crate::edits::{difference, ColumnTarget, Edits, GeneratorChange, Parts, Target};
use crate::results::{dense, Preview, Sensitivity};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{self, DcSolution, DualActiveSet, Event, OneSidedDerivatives, PastEnd, SensitivityColumn};
use wattbook_solve::vocabulary::{Direction, InterfaceBound, Parameter};

/// The direction from one committed state to `edits`, whose end is at step 1.
///
/// Errors: `GENERATOR.NO_PREVIEW`, `LINK.NO_PREVIEW`, `INTERFACE.NO_PREVIEW`.
pub(super) fn direction(problem: &Dc, s: &DcSolution, committed: &Edits, edits: &Edits) -> Result<Direction> {
    let base_mva = problem.case.network.base_mva;
    let demand = difference(&edits.demand, &committed.demand);
    let rating = difference(&edits.rating, &committed.rating);
    let per_unit = |changes: &[(usize, f64, f64)]| changes.iter().map(|c| (c.0, (c.2 - c.1) / base_mva)).collect();
    let generators = edits.generator_changes(&problem.case, committed)?;
    for change in &generators {
        if change.p_min[0] != change.p_min[1] || change.p_max[0] != change.p_max[1] {
            check_not_all_fixed(problem, change.row)?;
        }
    }
    let rates = |rate: fn(&GeneratorChange, f64) -> f64| {
        let rates = generators
            .iter()
            .map(|change| (change.row, rate(change, s.dispatch[change.row])));
        rates.filter(|(_, rate)| *rate != 0.0).collect()
    };
    let shift = edits.shift_changes(&problem.case, committed);
    let radians = |&(row, from, to): &(usize, f64, f64)| (row, to.to_radians() - from.to_radians());
    let mut direction = Direction {
        demand: per_unit(&demand),
        rating: per_unit(&rating),
        phase_shift: shift.iter().map(radians).collect(),
        output_min: rates(|change, _| change.p_min[1] - change.p_min[0]),
        output_max: rates(|change, _| change.p_max[1] - change.p_max[0]),
        cost: rates(GeneratorChange::marginal_cost),
        ..Direction::default()
    };
    for change in &edits.link_changes(&problem.case, committed) {
        let moving = moving_link(problem, change.row, change.value)?;
        if !(moving.reach.0 <= change.to && change.to <= moving.reach.1) {
            return Err(no_link_path(problem, change.row));
        }
        let moving = moving.direction.times(change.to - change.from);
        direction.output_min.extend(moving.output_min);
        direction.output_max.extend(moving.output_max);
    }
    for change in edits.interface_changes(&problem.options, committed)? {
        let limit = (change.interface, change.value.into());
        direction.interface.push((limit, (change.to - change.from) / base_mva));
    }
    Ok(problem.model.with_following(&direction))
}

/// The change from one committed state to `edits`.
///
/// Errors: `GENERATOR.NO_PREVIEW`, `LINK.NO_PREVIEW`, `INTERFACE.NO_PREVIEW`.
pub(super) fn preview(problem: &Dc, s: &DcSolution, committed: &Edits, edits: &Edits) -> Result<Preview> {
    let base_mva = problem.case.network.base_mva;
    let demand = difference(&edits.demand, &committed.demand);
    let rating = difference(&edits.rating, &committed.rating);
    let generators = edits.generator_changes(&problem.case, committed)?;
    let shift = edits.shift_changes(&problem.case, committed);
    let links = edits.link_changes(&problem.case, committed);
    let direction = direction(problem, s, committed, edits)?;
    let SensitivityColumn {
        price,
        objective,
        objective_curvature,
        warrant,
        ..
    } = s.derivative(&problem.model, &direction);
    // The other coefficients of a cost move only the objective; where a curve is added or removed, the slope is a
    // tangent.
    let beside = |change: &GeneratorChange| {
        let output = s.dispatch[change.row];
        change.cost_at(output) - output * change.marginal_cost(output)
    };
    let objective = objective + generators.iter().map(beside).sum::<f64>();
    let is_curved = generators.iter().any(GeneratorChange::is_curved);
    let (lo, hi) = if is_curved { (0.0, 0.0) } else { warrant.interval() };
    let bounded = |x: f64| x.is_finite().then_some(x);
    let changes = demand.iter().chain(&rating).chain(&shift);
    let changes: Vec<_> = changes.map(|&(_, from, to)| [from, to]).collect();
    let values = generators.iter().flat_map(|change| change.values(base_mva));
    let of_links = links
        .iter()
        .map(|change| [change.from * base_mva, change.to * base_mva]);
    let interfaces = edits.interface_changes(&problem.options, committed)?;
    let of_interfaces = interfaces.iter().map(|change| [change.from, change.to]);
    let values = values.chain(of_links).chain(of_interfaces);
    let changes: Vec<_> = changes.into_iter().chain(values).collect();
    let valid_mw = match changes[..] {
        [[from, to]] if !is_curved => {
            let (a, b) = (from + lo * (to - from), from + hi * (to - from));
            Some((bounded(a.min(b)), bounded(a.max(b))))
        }
        _ => None,
    };
    // The direction is the whole edit per step, so the column is already the change and is converted from per unit
    // once.
    let prices = slopes(problem, &price).into_iter().map(|slope| slope * base_mva);
    Ok(Preview {
        columns: vec![Column::new(ColumnName::LmpChange, prices.collect())],
        head: c::PreviewHead {
            objective_delta: Some(objective + 0.5 * objective_curvature),
            exact: lo <= 0.0 && hi >= 1.0,
            valid_step: (!changes.is_empty()).then_some((bounded(lo), bounded(hi))),
            valid_mw,
        },
    })
}

/// Refuses limits of a generator in an island where all units have Pmin = Pmax. Demand has no freedom there, so prices
/// are not determined, and a unit whose limits part does not move.
///
/// Errors: `GENERATOR.NO_PREVIEW`.
pub(super) fn check_not_all_fixed(problem: &Dc, generator: usize) -> Result<()> {
    let unit = &problem.case.network.generators[generator];
    if problem.model.is_priced(unit.bus) {
        return Ok(());
    }
    let element = ElementRef::from(unit);
    let message = message!("edit.fixed_preview", generator = &element);
    Err(EngineError::new("GENERATOR.NO_PREVIEW", message).at(element))
}

/// The column of a target with the derivatives past both ends of its interval, which takes two warm solves for most
/// columns.
pub(super) fn column(problem: &Dc, s: &DcSolution, target: dc::Target, case_id: &str) -> Sensitivity {
    let network = &problem.case.network;
    let base = network.base_mva;
    let OneSidedDerivatives {
        column,
        left,
        right,
        past_ends,
        price_interval,
        watched,
    } = s.one_sided_derivatives(&DualActiveSet, &problem.model, target);
    let of_branch = |row: usize| Some(network.branches[row].id);
    // One internal unit of the target in physical units.
    let (parameter, bus, branch, units, step) = match target {
        dc::Target::Demand(row) => ("d", Some(network.buses[row].id), None, "($/MWh)/MW", base),
        dc::Target::Rating(row) => ("fmax", None, of_branch(row), "($/MWh)/MW", base),
        dc::Target::PhaseShift(row) => {
            let step = ColumnTarget::Shift(row).step(base);
            ("shift", None, of_branch(row), "($/MWh)/degree", step)
        }
        dc::Target::Interface(_, InterfaceBound::Upper) => ("imax", None, None, "($/MWh)/MW", base),
        dc::Target::Interface(_, InterfaceBound::Lower) => ("imin", None, None, "($/MWh)/MW", base),
    };
    let columns = [
        (ColumnName::LmpSlope, Some(column.price)),
        (ColumnName::LmpSlopeLeft, left),
        (ColumnName::LmpSlopeRight, right),
    ];
    let columns = columns.into_iter();
    let columns = columns.filter_map(|(name, rates)| Some(Column::new(name, by_bus(problem, &rates?, base * step))));
    let mut warrant = warrant(&column.warrant, step);
    let in_units = |price: Option<f64>| price.map(|p| plain(p / base));
    warrant.price_interval = price_interval.map(|(left, right)| (in_units(left), in_units(right)));
    for (end, past_end) in [(&mut warrant.ends.0, past_ends.0), (&mut warrant.ends.1, past_ends.1)] {
        let Some(end) = end else { continue };
        match past_end {
            PastEnd::Jump(jump) => {
                end.price_jump = Some(plain(jump / base));
                end.watched_bus = Some(network.buses[watched].id);
            }
            PastEnd::NoSolution => end.no_solution_beyond = true,
            PastEnd::Unknown => {}
        }
    }
    Sensitivity {
        head: c::SensitivityHead {
            case: case_id.to_string(),
            operand: "lmp".into(),
            parameter: parameter.into(),
            bus,
            branch,
            generator: None,
            link: None,
            interface: match target {
                dc::Target::Interface(i, _) => problem.interfaces().get(i).map(|limit| limit.name.clone()),
                _ => None,
            },
            units: units.into(),
            warrant,
            losses: None,
            collapse: None,
        },
        columns: columns.collect(),
    }
}

/// See [`crate::problem::State::price_gradient`].
pub(super) fn price_gradient(
    problem: &Dc,
    s: &DcSolution,
    weights: &[(usize, f64)],
    by: &[Target],
) -> Result<Vec<f64>> {
    let parameters: Vec<Parameter> = by.iter().map(|target| target.parameter()).collect();
    let base = problem.case.network.base_mva;
    let gradient = s.price_gradient(&problem.model, weights, &parameters)?;
    Ok(gradient.into_iter().map(|slope| slope / (base * base)).collect())
}

/// dLMP/d(target) in ($/MWh)/MW by dense bus row, converted from $/h per unit per unit.
fn slopes(problem: &Dc, rates: &[f64]) -> Vec<f64> {
    let base = problem.case.network.base_mva;
    by_bus(problem, rates, base * base)
}

/// Rates over a scale by dense bus row.
pub(super) fn by_bus(problem: &Dc, rates: &[f64], scale: f64) -> Vec<f64> {
    dense(
        problem.case.network.buses.len(),
        |b| problem.model.bus_is_active(b),
        |b| rates[b] / scale,
    )
}

pub(super) fn event(event: Event) -> c::BreakpointEvent {
    match event {
        Event::GeneratorReachesMax => c::BreakpointEvent::GeneratorReachesMax,
        Event::GeneratorReachesMin => c::BreakpointEvent::GeneratorReachesMin,
        Event::GeneratorReachesBreakpoint => c::BreakpointEvent::GeneratorReachesBreakpoint,
        Event::GeneratorLeavesLimit => c::BreakpointEvent::GeneratorLeavesLimit,
        Event::LineBinds => c::BreakpointEvent::LineBinds,
        Event::LineUnbinds => c::BreakpointEvent::LineUnbinds,
        Event::ExcessBegins => c::BreakpointEvent::ExcessBegins,
        Event::ExcessEnds => c::BreakpointEvent::ExcessEnds,
        Event::LostLoadBegins => c::BreakpointEvent::LostLoadBegins,
        Event::LostLoadEnds => c::BreakpointEvent::LostLoadEnds,
        Event::EditLimit => c::BreakpointEvent::EditLimit,
    }
}

/// A warrant in physical units: `step` physical units are one internal unit of the parameter (for MW, the power base).
pub(super) fn warrant(w: &dc::Warrant, step: f64) -> c::Warrant {
    let end = |e: &dc::End| c::WarrantEnd {
        mw: plain(e.step * step),
        event: event(e.event),
        element: element(&e.element),
        price_jump: None,
        watched_bus: None,
        no_solution_beyond: false,
    };
    let (lower, upper) = (w.lower.as_ref().map(end), w.upper.as_ref().map(end));
    c::Warrant {
        kind: match w.kind {
            dc::WarrantKind::Regular => c::WarrantKind::Regular,
            dc::WarrantKind::OneSided => c::WarrantKind::OneSided,
            dc::WarrantKind::Degenerate => c::WarrantKind::Degenerate,
        },
        valid_mw: if w.point_only {
            (Some(0.0), Some(0.0))
        } else {
            (lower.as_ref().map(|e| e.mw), upper.as_ref().map(|e| e.mw))
        },
        ends: (lower, upper),
        price_interval: None,
        residual: w.residual,
        point_only: w.point_only,
        error_below_pu: None,
    }
}
