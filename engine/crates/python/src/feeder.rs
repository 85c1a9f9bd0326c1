//! `_engine.Feeder`: a solved multiconductor feeder.

use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use wattbook_study::McStudy;

use crate::answer::{answer_of, Answer};
use crate::detached;

/// A solved feeder. Loads are absolute from the case (`McLoads` as JSON).
#[pyclass(module = "wattbook._engine", frozen)]
pub struct Feeder {
    inner: Mutex<McStudy>,
}

impl Feeder {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut McStudy) -> wattbook_network::Result<T> + Send,
    ) -> PyResult<T> {
        detached(py, || {
            work(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }
}

#[pymethods]
impl Feeder {
    /// Reads a multiconductor module and solves it.
    #[new]
    #[pyo3(signature = (module_json, options_json = "null", loads_json = "null"))]
    fn new(py: Python<'_>, module_json: &str, options_json: &str, loads_json: &str) -> PyResult<Self> {
        let study = detached(py, || McStudy::new(module_json, options_json, loads_json))?;
        Ok(Self {
            inner: Mutex::new(study),
        })
    }

    /// Identification of the rows of the columns (`McRows`).
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| Ok(s.rows()))?)
    }

    /// The result (`McResult`).
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| Ok(s.result()))?)
    }

    /// Solves with these loads and stores the result (`McResult`).
    fn commit<'py>(&self, py: Python<'py>, loads_json: &str) -> PyResult<Answer<'py>> {
        answer_of(py, self.with(py, |s| s.commit(loads_json))?)
    }

    /// The result with its input (`McStudyFile`).
    fn saved(&self, py: Python<'_>, module_json: &str) -> PyResult<String> {
        self.with(py, |s| s.saved_json(module_json))
    }
}

/// Opens a stored result without solving (`McReplay`).
#[pyfunction]
fn replay_mc_study<'py>(py: Python<'py>, text: &str) -> PyResult<Answer<'py>> {
    answer_of(py, detached(py, || wattbook_study::replay_mc_study(text))?)
}

/// A stored result with the positions of a geographic layer.
#[pyfunction]
fn apply_mc_study_geo(py: Python<'_>, text: &str, layer: &[u8]) -> PyResult<String> {
    detached(py, || wattbook_study::apply_mc_study_geo(text, layer))
}

pub fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Feeder>()?;
    m.add_function(wrap_pyfunction!(replay_mc_study, m)?)?;
    m.add_function(wrap_pyfunction!(apply_mc_study_geo, m)?)
}
