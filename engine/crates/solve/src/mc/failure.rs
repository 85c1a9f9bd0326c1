//! Errors without a solution.

use super::voltages::Unsolved;
use serde_json::json;
use wattbook_network::error::EngineError;
use wattbook_network::feeder::Feeder;
use wattbook_network::message;
use wattbook_network::message::amounts::{percent, power_of_ten};

/// Number of terminals that the message names.
const NAMED: usize = 20;

/// The error for a part of the network, around a node, without a defined voltage to ground.
pub(crate) fn ungrounded(feeder: &Feeder, galvanic: &[usize], node: usize) -> EngineError {
    let part =
        (0..galvanic.len()).filter(|&other| galvanic[other] == galvanic[node] && !feeder.nodes[other].is_grounded);
    let terminals: Vec<String> = part.map(|node| feeder.node_name(node)).collect();
    let named: Vec<String> = terminals.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let bus = &feeder.buses[feeder.nodes[node].bus];
    let element = match bus.is_written {
        true => format!("bus.{}", bus.name),
        false => bus.name.clone(),
    };
    let message = message!("feeder.ungrounded", terminals = named);
    EngineError::new("PHYSICS.UNGROUNDED", message).with_details(json!({ "element": element, "terminals": terminals }))
}

pub(crate) fn singular_impedance(line: &str) -> EngineError {
    let message = message!("feeder.singular_impedance", element = line);
    EngineError::new("INPUT.SINGULAR_IMPEDANCE", message).with_details(json!({ "element": line }))
}

/// The error for a load whose law has no current at zero voltage.
pub(crate) fn no_voltage(load: &str) -> EngineError {
    let message = message!("feeder.load_without_voltage", element = load);
    EngineError::new("PHYSICS.NO_VOLTAGE", message).with_details(json!({ "element": load }))
}

/// `SOLVE.NOT_CONVERGED` with the largest share of the load that has a solution, and the terminal that changed most in
/// the last step.
pub(crate) fn not_converged(unsolved: &Unsolved, terminal: Option<String>, loading: f64) -> EngineError {
    let details = json!({
        "loading": loading,
        "terminal": terminal,
        "last_change_pu": unsolved.change_pu,
        "iterations": unsolved.iterations,
    });
    let message = message!(
        "feeder.not_converged",
        loading = percent(loading),
        terminal = terminal.unwrap_or_default(),
        change = power_of_ten(unsolved.change_pu, "pu")
    );
    EngineError::new("SOLVE.NOT_CONVERGED", message).with_details(details)
}
