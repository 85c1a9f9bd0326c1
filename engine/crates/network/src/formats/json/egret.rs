//! EGRET: fuel costs, the reference bus of the system, and the members of a document that are read.

use powerio::{BalancedNetwork, BusId, BusType, Storage};
use serde_json::{json, Map, Value};

use super::ignored_members::{Layout, Table};
use crate::analysis::Warning;
use crate::assemble::storages::{ENERGY_MIN, ENERGY_UNKNOWN};
use crate::error::{EngineError, Result};
use crate::message;

pub(super) const LAYOUT: Layout = Layout {
    tables: &[
        Table {
            name: "bus",
            read: &[
                "base_kv",
                "matpower_bustype",
                "vm",
                "va",
                "v_min",
                "v_max",
                "area",
                "zone",
                "name",
            ],
            without_effect: &[
                "id",
                "lmp",
                "qlmp",
                "pl",
                "ql",
                "p_balance_violation",
                "q_balance_violation",
            ],
        },
        Table {
            name: "load",
            read: &["bus", "p_load", "q_load", "in_service"],
            without_effect: &["area", "zone", "owner"],
        },
        Table {
            name: "shunt",
            read: &["bus", "gs", "bs", "in_service"],
            without_effect: &["shunt_type"],
        },
        Table {
            name: "branch",
            read: &[
                "from_bus",
                "to_bus",
                "resistance",
                "reactance",
                "charging_susceptance",
                "branch_type",
                "in_service",
                "transformer_tap_ratio",
                "transformer_phase_shift",
                "rating_long_term",
                "angle_diff_min",
                "angle_diff_max",
            ],
            without_effect: &[
                "rating_short_term",
                "rating_emergency",
                "pf",
                "qf",
                "pt",
                "qt",
                "circuit",
                "distance",
            ],
        },
        Table {
            name: "generator",
            read: &[
                "bus",
                "pg",
                "qg",
                "vg",
                "p_min",
                "p_max",
                "q_min",
                "q_max",
                "in_service",
                "p_cost",
                "p_fuel",
                "fuel_cost",
            ],
            without_effect: &[
                "mbase",
                "generator_type",
                "unit_type",
                "fuel",
                "startup_cost",
                "shutdown_cost",
                "startup_fuel",
                "startup_curve",
                "ramp_agc",
                "ramp_10",
                "ramp_30",
                "ramp_q",
                "ramp_up_60min",
                "ramp_down_60min",
                "startup_capacity",
                "shutdown_capacity",
                "min_up_time",
                "min_down_time",
                "initial_status",
                "initial_p_output",
                "initial_q_output",
                "apf",
                "pc1",
                "pc2",
                "qc1_min",
                "qc1_max",
                "qc2_min",
                "qc2_max",
                "agc_capable",
                "fast_start",
                "area",
                "zone",
                "owner",
                "commitment",
                "rg",
                "headroom",
                "power_factor",
            ],
        },
        Table {
            name: "dc_branch",
            read: &[
                "from_bus",
                "to_bus",
                "in_service",
                "pf",
                "qf",
                "qt",
                "vf",
                "vt",
                "pmin",
                "pmax",
                "qminf",
                "qmaxf",
                "qmint",
                "qmaxt",
                "loss0",
                "loss_factor",
                "rating_long_term",
            ],
            without_effect: &["pt", "rating_short_term", "rating_emergency"],
        },
        Table {
            name: "storage",
            read: &[
                "bus",
                "in_service",
                "energy_capacity",
                "minimum_state_of_charge",
                "initial_state_of_charge",
                "max_charge_rate",
                "max_discharge_rate",
                "charge_efficiency",
                "discharge_efficiency",
                "p_charge",
                "p_discharge",
                "charge_cost",
                "discharge_cost",
            ],
            // Data of hours before and after this one.
            without_effect: &[
                "end_state_of_charge",
                "retention_rate_60min",
                "initial_charge_rate",
                "initial_discharge_rate",
                "min_charge_rate",
                "min_discharge_rate",
                "ramp_up_input_60min",
                "ramp_down_input_60min",
                "ramp_up_output_60min",
                "ramp_down_output_60min",
                "state_of_charge",
                "operational_cost",
                "area",
                "zone",
                "owner",
            ],
        },
    ],
    without_effect: &["area", "zone", "fuel_supply", "electrical_district"],
};

/// Converts fuel curves of units to costs in $/h, and gives links the limits of their ratings. Returns whether anything changed.
///
/// # Errors
/// `INPUT.COST` for a fuel curve without a price.
pub(super) fn prepare(elements: &mut Map<String, Value>) -> Result<bool> {
    let mut changed = limit_links(elements);
    let units = elements.get_mut("generator").and_then(Value::as_object_mut);
    for (name, unit) in units.into_iter().flatten() {
        let has = |member: &str| unit.get(member).is_some_and(|value| !value.is_null());
        if has("p_cost") || !has("p_fuel") {
            continue;
        }
        let Some(price) = unit.get("fuel_cost").and_then(Value::as_f64) else {
            let message = message!("document.fuel_price", generator = name.clone());
            return Err(EngineError::new("INPUT.COST", message));
        };
        let cost = unit.get("p_fuel").and_then(|curve| in_dollars(curve, price));
        if let (Some(cost), Some(unit)) = (cost, unit.as_object_mut()) {
            unit.insert("p_cost".into(), cost);
            changed = true;
        }
    }
    Ok(changed)
}

/// Adds the storage units of a document, which the parser leaves out, in the order of their names. Their power is that of a solution in the
/// document. What is absent: limits are zero, efficiencies one, and the stored energy is unknown.
///
/// # Errors
/// `INPUT.TABLE` for a bus that is not a number.
pub(super) fn add_storages(net: &mut BalancedNetwork, elements: &Map<String, Value>) -> Result<()> {
    let records = elements.get("storage").and_then(Value::as_object);
    let mut records: Vec<(&String, &Value)> = records.into_iter().flatten().collect();
    records.sort_by_key(|(name, _)| (name.len(), *name));
    for (name, record) in records {
        let number = |member: &str| record.get(member).and_then(Value::as_f64);
        let bus = match record.get("bus") {
            Some(Value::String(text)) => text.trim().parse::<usize>().ok(),
            other => other.and_then(Value::as_u64).map(|id| id as usize),
        };
        let Some(bus) = bus else {
            let message = message!("document.storage_bus", storage = name.clone());
            return Err(EngineError::new("INPUT.TABLE", message));
        };
        let mut storage = Storage::new(BusId(bus));
        storage.in_service = record.get("in_service").and_then(Value::as_bool) != Some(false);
        storage.ps = number("p_charge").unwrap_or(0.0) - number("p_discharge").unwrap_or(0.0);
        storage.charge_rating = number("max_charge_rate").unwrap_or(0.0);
        storage.discharge_rating = number("max_discharge_rate").unwrap_or(0.0);
        storage.charge_efficiency = number("charge_efficiency").unwrap_or(1.0);
        storage.discharge_efficiency = number("discharge_efficiency").unwrap_or(1.0);
        storage.energy_rating = number("energy_capacity").unwrap_or(f64::INFINITY);
        match (number("energy_capacity"), number("initial_state_of_charge")) {
            (Some(capacity), Some(charged)) => storage.energy = capacity * charged,
            _ => {
                storage.extras.insert(ENERGY_UNKNOWN.into(), true.into());
            }
        }
        if let (Some(capacity), Some(least)) = (number("energy_capacity"), number("minimum_state_of_charge")) {
            storage.extras.insert(ENERGY_MIN.into(), (capacity * least).into());
        }
        storage.uid = Some(name.clone());
        net.storage_mut().push(storage);
    }
    Ok(())
}

/// One warning for costs of charging and discharging, which belong to a dispatch over several hours.
pub(super) fn storage_costs(elements: &Map<String, Value>) -> Option<Warning> {
    let records = elements.get("storage").and_then(Value::as_object)?;
    let costs = |record: &&Value| {
        let cost = |member: &str| record.get(member).and_then(Value::as_f64).unwrap_or(0.0);
        cost("charge_cost") != 0.0 || cost("discharge_cost") != 0.0
    };
    let count = records.values().filter(costs).count();
    (count > 0).then(|| Warning::new("INPUT.LEFT_OUT", message!("document.storage_costs", count = count)))
}

/// Limits the power of a DC branch by its rating in both directions, unless the document has limits. Returns whether any
/// changed.
fn limit_links(elements: &mut Map<String, Value>) -> bool {
    let links = elements.get_mut("dc_branch").and_then(Value::as_object_mut);
    let mut changed = false;
    for link in links.into_iter().flatten().filter_map(|(_, link)| link.as_object_mut()) {
        let has_limits = ["pmin", "pmax"]
            .iter()
            .any(|limit| link.get(*limit).is_some_and(|v| !v.is_null()));
        let Some(rating) = link.get("rating_long_term").and_then(Value::as_f64) else {
            continue;
        };
        if !has_limits && rating >= 0.0 {
            link.insert("pmin".into(), json!(-rating));
            link.insert("pmax".into(), json!(rating));
            changed = true;
        }
    }
    changed
}

/// Converts a curve of fuel per hour over MW to a cost curve.
fn in_dollars(curve: &Value, price: f64) -> Option<Value> {
    let points = match curve {
        Value::Number(_) => return None,
        curve => curve.get("values")?.as_array()?,
    };
    let scaled: Option<Vec<Value>> = points
        .iter()
        .map(|point| Some(json!([point.get(0)?.as_f64()?, price * point.get(1)?.as_f64()?])))
        .collect();
    Some(json!({ "data_type": "cost_curve", "cost_curve_type": "piecewise", "values": scaled? }))
}

/// Sets the reference bus and its angle, which are system data, if no bus is marked as reference.
pub(super) fn set_reference(net: &mut BalancedNetwork, system: &Value) {
    let id = match system.get("reference_bus") {
        Some(Value::String(text)) => text.trim().parse::<usize>().ok(),
        Some(value) => value.as_u64().map(|id| id as usize),
        None => None,
    };
    let Some(row) = id.and_then(|id| net.buses().iter().position(|bus| bus.id.0 == id)) else {
        return;
    };
    let marked = net.buses().iter().any(|bus| bus.kind == BusType::Ref);
    let bus = &mut net.buses_mut()[row];
    if !marked && bus.kind != BusType::Isolated {
        bus.kind = BusType::Ref;
    }
    if let (BusType::Ref, Some(angle)) = (bus.kind, system.get("reference_bus_angle").and_then(Value::as_f64)) {
        bus.va = angle;
    }
}
