//! Which amounts a call may have: one limit for edits, demands, paths, plans and loads of feeders.

use wattbook_network::message::amounts::power_of_ten;
use wattbook_network::message::Value;

/// The largest amount, in the unit of its field (a million gigawatts where that is MW): far beyond any grid and within what sums can
/// tell apart.
const MOST: f64 = 1e9;

/// Why a number is no amount.
pub(crate) enum Unfit {
    NotFinite,
    /// The number and the limit, as they are told.
    TooLarge(Value, Value),
}

/// Whether a number is an amount; `unit` is for what is told.
pub(crate) fn fit(amount: f64, unit: &str) -> Result<(), Unfit> {
    if !amount.is_finite() {
        Err(Unfit::NotFinite)
    } else if amount.abs() > MOST {
        Err(Unfit::TooLarge(power_of_ten(amount, unit), power_of_ten(MOST, unit)))
    } else {
        Ok(())
    }
}
