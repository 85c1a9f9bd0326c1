//! How much demand a network can take before its voltages collapse.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{Collapse, ElementKey};

/// Whose demand grows: of a bus, of all buses of an area in proportion to their demand, or of all buses. Reactive demand grows as
/// with an edit, by the power factor.
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
        /// True.
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

/// The PV curve of the committed state of an AC power flow up to where voltages collapse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loadability {
    /// Demand that grows, MW at the committed state.
    pub demand_mw: f64,
    /// Largest growth for which a solution was found, MW; that solution passed its check.
    pub margin_mw: f64,
    /// Smallest growth tried without a solution, MW; null where every growth that was tried has one.
    pub no_solution_mw: Option<f64>,
    /// What the power series of the committed state says; absent where it has no end ahead, or its last terms do not
    /// agree on it within a tenth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub estimate: Option<Collapse>,
    /// Growth at each point of the curve, MW.
    pub added_mw: Vec<f64>,
    /// Buses whose voltages fall fastest at the last point, the fastest first, with their voltages along the curve.
    pub buses: Vec<LoadabilityBus>,
}
