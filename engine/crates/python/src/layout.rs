//! Synthetic layouts in steps, so that Python can interrupt between them.

use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use wattbook_network::message;
use wattbook_network::EngineError;
use wattbook_study::Layout;

use crate::detached;

/// The layout of a module of either model; see `wattbook_study::Layout`.
#[pyclass(module = "wattbook._engine", frozen)]
pub struct LayoutRun {
    /// None once finished.
    inner: Mutex<Option<Layout>>,
}

impl LayoutRun {
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Option<Layout>) -> Option<T> + Send) -> PyResult<T> {
        detached(py, || {
            let mut guard = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let finished = || EngineError::new("LAYOUT.FINISHED", message!("run.layout_finished"));
            work(&mut guard).ok_or_else(finished)
        })
    }
}

#[pymethods]
impl LayoutRun {
    /// Prepares the layout.
    #[new]
    fn new(py: Python<'_>, module_json: &str) -> PyResult<Self> {
        let layout = detached(py, || Layout::start(module_json))?;
        Ok(Self {
            inner: Mutex::new(Some(layout)),
        })
    }

    /// Works for about `budget` iterations over the whole graph (`LayoutProgress`).
    fn step(&self, py: Python<'_>, budget: u32) -> PyResult<String> {
        self.with(py, |run| run.as_mut().map(|run| run.step_json(budget)))
    }

    /// Longer side of the drawing where nothing better is known, kilometres.
    fn default_scale_km(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |run| run.as_ref().map(Layout::default_scale_km))
    }

    /// Does what is left: x0, y0, x1, y1, ... by bus row of the module. The run is freed.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.with(py, |run| run.take().map(Layout::finish))
    }
}

/// Stamps positions of `LayoutRun.finish` into a module (`IngestedNetwork`).
#[pyfunction]
#[pyo3(signature = (module_json, positions, lon, lat, scale_km = None))]
fn apply_layout(
    py: Python<'_>,
    module_json: &str,
    positions: Vec<f64>,
    lon: f64,
    lat: f64,
    scale_km: Option<f64>,
) -> PyResult<String> {
    detached(py, || {
        wattbook_study::apply_layout_json(module_json, &positions, lon, lat, scale_km)
    })
}

/// What moves or rescales a placed case (`Placement`), or `null`.
#[pyfunction]
fn placement(py: Python<'_>, module_json: &str) -> PyResult<String> {
    detached(py, || wattbook_study::placement_json(module_json))
}

/// Adds the class and functions of this file to the module.
pub(crate) fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<LayoutRun>()?;
    m.add_function(wrap_pyfunction!(apply_layout, m)?)?;
    m.add_function(wrap_pyfunction!(placement, m)?)
}
