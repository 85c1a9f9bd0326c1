//! N-1 screening in steps, so that Python can interrupt between them.

use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use wattbook_study::Contingencies;

use crate::detached;
use crate::study::Study;

/// The screening of a Study's committed state; see `wattbook_study::Contingencies`. It outlives the Study and its commits.
#[pyclass(module = "wattbook._engine", frozen)]
pub struct ContingencyRun {
    inner: Mutex<Contingencies>,
}

#[pymethods]
impl ContingencyRun {
    /// Prepares the outage of every branch that takes part.
    #[new]
    fn new(py: Python<'_>, study: &Study) -> PyResult<Self> {
        let run = study.with(py, |s| Contingencies::start(s))?;
        Ok(Self { inner: Mutex::new(run) })
    }

    /// Screens up to `budget` further outages (`ContingencyStep`).
    fn step(&self, py: Python<'_>, budget: u32) -> PyResult<String> {
        detached(py, || {
            let mut run = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(run.step_json(budget))
        })
    }
}
