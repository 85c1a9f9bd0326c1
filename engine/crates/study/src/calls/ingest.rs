//! Cases as they cross the engine's boundary: texts and structure in a head, numbers by row as columns.

use crate::calls::distribution::distribution;
use crate::case::Case;
use crate::case_parameters::{coefficients, corners, written};
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{diagnostic, energy_source};
use crate::edits::resolve_added;
use crate::results::{link_naming, storage_naming, CaseReply, Reply};
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, Branch, CoordsKind, Cost, Generator, Link, Warning};
use wattbook_network::costs::fuels_of;
use wattbook_network::distribution::inspect_distribution;
use wattbook_network::error::Result;
use wattbook_network::geo::spread_shared;
use wattbook_network::{clean_module, Ingested};

/// Reads a case file: an `IngestedCaseHead` and the columns of its rows.
///
/// Errors: those of `wattbook_network::ingest_case`.
pub fn ingest_case(bytes: &[u8], format: &str) -> Result<CaseReply<c::IngestedCaseHead>> {
    let ingested = wattbook_network::ingest_case(bytes, format)?;
    let fuels = fuels_of(bytes, format);
    let fuels = (fuels.len() == ingested.network.generators.len() && !fuels.is_empty()).then_some(fuels);
    let mut reply = case(ingested);
    reply.head.fuels = fuels;
    Ok(reply)
}

/// Head and columns of an ingested case. The case stays open.
pub(crate) fn case(ingested: Ingested) -> CaseReply<c::IngestedCaseHead> {
    let case = Case::keep(ingested.network, ingested.sha256);
    described(&case, ingested.module_json, &ingested.warnings)
}

fn described(case: &Case, module_json: String, warnings: &[Warning]) -> CaseReply<c::IngestedCaseHead> {
    CaseReply {
        head: head(case, module_json, warnings),
        columns: columns(&case.network),
    }
}

/// Describes a balanced module in the same form as [`ingest_case`]. Its case stays open. `module_json` in the answer is
/// empty unless reading changed the text, which the caller has.
///
/// Errors: those of [`Case::read`].
pub fn inspect_module(module_json: &str) -> Result<Reply> {
    let clean = clean_module(module_json.to_string())?;
    let case = Case::read(&clean)?;
    let changed = if clean == module_json { String::new() } else { clean };
    Ok(described(&case, changed, &case.network.warnings).whole())
}

impl Case {
    /// The case with further elements (`AddedElements` as JSON), which Studies of it can have as edits.
    ///
    /// Errors: `INPUT.REQUEST`, `ADDED.*`, `BUS.UNKNOWN`, `BUS.AMBIGUOUS`, `BRANCH.UNKNOWN`, `DELTA.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`.
    pub fn extended(self: &Arc<Self>, added_json: &str) -> Result<Arc<Self>> {
        let added: c::AddedElements = crate::json::from_json("added elements", added_json)?;
        Ok(self.with_added(&resolve_added(self, &added)?))
    }

    /// Describes the case in the same form as [`ingest_case`], without module text and warnings.
    pub fn described(&self) -> Reply {
        described(self, String::new(), &[]).whole()
    }
}

/// Describes a module of either model. A multiconductor case has no columns.
///
/// Errors: those of [`inspect_module`] and [`crate::inspect_distribution_json`].
pub(crate) fn network_of(module_json: String) -> Result<CaseReply<c::IngestedNetworkHead>> {
    let module_json = clean_module(module_json)?;
    match Case::read(&module_json) {
        Ok(case) => Ok(balanced(described(&case, module_json, &case.network.warnings))),
        Err(other) if other.code == "MODULE.KIND" => {
            // Where neither model fits, the first error names the content of the module.
            let found = inspect_distribution(&module_json);
            let found = found.map_err(|e| if e.code == "MODULE.KIND" { other } else { e })?;
            Ok(multiconductor(distribution(found)))
        }
        Err(error) => Err(error),
    }
}

/// Wraps a balanced case as a case of either model.
pub(crate) fn balanced(
    CaseReply { head, columns }: CaseReply<c::IngestedCaseHead>,
) -> CaseReply<c::IngestedNetworkHead> {
    CaseReply {
        head: c::IngestedNetworkHead::Balanced(Box::new(head)),
        columns,
    }
}

/// Wraps a feeder as a case of either model.
pub(crate) fn multiconductor(feeder: c::IngestedDistribution) -> CaseReply<c::IngestedNetworkHead> {
    CaseReply {
        head: c::IngestedNetworkHead::Multiconductor(Box::new(feeder)),
        columns: Vec::new(),
    }
}

fn head(case: &Case, module_json: String, warnings: &[Warning]) -> c::IngestedCaseHead {
    let (network, base) = (&case.network, case.network.base_mva);
    let coords_kind = match network.coords_kind {
        None => c::CoordsKind::SyntheticPending,
        Some(CoordsKind::File) => c::CoordsKind::File,
        Some(CoordsKind::Synthetic) => c::CoordsKind::Synthetic,
        Some(CoordsKind::Manual) => c::CoordsKind::Manual,
    };
    let load_mw = network.buses.iter().filter(|b| b.in_service);
    c::IngestedCaseHead {
        summary: c::CaseSummary {
            module_json,
            sha256: case.sha256.clone(),
            name: network.name.clone(),
            model: "balanced".into(),
            base_mva: network.file_base_mva(),
            n_bus: network.n_canonical_buses as u32,
            n_branch: network.n_canonical_branches as u32,
            n_gen: network.generators.len() as u32,
            n_analysis_bus: network.buses.len() as u32,
            n_analysis_branch: network.branches.len() as u32,
            load_mw: load_mw.map(|b| b.demand_pu * base).sum(),
            gen_mw: gen_mw(network).iter().sum(),
            has_coords: network.has_coords(),
            coords_kind,
        },
        topology: topology(network),
        // A layer may place only some buses; the map shows those.
        view: has_places(network).then(|| c::NetworkHead {
            id: network.name.clone(),
            name: network.name.clone(),
            base_mva: network.file_base_mva(),
            synthetic_coords: network.coords_kind == Some(CoordsKind::Synthetic),
        }),
        warnings: warnings.iter().map(diagnostic).collect(),
        fuels: None,
    }
}

fn topology(network: &AnalysisNetwork) -> c::TopologyHead {
    let (buses, branches, generators) = (&network.buses, &network.branches, &network.generators);
    let sources = generators.iter().map(|g| energy_source(g.energy_source));
    let points = generators.iter().enumerate();
    let switches = branches.iter().enumerate().filter(|(_, branch)| branch.is_switch);
    c::TopologyHead {
        bus_uids: any(buses.iter().map(|b| b.uid.clone())),
        bus_names: any(buses.iter().map(|b| b.name.clone())),
        bus_source_indices: any(buses.iter().map(|b| b.source_index)),
        branch_uids: any(branches.iter().map(|b| b.uid.clone())),
        branch_names: any(branches.iter().map(|b| b.name.clone())),
        switches: switches.map(|(row, _)| row).collect(),
        generator_uids: any(generators.iter().map(|g| g.uid.clone())),
        link_uids: any(network.links.iter().map(|l| l.uid.clone())),
        storage_uids: any(network.storages.iter().map(|s| s.uid.clone())),
        energy_sources: sources
            .clone()
            .any(|source| source != c::EnergySource::Other)
            .then(|| sources.collect()),
        cost_points: points
            .filter_map(|(row, g)| Some((row, corners(g, network.base_mva)?)))
            .collect(),
    }
}

/// The values of all rows, or `None` if every row lacks one.
fn any<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<Option<T>>> {
    let values: Vec<_> = values.collect();
    values.iter().any(Option::is_some).then_some(values)
}

/// Output of the in-service generators of each bus in the source file, MW.
fn gen_mw(network: &AnalysisNetwork) -> Vec<f64> {
    let mut gen_mw = vec![0.0; network.buses.len()];
    for g in network.generators.iter().filter(|g| g.in_service) {
        gen_mw[g.bus] += g.pg_pu * network.base_mva;
    }
    gen_mw
}

fn has_places(network: &AnalysisNetwork) -> bool {
    network.buses.iter().any(|b| b.lon_lat.is_some())
}

fn columns(network: &AnalysisNetwork) -> Vec<Column> {
    let mut columns = Vec::from(bus_columns(network));
    columns.extend(branch_columns(network));
    columns.extend(generator_columns(network));
    columns.extend(link_columns(network));
    columns.extend(storage_columns(network));
    if has_places(network) {
        columns.extend(place_columns(network));
        columns.extend(route_columns(&network.branches));
    }
    columns
}

fn column<T>(name: ColumnName, rows: &[T], value: impl Fn(&T) -> f64) -> Column {
    Column::new(name, rows.iter().map(value).collect())
}

/// A number that the source may omit, NaN where it does.
fn known(value: Option<u64>) -> f64 {
    value.map_or(f64::NAN, |value| value as f64)
}

fn finite_or(value: f64, otherwise: f64) -> f64 {
    if value.is_finite() {
        value
    } else {
        otherwise
    }
}

fn bus_columns(network: &AnalysisNetwork) -> [Column; 8] {
    let rows = &network.buses;
    [
        column(ColumnName::BusId, rows, |b| b.id as f64),
        column(ColumnName::Area, rows, |b| known(b.area)),
        column(ColumnName::Zone, rows, |b| known(b.zone)),
        column(ColumnName::BaseKv, rows, |b| b.base_kv),
        column(ColumnName::DemandMw, rows, |b| b.demand_pu * network.base_mva),
        Column::new(ColumnName::GenMw, gen_mw(network)),
        column(ColumnName::BusInService, rows, |b| f64::from(b.in_service)),
        column(ColumnName::BusEditable, rows, |b| f64::from(b.editable)),
    ]
}

fn branch_columns(network: &AnalysisNetwork) -> [Column; 7] {
    let rows = &network.branches;
    let bus = |row: usize| network.buses[row].id as f64;
    let rating = |b: &Branch| finite_or(b.rating_pu * network.base_mva, f64::INFINITY);
    [
        column(ColumnName::BranchId, rows, |b| b.id as f64),
        column(ColumnName::FromBus, rows, |b| bus(b.from)),
        column(ColumnName::ToBus, rows, |b| bus(b.to)),
        column(ColumnName::RatingMw, rows, rating),
        column(ColumnName::RatingIsFallback, rows, |b| f64::from(b.rating_is_fallback)),
        column(ColumnName::BranchInService, rows, |b| f64::from(b.in_service)),
        column(ColumnName::BranchEditable, rows, |b| f64::from(b.editable)),
    ]
}

fn generator_columns(network: &AnalysisNetwork) -> [Column; 8] {
    let (rows, base) = (&network.generators, network.base_mva);
    let cost = |g: &Generator, degree: usize| finite_or(coefficients(g, base)[2 - degree], f64::NAN);
    [
        column(ColumnName::GeneratorId, rows, |g| g.id as f64),
        column(ColumnName::GeneratorBus, rows, |g| network.buses[g.bus].id as f64),
        column(ColumnName::PMinMw, rows, |g| {
            finite_or(g.pmin_pu * base, f64::NEG_INFINITY)
        }),
        column(ColumnName::PMaxMw, rows, |g| finite_or(g.pmax_pu * base, f64::INFINITY)),
        column(ColumnName::GeneratorInService, rows, |g| f64::from(g.in_service)),
        column(ColumnName::CostC2, rows, |g| cost(g, 2)),
        column(ColumnName::CostC1, rows, |g| cost(g, 1)),
        column(ColumnName::CostC0, rows, |g| cost(g, 0)),
    ]
}

fn link_columns(network: &AnalysisNetwork) -> Vec<Column> {
    let (rows, base) = (&network.links, network.base_mva);
    let mut columns = link_naming(network);
    if !columns.is_empty() {
        columns.extend([
            column(ColumnName::LinkInService, rows, |l| f64::from(l.in_service)),
            column(ColumnName::LinkMinMw, rows, |l| {
                finite_or(l.pmin_pu * base, f64::NEG_INFINITY)
            }),
            column(ColumnName::LinkMaxMw, rows, |l| {
                finite_or(l.pmax_pu * base, f64::INFINITY)
            }),
            column(ColumnName::LinkScheduledMw, rows, |l| written(l.pf_pu * base)),
            column(ColumnName::LinkLossMw, rows, |l| written(l.loss0_pu * base)),
            column(ColumnName::LinkLossFactor, rows, |l| l.loss1),
            column(ColumnName::LinkCost, rows, |l| link_cost(l, base)),
        ]);
    }
    columns
}

fn storage_columns(network: &AnalysisNetwork) -> Vec<Column> {
    let (rows, base) = (&network.storages, network.base_mva);
    let mut columns = storage_naming(network);
    if !columns.is_empty() {
        let limit = |pu: f64| finite_or(written(pu * base), f64::INFINITY);
        columns.extend([
            column(ColumnName::StorageInService, rows, |s| f64::from(s.in_service)),
            column(ColumnName::StorageHeldMw, rows, |s| written(s.p_pu * base)),
            column(ColumnName::StorageHeldMvar, rows, |s| written(s.q_pu * base)),
            column(ColumnName::StorageChargeMaxMw, rows, |s| limit(s.charge_max_pu)),
            column(ColumnName::StorageDischargeMaxMw, rows, |s| limit(s.discharge_max_pu)),
            column(ColumnName::StorageChargeEfficiency, rows, |s| s.charge_efficiency),
            column(ColumnName::StorageDischargeEfficiency, rows, |s| s.discharge_efficiency),
            column(ColumnName::StorageEnergyMwh, rows, |s| {
                s.energy_pu.map_or(f64::NAN, |pu| written(pu * base))
            }),
            column(ColumnName::StorageEnergyMinMwh, rows, |s| {
                written(s.energy_min_pu * base)
            }),
            column(ColumnName::StorageEnergyMaxMwh, rows, |s| limit(s.energy_max_pu)),
            column(ColumnName::StorageEnergyValue, rows, |s| {
                s.energy_value.unwrap_or(f64::NAN)
            }),
        ]);
    }
    columns
}

/// $/MWh, NaN for a curve.
fn link_cost(link: &Link, base: f64) -> f64 {
    match link.cost {
        Cost::Quadratic { c2: 0.0, c1, .. } => written(c1 / base),
        _ => f64::NAN,
    }
}

/// Where the map shows a bus, NaN where it does not. Buses that share a place are spread.
fn place_columns(network: &AnalysisNetwork) -> [Column; 2] {
    let located: Vec<_> = network.buses.iter().filter_map(|b| Some((b.id, b.lon_lat?))).collect();
    let mut spread = spread_shared(&located).into_iter();
    let places = network.buses.iter().map(|b| b.lon_lat.and_then(|_| spread.next()));
    let (lon, lat) = places
        .map(|place| place.map_or((f64::NAN, f64::NAN), |[x, y]| (x, y)))
        .unzip();
    [
        Column::new(ColumnName::MapLongitude, lon),
        Column::new(ColumnName::MapLatitude, lat),
    ]
}

fn route_columns(rows: &[Branch]) -> [Column; 3] {
    let corners: Vec<&[f64; 2]> = rows.iter().filter_map(|b| b.route.as_ref()).flatten().collect();
    [
        column(ColumnName::RouteCorners, rows, |b| {
            b.route.as_ref().map_or(f64::NAN, |route| route.len() as f64)
        }),
        column(ColumnName::CornerLongitude, &corners, |corner| corner[0]),
        column(ColumnName::CornerLatitude, &corners, |corner| corner[1]),
    ]
}
