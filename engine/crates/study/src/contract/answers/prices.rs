//! What makes a price so.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What one binding line does to a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CongestionPart {
    #[ts(type = "number")]
    pub branch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    /// $/MWh: `-shadow * shift_factor`.
    pub value: f64,
    /// Multiplier of the line's limit, $/MWh (>= 0), as in the solution's flows.
    pub shadow: f64,
    /// Change of the line's flow, in the direction in which it binds, for one MW injected at the bus and withdrawn at the
    /// reference, MW per MW (of a rating of apparent power, MVA per MW). For a branch that has an angle-difference limit and no
    /// flow: radians per unit.
    pub shift_factor: f64,
}

/// Where the energy part is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PriceReference {
    /// Spread over the buses of the bus's island by their present demand; buses with negative demand count for nothing.
    Demand,
    /// Spread evenly over its island, which has no demand.
    Even,
}

/// A price as energy and congestion: `price = energy + sum of congestion values`, to rounding. The conic relaxation has losses and
/// voltage limits too, each a part of its own; the DC model has neither.
///
/// The split depends on the reference, the price does not. With the reference spread by demand, `energy` is the mean price of
/// demand in the island.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LmpComponents {
    #[ts(type = "number")]
    pub bus: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    /// $/MWh.
    pub price: f64,
    /// Price of energy at the reference, $/MWh.
    pub energy: f64,
    pub reference: PriceReference,
    /// What the losses add that a unit from the reference to the bus causes, $/MWh; absent where the formulation has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub losses: Option<f64>,
    /// What voltage limits add, with the cuts that follow from them, $/MWh; absent where the formulation has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub voltage: Option<f64>,
    /// Every line with a shadow price in the bus's island, largest part first.
    pub congestion: Vec<CongestionPart>,
    /// What the identity misses, $/MWh: rounding, and in the conic relaxation its accuracy.
    pub residual: f64,
}
