//! Steps that a plan tries from its best state: increments of single lines, demand placed at single buses, increments
//! of demand moved between buses.

use super::search::{Next, Planner, Step, NOTHING};
use super::spec::Decision;
use crate::contract::{ColumnName, DemandPlanKind};
use crate::edits::Target;
use std::collections::BTreeMap;

/// Effect of an increment on the number of changed elements and on the sum of increments.
type Effect = (i32, i32);

impl Planner {
    /// Promising steps from the best state, the best last; `None` where the limits allow no step.
    pub(super) fn next_steps(&self) -> Option<Vec<Next>> {
        match self.spec.decision {
            Decision::LineCapacity => self.raises(),
            Decision::Demand(DemandPlanKind::DemandPlacement) if self.is_placing() => Some(self.places()),
            Decision::Demand(_) => self.moves(),
        }
    }

    /// Lines whose next increment lowers the objective to first order. Where there is no such line but the formulation
    /// has exact paths: lines that lower it along their paths, because prices move in steps where costs are linear.
    fn raises(&self) -> Option<Vec<Next>> {
        let counts = &self.best.counts;
        let changed = counts.iter().filter(|count| **count > 0).count();
        let may_rise =
            |&k: &usize| counts[k] < self.spec.most_each && (counts[k] > 0 || changed < self.spec.most_elements);
        let may_rise: Vec<usize> = (0..counts.len()).filter(may_rise).collect();
        if may_rise.is_empty() || self.spent() >= self.spec.most_in_all {
            return None;
        }
        let steps = may_rise.iter().map(|&k| vec![(k, 1)]);
        let found = self.falling(steps);
        if !found.is_empty() {
            return Some(found);
        }
        let results = self.best.state.results();
        let shadow = results.column(ColumnName::Shadow);
        let binds = |&&k: &&usize| match self.spec.candidates[k] {
            Target::Rating(row) => shadow.is_some_and(|s| s[row] > 0.0),
            Target::Demand(_) => false,
        };
        Some(self.falling_along_paths(may_rise.iter().filter(binds).map(|&k| vec![(k, 1)])))
    }

    /// Buses that can take some of the remaining demand, each with the amount that its limit allows, ordered by their
    /// first-order effect on the objective.
    fn places(&self) -> Vec<Next> {
        let (spec, counts) = (&self.spec, &self.best.counts);
        let left = spec.most_in_all - self.spent();
        let changed = counts.iter().filter(|count| **count > 0).count();
        let may_rise = |k: &usize| !self.refused.contains(k) && (counts[*k] > 0 || changed < spec.most_elements);
        let order = in_order(&self.slopes()).into_iter().rev().filter(may_rise);
        let steps = order.map(|k| (k, left.min(spec.most_each - counts[k])));
        let next = steps.filter(|(_, by)| *by > 0).map(|(k, by)| Next {
            step: vec![(k, by)],
            path_phi_delta: None,
            places: true,
        });
        next.collect()
    }

    /// Increments that lower the objective by moving from one bus to another, to first order or else along their exact
    /// paths.
    fn moves(&self) -> Option<Vec<Next>> {
        let by_slope = self.pairs(&self.gradient)?;
        let found = self.falling(by_slope.into_iter());
        if !found.is_empty() {
            return Some(found);
        }
        // Towards lower prices.
        let by_price = self.pairs(&self.prices())?;
        Some(self.falling_along_paths(by_price.into_iter()))
    }

    /// The moves within the limits with the steepest descent from giver to taker, as many as can be solved; `None`
    /// where there is no move at all. Buses whose move has the same effect on the limits form a group: of two ordered
    /// groups, the best `n` pairs `(i, j)` satisfy `(i + 1) (j + 1) <= n`.
    fn pairs(&self, slopes: &[f64]) -> Option<Vec<Step>> {
        let spec = &self.spec;
        let counts = &self.best.counts;
        let order = in_order(slopes);
        let mut givers: BTreeMap<Effect, Vec<usize>> = BTreeMap::new();
        let mut takers: BTreeMap<Effect, Vec<usize>> = BTreeMap::new();
        for &k in &order {
            if counts[k] < spec.most_each && !self.refused.contains(&k) {
                takers.entry(effect(counts[k], 1)).or_default().push(k);
            }
            if counts[k] > self.lowest[k] {
                givers.entry(effect(counts[k], -1)).or_default().push(k);
            }
        }
        for group in givers.values_mut() {
            group.reverse();
        }
        let changed = counts.iter().filter(|count| **count != 0).count() as i32;
        let room = (spec.solves - self.solves).max(1) as usize;
        let mut found = Vec::new();
        let mut any = false;
        for ((more, grown), takers) in &takers {
            for ((fewer, shrunk), givers) in &givers {
                let is_allowed = changed + more + fewer <= spec.most_elements as i32
                    && self.spent() + grown + shrunk <= spec.most_in_all;
                if !is_allowed {
                    continue;
                }
                for (i, &to) in takers.iter().enumerate().take(room) {
                    for &from in givers.iter().take(room / (i + 1)) {
                        any |= to != from;
                        if slopes[to] < slopes[from] {
                            let mut step = vec![(to, 1), (from, -1)];
                            step.sort_unstable();
                            found.push(step);
                        }
                    }
                }
            }
        }
        any.then_some(found)
    }

    /// The derivatives by candidate; where all are zero the prices, since demand is best placed where it costs least.
    fn slopes(&self) -> Vec<f64> {
        let least = NOTHING * self.best.scale;
        match self.gradient.iter().any(|g| (g * self.spec.increment_mw).abs() > least) {
            true => self.gradient.clone(),
            false => self.prices(),
        }
    }

    /// $/MWh by candidate.
    fn prices(&self) -> Vec<f64> {
        let results = self.best.state.results();
        let prices = results.column(ColumnName::Lmp).unwrap_or_default();
        let price = |target: &Target| match target {
            Target::Demand(row) => prices[*row],
            Target::Rating(_) => 0.0,
        };
        self.spec.candidates.iter().map(price).collect()
    }

    /// The steps that lower the objective to first order.
    fn falling(&self, steps: impl Iterator<Item = Step>) -> Vec<Next> {
        let least = NOTHING * self.best.scale;
        let found = steps.map(|step| (self.predicted(&step), None, step));
        self.ranked(found.filter(|(change, ..)| *change < -least).collect())
    }

    /// The steps that lower the objective along their exact paths.
    fn falling_along_paths(&self, steps: impl Iterator<Item = Step>) -> Vec<Next> {
        if self.solves >= self.spec.solves {
            return Vec::new();
        }
        let least = NOTHING * self.best.scale;
        let along = steps.filter_map(|step| {
            let path = self.along_path(&step)?;
            (path < -least).then_some((path, Some(path), step))
        });
        self.ranked(along.collect())
    }

    /// Gains that differ only by rounding are tied, at any scale of the weights; ties follow the order of the elements.
    fn ranked(&self, mut found: Vec<(f64, Option<f64>, Step)>) -> Vec<Next> {
        let most = found.iter().fold(0.0f64, |most, (change, ..)| most.max(-change));
        let rank = |change: f64| (-change / most / NOTHING).round() as i64;
        found.sort_by(|a, b| rank(a.0).cmp(&rank(b.0)).then_with(|| b.2.cmp(&a.2)));
        let next = found.into_iter().map(|(_, path_phi_delta, step)| Next {
            step,
            path_phi_delta,
            places: false,
        });
        next.collect()
    }
}

/// Candidates by ascending slope. Slopes that differ only by rounding are equal and follow the order of candidates.
fn in_order(slopes: &[f64]) -> Vec<usize> {
    let most = slopes.iter().fold(0.0f64, |most, slope| most.max(slope.abs()));
    let rank = |k: usize| (slopes[k] / most / NOTHING).round() as i64;
    let mut order: Vec<usize> = (0..slopes.len()).collect();
    order.sort_by_key(|&k| (rank(k), k));
    order
}

fn effect(count: i32, by: i32) -> Effect {
    let next = count + by;
    let changed = |count: i32| i32::from(count != 0);
    (changed(next) - changed(count), next.max(0) - count.max(0))
}
