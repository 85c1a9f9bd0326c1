//! A branch in the DC model: its row, and the interval of its rating and angle-difference limit.

use crate::dc::model::combined_rows::Combination;
use std::sync::Arc;

/// A branch of the DC model, with `flow = b (theta_f - theta_t - shift)`, per unit at the from end.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Dense branch row.
    pub row: usize,
    pub from: usize,
    pub to: usize,
    pub b: f64,
    /// `b * shift`, per unit power.
    pub shift_flow: f64,
    pub angle_min: f64,
    pub angle_max: f64,
    /// Whether the angle-difference limits are about the phase shift and move with it.
    pub limits_follow_shift: bool,
    /// How far the phase shift can fall and rise, radians, until assumed angle-difference limits follow another rule.
    pub shift_room: [f64; 2],
    /// For a branch without impedance, its index in `ZeroImpedanceBranches::branches`.
    pub merged: Option<usize>,
    /// For the tie of a link, the delivered share of the power sent from `from` to `to`, which are terminals: the line
    /// carries no flow, and its row is zero.
    pub tie: Option<f64>,
    /// For a limit on a weighted sum of flows, its terms: the line itself carries no flow.
    pub combination: Option<Arc<Combination>>,
}

/// Largest size of a combination's value at its other side, per unit, where it has no limit.
const FAR: f64 = 1e6;

impl Line {
    /// Whether power can flow over the line.
    pub fn carries_flow(&self) -> bool {
        self.b != 0.0 || self.merged.is_some()
    }

    /// Whether its row is an angle difference: the line has an angle-difference limit but no flow.
    pub fn is_angle_difference(&self) -> bool {
        !self.carries_flow() && self.tie.is_none() && self.combination.is_none()
    }

    /// Weight of `theta_f - theta_t` in the line's row: its susceptance, or 1 if it has only the angle-difference
    /// limit.
    pub fn weight(&self) -> f64 {
        if self.is_angle_difference() {
            1.0
        } else {
            self.b
        }
    }

    /// Cost per unit of exceeding its limits in the minimum relaxation. An angle difference without flow has no MW, so
    /// its cost makes it the last resort.
    pub fn slack_cost(&self) -> f64 {
        if self.is_angle_difference() {
            1e3
        } else {
            1.0
        }
    }

    /// Rate of the angle-difference limits of the row by the phase shift, per radian.
    pub fn angle_limit_rate(&self) -> f64 {
        match (self.is_angle_difference(), self.limits_follow_shift) {
            (true, true) => 1.0,
            (true, false) | (false, true) => 0.0,
            (false, false) => -self.b,
        }
    }

    /// Constant of the line's row.
    pub fn offset(&self) -> f64 {
        if self.is_angle_difference() {
            0.0
        } else {
            -self.shift_flow
        }
    }

    /// Interval of the row's value from rating and angle-difference limit together. The angle-difference limit of a
    /// merged branch does not depend on its flow and is excluded.
    pub fn limits(&self, rating: f64) -> (f64, f64) {
        if self.tie.is_some() {
            return (0.0, 0.0);
        }
        if self.combination.is_some() {
            return (-FAR, rating);
        }
        if self.merged.is_some() {
            return (-rating, rating);
        }
        if self.b == 0.0 {
            return (self.angle_min, self.angle_max);
        }
        let (a, b) = (
            self.b * self.angle_min - self.shift_flow,
            self.b * self.angle_max - self.shift_flow,
        );
        ((-rating).max(a.min(b)), rating.min(a.max(b)))
    }
}

/// The data that passes over all lines read, stored contiguously.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stencil {
    pub from: u32,
    pub to: u32,
    /// Dense branch row.
    pub row: u32,
    /// Whether the line has an impedance, so that its row is its flow.
    pub is_plain: bool,
    pub b: f64,
    pub shift_flow: f64,
    /// Flow at the ends of its angle-difference limit.
    pub low: f64,
    pub high: f64,
}

impl Stencil {
    pub fn new(line: &Line) -> Self {
        let (low, high) = line.limits(f64::INFINITY);
        Self {
            from: line.from as u32,
            to: line.to as u32,
            row: line.row as u32,
            is_plain: line.merged.is_none() && line.b != 0.0,
            b: line.b,
            shift_flow: line.shift_flow,
            low,
            high,
        }
    }

    /// Interval of the flow of a plain line, equal to `Line::limits`.
    #[inline]
    pub fn limits(&self, rating: f64) -> (f64, f64) {
        (
            if self.low > -rating { self.low } else { -rating },
            if self.high < rating { self.high } else { rating },
        )
    }
}
