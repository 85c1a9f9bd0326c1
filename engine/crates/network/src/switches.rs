//! Switches as branches: closed without impedance, which merges its ends to one node, and open out of service.

use powerio::{BalancedNetwork, Branch, PioModule, PioValue, Switch};

/// Mark of a branch that is a switch in its source.
pub(crate) const SWITCH: &str = "wattbook_switch";

/// A branch without impedance and without a limit of its angle difference.
pub(crate) fn branch(from: powerio::BusId, to: powerio::BusId, closed: bool) -> Branch {
    let mut branch = Branch::new(from, to, 0.0, 0.0);
    branch.in_service = closed;
    branch.extras.insert(SWITCH.into(), true.into());
    branch
}

/// Converts the switches of a balanced module to branches behind its others; other modules are unchanged.
pub(crate) fn as_branches(module: &mut PioModule<PioValue>) {
    match module.value() {
        PioValue::BalancedNetwork(network) if !network.switches().is_empty() => {}
        _ => return,
    }
    if let PioValue::BalancedNetwork(network) = module.value_mut() {
        let switches: Vec<Branch> = network.switches().iter().map(|s| converted(network, s)).collect();
        network.switches_mut().clear();
        network.branches_mut().extend(switches);
    }
}

fn converted(network: &BalancedNetwork, switch: &Switch) -> Branch {
    let mut branch = branch(switch.from, switch.to, switch.closed);
    branch.rate_a = switch.thermal_rating.unwrap_or(0.0);
    let is_own = |uid: &&String| !network.uid_is_generated(Some(uid));
    branch.uid = switch.uid.as_ref().filter(is_own).cloned();
    let text = |key: &str| switch.extras.get(key).and_then(|value| value.as_str());
    branch.name = text("name").map(str::to_string);
    branch
}
