//! Assumed costs for cases without costs.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A class of generators in the table of typical costs: heat rate times fuel price plus variable cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TypicalCost {
    pub fuel: String,
    /// Smallest maximum output of the class, MW.
    pub from_mw: f64,
    /// MMBtu/MWh.
    pub heat_rate: f64,
    /// $/MMBtu.
    pub fuel_price: f64,
    /// $/MWh.
    pub variable: f64,
    /// Cost at half output, $/MWh.
    pub cost: f64,
}

/// The generators of one fuel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FuelUnits {
    /// Lower case, as named in the case; `unknown` where the case names no fuel.
    pub fuel: String,
    pub units: u32,
    /// Number of generators without a cost.
    pub free: u32,
    /// Sum of the maximum outputs, MW, without generators that have no limit.
    pub p_max_mw: f64,
    /// Mean of the typical costs, $/MWh, weighted by maximum output.
    pub typical: f64,
}

/// A given cost, c2 p^2 + c1 p + c0 in $/h for an output of p MW, of a fuel or of one generator.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenCost {
    /// A fuel; `unknown` selects the generators of unknown fuel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fuel: Option<String>,
    /// Number of a generator, its 1-based row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub generator: Option<u64>,
    /// $/MW²h; 0 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub c2: Option<f64>,
    /// $/MWh.
    pub c1: f64,
    /// $/h; 0 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub c0: Option<f64>,
}

/// Costs to assume: the given costs, or typical costs for the generators without a cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AssumedCosts {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub given: Option<Vec<GivenCost>>,
    /// Fuel of each generator by row, where the module does not state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fuels: Option<Vec<String>>,
}
