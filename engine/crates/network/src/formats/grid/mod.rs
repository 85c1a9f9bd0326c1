//! Equipment in ohms, siemens and kilovolts as rows of the parser's network: what the readers of XIIDM and CGMES share.

mod branches;
mod supply;
mod units;

use std::collections::{BTreeMap, HashMap};

use powerio::{
    BalancedNetwork, Branch, Bus, BusId, BusType, CoordinateSpace, Generator, GeoMeta, Hvdc, Load, Shunt, SourceFormat,
    Storage,
};

use crate::analysis::Warning;
use crate::assemble::generators::ENERGY_SOURCES;
use crate::message;
use crate::message::{Message, Value};
use crate::switches;

pub(super) use branches::{Limits, Transformer, Windings};
pub(super) use units::{limits_at, HvdcEnd, HvdcLine, Unit};

/// MVA; the formats have no base of their own.
pub(super) const BASE_MVA: f64 = 100.0;

/// Where equipment is connected: the row of a bus, and whether the connection is closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terminal {
    pub bus: usize,
    pub connected: bool,
}

/// The identifier of an element in the file, and its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    pub id: &'a str,
    pub name: Option<&'a str>,
}

impl Named<'_> {
    fn shown(&self) -> &str {
        self.name.unwrap_or(self.id)
    }
}

/// Controls that are held, with the number of devices that have them.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub taps: usize,
    pub angles: usize,
    pub shunts: usize,
    pub reactive: usize,
    pub converters: usize,
    pub angle_droops: usize,
    pub slopes: usize,
    pub batteries: usize,
    pub losses: usize,
}

/// The rows of a network that is being read. Buses are rows counted from 0 whose numbers are one more.
#[derive(Debug, Default)]
pub(super) struct Grid {
    pub buses: Vec<Bus>,
    branches: Vec<Branch>,
    switches: Vec<Branch>,
    generators: Vec<Generator>,
    loads: Vec<Load>,
    shunts: Vec<Shunt>,
    storages: Vec<Storage>,
    links: Vec<Hvdc>,
    /// By bus: whether equipment there is connected although no branch ends at it.
    is_busbar: Vec<bool>,
    /// Generators of coal and gas, by row.
    fuels: HashMap<usize, &'static str>,
    pub held: Held,
    pub warnings: Vec<Warning>,
}

impl Grid {
    /// Adds a bus and returns its row. `is_busbar` is false for a node of a substation that is no busbar section.
    pub fn bus(&mut self, mut bus: Bus, is_busbar: bool) -> usize {
        let row = self.buses.len();
        bus.id = BusId(row + 1);
        self.buses.push(bus);
        self.is_busbar.push(is_busbar);
        row
    }

    /// Marks a node as a busbar section, whose names it has if it is the first.
    pub fn busbar(&mut self, row: usize, named: Named<'_>) {
        if !std::mem::replace(&mut self.is_busbar[row], true) {
            self.buses[row].uid = Some(named.id.to_string());
            self.buses[row].name = Some(named.shown().to_string());
        }
    }

    /// A bus for an inner point of equipment at another bus, with voltage limits that contain 0.9 to 1.1 pu.
    fn inner_bus(&mut self, at: usize, kv: f64, uid: String, name: String) -> usize {
        let at = &self.buses[at];
        let mut bus = Bus::new(BusId(0), BusType::Pq, kv);
        (bus.vmin, bus.vmax) = (at.vmin.min(bus.vmin), at.vmax.max(bus.vmax));
        (bus.area, bus.zone, bus.location) = (at.area, at.zone, at.location);
        (bus.vm, bus.va) = (at.vm, at.va);
        (bus.uid, bus.name) = (Some(uid), Some(name));
        self.bus(bus, true)
    }

    /// The number of branches in service at a bus.
    pub fn branches_at(&self, row: usize) -> usize {
        let id = self.id(row);
        let own = self.branches.iter().filter(|branch| branch.in_service);
        own.filter(|branch| branch.from == id || branch.to == id).count()
    }

    fn id(&self, row: usize) -> BusId {
        self.buses[row].id
    }

    pub fn kv(&self, row: usize) -> f64 {
        self.buses[row].base_kv
    }

    pub fn switch(&mut self, ends: [usize; 2], closed: bool, named: Named<'_>) {
        let mut branch = switches::branch(self.id(ends[0]), self.id(ends[1]), closed);
        branch.uid = Some(named.id.to_string());
        branch.name = Some(named.shown().to_string());
        self.switches.push(branch);
    }

    pub fn load(&mut self, at: Terminal, named: Named<'_>, [p, q]: [f64; 2]) -> &mut Load {
        let mut load = Load::new(self.id(at.bus), p, q);
        load.in_service = at.connected;
        load.uid = Some(named.id.to_string());
        let row = self.loads.len();
        self.loads.push(load);
        &mut self.loads[row]
    }

    /// Adds a shunt of a conductance and a susceptance in siemens.
    pub fn shunt(&mut self, at: Terminal, named: Named<'_>, [g, b]: [f64; 2]) {
        let square = self.kv(at.bus) * self.kv(at.bus);
        let mut shunt = Shunt::new(self.id(at.bus), g * square, b * square);
        shunt.in_service = at.connected;
        shunt.uid = Some(named.id.to_string());
        self.shunts.push(shunt);
    }

    pub fn warn(&mut self, code: &'static str, message: Message) {
        self.warnings.push(Warning::new(code, message));
    }

    /// One warning for the interchanges of areas, which nothing keeps.
    pub fn warn_interchanges(&mut self, areas: Vec<Value>) {
        if !areas.is_empty() {
            let message = message!("psse.held_interchange", count = areas.len(), areas = areas);
            self.warn("INPUT.HELD", message);
        }
    }

    /// One warning that names the kinds of elements that are not read.
    pub fn warn_ignored(&mut self, ignored: &BTreeMap<String, usize>) {
        if !ignored.is_empty() {
            let names: Vec<Value> = ignored.keys().map(Value::from).collect();
            let message = message!(
                "grid.elements_ignored",
                count = ignored.values().sum::<usize>(),
                names = names
            );
            self.warn("INPUT.FIELD_IGNORED", message);
        }
    }

    /// The network and its warnings. `slack` is the bus that the file has as slack.
    pub fn network(
        mut self,
        name: &str,
        format: SourceFormat,
        slack: Option<usize>,
    ) -> (BalancedNetwork, Vec<Warning>) {
        self.supply();
        self.kinds(slack);
        self.warn_held();
        let mut at_buses: BTreeMap<usize, Vec<serde_json::Value>> = BTreeMap::new();
        for (row, unit) in self.generators.iter().enumerate() {
            let fuel = self.fuels.get(&row);
            at_buses.entry(unit.bus.0 - 1).or_default().push(fuel.copied().into());
        }
        for (row, fuels) in at_buses {
            if fuels.iter().any(|fuel| !fuel.is_null()) {
                self.buses[row].extras.insert(ENERGY_SOURCES.into(), fuels.into());
            }
        }
        let mut net = BalancedNetwork::new(if name.is_empty() { "case" } else { name }, BASE_MVA);
        *net.source_format_mut() = format;
        if self.buses.iter().any(|bus| bus.location.is_some()) {
            let space = CoordinateSpace::Geographic { crs: None };
            *net.geo_mut() = Some(GeoMeta { space, kind: None });
        }
        *net.buses_mut() = self.buses;
        *net.branches_mut() = self.branches;
        net.branches_mut().extend(self.switches);
        *net.generators_mut() = self.generators;
        *net.loads_mut() = self.loads;
        *net.shunts_mut() = self.shunts;
        *net.storage_mut() = self.storages;
        *net.hvdc_mut() = self.links;
        (net, self.warnings)
    }

    fn warn_held(&mut self) {
        let held = std::mem::take(&mut self.held);
        let mut warn = |count: usize, message: Message| {
            if count > 0 {
                self.warnings.push(Warning::new("INPUT.HELD", message));
            }
        };
        warn(held.taps, message!("psse.held_taps", count = held.taps));
        warn(held.angles, message!("psse.held_angles", count = held.angles));
        warn(held.shunts, message!("grid.held_shunts", count = held.shunts));
        warn(held.reactive, message!("grid.held_reactive", count = held.reactive));
        warn(
            held.converters,
            message!("grid.held_converters", count = held.converters),
        );
        warn(
            held.angle_droops,
            message!("grid.held_angle_droops", count = held.angle_droops),
        );
        warn(held.slopes, message!("grid.held_slopes", count = held.slopes));
        warn(held.batteries, message!("grid.held_batteries", count = held.batteries));
        warn(held.losses, message!("grid.held_losses", count = held.losses));
    }
}
