//! Multiconductor power flow: options, results by terminal and conductor, the form in which they are kept.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::{ColumnElement, ColumnName};

/// What to do about a source with an impedance: refuse it, or solve with it, which is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum McSourceImpedance {
    #[default]
    Refuse,
    Branch,
}

/// What to do about controls that act while a feeder is solved: refuse them, or hold taps, capacitors and switches as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum McControls {
    #[default]
    Refuse,
    Held,
}

/// How a feeder is solved; stored with its result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct McOptions {
    #[ts(as = "Option<McSourceImpedance>", optional)]
    pub source_impedance: McSourceImpedance,
    #[ts(as = "Option<McControls>", optional)]
    pub controls: McControls,
    /// Largest change of a voltage in the last step, per unit; 1e-8 unless given, from 1e-12 to 1e-4.
    #[ts(as = "Option<f64>", optional)]
    pub tolerance_pu: f64,
    /// Steps until it is said not to converge; 100 unless given.
    #[ts(as = "Option<u32>", optional)]
    pub max_iterations: u32,
}

impl Default for McOptions {
    fn default() -> Self {
        Self {
            source_impedance: McSourceImpedance::default(),
            controls: McControls::default(),
            tolerance_pu: 1e-8,
            max_iterations: 100,
        }
    }
}

/// Power of a load at nominal voltage over all its phases, which keep their proportions. Without `q_kvar` the power factor stays,
/// without `p_kw` the active power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct McLoadPower {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub p_kw: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub q_kvar: Option<f64>,
}

/// Loads that are not as in the case, by name in any letter case (`load.` before it or not).
pub type McLoads = BTreeMap<String, McLoadPower>;

/// What names the rows of a feeder's columns. The columns `terminal_bus`, `conductor_terminal` and so on, which go beside it, refer to
/// these by row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McRows {
    pub buses: Vec<String>,
    /// Name of each terminal at its bus.
    pub terminals: Vec<String>,
    /// `class.name` of everything with conductors: lines, transformers, switches, capacitors and reactors.
    pub elements: Vec<String>,
    pub sources: Vec<String>,
    pub loads: Vec<String>,
}

/// A terminal by name, with its voltage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McTerminal {
    pub bus: String,
    pub terminal: String,
    pub voltage_v: f64,
    pub voltage_pu: f64,
}

/// Voltage unbalance of a bus: negative by positive sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McUnbalance {
    pub bus: String,
    pub vuf: f64,
}

/// Kirchhoff's law and the element equations at the published voltages and currents, by formulas that the solver does not share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McCertificate {
    /// Largest sum of currents at a terminal that is not grounded, A.
    pub kcl_residual_a: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_terminal: Option<String>,
    /// The same by what rounding allows there.
    pub kcl_residual_part: f64,
    /// Largest difference of a held voltage, per unit of it.
    pub held_error_pu: f64,
    /// Largest difference of a current from that of its voltages, by what rounding allows.
    pub current_error_part: f64,
}

/// Sums over a feeder, W and var.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McTotals {
    pub source_w: f64,
    pub source_var: f64,
    /// What loads draw at their voltages.
    pub load_w: f64,
    pub load_var: f64,
    /// Lost in lines and transformers; charging of lines counts as negative reactive loss.
    pub loss_w: f64,
    pub loss_var: f64,
}

/// What is said of a power flow of a feeder besides its columns. There are neither prices nor planning objectives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McResult {
    pub name: String,
    /// SHA-256 of the module it was solved from.
    pub case_sha256: String,
    pub options: McOptions,
    pub loads: McLoads,
    /// Controls that do not act (`class.name`).
    pub held_controls: Vec<String>,
    pub iterations: u32,
    pub last_change_pu: f64,
    pub certificate: McCertificate,
    pub totals: McTotals,
    /// Among phases; neutrals have neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lowest: Option<McTerminal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub highest: Option<McTerminal>,
    /// Where the unbalance is largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub most_unbalanced: Option<McUnbalance>,
    /// Loads that no source reaches.
    pub not_supplied: Vec<String>,
    /// SHA-256 over the little-endian f64 of the hashed columns, rows that take part only.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-f]{64}$")))]
    pub result_sha256: String,
}

/// Voltages of a drag: solved to the same tolerance as a result, and not yet certified.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McPreview {
    pub iterations: u32,
    pub last_change_pu: f64,
}

/// A column as it is kept in a file; null where a row takes no part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McStoredColumn {
    pub name: ColumnName,
    pub element: ColumnElement,
    pub unit: String,
    pub values: Vec<Option<f64>>,
}

/// The unknown voltages of a solution, V, from which everything else follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McUnknowns {
    pub re: Vec<f64>,
    pub im: Vec<f64>,
}

/// A result as it is kept: what is said of it, its columns with what names their rows, and the solution that they follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McStoredResult {
    pub head: McResult,
    pub rows: McRows,
    pub columns: Vec<McStoredColumn>,
    pub solution: McUnknowns,
}

/// What a result was solved from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McInput {
    pub name: String,
    pub module_json: String,
    /// SHA-256 of `module_json`.
    pub sha256: String,
    #[serde(default)]
    pub loads: McLoads,
}

/// A multiconductor result with its input: `wattbook-mc-study`, version 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McStudyFile {
    #[ts(type = "\"wattbook-mc-study\"")]
    pub schema: String,
    pub version: u32,
    pub input: McInput,
    pub options: McOptions,
    pub result: McStoredResult,
}

/// A kept study that was checked: its result goes beside it as columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McReplay {
    pub input: McInput,
    pub options: McOptions,
    pub rows: McRows,
    pub result: McResult,
}
