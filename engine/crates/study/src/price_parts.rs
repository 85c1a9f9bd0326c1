//! What makes a price so, in the contract's terms.

use crate::contract as c;
use crate::convert::plain;
use crate::study::Study;
use wattbook_network::error::{EngineError, Result};
use wattbook_solve::dc::Target;

impl Study {
    /// The price of a bus (`{"bus": key}`) at the committed state as energy and congestion by line (`PriceParts`), without a
    /// solve of the problem.
    ///
    /// Errors: `INPUT.REQUEST`, `BUS.UNKNOWN`, `DELTA.ISOLATED_BUS`.
    pub fn price_parts_json(&self, target_json: &str) -> Result<String> {
        let Target::Demand(row) = self.required_target("price", target_json)? else {
            let message = "Prices are those of buses: the target is {\"bus\": id}.";
            return Err(EngineError::new("INPUT.REQUEST", message));
        };
        let network = &self.problem.network;
        let base = network.base_mva;
        let parts = self.current.price_parts(&self.problem.model, row);
        let part = |p: &wattbook_solve::dc::CongestionPart| c::CongestionPart {
            branch: network.branches[p.branch].id,
            uid: network.branches[p.branch].uid.clone(),
            value: plain(p.value / base),
            shadow: p.shadow / base,
            shift_factor: plain(p.shift_factor),
        };
        Ok(crate::to_json(&c::PriceParts {
            bus: network.buses[row].id,
            uid: network.buses[row].uid.clone(),
            price: plain(parts.price / base),
            energy: plain(parts.energy / base),
            reference: if parts.by_demand {
                c::PriceReference::Demand
            } else {
                c::PriceReference::Even
            },
            congestion: parts.congestion.iter().map(part).collect(),
            residual: plain(parts.residual / base),
        }))
    }
}
