//! Proofs of infeasibility from the limits around a bus or behind a bridge, before anything is ordered or factored.
//!
//! The import or export of a group of buses must pass over the lines that leave it. For each single bus, and for each
//! side of a bridge, this is a comparison of two sums that does not involve susceptances. The conflict is a sum of
//! balances with a price of one at each bus of the group, as in the method's own dual rays. It is verified by separate
//! sums before it is reported: "bus 12 must import at least 50 MW, but line 3 can carry at most 40 MW".

use crate::dc::model::{DcData, DcOutline};
use serde_json::json;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;

/// Conflicts below this (per unit) and below this share of the terms are left to the method.
const CLEAR: f64 = 1e-6;

impl DcOutline {
    /// Refuses data with a conflict at a bus or at a bridge, so that no solve needs to be started.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE`, naming buses and lines.
    pub fn presolve_infeasibility(&self, data: &DcData) -> Result<(), EngineError> {
        let withdrawals = self.withdrawals(&data.demand);
        let found = group(self, data, &withdrawals);
        let cutset = found.and_then(|(buses, sign)| Cutset::new(self, data, &withdrawals, buses, sign));
        match cutset {
            Some(cutset) => Err(cutset.error(self)),
            None => Ok(()),
        }
    }
}

/// The first group whose lines cannot carry its exchange, with +1 for a necessary import and -1 for an export. `None`
/// if bounds of one element cross, which has its own message.
fn group(outline: &DcOutline, data: &DcData, withdrawals: &[f64]) -> Option<(Vec<usize>, f64)> {
    // Generation less withdrawal, minimum and maximum.
    let mut supply: Vec<[f64; 2]> = withdrawals.iter().map(|w| [-w, -w]).collect();
    for column in &outline.columns {
        if column.lo > column.hi {
            return None;
        }
        let supply = &mut supply[outline.host(column.bus)];
        *supply = [supply[0] + column.lo, supply[1] + column.hi];
    }
    // Cumulative sums over the buses in the order of the search for bridges.
    let bridges = &outline.bridges;
    let mut sums = Vec::with_capacity(bridges.order.len() + 1);
    let mut sum = [0.0; 2];
    sums.push(sum);
    for &bus in &bridges.order {
        let own = supply[bus as usize];
        sum = [sum[0] + own[0], sum[1] + own[1]];
        sums.push(sum);
    }

    for (l, line) in outline.lines.iter().enumerate() {
        let (lo, hi) = flow_limits(outline, data, l);
        if lo > hi {
            return None;
        }
        // The remainder after the lines so far.
        let from = &mut supply[line.from];
        *from = [from[0] - hi, from[1] - lo];
        let to = &mut supply[line.to];
        *to = [to[0] + lo, to[1] + hi];
    }
    let judge = |least: f64, most: f64| {
        if most < -CLEAR {
            1.0
        } else if least > CLEAR {
            -1.0
        } else {
            0.0
        }
    };
    for (bus, &[least, most]) in supply.iter().enumerate() {
        let sign = judge(least, most);
        if sign != 0.0 {
            return Some((vec![bus], sign));
        }
    }
    for cutset in &bridges.bridges {
        let (lo, hi) = flow_limits(outline, data, cutset.line);
        let is_inside = outline.lines[cutset.line].from == cutset.below;
        let (least_out, most_out) = if is_inside { (lo, hi) } else { (-hi, -lo) };
        let (first, end) = (sums[cutset.from], sums[cutset.to]);
        let sign = judge(end[0] - first[0] - most_out, end[1] - first[1] - least_out);
        if sign != 0.0 {
            let below = bridges.order[cutset.from..cutset.to].iter().map(|&bus| bus as usize);
            return Some((below.filter(|&bus| outline.host(bus) == bus).collect(), sign));
        }
    }
    None
}

/// Limits of a line's flow `b (theta_f - theta_t)`, without the constant of phase shifters; zero for lines with an
/// angle-difference limit only.
fn flow_limits(outline: &DcOutline, data: &DcData, l: usize) -> (f64, f64) {
    let line = &outline.lines[l];
    if line.is_angle_difference() {
        (0.0, 0.0)
    } else if outline.is_undetermined(l) {
        (f64::NEG_INFINITY, f64::INFINITY)
    } else {
        let (lo, hi) = line.limits(data.rating[line.row]);
        (lo + line.shift_flow, hi + line.shift_flow)
    }
}

/// A verified conflict: a group of buses and the lines that leave it.
struct Cutset {
    buses: Vec<usize>,
    /// Whether the group must import; otherwise it must export.
    needs: bool,
    lines: Vec<usize>,
    /// Minimum exchange of the group, and maximum flow of its lines, per unit.
    required: f64,
    capacity: f64,
}

impl Cutset {
    /// Sums the balances of the group; `None` if the sum does not clearly contradict the limits.
    fn new(outline: &DcOutline, data: &DcData, withdrawals: &[f64], buses: Vec<usize>, sign: f64) -> Option<Self> {
        let mut price = vec![0.0; outline.n_bus];
        for &bus in &buses {
            price[bus] = sign;
        }
        for (terminal, host) in outline.terminals() {
            price[terminal] = price[host];
        }
        // sum price (withdrawal - generation) = - sum over lines (price_f - price_t) flow
        let (mut required, mut capacity, mut scale) = (0.0, 0.0, 0.0f64);
        for (price, withdrawal) in price.iter().zip(withdrawals) {
            required += price * withdrawal;
            scale += (price * withdrawal).abs();
        }
        for column in &outline.columns {
            let price = price[column.bus];
            let most = (price * column.lo).max(price * column.hi);
            required -= most;
            scale += most.abs();
        }
        let mut lines = Vec::new();
        for (l, line) in outline.lines.iter().enumerate() {
            let apart = price[line.from] - price[line.to];
            if apart != 0.0 && line.carries_flow() {
                let (lo, hi) = flow_limits(outline, data, l);
                let most = (-apart * lo).max(-apart * hi);
                capacity += most;
                scale += most.abs();
                lines.push(l);
            }
        }
        // Without lines, the balance of an island has its own message.
        (required - capacity > CLEAR * (1.0 + scale) && !lines.is_empty()).then_some(Self {
            buses,
            needs: sign > 0.0,
            lines,
            required,
            capacity,
        })
    }

    fn error(&self, outline: &DcOutline) -> EngineError {
        let base = outline.base_mva;
        let short = (self.required - self.capacity) * base;
        let branches: Vec<&ElementRef> = self.lines.iter().map(|&l| outline.element_of_line(l)).collect();
        let buses: Vec<&ElementRef> = self.buses.iter().map(|&bus| &outline.bus_ids[bus]).collect();
        let details = json!({
            "kind": "lines",
            "shortfall_mw": short,
            "lines": branches.iter().map(|e| json!({ "branch": e.id, "weight": 1.0 })).collect::<Vec<_>>(),
            "buses": buses.iter().map(|e| e.id).collect::<Vec<_>>(),
        });
        let element = branches[0].clone();
        let reason = if self.required > 0.0 {
            let (required, capacity) = (mw_exact(self.required * base), mw_exact(self.capacity * base));
            if self.needs {
                message!(
                    "reason.import",
                    buses = buses,
                    lines = branches,
                    required = required,
                    capacity = capacity
                )
            } else {
                message!(
                    "reason.export",
                    buses = buses,
                    lines = branches,
                    required = required,
                    capacity = capacity
                )
            }
        } else {
            message!("reason.group", lines = branches, buses = buses)
        };
        EngineError::new("SOLVE.INFEASIBLE", message!("no_solution", reason = reason))
            .with_details(details)
            .at(element)
    }
}
