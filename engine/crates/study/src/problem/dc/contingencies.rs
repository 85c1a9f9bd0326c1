//! N-1 screening of an optimum, in steps.

use super::DcState;
use crate::contract as c;
use crate::convert::plain;
use crate::problem::work::{Product, Work};
use crate::problem::{Screened, State};
use crate::results::{dense, Reply};
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{self, DcSolution, Effect, Outage};

/// A screening in progress, of the state that it was created with; later commits do not affect it.
#[derive(Debug)]
pub(super) struct DcScreening {
    state: Arc<DcState>,
    solution: DcSolution,
    screening: dc::Screening,
}

impl DcScreening {
    /// Prepares the outages.
    ///
    /// Errors: the codes of edits; `INPUT.REQUEST` where only some outages are to be solved.
    pub fn new(state: Arc<DcState>, selection: Screened) -> Result<Self> {
        if selection.least_estimate.is_some() {
            let formulation = state.problem().formulation().id();
            let message = message!("request.no_estimate", formulation = formulation);
            return Err(EngineError::new("INPUT.REQUEST", message));
        }
        let solution = state.of_network()?;
        Ok(Self {
            screening: dc::Screening::new(state.dc().network_model(), &solution, selection.branches.as_deref()),
            solution,
            state,
        })
    }
}

impl DcState {
    /// The optimum with the ratings of the network, some of which a secured program may not have.
    fn of_network(&self) -> Result<DcSolution> {
        let mut solution = self.solution.clone();
        if self.pool.is_some() {
            solution.data = self.dc().data(&self.edits)?;
        }
        Ok(solution)
    }
}

/// Flow of every branch after the outage of one, MW by dense branch row.
pub(super) fn flows_after(state: &DcState, branch: usize) -> Result<Vec<f64>> {
    let (model, solution) = (state.dc().network_model(), state.of_network()?);
    let network = &state.dc().case.network;
    let flows = dc::Screening::new(model, &solution, Some(&[branch]))
        .flows_after(model, &solution, branch)
        .ok_or_else(|| {
            let message = message!("sens.islanding", branch = &ElementRef::from(&network.branches[branch]));
            EngineError::new("OUTAGE.ISLANDING", message)
        })?;
    Ok(dense(
        network.branches.len(),
        |b| model.branch_is_active(b),
        |b| flows[b] * network.base_mva,
    ))
}

impl Work for DcScreening {
    /// One unit of budget is one outage.
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        let model = self.state.dc().network_model();
        let outages = self.screening.step(model, &self.solution, budget as usize);
        let fraction = self.screening.fraction();
        Ok(c::JobStep {
            done: fraction >= 1.0,
            fraction,
            rows: Some(outages.iter().map(|o| self.row(o)).collect()),
            ..c::JobStep::default()
        })
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        let reply = Reply::new(&(), Vec::new());
        Ok(reply.into())
    }
}

impl DcScreening {
    fn row(&self, outage: &Outage) -> c::ContingencyRow {
        let network = &self.state.dc().case.network;
        let base = network.base_mva;
        let branch = &network.branches[outage.branch];
        let empty = |kind| c::ContingencyRow::new(branch.id, branch.uid.clone(), kind);
        match &outage.effect {
            Effect::Loading {
                worst,
                flow,
                loading,
                overloads,
                new_overloads,
                worst_new,
            } => c::ContingencyRow {
                worst_branch: worst.map(|row| network.branches[row].id),
                worst_mw: worst.map(|_| plain(flow * base)),
                worst_loading: worst.map(|_| *loading),
                overloads: Some(*overloads as u32),
                new_overloads: Some(*new_overloads as u32),
                worst_new_overload: worst_new.as_ref().map(|new| {
                    let branch = &network.branches[new.branch];
                    c::NewOverload {
                        branch: branch.id,
                        uid: branch.uid.clone(),
                        from_bus: network.buses[branch.from].id,
                        to_bus: network.buses[branch.to].id,
                        mw: plain(new.flow * base),
                        mva: None,
                        loading_after: new.loading,
                        loading_before: new.base_loading,
                    }
                }),
                ..empty(c::ContingencyKind::Loading)
            },
            Effect::Islanding {
                buses,
                demand,
                generation,
            } => c::ContingencyRow {
                buses_cut_off: Some(buses.iter().map(|&b| network.buses[b].id).collect()),
                demand_cut_off_mw: Some(plain(demand * base)),
                generation_cut_off_mw: Some(plain(generation * base)),
                ..empty(c::ContingencyKind::Islanding)
            },
        }
    }
}
