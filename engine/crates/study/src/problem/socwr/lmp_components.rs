//! LMP components in the contract's types.

use super::SocwrState;
use crate::contract as c;
use crate::convert::plain;
use wattbook_network::error::Result;
use wattbook_solve::conic::ConicCongestion;

/// Errors: `SENS.NOT_REGULAR`.
pub(super) fn of(state: &SocwrState, row: usize) -> Result<c::LmpComponents> {
    let problem = &*state.problem;
    let network = &problem.network.case.network;
    let base = network.base_mva;
    let parts = state.split()?;
    let lines = state.solution.congestion_by_line(&problem.model, row)?;
    let part = |line: &ConicCongestion| c::CongestionPart {
        branch: network.branches[line.branch].id,
        uid: network.branches[line.branch].uid.clone(),
        value: plain(line.value / base),
        outage: Vec::new(),
        generators_out: Vec::new(),
        interface: None,
        shadow: line.shadow / base,
        shift_factor: plain(line.shift_factor),
    };
    let price = state.solution.price[row];
    let (energy, losses, voltage) = (parts.energy[row], parts.losses[row][0], parts.voltage[row][0]);
    let congestion: f64 = lines.iter().map(|line| line.value).sum();
    let slack = problem.model.slack(&state.solution.data.demand, row);
    Ok(c::LmpComponents {
        bus: network.buses[row].id,
        uid: network.buses[row].uid.clone(),
        price: plain(price / base),
        energy: plain(energy / base),
        reference: if slack.by_demand {
            c::PriceReference::Demand
        } else {
            c::PriceReference::Even
        },
        losses: Some(plain(losses / base)),
        voltage: Some(plain(voltage / base)),
        congestion: lines.iter().map(part).collect(),
        residual: plain((price - energy - losses - voltage - congestion) / base),
    })
}
