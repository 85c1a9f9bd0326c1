//! Derivatives, first-order updates and where they are exact.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{BusValue, Element, Operand, Parameter};

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
