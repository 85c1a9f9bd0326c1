//! Sensitivity columns and previews: what is said of them, and their numbers by dense row.

use super::find;
use super::reply::Reply;
use super::rows::bus_values;
use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};

/// A sensitivity column: what is said of it, and its numbers by dense row, in the order of `ColumnName`.
#[derive(Clone, Debug)]
pub(crate) struct Sensitivity {
    pub head: c::SensitivityHead,
    pub columns: Vec<Column>,
}

impl Sensitivity {
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
