//! How much demand a network can take before voltage collapse.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{Collapse, ElementKey};

/// The demand that grows: of a bus, of all buses of an area in proportion to their demand, or of all buses. Reactive
/// demand grows at constant power factor, as for an edit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "it must name one bus, one area or the system"
)]
pub enum LoadabilityTarget {
    Bus {
        bus: ElementKey,
    },
    Area {
        #[ts(type = "number")]
        area: u64,
    },
    System {
        /// Always true.
        system: bool,
    },
}

/// Voltages of a bus along the curve, per unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadabilityBus {
    #[ts(type = "number")]
    pub bus: u64,
    pub vm_pu: Vec<f64>,
}

/// The PV curve from the committed state of an AC power flow up to voltage collapse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loadability {
    /// Growing demand at the committed state, MW.
    pub demand_mw: f64,
    /// Largest growth with a verified solution, MW.
    pub margin_mw: f64,
    /// Smallest growth tried that has no solution, MW; null where every growth tried has a solution.
    pub no_solution_mw: Option<f64>,
    /// Estimate from the power series of the committed state; absent where the series has no collapse ahead, or its
    /// last terms differ by more than a tenth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub estimate: Option<Collapse>,
    /// Growth at each point of the curve, MW.
    pub added_mw: Vec<f64>,
    /// Buses whose voltages fall fastest at the last point, the fastest first, with their voltages along the curve.
    pub buses: Vec<LoadabilityBus>,
}
