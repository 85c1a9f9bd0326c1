//! Results as rows by element, of those that take part.

use super::Results;
use crate::case::Case;
use crate::contract::{self as c, ColumnName};

impl Results {
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

    /// The same with its rows.
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

/// Rows of a column that take part.
pub(super) fn bus_values(case: &Case, values: &[f64]) -> Vec<c::BusValue> {
    let rows = case.network.buses.iter().zip(values);
    let rows = rows.filter(|(_, value)| !value.is_nan());
    rows.map(|(bus, &value)| c::BusValue {
        bus: bus.id,
        uid: bus.uid.clone(),
        value,
    })
    .collect()
}
