//! How a saved Study is drawn: it enters no solve.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{CoordsKind, Element};

/// Where the network of a Study is drawn, and what was shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyDisplay {
    /// Positions and line paths that replace those of the case, applied in this order.
    #[serde(default)]
    pub layers: Vec<StudyLayer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub drawing: Option<StudyLayer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub view: Option<StudyView>,
}

/// A geographic layer or a drawing; `name` is that of the file it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyLayer {
    pub name: String,
    pub artifact: String,
    /// Where the positions of a layer come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub coords_kind: Option<CoordsKind>,
}

/// What a map shows: quantities of buses and lines by their names, the selected elements with the primary last, and from where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyView {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quantity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lines: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub preview_mode: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Element>>")]
    pub selection: Vec<Element>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub camera: Option<StudyCamera>,
}

/// Centre and size of a view: degrees and degrees of longitude on the map, units of its own in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyCamera {
    pub x: f64,
    pub y: f64,
    /// What the width of the view covers.
    pub width: f64,
    /// Degrees by which north is turned clockwise from up.
    pub bearing: f64,
    /// Degrees by which the view is tilted from straight down; absent where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pitch: Option<f64>,
    /// Whether the earth is a globe; absent where it is a plane.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub globe: bool,
    /// Whether the view is of the drawing.
    pub drawing: bool,
}
