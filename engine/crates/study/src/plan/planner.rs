//! The search, one trial at a time.

use super::search::{point, Next, Planner, Trial, NOTHING};
use super::spec::Decision;
use super::Spec;
use crate::contract::{self as c, DemandPlanKind};
use crate::convert::{element, new_diagnostic, plain};
use crate::edits::Target;
use crate::problem::work::{Product, Work};
use crate::problem::{Along, State};
use crate::results::Reply;
use std::collections::BTreeSet;
use std::sync::Arc;
use wattbook_network::error::Result;
use wattbook_network::message;

impl Planner {
    /// Errors: those of derivatives.
    pub fn new(state: &Arc<dyn State>, spec: Spec) -> Result<Self> {
        let counts = vec![0; spec.candidates.len()];
        let baseline = point(Arc::clone(state), counts, 1, &spec);
        let mut planner = Self {
            lowest: lowest(&spec, &**state),
            spec,
            start: state.edits().clone(),
            best: baseline.clone(),
            baseline,
            gradient: Vec::new(),
            order: Vec::new(),
            refused: BTreeSet::new(),
            is_order_stale: false,
            tried: BTreeSet::new(),
            trials: Vec::new(),
            solves: 1,
            ended: None,
        };
        planner.look_around()?;
        Ok(planner)
    }

    /// Computes gradient and order at the best state, or ends the plan.
    fn look_around(&mut self) -> Result<()> {
        self.gradient = self
            .best
            .state
            .price_gradient(&self.spec.weights, &self.spec.candidates)?;
        match self.next_steps() {
            None => self.ended = Some(self.end_within_limits(true)),
            Some(order) => self.order = order,
        }
        self.is_order_stale = false;
        self.tried.clear();
        self.end_without_solves();
        Ok(())
    }

    /// The next step that may have a solution. Where the exact path of a step proves that it has no solution, the
    /// amount is reduced to the feasible part, and a bus that can take nothing is skipped.
    fn take(&mut self) -> Option<Next> {
        loop {
            let Some(mut next) = self.order.pop() else {
                if !std::mem::take(&mut self.is_order_stale) {
                    return None;
                }
                self.order = self.next_steps().unwrap_or_default();
                continue;
            };
            let taker = next.taker();
            if taker.is_some_and(|k| self.refused.contains(&k)) || self.tried.contains(&next.step) {
                continue;
            }
            if next.path_phi_delta.is_some() {
                return Some(next);
            }
            match self.along(&next.step) {
                None => return Some(next),
                Some(Along::Prices(prices)) => {
                    next.path_phi_delta = Some(self.phi_delta(&prices));
                    return Some(next);
                }
                Some(Along::Until(_)) if self.spec.decision == Decision::LineCapacity => return Some(next),
                Some(Along::Until(part)) => self.reduce(next, |by| (part * f64::from(by) - NOTHING).floor() as i32),
            }
        }
    }

    /// Handles a step without a solution: a smaller amount is placed, or the bus is refused.
    fn reduce(&mut self, mut next: Next, less: impl Fn(i32) -> i32) {
        if self.spec.decision == Decision::LineCapacity {
            return;
        }
        let smaller = next.step.first().map_or(0, |(_, by)| less(*by));
        if next.places && smaller > 0 {
            next.step[0].1 = smaller;
            self.order.push(next);
        } else if let Some(taker) = next.taker() {
            self.refused.insert(taker);
            self.is_order_stale = true;
        }
    }

    /// Why nothing is left to try: the limit that excludes a further step, or that no step is predicted to improve.
    /// `at_limits` states that the limits allow no step at all.
    fn end_within_limits(&self, at_limits: bool) -> c::CapacityPlanEnd {
        let is_of_lines = self.spec.decision == Decision::LineCapacity;
        if is_of_lines && self.spent() >= self.spec.most_in_all {
            return c::CapacityPlanEnd::CapacityBudget;
        }
        let ample = i32::MAX / 2;
        let limit = if self.goes_on_with(|spec| spec.most_elements = spec.candidates.len()) {
            Some(c::CapacityPlanEnd::ElementLimit)
        } else if self.goes_on_with(|spec| spec.most_each = ample) {
            Some(c::CapacityPlanEnd::ChangeLimit)
        } else if !is_of_lines && self.goes_on_with(|spec| spec.most_in_all = ample) {
            Some(c::CapacityPlanEnd::DemandBudget)
        } else {
            None
        };
        limit.unwrap_or(match (at_limits, is_of_lines) {
            (true, false) => c::CapacityPlanEnd::DemandBudget,
            (true, true) if self.solves >= self.spec.solves => c::CapacityPlanEnd::SolveBudget,
            _ => c::CapacityPlanEnd::NoImprovement,
        })
    }

    /// Whether a step from the best state would exist if a limit were widened.
    fn goes_on_with(&self, widen: impl Fn(&mut Spec)) -> bool {
        let mut wider = self.clone();
        widen(&mut wider.spec);
        wider.lowest = lowest(&wider.spec, &*self.baseline.state);
        let steps = wider.next_steps().unwrap_or_default();
        steps.iter().any(|next| !self.tried.contains(&next.step))
    }

    /// The end where the solve budget is used up.
    fn end_without_solves(&mut self) {
        if self.ended.is_none() && self.solves >= self.spec.solves {
            self.ended = Some(c::CapacityPlanEnd::SolveBudget);
        }
    }

    /// Tries the next step, or ends the plan if there is no step.
    fn advance(&mut self) -> Result<()> {
        match self.take() {
            Some(next) => self.attempt(next),
            None => {
                self.ended = Some(match self.is_placing() {
                    true => c::CapacityPlanEnd::NotPlaced,
                    false => self.end_within_limits(false),
                });
                Ok(())
            }
        }
    }

    /// Solves a step exactly.
    fn attempt(&mut self, next: Next) -> Result<()> {
        let counts = self.after(&next.step);
        // The solve may be interrupted, so it comes before any change of the plan.
        let solved = Arc::clone(&self.baseline.state).at(&self.edits(&counts));
        self.tried.insert(next.step.clone());
        let predicted = plain(self.predicted(&next.step));
        self.solves += 1;
        let mut trial = Trial {
            exact_solve: self.solves,
            next,
            gradient: self.gradient.clone(),
            counts: counts.clone(),
            predicted,
            exact: None,
            objective: None,
            accepted: false,
            reason: None,
        };
        let mut is_better = false;
        match solved {
            Err(error) => {
                let element = error.element.as_deref().map(element);
                trial.reason = Some(new_diagnostic(error.code, &error.sentence, element));
                self.reduce(trial.next.clone(), |by| by / 2);
            }
            Ok(state) => {
                let found = point(state, counts, self.solves, &self.spec);
                let change = plain(found.summary.phi - self.best.summary.phi);
                trial.exact = Some(change);
                trial.objective = Some(found.summary.objective);
                if trial.next.places || change < -NOTHING * self.best.scale {
                    trial.accepted = true;
                    self.best = found;
                    is_better = true;
                } else {
                    trial.reason = Some(new_diagnostic("PLAN.NOT_BETTER", &message!("plan.not_better"), None));
                }
            }
        }
        self.trials.push(trial);
        if is_better {
            self.look_around()?;
        }
        self.end_without_solves();
        Ok(())
    }
}

/// Ratings only rise and placed demand is not taken back; demand that is moved stays at or above zero.
fn lowest(spec: &Spec, state: &dyn State) -> Vec<i32> {
    let network = &state.problem().case().network;
    let lowest = |target: &Target| match *target {
        Target::Demand(row) if spec.decision.is(DemandPlanKind::DemandRedistribution) => {
            let demand = network.buses[row].demand_pu * network.base_mva + state.edits().of(*target);
            let increments = (demand.max(0.0) / spec.increment_mw + NOTHING).floor();
            -(increments.min(f64::from(spec.most_each)) as i32)
        }
        _ => 0,
    };
    spec.candidates.iter().map(lowest).collect()
}

impl Work for Planner {
    /// A step is one trial, whatever the budget: a solve is not divided.
    fn step(&mut self, _budget: u32) -> Result<c::JobStep> {
        let before = self.trials.len();
        if self.ended.is_none() {
            self.advance()?;
        }
        let done = self.ended.is_some();
        Ok(c::JobStep {
            done,
            fraction: if done {
                1.0
            } else {
                f64::from(self.solves) / f64::from(self.spec.solves)
            },
            trials: Some(self.trials[before..].iter().map(|trial| self.reported(trial)).collect()),
            ..c::JobStep::default()
        })
    }

    fn outlives_interrupts(&self) -> bool {
        true
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        Ok(Reply::new(&self.outcome(), Vec::new()).into())
    }
}
