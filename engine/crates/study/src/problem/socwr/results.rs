//! The solver's per-unit voltages, powers and prices in physical units.

use super::{certificate, SocwrState};
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{bus_ref, element, told};
use crate::edits::Parts;
use crate::results::{dense, Results};
use wattbook_network::message;

pub(super) fn of(state: &SocwrState) -> Results {
    let (problem, s) = (&*state.problem, &state.solution);
    let network = &problem.case.network;
    let base = network.base_mva;
    let by_bus = |value: &dyn Fn(usize) -> f64| dense(network.buses.len(), |b| problem.bus_takes_part(b), value);
    let by_branch =
        |value: &dyn Fn(usize) -> f64| dense(network.branches.len(), |b| problem.branch_takes_part(b), value);
    let runs = |g: usize| network.generators[g].in_service && problem.bus_takes_part(network.generators[g].bus);
    let by_unit = |value: &dyn Fn(usize) -> f64| dense(network.generators.len(), runs, value);
    // A branch without impedance has the product of one voltage with itself.
    let looseness = |row: usize| s.pair_of_branch[row].map_or(0.0, |pair| s.pairs[pair].looseness);
    let parts = state.components();
    let part = |value: &dyn Fn(usize) -> f64| by_bus(&|b| if parts.is_some() { value(b) / base } else { f64::NAN });
    let columns = vec![
        Column::new(ColumnName::Lmp, by_bus(&|b| s.price[b] / base)),
        Column::new(ColumnName::LmpQ, by_bus(&|b| s.price_q[b] / base)),
        Column::new(ColumnName::LmpEnergy, part(&|b| parts.map_or(0.0, |p| p.energy[b]))),
        Column::new(ColumnName::LmpLosses, part(&|b| parts.map_or(0.0, |p| p.losses[b][0]))),
        Column::new(
            ColumnName::LmpCongestion,
            part(&|b| parts.map_or(0.0, |p| p.congestion[b][0])),
        ),
        Column::new(
            ColumnName::LmpVoltage,
            part(&|b| parts.map_or(0.0, |p| p.voltage[b][0])),
        ),
        Column::new(
            ColumnName::SlackWeight,
            by_bus(&|b| parts.map_or(f64::NAN, |p| p.slack_weight[b])),
        ),
        Column::new(ColumnName::VmPu, by_bus(&|b| s.voltage_squared[b].sqrt())),
        Column::new(ColumnName::DemandMw, by_bus(&|b| s.data.demand[b] * base)),
        Column::new(ColumnName::DemandMvar, by_bus(&|b| s.data.demand_q[b] * base)),
        Column::new(ColumnName::FlowMw, by_branch(&|b| s.flow_from[b][0] * base)),
        Column::new(ColumnName::FlowMvar, by_branch(&|b| s.flow_from[b][1] * base)),
        Column::new(ColumnName::FlowToMw, by_branch(&|b| s.flow_to[b][0] * base)),
        Column::new(ColumnName::FlowToMvar, by_branch(&|b| s.flow_to[b][1] * base)),
        Column::new(ColumnName::ProductReal, by_branch(&|b| s.product[b][0])),
        Column::new(ColumnName::ProductImag, by_branch(&|b| s.product[b][1])),
        Column::new(ColumnName::ConeGap, by_branch(&looseness)),
        Column::new(ColumnName::Loading, by_branch(&|b| s.loading[b])),
        Column::new(ColumnName::Shadow, by_branch(&|b| s.shadow[b] / base)),
        Column::new(ColumnName::RatingMva, by_branch(&|b| s.data.rating[b] * base)),
        Column::new(ColumnName::DispatchMw, by_unit(&|g| s.dispatch[g] * base)),
        Column::new(ColumnName::DispatchMvar, by_unit(&|g| s.dispatch_q[g] * base)),
        Column::new(ColumnName::VmMinPu, by_bus(&|b| network.buses[b].vmin_pu)),
        Column::new(ColumnName::VmMaxPu, by_bus(&|b| network.buses[b].vmax_pu)),
        Column::new(ColumnName::QMinMvar, by_unit(&|g| network.generators[g].qmin_pu * base)),
        Column::new(ColumnName::QMaxMvar, by_unit(&|g| network.generators[g].qmax_pu * base)),
    ];
    Results {
        formulation: c::FormulationId::Socwr,
        status: c::SolveStatus::Optimal,
        dc_convention: None,
        objective: Some(s.objective),
        columns,
        slack: None,
        power_flow: None,
        iterations: None,
        certificate: c::ResponseCertificate::Optimum(certificate::of(state)),
        diagnostics: diagnostics(state),
    }
}

/// Things about this result that a reader should know.
fn diagnostics(state: &SocwrState) -> Vec<c::Diagnostic> {
    let (problem, s) = (&*state.problem, &state.solution);
    let loose = s.pairs.iter().filter(|pair| !pair.is_tight()).count();
    let said = match loose {
        0 => message!("socwr.exact_cones"),
        _ => message!("socwr.lower_bound", loose = loose, pairs = s.pairs.len()),
    };
    let mut found = vec![told("RELAXATION.LOWER_BOUND", &said, None)];
    let left_out: Vec<usize> = problem.model.left_out().collect();
    if let Some(&first) = left_out.first() {
        let bus = bus_ref(&problem.case.network.buses[first]);
        let said = message!("ac.left_out", count = left_out.len(), bus = &bus);
        found.push(told("ISLAND.LEFT_OUT", &said, Some(element(&bus))));
    }
    found
}
