//! The display of a saved Study, which does not affect any solve.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::super::{CoordsKind, Element};

/// Positions of the network of a Study, and the last view.
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

/// A geographic layer or a drawing; `name` is the file name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyLayer {
    pub name: String,
    pub artifact: String,
    /// The origin of the positions of a layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub coords_kind: Option<CoordsKind>,
}

/// The view of a map: quantities of buses and lines by name, the selected elements with the primary last, and the
/// camera.
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

/// Centre and size of a view: degrees and degrees of longitude on the map, own units in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyCamera {
    pub x: f64,
    pub y: f64,
    /// Width covered by the view.
    pub width: f64,
    /// Rotation: degrees by which north is turned clockwise from up.
    pub bearing: f64,
    /// Tilt from straight down, degrees; absent where the view is not tilted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pitch: Option<f64>,
    /// Whether the earth is drawn as a globe; absent on a flat map.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub globe: bool,
    /// Whether the view shows the drawing.
    pub drawing: bool,
}
