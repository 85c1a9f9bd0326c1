//! A geographic layer stored in the module of a case.

mod multiconductor;

use powerio::{BalancedNetwork, CoordinateSpace, CoordsKind, GeoMeta, Location, PioValue};

use crate::coordinates::Space;
use crate::error::{EngineError, Result};
use crate::geo::layer::{GeoLayer, Provenance, RecordWarning};
use crate::geo::matching::report::GeoReport;
use crate::geo::matching::routes::Ends;
use crate::geo::matching::{match_layer, GeoMatches, GeoTarget, TargetBranch, TargetBus};
use crate::geo::readers::parse_layer;
use crate::message;
use crate::module;

/// The result of [`apply_geo`].
#[derive(Clone, Debug, PartialEq)]
pub struct GeoApplied {
    /// The module with the layer; unchanged if the layer becomes a `drawing`.
    pub module_json: String,
    pub report: GeoReport,
    /// A non-geographic layer for the diagram, in its own units.
    pub drawing: Option<GeoDrawing>,
}

/// Matched positions of a non-geographic layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeoDrawing {
    /// Dense rows of buses with their points.
    pub buses: Vec<(usize, [f64; 2])>,
    /// Dense rows of branches (multiconductor: of lines) with their routes.
    pub branches: Vec<(usize, Vec<[f64; 2]>)>,
}

/// Reads a geographic layer and stores its matched positions in a module: bus positions as `location`, routes as
/// `route`.
///
/// - Buses outside the layer keep their position, unless it is synthetic (a layout and a map do not mix).
/// - Routes outside the layer are removed if they no longer end at their buses.
/// - A non-geographic layer never replaces geographic positions: it is returned as `drawing` and the module is
///   unchanged. Without such positions it is stored with its own space, which the map does not draw.
///
/// In a multiconductor module, buses match by name, and routes by the line's name or its two buses.
///
/// # Errors
/// Those of [`parse_layer`]; `INPUT.GEO_NO_MATCH` if no bus and no branch matched (the case is unchanged);
/// `MODULE.INVALID`, `MODULE.KIND`, `MODULE.WRITE`.
pub fn apply_geo(module_json: &str, bytes: &[u8]) -> Result<GeoApplied> {
    let layer = parse_layer(bytes)?;
    let mut module = module::open(module_json)?;
    if let PioValue::MulticonductorNetwork(net) = module.value_mut() {
        let (report, drawing, changed) = multiconductor::apply(net, &layer)?;
        let module_json = if changed {
            module::write(&module)?
        } else {
            module_json.to_owned()
        };
        return Ok(GeoApplied {
            module_json,
            report,
            drawing,
        });
    }
    let net = module::balanced_mut(&mut module)?;
    let mut matches = matched(&layer, &target(net))?;
    let drawing = (layer.space != Space::Geographic).then(|| drawing(&matches));
    let has_map = space_of(net) == Some(Space::Geographic);
    if drawing.is_some() && has_map {
        return Ok(GeoApplied {
            module_json: module_json.to_owned(),
            report: matches.report,
            drawing,
        });
    }
    let mut notes = Vec::new();
    store_places(net, layer.space, layer.provenance, &matches, &mut notes);
    matches.report.unplaced_buses = net.buses().iter().filter(|b| b.location.is_none()).count();
    notes.append(&mut matches.report.warnings);
    matches.report.warnings = notes;
    Ok(GeoApplied {
        module_json: module::write(&module)?,
        report: matches.report,
        drawing,
    })
}

/// Matches the layer to the rows of the case.
///
/// # Errors
/// `INPUT.GEO_NO_MATCH` if no bus and no branch matched.
pub(crate) fn matched(layer: &GeoLayer, target: &GeoTarget) -> Result<GeoMatches> {
    let matches = match_layer(layer, target);
    let report = &matches.report;
    if report.matched_buses + report.matched_branches > 0 {
        return Ok(matches);
    }
    let count = layer.records.len() + layer.warnings.len();
    let message = match report.warnings.iter().find(|w| w.record > 0) {
        Some(w) => message!("geo.no_match_first", count = count, why = w.sentence.clone()),
        None => message!("geo.no_match", count = count),
    };
    Err(EngineError::new("INPUT.GEO_NO_MATCH", message))
}

/// The case as a matching target; positions are compared in their own space only.
fn target(net: &BalancedNetwork) -> GeoTarget {
    let buses: Vec<TargetBus> = net
        .buses()
        .iter()
        .map(|b| TargetBus {
            id: Some(b.id.0 as u64),
            uid: b.uid.clone(),
            name: b.name.clone(),
            position: b
                .location
                .filter(|l| kind_of(net, l) != Some(CoordsKind::Synthetic))
                .map(|l| [l.x, l.y]),
        })
        .collect();
    let rows: std::collections::BTreeMap<usize, usize> = net
        .buses()
        .iter()
        .enumerate()
        .rev()
        .map(|(row, b)| (b.id.0, row))
        .collect();
    let branches = net
        .branches()
        .iter()
        .map(|b| TargetBranch {
            uid: b.uid.clone(),
            from: rows.get(&b.from.0).copied().unwrap_or(0),
            to: rows.get(&b.to.0).copied().unwrap_or(0),
        })
        .collect();
    GeoTarget {
        buses,
        branches,
        space: space_of(net),
    }
}

/// Space of the positions of a network; `None` without positions.
pub(crate) fn space_of(net: &BalancedNetwork) -> Option<Space> {
    let placed = net.buses().iter().any(|b| b.location.is_some());
    let space = match net.geo().as_ref().map(|g| &g.space) {
        Some(CoordinateSpace::Geographic { .. }) => Space::Geographic,
        Some(CoordinateSpace::Projected { .. }) => Space::Projected,
        Some(CoordinateSpace::Diagram { .. }) => Space::Drawing,
        _ => Space::Unknown,
    };
    placed.then_some(space)
}

fn kind_of(net: &BalancedNetwork, location: &Location) -> Option<CoordsKind> {
    location.kind.or(net.geo().as_ref().and_then(|g| g.kind))
}

fn store_places(
    net: &mut BalancedNetwork,
    space: Space,
    provenance: Option<Provenance>,
    matches: &GeoMatches,
    notes: &mut Vec<RecordWarning>,
) {
    let kind = stored(provenance.unwrap_or(Provenance::Source));
    let moves = matches.report.matched_buses > 0;
    let other_space = space_of(net).is_some_and(|before| before != space);
    let old_kind = net.geo().as_ref().and_then(|g| g.kind);
    let new_kind = if moves { kind } else { old_kind.unwrap_or(kind) };
    let mut dropped = 0_usize;
    for (row, bus) in net.buses_mut().iter_mut().enumerate() {
        if let Some([x, y]) = matches.positions[row] {
            let own = of_its_own(matches.provenance[row].map(stored).unwrap_or(kind), new_kind);
            bus.location = Some(Location { x, y, kind: own });
        } else if let Some(location) = &mut bus.location {
            let stays = location.kind.or(old_kind);
            let mixed = moves && stays == Some(CoordsKind::Synthetic) && kind != CoordsKind::Synthetic;
            if other_space || mixed {
                bus.location = None;
                dropped += 1;
            } else {
                location.kind = stays.and_then(|k| of_its_own(k, new_kind));
            }
        }
    }
    if dropped > 0 {
        let message = message!("geo.positions_removed", count = dropped);
        notes.push(RecordWarning::new(0, "GEO.REPLACED", message));
    }
    store_routes(net, space, matches, other_space, notes);
    let space = match space {
        Space::Geographic => CoordinateSpace::Geographic { crs: None },
        Space::Projected => CoordinateSpace::Projected { crs: None },
        Space::Drawing => CoordinateSpace::Diagram { canvas: None },
        Space::Unknown => CoordinateSpace::Unknown,
    };
    *net.geo_mut() = Some(GeoMeta {
        space,
        kind: Some(new_kind),
    });
}

/// Provenance to store at a location itself: one that differs from the network's, and always synthetic, as a layout
/// does.
fn of_its_own(kind: CoordsKind, of_network: CoordsKind) -> Option<CoordsKind> {
    (kind != of_network || kind == CoordsKind::Synthetic).then_some(kind)
}

fn store_routes(
    net: &mut BalancedNetwork,
    space: Space,
    matches: &GeoMatches,
    other_space: bool,
    notes: &mut Vec<RecordWarning>,
) {
    if matches.report.matched_branches == 0 && net.branches().iter().all(|b| b.route.is_none()) {
        return;
    }
    let known: Vec<Option<[f64; 2]>> = net.buses().iter().map(|b| b.location.map(|l| [l.x, l.y])).collect();
    let ends = Ends::new(space, &known);
    let rows = target(net).branches;
    let mut dropped = 0_usize;
    for (row, branch) in net.branches_mut().iter_mut().enumerate() {
        let position = |&[x, y]: &[f64; 2]| Location { x, y, kind: None };
        if let Some(path) = &matches.routes[row] {
            branch.route = Some(path.iter().map(position).collect());
        } else if let Some(route) = &branch.route {
            let path: Vec<[f64; 2]> = route.iter().map(|l| [l.x, l.y]).collect();
            if other_space || ends.agree(&path, (rows[row].from, rows[row].to)).is_none() {
                branch.route = None;
                dropped += 1;
            }
        }
    }
    if dropped > 0 {
        let message = message!("geo.routes_removed", count = dropped);
        notes.push(RecordWarning::new(0, "GEO.REPLACED", message));
    }
}

/// Matched positions, unchanged.
pub(crate) fn drawing(matches: &GeoMatches) -> GeoDrawing {
    let points = matches.positions.iter().enumerate();
    let paths = matches.routes.iter().enumerate();
    GeoDrawing {
        buses: points.filter_map(|(row, p)| Some((row, (*p)?))).collect(),
        branches: paths.filter_map(|(row, p)| Some((row, p.clone()?))).collect(),
    }
}

pub(crate) fn stored(provenance: Provenance) -> CoordsKind {
    match provenance {
        Provenance::Source => CoordsKind::Source,
        Provenance::Synthetic => CoordsKind::Synthetic,
        Provenance::Manual => CoordsKind::Manual,
        Provenance::Derived => CoordsKind::Derived,
    }
}
