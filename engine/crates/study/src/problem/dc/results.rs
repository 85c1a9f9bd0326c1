//! The solver's per-unit results as results in physical units.

use super::Dc;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{self, element};
use crate::results::{dense, Results};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::dc::{self, Convention, DcModel, DcSolution};

pub(super) fn of(problem: &Dc, s: &DcSolution) -> Results {
    let Dc { case, model, .. } = problem;
    let network = &case.network;
    let base = network.base_mva;
    let by_bus = |value: &dyn Fn(usize) -> f64| dense(network.buses.len(), |b| model.bus_is_active(b), value);
    let by_branch = |value: &dyn Fn(usize) -> f64| dense(network.branches.len(), |b| model.branch_is_active(b), value);
    let columns = vec![
        Column::new(ColumnName::Lmp, by_bus(&|b| s.price[b] / base)),
        Column::new(ColumnName::VaRad, by_bus(&|b| s.theta[b])),
        Column::new(ColumnName::DemandMw, by_bus(&|b| s.data.demand[b] * base)),
        Column::new(ColumnName::FlowMw, by_branch(&|b| s.flow[b] * base)),
        Column::new(ColumnName::Loading, by_branch(&|b| s.flow[b].abs() / s.data.rating[b])),
        Column::new(ColumnName::Shadow, by_branch(&|b| s.shadow[b].abs() / base)),
        Column::new(ColumnName::RatingMw, by_branch(&|b| s.data.rating[b] * base)),
        Column::new(
            ColumnName::DispatchMw,
            dense(network.generators.len(), |g| problem.runs(g), |g| s.dispatch[g] * base),
        ),
    ];
    Results {
        formulation: c::FormulationId::Dcopf,
        status: c::SolveStatus::Optimal,
        dc_convention: Some(convention_id(model)),
        objective: Some(s.objective),
        columns,
        slack: None,
        iterations: Some(iterations(network, s)),
        certificate: c::ResponseCertificate::Optimum(certificate(&s.certificate)),
        diagnostics: diagnostics(network, model, s),
    }
}

pub(super) fn convention_id(model: &DcModel) -> c::DcConvention {
    match model.convention() {
        Convention::Service => c::DcConvention::Service,
        Convention::PowerModels => c::DcConvention::Powermodels,
        Convention::Matpower => c::DcConvention::Matpower,
    }
}

pub(super) fn certificate(k: &dc::Certificate) -> c::Certificate {
    c::Certificate {
        primal_residual_mw: k.primal_residual_mw,
        worst_violation_mw: k.worst_violation_mw,
        worst_element: k.worst_element.as_ref().map(element),
        stationarity_usd_per_mwh: k.stationarity_usd_per_mwh,
        complementarity_usd_per_h: k.complementarity_usd_per_h,
        duality_gap_usd_per_h: k.duality_gap_usd_per_h,
        relative_gap: k.relative_gap,
    }
}

fn iterations(network: &AnalysisNetwork, s: &DcSolution) -> Vec<c::SolveIteration> {
    s.progress
        .iter()
        .enumerate()
        .map(|(k, p)| c::SolveIteration {
            iteration: k as u32 + 1,
            objective: p.objective,
            residual: p.violation * network.base_mva,
        })
        .collect()
}

const LEFT_OUT: &str = "left out: their island has neither generators nor demand";

/// Things about this result that a reader should know.
fn diagnostics(network: &AnalysisNetwork, model: &DcModel, s: &DcSolution) -> Vec<c::Diagnostic> {
    let mut found = Vec::new();
    for &row in &s.held_by_angle {
        let branch = &network.branches[row];
        found.push(c::Diagnostic {
            code: "BRANCH.ANGLE_LIMIT".into(),
            message: format!("Branch {} is held by its angle window, not by its rating.", branch.id),
            element: Some(c::Element {
                kind: "branch".into(),
                id: branch.id,
                uid: branch.uid.clone(),
            }),
            element_name: None,
        });
    }
    let unpriced = model.unpriced_buses();
    for (code, buses, what) in [
        ("ISLAND.LEFT_OUT", model.idle_buses(), LEFT_OUT),
        (
            "ISLAND.NO_PRICE",
            &unpriced[..],
            "without a price: every generator of their island is fixed",
        ),
    ] {
        found.extend(about_buses(network, code, buses, what));
    }
    found
}

/// One diagnostic about all of `buses`, which names the first; None without any.
fn about_buses(network: &AnalysisNetwork, code: &str, buses: &[usize], what: &str) -> Option<c::Diagnostic> {
    let bus = &network.buses[*buses.first()?];
    Some(c::Diagnostic {
        code: code.into(),
        message: format!("Buses {what} ({} of them, the first is bus {}).", buses.len(), bus.id),
        element: Some(convert::bus_element(bus)),
        element_name: None,
    })
}

/// Islands that a power flow leaves out.
pub(super) fn left_out(network: &AnalysisNetwork, model: &DcModel) -> Option<c::Diagnostic> {
    about_buses(network, "ISLAND.LEFT_OUT", model.idle_buses(), LEFT_OUT)
}
