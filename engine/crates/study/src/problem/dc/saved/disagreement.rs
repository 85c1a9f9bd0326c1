//! Whether a stored network belongs to its result.

use super::details::Published;
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, Cost, ElementKind, ElementRef, StorageModel};
use wattbook_network::message;
use wattbook_network::message::Message;

/// Largest relative difference between a stored network and its result.
pub(super) const SAME: f64 = 1e-6;

/// The first difference between a network and its result: nodal balances, ratings, cost.
pub(super) fn disagreement(network: &AnalysisNetwork, s: &Published, objective: f64) -> Option<Message> {
    let base = network.base_mva;
    let mut row_of_bus = BTreeMap::new();
    let mut balance = vec![None; network.buses.len()];
    for (row, bus) in network.buses.iter().enumerate() {
        row_of_bus.insert(bus.id, row);
    }
    let mut scale = 1.0f64;
    let conductance = network.conductance_pu();
    for value in &s.prices {
        let Some(&row) = row_of_bus.get(&value.bus) else {
            return Some(message!(
                "module.changed.no_bus",
                bus = &missing(ElementKind::Bus, value.bus)
            ));
        };
        let bus = &network.buses[row];
        let drawn = (bus.demand_pu + conductance[row]) * base;
        scale = scale.max(drawn.abs());
        balance[row] = Some(-drawn);
    }
    let mut add = |row: usize, mw: f64| {
        if let Some(sum) = &mut balance[row] {
            *sum += mw;
        }
    };
    for flow in &s.flows {
        let Some(branch) = network.branches.get((flow.branch as usize).wrapping_sub(1)) else {
            let branch = missing(ElementKind::Branch, flow.branch);
            return Some(message!("module.changed.no_branch", branch = &branch));
        };
        add(branch.from, -flow.mw);
        add(branch.to, flow.mw);
        let rating = branch.rating_pu * base;
        let is_loaded_so = match rating.is_finite() {
            true => (flow.loading * rating - flow.mw.abs()).abs() <= SAME * (1.0 + flow.mw.abs()),
            false => flow.loading == 0.0,
        };
        if !is_loaded_so {
            return Some(message!("module.changed.rating", branch = &ElementRef::from(branch)));
        }
    }
    let mut cost = 0.0;
    for unit in &s.dispatch {
        let Some(generator) = network.generators.get((unit.gen as usize).wrapping_sub(1)) else {
            let generator = missing(ElementKind::Generator, unit.gen);
            return Some(message!("module.changed.no_generator", generator = &generator));
        };
        add(generator.bus, unit.mw);
        cost += cost_of(&generator.cost, unit.mw / base);
    }
    for &(id, [from, to]) in &s.links {
        let Some(link) = network.links.get((id as usize).wrapping_sub(1)) else {
            return Some(message!("module.changed.rows"));
        };
        add(link.from, -from);
        add(link.to, to);
        cost += cost_of(&link.cost, from / base);
        let delivered = link.delivered_pu(from / base) * base;
        if (delivered - to).abs() > SAME * (1.0 + to.abs()) {
            return Some(message!(
                "module.changed.balance",
                bus = &ElementRef::from(&network.buses[link.to])
            ));
        }
    }
    for &(id, mw) in &s.storages {
        let Some(storage) = network.storages.get((id as usize).wrapping_sub(1)) else {
            return Some(message!("module.changed.rows"));
        };
        add(storage.bus, mw);
        if storage.model == StorageModel::Valued {
            cost += cost_of(&storage.cost(base), mw / base);
        }
    }
    let worst = balance
        .iter()
        .enumerate()
        .find(|(_, sum)| sum.is_some_and(|mw| mw.abs() > SAME * scale));
    if let Some((row, _)) = worst {
        return Some(message!(
            "module.changed.balance",
            bus = &ElementRef::from(&network.buses[row])
        ));
    }
    let apart = (cost - objective).abs() > SAME * (1.0 + objective.abs());
    apart.then(|| message!("module.changed.costs"))
}

pub(super) fn missing(kind: ElementKind, id: u64) -> ElementRef {
    ElementRef::numbered(kind, id)
}

/// $/h of a generator or a link at a power.
pub(super) fn cost_of(cost: &Cost, p: f64) -> f64 {
    match cost {
        Cost::Quadratic { c2, c1, c0 } => (c2 * p + c1) * p + c0,
        Cost::PiecewiseLinear { points } => {
            // The segment that contains p; the first and the last one extend outwards.
            let segments = points.windows(2);
            let k = segments.clone().skip(1).take_while(|s| s[0][0] <= p).count();
            let at = |s: &[[f64; 2]]| s[0][1] + (p - s[0][0]) * (s[1][1] - s[0][1]) / (s[1][0] - s[0][0]);
            segments.clone().nth(k).map_or(0.0, at)
        }
    }
}
