//! The exact path of the optimum along one demand, one rating, one phase shift, or one limit of a generator, an HVDC link or an interface.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{
    BranchValue, BreakpointEvent, Element, ErrorBody, Explanation, GeneratorValue, InterfaceValue, Message,
};

/// A change of the active set. Positions are MW on the axis of the track; prices at the watched bus are $/MWh, before
/// and after in the direction of the track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackBreakpoint {
    pub mw: f64,
    pub event: BreakpointEvent,
    pub element: Element,
    pub price_before: f64,
    pub price_after: f64,
}

/// A stretch without breakpoints, in which prices are affine and the cost is quadratic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackSegment {
    pub from_mw: f64,
    pub to_mw: f64,
    /// $/h at `from_mw` and at `to_mw`.
    pub objective: f64,
    pub objective_end: f64,
    /// Price at the watched bus at `from_mw`, $/MWh, and its slope, ($/MWh)/MW.
    pub price: f64,
    pub slope: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TrackStopReason {
    /// No optimum exists further on.
    Infeasible,
    /// The demand or the rating reaches zero, or the limits of the generator or link meet.
    EditLimit,
    /// The track reached the largest number of breakpoints.
    TooManyBreakpoints,
    /// The solver did not find the next region.
    NotFollowed,
    /// The track was ended early.
    Interrupted,
}

/// Why a track ends before its goal, and the position, MW.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackStop {
    pub mw: f64,
    pub reason: TrackStopReason,
    pub message: String,
    /// `message` in catalogue form. With `explanation` its messages are `stop` and `remedy`.
    pub sentence: Message,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<ErrorBody>,
    /// With `explain`, where no optimum exists further on: the contradiction at the requested end, and the minimum
    /// relaxation that would reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub explanation: Option<Explanation>,
}

/// The optimum along one demand, one rating, one phase shift, or one limit of a generator, an HVDC link or an interface, with the other
/// committed edits unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Track {
    pub target: Element,
    /// For a generator or a link, the limit that moves: `p_min` or `p_max`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub value: Option<GeneratorValue>,
    /// `shift` where the phase shift of a branch moves; absent for its rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub branch_value: Option<BranchValue>,
    /// For an interface, the limit that moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub interface_value: Option<InterfaceValue>,
    /// Bus of the prices below: the target, the generator's bus, or for a branch or an interface the bus whose price
    /// changes most over the track.
    #[ts(type = "number")]
    pub watched_bus: u64,
    /// As requested: MW from the base case, or for a generator, link or interface the limit itself in MW, for a phase shift the shift
    /// itself in degrees, as in every position below; segments run in this direction.
    pub from_mw: f64,
    pub to_mw: f64,
    pub breakpoints: Vec<TrackBreakpoint>,
    pub segments: Vec<TrackSegment>,
    /// Present where the segments begin after `from_mw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub begins: Option<TrackStop>,
    /// Present where the segments end before `to_mw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stopped: Option<TrackStop>,
}

/// The optimum at one position of the track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackState {
    pub mw: f64,
    /// $/h.
    pub objective: f64,
    /// Always true.
    pub exact: bool,
    /// Index into the track's segments.
    pub segment: u32,
    /// Branches with a shadow price at this position, in source order. The set is constant inside a segment.
    #[serde(default)]
    pub binding: Vec<TrackBinding>,
}

/// A branch that binds at a position of a track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrackBinding {
    #[ts(type = "number")]
    pub branch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    /// Ids of the branches out of service where the limit is one after an outage; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<u32>>", optional)]
    pub outage: Vec<u64>,
    /// Ids of the generators out of service in the outage; absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u32>>")]
    pub generators_out: Vec<u64>,
    /// Name of the interface whose limit it is; `branch` is then its first branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub interface: Option<String>,
    /// Shadow price of the limit, $/MWh.
    pub shadow: f64,
}
