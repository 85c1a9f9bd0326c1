//! Node-breaker data of RAW files, from revision 34.
//!
//! The bus data are used as they are, without applying the switches inside substations. Both describe the same network
//! if the switches connect the nodes of each bus; otherwise the file is refused.

use std::collections::{BTreeMap, HashSet};

use super::sections::Sections;
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::input::psse_fields::{fields, number, unquoted};
use crate::message;
use crate::union_find::components;

/// One substation of the file.
#[derive(Default)]
struct Substation<'a> {
    name: String,
    /// Bus by node, without nodes out of service.
    nodes: BTreeMap<u64, u64>,
    devices: Vec<Device<'a>>,
    terminals: Vec<Terminal<'a>>,
}

/// A switching device between two nodes.
struct Device<'a> {
    nodes: [u64; 2],
    name: &'a str,
    closed: bool,
}

/// An element at a node of a bus: `I, NI, TYPE`, followed by its other buses and its identifier.
struct Terminal<'a> {
    bus: &'a str,
    node: u64,
    kind: &'a str,
    key: Vec<&'a str>,
}

/// Refuses switch positions that contradict the buses of the file.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` for a closed device between two buses, and for open devices that separate the elements in
/// service of one bus; the message names the substation.
pub(super) fn refuse_switched(sections: &Sections<'_>, revision: u32) -> Result<()> {
    let mut off: Option<HashSet<Key<'_>>> = None;
    for substation in substations(sections) {
        substation.refuse_ties()?;
        let split = substation.split_buses();
        if split.is_empty() {
            continue;
        }
        let off = off.get_or_insert_with(|| out_of_service(sections, revision));
        let running = |t: &Terminal<'_>| t.key(revision).is_none_or(|key| !off.contains(&key));
        substation.refuse_splits(&split, running)?;
    }
    Ok(())
}

impl Substation<'_> {
    fn refuse_ties(&self) -> Result<()> {
        for device in self.devices.iter().filter(|d| d.closed) {
            let buses = device.nodes.map(|node| self.nodes.get(&node).copied());
            let [Some(a), Some(b)] = buses else { continue };
            if a != b {
                let message = message!(
                    "psse.switch_closed",
                    switch = device.name,
                    substation = &self.name,
                    from = a.to_string(),
                    to = b.to_string()
                );
                return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(at_bus(a)));
            }
        }
        Ok(())
    }

    /// The terminals, with their parts, of each bus that open devices separate.
    fn split_buses(&self) -> Vec<(&str, Vec<Placed<'_>>)> {
        let part = self.parts();
        let mut of_bus: BTreeMap<&str, Vec<Placed<'_>>> = BTreeMap::new();
        for terminal in &self.terminals {
            let at = part.get(&terminal.node).copied();
            of_bus.entry(terminal.bus).or_default().push((terminal, at));
        }
        of_bus.retain(|_, terminals| terminals.iter().any(|(_, part)| *part != terminals[0].1));
        of_bus.into_iter().collect()
    }

    fn refuse_splits(&self, split: &[(&str, Vec<Placed<'_>>)], running: impl Fn(&Terminal<'_>) -> bool) -> Result<()> {
        for (bus, terminals) in split {
            let mut live = terminals.iter().filter(|(t, _)| running(t)).map(|(_, part)| part);
            let first = live.next();
            if live.any(|part| Some(part) != first) {
                let message = message!("psse.bus_split", substation = &self.name, bus = *bus);
                let error = EngineError::new("PHYSICS.UNSUPPORTED", message);
                return Err(match bus.parse() {
                    Ok(id) => error.at(at_bus(id)),
                    Err(_) => error,
                });
            }
        }
        Ok(())
    }

    /// By node: a number that nodes connected by closed devices share.
    fn parts(&self) -> BTreeMap<u64, u64> {
        let numbers: Vec<u64> = self.nodes.keys().copied().collect();
        let row = |node: u64| numbers.binary_search(&node).ok();
        let closed = self.devices.iter().filter(|d| d.closed);
        let ends = closed.filter_map(|d| Some((row(d.nodes[0])?, row(d.nodes[1])?)));
        let first = components(numbers.len(), ends);
        numbers
            .iter()
            .zip(first)
            .map(|(&node, row)| (node, numbers[row]))
            .collect()
    }
}

fn at_bus(id: u64) -> ElementRef {
    ElementRef::numbered(ElementKind::Bus, id)
}

/// A terminal and the part of its node; `None` if the node is out of service.
type Placed<'a> = (&'a Terminal<'a>, Option<u64>);

/// The blocks inside the record of a substation.
#[derive(Clone, Copy)]
enum Block {
    Substation,
    Nodes,
    Devices,
    Terminals,
}

fn substations<'a>(sections: &Sections<'a>) -> Vec<Substation<'a>> {
    let mut out: Vec<Substation<'a>> = Vec::new();
    let mut block = Block::Substation;
    for line in sections.of("SUBSTATION") {
        let f = fields(line);
        let Some(&first) = f.first() else { continue };
        let whole = |at: usize| f.get(at).and_then(|f| unquoted(f).parse::<u64>().ok());
        let text = |at: usize| f.get(at).map_or("", |f| unquoted(f));
        let end = first == "0";
        block = match (block, out.last_mut()) {
            (Block::Substation, _) if end => break,
            (Block::Substation, _) => {
                let name = format!("{} `{}`", text(0), text(1));
                out.push(Substation {
                    name,
                    ..Substation::default()
                });
                Block::Nodes
            }
            (Block::Nodes, _) if end => Block::Devices,
            (Block::Devices, _) if end => Block::Terminals,
            (Block::Terminals, _) if end => Block::Substation,
            // NI, NAME, I, STATUS
            (Block::Nodes, Some(at)) => {
                let node = whole(0).zip(whole(2)).filter(|_| number(&f, 3, 1.0) != 0.0);
                at.nodes.extend(node);
                block
            }
            // NI, NJ, CKT, NAME, TYPE, STATUS
            (Block::Devices, Some(at)) => {
                at.devices.extend(whole(0).zip(whole(1)).map(|(a, b)| Device {
                    nodes: [a, b],
                    name: text(3),
                    closed: number(&f, 5, 1.0) != 0.0,
                }));
                block
            }
            // I, NI, TYPE, then J, K and the identifier as the type has them
            (Block::Terminals, Some(at)) => {
                at.terminals.extend(whole(1).map(|node| Terminal {
                    bus: text(0),
                    node,
                    kind: text(2),
                    key: f.iter().skip(3).map(|f| unquoted(f)).collect(),
                }));
                block
            }
            (_, None) => block,
        };
    }
    out
}

/// Elements by kind of terminal, buses and identifier.
type Key<'a> = (&'static str, [&'a str; 2], &'a str);

/// Section of a kind of terminal, with the columns of the identifier and the status in revisions 34 to 36.
fn record_of(kind: &str, revision: u32) -> Option<(&'static str, &'static str, usize, usize)> {
    Some(match kind {
        "L" => ("L", "LOAD", 1, 2),
        "F" => ("F", "FIXED SHUNT", 1, 2),
        "M" => ("M", "GENERATOR", 1, if revision >= 35 { 15 } else { 14 }),
        "B" => ("B", "BRANCH", 2, 23),
        "2" => ("2", "TRANSFORMER", 3, 11),
        _ => return None,
    })
}

/// The elements that their own records put out of service. Elements of other kinds count as in service.
fn out_of_service<'a>(sections: &Sections<'a>, revision: u32) -> HashSet<Key<'a>> {
    let mut out = HashSet::new();
    for kind in ["L", "F", "M", "B", "2"] {
        let Some((kind, section, id, status)) = record_of(kind, revision) else {
            continue;
        };
        let mut lines = sections.of(section);
        while let Some(line) = lines.next() {
            let f = fields(line);
            let text = |at: usize| f.get(at).map_or("", |f| unquoted(f));
            if kind == "2" {
                // Two-winding or three-winding transformers.
                lines
                    .by_ref()
                    .take(if number(&f, 2, 0.0) == 0.0 { 3 } else { 4 })
                    .for_each(drop);
            }
            if number(&f, status, 1.0) == 0.0 {
                out.insert((kind, ends(text(0), if id == 1 { "" } else { text(1) }), text(id)));
            }
        }
    }
    out
}

fn ends<'a>(a: &'a str, b: &'a str) -> [&'a str; 2] {
    [a.min(b), a.max(b)]
}

impl<'a> Terminal<'a> {
    fn key(&self, revision: u32) -> Option<Key<'a>> {
        let (kind, _, id, _) = record_of(self.kind, revision)?;
        let other = if id == 1 { "" } else { self.key.first()? };
        Some((kind, ends(self.bus, other), self.key.last()?))
    }
}
