//! Positions: coordinate spaces, geographic layers and synthetic layouts.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{ElementKey, IngestedNetwork, IngestedNetworkHead, Message};

/// The space of coordinates. Only geographic coordinates are longitude and latitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CoordsSpace {
    Geographic,
    Projected,
    Drawing,
    Unknown,
    /// There are no coordinates.
    None,
}

/// Where map positions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CoordsKind {
    File,
    /// No positions; a layout is to be computed.
    SyntheticPending,
    Synthetic,
    Manual,
}

/// The evidence for the space of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GeoBasis {
    /// A marker in the file.
    Marker,
    /// Field names for latitude and longitude, or unmarked GeoJSON.
    Names,
    /// Values in the range of longitudes and latitudes.
    Inferred,
    /// There is no evidence.
    Nothing,
}

/// A warning about one record of a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoWarning {
    /// 1-based; 0 for a warning about the case or the whole layer.
    pub record: u32,
    pub code: String,
    pub message: String,
    /// `message` in catalogue form.
    pub sentence: Message,
}

/// The outcome of applying a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoReport {
    #[ts(type = "Exclude<CoordsSpace, \"none\">")]
    pub space: CoordsSpace,
    pub basis: GeoBasis,
    /// Records with coordinates.
    pub bus_records: u32,
    pub branch_records: u32,
    /// Buses and branches of the case that the layer positions.
    pub matched_buses: u32,
    pub matched_branches: u32,
    /// Records that match neither a bus nor a branch.
    pub unmatched_records: u32,
    /// Buses of the case that still have no position, which the map omits.
    pub unplaced_buses: u32,
    /// In record order, at most 1000.
    pub warnings: Vec<GeoWarning>,
    /// Number of further warnings.
    pub warnings_left_out: u32,
}

/// Bus of a drawing: its number, or its name in a multiconductor case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoDrawingBus {
    pub bus: ElementKey,
    pub x: f64,
    pub y: f64,
}

/// Branch of a drawing: its 1-based row, or the line's name in a multiconductor case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoDrawingBranch {
    pub branch: ElementKey,
    pub points: Vec<[f64; 2]>,
}

/// Matched positions that are not map positions, for the diagram, in their own units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoDrawing {
    pub buses: Vec<GeoDrawingBus>,
    pub branches: Vec<GeoDrawingBranch>,
}

/// Answer of `applyGeo`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoApplied {
    /// The case with the layer in its module; unchanged if the layer is a drawing and the case has map positions.
    pub case: IngestedNetwork,
    pub report: GeoReport,
    pub drawing: Option<GeoDrawing>,
}

/// A `GeoApplied` without the rows of a balanced case, whose numbers are columns beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoAppliedHead {
    pub case: IngestedNetworkHead,
    pub report: GeoReport,
    pub drawing: Option<GeoDrawing>,
}

/// A layout on the map, in the form that moves or rescales it (`applyLayout` with its own values changes nothing).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Placement {
    /// By row of the module; longer side 1, centred at the origin, y upwards.
    pub positions: Vec<[f64; 2]>,
    /// Degrees.
    pub centre_lon_lat: [f64; 2],
    /// Kilometres per unit at the centre.
    pub scale_km: f64,
}
