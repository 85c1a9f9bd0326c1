//! Common to the formulations on the AC equations: energised elements, the base case with edits, and the columns that
//! follow from powers and limits.

mod columns;
mod differentiable;
pub(super) mod saved;

pub(super) use columns::Powers;

use crate::case::Case;
use crate::contract as c;
use crate::convert::{element, new_diagnostic};
use crate::edits::{Edits, Parts};
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::Result;
use wattbook_network::message;

/// A case and the part of it that is energised.
#[derive(Debug)]
pub(super) struct AcNetwork {
    pub case: Arc<Case>,
    pub options: c::SolveOptions,
    /// By dense bus row.
    energised: Vec<bool>,
    /// By dense branch and generator row: in service, and energised.
    branches: Vec<bool>,
    generators: Vec<bool>,
    /// By dense branch row, per unit of apparent power.
    ratings: Vec<f64>,
}

impl AcNetwork {
    pub fn new(case: &Arc<Case>, options: &c::SolveOptions, energised: impl Fn(usize) -> bool) -> Self {
        let network = &case.network;
        let energised: Vec<bool> = (0..network.buses.len()).map(energised).collect();
        let branches = network.branches.iter();
        let generators = network.generators.iter();
        Self {
            branches: branches.map(|b| b.in_service && energised[b.from]).collect(),
            generators: generators.map(|g| g.in_service && energised[g.bus]).collect(),
            ratings: network.branches.iter().map(|b| b.rating_pu).collect(),
            energised,
            case: Arc::clone(case),
            options: options.clone(),
        }
    }

    pub fn generator_takes_part(&self, row: usize) -> bool {
        self.generators[row]
    }

    /// Applies edits to the demand of the base case, per unit by dense row.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`.
    pub fn edit_demand(&self, edits: &Edits, active: &mut [f64], reactive: &mut [f64]) -> Result<()> {
        for (bus, demand) in edits.demand_pu(&self.case)? {
            active[bus] = demand;
        }
        for (bus, demand) in edits.reactive_pu(&self.case) {
            reactive[bus] = demand;
        }
        Ok(())
    }

    /// Ratings with edits, per unit of apparent power by dense row.
    ///
    /// Errors: `RATE.NOT_POSITIVE`.
    pub fn ratings(&self, edits: &Edits) -> Result<Vec<f64>> {
        let mut ratings = self.ratings.clone();
        for (branch, rating) in edits.rating_pu(&self.case)? {
            ratings[branch] = rating;
        }
        Ok(ratings)
    }

    /// A diagnostic for buses in service without a voltage, at the first of them; `None` if there are no such buses.
    pub fn left_out(&self) -> Option<c::Diagnostic> {
        let buses = self.case.network.buses.iter().zip(&self.energised);
        let dead: Vec<_> = buses.filter(|(bus, energised)| bus.in_service && !*energised).collect();
        let bus = ElementRef::from(dead.first()?.0);
        let message = message!("ac.left_out", count = dead.len(), bus = &bus);
        Some(new_diagnostic("ISLAND.LEFT_OUT", &message, Some(element(&bus))))
    }
}

impl Parts for AcNetwork {
    fn bus_takes_part(&self, row: usize) -> bool {
        self.energised[row]
    }

    fn branch_takes_part(&self, row: usize) -> bool {
        self.branches[row]
    }
}
