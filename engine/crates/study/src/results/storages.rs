//! Columns and diagnostics of storage units.

use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, new_diagnostic, plain};
use wattbook_network::analysis::{AnalysisNetwork, ElementRef, Storage, StorageModel};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::Message;

/// Power that each storage unit injects, in the unit of `base`; NaN where a unit or its bus takes no part. `injected` is per unit, by the rows
/// of those that inject. Empty for a network without storage.
pub(crate) fn powers(
    network: &AnalysisNetwork,
    takes_part: impl Fn(usize) -> bool,
    injected: impl Iterator<Item = (usize, f64)>,
) -> Vec<f64> {
    let storages = network.storages.iter();
    let idle = |storage: &Storage| {
        if storage.in_service && takes_part(storage.bus) {
            0.0
        } else {
            f64::NAN
        }
    };
    let mut powers: Vec<f64> = storages.map(idle).collect();
    for (row, pu) in injected {
        if !powers[row].is_nan() {
            powers[row] = plain(pu * network.base_mva);
        }
    }
    powers
}

/// The columns of held powers in a power flow.
pub(crate) fn held_columns(
    network: &AnalysisNetwork,
    takes_part: impl Fn(usize) -> bool + Copy,
    has_reactive: bool,
) -> Vec<Column> {
    let of = |pu: fn(&Storage) -> f64| {
        let injecting = network.storages_injecting();
        powers(network, takes_part, injecting.map(|(row, storage)| (row, pu(storage))))
    };
    columns(
        network,
        of(|storage| storage.p_pu),
        has_reactive.then(|| of(|storage| storage.q_pu)),
    )
}

/// The columns of powers, MW and MVAr, and of the prices between which no unit trades; none for a network without storage.
pub(crate) fn columns(network: &AnalysisNetwork, mw: Vec<f64>, mvar: Option<Vec<f64>>) -> Vec<Column> {
    if mw.is_empty() {
        return Vec::new();
    }
    let bands: Vec<[f64; 2]> = network
        .storages
        .iter()
        .map(|storage| storage.price_band().unwrap_or([f64::NAN; 2]))
        .collect();
    let mut columns = vec![Column::new(ColumnName::StorageMw, mw)];
    columns.extend(mvar.map(|mvar| Column::new(ColumnName::StorageMvar, mvar)));
    columns.push(Column::new(
        ColumnName::StorageChargesBelow,
        bands.iter().map(|band| band[0]).collect(),
    ));
    columns.push(Column::new(
        ColumnName::StorageDischargesAbove,
        bands.iter().map(|band| band[1]).collect(),
    ));
    columns
}

/// Why storage is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holding {
    /// Power flows hold all powers.
    Scheduled,
    /// An optimisation in which storage is not valued.
    NotValued,
    /// An optimisation in which storage with an energy value is valued.
    WithoutValue,
}

impl Holding {
    /// Of an optimisation.
    pub fn of(options: &c::SolveOptions) -> Self {
        match options.storage {
            Some(c::StorageOption::Valued) => Self::WithoutValue,
            Some(c::StorageOption::Held) | None => Self::NotValued,
        }
    }
}

/// A diagnostic that storage is held; `None` if no unit in service is.
pub(crate) fn held(network: &AnalysisNetwork, holding: Holding) -> Option<c::Diagnostic> {
    let is_held = |storage: &&Storage| storage.in_service && storage.model == StorageModel::Held;
    let storages: Vec<&Storage> = network.storages.iter().filter(is_held).collect();
    let first = *storages.first()?;
    let storage = ElementRef::from(first);
    let total: f64 = storages.iter().map(|storage| storage.p_pu).sum::<f64>() * network.base_mva;
    let (count, power) = (storages.len(), power(total));
    let bus = network.buses[first.bus].id.to_string();
    let message = match holding {
        Holding::Scheduled => message!(
            "result.storage_scheduled",
            count = count,
            storage = &storage,
            bus = bus,
            power = power
        ),
        Holding::NotValued => message!(
            "result.storage_held",
            count = count,
            storage = &storage,
            bus = bus,
            power = power
        ),
        Holding::WithoutValue => {
            message!(
                "result.storage_without_value",
                count = count,
                storage = &storage,
                bus = bus,
                power = power
            )
        }
    };
    Some(new_diagnostic("STORAGE.HELD", &message, Some(element(&storage))))
}

fn power(mw: f64) -> Message {
    let size = mw_exact(mw.abs());
    match mw {
        mw if mw > 0.0 => message!("storage.discharging", power = size),
        mw if mw < 0.0 => message!("storage.charging", power = size),
        _ => message!("storage.idle", power = size),
    }
}
