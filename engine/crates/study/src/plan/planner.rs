//! The search, a trial at a time.

use super::Spec;
use crate::contract::{self as c, ColumnName};
use crate::convert::{plain, told};
use crate::edits::{Edits, Target};
use crate::problem::work::{Kept, Product, Work};
use crate::problem::{Course, State};
use crate::results::Reply;
use std::sync::Arc;
use wattbook_network::error::Result;
use wattbook_network::message;

/// A change of the objective below this part of it is none.
const NOTHING: f64 = 1e-9;

/// A state that was found, with what the plan says of it.
#[derive(Clone, Debug)]
struct Point {
    state: Arc<dyn State>,
    /// Increments by candidate.
    counts: Vec<u32>,
    told: c::CapacityPlanState,
    /// `sum_b |weight_b LMP_b|`: what changes are measured against.
    scale: f64,
}

/// A candidate that may get an increment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ranked {
    candidate: usize,
    path_phi_delta: Option<f64>,
}

/// A plan that is searched for.
#[derive(Debug)]
pub(crate) struct Planner {
    spec: Spec,
    start: Edits,
    baseline: Point,
    best: Point,
    /// At the best state, by candidate, per MW.
    gradient: Vec<f64>,
    /// What is left to try from the best state, the next one last.
    order: Vec<Ranked>,
    trials: Vec<c::CapacityPlanTrial>,
    solves: u32,
    ended: Option<c::CapacityPlanEnd>,
}

impl Planner {
    /// Errors: those of derivatives.
    pub fn new(state: &Arc<dyn State>, spec: Spec) -> Result<Self> {
        let counts = vec![0; spec.candidates.len()];
        let baseline = point(Arc::clone(state), counts, 1, &spec);
        let mut planner = Self {
            spec,
            start: state.edits().clone(),
            best: baseline.clone(),
            baseline,
            gradient: Vec::new(),
            order: Vec::new(),
            trials: Vec::new(),
            solves: 1,
            ended: None,
        };
        planner.look_around()?;
        Ok(planner)
    }

    fn target(&self, candidate: usize) -> Target {
        Target::Rating(self.spec.candidates[candidate])
    }

    fn in_mw(&self, count: u32) -> f64 {
        f64::from(count) * self.spec.increment_mw
    }

    /// Absolute edits of a candidate state.
    fn edits(&self, counts: &[u32]) -> Edits {
        let changed = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        changed.fold(self.start.clone(), |edits, (candidate, &count)| {
            let target = self.target(candidate);
            edits.moved(target, self.start.of(target) + self.in_mw(count))
        })
    }

    /// Whether the limits of the plan allow another increment.
    fn may_rise(&self, candidate: usize) -> bool {
        let counts = &self.best.counts;
        let changed = counts.iter().filter(|count| **count > 0).count() as u32;
        counts[candidate] < self.spec.most_per_line && (counts[candidate] > 0 || changed < self.spec.most_lines)
    }

    fn spent(&self) -> u32 {
        self.best.counts.iter().sum()
    }

    /// Gradient and order at the best state, or the end.
    fn look_around(&mut self) -> Result<()> {
        let targets: Vec<Target> = (0..self.spec.candidates.len()).map(|k| self.target(k)).collect();
        self.gradient = self.best.state.price_gradient(&self.spec.weights, &targets)?;
        let may_rise: Vec<usize> = (0..targets.len()).filter(|&k| self.may_rise(k)).collect();
        if may_rise.is_empty() || self.spent() >= self.spec.most_in_all {
            self.ended = Some(c::CapacityPlanEnd::CapacityBudget);
        } else if self.solves >= self.spec.solves {
            self.ended = Some(c::CapacityPlanEnd::SolveBudget);
        } else {
            self.order = self.ranked(&may_rise);
            if self.order.is_empty() {
                self.ended = Some(c::CapacityPlanEnd::NoImprovement);
            }
        }
        Ok(())
    }

    /// Candidates whose next increment lowers the objective to first order, the steepest last. Where there are none, and exact paths
    /// are: those that lower it along their paths, for prices move by steps where costs are linear.
    fn ranked(&self, may_rise: &[usize]) -> Vec<Ranked> {
        let increment = self.spec.increment_mw;
        let least = NOTHING * self.best.scale;
        let falls = |k: &usize| self.gradient[*k] * increment < -least;
        let mut found: Vec<(usize, f64, Option<f64>)> = may_rise
            .iter()
            .copied()
            .filter(falls)
            .map(|k| (k, self.gradient[k], None))
            .collect();
        if found.is_empty() {
            let shadow = self.best.state.results();
            let shadow = shadow.column(ColumnName::Shadow);
            let binds = |k: &usize| shadow.is_some_and(|s| s[self.spec.candidates[*k]] > 0.0);
            let along = may_rise.iter().copied().filter(binds).filter_map(|k| {
                let path = self.along_path(k)?;
                (path < -least).then_some((k, path, Some(path)))
            });
            found.extend(along);
        }
        // Gains that differ by rounding only are tied, whatever the weights are scaled by; ties go by branch order.
        let most = found.iter().fold(0.0f64, |most, (_, gain, _)| most.max(-gain));
        let rank = |gain: f64| (-gain / most / NOTHING).round() as i64;
        found.sort_by(|a, b| rank(a.1).cmp(&rank(b.1)).then(b.0.cmp(&a.0)));
        let ranked = found.into_iter().map(|(candidate, _, path_phi_delta)| Ranked {
            candidate,
            path_phi_delta,
        });
        ranked.collect()
    }

    /// The change of the objective over the next increment of a candidate by the exact path of its rating; none where the
    /// formulation has no paths, or the path ends before.
    fn along_path(&self, candidate: usize) -> Option<f64> {
        let target = self.target(candidate);
        let from_mw = self.best.state.edits().of(target);
        let to_mw = from_mw + self.spec.increment_mw;
        let mut work = Arc::clone(&self.best.state)
            .track(&Course {
                target,
                from_mw,
                to_mw,
                watch: self.spec.weights.first().map(|(bus, _)| *bus),
                explain: false,
            })
            .ok()?;
        while !work.step(u32::MAX).ok()?.done {}
        let Kept::Path(_, path) = work.finish().ok()?.kept else {
            return None;
        };
        let prices = path.prices(to_mw).ok()?;
        Some(phi(&self.spec, &prices) - self.best.told.phi)
    }

    fn increases(&self, counts: &[u32]) -> Vec<c::RatingIncrease> {
        let changed = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        changed.map(|(k, &count)| self.increase(k, self.in_mw(count))).collect()
    }

    fn increase(&self, candidate: usize, delta_mw: f64) -> c::RatingIncrease {
        c::RatingIncrease {
            branch: self.branch(candidate),
            delta_mw,
        }
    }

    fn branch(&self, candidate: usize) -> u64 {
        let case = self.best.state.problem().case();
        case.network.branches[self.spec.candidates[candidate]].id
    }

    /// Solves the next candidate exactly.
    fn attempt(&mut self) -> Result<()> {
        let Some(Ranked {
            candidate,
            path_phi_delta,
        }) = self.order.pop()
        else {
            self.ended = Some(c::CapacityPlanEnd::NoImprovement);
            return Ok(());
        };
        if self.solves >= self.spec.solves {
            self.ended = Some(c::CapacityPlanEnd::SolveBudget);
            return Ok(());
        }
        let mut counts = self.best.counts.clone();
        counts[candidate] += 1;
        let predicted = plain(self.gradient[candidate] * self.spec.increment_mw);
        let gradient = self.gradient.iter().enumerate().map(|(k, &value)| c::GradientEntry {
            branch: self.branch(k),
            value: plain(value),
        });
        let mut trial = c::CapacityPlanTrial {
            exact_solve: self.solves + 1,
            line: self.increase(candidate, self.spec.increment_mw),
            gradient: gradient.collect(),
            delta_mw: self.increases(&counts),
            predicted_phi_delta: predicted,
            path_phi_delta: path_phi_delta.or_else(|| self.along_path(candidate)).map(plain),
            exact_phi_delta: None,
            first_order_error: None,
            first_order_error_rel: None,
            objective: None,
            accepted: false,
            reason: None,
        };
        self.solves += 1;
        match Arc::clone(&self.baseline.state).at(&self.edits(&counts)) {
            Err(error) => {
                let element = error.element.as_ref().map(crate::convert::element);
                trial.reason = Some(told(error.code, &error.sentence, element));
            }
            Ok(state) => {
                let found = point(state, counts, self.solves, &self.spec);
                let change = plain(found.told.phi - self.best.told.phi);
                let error = (change - predicted).abs();
                trial.exact_phi_delta = Some(change);
                trial.first_order_error = Some(error);
                trial.first_order_error_rel = (change != 0.0).then(|| error / change.abs());
                trial.objective = Some(found.told.objective);
                if change < -NOTHING * self.best.scale {
                    trial.accepted = true;
                    self.best = found;
                    self.look_around()?;
                } else {
                    trial.reason = Some(told("PLAN.NOT_BETTER", &message!("plan.not_better"), None));
                }
            }
        }
        self.trials.push(trial);
        if self.ended.is_none() {
            if self.solves >= self.spec.solves {
                self.ended = Some(c::CapacityPlanEnd::SolveBudget);
            } else if self.order.is_empty() {
                self.ended = Some(c::CapacityPlanEnd::NoImprovement);
            }
        }
        Ok(())
    }

    fn outcome(self) -> c::CapacityPlanOutcomeJson {
        c::CapacityPlanOutcomeJson {
            baseline: self.baseline.told,
            best: self.best.told,
            proposal: self.increases(&self.best.counts),
            spent_budget_mw: self.in_mw(self.spent()),
            exact_solves: self.solves,
            exhausted: self.solves >= self.spec.solves,
            ended: self.ended.unwrap_or(c::CapacityPlanEnd::Cancelled),
            trials: self.trials,
        }
    }
}

fn phi(spec: &Spec, prices: &[f64]) -> f64 {
    spec.weights.iter().map(|&(bus, weight)| weight * prices[bus]).sum()
}

fn point(state: Arc<dyn State>, counts: Vec<u32>, exact_solve: u32, spec: &Spec) -> Point {
    let results = state.results();
    let prices = results.column(ColumnName::Lmp).unwrap_or_default();
    let scale = spec
        .weights
        .iter()
        .map(|&(bus, weight)| (weight * prices[bus]).abs())
        .sum();
    let told = c::CapacityPlanState {
        phi: plain(phi(spec, prices)),
        objective: results.objective.unwrap_or_default(),
        exact_solve,
    };
    Point {
        state,
        counts,
        told,
        scale,
    }
}

impl Work for Planner {
    /// A step is a trial, whatever the budget: a solve is not divided.
    fn step(&mut self, _budget: u32) -> Result<c::JobStep> {
        let before = self.trials.len();
        if self.ended.is_none() {
            self.attempt()?;
        }
        let done = self.ended.is_some();
        Ok(c::JobStep {
            done,
            fraction: if done {
                1.0
            } else {
                f64::from(self.solves) / f64::from(self.spec.solves)
            },
            trials: Some(self.trials[before..].to_vec()),
            ..c::JobStep::default()
        })
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        let reply = Reply {
            json: crate::json::to_json(&self.outcome()),
            columns: Vec::new(),
        };
        Ok(reply.into())
    }
}
