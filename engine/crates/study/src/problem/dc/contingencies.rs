//! N-1 screening of an optimum, in steps.

use super::{Dc, DcState};
use crate::contract as c;
use crate::convert::{branch_ref, plain};
use crate::problem::work::{Product, Work};
use crate::results::{dense, Reply};
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{self, Effect, Outage};

/// A screening in progress, of the state that it was created with; later commits do not affect it.
#[derive(Debug)]
pub(super) struct DcScreening {
    state: Arc<DcState>,
    screening: dc::Screening,
}

impl DcScreening {
    /// Prepares the outage of every energised branch.
    pub fn new(state: Arc<DcState>) -> Self {
        Self {
            screening: dc::Screening::new(&state.dc().model, &state.solution),
            state,
        }
    }
}

/// Flow of every branch after the outage of one, MW by dense branch row.
pub(super) fn flows_after(state: &DcState, branch: usize) -> Result<Vec<f64>> {
    let Dc { model, case, .. } = state.dc();
    let network = &case.network;
    let flows = dc::Screening::new(model, &state.solution)
        .flows_after(model, &state.solution, branch)
        .ok_or_else(|| {
            let message = message!("sens.islanding", branch = &branch_ref(&network.branches[branch]));
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
        let Dc { model, .. } = self.state.dc();
        let outages = self.screening.step(model, &self.state.solution, budget as usize);
        let done = outages.is_empty() || self.screening.fraction(model) >= 1.0;
        Ok(c::JobStep {
            done,
            fraction: if done { 1.0 } else { self.screening.fraction(model) },
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
        let empty = c::ContingencyRow {
            branch: branch.id,
            uid: branch.uid.clone(),
            kind: c::ContingencyKind::Loading,
            worst_branch: None,
            worst_mw: None,
            worst_loading: None,
            overloads: None,
            new_overloads: None,
            worst_new_overload: None,
            buses_cut_off: None,
            demand_cut_off_mw: None,
            generation_cut_off_mw: None,
        };
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
                        loading_after: new.loading,
                        loading_before: new.base_loading,
                    }
                }),
                ..empty
            },
            Effect::Islanding {
                buses,
                demand,
                generation,
            } => c::ContingencyRow {
                kind: c::ContingencyKind::Islanding,
                buses_cut_off: Some(buses.iter().map(|&b| network.buses[b].id).collect()),
                demand_cut_off_mw: Some(plain(demand * base)),
                generation_cut_off_mw: Some(plain(generation * base)),
                ..empty
            },
        }
    }
}
