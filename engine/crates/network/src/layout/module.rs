//! Layout of a module's network: its graph, and the placed layout as locations in the module.

use powerio::{BalancedNetwork, CoordinateSpace, CoordsKind, GeoMeta, Location, PioModule, PioValue};
use std::collections::BTreeMap;

use super::graph::LayoutGraph;
use super::multiconductor;
use super::projection::{Placement, Projection};
use crate::error::{EngineError, Result};
use crate::geo::store;
use crate::message;

/// The graph to lay out: the canonical buses of a module in their order, and what connects them.
///
/// Branches, switches and HVDC links in service, and the windings of three-winding transformers, are edges. Of those out of
/// service only the ones count that connect what would be apart otherwise, so that an open tie does not turn a feeder into a
/// mesh. Reference buses are the sources. Of a multiconductor module, the buses and edges are those of
/// [`crate::distribution::Distribution`], and the sources are its buses with a source.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND`.
pub fn layout_graph(module_json: &str) -> Result<LayoutGraph> {
    let module = store::open(module_json)?;
    if let PioValue::MulticonductorNetwork(net) = module.value() {
        return Ok(multiconductor::graph(net));
    }
    Ok(graph_of(store::balanced(&module)?))
}

fn graph_of(net: &BalancedNetwork) -> LayoutGraph {
    let n = net.buses().len();
    let rows: BTreeMap<usize, usize> = net
        .buses()
        .iter()
        .enumerate()
        .map(|(row, b)| (b.id.0, row))
        .rev()
        .collect();
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    let mut add = |a: usize, b: usize, in_service: bool| {
        if let (Some(&a), Some(&b)) = (rows.get(&a), rows.get(&b)) {
            if in_service { &mut closed } else { &mut open }.push((a, b));
        }
    };
    for b in net.branches().iter() {
        add(b.from.0, b.to.0, b.in_service);
    }
    for s in net.switches().iter() {
        add(s.from.0, s.to.0, s.closed);
    }
    for h in net.hvdc().iter() {
        add(h.from.0, h.to.0, h.in_service);
    }
    for t in net.transformers_3w().iter() {
        let [a, b, c] = t.windings.each_ref().map(|w| w.bus.0);
        add(a, b, t.in_service);
        add(a, c, t.in_service);
    }
    let is_source = |b: &powerio::Bus| b.kind == powerio::BusType::Ref;
    let sources: Vec<usize> = (0..n).filter(|&row| is_source(&net.buses()[row])).collect();
    LayoutGraph::new(n, with_bridges(n, closed, open), &sources)
}

/// The closed edges, and those of the open ones that connect what would be apart otherwise.
pub(super) fn with_bridges(
    n: usize,
    mut closed: Vec<(usize, usize)>,
    open: Vec<(usize, usize)>,
) -> Vec<(usize, usize)> {
    let mut group: Vec<usize> = (0..n).collect();
    for &(a, b) in &closed {
        join(&mut group, a, b);
    }
    closed.extend(open.into_iter().filter(|&(a, b)| join(&mut group, a, b)));
    closed
}

/// Joins the groups of two vertices; false when they were one group already.
fn join(group: &mut [usize], a: usize, b: usize) -> bool {
    let (a, b) = (head(group, a), head(group, b));
    group[a.max(b)] = a.min(b);
    a != b
}

fn head(group: &mut [usize], mut v: usize) -> usize {
    while group[v] != v {
        group[v] = group[group[v]];
        v = group[v];
    }
    v
}

/// Stamps a layout into a module as bus locations with provenance synthetic: `positions[row]` of [`super::Layout::finish`] by
/// canonical bus (multiconductor: bus of the graph), the origin at `centre_lon_lat` (degrees), one unit of the layout
/// `scale_km` kilometres long there.
///
/// Replaces every location and removes stored routes, which belong to other positions.
///
/// # Errors
/// `INPUT.PLACEMENT` for a wrong number of positions, values that are not finite, or a footprint that leaves the map;
/// `MODULE.INVALID`, `MODULE.KIND`, `MODULE.WRITE`.
pub fn apply_layout(
    module_json: &str,
    positions: &[[f64; 2]],
    centre_lon_lat: [f64; 2],
    scale_km: f64,
) -> Result<String> {
    let mut module = store::open(module_json)?;
    stamp(&mut module, positions, centre_lon_lat, scale_km)?;
    store::write(&module)
}

fn stamp(module: &mut PioModule<PioValue>, positions: &[[f64; 2]], centre: [f64; 2], scale_km: f64) -> Result<()> {
    if let PioValue::MulticonductorNetwork(net) = module.value_mut() {
        return multiconductor::stamp(net, positions, centre, scale_km);
    }
    let net = store::balanced_mut(module)?;
    let places = places(positions, net.buses().len(), centre, scale_km)?;
    for (bus, [x, y]) in net.buses_mut().iter_mut().zip(places) {
        let kind = Some(CoordsKind::Synthetic);
        bus.location = Some(Location { x, y, kind });
    }
    if net.branches().iter().any(|b| b.route.is_some()) {
        net.branches_mut().iter_mut().for_each(|b| b.route = None);
    }
    *net.geo_mut() = Some(GeoMeta {
        space: CoordinateSpace::Geographic { crs: None },
        kind: Some(CoordsKind::Synthetic),
    });
    Ok(())
}

/// Longitude and latitude of every position.
///
/// # Errors
/// `INPUT.PLACEMENT`.
pub(super) fn places(positions: &[[f64; 2]], buses: usize, centre: [f64; 2], scale_km: f64) -> Result<Vec<[f64; 2]>> {
    if positions.len() != buses {
        let said = message!("layout.positions", positions = positions.len(), buses = buses);
        return Err(EngineError::new("INPUT.PLACEMENT", said));
    }
    let projection = Projection::new(centre, scale_km)?;
    positions.iter().map(|&p| projection.lon_lat(p)).collect()
}

/// The layout that a module carries, for moving, turning to another centre or scaling it: None unless every bus has a
/// synthetic geographic location. `apply_layout` of the answer's own parts gives the same locations to 1e-12 degrees.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND`.
pub fn placement_of(module_json: &str) -> Result<Option<Placement>> {
    let module = store::open(module_json)?;
    if let PioValue::MulticonductorNetwork(net) = module.value() {
        return Ok(multiconductor::synthetic(net).and_then(|places| Placement::of(&places)));
    }
    let net = store::balanced(&module)?;
    let Some(meta) = net.geo().as_ref() else {
        return Ok(None);
    };
    if !matches!(meta.space, CoordinateSpace::Geographic { .. }) {
        return Ok(None);
    }
    let synthetic = |l: &Location| l.kind.or(meta.kind) == Some(CoordsKind::Synthetic);
    let places: Option<Vec<[f64; 2]>> = net
        .buses()
        .iter()
        .map(|b| b.location.filter(synthetic).map(|l| [l.x, l.y]))
        .collect();
    Ok(places.and_then(|places| Placement::of(&places)))
}
