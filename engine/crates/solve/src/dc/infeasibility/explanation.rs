//! The conflicting limits of infeasible data, and the smallest change of limits that removes the conflict.

use wattbook_network::analysis::ElementRef;
use wattbook_network::message::Message;

/// The kind of conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two bounds of one element.
    Bounds,
    /// Generators' limits and the demand of an island.
    Balance,
    /// Lines, together with the generators' limits and the balance.
    Lines,
}

/// The kind of limit of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Rating,
    Angle,
    /// The relaxation exceeds both, so raising one of them alone does not help.
    RatingAndAngle,
    /// Output of a generator.
    Minimum,
    Maximum,
    Demand,
    /// Demand that becomes negative.
    Injection,
}

/// A limit that is part of the conflict.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradicting {
    pub element: ElementRef,
    pub limit: Limit,
    /// Reduction of the minimum relaxation per additional MW of this limit; for an angle-difference limit without flow,
    /// MW per radian.
    pub weight: f64,
    /// The limit, MW (flow from the from end, signed); `None` for the angle-difference limit of a branch without flow.
    pub limit_mw: Option<f64>,
}

/// The amount by which a limit is exceeded in the minimum relaxation.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    pub element: ElementRef,
    pub limit: Limit,
    pub mw: f64,
    /// Degrees by which the angle-difference limit must be widened; zero if it is met.
    pub angle_deg: f64,
    /// The amount as displayed, rounded up; for demand at most that of the bus.
    pub rounded_mw: f64,
    pub rounded_deg: f64,
    /// Whether `rounded_mw` is the whole demand of the bus.
    pub is_all: bool,
}

/// Results of the checks after the search, on the original data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verified {
    /// Lower bound on every relaxation, MW: the value of the multipliers, each at most one.
    pub bound_mw: f64,
    /// The relaxation minus the bound, MW; rounding errors only.
    pub gap_mw: f64,
    /// The data with the displayed relaxation have a dispatch; displayed figures are rounded up by at most this, MW.
    pub margin_mw: f64,
}

/// A conflict, and the minimum relaxation that removes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub kind: Kind,
    /// The conflict in words: "the limits of line 12 and line 40 cannot both be met".
    pub reason: Message,
    /// The conflict in words, without amounts.
    pub bare_reason: Message,
    /// Limits in the conflict, largest weight first.
    pub elements: Vec<Contradicting>,
    /// Relaxed limits, largest amount first.
    pub relaxation: Vec<Relaxation>,
    pub relaxation_total_mw: f64,
    /// Whether the search completed, so that no relaxation has a smaller sum; otherwise it was stopped.
    pub is_least: bool,
    pub verified: Verified,
}
