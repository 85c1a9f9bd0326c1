//! Rows of a balanced case as columns: how they cross the engine's boundary. Their texts stay JSON.

use crate::contract::{self as c, Column, ColumnName};
use crate::results::Reply;

/// An `IngestedCaseHead` and its columns.
pub(crate) fn case_reply(case: c::IngestedCase) -> Reply {
    let (head, columns) = case_parted(case);
    Reply::new(&head, columns)
}

/// Takes the module text out of what is said of a balanced case. It is most of that, and as a part of the JSON it would be written
/// and read once more.
pub(crate) fn take_module(network: &mut c::IngestedNetwork) -> String {
    match network {
        c::IngestedNetwork::Balanced(case) => std::mem::take(&mut case.summary.module_json),
        c::IngestedNetwork::Multiconductor(_) => String::new(),
    }
}

/// Head and columns of a case; of a multiconductor case there are none.
pub(crate) fn network_parted(network: c::IngestedNetwork) -> (c::IngestedNetworkHead, Vec<Column>) {
    match network {
        c::IngestedNetwork::Balanced(case) => {
            let (head, columns) = case_parted(*case);
            (c::IngestedNetworkHead::Balanced(Box::new(head)), columns)
        }
        c::IngestedNetwork::Multiconductor(feeder) => (c::IngestedNetworkHead::Multiconductor(feeder), Vec::new()),
    }
}

fn case_parted(case: c::IngestedCase) -> (c::IngestedCaseHead, Vec<Column>) {
    let c::Topology {
        buses,
        branches,
        generators,
    } = case.topology;
    let mut columns = bus_columns(&buses);
    columns.extend(branch_columns(&branches));
    columns.extend(generator_columns(&generators));
    if let Some(view) = &case.view {
        columns.extend(place_columns(&buses, &view.buses));
        columns.extend(route_columns(&view.branches));
    }
    let bus_source_indices = any(buses.iter().map(|b| b.source_index).collect());
    let (bus_uids, bus_names) = buses.into_iter().map(|b| (b.uid, b.name)).unzip();
    let (branch_uids, branch_names) = branches.into_iter().map(|b| (b.uid, b.name)).unzip();
    let topology = c::TopologyHead {
        bus_uids: any(bus_uids),
        bus_names: any(bus_names),
        bus_source_indices,
        branch_uids: any(branch_uids),
        branch_names: any(branch_names),
        energy_sources: generators
            .iter()
            .any(|g| g.energy_source != c::EnergySource::Other)
            .then(|| generators.iter().map(|g| g.energy_source).collect()),
        cost_points: generators
            .iter()
            .enumerate()
            .filter_map(|(row, g)| Some((row, g.cost_points.clone()?)))
            .collect(),
        generator_uids: any(generators.into_iter().map(|g| g.uid).collect()),
    };
    let head = c::IngestedCaseHead {
        summary: case.summary,
        topology,
        view: case.view.map(|view| c::NetworkHead {
            id: view.id,
            name: view.name,
            base_mva: view.base_mva,
            synthetic_coords: view.synthetic_coords,
        }),
        warnings: case.warnings,
        fuels: case.fuels,
    };
    (head, columns)
}

/// What the rows have, unless no row has it.
fn any<T>(values: Vec<Option<T>>) -> Option<Vec<Option<T>>> {
    values.iter().any(Option::is_some).then_some(values)
}

fn column<T>(name: ColumnName, rows: &[T], value: impl Fn(&T) -> f64) -> Column {
    Column::new(name, rows.iter().map(value).collect())
}

/// A number that the source may not have.
fn known(value: Option<u64>) -> f64 {
    value.map_or(f64::NAN, |value| value as f64)
}

fn bus_columns(rows: &[c::TopologyBus]) -> Vec<Column> {
    vec![
        column(ColumnName::BusId, rows, |b| b.id as f64),
        column(ColumnName::Area, rows, |b| known(b.area)),
        column(ColumnName::Zone, rows, |b| known(b.zone)),
        column(ColumnName::BaseKv, rows, |b| b.base_kv),
        column(ColumnName::DemandMw, rows, |b| b.demand_mw),
        column(ColumnName::GenMw, rows, |b| b.gen_mw),
        column(ColumnName::BusInService, rows, |b| f64::from(b.in_service)),
        column(ColumnName::BusEditable, rows, |b| f64::from(b.editable)),
    ]
}

fn branch_columns(rows: &[c::TopologyBranch]) -> Vec<Column> {
    vec![
        column(ColumnName::BranchId, rows, |b| b.id as f64),
        column(ColumnName::FromBus, rows, |b| b.from as f64),
        column(ColumnName::ToBus, rows, |b| b.to as f64),
        column(ColumnName::RatingMw, rows, |b| b.rate_mw.unwrap_or(f64::INFINITY)),
        column(ColumnName::RatingIsFallback, rows, |b| f64::from(b.rate_is_fallback)),
        column(ColumnName::BranchInService, rows, |b| f64::from(b.status)),
        column(ColumnName::BranchEditable, rows, |b| f64::from(b.editable)),
    ]
}

fn generator_columns(rows: &[c::TopologyGenerator]) -> Vec<Column> {
    vec![
        column(ColumnName::GeneratorId, rows, |g| g.id as f64),
        column(ColumnName::GeneratorBus, rows, |g| g.bus as f64),
        column(ColumnName::PMinMw, rows, |g| g.p_min_mw.unwrap_or(f64::NEG_INFINITY)),
        column(ColumnName::PMaxMw, rows, |g| g.p_max_mw.unwrap_or(f64::INFINITY)),
        column(ColumnName::GeneratorInService, rows, |g| f64::from(g.status)),
        column(ColumnName::CostC2, rows, |g| g.cost_c2.unwrap_or(f64::NAN)),
        column(ColumnName::CostC1, rows, |g| g.cost_c1.unwrap_or(f64::NAN)),
        column(ColumnName::CostC0, rows, |g| g.cost_c0.unwrap_or(f64::NAN)),
    ]
}

/// Where the view has a bus; its rows are those of the topology that it shows, in their order.
fn place_columns(rows: &[c::TopologyBus], shown: &[c::NetworkBus]) -> [Column; 2] {
    let mut shown = shown.iter().peekable();
    let places: Vec<_> = rows.iter().map(|row| shown.next_if(|bus| bus.id == row.id)).collect();
    [
        column(ColumnName::MapLongitude, &places, |bus| {
            bus.map_or(f64::NAN, |bus| bus.lon)
        }),
        column(ColumnName::MapLatitude, &places, |bus| {
            bus.map_or(f64::NAN, |bus| bus.lat)
        }),
    ]
}

fn route_columns(rows: &[c::NetworkBranch]) -> [Column; 3] {
    let corners: Vec<&[f64; 2]> = rows.iter().filter_map(|row| row.path.as_ref()).flatten().collect();
    [
        column(ColumnName::RouteCorners, rows, |row| {
            row.path.as_ref().map_or(f64::NAN, |path| path.len() as f64)
        }),
        column(ColumnName::CornerLongitude, &corners, |corner| corner[0]),
        column(ColumnName::CornerLatitude, &corners, |corner| corner[1]),
    ]
}
