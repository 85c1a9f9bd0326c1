//! Synthetic layouts on the map.

use crate::{replied, thrown};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// Stores positions of a layout (x0, y0, x1, y1, ...) in a module (`IngestedNetworkHead`); the centre is in degrees,
/// and the scale has a default. Throws `INPUT.PLACEMENT`, `MODULE.*`.
#[wasm_bindgen]
pub fn apply_layout(
    module_json: &str,
    positions: &[f64],
    lon: f64,
    lat: f64,
    scale_km: Option<f64>,
) -> Result<Object, JsValue> {
    replied(
        wattbook_study::apply_layout(module_json, positions, lon, lat, scale_km)
            .map_err(thrown)?
            .whole(),
    )
}

/// The `Placement` needed to move or rescale a placed case, or `null`. Throws `MODULE.*`.
#[wasm_bindgen]
pub fn placement(module_json: &str) -> Result<String, JsValue> {
    wattbook_study::placement_json(module_json).map_err(thrown)
}
