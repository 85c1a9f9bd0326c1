//! N-1 screening in steps.

use crate::{thrown, Study};
use wasm_bindgen::prelude::*;

/// The screening of a Study's committed state; see `wattbook_study::Contingencies`. It outlives the Study and its commits.
#[wasm_bindgen]
pub struct ContingencyRun(wattbook_study::Contingencies);

#[wasm_bindgen]
impl ContingencyRun {
    /// Prepares the outage of every branch that takes part.
    #[wasm_bindgen(constructor)]
    pub fn new(study: &Study) -> Result<ContingencyRun, JsValue> {
        let run = wattbook_study::Contingencies::start(&study.0);
        run.map(ContingencyRun).map_err(thrown)
    }

    /// Screens up to `budget` further outages (`ContingencyStep`).
    pub fn step(&mut self, budget: u32) -> String {
        self.0.step_json(budget)
    }
}
