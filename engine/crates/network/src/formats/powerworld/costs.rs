//! Generation costs. The reader multiplies the fixed cost by the fuel price too, and ignores the variable cost of
//! operation and maintenance, bid curves, multiplier and shift.

use powerio::GenCost;

use super::objects::values_of;
use super::records::Record;

/// The cost data of a record.
pub(super) enum Costs {
    /// A curve in $/h.
    Curve(GenCost),
    /// No cost model, or one without its data; the unit has zero cost, with a warning.
    Missing,
    /// Coefficients without a cost model.
    WithoutModel,
}

const MODEL: [&str; 2] = ["GenCostModel", "CostModel"];
const COEFFICIENTS: [[&str; 2]; 4] = [
    ["GenIOA", "IOA"],
    ["GenIOB", "IOB"],
    ["GenIOC", "IOC"],
    ["GenIOD", "IOD"],
];

/// The cost of a unit in $/h, P in MW, with the fuel price `fuel` in $/MBtu.
///
/// Cubic: FixedCost + fuel (A + B P + C P^2 + D P^3) + VariableOM P. Piecewise linear: FixedCost at the first breakpoint of the bid
/// curve, and from each breakpoint on its marginal cost in $/MWh (PowerWorld Simulator User Guide, "Generator Information: Costs
/// Tab"). In either, each MWh costs the shift more, and the whole is multiplied by the cost multiplier.
pub(super) fn of(record: &Record<'_>, pmax: f64) -> Costs {
    let fixed = record.amount(&["GenFixedCost", "FixedCost"]);
    let variable = record.amount(&["GenVariableOM", "VariableOM"]) + record.amount(&["GenCostShift", "CostShift"]);
    let multiplier = record.number(&["GenCostMultiplier", "CostMultiplier"]).unwrap_or(1.0);
    let model = record.text(&MODEL).unwrap_or("").to_ascii_lowercase();
    let coefficients = COEFFICIENTS.map(|names| record.amount(&names));
    if model.starts_with("cubic") {
        let fuel = record.number(&["GenFuelCost", "FuelCost"]).unwrap_or(1.0);
        let [a, b, c, d] = coefficients.map(|value| fuel * value);
        let curve = [d, c, b + variable, a + fixed].map(|value| multiplier * value);
        return Costs::Curve(GenCost::new(2, 0.0, 0.0, curve.to_vec()));
    }
    if model.starts_with("piecewise") {
        let steps = record.bids.map(|lines| lines.iter().filter_map(|line| step(line)));
        let steps: Vec<[f64; 2]> = steps.map_or_else(Vec::new, |steps| steps.collect());
        let Some(&[first, _]) = steps.first() else {
            return Costs::Missing;
        };
        let mut points = vec![first, multiplier * fixed];
        let mut cost = multiplier * fixed;
        for (k, [from, price]) in steps.iter().enumerate() {
            // The last price applies up to the limit of the unit and beyond.
            let to = steps.get(k + 1).map_or(pmax.max(from + 1.0), |next| next[0]);
            let to = if to.is_finite() { to } else { from + 1.0 };
            cost += (to - from) * multiplier * (price + variable);
            points.extend([to, cost]);
        }
        return Costs::Curve(GenCost::new(1, 0.0, 0.0, points));
    }
    let stated = coefficients.iter().any(|value| *value != 0.0) || record.bids.is_some();
    match model.is_empty() && stated {
        true => Costs::WithoutModel,
        false => Costs::Missing,
    }
}

/// A line of a bid curve: MW and $/MWh.
fn step(line: &str) -> Option<[f64; 2]> {
    let values = values_of(line);
    Some([values.first()?.parse().ok()?, values.get(1)?.parse().ok()?])
}
