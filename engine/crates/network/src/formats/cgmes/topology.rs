//! Nodes as buses: connectivity nodes where every terminal has one, else topological nodes.

use std::collections::HashMap;

use powerio::{Bus, BusId, BusType, Location};

use super::model::{Model, Object};
use crate::error::{EngineError, Result};
use crate::formats::grid::{Grid, Named, Terminal};
use crate::message;

#[derive(Default)]
pub(super) struct Topology {
    /// Bus of a connectivity or topological node, by its identifier.
    buses: HashMap<String, usize>,
    /// Terminals of equipment in their order.
    terminals: HashMap<String, Vec<String>>,
    /// Bus and connection of a terminal.
    ends: HashMap<String, Terminal>,
    /// Whether a bus is at a boundary.
    boundaries: Vec<bool>,
    pub without_limits: usize,
}

/// What a node has from its voltage level and its base voltage.
struct Place<'m, 'a> {
    kv: Option<f64>,
    level: Option<&'m Object<'a>>,
    substation: Option<&'m Object<'a>>,
}

impl Topology {
    /// Adds a bus for each node.
    ///
    /// # Errors
    /// `INPUT.FORMAT` without nodes of all terminals, `INPUT.PARSE`.
    pub fn read(model: &Model<'_>, grid: &mut Grid) -> Result<Self> {
        let mut topology = Self::default();
        let terminals = || {
            model
                .all("Terminal")
                .filter(|t| t.text("Terminal.ConductingEquipment").is_some())
        };
        let is_detailed = terminals().all(|terminal| terminal.text("Terminal.ConnectivityNode").is_some());
        let (class, property) = match is_detailed {
            true => ("ConnectivityNode", "Terminal.ConnectivityNode"),
            false => ("TopologicalNode", "Terminal.TopologicalNode"),
        };
        let bars: Vec<&Object<'_>> = model.all("BusbarSection").collect();
        let places = positions(model)?;
        let voltages = voltages(model)?;
        let bases = bases_of_equipment(model, property)?;
        let mut regions: Vec<&str> = Vec::new();
        let mut levels: HashMap<&str, bool> = HashMap::new();
        // Nodes are often numbered within their voltage level.
        let mut named: HashMap<&str, usize> = HashMap::new();
        for name in model.all(class).filter_map(Object::name) {
            *named.entry(name).or_default() += 1;
        }
        for node in model.all(class) {
            let place = place(model, node, class)?;
            let kv = place
                .kv
                .or_else(|| bases.get(&node.id[..]).copied())
                .filter(|kv| *kv > 0.0 && kv.is_finite());
            let kv = kv.ok_or_else(|| {
                let message = message!("cgmes.no_base", object = node.shown());
                EngineError::new("INPUT.FORMAT", message)
            })?;
            let mut bus = Bus::new(BusId(0), BusType::Pq, kv);
            if let Some(level) = place.level {
                let [low, high] = [
                    level.number("VoltageLevel.lowVoltageLimit")?,
                    level.number("VoltageLevel.highVoltageLimit")?,
                ];
                bus.vmin = low.map_or(bus.vmin, |low| low / kv);
                bus.vmax = high.map_or(bus.vmax, |high| high / kv);
                levels.insert(&level.id, low.is_some() && high.is_some());
            }
            if let Some(substation) = place.substation {
                bus.location = places.get(&substation.id[..]).copied();
                let region = model.of(substation, "Substation.Region");
                let region = region.and_then(|region| region.text("SubGeographicalRegion.Region"));
                if let Some(region) = region {
                    let known = regions.iter().position(|known| *known == region);
                    bus.area = 1 + known.unwrap_or_else(|| {
                        regions.push(region);
                        regions.len() - 1
                    });
                }
            }
            let topological = match is_detailed {
                true => node.text("ConnectivityNode.TopologicalNode").unwrap_or_default(),
                false => &node.id,
            };
            if let Some([v, angle]) = voltages.get(topological) {
                (bus.vm, bus.va) = (v / kv, *angle);
            }
            let name = node.name().unwrap_or(&node.id);
            let level = place.level.and_then(Object::name);
            let level = level.filter(|_| named.get(name).is_some_and(|&count| count > 1));
            bus.uid = Some(node.id.clone());
            bus.name = Some(level.map_or_else(|| name.to_string(), |level| format!("{level} {name}")));
            let row = grid.bus(bus, !is_detailed);
            topology.buses.insert(node.id.clone(), row);
            let is_boundary = node.is_boundary || node.flag(&format!("{class}.boundaryPoint"))? == Some(true);
            topology.boundaries.push(is_boundary);
        }
        topology.without_limits = levels.values().filter(|is_limited| !**is_limited).count();
        for point in model.all("BoundaryPoint") {
            if let Some(row) = point
                .text("BoundaryPoint.ConnectivityNode")
                .and_then(|node| topology.bus(node))
            {
                topology.boundaries[row] = true;
            }
        }
        topology.read_terminals(model, property)?;
        if is_detailed {
            // The other way to name a bus, for references of the solution.
            for node in model.all("ConnectivityNode") {
                if let Some(topological) = node.text("ConnectivityNode.TopologicalNode") {
                    let row = topology.buses[&node.id];
                    topology.buses.entry(topological.to_string()).or_insert(row);
                }
            }
            for bar in bars {
                if let Some(Some(terminal)) = topology.of(&bar.id).first() {
                    grid.busbar(
                        terminal.bus,
                        Named {
                            id: &bar.id,
                            name: bar.name(),
                        },
                    );
                }
            }
        }
        Ok(topology)
    }

    fn read_terminals(&mut self, model: &Model<'_>, property: &str) -> Result<()> {
        let mut numbered: HashMap<String, Vec<(i64, String)>> = HashMap::new();
        for terminal in model.all("Terminal") {
            let Some(equipment) = terminal.text("Terminal.ConductingEquipment") else {
                continue;
            };
            let number = terminal.number("ACDCTerminal.sequenceNumber")?;
            let number = match number {
                Some(number) => number,
                None => terminal.or_zero("Terminal.sequenceNumber")?,
            };
            let own = numbered.entry(equipment.to_string()).or_default();
            own.push((number as i64, terminal.id.clone()));
            let in_service = model
                .get(equipment)
                .map(|equipment| equipment.flag("Equipment.inService"));
            let in_service = in_service.transpose()?.flatten().unwrap_or(true);
            let connected = terminal.flag("ACDCTerminal.connected")?.unwrap_or(true) && in_service;
            let Some(node) = terminal.text(property) else {
                continue;
            };
            let Some(bus) = self.buses.get(node).copied() else {
                let message = message!("cgmes.no_node", object = terminal.shown(), node = node);
                return Err(EngineError::new("INPUT.FORMAT", message));
            };
            self.ends.insert(terminal.id.clone(), Terminal { bus, connected });
        }
        for (equipment, mut own) in numbered {
            own.sort();
            self.terminals
                .insert(equipment, own.into_iter().map(|(_, id)| id).collect());
        }
        Ok(())
    }

    /// The terminals of equipment, `None` for one that has no node.
    pub fn of(&self, equipment: &str) -> Vec<Option<Terminal>> {
        let ids = self.ids(equipment);
        ids.iter().map(|id| self.ends.get(id).copied()).collect()
    }

    /// The identifiers of the terminals of equipment.
    pub fn ids(&self, equipment: &str) -> &[String] {
        self.terminals.get(equipment).map_or(&[], |ids| &ids[..])
    }

    pub fn terminal(&self, id: &str) -> Option<Terminal> {
        self.ends.get(id).copied()
    }

    pub fn bus(&self, node: &str) -> Option<usize> {
        self.buses.get(node).copied()
    }

    pub fn is_boundary(&self, bus: usize) -> bool {
        self.boundaries.get(bus).copied().unwrap_or(false)
    }
}

fn place<'m, 'a>(model: &'m Model<'a>, node: &Object<'_>, class: &str) -> Result<Place<'m, 'a>> {
    let container = node.text(&format!("{class}.ConnectivityNodeContainer"));
    let container = container.or_else(|| node.text("ConnectivityNode.ConnectivityNodeContainer"));
    let container = container.and_then(|id| model.get(id));
    let level = container.and_then(|container| match container.class {
        "VoltageLevel" => Some(container),
        "Bay" => model.of(container, "Bay.VoltageLevel"),
        _ => None,
    });
    let substation = match level {
        Some(level) => model.of(level, "VoltageLevel.Substation"),
        None => container.filter(|container| container.class == "Substation"),
    };
    let base = model.of(node, &format!("{class}.BaseVoltage"));
    let base = base.or_else(|| model.of(level?, "VoltageLevel.BaseVoltage"));
    let kv = base
        .map(|base| base.required("BaseVoltage.nominalVoltage"))
        .transpose()?;
    Ok(Place { kv, level, substation })
}

/// Base voltages of nodes by the equipment there.
fn bases_of_equipment<'m>(model: &'m Model<'_>, property: &str) -> Result<HashMap<&'m str, f64>> {
    let mut out = HashMap::new();
    for terminal in model.all("Terminal") {
        let (Some(node), Some(equipment)) = (
            terminal.text(property),
            model.of(terminal, "Terminal.ConductingEquipment"),
        ) else {
            continue;
        };
        if let Some(base) = model.of(equipment, "ConductingEquipment.BaseVoltage") {
            out.entry(node).or_insert(base.required("BaseVoltage.nominalVoltage")?);
        }
    }
    Ok(out)
}

/// kV and degrees of topological nodes, from the solution.
fn voltages<'m>(model: &'m Model<'_>) -> Result<HashMap<&'m str, [f64; 2]>> {
    let mut out = HashMap::new();
    for voltage in model.all("SvVoltage") {
        if let Some(node) = voltage.text("SvVoltage.TopologicalNode") {
            let [v, angle] = [voltage.or_zero("SvVoltage.v")?, voltage.or_zero("SvVoltage.angle")?];
            if v > 0.0 {
                out.insert(node, [v, angle]);
            }
        }
    }
    Ok(out)
}

/// Positions in degrees by the identifier of what is there; the first point of each.
pub(super) fn routes<'m>(model: &'m Model<'_>) -> Result<HashMap<&'m str, Vec<Location>>> {
    let mut numbered: HashMap<&str, Vec<(i64, Location)>> = HashMap::new();
    for point in model.all("PositionPoint") {
        let Some(at) = model.of(point, "PositionPoint.Location") else {
            continue;
        };
        let system = model
            .of(at, "Location.CoordinateSystem")
            .and_then(|system| system.text("CoordinateSystem.crsUrn"));
        let (Some(owner), true) = (
            at.text("Location.PowerSystemResources"),
            system.is_none_or(|system| system.ends_with("4326")),
        ) else {
            continue;
        };
        let number = point.or_zero("PositionPoint.sequenceNumber")? as i64;
        let [x, y] = [
            point.required("PositionPoint.xPosition")?,
            point.required("PositionPoint.yPosition")?,
        ];
        if x.abs() <= 180.0 && y.abs() <= 90.0 {
            numbered
                .entry(owner)
                .or_default()
                .push((number, Location { x, y, kind: None }));
        }
    }
    let sorted = numbered.into_iter().map(|(owner, mut points)| {
        points.sort_by_key(|(number, _)| *number);
        (owner, points.into_iter().map(|(_, point)| point).collect())
    });
    Ok(sorted.collect())
}

fn positions<'m>(model: &'m Model<'_>) -> Result<HashMap<&'m str, Location>> {
    let routes = routes(model)?;
    Ok(routes
        .into_iter()
        .filter_map(|(owner, points)| Some((owner, *points.first()?)))
        .collect())
}
