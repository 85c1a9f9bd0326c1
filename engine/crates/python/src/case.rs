//! `_engine.Case`: an open case.

use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::Arc;

use crate::answer::{answer_of, changeable, Answer};
use crate::detached;

/// A balanced case, read once and shared by all its Studies; see `wattbook_study::Case`.
#[pyclass(module = "wattbook._engine", frozen)]
pub struct Case {
    pub(crate) inner: Arc<wattbook_study::Case>,
}

#[pymethods]
impl Case {
    /// The open case with this hash; if it is no longer open, the module is read again.
    #[new]
    fn new(py: Python<'_>, sha256: &str, module_json: &str) -> PyResult<Self> {
        let inner = detached(py, || {
            wattbook_study::Case::opened(sha256).or_else(|_| wattbook_study::Case::read(module_json))
        })?;
        Ok(Self { inner })
    }

    /// The case with further elements; see `wattbook_study::Case::extended`.
    fn extended(&self, py: Python<'_>, added_json: &str) -> PyResult<Self> {
        let inner = detached(py, || self.inner.extended(added_json))?;
        Ok(Self { inner })
    }

    /// Describes the case as `inspect_module` does, without module text and warnings.
    fn described<'py>(&self, py: Python<'py>) -> PyResult<Answer<'py>> {
        answer_of(py, detached(py, || Ok(self.inner.described()))?)
    }

    /// Impedances, positions and costs: columns in the row order of the topology, and `{"cost_points": {row: [[mw, cost], ...]}}`.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Answer<'py>> {
        answer_of(py, detached(py, || Ok(self.inner.parameters()))?)
    }

    /// A synthetic demand profile (`ProfileHead`): the column `demand_mw` has all buses of the first step, then those
    /// of the second, and so on. `start_s` is in seconds since 1970 on the local clock of the case.
    fn synthetic_demand<'py>(&self, py: Python<'py>, start_s: f64, hours: u32, seed: u32) -> PyResult<Answer<'py>> {
        answer_of(py, detached(py, || self.inner.synthetic_demand(start_s, hours, seed))?)
    }

    /// Reads a demand profile from a table of text, in the form of [`Self::synthetic_demand`].
    fn read_profile<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Answer<'py>> {
        answer_of(py, detached(py, || self.inner.read_profile(bytes))?)
    }

    /// Distribution factors of the DC model: a JSON head and the values as little-endian f64; see
    /// `wattbook_study::Case::distribution_factors`.
    fn distribution_factors<'py>(
        &self,
        py: Python<'py>,
        request_json: &str,
    ) -> PyResult<(String, Vec<Bound<'py, PyByteArray>>)> {
        let (head, values) = detached(py, || self.inner.distribution_factors(request_json))?;
        let bytes = values.iter().map(|values| changeable(py, values));
        Ok((head, bytes.collect::<PyResult<_>>()?))
    }
}
