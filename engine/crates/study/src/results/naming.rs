//! Identification of the rows of results.

use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use wattbook_network::analysis::{AnalysisNetwork, Link, Storage};

/// Identification of a case's rows: uids, and columns of ids.
pub(crate) fn naming(case: &Case) -> (c::RowsHead, Vec<Column>) {
    let network = &case.network;
    let column = |name, ids: &mut dyn Iterator<Item = u64>| Column::new(name, ids.map(|id| id as f64).collect());
    let generators = &network.generators;
    let generator_buses = &mut generators.iter().map(|g| network.buses[g.bus].id);
    let head = c::RowsHead {
        bus_uids: uids(network.buses.iter().map(|bus| bus.uid.clone())),
        branch_uids: None,
    };
    let mut columns = vec![
        column(ColumnName::BusId, &mut network.buses.iter().map(|bus| bus.id)),
        column(
            ColumnName::BranchId,
            &mut network.branches.iter().map(|branch| branch.id),
        ),
        column(ColumnName::GeneratorId, &mut generators.iter().map(|g| g.id)),
        column(ColumnName::GeneratorBus, generator_buses),
    ];
    columns.extend(link_naming(network));
    columns.extend(storage_naming(network));
    (head, columns)
}

/// Columns of the ids of HVDC links and of the buses at their ends; none for a network without links.
pub(crate) fn link_naming(network: &AnalysisNetwork) -> Vec<Column> {
    let rows = &network.links;
    if rows.is_empty() {
        return Vec::new();
    }
    let column = |name, id: &dyn Fn(&Link) -> u64| Column::new(name, rows.iter().map(|l| id(l) as f64).collect());
    vec![
        column(ColumnName::LinkId, &|link| link.id),
        column(ColumnName::LinkFromBus, &|link| network.buses[link.from].id),
        column(ColumnName::LinkToBus, &|link| network.buses[link.to].id),
    ]
}

/// Columns of the ids of storage units and of their buses; none for a network without storage.
pub(crate) fn storage_naming(network: &AnalysisNetwork) -> Vec<Column> {
    let rows = &network.storages;
    if rows.is_empty() {
        return Vec::new();
    }
    let column = |name, id: &dyn Fn(&Storage) -> u64| Column::new(name, rows.iter().map(|s| id(s) as f64).collect());
    vec![
        column(ColumnName::StorageId, &|storage| storage.id),
        column(ColumnName::StorageBus, &|storage| network.buses[storage.bus].id),
    ]
}

/// Uids by row, unless no row has one.
pub(super) fn uids(uids: impl Iterator<Item = Option<String>>) -> Option<Vec<Option<String>>> {
    let uids: Vec<_> = uids.collect();
    uids.iter().any(Option::is_some).then_some(uids)
}
