//! Nodes, their kinds and islands.

use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::union_find::components;

/// What is given at a node (MATPOWER manual, section 4.1).
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

/// The nodes of a network: buses, those without impedance between them taken together.
pub(crate) struct Topology {
    /// By bus; `NO_NODE` for isolated buses and those of islands without a voltage.
    pub node_of_bus: Vec<usize>,
    /// First bus of each node.
    pub bus_of_node: Vec<usize>,
    /// By bus: what its own type and generators make of it.
    pub kind_of_bus: Vec<NodeKind>,
    /// By node: the strongest kind of its buses.
    pub kind_of_node: Vec<NodeKind>,
    /// By node, islands by their first bus.
    pub island_of_node: Vec<usize>,
    /// The node of each island whose angle is held where slack is distributed, and the bus that makes it a reference.
    pub references: Vec<(usize, usize)>,
    /// Buses in service in islands where no generator holds a voltage.
    pub dead: Vec<usize>,
}

impl Topology {
    /// Finds the nodes. Buses of type 2 and 3 without a generator in service that holds a voltage are of type 1; an island without
    /// a reference gets its first bus of type 2 as one.
    pub fn new(network: &AnalysisNetwork) -> Self {
        let n = network.buses.len();
        let mut has_unit = vec![false; n];
        for g in network
            .generators
            .iter()
            .filter(|g| g.in_service && g.regulates_voltage)
        {
            has_unit[g.bus] = true;
        }
        let buses = network.buses.iter().zip(&has_unit);
        let mut kind_of_bus: Vec<NodeKind> = buses
            .map(|(bus, has_unit)| match has_unit {
                true if bus.in_service && bus.is_reference => NodeKind::Reference,
                true if bus.in_service && bus.is_pv => NodeKind::Pv,
                _ => NodeKind::Pq,
            })
            .collect();

        let branches = || network.branches.iter().filter(|b| b.in_service);
        let ends = |b: &wattbook_network::analysis::Branch| (b.from, b.to);
        let merged = components(n, branches().filter(|b| b.is_zero_impedance()).map(ends));
        let component = components(n, branches().map(ends));

        // By component: its reference, where it has any.
        let mut reference: Vec<Option<usize>> = vec![None; n];
        for wanted in [NodeKind::Reference, NodeKind::Pv] {
            for bus in 0..n {
                let reference = &mut reference[component[bus]];
                if kind_of_bus[bus] == wanted && reference.is_none() {
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
            // A root comes before the rest of its node.
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
