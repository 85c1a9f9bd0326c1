//! Synthetic layouts in steps.

use crate::thrown;
use js_sys::Float64Array;
use wasm_bindgen::prelude::*;

/// The layout of a module of either model; see `wattbook_study::Layout`.
#[wasm_bindgen]
pub struct LayoutRun(wattbook_study::Layout);

#[wasm_bindgen]
impl LayoutRun {
    /// Prepares the layout. Throws `MODULE.*`.
    #[wasm_bindgen(constructor)]
    pub fn new(module_json: &str) -> Result<LayoutRun, JsValue> {
        wattbook_study::Layout::start(module_json)
            .map(LayoutRun)
            .map_err(thrown)
    }

    /// Works for about `budget` iterations over the whole graph (`LayoutProgress`).
    pub fn step(&mut self, budget: u32) -> String {
        self.0.step_json(budget)
    }

    /// Longer side of the drawing where nothing better is known, kilometres.
    pub fn default_scale_km(&self) -> f64 {
        self.0.default_scale_km()
    }

    /// Does what is left: `x0, y0, x1, y1, ...` by bus row of the module. The run is freed.
    pub fn finish(self) -> Float64Array {
        Float64Array::from(self.0.finish().as_slice())
    }
}

/// Stamps positions of `LayoutRun.finish` into a module (`IngestedNetwork`); centre in degrees, without a scale the default
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
