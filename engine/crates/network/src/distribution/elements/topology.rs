//! The graph of a multiconductor network by rows, for layouts and geographic layers.

use powerio::dist::{DistLine, MulticonductorNetwork};

use crate::distribution::elements::edges;
use crate::distribution::elements::fold::Fold;
use crate::distribution::elements::service::Service;

/// Rows of the elements of a [`crate::distribution::Distribution`]. A bus of the graph is a position in `buses`.
pub(crate) struct Topology {
    /// Row in the network's bus table, by bus of the graph.
    pub buses: Vec<usize>,
    /// Row in the network's line table, by edge of the graph; the lines are the first edges.
    pub lines: Vec<usize>,
    /// Buses of the graph at both ends of every edge, and whether the edge is closed.
    pub edges: Vec<(usize, usize, bool)>,
    /// Buses of the graph with a source.
    pub sources: Vec<usize>,
}

impl Topology {
    pub fn new(net: &MulticonductorNetwork) -> Self {
        let fold = Fold::new(net);
        let edges = edges::all(net, &fold, &Service::new(net));
        let ends = edges
            .iter()
            .filter_map(|e| Some((fold.row(&e.from)?, fold.row(&e.to)?, e.closed)));
        // As in `edges`, both ends must be buses of the source.
        let shown =
            |l: &DistLine| fold.is_line(&l.name) && fold.row(&l.bus_from).is_some() && fold.row(&l.bus_to).is_some();
        let lines = net
            .lines()
            .iter()
            .enumerate()
            .filter(|(_, l)| shown(l))
            .map(|(row, _)| row);
        Self {
            edges: ends.collect(),
            lines: lines.collect(),
            sources: fold.sources.iter().copied().collect(),
            buses: fold.buses,
        }
    }
}
