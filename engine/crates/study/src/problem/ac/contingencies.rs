//! N-1 screening of an AC power flow, in steps.

use super::AcState;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::plain;
use crate::problem::work::{Product, Work};
use crate::problem::Screened;
use crate::results::Reply;
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::ac::{AcAfter, AcBase, AcEffect, AcFlows, AcLimits, AcOutage, AcScreening, AcSelection};
use wattbook_solve::ac::{AcLoading, ReactiveLimits};

/// A screening in progress, of the state that it was created with; later commits do not affect it.
#[derive(Debug)]
pub(super) struct Screening {
    state: Arc<AcState>,
    base: AcBase,
    screening: AcScreening,
}

impl Screening {
    /// Errors: `SOLVE.NOT_CONVERGED` where the Jacobian is singular.
    pub fn new(state: Arc<AcState>, requested: Screened) -> Result<Self> {
        let base = state.differentiable()?.clone();
        Ok(Self {
            screening: of(&state, &base, requested),
            base,
            state,
        })
    }

    fn row(&self, outage: &AcOutage) -> c::ContingencyRow {
        let network = &self.state.problem.network.case.network;
        let branch = &network.branches[outage.branch];
        let kind = match outage.effect {
            AcEffect::Solved(_) => c::ContingencyKind::Loading,
            AcEffect::NotConverged => c::ContingencyKind::NotConverged,
            AcEffect::Estimated => c::ContingencyKind::Estimated,
            AcEffect::Islanding { .. } => c::ContingencyKind::Islanding,
        };
        let mut row = c::ContingencyRow::new(branch.id, branch.uid.clone(), kind);
        row.estimated_branch = outage.estimate.map(|(row, _)| network.branches[row].id);
        row.estimated_loading = outage.estimate.map(|(_, loading)| loading);
        match &outage.effect {
            AcEffect::Solved(after) => self.put(after, &mut row),
            AcEffect::Islanding {
                buses,
                demand,
                generation,
            } => {
                row.buses_cut_off = Some(buses.iter().map(|&b| network.buses[b].id).collect());
                row.demand_cut_off_mw = Some(plain(demand * network.base_mva));
                row.generation_cut_off_mw = Some(plain(generation * network.base_mva));
            }
            AcEffect::NotConverged | AcEffect::Estimated => {}
        }
        row
    }

    fn put(&self, after: &AcAfter, row: &mut c::ContingencyRow) {
        let network = &self.state.problem.network.case.network;
        let base = network.base_mva;
        let of_worst = |value: fn(&AcLoading) -> f64| after.worst.as_ref().map(value);
        row.worst_branch = after.worst.map(|worst| network.branches[worst.branch].id);
        row.worst_mw = of_worst(|worst| worst.flow).map(|flow| plain(flow * base));
        row.worst_mva = of_worst(|worst| worst.apparent).map(|power| plain(power * base));
        row.worst_loading = of_worst(|worst| worst.loading);
        row.overloads = Some(after.overloads as u32);
        row.new_overloads = Some(after.new_overloads as u32);
        row.worst_new_overload = after.worst_new.map(|new| {
            let branch = &network.branches[new.after.branch];
            c::NewOverload {
                branch: branch.id,
                uid: branch.uid.clone(),
                from_bus: network.buses[branch.from].id,
                to_bus: network.buses[branch.to].id,
                mw: plain(new.after.flow * base),
                mva: Some(plain(new.after.apparent * base)),
                loading_after: new.after.loading,
                loading_before: new.base_loading,
            }
        });
        let [lowest, highest] = [after.lowest, after.highest];
        row.lowest_voltage_bus = Some(network.buses[lowest.0].id);
        row.lowest_voltage_pu = Some(lowest.1);
        row.highest_voltage_bus = Some(network.buses[highest.0].id);
        row.highest_voltage_pu = Some(highest.1);
        row.voltage_violations = Some(after.violations as u32);
        row.new_voltage_violations = Some(after.new_violations as u32);
        row.reactive_limits = match after.limits {
            ReactiveLimits::Ignored => None,
            ReactiveLimits::Kept { .. } => Some(c::ReactiveLimits::Kept),
            ReactiveLimits::NotKept => Some(c::ReactiveLimits::NotKept),
        };
    }
}

impl Work for Screening {
    /// One unit of budget is one outage.
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        let problem = &self.state.problem;
        let network = &problem.network.case.network;
        let outages = self
            .screening
            .step(&problem.model, &self.base, network, budget as usize)?;
        let fraction = self.screening.fraction();
        Ok(c::JobStep {
            done: fraction >= 1.0,
            fraction,
            rows: Some(outages.iter().map(|outage| self.row(outage)).collect()),
            ..c::JobStep::default()
        })
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        Ok(Reply::new(&(), Vec::new()).into())
    }
}

fn of(state: &AcState, base: &AcBase, requested: Screened) -> AcScreening {
    let network = &state.problem.network.case.network;
    let limits = AcLimits {
        rating: state.ratings.clone(),
        voltage: network.buses.iter().map(|bus| [bus.vmin_pu, bus.vmax_pu]).collect(),
    };
    let selection = AcSelection {
        branches: requested.branches,
        least_estimate: requested.least_estimate,
    };
    AcScreening::new(&state.problem.model, base, limits, selection)
}

/// Voltages and flows after the outage of one branch, per unit by dense row.
///
/// Errors: `OUTAGE.ISLANDING`, `SOLVE.NOT_CONVERGED`.
fn after(state: &AcState, branch: usize) -> Result<AcFlows> {
    let (problem, base) = (&state.problem, state.differentiable()?);
    let network = &problem.network.case.network;
    let mut screening = of(state, base, Screened::default());
    let found = screening.flows_after(&problem.model, base, network, branch)?;
    found.map_err(|effect| {
        let branch = ElementRef::from(&network.branches[branch]);
        let (code, message) = match effect {
            AcEffect::NotConverged => (
                "SOLVE.NOT_CONVERGED",
                message!("ac.outage_not_converged", branch = &branch),
            ),
            _ => ("OUTAGE.ISLANDING", message!("sens.islanding", branch = &branch)),
        };
        EngineError::new(code, message).at(branch)
    })
}

/// Voltages, flows and loadings after the outage of one branch.
///
/// Errors: `OUTAGE.ISLANDING`, `SOLVE.NOT_CONVERGED`.
pub(super) fn columns_after(state: &AcState, branch: usize) -> Result<Vec<Column>> {
    let s = after(state, branch)?;
    let parts = &state.problem.network;
    let base = parts.case.network.base_mva;
    let loading = |row: usize| {
        let power = super::results::apparent_of(s.flow_from[row], s.flow_to[row]);
        wattbook_solve::loading(power, state.ratings[row])
    };
    Ok(vec![
        Column::new(ColumnName::VmPu, parts.by_bus(|b| s.magnitude[b])),
        Column::new(ColumnName::VaRad, parts.by_bus(|b| s.angle[b])),
        Column::new(ColumnName::FlowMw, parts.by_branch(|row| s.flow_from[row][0] * base)),
        Column::new(ColumnName::FlowMvar, parts.by_branch(|row| s.flow_from[row][1] * base)),
        Column::new(ColumnName::FlowToMw, parts.by_branch(|row| s.flow_to[row][0] * base)),
        Column::new(ColumnName::FlowToMvar, parts.by_branch(|row| s.flow_to[row][1] * base)),
        Column::new(ColumnName::Loading, parts.by_branch(loading)),
    ])
}
