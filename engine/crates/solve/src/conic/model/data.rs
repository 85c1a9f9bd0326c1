//! The quantities that edits change.

use super::branch_flow::flow_rows;
use wattbook_network::analysis::{AnalysisNetwork, Branch};

/// The quantities that edits change, per unit by dense row.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicData {
    /// Active and reactive demand of each bus.
    pub demand: Vec<f64>,
    pub demand_q: Vec<f64>,
    /// Apparent-power limit of each branch.
    pub rating: Vec<f64>,
}

impl ConicData {
    /// Demand and ratings of the case as read from its file.
    pub fn base(network: &AnalysisNetwork) -> Self {
        Self {
            demand: network.buses.iter().map(|b| b.demand_pu).collect(),
            demand_q: network.buses.iter().map(|b| b.demand_q_pu).collect(),
            rating: network.branches.iter().map(|branch| rating(network, branch)).collect(),
        }
    }
}

/// Apparent-power limit of a branch; infinite for a branch without impedance and rating. Without a rating, a branch
/// with impedance gets a bound that no flow within the voltage limits of its ends exceeds, so the relaxation is
/// unaffected: a flow is linear in `w_f <= vmax_f^2`, `w_t <= vmax_t^2` and the products, whose squares sum to at most
/// `w_f w_t`.
pub(crate) fn rating(network: &AnalysisNetwork, branch: &Branch) -> f64 {
    if branch.rating_pu.is_finite() || branch.is_zero_impedance() {
        return branch.rating_pu;
    }
    let [f, t] = [branch.from, branch.to].map(|bus| network.buses[bus].vmax_pu);
    let most = flow_rows(branch)
        .map(|[wf, wt, wr, wi]| wf.abs() * f * f + wt.abs() * t * t + (wr * wr + wi * wi).sqrt() * (f * t).abs());
    let ends = [
        most[0] * most[0] + most[1] * most[1],
        most[2] * most[2] + most[3] * most[3],
    ];
    // Between buses whose limits admit no voltage there is no flow, and any limit is valid.
    ends[0].max(ends[1]).sqrt().max(1.0)
}
