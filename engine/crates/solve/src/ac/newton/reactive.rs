//! Reactive limits of generators: buses that hold a voltage until their units can give no more, and again when they can.
//!
//! As MATPOWER's `ENFORCE_Q_LIMS`, but with the way back: a bus at its upper limit whose voltage is above the set-point holds
//! its voltage again, so that what is reported is complementary.

use super::equations::{Equations, Voltages};
use super::method::{Newton, TOLERANCE};
use super::starts;
use crate::ac::model::topology::NodeKind;

/// A limit that a bus is held at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    /// Its units give all that they can.
    AtMax,
    /// Its units give as little, or take as much, as they can.
    AtMin,
}

/// What became of the reactive limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactiveLimits {
    /// They were not to be kept.
    Ignored,
    /// Every bus that holds a voltage is within them, every other is at the limit that keeps it from its set-point. Rounds of
    /// changes that it took.
    Kept { rounds: usize },
    /// No such solution was found: the solution is that without limits.
    NotKept,
}

/// Reactive power beyond a limit that counts, per unit.
pub(crate) const Q_TOLERANCE: f64 = 1e-6;
/// Voltage beyond a set-point that counts, per unit.
const V_TOLERANCE: f64 = 1e-8;
/// Times that a bus may hold its voltage again.
const MOST_RETURNS: u8 = 3;
const MOST_ROUNDS: usize = 100;

/// Which of the buses beyond a limit are changed in a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    All,
    /// Those with at least half of the worst violation.
    Worst,
}

/// Limits that hold, by node.
pub(crate) type Sides = Vec<Option<Limited>>;

/// How far the reactive power of a node's units is beyond their limits, positive above.
pub(crate) fn excess(limits: [f64; 2], q: f64) -> f64 {
    // Limits that contradict each other are none.
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

/// Limits that are one value: at it any voltage is complementary, and the node need not hold its own again.
pub(crate) fn are_equal(limits: [f64; 2]) -> bool {
    (limits[1] - limits[0]).abs() <= Q_TOLERANCE
}

impl Equations<'_> {
    /// Puts a node that holds its voltage at a limit.
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

/// Brings a solution within the limits, from the limits in `sides`; false where that fails, with everything as it was.
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

/// As [`enforce`] without limits in `sides`, from a solution with every node whose limits are one value at it: what remains where the
/// solution without limits is too far off.
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
                    let past = voltages.magnitude[regulated] - target;
                    let wrong = match side {
                        Limited::AtMax => past > V_TOLERANCE,
                        Limited::AtMin => past < -V_TOLERANCE,
                    };
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
