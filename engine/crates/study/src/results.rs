//! What a solve found, the same for all formulations: a table of columns and what is said about them. `Solution`,
//! `SolveResponse` and the head that crosses beside the columns are views of it.

use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::plain;
use sha2::{Digest, Sha256};

/// An answer as it crosses the engine's boundary: texts and structure as JSON, numbers as columns.
#[derive(Clone, Debug)]
pub struct Reply {
    pub json: String,
    pub columns: Vec<Column>,
}

/// A result. What a formulation does not have is absent: a column from `columns`, or the block.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub formulation: c::FormulationId,
    pub status: c::SolveStatus,
    pub dc_convention: Option<c::DcConvention>,
    /// $/h.
    pub objective: Option<f64>,
    /// Physical units, in the order of `ColumnName`; NaN where a row takes no part.
    pub columns: Vec<Column>,
    /// By island of a power flow: the bus that balances it and what it adds.
    pub slack: Option<Vec<c::BusValue>>,
    pub iterations: Option<Vec<c::SolveIteration>>,
    pub certificate: c::ResponseCertificate,
    pub diagnostics: Vec<c::Diagnostic>,
}

impl Results {
    pub fn column(&self, name: ColumnName) -> Option<&[f64]> {
        let column = self.columns.iter().find(|column| column.name == name)?;
        Some(&column.values)
    }

    /// SHA-256 over the little-endian f64 of the objective and the columns that are hashed, rows that take part only
    /// (`docs/contract.md`, section 3).
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        if let Some(objective) = self.objective {
            hash.update(objective.to_le_bytes());
        }
        let mut bytes = Vec::new();
        for column in self.columns.iter().filter(|column| column.name.is_hashed()) {
            bytes.clear();
            for x in column.values.iter().filter(|x| !x.is_nan()) {
                bytes.extend_from_slice(&x.to_le_bytes());
            }
            hash.update(&bytes);
        }
        crate::hex(&hash.finalize())
    }

    /// What is said of it besides its columns.
    pub fn head(&self, case_id: &str) -> c::SolutionHead {
        c::SolutionHead {
            case: case_id.to_string(),
            formulation: self.formulation,
            status: self.status,
            dc_convention: self.dc_convention,
            objective: self.objective,
            slack: self.slack.clone(),
            certificate: self.certificate.clone(),
            result_sha256: self.sha256(),
            diagnostics: self.diagnostics.clone(),
        }
    }

    /// With its rows.
    pub fn solution(&self, case: &Case, case_id: &str) -> c::Solution {
        let head = self.head(case_id);
        let prices = self.bus_values(case, ColumnName::Lmp);
        let price = |v: &c::BusValue| c::BusPrice {
            bus: v.bus,
            usd_per_mwh: v.value,
        };
        let flow = |f: c::FlowRow| c::BranchFlow {
            branch: f.branch,
            mw: f.pf,
            loading: f.loading,
            shadow: f.shadow,
        };
        let unit = |d: c::DispatchRow| c::GeneratorDispatch {
            gen: d.gen,
            bus: d.bus,
            mw: d.pg,
        };
        let flows = self.flows(case);
        let dispatch = self.dispatch(case);
        c::Solution {
            case: head.case,
            formulation: head.formulation,
            status: head.status,
            dc_convention: head.dc_convention,
            objective: head.objective,
            lmp: prices.as_ref().map(|prices| prices.iter().map(price).collect()),
            prices,
            va: self.bus_values(case, ColumnName::VaRad),
            flows: flows.map(|rows| rows.into_iter().map(flow).collect()),
            dispatch: dispatch.map(|rows| rows.into_iter().map(unit).collect()),
            slack: head.slack,
            certificate: head.certificate,
            result_sha256: head.result_sha256,
            solve_ms: None,
            diagnostics: head.diagnostics,
        }
    }

    /// The answer of the stateless solve.
    pub fn response(self, case: &Case, sensitivities: Option<Vec<c::SensitivityMatrix>>) -> c::SolveResponse {
        let injection = |v: c::BusValue| c::InjectionRow {
            bus: v.bus,
            uid: v.uid,
            p: v.value,
        };
        let injections = self.bus_values(case, ColumnName::InjectionMw);
        c::SolveResponse {
            formulation: self.formulation,
            status: self.status,
            dc_convention: self.dc_convention,
            objective: self.objective,
            result_sha256: self.sha256(),
            prices: self.bus_values(case, ColumnName::Lmp),
            va: self.bus_values(case, ColumnName::VaRad),
            flows: self.flows(case),
            dispatch: self.dispatch(case),
            injections: injections.map(|rows| rows.into_iter().map(injection).collect()),
            slack: self.slack,
            iterations: self.iterations,
            sensitivities,
            certificate: self.certificate,
            diagnostics: self.diagnostics,
        }
    }

    fn bus_values(&self, case: &Case, name: ColumnName) -> Option<Vec<c::BusValue>> {
        self.column(name).map(|values| bus_values(case, values))
    }

    fn flows(&self, case: &Case) -> Option<Vec<c::FlowRow>> {
        let flow = self.column(ColumnName::FlowMw)?;
        let loading = self.column(ColumnName::Loading)?;
        let shadow = self.column(ColumnName::Shadow);
        let rows = case.network.branches.iter().enumerate();
        let rows = rows.filter(|(row, _)| !flow[*row].is_nan());
        let flows = rows.map(|(row, branch)| c::FlowRow {
            branch: branch.id,
            uid: branch.uid.clone(),
            pf: flow[row],
            loading: loading[row],
            shadow: shadow.map(|shadow| shadow[row]),
        });
        Some(flows.collect())
    }

    fn dispatch(&self, case: &Case) -> Option<Vec<c::DispatchRow>> {
        let network = &case.network;
        let rows = network.generators.iter().zip(self.column(ColumnName::DispatchMw)?);
        let rows = rows
            .filter(|(_, mw)| !mw.is_nan())
            .map(|(generator, &mw)| c::DispatchRow {
                gen: generator.id,
                bus: network.buses[generator.bus].id,
                pg: mw,
            });
        Some(rows.collect())
    }
}

/// A sensitivity column by dense bus row, ($/MWh)/MW.
#[derive(Clone, Debug)]
pub(crate) struct Sensitivity {
    pub head: c::SensitivityHead,
    pub values: Vec<f64>,
    pub left: Option<Vec<f64>>,
    pub right: Option<Vec<f64>>,
}

impl Sensitivity {
    /// With its rows.
    pub fn column(self, case: &Case) -> c::SensitivityColumn {
        let rows = |values: Vec<f64>| bus_values(case, &values);
        c::SensitivityColumn {
            case: self.head.case,
            operand: self.head.operand,
            parameter: self.head.parameter,
            bus: self.head.bus,
            branch: self.head.branch,
            units: self.head.units,
            values: rows(self.values),
            left: self.left.map(rows),
            right: self.right.map(rows),
            warrant: self.head.warrant,
        }
    }

    pub fn columns(self) -> (c::SensitivityHead, Vec<Column>) {
        let columns = [
            (ColumnName::LmpSlope, Some(self.values)),
            (ColumnName::LmpSlopeLeft, self.left),
            (ColumnName::LmpSlopeRight, self.right),
        ];
        let columns = columns.into_iter();
        let columns = columns.filter_map(|(name, values)| Some(Column::new(name, values?)));
        (self.head, columns.collect())
    }
}

/// First-order changes of the prices by dense bus row, $/MWh.
#[derive(Clone, Debug)]
pub(crate) struct Preview {
    pub head: c::PreviewHead,
    pub prices: Vec<f64>,
}

impl Preview {
    /// With its rows.
    pub fn rows(self, case: &Case) -> c::Preview {
        c::Preview {
            prices: bus_values(case, &self.prices),
            objective_delta: self.head.objective_delta,
            exact: self.head.exact,
            valid_step: self.head.valid_step,
            valid_mw: self.head.valid_mw,
        }
    }

    pub fn reply(self) -> Reply {
        Reply {
            json: crate::to_json(&self.head),
            columns: vec![Column::new(ColumnName::LmpChange, self.prices)],
        }
    }
}

/// Rows of a column that take part.
fn bus_values(case: &Case, values: &[f64]) -> Vec<c::BusValue> {
    let rows = case.network.buses.iter().zip(values);
    let rows = rows.filter(|(_, value)| !value.is_nan());
    rows.map(|(bus, &value)| c::BusValue {
        bus: bus.id,
        uid: bus.uid.clone(),
        value,
    })
    .collect()
}

/// A column of values of the rows that take part.
pub(crate) fn dense(rows: usize, takes_part: impl Fn(usize) -> bool, value: impl Fn(usize) -> f64) -> Vec<f64> {
    let value = |row| if takes_part(row) { plain(value(row)) } else { f64::NAN };
    (0..rows).map(value).collect()
}
