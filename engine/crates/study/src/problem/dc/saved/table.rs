//! The table of a stored result.

use crate::contract::{Column, ColumnName};
use crate::results::{dense, limit_shadow, links, storages};
use wattbook_network::analysis::AnalysisNetwork;

/// The values of a result in a module, by dense row; NaN where a row is not energised.
pub(super) struct Slots {
    pub lmp: Vec<f64>,
    pub va_rad: Vec<f64>,
    pub flow_mw: Vec<f64>,
    pub loading: Vec<f64>,
    pub shadow: Vec<f64>,
    pub dispatch_mw: Vec<f64>,
    /// Powers of HVDC links at both ends.
    pub links_mw: Vec<[f64; 2]>,
    /// Powers that storage units inject.
    pub storages_mw: Vec<f64>,
}

/// The table of a result, with demand and ratings from the network.
pub(super) fn table(network: &AnalysisNetwork, slots: Slots) -> Vec<Column> {
    let base = network.base_mva;
    let takes_part = |column: &[f64], row: usize| !column[row].is_nan();
    let demand_mw = dense(
        network.buses.len(),
        |row| takes_part(&slots.lmp, row),
        |row| network.buses[row].demand_pu * base,
    );
    let rating_mw = dense(
        network.branches.len(),
        |row| takes_part(&slots.flow_mw, row),
        |row| network.branches[row].rating_pu * base,
    );
    let limits = limit_shadow(&network.generators, network.base_mva, &slots.lmp, &slots.dispatch_mw);
    let of_links = links::priced_columns(&network.links, network.base_mva, &slots.links_mw, &slots.lmp);
    let mut columns = vec![
        Column::new(ColumnName::Lmp, slots.lmp),
        Column::new(ColumnName::VaRad, slots.va_rad),
        Column::new(ColumnName::DemandMw, demand_mw),
        Column::new(ColumnName::FlowMw, slots.flow_mw),
        Column::new(ColumnName::Loading, slots.loading),
        Column::new(ColumnName::Shadow, slots.shadow),
        Column::new(ColumnName::RatingMw, rating_mw),
        Column::new(ColumnName::DispatchMw, slots.dispatch_mw),
        limits,
    ];
    columns.extend(of_links);
    columns.extend(storages::columns(network, slots.storages_mw, None));
    columns
}
