//! Values of branches that replace those of the case: in the network that solvers use, and in the rows of a module.

use powerio::Branch as ModuleBranch;
use std::f64::consts::FRAC_PI_3;

use crate::analysis::AnalysisNetwork;
use crate::assemble::branches::{fallback_rating_of, is_beyond_assumed_limits, RATED_ZERO, UNRATED};

/// Values of a branch that replace those of the case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BranchValues {
    pub in_service: Option<bool>,
    /// MVA, greater than zero.
    pub rating_mw: Option<f64>,
    /// Series reactance, per unit on the base of the file; the impedance must not become zero.
    pub x_pu: Option<f64>,
    /// Off-nominal ratio, greater than zero.
    pub tap: Option<f64>,
    /// Phase shift, degrees.
    pub shift_deg: Option<f64>,
}

impl AnalysisNetwork {
    /// Sets values of a branch (dense row), so that the network is the one that is read from [`crate::materialize_module`] with
    /// the same values: assumed ratings and assumed angle-difference limits follow their rules.
    pub fn set_branch(&mut self, row: usize, values: &BranchValues) {
        let exponent = self.base_exponent;
        let branch = &mut self.branches[row];
        let ends_in_service = [branch.from, branch.to].iter().all(|&bus| self.buses[bus].in_service);
        branch.in_service = values.in_service.unwrap_or(branch.in_service) && ends_in_service;
        branch.x_pu = values.x_pu.map_or(branch.x_pu, |x| libm::ldexp(x, exponent));
        branch.tap = values.tap.unwrap_or(branch.tap);
        if let Some(degrees) = values.shift_deg {
            branch.shift_rad = degrees.to_radians();
            if branch.angle_limits_assumed {
                branch.angle_limits_about_shift = is_beyond_assumed_limits(branch.shift_rad);
                let centre = if branch.angle_limits_about_shift {
                    branch.shift_rad
                } else {
                    0.0
                };
                [branch.angle_min_rad, branch.angle_max_rad] = [centre - FRAC_PI_3, centre + FRAC_PI_3];
            }
        }
        if let Some(mw) = values.rating_mw {
            (branch.rating_is_fallback, branch.rating_pu) = (false, mw / self.base_mva);
        } else if branch.rating_is_fallback && branch.is_rated() && values.x_pu.is_some() {
            let limits = match branch.angle_limits_assumed {
                true => (-FRAC_PI_3, FRAC_PI_3),
                false => (branch.angle_min_rad, branch.angle_max_rad),
            };
            branch.rating_pu = fallback_rating_of(&self.buses, branch, limits);
        }
    }
}

/// Sets values in the row of a branch; a rating that is set is no assumed one any more.
pub(super) fn change_branch(branch: &mut ModuleBranch, values: &BranchValues) {
    branch.in_service = values.in_service.unwrap_or(branch.in_service);
    branch.x = values.x_pu.unwrap_or(branch.x);
    branch.tap = values.tap.unwrap_or(branch.tap);
    branch.shift = values.shift_deg.unwrap_or(branch.shift);
    if let Some(rating) = values.rating_mw {
        branch.rate_a = rating;
        for mark in [RATED_ZERO, UNRATED] {
            branch.extras.remove(mark);
        }
    }
}
