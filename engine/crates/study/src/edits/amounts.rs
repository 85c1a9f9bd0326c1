//! Which amounts an edit or a demand may have.

use crate::amounts::{fit, Unfit};
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::{Message, Value};

/// The messages for an edit that is no amount.
pub(super) struct Edited {
    code: &'static str,
    unit: &'static str,
    not_finite: fn(&ElementRef) -> Message,
    too_large: fn(&ElementRef, Value, Value) -> Message,
}

pub(super) const DEMAND: Edited = Edited {
    code: "DELTA.MALFORMED",
    unit: "MW",
    not_finite: |bus| message!("edit.demand_not_finite", bus = bus),
    too_large: |bus, amount, most| message!("edit.demand_too_large", bus = bus, amount = amount, most = most),
};

pub(super) const REACTIVE_DEMAND: Edited = Edited {
    code: "DELTA.MALFORMED",
    unit: "MVAr",
    not_finite: |bus| message!("edit.reactive_not_finite", bus = bus),
    too_large: |bus, amount, most| message!("edit.reactive_too_large", bus = bus, amount = amount, most = most),
};

pub(super) const RATING: Edited = Edited {
    code: "RATE.MALFORMED",
    unit: "MW",
    not_finite: |branch| message!("edit.rating_not_finite", branch = branch),
    too_large: |branch, amount, most| message!("edit.rating_too_large", branch = branch, amount = amount, most = most),
};

pub(super) const GENERATOR_LIMIT: Edited = Edited {
    code: "GENERATOR.MALFORMED",
    unit: "MW",
    not_finite: |generator| message!("edit.generator_limit_not_finite", generator = generator),
    too_large: |generator, amount, most| {
        message!(
            "edit.generator_limit_too_large",
            generator = generator,
            amount = amount,
            most = most
        )
    },
};

pub(super) const COST: Edited = Edited {
    code: "GENERATOR.MALFORMED",
    unit: "$/MWh",
    not_finite: |generator| message!("edit.cost_not_finite", generator = generator),
    too_large: |generator, amount, most| {
        message!(
            "edit.cost_too_large",
            generator = generator,
            amount = amount,
            most = most
        )
    },
};

/// The reactive power that goes with `active` at the power factor of `p` and `q`; None without active power, where there is no
/// power factor.
pub(crate) fn at_power_factor([p, q]: [f64; 2], active: f64) -> Option<f64> {
    (p != 0.0).then(|| q * (active / p))
}

impl Edited {
    /// Errors: its code.
    pub fn check(&self, element: &ElementRef, amount: f64) -> Result<()> {
        self.check_of(|| element.clone(), amount)
    }

    /// The same of an element that is only named in errors.
    ///
    /// Errors: its code.
    pub fn check_of(&self, element: impl FnOnce() -> ElementRef, amount: f64) -> Result<()> {
        fit(amount, self.unit).map_err(|unfit| {
            let element = &element();
            let message = match unfit {
                Unfit::NotFinite => (self.not_finite)(element),
                Unfit::TooLarge(amount, most) => (self.too_large)(element, amount, most),
            };
            EngineError::new(self.code, message).at(element.clone())
        })
    }
}

/// Checks a value that an edit gives an element; `quantity` is the message key of its name.
///
/// Errors: the sentence of the refusal.
pub(super) fn check_value(
    element: &ElementRef,
    value: f64,
    unit: &str,
    quantity: &'static str,
) -> std::result::Result<(), Message> {
    let quantity = Message::of_key(quantity);
    fit(value, unit).map_err(|unfit| match unfit {
        Unfit::NotFinite => message!("edit.value_not_finite", element = element, quantity = quantity),
        Unfit::TooLarge(amount, most) => message!(
            "edit.value_too_large",
            element = element,
            quantity = quantity,
            amount = amount,
            most = most
        ),
    })
}

/// Demand and shunts are amounts that sums can tell apart.
///
/// Errors: `PHYSICS.UNSUPPORTED`.
pub(crate) fn check_demand(network: &AnalysisNetwork) -> Result<()> {
    for bus in &network.buses {
        let mw = bus.demand_pu.abs().max(bus.gs_pu.abs()) * network.base_mva;
        if let Err(unfit) = fit(mw, "MW") {
            let element = ElementRef::from(bus);
            let message = match unfit {
                Unfit::NotFinite => message!("physics.demand_not_finite", bus = &element),
                Unfit::TooLarge(amount, most) => {
                    message!("physics.demand_too_large", bus = &element, amount = amount, most = most)
                }
            };
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(element));
        }
    }
    Ok(())
}
