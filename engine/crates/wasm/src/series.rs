//! Many exact solves of a Study, a few steps per call.

use crate::{replied, thrown, Study};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// Exact solves at the demand and ratings of many steps; see `wattbook_study::Series`. It outlives its Study and later
/// commits.
#[wasm_bindgen]
pub struct Series(wattbook_study::Series);

#[wasm_bindgen]
impl Series {
    /// A series over the elements of a `SeriesSpec`. Throws `INPUT.REQUEST`, the codes of targets.
    #[wasm_bindgen(constructor)]
    pub fn new(study: &Study, spec: &str) -> Result<Series, JsValue> {
        wattbook_study::Series::new(&study.0, spec).map(Series).map_err(thrown)
    }

    /// Solves some steps (`SeriesHead`): `changes_mw` are the changes of all elements step by step.
    pub fn solve(&self, changes_mw: &[f64]) -> Result<Object, JsValue> {
        replied(self.0.solve(changes_mw, 1).map_err(thrown)?)
    }
}

#[wasm_bindgen]
impl Study {
    /// A synthetic demand profile by hour (`ProfileHead`); `start_s` is in seconds since 1970 on the local clock of the
    /// case.
    pub fn synthetic_demand(&self, start_s: f64, hours: u32, seed: u32) -> Result<Object, JsValue> {
        replied(self.0.synthetic_demand(start_s, hours, seed).map_err(thrown)?)
    }

    /// Reads a demand profile from a table (`ProfileHead`). Throws `PROFILE.MALFORMED`, `BUS.UNKNOWN`, `INPUT.ENCODING`.
    pub fn read_profile(&self, bytes: &[u8]) -> Result<Object, JsValue> {
        replied(self.0.read_profile(bytes).map_err(thrown)?)
    }
}
