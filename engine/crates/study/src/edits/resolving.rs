//! Edits by element key as edits by dense row, each checked.

use super::amounts::{Edited, DEMAND, RATING, REACTIVE_DEMAND};
use super::targets::{isolated, not_editable, not_rated, out_of_service, Parts};
use super::{generators, Edits};
use crate::case::Case;
use crate::contract as c;
use crate::convert::{branch_ref, bus_ref};
use std::collections::BTreeMap;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

impl Edits {
    /// Resolves keys. With generators put in or out of service other elements take part than `parts`, which are those of the case:
    /// what is edited is checked then with those of the problem that they make ([`Edits::check_parts`]).
    ///
    /// Errors: `DELTA.MALFORMED`, `DELTA.UNKNOWN_BUS`, `BUS.AMBIGUOUS`, `DELTA.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`, `RATE.MALFORMED`,
    /// `RATE.UNKNOWN_BRANCH`, `RATE.OUT_OF_SERVICE`, `GENERATOR.*`.
    pub fn resolve(case: &Case, parts: &dyn Parts, wanted: &c::Edits) -> Result<Self> {
        let mut edits = Self::default();
        let switches = wanted.generators.values().any(|unit| unit.status.is_some());
        let parts = (!switches).then_some(parts);
        for (key, &mw) in &wanted.deltas {
            edited_bus(case, parts, key, &DEMAND, mw, &mut edits.demand)?;
        }
        for (key, &mvar) in &wanted.reactive {
            edited_bus(case, parts, key, &REACTIVE_DEMAND, mvar, &mut edits.reactive)?;
        }
        for (key, &mw) in &wanted.rates {
            let branch = case
                .keys
                .branch(key)
                .ok_or_else(|| EngineError::new("RATE.UNKNOWN_BRANCH", message!("edit.unknown_branch", key = key)))?;
            let row = &case.network.branches[branch];
            let element = branch_ref(row);
            RATING.check(&element, mw)?;
            if !row.editable {
                return Err(not_editable(element));
            }
            if parts.is_some_and(|parts| !parts.branch_takes_part(branch)) {
                return Err(out_of_service(element));
            }
            if !row.is_rated() {
                return Err(not_rated(row));
            }
            add(&mut edits.rating, branch, mw, &RATING, &element)?;
        }
        edits.generators = generators::resolve(case, &wanted.generators)?;
        edits.demand.retain(|_, mw| *mw != 0.0);
        edits.rating.retain(|_, mw| *mw != 0.0);
        Ok(edits)
    }
}

fn edited_bus(
    case: &Case,
    parts: Option<&dyn Parts>,
    key: &str,
    what: &Edited,
    amount: f64,
    changes: &mut BTreeMap<usize, f64>,
) -> Result<()> {
    let bus = case.bus_row(key, "DELTA.UNKNOWN_BUS")?;
    let row = &case.network.buses[bus];
    let element = bus_ref(row);
    what.check(&element, amount)?;
    if !row.editable {
        return Err(not_editable(element));
    }
    if parts.is_some_and(|parts| !parts.bus_takes_part(bus)) {
        return Err(isolated(element));
    }
    add(changes, bus, amount, what, &element)
}

/// Adds what another spelling of the element says.
fn add(changes: &mut BTreeMap<usize, f64>, row: usize, amount: f64, what: &Edited, element: &ElementRef) -> Result<()> {
    let sum = changes.entry(row).or_insert(0.0);
    *sum += amount;
    what.check(element, *sum)
}
