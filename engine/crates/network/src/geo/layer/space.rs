//! Decides whether the coordinates of a layer are longitude and latitude.

use crate::coordinates::{looks_like_degrees, on_earth, Space};
use crate::geo::layer::{Draft, Naming, Position, SpaceBasis};
use crate::message;
use crate::message::Message;

/// Largest planar coordinate in any unit: beyond it differences are meaningless.
const MAX_PLANAR: f64 = 1e9;

/// Decides the space of a layer.
///
/// A marker or a `crs` in the file decides. Otherwise names do: latitude and longitude by name, and GeoJSON, whose
/// coordinates are geographic unless the file states otherwise (RFC 7946, section 4). Otherwise (`x` and `y`, columns
/// without names) the values are longitude and latitude only if all are in range and far from the origin for their
/// extent: small planar coordinates of a drawing, which start at the origin, are not degrees.
pub(crate) fn decide(draft: &Draft) -> (Space, SpaceBasis) {
    if let Some(marker) = draft.marker {
        return (marker, SpaceBasis::Marker);
    }
    if draft.naming.contains(&Naming::Degrees) {
        return (Space::Geographic, SpaceBasis::Names);
    }
    let points = || draft.records.iter().flat_map(|r| points(&r.position));
    if !draft.naming.is_empty() && draft.naming.iter().all(|n| *n == Naming::GeoJson) {
        let (inside, all) = points().fold((0, 0), |(i, n), p| (i + usize::from(on_earth(p)), n + 1));
        if inside * 2 > all {
            return (Space::Geographic, SpaceBasis::Names);
        }
        return (Space::Unknown, SpaceBasis::Nothing);
    }
    if looks_like_degrees(points()) {
        return (Space::Geographic, SpaceBasis::Inferred);
    }
    (Space::Unknown, SpaceBasis::Nothing)
}

/// Code and message for a position that is impossible in this space.
pub(crate) fn refusal(space: Space, position: &Position) -> Option<(&'static str, Message)> {
    let fits = |p: &[f64; 2]| match space {
        Space::Geographic => on_earth(p),
        _ => p[0].abs() <= MAX_PLANAR && p[1].abs() <= MAX_PLANAR,
    };
    let bad = points(position).iter().find(|p| !fits(p))?;
    let [x, y] = bad.map(legible);
    let message = match space {
        Space::Geographic => message!("geo.not_on_earth", x = x, y = y),
        _ => message!("geo.out_of_range", x = x, y = y),
    };
    Some(("GEO.OUT_OF_RANGE", message))
}

/// A number in its usual notation, unless it has too many digits.
fn legible(x: f64) -> String {
    if x.abs() < 1e12 && (x == 0.0 || x.abs() > 1e-6) {
        return x.to_string();
    }
    format!("{x:e}")
}

fn points(position: &Position) -> &[[f64; 2]] {
    match position {
        Position::Bus(point) => std::slice::from_ref(point),
        Position::Branch(path) => path,
    }
}
