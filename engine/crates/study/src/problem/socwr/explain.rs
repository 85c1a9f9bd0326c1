//! Explanations of why edits have no solution, in the contract's types, as a job of steps.

use super::Socwr;
use crate::contract as c;
use crate::convert::{kind_name, plain, sentence};
use crate::edits::Edits;
use crate::problem::work::{Product, Work};
use crate::results::Reply;
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef};
use wattbook_network::error::Result;
use wattbook_network::message;
use wattbook_network::message::amounts::{self, mva, mvar, mw};
use wattbook_network::message::{Message, Value};
use wattbook_solve::conic::{
    rounded_up, ConicExplain, ConicExplanation, ANGLE_PER_MW, PER_DEGREE, PER_MW, PER_PU, VOLTAGE_PER_MW,
};

/// Iterations in which nearly all searches end, for the progress estimate; and milliseconds of budget per iteration.
const TYPICAL: f64 = 35.0;
/// Relaxations below this, MW, MVAr or MVA, are rounding.
const NONE_MW: f64 = 1e-3;
/// Number of elements that a message names.
const NAMED: usize = 4;

/// The search for the minimum relaxation, one iteration at a time.
pub(super) struct Search {
    problem: Arc<Socwr>,
    search: ConicExplain,
    found: Option<ConicExplanation>,
    at_least_mw: f64,
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Search({} iterations)", self.search.iterations())
    }
}

impl Search {
    /// Errors: the codes of edits.
    pub fn new(problem: Arc<Socwr>, edits: &Edits) -> Result<Self> {
        let data = problem.data(edits)?;
        Ok(Self {
            search: ConicExplain::new(&problem.model, &data),
            problem,
            found: None,
            at_least_mw: 0.0,
        })
    }
}

impl Work for Search {
    /// One iteration, whatever the budget: some tens of milliseconds at 10,000 buses.
    fn step(&mut self, _budget: u32) -> Result<c::JobStep> {
        if self.found.is_none() {
            self.found = self.search.step(&self.problem.model);
            let at_least_mw = match &self.found {
                Some(found) => found.at_least_mw,
                None => self.search.at_least_mw(&self.problem.model),
            };
            self.at_least_mw = self.at_least_mw.max(at_least_mw);
        }
        let iterations = self.search.iterations() as f64;
        Ok(c::JobStep {
            done: self.found.is_some(),
            fraction: match self.found {
                Some(_) => 1.0,
                None => 0.95 * iterations / (iterations + TYPICAL),
            },
            at_least_mw: Some(self.at_least_mw),
            ..c::JobStep::default()
        })
    }

    /// For a search that was stopped, the result is what its best iterate proves.
    fn finish(self: Box<Self>) -> Result<Product> {
        let found = match self.found {
            Some(found) => found,
            None => self.search.explanation(&self.problem.model),
        };
        let explanation =
            (found.at_least_mw > 0.0).then(|| named_explanation(&self.problem.network.case.network, &found));
        let reply = Reply::new(&explanation, Vec::new());
        Ok(reply.into())
    }
}

/// Names for the elements of a relaxation or a contradiction, by dense row.
struct Names<'a>(&'a AnalysisNetwork);

impl Names<'_> {
    fn bus(&self, row: usize) -> ElementRef {
        ElementRef::from(&self.0.buses[row])
    }

    fn branch(&self, row: usize) -> ElementRef {
        ElementRef::from(&self.0.branches[row])
    }

    fn named(&self, kind: ElementKind, row: usize) -> c::NamedElement {
        let (element, name, buses) = match kind {
            ElementKind::Bus => (self.bus(row), self.0.buses[row].name.clone(), None),
            _ => {
                let b = &self.0.branches[row];
                let ends = [b.from, b.to].map(|bus| self.0.buses[bus].id);
                (self.branch(row), None, Some(ends.to_vec()))
            }
        };
        c::NamedElement {
            kind: kind_name(kind).into(),
            id: element.id,
            uid: element.uid,
            name,
            buses,
            ..c::NamedElement::default()
        }
    }
}

fn named_explanation(network: &AnalysisNetwork, e: &ConicExplanation) -> c::Explanation {
    let names = Names(network);
    let reason = reason(&names, e);
    let remedy = remedy(&names, e);
    let message = message!(
        "no_solution.explained",
        reason = reason.clone(),
        remedy = remedy.clone()
    );
    let limit = |kind, limits: &[wattbook_solve::conic::NamedLimit], limit: fn(bool) -> c::LimitKind| {
        let of = |l: &wattbook_solve::conic::NamedLimit| c::ContradictingLimit {
            element: names.named(kind, l.row),
            limit: limit(l.is_upper),
            weight: plain(l.weight),
            limit_mw: None,
            rating_assumed: false,
        };
        limits.iter().map(of).collect::<Vec<_>>()
    };
    let mut elements = limit(ElementKind::Branch, &e.names.ratings, |_| c::LimitKind::Rating);
    elements.extend(limit(ElementKind::Branch, &e.names.angles, |_| c::LimitKind::Angle));
    elements.extend(limit(ElementKind::Bus, &e.names.voltages, voltage_limit));
    elements.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    let mut explanation = c::Explanation {
        kind: match e.names.is_shortage {
            true => c::ExplanationKind::Balance,
            false => c::ExplanationKind::Lines,
        },
        message: message.to_string(),
        reason: reason.to_string(),
        remedy: remedy.to_string(),
        sentence: sentence(&message),
        relaxation_total_mw: plain(e.at_most_mw),
        is_least: is_least(e),
        elements,
        relaxation: relaxed(&names, e),
        demand_limit: None,
        verified: c::ExplanationCheck {
            bound_mw: plain(e.at_least_mw),
            gap_mw: plain((e.at_most_mw - e.at_least_mw).max(0.0)),
            margin_mw: 0.0,
            slope_usd_per_mwh: None,
        },
    };
    crate::problem::assumed::mark(network, &mut explanation);
    explanation
}

/// Whether the relaxation was verified to suffice and a proof excludes smaller ones, to rounding.
fn is_least(e: &ConicExplanation) -> bool {
    e.is_checked && e.at_most_mw - e.at_least_mw <= 1e-3 * e.at_most_mw + NONE_MW
}

fn voltage_limit(is_upper: bool) -> c::LimitKind {
    match is_upper {
        true => c::LimitKind::VoltageMaximum,
        false => c::LimitKind::VoltageMinimum,
    }
}

/// Relaxed limits with their cost, largest first.
fn relaxed(names: &Names, e: &ConicExplanation) -> Vec<c::RelaxedLimit> {
    let mut found: Vec<(f64, c::RelaxedLimit)> = Vec::new();
    let mut relax = |cost: f64, element: c::NamedElement, limit, amount: Amount| {
        if cost > NONE_MW {
            let (mw, rounded_mw) = match amount {
                Amount::Power(mw) => (plain(mw), up(mw)),
                _ => (0.0, 0.0),
            };
            let limit = c::RelaxedLimit {
                element,
                limit,
                mw,
                rounded_mw,
                angle_deg: match amount {
                    Amount::Angle(degrees) => Some(rounded_up(degrees, PER_DEGREE)),
                    _ => None,
                },
                voltage_pu: match amount {
                    Amount::Voltage(pu) => Some(rounded_up(pu, PER_PU)),
                    _ => None,
                },
                rating_assumed: false,
            };
            found.push((cost, limit));
        }
    };
    for &(row, [p, q]) in &e.relaxation.missing {
        let side = if p < 0.0 {
            c::LimitKind::Injection
        } else {
            c::LimitKind::Demand
        };
        let bus = || names.named(ElementKind::Bus, row);
        relax(p.abs(), bus(), side, Amount::Power(p.abs()));
        let side = match q < 0.0 {
            true => c::LimitKind::ReactiveAbsorption,
            false => c::LimitKind::ReactiveSupply,
        };
        relax(q.abs(), bus(), side, Amount::Power(q.abs()));
    }
    for &(row, by) in &e.relaxation.raised {
        let branch = names.named(ElementKind::Branch, row);
        relax(by, branch, c::LimitKind::Rating, Amount::Power(by));
    }
    for l in &e.relaxation.voltages {
        let (bus, cost) = (names.named(ElementKind::Bus, l.row), l.by / VOLTAGE_PER_MW);
        relax(cost, bus, voltage_limit(l.is_upper), Amount::Voltage(l.by));
    }
    for l in &e.relaxation.angles {
        let (branch, cost) = (names.named(ElementKind::Branch, l.row), l.by / ANGLE_PER_MW);
        relax(cost, branch, c::LimitKind::Angle, Amount::Angle(l.by.to_degrees()));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, limit)| limit).collect()
}

/// The amount by which a limit is relaxed: MW, MVAr or MVA; per unit; degrees.
enum Amount {
    Power(f64),
    Voltage(f64),
    Angle(f64),
}

/// Rounded up to a tenth.
fn up(x: f64) -> f64 {
    rounded_up(x, PER_MW)
}

/// The contradiction: limits by name, largest multiplier first, or a shortage of supply.
fn reason(names: &Names, e: &ConicExplanation) -> Message {
    let missing: f64 = e.relaxation.missing.iter().map(|(_, [p, _])| p).sum();
    let e = &e.names;
    if e.is_shortage {
        return match missing < 0.0 {
            true => message!("socwr.surplus"),
            false => message!("socwr.shortage"),
        };
    }
    let mut limits: Vec<(f64, Value)> = Vec::new();
    let mut see = |weight: f64, message: Message| limits.push((weight, Value::Message(message)));
    for l in &e.ratings {
        see(l.weight, message!("socwr.rating", branch = &names.branch(l.row)));
    }
    for l in &e.angles {
        see(l.weight, message!("socwr.angle", branch = &names.branch(l.row)));
    }
    for l in &e.voltages {
        let bus = names.bus(l.row);
        let message = match l.is_upper {
            true => message!("socwr.voltage_maximum", bus = &bus),
            false => message!("socwr.voltage_minimum", bus = &bus),
        };
        see(l.weight, message);
    }
    limits.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    match limits.is_empty() {
        true => message!("socwr.balances"),
        false => message!("socwr.limits", limits = list(limits)),
    }
}

/// The first items of a list, and the number of the others.
fn list(items: Vec<(f64, Value)>) -> Value {
    let more = items.len().saturating_sub(NAMED);
    let mut named: Vec<Value> = items.into_iter().take(NAMED).map(|(_, message)| message).collect();
    if more > 0 {
        named.push(Value::Message(message!("list.more", count = more)));
    }
    Value::List(named)
}

/// The heading of a relaxation: minimum where that is proved, estimate where nothing verified that it suffices.
fn heading(e: &ConicExplanation) -> Message {
    match (is_least(e), e.is_checked) {
        (true, _) => message!("remedy.heading"),
        (false, true) => message!("socwr.heading_best"),
        (false, false) => message!("socwr.heading_estimate"),
    }
}

/// One relaxation with its heading.
fn remedy(names: &Names, e: &ConicExplanation) -> Message {
    let mut items: Vec<(f64, Value)> = Vec::new();
    let mut see = |size: f64, message: Message| {
        if size > NONE_MW {
            items.push((size, Value::Message(message)));
        }
    };
    for &(row, [p, q]) in &e.relaxation.missing {
        let bus = names.bus(row);
        let active = match p < 0.0 {
            true => message!("socwr.take_power", bus = &bus, amount = mw(up(-p))),
            false => message!("socwr.give_power", bus = &bus, amount = mw(up(p))),
        };
        see(p.abs(), active);
        let reactive = match q < 0.0 {
            true => message!("socwr.take_power", bus = &bus, amount = mvar(up(-q))),
            false => message!("socwr.give_power", bus = &bus, amount = mvar(up(q))),
        };
        see(q.abs(), reactive);
    }
    for &(row, by) in &e.relaxation.raised {
        let branch = names.branch(row);
        see(
            by,
            message!("socwr.raise_rating", branch = &branch, amount = mva(up(by))),
        );
    }
    let powers = items.len();
    let mut see = |size: f64, message: Message| {
        if size > NONE_MW {
            items.push((size, Value::Message(message)));
        }
    };
    for l in &e.relaxation.voltages {
        let (bus, amount) = (names.bus(l.row), amounts::plain(rounded_up(l.by, PER_PU), "pu"));
        let message = match l.is_upper {
            true => message!("socwr.raise_voltage", bus = &bus, amount = amount),
            false => message!("socwr.lower_voltage", bus = &bus, amount = amount),
        };
        see(l.by / VOLTAGE_PER_MW, message);
    }
    for l in &e.relaxation.angles {
        let (element, by) = (names.branch(l.row), rounded_up(l.by.to_degrees(), PER_DEGREE));
        let message = message!(
            "relax.angle_only",
            element = &element,
            angle = amounts::plain(by, "degrees")
        );
        see(l.by / ANGLE_PER_MW, message);
    }
    let has_only_powers = items.len() == powers;
    items.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (heading, total, items) = (heading(e), mw(up(e.at_most_mw)), list(items));
    match has_only_powers {
        true => message!("socwr.relaxation", heading = heading, total = total, items = items),
        false => message!("socwr.relaxation_of_limits", heading = heading, items = items),
    }
}
