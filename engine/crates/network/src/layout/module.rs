//! Layout of a module's network: its graph, and the layout as bus locations in the module.

use powerio::{BalancedNetwork, CoordinateSpace, CoordsKind, GeoMeta, Location, PioModule, PioValue};
use std::collections::BTreeMap;

use super::graph::{with_bridges, LayoutGraph};
use super::multiconductor;
use super::projection::{places, Placement};
use crate::error::Result;
use crate::module;

/// The graph of a layout: the canonical buses of a module in their order, and their connections.
///
/// Branches, switches and HVDC links in service, and the windings of three-winding transformers, are edges. Connections
/// out of service are edges only if they connect otherwise separate parts, so that an open tie does not turn a feeder
/// into a mesh. Reference buses are the sources. For a multiconductor module, the buses and edges are those of
/// [`crate::distribution::Distribution`], and the sources are its buses with a source.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND`.
pub fn layout_graph(module_json: &str) -> Result<LayoutGraph> {
    let module = module::open(module_json)?;
    if let PioValue::MulticonductorNetwork(net) = module.value() {
        return Ok(multiconductor::graph(net));
    }
    Ok(graph_of(module::balanced(&module)?))
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

/// Stores a layout in a module as bus locations with synthetic provenance: `positions[row]` of
/// [`super::Layout::finish`] by canonical bus (multiconductor: bus of the graph), with the origin at `centre_lon_lat`
/// (degrees), where one unit of the layout is `scale_km` kilometres.
///
/// Replaces all locations and removes stored routes, which belong to other positions.
///
/// # Errors
/// `INPUT.PLACEMENT` for a wrong number of positions, values that are not finite, or a layout that extends beyond the
/// map; `MODULE.INVALID`, `MODULE.KIND`, `MODULE.WRITE`.
pub fn apply_layout(
    module_json: &str,
    positions: &[[f64; 2]],
    centre_lon_lat: [f64; 2],
    scale_km: f64,
) -> Result<String> {
    let mut module = module::open(module_json)?;
    stamp(&mut module, positions, centre_lon_lat, scale_km)?;
    module::write(&module)
}

fn stamp(module: &mut PioModule<PioValue>, positions: &[[f64; 2]], centre: [f64; 2], scale_km: f64) -> Result<()> {
    if let PioValue::MulticonductorNetwork(net) = module.value_mut() {
        return multiconductor::stamp(net, positions, centre, scale_km);
    }
    let net = module::balanced_mut(module)?;
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

/// The layout in a module, for moving or scaling it: `None` unless every bus has a synthetic geographic location.
/// `apply_layout` with the parts of the result reproduces the locations to 1e-12 degrees.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND`.
pub fn placement_of(module_json: &str) -> Result<Option<Placement>> {
    let module = module::open(module_json)?;
    if let PioValue::MulticonductorNetwork(net) = module.value() {
        return Ok(multiconductor::synthetic(net).and_then(|places| Placement::of(&places)));
    }
    let net = module::balanced(&module)?;
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
