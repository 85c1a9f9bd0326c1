//! LMP components in the contract's types.

use super::Dc;
use crate::contract as c;
use crate::convert::plain;
use wattbook_solve::dc::{CongestionPart, DcSolution};

pub(super) fn of(problem: &Dc, s: &DcSolution, row: usize) -> c::LmpComponents {
    let network = &problem.case.network;
    let base = network.base_mva;
    let parts = s.lmp_components(&problem.model, row);
    let part = |p: &CongestionPart| c::CongestionPart {
        branch: network.branches[p.branch].id,
        uid: network.branches[p.branch].uid.clone(),
        value: plain(p.value / base),
        shadow: p.shadow / base,
        shift_factor: plain(p.shift_factor),
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
        congestion: parts.congestion.iter().map(part).collect(),
        residual: plain(parts.residual / base),
    }
}
