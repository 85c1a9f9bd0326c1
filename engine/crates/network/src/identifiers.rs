//! Identifiers of parallel branches (circuits) and of the units at a bus, by which lists of outages name elements.
//!
//! Readers keep a circuit where it says more than the order of the rows does. The parser's module has none of units, so
//! the bus has theirs.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use powerio::BalancedNetwork;
use serde_json::Value;

/// Extra of a bus: the identifiers of its units in their order, where they are not 1, 2, ...
pub(crate) const UNITS: &str = "wattbook_units";

/// Extra with the circuit of a PSS/E record, absent for circuit 1.
const PSSE_CIRCUIT: &str = "id";
/// Extras with the circuits of other formats, absent for the place among the parallel branches.
const CIRCUITS: [&str; 4] = ["LineCircuit", "pslf_circuit", "ieee_cdf_circuit", "ucte_order_code"];

/// Circuit of each branch. Branches without one are numbered 1, 2, ... among those between the same buses.
pub(crate) fn circuits(net: &BalancedNetwork) -> Vec<String> {
    let rows = net.branches().iter().map(|branch| {
        let text = |key: &str| match branch.extras.get(key)? {
            Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let pair = [branch.from.0.min(branch.to.0), branch.from.0.max(branch.to.0)];
        let stated = text(PSSE_CIRCUIT);
        let is_psse = stated.is_some();
        (pair, stated.or_else(|| CIRCUITS.into_iter().find_map(text)), is_psse)
    });
    numbered(rows.collect())
}

/// Circuit of each three-winding transformer, as that of branches.
pub(crate) fn transformer_circuits(net: &BalancedNetwork) -> Vec<String> {
    let rows = net.transformers_3w().iter().map(|transformer| {
        let mut buses = transformer.windings.each_ref().map(|winding| winding.bus.0);
        buses.sort_unstable();
        let stated = transformer.extras.get(PSSE_CIRCUIT).and_then(Value::as_str);
        (buses, stated.map(|text| text.trim().to_owned()), true)
    });
    numbered(rows.collect())
}

/// Identifier of each generator; without one the place among the units of its bus.
pub(crate) fn units(net: &BalancedNetwork) -> Vec<String> {
    let stated = net.buses().iter().filter_map(|bus| {
        let ids = bus.extras.get(UNITS)?.as_array()?;
        Some((bus.id, ids.iter().filter_map(Value::as_str)))
    });
    let mut stated: HashMap<_, _> = stated.collect();
    let rows = net.generators().iter().map(|unit| {
        let id = stated.get_mut(&unit.bus).and_then(Iterator::next);
        (unit.bus, id.map(str::to_owned), true)
    });
    numbered(rows.collect())
}

/// Keeps the identifiers of the units, by row, at the buses where they are not 1, 2, ...
pub(crate) fn keep_units<'a>(net: &mut BalancedNetwork, ids: impl Iterator<Item = &'a str>) {
    let mut at_buses: HashMap<_, Vec<&str>> = HashMap::new();
    for (unit, id) in net.generators().iter().zip(ids) {
        let id = Some(id.trim()).filter(|id| !id.is_empty()).unwrap_or("1");
        at_buses.entry(unit.bus).or_default().push(id);
    }
    at_buses.retain(|_, ids| ids.iter().enumerate().any(|(at, id)| *id != (at + 1).to_string()));
    for bus in net.buses_mut().iter_mut() {
        if let Some(ids) = at_buses.get(&bus.id) {
            bus.extras.insert(UNITS.into(), serde_json::json!(ids));
        }
    }
}

/// The stated identifiers, and numbers for the others: in formats that omit 1 the least free one, otherwise the place
/// among the elements with the same key.
fn numbered<K: Copy + Eq + Hash>(rows: Vec<(K, Option<String>, bool)>) -> Vec<String> {
    let mut taken: HashMap<K, (HashSet<&str>, bool)> = HashMap::new();
    for (key, stated, omits_one) in &rows {
        if let Some(id) = stated {
            let of_key = taken.entry(*key).or_default();
            of_key.0.insert(id);
            of_key.1 |= omits_one;
        }
    }
    let mut places: HashMap<K, (u64, u64)> = HashMap::new();
    let ids = rows.iter().map(|(key, stated, _)| {
        let (place, free) = places.entry(*key).or_default();
        *place += 1;
        if let Some(id) = stated {
            return id.clone();
        }
        let of_key = taken.get(key);
        let is_taken = |number: u64| of_key.is_some_and(|(ids, _)| ids.contains(number.to_string().as_str()));
        let omits_one = of_key.is_some_and(|(_, omits_one)| *omits_one);
        if !omits_one && !is_taken(*place) && *place > *free {
            *free = *place;
            return place.to_string();
        }
        *free += 1;
        while is_taken(*free) {
            *free += 1;
        }
        free.to_string()
    });
    ids.collect()
}

#[cfg(test)]
mod tests {
    use super::numbered;

    fn ids(stated: &[Option<&str>], omits_one: bool) -> Vec<String> {
        let rows = stated
            .iter()
            .map(|id| (0, id.map(str::to_owned), omits_one && id.is_some()));
        numbered(rows.collect())
    }

    #[test]
    fn identifiers_that_readers_omit_come_back() {
        assert_eq!(ids(&[None, None, None], false), ["1", "2", "3"]);
        // PowerWorld omits the place, PSS/E circuit 1.
        assert_eq!(ids(&[Some("3"), None], false), ["3", "2"]);
        assert_eq!(ids(&[Some("2"), None], false), ["2", "1"]);
        assert_eq!(ids(&[Some("3"), None], true), ["3", "1"]);
        assert_eq!(ids(&[Some("BL"), None, Some("2"), None], true), ["BL", "1", "2", "3"]);
    }
}
