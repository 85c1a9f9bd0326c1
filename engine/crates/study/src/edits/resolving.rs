//! Edits by element key as edits by dense row, each checked.

use super::amounts::{check_amount, Edited, DEMAND, RATING, REACTIVE_DEMAND};
use super::targets::{not_editable, out_of_service, Parts};
use super::Edits;
use crate::case::Case;
use crate::contract as c;
use crate::convert::{branch_ref, bus_ref};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

impl Edits {
    /// Resolves keys.
    ///
    /// Errors: `DELTA.MALFORMED`, `DELTA.UNKNOWN_BUS`, `DELTA.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`, `RATE.MALFORMED`,
    /// `RATE.UNKNOWN_BRANCH`, `RATE.OUT_OF_SERVICE`.
    pub fn resolve(case: &Case, parts: &dyn Parts, wanted: &c::Edits) -> Result<Self> {
        let mut edits = Self::default();
        for (key, &mw) in &wanted.deltas {
            let bus = edited_bus(case, parts, key, &DEMAND, mw)?;
            *edits.demand.entry(bus).or_insert(0.0) += mw;
        }
        for (key, &mvar) in &wanted.reactive {
            let bus = edited_bus(case, parts, key, &REACTIVE_DEMAND, mvar)?;
            *edits.reactive.entry(bus).or_insert(0.0) += mvar;
        }
        for (key, &mw) in &wanted.rates {
            let branch = case
                .keys
                .branch(key)
                .ok_or_else(|| EngineError::new("RATE.UNKNOWN_BRANCH", message!("edit.unknown_branch", key = key)))?;
            let row = &case.network.branches[branch];
            let element = branch_ref(row);
            check_amount(&RATING, &element, mw)?;
            if !row.editable {
                return Err(not_editable(element));
            }
            if !parts.branch_takes_part(branch) {
                return Err(out_of_service(element));
            }
            *edits.rating.entry(branch).or_insert(0.0) += mw;
        }
        edits.demand.retain(|_, mw| *mw != 0.0);
        edits.rating.retain(|_, mw| *mw != 0.0);
        Ok(edits)
    }
}

fn edited_bus(case: &Case, parts: &dyn Parts, key: &str, what: &Edited, amount: f64) -> Result<usize> {
    let unknown = || EngineError::new("DELTA.UNKNOWN_BUS", message!("edit.unknown_bus", key = key));
    let bus = case.keys.bus(key).ok_or_else(unknown)?;
    let row = &case.network.buses[bus];
    let element = bus_ref(row);
    check_amount(what, &element, amount)?;
    if !row.editable {
        return Err(not_editable(element));
    }
    if !parts.bus_takes_part(bus) {
        let said = message!("edit.bus_isolated", bus = &element);
        return Err(EngineError::new("DELTA.ISOLATED_BUS", said).at(element));
    }
    Ok(bus)
}
