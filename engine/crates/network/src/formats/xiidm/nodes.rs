//! Voltage levels: their buses, or the nodes between their switches.

use std::collections::{BTreeSet, HashMap};

use powerio::{Bus, BusId, BusType, Location};

use super::elements::{number, required, text, whole};
use crate::error::{EngineError, Result};
use crate::formats::grid::{Grid, Named, Terminal};
use crate::formats::xml::Element;
use crate::message;
use crate::union_find::Groups;

/// A voltage level before its buses have rows.
struct Level {
    id: String,
    name: Option<String>,
    substation: Option<String>,
    area: usize,
    kv: f64,
    limits: [Option<f64>; 2],
    nodes: Option<Nodes>,
    buses: Vec<BusRow>,
}

#[derive(Default)]
struct Nodes {
    numbers: BTreeSet<i64>,
    connections: Vec<[i64; 2]>,
    busbars: Vec<(i64, BusRow)>,
    /// Voltage and angle of a node, if the file has a solution.
    voltages: HashMap<i64, [Option<f64>; 2]>,
}

struct BusRow {
    id: String,
    name: Option<String>,
    /// kV and degrees.
    voltage: [Option<f64>; 2],
}

#[derive(Default)]
pub(super) struct Levels {
    levels: Vec<Level>,
    index: HashMap<String, usize>,
    countries: Vec<String>,
    nodes: HashMap<(usize, i64), usize>,
    buses: HashMap<String, usize>,
    pub without_limits: usize,
}

impl Levels {
    /// Adds a voltage level with the buses and nodes of its topology.
    pub fn add(&mut self, element: &Element<'_>, substation: Option<&Element<'_>>) -> Result<()> {
        let id = text(element, "id")?;
        let kv = required(element, "nominalV")?;
        if !(kv > 0.0 && kv.is_finite()) {
            return Err(super::elements::refused(element, "nominalV"));
        }
        let country = substation.and_then(|substation| substation.attribute("country"));
        let area = match country {
            None => 1,
            Some(country) => 1 + self.country(country),
        };
        let mut level = Level {
            id: id.to_string(),
            name: owned(element.attribute("name")),
            substation: owned(substation.and_then(|substation| substation.attribute("id"))),
            area,
            kv,
            limits: [
                number(element, "lowVoltageLimit")?,
                number(element, "highVoltageLimit")?,
            ],
            nodes: None,
            buses: Vec::new(),
        };
        if let Some(topology) = element.child("busBreakerTopology") {
            for bus in topology.children.iter().filter(|child| child.name == "bus") {
                level.buses.push(bus_row(bus, text(bus, "id")?)?);
            }
        }
        if let Some(topology) = element.child("nodeBreakerTopology") {
            let mut nodes = Nodes::default();
            nodes.read(topology)?;
            for equipment in &element.children {
                nodes.numbers.extend(whole(equipment, "node")?);
            }
            level.nodes = Some(nodes);
        }
        if self.index.insert(level.id.clone(), self.levels.len()).is_some() {
            let message = message!("xiidm.twice", line = element.line, id = id);
            return Err(EngineError::new("INPUT.DUPLICATE_ELEMENT", message));
        }
        self.levels.push(level);
        Ok(())
    }

    fn country(&mut self, country: &str) -> usize {
        let found = self.countries.iter().position(|known| known == country);
        found.unwrap_or_else(|| {
            self.countries.push(country.to_string());
            self.countries.len() - 1
        })
    }

    /// Notes the nodes at which a branch ends.
    pub fn note_ends(&mut self, branch: &Element<'_>) -> Result<()> {
        for end in ["1", "2", "3"] {
            let Some(node) = whole(branch, &format!("node{end}"))? else {
                continue;
            };
            let level = branch.attribute(&format!("voltageLevelId{end}"));
            let level = level.and_then(|level| self.index.get(level));
            if let Some(nodes) = level.and_then(|level| self.levels[*level].nodes.as_mut()) {
                nodes.numbers.insert(node);
            }
        }
        Ok(())
    }

    /// Adds the buses of all levels. Nodes between which a connection is internal are one bus.
    pub fn create(&mut self, grid: &mut Grid, places: &HashMap<String, Location>) {
        for (row, level) in self.levels.iter().enumerate() {
            self.without_limits += usize::from(level.limits.contains(&None));
            let place = level.substation.as_ref().and_then(|id| places.get(id)).copied();
            let bus = |id: String, name: String, voltage: [Option<f64>; 2]| {
                let mut bus = Bus::new(BusId(0), BusType::Pq, level.kv);
                let [low, high] = level.limits.map(|limit| limit.map(|kv| kv / level.kv));
                (bus.vmin, bus.vmax) = (low.unwrap_or(bus.vmin), high.unwrap_or(bus.vmax));
                bus.vm = voltage[0].map_or(1.0, |kv| kv / level.kv);
                bus.va = voltage[1].unwrap_or(0.0);
                (bus.area, bus.location) = (level.area, place);
                (bus.uid, bus.name) = (Some(id), Some(name));
                bus
            };
            for stated in &level.buses {
                let name = stated.name.clone().unwrap_or_else(|| stated.id.clone());
                let at = grid.bus(bus(stated.id.clone(), name, stated.voltage), true);
                self.buses.insert(stated.id.clone(), at);
            }
            let Some(nodes) = &level.nodes else { continue };
            let numbers: Vec<i64> = nodes.numbers.iter().copied().collect();
            let at = |node: &i64| numbers.binary_search(node).unwrap_or(0);
            let mut groups = Groups::new(numbers.len());
            for [a, b] in &nodes.connections {
                groups.join(at(a), at(b));
            }
            for (k, number) in numbers.iter().enumerate() {
                let first = numbers[groups.first(k)];
                let bus = match self.nodes.get(&(row, first)) {
                    Some(bus) => *bus,
                    None => {
                        let shown = level.name.as_ref().unwrap_or(&level.id);
                        let voltage = nodes.voltages.get(&first).copied().unwrap_or_default();
                        let id = format!("{} node {first}", level.id);
                        grid.bus(bus(id, format!("{shown} node {first}"), voltage), false)
                    }
                };
                self.nodes.insert((row, *number), bus);
            }
            for (node, busbar) in &nodes.busbars {
                let name = busbar.name.as_deref();
                grid.busbar(self.nodes[&(row, *node)], Named { id: &busbar.id, name });
            }
        }
    }

    pub fn node(&self, level: &str, node: i64) -> Option<usize> {
        self.nodes.get(&(*self.index.get(level)?, node)).copied()
    }

    pub fn bus(&self, id: &str) -> Option<usize> {
        self.buses.get(id).copied()
    }

    /// Where an element is connected: `end` is the number of the end of a branch, or empty.
    pub fn terminal(&self, element: &Element<'_>, level: Option<&str>, end: &str) -> Result<Terminal> {
        let unknown = |id: &str| {
            let message = message!("xiidm.unknown", line = element.line, id = id);
            EngineError::new("INPUT.PARSE", message)
        };
        if let Some(node) = whole(element, &format!("node{end}"))? {
            let level = match level {
                Some(level) => level,
                None => text(element, &format!("voltageLevelId{end}"))?,
            };
            let bus = self.node(level, node).ok_or_else(|| unknown(level))?;
            return Ok(Terminal { bus, connected: true });
        }
        let connected = element.attribute(&format!("bus{end}"));
        let id = match connected {
            Some(id) => id,
            None => text(element, &format!("connectableBus{end}"))?,
        };
        let bus = self.bus(id).ok_or_else(|| unknown(id))?;
        let connected = connected.is_some();
        Ok(Terminal { bus, connected })
    }
}

impl Nodes {
    fn read(&mut self, topology: &Element<'_>) -> Result<()> {
        for child in &topology.children {
            match child.name {
                "busbarSection" => {
                    let node = node(child, "node")?;
                    self.numbers.insert(node);
                    self.busbars.push((node, bus_row(child, text(child, "id")?)?));
                }
                "switch" | "internalConnection" => {
                    let ends = [node(child, "node1")?, node(child, "node2")?];
                    self.numbers.extend(ends);
                    if child.name == "internalConnection" {
                        self.connections.push(ends);
                    }
                }
                "bus" => {
                    let voltage = [number(child, "v")?, number(child, "angle")?];
                    for number in text(child, "nodes")?.split(',') {
                        let node = number.trim().parse();
                        let node = node.map_err(|_| super::elements::refused(child, "nodes"))?;
                        self.voltages.insert(node, voltage);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn node(element: &Element<'_>, name: &str) -> Result<i64> {
    text(element, name)?;
    whole(element, name)?.ok_or_else(|| super::elements::refused(element, name))
}

fn bus_row(element: &Element<'_>, id: &str) -> Result<BusRow> {
    let voltage = [number(element, "v")?, number(element, "angle")?];
    let name = owned(element.attribute("name"));
    let id = id.to_string();
    Ok(BusRow { id, name, voltage })
}

fn owned(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(str::to_string)
}
