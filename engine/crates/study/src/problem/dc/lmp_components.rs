//! LMP components in the contract's types.

use super::security::interface_of;
use super::DcState;
use crate::contract as c;
use crate::convert::plain;
use wattbook_solve::dc::CongestionPart;

pub(super) fn of(state: &DcState, row: usize) -> c::LmpComponents {
    let (problem, s) = (state.dc(), &state.solution);
    let network = &problem.case.network;
    let base = network.base_mva;
    let parts = s.lmp_components(&problem.model, row);
    let part = |p: &CongestionPart| {
        let (limit, branch) = problem.model.limit_of(p.branch);
        let branch = branch?;
        Some(c::CongestionPart {
            branch: network.branches[branch].id,
            uid: network.branches[branch].uid.clone(),
            outage: limit.outage().branches,
            generators_out: limit.outage().generators,
            interface: interface_of(limit),
            value: plain(p.value / base),
            shadow: p.shadow / base,
            shift_factor: plain(p.shift_factor),
        })
    };
    c::LmpComponents {
        bus: network.buses[row].id,
        uid: network.buses[row].uid.clone(),
        price: plain(parts.price / base),
        energy: plain(parts.energy / base),
        reference: if parts.by_demand {
            c::PriceReference::Demand
        } else {
            c::PriceReference::Even
        },
        losses: None,
        voltage: None,
        congestion: parts.congestion.iter().filter_map(part).collect(),
        residual: plain(parts.residual / base),
    }
}
