//! Multiconductor cases, which have terminals and conductors instead of balanced phases.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::super::{CoordsKind, CoordsSpace, Diagnostic};

/// Bus of a multiconductor network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistributionBus {
    /// Its name, by which elements refer to it.
    pub id: String,
    pub terminals: Vec<String>,
    /// Terminals with a perfect connection to ground.
    pub grounded: Vec<String>,
    /// In the units of `coords_space`; longitude and latitude only if that is geographic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub xy: Option<[f64; 2]>,
    /// Active power of its loads over all phases, kW.
    pub load_kw: f64,
    pub has_source: bool,
    /// Equipment at the bus: sources, loads, capacitors and the like.
    pub devices: Vec<DistributionDevice>,
}

/// Equipment at one bus of a multiconductor network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistributionDevice {
    pub kind: DistributionDeviceKind,
    /// Its name; names are unique within a kind.
    pub id: String,
    /// Terminals of the bus that it is connected to.
    pub terminals: Vec<String>,
    pub in_service: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DistributionDeviceKind {
    Source,
    Load,
    Generator,
    Inverter,
    Storage,
    Capacitor,
    Reactor,
    Shunt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DistributionEdgeKind {
    Line,
    Switch,
    Transformer,
}

/// A connection between two buses of a multiconductor network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistributionEdge {
    pub kind: DistributionEdgeKind,
    /// Its name; names are unique within a kind.
    pub id: String,
    pub from: String,
    pub to: String,
    /// Terminals that its conductors join, at the from and at the to end.
    pub conductors: Vec<(String, String)>,
    /// False for open switches and for elements out of service.
    pub closed: bool,
    /// Whether a regulator control in service changes the taps of this transformer.
    pub regulated: bool,
    pub n_phases: u32,
    /// Stored route, in the units of `coords_space`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<Vec<[f64; 2]>>,
}

/// The network as a graph, rows in source order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistributionGraph {
    pub buses: Vec<DistributionBus>,
    pub edges: Vec<DistributionEdge>,
}

/// Answer of `ingestDistribution`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IngestedDistribution {
    /// The retained generation-2 module.
    pub module_json: String,
    /// SHA-256 of `module_json`: the identity of the case.
    pub sha256: String,
    pub name: String,
    /// Always `multiconductor`.
    #[ts(type = "\"multiconductor\"")]
    pub model: String,
    /// Elements by kind: `buses`, `lines`, `switches`, `transformers`, `loads`, `generators`, `sources` and so on.
    pub counts: BTreeMap<String, u32>,
    pub load_kw: f64,
    pub gen_kw: f64,
    /// Hz, where the source states it.
    pub base_frequency: Option<f64>,
    pub coords_space: CoordsSpace,
    pub coords_kind: CoordsKind,
    pub graph: DistributionGraph,
    pub warnings: Vec<Diagnostic>,
}
