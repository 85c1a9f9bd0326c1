//! Long work in steps.

use crate::{replied, thrown, Study};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// Long work in steps; see `wattbook_study::Job`. It outlives its Study and later commits.
#[wasm_bindgen]
pub struct Job(wattbook_study::Job);

#[wasm_bindgen]
impl Job {
    /// The layout of a module of either model (`LayoutHead`). Throws `MODULE.*`.
    pub fn layout(module_json: &str) -> Result<Job, JsValue> {
        wattbook_study::Job::layout(module_json).map(Job).map_err(thrown)
    }

    /// The outage of every branch of a Study's committed state, reported in its steps.
    pub fn screening(study: &Study, options: &str) -> Result<Job, JsValue> {
        wattbook_study::Job::screening(&study.0, options)
            .map(Job)
            .map_err(thrown)
    }

    /// Why absolute edits of a Study have no solution (`Explanation`, or `null`). Throws the codes of edits, `PHYSICS.UNSUPPORTED`.
    pub fn explanation(study: &Study, edits: &str) -> Result<Job, JsValue> {
        wattbook_study::Job::explanation(&study.0, edits)
            .map(Job)
            .map_err(thrown)
    }

    /// The explanation of a `SolveRequest` on a module, where no Study can be created. Throws `MODULE.*`,
    /// `FORMULATION.UNAVAILABLE` as well.
    pub fn explanation_of_module(module_json: &str, request_json: &str) -> Result<Job, JsValue> {
        wattbook_study::Job::explanation_of_module(module_json, request_json)
            .map(Job)
            .map_err(thrown)
    }

    /// The exact path (`Track`) of one demand or rating, MW from the base case, or of a generator limit, MW;
    /// `Study.keep` ends it. Throws the codes of targets and edits, `SOLVE.*`.
    pub fn track(
        study: &Study,
        target: &str,
        from_mw: f64,
        to_mw: f64,
        watch: &str,
        explain: bool,
    ) -> Result<Job, JsValue> {
        wattbook_study::Job::track(&study.0, target, from_mw, to_mw, watch, explain)
            .map(Job)
            .map_err(thrown)
    }

    /// The growth of a demand (`LoadabilityTarget`) until voltage collapse (`Loadability`). Throws the codes of
    /// targets, `FORMULATION.UNAVAILABLE`.
    pub fn loadability(study: &Study, target: &str) -> Result<Job, JsValue> {
        wattbook_study::Job::loadability(&study.0, target)
            .map(Job)
            .map_err(thrown)
    }

    /// Many hours as one program (`DaySpec`, `DayHead`): `values` are those of all elements step by step. Throws `INPUT.REQUEST`,
    /// `FORMULATION.UNAVAILABLE`, the codes of targets.
    pub fn day(study: &Study, spec: &str, values: &[f64]) -> Result<Job, JsValue> {
        wattbook_study::Job::day(&study.0, spec, values)
            .map(Job)
            .map_err(thrown)
    }

    /// A new Study, solved in steps (`Study.of_job`): of the open case with this hash, or else of the module.
    pub fn study(sha256: &str, module_json: &str, formulation: &str, options_json: &str) -> Result<Job, JsValue> {
        let job = match wattbook_study::Case::opened(sha256) {
            Ok(case) => wattbook_study::Job::study(&case, formulation, options_json),
            Err(_) => wattbook_study::Job::study_of_module(module_json, formulation, options_json),
        };
        job.map(Job).map_err(thrown)
    }

    /// `Study.commit` in steps; `Study.keep` makes its state that of the Study (`CommitHead`).
    pub fn commit(study: &Study, case_id: &str, edits: &str, target: &str) -> Result<Job, JsValue> {
        wattbook_study::Job::commit(&study.0, case_id, edits, target)
            .map(Job)
            .map_err(thrown)
    }

    /// A plan (`PlanSpecJson`) on the committed state of a Study, which is unchanged (`PlanOutcomeJson`). Throws
    /// `INPUT.REQUEST`, `PLAN.SPEC`, `FORMULATION.UNAVAILABLE`, the codes of targets.
    pub fn plan(study: &Study, spec: &str) -> Result<Job, JsValue> {
        wattbook_study::Job::plan(&study.0, spec).map(Job).map_err(thrown)
    }

    /// Works for a budget, in units of about a millisecond on a desktop or less (`JobStep`). Throws `SOLVE.*`.
    pub fn step(&mut self, budget: u32) -> Result<String, JsValue> {
        self.0.step_json(budget).map_err(thrown)
    }

    /// The result, or the partial result of an unfinished job. The job is freed. Throws `SOLVE.NOT_CONVERGED`.
    pub fn finish(self) -> Result<Object, JsValue> {
        replied(self.0.finish().map_err(thrown)?.reply)
    }
}

#[wasm_bindgen]
impl Study {
    /// The Study of `Job.study`, which is freed; `rows` returns the identification of rows. Throws `SOLVE.*`.
    pub fn of_job(job: Job) -> Result<Study, JsValue> {
        let (study, _) = job.0.finish().and_then(|left| left.study()).map_err(thrown)?;
        Ok(Study(study))
    }

    /// `Job.finish` for a track, whose path is stored for `track_prices` and `track_state` until the next track or
    /// commit, or for a commit, whose state becomes that of the Study.
    pub fn keep(&mut self, job: Job) -> Result<Object, JsValue> {
        let finished = job.0.finish().map_err(thrown)?;
        self.0.keep(&finished);
        replied(finished.reply)
    }
}
