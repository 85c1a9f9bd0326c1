//! `_engine.Series`: many exact solves of a Study in one call.

use pyo3::prelude::*;
use wattbook_study::Series as Inner;

use crate::answer::{answer_of, Answer};
use crate::detached;
use crate::study::Study;

/// Exact solves of a Study at the demand and ratings of many steps. It outlives its Study and later commits.
#[pyclass(module = "wattbook._engine", frozen)]
pub struct Series {
    inner: Inner,
}

#[pymethods]
impl Series {
    /// A series over the elements of a `SeriesSpec`.
    #[new]
    fn new(py: Python<'_>, study: &Study, spec_json: &str) -> PyResult<Self> {
        let inner = study.with(py, |s| Inner::new(s, spec_json))?;
        Ok(Self { inner })
    }

    /// Solves steps (`SeriesHead`): `changes_mw` are little-endian f64, the changes of all elements step by step.
    #[pyo3(signature = (changes_mw, threads = 1))]
    fn solve<'py>(&self, py: Python<'py>, changes_mw: &[u8], threads: usize) -> PyResult<Answer<'py>> {
        let changes = numbers(changes_mw);
        answer_of(py, detached(py, || self.inner.solve(&changes, threads))?)
    }
}

/// Little-endian doubles.
pub(crate) fn numbers(bytes: &[u8]) -> Vec<f64> {
    let number = |bytes: &[u8]| bytes.try_into().map_or(f64::NAN, f64::from_le_bytes);
    bytes.chunks_exact(8).map(number).collect()
}
