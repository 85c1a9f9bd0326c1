//! Anderson's acceleration of a fixed point (Walker and Ni, SIAM J. Numer. Anal. 49 (2011)), undamped.

use crate::mc::C;

/// Number of combined steps.
const WINDOW: usize = 5;
/// Added to the unit diagonal of the scaled normal equations.
const RIDGE: f64 = 1e-12;

/// The last steps: the sums of point and correction differences, and the correction differences alone.
pub(crate) struct Anderson {
    /// Weights of squares: `1 / base^2` by unknown.
    scale: Vec<f64>,
    /// The last point and its correction.
    x: Vec<C>,
    f: Vec<C>,
    has_last: bool,
    steps: Vec<Step>,
    /// Index of the next step to overwrite once the window is full.
    oldest: usize,
    /// Inner products of the differences of corrections.
    gram: [[f64; WINDOW]; WINDOW],
}

struct Step {
    sum: Vec<C>,
    correction: Vec<C>,
}

impl Anderson {
    /// `base` is the scale of the unknowns.
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

    /// Replaces `x`, whose plain successor is `x + f`, by the accelerated next point.
    pub fn next(&mut self, x: &mut [C], f: &[C]) {
        let weights = match self.has_last {
            true => self.remember(x, f),
            false => None,
        };
        self.has_last = true;
        self.x.clear();
        self.f.clear();
        for block in blocks(x.len()) {
            let (x, f) = (&mut x[block.clone()], &f[block.clone()]);
            self.x.extend_from_slice(x);
            self.f.extend_from_slice(f);
            x.iter_mut().zip(f).for_each(|(x, f)| *x += f);
            for (step, weight) in self.steps.iter().zip(weights.into_iter().flatten()) {
                let sums = &step.sum[block.clone()];
                x.iter_mut().zip(sums).for_each(|(x, sum)| *x -= weight * sum);
            }
        }
    }

    /// Stores the step from the last point to `x` and returns the weights of all steps.
    fn remember(&mut self, x: &[C], f: &[C]) -> Option<[f64; WINDOW]> {
        if self.steps.len() < WINDOW {
            self.oldest = self.steps.len();
            self.steps.push(Step {
                sum: Vec::with_capacity(x.len()),
                correction: Vec::with_capacity(x.len()),
            });
        }
        let at = self.oldest;
        self.steps[at].sum.clear();
        self.steps[at].correction.clear();
        let (mut products, mut right) = ([0.0; WINDOW], [0.0; WINDOW]);
        for block in blocks(x.len()) {
            let Step { sum, correction } = &mut self.steps[at];
            let (f, scale) = (&f[block.clone()], &self.scale[block.clone()]);
            correction.extend(f.iter().zip(&self.f[block.clone()]).map(|(f, last)| f - last));
            let points = x[block.clone()].iter().zip(&self.x[block.clone()]);
            sum.extend(
                points
                    .zip(&correction[block.clone()])
                    .map(|((x, last), correction)| x - last + correction),
            );
            let newest = &self.steps[at].correction[block.clone()];
            for (i, step) in self.steps.iter().enumerate() {
                let correction = &step.correction[block.clone()];
                products[i] += inner(newest, correction, scale);
                right[i] += inner(correction, f, scale);
            }
        }
        for (i, product) in products.into_iter().enumerate() {
            (self.gram[at][i], self.gram[i][at]) = (product, product);
        }
        self.oldest = (at + 1) % WINDOW;
        self.weights(right)
    }

    /// Least squares of `f - sum of weights times correction differences`, real parts; `right` are the inner products
    /// of these differences with `f`.
    fn weights(&self, mut right: [f64; WINDOW]) -> Option<[f64; WINDOW]> {
        let m = self.steps.len();
        let mut gram = self.gram;
        let mut scale = [0.0; WINDOW];
        for i in 0..m {
            scale[i] = gram[i][i].sqrt();
        }
        if scale[..m].iter().any(|s| !s.is_normal()) {
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

/// Entries processed together, so that they are in the cache when read again.
const BLOCK: usize = 256;

fn blocks(n: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..n).step_by(BLOCK).map(move |first| first..n.min(first + BLOCK))
}

/// Parallel sums, since each addition waits for the previous one.
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
