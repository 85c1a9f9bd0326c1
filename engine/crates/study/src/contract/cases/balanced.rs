//! Balanced cases: their rows and their map view.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{CoordsKind, Diagnostic};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopologyBus {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Number in the source where it differs from the id: pandapower counts from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub source_index: Option<u64>,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopologyBranch {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    #[ts(type = "number")]
    pub from: u64,
    #[ts(type = "number")]
    pub to: u64,
    /// MW, the fallback rating where the source has no rating. Null for a branch without impedance and rating, which is
    /// not limited.
    pub rate_mw: Option<f64>,
    pub rate_is_fallback: bool,
    /// Whether the branch is a switch, open where its status is 0; absent where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub is_switch: Option<bool>,
    pub status: u8,
    pub editable: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    pub energy_source: EnergySource,
    /// Cost of an output of p MW, `c2 p^2 + c1 p + c0` in $/h; all null where it is piecewise linear.
    pub cost_c2: Option<f64>,
    pub cost_c1: Option<f64>,
    pub cost_c0: Option<f64>,
    /// Corners of a piecewise-linear cost, MW and $/h; the first and last slopes extend outwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost_points: Option<Vec<[f64; 2]>>,
}

/// HVDC link: it takes power at its from bus and delivers it, less its losses, at its to bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopologyLink {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    #[ts(type = "number")]
    pub from: u64,
    #[ts(type = "number")]
    pub to: u64,
    /// Limits of the power at the from bus; null where unlimited.
    pub p_min_mw: Option<f64>,
    pub p_max_mw: Option<f64>,
    /// Scheduled power at the from bus, constant loss, and loss as a fraction of the sent power.
    pub p_mw: f64,
    pub loss_mw: f64,
    pub loss_factor: f64,
    /// Cost of the power at the from bus, $/MWh; null where it is a curve.
    pub cost: Option<f64>,
    pub status: u8,
}

/// Storage unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopologyStorage {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    #[ts(type = "number")]
    pub bus: u64,
    /// Power that it injects while it is held, positive while it discharges.
    pub p_mw: f64,
    pub q_mvar: f64,
    /// Largest power of charging and of discharging; null where unlimited.
    pub p_charge_max_mw: Option<f64>,
    pub p_discharge_max_mw: Option<f64>,
    /// Stored per charged and supplied per stored energy.
    pub charge_efficiency: f64,
    pub discharge_efficiency: f64,
    /// Stored energy; null where it is unknown.
    pub energy_mwh: Option<f64>,
    pub energy_min_mwh: f64,
    /// Null where unlimited.
    pub energy_max_mwh: Option<f64>,
    /// What stored energy is worth, $/MWh; null where nothing says it.
    pub energy_value: Option<f64>,
    pub status: u8,
}

/// Energy source of a generator, where the source file states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EnergySource {
    Hydro,
    Nuclear,
    Wind,
    Thermal,
    Coal,
    Gas,
    Solar,
    #[default]
    Other,
}

/// Rows in source order; row k here is dense row k of `columns()`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Topology {
    pub buses: Vec<TopologyBus>,
    pub branches: Vec<TopologyBranch>,
    pub generators: Vec<TopologyGenerator>,
    /// Absent in a case without HVDC links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub links: Option<Vec<TopologyLink>>,
    /// Absent in a case without storage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub storage: Option<Vec<TopologyStorage>>,
}

/// Bus of the map view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NetworkBranch {
    #[ts(type = "number")]
    pub id: u64,
    pub uid: Option<String>,
    #[ts(type = "number")]
    pub from: u64,
    #[ts(type = "number")]
    pub to: u64,
    /// MW; null where a branch without impedance has no rating.
    pub rate_mw: Option<f64>,
    pub status: u8,
    pub editable: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<Vec<[f64; 2]>>,
}

/// Map view: body of `GET /api/cases/{id}/network`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Network {
    pub id: String,
    pub name: String,
    pub base_mva: f64,
    pub synthetic_coords: bool,
    pub buses: Vec<NetworkBus>,
    pub branches: Vec<NetworkBranch>,
}

/// A case without its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseSummary {
    /// The retained generation-2 module.
    pub module_json: String,
    /// SHA-256 of `module_json`: the identity of the case.
    pub sha256: String,
    pub name: String,
    /// Always `balanced`.
    #[ts(type = "\"balanced\"")]
    pub model: String,
    pub base_mva: f64,
    pub n_bus: u32,
    pub n_branch: u32,
    pub n_gen: u32,
    pub n_analysis_bus: u32,
    pub n_analysis_branch: u32,
    pub load_mw: f64,
    pub gen_mw: f64,
    /// Whether every energised bus has a map position. Otherwise the view holds only the buses that have one.
    pub has_coords: bool,
    pub coords_kind: CoordsKind,
}

/// Answer of `ingestCase`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IngestedCase {
    #[serde(flatten)]
    pub summary: CaseSummary,
    pub topology: Topology,
    /// Null if no bus has a map position.
    pub view: Option<Network>,
    pub warnings: Vec<Diagnostic>,
    /// Fuel of each generator in the wording of the file, where it has fuels and the module has no field for them
    /// (`mpc.genfuel`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fuels: Option<Vec<String>>,
}

/// Texts of a `Topology` by row, each list absent where every row lacks one; its numbers are columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopologyHead {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bus_uids: Option<Vec<Option<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bus_names: Option<Vec<Option<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "(number | null)[]")]
    pub bus_source_indices: Option<Vec<Option<u64>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub branch_uids: Option<Vec<Option<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub branch_names: Option<Vec<Option<String>>>,
    /// Rows of the branches that are switches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<usize>>")]
    pub switches: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub generator_uids: Option<Vec<Option<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub link_uids: Option<Vec<Option<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub storage_uids: Option<Vec<Option<String>>>,
    /// Absent where the source states no energy sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub energy_sources: Option<Vec<EnergySource>>,
    /// Corners of the piecewise-linear costs by generator row.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    #[ts(optional, as = "Option<std::collections::BTreeMap<usize, Vec<[f64; 2]>>>")]
    pub cost_points: std::collections::BTreeMap<usize, Vec<[f64; 2]>>,
}

/// A `Network` without rows, which are those of the topology; columns hold their positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NetworkHead {
    pub id: String,
    pub name: String,
    pub base_mva: f64,
    pub synthetic_coords: bool,
}

/// An `IngestedCase` without rows; the columns beside it hold their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IngestedCaseHead {
    #[serde(flatten)]
    pub summary: CaseSummary,
    pub topology: TopologyHead,
    pub view: Option<NetworkHead>,
    pub warnings: Vec<Diagnostic>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fuels: Option<Vec<String>>,
}
