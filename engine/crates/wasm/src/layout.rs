//! Synthetic layouts on the map.

use crate::thrown;
use wasm_bindgen::prelude::*;

/// Stamps places of a layout (x0, y0, x1, y1, ...) into a module (`IngestedNetwork`); centre in degrees, without a scale the default
/// one. Throws `INPUT.PLACEMENT`, `MODULE.*`.
#[wasm_bindgen]
pub fn apply_layout(
    module_json: &str,
    positions: &[f64],
    lon: f64,
    lat: f64,
    scale_km: Option<f64>,
) -> Result<String, JsValue> {
    wattbook_study::apply_layout_json(module_json, positions, lon, lat, scale_km).map_err(thrown)
}

/// What moves or rescales a placed case (`Placement`), or `null`. Throws `MODULE.*`.
#[wasm_bindgen]
pub fn placement(module_json: &str) -> Result<String, JsValue> {
    wattbook_study::placement_json(module_json).map_err(thrown)
}
