//! Generator costs: which curves are accepted, and their per-unit form.

use powerio::GenCost;

use crate::analysis::Cost;

/// A cost row that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub cost: Cost,
    /// Slopes that fell within the rounding of the printed numbers were merged.
    pub rounded: bool,
}

/// Reads the cost row of a generator. `base_mva` turns MW into per unit; the cost stays in $/h.
///
/// Specification: "quadratic (model 2) are read directly; convex piecewise-linear (model 1) are solved exactly as the
/// declared curve; malformed rows and rows with decreasing segment slopes (nonconvex) are rejected before a solve." Leading
/// zero coefficients lower the degree; points of equal slope are merged, and so are slopes that fall by no more than the
/// printed digits can say (see [`Slope`]).
///
/// # Errors
/// What is wrong with the row, as the end of a sentence that names generator and row.
pub(crate) fn read(row: &GenCost, base_mva: f64) -> std::result::Result<Curve, String> {
    if row.coeffs.iter().any(|c| !c.is_finite()) {
        return Err("has an entry that is not a finite number".into());
    }
    match row.model {
        1 => piecewise(row, base_mva),
        2 => polynomial(row, base_mva).map(|cost| Curve { cost, rounded: false }),
        model => Err(format!(
            "has cost model {model}; models are 1 (piecewise linear) and 2 (polynomial)"
        )),
    }
}

/// `c2 p^2 + c1 p + c0` in MW becomes `c2 base^2`, `c1 base`, `c0` in per unit.
fn polynomial(row: &GenCost, base: f64) -> std::result::Result<Cost, String> {
    if row.ncost == 0 || row.coeffs.len() < row.ncost {
        return Err(format!(
            "declares {} coefficients and carries {}",
            row.ncost,
            row.coeffs.len()
        ));
    }
    let declared = &row.coeffs[..row.ncost];
    let zeros = declared
        .iter()
        .take_while(|c| **c == 0.0)
        .count()
        .min(declared.len() - 1);
    let (c2, c1, c0) = match declared[zeros..] {
        [c2, c1, c0] => (c2, c1, c0),
        [c1, c0] => (0.0, c1, c0),
        [c0] => (0.0, 0.0, c0),
        ref longer => {
            return Err(format!(
                "is a polynomial of degree {}; degrees up to 2 are supported",
                longer.len() - 1
            ))
        }
    };
    if c2 < 0.0 {
        return Err(format!("is not convex: its quadratic coefficient is {c2}"));
    }
    Ok(Cost::Quadratic {
        c2: c2 * base * base,
        c1: c1 * base,
        c0,
    })
}

fn piecewise(row: &GenCost, base: f64) -> std::result::Result<Curve, String> {
    if row.ncost < 2 || row.coeffs.len() < 2 * row.ncost {
        return Err(format!(
            "declares {} points and carries {} numbers; two points are the least",
            row.ncost,
            row.coeffs.len()
        ));
    }
    let numbers = &row.coeffs[..2 * row.ncost];
    let points: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
    let unit = printed_unit(numbers);
    let slope = |a, b| Slope::between(a, b, unit);
    let mut kept: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    let mut rounded = false;
    for &point in &points {
        if let Some(&last) = kept.last() {
            if slope(last, point).is_none() {
                return Err(format!(
                    "has points that do not ascend: {} MW, then {} MW",
                    last[0], point[0]
                ));
            }
        }
        // A merged segment is flatter than the last: it may fall below the one before it in turn.
        while let [.., before, corner] = kept[..] {
            let (Some(first), Some(second)) = (slope(before, corner), slope(corner, point)) else {
                break;
            };
            if second.value > first.value + (first.binary + second.binary) {
                break;
            }
            let fall = first.value - second.value;
            if fall > first.binary + second.binary {
                let largest = LARGEST_ROUNDING * first.value.abs().max(second.value.abs());
                if fall > (first.decimal + second.decimal).min(largest) {
                    let (at, a, b) = (corner[0], first.value, second.value);
                    return Err(format!(
                        "is not convex: its slope falls from {a} to {b} $/MWh at {at} MW"
                    ));
                }
                rounded = true;
            }
            kept.pop();
        }
        kept.push(point);
    }
    let cost = Cost::PiecewiseLinear {
        points: kept.into_iter().map(|[p, y]| [p / base, y]).collect(),
    };
    Ok(Curve { cost, rounded })
}

/// Largest relative fall of a slope that may be called rounding, however few digits the file prints.
const LARGEST_ROUNDING: f64 = 1e-4;

/// Unit in the last decimal place that the numbers of a row are printed with: 1e-5 for `397.33333`. Zero where they are whole,
/// because whole numbers of MW and $/h are not rounded ones.
fn printed_unit(numbers: &[f64]) -> f64 {
    // The shortest decimal that reads as the number: what the file printed, without trailing zeros.
    let decimals = |x: &f64| x.to_string().split_once('.').map_or(0, |(_, digits)| digits.len());
    match numbers.iter().map(decimals).max().unwrap_or(0) {
        0 => 0.0,
        digits => libm::pow(10.0, -(digits as f64)),
    }
}

/// Slope of a segment and how far rounding can move it: that of binary numbers, which never counts as a corner, and that of
/// the printed digits, which excuses a fall. Each printed number is within half a unit of the last place, so that the
/// difference of two is within one.
#[derive(Clone, Copy)]
struct Slope {
    value: f64,
    binary: f64,
    decimal: f64,
}

impl Slope {
    fn between(a: [f64; 2], b: [f64; 2], unit: f64) -> Option<Self> {
        let width = b[0] - a[0];
        // `partial_cmp` refuses a width that is zero, negative or no number.
        if width.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let value = (b[1] - a[1]) / width;
        let binary = 2.0 * f64::EPSILON * (a[1].abs() + b[1].abs() + value.abs() * (a[0].abs() + b[0].abs())) / width;
        let decimal = unit * (1.0 + value.abs()) / width;
        Some(Self { value, binary, decimal })
    }
}

/// Whether the declared curve leaves part of `[pmin, pmax]` (per unit) to the extension of its first or last slope.
pub(crate) fn extended(cost: &Cost, pmin_pu: f64, pmax_pu: f64) -> bool {
    let Cost::PiecewiseLinear { points } = cost else {
        return false;
    };
    match (points.first(), points.last()) {
        (Some(first), Some(last)) => pmin_pu < first[0] || pmax_pu > last[0],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(coeffs: &[f64]) -> std::result::Result<Cost, String> {
        read(&GenCost::new(2, 0.0, 0.0, coeffs.to_vec()), 100.0).map(|curve| curve.cost)
    }

    fn pwl(points: &[f64]) -> std::result::Result<Cost, String> {
        curve(points).map(|curve| curve.cost)
    }

    fn curve(points: &[f64]) -> std::result::Result<Curve, String> {
        read(&GenCost::new(1, 0.0, 0.0, points.to_vec()), 100.0)
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
        assert!(read(&GenCost::new(3, 0.0, 0.0, vec![1.0]), 100.0).is_err_and(|e| e.contains("model 3")));
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
        // Two decimals, slopes 200 and 200 - f with widths of 100: rounding excuses f up to 0.01 (1 + 200) / 100 twice, 0.0402 -
        // but of a slope of 200 no more than 0.02.
        let falls = |f: f64| curve(&[0.25, 0.0, 100.25, 20000.0, 200.25, 40000.0 - 100.0 * f]);
        assert!(falls(0.0199).is_ok_and(|c| c.rounded));
        assert!(falls(0.0201).is_err_and(|e| e.contains("falls from 200")));
        // Three decimals and widths of 1000: f up to 0.001 (1 + 200) / 1000 twice, 0.000402.
        let falls = |f: f64| curve(&[0.125, 0.0, 1000.125, 200000.0, 2000.125, 400000.0 - 1000.0 * f]);
        assert!(falls(0.000401).is_ok_and(|c| c.rounded));
        assert!(falls(0.000403).is_err());
        // Whole numbers are exact: a slope that falls from 100000 to 99999 falls.
        assert!(curve(&[0.0, 0.0, 1.0, 100_000.0, 2.0, 199_999.0]).is_err());
        // Rises of that size stay corners.
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
}
