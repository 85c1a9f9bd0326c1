//! Corrections of the reader's network: impedance corrections, switching devices, and the location of magnetising
//! admittances.

use powerio::{BalancedNetwork, Branch, BusId, LoadVoltageModel, Shunt};

use super::records::Records;
use crate::identifiers::keep_units;
use crate::switches;

/// Completes the network of a file.
pub(super) fn complete(net: &mut BalancedNetwork, records: &Records<'_>) {
    net.apply_impedance_correction();
    magnetise_at_winding_1(net);
    add_switches(net, records);
    let machines = || records.of("GENERATOR").iter().map(|entry| &entry.head);
    keep_units(net, machines().map(|machine| machine.text("ID")));
    for (generator, machine) in net.generators_mut().iter_mut().zip(machines()) {
        generator.voltage_regulation_on &= machine.regulates;
        generator.regulated_bus = generator.regulated_bus.filter(|bus| *bus != generator.bus);
    }
    for load in net.loads_mut().iter_mut() {
        if !depends_on_voltage(&load.voltage_model) {
            load.voltage_model = None;
        } else if let Some(LoadVoltageModel::Zip { scaling, load_type, .. }) = &mut load.voltage_model {
            // SCALE controls the scaling of loads; extras contain both values for the writer.
            (*scaling, *load_type) = (None, None);
        }
    }
}

fn depends_on_voltage(model: &Option<LoadVoltageModel>) -> bool {
    match model {
        Some(LoadVoltageModel::Zip {
            p_constant_current,
            q_constant_current,
            p_constant_impedance,
            q_constant_impedance,
            ..
        }) => {
            let parts = [
                p_constant_current,
                q_constant_current,
                p_constant_impedance,
                q_constant_impedance,
            ];
            parts.iter().any(|part| **part != 0.0)
        }
        _ => false,
    }
}

/// PSS/E models the magnetising admittance of a three-winding transformer at the bus of its first winding, whereas star
/// equivalents have it at the star point.
fn magnetise_at_winding_1(net: &mut BalancedNetwork) {
    let base_mva = net.base_mva();
    let mut shunts = Vec::new();
    for transformer in net.transformers_3w_mut().iter_mut() {
        if transformer.mag_g == 0.0 && transformer.mag_b == 0.0 {
            continue;
        }
        let [g, b] = [transformer.mag_g * base_mva, transformer.mag_b * base_mva];
        let mut shunt = Shunt::new(transformer.windings[0].bus, g, b);
        shunt.in_service = transformer.in_service && transformer.winding_in_service()[0];
        shunts.push(shunt);
        (transformer.mag_g, transformer.mag_b) = (0.0, 0.0);
    }
    net.shunts_mut().extend(shunts);
}

/// Reactance up to which PSS/E treats a branch as without impedance if the file states none (`THRSHZ`), per unit.
const THRESHOLD: f64 = 1e-4;

/// Switching devices are branches, out of service if they are open. As in PSS/E, a reactance of at most `THRSHZ` is none.
fn add_switches(net: &mut BalancedNetwork, records: &Records<'_>) {
    if net.switches().is_empty() {
        return;
    }
    net.switches_mut().clear();
    let threshold = net.solver().as_ref().and_then(|solver| solver.zero_impedance_threshold);
    let threshold = threshold.unwrap_or(THRESHOLD);
    let devices = records.of("SYSTEM SWITCHING DEVICE").iter().map(|entry| &entry.head);
    let bus = |number: i64| BusId(usize::try_from(number).unwrap_or(0));
    let switches = devices.map(|device| {
        let ends = [bus(device.whole("I")), bus(device.whole("J"))];
        let mut branch = switches::branch(ends[0], ends[1], device.number("STAT") != 0.0);
        branch.x = Some(device.number("X")).filter(|x| x.abs() > threshold).unwrap_or(0.0);
        branch.rate_a = device.number("RATE1");
        branch.rate_b = device.number("RATE2");
        branch.rate_c = device.number("RATE3");
        branch.name = Some(device.text("NAME").to_string()).filter(|name| !name.is_empty());
        let circuit = device.text("CKT");
        if !matches!(circuit, "" | "1") {
            branch.extras.insert("id".into(), circuit.into());
        }
        branch
    });
    let switches: Vec<Branch> = switches.collect();
    net.branches_mut().extend(switches);
}
