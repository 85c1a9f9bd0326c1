//! The error for a power flow without a solution.

use super::starts::{Loading, Unsolved};
use crate::ac::model::analysis::AcModel;
use serde_json::json;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::message::amounts::{percent, residual};

/// Number of buses that the message names.
const NAMED: usize = 5;

/// `SOLVE.NOT_CONVERGED` with the largest loading that has a solution, the buses whose voltages fall fastest there, and
/// the buses with the largest mismatch.
pub(crate) fn not_converged(model: &AcModel, unsolved: &Unsolved) -> EngineError {
    let id = |node: &usize| model.bus_ids[model.bus_of_node[*node]].id;
    let size = |node: usize| {
        let [p, q] = unsolved.mismatch[node];
        p.abs().max(q.abs())
    };
    let mut worst: Vec<usize> = (0..unsolved.mismatch.len()).filter(|&node| size(node) > 0.0).collect();
    worst.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    worst.truncate(NAMED);
    let elements = |nodes: &[usize]| -> Vec<&ElementRef> {
        nodes
            .iter()
            .map(|&node| &model.bus_ids[model.bus_of_node[node]])
            .collect()
    };
    let mut details = json!({
        "mismatch": worst.iter().map(|node| json!({
            "bus": id(node),
            "p_mw": unsolved.mismatch[*node][0] * model.base_mva,
            "q_mvar": unsolved.mismatch[*node][1] * model.base_mva,
        })).collect::<Vec<_>>(),
    });
    let mut at = worst.first().copied();
    let mut collapse = Vec::new();
    if let Some(Loading { part, falling }) = &unsolved.loading {
        collapse = elements(&falling[..falling.len().min(NAMED)]);
        at = falling.first().copied().or(at);
        details["loading"] = json!(part);
        details["collapse_buses"] = json!(collapse.iter().map(|bus| bus.id).collect::<Vec<_>>());
    }
    let loading = unsolved.loading.as_ref().map(|loading| percent(loading.part));
    let mismatch = worst.first().map(|&node| residual(size(node) * model.base_mva, "MVA"));
    let worst = elements(&worst);
    let message = match (loading, mismatch) {
        (None, None) => message!("ac.not_converged"),
        (None, Some(mismatch)) => message!("ac.not_converged_mismatch", mismatch = mismatch, worst = worst),
        (Some(loading), None) if collapse.is_empty() => message!("ac.not_converged_loading", loading = loading),
        (Some(loading), None) => message!("ac.collapse", loading = loading, collapse = collapse),
        (Some(loading), Some(mismatch)) if collapse.is_empty() => message!(
            "ac.not_converged_loading_mismatch",
            loading = loading,
            mismatch = mismatch,
            worst = worst,
        ),
        (Some(loading), Some(mismatch)) => message!(
            "ac.collapse_mismatch",
            loading = loading,
            collapse = collapse,
            mismatch = mismatch,
            worst = worst,
        ),
    };
    let error = EngineError::new("SOLVE.NOT_CONVERGED", message).with_details(details);
    match at {
        Some(node) => error.at(model.bus_ids[model.bus_of_node[node]].clone()),
        None => error,
    }
}
