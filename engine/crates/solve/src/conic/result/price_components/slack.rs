//! The distribution of each island's slack.

use crate::conic::model::formulation::ConicModel;
use crate::conic::model::topology::NO_NODE;

/// The distribution of an island's slack over its buses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConicSlack {
    /// Whether the weights follow positive demand; otherwise the island has none and they are equal.
    pub by_demand: bool,
}

/// The weights of all buses.
pub(super) struct Slacks<'a> {
    island_of_bus: &'a [usize],
    demand: &'a [f64],
    drawn: Vec<f64>,
    count: Vec<f64>,
}

impl<'a> Slacks<'a> {
    pub fn new(model: &'a ConicModel, demand: &'a [f64]) -> Self {
        let islands = model.islands();
        let (mut drawn, mut count) = (vec![0.0; islands], vec![0.0; islands]);
        let island_of_bus = &model.topology.island_of_bus;
        for (bus, _) in model
            .topology
            .node_of_bus
            .iter()
            .enumerate()
            .filter(|(_, n)| **n != NO_NODE)
        {
            drawn[island_of_bus[bus]] += demand[bus].max(0.0);
            count[island_of_bus[bus]] += 1.0;
        }
        Self {
            island_of_bus,
            demand,
            drawn,
            count,
        }
    }

    fn is_by_demand(&self, bus: usize) -> bool {
        self.drawn[self.island_of_bus[bus]] > 0.0
    }

    /// The weight of an energised bus; the weights of an island sum to one.
    pub fn weight(&self, bus: usize) -> f64 {
        let island = self.island_of_bus[bus];
        match self.is_by_demand(bus) {
            true => self.demand[bus].max(0.0) / self.drawn[island],
            false => 1.0 / self.count[island],
        }
    }
}

impl ConicModel {
    /// The slack distribution in the island of an energised bus.
    pub fn slack(&self, demand: &[f64], bus: usize) -> ConicSlack {
        ConicSlack {
            by_demand: Slacks::new(self, demand).is_by_demand(bus),
        }
    }
}
