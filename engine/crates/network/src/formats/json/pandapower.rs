//! Fences around the reader of pandapower networks. It leaves out switches, which is right only for closed ones at a line or
//! transformer, and reads the output of external grids and the set-points of static generators from results alone.

use std::collections::HashMap;

use powerio::network::{BusId, BusType};
use powerio::BalancedNetwork;
use serde_json::Value;

use crate::error::{EngineError, Result};
use crate::message;
use crate::union_find::components;

/// Refuses switches that change the network: open ones, and those between two buses.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` naming the row of the switch table.
pub(super) fn refuse_switches(text: &str) -> Result<()> {
    let Ok(document) = serde_json::from_str::<Value>(text) else {
        return Ok(()); // the parser says what is wrong
    };
    let Some(frame) = document.pointer("/_object/switch/_object") else {
        return Ok(());
    };
    // pandapower writes the table as JSON inside a string.
    let table = match frame {
        Value::String(inner) => serde_json::from_str(inner).unwrap_or(Value::Null),
        other => other.clone(),
    };
    let columns = table["columns"].as_array().map_or(&[][..], Vec::as_slice);
    let column = |name: &str| columns.iter().position(|c| c == name);
    let (Some(kind), Some(closed)) = (column("et"), column("closed")) else {
        return Ok(());
    };
    for (row, values) in table["data"].as_array().into_iter().flatten().enumerate() {
        let said = match (values[kind].as_str(), values[closed].as_bool()) {
            (Some("b"), _) => message!("pandapower.bus_switch", row = row),
            (_, Some(true)) => continue,
            _ => message!("pandapower.open_switch", row = row),
        };
        return Err(EngineError::new("PHYSICS.UNSUPPORTED", said));
    }
    Ok(())
}

/// What pandapower leaves to its power flow: an external grid has no output in a network that is not solved, and a static generator
/// holds no voltage. Without output, reference generators are scheduled for what the demand of their island lacks, in equal shares;
/// static generators get the set-point of the generator that holds the voltage of their bus, and where none does nothing holds it.
pub(super) fn complete(net: &mut BalancedNetwork) {
    schedule_references(net);
    let held: HashMap<BusId, f64> = net
        .generators()
        .iter()
        .filter(|g| g.in_service && g.voltage_regulation_on)
        .map(|g| (g.bus, g.vg))
        .collect();
    for generator in net.generators_mut() {
        if let (false, Some(&set_point)) = (generator.voltage_regulation_on, held.get(&generator.bus)) {
            generator.vg = set_point;
        }
    }
    for bus in net.buses_mut() {
        if bus.kind == BusType::Pv && !held.contains_key(&bus.id) {
            bus.kind = BusType::Pq;
        }
    }
}

fn schedule_references(net: &mut BalancedNetwork) {
    let rows: HashMap<BusId, usize> = net.buses().iter().enumerate().map(|(row, bus)| (bus.id, row)).collect();
    let connected = net
        .branches()
        .iter()
        .filter(|branch| branch.in_service)
        .filter_map(|branch| Some((*rows.get(&branch.from)?, *rows.get(&branch.to)?)));
    let island = components(rows.len(), connected);
    let island_of = |bus: &BusId| rows.get(bus).map(|&row| island[row]);
    let mut missing_mw = vec![0.0; rows.len()];
    let mut count = |bus: &BusId, mw: f64| {
        if let Some(island) = island_of(bus) {
            missing_mw[island] += mw;
        }
    };
    net.loads()
        .iter()
        .filter(|load| load.in_service)
        .for_each(|load| count(&load.bus, load.p));
    net.shunts()
        .iter()
        .filter(|shunt| shunt.in_service)
        .for_each(|shunt| count(&shunt.bus, shunt.g));
    net.generators()
        .iter()
        .filter(|g| g.in_service)
        .for_each(|g| count(&g.bus, -g.pg));
    let is_reference = |bus: &BusId| rows.get(bus).is_some_and(|&row| net.buses()[row].kind == BusType::Ref);
    let unscheduled: Vec<(usize, usize)> = net
        .generators()
        .iter()
        .enumerate()
        .filter(|(_, g)| g.in_service && g.voltage_regulation_on && g.pg == 0.0 && is_reference(&g.bus))
        .filter_map(|(row, g)| Some((row, island_of(&g.bus)?)))
        .collect();
    let mut shares = vec![0.0; rows.len()];
    unscheduled.iter().for_each(|&(_, island)| shares[island] += 1.0);
    for (row, island) in unscheduled {
        net.generators_mut()[row].pg = missing_mw[island] / shares[island];
    }
}
