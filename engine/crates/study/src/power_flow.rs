//! DC power flow through the stateless solve: angles, flows, injections and what balances each island.

use crate::contract as c;
use crate::convert::{self, bus_value, plain};
use sha2::{Digest, Sha256};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::Result;
use wattbook_solve::dc::{DcData, DcModel, DcPowerFlow, Slack};

/// Solves and describes. The result hash goes over the published columns angles, flows and injections.
///
/// Errors: `SOLVE.INFEASIBLE`, `SOLVE.NOT_CONVERGED`.
pub(crate) fn response(network: &AnalysisNetwork, model: &DcModel, data: &DcData) -> Result<c::SolveResponse> {
    let base = network.base_mva;
    let s = DcPowerFlow::solve(network, model, data)?;
    let buses = || (0..network.buses.len()).filter(|&b| model.bus_is_active(b));
    let va: Vec<c::BusValue> = buses().map(|b| bus_value(network, b, s.theta[b])).collect();
    let injections: Vec<c::InjectionRow> = buses()
        .map(|b| c::InjectionRow {
            bus: network.buses[b].id,
            uid: network.buses[b].uid.clone(),
            p: plain(s.injection[b] * base),
        })
        .collect();
    let flows: Vec<c::FlowRow> = network
        .branches
        .iter()
        .enumerate()
        .filter(|(row, _)| model.branch_is_active(*row))
        .map(|(row, branch)| c::FlowRow {
            branch: branch.id,
            uid: branch.uid.clone(),
            pf: plain(s.flow[row] * base),
            loading: s.flow[row].abs() / data.rating[row],
            shadow: None,
        })
        .collect();

    let mut hash = Sha256::new();
    va.iter().for_each(|v| hash.update(v.value.to_le_bytes()));
    flows.iter().for_each(|f| hash.update(f.pf.to_le_bytes()));
    injections.iter().for_each(|i| hash.update(i.p.to_le_bytes()));

    let mut diagnostics: Vec<c::Diagnostic> = convert::left_out(network, model).into_iter().collect();
    diagnostics.extend(
        s.slack
            .iter()
            .filter(|slack| slack.beyond_limits)
            .map(|slack| beyond(network, slack)),
    );
    Ok(c::SolveResponse {
        formulation: c::FormulationId::Dcpf,
        status: c::SolveStatus::Feasible,
        dc_convention: convert::convention_id(model),
        objective: None,
        prices: None,
        va: Some(va),
        flows: Some(flows),
        dispatch: None,
        injections: Some(injections),
        slack: Some(
            s.slack
                .iter()
                .map(|k| bus_value(network, k.bus, k.added * base))
                .collect(),
        ),
        iterations: None,
        sensitivities: None,
        certificate: c::ResponseCertificate::PowerFlow(c::PowerFlowCertificate {
            mismatch_mw: s.mismatch * base,
            worst_bus: s.worst_bus.map(|b| network.buses[b].id),
        }),
        result_sha256: crate::hex(&hash.finalize()),
        diagnostics,
    })
}

fn beyond(network: &AnalysisNetwork, slack: &Slack) -> c::Diagnostic {
    let bus = &network.buses[slack.bus];
    c::Diagnostic {
        code: "SLACK.BEYOND_LIMITS".into(),
        message: format!(
            "Bus {} balances its island with {:.3} MW on top of the file's dispatch, outside the limits of its generators.",
            bus.id,
            slack.added * network.base_mva
        ),
        element: Some(c::Element {
            kind: "bus".into(),
            id: bus.id,
            uid: bus.uid.clone(),
        }),
        element_name: None,
    }
}
