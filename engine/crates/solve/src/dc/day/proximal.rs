//! The exact optimum of the program of a day by a dual semismooth Newton method with proximal terms (Li, Sun and Toh, SIAM J. Optim. 30
//! (2020), 2410-2440).
//!
//! With a term `rho |x - centre|^2 / 2` in the cost, each column is a function of the prices `y`: the clamped
//! `(A'y - c + rho centre) / (q + rho)`. The dual of the program is then concave and piecewise quadratic in `y`, with the gradient
//! `b - A x(y)` and the Hessian `-A W A'`, where `W` is `1 / (q + rho)` on the columns between their bounds. The centre moves to the
//! solution until the term has no effect.

use super::program::Program;
use wattbook_sparse::BlockTridiagonal;

/// Weight of the proximal term beside costs of order one.
pub(super) const RHO: f64 = 1e-4;

/// Newton steps about one centre, and centres.
const MOST_STEPS: usize = 400;
const MOST_CENTRES: usize = 200;

/// Largest residual of a row, per unit.
const ROW_TOLERANCE: f64 = 1e-11;

/// Largest effect of the proximal term on a price of order one; after some centres, which units of almost equal cost need, a larger one.
const PRICE_TOLERANCE: f64 = 1e-11;
const LARGER_TOLERANCE: f64 = 1e-9;
const CENTRES_TO_LARGER: usize = 3;

/// Shift of the Newton matrix, for rows without a column between its bounds.
const SHIFT: f64 = 1e-9;

/// Applications of a projection that takes out the rest in part.
const PROJECTIONS: usize = 3;

/// An optimum: columns, row prices, and which columns are between their bounds.
#[derive(Clone, Debug)]
pub(super) struct Optimum {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub is_free: Vec<bool>,
    /// Newton steps.
    pub steps: usize,
}

/// The optimum near a point, or `None` where it is not reached.
pub(super) fn solve(program: &Program, x: Vec<f64>, mut y: Vec<f64>) -> Option<Optimum> {
    let n = x.len();
    let mut centre: Vec<f64> = (0..n).map(|j| x[j].clamp(program.lo[j], program.hi[j])).collect();
    let mut normal = program.blocks();
    let mut factored: Vec<bool> = Vec::new();
    let mut steps = 0;
    let mut before: (Vec<bool>, f64) = (Vec::new(), f64::INFINITY);
    let size_b = program.b.iter().fold(1.0f64, |m, b| m.max(b.abs()));
    for centres in 0..MOST_CENTRES {
        let mut prices = program.transposed_times(&y);
        let mut found = columns(program, &centre, &prices);
        let mut about_centre = 0;
        loop {
            let activity = program.times(&found.0);
            let residual: Vec<f64> = program.b.iter().zip(&activity).map(|(b, a)| b - a).collect();
            let worst = residual.iter().fold(0.0f64, |m, r| m.max(r.abs()));
            if !worst.is_finite() {
                return None;
            }
            if worst <= ROW_TOLERANCE * size_b {
                break;
            }
            about_centre += 1;
            steps += 1;
            if about_centre > MOST_STEPS {
                return None;
            }
            if factored != found.1 {
                factor(program, &found.1, &mut normal);
                factored.clone_from(&found.1);
            }
            let mut dy = residual;
            normal.solve(&mut dy);
            let rates = program.transposed_times(&dy);
            let length = line_search(program, &centre, &prices, &rates, &dy);
            if length == 0.0 {
                break;
            }
            y.iter_mut().zip(&dy).for_each(|(y, d)| *y += length * d);
            prices = program.transposed_times(&y);
            found = columns(program, &centre, &prices);
        }
        let moved = found.0.iter().zip(&centre);
        let effect = RHO * moved.fold(0.0f64, |m, (x, centre)| m.max((x - centre).abs()));
        let tolerance = if centres < CENTRES_TO_LARGER {
            PRICE_TOLERANCE
        } else {
            LARGER_TOLERANCE
        };
        if effect <= tolerance {
            return Some(Optimum {
                x: found.0,
                y,
                is_free: found.1,
                steps,
            });
        }
        let rate = effect / before.1;
        let further = match (before.0 == found.1, rate < 1.0) {
            (false, _) => 0.0,
            (true, true) => rate / (1.0 - rate),
            (true, false) => f64::INFINITY,
        };
        centre = extrapolated(program, further, &centre, &found.0);
        before = (found.1, effect);
    }
    None
}

/// The centre `further` steps beyond `x`, but at most where a column meets a bound. While the same columns are between their bounds, centres
/// move along a line in steps whose lengths fall by a constant rate, which is close to 1 where units of almost equal cost trade places.
fn extrapolated(program: &Program, further: f64, centre: &[f64], x: &[f64]) -> Vec<f64> {
    let mut steps = further;
    for (j, (from, to)) in centre.iter().zip(x).enumerate() {
        let bound = if to < from { program.lo[j] } else { program.hi[j] };
        if to != from {
            steps = steps.min((bound - to) / (to - from));
        }
    }
    let steps = if steps.is_finite() { steps.max(0.0) } else { 0.0 };
    centre
        .iter()
        .zip(x)
        .map(|(from, to)| to + steps * (to - from))
        .collect()
}

/// A vector of row prices that no column between its bounds sees, zero in the rows whose price is unique: the part of a vector without
/// structure in the null space of `A_F'`, which `shift (A_F W A_F' + shift)^-1` leaves as it is and takes out of the rest.
pub(super) fn ambiguity(program: &Program, optimum: &Optimum) -> Vec<f64> {
    let mut normal = program.blocks();
    factor(program, &optimum.is_free, &mut normal);
    let mut state = 1u64;
    let mut part: Vec<f64> = (0..program.b.len())
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            0.5 + (state >> 11) as f64 / (1u64 << 54) as f64
        })
        .collect();
    for _ in 0..PROJECTIONS {
        normal.solve(&mut part);
        part.iter_mut().for_each(|x| *x *= SHIFT);
    }
    part
}

/// The columns at prices, and which of them are between their bounds.
fn columns(program: &Program, centre: &[f64], prices: &[f64]) -> (Vec<f64>, Vec<bool>) {
    let of = |j: usize| {
        let (lo, hi) = (program.lo[j], program.hi[j]);
        let x = (prices[j] - program.c[j] + RHO * centre[j]) / (program.q[j] + RHO);
        (x.clamp(lo, hi), x > lo && x < hi)
    };
    (0..centre.len()).map(of).unzip()
}

/// Factors `A W A'` for the columns between their bounds.
pub(super) fn factor(program: &Program, is_free: &[bool], normal: &mut BlockTridiagonal) {
    let weight = |(is_free, q): (&bool, &f64)| if *is_free { 1.0 / (q + RHO) } else { 0.0 };
    let weights: Vec<f64> = is_free.iter().zip(&program.q).map(weight).collect();
    program.set_normal(&weights, normal);
    normal.shift(SHIFT);
    normal.factor();
}

/// The length of a step to the maximum of the dual along it. The derivative of the dual falls in linear pieces between the lengths at which
/// a column meets or leaves a bound.
fn line_search(program: &Program, centre: &[f64], prices: &[f64], rates: &[f64], dy: &[f64]) -> f64 {
    let mut derivative: f64 = program.b.iter().zip(dy).map(|(b, d)| b * d).sum();
    let mut fall = 0.0;
    let mut kinks: Vec<(f64, f64)> = Vec::new();
    for j in 0..centre.len() {
        let (lo, hi, rate) = (program.lo[j], program.hi[j], rates[j]);
        if rate == 0.0 {
            continue;
        }
        if lo >= hi {
            derivative -= rate * lo;
            continue;
        }
        let stiffness = program.q[j] + RHO;
        let x = (prices[j] - program.c[j] + RHO * centre[j]) / stiffness;
        derivative -= rate * x.clamp(lo, hi);
        let share = rate * rate / stiffness;
        let per_length = rate / stiffness;
        if x > lo && x < hi {
            fall += share;
        }
        let (enter, leave) = if rate > 0.0 { (lo, hi) } else { (hi, lo) };
        let [enters, leaves] = [enter, leave].map(|bound| (bound - x) / per_length);
        if enters >= 0.0 && (x - enter) * rate <= 0.0 {
            kinks.push((enters, share));
        }
        if leaves > 0.0 && leaves.is_finite() {
            kinks.push((leaves, -share));
        }
    }
    kinks.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut at = 0.0;
    for (length, change) in kinks {
        let reached = derivative - fall * (length - at);
        if reached <= 0.0 {
            break;
        }
        (derivative, at) = (reached, length);
        fall = (fall + change).max(0.0);
    }
    match fall > 0.0 {
        true => at + derivative.max(0.0) / fall,
        false => at,
    }
}
