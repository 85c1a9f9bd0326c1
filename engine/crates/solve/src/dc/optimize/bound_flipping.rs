//! The line search of the dual: the step length along a direction of the multipliers, and the constraints that change
//! on the way.
//!
//! Along a direction the dual objective is concave and piecewise quadratic. A linear constraint whose multiplier
//! reaches zero reduces the slope by `rate * range` when it moves to its other side, so the step may continue
//! (bound-flipping ratio test; Maros, *Computational Techniques of the Simplex Method*, 2003, section 10.2.3.2). A
//! quadratic column whose reduced cost reaches zero becomes free and adds `rate^2 / q` to the curvature until it
//! reaches its other bound.

use super::state::{Constraint, Method, SolverState};
use crate::dc::basis::kkt::Status;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Multipliers with smaller rates do not move.
const ZERO_RATE: f64 = 1e-9;
/// In a solve after a stall, the same holds for rates below this share of the largest of a row.
const ZERO_SHARE: f64 = 1e-11;
/// A step may exceed a multiplier's zero by this in favour of a larger rate (Harris, Math. Prog. 5 (1973)).
const SLACK: f64 = 1e-9;
/// A blocking rate below this is rejected for an earlier one that is larger by the factor `BETTER`.
const SMALL_RATE: f64 = 1e-6;
const BETTER: f64 = 100.0;

/// A multiplier that reaches zero at step `t`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breakpoint {
    pub t: f64,
    pub rate: f64,
    pub constraint: Constraint,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A linear constraint, with the distance between its sides.
    Jump {
        range: f64,
    },
    /// A quadratic column that becomes free, and stops at its other bound.
    Start,
    Stop,
}

impl Breakpoint {
    /// Orders by step, then columns before rows by index, so that the order is the same on every platform.
    fn key(&self) -> (f64, usize) {
        let place = match self.constraint {
            Constraint::Column(j) => j,
            Constraint::Row(row) => row + (usize::MAX >> 1),
        };
        (self.t, place)
    }
}

impl PartialEq for Breakpoint {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Breakpoint {}

impl PartialOrd for Breakpoint {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Breakpoint {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.key(), other.key());
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    }
}

/// The positive part, with a positive zero: of two zeros, `max` returns a platform-dependent one.
fn not_negative(t: f64) -> f64 {
    t.max(0.0) + 0.0
}

/// The result of the line search.
#[derive(Debug, Default)]
pub(super) struct DualStep {
    pub t: f64,
    pub flips: Vec<Constraint>,
    /// Quadratic columns that are free at the end, and those that moved from bound to bound.
    pub started: Vec<usize>,
    pub passed: Vec<usize>,
    /// The linear constraint that ends the step; `None` if the slope reached zero before.
    pub blocking: Option<Breakpoint>,
    /// Whether no constraint ends the step, so that the dual is unbounded.
    pub is_unbounded: bool,
}

impl<M: Method> SolverState<'_, M> {
    /// Searches from `slope` with `curvature` along rates of the active rows' multipliers and the columns' reduced
    /// costs.
    pub(super) fn bound_flipping_search(
        &self,
        slope: f64,
        curvature: f64,
        dy: &[(usize, f64)],
        drc: &[f64],
    ) -> DualStep {
        // Flips shorten the step, and free columns increase the curvature.
        let farthest = if curvature > 0.0 {
            slope / curvature + SLACK
        } else {
            f64::INFINITY
        };
        let mut heap = BinaryHeap::from(self.breakpoints(dy, drc, farthest));
        let mut step = DualStep::default();
        let (mut slope, mut bend) = (slope, curvature);
        let mut following = 0usize;
        let mut jumps: Vec<Breakpoint> = Vec::new();
        loop {
            let next = heap.pop().map(|Reverse(b)| b);
            let next_t = next.map_or(f64::INFINITY, |b| b.t);
            if bend > 0.0 && slope - bend * (next_t - step.t) <= 0.0 {
                step.t += (slope / bend).max(0.0);
                break;
            }
            let Some(b) = next else {
                step.is_unbounded = true;
                break;
            };
            slope -= bend * (b.t - step.t);
            step.t = b.t;
            match (b.kind, b.constraint) {
                (Kind::Start, Constraint::Column(j)) => {
                    step.started.push(j);
                    following += 1;
                    bend += b.rate * b.rate / self.q[j];
                    let t = b.t + self.q[j] * (self.hi(j) - self.lo(j)) / b.rate;
                    heap.push(Reverse(Breakpoint {
                        t,
                        kind: Kind::Stop,
                        ..b
                    }));
                }
                (Kind::Stop, Constraint::Column(j)) => {
                    step.started.retain(|&s| s != j);
                    step.passed.push(j);
                    following -= 1;
                    bend -= b.rate * b.rate / self.q[j];
                    if following == 0 {
                        bend = curvature;
                    }
                }
                (Kind::Jump { range }, _) if slope - b.rate * range > 0.0 => {
                    slope -= b.rate * range;
                    jumps.push(b);
                }
                _ => {
                    step.blocking = Some(b);
                    break;
                }
            }
        }
        if let Some(first) = step.blocking {
            self.choose(&mut step, first, &mut heap, &mut jumps);
        }
        step.flips = jumps.iter().map(|b| b.constraint).collect();
        step
    }

    /// Of the linear constraints that block at nearly the same step, the one with the largest rate; an earlier one if
    /// all these rates are tiny.
    fn choose(
        &self,
        step: &mut DualStep,
        first: Breakpoint,
        heap: &mut BinaryHeap<Reverse<Breakpoint>>,
        jumps: &mut Vec<Breakpoint>,
    ) {
        let mut chosen = first;
        let mut last = first.t + SLACK / first.rate;
        while let Some(Reverse(b)) = heap.pop() {
            if b.t > last {
                break;
            }
            if matches!(b.kind, Kind::Jump { .. }) {
                last = last.min(b.t + SLACK / b.rate);
                if b.rate > chosen.rate && b.t <= last {
                    chosen = b;
                }
            }
        }
        if chosen.rate < SMALL_RATE && step.started.is_empty() && step.passed.is_empty() {
            let better = jumps.iter().rposition(|b| b.rate > BETTER * chosen.rate);
            if let Some(k) = better {
                chosen = jumps[k];
                jumps.truncate(k);
            }
        }
        step.t = chosen.t;
        step.blocking = Some(chosen);
    }

    /// Multipliers that reach zero within `farthest`.
    fn breakpoints(&self, dy: &[(usize, f64)], drc: &[f64], farthest: f64) -> Vec<Reverse<Breakpoint>> {
        let mut found = Vec::new();
        let mut zero = M::rounding(self, drc).max(ZERO_RATE);
        if self.precision.is_refined() {
            zero = dy
                .iter()
                .fold(zero, |zero, (_, rate)| zero.max(ZERO_SHARE * rate.abs()));
        }
        for (j, (&rate, &status)) in drc.iter().zip(&self.status).enumerate() {
            let towards = match status {
                Status::AtLower => rate < -zero,
                Status::AtUpper => rate > zero,
                Status::Free => false,
            };
            if !towards {
                continue;
            }
            let range = self.hi(j) - self.lo(j);
            let t = not_negative(-self.rc[j] / rate);
            if range > 0.0 && t <= farthest {
                found.push(Reverse(Breakpoint {
                    t,
                    rate: rate.abs(),
                    constraint: Constraint::Column(j),
                    kind: if self.q[j] > 0.0 {
                        Kind::Start
                    } else {
                        Kind::Jump { range }
                    },
                }));
            }
        }
        for &(row, rate) in dy {
            // y >= 0 at a lower limit, y <= 0 at an upper limit; balances are free.
            let towards = match self.side[row] {
                -1 => rate < -zero,
                1 => rate > zero,
                _ => false,
            };
            if !towards {
                continue;
            }
            let (lo, hi) = self.limits(row);
            let t = not_negative(-self.y[row] / rate);
            if hi > lo && t <= farthest {
                found.push(Reverse(Breakpoint {
                    t,
                    rate: rate.abs(),
                    constraint: Constraint::Row(row),
                    kind: Kind::Jump { range: hi - lo },
                }));
            }
        }
        found
    }
}
