//! Answers of the engine as Python objects.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};
use wattbook_study::Reply;

/// JSON and columns of an answer: `(json, {name: (element, unit, little-endian f64 bytes)})`.
pub(crate) type Answer<'py> = (String, Bound<'py, PyDict>);

/// Converts an answer to Python objects.
pub(crate) fn answer_of(py: Python<'_>, reply: Reply) -> PyResult<Answer<'_>> {
    let columns = PyDict::new(py);
    for column in &reply.columns {
        let bytes = PyBytes::new_with(py, 8 * column.values.len(), |bytes| {
            write(&column.values, bytes);
            Ok(())
        })?;
        let (element, unit) = (column.element.name(), column.unit);
        columns.set_item(column.name.head().0, (element, unit, bytes))?;
    }
    Ok((reply.json, columns))
}

/// Numbers as little-endian f64 in a buffer that numpy may modify.
pub(crate) fn changeable<'py>(py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, 8 * values.len(), |bytes| {
        write(values, bytes);
        Ok(())
    })
}

fn write(values: &[f64], bytes: &mut [u8]) {
    for (to, x) in bytes.chunks_exact_mut(8).zip(values) {
        to.copy_from_slice(&x.to_le_bytes());
    }
}

/// As [`Answer`], with the module text of a balanced case separate and empty in the JSON.
pub(crate) type SplitAnswer<'py> = (String, Bound<'py, PyDict>, String);

/// Converts an answer with a separate module text to Python objects.
pub(crate) fn split_answer(py: Python<'_>, (reply, module_json): (Reply, String)) -> PyResult<SplitAnswer<'_>> {
    let (json, columns) = answer_of(py, reply)?;
    Ok((json, columns, module_json))
}
