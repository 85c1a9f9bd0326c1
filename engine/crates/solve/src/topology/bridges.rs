//! Lines whose loss splits an island (Tarjan, Inf. Process. Lett. 2 (1974): low points of a depth-first search).
//! Parallel lines are not bridges.

/// A line that is a bridge, with the subtree below it in the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bridge {
    pub line: usize,
    /// The bus at its lower end.
    pub below: usize,
    /// Range of `Bridges::order` below it.
    pub from: usize,
    pub to: usize,
}

/// The bridges of a network. The subtree below a bus is a contiguous range of the order in which the search met the
/// buses.
#[derive(Clone, Debug)]
pub(crate) struct Bridges {
    /// Position of each bus in `order`; `NONE` for buses outside the model.
    pub search_index: Vec<u32>,
    pub order: Vec<u32>,
    pub bridges: Vec<Bridge>,
    /// Range of each island.
    pub islands: Vec<(usize, usize)>,
}

/// Marks the absence of an index or a line.
const NONE: u32 = u32::MAX;

/// A bus on the stack of the search.
struct Visit {
    bus: u32,
    /// The line by which it was reached.
    by: u32,
    /// The lowest index reachable from it.
    low: u32,
    /// Its next line to search.
    next: u32,
    end: u32,
}

impl Bridges {
    /// Searches depth first from every island's reference, over edges `(line, from, to)`.
    pub fn find(
        n_bus: usize,
        edges: impl Iterator<Item = (usize, usize, usize)> + Clone,
        references: &[usize],
    ) -> Self {
        // Counted one position further, so that filling leaves each start at its own position.
        let mut start = vec![0u32; n_bus + 2];
        for (_, from, to) in edges.clone() {
            start[from + 2] += 1;
            start[to + 2] += 1;
        }
        for k in 2..n_bus + 2 {
            start[k] += start[k - 1];
        }
        let mut incident = vec![(0u32, 0u32); start[n_bus + 1] as usize];
        for (l, from, to) in edges {
            for (bus, other) in [(from, to), (to, from)] {
                let next = &mut start[bus + 1];
                incident[*next as usize] = (other as u32, l as u32);
                *next += 1;
            }
        }
        let visit = |bus: u32, by: u32, search_index: usize| Visit {
            bus,
            by,
            low: search_index as u32,
            next: start[bus as usize],
            end: start[bus as usize + 1],
        };
        let mut search_index = vec![NONE; n_bus];
        let mut order: Vec<u32> = Vec::with_capacity(n_bus);
        let mut bridges = Vec::new();
        let mut islands = Vec::with_capacity(references.len());
        let mut path: Vec<Visit> = Vec::new();
        for &root in references {
            let first = order.len();
            path.push(visit(root as u32, NONE, first));
            search_index[root] = first as u32;
            order.push(root as u32);
            while let Some(here) = path.last_mut() {
                if here.next < here.end {
                    let (other, line) = incident[here.next as usize];
                    here.next += 1;
                    if line == here.by || other == here.bus {
                        continue;
                    }
                    let known = search_index[other as usize];
                    if known == NONE {
                        search_index[other as usize] = order.len() as u32;
                        path.push(visit(other, line, order.len()));
                        order.push(other);
                    } else {
                        here.low = here.low.min(known);
                    }
                } else {
                    let (bus, by, low) = (here.bus, here.by, here.low);
                    path.pop();
                    if let Some(parent) = path.last_mut() {
                        parent.low = parent.low.min(low);
                        if low > search_index[parent.bus as usize] {
                            bridges.push(Bridge {
                                line: by as usize,
                                below: bus as usize,
                                from: search_index[bus as usize] as usize,
                                to: order.len(),
                            });
                        }
                    }
                }
            }
            islands.push((first, order.len()));
        }
        Self {
            search_index,
            order,
            bridges,
            islands,
        }
    }

    /// The buses, ascending, of the smaller part that the loss of a bridge separates; the part below it if both are
    /// equal.
    pub fn smaller_part(&self, bridge: &Bridge, island: (usize, usize)) -> Vec<usize> {
        let inside = bridge.from..bridge.to;
        let mut buses: Vec<usize> = if 2 * inside.len() <= island.1 - island.0 {
            self.order[inside].iter().map(|&bus| bus as usize).collect()
        } else {
            let outside = (island.0..bridge.from).chain(bridge.to..island.1);
            outside.map(|k| self.order[k] as usize).collect()
        };
        buses.sort_unstable();
        buses
    }
}
