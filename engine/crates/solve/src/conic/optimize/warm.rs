//! A start from the optimum for other data: one step of its KKT system, after which slacks and multipliers move back
//! inside.

use crate::conic::interior_point::cone::{margin, tail};
use crate::conic::interior_point::kkt::{Kkt, Regularisation};
use crate::conic::interior_point::start::Point;
use crate::conic::model::data::ConicData;
use crate::conic::model::formulation::ConicModel;
use crate::conic::model::program::Program;
use crate::conic::model::vectors::ConeVector;
use crate::conic::result::solution::ConicSolution;

/// Largest violations at a start that floors and centring can repair.
const FLOORED: f64 = 3e-3;
const CENTRED: f64 = 3.0;
/// Smallest floor.
const FLOOR: f64 = 1e-6;
/// Bounds of the barrier parameter of a centred start.
const LEAST_BARRIER: f64 = 1e-5;
const MOST_BARRIER: f64 = 1e-3;

/// The largest violation of the cones.
fn violation(v: &ConeVector) -> f64 {
    let mut worst = 0.0f64;
    let cones = v.jabr.iter().map(margin).chain(v.thermal.iter().map(margin));
    for margin in v.linear.iter().copied().chain(cones) {
        worst = worst.max(-margin);
    }
    worst
}

/// Moves every row and cone to a distance of at least `floor` inside.
fn lift(v: &mut ConeVector, floor: f64) {
    v.linear.iter_mut().for_each(|x| *x = x.max(floor));
    v.jabr.iter_mut().for_each(|x| x[0] = x[0].max(tail(x) + floor));
    v.thermal.iter_mut().for_each(|x| x[0] = x[0].max(tail(x) + floor));
}

/// Moves a cone so far from its boundary that it has its share of the barrier parameter, given the size of the other
/// side. The distance is at most the square root of that share, which suffices when the other side vanishes.
fn centre<const N: usize>(x: &mut [f64; N], other: &[f64; N], mu: f64) {
    let size = other[0] + tail(other);
    let floor = mu / size.max(mu.sqrt());
    x[0] = x[0].max(tail(x) + floor);
}

fn centre_all(s: &mut ConeVector, z: &mut ConeVector, mu: f64) {
    lift(s, 0.0);
    lift(z, 0.0);
    let floor = |other: f64| mu / other.max(mu.sqrt());
    for (s, z) in s.linear.iter_mut().zip(&mut z.linear) {
        let (low_s, low_z) = (floor(*z), floor(*s));
        (*s, *z) = (s.max(low_s), z.max(low_z));
    }
    for (s, z) in s.jabr.iter_mut().zip(&mut z.jabr) {
        let before = *s;
        centre(s, z, mu);
        centre(z, &before, mu);
    }
    for (s, z) in s.thermal.iter_mut().zip(&mut z.thermal) {
        let before = *s;
        centre(s, z, mu);
        centre(z, &before, mu);
    }
}

/// The program for these data with the row scales of an optimum, and a start for it; `None` if the optimum is too far
/// away.
pub(crate) fn start(model: &ConicModel, base: &ConicSolution, data: &ConicData) -> Option<(Program, Point, Kkt)> {
    if !model.reaches(&base.program, data) {
        return None;
    }
    let mut program = base.program.clone();
    model.set_demand(data, &mut program);
    for t in &mut program.thermal {
        t.limit = data.rating[t.branch];
    }
    let mut kkt = Kkt::default();
    kkt.regularisation = Regularisation {
        primal: 1e-10,
        dual: 1e-10,
        flow: 1e-9,
    };
    kkt.weights.set(&base.point.s, &base.point.v.z);
    if !kkt.factor(&program, &model.pattern) && !kkt.factor_precisely(&program, &model.pattern) {
        return None;
    }
    let mut rhs = program.zeros();
    for (rhs, (new, old)) in rhs.y.iter_mut().zip(program.demand.iter().zip(&base.program.demand)) {
        *rhs = [new[0] - old[0], new[1] - old[1]];
    }
    for (rhs, (new, old)) in rhs
        .z
        .thermal
        .iter_mut()
        .zip(program.thermal.iter().zip(&base.program.thermal))
    {
        rhs[0] = (new.limit - old.limit) / new.scale;
    }
    let mut step = program.zeros();
    let [error, _] = kkt.solve(&program, &model.pattern, &rhs, &mut step);
    if !error.is_finite() {
        return None;
    }
    let mut point = base.point.clone();
    point.v.add(1.0, &step);
    // s = h - G x
    let mut s = ConeVector::zeros(&point.s);
    program.add_g(&point.v.x, &point.v.u, &mut s);
    program.subtract_h(&mut s);
    point.s = ConeVector::zeros(&s);
    point.s.add(-1.0, &s);
    let (of_s, of_z) = (violation(&point.s), violation(&point.v.z));
    let worst = of_s.max(of_z);
    if worst < FLOORED {
        let floor = FLOOR.max(0.1 * worst);
        lift(&mut point.s, floor);
        lift(&mut point.v.z, floor);
    } else if worst <= CENTRED {
        let mu = (of_s * of_z).clamp(LEAST_BARRIER, MOST_BARRIER);
        centre_all(&mut point.s, &mut point.v.z, mu);
    } else {
        return None;
    }
    Some((program, point, kkt))
}
