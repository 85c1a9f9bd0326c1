//! What is said where no solution is found.

use super::model::AcModel;
use super::starts::{Loading, Unsolved};
use serde_json::json;
use wattbook_network::error::EngineError;

/// Buses that are named.
const NAMED: usize = 5;

/// `SOLVE.NOT_CONVERGED` with the largest loading that solves, the buses where voltages fall fastest there, and those with the
/// largest mismatch.
pub(crate) fn not_converged(model: &AcModel, unsolved: &Unsolved) -> EngineError {
    let id = |node: &usize| model.bus_ids[model.bus_of_node[*node]].id;
    let size = |node: usize| {
        let [p, q] = unsolved.mismatch[node];
        p.abs().max(q.abs())
    };
    let mut worst: Vec<usize> = (0..unsolved.mismatch.len()).filter(|&node| size(node) > 0.0).collect();
    worst.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    worst.truncate(NAMED);
    let mut message = "The AC power flow does not converge.".to_string();
    let mut details = json!({
        "mismatch": worst.iter().map(|node| json!({
            "bus": id(node),
            "p_mw": unsolved.mismatch[*node][0] * model.base_mva,
            "q_mvar": unsolved.mismatch[*node][1] * model.base_mva,
        })).collect::<Vec<_>>(),
    });
    let mut at = worst.first().copied();
    if let Some(Loading { part, falling }) = &unsolved.loading {
        let buses: Vec<u64> = falling.iter().take(NAMED).map(id).collect();
        message += &format!(" It solves up to {:.1} % of all demand and generation", 100.0 * part);
        message += &match buses.is_empty() {
            true => ".".to_string(),
            false => format!("; voltages collapse at {}.", list(&buses)),
        };
        at = falling.first().copied().or(at);
        details["loading"] = json!(part);
        details["collapse_buses"] = json!(buses);
    }
    if !worst.is_empty() {
        let buses: Vec<u64> = worst.iter().map(id).collect();
        message += &format!(
            " The largest mismatch is {:.3} MVA, at {}.",
            size(worst[0]) * model.base_mva,
            list(&buses)
        );
    }
    let error = EngineError::new("SOLVE.NOT_CONVERGED", message).with_details(details);
    match at {
        Some(node) => error.at(model.bus_ids[model.bus_of_node[node]].clone()),
        None => error,
    }
}

/// `bus 3`, or `buses 1, 2 and 5`.
fn list(ids: &[u64]) -> String {
    let words: Vec<String> = ids.iter().map(u64::to_string).collect();
    match words.split_last() {
        Some((last, [])) => format!("bus {last}"),
        Some((last, rest)) => format!("buses {} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
