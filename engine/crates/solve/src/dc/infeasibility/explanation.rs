//! What contradicts, and the least change of limits that removes it.

use wattbook_network::analysis::ElementRef;
use wattbook_network::message::Message;

/// What contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two bounds of one element.
    Bounds,
    /// Generators' limits and the demand of an island.
    Balance,
    /// Lines, with the generators' limits and the balance.
    Lines,
}

/// Which limit of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Rating,
    Angle,
    /// Both hold the line within the relaxation: neither alone helps.
    RatingAndAngle,
    /// Output of a generator.
    Minimum,
    Maximum,
    Demand,
    /// A demand below zero.
    Injection,
}

/// A limit that takes part in the contradiction.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradicting {
    pub element: ElementRef,
    pub limit: Limit,
    /// What one more MW of this limit saves of the relaxation, MW; for an angle-difference limit without flow, MW per radian.
    pub weight: f64,
    /// The limit, MW (flow from the from end, signed); none for the angle-difference limit of a branch without flow.
    pub limit_mw: Option<f64>,
}

/// By how much a limit is exceeded in the minimum relaxation.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    pub element: ElementRef,
    pub limit: Limit,
    pub mw: f64,
    /// Degrees by which the angle-difference limit must be wider; zero where it holds.
    pub angle_deg: f64,
    /// The same as the words say it, rounded up; of demand never more than the bus has.
    pub rounded_mw: f64,
    pub rounded_deg: f64,
    /// `rounded_mw` is the whole demand of the bus.
    pub is_all: bool,
}

/// What was checked after the search, on the data themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verified {
    /// No relaxation of a smaller total exists, MW: the value of the multipliers, each at most one.
    pub bound_mw: f64,
    /// The relaxation minus the bound, MW: rounding.
    pub gap_mw: f64,
    /// The data relaxed by what the words say have a dispatch; a figure there is rounded up by at most this, MW.
    pub margin_mw: f64,
}

/// A contradiction, and the minimum relaxation that removes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub kind: Kind,
    /// What contradicts: "the limits of line 12 and line 40 cannot both be met".
    pub reason: Message,
    /// The same without amounts.
    pub bare_reason: Message,
    /// Largest weight first.
    pub elements: Vec<Contradicting>,
    /// Largest first.
    pub relaxation: Vec<Relaxation>,
    pub relaxation_total_mw: f64,
    /// The search ended by itself: of no relaxation the sum is smaller. Otherwise it was stopped.
    pub is_least: bool,
    pub verified: Verified,
}
