//! A plan in the contract's types.

use super::search::{Planner, Trial};
use super::spec::Decision;
use crate::contract as c;
use crate::convert::plain;
use crate::edits::Target;

impl Planner {
    /// The original id of a candidate.
    fn id(&self, candidate: usize) -> u64 {
        let network = &self.best.state.problem().case().network;
        match self.spec.candidates[candidate] {
            Target::Demand(row) => network.buses[row].id,
            Target::Rating(row) => network.branches[row].id,
        }
    }

    fn increase(&self, candidate: usize, count: i32) -> c::RatingIncrease {
        c::RatingIncrease {
            branch: self.id(candidate),
            delta_mw: self.spec.in_mw(count),
        }
    }

    fn change(&self, candidate: usize, count: i32) -> c::DemandChange {
        c::DemandChange {
            bus: self.id(candidate),
            delta_mw: self.spec.in_mw(count),
        }
    }

    fn increases(&self, counts: &[i32]) -> Vec<c::RatingIncrease> {
        changed(counts).map(|(k, count)| self.increase(k, count)).collect()
    }

    fn changes(&self, counts: &[i32]) -> Vec<c::DemandChange> {
        changed(counts).map(|(k, count)| self.change(k, count)).collect()
    }

    /// A trial in the contract's type.
    pub(super) fn reported(&self, trial: &Trial) -> c::PlanTrial {
        match self.spec.decision {
            Decision::LineCapacity => c::PlanTrial::Capacity(self.capacity_trial(trial)),
            Decision::Demand(_) => c::PlanTrial::Demand(self.demand_trial(trial)),
        }
    }

    fn capacity_trial(&self, trial: &Trial) -> c::CapacityPlanTrial {
        let (line, count) = trial.next.step[0];
        let gradient = trial.gradient.iter().enumerate().map(|(k, &value)| c::GradientEntry {
            branch: self.id(k),
            value: plain(value),
        });
        c::CapacityPlanTrial {
            exact_solve: trial.exact_solve,
            line: self.increase(line, count),
            gradient: gradient.collect(),
            delta_mw: self.increases(&trial.counts),
            predicted_phi_delta: trial.predicted,
            path_phi_delta: trial.next.path_phi_delta.map(plain),
            exact_phi_delta: trial.exact,
            first_order_error: trial.error(),
            first_order_error_rel: trial.relative_error(),
            objective: trial.objective,
            accepted: trial.accepted,
            reason: trial.reason.clone(),
        }
    }

    fn demand_trial(&self, trial: &Trial) -> c::DemandPlanTrial {
        let gradient = trial
            .gradient
            .iter()
            .enumerate()
            .map(|(k, &value)| c::DemandGradientEntry {
                bus: self.id(k),
                value: plain(value),
            });
        c::DemandPlanTrial {
            exact_solve: trial.exact_solve,
            step: (trial.next.step.iter())
                .map(|&(k, count)| self.change(k, count))
                .collect(),
            places: trial.next.places,
            gradient: gradient.collect(),
            delta_mw: self.changes(&trial.counts),
            predicted_phi_delta: trial.predicted,
            path_phi_delta: trial.next.path_phi_delta.map(plain),
            exact_phi_delta: trial.exact,
            first_order_error: trial.error(),
            first_order_error_rel: trial.relative_error(),
            objective: trial.objective,
            accepted: trial.accepted,
            reason: trial.reason.clone(),
        }
    }

    /// The whole plan so far.
    pub(super) fn outcome(&self) -> c::PlanOutcomeJson {
        // A partial placement is not a proposal.
        let found = if self.is_placing() { &self.baseline } else { &self.best };
        let (baseline, best) = (self.baseline.summary, found.summary);
        let spent_budget_mw = self.spec.in_mw(found.spent());
        let exact_solves = self.solves;
        let exhausted = self.solves >= self.spec.solves;
        let ended = self.ended.unwrap_or(c::CapacityPlanEnd::Cancelled);
        match self.spec.decision {
            Decision::LineCapacity => c::PlanOutcomeJson::Capacity(c::CapacityPlanOutcomeJson {
                baseline,
                best,
                proposal: self.increases(&found.counts),
                spent_budget_mw,
                exact_solves,
                exhausted,
                ended,
                trials: self.trials.iter().map(|trial| self.capacity_trial(trial)).collect(),
            }),
            Decision::Demand(kind) => c::PlanOutcomeJson::Demand(c::DemandPlanOutcomeJson {
                kind,
                baseline,
                best,
                proposal: self.changes(&found.counts),
                spent_budget_mw,
                exact_solves,
                exhausted,
                ended,
                trials: self.trials.iter().map(|trial| self.demand_trial(trial)).collect(),
            }),
        }
    }
}

fn changed(counts: &[i32]) -> impl Iterator<Item = (usize, i32)> + '_ {
    let all = counts.iter().copied().enumerate();
    all.filter(|(_, count)| *count != 0)
}
