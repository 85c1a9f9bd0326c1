//! DC power flow: angles, flows, injections and the balance of each island.

use super::results::{convention_id, left_out, without_reactance};
use super::Dc;
use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, new_diagnostic, plain};
use crate::edits::{BranchPreviews, Edits, Parts};
use crate::problem::{Problem, State};
use crate::results::storages::{held, held_columns, Holding};
use crate::results::{dense, links, Preview, Results};
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef, Link};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::{message, message_key};
use wattbook_solve::dc::{DcPowerFlow, Slack};

/// DC power flow.
#[derive(Debug)]
pub(super) struct DcFlow(pub Dc);

impl Problem for DcFlow {
    fn formulation(&self) -> c::FormulationId {
        c::FormulationId::Dcpf
    }

    fn case(&self) -> &Arc<Case> {
        &self.0.case
    }

    fn options(&self) -> &c::SolveOptions {
        &self.0.options
    }

    fn parts(&self) -> &dyn Parts {
        &self.0
    }

    fn solve(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        let flow = DcPowerFlow::solve(&self.0.case.network, &self.0.model, &self.0.data(edits)?)?;
        Ok(Arc::new(DcFlowState {
            problem: self,
            edits: edits.clone(),
            flow,
        }))
    }

    fn branch_previews(&self) -> BranchPreviews {
        BranchPreviews::Outage
    }
}

#[derive(Debug)]
struct DcFlowState {
    problem: Arc<DcFlow>,
    edits: Edits,
    flow: DcPowerFlow,
}

impl DcFlowState {
    /// Change of the flow of every branch after the outage of one, MW by dense branch row: its outage factors (LODF) times its flow.
    ///
    /// Errors: `OUTAGE.ISLANDING`.
    fn flow_changes(&self, branch: usize) -> Result<Vec<f64>> {
        let Dc { case, model, .. } = &self.problem.0;
        let network = &case.network;
        let factors = model.lodf_column(branch).ok_or_else(|| {
            let element = ElementRef::from(&network.branches[branch]);
            EngineError::new("OUTAGE.ISLANDING", message!("sens.islanding", branch = &element)).at(element)
        })?;
        let lost = self.flow.flow[branch] * network.base_mva;
        let rows = network.branches.len();
        Ok(dense(rows, |b| model.branch_is_active(b), |b| factors[b] * lost))
    }
}

impl State for DcFlowState {
    fn problem(&self) -> &dyn Problem {
        &*self.problem
    }

    /// The outage of one branch, exact because injections are fixed; no other edit.
    fn preview(&self, edits: &Edits) -> Result<Preview> {
        let Some(branch) = edits.outage_from(&self.problem.0.case, &self.edits) else {
            return Err(self
                .problem
                .lacks(message_key!("formulation.lacks_previews", formulation)));
        };
        Ok(Preview {
            columns: vec![Column::new(ColumnName::FlowChange, self.flow_changes(branch)?)],
            head: c::PreviewHead {
                objective_delta: None,
                exact: true,
                valid_step: None,
                valid_mw: None,
            },
        })
    }

    fn outage_columns(&self, branch: usize) -> Result<Vec<Column>> {
        let base = self.problem.0.case.network.base_mva;
        let changes = self.flow_changes(branch)?.into_iter().zip(&self.flow.flow);
        let flows = changes.map(|(change, flow)| flow * base + change).collect();
        self.problem.0.after_outage(&self.edits, flows)
    }

    fn edits(&self) -> &Edits {
        &self.edits
    }

    fn at(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        Arc::clone(&self.problem).solve(edits)
    }

    fn results(&self) -> Results {
        let Dc { case, model, .. } = &self.problem.0;
        let (s, network) = (&self.flow, &case.network);
        let base = network.base_mva;
        let by_bus = |value: &dyn Fn(usize) -> f64| dense(network.buses.len(), |b| model.bus_is_active(b), value);
        let by_branch =
            |value: &dyn Fn(usize) -> f64| dense(network.branches.len(), |b| model.branch_is_active(b), value);
        let mut columns = vec![
            Column::new(ColumnName::VaRad, by_bus(&|b| s.theta[b])),
            Column::new(ColumnName::FlowMw, by_branch(&|b| s.flow[b] * base)),
            Column::new(
                ColumnName::Loading,
                by_branch(&|b| wattbook_solve::loading(s.flow[b].abs(), s.data.rating[b])),
            ),
            Column::new(ColumnName::InjectionMw, by_bus(&|b| s.injection[b] * base)),
        ];
        let scheduled = |_, link: &Link| [link.pf_pu, link.delivered_pu(link.pf_pu)];
        let position = columns.len() - 1;
        let of_links = links::power_columns(&links::powers_mw(network, scheduled));
        let of_storages = held_columns(network, |bus| model.bus_is_active(bus), false);
        columns.splice(position..position, of_links.into_iter().chain(of_storages));
        let mut diagnostics: Vec<c::Diagnostic> = left_out(network, model).into_iter().collect();
        diagnostics.extend(without_reactance(network, model));
        diagnostics.extend(held(network, Holding::Scheduled));
        let overruns = s.slack.iter().filter(|slack| slack.beyond_limits);
        diagnostics.extend(overruns.map(|slack| beyond(network, slack)));
        diagnostics.extend(self.problem.0.case.remarks.iter().cloned());
        diagnostics.extend(self.problem.0.unread(&self.edits));
        let slack = |k: &Slack| c::BusValue {
            bus: network.buses[k.bus].id,
            uid: network.buses[k.bus].uid.clone(),
            value: plain(k.added * base),
        };
        Results {
            formulation: c::FormulationId::Dcpf,
            status: c::SolveStatus::Feasible,
            dc_convention: Some(convention_id(model.convention())),
            objective: None,
            columns,
            slack: Some(s.slack.iter().map(slack).collect()),
            power_flow: None,
            iterations: None,
            security: None,
            certificate: c::ResponseCertificate::PowerFlow(c::PowerFlowCertificate {
                mismatch_mw: s.mismatch * base,
                worst_bus: s.worst_bus.map(|b| network.buses[b].id),
                mismatch_mvar: None,
                flow_error_mva: None,
                set_point_error_pu: None,
                reactive_violation_mvar: None,
                wrong_side_pu: None,
            }),
            diagnostics,
        }
    }
}

fn beyond(network: &AnalysisNetwork, slack: &Slack) -> c::Diagnostic {
    let bus = ElementRef::from(&network.buses[slack.bus]);
    let added = mw_exact(slack.added * network.base_mva);
    let message = message!("result.slack_beyond_limits", bus = &bus, added = added);
    new_diagnostic("SLACK.BEYOND_LIMITS", &message, Some(element(&bus)))
}
