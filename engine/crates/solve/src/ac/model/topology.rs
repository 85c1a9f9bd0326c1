//! Nodes, their kinds and islands.

use crate::links::own_generators;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::union_find::components;

/// The quantities specified at a node (MATPOWER manual, section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NodeKind {
    /// Active and reactive power.
    Pq,
    /// Active power and voltage magnitude.
    Pv,
    /// Voltage magnitude and angle.
    Reference,
}

/// Marks buses that are not energised.
pub(crate) const NO_NODE: usize = usize::MAX;

/// The nodes of a network: buses, with those joined by branches without impedance combined.
pub(crate) struct Topology {
    /// By bus; `NO_NODE` for isolated buses and for islands without voltage control.
    pub node_of_bus: Vec<usize>,
    /// First bus of each node.
    pub bus_of_node: Vec<usize>,
    /// By bus: the kind that follows from its own type and generators.
    pub kind_of_bus: Vec<NodeKind>,
    /// By node: the strongest kind of its buses.
    pub kind_of_node: Vec<NodeKind>,
    /// By node, islands by their first bus.
    pub island_of_node: Vec<usize>,
    /// For each island, the node whose angle is fixed under distributed slack, and the bus that makes it a reference.
    pub references: Vec<(usize, usize)>,
    /// Buses in service in islands where no generator controls a voltage.
    pub dead: Vec<usize>,
}

impl Topology {
    /// Finds the nodes. A bus of type 2 or 3 without a voltage-controlling generator in service becomes type 1. In an
    /// island without a reference, the first bus of type 2 with a generator becomes one.
    pub fn new(network: &AnalysisNetwork) -> Self {
        let n = network.buses.len();
        // The power of a converter of a link is scheduled, so that it makes no reference.
        let (mut has_unit, mut has_own) = (vec![false; n], vec![false; n]);
        let own = own_generators(network);
        let units = network.generators.iter().enumerate();
        for (row, g) in units.filter(|(_, g)| g.in_service && g.regulates_voltage) {
            has_unit[g.bus] = true;
            has_own[g.bus] |= row < own;
        }
        let buses = network.buses.iter().zip(has_unit.iter().zip(&has_own));
        let mut kind_of_bus: Vec<NodeKind> = buses
            .map(|(bus, (has_unit, has_own))| match has_unit {
                true if bus.in_service && bus.is_reference && *has_own => NodeKind::Reference,
                true if bus.in_service && (bus.is_pv || bus.is_reference) => NodeKind::Pv,
                _ => NodeKind::Pq,
            })
            .collect();

        let branches = || network.branches.iter().filter(|b| b.in_service);
        let ends = |b: &wattbook_network::analysis::Branch| (b.from, b.to);
        let merged = components(n, branches().filter(|b| b.is_zero_impedance()).map(ends));
        let component = components(n, branches().map(ends));

        // By component: its reference, if it has one.
        let mut reference: Vec<Option<usize>> = vec![None; n];
        for wanted in [NodeKind::Reference, NodeKind::Pv] {
            for bus in 0..n {
                let reference = &mut reference[component[bus]];
                if kind_of_bus[bus] == wanted && has_own[bus] && reference.is_none() {
                    *reference = Some(bus);
                    kind_of_bus[bus] = NodeKind::Reference;
                }
            }
        }

        let mut found = Self {
            node_of_bus: vec![NO_NODE; n],
            bus_of_node: Vec::new(),
            kind_of_bus,
            kind_of_node: Vec::new(),
            island_of_node: Vec::new(),
            references: Vec::new(),
            dead: Vec::new(),
        };
        let mut island_of_component = vec![usize::MAX; n];
        for bus in (0..n).filter(|&bus| network.buses[bus].in_service) {
            let whole = component[bus];
            let Some(reference) = reference[whole] else {
                found.dead.push(bus);
                continue;
            };
            if island_of_component[whole] == usize::MAX {
                island_of_component[whole] = found.references.len();
                found.references.push((NO_NODE, reference));
            }
            // The root of a node precedes its other buses.
            let root = merged[bus];
            if root == bus {
                found.node_of_bus[bus] = found.bus_of_node.len();
                found.bus_of_node.push(bus);
                found.kind_of_node.push(NodeKind::Pq);
                found.island_of_node.push(island_of_component[whole]);
            }
            let node = found.node_of_bus[root];
            found.node_of_bus[bus] = node;
            found.kind_of_node[node] = found.kind_of_node[node].max(found.kind_of_bus[bus]);
        }
        for (node, bus) in &mut found.references {
            *node = found.node_of_bus[*bus];
        }
        found
    }
}
