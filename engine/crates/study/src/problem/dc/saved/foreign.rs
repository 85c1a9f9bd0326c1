//! Results of modules written by other producers.

use super::super::results::{certificate, convention_id};
use super::super::Dc;
use super::disagreement::SAME;
use super::table::{table, Slots};
use crate::case::Case;
use crate::contract::{self as c};
use crate::convert::new_diagnostic;
use crate::results::{dense, Results};
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::residual;
use wattbook_network::{Formula, SolutionColumns};
use wattbook_solve::dc::{Certificate, Claim, Convention};

/// The columns of another producer's module, with a certificate computed here.
pub(super) fn foreign(case: &Arc<Case>, columns: &SolutionColumns) -> Result<Results> {
    let network = &case.network;
    if network.buses.len() > network.n_canonical_buses {
        return Err(EngineError::new("MODULE.INCOMPLETE", message!("module.star_points")));
    }
    if let Some((_, link)) = network.links_in_service().next() {
        let link = ElementRef::from(link);
        return Err(EngineError::new("MODULE.INCOMPLETE", message!("module.links", link = &link)).at(link));
    }
    if let Some((_, storage)) = network.storages_injecting().next() {
        let storage = ElementRef::from(storage);
        let message = message!("module.storage", storage = &storage);
        return Err(EngineError::new("MODULE.INCOMPLETE", message).at(storage));
    }
    let base = network.base_mva;
    let scaled = |column: &[f64], factor: f64| -> Vec<f64> { column.iter().map(|x| x * factor).collect() };
    let theta: Vec<f64> = columns.angle_deg.iter().map(|deg| deg.to_radians()).collect();
    let flow = scaled(&columns.flow_mw, 1.0 / base);
    let conventions: &[Convention] = match columns.formula {
        Formula::Series => &[Convention::Service, Convention::PowerModels],
        Formula::TapAdjusted => &[Convention::Matpower],
        Formula::ReactanceOnly => {
            return Err(EngineError::new("MODULE.INCOMPLETE", message!("module.reactance_only")));
        }
    };
    let law = |&convention: &Convention| flow_law(network, convention, &theta, &flow);
    let convention = *conventions
        .iter()
        .min_by(|a, b| law(a).total_cmp(&law(b)))
        .unwrap_or(&Convention::Service);
    let options = c::SolveOptions {
        dc_convention: Some(convention_id(convention)),
        ..c::SolveOptions::default()
    };
    let Dc { model, base: data, .. } = Dc::new(case, &options)?;
    let shadow: Vec<f64> = columns
        .upper_multiplier
        .iter()
        .zip(&columns.lower_multiplier)
        .map(|(u, l)| (u - l) * base)
        .collect();
    let claim = Claim {
        dispatch: &scaled(&columns.dispatch_mw, 1.0 / base),
        theta: &theta,
        flow: &flow,
        price: &scaled(&columns.price, base),
        shadow: &shadow,
        objective: columns.objective,
    };
    let certificate = Certificate::of_claim(&model, &data, &claim);
    let law_mw = law(&convention) * base;
    let holds = certificate.holds() && law_mw <= SAME * base.clamp(1.0, 1000.0);
    let (balance, flow_law) = (residual(certificate.primal_residual_mw, "MW"), residual(law_mw, "MW"));
    let limits = residual(certificate.worst_violation_mw, "MW");
    let gap = residual(certificate.duality_gap_usd_per_h.abs(), "$/h");
    // The four messages differ in whole clauses.
    macro_rules! verdict {
        ($key:literal $(, $producer:ident)?) => {
            message!($key $(, producer = $producer)?, balance = balance, flow_law = flow_law, limits = limits, gap = gap)
        };
    }
    let message = match (columns.producer.as_deref(), holds) {
        (Some(producer), true) => verdict!("module.producer_optimum", producer),
        (Some(producer), false) => verdict!("module.producer_no_optimum", producer),
        (None, true) => verdict!("module.unknown_producer_optimum"),
        (None, false) => verdict!("module.unknown_producer_no_optimum"),
    };
    let by_bus = |value: &dyn Fn(usize) -> f64| dense(network.buses.len(), |b| model.bus_is_active(b), value);
    let by_branch = |value: &dyn Fn(usize) -> f64| dense(network.branches.len(), |b| model.branch_is_active(b), value);
    let runs = |g: usize| network.generators[g].in_service && model.bus_is_active(network.generators[g].bus);
    Ok(Results {
        formulation: c::FormulationId::Dcopf,
        status: if holds {
            c::SolveStatus::Optimal
        } else {
            c::SolveStatus::Feasible
        },
        dc_convention: Some(convention_id(model.convention())),
        objective: Some(columns.objective),
        columns: table(
            network,
            Slots {
                lmp: by_bus(&|b| columns.price[b]),
                va_rad: by_bus(&|b| theta[b]),
                flow_mw: by_branch(&|b| columns.flow_mw[b]),
                loading: by_branch(&|b| wattbook_solve::loading(flow[b].abs(), data.rating[b])),
                shadow: by_branch(&|b| shadow[b].abs() / base),
                dispatch_mw: dense(network.generators.len(), runs, |g| columns.dispatch_mw[g]),
                links_mw: vec![[f64::NAN; 2]; network.links.len()],
                storages_mw: vec![f64::NAN; network.storages.len()],
            },
        ),
        slack: None,
        power_flow: None,
        iterations: None,
        security: None,
        certificate: c::ResponseCertificate::Optimum(self::certificate(&certificate)),
        diagnostics: vec![new_diagnostic("SOLUTION.OTHER_PRODUCER", &message, None)],
    })
}

/// Largest difference between a flow and the flow that follows from the angles at its ends, per unit.
pub(super) fn flow_law(network: &AnalysisNetwork, convention: Convention, theta: &[f64], flow: &[f64]) -> f64 {
    let rows = network.branches.iter().zip(flow);
    rows.filter(|(b, _)| b.in_service && b.x_pu != 0.0)
        .fold(0.0, |worst, (b, flow)| {
            let angle = theta[b.from] - theta[b.to] - convention.phase_shift(b);
            let driven = convention.susceptance(b) * angle;
            f64::max(worst, (driven - flow).abs())
        })
}
