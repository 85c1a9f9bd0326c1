//! Between the solver's per-unit results and the contract's physical ones.

use crate::contract as c;
use sha2::{Digest, Sha256};
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef, Warning};
use wattbook_solve::dc::{self, Convention, DcModel, DcSolution, Event, Target};

pub(crate) fn element(e: &ElementRef) -> c::Element {
    let kind = match e.kind {
        ElementKind::Bus => "bus",
        ElementKind::Branch => "branch",
        ElementKind::Generator => "generator",
        ElementKind::Switch => "switch",
        ElementKind::Storage => "storage",
        ElementKind::Hvdc => "hvdc",
        ElementKind::Transformer3w => "transformer3w",
    };
    c::Element {
        kind: kind.to_string(),
        id: e.id,
        uid: e.uid.clone(),
    }
}

pub(crate) fn diagnostic(w: &Warning) -> c::Diagnostic {
    c::Diagnostic {
        code: w.code.to_string(),
        message: w.message.clone(),
        element: w.element.as_ref().map(element),
        element_name: None,
    }
}

pub(crate) fn convention(options: &c::SolveOptions) -> Convention {
    match options.dc_convention.unwrap_or_default() {
        c::DcConvention::Service => Convention::Service,
        c::DcConvention::Powermodels => Convention::PowerModels,
        c::DcConvention::Matpower => Convention::Matpower,
    }
}

pub(crate) fn convention_id(model: &DcModel) -> c::DcConvention {
    match model.convention() {
        Convention::Service => c::DcConvention::Service,
        Convention::PowerModels => c::DcConvention::Powermodels,
        Convention::Matpower => c::DcConvention::Matpower,
    }
}

pub(crate) fn certificate(s: &DcSolution) -> c::Certificate {
    let k = &s.certificate;
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

pub(crate) fn iterations(network: &AnalysisNetwork, s: &DcSolution) -> Vec<c::SolveIteration> {
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
        element: Some(c::Element {
            kind: "bus".into(),
            id: bus.id,
            uid: bus.uid.clone(),
        }),
        element_name: None,
    })
}

/// Islands that a power flow leaves out.
pub(crate) fn left_out(network: &AnalysisNetwork, model: &DcModel) -> Option<c::Diagnostic> {
    about_buses(network, "ISLAND.LEFT_OUT", model.idle_buses(), LEFT_OUT)
}

/// The published columns: rows that take part, in source order, physical units.
struct Published {
    prices: Vec<c::BusValue>,
    va: Vec<c::BusValue>,
    flows: Vec<c::BranchFlow>,
    dispatch: Vec<c::GeneratorDispatch>,
}

/// Negative zero reads badly and has bits of its own.
pub(crate) fn plain(x: f64) -> f64 {
    x + 0.0
}

impl Published {
    fn new(network: &AnalysisNetwork, model: &DcModel, s: &DcSolution) -> Self {
        let base = network.base_mva;
        let bus_values = |values: &[f64], scale: f64| {
            (0..network.buses.len())
                .filter(|&b| model.bus_is_active(b))
                .map(|b| bus_value(network, b, values[b] / scale))
                .collect()
        };
        let flows = (0..network.branches.len())
            .filter(|&b| model.branch_is_active(b))
            .map(|b| c::BranchFlow {
                branch: network.branches[b].id,
                mw: plain(s.flow[b] * base),
                loading: s.flow[b].abs() / s.data.rating[b],
                shadow: s.shadow[b].abs() / base,
            });
        let dispatch = network
            .generators
            .iter()
            .enumerate()
            .filter(|(_, g)| g.in_service && model.bus_is_active(g.bus));
        Self {
            prices: bus_values(&s.price, base),
            va: bus_values(&s.theta, 1.0),
            flows: flows.collect(),
            dispatch: dispatch
                .map(|(k, g)| c::GeneratorDispatch {
                    gen: g.id,
                    bus: network.buses[g.bus].id,
                    mw: plain(s.dispatch[k] * base),
                })
                .collect(),
        }
    }

    /// SHA-256 over the little-endian f64 columns objective, prices, angles, flows, dispatch (contract.md section 3).
    fn sha256(&self, objective: f64) -> String {
        let mut hash = Sha256::new();
        let mut put = |x: f64| hash.update(x.to_le_bytes());
        put(objective);
        self.prices.iter().for_each(|v| put(v.value));
        self.va.iter().for_each(|v| put(v.value));
        self.flows.iter().for_each(|f| put(f.mw));
        self.dispatch.iter().for_each(|g| put(g.mw));
        crate::hex(&hash.finalize())
    }
}

pub(crate) fn bus_value(network: &AnalysisNetwork, bus: usize, value: f64) -> c::BusValue {
    let row = &network.buses[bus];
    c::BusValue {
        bus: row.id,
        uid: row.uid.clone(),
        value: plain(value),
    }
}

pub(crate) fn solution(network: &AnalysisNetwork, model: &DcModel, s: &DcSolution, case: &str) -> c::Solution {
    let p = Published::new(network, model, s);
    c::Solution {
        case: case.to_string(),
        formulation: c::FormulationId::Dcopf,
        status: c::SolveStatus::Optimal,
        dc_convention: convention_id(model),
        objective: s.objective,
        result_sha256: p.sha256(s.objective),
        lmp: p
            .prices
            .iter()
            .map(|v| c::BusPrice {
                bus: v.bus,
                usd_per_mwh: v.value,
            })
            .collect(),
        prices: p.prices,
        va: p.va,
        flows: p.flows,
        dispatch: p.dispatch,
        certificate: certificate(s),
        solve_ms: None,
        diagnostics: diagnostics(network, model, s),
    }
}

pub(crate) fn response(
    network: &AnalysisNetwork,
    model: &DcModel,
    s: &DcSolution,
    sensitivities: Option<Vec<c::SensitivityMatrix>>,
) -> c::SolveResponse {
    let p = Published::new(network, model, s);
    let uid = |id: u64| network.branches.get(id as usize - 1).and_then(|b| b.uid.clone());
    c::SolveResponse {
        formulation: c::FormulationId::Dcopf,
        status: c::SolveStatus::Optimal,
        dc_convention: convention_id(model),
        objective: Some(s.objective),
        result_sha256: p.sha256(s.objective),
        prices: Some(p.prices),
        va: Some(p.va),
        flows: Some(
            p.flows
                .into_iter()
                .map(|f| c::FlowRow {
                    branch: f.branch,
                    uid: uid(f.branch),
                    pf: f.mw,
                    loading: f.loading,
                    shadow: Some(f.shadow),
                })
                .collect(),
        ),
        dispatch: Some(
            p.dispatch
                .into_iter()
                .map(|g| c::DispatchRow {
                    gen: g.gen,
                    bus: g.bus,
                    pg: g.mw,
                })
                .collect(),
        ),
        injections: None,
        slack: None,
        iterations: Some(iterations(network, s)),
        sensitivities,
        certificate: c::ResponseCertificate::Optimum(certificate(s)),
        diagnostics: diagnostics(network, model, s),
    }
}

/// Warrant in MW: steps are per unit of demand or rating.
pub(crate) fn warrant(network: &AnalysisNetwork, w: &dc::Warrant) -> c::Warrant {
    let base = network.base_mva;
    let end = |e: &dc::End| c::WarrantEnd {
        mw: plain(e.step * base),
        event: match e.event {
            Event::GeneratorReachesMax => c::BreakpointEvent::GeneratorReachesMax,
            Event::GeneratorReachesMin => c::BreakpointEvent::GeneratorReachesMin,
            Event::GeneratorReachesBreakpoint => c::BreakpointEvent::GeneratorReachesBreakpoint,
            Event::GeneratorLeavesLimit => c::BreakpointEvent::GeneratorLeavesLimit,
            Event::LineBinds => c::BreakpointEvent::LineBinds,
            Event::LineUnbinds => c::BreakpointEvent::LineUnbinds,
            Event::EditLimit => c::BreakpointEvent::EditLimit,
        },
        element: element(&e.element),
    };
    let (lower, upper) = (w.lower.as_ref().map(end), w.upper.as_ref().map(end));
    c::Warrant {
        kind: match w.kind {
            dc::WarrantKind::Regular => c::WarrantKind::Regular,
            dc::WarrantKind::OneSided => c::WarrantKind::OneSided,
            dc::WarrantKind::Degenerate => c::WarrantKind::Degenerate,
        },
        valid_mw: (lower.as_ref().map(|e| e.mw), upper.as_ref().map(|e| e.mw)),
        ends: (lower, upper),
        residual: w.residual,
    }
}

/// dLMP/d(target) in ($/MWh)/MW at every bus that takes part.
pub(crate) fn column_values(network: &AnalysisNetwork, model: &DcModel, column: &dc::Column) -> Vec<c::BusValue> {
    let scale = network.base_mva * network.base_mva;
    (0..network.buses.len())
        .filter(|&b| model.bus_is_active(b))
        .map(|b| bus_value(network, b, column.price[b] / scale))
        .collect()
}

pub(crate) fn sensitivity_column(
    network: &AnalysisNetwork,
    model: &DcModel,
    s: &DcSolution,
    target: Target,
    case: &str,
) -> c::SensitivityColumn {
    let column = s.derivative(model, &target.into());
    let (parameter, bus, branch) = match target {
        Target::Demand(b) => ("d", Some(network.buses[b].id), None),
        Target::Rating(b) => ("fmax", None, Some(network.branches[b].id)),
    };
    c::SensitivityColumn {
        case: case.to_string(),
        operand: "lmp".into(),
        parameter: parameter.into(),
        bus,
        branch,
        units: "($/MWh)/MW".into(),
        values: column_values(network, model, &column),
        warrant: warrant(network, &column.warrant),
    }
}
