//! The solver's per-unit voltages and powers in physical units.

use super::AcState;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, new_diagnostic, plain};
use crate::edits::Parts;
use crate::problem::ac_network::Powers;
use crate::results::storages::{held, held_columns, Holding};
use crate::results::{links, Results};
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::message;
use wattbook_network::message::amounts::mw;
use wattbook_solve::ac::{self, AcSolution, SlackRule, Start};
use wattbook_solve::LinkPower;

/// The larger apparent power of the two ends of a branch, per unit.
pub(super) fn apparent(s: &AcSolution, row: usize) -> f64 {
    apparent_of(s.flow_from[row], s.flow_to[row])
}

/// The larger apparent power of two ends, from the powers into them.
#[inline]
pub(super) fn apparent_of(from: [f64; 2], to: [f64; 2]) -> f64 {
    let square = |[p, q]: [f64; 2]| p * p + q * q;
    let (from, to) = (square(from), square(to));
    // `f64::max` is a call in WebAssembly.
    (if from > to { from } else { to }).sqrt()
}

pub(super) fn of(state: &AcState) -> Results {
    let (problem, s) = (&*state.problem, &state.solution);
    let network = &problem.network.case.network;
    let base = network.base_mva;
    let parts = &problem.network;
    let powers = Powers {
        demand: &s.data.demand,
        demand_q: &s.data.demand_q,
        flow_from: &s.flow_from,
        flow_to: &s.flow_to,
        dispatch: &s.output,
        dispatch_q: &s.output_q,
        rating: &state.ratings,
    };
    let loading = |row: usize| wattbook_solve::loading(apparent(s, row), state.ratings[row]);
    let powers_of_links = LinkPower::of_outputs(network, &s.output, &s.output_q);
    let mut own = links::power_columns(&links::powers_mw(network, |row, _| powers_of_links[row].active));
    own.extend(links::reactive_columns(network, &powers_of_links));
    own.extend(held_columns(network, |bus| parts.bus_takes_part(bus), true));
    own.extend([
        Column::new(ColumnName::VmPu, parts.by_bus(|b| s.magnitude[b])),
        Column::new(ColumnName::VaRad, parts.by_bus(|b| s.angle[b])),
        Column::new(ColumnName::Loading, parts.by_branch(loading)),
        Column::new(ColumnName::InjectionMw, parts.by_bus(|b| s.injection[b] * base)),
        Column::new(ColumnName::InjectionMvar, parts.by_bus(|b| s.injection_q[b] * base)),
    ]);
    let slack = s.slack.iter().map(|k| at_bus(network, k.bus, k.added * base));
    Results {
        formulation: c::FormulationId::Acpf,
        status: c::SolveStatus::Feasible,
        dc_convention: None,
        objective: None,
        columns: parts.table(&powers, own),
        slack: Some(slack.collect()),
        power_flow: Some(report(state)),
        iterations: None,
        security: None,
        certificate: c::ResponseCertificate::PowerFlow(certificate(state)),
        diagnostics: diagnostics(state),
    }
}

fn at_bus(network: &AnalysisNetwork, row: usize, value: f64) -> c::BusValue {
    let bus = &network.buses[row];
    c::BusValue {
        bus: bus.id,
        uid: bus.uid.clone(),
        value: plain(value),
    }
}

fn certificate(state: &AcState) -> c::PowerFlowCertificate {
    let k = &state.certificate;
    let keeps = matches!(state.solution.reactive_limits, ac::ReactiveLimits::Kept { .. });
    c::PowerFlowCertificate {
        mismatch_mw: k.mismatch_mw,
        worst_bus: k.worst_bus.map(|row| state.problem.network.case.network.buses[row].id),
        mismatch_mvar: Some(k.mismatch_mvar),
        flow_error_mva: Some(k.flow_error_mva),
        set_point_error_pu: Some(k.set_point_error_pu),
        reactive_violation_mvar: keeps.then_some(k.reactive_violation_mvar),
        wrong_side_pu: keeps.then_some(k.wrong_side_pu),
    }
}

fn report(state: &AcState) -> c::PowerFlowReport {
    let (problem, s) = (&*state.problem, &state.solution);
    let network = &problem.network.case.network;
    let base = network.base_mva;
    c::PowerFlowReport {
        start: match s.start {
            Start::Stored => c::PowerFlowStart::Stored,
            Start::Harmonic => c::PowerFlowStart::Harmonic,
            Start::DcAngles => c::PowerFlowStart::DcAngles,
            Start::Flat => c::PowerFlowStart::Flat,
            Start::HeldMagnitudes => c::PowerFlowStart::HeldMagnitudes,
            Start::ReactiveContinuation => c::PowerFlowStart::ReactiveContinuation,
            Start::LoadContinuation => c::PowerFlowStart::LoadContinuation,
            Start::Base => c::PowerFlowStart::Base,
        },
        steps: s.steps as u32,
        dispatch: problem.dispatch,
        slack: match s.options.slack {
            SlackRule::Single => c::SlackRule::Single,
            SlackRule::Distributed => c::SlackRule::Distributed,
        },
        losses_mw: plain(s.losses * base),
        reactive_limits: match s.reactive_limits {
            ac::ReactiveLimits::Ignored => c::ReactiveLimits::Ignored,
            ac::ReactiveLimits::Kept { .. } => c::ReactiveLimits::Kept,
            ac::ReactiveLimits::NotKept => c::ReactiveLimits::NotKept,
        },
        limited_buses: s.limited.iter().map(|(row, _)| network.buses[*row].id).collect(),
        reactive_violations: (s.reactive_violations.iter())
            .map(|&(row, by)| at_bus(network, row, by * base))
            .collect(),
    }
}

/// Diagnostics of a result.
fn diagnostics(state: &AcState) -> Vec<c::Diagnostic> {
    let (problem, s) = (&*state.problem, &state.solution);
    let network = &problem.network.case.network;
    let mut found = problem.network.case.remarks.clone();
    found.extend(problem.network.left_out());
    found.extend(held(network, Holding::Scheduled));
    if let Some(&(first, _)) = s.reactive_violations.first() {
        let bus = ElementRef::from(&network.buses[first]);
        let count = s.reactive_violations.len();
        let (code, message) = match s.reactive_limits {
            ac::ReactiveLimits::NotKept => (
                "REACTIVE.NOT_KEPT",
                message!("ac.reactive_not_kept", count = count, bus = &bus),
            ),
            _ => (
                "REACTIVE.BEYOND_LIMITS",
                message!("ac.reactive_beyond", count = count, bus = &bus),
            ),
        };
        found.push(new_diagnostic(code, &message, Some(element(&bus))));
    }
    for &row in &s.active_violations {
        let unit = &network.generators[row];
        let unit = ElementRef::from(unit);
        let output = mw(s.output[row] * network.base_mva);
        let message = message!("ac.slack_beyond", generator = &unit, output = output);
        found.push(new_diagnostic("SLACK.BEYOND_LIMITS", &message, Some(element(&unit))));
    }
    found
}
