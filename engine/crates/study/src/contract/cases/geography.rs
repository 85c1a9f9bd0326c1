//! Where things are: coordinate spaces, geographic layers and synthetic layouts.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{ElementKey, IngestedNetwork, IngestedNetworkHead, Message};

/// What coordinates are. Only geographic ones are longitude and latitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CoordsSpace {
    Geographic,
    Projected,
    Drawing,
    Unknown,
    /// There are none.
    None,
}

/// Where map positions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CoordsKind {
    File,
    /// No positions: a layout is to be computed.
    SyntheticPending,
    Synthetic,
    Manual,
}

/// What the space of a layer was decided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GeoBasis {
    /// A marker in the file.
    Marker,
    /// Field names that say latitude and longitude, or unmarked GeoJSON.
    Names,
    /// Values that lie like longitudes and latitudes.
    Inferred,
    /// Nothing says what the coordinates are.
    Nothing,
}

/// Something about one record of a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoWarning {
    /// 1-based; 0 where it concerns the case or the whole layer.
    pub record: u32,
    pub code: String,
    pub message: String,
    /// What `message` says.
    pub sentence: Message,
}

/// What became of a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeoReport {
    #[ts(type = "Exclude<CoordsSpace, \"none\">")]
    pub space: CoordsSpace,
    pub basis: GeoBasis,
    /// Records with coordinates.
    pub bus_records: u32,
    pub branch_records: u32,
    /// Buses and branches of the case that the layer places.
    pub matched_buses: u32,
    pub matched_branches: u32,
    /// Records that no bus and no branch took.
    pub unmatched_records: u32,
    /// Buses of the case without a position afterwards, which the map leaves out.
    pub unplaced_buses: u32,
    /// By record, at most 1000.
    pub warnings: Vec<GeoWarning>,
    /// Warnings beyond those.
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

/// Matched places that are no map positions, for the diagram, in their own units.
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
    /// The case with the layer in its module; as it was where the layer is a drawing and the case has map positions.
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

/// A layout that lies on the map: what moves or rescales it (`applyLayout` of its own parts changes nothing).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Placement {
    /// By row of the module; longer side 1, centred at the origin, y upwards.
    pub positions: Vec<[f64; 2]>,
    /// Degrees.
    pub centre_lon_lat: [f64; 2],
    /// Kilometres to one unit, at the centre.
    pub scale_km: f64,
}
