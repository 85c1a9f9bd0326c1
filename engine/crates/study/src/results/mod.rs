//! The result of a solve in any formulation: a table of columns, and the head that accompanies it.

mod derivatives;
mod limit_shadow;
pub(crate) mod links;
mod naming;
mod reply;
pub(crate) mod storages;

pub(crate) use derivatives::{overflow, parameter_of, Preview, Sensitivity};
pub(crate) use limit_shadow::limit_shadow;
pub(crate) use naming::{link_naming, naming, storage_naming};
pub use reply::{CaseReply, Reply, WithModule};

use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::plain;
use naming::uids;
use wattbook_network::sha256::Sha256;

/// A result. Columns and blocks that the formulation does not have are absent.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub formulation: c::FormulationId,
    pub status: c::SolveStatus,
    pub dc_convention: Option<c::DcConvention>,
    /// $/h.
    pub objective: Option<f64>,
    /// Physical units, in the order of `ColumnName`; NaN where a row takes no part.
    pub columns: Vec<Column>,
    /// By island of a power flow: the balancing bus and the MW it adds.
    pub slack: Option<Vec<c::BusValue>>,
    pub power_flow: Option<c::PowerFlowReport>,
    pub iterations: Option<Vec<c::SolveIteration>>,
    pub security: Option<c::SecurityReport>,
    pub certificate: c::ResponseCertificate,
    pub diagnostics: Vec<c::Diagnostic>,
}

impl Results {
    pub fn column(&self, name: ColumnName) -> Option<&[f64]> {
        find(&self.columns, name)
    }

    /// SHA-256 over the little-endian f64 of the objective and the hashed columns, over energised rows only
    /// (`docs/contract.md`, section 3).
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::default();
        if let Some(objective) = self.objective {
            hash.update(&objective.to_le_bytes());
        }
        let mut bytes = Vec::new();
        for column in self.columns.iter().filter(|column| column.name.is_hashed()) {
            bytes.clear();
            for x in column.values.iter().filter(|x| !x.is_nan()) {
                bytes.extend_from_slice(&x.to_le_bytes());
            }
            hash.update(&bytes);
        }
        hash.hex()
    }

    /// The head: everything but the columns.
    pub fn head(&self, case_id: &str) -> c::SolutionHead {
        c::SolutionHead {
            result_sha256: self.sha256(),
            ..self.unhashed_head(case_id)
        }
    }

    /// The head with an empty hash.
    fn unhashed_head(&self, case_id: &str) -> c::SolutionHead {
        c::SolutionHead {
            case: case_id.to_string(),
            formulation: self.formulation,
            status: self.status,
            dc_convention: self.dc_convention,
            objective: self.objective,
            slack: self.slack.clone(),
            power_flow: self.power_flow.clone(),
            security: self.security.clone(),
            certificate: self.certificate.clone(),
            result_sha256: String::new(),
            diagnostics: self.diagnostics.clone(),
        }
    }

    /// The answer to a commit: a `CommitHead`, and the columns of both parts.
    pub fn commit(self, case_id: &str, sensitivity: Option<Sensitivity>) -> Reply {
        let solution = self.head(case_id);
        self.committed(solution, sensitivity)
    }

    /// The answer to a commit before its hash is known.
    pub fn unhashed_commit(self, case_id: &str, sensitivity: Option<Sensitivity>) -> Reply {
        let solution = self.unhashed_head(case_id);
        self.committed(solution, sensitivity)
    }

    fn committed(mut self, solution: c::SolutionHead, sensitivity: Option<Sensitivity>) -> Reply {
        let (sensitivity, more) = sensitivity.map(|s| (s.head, s.columns)).unzip();
        let head = c::CommitHead {
            solution,
            iterations: self.iterations.take().unwrap_or_default(),
            sensitivity,
        };
        let columns = self.columns.into_iter().chain(more.into_iter().flatten());
        Reply::new(&head, columns.collect())
    }

    /// The answer of the stateless solve, with rows and matrices.
    pub fn solved(self, case: &Case, sensitivities: Option<Vec<Matrix>>) -> Reply {
        let (heads, matrices) = sensitivities
            .map(|all| all.into_iter().unzip::<_, _, Vec<_>, Vec<_>>())
            .unzip();
        let (mut rows, naming) = naming(case);
        rows.branch_uids = uids(case.network.branches.iter().map(|branch| branch.uid.clone()));
        let response = c::SolveResponseHead {
            formulation: self.formulation,
            status: self.status,
            dc_convention: self.dc_convention,
            objective: self.objective,
            result_sha256: self.sha256(),
            slack: self.slack,
            power_flow: self.power_flow,
            iterations: self.iterations,
            security: self.security,
            sensitivities: heads,
            certificate: self.certificate,
            diagnostics: self.diagnostics,
        };
        let columns = self.columns.into_iter().chain(naming).collect();
        Reply {
            matrices: matrices.unwrap_or_default(),
            ..Reply::new(&c::Solved { response, rows }, columns)
        }
    }
}

/// A matrix of derivatives: its head, and its values row by row.
pub(crate) type Matrix = (c::SensitivityMatrixHead, Vec<f64>);

pub(crate) fn find(columns: &[Column], name: ColumnName) -> Option<&[f64]> {
    let column = columns.iter().find(|column| column.name == name)?;
    Some(&column.values)
}

/// A column with a value for each energised row, NaN elsewhere.
pub(crate) fn dense(rows: usize, takes_part: impl Fn(usize) -> bool, value: impl Fn(usize) -> f64) -> Vec<f64> {
    let value = |row| if takes_part(row) { plain(value(row)) } else { f64::NAN };
    (0..rows).map(value).collect()
}
