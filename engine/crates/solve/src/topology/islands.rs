//! Islands: connected components with their references.

use crate::topology::NO_ISLAND;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::union_find::components;

/// Connected components over edges, each with one reference: the source's, or its first bus.
pub(crate) fn find_islands(
    network: &AnalysisNetwork,
    edges: impl Iterator<Item = (usize, usize)>,
) -> (Vec<usize>, Vec<usize>) {
    let n = network.buses.len();
    let root = components(n, edges);
    let mut island_of_bus = vec![NO_ISLAND; n];
    let mut island_of_root = vec![NO_ISLAND; n];
    let mut references = Vec::new();
    let mut chosen = Vec::new();
    for (bus, row) in network.buses.iter().enumerate().filter(|(_, row)| row.in_service) {
        let r = root[bus];
        if island_of_root[r] == NO_ISLAND {
            island_of_root[r] = references.len();
            references.push(bus);
            chosen.push(row.is_reference);
        }
        let island = island_of_root[r];
        island_of_bus[bus] = island;
        if row.is_reference && !chosen[island] {
            references[island] = bus;
            chosen[island] = true;
        }
    }
    (island_of_bus, references)
}

/// Removes islands without generators, demand and shunts from the problem, and returns their buses.
pub(crate) fn leave_out_idle_islands(
    network: &AnalysisNetwork,
    island_of_bus: &mut [usize],
    references: &mut Vec<usize>,
) -> Vec<usize> {
    let mut used = vec![false; references.len()];
    let buses = network.buses.iter().zip(network.conductance_pu());
    for ((bus, conductance), &island) in buses.zip(island_of_bus.iter()) {
        if island != NO_ISLAND && (bus.demand_pu != 0.0 || conductance != 0.0) {
            used[island] = true;
        }
    }
    for g in network.generators.iter().filter(|g| g.in_service) {
        if let Some(used) = used.get_mut(island_of_bus[g.bus]) {
            *used = true;
        }
    }
    let mut renumbered = Vec::new();
    let mut used_references = Vec::new();
    for (used, &reference) in used.iter().zip(references.iter()) {
        renumbered.push(if *used { used_references.len() } else { NO_ISLAND });
        if *used {
            used_references.push(reference);
        }
    }
    *references = used_references;
    let mut idle = Vec::new();
    for (bus, island) in island_of_bus.iter_mut().enumerate() {
        if *island != NO_ISLAND {
            *island = renumbered[*island];
            if *island == NO_ISLAND {
                idle.push(bus);
            }
        }
    }
    idle
}
