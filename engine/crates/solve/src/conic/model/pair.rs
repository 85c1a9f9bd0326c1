//! Bus pairs: angle-difference limits and lifted nonlinear cuts.

use super::branch_flow::{substituted, Coefficients};

/// The constraints that tighten the relaxation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cuts {
    /// Lifted nonlinear cuts, as in PowerModels and the results of BASELINE.md.
    #[default]
    Lifted,
    None,
}

/// A limit `row . (w_f, w_t, e, wi) <= limit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairRow {
    pub row: Coefficients,
    pub limit: f64,
}

/// Magnitude limits of the voltage at one end of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Band {
    pub min: f64,
    pub max: f64,
}

/// `sin(lo) wr <= cos(lo) wi` and `cos(hi) wi <= sin(hi) wr`: the angle of `V_f conj(V_t)` lies between `lo` and `hi`.
pub(crate) fn angle_rows(lo: f64, hi: f64) -> [PairRow; 2] {
    let (sin_lo, cos_lo) = libm::sincos(lo);
    let (sin_hi, cos_hi) = libm::sincos(hi);
    let row = |r: f64, i: f64| PairRow {
        row: substituted([0.0, 0.0, r, i]),
        limit: 0.0,
    };
    [row(sin_lo, -cos_lo), row(-sin_hi, cos_hi)]
}

/// Lifted nonlinear cuts (Coffrin, Hijazi and Van Hentenryck, *Strengthening the SDP relaxation of AC power flows with convex
/// envelopes, bound tightening, and lifted nonlinear cuts*, 2015), as PowerModels writes them.
pub(crate) fn lifted_cuts(lo: f64, hi: f64, f: Band, t: Band) -> [PairRow; 2] {
    let (phi, delta) = (0.5 * (hi + lo), 0.5 * (hi - lo));
    let (sin, cos) = libm::sincos(phi);
    let cos_delta = libm::cos(delta);
    let (sum_f, sum_t) = (f.min + f.max, t.min + t.max);
    let spread = f.min * t.min - f.max * t.max;
    let product = sum_f * sum_t;
    let cut = |vf: f64, vt: f64, right: f64| PairRow {
        row: substituted([
            vt * cos_delta * sum_t,
            vf * cos_delta * sum_f,
            -product * cos,
            -product * sin,
        ]),
        limit: -vf * vt * cos_delta * right,
    };
    [cut(f.max, t.max, spread), cut(f.min, t.min, -spread)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Voltages and angles within their limits satisfy every row; the cuts are tight at corners of the box.
    #[test]
    fn rows_hold_for_voltages() {
        let (lo, hi) = (-0.3, 0.5);
        let (f, t) = (Band { min: 0.9, max: 1.1 }, Band { min: 0.95, max: 1.05 });
        let rows = || angle_rows(lo, hi).into_iter().chain(lifted_cuts(lo, hi, f, t));
        let mut least = [f64::INFINITY; 4];
        for step in 0..9 * 9 * 9 {
            let part = |k: usize, a: f64, b: f64| a + (b - a) * (k % 9) as f64 / 8.0;
            let (vf, vt) = (part(step, f.min, f.max), part(step / 9, t.min, t.max));
            let angle = part(step / 81, lo, hi);
            let (wr, wi) = (vf * vt * angle.cos(), vf * vt * angle.sin());
            let x = [vf * vf, vt * vt, 0.5 * (vf * vf + vt * vt) - wr, wi];
            for (row, least) in rows().zip(&mut least) {
                let value: f64 = row.row.iter().zip(x).map(|(a, b)| a * b).sum();
                *least = least.min(row.limit - value);
            }
        }
        for least in least {
            assert!(least.abs() < 1e-14, "{least}");
        }
    }
}
