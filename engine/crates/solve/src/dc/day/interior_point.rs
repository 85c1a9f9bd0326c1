//! A primal-dual interior-point method for the program of a day (Mehrotra, SIAM J. Optim. 2 (1992), with bounds on both sides of a
//! column). It finds which limits bind; [`super::proximal`] computes the optimum that they determine.

use super::program::Program;
use wattbook_sparse::BlockTridiagonal;

/// Iterations after which a program counts as one without a solution.
const MOST_STEPS: usize = 120;

/// An accuracy that counts as reached where a better one is not within some more iterations.
const ENOUGH: f64 = 1e-8;
const MORE_STEPS: usize = 8;

/// Part of the way to the nearest bound.
const TO_THE_BOUNDARY: f64 = 0.995;

/// Least curvature of a column.
const LEAST_CURVATURE: f64 = 1e-11;

/// A point with the distances of its columns from their bounds and the multipliers of the bounds, zero for a missing bound.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// Bounds of the columns with a range; `None` where there is no bound.
type Bounds = [[Option<f64>; 2]];

/// The last point, and whether it is a solution to a relative accuracy: without a solution of the program it is not.
pub(super) fn solve(program: &Program, accuracy: f64) -> (Interior, bool) {
    let columns = program.lo.iter().zip(&program.hi);
    let bounds = columns.map(|(&lo, &hi)| match lo < hi {
        true => [lo, hi].map(|bound| bound.is_finite().then_some(bound)),
        false => [None; 2],
    });
    let bounds: Vec<[Option<f64>; 2]> = bounds.collect();
    let n_bounds = bounds.iter().flatten().flatten().count().max(1) as f64;
    let mut point = start(program, &bounds);
    let mut normal = program.blocks();
    let worst = |values: &[f64]| values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let (size_b, size_c) = (worst(&program.b).max(1.0), worst(&program.c).max(1.0));
    let mut enough = 0;
    for _ in 0..MOST_STEPS {
        let activity = program.times(&point.x);
        let residuals = Residuals {
            rows: program.b.iter().zip(&activity).map(|(b, a)| b - a).collect(),
            columns: dual_residual(program, &point),
        };
        let gap: f64 = complementarity(&point, &bounds, None);
        let mu = gap / n_bounds;
        let (off_rows, off_prices) = (worst(&residuals.rows), worst(&residuals.columns));
        if !(off_rows + off_prices + gap).is_finite() {
            return (start(program, &bounds), false);
        }
        let size_cost = 1.0 + program.cost(&point.x).abs();
        let is_within = |accuracy: f64| {
            off_rows <= accuracy * size_b && off_prices <= accuracy * size_c && gap <= accuracy * size_cost
        };
        enough += usize::from(enough > 0 || is_within(ENOUGH));
        if is_within(accuracy) || enough > MORE_STEPS {
            return (point, true);
        }
        let curvature = |(j, [lo, hi]): (usize, &[Option<f64>; 2])| {
            let at_lower = lo.map_or(0.0, |lo| point.lower[j] / (point.x[j] - lo));
            let at_upper = hi.map_or(0.0, |hi| point.upper[j] / (hi - point.x[j]));
            program.q[j] + LEAST_CURVATURE + at_lower + at_upper
        };
        let weight = |(j, own)| {
            if program.lo[j] < program.hi[j] {
                1.0 / curvature((j, own))
            } else {
                0.0
            }
        };
        let weights: Vec<f64> = bounds.iter().enumerate().map(weight).collect();
        program.set_normal(&weights, &mut normal);
        normal.factor();
        let system = System {
            program,
            bounds: &bounds,
            weights: &weights,
            normal: &normal,
        };
        let predictor = system.step(&point, &residuals, 0.0, None);
        let length = longest(program, &point, &predictor, &bounds);
        let reached = complementarity(&point, &bounds, Some((&predictor, length))) / n_bounds;
        let centring = (reached / mu).powi(3).clamp(1e-8, 1.0);
        let corrected = system.step(&point, &residuals, centring * mu, Some(&predictor));
        let lengths = longest(program, &point, &corrected, &bounds);
        let [primal, dual] = lengths.map(|length| (TO_THE_BOUNDARY * length).min(1.0));
        move_by(&mut point.x, primal, &corrected.dx);
        move_by(&mut point.y, dual, &corrected.dy);
        move_by(&mut point.lower, dual, &corrected.lower);
        move_by(&mut point.upper, dual, &corrected.upper);
    }
    (point, false)
}

struct Residuals {
    rows: Vec<f64>,
    columns: Vec<f64>,
}

struct Step {
    dx: Vec<f64>,
    dy: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Step {
    /// The products of the changes of distances and multipliers of a column.
    fn products(&self, j: usize) -> [f64; 2] {
        [self.dx[j] * self.lower[j], -self.dx[j] * self.upper[j]]
    }
}

/// The factored system of the steps from a point.
struct System<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    weights: &'a [f64],
    normal: &'a BlockTridiagonal,
}

impl System<'_> {
    /// The step to products of distances and multipliers of `target`, with the products of a first step as their second-order part.
    fn step(&self, point: &Interior, residuals: &Residuals, target: f64, first: Option<&Step>) -> Step {
        let wanted = |j: usize| first.map_or([target; 2], |first| first.products(j).map(|product| target - product));
        let columns = || self.bounds.iter().enumerate();
        let towards = columns().map(|(j, [lo, hi])| {
            let [at_lower, at_upper] = wanted(j);
            let lower = lo.map_or(0.0, |lo| at_lower / (point.x[j] - lo) - point.lower[j]);
            let upper = hi.map_or(0.0, |hi| at_upper / (hi - point.x[j]) - point.upper[j]);
            (residuals.columns[j] + lower - upper) * self.weights[j]
        });
        let towards: Vec<f64> = towards.collect();
        let missing = |x: &[f64]| -> Vec<f64> {
            let reached = self.program.times(x);
            residuals.rows.iter().zip(&reached).map(|(r, a)| r - a).collect()
        };
        let dx_of = |dy: &[f64]| -> Vec<f64> {
            let prices = self.program.transposed_times(dy);
            let parts = prices.iter().zip(self.weights).zip(&towards);
            parts
                .map(|((price, weight), towards)| weight * price + towards)
                .collect()
        };
        let mut dy = missing(&towards);
        self.normal.solve(&mut dy);
        // The factors of a matrix with entries of all sizes are refined once.
        let mut correction = missing(&dx_of(&dy));
        self.normal.solve(&mut correction);
        move_by(&mut dy, 1.0, &correction);
        let dx = dx_of(&dy);
        let lower = columns().map(|(j, [lo, _])| {
            let of = |lo: f64| (wanted(j)[0] - point.lower[j] * dx[j]) / (point.x[j] - lo) - point.lower[j];
            lo.map_or(0.0, of)
        });
        let upper = columns().map(|(j, [_, hi])| {
            let of = |hi: f64| (wanted(j)[1] + point.upper[j] * dx[j]) / (hi - point.x[j]) - point.upper[j];
            hi.map_or(0.0, of)
        });
        let (lower, upper) = (lower.collect(), upper.collect());
        Step { dx, dy, lower, upper }
    }
}

fn move_by(values: &mut [f64], length: f64, by: &[f64]) {
    values.iter_mut().zip(by).for_each(|(v, d)| *v += length * d);
}

fn start(program: &Program, bounds: &Bounds) -> Interior {
    let scale = program.c.iter().fold(0.0f64, |m, c| m.max(c.abs())).max(1e-3);
    let inside = |(j, own): (usize, &[Option<f64>; 2])| match own {
        [Some(lo), Some(hi)] => 0.5 * (lo + hi),
        [Some(lo), None] => lo + 1.0,
        [None, Some(hi)] => hi - 1.0,
        // Without a range, or without bounds.
        [None, None] => program.lo[j].max(0.0).min(program.hi[j]),
    };
    let multipliers = |side: usize| bounds.iter().map(|own| own[side].map_or(0.0, |_| scale)).collect();
    Interior {
        x: bounds.iter().enumerate().map(inside).collect(),
        y: vec![0.0; program.b.len()],
        lower: multipliers(0),
        upper: multipliers(1),
    }
}

/// `A'y + lower - upper - c - Q x`, zero for columns without a range.
fn dual_residual(program: &Program, point: &Interior) -> Vec<f64> {
    let mut residual = program.transposed_times(&point.y);
    for (j, r) in residual.iter_mut().enumerate() {
        *r = match program.lo[j] < program.hi[j] {
            true => *r + point.lower[j] - point.upper[j] - program.c[j] - program.q[j] * point.x[j],
            false => 0.0,
        };
    }
    residual
}

/// The sum of the products of distances and multipliers, after a step of these lengths.
fn complementarity(point: &Interior, bounds: &Bounds, after: Option<(&Step, [f64; 2])>) -> f64 {
    let mut sum = 0.0;
    for (j, &[lo, hi]) in bounds.iter().enumerate() {
        let (dx, dl, du) = after.map_or((0.0, 0.0, 0.0), |(step, [primal, dual])| {
            (primal * step.dx[j], dual * step.lower[j], dual * step.upper[j])
        });
        sum += lo.map_or(0.0, |lo| (point.x[j] + dx - lo) * (point.lower[j] + dl));
        sum += hi.map_or(0.0, |hi| (hi - point.x[j] - dx) * (point.upper[j] + du));
    }
    sum
}

/// The longest primal and dual steps with positive distances and multipliers, at most 1; equal where costs are curved, because the dual
/// residual depends on the dispatch then.
fn longest(program: &Program, point: &Interior, step: &Step, bounds: &Bounds) -> [f64; 2] {
    let [mut primal, mut dual] = [1.0f64; 2];
    for (j, &[lo, hi]) in bounds.iter().enumerate() {
        let dx = step.dx[j];
        if let Some(lo) = lo {
            if dx < 0.0 {
                primal = primal.min((lo - point.x[j]) / dx);
            }
            if step.lower[j] < 0.0 {
                dual = dual.min(-point.lower[j] / step.lower[j]);
            }
        }
        if let Some(hi) = hi {
            if dx > 0.0 {
                primal = primal.min((hi - point.x[j]) / dx);
            }
            if step.upper[j] < 0.0 {
                dual = dual.min(-point.upper[j] / step.upper[j]);
            }
        }
    }
    match program.q.iter().any(|q| *q > 0.0) {
        true => [primal.min(dual); 2],
        false => [primal, dual],
    }
}
