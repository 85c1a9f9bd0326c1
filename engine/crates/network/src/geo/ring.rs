//! Spreads buses at the same position.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use crate::coordinates::EARTH_RADIUS_KM;

/// Radius of the ring, metres on the ground.
pub const RING_METRES: f64 = 400.0;

/// "Buses sharing one coordinate are spread on a deterministic ring of about 400 m around it, ordered by bus id."
///
/// `buses` are ids with longitude and latitude in degrees; the result has their drawn positions in the same order. Of
/// `m` buses at one position, the one with the `k`-th lowest id (from 0) moves by [`RING_METRES`] at the bearing `360 k
/// / m` degrees, clockwise from north; a single bus does not move. Rows with equal ids keep their order.
pub fn spread_shared(buses: &[(u64, [f64; 2])]) -> Vec<[f64; 2]> {
    let mut places: BTreeMap<[u64; 2], Vec<usize>> = BTreeMap::new();
    for (row, (_, at)) in buses.iter().enumerate() {
        // Adding zero makes -0 and 0 the same position.
        places.entry(at.map(|x| (x + 0.0).to_bits())).or_default().push(row);
    }
    let mut drawn: Vec<[f64; 2]> = buses.iter().map(|(_, at)| *at).collect();
    for mut rows in places.into_values().filter(|rows| rows.len() > 1) {
        rows.sort_by_key(|&row| (buses[row].0, row));
        for (k, &row) in rows.iter().enumerate() {
            drawn[row] = at_bearing(buses[row].1, 2.0 * PI * k as f64 / rows.len() as f64);
        }
    }
    drawn
}

/// The point [`RING_METRES`] away from `[lon, lat]`, on the tangent plane, which is exact to a millimetre at this distance.
fn at_bearing([lon, lat]: [f64; 2], bearing: f64) -> [f64; 2] {
    let degrees = RING_METRES / 1000.0 / EARTH_RADIUS_KM * 180.0 / PI;
    // At the poles a ring would extend around the world.
    let narrowing = libm::cos(lat.to_radians()).max(0.01);
    let east = lon + degrees * libm::sin(bearing) / narrowing;
    let east = if east > 180.0 { east - 360.0 } else { east };
    let east = if east < -180.0 { east + 360.0 } else { east };
    [east, (lat + degrees * libm::cos(bearing)).clamp(-90.0, 90.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coordinates::distance_km;

    #[test]
    fn four_buses_of_a_substation_stand_north_east_south_and_west_by_id() {
        let at = [-89.6, 40.6];
        let drawn = spread_shared(&[(40, at), (10, at), (30, at), (20, at), (5, [-89.0, 40.6])]);
        // 400 m are 0.0035972815 degrees of latitude, and that over cos 40.6 of longitude.
        let degree = 0.4 / 6371.0088 * 180.0 / PI;
        assert!((degree - 0.003_597_281_5).abs() < 1e-9);
        let close = |p: [f64; 2], east: f64, north: f64| {
            (p[0] - at[0] - east * degree / 40.6_f64.to_radians().cos()).abs() < 1e-12
                && (p[1] - at[1] - north * degree).abs() < 1e-12
        };
        assert!(close(drawn[1], 0.0, 1.0), "10 north");
        assert!(close(drawn[3], 1.0, 0.0), "20 east");
        assert!(close(drawn[2], 0.0, -1.0), "30 south");
        assert!(close(drawn[0], -1.0, 0.0), "40 west");
        assert_eq!(drawn[4], [-89.0, 40.6], "alone");
        for p in &drawn[..4] {
            assert!((distance_km(*p, at) - 0.4).abs() < 1e-5);
        }
    }

    #[test]
    fn the_date_line_and_the_poles_stay_on_the_map() {
        for at in [[180.0, 0.0], [-180.0, 10.0], [0.0, 90.0], [12.0, -90.0]] {
            for p in spread_shared(&[(1, at), (2, at), (3, at), (4, at)]) {
                assert!(p[0].abs() <= 180.0 && p[1].abs() <= 90.0, "{p:?}");
            }
        }
        assert_eq!(spread_shared(&[]), Vec::<[f64; 2]>::new());
    }
}
