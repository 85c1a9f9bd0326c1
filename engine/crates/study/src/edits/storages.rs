//! Edits of storage units: status, held power, limits, efficiencies, energy and what it is worth.

use super::amounts::check_value;
use super::Edits;
use crate::case::Case;
use crate::contract::{self as c, StorageEdit};
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef, Storage};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message::Message;
use wattbook_network::{message, message_key, storage_fault, StorageValues};

/// Resolves keys of a case without edited values. Values that the unit has in the case are left out, so that an edit and its inverse are no
/// edit.
///
/// Errors: `STORAGE.UNKNOWN`, `STORAGE.MALFORMED` also for one that is named twice, `STORAGE.ISOLATED_BUS`.
pub(super) fn resolve(case: &Case, wanted: &c::StorageEdits) -> Result<BTreeMap<usize, StorageEdit>> {
    let network = &case.network;
    let mut edits = BTreeMap::new();
    for (key, edit) in wanted {
        let unknown = || EngineError::new("STORAGE.UNKNOWN", message!("edit.unknown_storage", key = key));
        let row = case.keys.storage(key).ok_or_else(unknown)?;
        let storage = &network.storages[row];
        check(network, storage, edit)?;
        if edits.insert(row, changed(network, storage, edit)).is_some() {
            let element = ElementRef::from(storage);
            let message = message!("edit.storage_twice", storage = &element);
            return Err(EngineError::new("STORAGE.MALFORMED", message).at(element));
        }
    }
    edits.retain(|_, edit| *edit != StorageEdit::default());
    Ok(edits)
}

/// Errors: `STORAGE.MALFORMED`, `STORAGE.ISOLATED_BUS`.
fn check(network: &AnalysisNetwork, storage: &Storage, edit: &StorageEdit) -> Result<()> {
    let element = ElementRef::from(storage);
    let malformed = |message| EngineError::new("STORAGE.MALFORMED", message).at(element.clone());
    check_amounts(&element, edit).map_err(malformed)?;
    if edit.status == Some(true) && !network.buses[storage.bus].in_service {
        let message = message!("edit.storage_isolated", storage = &element);
        return Err(EngineError::new("STORAGE.ISOLATED_BUS", message).at(element));
    }
    let mut edited = storage.clone();
    edited.set(&values(edit), network.base_mva);
    match check_row(&element, &edited, network.base_mva) {
        Err(message) if edited.in_service => Err(malformed(message)),
        _ => Ok(()),
    }
}

/// Errors: what is wrong with the first value that is no amount.
pub(super) fn check_amounts(element: &ElementRef, edit: &StorageEdit) -> std::result::Result<(), Message> {
    for (value, unit, quantity) in [
        (edit.p, "MW", message_key!("quantity.active_set_point")),
        (edit.q, "MVAr", message_key!("quantity.reactive_set_point")),
        (edit.p_charge_max, "MW", message_key!("quantity.charging_limit")),
        (edit.p_discharge_max, "MW", message_key!("quantity.discharging_limit")),
        (edit.charge_efficiency, "", message_key!("quantity.charge_efficiency")),
        (
            edit.discharge_efficiency,
            "",
            message_key!("quantity.discharge_efficiency"),
        ),
        (edit.energy, "MWh", message_key!("quantity.stored_energy")),
        (edit.energy_min, "MWh", message_key!("quantity.least_energy")),
        (edit.energy_max, "MWh", message_key!("quantity.energy_limit")),
        (edit.energy_value, "$/MWh", message_key!("quantity.energy_value")),
    ] {
        if let Some(value) = value {
            check_value(element, value, unit, quantity)?;
        }
    }
    Ok(())
}

/// Errors: what is wrong with the first value that no storage unit can have.
pub(super) fn check_row(element: &ElementRef, storage: &Storage, base: f64) -> std::result::Result<(), Message> {
    match storage_fault(storage, base) {
        Some((quantity, value)) => Err(message!(
            "edit.storage_value",
            storage = element,
            quantity = Message::of_key(quantity),
            value = value
        )),
        None => Ok(()),
    }
}

/// The values that differ from those of the case.
fn changed(network: &AnalysisNetwork, storage: &Storage, edit: &StorageEdit) -> StorageEdit {
    let base = network.base_mva;
    let other = |value: Option<f64>, pu: f64| value.filter(|value| value / base != pu);
    let other_share = |value: Option<f64>, own: f64| value.filter(|&value| value != own);
    StorageEdit {
        status: edit.status.filter(|&status| status != storage.in_service),
        p: other(edit.p, storage.p_pu),
        q: other(edit.q, storage.q_pu),
        p_charge_max: other(edit.p_charge_max, storage.charge_max_pu),
        p_discharge_max: other(edit.p_discharge_max, storage.discharge_max_pu),
        charge_efficiency: other_share(edit.charge_efficiency, storage.charge_efficiency),
        discharge_efficiency: other_share(edit.discharge_efficiency, storage.discharge_efficiency),
        energy: edit.energy.filter(|mwh| Some(mwh / base) != storage.energy_pu),
        energy_min: other(edit.energy_min, storage.energy_min_pu),
        energy_max: other(edit.energy_max, storage.energy_max_pu),
        energy_value: edit.energy_value.filter(|&value| Some(value) != storage.energy_value),
    }
}

/// Values as they are stored in the module of the case.
pub(super) fn values(edit: &StorageEdit) -> StorageValues {
    StorageValues {
        in_service: edit.status,
        p_mw: edit.p,
        q_mvar: edit.q,
        charge_max_mw: edit.p_charge_max,
        discharge_max_mw: edit.p_discharge_max,
        charge_efficiency: edit.charge_efficiency,
        discharge_efficiency: edit.discharge_efficiency,
        energy_mwh: edit.energy,
        energy_min_mwh: edit.energy_min,
        energy_max_mwh: edit.energy_max,
        energy_value: edit.energy_value,
    }
}

impl Edits {
    /// Edits of storage units by id.
    pub fn storages_by_id(&self, case: &Case) -> c::StorageEdits {
        let id = |row: usize| case.network.storages[row].id.to_string();
        let edits = self.network.storages.iter();
        edits.map(|(&row, edit)| (id(row), edit.clone())).collect()
    }

    /// Errors: `STORAGE.NO_PREVIEW` for a storage unit whose edit differs from that of another state.
    pub(super) fn check_storage_preview(&self, case: &Case, state: &Edits) -> Result<()> {
        let (own, other) = (&self.network.storages, &state.network.storages);
        let mut rows = own.keys().chain(other.keys());
        let Some(&row) = rows.find(|row| own.get(row) != other.get(row)) else {
            return Ok(());
        };
        let element = ElementRef::from(&case.network.storages[row]);
        let message = message!("edit.storage_preview", storage = &element);
        Err(EngineError::new("STORAGE.NO_PREVIEW", message).at(element))
    }
}
