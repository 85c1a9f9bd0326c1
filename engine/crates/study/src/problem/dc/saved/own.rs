//! Results of modules written by this program.

use super::details::{shadow_of, Details, LeftOut, Published, SECURITY_PRICES};
use super::disagreement::disagreement;
use super::table::{table, Slots};
use crate::case::Case;
use crate::contract::{self as c};
use crate::problem::saved::{restored, tampered, StoredColumn};
use crate::results::Results;
use std::sync::Arc;
use wattbook_network::error::Result;
use wattbook_network::message;
use wattbook_network::SolutionColumns;

/// The columns of one of our modules.
pub(super) fn own(case: &Arc<Case>, columns: &SolutionColumns, details: &Details) -> Result<Results> {
    let network = &case.network;
    let (n_bus, n_branch) = (network.n_canonical_buses, network.n_canonical_branches);
    if details.va_rad.len() != n_bus || details.loading.len() != n_branch {
        return Err(tampered(message!("module.changed.rows")));
    }
    let turned = details.va_rad.iter().zip(&columns.angle_deg);
    if turned.clone().any(|(rad, deg)| rad.to_degrees() != *deg) {
        return Err(tampered(message!("module.changed.angles")));
    }
    let LeftOut {
        buses,
        branches,
        generators,
    } = &details.left_out;
    let takes_part = |row: usize, left_out: &[usize]| left_out.binary_search(&row).is_err();
    let mut shadow: Vec<f64> = columns
        .upper_multiplier
        .iter()
        .zip(&columns.lower_multiplier)
        .map(|(u, l)| u + l)
        .collect();
    for &(row, multiplier) in &details.angle_multipliers {
        if let Some(shadow) = shadow.get_mut(row) {
            *shadow += multiplier;
        }
    }
    let bus_row = |v: &c::BusValue| case.keys.bus(&v.bus.to_string()).filter(|row| *row >= n_bus);
    let bus_column = |values: &[f64], lowered: &[c::BusValue]| -> Result<Vec<f64>> {
        let mut column = vec![f64::NAN; network.buses.len()];
        let own = values.iter().enumerate().filter(|(row, _)| takes_part(*row, buses));
        own.for_each(|(row, value)| column[row] = *value);
        for value in lowered {
            column[bus_row(value).ok_or_else(|| tampered(message!("module.changed.rows")))?] = value.value;
        }
        Ok(column)
    };
    let branch_column = |values: &[f64], lowered: &dyn Fn(&c::BranchFlow) -> f64| -> Result<Vec<f64>> {
        let mut column = vec![f64::NAN; network.branches.len()];
        let own = values.iter().enumerate().filter(|(row, _)| takes_part(*row, branches));
        own.for_each(|(row, value)| column[row] = *value);
        for flow in &details.lowered.flows {
            let row = (flow.branch as usize).checked_sub(1).filter(|row| *row >= n_branch);
            let cell = row.and_then(|row| column.get_mut(row));
            *cell.ok_or_else(|| tampered(message!("module.changed.rows")))? = lowered(flow);
        }
        Ok(column)
    };
    let mut links_mw = vec![[f64::NAN; 2]; network.links.len()];
    for &(id, powers) in &details.links {
        let cell = links_mw.get_mut((id as usize).wrapping_sub(1));
        *cell.ok_or_else(|| tampered(message!("module.changed.rows")))? = powers;
    }
    let mut storages_mw = vec![f64::NAN; network.storages.len()];
    for &(id, mw) in &details.storages {
        let cell = storages_mw.get_mut((id as usize).wrapping_sub(1));
        *cell.ok_or_else(|| tampered(message!("module.changed.rows")))? = mw;
    }
    let lmp = bus_column(&columns.price, &details.lowered.prices)?;
    let mut results = Results {
        formulation: c::FormulationId::Dcopf,
        status: c::SolveStatus::Optimal,
        dc_convention: Some(details.dc_convention),
        objective: Some(columns.objective),
        columns: table(
            network,
            Slots {
                va_rad: bus_column(&details.va_rad, &details.lowered.va)?,
                flow_mw: branch_column(&columns.flow_mw, &|f| f.mw)?,
                loading: branch_column(&details.loading, &|f| f.loading)?,
                shadow: branch_column(&shadow, &shadow_of)?,
                dispatch_mw: columns
                    .dispatch_mw
                    .iter()
                    .enumerate()
                    .map(|(row, mw)| if takes_part(row, generators) { *mw } else { f64::NAN })
                    .collect(),
                lmp,
                links_mw,
                storages_mw,
            },
        ),
        slack: None,
        power_flow: None,
        iterations: None,
        security: details.security.clone(),
        certificate: c::ResponseCertificate::Optimum(details.certificate.clone()),
        diagnostics: details.diagnostics.clone(),
    };
    let is_other =
        |(name, values): &StoredColumn| !SECURITY_PRICES.contains(name) || values.len() != network.buses.len();
    if details.security_prices.iter().any(is_other) {
        return Err(tampered(message!("module.changed.rows")));
    }
    results
        .columns
        .splice(1..1, details.security_prices.iter().map(restored));
    let solution = Published::of(&results, case);
    if results.sha256() != details.result_sha256 {
        return Err(tampered(message!("module.changed.result")));
    }
    if details.sha256(&solution.flows) != details.details_sha256 {
        return Err(tampered(message!("module.changed.details")));
    }
    let penalties = details
        .security
        .as_ref()
        .map_or(0.0, |report| report.penalties_usd_per_h);
    match disagreement(network, &solution, columns.objective - penalties) {
        Some(what) => Err(tampered(what)),
        None => Ok(results),
    }
}
