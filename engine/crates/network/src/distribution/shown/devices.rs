//! Equipment at each bus, as in the source: loads, capacitors, sources and others.

use powerio::dist::{MulticonductorNetwork, UntypedObject};
use std::collections::BTreeSet;

use crate::distribution::elements::fold::{original, Fold};
use crate::distribution::elements::service::Service;
use crate::distribution::shown::counts::Shunt;
use crate::distribution::shown::warnings::is_disabled;
use crate::distribution::{DistributionDevice, DistributionDeviceKind as Kind};

/// Devices by bus of the graph, in source order within a kind, including those out of service.
pub(super) fn by_bus(net: &MulticonductorNetwork, fold: &Fold, service: &Service) -> Vec<Vec<DistributionDevice>> {
    let mut devices = Devices {
        fold,
        of: vec![Vec::new(); fold.buses.len()],
    };
    for s in net.sources() {
        // A source with an impedance has its voltage at an internal bus, and a line leads to its own bus.
        let internal = net
            .lines()
            .iter()
            .find(|l| !fold.is_line(&l.name) && l.bus_from.eq_ignore_ascii_case(&s.bus));
        let (bus, terminals) = internal.map_or((&s.bus, &s.terminal_map), |l| (&l.bus_to, &l.terminal_map_to));
        let in_service = service.has("vsource", &s.name, &s.extras);
        devices.add(Kind::Source, &s.name, bus, terminals, in_service);
    }
    for l in net.loads() {
        // The parser converts storage and similar elements to loads.
        match original(&l.extras).and_then(|written| written.split_once('.')) {
            Some((_, name)) => devices.add(Kind::Storage, name, &l.bus, &l.terminal_map, true),
            None => {
                let in_service = service.has("load", &l.name, &l.extras);
                devices.add(Kind::Load, &l.name, &l.bus, &l.terminal_map, in_service);
            }
        }
    }
    for g in net.generators() {
        let in_service = service.has("generator", &g.name, &g.extras);
        devices.add(Kind::Generator, &g.name, &g.bus, &g.terminal_map, in_service);
    }
    for i in net.ibrs() {
        let in_service = service.has("pvsystem", &i.name, &i.extras);
        devices.add(Kind::Inverter, &i.name, &i.bus, &i.terminal_map, in_service);
    }
    for c in net.capacitors() {
        let in_service = service.has("capacitor", &c.name, &c.extras);
        devices.add(Kind::Capacitor, &c.name, &c.bus, &c.terminal_map, in_service);
    }
    for s in net.shunts().iter().filter(|s| fold.is_shunt(&s.name)) {
        let (class, name) = original(&s.extras)
            .and_then(|written| written.split_once('.'))
            .unwrap_or(("", &s.name));
        let kind = match (class, Shunt::of(s)) {
            ("generator", _) => Kind::Generator,
            (_, Shunt::Capacitor) => Kind::Capacitor,
            (_, Shunt::Reactor) => Kind::Reactor,
            (_, Shunt::Other) => Kind::Shunt,
        };
        let class = match kind {
            Kind::Reactor => "reactor",
            _ if class.is_empty() => "capacitor",
            _ => class,
        };
        let in_service = service.has(class, name, &s.extras);
        devices.add(kind, name, &s.bus, &s.terminal_map, in_service);
    }
    for object in net.untyped_objects() {
        devices.add_untyped(object, service);
    }
    devices.of
}

struct Devices<'a> {
    fold: &'a Fold,
    of: Vec<Vec<DistributionDevice>>,
}

impl Devices<'_> {
    fn add(&mut self, kind: Kind, id: &str, bus: &str, terminals: &[String], in_service: bool) {
        if let Some(row) = self.fold.row(bus) {
            self.of[row].push(DistributionDevice {
                kind,
                id: id.to_owned(),
                terminals: terminals.to_vec(),
                in_service,
            });
        }
    }

    /// Adds equipment that the parser stores as text, at the bus of its first terminal.
    fn add_untyped(&mut self, object: &UntypedObject, service: &Service) {
        let kind = match object.class.to_ascii_lowercase().as_str() {
            "generator" | "indmach012" => Kind::Generator,
            "pvsystem" => Kind::Inverter,
            "storage" => Kind::Storage,
            "capacitor" => Kind::Capacitor,
            "reactor" => Kind::Reactor,
            "vsource" => Kind::Source,
            _ => return,
        };
        let bus1 = |(name, _): &&(Option<String>, String)| name.as_deref() == Some("bus1");
        let Some((_, written)) = object.props.iter().rev().find(bus1) else {
            return;
        };
        let mut parts = written.trim().split('.');
        let bus = parts.next().unwrap_or_default();
        let terminals: Vec<String> = parts.map(str::to_owned).collect();
        self.add(kind, &object.name, bus, &terminals, !is_disabled(object, service));
    }
}

/// Lower-case names of the transformers whose taps a regulator control changes.
pub(super) fn regulated(net: &MulticonductorNetwork, service: &Service) -> BTreeSet<String> {
    let of_script = net
        .untyped_objects()
        .iter()
        .filter(|o| o.class.eq_ignore_ascii_case("regcontrol") && !is_disabled(o, service))
        .filter_map(|o| {
            let named = |(name, _): &&(Option<String>, String)| name.as_deref() == Some("transformer");
            let first = || o.props.first().filter(|(name, _)| name.is_none());
            let (_, target) = o.props.iter().rev().find(named).or_else(first)?;
            Some(target.trim().to_lowercase())
        });
    let of_document = net
        .transformers()
        .iter()
        .filter(|t| t.extras.contains_key("controls"))
        .map(|t| t.name.to_lowercase());
    of_script.chain(of_document).collect()
}
