//! Sensitivity columns and previews: what is said of them, and their numbers by dense row.

use super::find;
use super::reply::Reply;
use super::rows::bus_values;
use crate::case::Case;
use crate::contract::{self as c, Column, ColumnElement, ColumnName};
use crate::convert::{branch_ref, bus_ref, generator_ref};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// A sensitivity column: what is said of it, and its numbers by dense row, in the order of `ColumnName`.
#[derive(Clone, Debug)]
pub(crate) struct Sensitivity {
    pub head: c::SensitivityHead,
    pub columns: Vec<Column>,
}

impl Sensitivity {
    /// Itself, unless a number of it is infinite.
    ///
    /// Errors: `SENS.OVERFLOW`.
    pub fn within_range(self, case: &Case) -> Result<Self> {
        within_range(&self.columns, case)?;
        Ok(self)
    }

    /// With its rows.
    pub fn column(self, case: &Case) -> c::SensitivityColumn {
        let find = |name| find(&self.columns, name);
        let rows = |name| find(name).map(|values| bus_values(case, values));
        let flows = find(ColumnName::FlowSlope).zip(find(ColumnName::FlowMvarSlope));
        let flows = flows.map(|(mw, mvar)| {
            let rows = case.network.branches.iter().enumerate();
            let rows = rows.filter(|(row, _)| !mw[*row].is_nan());
            rows.map(|(row, branch)| c::BranchSlope {
                branch: branch.id,
                mw: mw[row],
                mvar: mvar[row],
            })
            .collect()
        });
        c::SensitivityColumn {
            values: rows(ColumnName::LmpSlope)
                .or_else(|| rows(ColumnName::VmSlope))
                .unwrap_or_default(),
            left: rows(ColumnName::LmpSlopeLeft),
            right: rows(ColumnName::LmpSlopeRight),
            va: rows(ColumnName::VaSlope),
            flows,
            case: self.head.case,
            operand: self.head.operand,
            parameter: self.head.parameter,
            bus: self.head.bus,
            branch: self.head.branch,
            generator: self.head.generator,
            units: self.head.units,
            warrant: self.head.warrant,
            losses: self.head.losses,
            collapse: self.head.collapse,
        }
    }
}

/// What an edit would do, as changes by dense row.
#[derive(Clone, Debug)]
pub(crate) struct Preview {
    pub head: c::PreviewHead,
    pub columns: Vec<Column>,
}

impl Preview {
    /// Itself, unless a number of it is infinite.
    ///
    /// Errors: `SENS.OVERFLOW`.
    pub fn within_range(self, case: &Case) -> Result<Self> {
        within_range(&self.columns, case)?;
        Ok(self)
    }

    /// With its rows.
    pub fn rows(self, case: &Case) -> c::Preview {
        let rows = |name| find(&self.columns, name).map(|values| bus_values(case, values));
        c::Preview {
            prices: rows(ColumnName::LmpChange),
            vm: rows(ColumnName::VmChange),
            va: rows(ColumnName::VaChange),
            objective_delta: self.head.objective_delta,
            exact: self.head.exact,
            valid_step: self.head.valid_step,
            valid_mw: self.head.valid_mw,
        }
    }

    pub fn reply(self) -> Reply {
        Reply::new(&self.head, self.columns)
    }
}

/// Derivatives of a solution whose numbers are all finite overflow where a case has values near the smallest of numbers.
fn within_range(columns: &[Column], case: &Case) -> Result<()> {
    // A loading may be infinite: a rating may be as small.
    for column in columns.iter().filter(|column| column.name != ColumnName::LoadingChange) {
        let Some(row) = column.values.iter().position(|value| value.is_infinite()) else {
            continue;
        };
        return Err(overflow(match column.element {
            ColumnElement::Generator => generator_ref(&case.network.generators[row]),
            ColumnElement::Branch => branch_ref(&case.network.branches[row]),
            _ => bus_ref(&case.network.buses[row]),
        }));
    }
    Ok(())
}

/// The refusal of a derivative at an element.
pub(crate) fn overflow(element: ElementRef) -> EngineError {
    EngineError::new("SENS.OVERFLOW", message!("sens.overflow", element = &element)).at(element)
}
