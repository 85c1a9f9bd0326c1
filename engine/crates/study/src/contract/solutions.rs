//! Optima and what proves them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    DcConvention, DemandDeltas, Diagnostic, Element, FormulationId, RatingDeltas, SensitivityColumn, SensitivityHead,
    SensitivityMatrix, SolveStatus,
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
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeneratorDispatch {
    #[ts(type = "number")]
    pub gen: u64,
    #[ts(type = "number")]
    pub bus: u64,
    pub mw: f64,
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
    /// Power flow only: by island, the bus that balances it and the MW it adds to the dispatch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slack: Option<Vec<BusValue>>,
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
}

/// Nodal injection of a power flow, MW: generation minus demand, the slack's share included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InjectionRow {
    #[ts(type = "number")]
    pub bus: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
    pub p: f64,
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
