//! Attributes as numbers, words and flags, with errors that name the line.

use crate::error::{EngineError, Result};
use crate::formats::xml::Element;
use crate::message;

/// An attribute that must be present.
pub(super) fn text<'e>(element: &'e Element<'_>, name: &str) -> Result<&'e str> {
    element.attribute(name).ok_or_else(|| missing(element, name))
}

/// A number, which may be infinite; absent and not a number are no value.
pub(super) fn number(element: &Element<'_>, name: &str) -> Result<Option<f64>> {
    let Some(written) = element.attribute(name) else {
        return Ok(None);
    };
    let value: f64 = written.trim().parse().map_err(|_| refused(element, name))?;
    Ok((!value.is_nan()).then_some(value))
}

pub(super) fn required(element: &Element<'_>, name: &str) -> Result<f64> {
    number(element, name)?.ok_or_else(|| missing(element, name))
}

pub(super) fn or_zero(element: &Element<'_>, name: &str) -> Result<f64> {
    Ok(number(element, name)?.unwrap_or(0.0))
}

pub(super) fn whole(element: &Element<'_>, name: &str) -> Result<Option<i64>> {
    let parsed = element.attribute(name).map(|written| written.trim().parse());
    parsed.transpose().map_err(|_| refused(element, name))
}

pub(super) fn flag(element: &Element<'_>, name: &str) -> Result<Option<bool>> {
    match element.attribute(name) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => Err(refused(element, name)),
    }
}

fn missing(element: &Element<'_>, name: &str) -> EngineError {
    let message = message!(
        "xiidm.missing",
        line = element.line,
        element = element.name,
        attribute = name
    );
    EngineError::new("INPUT.PARSE", message)
}

/// The error that an attribute has a value that the format does not have.
pub(super) fn refused(element: &Element<'_>, name: &str) -> EngineError {
    let message = message!(
        "xiidm.value",
        line = element.line,
        attribute = name,
        element = element.name,
        value = element.attribute(name).unwrap_or_default()
    );
    EngineError::new("INPUT.PARSE", message)
}
