//! Matrices of a case: power transfer and line outage distribution factors of the DC model.

use crate::case::Case;
use crate::contract as c;
use crate::edits::{edited, resolve_branches, NetworkEdits};
use crate::problem::convention;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::DcModel;

/// Largest number of entries of a dense matrix (720 MB).
const MOST_ENTRIES: usize = 90_000_000;

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Ptdf,
    Lodf,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    kind: Kind,
    dc_convention: Option<c::DcConvention>,
    /// Keys of the branches whose flows are requested; all branches where absent.
    branches: Option<Vec<String>>,
    /// Edits of branches: the matrix is that of the network with them.
    edits: c::BranchEdits,
    /// Weights of the slack by key of a bus.
    slack: Option<BTreeMap<String, f64>>,
    /// Entries of smaller magnitude are dropped, and the matrix is returned as sparse.
    threshold: Option<f64>,
}

/// Dense branch rows of the matrix rows, and the number of columns.
#[derive(Serialize)]
struct Head {
    rows: Vec<usize>,
    columns: usize,
}

impl Case {
    /// Distribution factors of the DC model: `{"rows": [dense branch rows], "columns": n}` and the values.
    ///
    /// The request is `{kind, dc_convention, branches, edits, slack, threshold}`, each optional; `edits` are `BranchEdits`. The
    /// rows are branches. The columns of `"ptdf"` are all buses and its values MW of flow per MW injected; those of `"lodf"` are
    /// the outages of all branches and its values MW of flow per MW that the lost branch carried, NaN where an outage splits an
    /// island or a flow is not unique. A dense matrix is one vector, row by row. With a threshold the vectors are rows, columns and
    /// values of the entries.
    ///
    /// Source: Wood, Wollenberg and Sheblé, *Power Generation, Operation and Control*, 3rd ed., section 7.6.
    ///
    /// Errors: `INPUT.REQUEST`, `BRANCH.UNKNOWN`, `BRANCH.*` of edits, `BUS.UNKNOWN`, `BUS.AMBIGUOUS`, `PHYSICS.UNSUPPORTED`,
    /// `MATRIX.TOO_LARGE`.
    pub fn distribution_factors(&self, request_json: &str) -> Result<(String, Vec<Vec<f64>>)> {
        let request: Request = crate::json::from_json("matrix", request_json)?;
        let options = c::SolveOptions {
            dc_convention: request.dc_convention,
            ..c::SolveOptions::default()
        };
        let edits = NetworkEdits {
            branches: resolve_branches(self, &request.edits)?,
            ..NetworkEdits::default()
        };
        let model = DcModel::new(&edited((*self.network).clone(), &edits), convention(&options))?;
        let rows = self.matrix_rows(request.branches.as_deref())?;
        let columns = match request.kind {
            Kind::Ptdf => self.network.buses.len(),
            Kind::Lodf => self.network.branches.len(),
        };
        if request.threshold.is_none() && rows.len().saturating_mul(columns) > MOST_ENTRIES {
            let message = message!("matrix.too_large", rows = rows.len(), columns = columns);
            return Err(EngineError::new("MATRIX.TOO_LARGE", message));
        }
        let mut matrix = Matrix::new(rows.len(), columns, request.threshold);
        match request.kind {
            Kind::Ptdf => {
                let shares = model.slack_shares(self.slack_weights(request.slack.as_ref())?.as_deref());
                let shares = shares.map_err(|bus| {
                    let element = ElementRef::from(&self.network.buses[bus]);
                    EngineError::new("INPUT.REQUEST", message!("matrix.no_slack", bus = &element)).at(element)
                })?;
                for (row, &branch) in rows.iter().enumerate() {
                    let factors = model.ptdf_row(branch, &shares);
                    let is_out = !model.branch_is_active(branch);
                    for column in 0..columns {
                        let value = factors.as_ref().map(|factors| factors[column]);
                        matrix.put(row, column, value.unwrap_or(if is_out { 0.0 } else { f64::NAN }));
                    }
                }
            }
            Kind::Lodf => {
                for outage in 0..columns {
                    let factors = model.lodf_column(outage);
                    for (row, &branch) in rows.iter().enumerate() {
                        matrix.put(
                            row,
                            outage,
                            factors.as_ref().map_or(f64::NAN, |factors| factors[branch]),
                        );
                    }
                }
            }
        }
        let head = crate::json::to_json(&Head { rows, columns });
        Ok((head, matrix.values))
    }

    fn matrix_rows(&self, branches: Option<&[String]>) -> Result<Vec<usize>> {
        let Some(keys) = branches else {
            return Ok((0..self.network.branches.len()).collect());
        };
        let row = |key: &String| {
            let unknown = || EngineError::new("BRANCH.UNKNOWN", message!("edit.unknown_branch", key = key));
            self.keys.branch(key).ok_or_else(unknown)
        };
        keys.iter().map(row).collect()
    }

    fn slack_weights(&self, slack: Option<&BTreeMap<String, f64>>) -> Result<Option<Vec<f64>>> {
        let Some(slack) = slack else { return Ok(None) };
        let mut weights = vec![0.0; self.network.buses.len()];
        for (key, weight) in slack {
            weights[self.bus_row(key, "BUS.UNKNOWN")?] += weight;
        }
        Ok(Some(weights))
    }
}

/// A matrix filled entry by entry: dense, or only the entries above a threshold.
struct Matrix {
    columns: usize,
    threshold: Option<f64>,
    values: Vec<Vec<f64>>,
}

impl Matrix {
    fn new(rows: usize, columns: usize, threshold: Option<f64>) -> Self {
        let values = match threshold {
            Some(_) => vec![Vec::new(); 3],
            None => vec![vec![0.0; rows * columns]],
        };
        Self {
            columns,
            threshold,
            values,
        }
    }

    fn put(&mut self, row: usize, column: usize, value: f64) {
        match self.threshold {
            None => self.values[0][row * self.columns + column] = value,
            Some(least) if value.abs() < least || value == 0.0 => (),
            Some(_) => {
                let entry = [row as f64, column as f64, value];
                self.values.iter_mut().zip(entry).for_each(|(values, x)| values.push(x));
            }
        }
    }
}
