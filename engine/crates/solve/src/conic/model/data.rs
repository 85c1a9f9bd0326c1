//! What edits change.

use wattbook_network::analysis::AnalysisNetwork;

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
            rating: network.branches.iter().map(|b| b.rating_pu).collect(),
        }
    }
}
