//! Longitude and latitude of buses and routes from the source.

use powerio::{BalancedNetwork, CoordinateSpace};

use crate::analysis::{Bus, CoordsKind};

/// Position of a bus; drawing and projected coordinates are never used as longitude and latitude.
pub(crate) fn lon_lat(net: &BalancedNetwork, bus: &powerio::Bus) -> Option<[f64; 2]> {
    bus.location
        .as_ref()
        .filter(|_| is_geographic(net))
        .map(|p| [p.x, p.y])
        .filter(on_earth)
}

/// Stored route of a branch, at least two points.
pub(crate) fn route(net: &BalancedNetwork, branch: &powerio::Branch) -> Option<Vec<[f64; 2]>> {
    let stored = branch.route.as_ref().filter(|_| is_geographic(net))?;
    let points: Vec<[f64; 2]> = stored.iter().map(|p| [p.x, p.y]).collect();
    (points.len() > 1 && points.iter().all(on_earth)).then_some(points)
}

/// One origin for the whole network: that of the first bus with a position, otherwise the declared default, otherwise
/// the file.
pub(crate) fn kind(net: &BalancedNetwork, buses: &[Bus]) -> Option<CoordsKind> {
    let first = buses.iter().position(|b| b.lon_lat.is_some())?;
    let own = net
        .buses()
        .get(first)
        .and_then(|b| b.location.as_ref())
        .and_then(|l| l.kind);
    Some(match own.or(net.geo().as_ref().and_then(|g| g.kind)) {
        Some(powerio::CoordsKind::Synthetic) => CoordsKind::Synthetic,
        Some(powerio::CoordsKind::Manual) => CoordsKind::Manual,
        _ => CoordsKind::File,
    })
}

fn is_geographic(net: &BalancedNetwork) -> bool {
    match net.geo().as_ref().map(|g| &g.space) {
        Some(CoordinateSpace::Geographic { crs }) => {
            crs.as_deref().is_none_or(|c| matches!(c, "EPSG:4326" | "OGC:CRS84"))
        }
        _ => false,
    }
}

fn on_earth(point: &[f64; 2]) -> bool {
    point[0].abs() <= 180.0 && point[1].abs() <= 90.0
}
