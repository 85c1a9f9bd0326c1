//! The positions of a case as a `.geo.json` layer.

use powerio::{CoordsKind, Location, PioValue};
use serde_json::{json, Map, Value};

use crate::error::{EngineError, Result};
use crate::geo::apply::space_of;
use crate::message;
use crate::module;

/// Writes bus positions and branch routes of a module as GeoJSON: a FeatureCollection of Points (bus id, name, row uid)
/// and LineStrings (branch row, ends), whose members `powerio_geo_kind` (geographic, projected, drawing, unknown) and
/// `powerio_geo` (space and provenance) describe the coordinates. [`super::apply_geo`] reads bit-identical positions
/// from it. The keys of buses and lines in a multiconductor network are their names.
///
/// # Errors
/// `INPUT.GEO_EMPTY` if the case has no positions; `MODULE.INVALID`, `MODULE.KIND`, `MODULE.WRITE`.
pub fn to_geo_json(module_json: &str) -> Result<String> {
    let module = module::open(module_json)?;
    if let PioValue::MulticonductorNetwork(net) = module.value() {
        let layer = powerio::dist_geo::to_dist_geo_layer(net);
        return layer.to_geojson_checked().map_err(|_| nothing());
    }
    let net = module::balanced(&module)?;
    let Some(space) = space_of(net) else {
        return Err(nothing());
    };
    let mut features = Vec::new();
    for bus in net.buses().iter() {
        let Some(at) = bus.location else { continue };
        let mut properties = Map::new();
        properties.insert("target".into(), json!("bus"));
        properties.insert("bus_id".into(), json!(bus.id.0));
        if let Some(name) = &bus.name {
            properties.insert("name".into(), json!(name));
        }
        if let Some(uid) = source_uid(net.uid_is_generated(bus.uid.as_deref()), &bus.uid) {
            properties.insert("uid".into(), json!(uid));
        }
        if let Some(kind) = at.kind {
            properties.insert("kind".into(), token(kind));
        }
        features.push(feature("Point", json!([at.x, at.y]), properties));
    }
    for (row, branch) in net.branches().iter().enumerate() {
        let Some(route) = &branch.route else { continue };
        let mut properties = Map::new();
        properties.insert("target".into(), json!("branch"));
        properties.insert("branch_id".into(), json!(row + 1));
        properties.insert("from_bus".into(), json!(branch.from.0));
        properties.insert("to_bus".into(), json!(branch.to.0));
        if let Some(uid) = source_uid(net.uid_is_generated(branch.uid.as_deref()), &branch.uid) {
            properties.insert("uid".into(), json!(uid));
        }
        let path: Vec<[f64; 2]> = route.iter().map(|l: &Location| [l.x, l.y]).collect();
        features.push(feature("LineString", json!(path), properties));
    }
    let mut marker = Map::new();
    // The parser's own word for a drawing is `diagram`, and it reads this member too.
    let parser_space = if space.token() == "drawing" {
        "diagram"
    } else {
        space.token()
    };
    marker.insert("space".into(), json!(parser_space));
    if let Some(kind) = net.geo().as_ref().and_then(|g| g.kind) {
        marker.insert("kind".into(), token(kind));
    }
    let document = json!({
        "type": "FeatureCollection",
        "powerio_geo_kind": space.token(),
        "powerio_geo": marker,
        "features": features,
    });
    serde_json::to_string(&document)
        .map_err(|e| EngineError::new("MODULE.WRITE", message!("module.write", cause = e.to_string())))
}

fn nothing() -> EngineError {
    EngineError::new("INPUT.GEO_EMPTY", message!("geo.no_positions"))
}

fn feature(kind: &str, coordinates: Value, properties: Map<String, Value>) -> Value {
    json!({
        "type": "Feature",
        "geometry": { "type": kind, "coordinates": coordinates },
        "properties": properties,
    })
}

/// A uid from the source; uids that the parser generates have no meaning in another module.
fn source_uid(generated: bool, uid: &Option<String>) -> Option<&String> {
    uid.as_ref().filter(|_| !generated)
}

fn token(kind: CoordsKind) -> Value {
    json!(match kind {
        CoordsKind::Synthetic => "synthetic",
        CoordsKind::Manual => "manual",
        CoordsKind::Derived => "derived",
        _ => "source",
    })
}
