//! Nodes, islands and bus pairs, numbered in the order of elimination.

use crate::topology::islands::find_islands;
use crate::topology::NO_ISLAND;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::union_find::components;
use wattbook_sparse::elimination_order;

/// Marks buses that are not energised.
pub(crate) const NO_NODE: usize = usize::MAX;

/// The nodes of a network: buses, with those joined by branches without impedance combined.
#[derive(Clone, Debug)]
pub(crate) struct Topology {
    /// By bus; `NO_NODE` for isolated buses and those of islands without generators and links.
    pub node_of_bus: Vec<usize>,
    /// First bus of each node.
    pub bus_of_node: Vec<usize>,
    /// By bus; `NO_ISLAND` for a bus without a node.
    pub island_of_bus: Vec<usize>,
    /// For each island, the bus that the source declares as reference, or its first bus.
    pub references: Vec<usize>,
    /// Buses in service in islands without generators.
    pub dead: Vec<usize>,
    /// Node pairs with branches between them, as `(earlier, later)`, ascending.
    pub pairs: Vec<(u32, u32)>,
    /// Node pairs with HVDC links and no branches between them, in the same form.
    pub link_pairs: Vec<(u32, u32)>,
}

/// Whether the ends of the branch are electrically different buses.
pub(crate) fn has_impedance(b: &wattbook_network::analysis::Branch) -> bool {
    b.r_pu != 0.0 || b.x_pu != 0.0
}

impl Topology {
    /// Finds nodes and islands.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE` for an island with demand and no generator.
    pub fn new(network: &AnalysisNetwork) -> Result<Self> {
        let n = network.buses.len();
        let branches = || network.branches.iter().filter(|b| b.in_service);
        let root = components(n, branches().filter(|b| !has_impedance(b)).map(|b| (b.from, b.to)));
        let (mut island_of_bus, references) = find_islands(network, branches().map(|b| (b.from, b.to)));
        let mut has_generator = vec![false; references.len()];
        for g in network.generators.iter().filter(|g| g.in_service) {
            if let Some(found) = has_generator.get_mut(island_of_bus[g.bus]) {
                *found = true;
            }
        }
        // A link may supply an island without generators.
        for bus in network.links_in_service().flat_map(|(_, link)| [link.from, link.to]) {
            if let Some(found) = has_generator.get_mut(island_of_bus[bus]) {
                *found = true;
            }
        }
        let mut dead = Vec::new();
        let mut live_references = Vec::new();
        let mut renumbered = vec![NO_ISLAND; references.len()];
        for (island, &reference) in references.iter().enumerate().filter(|(i, _)| has_generator[*i]) {
            renumbered[island] = live_references.len();
            live_references.push(reference);
        }
        for (bus, island) in island_of_bus.iter_mut().enumerate().filter(|(_, i)| **i != NO_ISLAND) {
            *island = renumbered[*island];
            if *island != NO_ISLAND {
                continue;
            }
            dead.push(bus);
            let row = &network.buses[bus];
            if row.demand_pu != 0.0 || row.demand_q_pu != 0.0 {
                let at = ElementRef::from(row);
                let message = message!("socwr.no_generator", bus = &at);
                return Err(EngineError::new("SOLVE.INFEASIBLE", message).at(at));
            }
        }

        let mut number = vec![NO_NODE; n];
        let mut buses = Vec::new();
        // The root of a node precedes its other buses.
        for bus in (0..n).filter(|&bus| island_of_bus[bus] != NO_ISLAND) {
            if root[bus] == bus {
                number[bus] = buses.len();
                buses.push(bus);
            }
            number[bus] = number[root[bus]];
        }
        let mut edges: Vec<(usize, usize)> = branches()
            .filter(|b| has_impedance(b))
            .map(|b| (number[b.from], number[b.to]))
            .filter(|(f, t)| f != t && *f != NO_NODE && *t != NO_NODE)
            .map(|(f, t)| (f.min(t), f.max(t)))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let links = network
            .links_in_service()
            .map(|(_, link)| (number[link.from], number[link.to]));
        let mut link_edges: Vec<(usize, usize)> = links
            .filter(|(f, t)| f != t && *f != NO_NODE && *t != NO_NODE)
            .map(|(f, t)| (f.min(t), f.max(t)))
            .filter(|edge| edges.binary_search(edge).is_err())
            .collect();
        link_edges.sort_unstable();
        link_edges.dedup();
        let all: Vec<(usize, usize)> = edges.iter().chain(&link_edges).copied().collect();
        let order = elimination_order(buses.len(), &all);
        let mut place = vec![0; buses.len()];
        for (k, &node) in order.iter().enumerate() {
            place[node] = k;
        }
        let placed = |node: usize| place.get(node).copied().unwrap_or(NO_NODE);
        let in_order = |edges: &[(usize, usize)]| {
            let ends = edges.iter().map(|&(f, t)| (placed(f) as u32, placed(t) as u32));
            let mut pairs: Vec<(u32, u32)> = ends.map(|(f, t)| (f.min(t), f.max(t))).collect();
            pairs.sort_unstable();
            pairs
        };
        Ok(Self {
            node_of_bus: number.iter().map(|&node| placed(node)).collect(),
            bus_of_node: order.iter().map(|&node| buses[node]).collect(),
            island_of_bus,
            references: live_references,
            dead,
            pairs: in_order(&edges),
            link_pairs: in_order(&link_edges),
        })
    }
}
