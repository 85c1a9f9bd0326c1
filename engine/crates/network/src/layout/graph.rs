//! The graph of a layout: dense vertices and undirected edges.

use crate::union_find::Groups;

/// Vertices `0..n` and undirected edges. Loops and parallel edges are allowed and do not change the drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayoutGraph {
    n: usize,
    edges: Vec<(u32, u32)>,
    sources: Vec<u32>,
}

impl LayoutGraph {
    /// A graph of `n` vertices. Edges to vertices outside it are ignored.
    ///
    /// `sources` are the source buses if known (a feeder head, a slack bus): the first of them in a component drawn as
    /// a tree is its root.
    pub fn new(n: usize, edges: impl IntoIterator<Item = (usize, usize)>, sources: &[usize]) -> Self {
        let n = n.min(u32::MAX as usize);
        let edges = edges
            .into_iter()
            .filter(|&(a, b)| a < n && b < n)
            .map(|(a, b)| (a as u32, b as u32))
            .collect();
        let sources = sources.iter().filter(|&&s| s < n).map(|&s| s as u32).collect();
        Self { n, edges, sources }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Edges as given, by dense vertex.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    pub(super) fn sources(&self) -> &[u32] {
        &self.sources
    }
}

/// Simple undirected graph in compressed rows; the neighbours of a vertex ascend.
#[derive(Clone, Debug, Default)]
pub(super) struct Adjacency {
    start: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Adjacency {
    /// Builds the rows; loops and repeated edges are dropped.
    pub fn new(n: usize, edges: &[(u32, u32)]) -> Self {
        let mut pairs: Vec<(u32, u32)> = edges
            .iter()
            .filter(|(a, b)| a != b)
            .flat_map(|&(a, b)| [(a, b), (b, a)])
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut start = vec![0u32; n + 1];
        for &(a, _) in &pairs {
            start[a as usize + 1] += 1;
        }
        for v in 0..n {
            start[v + 1] += start[v];
        }
        let neighbours = pairs.into_iter().map(|(_, b)| b).collect();
        Self { start, neighbours }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Number of undirected edges.
    pub fn n_edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// Neighbours of a vertex, ascending.
    pub fn of(&self, v: usize) -> &[u32] {
        &self.neighbours[self.start[v] as usize..self.start[v + 1] as usize]
    }

    /// Each edge once, as `(smaller, larger)`, ascending.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.len()).flat_map(|v| self.of(v).iter().map(move |&w| (v as u32, w)).filter(|(a, b)| a < b))
    }

    /// Breadth-first order from `root`, with the parent of each vertex reached (the root is its own parent).
    pub fn breadth_first(&self, root: u32) -> (Vec<u32>, Vec<u32>) {
        let mut parent = vec![u32::MAX; self.len()];
        let mut order = Vec::with_capacity(self.len());
        parent[root as usize] = root;
        order.push(root);
        let mut at = 0;
        while at < order.len() {
            let v = order[at];
            at += 1;
            for &w in self.of(v as usize) {
                if parent[w as usize] == u32::MAX {
                    parent[w as usize] = v;
                    order.push(w);
                }
            }
        }
        (order, parent)
    }
}

/// A connected part of a graph with its own numbering.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// Vertex of the whole graph for each vertex of the part, ascending.
    pub vertices: Vec<u32>,
    pub graph: Adjacency,
    /// Source vertex in the part's numbering.
    pub source: Option<u32>,
}

/// Connected components, the largest first, equal ones by their lowest vertex.
pub(super) fn components(graph: &LayoutGraph) -> Vec<Component> {
    let whole = Adjacency::new(graph.len(), graph.edges());
    let mut part = vec![u32::MAX; graph.len()];
    let mut local = vec![0u32; graph.len()];
    let mut members: Vec<Vec<u32>> = Vec::new();
    for seed in 0..graph.len() {
        if part[seed] != u32::MAX {
            continue;
        }
        let number = members.len() as u32;
        let mut found = vec![seed as u32];
        part[seed] = number;
        let mut at = 0;
        while at < found.len() {
            for &w in whole.of(found[at] as usize) {
                if part[w as usize] == u32::MAX {
                    part[w as usize] = number;
                    found.push(w);
                }
            }
            at += 1;
        }
        found.sort_unstable();
        for (k, &v) in found.iter().enumerate() {
            local[v as usize] = k as u32;
        }
        members.push(found);
    }
    let mut edges: Vec<Vec<(u32, u32)>> = vec![Vec::new(); members.len()];
    for (a, b) in whole.edges() {
        edges[part[a as usize] as usize].push((local[a as usize], local[b as usize]));
    }
    let mut sources = vec![None; members.len()];
    for &s in graph.sources() {
        let slot: &mut Option<u32> = &mut sources[part[s as usize] as usize];
        *slot = slot.or(Some(local[s as usize]));
    }
    let mut parts: Vec<Component> = members
        .into_iter()
        .zip(edges)
        .zip(sources)
        .map(|((vertices, edges), source)| Component {
            graph: Adjacency::new(vertices.len(), &edges),
            vertices,
            source,
        })
        .collect();
    parts.sort_by_key(|p| (std::cmp::Reverse(p.vertices.len()), p.vertices[0]));
    parts
}

/// The closed edges, and those open edges that connect otherwise separate parts.
pub(super) fn with_bridges(
    n: usize,
    mut closed: Vec<(usize, usize)>,
    open: Vec<(usize, usize)>,
) -> Vec<(usize, usize)> {
    let mut groups = Groups::new(n);
    for &(a, b) in &closed {
        groups.join(a, b);
    }
    closed.extend(open.into_iter().filter(|&(a, b)| groups.join(a, b)));
    closed
}
