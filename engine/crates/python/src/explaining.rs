//! The search for an explanation in steps, so that Python can interrupt between them.

use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use wattbook_network::message;
use wattbook_network::EngineError;
use wattbook_study::Explaining;

use crate::detached;
use crate::study::Study;

/// Why edits have no solution, as a job; see `wattbook_study::Explaining`. It outlives the Study and its commits.
#[pyclass(module = "wattbook._engine", frozen)]
pub struct ExplainRun {
    /// None once stopped.
    inner: Mutex<Option<Explaining>>,
}

impl ExplainRun {
    fn of(run: Explaining) -> Self {
        Self {
            inner: Mutex::new(Some(run)),
        }
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Option<Explaining>) -> wattbook_network::Result<Option<T>> + Send,
    ) -> PyResult<T> {
        detached(py, || {
            let mut guard = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let stopped = || EngineError::new("EXPLAIN.STOPPED", message!("run.search_stopped"));
            work(&mut guard)?.ok_or_else(stopped)
        })
    }
}

#[pymethods]
impl ExplainRun {
    /// Of absolute edits of a Study. The Study is free again at once.
    #[new]
    #[pyo3(signature = (study, deltas_json = "null", rates_json = "null"))]
    fn new(py: Python<'_>, study: &Study, deltas_json: &str, rates_json: &str) -> PyResult<Self> {
        study
            .with(py, |s| Explaining::start(s, deltas_json, rates_json))
            .map(Self::of)
    }

    /// Of a `SolveRequest` on a module, for modules that make no Study.
    #[staticmethod]
    #[pyo3(signature = (module_json, request_json = "{}"))]
    fn of_module(py: Python<'_>, module_json: &str, request_json: &str) -> PyResult<Self> {
        detached(py, || Explaining::start_module(module_json, request_json)).map(Self::of)
    }

    /// Works for about `budget` milliseconds of a desktop's core (`ExplainStep`).
    fn step(&self, py: Python<'_>, budget: u32) -> PyResult<String> {
        self.with(py, |run| run.as_mut().map(|run| run.step_json(budget)).transpose())
    }

    /// The best relaxation so far with its gap (`Explanation`, or `null`); every later call raises `EXPLAIN.STOPPED`.
    fn stop(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |run| run.take().map(Explaining::stop_json).transpose())
    }
}
