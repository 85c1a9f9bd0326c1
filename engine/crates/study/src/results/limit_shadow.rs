//! Shadow prices of the output limits of generators.

use crate::contract::{Column, ColumnName};
use crate::convert::plain;
use wattbook_network::analysis::{Cost, Generator};

/// An output within this distance of a limit, MW, is at the limit; interior-point optima come no closer.
const AT_LIMIT_MW: f64 = 1e-4;

/// The column of `LimitShadow` of an optimum, from its prices ($/MWh by dense bus row) and outputs (MW, NaN where a unit takes no
/// part). Stationarity of an output p at a bus of price lmp: `lmp = c'(p) + mu_max - mu_min`.
pub(crate) fn limit_shadow(generators: &[Generator], base: f64, lmp: &[f64], dispatch_mw: &[f64]) -> Column {
    let units = generators.iter().zip(dispatch_mw);
    let shadow = units.map(|(unit, &mw)| {
        let price = lmp[unit.bus];
        let (low, high) = (unit.pmin_pu * base, unit.pmax_pu * base);
        let [below, above] = marginal_costs(unit, mw, base);
        let at_max = if mw >= high - AT_LIMIT_MW { price - below } else { 0.0 };
        let at_min = if mw <= low + AT_LIMIT_MW { above - price } else { 0.0 };
        if mw.is_nan() || price.is_nan() {
            f64::NAN
        } else {
            plain(at_max.max(at_min).max(0.0))
        }
    });
    Column::new(ColumnName::LimitShadow, shadow.collect())
}

/// Marginal costs just below and just above an output, $/MWh: two values at a corner of a piecewise-linear cost.
fn marginal_costs(unit: &Generator, mw: f64, base: f64) -> [f64; 2] {
    match &unit.cost {
        Cost::Quadratic { c2, c1, .. } => [(2.0 * c2 * mw / base + c1) / base; 2],
        Cost::PiecewiseLinear { points } => {
            let slope = |s: &[[f64; 2]]| (s[1][1] - s[0][1]) / (s[1][0] - s[0][0]) / base;
            // The segment that ends at the output or beyond, and the one that begins there or before; the outer
            // segments extend.
            let last = points.len().saturating_sub(2);
            let tolerance = AT_LIMIT_MW / base;
            let ends = |p: f64| points.windows(2).position(|s| p <= s[1][0]).unwrap_or(last);
            let [below, above] = [ends(mw / base - tolerance), ends(mw / base + tolerance)];
            [below, above].map(|k| points.get(k..k + 2).map_or(0.0, slope))
        }
    }
}
