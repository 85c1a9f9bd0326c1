//! The rule for fallback ratings.

use std::f64::consts::PI;

/// Voltage band of a bus, per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoltageBand {
    pub min_pu: f64,
    pub max_pu: f64,
}

/// Rating in per unit of a branch without a rating in its source.
///
/// It follows from the angle-difference limits and the voltage bands of the ends. With the larger magnitude of the
/// limits `T = min(max(|min|, |max|), pi)` and `sep(a, b) = sqrt(max(0, a^2 + b^2 - 2 a b cos T))`, the largest voltage
/// difference of the ends over the corners of both bands, divided by `|z|`, bounds the current. The larger voltage
/// ceiling converts it to power: `max(vmax_f, vmax_t) * max sep / |z|` (PowerModels `calc_thermal_limits!`, extended by
/// the mixed corners, which are the largest below about 10 degrees).
///
/// Infinite for zero impedance: such a branch merges its buses and imposes no bound.
pub fn fallback_rating(r_pu: f64, x_pu: f64, angle_limits_rad: (f64, f64), from: VoltageBand, to: VoltageBand) -> f64 {
    let t = angle_limits_rad.0.abs().max(angle_limits_rad.1.abs()).min(PI);
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
    use crate::assemble::angle_difference::angle_difference_limits;

    #[test]
    fn fallback_rating_closed_form() {
        // r = 0.01, x = 0.1, bands 0.9 .. 1.1.
        let band = VoltageBand {
            min_pu: 0.9,
            max_pu: 1.1,
        };
        let at = |deg: f64| {
            fallback_rating(
                0.01,
                0.1,
                angle_difference_limits(-deg, deg).expect("limits"),
                band,
                band,
            )
        };
        assert!((at(60.0) - 12.039950).abs() < 5e-7, "{}", at(60.0));
        assert!((at(360.0) - 12.039950).abs() < 5e-7);
        assert!((at(3.0) - 2.262115).abs() < 5e-7, "{}", at(3.0));
        // At 60 degrees with both ends at their ceiling: sep = vmax, rating = vmax^2 / |z|.
        assert!((at(60.0) - 1.21 / 0.0101_f64.sqrt()).abs() < 1e-12);
        assert_eq!(fallback_rating(0.0, 0.0, (-1.0, 1.0), band, band), f64::INFINITY);
    }
}
