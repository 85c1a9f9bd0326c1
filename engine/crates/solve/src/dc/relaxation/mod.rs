//! Why data are infeasible, and the minimum relaxation (an elastic program) that makes them feasible.
//!
//! The minimum relaxation is the least sum of MW, all of equal weight, of flows beyond ratings and angle-difference limits (in MW of
//! the flow at the limit), unserved demand (at most all of it), and output below its minimum (down to zero). Maximum outputs are
//! physical and fixed. It is one linear program over all of them; of several optima one is reported, with demand only where it
//! reduces the sum or a balance needs it. Its multipliers are a Farkas ray of the data: a positive value proves the conflict and
//! is the lower bound.

mod applied;
mod candidate;
mod candidates;
mod contradicting;
mod entries;
mod entry;
mod interior;
mod relaxed;
mod search;

use crate::dc::infeasibility::messages::{self, scale, up};
use crate::dc::infeasibility::violation_bound::Proof;
use crate::dc::infeasibility::{Contradicting, Explanation, Kind, Relaxation, Verified};
use crate::dc::model::{DcData, DcModel};
use entry::Entry;
use relaxed::Relaxed;
pub use search::Explaining;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

/// Weights this close are equal.
const SAME_WEIGHT: f64 = 1e-6;
/// Largest case, in buses, that is solved if a relaxation leaves no margin; a large one takes long with so little
/// slack.
const MOST_SOLVED: usize = 1000;
/// Number of entries of a relaxation from which figures of demand are not rounded up.
const LONG: usize = 100;
/// Amounts this close, per unit, are equal.
const SAME_AMOUNT: f64 = 1e-9;

/// Explains why `data` are infeasible; `None` if they are feasible.
///
/// # Errors
/// Those of `Explaining`.
pub fn explain(model: &DcModel, data: &DcData) -> Result<Option<Explanation>> {
    let mut search = Explaining::new(model, data)?;
    while !search.step(usize::MAX)? {}
    Ok(search.explanation)
}

/// The explanation of the final relaxation of a search; `at_least` is the proved lower bound on the sum, per unit, if
/// the search was stopped.
///
/// # Errors
/// `SOLVE.NOT_CONVERGED` if a check fails.
fn explanation(relaxed: &Relaxed, proof: &Proof, at_least: Option<f64>) -> Result<Explanation> {
    let (model, data) = (&relaxed.model, &relaxed.original);
    let base = model.base_mva;
    let total = relaxed.total();
    let gap = match at_least {
        Some(at_least) => (total - at_least).max(0.0),
        None => relaxed
            .gap(proof)
            .ok_or_else(|| not_verified(message!("solve.relaxation_multipliers")))?,
    };
    let (amounts, margin) =
        rounded_amounts(relaxed, data, base).ok_or_else(|| not_verified(message!("solve.relaxation_dispatch")))?;
    let mut explanation = Explanation {
        kind: relaxed.kind(),
        reason: messages::several(Vec::new()),
        bare_reason: messages::several(Vec::new()),
        elements: relaxed.contradicting(proof),
        is_least: at_least.is_none(),
        relaxation_total_mw: total * base,
        relaxation: relaxed
            .entries
            .iter()
            .zip(&amounts)
            .map(|(e, amount)| e.relaxation(model, data, *amount))
            .collect(),
        verified: Verified {
            bound_mw: (total - gap) * base,
            gap_mw: gap * base,
            margin_mw: margin * base,
        },
    };
    let size = |r: &Relaxation| (r.mw, r.angle_deg);
    let by_size = |a: &Relaxation, b: &Relaxation| size(b).partial_cmp(&size(a)).unwrap_or(std::cmp::Ordering::Equal);
    explanation.relaxation.sort_by(by_size);
    // Of limits with equal weight, the one that is exceeded most comes first.
    let exceeded = |c: &Contradicting| {
        let mut same = explanation.relaxation.iter().filter(|r| r.element == c.element);
        same.next().map_or(0.0, |r| r.mw)
    };
    let key = |c: &Contradicting| ((c.weight / SAME_WEIGHT).round(), exceeded(c));
    let mut keyed: Vec<_> = explanation.elements.drain(..).map(|c| (key(&c), c)).collect();
    keyed.sort_by(|(a, _), (b, _)| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
    explanation.elements = keyed.into_iter().map(|(_, c)| c).collect();
    let one = |reason: Message| (reason.clone(), reason);
    (explanation.reason, explanation.bare_reason) = match explanation.kind {
        Kind::Bounds => one(messages::bounds(&explanation.elements)),
        Kind::Lines => one(messages::elements(&explanation.elements)),
        Kind::Balance => {
            let islands = relaxed.shortfalls.iter();
            let by = islands.clone().map(|s| messages::balance_by(model, s.island, s.amount));
            let bare = islands.map(|s| messages::balance(model, s.island, s.amount > 0.0));
            (messages::several(by.collect()), messages::several(bare.collect()))
        }
    };
    Ok(explanation)
}

/// Amounts rounded up for display, per unit, and the largest increase: as coarse as the relaxed case remains feasible.
/// Demand is not rounded beyond that of the bus. If rounding adds no margin and the solver finds no optimum on that
/// edge, the amounts are increased by one step (in cases of at most `MOST_SOLVED` buses).
fn rounded_amounts(relaxed: &Relaxed, data: &DcData, base_mva: f64) -> Option<(Vec<f64>, f64)> {
    let exact: Vec<f64> = relaxed.entries.iter().map(|e| e.amount).collect();
    let mut on_edge = None;
    // Each further reduction of demand needs another dispatch, so in a long list these remain unrounded.
    let is_long = relaxed.entries.len() > LONG;
    for (coarse, steps) in [
        (Some(1), 0.0),
        (Some(1), 1.0),
        (Some(3), 0.0),
        (Some(3), 1.0),
        (None, 0.0),
    ] {
        if steps > 0.0 && on_edge.is_none() {
            continue;
        }
        let round = |e: &Entry| match coarse {
            Some(decimals) if e.has_mw && !(is_long && e.demand(data).is_some()) => {
                let mw = e.amount * base_mva;
                let decimals = if mw < 0.9995 { 3 } else { decimals };
                (up(mw, decimals) + steps / scale(decimals)) / base_mva
            }
            _ => e.amount,
        };
        let within = |e: &Entry| match e.demand(data) {
            Some(all) if round(e) > all - SAME_AMOUNT => all,
            _ => round(e),
        };
        let amounts: Vec<f64> = relaxed.entries.iter().map(within).collect();
        if relaxed.is_feasible(&amounts) {
            let margin = amounts.iter().zip(&exact).map(|(a, b)| a - b).fold(0.0, f64::max);
            let is_last = coarse.is_none() || data.demand.len() > MOST_SOLVED;
            if is_last || margin > SAME_AMOUNT || relaxed.has_optimum(&amounts) {
                return Some((amounts, margin));
            }
            on_edge.get_or_insert((amounts, margin));
        }
    }
    on_edge
}

fn not_verified(message: Message) -> EngineError {
    EngineError::new("SOLVE.NOT_CONVERGED", message)
}
