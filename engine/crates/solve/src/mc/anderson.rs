//! Anderson's acceleration of a fixed point (Walker and Ni, SIAM J. Numer. Anal. 49 (2011)), undamped.

use super::C;

/// Steps that are combined.
const WINDOW: usize = 5;
/// Added to the unit diagonal of the scaled normal equations.
const RIDGE: f64 = 1e-12;

/// The last steps: differences of points and of corrections.
#[derive(Default)]
pub(crate) struct Anderson {
    last: Option<(Vec<C>, Vec<C>)>,
    /// Oldest first.
    points: Vec<Vec<C>>,
    corrections: Vec<Vec<C>>,
}

impl Anderson {
    /// The next point after `x`, whose plain successor is `x + f`. `base` scales the unknowns.
    pub fn next(&mut self, x: &[C], f: &[C], base: &[f64]) -> Vec<C> {
        if let Some((last_x, last_f)) = self.last.take() {
            if self.points.len() == WINDOW {
                self.points.remove(0);
                self.corrections.remove(0);
            }
            let difference = |a: &[C], b: &[C]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<C>>();
            self.points.push(difference(x, &last_x));
            self.corrections.push(difference(f, &last_f));
        }
        self.last = Some((x.to_vec(), f.to_vec()));
        let mut next: Vec<C> = x.iter().zip(f).map(|(x, f)| x + f).collect();
        let Some(weights) = self.weights(f, base) else {
            return next;
        };
        for ((dx, df), weight) in self.points.iter().zip(&self.corrections).zip(weights) {
            for (next, (dx, df)) in next.iter_mut().zip(dx.iter().zip(df)) {
                *next -= weight * (dx + df);
            }
        }
        next
    }

    /// Least squares of `f - sum of weights times differences of corrections`, real parts.
    fn weights(&self, f: &[C], base: &[f64]) -> Option<Vec<f64>> {
        let m = self.corrections.len();
        let inner = |a: &[C], b: &[C]| {
            let mut sum = 0.0;
            for ((a, b), base) in a.iter().zip(b).zip(base) {
                sum += (a.re * b.re + a.im * b.im) / (base * base);
            }
            sum
        };
        let mut gram = vec![vec![0.0; m]; m];
        let mut right = vec![0.0; m];
        for i in 0..m {
            gram[i] = (0..m)
                .map(|j| {
                    if j <= i {
                        inner(&self.corrections[i], &self.corrections[j])
                    } else {
                        0.0
                    }
                })
                .collect();
            right[i] = inner(&self.corrections[i], f);
        }
        let scale: Vec<f64> = (0..m).map(|i| gram[i][i].sqrt()).collect();
        if m == 0 || scale.iter().any(|s| !s.is_normal()) {
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
        let weights: Vec<f64> = right.iter().zip(&scale).map(|(r, s)| r / s).collect();
        weights.iter().all(|w| w.is_finite()).then_some(weights)
    }
}
