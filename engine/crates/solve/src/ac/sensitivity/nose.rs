//! How far powers can move along a direction before voltages collapse.
//!
//! At the nose of the curve the solution behaves like `sqrt(t* - t)`. The derivative `z'` has a singularity of exponent
//! minus one half there, and `z'' / z'` a pole with residue one half. A Padé approximant of the series of `z'' / z'`
//! has this pole among its own even if another singularity is equally near on the other side (Baker, Phys. Rev. 124
//! (1961)). If the approximant does not settle, the ratios `c_k / c_{k-1} = (1 - 1.5 / k) / t*` of the last
//! coefficients give `t*` (Domb and Sykes, Proc. R. Soc. A 240 (1957), for an exponent of one half). Voltages are
//! single-valued up to the nose, so no continuation is needed.

use super::parameter::Change;
use super::series::Series;
use crate::ac::model::analysis::AcModel;
use crate::ac::result::base::AcBase;
use crate::vocabulary::Direction;
use wattbook_network::error::Result;

/// Terms of the series.
const ORDERS: usize = 12;
/// Number of buses in the result.
const NAMED: usize = 5;
/// Degree of numerator and denominator of the approximant; the one for comparison has one less.
const DEGREE: usize = 5;

/// The estimated end of a direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Nose {
    /// Length of the direction until voltages collapse, ignoring reactive limits.
    pub step: f64,
    /// Difference from the estimate with fewer terms: the accuracy.
    pub change: f64,
    /// Buses (dense rows) whose voltages change fastest at the nose, in descending order.
    pub buses: Vec<usize>,
}

impl AcBase {
    /// Estimates where voltages collapse; `None` if the series has no singularity ahead.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for an element out of service.
    pub fn nose(&self, model: &AcModel, direction: &Direction) -> Result<Option<Nose>> {
        let change = Change::of_direction(model, direction)?;
        let series = Series::new(self, model, &change, ORDERS);
        let last = &series.c[ORDERS];
        let mut at = (0, 0);
        for (node, c) in last.iter().enumerate() {
            for (part, c) in c.iter().enumerate() {
                if c.abs() > last[at.0][at.1].abs() {
                    at = (node, part);
                }
            }
        }
        if last.is_empty() {
            return Ok(None);
        }
        let of = |part: usize| -> Vec<f64> { series.c.iter().map(|c| c[at.0][part]).collect() };
        // Of angle and magnitude, the one with the larger initial slope: the other may be even in `t`.
        let first = usize::from(series.c[1][at.0][1].abs() > series.c[1][at.0][0].abs());
        let estimates = [by_poles(&of(first)), by_ratios(&of(at.1))];
        let settled = estimates
            .into_iter()
            .flatten()
            .min_by(|a, b| (a[1] / a[0]).total_cmp(&(b[1] / b[0])));
        let Some([step, change]) = settled else {
            return Ok(None);
        };
        let mut nodes: Vec<usize> = (0..last.len()).filter(|&node| last[node][1] != 0.0).collect();
        nodes.sort_by(|&a, &b| last[b][1].abs().total_cmp(&last[a][1].abs()).then(a.cmp(&b)));
        nodes.truncate(NAMED);
        Ok(Some(Nose {
            step,
            change,
            buses: nodes.into_iter().map(|node| model.bus_of_node[node]).collect(),
        }))
    }
}

/// The nose from the last ratio of coefficients, and the difference from the previous ratio.
fn by_ratios(c: &[f64]) -> Option<[f64; 2]> {
    let estimate = |k: usize| {
        let t = (1.0 - 1.5 / k as f64) * (c[k - 1] / c[k]);
        (t.is_finite() && t > 0.0).then_some(t)
    };
    let (step, before) = (estimate(ORDERS)?, estimate(ORDERS - 1)?);
    Some([step, (step - before).abs()])
}

/// The nose from the approximant's nearest pole ahead, and the difference from the approximant of one degree less.
fn by_poles(c: &[f64]) -> Option<[f64; 2]> {
    // The unit is about the radius of convergence; coefficients two orders apart, because singularities on both sides
    // alternate.
    let scale = (c[ORDERS - 2] / c[ORDERS]).abs().sqrt();
    if !(scale.is_finite() && scale > 0.0) {
        return None;
    }
    let mut power = 1.0;
    let slope: Vec<f64> = (1..=ORDERS)
        .map(|k| {
            power *= scale;
            k as f64 * c[k] * power
        })
        .collect();
    let mut quotient = Vec::with_capacity(ORDERS - 1);
    for k in 0..ORDERS - 1 {
        let known = (1..=k).fold(0.0, |sum, i| sum + slope[i] * quotient[k - i]);
        quotient.push(((k + 1) as f64 * slope[k + 1] - known) / slope[0]);
    }
    let (step, before) = (pole(&quotient, DEGREE)?, pole(&quotient, DEGREE - 1)?);
    Some([step * scale, (step - before).abs() * scale])
}

/// The nearest positive pole of the approximant `p / q` of a series whose residue is like that of a nose.
fn pole(series: &[f64], degree: usize) -> Option<f64> {
    let mut rows: Vec<Vec<f64>> = (1..=degree)
        .map(|i| {
            let row = (1..=degree).map(|j| series[degree + i - j]);
            row.chain([-series[degree + i]]).collect()
        })
        .collect();
    let mut q = vec![1.0];
    q.extend(solved(&mut rows)?);
    let p: Vec<f64> = (0..=degree)
        .map(|i| (0..=i).fold(0.0, |sum, j| sum + q[j] * series[i - j]))
        .collect();
    let value = |of: &[f64], t: f64| of.iter().rev().fold(0.0, |sum, x| sum * t + x);
    let slope: Vec<f64> = (1..q.len()).map(|k| k as f64 * q[k]).collect();
    const POINTS: usize = 256;
    const FARTHEST: f64 = 2.0;
    let at = |k: usize| FARTHEST * k as f64 / POINTS as f64;
    (0..POINTS).find_map(|k| {
        let (mut low, mut high) = (at(k), at(k + 1));
        let sign = value(&q, low) > 0.0;
        if (value(&q, high) > 0.0) == sign {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if (value(&q, middle) > 0.0) == sign {
                low = middle;
            } else {
                high = middle;
            }
        }
        // The exact residue is one half; a zero of the slope has minus one, and a spurious pole of the approximant
        // about zero.
        let residue = -value(&p, low) / value(&slope, low);
        (0.3..0.8).contains(&residue).then_some(low)
    })
}

/// Solves linear equations; the last column is the right-hand side.
fn solved(rows: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let largest = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))?;
        rows.swap(k, largest);
        let pivot = rows[k].clone();
        if pivot[k].is_nan() || pivot[k].abs() <= f64::MIN_POSITIVE {
            return None;
        }
        for row in &mut rows[k + 1..] {
            let factor = row[k] / pivot[k];
            for (x, p) in row.iter_mut().zip(&pivot).skip(k) {
                *x -= factor * p;
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known = (k + 1..n).fold(0.0, |sum, j| sum + rows[k][j] * x[j]);
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}
