//! Columns of HVDC links.

use crate::contract::{Column, ColumnName};
use crate::convert::plain;
use wattbook_network::analysis::{AnalysisNetwork, Cost, Link};
use wattbook_solve::LinkPower;

/// A power is at a limit that is this close, MW.
const AT_LIMIT_MW: f64 = 1e-4;

/// Power at the from end and delivered power at the to end of each link, MW; NaN for links out of service. Empty for a
/// network without links.
pub(crate) fn powers_mw(network: &AnalysisNetwork, powers_pu: impl Fn(usize, &Link) -> [f64; 2]) -> Vec<[f64; 2]> {
    let base = network.base_mva;
    let links = network.links.iter().enumerate();
    links
        .map(|(row, link)| match link.in_service {
            true => powers_pu(row, link).map(|p| plain(p * base)),
            false => [f64::NAN; 2],
        })
        .collect()
}

/// The columns of powers; none for a network without links.
pub(crate) fn power_columns(powers_mw: &[[f64; 2]]) -> Vec<Column> {
    if powers_mw.is_empty() {
        return Vec::new();
    }
    vec![
        Column::new(ColumnName::LinkMw, powers_mw.iter().map(|p| p[0]).collect()),
        Column::new(ColumnName::LinkToMw, powers_mw.iter().map(|p| p[1]).collect()),
    ]
}

/// The columns of reactive powers by link row, per unit; none for a network without links.
pub(crate) fn reactive_columns(network: &AnalysisNetwork, powers: &[LinkPower]) -> Vec<Column> {
    if powers.is_empty() {
        return Vec::new();
    }
    let mvar = powers_mw(network, |row, _| powers[row].reactive);
    vec![
        Column::new(ColumnName::LinkFromMvar, mvar.iter().map(|q| q[0]).collect()),
        Column::new(ColumnName::LinkToMvar, mvar.iter().map(|q| q[1]).collect()),
    ]
}

/// The columns of powers and what they are worth at prices, $/MWh by dense bus row; `base` is that of the links' values, MVA.
pub(crate) fn priced_columns(links: &[Link], base: f64, powers_mw: &[[f64; 2]], lmp: &[f64]) -> Vec<Column> {
    let mut columns = power_columns(powers_mw);
    if columns.is_empty() {
        return columns;
    }
    let rows = || links.iter().zip(powers_mw);
    let ends = |link: &Link| (lmp[link.from], lmp[link.to]);
    let apart = |(link, power): (&Link, &[f64; 2])| {
        let (from, to) = ends(link);
        if power[0].is_nan() {
            f64::NAN
        } else {
            plain(to - from)
        }
    };
    let shadow = |(link, power): (&Link, &[f64; 2])| limit_shadow(link, base, *power, ends(link));
    let rent = |(link, power): (&Link, &[f64; 2])| {
        let (from, to) = ends(link);
        plain(to * power[1] - from * power[0])
    };
    columns.extend([
        Column::new(ColumnName::LinkPriceDifference, rows().map(apart).collect()),
        Column::new(ColumnName::LinkShadow, rows().map(shadow).collect()),
        Column::new(ColumnName::LinkRent, rows().map(rent).collect()),
    ]);
    columns
}

/// Shadow price of the limit that a link is at, $/MWh and at least zero: what one MW more of it saves.
///
/// One more MW into the link at the from end gains `(1 - loss) lmp_to - lmp_from - c'`; in reverse, one more MW into it
/// at the to end gains `(1 - loss) (lmp_from + c') - lmp_to`.
fn limit_shadow(link: &Link, base: f64, [from_mw, to_mw]: [f64; 2], (lmp_from, lmp_to): (f64, f64)) -> f64 {
    if from_mw.is_nan() || lmp_from.is_nan() || lmp_to.is_nan() {
        return f64::NAN;
    }
    let marginal = marginal_cost(&link.cost, from_mw / base) / base;
    let share = 1.0 - link.loss1;
    let forward = share * lmp_to - lmp_from - marginal;
    let reversed = share * (lmp_from + marginal) - lmp_to;
    let (low, high) = (link.pmin_pu * base, link.pmax_pu * base);
    // A limit of at least zero holds at the from end, a negative one at the to end.
    let at = |limit: f64| if limit >= 0.0 { from_mw } else { to_mw };
    let is_reversed = from_mw < 0.0 && share < 1.0;
    let (more, less) = match is_reversed {
        true => (-reversed, reversed),
        false => (forward, -forward),
    };
    let at_high = at(high) >= high - AT_LIMIT_MW;
    let at_low = at(low) <= low + AT_LIMIT_MW;
    let worth = |is_at: bool, worth: f64| if is_at { worth } else { 0.0 };
    plain(worth(at_high, more).max(worth(at_low, less)).max(0.0))
}

/// Slope of a cost, $/h per unit; at a corner that of the segment below.
fn marginal_cost(cost: &Cost, p: f64) -> f64 {
    match cost {
        Cost::Quadratic { c2, c1, .. } => 2.0 * c2 * p + c1,
        Cost::PiecewiseLinear { points } => {
            let last = points.len().saturating_sub(2);
            let k = points.windows(2).position(|s| p <= s[1][0]).unwrap_or(last);
            points
                .get(k..k + 2)
                .map_or(0.0, |s| (s[1][1] - s[0][1]) / (s[1][0] - s[0][0]))
        }
    }
}
