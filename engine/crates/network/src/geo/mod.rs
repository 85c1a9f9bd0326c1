//! Geographic layers: bus positions and branch routes from separate files, matched to a case and stored in its module.

mod apply;
mod apply_multiconductor;
mod csv;
mod export;
mod features;
mod fields;
mod json;
mod layer;
mod matching;
mod powerworld;
mod psse;
mod report;
mod ring;
mod routes;
pub(crate) mod source;
mod space;
pub(crate) mod store;

pub use apply::{apply_geo, GeoApplied, GeoDrawing};
pub use export::to_geo_json;
pub use layer::{parse_layer, GeoLayer, GeoRecord, Position, Provenance, Space, SpaceBasis};
pub use matching::{match_layer, GeoMatches, GeoTarget, TargetBranch, TargetBus};
pub use report::{GeoReport, RecordWarning};
pub use ring::{spread_shared, RING_METRES};
pub use source::{place_from_source, SourcePlacement};
pub(crate) use space::looks_like_degrees;

/// Mean radius of the earth, kilometres.
pub(crate) const EARTH_RADIUS_KM: f64 = 6371.0088;

/// Distance of two points in degrees on the ground, kilometres: the haversine formula.
pub(crate) fn distance_km(a: [f64; 2], b: [f64; 2]) -> f64 {
    let half = |x: f64| {
        let s = libm::sin(0.5 * x.to_radians());
        s * s
    };
    let (cos_a, cos_b) = (libm::cos(a[1].to_radians()), libm::cos(b[1].to_radians()));
    let h = half(b[1] - a[1]) + cos_a * cos_b * half(b[0] - a[0]);
    2.0 * EARTH_RADIUS_KM * libm::asin(h.sqrt().min(1.0))
}
