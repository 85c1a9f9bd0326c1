//! Storage units.

use powerio::{BalancedNetwork, SourceFormat, Storage as ModuleStorage};
use serde_json::Value as Json;

use crate::analysis::{Bus, Storage, StorageModel, Warning};
use crate::assemble::buses::BusIndex;
use crate::assemble::generators::limit;
use crate::assemble::{finite, source_uid};
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::message::amounts::plain;
use crate::message::{written, Message, Value};
use crate::{message, message_key};

/// Members of a module's row without a field in the parser's network: the value of stored energy, $/MWh, the least stored energy, MWh, and
/// whether the stored energy is unknown.
pub(crate) const ENERGY_VALUE: &str = "wattbook_energy_value";
pub(crate) const ENERGY_MIN: &str = "wattbook_energy_min";
pub(crate) const ENERGY_UNKNOWN: &str = "wattbook_energy_unknown";

/// The sign with which the power of a row is injected. Storage of PowerModels (`constraint_power_balance`), also in its tables for MATPOWER,
/// and of pandapower has the power that it takes from its bus, that of others the power that it injects.
pub(crate) fn sign(format: SourceFormat) -> f64 {
    match format {
        SourceFormat::Matpower
        | SourceFormat::PowerModelsJson
        | SourceFormat::PandapowerJson
        | SourceFormat::EgretJson => -1.0,
        _ => 1.0,
    }
}

/// One warning for fields of PowerModels' storage that no formulation has: series impedances, and ratings in terms of current.
pub(crate) fn ignored(net: &BalancedNetwork) -> Option<Warning> {
    let has_more =
        |s: &&ModuleStorage| s.in_service && (s.r != 0.0 || s.current_rating.is_some_and(|rating| rating > 0.0));
    let units: Vec<ElementRef> = net
        .storage()
        .iter()
        .enumerate()
        .filter(|(_, s)| has_more(s))
        .map(|(row, s)| element(net, row, s))
        .collect();
    (!units.is_empty()).then(|| {
        let message = message!("case.storage_fields", count = units.len(), storages = units);
        Warning::new("INPUT.FIELD_IGNORED", message)
    })
}

fn element(net: &BalancedNetwork, row: usize, s: &ModuleStorage) -> ElementRef {
    ElementRef::new(ElementKind::Storage, row as u64 + 1, source_uid(net, &s.uid))
}

/// Storage units in source order, per unit. One at an isolated bus is out of service.
///
/// # Errors
/// `INPUT.STORAGE` for powers and energies below zero, efficiencies outside (0, 1] and energy limits that cross; `INPUT.NOT_FINITE`,
/// `INPUT.UNKNOWN_BUS`.
pub(crate) fn read(net: &BalancedNetwork, index: &BusIndex, buses: &[Bus], base: f64) -> Result<Vec<Storage>> {
    let sign = sign(net.source_format());
    let unit = |(row, s): (usize, &ModuleStorage)| read_one(s, index, buses, [base, sign], element(net, row, s));
    net.storage().iter().enumerate().map(unit).collect()
}

fn read_one(
    s: &ModuleStorage,
    index: &BusIndex,
    buses: &[Bus],
    [base, sign]: [f64; 2],
    element: ElementRef,
) -> Result<Storage> {
    let bus = index.row_of(s.bus.0, &element)?;
    let in_service = s.in_service && buses[bus].in_service;
    let power = |value: f64, quantity| Ok(finite(value, quantity, &element)? / base);
    let most = |value: f64, quantity| Ok(limit(value, quantity, &element)? / base);
    let number = |name: &str| s.extras.get(name).and_then(Json::as_f64);
    let is_known = s.extras.get(ENERGY_UNKNOWN).and_then(Json::as_bool) != Some(true);
    let energy_pu = match is_known {
        true => Some(power(s.energy, message_key!("quantity.stored_energy"))?),
        false => None,
    };
    let storage = Storage {
        id: element.id,
        bus,
        in_service,
        p_pu: sign * power(s.ps, message_key!("quantity.active_set_point"))? + 0.0,
        q_pu: sign * power(s.qs, message_key!("quantity.reactive_set_point"))? + 0.0,
        charge_max_pu: most(s.charge_rating, message_key!("quantity.charging_limit"))?,
        discharge_max_pu: most(s.discharge_rating, message_key!("quantity.discharging_limit"))?,
        rating_pu: match s.thermal_rating {
            rating if rating > 0.0 => rating / base,
            _ => f64::INFINITY,
        },
        charge_efficiency: finite(
            s.charge_efficiency,
            message_key!("quantity.charge_efficiency"),
            &element,
        )?,
        discharge_efficiency: finite(
            s.discharge_efficiency,
            message_key!("quantity.discharge_efficiency"),
            &element,
        )?,
        loss_pu: power(s.p_loss, message_key!("quantity.loss"))?,
        energy_pu,
        energy_min_pu: number(ENERGY_MIN).unwrap_or(0.0) / base,
        // Formats without infinity write none as zero.
        energy_max_pu: match is_known || s.energy_rating != 0.0 {
            true => most(s.energy_rating, message_key!("quantity.energy_limit"))?,
            false => f64::INFINITY,
        },
        energy_value: number(ENERGY_VALUE),
        model: StorageModel::Held,
        uid: element.uid.clone(),
    };
    match fault(&storage, base) {
        Some((quantity, value)) if in_service => {
            let message = message!(
                "case.storage",
                storage = &element,
                bus = Value::from(s.bus.to_string()),
                quantity = Message::of_key(quantity),
                value = value
            );
            Err(EngineError::new("INPUT.STORAGE", message).at(element))
        }
        _ => Ok(storage),
    }
}

/// The first quantity of a storage unit outside its range, by message key, with its value; `base` in MVA.
pub fn fault(s: &Storage, base: f64) -> Option<(&'static str, Value)> {
    let number = |value: f64, unit: &str| written(plain(value, unit));
    let power = |pu: f64, quantity| (pu < 0.0).then(|| (quantity, number(pu * base, "MW")));
    let energy = |pu: f64, quantity| (quantity, number(pu * base, "MWh"));
    let share = |share: f64, quantity| (!(share > 0.0 && share <= 1.0)).then(|| (quantity, written(share)));
    power(s.charge_max_pu, message_key!("quantity.charging_limit"))
        .or_else(|| power(s.discharge_max_pu, message_key!("quantity.discharging_limit")))
        .or_else(|| power(s.loss_pu, message_key!("quantity.loss")))
        .or_else(|| share(s.charge_efficiency, message_key!("quantity.charge_efficiency")))
        .or_else(|| share(s.discharge_efficiency, message_key!("quantity.discharge_efficiency")))
        .or_else(|| (s.energy_min_pu < 0.0).then(|| energy(s.energy_min_pu, message_key!("quantity.least_energy"))))
        .or_else(|| {
            (s.energy_max_pu < s.energy_min_pu).then(|| energy(s.energy_max_pu, message_key!("quantity.energy_limit")))
        })
        .or_else(|| {
            let stored = s.energy_pu.filter(|stored| *stored < 0.0)?;
            Some(energy(stored, message_key!("quantity.stored_energy")))
        })
        .or_else(|| {
            let value = s.energy_value.filter(|value| !(*value >= 0.0 && value.is_finite()))?;
            Some((message_key!("quantity.energy_value"), number(value, "$/MWh")))
        })
}
