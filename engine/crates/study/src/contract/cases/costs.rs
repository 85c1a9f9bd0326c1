//! Costs that a case does not bring.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A class of units in the table of typical costs: heat rate times fuel price plus variable cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TypicalCost {
    pub fuel: String,
    /// Size from which on it holds, MW of the largest output.
    pub from_mw: f64,
    /// MMBtu/MWh.
    pub heat_rate: f64,
    /// $/MMBtu.
    pub fuel_price: f64,
    /// $/MWh.
    pub variable: f64,
    /// $/MWh at half of the output.
    pub cost: f64,
}

/// Units of one fuel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FuelUnits {
    /// In small letters, as the case says it; `unknown` where it says nothing.
    pub fuel: String,
    pub units: u32,
    /// How many have no cost.
    pub free: u32,
    /// Sum of the largest outputs, MW; without units that have no limit.
    pub p_max_mw: f64,
    /// Mean of the typical costs, $/MWh, weighted by the largest outputs.
    pub typical: f64,
}

/// A cost that is given, c2 p^2 + c1 p + c0 in $/h for an output of p MW, of a fuel or of one generator.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenCost {
    /// A word for a fuel; `unknown` names the units of unknown fuel.
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

/// Costs to assume: given ones, or without them typical ones for the units without a cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AssumedCosts {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub given: Option<Vec<GivenCost>>,
    /// Fuel of each generator by row, where the module does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fuels: Option<Vec<String>>,
}
