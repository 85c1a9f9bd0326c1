//! Node-breaker data of RAW files, from revision 34.
//!
//! A bus with several nodes becomes one bus for each of them, and the devices between nodes become system switching
//! devices, so that the positions of the switches decide which nodes are one. Equipment is at the node of its terminal.
//! The number of a bus remains with the node where most of its equipment is connected; the others have numbers above
//! those of the file.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::columns::{Layouts, Record, Setting};
use super::records::{Entry, Records};
use super::sections::{Line, Sections};
use crate::analysis::Warning;
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::input::psse_fields::{fields, is_unclosed, number, unquoted};
use crate::message;
use crate::union_find::components;

/// A bus made of a node.
pub(super) struct NodeBus {
    pub number: usize,
    /// The bus of the file.
    pub bus: usize,
    pub uid: String,
}

/// One substation of the file.
struct Substation<'a> {
    number: &'a str,
    nodes: BTreeMap<u64, Node<'a>>,
    devices: Vec<Device<'a>>,
    terminals: Vec<Terminal<'a>>,
}

struct Node<'a> {
    bus: i64,
    name: &'a str,
    in_service: bool,
    line: usize,
}

/// A switching device between two nodes.
struct Device<'a> {
    nodes: [u64; 2],
    line: Line<'a>,
}

/// An element at a node of a bus: `I, NI, TYPE`, followed by its other buses and its identifier.
struct Terminal<'a> {
    bus: i64,
    node: u64,
    kind: &'a str,
    key: Vec<&'a str>,
    line: usize,
}

/// A node by the position of its substation.
type Place = (usize, u64);

/// The end of an element: kind of terminal, bus, the other buses in ascending order, and the identifier.
type End = (&'static str, i64, Vec<i64>, String);

/// Replaces buses by their nodes.
///
/// # Errors
/// `INPUT.PARSE` for an unclosed quote, `INPUT.TABLE` naming the line of nodes at buses that the file does not have, and
/// of devices and terminals at unknown nodes.
pub(super) fn expand<'a>(
    records: &mut Records<'a>,
    sections: &Sections<'a>,
    revision: u32,
    base: &str,
) -> Result<(Vec<NodeBus>, Option<Warning>)> {
    let substations = substations(sections)?;
    let numbers = numbers(&substations, records)?;
    let unknown = place_equipment(records, &substations, &numbers)?;
    let buses = add_buses(records, &substations, &numbers);
    let mut setting = Setting {
        revision,
        base,
        layouts: Layouts::default(),
    };
    add_devices(records, &substations, &numbers, &mut setting)?;
    let message = message!("psse.unknown_terminals", count = unknown);
    let warning = (unknown > 0).then(|| Warning::new("INPUT.FIELD_IGNORED", message));
    Ok((buses, warning))
}

/// The number of the bus that each node becomes.
fn numbers(substations: &[Substation<'_>], records: &Records<'_>) -> Result<HashMap<Place, i64>> {
    let known: HashSet<i64> = records.of("BUS").iter().map(|bus| bus.head.whole("I")).collect();
    let mut nodes_of_bus: BTreeMap<i64, Vec<Place>> = BTreeMap::new();
    // By node: the nodes that closed devices connect to it, and how many terminals are there.
    let mut part: HashMap<Place, u64> = HashMap::new();
    let mut terminals: HashMap<(i64, usize, u64), usize> = HashMap::new();
    for (at, substation) in substations.iter().enumerate() {
        for (&number, node) in &substation.nodes {
            if !known.contains(&node.bus) {
                let message = message!(
                    "psse.node_bus",
                    line = node.line,
                    node = number.to_string(),
                    substation = substation.number,
                    bus = node.bus.to_string()
                );
                return Err(EngineError::new("INPUT.TABLE", message));
            }
            nodes_of_bus.entry(node.bus).or_default().push((at, number));
        }
        part.extend(substation.parts().into_iter().map(|(node, first)| ((at, node), first)));
        for terminal in &substation.terminals {
            if let Some(part) = part.get(&(at, terminal.node)) {
                *terminals.entry((terminal.bus, at, *part)).or_default() += 1;
            }
        }
    }
    let mut next = known.iter().max().map_or(1, |largest| largest + 1);
    let mut out = HashMap::new();
    for (bus, nodes) in nodes_of_bus {
        let connected = |place: &Place| {
            let part = part.get(place)?;
            terminals.get(&(bus, place.0, *part)).copied()
        };
        // Of equal nodes the first one.
        let own = nodes.iter().rev().max_by_key(|place| connected(place)).copied();
        for place in nodes {
            let number = match Some(place) == own {
                true => bus,
                false => {
                    next += 1;
                    next - 1
                }
            };
            out.insert(place, number);
        }
    }
    Ok(out)
}

/// Sets the buses of elements to those of their nodes; returns the number of terminals of elements that the file does
/// not have.
fn place_equipment(
    records: &mut Records<'_>,
    substations: &[Substation<'_>],
    numbers: &HashMap<Place, i64>,
) -> Result<usize> {
    let mut ends: HashMap<End, i64> = HashMap::new();
    let mut bus_of_node: HashMap<(i64, i64), i64> = HashMap::new();
    for (at, substation) in substations.iter().enumerate() {
        for (&number, node) in &substation.nodes {
            bus_of_node.extend(numbers.get(&(at, number)).map(|bus| ((node.bus, number as i64), *bus)));
        }
        for terminal in &substation.terminals {
            let node = substation
                .nodes
                .get(&terminal.node)
                .filter(|node| node.bus == terminal.bus);
            let (Some(_), Some(&bus)) = (node, numbers.get(&(at, terminal.node))) else {
                let message = message!(
                    "psse.terminal_node",
                    line = terminal.line,
                    node = terminal.node.to_string(),
                    substation = substation.number,
                    bus = terminal.bus.to_string()
                );
                let error = EngineError::new("INPUT.TABLE", message);
                return Err(error.at(ElementRef::numbered(ElementKind::Bus, terminal.bus.unsigned_abs())));
            };
            ends.extend(terminal.end().map(|end| (end, bus)));
        }
    }
    let mut unknown: HashSet<End> = ends.keys().cloned().collect();
    let mut find = |end: End| {
        unknown.remove(&end);
        ends.get(&end).map(|bus| bus.to_string())
    };
    for (section, kind, columns) in EQUIPMENT {
        for entry in records.of_mut(section) {
            let head = &mut entry.head;
            let buses: Vec<i64> = columns.iter().map(|column| head.whole(column)).collect();
            let kind = match (kind, buses.get(2)) {
                ("2", Some(1..)) => "3",
                (kind, _) => kind,
            };
            let identifier = head.text(if columns.len() == 1 { "ID" } else { "CKT" }).to_string();
            for (at, column) in columns.iter().enumerate().filter(|(at, _)| buses[*at] != 0) {
                let others = buses
                    .iter()
                    .enumerate()
                    .filter(|(other, bus)| *other != at && **bus != 0);
                let others = others.map(|(_, bus)| *bus).collect();
                if let Some(bus) = find(end(kind, buses[at], others, &identifier)) {
                    head.set(column, bus);
                }
            }
        }
    }
    for entry in records.of_mut("GENERATOR") {
        let machine = &mut entry.head;
        let regulated = (machine.whole("IREG"), machine.whole("NREG"));
        if let Some(bus) = bus_of_node.get(&regulated) {
            machine.set("IREG", bus.to_string());
        }
    }
    for (section, kind) in [("TWO-TERMINAL DC", "D"), ("VSC DC LINE", "V")] {
        for entry in records.of_mut(section) {
            let name = entry.head.text("NAME").to_string();
            for converter in &mut entry.more {
                if let Some(bus) = find(end(kind, converter.whole("I"), Vec::new(), &name)) {
                    converter.set("I", bus);
                }
            }
        }
    }
    for entry in records.of_mut("FACTS DEVICE") {
        let device = &mut entry.head;
        let name = device.text("NAME").to_string();
        for column in ["I", "J"] {
            if let Some(bus) = find(end("A", device.whole(column), Vec::new(), &name)) {
                device.set(column, bus);
            }
        }
    }
    Ok(unknown.len())
}

/// Sections of equipment with their kind of terminal and the columns of their buses.
const EQUIPMENT: [(&str, &str, &[&str]); 7] = [
    ("LOAD", "L", &["I"]),
    ("FIXED SHUNT", "F", &["I"]),
    ("GENERATOR", "M", &["I"]),
    ("SWITCHED SHUNT", "S", &["I"]),
    ("BRANCH", "B", &["I", "J"]),
    ("SYSTEM SWITCHING DEVICE", "B", &["I", "J"]),
    // Terminals of transformers with three windings are of kind 3.
    ("TRANSFORMER", "2", &["I", "J", "K"]),
];

fn end(kind: &'static str, bus: i64, mut others: Vec<i64>, identifier: &str) -> End {
    others.sort_unstable();
    let identifier = if identifier.is_empty() { "1" } else { identifier };
    (kind, bus, others, identifier.to_string())
}

/// Adds the buses of nodes without the number of their bus, and takes nodes out of service.
fn add_buses(records: &mut Records<'_>, substations: &[Substation<'_>], numbers: &HashMap<Place, i64>) -> Vec<NodeBus> {
    let row: HashMap<i64, usize> = records
        .of("BUS")
        .iter()
        .enumerate()
        .map(|(row, bus)| (bus.head.whole("I"), row))
        .collect();
    let mut out = Vec::new();
    let buses = records.entries("BUS");
    for (at, substation) in substations.iter().enumerate() {
        for (&node, record) in &substation.nodes {
            let (Some(&number), Some(&row)) = (numbers.get(&(at, node)), row.get(&record.bus)) else {
                continue;
            };
            let place = if number == record.bus { row } else { buses.len() };
            if place == buses.len() {
                let mut head = buses[row].head.clone();
                let name = format!("{} {}", head.text("NAME"), record.name);
                head.set("I", number.to_string());
                head.set("NAME", name.trim().to_string());
                buses.push(Entry { head, more: Vec::new() });
            }
            if !record.in_service {
                buses[place].head.set("IDE", "4".to_string());
            }
            out.push(NodeBus {
                number: usize::try_from(number).unwrap_or(0),
                bus: usize::try_from(record.bus).unwrap_or(0),
                uid: format!("substation {} node {node}", substation.number),
            });
        }
    }
    out
}

/// Adds the devices between nodes: `NI, NJ, CKT, NAME, TYPE, STATUS, NSTAT, X, RATE1, RATE2, RATE3`.
fn add_devices<'a>(
    records: &mut Records<'a>,
    substations: &[Substation<'a>],
    numbers: &HashMap<Place, i64>,
    setting: &mut Setting<'_>,
) -> Result<()> {
    const SECTION: &str = "SYSTEM SWITCHING DEVICE";
    const COLUMNS: [(&str, usize); 8] = [
        ("CKT", 2),
        ("NAME", 3),
        ("STYPE", 4),
        ("STAT", 5),
        ("X", 7),
        ("RATE1", 8),
        ("RATE2", 9),
        ("RATE3", 10),
    ];
    for (at, substation) in substations.iter().enumerate() {
        for device in &substation.devices {
            let ends = device.nodes.map(|node| numbers.get(&(at, node)));
            let [Some(from), Some(to)] = ends else {
                let message = message!(
                    "psse.device_node",
                    line = device.line.number,
                    substation = substation.number,
                    from = device.nodes[0].to_string(),
                    to = device.nodes[1].to_string()
                );
                return Err(EngineError::new("INPUT.TABLE", message));
            };
            let mut head = Record::blank(SECTION, device.line, setting);
            head.set("I", from.to_string());
            head.set("J", to.to_string());
            let f = fields(device.line.text);
            for (column, field) in COLUMNS {
                let stated = f.get(field).map(|f| unquoted(f)).filter(|stated| !stated.is_empty());
                let is_text = matches!(column, "CKT" | "NAME");
                if let Some(stated) = stated.filter(|stated| is_text || stated.parse::<f64>().is_ok()) {
                    head.set(column, stated.to_string());
                }
            }
            records.entries(SECTION).push(Entry { head, more: Vec::new() });
        }
    }
    Ok(())
}

impl Substation<'_> {
    /// By node: the first of the nodes that closed devices connect to it. Nodes out of service are apart.
    fn parts(&self) -> BTreeMap<u64, u64> {
        let numbers: Vec<u64> = self.nodes.keys().copied().collect();
        let live = |node: u64| self.nodes.get(&node).is_some_and(|node| node.in_service);
        let row = |node: u64| numbers.binary_search(&node).ok().filter(|_| live(node));
        let closed = self
            .devices
            .iter()
            .filter(|d| number(&fields(d.line.text), 5, 1.0) != 0.0);
        let ends = closed.filter_map(|d| Some((row(d.nodes[0])?, row(d.nodes[1])?)));
        let first = components(numbers.len(), ends);
        numbers
            .iter()
            .zip(first)
            .map(|(&node, row)| (node, numbers[row]))
            .collect()
    }
}

impl Terminal<'_> {
    /// The end of the element; `None` for kinds that are refused in service.
    fn end(&self) -> Option<End> {
        const KINDS: [&str; 10] = ["L", "F", "M", "S", "B", "2", "3", "D", "V", "A"];
        let kind = KINDS.into_iter().find(|kind| *kind == self.kind)?;
        let count = match kind {
            "B" | "2" => 1,
            "3" => 2,
            _ => 0,
        };
        let others = self.key.iter().take(count).map(|bus| bus.parse().unwrap_or(0));
        Some(end(
            kind,
            self.bus,
            others.collect(),
            self.key.get(count).unwrap_or(&""),
        ))
    }
}

/// The blocks inside the record of a substation.
#[derive(Clone, Copy)]
enum Block {
    Substation,
    Nodes,
    Devices,
    Terminals,
}

fn substations<'a>(sections: &Sections<'a>) -> Result<Vec<Substation<'a>>> {
    let mut out: Vec<Substation<'a>> = Vec::new();
    let mut block = Block::Substation;
    for &line in sections.records("SUBSTATION").flatten() {
        let f = fields(line.text);
        let Some(&first) = f.first() else { continue };
        if f.iter().any(|field| is_unclosed(field)) {
            let message = message!("psse.quote", line = line.number);
            return Err(EngineError::new("INPUT.PARSE", message));
        }
        let whole = |at: usize| f.get(at).and_then(|f| unquoted(f).parse::<u64>().ok());
        let text = |at: usize| f.get(at).map_or("", |f| unquoted(f));
        let end = first == "0";
        block = match (block, out.last_mut()) {
            (Block::Substation, _) if end => break,
            (Block::Substation, _) => {
                out.push(Substation {
                    number: text(0),
                    nodes: BTreeMap::new(),
                    devices: Vec::new(),
                    terminals: Vec::new(),
                });
                Block::Nodes
            }
            (Block::Nodes, _) if end => Block::Devices,
            (Block::Devices, _) if end => Block::Terminals,
            (Block::Terminals, _) if end => Block::Substation,
            // NI, NAME, I, STATUS
            (Block::Nodes, Some(at)) => {
                at.nodes.extend(whole(0).zip(whole(2)).map(|(node, bus)| {
                    let record = Node {
                        bus: i64::try_from(bus).unwrap_or(0),
                        name: text(1),
                        in_service: number(&f, 3, 1.0) != 0.0,
                        line: line.number,
                    };
                    (node, record)
                }));
                block
            }
            // NI, NJ
            (Block::Devices, Some(at)) => {
                at.devices
                    .extend(whole(0).zip(whole(1)).map(|(a, b)| Device { nodes: [a, b], line }));
                block
            }
            // I, NI, TYPE, then J, K and the identifier as the type has them
            (Block::Terminals, Some(at)) => {
                at.terminals.extend(whole(0).zip(whole(1)).map(|(bus, node)| Terminal {
                    bus: i64::try_from(bus).unwrap_or(0),
                    node,
                    kind: text(2),
                    key: f.iter().skip(3).map(|f| unquoted(f)).collect(),
                    line: line.number,
                }));
                block
            }
            (_, None) => block,
        };
    }
    Ok(out)
}
