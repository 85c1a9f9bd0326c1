//! What a plan may do, checked.

use crate::contract as c;
use crate::convert::{branch_ref, bus_ref};
use crate::edits::{self, Target};
use crate::problem::Problem;
use std::collections::BTreeSet;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::Message;

/// The most increments of one line: beyond it, counts would not be exact.
const MOST_INCREMENTS: f64 = 1e6;

/// A checked `CapacityPlanSpecJson`: amounts in increments, elements by dense row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spec {
    pub weights: Vec<(usize, f64)>,
    /// Branch rows in ascending order.
    pub candidates: Vec<usize>,
    pub increment_mw: f64,
    pub most_per_line: u32,
    pub most_in_all: u32,
    pub most_lines: u32,
    pub solves: u32,
}

fn refused(said: Message) -> EngineError {
    EngineError::new("PLAN.SPEC", said)
}

impl Spec {
    /// Errors: `PLAN.SPEC`, `FORMULATION.UNAVAILABLE`, and the codes of targets.
    pub fn new(problem: &dyn Problem, asked: &c::CapacityPlanSpecJson) -> Result<Self> {
        problem.check_plan()?;
        let increment = positive("increment_mw", asked.increment_mw)?;
        if asked.max_changed_lines == 0 {
            return Err(refused(message!("plan.at_least_one", field = "max_changed_lines")));
        }
        if asked.exact_solve_budget == 0 {
            return Err(refused(message!("plan.at_least_one", field = "exact_solve_budget")));
        }
        Ok(Self {
            weights: weights(problem, &asked.objective)?,
            candidates: candidates(problem, &asked.candidates)?,
            increment_mw: increment,
            most_per_line: increments(
                "max_increase_per_branch_mw",
                asked.max_increase_per_branch_mw,
                increment,
            )?,
            most_in_all: increments("budget_mw", asked.budget_mw, increment)?,
            most_lines: asked.max_changed_lines,
            solves: asked.exact_solve_budget,
        })
    }
}

fn positive(field: &str, amount: f64) -> Result<f64> {
    if amount.is_finite() && amount > 0.0 {
        return Ok(amount);
    }
    Err(refused(message!("plan.not_positive", field = field)))
}

/// An amount as a count of increments.
fn increments(field: &str, amount: f64, increment: f64) -> Result<u32> {
    let count = (positive(field, amount)? / increment).round();
    if count > MOST_INCREMENTS {
        let most = MOST_INCREMENTS as usize;
        return Err(refused(message!("plan.too_many", field = field, most = most)));
    }
    if count < 1.0 || (count * increment - amount).abs() > 1e-9 * amount {
        let (amount, increment) = (mw_exact(amount), mw_exact(increment));
        let said = message!(
            "plan.not_multiple",
            field = field,
            amount = amount,
            increment = increment
        );
        return Err(refused(said));
    }
    Ok(count as u32)
}

fn weights(problem: &dyn Problem, objective: &c::ImplicitObjectiveJson) -> Result<Vec<(usize, f64)>> {
    let c::ImplicitObjectiveJson::WeightedLmp { weights } = objective;
    let case = problem.case();
    let mut seen = BTreeSet::new();
    let mut found = Vec::with_capacity(weights.len());
    for c::BusWeight { bus, weight } in weights {
        let target = c::SensTarget::Bus { bus: bus.clone() };
        let Target::Demand(row) = edits::target(case, problem.parts(), &target)? else {
            continue;
        };
        let element = bus_ref(&case.network.buses[row]);
        if !weight.is_finite() {
            return Err(refused(message!("plan.weight", bus = &element)).at(element));
        }
        if !seen.insert(row) {
            return Err(refused(message!("plan.twice", element = &element)).at(element));
        }
        found.push((row, *weight));
    }
    if found.iter().all(|(_, weight)| *weight == 0.0) {
        return Err(refused(message!("plan.no_weights")));
    }
    found.sort_by_key(|(row, _)| *row);
    Ok(found)
}

fn candidates(problem: &dyn Problem, keys: &[c::ElementKey]) -> Result<Vec<usize>> {
    let case = problem.case();
    let mut found = BTreeSet::new();
    for branch in keys {
        let target = c::SensTarget::Branch { branch: branch.clone() };
        let target = edits::target(case, problem.parts(), &target)?;
        edits::check_editable(case, target)?;
        let Target::Rating(row) = target else { continue };
        if !found.insert(row) {
            let element = branch_ref(&case.network.branches[row]);
            return Err(refused(message!("plan.twice", element = &element)).at(element));
        }
    }
    if found.is_empty() {
        return Err(refused(message!("plan.no_candidates")));
    }
    Ok(found.into_iter().collect())
}
