//! Edits by element key as edits by dense row, each checked.

use super::amounts::{Edited, DEMAND, RATING, REACTIVE_DEMAND};
use super::targets::{isolated, not_editable, not_rated, out_of_service, Parts};
use super::{added, branches, generators, interfaces, links, storages, Edits, NetworkEdits};
use crate::case::Case;
use crate::contract as c;
use std::collections::BTreeMap;
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

impl Edits {
    /// Resolves keys. Edits that put elements in or out of service make a problem with other parts than `parts`, which are those of the
    /// case: [`Edits::check_parts`] checks them there.
    ///
    /// Errors: `DELTA.MALFORMED`, `DELTA.UNKNOWN_BUS`, `BUS.AMBIGUOUS`, `DELTA.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`, `RATE.MALFORMED`,
    /// `RATE.UNKNOWN_BRANCH`, `RATE.OUT_OF_SERVICE`, `GENERATOR.*`, `BRANCH.*`, `LINK.*`, `STORAGE.*`, `INTERFACE.*`, `ADDED.*`.
    pub fn resolve(case: &Arc<Case>, parts: &dyn Parts, wanted: &c::Edits) -> Result<Self> {
        let added = added::resolve(case, &wanted.added)?;
        let unedited = case.with_added(&added);
        let case = if added.is_empty() { case } else { &unedited };
        let mut edits = Self {
            network: NetworkEdits {
                added,
                generators: generators::resolve(&unedited, &wanted.generators)?,
                branches: branches::resolve(&unedited, &wanted.branches)?,
                links: links::resolve(&unedited, &wanted.links)?,
                storages: storages::resolve(&unedited, &wanted.storage)?,
                interfaces: interfaces::resolve(parts, &wanted.interfaces)?,
            },
            ..Self::default()
        };
        let parts = (!edits.network.switches()).then_some(parts);
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
            let element = ElementRef::from(row);
            RATING.check(&element, mw)?;
            if !row.editable {
                return Err(not_editable(element));
            }
            if parts.is_some_and(|parts| !parts.branch_takes_part(branch)) {
                return Err(out_of_service(element));
            }
            let is_rated_by_edit = edits
                .network
                .branches
                .get(&branch)
                .is_some_and(|edit| edit.rating.is_some());
            if !row.is_rated() && !is_rated_by_edit {
                return Err(not_rated(row));
            }
            add(&mut edits.rating, branch, mw, &RATING, &element)?;
        }
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
    let element = ElementRef::from(row);
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
