//! Evidence for a result: certificates and iterations.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{DispatchSource, Element, SlackRule};
use super::BusValue;

/// Independent check of an optimum, in physical units (`docs/contract.md`, section 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Certificate {
    /// Largest nodal balance residual, MW.
    pub primal_residual_mw: f64,
    /// Largest violation of a limit, MW.
    pub worst_violation_mw: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_element: Option<Element>,
    pub stationarity_usd_per_mwh: f64,
    pub complementarity_usd_per_h: f64,
    pub duality_gap_usd_per_h: f64,
    pub relative_gap: f64,
    /// Conic relaxation: the rest of the check, computed from the case's rows and the published columns alone. Largest
    /// nodal imbalance of reactive power, MVAr.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mismatch_mvar: Option<f64>,
    /// Largest difference between a published flow and the flow of the voltage products, MVA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub flow_error_mva: Option<f64>,
    /// Largest violation of `|W|^2 <= w_f w_t`, relative to `w_f w_t`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cone_violation: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub voltage_violation_pu: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub angle_violation_rad: Option<f64>,
}

/// Independent check of a power flow, in physical units (`docs/contract.md`, section 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PowerFlowCertificate {
    /// Largest nodal imbalance, MW.
    pub mismatch_mw: f64,
    /// Original id of the bus with that imbalance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub worst_bus: Option<u64>,
    /// AC: the rest of the check, computed from the case's rows and the published columns alone. Largest nodal
    /// imbalance of reactive power, MVAr.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mismatch_mvar: Option<f64>,
    /// Largest difference between a published flow and the flow that follows from the voltages at its ends, MVA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub flow_error_mva: Option<f64>,
    /// Largest deviation of a held voltage from its set-point, per unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub set_point_error_pu: Option<f64>,
    /// With reactive limits: largest violation, MVAr, and largest deviation of a voltage to the wrong side of its
    /// set-point, per unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reactive_violation_mvar: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub wrong_side_pu: Option<f64>,
}

/// The starting point that an AC power flow was solved from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PowerFlowStart {
    /// Voltages of the file.
    Stored,
    /// Angles of a DC power flow, with magnitudes derived from the set-points.
    Harmonic,
    /// Angles of a DC power flow, 1 pu at load buses.
    DcAngles,
    /// The angle of the reference, and 1 pu at load buses.
    Flat,
    /// All magnitudes held at first, then released at once or along a path.
    HeldMagnitudes,
    ReactiveContinuation,
    /// Along a path from a network without load.
    LoadContinuation,
    /// The solution of the base case.
    Base,
}

/// Whether the reactive limits hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReactiveLimits {
    Ignored,
    Kept,
    /// No solution within the limits was found; this one ignores them.
    NotKept,
}

/// An AC power flow without its columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PowerFlowReport {
    pub start: PowerFlowStart,
    /// Steps of Newton's method.
    pub steps: u32,
    pub dispatch: DispatchSource,
    pub slack: SlackRule,
    /// Active losses of branches, MW.
    pub losses_mw: f64,
    pub reactive_limits: ReactiveLimits,
    /// Buses whose generators are at a reactive limit and do not hold their voltage.
    #[ts(type = "number[]")]
    pub limited_buses: Vec<u64>,
    /// Buses that hold their voltage with more (positive) or less reactive power than their generators can supply, and
    /// by how much, MVAr.
    pub reactive_violations: Vec<BusValue>,
}

/// The certificate of a result: that of an optimum or that of a power flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ResponseCertificate {
    Optimum(Certificate),
    PowerFlow(PowerFlowCertificate),
}

/// One step of the solver's progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveIteration {
    pub iteration: u32,
    /// Dual objective reached, $/h.
    pub objective: f64,
    /// Largest remaining violation, MW.
    pub residual: f64,
}
