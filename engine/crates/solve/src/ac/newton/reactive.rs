//! Reactive limits of generators: a bus loses voltage control while its units are at a limit.
//!
//! The method is MATPOWER's `ENFORCE_Q_LIMS` with a return: a bus at its upper limit with a voltage above the set-point
//! regains control, so that the reported solution is complementary.

use super::equations::{Equations, Voltages};
use super::method::{Newton, TOLERANCE};
use super::starts;
use crate::ac::model::topology::NodeKind;
use num_complex::Complex64;

/// The limit at which a bus is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    /// Its units supply their maximum.
    AtMax,
    /// Its units supply their minimum, or absorb their maximum.
    AtMin,
}

impl Limited {
    /// Whether a voltage this far above its set-point would call for the other direction.
    fn is_wrong(self, past: f64) -> bool {
        match self {
            Limited::AtMax => past > V_TOLERANCE,
            Limited::AtMin => past < -V_TOLERANCE,
        }
    }
}

/// How the solution treats reactive limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactiveLimits {
    /// The limits were not enforced.
    Ignored,
    /// Every bus with voltage control is within its limits, and every other bus is at the limit that keeps it from its
    /// set-point. `rounds` is the number of rounds of changes.
    Kept { rounds: usize },
    /// No solution within the limits was found; the solution ignores them.
    NotKept,
}

/// Tolerance of a reactive limit, per unit.
pub(crate) const Q_TOLERANCE: f64 = 1e-6;
/// Tolerance of a voltage set-point, per unit.
const V_TOLERANCE: f64 = 1e-8;
/// How often a bus may regain voltage control.
const MOST_RETURNS: u8 = 3;
const MOST_ROUNDS: usize = 100;

/// Which of the violated buses change in a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    All,
    /// Buses with at least half of the worst violation.
    Worst,
}

/// The active limit of each node.
pub(crate) type Sides = Vec<Option<Limited>>;

/// Signed distance of the reactive power of a node's units from their limits, positive above the maximum.
pub(crate) fn excess(limits: [f64; 2], q: f64) -> f64 {
    // Contradictory limits are ignored.
    if limits[0] > limits[1] {
        0.0
    } else if q > limits[1] {
        q - limits[1]
    } else if q < limits[0] {
        q - limits[0]
    } else {
        0.0
    }
}

/// Whether both limits are one value. Any voltage is then complementary, and the node need not regain control.
pub(crate) fn are_equal(limits: [f64; 2]) -> bool {
    (limits[1] - limits[0]).abs() <= Q_TOLERANCE
}

impl Equations<'_> {
    /// Fixes a voltage-controlling node at a limit.
    pub fn limit(&mut self, node: usize, side: Limited) {
        let [lower, upper] = self.model.q_limits[node];
        self.kinds[node] = NodeKind::Pq;
        self.specified[node].im += if side == Limited::AtMax { upper } else { lower };
    }

    fn release(&mut self, node: usize, side: Limited) {
        let [lower, upper] = self.model.q_limits[node];
        self.kinds[node] = NodeKind::Pv;
        self.specified[node].im -= if side == Limited::AtMax { upper } else { lower };
    }
}

/// Brings a solution within the limits, starting from the limits in `sides`, and returns the number of rounds. On
/// failure the state is restored and the result is `None`.
pub(crate) fn enforce(
    newton: &mut Newton,
    equations: &mut Equations,
    voltages: &mut Voltages,
    sides: &mut Sides,
) -> Option<usize> {
    for rule in [Rule::All, Rule::Worst] {
        let (mut e, mut v, mut s) = (equations.clone(), voltages.clone(), sides.clone());
        newton.evaluate(&e, &v);
        if let Some(rounds) = run(newton, &mut e, &mut v, &mut s, rule) {
            (*equations, *voltages, *sides) = (e, v, s);
            return Some(rounds);
        }
    }
    newton.evaluate(equations, voltages);
    None
}

/// Whether a solution is within the reactive limits, and complementary, so that [`enforce`] would not change it.
pub(crate) fn are_kept(equations: &Equations, injections: &[Complex64], voltages: &Voltages, sides: &Sides) -> bool {
    let limits = &equations.model.q_limits;
    sides.iter().enumerate().all(|(node, side)| match *side {
        None if equations.kinds[node] == NodeKind::Pv => {
            let q = equations.required(node, injections, voltages).im;
            excess(limits[node], q).abs() <= Q_TOLERANCE
        }
        Some(side) if !are_equal(limits[node]) => {
            let (regulated, target) = equations.regulated(node);
            !side.is_wrong(voltages.magnitude[regulated] - target)
        }
        _ => true,
    })
}

/// [`enforce`] from a solution in which every node with equal limits is fixed at them and `sides` is empty: the
/// fallback if the solution without limits is too far off.
pub(crate) fn enforce_equal(
    newton: &mut Newton,
    equations: &mut Equations,
    voltages: &mut Voltages,
    sides: &mut Sides,
) -> Option<usize> {
    let (mut e, mut s) = (equations.clone(), sides.clone());
    let equal = (0..s.len()).filter(|&node| e.kinds[node] == NodeKind::Pv && are_equal(e.model.q_limits[node]));
    for node in equal.collect::<Vec<_>>() {
        let q = e.required(node, &newton.injections, voltages).im;
        let side = if q > e.model.q_limits[node][1] {
            Limited::AtMax
        } else {
            Limited::AtMin
        };
        s[node] = Some(side);
        e.limit(node, side);
    }
    let solved = (s != *sides).then(|| starts::without_stored(newton, &e)).flatten();
    let found = solved.and_then(|mut v| {
        let rounds = enforce(newton, &mut e, &mut v, &mut s)?;
        (*equations, *voltages, *sides) = (e, v, s);
        Some(rounds + 1)
    });
    if found.is_none() {
        newton.evaluate(equations, voltages);
    }
    found
}

fn run(
    newton: &mut Newton,
    equations: &mut Equations,
    voltages: &mut Voltages,
    sides: &mut Sides,
    rule: Rule,
) -> Option<usize> {
    let model = equations.model;
    let mut returns = vec![0u8; sides.len()];
    for round in 0..MOST_ROUNDS {
        let mut beyond: Vec<(usize, f64)> = Vec::new();
        let mut back: Vec<(usize, Limited)> = Vec::new();
        let mut stuck = false;
        for node in 0..sides.len() {
            match sides[node] {
                None if equations.kinds[node] == NodeKind::Pv => {
                    let q = equations.required(node, &newton.injections, voltages).im;
                    let by = excess(model.q_limits[node], q);
                    if by.abs() > Q_TOLERANCE {
                        beyond.push((node, by));
                    }
                }
                Some(_) if are_equal(model.q_limits[node]) => {}
                Some(side) => {
                    let (regulated, target) = equations.regulated(node);
                    let wrong = side.is_wrong(voltages.magnitude[regulated] - target);
                    if wrong && returns[node] < MOST_RETURNS {
                        back.push((node, side));
                    }
                    stuck |= wrong && returns[node] >= MOST_RETURNS;
                }
                None => {}
            }
        }
        if beyond.is_empty() && back.is_empty() {
            return (!stuck).then_some(round);
        }
        let worst = beyond.iter().fold(0.0f64, |m, (_, by)| m.max(by.abs()));
        let threshold = if rule == Rule::All { 0.0 } else { 0.5 * worst };
        for (node, by) in beyond.into_iter().filter(|(_, by)| by.abs() >= threshold) {
            let side = if by > 0.0 { Limited::AtMax } else { Limited::AtMin };
            sides[node] = Some(side);
            equations.limit(node, side);
        }
        for (node, side) in back {
            sides[node] = None;
            returns[node] += 1;
            equations.release(node, side);
            if !equations.is_remote(node) {
                voltages.magnitude[node] = equations.set_point[node];
            }
        }
        voltages.set_phasors();
        newton.solve(equations, voltages, TOLERANCE).ok()?;
    }
    None
}
