//! A solved PSLF case: the network that is read has the voltages of the file.

use crate::data;
use wattbook_network::ingest_case;

/// `epc/Sample18Bus.epc` of the data folder, solved by PSLF to 0.1 MW: its loads are constant admittances stated in MW at 1 pu, its
/// transformers stand on bases of their own. At the voltages of the file every bus is in balance.
#[test]
fn a_case_that_pslf_solved_is_in_balance_at_its_voltages() {
    let Some(folder) = data::folder() else { return };
    let bytes = std::fs::read(folder.join("epc/Sample18Bus.epc")).expect("the file");
    let read = ingest_case(&bytes, "pslf").expect("a case");
    let (net, base) = (&read.network, read.network.base_mva);
    let module: serde_json::Value = serde_json::from_str(&read.module_json).expect("a module");
    let voltage: Vec<[f64; 2]> = net
        .buses
        .iter()
        .map(|bus| [bus.vm_pu * bus.va_rad.cos(), bus.vm_pu * bus.va_rad.sin()])
        .collect();
    let product = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let mut active = vec![0.0; net.buses.len()];
    let mut reactive = vec![0.0; net.buses.len()];
    for branch in net.branches.iter().filter(|branch| branch.in_service) {
        let z2 = branch.r_pu * branch.r_pu + branch.x_pu * branch.x_pu;
        let y = [branch.r_pu / z2, -branch.x_pu / z2];
        let half = module["value"]["data"]["branches"][branch.id as usize - 1]["b"]
            .as_f64()
            .expect("charging")
            / 2.0;
        let (from, to) = (voltage[branch.from], voltage[branch.to]);
        let inner = [from[0] / branch.tap, from[1] / branch.tap];
        for (row, own, other) in [(branch.from, inner, to), (branch.to, to, inner)] {
            let current = product(y, [own[0] - other[0], own[1] - other[1]]);
            let current = [current[0] - half * own[1], current[1] + half * own[0]];
            active[row] += base * (own[0] * current[0] + own[1] * current[1]);
            reactive[row] += base * (own[1] * current[0] - own[0] * current[1]);
        }
    }
    for unit in &net.generators {
        active[unit.bus] -= base * unit.pg_pu;
        reactive[unit.bus] -= base * unit.qg_pu;
        assert_eq!(
            unit.vset_pu, net.buses[unit.bus].vm_pu,
            "a unit holds its scheduled voltage"
        );
    }
    for load in module["value"]["data"]["loads"].as_array().expect("loads") {
        let row = net
            .buses
            .iter()
            .position(|bus| Some(bus.id) == load["bus"].as_u64())
            .expect("a bus");
        let model = &load["voltage_model"];
        assert_eq!(model["p_constant_impedance"], load["p"]);
        active[row] += load["p"].as_f64().expect("MW") * net.buses[row].vm_pu.powi(2);
    }
    for (row, bus) in net.buses.iter().enumerate() {
        let (p, q) = (active[row], reactive[row]);
        assert!(p.abs() < 0.15 && q.abs() < 0.15, "bus {}: {p} MW, {q} MVAr", bus.id);
    }
}
