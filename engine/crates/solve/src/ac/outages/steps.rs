//! Steps with the Jacobian of the base, compensated for the branch that is out.

use super::powers;
use super::without::Without;
use crate::ac::model::admittance::TwoPort;
use crate::ac::newton::equations::{Equations, Voltages};
use crate::ac::newton::jacobian::inverse_of;
use crate::ac::newton::method::{COLLAPSED, TOLERANCE};
use crate::ac::result::base::AcBase;
use num_complex::Complex64;
use wattbook_sparse::FourPairs;

/// Largest mismatch after the steps, per unit: below that of a solution, so that voltages agree with those of Newton's
/// method, whose last step leaves next to none.
const CLOSE: f64 = 0.1 * TOLERANCE;
/// The steps end once the mismatch has not been halved this often.
const MOST_SLOW: usize = 2;
const MOST_STEPS: usize = 20;

/// A power flow that approaches that after an outage, and buffers.
#[derive(Clone, Debug)]
pub(super) struct Iterate {
    pub voltages: Voltages,
    pub injections: Vec<Complex64>,
    /// Number of steps so far, over all outages.
    pub steps: usize,
    mismatch: Vec<[f64; 2]>,
    z: Vec<FourPairs>,
    z_slack: Vec<[f64; 4]>,
    taken: Vec<Step>,
}

/// A step, with its slack and its square.
#[derive(Clone, Debug, Default)]
struct Step {
    x: Vec<[f64; 2]>,
    slack: Vec<f64>,
    square: f64,
}

/// Derivatives of the powers into a branch, in the order of `powers`, by the angle and the logarithm of the magnitude of
/// its from end, then by those of its to end.
fn derivatives(port: &TwoPort, f: Complex64, t: Complex64) -> [[f64; 4]; 4] {
    let own = [port.ff.conj() * f.norm_sqr(), port.tt.conj() * t.norm_sqr()];
    let other = [f * (port.ft * t).conj(), t * (port.tf * f).conj()];
    let mut rows = [[0.0; 4]; 4];
    for end in 0..2 {
        let (own, other) = (own[end], other[end]);
        let (here, there) = (2 * end, 2 - 2 * end);
        rows[2 * end][here] = -other.im;
        rows[2 * end][here + 1] = 2.0 * own.re + other.re;
        rows[2 * end][there] = other.im;
        rows[2 * end][there + 1] = other.re;
        rows[2 * end + 1][here] = other.re;
        rows[2 * end + 1][here + 1] = 2.0 * own.im + other.im;
        rows[2 * end + 1][there] = -other.re;
        rows[2 * end + 1][there + 1] = other.im;
    }
    rows
}

impl Iterate {
    pub fn new(base: &AcBase) -> Self {
        Self {
            voltages: base.solution.voltages.clone(),
            injections: base.injections.clone(),
            steps: 0,
            mismatch: Vec::new(),
            z: Vec::new(),
            z_slack: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Steps from the base with the Jacobian without branch `k`, corrected by Broyden's updates (Kelley, *Iterative Methods
    /// for Linear and Nonlinear Equations*, SIAM 1995, section 7.3); whether they converge.
    pub fn solve(&mut self, equations: &Equations, base: &AcBase, without: &Without, k: usize) -> bool {
        let model = equations.model;
        let branch = &model.branches[k];
        let [f, t] = branch.nodes;
        let Iterate {
            voltages,
            injections,
            steps,
            mismatch,
            z,
            z_slack,
            taken,
        } = self;
        voltages.clone_from(&base.solution.voltages);
        base.jacobian.solve_units(model, [f, t], z, z_slack);
        let d = derivatives(&branch.port, voltages.phasor[f], voltages.phasor[t]);
        // E'Z by rows.
        let at_ends = [z[f][0], z[f][1], z[t][0], z[t][1]];
        let m = (0..4).map(|i| {
            let entry = |j: usize| {
                let product = (0..4).fold(0.0, |sum, l| sum + d[i][l] * at_ends[l][j]);
                f64::from(u8::from(i == j)) - product
            };
            (0..4).map(entry).collect()
        });
        let Some(inverse) = inverse_of(m.collect()) else {
            return false;
        };
        let times_inverse = |b: [f64; 4]| {
            let row = |i: usize| (0..4).fold(0.0, |sum, j| sum + inverse[i][j] * b[j]);
            [row(0), row(1), row(2), row(3)]
        };
        // At the base, the mismatch is that of the lost powers.
        let [[p_f, q_f], [p_t, q_t]] = powers(&branch.port, voltages.phasor[f], voltages.phasor[t]);
        let mut factors = times_inverse([p_f, q_f, p_t, q_t]);
        let (mut before, mut slow) = (f64::INFINITY, 0);
        for step in 0..MOST_STEPS {
            if taken.len() == step {
                taken.push(Step::default());
            }
            let (earlier, next) = taken.split_at_mut(step);
            let Step { x, slack, square } = &mut next[0];
            if step == 0 {
                x.clear();
                x.resize(model.kinds.len(), [0.0; 2]);
                slack.clear();
                slack.resize(model.references.len(), 0.0);
            } else {
                x.clear();
                x.extend(mismatch.iter().map(|f| [-f[0], -f[1]]));
                *slack = base.jacobian.solve(model, x);
                let at_ends = [x[f][0], x[f][1], x[t][0], x[t][1]];
                let row = |i: usize| (0..4).fold(0.0, |sum, j| sum + d[i][j] * at_ends[j]);
                factors = times_inverse([row(0), row(1), row(2), row(3)]);
            }
            add_columns(x, &factors, z);
            for (slack, z) in slack.iter_mut().zip(&*z_slack) {
                *slack += (factors[0] * z[0] + factors[1] * z[1]) + (factors[2] * z[2] + factors[3] * z[3]);
            }
            for pair in earlier.windows(2) {
                let factor = product(&pair[0].x, x) / pair[0].square;
                add_scaled(x, factor, &pair[1].x);
                slack
                    .iter_mut()
                    .zip(&pair[1].slack)
                    .for_each(|(s, of)| *s += factor * of);
            }
            if let Some(last) = earlier.last() {
                let scale = 1.0 / (1.0 - product(&last.x, x) / last.square);
                if !(scale.is_finite() && scale > 0.0) {
                    return false;
                }
                x.iter_mut().for_each(|x| *x = [scale * x[0], scale * x[1]]);
                slack.iter_mut().for_each(|s| *s *= scale);
            }
            *square = product(x, x);
            voltages.turn(x, slack);
            *steps += 1;
            without.model.admittance.times(&voltages.phasor, injections);
            for (s, v) in injections.iter_mut().zip(&voltages.phasor) {
                *s = Complex64::new(v.re * s.re + v.im * s.im, v.im * s.re - v.re * s.im);
            }
            let largest = equations.mismatch(injections, voltages, mismatch);
            if largest <= CLOSE.max(model.rounding) {
                return voltages.magnitude.iter().all(|&v| v > COLLAPSED);
            }
            slow += usize::from(largest > 0.5 * before);
            if slow >= MOST_SLOW || largest.is_nan() {
                return false;
            }
            before = largest;
        }
        false
    }
}

/// `a'b` in two sums.
fn product(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let [mut first, mut second] = [0.0; 2];
    for (a, b) in a.iter().zip(b) {
        first += a[0] * b[0];
        second += a[1] * b[1];
    }
    first + second
}

/// `x += factor y`.
fn add_scaled(x: &mut [[f64; 2]], factor: f64, y: &[[f64; 2]]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = [x[0] + factor * y[0], x[1] + factor * y[1]];
    }
}

/// `x += z factors`.
fn add_columns(x: &mut [[f64; 2]], factors: &[f64; 4], z: &[FourPairs]) {
    let along = |z: &[f64; 4]| (factors[0] * z[0] + factors[1] * z[1]) + (factors[2] * z[2] + factors[3] * z[3]);
    for (x, z) in x.iter_mut().zip(z) {
        *x = [x[0] + along(&z[0]), x[1] + along(&z[1])];
    }
}
