//! Layout of a multiconductor network: only the buses of the source have a position.

use powerio::dist::{CoordinateSpace, DistCoordsKind, DistGeoMeta, DistLocation, MulticonductorNetwork};

use super::graph::{with_bridges, LayoutGraph};
use super::projection::places;
use crate::distribution::Topology;
use crate::error::Result;

/// The graph of the layout, rooted at the buses with a source.
pub(super) fn graph(net: &MulticonductorNetwork) -> LayoutGraph {
    let topology = Topology::new(net);
    let n = topology.buses.len();
    let of = |state: bool| {
        let edges = topology.edges.iter().filter(move |(.., closed)| *closed == state);
        edges.map(|&(a, b, _)| (a, b)).collect()
    };
    LayoutGraph::new(n, with_bridges(n, of(true), of(false)), &topology.sources)
}

/// Stores a layout; see [`super::apply_layout`].
///
/// # Errors
/// `INPUT.PLACEMENT`.
pub(super) fn stamp(
    net: &mut MulticonductorNetwork,
    positions: &[[f64; 2]],
    centre: [f64; 2],
    scale_km: f64,
) -> Result<()> {
    let rows = Topology::new(net).buses;
    let places = places(positions, rows.len(), centre, scale_km)?;
    for (row, [x, y]) in rows.into_iter().zip(places) {
        let kind = Some(DistCoordsKind::Synthetic);
        net.buses_mut()[row].location = Some(DistLocation { x, y, kind });
    }
    net.lines_mut().iter_mut().for_each(|l| l.route = None);
    *net.geo_mut() = Some(DistGeoMeta {
        space: CoordinateSpace::Geographic { crs: None },
        kind: Some(DistCoordsKind::Synthetic),
    });
    Ok(())
}

/// Longitude and latitude of every bus of the graph; `None` unless all of them are synthetic.
pub(super) fn synthetic(net: &MulticonductorNetwork) -> Option<Vec<[f64; 2]>> {
    let meta = net.geo().as_ref()?;
    if !matches!(meta.space, CoordinateSpace::Geographic { .. }) {
        return None;
    }
    let own = |l: &DistLocation| l.kind.or(meta.kind) == Some(DistCoordsKind::Synthetic);
    let at = |row: usize| net.buses()[row].location.filter(own).map(|l| [l.x, l.y]);
    Topology::new(net).buses.into_iter().map(at).collect()
}
