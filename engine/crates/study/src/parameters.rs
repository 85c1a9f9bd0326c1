//! What a case says about its elements beyond what is shown of them: impedances, positions and costs as columns.

use crate::case::Case;
use serde::Serialize;
use wattbook_network::analysis::{AnalysisNetwork, Cost};

/// Columns in the row order of the case's topology, the rows of three-winding transformers included.
#[derive(Serialize)]
struct CaseParameters {
    buses: BusParameters,
    branches: BranchParameters,
    /// One a generator.
    costs: Vec<CostParameters>,
}

/// Degrees; null where the case has no position.
#[derive(Serialize)]
struct BusParameters {
    longitude: Vec<Option<f64>>,
    latitude: Vec<Option<f64>>,
}

/// Per unit on the power base of the case; `b_pu` is the total charging susceptance, `tap` the off-nominal ratio (1 for lines).
#[derive(Serialize)]
struct BranchParameters {
    r_pu: Vec<f64>,
    x_pu: Vec<f64>,
    b_pu: Vec<f64>,
    tap: Vec<f64>,
    shift_deg: Vec<f64>,
}

/// Cost as it is solved, of an output in MW.
#[derive(Serialize)]
#[serde(tag = "model", rename_all = "snake_case")]
enum CostParameters {
    /// `c2 p^2 + c1 p + c0` in $/h.
    Polynomial { c2: f64, c1: f64, c0: f64 },
    /// Corners, MW and $/h; the first and last slopes extend outwards.
    PiecewiseLinear { points: Vec<[f64; 2]> },
}

impl Case {
    /// Impedances, positions and costs, as JSON.
    pub fn parameters_json(&self) -> String {
        crate::to_json(&parameters(&self.network))
    }
}

fn parameters(network: &AnalysisNetwork) -> CaseParameters {
    let base = network.base_mva;
    let degrees = |axis: usize| network.buses.iter().map(|b| b.lon_lat.map(|at| at[axis])).collect();
    let branches = &network.branches;
    CaseParameters {
        buses: BusParameters {
            longitude: degrees(0),
            latitude: degrees(1),
        },
        branches: BranchParameters {
            r_pu: branches.iter().map(|b| b.r_pu).collect(),
            x_pu: branches.iter().map(|b| b.x_pu).collect(),
            b_pu: branches.iter().map(|b| b.b_pu).collect(),
            tap: branches.iter().map(|b| b.tap).collect(),
            shift_deg: branches.iter().map(|b| written(b.shift_rad.to_degrees())).collect(),
        },
        costs: network.generators.iter().map(|g| cost(&g.cost, base)).collect(),
    }
}

fn cost(cost: &Cost, base: f64) -> CostParameters {
    match cost {
        Cost::Quadratic { c2, c1, c0 } => CostParameters::Polynomial {
            c2: written(c2 / (base * base)),
            c1: written(c1 / base),
            c0: *c0,
        },
        Cost::PiecewiseLinear { points } => CostParameters::PiecewiseLinear {
            points: points.iter().map(|[p, y]| [written(p * base), *y]).collect(),
        },
    }
}

/// A number that went to per unit or radians and back, as the source wrote it: to 15 significant digits, which every decimal of
/// that length survives.
fn written(x: f64) -> f64 {
    format!("{x:.14e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were_written() {
        for x in [0.11, 12.3457, 1e-7, -30.0, 0.0, 179.99999999] {
            for base in [100.0, 1000.0, 33.3] {
                assert_eq!(written(x * base * base / (base * base)), x);
            }
            assert_eq!(written(f64::to_degrees(x.to_radians())), x);
        }
        assert!(written(f64::NAN).is_nan() && written(f64::INFINITY) == f64::INFINITY);
    }
}
