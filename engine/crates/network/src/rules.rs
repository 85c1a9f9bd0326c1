//! Two rules of the specification, each in one place: the angle window and the fallback rating.

use std::f64::consts::{FRAC_PI_3, PI};

/// Angle-difference window of a branch in radians from its source bounds in degrees.
///
/// Specification: "angle-difference bounds are enforced in radians; a source bound pair of -360/360 degrees or an unset 0/0
/// pair becomes exactly -60/+60 degrees; [...] explicitly tighter source bounds are kept." Our extension, for each side
/// alone: a bound at or beyond 90 degrees in magnitude counts as unset and becomes 60 degrees. Every other bound stays as it
/// is, also one between 60 and 90 degrees.
///
/// Returns None when a bound is not a number or the window is empty (lower above upper).
pub fn angle_window(min_deg: f64, max_deg: f64) -> Option<(f64, f64)> {
    if min_deg == 0.0 && max_deg == 0.0 {
        return Some((-FRAC_PI_3, FRAC_PI_3));
    }
    let side = |deg: f64, unset: f64| if deg.abs() >= 90.0 { unset } else { deg.to_radians() };
    let window = (side(min_deg, -FRAC_PI_3), side(max_deg, FRAC_PI_3));
    (window.0 <= window.1).then_some(window)
}

/// Voltage band of a bus, per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoltageBand {
    pub min_pu: f64,
    pub max_pu: f64,
}

/// Rating in per unit for a branch whose source has none.
///
/// Specification: "a branch without a thermal rating gets a fallback rating derived from that 60-degree window and the
/// terminal voltage bands". With the window's larger magnitude `T = min(max(|min|, |max|), pi)` and
/// `sep(a, b) = sqrt(max(0, a^2 + b^2 - 2 a b cos T))`, the widest voltage difference the ends can have, taken over the
/// corners of both bands, over `|z|` bounds the current, and the larger ceiling turns it into power:
/// `max(vmax_f, vmax_t) * max sep / |z|` (PowerModels `calc_thermal_limits!`, extended by the mixed corners, which are the
/// widest below about 10 degrees).
///
/// Infinite for zero impedance: such a branch merges its buses and bounds nothing.
pub fn fallback_rating(r_pu: f64, x_pu: f64, window_rad: (f64, f64), from: VoltageBand, to: VoltageBand) -> f64 {
    let t = window_rad.0.abs().max(window_rad.1.abs()).min(PI);
    let cos_t = libm::cos(t);
    let sep = |a: f64, b: f64| (a * a + b * b - 2.0 * a * b * cos_t).max(0.0).sqrt();
    let mut widest = 0.0_f64;
    for a in [from.min_pu, from.max_pu] {
        for b in [to.min_pu, to.max_pu] {
            widest = widest.max(sep(a, b));
        }
    }
    let impedance = libm::hypot(r_pu, x_pu);
    if impedance == 0.0 {
        return f64::INFINITY;
    }
    from.max_pu.max(to.max_pu) * widest / impedance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_pairs_become_exactly_sixty_degrees() {
        for pair in [
            (-360.0, 360.0),
            (0.0, 0.0),
            (-0.0, 0.0),
            (-90.0, 90.0),
            (f64::NEG_INFINITY, f64::INFINITY),
        ] {
            let (lo, hi) = angle_window(pair.0, pair.1).expect("window");
            assert_eq!(
                (lo.to_bits(), hi.to_bits()),
                ((-FRAC_PI_3).to_bits(), FRAC_PI_3.to_bits()),
                "{pair:?}"
            );
        }
    }

    #[test]
    fn source_bounds_below_ninety_degrees_stay() {
        assert_eq!(angle_window(-30.0, 30.0), Some((-PI / 6.0, PI / 6.0)));
        assert_eq!(angle_window(-75.0, 0.0), Some(((-75.0_f64).to_radians(), 0.0)));
        assert_eq!(angle_window(0.0, 360.0), Some((0.0, FRAC_PI_3)));
        assert_eq!(angle_window(-360.0, 15.0), Some((-FRAC_PI_3, 15.0_f64.to_radians())));
        assert_eq!(
            angle_window(5.0, 5.0),
            Some((5.0_f64.to_radians(), 5.0_f64.to_radians()))
        );
    }

    #[test]
    fn impossible_windows_are_none() {
        assert_eq!(angle_window(10.0, -10.0), None);
        assert_eq!(angle_window(f64::NAN, 10.0), None);
        assert_eq!(angle_window(70.0, 360.0), None);
    }

    #[test]
    fn fallback_rating_closed_form() {
        // r = 0.01, x = 0.1, bands 0.9 .. 1.1.
        let band = VoltageBand {
            min_pu: 0.9,
            max_pu: 1.1,
        };
        let at = |deg: f64| fallback_rating(0.01, 0.1, angle_window(-deg, deg).expect("window"), band, band);
        assert!((at(60.0) - 12.039950).abs() < 5e-7, "{}", at(60.0));
        assert!((at(360.0) - 12.039950).abs() < 5e-7);
        assert!((at(3.0) - 2.262115).abs() < 5e-7, "{}", at(3.0));
        // At 60 degrees both ends at their ceiling: sep = vmax, rating = vmax^2 / |z|.
        assert!((at(60.0) - 1.21 / 0.0101_f64.sqrt()).abs() < 1e-12);
        assert_eq!(fallback_rating(0.0, 0.0, (-1.0, 1.0), band, band), f64::INFINITY);
    }
}
