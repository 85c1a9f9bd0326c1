//! Typical costs by fuel and size: round figures to compare locations, not forecasts.

use super::fuels::class_of;
use super::Polynomial;

/// A class of units: fuel and smallest size (MW of the upper limit); heat rate (MMBtu/MWh) times fuel price ($/MMBtu)
/// plus variable cost ($/MWh).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypicalCost {
    pub fuel: &'static str,
    pub from_mw: f64,
    pub heat_rate: f64,
    pub fuel_price: f64,
    pub variable: f64,
}

impl TypicalCost {
    const fn new(fuel: &'static str, from_mw: f64, heat_rate: f64, fuel_price: f64, variable: f64) -> Self {
        Self {
            fuel,
            from_mw,
            heat_rate,
            fuel_price,
            variable,
        }
    }

    /// Cost at half output, $/MWh, rounded to the cent.
    pub fn cost(&self) -> f64 {
        libm::round((self.heat_rate * self.fuel_price + self.variable) * 100.0) / 100.0
    }
}

/// A unit belongs to the largest size of its fuel that it reaches. Sizes of a fuel are ascending.
pub const TYPICAL: [TypicalCost; 12] = [
    TypicalCost::new("wind", 0.0, 0.0, 0.0, 0.0),
    TypicalCost::new("solar", 0.0, 0.0, 0.0, 0.0),
    TypicalCost::new("hydro", 0.0, 0.0, 0.0, 2.0),
    TypicalCost::new("geothermal", 0.0, 0.0, 0.0, 5.0),
    TypicalCost::new("nuclear", 0.0, 10.4, 0.7, 2.5),
    TypicalCost::new("coal", 0.0, 11.0, 2.5, 6.0),
    TypicalCost::new("coal", 300.0, 10.0, 2.5, 4.5),
    TypicalCost::new("biomass", 0.0, 13.0, 3.0, 6.0),
    GAS,
    TypicalCost::new("gas", 100.0, 8.5, 3.5, 3.5),
    TypicalCost::new("gas", 300.0, 7.0, 3.5, 2.5),
    TypicalCost::new("oil", 0.0, 11.0, 15.0, 5.0),
];
/// The class of units of unknown fuel, in its smallest size.
const GAS: TypicalCost = TypicalCost::new("gas", 0.0, 11.0, 3.5, 5.0);
/// Relative increase of the marginal cost from zero to full output, so that equal units share the load instead of being
/// tied.
const SLOPE: f64 = 0.1;

/// Whether there is a typical cost for a fuel, in lower case.
pub(super) fn is_known(fuel: &str) -> bool {
    TYPICAL.iter().any(|one| one.fuel == class_of(fuel))
}

/// The class of a unit by its fuel, in lower case, and size, MW.
pub(super) fn class(fuel: &str, size: f64) -> TypicalCost {
    let fuel = if is_known(fuel) { class_of(fuel) } else { GAS.fuel };
    let mut reached = TYPICAL.iter().filter(|one| one.fuel == fuel && one.from_mw <= size);
    reached.next_back().copied().unwrap_or(GAS)
}

/// Size of a unit, MW: zero without a positive finite limit.
pub(super) fn size(p_max_mw: f64) -> f64 {
    if p_max_mw.is_finite() {
        p_max_mw.max(0.0)
    } else {
        0.0
    }
}

/// The typical cost of a unit: the marginal cost rises by [`SLOPE`] from zero to full output and equals that of its
/// class at half output.
pub(super) fn of_unit(fuel: &str, p_max_mw: f64) -> Polynomial {
    let size = size(p_max_mw);
    let cost = class(fuel, size).cost();
    let c2 = if size > 0.0 { SLOPE * cost / (2.0 * size) } else { 0.0 };
    [c2, (1.0 - SLOPE / 2.0) * cost, 0.0]
}
