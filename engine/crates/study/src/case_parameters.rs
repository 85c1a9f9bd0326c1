//! Impedances, positions and costs of a case as columns, beyond what the map shows.

use crate::case::Case;
use crate::contract::{Column, ColumnName};
use crate::results::Reply;
use serde::Serialize;
use std::collections::BTreeMap;
use wattbook_network::analysis::{Branch, Cost, Generator};

/// The part of the answer that does not fit into columns.
#[derive(Serialize)]
struct Curves {
    /// Corners of the piecewise-linear costs by generator row, MW and $/h; the first and last slopes extend outwards.
    cost_points: BTreeMap<usize, Vec<[f64; 2]>>,
}

impl Case {
    /// Areas, positions, impedances and costs as columns in the row order of the case's topology, including the rows of
    /// three-winding transformers, and `{"cost_points": {row: [[mw, cost], ...]}}`.
    pub fn parameters(&self) -> Reply {
        let network = &self.network;
        let base = network.base_mva;
        let degrees = |axis: usize| {
            let at = network.buses.iter().map(|b| b.lon_lat.map_or(f64::NAN, |at| at[axis]));
            at.collect()
        };
        let areas = network
            .buses
            .iter()
            .map(|b| b.area.map_or(f64::NAN, |area| area as f64));
        let branches = &network.branches;
        let impedances = |of: fn(&Branch) -> f64| branches.iter().map(|b| network.file_impedance(of(b))).collect();
        let generators = &network.generators;
        let cost = |of: fn(&Generator, f64) -> f64| generators.iter().map(|g| of(g, base)).collect();
        let points = generators.iter().enumerate();
        let curves = Curves {
            cost_points: points.filter_map(|(row, g)| Some((row, corners(g, base)?))).collect(),
        };
        let columns = vec![
            Column::new(ColumnName::Area, areas.collect()),
            Column::new(ColumnName::Longitude, degrees(0)),
            Column::new(ColumnName::Latitude, degrees(1)),
            Column::new(ColumnName::RPu, impedances(|b| b.r_pu)),
            Column::new(ColumnName::XPu, impedances(|b| b.x_pu)),
            Column::new(
                ColumnName::BPu,
                branches
                    .iter()
                    .map(|b| network.file_admittance(b.charging_pu()))
                    .collect(),
            ),
            Column::new(ColumnName::Tap, branches.iter().map(|b| b.tap).collect()),
            Column::new(
                ColumnName::ShiftDeg,
                branches.iter().map(|b| written(b.shift_rad.to_degrees())).collect(),
            ),
            Column::new(ColumnName::CostC2, cost(|g, base| coefficients(g, base)[0])),
            Column::new(ColumnName::CostC1, cost(|g, base| coefficients(g, base)[1])),
            Column::new(ColumnName::CostC0, cost(|g, base| coefficients(g, base)[2])),
        ];
        Reply::new(&curves, columns)
    }
}

/// `c2`, `c1`, `c0` for an output in MW; NaN where the cost is piecewise linear.
pub(crate) fn coefficients(generator: &Generator, base: f64) -> [f64; 3] {
    match &generator.cost {
        Cost::Quadratic { c2, c1, c0 } => [written(c2 / (base * base)), written(c1 / base), *c0],
        Cost::PiecewiseLinear { .. } => [f64::NAN; 3],
    }
}

/// Corners of a piecewise-linear cost, MW and $/h.
pub(crate) fn corners(generator: &Generator, base: f64) -> Option<Vec<[f64; 2]>> {
    match &generator.cost {
        Cost::Quadratic { .. } => None,
        Cost::PiecewiseLinear { points } => Some(points.iter().map(|[p, y]| [written(p * base), *y]).collect()),
    }
}

/// Rounds to 15 significant digits, which restores the decimal of the source after the conversion to per unit or
/// radians and back.
pub(crate) fn written(x: f64) -> f64 {
    format!("{x:.14e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_restored_as_written() {
        for x in [0.11, 12.3457, 1e-7, -30.0, 0.0, 179.99999999] {
            for base in [100.0, 1000.0, 33.3] {
                assert_eq!(written(x * base * base / (base * base)), x);
            }
            assert_eq!(written(f64::to_degrees(x.to_radians())), x);
        }
        assert!(written(f64::NAN).is_nan() && written(f64::INFINITY) == f64::INFINITY);
    }
}
