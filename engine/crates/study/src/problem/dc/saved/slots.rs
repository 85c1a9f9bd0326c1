//! The result of a Study in the slots of a solution module.

use super::super::results::{certificate_of, convention_id};
use super::super::{Dc, DcState};
use super::details::{shadow_of, Details, LeftOut, Lowered, Published, SECURITY_PRICES, VERSION};
use crate::contract::{self as c};
use crate::convert::plain;
use crate::problem::saved::stored;
use crate::problem::State;
use std::collections::BTreeMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::{Formula, SolutionColumns};
use wattbook_solve::dc::Convention;

/// The result by slot; the extension holds the parts without a slot.
pub(in crate::problem::dc) fn slots(state: &DcState, case_id: &str) -> Result<SolutionColumns> {
    let (problem, s) = (state.dc(), &state.solution);
    let Dc { case, model, .. } = problem;
    let network = &case.network;
    let base = network.base_mva;
    let results = state.results();
    let published = Published::of(&results, case);
    let certificate = certificate_of(state);
    let mut injection_mw: Vec<f64> = s.data.demand[..network.buses.len()].iter().map(|d| -d * base).collect();
    for (row, bus) in injection_mw.iter_mut().enumerate() {
        *bus = if model.bus_is_active(row) { *bus } else { 0.0 };
    }
    let mut dispatch_mw = vec![0.0; network.generators.len()];
    let mut left_out = LeftOut::default();
    for (row, g) in network.generators.iter().enumerate() {
        if problem.runs(row) {
            dispatch_mw[row] = plain(s.dispatch[row] * base);
            injection_mw[g.bus] += dispatch_mw[row];
        } else {
            left_out.generators.push(row);
        }
    }
    for (link, powers) in network.links.iter().zip(model.link_powers(&s.dispatch)) {
        injection_mw[link.from] -= powers[0] * base;
        injection_mw[link.to] += powers[1] * base;
    }
    for (row, power) in model.storage_powers(&s.dispatch) {
        injection_mw[network.storages[row].bus] += power * base;
    }
    left_out.buses = (0..network.buses.len()).filter(|&b| !model.bus_is_active(b)).collect();
    left_out.branches = (0..network.branches.len())
        .filter(|&b| !model.branch_is_active(b))
        .collect();
    let mut price = vec![0.0; network.buses.len()];
    let mut va_rad = price.clone();
    let active_buses = (0..network.buses.len()).filter(|&b| model.bus_is_active(b));
    for (b, (p, va)) in active_buses.zip(published.prices.iter().zip(&published.va)) {
        (price[b], va_rad[b]) = (p.value, va.value);
    }
    let mut flow_mw = vec![0.0; network.branches.len()];
    let (mut loading, mut upper, mut lower) = (flow_mw.clone(), flow_mw.clone(), flow_mw.clone());
    let mut angle_multipliers = Vec::new();
    let active_branches = (0..network.branches.len()).filter(|&b| model.branch_is_active(b));
    for (b, flow) in active_branches.zip(&published.flows) {
        (flow_mw[b], loading[b]) = (flow.mw, flow.loading);
        if s.held_by_angle.contains(&b) {
            angle_multipliers.push((b, shadow_of(flow)));
        } else if s.shadow[b] >= 0.0 {
            upper[b] = shadow_of(flow);
        } else {
            lower[b] = shadow_of(flow);
        }
    }
    let (n_bus, n_branch) = (network.n_canonical_buses, network.n_canonical_branches);
    let lowered_bus = |v: &&c::BusValue| case.keys.bus(&v.bus.to_string()).is_some_and(|b| b >= n_bus);
    let lowered = Lowered {
        prices: published.prices.iter().filter(lowered_bus).cloned().collect(),
        va: published.va.iter().filter(lowered_bus).cloned().collect(),
        flows: published
            .flows
            .iter()
            .filter(|f| f.branch as usize > n_branch)
            .cloned()
            .collect(),
    };
    let by_id = |edits: &BTreeMap<usize, f64>, id: &dyn Fn(usize) -> u64| {
        edits.iter().map(|(&row, &mw)| (id(row).to_string(), mw)).collect()
    };
    let security_prices = results.columns.iter().filter(|c| SECURITY_PRICES.contains(&c.name));
    let mut details = Details {
        version: VERSION,
        case: case_id.to_string(),
        case_sha256: case.sha256.clone(),
        dc_convention: convention_id(model.convention()),
        deltas: by_id(&state.edits.demand, &|row| network.buses[row].id),
        rates: by_id(&state.edits.rating, &|row| network.branches[row].id),
        generators: state.edits.generators_by_id(case),
        branches: state.edits.branches_by_id(case),
        link_edits: state.edits.links_by_id(case),
        storage_edits: state.edits.storages_by_id(case),
        interfaces: state.edits.network.interfaces.clone(),
        added: state.edits.added_by_id(case),
        assumed_ratings: problem.options.assumed_ratings.unwrap_or(true),
        storage: problem
            .options
            .storage
            .filter(|option| *option == c::StorageOption::Valued),
        result_sha256: results.sha256(),
        certificate: certificate.clone(),
        diagnostics: results.diagnostics.clone(),
        va_rad: va_rad[..n_bus].to_vec(),
        loading: loading[..n_branch].to_vec(),
        angle_multipliers,
        left_out,
        lowered,
        links: published.links.clone(),
        storages: published.storages.clone(),
        security: results.security.clone(),
        security_prices: security_prices.map(stored).collect(),
        details_sha256: String::new(),
    };
    details.details_sha256 = details.sha256(&published.flows);
    let extension = serde_json::to_value(&details)
        .map_err(|e| EngineError::new("MODULE.WRITE", message!("module.write", cause = e.to_string())))?;
    Ok(SolutionColumns {
        formula: match model.convention() {
            Convention::Matpower => Formula::TapAdjusted,
            Convention::Service | Convention::PowerModels => Formula::Series,
        },
        objective: s.objective,
        angle_deg: va_rad.iter().map(|va| va.to_degrees()).collect(),
        injection_mw,
        price,
        flow_mw,
        upper_multiplier: upper,
        lower_multiplier: lower,
        dispatch_mw,
        mismatch_mw: Some(certificate.primal_residual_mw),
        producer: Some(format!("wattbook {}", crate::CONTRACT_VERSION)),
        extension: Some(extension),
        is_intact: true,
    })
}
