//! The matrix `W^-2` of the condensed system, row by row and cone by cone.

use super::cone::Scaling;
use crate::conic::model::program::{Boost, Program, Thermal};
use crate::conic::model::vectors::ConeVector;

/// Scalings of all rows. A row of weight 0 and a cone of infinite `eta` are omitted from the system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    /// `z / s`.
    pub linear: Vec<f64>,
    pub jabr: Vec<Scaling<4>>,
    pub thermal: Vec<Scaling<3>>,
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

/// Direction and length of the vector part of `v = J w`; an arbitrary direction if it is zero.
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

/// Rows over `(e, wi, w_f, w_t)` whose squares sum to a Jabr cone's part of the normal matrix: `W^-2 = (2 v v' - J) /
/// eta^2` has the eigenvectors `(1, u)`, `(1, -u)` and two orthogonal to both.
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

/// Rows over `(e, wi, w_f, w_t)` whose squares sum to a thermal cone's part of the normal matrix.
pub(crate) fn thermal_rows(w: &Scaling<3>, t: &Thermal) -> [[f64; 4]; 2] {
    let (u, _): ([f64; 2], f64) = direction(&w.w);
    let inverse = w.inverse * t.inverse;
    let first = inverse * (2.0 * w.w[0] * w.w[0] - 1.0).sqrt();
    [flow_row(t, first, [u[0], u[1]]), flow_row(t, inverse, [-u[1], u[0]])]
}

/// A row over `(e, wi, w_f, w_t)` of the flows, active and reactive, of a cone.
#[inline(always)]
fn flow_row(t: &Thermal, factor: f64, [a, b]: [f64; 2]) -> [f64; 4] {
    let at = |c: usize| factor * (a * t.p[c] + b * t.q[c]);
    [at(2), at(3), at(0), at(1)]
}

/// The corresponding rows of both ends of a branch with an elastic rating, after elimination of the rating; `own` is
/// the weight of the rating itself.
///
/// The matrix of a cone is `W^-2`, with the eigenvectors `(1, u)`, `(1, -u)` and those orthogonal to both. A reflection
/// moves the column of the rating into one row; the remaining rows are free of it.
pub(crate) fn elastic_rows(ends: [(&Scaling<3>, &Thermal); 2], own: f64) -> [[f64; 4]; 6] {
    let mut rating = [0.0, 0.0, 0.0, 0.0, own.sqrt()];
    let mut rows = [[0.0; 4]; 5];
    let mut across = [[0.0; 4]; 2];
    for (end, (w, t)) in ends.into_iter().enumerate() {
        let (u, length): ([f64; 2], f64) = direction(&w.w);
        let inverse = w.inverse * t.inverse;
        let theta = w.w[0] + length;
        let half = inverse * std::f64::consts::FRAC_1_SQRT_2;
        for (k, (factor, sign)) in [(half * theta, 1.0), (half / theta, -1.0)].into_iter().enumerate() {
            rating[2 * end + k] = factor;
            rows[2 * end + k] = flow_row(t, sign * factor, [u[0], u[1]]);
        }
        // If the cone has no direction, the two remaining rows are alike.
        across[end] = flow_row(t, inverse, [-u[1], u[0]]);
    }
    let norm = rating.iter().map(|r| r * r).sum::<f64>().sqrt();
    let mut at = 0;
    for k in 1..rating.len() {
        if rating[k] > rating[at] {
            at = k;
        }
    }
    // v = rating + |rating| e_at, and v'v / 2 = |rating| v_at.
    rating[at] += norm;
    let mut along = [0.0; 4];
    for (r, row) in rating.iter().zip(&rows) {
        for (along, c) in along.iter_mut().zip(row) {
            *along += r * c;
        }
    }
    let scale = 1.0 / (norm * rating[at]);
    for (r, row) in rating.iter().zip(&mut rows) {
        for (c, along) in row.iter_mut().zip(along) {
            *c -= r * scale * along;
        }
    }
    rows[at] = rows[4];
    [rows[0], rows[1], rows[2], rows[3], across[0], across[1]]
}

/// Coupling over `(w_f, w_t, e, wi)` of an elastic rating, from one end.
pub(crate) fn elastic_coupling(w: &Scaling<3>, t: &Thermal) -> [f64; 4] {
    let factor = -2.0 * w.w[0] / (w.eta * w.eta * t.scale * t.scale);
    let mut out = [0.0; 4];
    for (c, out) in out.iter_mut().enumerate() {
        *out = factor * (w.w[1] * t.p[c] + w.w[2] * t.q[c]);
    }
    out
}

/// Contribution of a branch end to the pivot of its elastic rating.
pub(crate) fn elastic_weight(w: &Scaling<3>, t: &Thermal) -> f64 {
    (2.0 * w.w[0] * w.w[0] - 1.0) / (w.eta * w.eta * t.scale * t.scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of the rows sum to the normal matrix of both ends after elimination of the rating, a Schur
    /// complement.
    #[test]
    fn squares_of_elastic_rows_are_the_matrix_without_the_rating() {
        let end = |p: [f64; 4], q: [f64; 4], scale: f64| Thermal {
            branch: 0,
            end: 0,
            p,
            q,
            limit: scale,
            scale,
            inverse: 1.0 / scale,
            elastic: Some(0),
            is_rated: true,
        };
        let ts = [
            end([1.0, 0.2, -1.1, 0.4], [0.3, -0.5, 2.0, 1.0], 2.0),
            end([-0.7, 1.3, 0.9, -0.2], [0.1, 0.8, -1.5, 0.6], 2.0),
        ];
        let points = [
            (
                [[2.0, 0.5, -1.0], [1.0, 0.3, 0.2]],
                [[0.7, -0.3, 0.2], [0.4, 0.1, -0.2]],
            ),
            ([[1.0, 0.0, 0.0], [1.0, 0.0, 0.99]], [[1.0, 0.0, 0.0], [1.0, 0.0, -0.9]]),
        ];
        for (s, z) in points {
            let ws = [Scaling::new(&s[0], &z[0]), Scaling::new(&s[1], &z[1])];
            for own in [0.0, 0.3, 40.0] {
                let rows = elastic_rows([(&ws[0], &ts[0]), (&ws[1], &ts[1])], own);
                // Over the rating and the four variables, in the order of rows.
                let order = [2, 3, 0, 1];
                let mut normal = [[0.0; 5]; 5];
                normal[0][0] = own;
                for (w, t) in ws.iter().zip(&ts) {
                    let column = |j: usize| match j {
                        0 => [t.inverse, 0.0, 0.0],
                        _ => [0.0, t.p[order[j - 1]] * t.inverse, t.q[order[j - 1]] * t.inverse],
                    };
                    for j in 0..5 {
                        let of = w.square_divide(&column(j));
                        for (i, row) in normal.iter_mut().enumerate() {
                            row[j] += column(i).iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
                        }
                    }
                }
                let pivot = own + ws.iter().zip(&ts).map(|(w, t)| elastic_weight(w, t)).sum::<f64>();
                assert!((pivot - normal[0][0]).abs() < 1e-12 * pivot, "{pivot} {}", normal[0][0]);
                for i in 0..4 {
                    let coupling: f64 = (ws.iter().zip(&ts))
                        .map(|(w, t)| elastic_coupling(w, t)[order[i]])
                        .sum();
                    assert!((coupling - normal[0][i + 1]).abs() < 1e-12 * (1.0 + coupling.abs()));
                    for j in 0..4 {
                        let want = normal[i + 1][j + 1] - normal[0][i + 1] * normal[0][j + 1] / pivot;
                        let sum: f64 = rows.iter().map(|row| row[i] * row[j]).sum();
                        assert!(
                            (sum - want).abs() < 1e-11 * (1.0 + want.abs()),
                            "{own}: {sum} against {want}"
                        );
                    }
                }
            }
        }
    }

    use crate::conic::model::program::{jabr_cone, jabr_transposed};

    /// The squares of the rows sum to `S' W^-2 S`.
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
