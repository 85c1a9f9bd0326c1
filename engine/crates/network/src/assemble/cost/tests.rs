use crate::assemble::cost::*;

fn poly(coeffs: &[f64]) -> std::result::Result<Cost, String> {
    let curve = read(&GenCost::new(2, 0.0, 0.0, coeffs.to_vec()), 100.0);
    curve.map(|curve| curve.cost).map_err(|why| why.to_string())
}

fn pwl(points: &[f64]) -> std::result::Result<Cost, String> {
    curve(points).map(|curve| curve.cost)
}

fn curve(points: &[f64]) -> std::result::Result<Curve, String> {
    read(&GenCost::new(1, 0.0, 0.0, points.to_vec()), 100.0).map_err(|why| why.to_string())
}

#[test]
fn polynomials_up_to_degree_two() {
    assert_eq!(
        poly(&[0.11, 5.0, 150.0]),
        Ok(Cost::Quadratic {
            c2: 0.11 * 100.0 * 100.0,
            c1: 500.0,
            c0: 150.0
        })
    );
    assert_eq!(
        poly(&[5.0, 1.0]),
        Ok(Cost::Quadratic {
            c2: 0.0,
            c1: 500.0,
            c0: 1.0
        })
    );
    assert_eq!(
        poly(&[0.0]),
        Ok(Cost::Quadratic {
            c2: 0.0,
            c1: 0.0,
            c0: 0.0
        })
    );
    assert_eq!(
        poly(&[0.0, 0.0, 0.5, 5.0, 1.0]),
        Ok(Cost::Quadratic {
            c2: 5000.0,
            c1: 500.0,
            c0: 1.0
        })
    );
}

#[test]
fn polynomials_refused() {
    assert!(poly(&[1e-9, 0.1, 5.0, 0.0]).is_err_and(|e| e.contains("degree 3")));
    assert!(poly(&[-1e-9, 5.0, 0.0]).is_err_and(|e| e.contains("not convex")));
    assert!(poly(&[]).is_err_and(|e| e.contains("0 coefficients")));
    assert!(poly(&[f64::NAN, 1.0]).is_err());
    assert!(read(&GenCost::with_ncost(2, 0.0, 0.0, 3, vec![1.0]), 100.0).is_err());
    assert!(read(&GenCost::new(3, 0.0, 0.0, vec![1.0]), 100.0).is_err_and(|e| e.to_string().contains("model is 3")));
}

#[test]
fn piecewise_curves_keep_their_points() {
    // MATPOWER case30pwl, generator 1: slopes 12, 36, 76.
    let cost = pwl(&[0.0, 0.0, 12.0, 144.0, 36.0, 1008.0, 60.0, 2832.0]);
    let points = vec![[0.0, 0.0], [0.12, 144.0], [0.36, 1008.0], [0.6, 2832.0]];
    assert_eq!(cost, Ok(Cost::PiecewiseLinear { points }));
}

#[test]
fn equal_slopes_are_merged_also_when_decimals_are_rounded() {
    assert_eq!(
        pwl(&[0.0, 1.0, 10.0, 21.0, 30.0, 61.0]),
        Ok(Cost::PiecewiseLinear {
            points: vec![[0.0, 1.0], [0.3, 61.0]]
        })
    );
    // Slope 0.1 in three segments: 0.1 * 3 differs from 0.3 in the last bit.
    let cost = pwl(&[0.0, 0.0, 1.0, 0.1, 3.0, 0.1 * 3.0, 10.0, 1.0, 20.0, 3.0]);
    assert_eq!(
        cost,
        Ok(Cost::PiecewiseLinear {
            points: vec![[0.0, 0.0], [0.1, 1.0], [0.2, 3.0]]
        })
    );
}

#[test]
fn piecewise_curves_refused() {
    assert!(pwl(&[0.0, 0.0, 10.0, 100.0, 20.0, 150.0]).is_err_and(|e| e.contains("falls from 10 to 5")));
    assert!(pwl(&[0.0, 0.0, 0.0, 5.0]).is_err_and(|e| e.contains("do not ascend")));
    assert!(pwl(&[0.0, 0.0]).is_err_and(|e| e.contains("two points")));
    assert!(read(&GenCost::with_ncost(1, 0.0, 0.0, 3, vec![0.0, 0.0, 1.0, 1.0]), 100.0).is_err());
}

#[test]
fn a_fall_within_the_printed_digits_is_rounding_and_a_wider_one_is_not() {
    // Row 74 of RTS_GMLC.m: the slope 8.1035 of three equal segments, printed with five decimals.
    let published = [
        396.0, 3208.98600, 397.33333, 3219.79067, 398.66667, 3230.59533, 400.0, 3241.40000,
    ];
    let read = curve(&published).expect("rounding");
    assert!(read.rounded);
    let Cost::PiecewiseLinear { points } = read.cost else {
        panic!("{read:?}")
    };
    // The first two segments fall and are merged; the third rises.
    assert_eq!(
        points,
        [[3.96, 3208.986], [398.66667 / 100.0, 3230.59533], [4.0, 3241.4]]
    );
    // Two decimals, slopes 200 and 200 - f with widths of 100: rounding permits f up to 0.01 (1 + 200) / 100 twice,
    // 0.0402, but no more than 1e-4 of the slope, 0.02.
    let falls = |f: f64| curve(&[0.25, 0.0, 100.25, 20000.0, 200.25, 40000.0 - 100.0 * f]);
    assert!(falls(0.0199).is_ok_and(|c| c.rounded));
    assert!(falls(0.0201).is_err_and(|e| e.contains("falls from 200")));
    // Three decimals and widths of 1000: f up to 0.001 (1 + 200) / 1000 twice, 0.000402.
    let falls = |f: f64| curve(&[0.125, 0.0, 1000.125, 200000.0, 2000.125, 400000.0 - 1000.0 * f]);
    assert!(falls(0.000401).is_ok_and(|c| c.rounded));
    assert!(falls(0.000403).is_err());
    // Whole numbers are exact, so a decrease from 100000 to 99999 is not rounding.
    assert!(curve(&[0.0, 0.0, 1.0, 100_000.0, 2.0, 199_999.0]).is_err());
    // Increases of that size remain corners.
    let rises = curve(&[0.125, 0.0, 1000.125, 200000.0, 2000.125, 400000.1]).expect("convex");
    assert!(!rises.rounded && matches!(rises.cost, Cost::PiecewiseLinear { points } if points.len() == 3));
}

#[test]
fn a_chain_of_small_falls_is_a_real_one() {
    // Slopes 10, 10 - s, 10 - 2 s, ... each within rounding of the one before.
    let s = 4e-4;
    let mut points = vec![0.125, 0.0];
    for k in 0..40 {
        let (p, y) = (points[2 * k], points[2 * k + 1]);
        points.extend([p + 10.0, ((y + 10.0 * (10.0 - s * k as f64)) * 1e3).round() / 1e3]);
    }
    assert!(curve(&points[..6]).is_ok_and(|c| c.rounded));
    assert!(curve(&points).is_err_and(|e| e.contains("not convex")));
}

#[test]
fn what_is_merged_is_compared_with_the_segment_before() {
    // 10, 10.0002, 9.9995: the last two merge to 9.99985, which falls below 10 and merges again.
    let read = curve(&[0.125, 0.0, 10.125, 100.0, 20.125, 200.002, 30.125, 299.997]).expect("rounding");
    let points = vec![[0.00125, 0.0], [0.30125, 299.997]];
    assert_eq!((read.rounded, read.cost), (true, Cost::PiecewiseLinear { points }));
}

#[test]
fn extension_beyond_the_curve_is_noticed() {
    let cost = pwl(&[10.0, 100.0, 20.0, 300.0]).expect("curve");
    assert!(!extended(&cost, 0.1, 0.2) && extended(&cost, 0.0, 0.2) && extended(&cost, 0.1, 0.3));
    assert!(!extended(
        &Cost::Quadratic {
            c2: 0.0,
            c1: 1.0,
            c0: 0.0
        },
        0.0,
        9.0
    ));
}
