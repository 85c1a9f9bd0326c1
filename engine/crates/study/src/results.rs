//! What a solve found, the same for all formulations: a table of columns and what is said about them. `Solution`,
//! `SolveResponse` and the head that crosses beside the columns are views of it.

use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::plain;
use wattbook_network::sha256::Sha256;

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
    pub power_flow: Option<c::PowerFlowReport>,
    pub iterations: Option<Vec<c::SolveIteration>>,
    pub certificate: c::ResponseCertificate,
    pub diagnostics: Vec<c::Diagnostic>,
}

impl Results {
    pub fn column(&self, name: ColumnName) -> Option<&[f64]> {
        find(&self.columns, name)
    }

    /// SHA-256 over the little-endian f64 of the objective and the columns that are hashed, rows that take part only
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

    /// What is said of it besides its columns.
    pub fn head(&self, case_id: &str) -> c::SolutionHead {
        c::SolutionHead {
            case: case_id.to_string(),
            formulation: self.formulation,
            status: self.status,
            dc_convention: self.dc_convention,
            objective: self.objective,
            slack: self.slack.clone(),
            power_flow: self.power_flow.clone(),
            certificate: self.certificate.clone(),
            result_sha256: self.sha256(),
            diagnostics: self.diagnostics.clone(),
        }
    }

    /// A commit as it crosses: a `CommitHead`, and the columns of both.
    pub fn commit(mut self, case_id: &str, sensitivity: Option<Sensitivity>) -> Reply {
        let (sensitivity, more) = sensitivity.map(|s| (s.head, s.columns)).unzip();
        let head = c::CommitHead {
            solution: self.head(case_id),
            iterations: self.iterations.take().unwrap_or_default(),
            sensitivity,
        };
        let columns = self.columns.into_iter().chain(more.into_iter().flatten());
        Reply {
            json: crate::json::to_json(&head),
            columns: columns.collect(),
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
            mvar: f.qf,
            mw_to: f.pt,
            mvar_to: f.qt,
        };
        let unit = |d: c::DispatchRow| c::GeneratorDispatch {
            gen: d.gen,
            bus: d.bus,
            mw: d.pg,
            mvar: d.qg,
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
            vm: self.bus_values(case, ColumnName::VmPu),
            va: self.bus_values(case, ColumnName::VaRad),
            flows: flows.map(|rows| rows.into_iter().map(flow).collect()),
            dispatch: dispatch.map(|rows| rows.into_iter().map(unit).collect()),
            injections: self.injections(case),
            slack: head.slack,
            power_flow: head.power_flow,
            certificate: head.certificate,
            result_sha256: head.result_sha256,
            solve_ms: None,
            diagnostics: head.diagnostics,
        }
    }

    /// The answer of the stateless solve.
    pub fn response(self, case: &Case, sensitivities: Option<Vec<c::SensitivityMatrix>>) -> c::SolveResponse {
        c::SolveResponse {
            formulation: self.formulation,
            status: self.status,
            dc_convention: self.dc_convention,
            objective: self.objective,
            result_sha256: self.sha256(),
            prices: self.bus_values(case, ColumnName::Lmp),
            vm: self.bus_values(case, ColumnName::VmPu),
            va: self.bus_values(case, ColumnName::VaRad),
            flows: self.flows(case),
            dispatch: self.dispatch(case),
            injections: self.injections(case),
            slack: self.slack,
            power_flow: self.power_flow,
            iterations: self.iterations,
            sensitivities,
            certificate: self.certificate,
            diagnostics: self.diagnostics,
        }
    }

    fn bus_values(&self, case: &Case, name: ColumnName) -> Option<Vec<c::BusValue>> {
        self.column(name).map(|values| bus_values(case, values))
    }

    fn injections(&self, case: &Case) -> Option<Vec<c::InjectionRow>> {
        let p = self.column(ColumnName::InjectionMw)?;
        let q = self.column(ColumnName::InjectionMvar);
        let rows = case
            .network
            .buses
            .iter()
            .enumerate()
            .filter(|(row, _)| !p[*row].is_nan());
        let rows = rows.map(|(row, bus)| c::InjectionRow {
            bus: bus.id,
            uid: bus.uid.clone(),
            p: p[row],
            q: q.map(|q| q[row]),
        });
        Some(rows.collect())
    }

    fn flows(&self, case: &Case) -> Option<Vec<c::FlowRow>> {
        let flow = self.column(ColumnName::FlowMw)?;
        let loading = self.column(ColumnName::Loading)?;
        let shadow = self.column(ColumnName::Shadow);
        let more = [ColumnName::FlowMvar, ColumnName::FlowToMw, ColumnName::FlowToMvar].map(|name| self.column(name));
        let rows = case.network.branches.iter().enumerate();
        let rows = rows.filter(|(row, _)| !flow[*row].is_nan());
        let flows = rows.map(|(row, branch)| c::FlowRow {
            branch: branch.id,
            uid: branch.uid.clone(),
            pf: flow[row],
            loading: loading[row],
            shadow: shadow.map(|shadow| shadow[row]),
            qf: more[0].map(|q| q[row]),
            pt: more[1].map(|p| p[row]),
            qt: more[2].map(|q| q[row]),
        });
        Some(flows.collect())
    }

    fn dispatch(&self, case: &Case) -> Option<Vec<c::DispatchRow>> {
        let network = &case.network;
        let p = self.column(ColumnName::DispatchMw)?;
        let q = self.column(ColumnName::DispatchMvar);
        let rows = network
            .generators
            .iter()
            .enumerate()
            .filter(|(row, _)| !p[*row].is_nan());
        let rows = rows.map(|(row, generator)| c::DispatchRow {
            gen: generator.id,
            bus: network.buses[generator.bus].id,
            pg: p[row],
            qg: q.map(|q| q[row]),
        });
        Some(rows.collect())
    }
}

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
        Reply {
            json: crate::json::to_json(&self.head),
            columns: self.columns,
        }
    }
}

fn find(columns: &[Column], name: ColumnName) -> Option<&[f64]> {
    let column = columns.iter().find(|column| column.name == name)?;
    Some(&column.values)
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
