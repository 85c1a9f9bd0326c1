//! The solver's per-unit results in physical units.

use super::{Dc, DcState};
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, new_diagnostic};
use crate::problem::assumed;
use crate::results::storages::{held, Holding};
use crate::results::{dense, limit_shadow, links, storages, Results};
use std::borrow::Cow;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef, Generator, Link};
use wattbook_network::message;
use wattbook_solve::dc::{self, Convention, DcModel, DcSolution};

/// The numbers of an optimum by dense row, per unit, radians, and $/h per unit.
pub(super) struct Numbers<'a> {
    pub demand: &'a [f64],
    pub rating: &'a [f64],
    pub price: &'a [f64],
    pub theta: &'a [f64],
    pub flow: &'a [f64],
    pub shadow: &'a [f64],
    pub dispatch: &'a [f64],
    pub generators: &'a [Generator],
    pub links: &'a [Link],
}

/// The columns of an optimum, in physical units.
pub(super) fn columns(problem: &Dc, s: &Numbers<'_>) -> Vec<Column> {
    let Dc { case, model, .. } = problem;
    let network = &case.network;
    let base = network.base_mva;
    let by_bus = |value: &dyn Fn(usize) -> f64| dense(network.buses.len(), |b| model.bus_is_active(b), value);
    let by_branch = |value: &dyn Fn(usize) -> f64| dense(network.branches.len(), |b| model.branch_is_active(b), value);
    let lmp = by_bus(&|b| s.price[b] / base);
    let dispatch_mw = dense(network.generators.len(), |g| problem.runs(g), |g| s.dispatch[g] * base);
    let limits = limit_shadow(s.generators, base, &lmp, &dispatch_mw);
    let powers = model.link_powers(s.dispatch);
    let powers = links::powers_mw(network, |row, _| powers[row]);
    let of_links = links::priced_columns(s.links, base, &powers, &lmp);
    let stored = storages::powers(
        network,
        |bus| model.bus_is_active(bus),
        model.storage_powers(s.dispatch).into_iter(),
    );
    let mut columns = vec![
        Column::new(ColumnName::Lmp, lmp),
        Column::new(ColumnName::VaRad, by_bus(&|b| s.theta[b])),
        Column::new(ColumnName::DemandMw, by_bus(&|b| s.demand[b] * base)),
        Column::new(ColumnName::FlowMw, by_branch(&|b| s.flow[b] * base)),
        Column::new(
            ColumnName::Loading,
            by_branch(&|b| wattbook_solve::loading(s.flow[b].abs(), s.rating[b])),
        ),
        Column::new(ColumnName::Shadow, by_branch(&|b| s.shadow[b].abs() / base)),
        Column::new(ColumnName::RatingMw, by_branch(&|b| s.rating[b] * base)),
        Column::new(ColumnName::DispatchMw, dispatch_mw),
        limits,
    ];
    columns.extend(of_links);
    columns.extend(storages::columns(network, stored, None));
    columns
}

pub(super) fn of(state: &DcState) -> Results {
    let (problem, s) = (state.dc(), &state.solution);
    let Dc { case, model, .. } = problem;
    let network = &case.network;
    let security = problem.secure.as_ref().zip(state.pool.as_ref());
    let security = security.map(|(secure, pool)| secure.report(state, pool));
    // The program of soft ratings has none of them, and their prices are those of rows of their own.
    let mut rating = Cow::Borrowed(&s.data.rating[..]);
    let mut shadow = Cow::Borrowed(&s.shadow[..]);
    if let Some(report) = security
        .as_ref()
        .filter(|report| report.base_penalty_usd_per_mwh.is_some())
    {
        if let Ok(data) = problem.data(&state.edits) {
            rating = Cow::Owned(data.rating);
        }
        let before = |id: u64| {
            report
                .binding
                .iter()
                .filter(move |limit| limit.branch == id && !limit.is_after_outage())
        };
        for (shadow, branch) in shadow.to_mut().iter_mut().zip(&network.branches) {
            *shadow += before(branch.id)
                .map(|limit| limit.shadow_usd_per_mwh * network.base_mva)
                .sum::<f64>();
        }
    }
    let mut columns = columns(
        problem,
        &Numbers {
            demand: &s.data.demand,
            rating: &rating,
            price: &s.price,
            theta: &s.theta,
            flow: &s.flow,
            shadow: &shadow,
            dispatch: &s.dispatch,
            generators: &network.generators,
            links: &network.links,
        },
    );
    let plain = state.plain();
    if let Some(Ok(plain)) = plain {
        let by_bus = |value: &dyn Fn(usize) -> f64| dense(network.buses.len(), |b| model.bus_is_active(b), value);
        let (base, price) = (network.base_mva, &plain.solution.price);
        let without = Column::new(ColumnName::LmpWithoutSecurity, by_bus(&|b| price[b] / base));
        let added = Column::new(ColumnName::LmpSecurity, by_bus(&|b| (s.price[b] - price[b]) / base));
        // Behind the price.
        columns.splice(1..1, [without, added]);
    }
    let without = plain.and_then(|found| found.as_ref().err());
    let without =
        without.map(|error| new_diagnostic(error.code, &error.sentence, error.element.as_deref().map(element)));
    Results {
        formulation: c::FormulationId::Dcopf,
        status: c::SolveStatus::Optimal,
        dc_convention: Some(convention_id(model.convention())),
        objective: Some(s.objective),
        columns,
        slack: None,
        power_flow: None,
        iterations: Some(iterations(network, s)),
        diagnostics: {
            let of_security = security
                .iter()
                .flat_map(|report| super::security::diagnostics(case, report));
            diagnostics(problem, s)
                .into_iter()
                .chain(of_security)
                .chain(without)
                .collect()
        },
        security,
        certificate: c::ResponseCertificate::Optimum(certificate_of(state)),
    }
}

pub(super) fn convention_id(convention: Convention) -> c::DcConvention {
    match convention {
        Convention::Service => c::DcConvention::Service,
        Convention::PowerModels => c::DcConvention::Powermodels,
        Convention::Matpower => c::DcConvention::Matpower,
    }
}

/// The certificate of a state, with the last screening of limits after outages.
pub(super) fn certificate_of(state: &DcState) -> c::Certificate {
    let own = certificate(&state.solution.certificate);
    let of_pairs = state.pool.as_ref().map_or(0.0, |pool| pool.worst_violation);
    let worst_violation_mw = own.worst_violation_mw.max(of_pairs * state.dc().case.network.base_mva);
    c::Certificate {
        worst_violation_mw,
        ..own
    }
}

pub(super) fn certificate(k: &dc::Certificate) -> c::Certificate {
    c::Certificate {
        primal_residual_mw: k.primal_residual_mw,
        worst_violation_mw: k.worst_violation_mw,
        worst_element: k.worst_element.as_ref().map(element),
        stationarity_usd_per_mwh: k.stationarity_usd_per_mwh,
        complementarity_usd_per_h: k.complementarity_usd_per_h,
        duality_gap_usd_per_h: k.duality_gap_usd_per_h,
        relative_gap: k.relative_gap,
        mismatch_mvar: None,
        flow_error_mva: None,
        cone_violation: None,
        voltage_violation_pu: None,
        angle_violation_rad: None,
    }
}

fn iterations(network: &AnalysisNetwork, s: &DcSolution) -> Vec<c::SolveIteration> {
    s.progress
        .iter()
        .enumerate()
        .map(|(k, p)| c::SolveIteration {
            iteration: k as u32 + 1,
            objective: p.objective,
            residual: p.violation * network.base_mva,
        })
        .collect()
}

/// Diagnostics of a result.
fn diagnostics(problem: &Dc, s: &DcSolution) -> Vec<c::Diagnostic> {
    let (network, model) = (&problem.case.network, &problem.model);
    let by_angle = s.held_by_angle.iter().map(|&row| {
        let branch = ElementRef::from(&network.branches[row]);
        let sentence = if network.branches[row].angle_limits_assumed {
            message!("result.assumed_angle_limit", branch = &branch)
        } else {
            message!("result.angle_limit", branch = &branch)
        };
        new_diagnostic("BRANCH.ANGLE_LIMIT", &sentence, Some(element(&branch)))
    });
    let mut found: Vec<_> = by_angle.collect();
    let by_rating = |row: usize| s.shadow[row].abs() * f64::from(!s.held_by_angle.contains(&row));
    let shadow: Vec<f64> = (0..network.branches.len()).map(by_rating).collect();
    found.extend(assumed::binding(network, &shadow));
    found.extend(left_out(network, model));
    found.extend(without_reactance(network, model));
    found.extend(model.directed_links().iter().map(|&(row, is_reversed)| {
        let link = ElementRef::from(&network.links[row]);
        let sentence = if is_reversed {
            message!("result.link_reversed", link = &link)
        } else {
            message!("result.link_forward", link = &link)
        };
        new_diagnostic("LINK.DIRECTION", &sentence, Some(element(&link)))
    }));
    found.extend(held(network, Holding::of(&problem.options)));
    let unpriced = model.unpriced_buses();
    if let Some(&first) = unpriced.first() {
        let bus = ElementRef::from(&network.buses[first]);
        let message = message!("result.no_price", count = unpriced.len(), bus = &bus);
        found.push(new_diagnostic("ISLAND.NO_PRICE", &message, Some(element(&bus))));
    }
    found
}

/// A diagnostic for islands without generators and demand, at the first bus; `None` if there are no such islands.
pub(super) fn left_out(network: &AnalysisNetwork, model: &DcModel) -> Option<c::Diagnostic> {
    let buses = model.idle_buses();
    let bus = ElementRef::from(&network.buses[*buses.first()?]);
    let message = message!("result.left_out", count = buses.len(), bus = &bus);
    Some(new_diagnostic("ISLAND.LEFT_OUT", &message, Some(element(&bus))))
}

/// A diagnostic for branches with resistance alone, which have no susceptance; `None` if there are no such branches.
pub(super) fn without_reactance(network: &AnalysisNetwork, model: &DcModel) -> Option<c::Diagnostic> {
    let lines: Vec<ElementRef> = model
        .branches_without_flow()
        .map(|row| ElementRef::from(&network.branches[row]))
        .collect();
    let first = element(lines.first()?);
    let message = message!("result.no_reactance", count = lines.len(), lines = lines);
    Some(new_diagnostic("BRANCH.NO_REACTANCE", &message, Some(first)))
}
