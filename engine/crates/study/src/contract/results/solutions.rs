//! Optima and their certificates.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{
    DcConvention, Diagnostic, FormulationId, SecurityReport, SensitivityColumn, SensitivityHead, SensitivityMatrix,
    SensitivityMatrixHead, SolveStatus,
};
use super::{
    BranchFlow, BusPrice, BusValue, DispatchRow, FlowRow, GeneratorDispatch, InjectionRow, PowerFlowReport,
    ResponseCertificate, RowsHead, SolveIteration,
};

/// A result: body of `GET /api/cases/{id}/solution`, also returned by Study methods. Blocks that the formulation does
/// not have are absent; `SOLUTION_ROWS` lists the column of each number in a row.
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
    /// Power flow only: by island, the balancing bus and the MW it adds to the dispatch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slack: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub power_flow: Option<PowerFlowReport>,
    /// Absent without the options `security` and `soft`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub security: Option<SecurityReport>,
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

/// A `Solution` without the rows of `SOLUTION_ROWS`; the columns are returned beside it.
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
    /// Absent without the options `security` and `soft`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub security: Option<SecurityReport>,
    pub certificate: ResponseCertificate,
    pub result_sha256: String,
    pub diagnostics: Vec<Diagnostic>,
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
    /// Power flow only: by island, the balancing bus and the MW it adds to the file's dispatch.
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
    /// Absent without the options `security` and `soft`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub security: Option<SecurityReport>,
    pub certificate: ResponseCertificate,
    pub result_sha256: String,
    pub diagnostics: Vec<Diagnostic>,
}

/// A `SolveResponse` without rows. Its columns, the columns that identify rows, and the values of each matrix row by
/// row are returned beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveResponseHead {
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
    pub slack: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub power_flow: Option<PowerFlowReport>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub iterations: Option<Vec<SolveIteration>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sensitivities: Option<Vec<SensitivityMatrixHead>>,
    /// Absent without the options `security` and `soft`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub security: Option<SecurityReport>,
    pub certificate: ResponseCertificate,
    pub result_sha256: String,
    pub diagnostics: Vec<Diagnostic>,
}

/// The answer of a stateless solve, together with the identification of its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Solved {
    pub response: SolveResponseHead,
    pub rows: RowsHead,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommitResult {
    pub solution: Solution,
    pub iterations: Vec<SolveIteration>,
    pub sensitivity: Option<SensitivityColumn>,
}

/// A `CommitResult` without rows; the columns of the solution and of the sensitivity are returned beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommitHead {
    pub solution: SolutionHead,
    pub iterations: Vec<SolveIteration>,
    pub sensitivity: Option<SensitivityHead>,
}
