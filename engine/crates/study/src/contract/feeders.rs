//! Multiconductor power flow: options, results by terminal and conductor, and their stored form.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::{ColumnElement, ColumnName};

/// Treatment of a source with an impedance: refuse it, or solve with it, which is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum McSourceImpedance {
    #[default]
    Refuse,
    Branch,
}

/// Treatment of controls: refuse them, or hold taps, capacitors and switches as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum McControls {
    #[default]
    Refuse,
    Held,
}

/// Options of a feeder's solve; stored with its result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct McOptions {
    #[ts(as = "Option<McSourceImpedance>", optional)]
    pub source_impedance: McSourceImpedance,
    #[ts(as = "Option<McControls>", optional)]
    pub controls: McControls,
    /// Largest change of a voltage in the last iteration, per unit; by default 1e-8, from 1e-12 to 1e-4.
    #[ts(as = "Option<f64>", optional)]
    pub tolerance_pu: f64,
    /// Iterations before the solve counts as not converged; by default 100.
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

/// Power of a load at nominal voltage over all its phases, whose proportions are constant. Without `q_kvar` the power
/// factor is constant, without `p_kw` the active power.
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

/// Loads that differ from the case, by case-insensitive name (with or without `load.`).
pub type McLoads = BTreeMap<String, McLoadPower>;

/// Identification of the rows of a feeder's columns. The columns `terminal_bus`, `conductor_terminal` and so on,
/// returned beside it, refer to these by row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McRows {
    pub buses: Vec<String>,
    /// Name of each terminal at its bus.
    pub terminals: Vec<String>,
    /// `class.name` of all elements with conductors: lines, transformers, switches, capacitors and reactors.
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

/// Voltage unbalance of a bus: negative-sequence by positive-sequence voltage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McUnbalance {
    pub bus: String,
    pub vuf: f64,
}

/// Kirchhoff's law and the element equations at the published voltages and currents, by formulas independent of the
/// solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McCertificate {
    /// Largest sum of currents at a terminal that is not grounded, A.
    pub kcl_residual_a: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worst_terminal: Option<String>,
    /// The same residual relative to the expected rounding error.
    pub kcl_residual_part: f64,
    /// Largest error of a held voltage, relative to it.
    pub held_error_pu: f64,
    /// Largest difference between a current and the current that follows from the voltages, relative to the expected
    /// rounding error.
    pub current_error_part: f64,
}

/// Sums over a feeder, W and var.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McTotals {
    pub source_w: f64,
    pub source_var: f64,
    /// Power drawn by loads at their voltages.
    pub load_w: f64,
    pub load_var: f64,
    /// Losses of lines and transformers; charging of lines counts as negative reactive loss.
    pub loss_w: f64,
    pub loss_var: f64,
}

/// A power flow of a feeder without its columns. There are neither prices nor planning objectives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McResult {
    pub name: String,
    /// SHA-256 of the module it was solved from.
    pub case_sha256: String,
    pub options: McOptions,
    pub loads: McLoads,
    /// Controls that are held (`class.name`).
    pub held_controls: Vec<String>,
    pub iterations: u32,
    pub last_change_pu: f64,
    pub certificate: McCertificate,
    pub totals: McTotals,
    /// Among phases; neutrals are excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lowest: Option<McTerminal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub highest: Option<McTerminal>,
    /// The bus with the largest unbalance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub most_unbalanced: Option<McUnbalance>,
    /// Loads that are not connected to a source.
    pub not_supplied: Vec<String>,
    /// SHA-256 over the little-endian f64 of the hashed columns, without rows that no source reaches.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[0-9a-f]{64}$")))]
    pub result_sha256: String,
}

/// Voltages during a drag, solved to the tolerance of a result but not certified.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McPreview {
    pub iterations: u32,
    pub last_change_pu: f64,
}

/// A column as stored in a file; null where no source reaches the row.
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

/// A stored result: its head, its columns with the identification of their rows, and the solution that they follow
/// from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McStoredResult {
    pub head: McResult,
    pub rows: McRows,
    pub columns: Vec<McStoredColumn>,
    pub solution: McUnknowns,
}

/// The input of a result.
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

/// A stored study that was verified; its result is returned beside it as columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McReplay {
    pub input: McInput,
    pub options: McOptions,
    pub rows: McRows,
    pub result: McResult,
}
