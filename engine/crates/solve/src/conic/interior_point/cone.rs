//! Lorentz cones: Nesterov-Todd scaling, Jordan products, longest steps (Nesterov and Todd, SIAM J. Optim. 8 (1998);
//! Vandenberghe, *The CVXOPT linear and quadratic cone program solvers*, 2010).

/// Length of the vector part.
#[inline(always)]
pub(crate) fn tail<const N: usize>(x: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for v in &x[1..] {
        sum += v * v;
    }
    sum.sqrt()
}

#[inline(always)]
fn tail_dot<const N: usize>(x: &[f64; N], y: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for k in 1..N {
        sum += x[k] * y[k];
    }
    sum
}

/// The larger number; NaN is ignored.
#[inline(always)]
pub(crate) fn larger(most: f64, x: f64) -> f64 {
    if x > most {
        x
    } else {
        most
    }
}

/// `x0 - |x1|`, which is negative outside the cone.
#[inline(always)]
pub(crate) fn margin<const N: usize>(x: &[f64; N]) -> f64 {
    x[0] - tail(x)
}

/// `x0^2 - |x1|^2` without cancellation of squares.
#[inline(always)]
pub(crate) fn determinant<const N: usize>(x: &[f64; N]) -> f64 {
    let length = tail(x);
    (x[0] - length) * (x[0] + length)
}

/// The scaling `W` with `W z = W^-1 s = lambda`: `W^2 = eta^2 (2 w w' - J)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaling<const N: usize> {
    pub w: [f64; N],
    pub eta: f64,
    pub lambda: [f64; N],
    // Reciprocals used by every product with `W`: of `eta`, `eta^2`, `1 + w0` and `sqrt(det lambda)`, followed by 1 and
    // the first component of `lambda` divided by the latter.
    pub inverse: f64,
    inverse_square: f64,
    by_head: f64,
    by_size: f64,
    by_ahead: f64,
}

impl<const N: usize> Default for Scaling<N> {
    fn default() -> Self {
        let mut unit = [0.0; N];
        unit[0] = 1.0;
        Self {
            w: unit,
            eta: 1.0,
            lambda: unit,
            inverse: 1.0,
            inverse_square: 1.0,
            by_head: 0.5,
            by_size: 1.0,
            by_ahead: 0.5,
        }
    }
}

impl<const N: usize> Scaling<N> {
    /// The scaling of given `w` and `eta`, for products with `W^2` and its inverse only.
    pub fn given(w: [f64; N], eta: f64) -> Self {
        Self {
            w,
            eta,
            inverse: 1.0 / eta,
            inverse_square: 1.0 / (eta * eta),
            by_head: 1.0 / (1.0 + w[0]),
            ..Self::default()
        }
    }

    /// The scaling of an omitted cone: `W^-2 = 0`.
    pub fn out() -> Self {
        Self {
            eta: f64::INFINITY,
            inverse: 0.0,
            inverse_square: 0.0,
            ..Self::default()
        }
    }

    /// The scaling of two points inside the cone; not finite otherwise.
    #[inline(always)]
    pub fn new(s: &[f64; N], z: &[f64; N]) -> Self {
        let (det_s, det_z) = (determinant(s), determinant(z));
        let (root_s, root_z) = (det_s.sqrt(), det_z.sqrt());
        let (by_s, by_z) = (1.0 / root_s, 1.0 / root_z);
        let (mut sb, mut zb) = (*s, *z);
        for k in 0..N {
            sb[k] *= by_s;
            zb[k] *= by_z;
        }
        let product = sb[0] * zb[0] + tail_dot(&sb, &zb);
        let gamma = (0.5 * (1.0 + if product < 1.0 { 1.0 } else { product })).sqrt();
        let mut w = [0.0; N];
        let mut square = 1.0;
        let half = 0.5 / gamma;
        for k in 1..N {
            w[k] = (sb[k] - zb[k]) * half;
            square += w[k] * w[k];
        }
        w[0] = square.sqrt();
        let size = (root_s * root_z).sqrt();
        let mut lambda = [size * gamma; N];
        let (a, b) = (gamma + zb[0], gamma + sb[0]);
        let share = size / (sb[0] + zb[0] + 2.0 * gamma);
        for k in 1..N {
            lambda[k] = share * (a * sb[k] + b * zb[k]);
        }
        let square = root_s * by_z;
        let eta = square.sqrt();
        Self {
            w,
            eta,
            lambda,
            inverse: 1.0 / eta,
            inverse_square: 1.0 / square,
            by_head: 1.0 / (1.0 + w[0]),
            by_size: 1.0 / size,
            by_ahead: 1.0 / (1.0 + gamma),
        }
    }

    /// `W x`.
    #[inline(always)]
    pub fn times(&self, x: &[f64; N]) -> [f64; N] {
        let along = tail_dot(&self.w, x);
        let head = x[0] + along * self.by_head;
        let mut out = [self.eta * (self.w[0] * x[0] + along); N];
        for k in 1..N {
            out[k] = self.eta * (x[k] + self.w[k] * head);
        }
        out
    }

    /// `W^-1 x`.
    #[inline(always)]
    pub fn divide(&self, x: &[f64; N]) -> [f64; N] {
        let along = tail_dot(&self.w, x);
        let head = along * self.by_head - x[0];
        let inverse = self.inverse;
        let mut out = [inverse * (self.w[0] * x[0] - along); N];
        for k in 1..N {
            out[k] = inverse * (x[k] + self.w[k] * head);
        }
        out
    }

    /// `W^2 x`.
    #[inline(always)]
    pub fn square_times(&self, x: &[f64; N]) -> [f64; N] {
        let square = self.eta * self.eta;
        let twice = 2.0 * (self.w[0] * x[0] + tail_dot(&self.w, x));
        let mut out = [square * (twice * self.w[0] - x[0]); N];
        for k in 1..N {
            out[k] = square * (twice * self.w[k] + x[k]);
        }
        out
    }

    /// `W^-2 x`.
    #[inline(always)]
    pub fn square_divide(&self, x: &[f64; N]) -> [f64; N] {
        let inverse = self.inverse_square;
        let twice = 2.0 * (self.w[0] * x[0] - tail_dot(&self.w, x));
        let mut out = [inverse * (twice * self.w[0] - x[0]); N];
        for k in 1..N {
            out[k] = inverse * (x[k] - twice * self.w[k]);
        }
        out
    }

    /// The larger of `most` and the reciprocal of the longest step from `lambda` along `d` (both scaled); the
    /// reciprocal is not positive for an unlimited step. `most` must not be negative; NaN is ignored.
    #[inline(always)]
    pub fn fastest(&self, most: f64, d: &[f64; N]) -> f64 {
        let mut lb = self.lambda;
        for v in &mut lb {
            *v *= self.by_size;
        }
        let t = lb[0] * d[0] - tail_dot(&lb, d);
        let ratio = (t + d[0]) * self.by_ahead;
        let mut square = 0.0;
        for k in 1..N {
            let v = d[k] - ratio * lb[k];
            square += v * v;
        }
        // Few cones limit the step, so the square root is computed for these only.
        let enough = most + t * self.by_size;
        if enough >= 0.0 && square * (self.by_size * self.by_size) <= enough * enough {
            return most;
        }
        larger(most, (square.sqrt() - t) * self.by_size)
    }

    /// `lambda \ d`, the inverse of the Jordan product.
    #[inline(always)]
    pub fn jordan_divide(&self, d: &[f64; N]) -> [f64; N] {
        let head = (self.lambda[0] * d[0] - tail_dot(&self.lambda, d)) * (self.by_size * self.by_size);
        let mut out = [head; N];
        let inverse = 1.0 / self.lambda[0];
        for k in 1..N {
            out[k] = (d[k] - head * self.lambda[k]) * inverse;
        }
        out
    }
}

/// `x o y`.
#[inline(always)]
pub(crate) fn jordan<const N: usize>(x: &[f64; N], y: &[f64; N]) -> [f64; N] {
    let mut out = [x[0] * y[0] + tail_dot(x, y); N];
    for k in 1..N {
        out[k] = x[0] * y[k] + y[0] * x[k];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: [f64; 4] = [2.0, 0.5, -1.0, 1.5];
    const Z: [f64; 4] = [0.7, -0.3, 0.2, 0.1];

    fn close(a: &[f64; 4], b: &[f64; 4]) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-13, "{a} against {b}");
        }
    }

    #[test]
    fn scaling_maps_both_points_to_lambda() {
        let w = Scaling::new(&S, &Z);
        close(&w.times(&Z), &w.lambda);
        close(&w.divide(&S), &w.lambda);
        close(&w.square_times(&Z), &S);
        close(&w.square_divide(&S), &Z);
        close(&jordan(&w.lambda, &w.jordan_divide(&Z)), &Z);
        assert!((determinant(&w.lambda) * w.by_size * w.by_size - 1.0).abs() < 1e-13);
        close(&w.square_times(&w.square_divide(&Z)), &Z);
    }

    #[test]
    fn longest_step_ends_at_the_boundary() {
        let w = Scaling::new(&S, &Z);
        let d = [-0.3, 0.8, 0.1, -0.4];
        let step = 1.0 / w.fastest(0.0, &w.divide(&d));
        let mut end = S;
        for (e, d) in end.iter_mut().zip(d) {
            *e += step * d;
        }
        assert!(margin(&end).abs() < 1e-12 && end[0] > 0.0);
        assert_eq!(w.fastest(0.0, &w.divide(&S)), 0.0);
        // A larger reciprocal is returned unchanged.
        assert_eq!(w.fastest(2.0 / step, &w.divide(&d)), 2.0 / step);
    }
}
