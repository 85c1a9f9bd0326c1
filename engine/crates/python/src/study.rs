//! `_engine.Study`: a case with edits.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, PoisonError};
use wattbook_network::message;
use wattbook_network::{EngineError, Result};
use wattbook_study::Study as Inner;

use crate::answer::{answer_of, Answer};
use crate::case::Case;
use crate::detached;

/// A case with edits. Edits are absolute from the base case, in MW by id or uid, as JSON texts ("null" for no edits).
#[pyclass(module = "wattbook._engine", frozen)]
pub struct Study {
    /// `None` once freed.
    inner: Mutex<Option<Inner>>,
}

impl Study {
    pub(crate) fn of(inner: Inner) -> Self {
        Self {
            inner: Mutex::new(Some(inner)),
        }
    }

    /// Runs `work` on the Study with the GIL released; the lock is taken inside, so that waiting never blocks Python.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T> + Send,
    ) -> PyResult<T> {
        detached(py, || {
            let mut guard = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let freed = || EngineError::new("STUDY.FREED", message!("client.study_freed"));
            work(guard.as_mut().ok_or_else(freed)?)
        })
    }
}

#[pymethods]
impl Study {
    /// Solves the base case.
    #[new]
    #[pyo3(signature = (case, formulation = "dcopf", options_json = "null"))]
    fn new(py: Python<'_>, case: &Case, formulation: &str, options_json: &str) -> PyResult<Self> {
        detached(py, || Inner::of_case(&case.inner, formulation, options_json)).map(Self::of)
    }

    /// The committed optimum (`SolutionHead`).
    fn current_solution<'py>(&self, py: Python<'py>) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| s.current_solution())?)
    }

    /// Exact solve of absolute edits, stored on success (`CommitHead`).
    #[pyo3(signature = (case_id, edits_json = "null", target_json = "null"))]
    fn commit<'py>(
        &self,
        py: Python<'py>,
        case_id: &str,
        edits_json: &str,
        target_json: &str,
    ) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| s.commit(case_id, edits_json, target_json))?)
    }

    /// First-order update without a solve (`PreviewHead`).
    #[pyo3(signature = (edits_json = "null"))]
    fn preview<'py>(&self, py: Python<'py>, edits_json: &str) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| s.preview(edits_json))?)
    }

    /// Sensitivity column at the given edits (`SensitivityHead`); the Study is unchanged.
    #[pyo3(signature = (case_id, edits_json, target_json))]
    fn sensitivity<'py>(
        &self,
        py: Python<'py>,
        case_id: &str,
        edits_json: &str,
        target_json: &str,
    ) -> PyResult<Answer<'py>> {
        let reply = self.with(py, |s| s.sensitivity(case_id, edits_json, target_json))?;
        answer_of(py, reply)
    }

    /// The price of a bus as energy and congestion (`LmpComponents`).
    fn lmp_components(&self, py: Python<'_>, target_json: &str) -> PyResult<String> {
        self.with(py, |s| s.lmp_components_json(target_json))
    }

    /// What changes after the outage of a branch, as columns of a result.
    fn outage_columns<'py>(&self, py: Python<'py>, target_json: &str) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| s.outage_columns(target_json))?)
    }

    /// Prices at a position of the track by dense bus row: little-endian f64 bytes, NaN where a bus is not energised.
    fn track_prices<'py>(&self, py: Python<'py>, mw: f64) -> PyResult<Bound<'py, PyBytes>> {
        let prices = self.with(py, |s| s.track_prices(mw))?;
        let bytes: Vec<u8> = prices.iter().flat_map(|x| x.to_le_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Cost and segment at a position of the track (`TrackState`), with the columns of a commit there.
    fn track_state<'py>(&self, py: Python<'py>, mw: f64) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| s.track_state(mw))?)
    }

    /// The committed optimum as the text of a solution module; `module_json` is the module that the Study was created
    /// from.
    fn save_solution_module(&self, py: Python<'_>, module_json: &str) -> PyResult<String> {
        self.with(py, |s| s.save_solution_module_json(module_json))
    }

    /// Releases the memory; every later call raises `STUDY.FREED`.
    fn free(&self, py: Python<'_>) {
        py.detach(|| drop(self.inner.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }
}
