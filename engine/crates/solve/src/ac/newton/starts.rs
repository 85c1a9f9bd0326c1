//! The starts of Newton's method, and their order.

use super::equations::{Equations, SlackRule, Voltages};
use super::harmonic::harmonic;
use super::method::{Newton, NotConverged, TOLERANCE};
use crate::ac::model::topology::NodeKind;
use num_complex::Complex64;

/// The start that led to a solution, in the order of attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Voltages of the source: first if they are close to a solution or requested, otherwise after a flat start.
    Stored,
    /// Angles of a DC power flow, with magnitudes interpolated from the set-points along the impedances.
    Harmonic,
    /// Angles of a DC power flow; 1 pu without a set-point.
    DcAngles,
    /// The angle of the reference everywhere; 1 pu without a set-point.
    Flat,
    /// The solution with every magnitude fixed, which are then released.
    HeldMagnitudes,
    /// A path from the reactive powers of fixed magnitudes to the specified ones.
    ReactiveContinuation,
    /// A path from an unloaded network.
    LoadContinuation,
    /// A solution for other data.
    Base,
}

/// Below this mismatch (pu) the voltages of the source are nearly a solution and a better start than any other.
const NEARLY_SOLVED: f64 = 1.0;
/// Mismatch at which fixed magnitudes are released.
const LOOSE: f64 = 1e-4;
/// A continuation stops when its step is smaller than this.
const SMALLEST_STEP: f64 = 1e-3;
/// Largest mismatch of an intermediate point of a continuation, per unit.
const ON_THE_WAY: f64 = 1e-6;
const MOST_SOLVES: usize = 60;

/// Largest fraction of all powers that has a solution, with the nodes whose voltage falls fastest there.
#[derive(Clone, Debug)]
pub(crate) struct Loading {
    pub part: f64,
    pub falling: Vec<usize>,
}

/// Information about a failure from all starts.
#[derive(Clone, Debug)]
pub(crate) struct Unsolved {
    pub loading: Option<Loading>,
    /// Smallest mismatches found, per unit by node.
    pub mismatch: Vec<[f64; 2]>,
}

/// Voltages of the source, with controlled magnitudes at their set-points.
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

/// Mismatch of a start, with the slack that covers the total imbalance.
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

/// Tries the starts in their order; with `only_stored`, the voltages of the source alone.
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
    // The mismatch is large, but other programs start here too.
    let mut source = stored(equations);
    if !close && newton.solve_plainly(equations, &mut source).is_ok() {
        return Ok((source, Start::Stored));
    }
    // Mismatches of auxiliary problems say nothing about this one.
    let best = newton.best.take();
    if let Some(found) = held_magnitudes(newton, equations, start) {
        return Ok(found);
    }
    load_continuation(newton, equations).map_err(|loading| {
        newton.best = best;
        unsolved(newton, equations, loading)
    })
}

/// Whether a start leads to a solution without a continuation in load.
pub(crate) fn converges(equations: &Equations) -> bool {
    without_stored(&mut Newton::default(), equations).is_some()
}

/// The solution from the starts other than the source's voltages and the continuation in load.
pub(crate) fn without_stored(newton: &mut Newton, equations: &Equations) -> Option<Voltages> {
    let start = harmonic(equations);
    let found = directly(newton, equations, &start).or_else(|| held_magnitudes(newton, equations, start));
    found.map(|(voltages, _)| voltages)
}

/// The starts from which Newton's method solves the problem directly: the harmonic start, its angles with 1 pu at load
/// buses, and a flat start. With negative reactances, DC angles and harmonic magnitudes can be far from any solution
/// while a flat start is near.
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

/// The starts with every magnitude fixed; the magnitudes are released at once or along a path.
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

/// Follows solutions from `t = 0` to 1 and returns the last `t` that has one, negative if there is none; `voltages` is
/// its solution.
///
/// If there is no solution at some `t`, the gap to it is halved. At the end that `t` is tried again from nearby, since
/// it may only have been too far away.
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

/// The last start: loads and generation grow together. The error reports where it ends.
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
    /// Nodes in descending order of the fall of their magnitude as injections move along `direction`.
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
