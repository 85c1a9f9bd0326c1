//! GeoJSON features (RFC 7946).

use serde_json::{Map, Value};

use crate::geo::layer::{Draft, Position};
use crate::geo::readers::fields::{point, shortened, Fields};
use crate::message;
use crate::message::Message;

/// Adds a feature to the layer, or a warning with the reason. `Feature.id` applies if the properties contain no key.
pub(crate) fn read(feature: &Map<String, Value>, number: usize, draft: &mut Draft) {
    let empty = Map::new();
    let properties = feature.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let fields = Fields::new(properties.iter().map(|(k, v)| (k.clone(), v.clone())), false);
    draft.marker = draft.marker.or_else(|| fields.marker());
    let id = match feature.get("id") {
        Some(Value::String(text)) => Some(text.trim().to_owned()).filter(|t| !t.is_empty()),
        Some(Value::Number(n)) => Some(n.to_string()),
        _ => None,
    };
    match feature.get("geometry") {
        Some(Value::Object(geometry)) => match position(geometry) {
            Ok(position) => fields.add_to(draft, number, Some(position), id),
            Err(why) => draft.warn(number, "GEO.GEOMETRY", why),
        },
        // Without a geometry, the properties may contain coordinates.
        _ => fields.add_to(draft, number, None, id),
    }
}

fn position(geometry: &Map<String, Value>) -> Result<Position, Message> {
    let kind = geometry.get("type").and_then(Value::as_str).unwrap_or_default();
    let coordinates = geometry.get("coordinates").and_then(Value::as_array);
    let broken = || message!("geo.geometry_not_numbers", geometry = shortened(kind));
    let coordinates = coordinates.ok_or_else(broken)?;
    let path = |points: &[Value]| points.iter().map(point).collect::<Option<Vec<_>>>().ok_or_else(broken);
    match kind {
        "Point" => point(&Value::Array(coordinates.clone()))
            .map(Position::Bus)
            .ok_or_else(broken),
        "MultiPoint" if coordinates.len() == 1 => Ok(Position::Bus(path(coordinates)?[0])),
        "LineString" => long_enough(path(coordinates)?),
        "MultiLineString" => {
            let mut whole: Vec<[f64; 2]> = Vec::new();
            for part in coordinates {
                let part = path(part.as_array().ok_or_else(broken)?)?;
                if whole.last().is_some_and(|end| part.first() != Some(end)) {
                    return Err(message!("geo.parts_apart"));
                }
                whole.extend(part.into_iter().skip(usize::from(!whole.is_empty())));
            }
            long_enough(whole)
        }
        other => Err(message!("geo.geometry_unused", geometry = shortened(other))),
    }
}

fn long_enough(path: Vec<[f64; 2]>) -> Result<Position, Message> {
    if path.len() > 1 {
        return Ok(Position::Branch(path));
    }
    Err(message!("geo.route_too_short"))
}
