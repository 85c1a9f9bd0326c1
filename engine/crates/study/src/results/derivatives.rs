//! Sensitivity columns and previews: their heads, and their numbers by dense row.

use crate::case::Case;
use crate::contract::{self as c, Column, ColumnElement, ColumnName};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// A sensitivity column: its head, and its numbers by dense row in the order of `ColumnName`.
#[derive(Clone, Debug)]
pub(crate) struct Sensitivity {
    pub head: c::SensitivityHead,
    pub columns: Vec<Column>,
}

impl Sensitivity {
    /// Returns itself, unless one of its numbers is infinite.
    ///
    /// Errors: `SENS.OVERFLOW`.
    pub fn within_range(self, case: &Case) -> Result<Self> {
        within_range(&self.columns, case)?;
        Ok(self)
    }
}

/// The effect of an edit, as changes by dense row.
#[derive(Clone, Debug)]
pub(crate) struct Preview {
    pub head: c::PreviewHead,
    pub columns: Vec<Column>,
}

impl Preview {
    /// Returns itself, unless one of its numbers is infinite.
    ///
    /// Errors: `SENS.OVERFLOW`.
    pub fn within_range(self, case: &Case) -> Result<Self> {
        within_range(&self.columns, case)?;
        Ok(self)
    }
}

/// The parameter and the units of a column of prices by a value of a generator or a link.
pub(crate) fn parameter_of(value: c::GeneratorValue) -> (&'static str, &'static str) {
    match value {
        c::GeneratorValue::PMin => ("pmin", "($/MWh)/MW"),
        c::GeneratorValue::PMax => ("pmax", "($/MWh)/MW"),
        c::GeneratorValue::Cost => ("cost", "($/MWh)/($/MWh)"),
    }
}

/// Derivatives of a finite solution can overflow where a case has values near the smallest double.
fn within_range(columns: &[Column], case: &Case) -> Result<()> {
    // A loading may be infinite, because a rating may be that small.
    for column in columns.iter().filter(|column| column.name != ColumnName::LoadingChange) {
        let Some(row) = column.values.iter().position(|value| value.is_infinite()) else {
            continue;
        };
        return Err(overflow(match column.element {
            ColumnElement::Generator => ElementRef::from(&case.network.generators[row]),
            ColumnElement::Link => ElementRef::from(&case.network.links[row]),
            ColumnElement::Storage => ElementRef::from(&case.network.storages[row]),
            ColumnElement::Branch => ElementRef::from(&case.network.branches[row]),
            _ => ElementRef::from(&case.network.buses[row]),
        }));
    }
    Ok(())
}

/// The error for an overflowing derivative at an element.
pub(crate) fn overflow(element: ElementRef) -> EngineError {
    EngineError::new("SENS.OVERFLOW", message!("sens.overflow", element = &element)).at(element)
}
