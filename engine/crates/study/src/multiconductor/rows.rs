//! The rows of a feeder's tables: what the source contains, without the nodes and lines that the reader adds.

use crate::contract::{self as c, Column, ColumnName};
use crate::json::to_json;
use crate::results::Reply;
use wattbook_network::feeder::Feeder;
use wattbook_solve::mc::{distances, Complex64, McModel};

/// A conductor: its element, the end, the node.
pub struct Conductor {
    pub element: usize,
    pub end: usize,
    pub node: usize,
}

pub struct Rows {
    /// Nodes that are terminals.
    pub terminals: Vec<usize>,
    /// Terminal row of each node.
    place: Vec<usize>,
    /// Buses of the source, by row.
    pub buses: Vec<usize>,
    bus_place: Vec<usize>,
    pub elements: Vec<String>,
    pub conductors: Vec<Conductor>,
    /// By bus of the feeder.
    pub nominal: Vec<f64>,
    /// By node.
    pub is_phase: Vec<bool>,
    distance: Vec<f64>,
    /// By bus of the source: the nodes 1, 2 and 3, where all of them are phases.
    pub three_phases: Vec<Option<[usize; 3]>>,
}

impl Rows {
    pub fn new(model: &McModel) -> Self {
        let feeder = model.feeder();
        let buses: Vec<usize> = (0..feeder.buses.len())
            .filter(|&bus| feeder.buses[bus].is_written)
            .collect();
        let bus_place = places(feeder.buses.len(), &buses);
        let is_shown = |&node: &usize| feeder.buses[feeder.nodes[node].bus].is_written;
        let terminals: Vec<usize> = (0..feeder.nodes.len()).filter(is_shown).collect();
        let nominal = model.nominal_voltages();
        let is_phase = model.phases(&nominal);
        let mut phases = vec![[None; 3]; feeder.buses.len()];
        for &node in terminals.iter().filter(|&&node| is_phase[node]) {
            let at = &feeder.nodes[node];
            if let Some(k) = ["1", "2", "3"].iter().position(|name| *name == at.terminal) {
                phases[at.bus][k] = Some(node);
            }
        }
        let three = |&bus: &usize| match phases[bus] {
            [Some(a), Some(b), Some(c)] => Some([a, b, c]),
            _ => None,
        };
        let (elements, conductors) = conductors(feeder);
        Self {
            three_phases: buses.iter().map(three).collect(),
            place: places(feeder.nodes.len(), &terminals),
            distance: distances(feeder),
            terminals,
            buses,
            bus_place,
            elements,
            conductors,
            nominal,
            is_phase,
        }
    }

    /// Whether a conductor is at a terminal of the source, not at a contact that the reader adds.
    pub fn is_shown(&self, conductor: &Conductor) -> bool {
        self.place[conductor.node] != usize::MAX
    }

    /// Identification of the rows (`McRows`), and the columns of references between them.
    pub fn reply(&self, feeder: &Feeder) -> Reply {
        let (rows, columns) = self.named(feeder);
        Reply {
            json: to_json(&rows),
            columns,
            matrices: Vec::new(),
        }
    }

    pub fn named(&self, feeder: &Feeder) -> (c::McRows, Vec<Column>) {
        let bus_of = |node: usize| self.bus_place[feeder.nodes[node].bus] as f64;
        // An ideal source may hold the voltage of a bus that the reader adds; its impedance leads to the bus of the
        // source.
        let source_bus = |s: &wattbook_network::feeder::FeederSource| {
            let at = s.impedance.map_or(&s.nodes, |row| &feeder.lines[row].to);
            at.first().map_or(f64::NAN, |&node| bus_of(node))
        };
        let load_bus = |l: &wattbook_network::feeder::FeederLoad| {
            let mut nodes = l.branches.iter().flat_map(|b| b.nodes).flatten();
            nodes.next().map_or(f64::NAN, bus_of)
        };
        let of_bus = |values: &[f64]| self.buses.iter().map(|&bus| values[bus]).collect::<Vec<f64>>();
        let of_conductor = |value: &dyn Fn(&Conductor) -> f64| {
            let shown = self.conductors.iter().filter(|k| self.is_shown(k));
            shown.map(value).collect::<Vec<f64>>()
        };
        let flag = |&node: &usize| f64::from(u8::from(self.is_phase[node]));
        let columns = [
            (ColumnName::NominalV, of_bus(&self.nominal)),
            (ColumnName::DistanceM, of_bus(&self.distance)),
            (
                ColumnName::TerminalBus,
                self.terminals.iter().map(|&node| bus_of(node)).collect(),
            ),
            (ColumnName::IsPhase, self.terminals.iter().map(flag).collect()),
            (ColumnName::ConductorElement, of_conductor(&|k| k.element as f64)),
            (ColumnName::ConductorEnd, of_conductor(&|k| k.end as f64)),
            (
                ColumnName::ConductorTerminal,
                of_conductor(&|k| self.place[k.node] as f64),
            ),
            (ColumnName::SourceBus, feeder.sources.iter().map(source_bus).collect()),
            (ColumnName::LoadBus, feeder.loads.iter().map(load_bus).collect()),
        ];
        let rows = c::McRows {
            buses: self.buses.iter().map(|&bus| feeder.buses[bus].name.clone()).collect(),
            terminals: self
                .terminals
                .iter()
                .map(|&node| feeder.nodes[node].terminal.clone())
                .collect(),
            elements: self.elements.clone(),
            sources: feeder.sources.iter().map(|s| s.name.clone()).collect(),
            loads: feeder.loads.iter().map(|l| l.name.clone()).collect(),
        };
        (
            rows,
            columns
                .into_iter()
                .map(|(name, values)| Column::new(name, values))
                .collect(),
        )
    }

    /// Whether a node has a voltage; ground has one without a source.
    pub fn has_voltage(model: &McModel, node: usize) -> bool {
        model.is_energised()[node] || model.feeder().nodes[node].is_grounded
    }

    /// Voltages by terminal, NaN where no source reaches it.
    /// `voltages` by node.
    pub fn magnitudes(&self, model: &McModel, voltages: &[Complex64]) -> Vec<Column> {
        let volts: Vec<f64> = self
            .terminals
            .iter()
            .map(|&node| match Self::has_voltage(model, node) {
                true => size(voltages[node]),
                false => f64::NAN,
            })
            .collect();
        let per_unit = volts.iter().zip(&self.terminals);
        let per_unit = per_unit
            .map(|(v, &node)| v / self.nominal[model.feeder().nodes[node].bus])
            .collect();
        vec![
            Column::new(ColumnName::VoltageV, volts),
            Column::new(ColumnName::VoltagePu, per_unit),
        ]
    }
}

/// The row of each item in `rows`, by item.
fn places(n: usize, rows: &[usize]) -> Vec<usize> {
    let mut out = vec![usize::MAX; n];
    rows.iter().enumerate().for_each(|(place, &row)| out[row] = place);
    out
}

/// Elements and their conductors, in the order of the results.
fn conductors(feeder: &Feeder) -> (Vec<String>, Vec<Conductor>) {
    let (mut elements, mut out) = (Vec::new(), Vec::new());
    let mut add = |name: &str, ends: &[&[usize]]| {
        for (k, nodes) in ends.iter().enumerate() {
            out.extend(nodes.iter().map(|&node| Conductor {
                element: elements.len(),
                end: k + 1,
                node,
            }));
        }
        elements.push(name.to_owned());
    };
    for line in feeder
        .lines
        .iter()
        .filter(|l| is_written(feeder, &l.from) && is_written(feeder, &l.to))
    {
        add(&line.name, &[&line.from, &line.to]);
    }
    for t in &feeder.transformers {
        add(&t.name, &[&t.windings[0].nodes, &t.windings[1].nodes]);
    }
    for switch in &feeder.switches {
        add(&switch.name, &[&switch.from, &switch.to]);
    }
    for shunt in &feeder.shunts {
        add(&shunt.name, &[&shunt.nodes]);
    }
    (elements, out)
}

pub fn is_written(feeder: &Feeder, nodes: &[usize]) -> bool {
    nodes
        .iter()
        .all(|node| feeder.buses[feeder.nodes[*node].bus].is_written)
}

pub fn size(z: Complex64) -> f64 {
    (z.re * z.re + z.im * z.im).sqrt()
}
