//! Columns of powers, ratings and limits.

use super::AcNetwork;
use crate::contract::{Column, ColumnName};
use crate::edits::Parts;
use crate::results::dense;

/// Active and reactive powers of a state, per unit by dense row.
pub struct Powers<'a> {
    pub demand: &'a [f64],
    pub demand_q: &'a [f64],
    pub flow_from: &'a [[f64; 2]],
    pub flow_to: &'a [[f64; 2]],
    pub dispatch: &'a [f64],
    pub dispatch_q: &'a [f64],
    /// Apparent power.
    pub rating: &'a [f64],
}

impl AcNetwork {
    /// Values of the energised buses.
    pub fn by_bus(&self, value: impl Fn(usize) -> f64) -> Vec<f64> {
        dense(self.case.network.buses.len(), |b| self.bus_takes_part(b), value)
    }

    /// Values of the energised branches.
    pub fn by_branch(&self, value: impl Fn(usize) -> f64) -> Vec<f64> {
        dense(self.case.network.branches.len(), |b| self.branch_takes_part(b), value)
    }

    /// Values of the energised generators.
    pub fn by_generator(&self, value: impl Fn(usize) -> f64) -> Vec<f64> {
        let rows = self.case.network.generators.len();
        dense(rows, |g| self.generator_takes_part(g), value)
    }

    /// The table of a result: powers, ratings, limits of the case, and the formulation's own columns, in the order of
    /// `ColumnName`.
    pub fn table(&self, s: &Powers, own: Vec<Column>) -> Vec<Column> {
        use ColumnName as N;
        let network = &self.case.network;
        let base = network.base_mva;
        let (buses, generators) = (&network.buses, &network.generators);
        let mut columns = own;
        columns.extend([
            Column::new(N::DemandMw, self.by_bus(|b| s.demand[b] * base)),
            Column::new(N::DemandMvar, self.by_bus(|b| s.demand_q[b] * base)),
            Column::new(N::FlowMw, self.by_branch(|b| s.flow_from[b][0] * base)),
            Column::new(N::FlowMvar, self.by_branch(|b| s.flow_from[b][1] * base)),
            Column::new(N::FlowToMw, self.by_branch(|b| s.flow_to[b][0] * base)),
            Column::new(N::FlowToMvar, self.by_branch(|b| s.flow_to[b][1] * base)),
            Column::new(N::RatingMva, self.by_branch(|b| s.rating[b] * base)),
            Column::new(N::DispatchMw, self.by_generator(|g| s.dispatch[g] * base)),
            Column::new(N::DispatchMvar, self.by_generator(|g| s.dispatch_q[g] * base)),
            Column::new(N::VmMinPu, self.by_bus(|b| buses[b].vmin_pu)),
            Column::new(N::VmMaxPu, self.by_bus(|b| buses[b].vmax_pu)),
            Column::new(N::QMinMvar, self.by_generator(|g| generators[g].qmin_pu * base)),
            Column::new(N::QMaxMvar, self.by_generator(|g| generators[g].qmax_pu * base)),
        ]);
        columns.sort_by_key(|column| column.name as usize);
        columns
    }
}
