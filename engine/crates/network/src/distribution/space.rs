//! The space of the coordinates of a feeder.

use powerio::dist::{CoordinateSpace, DistCoordsKind, DistGeoMeta, DistLocation, MulticonductorNetwork};

use crate::analysis::{CoordsKind, Warning};
use crate::coordinates::{looks_like_degrees, Space};
use crate::message;

/// Largest coordinate in any unit.
const MAX: f64 = 1e9;

/// Settles the positions of a source with an undeclared space: they are longitude and latitude only if they look like
/// such (all in range and far from the origin for their extent, `docs/decisions/003-geography-and-layout.md`),
/// otherwise unknown. Impossible positions are dropped, and the returned warning counts them.
pub(super) fn settle(net: &mut MulticonductorNetwork) -> Option<Warning> {
    let declared = net.geo().as_ref().map_or(Space::Unknown, |g| of(&g.space));
    let possible = |l: &DistLocation| match declared {
        Space::Geographic => l.x.abs() <= 180.0 && l.y.abs() <= 90.0,
        _ => l.x.abs() <= MAX && l.y.abs() <= MAX,
    };
    let impossible = |b: &powerio::dist::DistBus| b.location.as_ref().is_some_and(|l| !possible(l));
    let dropped = net.buses().iter().filter(|b| impossible(b)).count();
    if dropped > 0 {
        for bus in net
            .buses_mut()
            .iter_mut()
            .filter(|b| b.location.is_some_and(|l| !possible(&l)))
        {
            bus.location = None;
        }
    }
    let points: Vec<[f64; 2]> = net
        .buses()
        .iter()
        .filter_map(|b| b.location.map(|l| [l.x, l.y]))
        .collect();
    if declared == Space::Unknown && !points.is_empty() && looks_like_degrees(points.iter()) {
        declare_degrees(net);
    }
    (dropped > 0).then(|| {
        Warning::new(
            "GEO.OUT_OF_RANGE",
            message!("feeder.positions_dropped", buses = dropped),
        )
    })
}

/// Declares the positions to be longitude and latitude.
pub(super) fn declare_degrees(net: &mut MulticonductorNetwork) {
    let kind = net.geo().as_ref().map_or(Some(DistCoordsKind::Source), |g| g.kind);
    *net.geo_mut() = Some(DistGeoMeta {
        space: CoordinateSpace::Geographic { crs: None },
        kind,
    });
}

/// Space and origin of the positions; `None` if no bus has one. The whole network has one origin: that of the first bus
/// with a position, otherwise the declared default, otherwise the file.
pub(super) fn declared(net: &MulticonductorNetwork) -> Option<(Space, CoordsKind)> {
    let first = net.buses().iter().find_map(|b| b.location)?;
    let meta = net.geo().as_ref();
    let kind = match first.kind.or(meta.and_then(|g| g.kind)) {
        Some(DistCoordsKind::Synthetic) => CoordsKind::Synthetic,
        Some(DistCoordsKind::Manual) => CoordsKind::Manual,
        _ => CoordsKind::File,
    };
    Some((meta.map_or(Space::Unknown, |g| of(&g.space)), kind))
}

fn of(space: &CoordinateSpace) -> Space {
    match space {
        CoordinateSpace::Geographic { .. } => Space::Geographic,
        CoordinateSpace::Projected { .. } => Space::Projected,
        CoordinateSpace::Diagram { .. } => Space::Drawing,
        _ => Space::Unknown,
    }
}
