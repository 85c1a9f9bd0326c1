//! Generator costs: which curves are accepted, and their per-unit form.

use powerio::GenCost;

use crate::analysis::Cost;

/// Reads the cost row of a generator. `base_mva` turns MW into per unit; the cost stays in $/h.
///
/// Specification: "quadratic (model 2) are read directly; convex piecewise-linear (model 1) are solved exactly as the
/// declared curve; malformed rows and rows with decreasing segment slopes (nonconvex) are rejected before a solve." Leading
/// zero coefficients lower the degree; points of equal slope are merged.
///
/// # Errors
/// What is wrong with the row, as the end of a sentence that names generator and row.
pub(crate) fn read(row: &GenCost, base_mva: f64) -> std::result::Result<Cost, String> {
    if row.coeffs.iter().any(|c| !c.is_finite()) {
        return Err("has an entry that is not a finite number".into());
    }
    match row.model {
        1 => piecewise(row, base_mva),
        2 => polynomial(row, base_mva),
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

fn piecewise(row: &GenCost, base: f64) -> std::result::Result<Cost, String> {
    if row.ncost < 2 || row.coeffs.len() < 2 * row.ncost {
        return Err(format!(
            "declares {} points and carries {} numbers; two points are the least",
            row.ncost,
            row.coeffs.len()
        ));
    }
    let points: Vec<[f64; 2]> = row.coeffs[..2 * row.ncost]
        .chunks_exact(2)
        .map(|p| [p[0], p[1]])
        .collect();
    let mut kept: Vec<[f64; 2]> = vec![points[0]];
    let mut last: Option<Slope> = None;
    for pair in points.windows(2) {
        let next = Slope::between(pair[0], pair[1]).ok_or_else(|| {
            format!(
                "has points that do not ascend: {} MW, then {} MW",
                pair[0][0], pair[1][0]
            )
        })?;
        if let Some(before) = last {
            let tolerance = before.rounding + next.rounding;
            if next.value < before.value - tolerance {
                let (at, a, b) = (pair[0][0], before.value, next.value);
                return Err(format!(
                    "is not convex: its slope falls from {a} to {b} $/MWh at {at} MW"
                ));
            }
            if next.value <= before.value + tolerance {
                kept.pop();
            }
        }
        kept.push(pair[1]);
        // The slope of the merged segment runs from the point before it.
        last = kept
            .len()
            .checked_sub(2)
            .and_then(|k| Slope::between(kept[k], kept[k + 1]));
    }
    Ok(Cost::PiecewiseLinear {
        points: kept.into_iter().map(|[p, y]| [p / base, y]).collect(),
    })
}

/// Slope of a segment and how far the rounding of the decimal numbers alone can move it.
#[derive(Clone, Copy)]
struct Slope {
    value: f64,
    rounding: f64,
}

impl Slope {
    fn between(a: [f64; 2], b: [f64; 2]) -> Option<Self> {
        let width = b[0] - a[0];
        // `partial_cmp` refuses a width that is zero, negative or no number.
        if width.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let value = (b[1] - a[1]) / width;
        let rounding = 2.0 * f64::EPSILON * (a[1].abs() + b[1].abs() + value.abs() * (a[0].abs() + b[0].abs())) / width;
        Some(Self { value, rounding })
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
        read(&GenCost::new(2, 0.0, 0.0, coeffs.to_vec()), 100.0)
    }

    fn pwl(points: &[f64]) -> std::result::Result<Cost, String> {
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
