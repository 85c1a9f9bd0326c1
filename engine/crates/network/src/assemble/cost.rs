//! Generator costs: the accepted curves, and their per-unit form.

use powerio::GenCost;

use crate::analysis::Cost;
use crate::message;
use crate::message::amounts::plain;
use crate::message::{written, Message};

/// An accepted cost row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub cost: Cost,
    /// Whether slopes that decrease within the rounding of the printed numbers were merged.
    pub rounded: bool,
}

/// Reads the cost row of a generator. `base_mva` converts MW to per unit; costs remain in $/h.
///
/// Specification: "quadratic (model 2) are read directly; convex piecewise-linear (model 1) are solved exactly as the
/// declared curve; malformed rows and rows with decreasing segment slopes (nonconvex) are rejected before a solve."
/// Leading zero coefficients lower the degree. Segments of equal slope are merged, and so are slopes that decrease by
/// no more than the rounding of the printed digits (see [`Slope`]).
///
/// # Errors
/// The fault of the row, as the end of a sentence that names generator and row.
pub(crate) fn read(row: &GenCost, base_mva: f64) -> std::result::Result<Curve, Message> {
    if row.coeffs.iter().any(|c| !c.is_finite()) {
        return Err(message!("cost.not_finite"));
    }
    match row.model {
        1 => piecewise(row, base_mva),
        2 => polynomial(row, base_mva).map(|cost| Curve { cost, rounded: false }),
        model => Err(message!("cost.model", model = model.to_string())),
    }
}

/// `c2 p^2 + c1 p + c0` in MW becomes `c2 base^2`, `c1 base`, `c0` in per unit.
fn polynomial(row: &GenCost, base: f64) -> std::result::Result<Cost, Message> {
    if row.ncost == 0 || row.coeffs.len() < row.ncost {
        return Err(message!(
            "cost.coefficients",
            declared = row.ncost,
            carried = row.coeffs.len()
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
        ref longer => return Err(message!("cost.degree", degree = longer.len() - 1)),
    };
    if c2 < 0.0 {
        return Err(message!("cost.concave", coefficient = written(c2)));
    }
    let (c2, c1) = (c2 * base * base, c1 * base);
    if !(c2.is_finite() && c1.is_finite()) {
        return Err(message!("cost.not_finite"));
    }
    Ok(Cost::Quadratic { c2, c1, c0 })
}

fn piecewise(row: &GenCost, base: f64) -> std::result::Result<Curve, Message> {
    if row.ncost < 2 || row.coeffs.len() < 2 * row.ncost {
        return Err(message!(
            "cost.points",
            declared = row.ncost,
            carried = row.coeffs.len()
        ));
    }
    let numbers = &row.coeffs[..2 * row.ncost];
    let points: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
    let unit = printed_unit(numbers);
    let slope = |a, b| Slope::between(a, b, unit);
    let mut merged: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    let mut rounded = false;
    for &point in &points {
        if let Some(&last) = merged.last() {
            if slope(last, point).is_none() {
                return Err(message!(
                    "cost.not_ascending",
                    first = plain(last[0], "MW"),
                    second = plain(point[0], "MW")
                ));
            }
        }
        // A merged segment is flatter than its last part, so its slope may fall below the one before it.
        while let [.., before, corner] = merged[..] {
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
                    return Err(message!(
                        "cost.not_convex",
                        before = written(a),
                        behind = plain(b, "$/MWh"),
                        at = plain(at, "MW")
                    ));
                }
                rounded = true;
            }
            merged.pop();
        }
        merged.push(point);
    }
    let cost = Cost::PiecewiseLinear {
        points: merged.into_iter().map(|[p, y]| [p / base, y]).collect(),
    };
    Ok(Curve { cost, rounded })
}

/// Largest relative decrease of a slope that counts as rounding, however few digits the file prints.
const LARGEST_ROUNDING: f64 = 1e-4;

/// Unit in the last printed decimal place of a row: 1e-5 for `397.33333`. Zero for whole numbers, because whole MW and
/// $/h are not rounded.
fn printed_unit(numbers: &[f64]) -> f64 {
    // The shortest decimal with this value is the printed number without trailing zeros.
    let decimals = |x: &f64| x.to_string().split_once('.').map_or(0, |(_, digits)| digits.len());
    match numbers.iter().map(decimals).max().unwrap_or(0) {
        0 => 0.0,
        digits => libm::pow(10.0, -(digits as f64)),
    }
}

/// Slope of a segment, with two error bounds: the rounding of binary numbers, below which a change is not a corner, and
/// that of the printed digits, below which a decrease is accepted. Each printed number is within half a unit of the
/// last place, so a difference of two is within one.
#[derive(Clone, Copy)]
struct Slope {
    value: f64,
    binary: f64,
    decimal: f64,
}

impl Slope {
    fn between(a: [f64; 2], b: [f64; 2], unit: f64) -> Option<Self> {
        let width = b[0] - a[0];
        // `partial_cmp` rejects a width that is zero, negative or NaN.
        if width.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let value = (b[1] - a[1]) / width;
        let binary = 2.0 * f64::EPSILON * (a[1].abs() + b[1].abs() + value.abs() * (a[0].abs() + b[0].abs())) / width;
        let decimal = unit * (1.0 + value.abs()) / width;
        Some(Self { value, binary, decimal })
    }
}

/// Whether part of `[pmin, pmax]` (per unit) lies on the extension of the first or last segment of the declared curve.
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
mod tests;
