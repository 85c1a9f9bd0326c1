//! A geographic layer in a multiconductor network, whose buses and lines have names and no numbers.

use powerio::dist::{CoordinateSpace, MulticonductorNetwork};
use powerio::{ElementKey, GeoFeature, GeoGeometry, GeoTarget as Family};
use std::collections::BTreeMap;

use super::apply::{drawing, matched, stored, GeoDrawing};
use super::layer::{GeoLayer, Provenance, Space};
use super::matching::{GeoMatches, GeoTarget, TargetBranch, TargetBus};
use super::report::GeoReport;
use crate::error::Result;

/// Stores what the layer places; the flag says whether the network changed. The rules are those of [`super::apply_geo`].
///
/// # Errors
/// `INPUT.GEO_NO_MATCH`.
pub(super) fn apply(
    net: &mut MulticonductorNetwork,
    layer: &GeoLayer,
) -> Result<(GeoReport, Option<GeoDrawing>, bool)> {
    let before = space_of(net);
    let mut matches = matched(layer, &target(net, before))?;
    let aside = (layer.space != Space::Geographic).then(|| drawing(&matches));
    if aside.is_some() && before == Some(Space::Geographic) {
        return Ok((matches.report, aside, false));
    }
    if before.is_some_and(|b| b != layer.space) {
        net.buses_mut().iter_mut().for_each(|b| b.location = None);
        net.lines_mut().iter_mut().for_each(|l| l.route = None);
    }
    powerio::dist_geo::apply_dist_geo_layer(net, &exact(net, layer, &matches));
    matches.report.unplaced_buses = net.buses().iter().filter(|b| b.location.is_none()).count();
    Ok((matches.report, aside, true))
}

fn target(net: &MulticonductorNetwork, space: Option<Space>) -> GeoTarget {
    let rows: BTreeMap<String, usize> = net
        .buses()
        .iter()
        .enumerate()
        .rev()
        .map(|(row, b)| (b.id.to_lowercase(), row))
        .collect();
    let row = |bus: &str| rows.get(&bus.to_lowercase()).copied().unwrap_or(0);
    let buses = net.buses().iter().map(|b| TargetBus {
        id: None,
        uid: None,
        name: Some(b.id.clone()),
        position: b.location.map(|l| [l.x, l.y]),
    });
    let branches = net.lines().iter().map(|l| TargetBranch {
        uid: Some(l.name.clone()),
        from: row(&l.bus_from),
        to: row(&l.bus_to),
    });
    GeoTarget {
        buses: buses.collect(),
        branches: branches.collect(),
        space,
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

/// The matches as a layer of the parser's, keyed so that nothing is left to match: bus names and line rows.
fn exact(net: &MulticonductorNetwork, layer: &GeoLayer, matches: &GeoMatches) -> powerio::GeoLayer {
    let mut features = Vec::new();
    for (row, point) in matches.positions.iter().enumerate() {
        let Some(point) = point else { continue };
        let key = ElementKey {
            id: Some(net.buses()[row].id.clone()),
            ..ElementKey::default()
        };
        let kind = matches.provenance[row].map(stored);
        features.push(feature(Family::Bus, key, GeoGeometry::Point(*point), kind));
    }
    for (row, path) in matches.routes.iter().enumerate() {
        let Some(path) = path else { continue };
        let key = ElementKey {
            index: Some(row + 1),
            ..ElementKey::default()
        };
        features.push(feature(
            Family::Branch,
            key,
            GeoGeometry::LineString(path.clone()),
            None,
        ));
    }
    powerio::GeoLayer {
        space: match layer.space {
            Space::Geographic => powerio::CoordinateSpace::Geographic { crs: None },
            Space::Projected => powerio::CoordinateSpace::Projected { crs: None },
            Space::Drawing => powerio::CoordinateSpace::Diagram { canvas: None },
            Space::Unknown => powerio::CoordinateSpace::Unknown,
        },
        kind: Some(stored(layer.provenance.unwrap_or(Provenance::Source))),
        features,
    }
}

fn feature(target: Family, key: ElementKey, geometry: GeoGeometry, kind: Option<powerio::CoordsKind>) -> GeoFeature {
    GeoFeature {
        target,
        key,
        geometry,
        from: None,
        to: None,
        kind,
    }
}

#[cfg(test)]
mod tests {
    use crate::geo::{apply_geo, store, to_geo_json, Space};
    use powerio::{PioValue, Source};

    const FEEDER: &str = "New Circuit.c basekv=12.47 bus1=SourceBus
New Line.One bus1=SourceBus bus2=650 length=1
New Line.Two bus1=650 bus2=9r length=1
New Load.l bus1=9r kv=12.47 kw=10
";

    fn module() -> String {
        let source = Source::from_memory("case.dss", FEEDER.as_bytes()).expect("a name");
        store::write(&powerio::parse(source).expect("a feeder")).expect("a module")
    }

    /// Placed buses by name, and routed lines.
    fn places(module: &str) -> (Vec<(String, [f64; 2])>, Vec<String>) {
        let module = store::open(module).expect("a module");
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
        // Positions on the earth replace the plan; a plan does not replace them.
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
