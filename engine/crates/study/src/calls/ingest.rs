//! Ingested cases as the contract tells them.

use crate::calls::case_columns::case_reply;
use crate::calls::distribution::distribution;
use crate::case::Case;
use crate::case_parameters::{coefficients, corners};
use crate::contract as c;
use crate::convert::diagnostic;
use crate::results::Reply;
use wattbook_network::analysis::{CoordsKind, EnergySource, Warning};
use wattbook_network::costs::fuels_of;
use wattbook_network::distribution::inspect_distribution;
use wattbook_network::error::Result;
use wattbook_network::geo::spread_shared;
use wattbook_network::{clean_module, ingest_case, Ingested};

/// Reads a case file: an `IngestedCaseHead` and the columns of its rows.
///
/// Errors: those of `wattbook_network::ingest_case`.
pub fn ingest_case_columns(bytes: &[u8], format: &str) -> Result<Reply> {
    Ok(case_reply(read(bytes, format)?))
}

/// As [`ingest_case_columns`], with the module text apart; the head's is empty.
pub fn ingest_case_apart(bytes: &[u8], format: &str) -> Result<(Reply, String)> {
    let mut told = read(bytes, format)?;
    let module_json = std::mem::take(&mut told.summary.module_json);
    Ok((case_reply(told), module_json))
}

/// As [`ingest_case_columns`] (`IngestedCase`).
pub fn ingest_case_json(bytes: &[u8], format: &str) -> Result<String> {
    Ok(crate::json::to_json(&read(bytes, format)?))
}

fn read(bytes: &[u8], format: &str) -> Result<c::IngestedCase> {
    let told = case(ingest_case(bytes, format)?);
    let fuels = fuels_of(bytes, format);
    let fuels = (fuels.len() == told.topology.generators.len() && !fuels.is_empty()).then_some(fuels);
    Ok(c::IngestedCase { fuels, ..told })
}

/// What a case that was read is told as. It stays open.
pub(crate) fn case(ingested: Ingested) -> c::IngestedCase {
    let case = Case::keep(ingested.network, ingested.sha256);
    describe(&case, ingested.module_json, &ingested.warnings)
}

/// Describes a module as [`ingest_case_columns`] does the file it came from. Whoever gives it keeps the text: `module_json` is
/// empty where that is the one that was given.
///
/// Errors: those of [`Case::read`].
pub fn inspect_module(module_json: &str) -> Result<Reply> {
    let mut told = case_of(module_json.to_string())?;
    if told.summary.module_json == module_json {
        told.summary.module_json.clear();
    }
    Ok(case_reply(told))
}

/// Describes a module with everything in one text (`IngestedCase`).
///
/// Errors: those of [`Case::read`].
pub fn inspect_module_json(module_json: &str) -> Result<String> {
    Ok(crate::json::to_json(&case_of(module_json.to_string())?))
}

/// Describes a balanced module. Its case stays open.
pub(crate) fn case_of(module_json: String) -> Result<c::IngestedCase> {
    let module_json = clean_module(module_json)?;
    let case = Case::read(&module_json)?;
    Ok(describe(&case, module_json, &case.network.warnings))
}

/// Describes a module of either model.
///
/// Errors: those of [`inspect_module_json`] and [`crate::inspect_distribution_json`].
pub(crate) fn network_of(module_json: String) -> Result<c::IngestedNetwork> {
    let module_json = clean_module(module_json)?;
    match Case::read(&module_json) {
        Ok(case) => {
            let told = describe(&case, module_json, &case.network.warnings);
            Ok(c::IngestedNetwork::Balanced(Box::new(told)))
        }
        Err(other) if other.code == "MODULE.KIND" => {
            // Neither model: the first answer says what the module holds.
            let found = inspect_distribution(&module_json);
            let found = found.map_err(|e| if e.code == "MODULE.KIND" { other } else { e })?;
            Ok(c::IngestedNetwork::Multiconductor(Box::new(distribution(found))))
        }
        Err(error) => Err(error),
    }
}

fn describe(case: &Case, module_json: String, warnings: &[Warning]) -> c::IngestedCase {
    let (network, sha256) = (&case.network, case.sha256.clone());
    let base = network.base_mva;
    let mut gen_mw = vec![0.0; network.buses.len()];
    for g in network.generators.iter().filter(|g| g.in_service) {
        gen_mw[g.bus] += g.pg_pu * base;
    }
    let demand_mw = |bus: usize| network.buses[bus].demand_pu * base;
    let status = |in_service: bool| u8::from(in_service);
    let has_coords = network.has_coords();
    let buses = network.buses.iter().zip(&gen_mw).enumerate();
    let located: Vec<(u64, [f64; 2])> = network.buses.iter().filter_map(|b| Some((b.id, b.lon_lat?))).collect();
    let mut spread = spread_shared(&located).into_iter();
    // A layer need not cover every bus: the map shows those that it places.
    let view = (!located.is_empty()).then(|| c::Network {
        id: network.name.clone(),
        name: network.name.clone(),
        base_mva: network.file_base_mva(),
        synthetic_coords: network.coords_kind == Some(CoordsKind::Synthetic),
        buses: buses
            .clone()
            .filter_map(|(k, (b, gen))| {
                let [lon, lat] = b.lon_lat.and_then(|_| spread.next())?;
                Some(c::NetworkBus {
                    id: b.id,
                    uid: b.uid.clone(),
                    name: b.name.clone(),
                    lon,
                    lat,
                    area: b.area,
                    zone: b.zone,
                    base_kv: b.base_kv,
                    demand_mw: demand_mw(k),
                    gen_mw: *gen,
                    editable: b.editable,
                })
            })
            .collect(),
        branches: network
            .branches
            .iter()
            .map(|b| c::NetworkBranch {
                id: b.id,
                uid: b.uid.clone(),
                from: network.buses[b.from].id,
                to: network.buses[b.to].id,
                rate_mw: finite(b.rating_pu * base),
                status: status(b.in_service),
                editable: b.editable,
                path: b.route.clone(),
            })
            .collect(),
    });
    let coords_kind = match network.coords_kind {
        None => c::CoordsKind::SyntheticPending,
        Some(CoordsKind::File) => c::CoordsKind::File,
        Some(CoordsKind::Synthetic) => c::CoordsKind::Synthetic,
        Some(CoordsKind::Manual) => c::CoordsKind::Manual,
    };
    let load_mw = network.buses.iter().filter(|b| b.in_service);
    let summary = c::CaseSummary {
        module_json,
        sha256,
        name: network.name.clone(),
        model: "balanced".into(),
        base_mva: network.file_base_mva(),
        n_bus: network.n_canonical_buses as u32,
        n_branch: network.n_canonical_branches as u32,
        n_gen: network.generators.len() as u32,
        n_analysis_bus: network.buses.len() as u32,
        n_analysis_branch: network.branches.len() as u32,
        load_mw: load_mw.map(|b| b.demand_pu * base).sum(),
        gen_mw: gen_mw.iter().sum(),
        has_coords,
        coords_kind,
    };
    c::IngestedCase {
        summary,
        topology: c::Topology {
            buses: buses
                .map(|(k, (b, gen))| c::TopologyBus {
                    id: b.id,
                    uid: b.uid.clone(),
                    name: b.name.clone(),
                    source_index: b.source_index,
                    area: b.area,
                    zone: b.zone,
                    base_kv: b.base_kv,
                    demand_mw: demand_mw(k),
                    gen_mw: *gen,
                    in_service: b.in_service,
                    editable: b.editable,
                })
                .collect(),
            branches: network
                .branches
                .iter()
                .map(|b| c::TopologyBranch {
                    id: b.id,
                    uid: b.uid.clone(),
                    name: b.name.clone(),
                    from: network.buses[b.from].id,
                    to: network.buses[b.to].id,
                    rate_mw: finite(b.rating_pu * base),
                    rate_is_fallback: b.rating_is_fallback,
                    status: status(b.in_service),
                    editable: b.editable,
                })
                .collect(),
            generators: network
                .generators
                .iter()
                .map(|g| c::TopologyGenerator {
                    id: g.id,
                    uid: g.uid.clone(),
                    bus: network.buses[g.bus].id,
                    p_min_mw: finite(g.pmin_pu * base),
                    p_max_mw: finite(g.pmax_pu * base),
                    status: status(g.in_service),
                    energy_source: energy_source(g.energy_source),
                    cost_c2: finite(coefficients(g, base)[0]),
                    cost_c1: finite(coefficients(g, base)[1]),
                    cost_c0: finite(coefficients(g, base)[2]),
                    cost_points: corners(g, base),
                })
                .collect(),
        },
        view,
        warnings: warnings.iter().map(diagnostic).collect(),
        fuels: None,
    }
}

/// JSON has no infinity: an unlimited generator's limit is null.
fn finite(mw: f64) -> Option<f64> {
    mw.is_finite().then_some(mw)
}

fn energy_source(source: EnergySource) -> c::EnergySource {
    match source {
        EnergySource::Hydro => c::EnergySource::Hydro,
        EnergySource::Nuclear => c::EnergySource::Nuclear,
        EnergySource::Wind => c::EnergySource::Wind,
        EnergySource::Thermal => c::EnergySource::Thermal,
        EnergySource::Coal => c::EnergySource::Coal,
        EnergySource::Gas => c::EnergySource::Gas,
        EnergySource::Solar => c::EnergySource::Solar,
        EnergySource::Other => c::EnergySource::Other,
    }
}
