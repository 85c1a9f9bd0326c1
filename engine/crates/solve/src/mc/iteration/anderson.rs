//! Anderson's acceleration of a fixed point (Walker and Ni, SIAM J. Numer. Anal. 49 (2011)), undamped.

use crate::mc::C;

/// Steps that are combined.
const WINDOW: usize = 5;
/// Added to the unit diagonal of the scaled normal equations.
const RIDGE: f64 = 1e-12;

/// The last steps: sums of the differences of points and of corrections, and the latter alone.
pub(crate) struct Anderson {
    /// `1 / base^2` by unknown: what scales the squares.
    scale: Vec<f64>,
    /// The last point and its correction, once there is one.
    x: Vec<C>,
    f: Vec<C>,
    has_last: bool,
    steps: Vec<Step>,
    /// Where the next step goes when all places are taken.
    oldest: usize,
    /// Inner products of the differences of corrections.
    gram: [[f64; WINDOW]; WINDOW],
}

struct Step {
    sum: Vec<C>,
    correction: Vec<C>,
}

impl Anderson {
    /// `base` scales the unknowns.
    pub fn new(base: &[f64]) -> Self {
        Self {
            scale: base.iter().map(|b| 1.0 / (b * b)).collect(),
            x: Vec::new(),
            f: Vec::new(),
            has_last: false,
            steps: Vec::new(),
            oldest: 0,
            gram: [[0.0; WINDOW]; WINDOW],
        }
    }

    /// Puts the next point in the place of `x`, whose plain successor is `x + f`.
    pub fn next(&mut self, x: &mut [C], f: &[C]) {
        if self.has_last {
            self.remember(x, f);
        }
        self.has_last = true;
        self.x.clear();
        self.x.extend_from_slice(x);
        self.f.clear();
        self.f.extend_from_slice(f);
        let weights = self.weights(f);
        x.iter_mut().zip(f).for_each(|(x, f)| *x += f);
        for (step, weight) in self.steps.iter().zip(weights.into_iter().flatten()) {
            x.iter_mut().zip(&step.sum).for_each(|(x, sum)| *x -= weight * sum);
        }
    }

    fn remember(&mut self, x: &[C], f: &[C]) {
        if self.steps.len() < WINDOW {
            let empty = || Vec::with_capacity(x.len());
            self.oldest = self.steps.len();
            self.steps.push(Step {
                sum: empty(),
                correction: empty(),
            });
        }
        let at = self.oldest;
        let step = &mut self.steps[at];
        step.sum.clear();
        step.correction.clear();
        for ((x, last_x), (f, last_f)) in x.iter().zip(&self.x).zip(f.iter().zip(&self.f)) {
            let correction = f - last_f;
            step.correction.push(correction);
            step.sum.push(x - last_x + correction);
        }
        for i in 0..self.steps.len() {
            let product = inner(&self.steps[at].correction, &self.steps[i].correction, &self.scale);
            (self.gram[at][i], self.gram[i][at]) = (product, product);
        }
        self.oldest = (at + 1) % WINDOW;
    }

    /// Least squares of `f - sum of weights times differences of corrections`, real parts.
    fn weights(&self, f: &[C]) -> Option<[f64; WINDOW]> {
        let m = self.steps.len();
        let mut gram = self.gram;
        let (mut right, mut scale) = ([0.0; WINDOW], [0.0; WINDOW]);
        for (i, step) in self.steps.iter().enumerate() {
            right[i] = inner(&step.correction, f, &self.scale);
            scale[i] = gram[i][i].sqrt();
        }
        if m == 0 || scale[..m].iter().any(|s| !s.is_normal()) {
            return None;
        }
        for i in 0..m {
            for j in 0..i {
                gram[i][j] /= scale[i] * scale[j];
            }
            gram[i][i] = 1.0 + RIDGE;
            right[i] /= scale[i];
        }
        // Cholesky factors in the lower triangle.
        for i in 0..m {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| gram[i][k] * gram[j][k]).sum();
                let left = gram[i][j] - sum;
                if i != j {
                    gram[i][j] = left / gram[j][j];
                } else if left > 0.0 {
                    gram[i][i] = left.sqrt();
                } else {
                    return None;
                }
            }
        }
        for i in 0..m {
            let sum: f64 = (0..i).map(|k| gram[i][k] * right[k]).sum();
            right[i] = (right[i] - sum) / gram[i][i];
        }
        for i in (0..m).rev() {
            let sum: f64 = (i + 1..m).map(|k| gram[k][i] * right[k]).sum();
            right[i] = (right[i] - sum) / gram[i][i];
        }
        let mut weights = [0.0; WINDOW];
        (0..m).for_each(|i| weights[i] = right[i] / scale[i]);
        weights.iter().all(|w| w.is_finite()).then_some(weights)
    }
}

/// Sums that are made side by side, since each addition waits for the one before.
const LANES: usize = 4;

/// Sum of `scale Re(conj(a) b)`.
fn inner(a: &[C], b: &[C], scale: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let term = |a: &C, b: &C, scale: f64| (a.re * b.re + a.im * b.im) * scale;
    let chunks = (a.chunks_exact(LANES), b.chunks_exact(LANES), scale.chunks_exact(LANES));
    let rest = chunks
        .0
        .remainder()
        .iter()
        .zip(chunks.1.remainder())
        .zip(chunks.2.remainder());
    for ((a, b), scale) in chunks.0.zip(chunks.1).zip(chunks.2) {
        for lane in 0..LANES {
            sums[lane] += term(&a[lane], &b[lane], scale[lane]);
        }
    }
    for ((a, b), scale) in rest {
        sums[0] += term(a, b, *scale);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
