//! Coordinate spaces, and distances on the ground.

/// Coordinate space of a layer or a case. Only geographic coordinates are longitude and latitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Geographic,
    Projected,
    /// Units of a drawing.
    Drawing,
    Unknown,
}

impl Space {
    /// `geographic`, `projected`, `drawing` or `unknown`.
    pub fn token(self) -> &'static str {
        match self {
            Space::Geographic => "geographic",
            Space::Projected => "projected",
            Space::Drawing => "drawing",
            Space::Unknown => "unknown",
        }
    }
}

/// Whether all points are in the range of longitude and latitude, and the origin lies outside their bounding box after
/// widening it on every side by its own size and at least 5 degrees.
pub(crate) fn looks_like_degrees<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> bool {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in points {
        if !on_earth(p) {
            return false;
        }
        for axis in 0..2 {
            low[axis] = low[axis].min(p[axis]);
            high[axis] = high[axis].max(p[axis]);
        }
    }
    (0..2).any(|axis| {
        let room = (high[axis] - low[axis]).max(5.0);
        low[axis] - room > 0.0 || high[axis] + room < 0.0
    })
}

/// Whether the point is in the range of longitude and latitude.
pub(crate) fn on_earth(p: &[f64; 2]) -> bool {
    p[0].abs() <= 180.0 && p[1].abs() <= 90.0
}

/// Mean radius of the earth, kilometres.
pub(crate) const EARTH_RADIUS_KM: f64 = 6371.0088;

/// Great-circle distance of two points in degrees, kilometres (haversine formula).
pub(crate) fn distance_km(a: [f64; 2], b: [f64; 2]) -> f64 {
    let half = |x: f64| {
        let s = libm::sin(0.5 * x.to_radians());
        s * s
    };
    let (cos_a, cos_b) = (libm::cos(a[1].to_radians()), libm::cos(b[1].to_radians()));
    let h = half(b[1] - a[1]) + cos_a * cos_b * half(b[0] - a[0]);
    2.0 * EARTH_RADIUS_KM * libm::asin(h.sqrt().min(1.0))
}
