//! Lines whose loss splits an island (Tarjan, Inf. Process. Lett. 2 (1974): low points of a depth-first search; parallel
//! lines are none).

use super::islands::NO_ISLAND;
use super::model::Line;

/// A line that is a bridge, and what hangs below it in the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub line: usize,
    /// The bus at its lower end.
    pub below: usize,
    /// Stretch of `Cuts::order` below it.
    pub from: usize,
    pub to: usize,
}

/// The bridges of a network. What hangs below a bus is a stretch of the order in which the search met the buses.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    /// Place of each bus in `order`; `NO_ISLAND` for buses that take no part.
    pub place: Vec<usize>,
    pub order: Vec<usize>,
    pub cuts: Vec<Cut>,
    /// Stretch of each island.
    pub islands: Vec<(usize, usize)>,
}

impl Cuts {
    /// Depth first from every island's reference, over lines that carry flow.
    pub fn find(n_bus: usize, lines: &[Line], references: &[usize]) -> Self {
        let mut start = vec![0usize; n_bus + 1];
        for line in lines.iter().filter(|l| l.carries_flow()) {
            start[line.from + 1] += 1;
            start[line.to + 1] += 1;
        }
        for bus in 0..n_bus {
            start[bus + 1] += start[bus];
        }
        let mut next = start.clone();
        let mut incident = vec![(0usize, 0usize); start[n_bus]];
        for (l, line) in lines.iter().enumerate().filter(|(_, l)| l.carries_flow()) {
            for (bus, other) in [(line.from, line.to), (line.to, line.from)] {
                incident[next[bus]] = (other, l);
                next[bus] += 1;
            }
        }
        let mut place = vec![NO_ISLAND; n_bus];
        let mut low = vec![0usize; n_bus];
        let mut cursor = start[..n_bus].to_vec();
        let mut order = Vec::with_capacity(n_bus);
        let mut cuts = Vec::new();
        let mut islands = Vec::with_capacity(references.len());
        for &root in references {
            let first = order.len();
            place[root] = first;
            low[root] = first;
            order.push(root);
            let mut path = vec![(root, usize::MAX)];
            while let Some(&(bus, by)) = path.last() {
                if cursor[bus] < start[bus + 1] {
                    let (other, line) = incident[cursor[bus]];
                    cursor[bus] += 1;
                    if line == by || other == bus {
                        continue;
                    }
                    if place[other] == NO_ISLAND {
                        place[other] = order.len();
                        low[other] = order.len();
                        order.push(other);
                        path.push((other, line));
                    } else {
                        low[bus] = low[bus].min(place[other]);
                    }
                } else {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[bus]);
                        if low[bus] > place[parent] {
                            cuts.push(Cut {
                                line: by,
                                below: bus,
                                from: place[bus],
                                to: order.len(),
                            });
                        }
                    }
                }
            }
            islands.push((first, order.len()));
        }
        Self {
            place,
            order,
            cuts,
            islands,
        }
    }

    /// The buses of the smaller part that the loss of a bridge cuts off (the part below it where both are equal), ascending.
    pub fn smaller_part(&self, cut: &Cut, island: (usize, usize)) -> Vec<usize> {
        let inside = cut.from..cut.to;
        let mut buses: Vec<usize> = if 2 * inside.len() <= island.1 - island.0 {
            self.order[inside].to_vec()
        } else {
            let outside = (island.0..cut.from).chain(cut.to..island.1);
            outside.map(|k| self.order[k]).collect()
        };
        buses.sort_unstable();
        buses
    }
}
