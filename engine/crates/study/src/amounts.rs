//! The limit on amounts in requests, the same for edits, demands, paths, plans and loads of feeders.

use wattbook_network::message::amounts::power_of_ten;
use wattbook_network::message::Value;

/// The largest amount, in the unit of its field: a million gigawatts where that is MW, far beyond any grid and small
/// enough for sums to stay exact.
const MOST: f64 = 1e9;

/// Why a number is not a valid amount.
pub(crate) enum Unfit {
    NotFinite,
    /// The number and the limit, as formatted for the message.
    TooLarge(Value, Value),
}

/// Checks an amount; `unit` only appears in the message.
pub(crate) fn fit(amount: f64, unit: &str) -> Result<(), Unfit> {
    if !amount.is_finite() {
        Err(Unfit::NotFinite)
    } else if amount.abs() > MOST {
        Err(Unfit::TooLarge(power_of_ten(amount, unit), power_of_ten(MOST, unit)))
    } else {
        Ok(())
    }
}
