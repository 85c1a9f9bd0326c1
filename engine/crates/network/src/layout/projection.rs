//! From the layout's unit square to longitude and latitude and back.

use std::f64::consts::PI;

use crate::coordinates::EARTH_RADIUS_KM;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::amounts::plain;
use crate::message::{written, Message};

/// Largest latitude of the web Mercator square, degrees.
const MAX_LATITUDE: f64 = 85.05;

/// Maps a layout to the globe.
///
/// The layout is scaled in the plane of the Mercator projection, in which the map is drawn, so the picture is
/// independent of position and size. The projection is conformal, so both axes have the same local scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    /// Centre in the Mercator plane, radians.
    centre: [f64; 2],
    /// Radians of the plane per unit of the layout.
    unit: f64,
}

impl Projection {
    /// Centre in degrees; `scale_km` is the length of one unit at the centre in kilometres.
    ///
    /// # Errors
    /// `INPUT.PLACEMENT` unless the centre is on the map and the scale is positive.
    pub fn new(centre_lon_lat: [f64; 2], scale_km: f64) -> Result<Self> {
        let [lon, lat] = centre_lon_lat;
        if !(lon.abs() <= 180.0 && lat.abs() <= MAX_LATITUDE) {
            return Err(refused(message!(
                "layout.centre",
                longitude = written(lon),
                latitude = written(lat)
            )));
        }
        if !(scale_km > 0.0 && scale_km.is_finite()) {
            return Err(refused(message!("layout.scale", scale = plain(scale_km, "km"))));
        }
        Ok(Self {
            centre: to_plane(centre_lon_lat),
            unit: scale_km / (EARTH_RADIUS_KM * libm::cos(lat.to_radians())),
        })
    }

    /// Longitude and latitude of a position of the layout, degrees.
    ///
    /// # Errors
    /// `INPUT.PLACEMENT` if the position is outside the map.
    pub fn lon_lat(&self, position: [f64; 2]) -> Result<[f64; 2]> {
        let x = self.centre[0] + self.unit * position[0];
        let y = self.centre[1] + self.unit * position[1];
        let (lon, lat) = (x * 180.0 / PI, libm::atan(libm::sinh(y)) * 180.0 / PI);
        if lon.abs() <= 180.0 && lat.abs() <= MAX_LATITUDE {
            return Ok([lon, lat]);
        }
        Err(refused(message!("layout.leaves_map")))
    }
}

/// A layout on the map: the arguments of [`super::apply_layout`], up to rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Longer side 1, centred at the origin.
    pub positions: Vec<[f64; 2]>,
    /// Degrees.
    pub centre_lon_lat: [f64; 2],
    /// Kilometres per unit at the centre.
    pub scale_km: f64,
}

impl Placement {
    /// `None` without points, or if a point is outside the Mercator plane.
    pub(super) fn of(lon_lat: &[[f64; 2]]) -> Option<Self> {
        let plane: Vec<[f64; 2]> = lon_lat.iter().map(|&p| to_plane(p)).collect();
        let first = *plane.first()?;
        let (mut low, mut high) = (first, first);
        for p in &plane {
            for axis in 0..2 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        }
        let side = (high[0] - low[0]).max(high[1] - low[1]);
        if !side.is_finite() {
            return None;
        }
        let unit = if side > 0.0 { side } else { 1e-3 };
        let centre = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        let latitude = libm::atan(libm::sinh(centre[1]));
        Some(Self {
            positions: plane
                .iter()
                .map(|p| [(p[0] - centre[0]) / unit, (p[1] - centre[1]) / unit])
                .collect(),
            centre_lon_lat: [centre[0] * 180.0 / PI, latitude * 180.0 / PI],
            scale_km: unit * EARTH_RADIUS_KM * libm::cos(latitude),
        })
    }
}

/// Default length, kilometres, of the longer side of a drawing of `n` buses: 10 km between neighbours, at most the
/// width of a large interconnection.
pub fn default_scale_km(n: usize) -> f64 {
    (10.0 * (n as f64).sqrt()).clamp(10.0, 1500.0)
}

fn to_plane(lon_lat: [f64; 2]) -> [f64; 2] {
    let lat = lon_lat[1] * PI / 180.0;
    [lon_lat[0] * PI / 180.0, libm::asinh(libm::tan(lat))]
}

fn refused(message: Message) -> EngineError {
    EngineError::new("INPUT.PLACEMENT", message)
}

/// Longitude and latitude of every position.
///
/// # Errors
/// `INPUT.PLACEMENT`.
pub(super) fn places(positions: &[[f64; 2]], buses: usize, centre: [f64; 2], scale_km: f64) -> Result<Vec<[f64; 2]>> {
    if positions.len() != buses {
        let message = message!("layout.positions", positions = positions.len(), buses = buses);
        return Err(EngineError::new("INPUT.PLACEMENT", message));
    }
    let projection = Projection::new(centre, scale_km)?;
    positions.iter().map(|&p| projection.lon_lat(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_holds_in_both_directions_at_the_centre() {
        for lat in [0.0, 35.0, -62.0] {
            let map = Projection::new([10.0, lat], 100.0).unwrap();
            let east = map.lon_lat([0.01, 0.0]).unwrap();
            let north = map.lon_lat([0.0, 0.01]).unwrap();
            let degree = EARTH_RADIUS_KM * PI / 180.0;
            let east_km = (east[0] - 10.0) * degree * lat.to_radians().cos();
            let north_km = (north[1] - lat) * degree;
            assert!((east_km - 1.0).abs() < 1e-9, "{east_km}");
            assert!((north_km - 1.0).abs() < 1e-3, "{north_km}");
        }
    }

    #[test]
    fn a_placement_is_found_again() {
        let shape = [[-0.5, 0.1], [0.5, -0.3], [0.2, 0.3]];
        let map = Projection::new([-100.0, 31.0], 700.0).unwrap();
        let there: Vec<[f64; 2]> = shape.iter().map(|&p| map.lon_lat(p).unwrap()).collect();
        let found = Placement::of(&there).unwrap();
        assert!((found.scale_km - 700.0).abs() < 1e-9);
        assert!((found.centre_lon_lat[0] + 100.0).abs() < 1e-12 && (found.centre_lon_lat[1] - 31.0).abs() < 1e-12);
        for (a, b) in shape.iter().zip(&found.positions) {
            assert!((a[0] - b[0]).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12);
        }
    }

    #[test]
    fn what_leaves_the_map_is_refused() {
        assert!(Projection::new([181.0, 0.0], 1.0).is_err());
        assert!(Projection::new([0.0, 0.0], f64::NAN).is_err());
        assert!(Projection::new([0.0, 80.0], 5000.0)
            .unwrap()
            .lon_lat([0.0, 0.5])
            .is_err());
        assert!(Projection::new([179.9, 0.0], 100.0)
            .unwrap()
            .lon_lat([0.5, 0.0])
            .is_err());
        assert!(Projection::new([0.0, 0.0], 1.0)
            .unwrap()
            .lon_lat([f64::NAN, 0.0])
            .is_err());
    }
}
