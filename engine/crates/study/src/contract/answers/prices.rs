//! LMP components.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The contribution of one binding line to a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CongestionPart {
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
    /// $/MWh: `-shadow * shift_factor`.
    pub value: f64,
    /// Multiplier of the line's limit, $/MWh (>= 0), as in the solution's flows.
    pub shadow: f64,
    /// Change of the line's flow, in the direction in which it binds, for one MW injected at the bus and withdrawn at
    /// the reference, MW per MW (for a rating of apparent power, MVA per MW). For a branch with an angle-difference
    /// limit and no flow, radians per unit.
    pub shift_factor: f64,
}

/// The reference of the energy component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PriceReference {
    /// Spread over the buses of the bus's island in proportion to their present demand; negative demand counts as zero.
    Demand,
    /// Spread evenly over the island, which has no demand.
    Even,
}

/// A price as energy and congestion: `price = energy + sum of congestion values`, to rounding. The conic relaxation
/// also has components for losses and voltage limits; the DC model has neither.
///
/// The split depends on the reference, the price does not. With the reference spread by demand, `energy` is the
/// demand-weighted mean price of the island.
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
    /// Marginal losses of a unit from the reference to the bus, $/MWh; absent where the formulation has no losses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub losses: Option<f64>,
    /// Component of voltage limits and the cuts derived from them, $/MWh; absent where the formulation has no voltage
    /// limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub voltage: Option<f64>,
    /// Every line in the bus's island with a shadow price, largest contribution first.
    pub congestion: Vec<CongestionPart>,
    /// Residual of the identity, $/MWh: rounding, and in the conic relaxation its accuracy.
    pub residual: f64,
}
