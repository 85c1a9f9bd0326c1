//! Synthetic layouts on the map.

use pyo3::prelude::*;

use crate::answer::{split_answer, SplitAnswer};
use crate::detached;

/// Stores positions of a layout (x0, y0, x1, y1, ...) in a module (`IngestedNetworkHead`).
#[pyfunction]
#[pyo3(signature = (module_json, positions, lon, lat, scale_km = None))]
fn apply_layout<'py>(
    py: Python<'py>,
    module_json: &str,
    positions: Vec<f64>,
    lon: f64,
    lat: f64,
    scale_km: Option<f64>,
) -> PyResult<SplitAnswer<'py>> {
    let reply = detached(py, || {
        Ok(wattbook_study::apply_layout(module_json, &positions, lon, lat, scale_km)?.apart())
    })?;
    split_answer(py, reply)
}

/// The `Placement` needed to move or rescale a placed case, or `null`.
#[pyfunction]
fn placement(py: Python<'_>, module_json: &str) -> PyResult<String> {
    detached(py, || wattbook_study::placement_json(module_json))
}

/// Adds the functions of this file to the module.
pub(crate) fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(apply_layout, m)?)?;
    m.add_function(wrap_pyfunction!(placement, m)?)
}
