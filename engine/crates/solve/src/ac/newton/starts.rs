//! Where Newton's method starts, and what is tried where it fails.

use super::equations::{Equations, SlackRule, Voltages};
use super::harmonic::harmonic;
use super::method::{Newton, NotConverged, TOLERANCE};
use crate::ac::model::topology::NodeKind;
use num_complex::Complex64;

/// The start from which a solution was found, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Voltages of the source: first where they are close to a solution or asked for, else after a flat start.
    Stored,
    /// Angles of a DC power flow; magnitudes that follow from the set-points over the impedances.
    Harmonic,
    /// Angles of a DC power flow; 1 pu where no set-point is held.
    DcAngles,
    /// The angle of the reference everywhere; 1 pu where no set-point is held.
    Flat,
    /// From the solution with every magnitude held, which are then let go.
    HeldMagnitudes,
    /// Along a path from the reactive powers that held magnitudes need to those specified.
    ReactiveContinuation,
    /// Along a path from an unloaded network.
    LoadContinuation,
    /// From a solution for other data.
    Base,
}

/// Voltages of the source are a solution, or nearly: below this mismatch, per unit, they are a better start than any other.
const NEARLY_SOLVED: f64 = 1.0;
/// Held magnitudes are let go at this mismatch.
const LOOSE: f64 = 1e-4;
/// A continuation ends when its step is smaller.
const SMALLEST_STEP: f64 = 1e-3;
/// Largest mismatch on the way of a continuation, per unit.
const ON_THE_WAY: f64 = 1e-6;
const MOST_SOLVES: usize = 60;

/// Largest part of all powers for which a solution was found, with the nodes whose voltage falls fastest there.
#[derive(Clone, Debug)]
pub(crate) struct Loading {
    pub part: f64,
    pub falling: Vec<usize>,
}

/// What is known where no start has led to a solution.
#[derive(Clone, Debug)]
pub(crate) struct Unsolved {
    pub loading: Option<Loading>,
    /// Smallest mismatches on the way, per unit by node.
    pub mismatch: Vec<[f64; 2]>,
}

/// Voltages of the source, magnitudes that are held at their set-points.
fn stored(equations: &Equations) -> Voltages {
    let stored = &equations.model.stored;
    let magnitude = stored
        .iter()
        .enumerate()
        .map(|(node, &(v, _))| match equations.holds_voltage(node) {
            true => equations.set_point[node],
            false => v,
        });
    let angle = stored.iter().map(|s| s.1).collect();
    Voltages::new(magnitude.collect(), angle, equations.model.references.len())
}

/// Mismatch of a start, with the slack that covers what is missing in all.
fn mismatch(newton: &mut Newton, equations: &Equations, voltages: &mut Voltages) -> f64 {
    if equations.rule == SlackRule::Distributed {
        voltages.slack.fill(0.0);
        newton.evaluate(equations, voltages);
        for (node, f) in newton.mismatch.iter().enumerate() {
            voltages.slack[equations.model.island_of_node[node]] += f[0];
        }
    }
    newton.evaluate(equations, voltages)
}

/// Solves from the starts in their order; `only_stored` tries the voltages of the source alone.
pub(crate) fn solve(
    newton: &mut Newton,
    equations: &Equations,
    only_stored: bool,
) -> Result<(Voltages, Start), Box<Unsolved>> {
    let mut source = stored(equations);
    let close = mismatch(newton, equations, &mut source) < NEARLY_SOLVED;
    if (close || only_stored) && newton.solve(equations, &mut source, TOLERANCE).is_ok() {
        return Ok((source, Start::Stored));
    }
    if only_stored {
        return Err(unsolved(newton, equations, None));
    }
    let start = harmonic(equations);
    newton.best = None;
    if let Some(found) = directly(newton, equations, &start) {
        return Ok(found);
    }
    // Far from a solution by its mismatch, and all the same where other programs start.
    let mut source = stored(equations);
    if !close && newton.solve_plainly(equations, &mut source).is_ok() {
        return Ok((source, Start::Stored));
    }
    // Mismatches on the way to other problems say nothing about this one.
    let best = newton.best.take();
    if let Some(found) = held_magnitudes(newton, equations, start) {
        return Ok(found);
    }
    load_continuation(newton, equations).map_err(|loading| {
        newton.best = best;
        unsolved(newton, equations, loading)
    })
}

/// A start leads to a solution, without a continuation in load.
pub(crate) fn converges(equations: &Equations) -> bool {
    without_stored(&mut Newton::default(), equations).is_some()
}

/// The solution that a start leads to, without the voltages of the source and without a continuation in load.
pub(crate) fn without_stored(newton: &mut Newton, equations: &Equations) -> Option<Voltages> {
    let start = harmonic(equations);
    let found = directly(newton, equations, &start).or_else(|| held_magnitudes(newton, equations, start));
    found.map(|(voltages, _)| voltages)
}

/// The starts from which Newton's method goes to the solution itself: the harmonic one, its angles with 1 pu at load buses, and a
/// flat one. Where reactances are negative, angles of a DC power flow and harmonic magnitudes can be far from any solution, and
/// 1 pu and the angle of the reference near.
fn directly(newton: &mut Newton, equations: &Equations, harmonic: &Voltages) -> Option<(Voltages, Start)> {
    let mut voltages = harmonic.clone();
    if newton.solve(equations, &mut voltages, TOLERANCE).is_ok() {
        return Some((voltages, Start::Harmonic));
    }
    let held = |node: usize| match equations.holds_voltage(node) {
        true => equations.set_point[node],
        false => 1.0,
    };
    let model = equations.model;
    let magnitude: Vec<f64> = (0..equations.kinds.len()).map(held).collect();
    let level = |island: &usize| model.stored[model.references[*island].0].1;
    let flat = model.island_of_node.iter().map(level).collect();
    for (angle, start) in [(harmonic.angle.clone(), Start::DcAngles), (flat, Start::Flat)] {
        let mut voltages = Voltages::new(magnitude.clone(), angle, model.references.len());
        if newton.solve_plainly(equations, &mut voltages).is_ok() {
            return Some((voltages, start));
        }
    }
    None
}

/// The starts with every magnitude held, which are then let go, at once or along a path.
fn held_magnitudes(newton: &mut Newton, equations: &Equations, start: Voltages) -> Option<(Voltages, Start)> {
    let mut held = equations.clone();
    held.remote.clear();
    for kind in held.kinds.iter_mut().filter(|kind| **kind == NodeKind::Pq) {
        *kind = NodeKind::Pv;
    }
    let mut voltages = start;
    newton.solve(&held, &mut voltages, LOOSE).ok()?;
    let needed = newton.injections.clone();
    let mut free = voltages.clone();
    if newton.solve(equations, &mut free, TOLERANCE).is_ok() {
        return Some((free, Start::HeldMagnitudes));
    }
    let mut along = equations.clone();
    let reached = continuation(newton, &mut along, &mut voltages, 0.25, |along, t| {
        for (node, s) in along.specified.iter_mut().enumerate() {
            s.im = needed[node].im + t * (equations.specified[node].im - needed[node].im);
        }
    });
    (reached >= 1.0).then_some((voltages, Start::ReactiveContinuation))
}

/// Follows solutions from `t = 0` to 1 and gives the last `t` with one, negative where there is none; `voltages` is its solution.
///
/// Where there is no solution at some `t`, the gap to it is halved, and at last it is tried again from close by: it may have
/// been too far away only.
fn continuation(
    newton: &mut Newton,
    along: &mut Equations,
    voltages: &mut Voltages,
    first_step: f64,
    set: impl Fn(&mut Equations, f64),
) -> f64 {
    set(along, 0.0);
    if newton.solve(along, voltages, TOLERANCE).is_err() {
        return -1.0;
    }
    let mut reached = 0.0f64;
    let (mut step, mut ceiling) = (first_step, f64::INFINITY);
    for _ in 0..MOST_SOLVES {
        let is_last = step < SMALLEST_STEP;
        let t = if is_last { ceiling } else { (reached + step).min(1.0) };
        set(along, t);
        let mut next = voltages.clone();
        let tolerance = if t >= 1.0 { TOLERANCE } else { ON_THE_WAY };
        if newton.correct(along, &mut next, tolerance).is_ok() {
            (*voltages, reached) = (next, t);
            if t >= 1.0 {
                break;
            }
            step *= 1.6;
            if is_last {
                (step, ceiling) = (SMALLEST_STEP, f64::INFINITY);
            }
        } else if is_last {
            break;
        } else {
            ceiling = t;
        }
        step = step.min(0.5 * (ceiling - reached));
    }
    reached
}

/// The last start: loads and generation grow together. Where it ends is what an error has to say.
fn load_continuation(newton: &mut Newton, equations: &Equations) -> Result<(Voltages, Start), Option<Loading>> {
    let mut along = equations.clone();
    let set = |along: &mut Equations, t: f64| {
        let scaled = |along: &mut [Complex64], whole: &[Complex64]| {
            along.iter_mut().zip(whole).for_each(|(s, whole)| *s = whole * t);
        };
        scaled(&mut along.specified, &equations.specified);
        scaled(&mut along.constant_current, &equations.constant_current);
    };
    set(&mut along, 0.0);
    let mut voltages = harmonic(&along);
    let reached = continuation(newton, &mut along, &mut voltages, 0.1, set);
    if reached >= 1.0 {
        return Ok((voltages, Start::LoadContinuation));
    }
    if reached < 0.0 {
        return Err(None);
    }
    set(&mut along, reached);
    let falling = newton
        .tangent(&along, &voltages, &equations.specified)
        .unwrap_or_default();
    Err(Some(Loading { part: reached, falling }))
}

fn unsolved(newton: &mut Newton, equations: &Equations, loading: Option<Loading>) -> Box<Unsolved> {
    let zero = || vec![[0.0; 2]; equations.kinds.len()];
    Box::new(Unsolved {
        loading,
        mismatch: newton.best.take().map_or_else(zero, |(_, mismatch)| mismatch),
    })
}

impl Newton {
    /// Nodes by how fast their magnitude falls where injections move along `direction`, the fastest first.
    fn tangent(
        &mut self,
        equations: &Equations,
        voltages: &Voltages,
        direction: &[Complex64],
    ) -> Result<Vec<usize>, NotConverged> {
        self.evaluate(equations, voltages);
        let jacobian = self.jacobian_at(equations, voltages)?;
        let mut x: Vec<[f64; 2]> = direction.iter().map(|s| [s.re, s.im]).collect();
        jacobian.put_conditions(&mut x);
        jacobian.solve(equations.model, &mut x);
        let mut nodes: Vec<usize> = (0..x.len()).filter(|&node| x[node][1] != 0.0).collect();
        nodes.sort_by(|&a, &b| x[b][1].abs().total_cmp(&x[a][1].abs()).then(a.cmp(&b)));
        Ok(nodes)
    }
}
