//! Generation costs in dollars: the reader multiplies the fixed cost by the fuel price as well, and leaves out the variable
//! cost of operation and maintenance.

use super::objects::Object;

/// Rows `bus, id, fuel price, fixed, linear, quadratic, cubic` with a fuel price of 1.
///
/// PowerWorld: cost in $/h = FixedCost + FuelCost (IOA + IOB P + IOC P^2 + IOD P^3) + VariableOM P, P in MW.
pub(super) fn rows(objects: &[Object<'_>]) -> Vec<String> {
    let mut out = Vec::new();
    for object in objects.iter().filter(|o| o.kind == "gen") {
        let keys = [["BusNum"], ["GenID"], ["GenCostModel"]].map(|names| object.column(&names));
        let [Some(bus), Some(id), Some(model)] = keys else {
            continue;
        };
        for row in &object.rows {
            let value = |name: &str, default: f64| {
                let text = object.column(&[name]).map_or("", |at| row[at]);
                text.parse().unwrap_or(default)
            };
            let fuel: f64 = value("GenFuelCost", 1.0);
            let fixed = value("GenFixedCost", 0.0) + fuel * value("GenIOA", 0.0);
            let linear = fuel * value("GenIOB", 0.0) + value("GenVariableOM", 0.0);
            let (quadratic, cubic) = (fuel * value("GenIOC", 0.0), fuel * value("GenIOD", 0.0));
            if row[model].eq_ignore_ascii_case("cubic") {
                let (bus, id) = (row[bus], row[id]);
                out.push(format!("{bus} \"{id}\" 1 {fixed} {linear} {quadratic} {cubic}\n"));
            }
        }
    }
    out
}
