//! Files beyond balanced case files: JSON of any kind, drawings, geographic layers, saved cases, figures.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::answer::{split_answer, SplitAnswer};
use crate::detached;

/// Detects the kind and the reader of a JSON document from its content (`JsonDropClassification`).
#[pyfunction]
fn classify_json(py: Python<'_>, data: &[u8]) -> PyResult<String> {
    detached(py, || Ok(wattbook_study::classify_json_json(data)))
}

/// Classifies a JSON document and reads it (`IngestedJsonDropHead`).
#[pyfunction]
fn ingest_json_drop<'py>(py: Python<'py>, data: &[u8]) -> PyResult<SplitAnswer<'py>> {
    split_answer(
        py,
        detached(py, || Ok(wattbook_study::ingest_json_drop(data)?.apart()))?,
    )
}

/// Reads a multiconductor case file (`IngestedDistribution`); `companions` are the files that a script refers to, as
/// pairs of relative path and bytes.
#[pyfunction]
#[pyo3(signature = (data, format, companions = Vec::new()))]
fn ingest_distribution(
    py: Python<'_>,
    data: &[u8],
    format: &str,
    companions: Vec<(String, Vec<u8>)>,
) -> PyResult<String> {
    detached(py, || {
        wattbook_study::ingest_distribution_json(data, format, &companions)
    })
}

/// Describes a multiconductor module in the form of `ingest_distribution` (`IngestedDistribution`).
#[pyfunction]
fn inspect_distribution(py: Python<'_>, module_json: &str) -> PyResult<String> {
    detached(py, || wattbook_study::inspect_distribution_json(module_json))
}

/// Reads a display file (`Display`).
#[pyfunction]
fn parse_display(py: Python<'_>, data: &[u8]) -> PyResult<String> {
    detached(py, || wattbook_study::parse_display_json(data))
}

/// Stores the positions of a geographic layer in a module of either model (`GeoAppliedHead`).
#[pyfunction]
fn apply_geo<'py>(py: Python<'py>, module_json: &str, data: &[u8]) -> PyResult<SplitAnswer<'py>> {
    split_answer(
        py,
        detached(py, || Ok(wattbook_study::apply_geo(module_json, data)?.apart()))?,
    )
}

/// Positions and routes of a module as the text of a `.geo.json` file.
#[pyfunction]
fn geo_json(py: Python<'_>, module_json: &str) -> PyResult<String> {
    detached(py, || wattbook_study::geo_json(module_json))
}

/// The formats that balanced cases can be written in (`ExportFormat[]`).
#[pyfunction]
fn export_formats() -> String {
    wattbook_study::export_formats_json()
}

/// Writes a balanced module in another format: (bytes, file name, `Diagnostic[]` as JSON).
#[pyfunction]
fn export_module<'py>(
    py: Python<'py>,
    module_json: &str,
    format: &str,
) -> PyResult<(Bound<'py, PyBytes>, String, String)> {
    let exported = detached(py, || wattbook_study::export_module(module_json, format))?;
    let bytes = PyBytes::new(py, &exported.bytes);
    Ok((bytes, exported.file_name, exported.warnings_json))
}

/// The module text with edits stored in it.
#[pyfunction]
#[pyo3(signature = (module_json, edits_json = "null"))]
fn materialize_module(py: Python<'_>, module_json: &str, edits_json: &str) -> PyResult<String> {
    detached(py, || wattbook_study::materialize_module(module_json, edits_json))
}

/// An SVG picture as the bytes of a PDF of one page with its fonts embedded, `width_cm` wide.
#[pyfunction]
fn figure_pdf<'py>(py: Python<'py>, svg: &str, width_cm: f64) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = detached(py, || wattbook_figure::pdf_of_svg(svg, width_cm))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The table of typical costs (`TypicalCost[]`).
#[pyfunction]
fn typical_costs() -> String {
    wattbook_study::typical_costs_json()
}

/// The module text with assumed costs (`AssumedCosts`), or with those of a CSV file where `table` is not empty.
#[pyfunction]
fn assume_costs(py: Python<'_>, module_json: &str, costs: &str, table: &[u8]) -> PyResult<String> {
    detached(py, || wattbook_study::assume_costs(module_json, costs, table))
}

/// The same costs as edits of generators (`GeneratorEdits`).
#[pyfunction]
fn cost_edits(py: Python<'_>, module_json: &str, costs: &str, table: &[u8]) -> PyResult<String> {
    detached(py, || wattbook_study::cost_edits_json(module_json, costs, table))
}

/// Reads lists of outages, monitored branches and interfaces against a module (`SecurityLists`); `files` are pairs of name
/// and bytes.
#[pyfunction]
fn read_security_lists(py: Python<'_>, module_json: &str, files: Vec<(String, Vec<u8>)>) -> PyResult<String> {
    detached(py, || wattbook_study::read_security_lists_json(module_json, &files))
}

/// Reads and checks a Study file, plain or gzip (`StudyBundle`).
#[pyfunction]
fn read_study_bundle(py: Python<'_>, data: &[u8]) -> PyResult<String> {
    detached(py, || wattbook_study::read_study_bundle_json(data))
}

/// The bytes of a Study file from a `StudyBundle`, whose artifacts may have any names.
#[pyfunction]
fn write_study_bundle<'py>(py: Python<'py>, bundle_json: &str, gzip: bool) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = detached(py, || wattbook_study::write_study_bundle(bundle_json, gzip))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Reads the Study file of a feeder, plain or gzip (`McStudyFile`).
#[pyfunction]
fn read_mc_study_bundle(py: Python<'_>, data: &[u8]) -> PyResult<String> {
    detached(py, || wattbook_study::read_mc_study_bundle(data))
}

/// The bytes of a Study file from a `McStudyFile`.
#[pyfunction]
fn write_mc_study_bundle<'py>(py: Python<'py>, text: &str, gzip: bool) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = detached(py, || wattbook_study::write_mc_study_bundle(text, gzip))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Adds the functions of this file to the module.
pub(crate) fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(classify_json, m)?)?;
    m.add_function(wrap_pyfunction!(ingest_json_drop, m)?)?;
    m.add_function(wrap_pyfunction!(ingest_distribution, m)?)?;
    m.add_function(wrap_pyfunction!(inspect_distribution, m)?)?;
    m.add_function(wrap_pyfunction!(parse_display, m)?)?;
    m.add_function(wrap_pyfunction!(apply_geo, m)?)?;
    m.add_function(wrap_pyfunction!(geo_json, m)?)?;
    m.add_function(wrap_pyfunction!(export_formats, m)?)?;
    m.add_function(wrap_pyfunction!(export_module, m)?)?;
    m.add_function(wrap_pyfunction!(materialize_module, m)?)?;
    m.add_function(wrap_pyfunction!(figure_pdf, m)?)?;
    m.add_function(wrap_pyfunction!(typical_costs, m)?)?;
    m.add_function(wrap_pyfunction!(cost_edits, m)?)?;
    m.add_function(wrap_pyfunction!(assume_costs, m)?)?;
    m.add_function(wrap_pyfunction!(read_security_lists, m)?)?;
    m.add_function(wrap_pyfunction!(read_study_bundle, m)?)?;
    m.add_function(wrap_pyfunction!(write_study_bundle, m)?)?;
    m.add_function(wrap_pyfunction!(read_mc_study_bundle, m)?)?;
    m.add_function(wrap_pyfunction!(write_mc_study_bundle, m)?)
}
