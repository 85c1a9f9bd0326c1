//! The starting point of the interior point method.

use super::cone::margin;
use super::kkt::{Kkt, Regularisation};
use super::weights::Weights;
use crate::conic::model::program::Program;
use crate::conic::model::vectors::{ConeVector, Vector};
use wattbook_sparse::BlockLdl;

/// An iterate: `x`, `y`, `z` and the slacks.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub v: Vector,
    pub s: ConeVector,
}

impl Clone for Point {
    fn clone(&self) -> Self {
        Self {
            v: self.v.clone(),
            s: self.s.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.v.clone_from(&from.v);
        self.s.clone_from(&from.s);
    }
}

/// Regularisation of the least-squares problem of the start.
const START: f64 = 1e-8;
/// `e` of a flat voltage profile.
const FLAT: f64 = 1e-3;

/// Voltages at 1 pu (or the nearest limit), products slightly inside their cones, outputs at half their range.
fn flat(program: &Program) -> Vector {
    let mut v = program.zeros();
    for (node, [lo, hi]) in program.w_box.iter().enumerate() {
        v.x[node] = program.held[node].unwrap_or(1f64.max(*lo).min(*hi));
    }
    for (k, column) in program.columns.iter().enumerate() {
        v.x[program.n + k] = if column.hi.is_finite() {
            0.5 * (column.lo + column.hi)
        } else {
            column.lo
        };
    }
    for (k, pair) in program.pairs.iter().enumerate() {
        let [f, t] = pair.nodes.map(|node| v.x[node]);
        v.u[k] = [FLAT + 0.5 * (f + t) - (f * t).sqrt(), 0.0];
    }
    v
}

/// Adds `1 + violation` times the cones' units if the vector is not inside them.
fn shift(v: &mut ConeVector) {
    let mut least = f64::INFINITY;
    for margin in v
        .linear
        .iter()
        .copied()
        .chain(v.jabr.iter().map(margin))
        .chain(v.thermal.iter().map(margin))
    {
        least = least.min(margin);
    }
    if least > 0.0 {
        return;
    }
    let by = 1.0 - least;
    v.linear.iter_mut().for_each(|x| *x += by);
    v.jabr.iter_mut().for_each(|x| x[0] += by);
    v.thermal.iter_mut().for_each(|x| x[0] += by);
}

/// The least-squares start of Vandenberghe (CVXOPT), proximal to a flat profile: `W = 1` and `s = -z`, both shifted
/// into the cones.
pub(crate) fn least_squares(program: &Program, pattern: &BlockLdl, kkt: &mut Kkt) -> Point {
    kkt.weights = Weights::unit(program);
    kkt.regularisation = Regularisation {
        primal: START,
        dual: START,
        flow: 0.0,
    };
    kkt.factor(program, pattern);
    let flat = flat(program);
    let mut rhs = program.zeros();
    program.add_cost_gradient(&flat.x, &mut rhs.x);
    for x in &mut rhs.x {
        *x = -*x;
    }
    program.add_a(&flat.x, &flat.u, &mut rhs.y);
    for (y, b) in rhs.y.iter_mut().zip(&program.demand) {
        *y = [b[0] - y[0], b[1] - y[1]];
    }
    program.add_g(&flat.x, &flat.u, &mut rhs.z);
    program.subtract_h(&mut rhs.z);
    rhs.z.scale(-1.0);
    let mut v = program.zeros();
    kkt.solve(program, pattern, &rhs, &mut v);
    for (x, flat) in v.x.iter_mut().zip(&flat.x) {
        *x += flat;
    }
    for (u, flat) in v.u.iter_mut().zip(&flat.u) {
        *u = [u[0] + flat[0], u[1] + flat[1]];
    }
    let mut s = ConeVector::zeros(&v.z);
    s.add(-1.0, &v.z);
    shift(&mut s);
    shift(&mut v.z);
    Point { v, s }
}
