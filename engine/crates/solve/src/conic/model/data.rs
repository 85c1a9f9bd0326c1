//! What edits change.

use wattbook_network::analysis::{AnalysisNetwork, Branch};

/// What edits change. Per unit, dense rows.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicData {
    /// Active and reactive demand of each bus.
    pub demand: Vec<f64>,
    pub demand_q: Vec<f64>,
    /// Apparent-power limit of each branch.
    pub rating: Vec<f64>,
}

impl ConicData {
    /// Demand and ratings of the case as read.
    pub fn base(network: &AnalysisNetwork) -> Self {
        Self {
            demand: network.buses.iter().map(|b| b.demand_pu).collect(),
            demand_q: network.buses.iter().map(|b| b.demand_q_pu).collect(),
            rating: network.branches.iter().map(rating).collect(),
        }
    }
}

/// Apparent-power limit of a branch; infinite for one without impedance and without rating. One with impedance that has none stands between
/// buses whose limits admit no voltage: nothing flows there, and any limit will do.
pub(crate) fn rating(branch: &Branch) -> f64 {
    match branch.rating_pu.is_finite() || branch.is_zero_impedance() {
        true => branch.rating_pu,
        false => 1.0,
    }
}
