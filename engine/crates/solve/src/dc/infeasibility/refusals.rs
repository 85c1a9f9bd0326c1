//! Proofs that no dispatch exists, verified numerically before they are reported (Farkas' lemma on the box of
//! dispatches).

use crate::dc::infeasibility::farkas_ray::{Excess, FarkasRay};
use crate::dc::infeasibility::messages;
use crate::dc::model::{DcData, DcModel};
use serde_json::json;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::Message;

/// Refuses bounds of one element that contradict each other.
pub(crate) fn check_limits(model: &DcModel, data: &DcData) -> Result<()> {
    for column in &model.columns {
        if column.lo > column.hi {
            let element = model.gen_ids[column.generator].clone();
            let base = model.base_mva;
            let reason = messages::output_limits(&element, column.lo * base, column.hi * base);
            return Err(crossing(reason, element, (column.lo - column.hi) * base));
        }
    }
    for (l, line) in model.lines.iter().enumerate() {
        if line.merged.is_some() {
            check_merged_angle_limit(model, l)?;
        }
        let (lo, hi) = line.limits(data.rating[line.row]);
        if lo > hi {
            let element = model.branch_ids[line.row].clone();
            let reason = messages::angle_and_rating(&element, data.rating[line.row] * model.base_mva);
            let mw = if line.is_angle_difference() {
                0.0
            } else {
                (lo - hi) * model.base_mva
            };
            return Err(crossing(reason, element, mw));
        }
    }
    Ok(())
}

/// Two limits of one element that cross.
fn crossing(reason: Message, element: ElementRef, mw: f64) -> EngineError {
    EngineError::new("SOLVE.INFEASIBLE", message!("no_solution", reason = reason))
        .at(element)
        .with_details(json!({ "kind": "bounds", "shortfall_mw": mw, "lines": [] }))
}

/// The stronger of two proved refusals: the solver's own, or that of the limits around a bus or behind a bridge. In
/// both, `details.shortfall_mw` is a lower bound on every relaxation.
pub fn certain(model: &DcModel, data: &DcData, error: EngineError) -> EngineError {
    let shortfall = |error: &EngineError| {
        let details = error.details.as_ref()?;
        details.get("shortfall_mw")?.as_f64()
    };
    match (model.presolve_infeasibility(data), shortfall(&error)) {
        (Err(presolve), Some(own)) if shortfall(&presolve).is_some_and(|mw| mw > own) => presolve,
        _ => error,
    }
}

/// The ends of a branch without impedance have the same angle.
fn check_merged_angle_limit(model: &DcModel, l: usize) -> Result<()> {
    let line = &model.lines[l];
    let element = model.branch_ids[line.row].clone();
    if line.angle_min > 0.0 || line.angle_max < 0.0 {
        let reason = message!("reason.angle_without_impedance", branch = &element);
        return Err(EngineError::new("SOLVE.INFEASIBLE", message!("no_solution", reason = reason)).at(element));
    }
    Ok(())
}

/// Refuses a line in a loop of branches without impedance whose published flow exceeds its rating: around such a loop
/// no flow limit can be enforced.
pub(crate) fn merged_loop(model: &DcModel, data: &DcData, l: usize) -> EngineError {
    let element = model.element_of_line(l).clone();
    let rating = mw_exact(data.rating[model.lines[l].row] * model.base_mva);
    let message = message!("physics.merged_loop", branch = &element, rating = rating);
    EngineError::new("PHYSICS.UNSUPPORTED", message).at(element)
}

/// Refuses an optimum in which a link sends power in both directions.
pub(crate) fn circulating(model: &DcModel, link: usize) -> EngineError {
    let sending = model.links.sendings.iter().find(|s| s.link == link);
    let element = sending.map(|s| model.gen_ids[s.generators[0]].clone());
    let error = |message| EngineError::new("PHYSICS.UNSUPPORTED", message);
    match element {
        Some(link) => error(message!("physics.link_circulates", link = &link)).at(link),
        None => error(message!("solve.singular")),
    }
}

/// Refuses demand that the generators of its island cannot meet, ignoring lines.
pub(crate) fn check_balance(model: &DcModel, island_demand: &[f64]) -> Result<()> {
    let mut range = vec![(0.0, 0.0, 0.0); model.islands.len()];
    for column in &model.columns {
        let Some((low, high, reach)) = range.get_mut(column.island) else {
            continue;
        };
        let (lo, hi) = column.limits();
        *low += lo;
        *high += hi;
        *reach += [lo, hi]
            .into_iter()
            .filter(|limit| limit.is_finite())
            .map(f64::abs)
            .sum::<f64>();
    }
    for (island, (&demand, (low, high, reach))) in island_demand.iter().zip(range).enumerate() {
        let tolerance = 1e-9 * (1.0 + reach);
        if demand > high + tolerance {
            return Err(island_balance(model, island, demand - high));
        }
        if demand < low - tolerance {
            return Err(island_balance(model, island, demand - low));
        }
    }
    Ok(())
}

/// Demand of an island outside the range of its generators; `shortfall` is per unit, negative for too much must-run
/// generation.
pub(crate) fn island_balance(model: &DcModel, island: usize, shortfall: f64) -> EngineError {
    let reason = messages::balance(model, island, shortfall > 0.0);
    let mw = shortfall.abs() * model.base_mva;
    EngineError::new("SOLVE.INFEASIBLE", message!("no_solution", reason = reason))
        .with_details(json!({ "kind": "balance", "shortfall_mw": mw, "lines": [] }))
}

/// The ray as a proof, if its excess is significant. Names the conflicting lines, or the island whose generators alone
/// contradict its demand.
pub(crate) fn contradiction(model: &DcModel, ray: &FarkasRay, excess: Excess) -> Option<EngineError> {
    if !excess.is_proof() {
        return None;
    }
    if let Some((island, price)) = ray.balance(model) {
        return Some(island_balance(model, island, excess.value / price));
    }
    let mut lines: Vec<(f64, usize)> = ray.lines.iter().map(|&(l, y)| (y.abs(), l)).collect();
    lines.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    let largest = lines.first().map_or(1.0, |l| l.0);
    lines.retain(|l| l.0 > 1e-6 * largest);
    let mw = excess.value / ray.dearest(model) * model.base_mva;
    let reason = messages::lines(lines.iter().map(|l| model.element_of_line(l.1)).collect());
    let branches = lines.iter().filter(|l| model.lines[l.1].tie.is_none());
    let details = json!({
        "kind": "lines",
        "shortfall_mw": mw,
        "lines": branches.map(|l| json!({ "branch": model.element_of_line(l.1).id, "weight": l.0 / largest })).collect::<Vec<_>>(),
    });
    let message = message!("no_solution", reason = reason);
    let mut error = EngineError::new("SOLVE.INFEASIBLE", message).with_details(details);
    if let Some(l) = lines.first() {
        error = error.at(model.element_of_line(l.1).clone());
    }
    Some(error)
}
