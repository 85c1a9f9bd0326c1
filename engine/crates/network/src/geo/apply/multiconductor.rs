//! A geographic layer in a multiconductor network, whose buses and lines have names but no numbers.

use powerio::dist::{CoordinateSpace, DistCoordsKind as Kind, DistGeoMeta, DistLocation, MulticonductorNetwork};

use crate::coordinates::Space;
use crate::distribution::Topology;
use crate::error::Result;
use crate::geo::apply::{drawing, matched, GeoDrawing};
use crate::geo::layer::{GeoLayer, Provenance, RecordWarning};
use crate::geo::matching::report::GeoReport;
use crate::geo::matching::{GeoMatches, GeoTarget, TargetBranch, TargetBus};
use crate::message;

/// Stores the positions of the layer; the flag tells whether the network changed. The rules are those of
/// [`crate::geo::apply_geo`].
///
/// # Errors
/// `INPUT.GEO_NO_MATCH`.
pub(crate) fn apply(
    net: &mut MulticonductorNetwork,
    layer: &GeoLayer,
) -> Result<(GeoReport, Option<GeoDrawing>, bool)> {
    let before = space_of(net);
    let rows = Topology::new(net);
    let mut matches = matched(layer, &target(net, &rows, before))?;
    let aside = (layer.space != Space::Geographic).then(|| drawing(&matches));
    if aside.is_some() && before == Some(Space::Geographic) {
        return Ok((matches.report, aside, false));
    }
    let dropped = store(net, &rows, layer, &matches, before.is_some_and(|b| b != layer.space));
    if dropped > 0 {
        let message = message!("geo.positions_removed", count = dropped);
        matches
            .report
            .warnings
            .insert(0, RecordWarning::new(0, "GEO.REPLACED", message));
    }
    let placed = |row: &&usize| net.buses()[**row].location.is_some();
    matches.report.unplaced_buses = rows.buses.len() - rows.buses.iter().filter(placed).count();
    Ok((matches.report, aside, true))
}

/// The buses and lines of the source; internal ones of the parser have no position. Rows of the result are those of the
/// graph.
fn target(net: &MulticonductorNetwork, rows: &Topology, space: Option<Space>) -> GeoTarget {
    let buses = rows.buses.iter().map(|&row| &net.buses()[row]).map(|b| TargetBus {
        id: None,
        uid: None,
        name: Some(b.id.clone()),
        position: b.location.map(|l| [l.x, l.y]),
    });
    let lines = rows.lines.iter().zip(&rows.edges);
    let branches = lines.map(|(&row, &(from, to, _))| TargetBranch {
        uid: Some(net.lines()[row].name.clone()),
        from,
        to,
    });
    GeoTarget {
        buses: buses.collect(),
        branches: branches.collect(),
        space,
    }
}

/// Stores positions and routes as [`crate::geo::apply`] does for a balanced network; returns the number of removed
/// positions.
fn store(
    net: &mut MulticonductorNetwork,
    rows: &Topology,
    layer: &GeoLayer,
    matches: &GeoMatches,
    other_space: bool,
) -> usize {
    let kind = stored(layer.provenance.unwrap_or(Provenance::Source));
    let moves = matches.report.matched_buses > 0;
    let old_kind = net.geo().as_ref().and_then(|g| g.kind);
    let new_kind = if moves { kind } else { old_kind.unwrap_or(kind) };
    let mut dropped = 0;
    for (at, &row) in rows.buses.iter().enumerate() {
        let bus = &mut net.buses_mut()[row];
        if let Some([x, y]) = matches.positions[at] {
            let kind = matches.provenance[at].map(stored).filter(|k| *k != new_kind);
            bus.location = Some(DistLocation { x, y, kind });
        } else if let Some(location) = &mut bus.location {
            let stays = location.kind.or(old_kind);
            let mixed = moves && stays == Some(Kind::Synthetic) && kind != Kind::Synthetic;
            if other_space || mixed {
                bus.location = None;
                dropped += 1;
            } else {
                location.kind = stays.filter(|k| *k != new_kind);
            }
        }
    }
    for (at, &row) in rows.lines.iter().enumerate() {
        let line = &mut net.lines_mut()[row];
        match &matches.routes[at] {
            Some(path) => {
                let point = |&[x, y]: &[f64; 2]| DistLocation { x, y, kind: None };
                line.route = Some(path.iter().map(point).collect());
            }
            None if other_space => line.route = None,
            None => {}
        }
    }
    *net.geo_mut() = Some(DistGeoMeta {
        space: match layer.space {
            Space::Geographic => CoordinateSpace::Geographic { crs: None },
            Space::Projected => CoordinateSpace::Projected { crs: None },
            Space::Drawing => CoordinateSpace::Diagram { canvas: None },
            Space::Unknown => CoordinateSpace::Unknown,
        },
        kind: Some(new_kind),
    });
    dropped
}

fn stored(provenance: Provenance) -> Kind {
    match provenance {
        Provenance::Source => Kind::Source,
        Provenance::Synthetic => Kind::Synthetic,
        Provenance::Manual => Kind::Manual,
        Provenance::Derived => Kind::Derived,
    }
}

fn space_of(net: &MulticonductorNetwork) -> Option<Space> {
    let placed = net.buses().iter().any(|b| b.location.is_some());
    let space = match net.geo().as_ref().map(|g| &g.space) {
        Some(CoordinateSpace::Geographic { .. }) => Space::Geographic,
        Some(CoordinateSpace::Projected { .. }) => Space::Projected,
        Some(CoordinateSpace::Diagram { .. }) => Space::Drawing,
        _ => Space::Unknown,
    };
    placed.then_some(space)
}

#[cfg(test)]
mod tests {
    use crate::coordinates::Space;
    use crate::geo::{apply_geo, to_geo_json};
    use crate::module;
    use powerio::{PioValue, Source};

    const FEEDER: &str = "New Circuit.c basekv=12.47 bus1=SourceBus
New Line.One bus1=SourceBus bus2=650 length=1
New Line.Two bus1=650 bus2=9r length=1
New Load.l bus1=9r kv=12.47 kw=10
";

    fn module() -> String {
        let source = Source::from_memory("case.dss", FEEDER.as_bytes()).expect("a name");
        module::write(&powerio::parse(source).expect("a feeder")).expect("a module")
    }

    /// Positions of buses by name, and lines with routes.
    fn places(module: &str) -> (Vec<(String, [f64; 2])>, Vec<String>) {
        let module = module::open(module).expect("a module");
        let PioValue::MulticonductorNetwork(net) = module.value() else {
            panic!("no feeder")
        };
        let buses = net.buses().iter();
        let lines = net.lines().iter().filter(|l| l.route.is_some());
        (
            buses
                .filter_map(|b| Some((b.id.to_lowercase(), b.location.map(|l| [l.x, l.y])?)))
                .collect(),
            lines.map(|l| l.name.to_lowercase()).collect(),
        )
    }

    #[test]
    fn buses_and_lines_of_a_feeder_match_by_name() {
        let list = b"SOURCEBUS, 0, 0\n650, 100, 50\n9R, 200, 50\n";
        let drawn = apply_geo(&module(), list).expect("matched");
        assert_eq!((drawn.report.space, drawn.report.matched_buses), (Space::Unknown, 3));
        assert_eq!(drawn.drawing.expect("planar").buses.len(), 3);
        let (buses, _) = places(&drawn.module_json);
        assert!(buses.contains(&("9r".into(), [200.0, 50.0])) && buses.contains(&("650".into(), [100.0, 50.0])));
        // Geographic positions replace a plan, but not the reverse.
        let map = br#"{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"bus":"650"},"geometry":{"type":"Point","coordinates":[12.5,41.5]}},
            {"type":"Feature","properties":{"bus":"9r"},"geometry":{"type":"Point","coordinates":[12.6,41.5]}},
            {"type":"Feature","properties":{"from":"9r","to":"650"},
             "geometry":{"type":"LineString","coordinates":[[12.6,41.5],[12.55,41.6],[12.5,41.5]]}}]}"#;
        let mapped = apply_geo(&drawn.module_json, map).expect("matched");
        let (buses, lines) = places(&mapped.module_json);
        assert_eq!((buses.len(), lines), (2, vec!["two".to_owned()]));
        let file = to_geo_json(&mapped.module_json).expect("positions");
        let read = apply_geo(&module(), file.as_bytes()).expect("matched");
        assert_eq!(places(&read.module_json), places(&mapped.module_json));
        assert_eq!(to_geo_json(&module()).expect_err("none").code, "INPUT.GEO_EMPTY");
        let again = apply_geo(&mapped.module_json, list).expect("matched");
        assert_eq!(again.module_json, mapped.module_json);
        assert_eq!(
            apply_geo(&module(), b"x,1,2\n").expect_err("nothing").code,
            "INPUT.GEO_NO_MATCH"
        );
    }
}
