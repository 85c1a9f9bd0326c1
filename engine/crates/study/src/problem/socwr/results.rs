//! The solver's per-unit voltages, powers and prices in physical units.

use super::{certificate, SocwrState};
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, new_diagnostic};
use crate::edits::Parts;
use crate::problem::ac_network::Powers;
use crate::problem::assumed;
use crate::results::storages::{held, Holding};
use crate::results::{limit_shadow, links, storages, Results};
use wattbook_network::analysis::ElementRef;
use wattbook_network::message;
use wattbook_solve::conic::{ConicPriceComponents, ConicPriceLevel};

/// Work to write down a branch and its share of the other elements, for interrupts.
const WORK_OF_A_BRANCH: usize = 64;

pub(super) fn of(state: &SocwrState) -> Results {
    let (problem, s) = (&*state.problem, &state.solution);
    let network = &problem.network;
    let base = network.case.network.base_mva;
    wattbook_interrupt::work(WORK_OF_A_BRANCH * network.case.network.branches.len());
    // A branch without a rating has a limit in the data that no flow reaches.
    let branches = network.case.network.branches.iter().zip(&s.data.rating);
    let rating: Vec<f64> = branches
        .map(|(branch, &rating)| if branch.is_rated() { rating } else { f64::INFINITY })
        .collect();
    let loading = |row: usize| if rating[row].is_finite() { s.loading[row] } else { 0.0 };
    let powers = Powers {
        demand: &s.data.demand,
        demand_q: &s.data.demand_q,
        flow_from: &s.flow_from,
        flow_to: &s.flow_to,
        dispatch: &s.dispatch,
        dispatch_q: &s.dispatch_q,
        rating: &rating,
    };
    // The voltage product of a branch without impedance is that of one voltage with itself.
    let looseness = |row: usize| s.pair_of_branch[row].map_or(0.0, |pair| s.pairs[pair].looseness);
    let lmp = network.by_bus(|b| s.price[b] / base);
    let dispatch_mw = network.by_generator(|g| s.dispatch[g] * base);
    let limits = limit_shadow(
        &network.case.network.generators,
        network.case.network.base_mva,
        &lmp,
        &dispatch_mw,
    );
    let links_mw = links::powers_mw(&network.case.network, |row, _| s.links[row].active);
    let mut own = links::priced_columns(
        &network.case.network.links,
        network.case.network.base_mva,
        &links_mw,
        &lmp,
    );
    own.extend(links::reactive_columns(&network.case.network, &s.links));
    let stored = |of: &[f64]| {
        let rows = network.case.network.storages_injecting().map(|(row, _)| row);
        let injected = rows.zip(of[network.case.network.generators.len()..].iter().copied());
        storages::powers(&network.case.network, |bus| network.bus_takes_part(bus), injected)
    };
    let (stored_mw, stored_mvar) = (stored(&s.dispatch), stored(&s.dispatch_q));
    own.extend(storages::columns(&network.case.network, stored_mw, Some(stored_mvar)));
    own.extend([
        limits,
        Column::new(ColumnName::Lmp, lmp),
        Column::new(ColumnName::LmpQ, network.by_bus(|b| s.price_q[b] / base)),
        Column::new(ColumnName::VmPu, network.by_bus(|b| s.voltage_squared[b].sqrt())),
        Column::new(ColumnName::ProductReal, network.by_branch(|b| s.product[b][0])),
        Column::new(ColumnName::ProductImag, network.by_branch(|b| s.product[b][1])),
        Column::new(ColumnName::ConeGap, network.by_branch(looseness)),
        Column::new(ColumnName::Loading, network.by_branch(loading)),
        Column::new(ColumnName::Shadow, network.by_branch(|b| s.shadow[b] / base)),
    ]);
    own.extend(lmp_components(state));
    Results {
        formulation: c::FormulationId::Socwr,
        status: c::SolveStatus::Optimal,
        dc_convention: None,
        objective: Some(s.objective),
        columns: network.table(&powers, own),
        slack: None,
        power_flow: None,
        iterations: Some(state.iterations.clone()),
        security: None,
        certificate: c::ResponseCertificate::Optimum(certificate::of(state)),
        diagnostics: diagnostics(state),
    }
}

/// Price components; NaN where prices cannot be split.
fn lmp_components(state: &SocwrState) -> [Column; 5] {
    let network = &state.problem.network;
    let base = network.case.network.base_mva;
    let parts = state.components();
    let column = |name, value: &dyn Fn(&ConicPriceComponents, usize) -> f64| {
        Column::new(name, network.by_bus(|b| parts.map_or(f64::NAN, |p| value(p, b))))
    };
    [
        column(ColumnName::LmpEnergy, &|p, b| p.energy[b] / base),
        column(ColumnName::LmpLosses, &|p, b| p.losses[b][0] / base),
        column(ColumnName::LmpCongestion, &|p, b| p.congestion[b][0] / base),
        column(ColumnName::LmpVoltage, &|p, b| p.voltage[b][0] / base),
        column(ColumnName::SlackWeight, &|p, b| p.slack_weight[b]),
    ]
}

/// Diagnostics of a result.
fn diagnostics(state: &SocwrState) -> Vec<c::Diagnostic> {
    let (problem, s) = (&*state.problem, &state.solution);
    let loose = s.pairs.iter().filter(|pair| !pair.is_tight()).count();
    let message = match loose {
        0 => message!("socwr.exact_cones"),
        _ => message!("socwr.lower_bound", loose = loose, pairs = s.pairs.len()),
    };
    let mut found = vec![new_diagnostic("RELAXATION.LOWER_BOUND", &message, None)];
    found.extend(problem.network.case.remarks.iter().cloned());
    found.extend(problem.network.left_out());
    found.extend(held(
        &problem.network.case.network,
        Holding::of(&problem.network.options),
    ));
    found.extend(s.circulating.iter().map(|&row| {
        let link = ElementRef::from(&problem.network.case.network.links[row]);
        let message = message!("socwr.link_circulates", link = &link);
        new_diagnostic("LINK.CIRCULATES", &message, Some(element(&link)))
    }));
    found.extend(assumed::binding(&problem.network.case.network, &s.shadow));
    found.extend(state.price_levels().iter().map(|level| unpriced(state, level)));
    found
}

/// A diagnostic that the optimum supports more than one set of prices in an island.
fn unpriced(state: &SocwrState, level: &ConicPriceLevel) -> c::Diagnostic {
    let bus = ElementRef::from(&state.problem.network.case.network.buses[level.buses[0]]);
    let count = level.buses.len();
    let (code, message) = match level.is_fixed {
        true => (
            "ISLAND.NO_PRICE",
            message!("result.no_price", count = count, bus = &bus),
        ),
        false => (
            "ISLAND.PRICE_NOT_UNIQUE",
            message!("result.price_not_unique", count = count, bus = &bus),
        ),
    };
    new_diagnostic(code, &message, Some(element(&bus)))
}
