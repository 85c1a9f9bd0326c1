//! The search for an explanation in steps.

use crate::{thrown, Study};
use wasm_bindgen::prelude::*;

/// Why edits have no solution, as a job; see `wattbook_study::Explaining`. It outlives the Study and its commits.
#[wasm_bindgen]
pub struct ExplainRun(wattbook_study::Explaining);

#[wasm_bindgen]
impl ExplainRun {
    /// Of absolute edits of a Study. Throws the codes of edits, `PHYSICS.UNSUPPORTED`.
    #[wasm_bindgen(constructor)]
    pub fn new(study: &Study, deltas: &str, rates: &str) -> Result<ExplainRun, JsValue> {
        wattbook_study::Explaining::start(&study.0, deltas, rates)
            .map(ExplainRun)
            .map_err(thrown)
    }

    /// Of a `SolveRequest` on a module, for modules that make no Study. Throws `MODULE.*`, `FORMULATION.UNAVAILABLE` as well.
    pub fn of_module(module_json: &str, request_json: &str) -> Result<ExplainRun, JsValue> {
        wattbook_study::Explaining::start_module(module_json, request_json)
            .map(ExplainRun)
            .map_err(thrown)
    }

    /// Works for about `budget` milliseconds of a desktop's core (`ExplainStep`). Throws `SOLVE.*`.
    pub fn step(&mut self, budget: u32) -> Result<String, JsValue> {
        self.0.step_json(budget).map_err(thrown)
    }

    /// The best relaxation so far with its gap (`Explanation`, or `null`). The run is freed. Throws `SOLVE.NOT_CONVERGED`.
    pub fn stop(self) -> Result<String, JsValue> {
        self.0.stop_json().map_err(thrown)
    }
}
