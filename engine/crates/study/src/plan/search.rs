//! State of the search: the baseline, the best state, the trials, and the remaining steps.

use super::Spec;
use crate::contract::{self as c, ColumnName, DemandPlanKind};
use crate::convert::plain;
use crate::edits::Edits;
use crate::problem::{Along, State};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Increments by candidate, in ascending order of candidates.
pub(super) type Step = Vec<(usize, i32)>;

/// A step to try.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Next {
    pub step: Step,
    pub path_phi_delta: Option<f64>,
    /// Demand is placed, not moved.
    pub places: bool,
}

impl Next {
    /// The element that receives: the line, or the bus with more demand.
    pub fn taker(&self) -> Option<usize> {
        self.step.iter().find(|(_, by)| *by > 0).map(|(k, _)| *k)
    }
}

/// Changes of the objective below this fraction of its scale count as zero.
pub(super) const NOTHING: f64 = 1e-9;

/// A solved state with its objective.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub state: Arc<dyn State>,
    /// Increments by candidate.
    pub counts: Vec<i32>,
    pub summary: c::CapacityPlanState,
    /// `sum_b |weight_b LMP_b|`, the scale of changes.
    pub scale: f64,
}

impl Point {
    /// Increments by which ratings or demands have risen.
    pub fn spent(&self) -> i32 {
        self.counts.iter().map(|count| (*count).max(0)).sum()
    }
}

/// A step that was solved exactly.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub exact_solve: u32,
    pub next: Next,
    /// At the best state before it, by candidate, per MW.
    pub gradient: Vec<f64>,
    /// Increments by candidate, including the step.
    pub counts: Vec<i32>,
    pub predicted: f64,
    pub exact: Option<f64>,
    pub objective: Option<f64>,
    pub accepted: bool,
    pub reason: Option<c::Diagnostic>,
}

impl Trial {
    pub fn error(&self) -> Option<f64> {
        self.exact.map(|exact| (exact - self.predicted).abs())
    }

    pub fn relative_error(&self) -> Option<f64> {
        let exact = self.exact.filter(|exact| *exact != 0.0)?;
        Some((exact - self.predicted).abs() / exact.abs())
    }
}

/// A plan during its search.
#[derive(Clone, Debug)]
pub(crate) struct Planner {
    pub(super) spec: Spec,
    pub(super) start: Edits,
    /// The smallest number of increments by candidate, so that no demand falls below zero.
    pub(super) lowest: Vec<i32>,
    pub(super) baseline: Point,
    pub(super) best: Point,
    /// At the best state, by candidate, per MW.
    pub(super) gradient: Vec<f64>,
    /// Steps left to try from the best state, the next one last.
    pub(super) order: Vec<Next>,
    /// Buses for which another increment had no solution.
    pub(super) refused: BTreeSet<usize>,
    /// Whether `refused` has grown since `order` was made.
    pub(super) is_order_stale: bool,
    /// Steps from the best state that have been solved.
    pub(super) tried: BTreeSet<Step>,
    pub(super) trials: Vec<Trial>,
    pub(super) solves: u32,
    pub(super) ended: Option<c::CapacityPlanEnd>,
}

impl Planner {
    /// Absolute edits of a candidate state.
    pub(super) fn edits(&self, counts: &[i32]) -> Edits {
        let changed = counts.iter().enumerate().filter(|(_, count)| **count != 0);
        changed.fold(self.start.clone(), |edits, (candidate, &count)| {
            let target = self.spec.candidates[candidate];
            edits.moved(target, self.start.of(target) + self.spec.in_mw(count))
        })
    }

    /// Increments by candidate after a step from the best state.
    pub(super) fn after(&self, step: &Step) -> Vec<i32> {
        let mut counts = self.best.counts.clone();
        for &(candidate, by) in step {
            counts[candidate] += by;
        }
        counts
    }

    /// Increments of the best state.
    pub(super) fn spent(&self) -> i32 {
        self.best.spent()
    }

    /// Whether part of the demand of a placement is still to be placed.
    pub(super) fn is_placing(&self) -> bool {
        self.spec.decision.is(DemandPlanKind::DemandPlacement) && self.spent() < self.spec.most_in_all
    }

    /// The first-order change of the objective.
    pub(super) fn predicted(&self, step: &Step) -> f64 {
        let terms = step.iter().map(|&(k, by)| self.gradient[k] * self.spec.in_mw(by));
        terms.sum()
    }

    pub(super) fn along(&self, step: &Step) -> Option<Along> {
        Arc::clone(&self.best.state).along(&self.edits(&self.after(step)))
    }

    /// The change of the objective along the exact path of a step; `None` where the formulation has no paths, or the
    /// path ends early.
    pub(super) fn along_path(&self, step: &Step) -> Option<f64> {
        match self.along(step)? {
            Along::Prices(prices) => Some(self.phi_delta(&prices)),
            Along::Until(_) => None,
        }
    }

    pub(super) fn phi_delta(&self, prices: &[f64]) -> f64 {
        phi(&self.spec, prices) - self.best.summary.phi
    }
}

/// Sum of the weighted prices.
fn phi(spec: &Spec, prices: &[f64]) -> f64 {
    spec.weights.iter().map(|&(bus, weight)| weight * prices[bus]).sum()
}

/// A state with its objective.
pub(super) fn point(state: Arc<dyn State>, counts: Vec<i32>, exact_solve: u32, spec: &Spec) -> Point {
    let results = state.results();
    let prices = results.column(ColumnName::Lmp).unwrap_or_default();
    let scale = spec
        .weights
        .iter()
        .map(|&(bus, weight)| (weight * prices[bus]).abs())
        .sum();
    let summary = c::CapacityPlanState {
        phi: plain(phi(spec, prices)),
        objective: results.objective.unwrap_or_default(),
        exact_solve,
    };
    Point {
        state,
        counts,
        summary,
        scale,
    }
}
