//! Coarser graphs for the multilevel start (Walshaw 2003; Hu 2005).

use super::graph::Adjacency;

/// Coarsening stops at this many vertices, or when a step saves too little.
const COARSEST: usize = 40;

/// A coarser graph: `parent[v]` is the coarse vertex of the finer vertex `v`.
pub(super) struct Coarse {
    pub graph: Adjacency,
    pub parent: Vec<u32>,
}

/// Coarser and coarser graphs of a connected graph, the finest first.
pub(super) fn hierarchy(finest: &Adjacency) -> Vec<Coarse> {
    let mut levels: Vec<Coarse> = Vec::new();
    let mut mass = vec![1u32; finest.len()];
    loop {
        let graph = levels.last().map_or(finest, |l| &l.graph);
        if graph.len() <= COARSEST {
            return levels;
        }
        let (coarse, coarser_mass) = coarsen(graph, &mass);
        if coarse.graph.len() * 10 > graph.len() * 9 {
            return levels;
        }
        mass = coarser_mass;
        levels.push(coarse);
    }
}

/// Joins each vertex with its lightest free neighbour; remaining vertices join the lightest adjacent group. Vertices
/// with few neighbours choose first, so that leaves join their own stem.
fn coarsen(graph: &Adjacency, mass: &[u32]) -> (Coarse, Vec<u32>) {
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    order.sort_by_key(|&v| (graph.of(v as usize).len(), v));
    let mut parent = vec![u32::MAX; graph.len()];
    let mut group_mass: Vec<u32> = Vec::new();
    for &v in &order {
        if parent[v as usize] != u32::MAX {
            continue;
        }
        wattbook_interrupt::work(20 * graph.of(v as usize).len());
        let free = graph.of(v as usize).iter().filter(|&&w| parent[w as usize] == u32::MAX);
        let partner = free.min_by_key(|&&w| (mass[w as usize], graph.of(w as usize).len(), w));
        if let Some(&w) = partner {
            let group = group_mass.len() as u32;
            (parent[v as usize], parent[w as usize]) = (group, group);
            group_mass.push(mass[v as usize].saturating_add(mass[w as usize]));
            continue;
        }
        let groups = graph.of(v as usize).iter().map(|&w| parent[w as usize]);
        let lightest = groups.min_by_key(|&g| (group_mass[g as usize], g));
        let group = lightest.unwrap_or_else(|| {
            group_mass.push(0);
            group_mass.len() as u32 - 1
        });
        parent[v as usize] = group;
        group_mass[group as usize] = group_mass[group as usize].saturating_add(mass[v as usize]);
    }
    let edges: Vec<(u32, u32)> = graph
        .edges()
        .map(|(a, b)| (parent[a as usize], parent[b as usize]))
        .collect();
    let graph = Adjacency::new(group_mass.len(), &edges);
    (Coarse { graph, parent }, group_mass)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_halves_at_least_and_keeps_the_graph_connected() {
        let n = 1000u32;
        let edges: Vec<(u32, u32)> = (1..n).flat_map(|v| [(v, v - 1), (v, v / 3)]).collect();
        let graph = Adjacency::new(n as usize, &edges);
        let levels = hierarchy(&graph);
        let sizes: Vec<usize> = levels.iter().map(|l| l.graph.len()).collect();
        assert!(sizes[0] <= 500 && *sizes.last().unwrap() <= COARSEST, "{sizes:?}");
        for level in &levels {
            assert_eq!(level.graph.breadth_first(0).0.len(), level.graph.len());
        }
    }

    #[test]
    fn a_star_collapses_into_its_hub() {
        let edges: Vec<(u32, u32)> = (1..500).map(|v| (0, v)).collect();
        assert_eq!(hierarchy(&Adjacency::new(500, &edges))[0].graph.len(), 1);
    }
}
