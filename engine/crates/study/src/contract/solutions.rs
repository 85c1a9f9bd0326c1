//! Optima and what proves them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    DcConvention, DemandDeltas, Diagnostic, DispatchSource, Element, FormulationId, RatingDeltas, SensitivityColumn,
    SensitivityHead, SensitivityMatrix, SlackRule, SolveStatus,
};

/// A value at a bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BusValue {
    #[ts(type = "number")]
    pub bus: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub value: f64,
}

/// Locational marginal price at a bus in $/MWh (repeats `prices` for older readers).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BusPrice {
    #[ts(type = "number")]
    pub bus: u64,
    pub usd_per_mwh: f64,
}

/// Flow of a branch: MW at the from end, |flow| / rating, multiplier of its binding limit in $/MWh (>= 0) where the formulation has
/// prices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BranchFlow {
    #[ts(type = "number")]
    pub branch: u64,
    pub mw: f64,
    pub loading: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shadow: Option<f64>,
    /// AC: MVAr at the from end, MW and MVAr into the branch at the to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mvar: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mw_to: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mvar_to: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeneratorDispatch {
    #[ts(type = "number")]
    pub gen: u64,
    #[ts(type = "number")]
    pub bus: u64,
    pub mw: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mvar: Option<f64>,
}

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
    /// Conic relaxation: the rest of the check, taken from the case's rows and the published columns alone. Largest nodal imbalance
    /// of reactive power, MVAr.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mismatch_mvar: Option<f64>,
    /// Largest difference of a published flow and that of the voltage products, MVA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub flow_error_mva: Option<f64>,
    /// Largest violation of `|W|^2 <= w_f w_t`, as a part of `w_f w_t`.
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
    /// Original id of the bus that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub worst_bus: Option<u64>,
    /// AC: the rest of the check, taken from the case's rows and the published columns alone. Largest nodal imbalance of reactive
    /// power, MVAr.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mismatch_mvar: Option<f64>,
    /// Largest difference of a published flow and that of the voltages at its ends, MVA.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub flow_error_mva: Option<f64>,
    /// Largest deviation of a voltage that is held from its set-point, per unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub set_point_error_pu: Option<f64>,
    /// Where reactive limits are kept: largest violation, MVAr, and largest voltage on the wrong side of its set-point, per unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reactive_violation_mvar: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub wrong_side_pu: Option<f64>,
}

/// The start from which an AC power flow was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PowerFlowStart {
    /// Voltages of the file.
    Stored,
    /// Angles of a DC power flow, magnitudes that follow from the set-points.
    Harmonic,
    /// With every magnitude held, which are then let go: at once, or along a path.
    HeldMagnitudes,
    ReactiveContinuation,
    /// Along a path from an unloaded network.
    LoadContinuation,
    /// The base case's solution.
    Base,
}

/// What became of the reactive limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReactiveLimits {
    Ignored,
    Kept,
    /// No solution within them was found; this one is without.
    NotKept,
}

/// What is said of an AC power flow besides its columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PowerFlowReport {
    pub start: PowerFlowStart,
    /// Steps of Newton's method.
    pub steps: u32,
    pub dispatch: DispatchSource,
    pub slack: SlackRule,
    /// Active power lost in branches, MW.
    pub losses_mw: f64,
    pub reactive_limits: ReactiveLimits,
    /// Buses whose units are at a reactive limit and do not hold their voltage.
    #[ts(type = "number[]")]
    pub limited_buses: Vec<u64>,
    /// Buses that hold their voltage with more (positive) or less reactive power than their units have, and by how much, MVAr.
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
    /// Largest violation left, MW.
    pub residual: f64,
}

/// A result: body of `GET /api/cases/{id}/solution` and what Study methods return. Blocks that the formulation does not have are
/// absent; `SOLUTION_ROWS` says which column each number of a row is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Solution {
    /// Case id as the caller named it.
    pub case: String,
    pub formulation: FormulationId,
    pub status: SolveStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dc_convention: Option<DcConvention>,
    /// $/h.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective: Option<f64>,
    /// $/MWh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub prices: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lmp: Option<Vec<BusPrice>>,
    /// Per unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub vm: Option<Vec<BusValue>>,
    /// Radians.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub va: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub flows: Option<Vec<BranchFlow>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dispatch: Option<Vec<GeneratorDispatch>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub injections: Option<Vec<InjectionRow>>,
    /// Power flow only: by island, the bus that balances it and the MW it adds to the dispatch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slack: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub power_flow: Option<PowerFlowReport>,
    pub certificate: ResponseCertificate,
    /// SHA-256 over the published columns (`docs/contract.md`, section 3).
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-f]{64}$")))]
    pub result_sha256: String,
    /// Wall time of the solve, filled in by the host (the engine has no clock).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub solve_ms: Option<f64>,
    #[serde(default)]
    pub diagnostics: Vec<Diagnostic>,
}

/// What is said of a result besides its columns, which go beside it: a `Solution` without the rows of `SOLUTION_ROWS`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolutionHead {
    pub case: String,
    pub formulation: FormulationId,
    pub status: SolveStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dc_convention: Option<DcConvention>,
    /// $/h.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slack: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub power_flow: Option<PowerFlowReport>,
    pub certificate: ResponseCertificate,
    pub result_sha256: String,
    pub diagnostics: Vec<Diagnostic>,
}

/// Flow row of the stateless response. MW and MVAr; `pf` at the from end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlowRow {
    #[ts(type = "number")]
    pub branch: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub pf: f64,
    pub loading: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shadow: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub qf: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pt: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub qt: Option<f64>,
}

/// Dispatch row of the stateless response, MW and MVAr.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DispatchRow {
    #[ts(type = "number")]
    pub gen: u64,
    #[ts(type = "number")]
    pub bus: u64,
    pub pg: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub qg: Option<f64>,
}

/// Nodal injection of a power flow, MW and MVAr: generation minus demand, the slack's share included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InjectionRow {
    #[ts(type = "number")]
    pub bus: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub p: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub q: Option<f64>,
}

/// Answer of the stateless solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveResponse {
    pub formulation: FormulationId,
    pub status: SolveStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dc_convention: Option<DcConvention>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub prices: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub vm: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub va: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub flows: Option<Vec<FlowRow>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dispatch: Option<Vec<DispatchRow>>,
    /// Power flow only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub injections: Option<Vec<InjectionRow>>,
    /// Power flow only: by island, the bus that balances it and the MW it adds to the file's dispatch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slack: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub power_flow: Option<PowerFlowReport>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub iterations: Option<Vec<SolveIteration>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sensitivities: Option<Vec<SensitivityMatrix>>,
    pub certificate: ResponseCertificate,
    pub result_sha256: String,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommitResult {
    pub solution: Solution,
    pub iterations: Vec<SolveIteration>,
    pub sensitivity: Option<SensitivityColumn>,
}

/// A `CommitResult` without rows: the columns of the solution and of the sensitivity go beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommitHead {
    pub solution: SolutionHead,
    pub iterations: Vec<SolveIteration>,
    pub sensitivity: Option<SensitivityHead>,
}

/// A `SolutionModule` without rows: the columns of the solution go beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolutionModuleHead {
    pub solution: SolutionHead,
    pub module_json: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub producer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub case_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub deltas: Option<DemandDeltas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "RatingDeltas")]
    pub rates: Option<RatingDeltas>,
}

/// What a solution module holds, read without a solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolutionModule {
    /// As it was when the module was saved, bit for bit; of another producer's module, what its columns say and a certificate
    /// that was taken here.
    pub solution: Solution,
    /// The solved network as a module of its own, the edits stored in it.
    pub module_json: String,
    /// Who wrote the solution, as the module says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub producer: Option<String>,
    /// Our own modules: the case that was studied, and its edits in MW from that case by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub case_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "DemandDeltas")]
    pub deltas: Option<DemandDeltas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "RatingDeltas")]
    pub rates: Option<RatingDeltas>,
}
