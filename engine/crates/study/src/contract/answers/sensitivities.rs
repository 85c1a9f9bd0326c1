//! Derivatives, first-order updates and their ranges of validity.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{BusValue, Element, Operand, Parameter};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WarrantKind {
    Regular,
    OneSided,
    Degenerate,
    /// Exact only at the present state. For a power flow, `error_below_pu` defines the interval; for the conic
    /// relaxation, no limit begins or ceases to bind within it, to first order.
    Estimate,
}

/// What ends the interval of a column, in which it is exact (dcopf), the same limits bind (socwr), or its estimated
/// error is small (acpf).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// A line begins to exceed a limit at its price, or ceases to.
    ExcessBegins,
    ExcessEnds,
    /// Demand of the bus begins or ceases to be lost (`SoftLimits::lost_load`).
    LostLoadBegins,
    LostLoadEnds,
    /// The demand or the rating reaches zero, or the limits of a generator meet; no further edit is defined.
    EditLimit,
    /// The estimated error of a voltage reaches `error_below_pu`.
    ErrorEstimate,
    /// The generators that hold the voltage of a bus reach a reactive limit.
    ReactiveLimit,
    /// A bus whose generators are at a reactive limit holds its voltage again.
    VoltageHeld,
    /// Conic relaxation: the output of a generator reaches a limit or a breakpoint of its cost.
    GeneratorReachesLimit,
    /// The reactive output of a generator reaches or leaves a limit.
    ReactiveReachesLimit,
    ReactiveLeavesLimit,
    /// The voltage of a bus reaches or leaves a limit.
    VoltageReachesLimit,
    VoltageLeavesLimit,
    /// A lifted nonlinear cut at a branch begins or ceases to bind.
    CutBinds,
    CutUnbinds,
    /// The voltage product of a branch becomes exact, or ceases to be exact.
    ConeTightens,
    ConeLoosens,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WarrantEnd {
    /// MW from the current state, for a cost $/MWh; in a matrix in units of the column's parameter.
    pub mw: f64,
    pub event: BreakpointEvent,
    pub element: Element,
    /// Jump of the price at the watched bus when the edit continues past this end, $/MWh. Null where it was not
    /// examined (matrices) or no region was found beyond.
    pub price_jump: Option<f64>,
    /// The bus of `price_jump`: the target, the generator's bus, or for a rating the bus whose price moves most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub watched_bus: Option<u64>,
    /// Present and true where no optimum exists past this end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub no_solution_beyond: bool,
}

/// Where a sensitivity column is exact, and what ends that interval. A null end is unbounded, unless `point_only` is
/// set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Warrant {
    pub kind: WarrantKind,
    /// Lower and upper end in MW from the current state, for a cost $/MWh; null where unbounded. In a matrix in units
    /// of the column's parameter.
    pub valid_mw: (Option<f64>, Option<f64>),
    pub ends: (Option<WarrantEnd>, Option<WarrantEnd>),
    /// Demand columns only, and only where the price of the bus is not unique: the range of prices that support the
    /// optimum, $/MWh, which are the derivatives of the minimum cost for a decrease and for an increase of the demand.
    /// An end is null where no optimum exists on that side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub price_interval: Option<(Option<f64>, Option<f64>)>,
    /// Relative residual of the linear system for the column. In adjoint mode: relative difference between the matrix
    /// and one column of it solved forward.
    pub residual: f64,
    /// Present and true where the derivative holds at the present state and no interval is given (`valid_mw` is then
    /// `[0, 0]`): the optimum is not affine in the parameter, or the matrix was computed in adjoint mode.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub point_only: bool,
    /// Power flows only: within `valid_mw`, the estimated error of every predicted voltage is below this, radians and
    /// relative. It is an estimate from the next terms of the power series, not a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error_below_pu: Option<f64>,
}

/// Voltage collapse along an edit, estimated from the power series of the solution without regard to reactive limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Collapse {
    /// MW from the current state.
    pub mw: f64,
    /// Change of the estimate with the last term of the series, a measure of its accuracy.
    pub change_mw: f64,
    /// Buses whose voltages fall first, the fastest first.
    #[ts(type = "number[]")]
    pub buses: Vec<u64>,
}

/// Derivatives of a branch's flow at its from end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BranchSlope {
    #[ts(type = "number")]
    pub branch: u64,
    pub mw: f64,
    pub mvar: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixRow {
    pub operand: Operand,
    pub element: Element,
    pub index: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixCol {
    pub parameter: Parameter,
    pub element: Element,
    pub index: u32,
}

/// `values[r][c]`: derivative of row operand by column parameter. Operands are in $/MWh, MW or MVAr, per unit or rad;
/// parameters in MW or MVAr (demand, line limit, generator bound), $/(MW^2 h) and $/MWh (cost), per unit (admittances,
/// voltage bounds), rad (phase shift), 1 (ratio, status). `units` states which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitivityMatrix {
    pub values: Vec<Vec<f64>>,
    pub rows: Vec<MatrixRow>,
    pub cols: Vec<MatrixCol>,
    pub units: String,
    pub warrants: Vec<Warrant>,
}

/// A `SensitivityMatrix` without its values, which are returned beside it, row by row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitivityMatrixHead {
    pub rows: Vec<MatrixRow>,
    pub cols: Vec<MatrixCol>,
    pub units: String,
    pub warrants: Vec<Warrant>,
}

/// dLMP/d(demand at a bus), dLMP/d(rating of a branch) or dLMP/d(limit or cost of a generator or link); for a power flow
/// d|V|/d(demand at a bus), with reactive demand following as for an edit. Body of the HTTP sensitivity routes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitivityColumn {
    pub case: String,
    /// The operand of `values`: `lmp`, or `vm` for the voltage magnitude of a power flow.
    pub operand: String,
    /// `d` or `fmax`; for a generator or link `pmin`, `pmax` or `cost`.
    pub parameter: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub bus: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub branch: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub generator: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub link: Option<u64>,
    /// `($/MWh)/MW`, for a cost `($/MWh)/($/MWh)`, or `pu/MW`.
    pub units: String,
    pub values: Vec<BusValue>,
    /// At a breakpoint only: the derivatives for a decrease and for an increase; absent where no optimum exists on that
    /// side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub left: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub right: Option<Vec<BusValue>>,
    /// Power flows only: voltage angles, rad/MW, and flows, MW/MW and MVAr/MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub va: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub flows: Option<Vec<BranchSlope>>,
    pub warrant: Warrant,
    /// Power flows only: losses, MW/MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub losses: Option<f64>,
    /// Power flows only, and only where the series has a collapse ahead on which its last terms agree within a tenth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub collapse: Option<Collapse>,
}

/// A `SensitivityColumn` without rows. Its columns are returned beside it: `lmp_slope`, at a breakpoint also
/// `lmp_slope_left` and `lmp_slope_right`; for a power flow `vm_slope`, `va_slope`, `flow_slope` and `flow_mvar_slope`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitivityHead {
    pub case: String,
    pub operand: String,
    pub parameter: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub bus: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub branch: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub generator: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub link: Option<u64>,
    /// Name of the interface whose limit is the parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub interface: Option<String>,
    pub units: String,
    pub warrant: Warrant,
    /// Power flows only: losses, MW/MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub losses: Option<f64>,
    /// Power flows only, and only where the series has a collapse ahead on which its last terms agree within a tenth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub collapse: Option<Collapse>,
}

/// The effect of an edit: prices to first order, without a solve; for a power flow, chord steps from the base case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preview {
    /// Changes of the prices, $/MWh; absent where the formulation has no prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub prices: Option<Vec<BusValue>>,
    /// Power flows only: changes of the voltages, per unit and radians.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub vm: Option<Vec<BusValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub va: Option<Vec<BusValue>>,
    /// $/h.
    #[serde(rename = "objectiveDelta")]
    pub objective_delta: Option<f64>,
    /// Whether the whole edit stays inside the region where the first order is exact; for a power flow, whether a
    /// commit gives the same state.
    pub exact: bool,
    /// Range of fractions of this edit within which it is exact (dcopf) or the same limits bind (socwr); a null end is
    /// unbounded.
    pub valid_step: Option<(Option<f64>, Option<f64>)>,
    /// The same range in MW when a single element is edited, absolute from the base case; for a single value of a
    /// generator that value itself, MW or $/MWh.
    pub valid_mw: Option<(Option<f64>, Option<f64>)>,
}

/// A `Preview` without rows. Its columns are returned beside it: `lmp_change`; for a power flow `vm_change`,
/// `va_change`, `flow_change`, `flow_mvar_change`, `flow_to_change`, `flow_to_mvar_change` and `loading_change`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PreviewHead {
    #[serde(rename = "objectiveDelta")]
    pub objective_delta: Option<f64>,
    pub exact: bool,
    pub valid_step: Option<(Option<f64>, Option<f64>)>,
    pub valid_mw: Option<(Option<f64>, Option<f64>)>,
}
