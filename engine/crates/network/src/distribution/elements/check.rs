//! Faults that no network may have: no elements, unknown ends, numbers that are not finite, duplicate bus names.

use powerio::dist::MulticonductorNetwork;
use std::collections::{BTreeMap, BTreeSet};

use crate::distribution::elements::fold::Fold;
use crate::distribution::refuse;
use crate::error::{EngineError, Result};
use crate::message::{written, Message};
use crate::{message, message_key};

/// # Errors
/// `INPUT.NO_EQUIPMENT`, `INPUT.DUPLICATE_ELEMENT`, `INPUT.UNKNOWN_BUS`, `INPUT.NOT_FINITE`.
pub(crate) fn network(net: &MulticonductorNetwork, fold: &Fold) -> Result<()> {
    equipment(net, fold)?;
    references(net)?;
    numbers(net)
}

/// Requires equipment besides a source, and connections between several buses.
fn equipment(net: &MulticonductorNetwork, fold: &Fold) -> Result<()> {
    let buses = fold.buses.len();
    let connected = net.lines().len() - fold.source_lines + net.switches().len() + net.transformers().len();
    let at_buses =
        net.loads().len() + net.generators().len() + net.ibrs().len() + net.shunts().len() + net.capacitors().len();
    if buses == 0 || connected + at_buses == 0 || (buses > 1 && connected == 0) {
        let message = message!(
            "feeder.no_equipment",
            buses = buses,
            edges = connected,
            equipment = at_buses
        );
        return Err(EngineError::new("INPUT.NO_EQUIPMENT", message));
    }
    Ok(())
}

/// Requires every end to be a bus of the network, and bus names to be unique in any letter case, since references
/// ignore case.
///
/// # Errors
/// `INPUT.DUPLICATE_ELEMENT`, `INPUT.UNKNOWN_BUS`.
pub(crate) fn references(net: &MulticonductorNetwork) -> Result<()> {
    let mut buses: BTreeMap<String, ()> = BTreeMap::new();
    for bus in net.buses() {
        if buses.insert(bus.id.to_lowercase(), ()).is_some() {
            let message = message!("feeder.bus_twice", bus = &bus.id);
            return Err(refuse("INPUT.DUPLICATE_ELEMENT", &format!("bus.{}", bus.id), message));
        }
    }
    for (class, name, bus) in ends(net) {
        if !buses.contains_key(&bus.to_lowercase()) {
            let element = format!("{class}.{name}");
            let message = message!("feeder.unknown_bus", element = &element, bus = bus);
            return Err(refuse("INPUT.UNKNOWN_BUS", &element, message));
        }
    }
    for (class, names) in named(net) {
        let mut seen = BTreeSet::new();
        if let Some(name) = names.into_iter().find(|name| !seen.insert(*name)) {
            let element = format!("{class}.{name}");
            let message = message!("feeder.element_twice", element = &element);
            return Err(refuse("INPUT.DUPLICATE_ELEMENT", &element, message));
        }
    }
    Ok(())
}

/// Class, name and bus of every end of every element.
fn ends(net: &MulticonductorNetwork) -> Vec<(&'static str, &str, &str)> {
    let mut out: Vec<(&'static str, &str, &str)> = Vec::new();
    for l in net.lines() {
        out.extend([("line", &*l.name, &*l.bus_from), ("line", &l.name, &l.bus_to)]);
    }
    for s in net.switches() {
        out.extend([("switch", &*s.name, &*s.bus_from), ("switch", &s.name, &s.bus_to)]);
    }
    for t in net.transformers() {
        out.extend(t.windings.iter().map(|w| ("transformer", &*t.name, &*w.bus)));
    }
    out.extend(net.loads().iter().map(|e| ("load", &*e.name, &*e.bus)));
    out.extend(net.generators().iter().map(|e| ("generator", &*e.name, &*e.bus)));
    out.extend(net.ibrs().iter().map(|e| ("inverter", &*e.name, &*e.bus)));
    out.extend(net.shunts().iter().map(|e| ("shunt", &*e.name, &*e.bus)));
    out.extend(net.capacitors().iter().map(|e| ("capacitor", &*e.name, &*e.bus)));
    out.extend(net.sources().iter().map(|e| ("source", &*e.name, &*e.bus)));
    out
}

/// Names by class. Shunts are excluded because OpenDSS permits a capacitor and a reactor of the same name.
fn named(net: &MulticonductorNetwork) -> [(&'static str, Vec<&str>); 6] {
    [
        ("line", net.lines().iter().map(|e| &*e.name).collect()),
        ("switch", net.switches().iter().map(|e| &*e.name).collect()),
        ("transformer", net.transformers().iter().map(|e| &*e.name).collect()),
        ("load", net.loads().iter().map(|e| &*e.name).collect()),
        ("generator", net.generators().iter().map(|e| &*e.name).collect()),
        ("source", net.sources().iter().map(|e| &*e.name).collect()),
    ]
}

/// Checks the numbers that are displayed or that a drawing needs.
fn numbers(net: &MulticonductorNetwork) -> Result<()> {
    let check = |class: &str, name: &str, quantity: &'static str, values: &[f64]| {
        let Some(value) = values.iter().find(|v| !v.is_finite()) else {
            return Ok(());
        };
        let element = format!("{class}.{name}");
        let message = message!(
            "feeder.not_finite",
            element = &element,
            quantity = Message::of_key(quantity),
            value = written(value)
        );
        Err(refuse("INPUT.NOT_FINITE", &element, message))
    };
    let f = net.base_frequency();
    check(
        "circuit",
        net.name().as_deref().unwrap_or_default(),
        message_key!("quantity.base_frequency"),
        &[f],
    )?;
    for e in net.lines() {
        check("line", &e.name, message_key!("quantity.length"), &[e.length])?;
        for p in e.route.iter().flatten() {
            check("line", &e.name, message_key!("quantity.route_point"), &[p.x, p.y])?;
        }
    }
    for e in net.loads() {
        check("load", &e.name, message_key!("quantity.active_power"), &e.p_nom)?;
        check("load", &e.name, message_key!("quantity.reactive_power"), &e.q_nom)?;
    }
    for e in net.generators() {
        check("generator", &e.name, message_key!("quantity.active_power"), &e.p_nom)?;
        check("generator", &e.name, message_key!("quantity.reactive_power"), &e.q_nom)?;
    }
    for e in net.ibrs() {
        check(
            "inverter",
            &e.name,
            message_key!("quantity.available_power"),
            e.p_avail.as_slice(),
        )?;
        check(
            "inverter",
            &e.name,
            message_key!("quantity.power_limit"),
            e.p_max.as_deref().unwrap_or_default(),
        )?;
    }
    for e in net.sources() {
        check("source", &e.name, message_key!("quantity.voltage"), &e.v_magnitude)?;
    }
    for e in net.transformers() {
        for w in &e.windings {
            check(
                "transformer",
                &e.name,
                message_key!("quantity.winding"),
                &[w.v_ref, w.s_rating],
            )?;
        }
    }
    let total: f64 = net.loads().iter().flat_map(|l| l.p_nom.iter()).sum();
    check(
        "circuit",
        net.name().as_deref().unwrap_or_default(),
        message_key!("quantity.total_load"),
        &[total],
    )
}
