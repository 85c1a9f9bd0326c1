//! The contract: every JSON shape that crosses the engine's boundary.
//!
//! TypeScript is generated from this file (`engine/src/contract.generated.ts`). `shared/design/contract.md` sections 2 and 3
//! give the meaning; units are in the field names or stated here. Ids are original numbers (bus number, 1-based rows).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// Demand deltas in MW from the base case, keyed by bus id or uid.
pub type DemandDeltas = BTreeMap<String, f64>;
/// Rating deltas in MW from the base case, keyed by branch row or uid.
pub type RatingDeltas = BTreeMap<String, f64>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum FormulationId {
    Dcpf,
    Dcopf,
    Acpf,
    Socwr,
}

impl FormulationId {
    /// The id as it stands in requests.
    pub fn id(self) -> &'static str {
        match self {
            Self::Dcpf => "dcpf",
            Self::Dcopf => "dcopf",
            Self::Acpf => "acpf",
            Self::Socwr => "socwr",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum SolveStatus {
    Optimal,
    Feasible,
}

/// How a branch susceptance is formed: `service` b = x/(r^2+x^2), shifts and shunt conductance counted; `powermodels` the same
/// without shifts; `matpower` b = 1/(x tau), shifts and shunt conductance counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum DcConvention {
    #[default]
    Service,
    Powermodels,
    Matpower,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SolveOptions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dc_convention: Option<DcConvention>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Edits {
    #[serde(default)]
    #[ts(optional, type = "DemandDeltas")]
    pub deltas: DemandDeltas,
    #[serde(default)]
    #[ts(optional, type = "RatingDeltas")]
    pub rates: RatingDeltas,
}

/// Request of the stateless solve; `{}` is the base DC OPF.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct SolveRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub formulation: Option<FormulationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub edits: Option<Edits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sensitivities: Option<Vec<SensRequest>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub options: Option<SolveOptions>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Power {
    Active,
    Reactive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum FlowEnd {
    From,
    To,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum VoltageKind {
    Magnitude,
    Angle,
    Squared,
    ProductReal,
    ProductImag,
}

/// What a sensitivity is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Operand {
    Price(Power),
    Dispatch(Power),
    Flow { power: Power, end: FlowEnd },
    Voltage(VoltageKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum CostTerm {
    Quadratic,
    Linear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum AdmittancePart {
    Conductance,
    Susceptance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Bound {
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum TransformerPart {
    Ratio,
    PhaseShift,
}

/// What a sensitivity is with respect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Parameter {
    Demand(Power),
    Cost(CostTerm),
    LineLimit,
    SeriesAdmittance(AdmittancePart),
    ShuntAdmittance(AdmittancePart),
    VoltageBound(Bound),
    GenBound { power: Power, bound: Bound },
    Transformer(TransformerPart),
    Switching,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Mode {
    Forward,
    Adjoint,
    #[default]
    Auto,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SensRequest {
    pub operand: Operand,
    pub parameter: Parameter,
    /// Dense 0-based columns; absent or null for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    pub indices: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<Mode>,
}

/// Names one element in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Element {
    /// `bus`, `branch`, `generator`, `switch`, `storage`, `hvdc`, `transformer3w`.
    pub kind: String,
    #[ts(type = "number")]
    pub id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uid: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Diagnostic {
    pub code: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<Element>,
}

/// A value at a bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
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
pub struct BusPrice {
    #[ts(type = "number")]
    pub bus: u64,
    pub usd_per_mwh: f64,
}

/// Flow of a branch: MW at the from end, |flow| / rating, multiplier of its binding limit in $/MWh (>= 0).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct BranchFlow {
    #[ts(type = "number")]
    pub branch: u64,
    pub mw: f64,
    pub loading: f64,
    pub shadow: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct GeneratorDispatch {
    #[ts(type = "number")]
    pub gen: u64,
    #[ts(type = "number")]
    pub bus: u64,
    pub mw: f64,
}

/// Independent check of an optimum, in physical units (contract.md section 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
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

/// Independent check of a power flow, in physical units (contract.md section 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PowerFlowCertificate {
    /// Largest nodal imbalance, MW.
    pub mismatch_mw: f64,
    /// Original id of the bus that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub worst_bus: Option<u64>,
}

/// The certificate of a stateless solve: that of an optimum or that of a power flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum ResponseCertificate {
    Optimum(Certificate),
    PowerFlow(PowerFlowCertificate),
}

/// One step of the solver's progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SolveIteration {
    pub iteration: u32,
    /// Dual objective reached, $/h.
    pub objective: f64,
    /// Largest violation left, MW.
    pub residual: f64,
}

/// The exact optimum: body of `GET /api/cases/{id}/solution` and what Study methods return.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Solution {
    /// Case id as the caller named it.
    pub case: String,
    pub formulation: FormulationId,
    pub status: SolveStatus,
    pub dc_convention: DcConvention,
    /// $/h.
    pub objective: f64,
    /// $/MWh.
    pub prices: Vec<BusValue>,
    pub lmp: Vec<BusPrice>,
    /// Radians.
    pub va: Vec<BusValue>,
    pub flows: Vec<BranchFlow>,
    pub dispatch: Vec<GeneratorDispatch>,
    pub certificate: Certificate,
    /// SHA-256 over the published columns (contract.md section 3).
    pub result_sha256: String,
    /// Wall time of the solve, filled in by the host (the engine has no clock).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub solve_ms: Option<f64>,
    #[serde(default)]
    pub diagnostics: Vec<Diagnostic>,
}

/// Flow row of the stateless response. MW and MVAr; `pf` at the from end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
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
pub struct DispatchRow {
    #[ts(type = "number")]
    pub gen: u64,
    #[ts(type = "number")]
    pub bus: u64,
    pub pg: f64,
}

/// Nodal injection of a power flow, MW: generation minus demand, the slack's share included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
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
pub struct SolveResponse {
    pub formulation: FormulationId,
    pub status: SolveStatus,
    pub dc_convention: DcConvention,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum WarrantKind {
    Regular,
    OneSided,
    Degenerate,
}

/// What ends the interval in which a column is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum BreakpointEvent {
    /// A free generator reaches its upper or lower limit.
    GeneratorReachesMax,
    GeneratorReachesMin,
    /// A free generator reaches a breakpoint of its piecewise-linear cost.
    GeneratorReachesBreakpoint,
    /// A generator (or cost segment) at a limit becomes marginal.
    GeneratorLeavesLimit,
    /// A line reaches its limit.
    LineBinds,
    /// A binding line's multiplier reaches zero.
    LineUnbinds,
    /// The demand reaches zero, or the rating does: no further edit is defined.
    EditLimit,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct WarrantEnd {
    /// MW from the current state.
    pub mw: f64,
    pub event: BreakpointEvent,
    pub element: Element,
}

/// Where a sensitivity column is exact, and what ends it. An end that is null is unbounded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Warrant {
    pub kind: WarrantKind,
    /// MW from the current state, lower and upper; null where unbounded.
    pub valid_mw: (Option<f64>, Option<f64>),
    pub ends: (Option<WarrantEnd>, Option<WarrantEnd>),
    /// Residual of the linear system the column solves, relative.
    pub residual: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MatrixRow {
    pub operand: Operand,
    pub element: Element,
    pub index: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MatrixCol {
    pub parameter: Parameter,
    pub element: Element,
    pub index: u32,
}

/// `values[r][c]`: derivative of row operand by column parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SensitivityMatrix {
    pub values: Vec<Vec<f64>>,
    pub rows: Vec<MatrixRow>,
    pub cols: Vec<MatrixCol>,
    pub units: String,
    pub warrants: Vec<Warrant>,
}

/// Sensitivity target: `{bus}` for dLMP/d(demand), `{branch}` for dLMP/d(rating). The value is an id (number) or a key string.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum SensTarget {
    Bus { bus: ElementKey },
    Branch { branch: ElementKey },
}

/// Original id (digits) or row uid (anything else).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum ElementKey {
    Id(#[ts(type = "number")] u64),
    Key(String),
}

/// dLMP/d(demand at a bus) or dLMP/d(rating of a branch): body of the HTTP sensitivity routes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SensitivityColumn {
    pub case: String,
    /// Always `lmp`.
    pub operand: String,
    /// `d` or `fmax`.
    pub parameter: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub bus: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub branch: Option<u64>,
    /// `($/MWh)/MW`.
    pub units: String,
    pub values: Vec<BusValue>,
    pub warrant: Warrant,
}

/// First-order update, no solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Preview {
    /// Changes of the prices, $/MWh.
    pub prices: Vec<BusValue>,
    /// $/h.
    #[serde(rename = "objectiveDelta")]
    pub objective_delta: Option<f64>,
    /// The whole edit stays inside the region where the first order is exact.
    pub exact: bool,
    /// Fractions of this edit within which it is exact; an end that is null is unbounded.
    pub valid_step: Option<(Option<f64>, Option<f64>)>,
    /// The same in MW when a single element is edited, absolute from the base case.
    pub valid_mw: Option<(Option<f64>, Option<f64>)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CommitResult {
    pub solution: Solution,
    pub iterations: Vec<SolveIteration>,
    pub sensitivity: Option<SensitivityColumn>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProblemCaps {
    pub formulation: FormulationId,
    pub available: bool,
    /// Blocks of the response: `objective`, `prices`, `va`, `flows`, `dispatch`.
    pub blocks: Vec<String>,
    pub operands: Vec<Operand>,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Capabilities {
    pub formulations: Vec<ProblemCaps>,
    pub operands: Vec<Operand>,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TopologyBus {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    pub name: Option<String>,
    #[ts(type = "number | null")]
    pub area: Option<u64>,
    #[ts(type = "number | null")]
    pub zone: Option<u64>,
    pub base_kv: f64,
    pub demand_mw: f64,
    /// Output of its in-service generators in the source file.
    pub gen_mw: f64,
    /// False for isolated buses, which have no price.
    pub in_service: bool,
    pub editable: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TopologyBranch {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    #[ts(type = "number")]
    pub from: u64,
    #[ts(type = "number")]
    pub to: u64,
    /// MW, the fallback rating where the source has none.
    pub rate_mw: f64,
    pub rate_is_fallback: bool,
    pub status: u8,
    pub editable: bool,
}

/// Rows in source order; row k here is dense row k of `columns()`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Topology {
    pub buses: Vec<TopologyBus>,
    pub branches: Vec<TopologyBranch>,
    pub generators: Vec<TopologyGenerator>,
}

/// Bus of the map view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NetworkBus {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    pub name: Option<String>,
    pub lon: f64,
    pub lat: f64,
    #[ts(type = "number | null")]
    pub area: Option<u64>,
    #[ts(type = "number | null")]
    pub zone: Option<u64>,
    pub base_kv: f64,
    pub demand_mw: f64,
    pub gen_mw: f64,
    pub editable: bool,
}

/// Branch of the map view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NetworkBranch {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    #[ts(type = "number")]
    pub from: u64,
    #[ts(type = "number")]
    pub to: u64,
    pub rate_mw: f64,
    pub status: u8,
    pub editable: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<Vec<[f64; 2]>>,
}

/// Map view: body of `GET /api/cases/{id}/network`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Network {
    pub id: String,
    pub name: String,
    pub base_mva: f64,
    pub synthetic_coords: bool,
    pub buses: Vec<NetworkBus>,
    pub branches: Vec<NetworkBranch>,
}

/// Answer of `ingestCase`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct IngestedCase {
    /// The retained generation-2 module.
    pub module_json: String,
    /// SHA-256 of `module_json`: the identity of the case.
    pub sha256: String,
    pub name: String,
    pub base_mva: f64,
    pub n_bus: u32,
    pub n_branch: u32,
    pub n_gen: u32,
    pub n_analysis_bus: u32,
    pub n_analysis_branch: u32,
    pub load_mw: f64,
    pub gen_mw: f64,
    pub has_coords: bool,
    /// `file`, `synthetic_pending`, `synthetic` or `manual`.
    pub coords_kind: String,
    pub topology: Topology,
    pub view: Option<Network>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TopologyGenerator {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    #[ts(type = "number")]
    pub bus: u64,
    /// Null where unlimited.
    pub p_min_mw: Option<f64>,
    pub p_max_mw: Option<f64>,
    pub status: u8,
}

/// The JSON form of an engine error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ErrorBody {
    pub code: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<Element>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub details: Option<serde_json::Value>,
}
