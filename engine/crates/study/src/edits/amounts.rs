//! Which amounts an edit or a demand may have.

use crate::convert::bus_ref;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::power_of_ten;
use wattbook_network::message::{Message, Value};

/// The most MW that an edit or a demand may have: a million gigawatts, far beyond any grid and within what sums can tell apart.
const MOST_MW: f64 = 1e9;

/// What is said of an amount that is none.
pub(super) struct Edited {
    code: &'static str,
    not_finite: fn(&ElementRef) -> Message,
    too_large: fn(&ElementRef, f64) -> Message,
}

pub(super) const DEMAND: Edited = Edited {
    code: "DELTA.MALFORMED",
    not_finite: |bus| message!("edit.demand_not_finite", bus = bus),
    too_large: |bus, mw| {
        message!(
            "edit.demand_too_large",
            bus = bus,
            amount = large(mw),
            most = large(MOST_MW)
        )
    },
};

pub(super) const REACTIVE_DEMAND: Edited = Edited {
    code: "DELTA.MALFORMED",
    not_finite: |bus| message!("edit.reactive_not_finite", bus = bus),
    too_large: |bus, mvar| {
        let (amount, most) = (power_of_ten(mvar, "MVAr"), power_of_ten(MOST_MW, "MVAr"));
        message!("edit.reactive_too_large", bus = bus, amount = amount, most = most)
    },
};

pub(super) const RATING: Edited = Edited {
    code: "RATE.MALFORMED",
    not_finite: |branch| message!("edit.rating_not_finite", branch = branch),
    too_large: |branch, mw| {
        message!(
            "edit.rating_too_large",
            branch = branch,
            amount = large(mw),
            most = large(MOST_MW)
        )
    },
};

fn large(mw: f64) -> Value {
    power_of_ten(mw, "MW")
}

pub(super) fn check_amount(what: &Edited, element: &ElementRef, amount: f64) -> Result<()> {
    let said = if !amount.is_finite() {
        (what.not_finite)(element)
    } else if amount.abs() > MOST_MW {
        (what.too_large)(element, amount)
    } else {
        return Ok(());
    };
    Err(EngineError::new(what.code, said).at(element.clone()))
}

/// Demand and shunts are amounts that sums can tell apart.
///
/// Errors: `PHYSICS.UNSUPPORTED`.
pub(crate) fn check_demand(network: &AnalysisNetwork) -> Result<()> {
    for bus in &network.buses {
        let mw = bus.demand_pu.abs().max(bus.gs_pu.abs()) * network.base_mva;
        if mw.is_nan() || mw > MOST_MW {
            let element = bus_ref(bus);
            let (amount, most) = (large(mw), large(MOST_MW));
            let said = message!("physics.demand_too_large", bus = &element, amount = amount, most = most);
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", said).at(element));
        }
    }
    Ok(())
}
