//! Multiconductor power flow.

use crate::{replied, thrown};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// A solved feeder; see `wattbook_study::McStudy`. Loads are absolute from the case (`McLoads`).
#[wasm_bindgen]
pub struct McStudy(wattbook_study::McStudy);

#[wasm_bindgen]
impl McStudy {
    /// Reads a multiconductor module and solves it. Throws `PHYSICS.UNSUPPORTED`, listing everything that is refused.
    #[wasm_bindgen(constructor)]
    pub fn new(module_json: &str, options_json: &str, loads_json: &str) -> Result<McStudy, JsValue> {
        wattbook_study::McStudy::new(module_json, options_json, loads_json)
            .map(McStudy)
            .map_err(thrown)
    }

    /// Identification of the rows of the columns (`McRows`).
    pub fn rows(&self) -> Result<Object, JsValue> {
        replied(self.0.rows())
    }

    /// The result (`McResult`).
    pub fn result(&self) -> Result<Object, JsValue> {
        replied(self.0.result())
    }

    /// Solves with these loads and stores the result (`McResult`).
    pub fn commit(&mut self, loads_json: &str) -> Result<Object, JsValue> {
        replied(self.0.commit(loads_json).map_err(thrown)?)
    }

    /// Voltages with these loads (`McPreview`).
    pub fn preview(&mut self, loads_json: &str) -> Result<Object, JsValue> {
        replied(self.0.preview(loads_json).map_err(thrown)?)
    }

    /// The result with its input (`McStudyFile`).
    pub fn saved(&self, module_json: &str) -> Result<String, JsValue> {
        self.0.saved_json(module_json).map_err(thrown)
    }
}

/// Opens a stored result without solving (`McReplay`). Throws `INPUT.MC_STUDY`, `MODULE.TAMPERED`.
#[wasm_bindgen]
pub fn replay_mc_study(text: &str) -> Result<Object, JsValue> {
    replied(wattbook_study::replay_mc_study(text).map_err(thrown)?)
}

/// A stored result with the positions of a geographic layer. Throws the errors of `replay_mc_study` and `apply_geo`.
#[wasm_bindgen]
pub fn apply_mc_study_geo(text: &str, layer: &[u8]) -> Result<String, JsValue> {
    wattbook_study::apply_mc_study_geo(text, layer).map_err(thrown)
}
