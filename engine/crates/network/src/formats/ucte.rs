//! UCTE-DEF: nodes, lines, couplers and transformers of the continental European grid in fixed columns.
//!
//! "UCTE data exchange format for load flow and three phase short circuit studies", UCTE, revisions 2003.09.01 and
//! 2007.05.01. The parser reads the columns with the conventions of PowSyBl; here its network gets what it does not
//! transfer, and the warnings about controls that are held.

use powerio::network::TransformerControlMode;
use powerio::BalancedNetwork;

use crate::analysis::Warning;
use crate::assemble::generators::ENERGY_SOURCES;
use crate::message;

/// Completes the network of a file: ratings of couplers, A at the voltage of their nodes, and fuels of power plants.
pub(super) fn complete(net: &mut BalancedNetwork) {
    let base_kv: std::collections::HashMap<_, _> = net.buses().iter().map(|bus| (bus.id, bus.base_kv)).collect();
    if !net.switches().is_empty() {
        for coupler in net.switches_mut().iter_mut() {
            let kv = base_kv.get(&coupler.from).copied().unwrap_or(0.0);
            coupler.thermal_rating = coupler.current_rating.map(|a| 3f64.sqrt() * kv * a / 1000.0);
            if let Some(name) = coupler.extras.get("ucte_element_name").cloned() {
                coupler.extras.insert("name".into(), name);
            }
        }
    }
    for bus in net.buses_mut().iter_mut() {
        let fuel = match bus.extras.get("ucte_power_plant_type").and_then(|kind| kind.as_str()) {
            Some("L" | "C") => "coal",
            Some("G") => "gas",
            _ => continue,
        };
        bus.extras.insert(ENERGY_SOURCES.into(), serde_json::json!([fuel]));
    }
}

/// What the model assumes or holds.
pub(super) fn warnings(net: &BalancedNetwork) -> Vec<Warning> {
    let mut out = vec![Warning::new("INPUT.LIMITS_NOT_IN_FORMAT", message!("ucte.no_limits"))];
    let regulated = |wanted: TransformerControlMode| {
        let in_service = net.branches().iter().filter(|branch| branch.in_service);
        let controls = in_service.filter_map(|branch| branch.control.as_ref());
        controls.filter(|control| control.mode == wanted).count()
    };
    let taps = regulated(TransformerControlMode::Voltage);
    let angles = regulated(TransformerControlMode::ActiveFlow);
    if taps > 0 {
        out.push(Warning::new("INPUT.HELD", message!("psse.held_taps", count = taps)));
    }
    if angles > 0 {
        out.push(Warning::new("INPUT.HELD", message!("psse.held_angles", count = angles)));
    }
    out
}
