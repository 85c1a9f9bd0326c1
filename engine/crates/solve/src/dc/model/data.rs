//! What edits change, and one element of it.

use crate::vocabulary::Direction;
use wattbook_network::analysis::AnalysisNetwork;

/// What edits change: demand of each bus and rating of each branch, per unit, dense rows.
#[derive(Clone, Debug, PartialEq)]
pub struct DcData {
    pub demand: Vec<f64>,
    pub rating: Vec<f64>,
}

impl DcData {
    /// Demand and ratings of the case as read.
    pub fn base(network: &AnalysisNetwork) -> Self {
        Self {
            demand: network.buses.iter().map(|b| b.demand_pu).collect(),
            rating: network.branches.iter().map(|b| b.rating_pu).collect(),
        }
    }

    /// After a step along a direction.
    pub fn moved(&self, direction: &Direction, step: f64) -> Self {
        let mut data = self.clone();
        for &(bus, d) in &direction.demand {
            data.demand[bus] += step * d;
        }
        for &(branch, d) in &direction.rating {
            data.rating[branch] += step * d;
        }
        data
    }
}

/// One element to differentiate by, one per unit of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Demand(usize),
    Rating(usize),
}

impl From<Target> for Direction {
    fn from(target: Target) -> Self {
        match target {
            Target::Demand(bus) => Self::of_demand(bus),
            Target::Rating(branch) => Self::of_rating(branch),
        }
    }
}
