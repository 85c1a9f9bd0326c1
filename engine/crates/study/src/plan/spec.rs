//! Checked specifications of plans.

use crate::amounts::{fit, Unfit};
use crate::contract as c;
use crate::edits::{self, Target};
use crate::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::Message;

/// Largest number of increments of one element; beyond it, counts would not be exact.
const MOST_INCREMENTS: f64 = 1e6;

/// The kind of decision of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    LineCapacity,
    Demand(c::DemandPlanKind),
}

impl Decision {
    pub fn is(self, kind: c::DemandPlanKind) -> bool {
        self == Self::Demand(kind)
    }
}

/// A checked `PlanSpecJson`: amounts in increments, elements by dense row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spec {
    pub decision: Decision,
    pub weights: Vec<(usize, f64)>,
    /// In ascending order of their rows.
    pub candidates: Vec<Target>,
    pub increment_mw: f64,
    pub most_each: i32,
    pub most_in_all: i32,
    /// Number of elements that may change.
    pub most_elements: usize,
    pub solves: u32,
}

/// The request, whatever the kind of decision; limits with the names of their fields.
struct Request<'a> {
    decision: Decision,
    objective: &'a c::ImplicitObjectiveJson,
    candidates: Vec<c::SensTarget>,
    most_each_mw: (&'static str, f64),
    most_elements: (&'static str, u32),
    budget_mw: f64,
    increment_mw: f64,
    solves: u32,
}

impl<'a> From<&'a c::PlanSpecJson> for Request<'a> {
    fn from(request: &'a c::PlanSpecJson) -> Self {
        match request {
            c::PlanSpecJson::Capacity(request) => Self {
                decision: Decision::LineCapacity,
                objective: &request.objective,
                candidates: (request.candidates.iter().cloned())
                    .map(|branch| c::SensTarget::Branch { branch, value: None })
                    .collect(),
                most_each_mw: ("max_increase_per_branch_mw", request.max_increase_per_branch_mw),
                most_elements: ("max_changed_lines", request.max_changed_lines),
                budget_mw: request.budget_mw,
                increment_mw: request.increment_mw,
                solves: request.exact_solve_budget,
            },
            c::PlanSpecJson::Demand(request) => Self {
                decision: Decision::Demand(request.kind),
                objective: &request.objective,
                candidates: (request.candidates.iter().cloned())
                    .map(|bus| c::SensTarget::Bus { bus })
                    .collect(),
                most_each_mw: ("max_change_per_bus_mw", request.max_change_per_bus_mw),
                most_elements: ("max_changed_buses", request.max_changed_buses),
                budget_mw: request.budget_mw,
                increment_mw: request.increment_mw,
                solves: request.exact_solve_budget,
            },
        }
    }
}

fn refused(message: Message) -> EngineError {
    EngineError::new("PLAN.SPEC", message)
}

impl Spec {
    /// Errors: `PLAN.SPEC`, `FORMULATION.UNAVAILABLE`, and the codes of targets.
    pub fn new(problem: &dyn Problem, request: &c::PlanSpecJson) -> Result<Self> {
        problem.check_plan()?;
        let request = Request::from(request);
        let increment = positive("increment_mw", request.increment_mw)?;
        let counts = [request.most_elements, ("exact_solve_budget", request.solves)];
        if let Some((field, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(refused(message!("plan.at_least_one", field = field)));
        }
        let (field, most) = request.most_each_mw;
        let spec = Self {
            decision: request.decision,
            weights: weights(problem, request.objective)?,
            candidates: candidates(problem, &request.candidates)?,
            increment_mw: increment,
            most_each: increments(field, most, increment)?,
            most_in_all: increments("budget_mw", request.budget_mw, increment)?,
            most_elements: request.most_elements.1 as usize,
            solves: request.solves,
        };
        spec.check_candidates()?;
        Ok(spec)
    }

    /// Checks that there are enough candidates for the kind of decision.
    fn check_candidates(&self) -> Result<()> {
        let buses = self.candidates.len().min(self.most_elements);
        let fits = i64::from(self.most_each) * buses as i64 >= i64::from(self.most_in_all);
        let message = match self.decision {
            Decision::LineCapacity if buses == 0 => message!("plan.no_candidates"),
            Decision::Demand(_) if buses == 0 => message!("plan.no_candidate_buses"),
            Decision::Demand(c::DemandPlanKind::DemandRedistribution) if buses < 2 => message!("plan.two_buses"),
            Decision::Demand(c::DemandPlanKind::DemandPlacement) if !fits => message!(
                "plan.does_not_fit",
                amount = mw_exact(f64::from(self.most_in_all) * self.increment_mw),
                count = buses,
                most = mw_exact(f64::from(self.most_each) * self.increment_mw)
            ),
            _ => return Ok(()),
        };
        Err(refused(message))
    }

    /// A count of increments in MW.
    pub fn in_mw(&self, count: i32) -> f64 {
        f64::from(count) * self.increment_mw
    }
}

fn positive(field: &str, amount: f64) -> Result<f64> {
    let message = match fit(amount, "MW") {
        Ok(()) if amount > 0.0 => return Ok(amount),
        Err(Unfit::TooLarge(formatted, most)) if amount > 0.0 => {
            message!("plan.amount_too_large", field = field, amount = formatted, most = most)
        }
        _ => message!("plan.not_positive", field = field),
    };
    Err(refused(message))
}

/// An amount as a count of increments.
fn increments(field: &str, amount: f64, increment: f64) -> Result<i32> {
    let count = (positive(field, amount)? / increment).round();
    if count > MOST_INCREMENTS {
        let most = MOST_INCREMENTS as usize;
        return Err(refused(message!("plan.too_many", field = field, most = most)));
    }
    if count < 1.0 || (count * increment - amount).abs() > 1e-9 * amount {
        let (amount, increment) = (mw_exact(amount), mw_exact(increment));
        let message = message!(
            "plan.not_multiple",
            field = field,
            amount = amount,
            increment = increment
        );
        return Err(refused(message));
    }
    Ok(count as i32)
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
        let element = ElementRef::from(&case.network.buses[row]);
        fit(*weight, "").map_err(|unfit| {
            let message = match unfit {
                Unfit::NotFinite => message!("plan.weight", bus = &element),
                Unfit::TooLarge(amount, most) => {
                    message!("plan.weight_too_large", bus = &element, amount = amount, most = most)
                }
            };
            refused(message).at(element.clone())
        })?;
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

fn candidates(problem: &dyn Problem, named: &[c::SensTarget]) -> Result<Vec<Target>> {
    let case = problem.case();
    let mut found = BTreeMap::new();
    for target in named {
        let target = edits::target(case, problem.parts(), target)?;
        edits::check_editable(case, target)?;
        let (Target::Demand(row) | Target::Rating(row)) = target;
        if found.insert(row, target).is_some() {
            let element = target.element(case);
            return Err(refused(message!("plan.twice", element = &element)).at(element));
        }
    }
    Ok(found.into_values().collect())
}
