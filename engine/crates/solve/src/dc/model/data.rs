//! The quantities that edits change, and one element of them.

use crate::dc::model::links::Apart;
use crate::vocabulary::{Direction, InterfaceBound};
use wattbook_network::analysis::AnalysisNetwork;

/// Demand of each bus and rating of each branch, which edits change; per unit by dense row. Entries after the rows of the
/// network belong to terminals and to ties of HVDC links.
#[derive(Clone, Debug, PartialEq)]
pub struct DcData {
    pub demand: Vec<f64>,
    pub rating: Vec<f64>,
}

impl DcData {
    /// Demand and ratings of the case as read from its file, and zeros for further terminals.
    pub fn with_apart(network: &AnalysisNetwork, apart: &Apart) -> Self {
        let mut data = Self::base(network);
        data.demand.resize(data.demand.len() + apart.count(network), 0.0);
        data
    }

    /// Demand and ratings of the case as read from its file.
    pub fn base(network: &AnalysisNetwork) -> Self {
        let (terminals, ties) = super::links::sizes(network);
        let at_terminals = std::iter::repeat_n(0.0, terminals);
        let of_ties = std::iter::repeat_n(f64::INFINITY, ties);
        Self {
            demand: network.buses.iter().map(|b| b.demand_pu).chain(at_terminals).collect(),
            rating: network.branches.iter().map(|b| b.rating_pu).chain(of_ties).collect(),
        }
    }

    /// The data after a step along a direction.
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

/// One element as the parameter of a derivative, per unit of that element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Demand(usize),
    Rating(usize),
    /// In radians.
    PhaseShift(usize),
    Interface(usize, InterfaceBound),
}

impl From<Target> for Direction {
    fn from(target: Target) -> Self {
        match target {
            Target::Demand(bus) => Self::of_demand(bus),
            Target::Rating(branch) => Self::of_rating(branch),
            Target::PhaseShift(branch) => Self::of_phase_shift(branch),
            Target::Interface(i, limit) => Self::of_interface(i, limit),
        }
    }
}
