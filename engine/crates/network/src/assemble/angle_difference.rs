//! The rule for angle-difference limits.

use std::f64::consts::FRAC_PI_3;

/// Angle-difference limits of a branch in radians from its source bounds in degrees.
///
/// Each bound at or beyond 90 degrees in magnitude counts as unset and becomes 60 degrees, and so does the pair 0/0.
/// Other bounds remain unchanged, including those between 60 and 90 degrees.
///
/// `None` if a bound is NaN or the interval is empty (lower above upper).
pub fn angle_difference_limits(min_deg: f64, max_deg: f64) -> Option<(f64, f64)> {
    if min_deg == 0.0 && max_deg == 0.0 {
        return Some((-FRAC_PI_3, FRAC_PI_3));
    }
    let side = |deg: f64, unset: f64| if deg.abs() >= 90.0 { unset } else { deg.to_radians() };
    let limits = (side(min_deg, -FRAC_PI_3), side(max_deg, FRAC_PI_3));
    (limits.0 <= limits.1).then_some(limits)
}

/// Whether a source leaves both bounds unset by the rule of [`angle_difference_limits`]; bounds in degrees.
pub fn is_unset(min_deg: f64, max_deg: f64) -> bool {
    (min_deg == 0.0 && max_deg == 0.0) || (min_deg.abs() >= 90.0 && max_deg.abs() >= 90.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn unset_pairs_become_exactly_sixty_degrees() {
        for pair in [
            (-360.0, 360.0),
            (0.0, 0.0),
            (-0.0, 0.0),
            (-90.0, 90.0),
            (f64::NEG_INFINITY, f64::INFINITY),
        ] {
            let (lo, hi) = angle_difference_limits(pair.0, pair.1).expect("limits");
            assert_eq!(
                (lo.to_bits(), hi.to_bits()),
                ((-FRAC_PI_3).to_bits(), FRAC_PI_3.to_bits()),
                "{pair:?}"
            );
        }
    }

    #[test]
    fn source_bounds_below_ninety_degrees_stay() {
        assert_eq!(angle_difference_limits(-30.0, 30.0), Some((-PI / 6.0, PI / 6.0)));
        assert_eq!(
            angle_difference_limits(-75.0, 0.0),
            Some(((-75.0_f64).to_radians(), 0.0))
        );
        assert_eq!(angle_difference_limits(0.0, 360.0), Some((0.0, FRAC_PI_3)));
        assert_eq!(
            angle_difference_limits(-360.0, 15.0),
            Some((-FRAC_PI_3, 15.0_f64.to_radians()))
        );
        assert_eq!(
            angle_difference_limits(5.0, 5.0),
            Some((5.0_f64.to_radians(), 5.0_f64.to_radians()))
        );
    }

    #[test]
    fn impossible_limits_are_none() {
        assert_eq!(angle_difference_limits(10.0, -10.0), None);
        assert_eq!(angle_difference_limits(f64::NAN, 10.0), None);
        assert_eq!(angle_difference_limits(70.0, 360.0), None);
    }
}
