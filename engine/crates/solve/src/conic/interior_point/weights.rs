//! The matrix `W^-2` of the condensed system, row by row and cone by cone.

use super::cone::Scaling;
use crate::conic::model::program::{Boost, Program, Thermal};
use crate::conic::model::vectors::ConeVector;

/// Scalings of all rows. A row of weight 0 and a cone of infinite `eta` are left out of the system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    /// `z / s`.
    pub linear: Vec<f64>,
    pub jabr: Vec<Scaling<4>>,
    pub thermal: Vec<Scaling<3>>,
}

/// The elastic rating of a cone once it is eliminated: its pivot and what is left of the cone's first row, squared, with powers in
/// units of the limit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ElasticRating {
    pub pivot: f64,
    pub first: f64,
}

impl Weights {
    /// Nesterov-Todd scalings of a point.
    pub fn set(&mut self, s: &ConeVector, z: &ConeVector) {
        self.linear.clear();
        self.linear.extend(s.linear.iter().zip(&z.linear).map(|(s, z)| z / s));
        self.jabr.clear();
        self.jabr
            .extend(s.jabr.iter().zip(&z.jabr).map(|(s, z)| Scaling::new(s, z)));
        self.thermal.clear();
        self.thermal
            .extend(s.thermal.iter().zip(&z.thermal).map(|(s, z)| Scaling::new(s, z)));
    }

    /// The unit matrix.
    pub fn unit(program: &Program) -> Self {
        Self {
            linear: vec![1.0; program.bounds.len() + program.rows.len()],
            jabr: vec![Scaling::default(); program.pairs.len()],
            thermal: vec![Scaling::default(); program.thermal.len()],
        }
    }
}

/// Direction and length of the vector part of `v = J w`; any direction where it is zero.
#[inline(always)]
fn direction<const N: usize, const M: usize>(w: &[f64; N]) -> ([f64; M], f64) {
    let mut square = 0.0;
    for v in &w[1..] {
        square += v * v;
    }
    let length = square.sqrt();
    let mut u = [0.0; M];
    if length > 0.0 {
        let inverse = -1.0 / length;
        for k in 0..M {
            u[k] = w[k + 1] * inverse;
        }
    } else {
        u[0] = 1.0;
    }
    (u, length)
}

/// Rows over `(e, wi, w_f, w_t)` whose squares are a Jabr cone's part of the normal matrix: `W^-2 = (2 v v' - J) / eta^2` has the
/// eigenvectors `(1, u)`, `(1, -u)` and two beside them.
pub(crate) fn jabr_rows(w: &Scaling<4>, boost: Boost) -> [[f64; 4]; 4] {
    let (beta, by_beta) = (boost.beta, boost.inverse);
    let (u, length): ([f64; 3], f64) = direction(&w.w);
    let theta = w.w[0] + length;
    let inverse = w.inverse;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let beside = u[0] * u[0] + u[2] * u[2];
    let (plus, minus) = match u[1] > 0.0 {
        true => (1.0 + u[1], beside / (1.0 + u[1])),
        false => (beside / (1.0 - u[1]), 1.0 - u[1]),
    };
    // S'(1, sign u), with 1 + sign u2 and 1 - sign u2 given.
    let along = |factor: f64, u1: f64, u3: f64, plus: f64, minus: f64| {
        [
            factor * (beta * minus - plus * by_beta),
            factor * 2.0 * u3,
            factor * (plus * by_beta + u1),
            factor * (plus * by_beta - u1),
        ]
    };
    // Two directions beside u: the axis that is least along u, made orthogonal, and the cross product.
    let axis = (1..3).fold(0, |least, k| if u[k].abs() < u[least].abs() { k } else { least });
    let mut p = [0.0; 3];
    for k in 0..3 {
        p[k] = if k == axis {
            1.0 - u[axis] * u[axis]
        } else {
            -u[axis] * u[k]
        };
    }
    let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
    let by_norm = 1.0 / norm;
    for v in &mut p {
        *v *= by_norm;
    }
    let q = [
        u[1] * p[2] - u[2] * p[1],
        u[2] * p[0] - u[0] * p[2],
        u[0] * p[1] - u[1] * p[0],
    ];
    let flat = |p: [f64; 3]| {
        [
            -inverse * p[1] * (beta + by_beta),
            inverse * 2.0 * p[2],
            inverse * (p[0] + p[1] * by_beta),
            inverse * (p[1] * by_beta - p[0]),
        ]
    };
    [
        along(theta * inverse * half, u[0], u[2], plus, minus),
        along(inverse * half / theta, -u[0], -u[2], minus, plus),
        flat(p),
        flat(q),
    ]
}

/// Rows over `(e, wi, w_f, w_t)` whose squares are a thermal cone's part of the normal matrix.
pub(crate) fn thermal_rows(w: &Scaling<3>, t: &Thermal, elastic: Option<&ElasticRating>) -> [[f64; 4]; 2] {
    let (u, _): ([f64; 2], f64) = direction(&w.w);
    let inverse = w.inverse * t.inverse;
    let first = match elastic {
        Some(elastic) => elastic.first.sqrt() * t.inverse,
        None => inverse * (2.0 * w.w[0] * w.w[0] - 1.0).sqrt(),
    };
    let row = |factor: f64, a: f64, b: f64| {
        let at = |c: usize| factor * (a * t.p[c] + b * t.q[c]);
        [at(2), at(3), at(0), at(1)]
    };
    [row(first, u[0], u[1]), row(inverse, -u[1], u[0])]
}

/// Coupling of an elastic rating over `(w_f, w_t, e, wi)`.
pub(crate) fn elastic_coupling(w: &Scaling<3>, t: &Thermal) -> [f64; 4] {
    let factor = -2.0 * w.w[0] / (w.eta * w.eta * t.scale * t.scale);
    let mut out = [0.0; 4];
    for (c, out) in out.iter_mut().enumerate() {
        *out = factor * (w.w[1] * t.p[c] + w.w[2] * t.q[c]);
    }
    out
}

/// Eliminates an elastic rating whose own pivot is `own`.
pub(crate) fn elastic_rating(w: &Scaling<3>, t: &Thermal, own: f64) -> ElasticRating {
    let square = w.eta * w.eta;
    let d = 2.0 * w.w[0] * w.w[0] - 1.0;
    let a = square * own * t.scale * t.scale;
    ElasticRating {
        pivot: d / (square * t.scale * t.scale) + own,
        first: (1.0 + a * d) / (square * (d + a)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conic::model::program::{jabr_cone, jabr_transposed};

    /// The rows' squares are `S' W^-2 S`.
    #[test]
    fn squares_of_rows_are_the_normal_matrix() {
        for (s, z) in [
            ([2.0, 0.5, -1.0, 1.5], [0.7, -0.3, 0.2, 0.1]),
            ([1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
            ([1.0, 0.0, 0.99, 0.0], [1.0, 0.0, -0.9, 0.0]),
        ] {
            let w = Scaling::new(&s, &z);
            let boost = Boost::new(3.0);
            let rows = jabr_rows(&w, boost);
            for j in 0..4 {
                let mut unit = [0.0; 4];
                unit[j] = 1.0;
                let want = jabr_transposed(&w.square_divide(&jabr_cone(&unit, boost)), boost);
                // Rows are over (e, wi, w_f, w_t).
                let order = [2, 3, 0, 1];
                for (i, want) in want.iter().enumerate() {
                    let sum: f64 = rows.iter().map(|row| row[order[i]] * row[order[j]]).sum();
                    assert!((sum - want).abs() < 1e-12 * (1.0 + want.abs()), "{sum} against {want}");
                }
            }
        }
    }
}
