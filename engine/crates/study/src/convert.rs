//! Between the solver's per-unit results and the contract's physical ones.

use crate::contract as c;
use sha2::{Digest, Sha256};
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef, Warning};
use wattbook_solve::dc::{self, Beyond, Convention, DcModel, DcSolution, DualActiveSet, Event, Target, TwoSided};

pub(crate) fn kind_name(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Bus => "bus",
        ElementKind::Branch => "branch",
        ElementKind::Generator => "generator",
        ElementKind::Switch => "switch",
        ElementKind::Storage => "storage",
        ElementKind::Hvdc => "hvdc",
        ElementKind::Transformer3w => "transformer3w",
    }
}

pub(crate) fn element(e: &ElementRef) -> c::Element {
    c::Element {
        kind: kind_name(e.kind).to_string(),
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

pub(crate) fn certificate(k: &dc::Certificate) -> c::Certificate {
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
pub(crate) struct Published {
    pub prices: Vec<c::BusValue>,
    pub va: Vec<c::BusValue>,
    pub flows: Vec<c::BranchFlow>,
    pub dispatch: Vec<c::GeneratorDispatch>,
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

    /// The solution that these columns are.
    pub fn into_solution(self, about: About) -> c::Solution {
        c::Solution {
            case: about.case,
            formulation: c::FormulationId::Dcopf,
            status: about.status,
            dc_convention: about.dc_convention,
            objective: about.objective,
            result_sha256: self.sha256(about.objective),
            lmp: self
                .prices
                .iter()
                .map(|v| c::BusPrice {
                    bus: v.bus,
                    usd_per_mwh: v.value,
                })
                .collect(),
            prices: self.prices,
            va: self.va,
            flows: self.flows,
            dispatch: self.dispatch,
            certificate: about.certificate,
            solve_ms: None,
            diagnostics: about.diagnostics,
        }
    }
}

/// What a solution says besides its columns.
pub(crate) struct About {
    pub case: String,
    pub status: c::SolveStatus,
    pub dc_convention: c::DcConvention,
    pub objective: f64,
    pub certificate: c::Certificate,
    pub diagnostics: Vec<c::Diagnostic>,
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
    Published::new(network, model, s).into_solution(About {
        case: case.to_string(),
        status: c::SolveStatus::Optimal,
        dc_convention: convention_id(model),
        objective: s.objective,
        certificate: certificate(&s.certificate),
        diagnostics: diagnostics(network, model, s),
    })
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
        certificate: c::ResponseCertificate::Optimum(certificate(&s.certificate)),
        diagnostics: diagnostics(network, model, s),
    }
}

pub(crate) fn event(event: Event) -> c::BreakpointEvent {
    match event {
        Event::GeneratorReachesMax => c::BreakpointEvent::GeneratorReachesMax,
        Event::GeneratorReachesMin => c::BreakpointEvent::GeneratorReachesMin,
        Event::GeneratorReachesBreakpoint => c::BreakpointEvent::GeneratorReachesBreakpoint,
        Event::GeneratorLeavesLimit => c::BreakpointEvent::GeneratorLeavesLimit,
        Event::LineBinds => c::BreakpointEvent::LineBinds,
        Event::LineUnbinds => c::BreakpointEvent::LineUnbinds,
        Event::EditLimit => c::BreakpointEvent::EditLimit,
    }
}

/// Warrant in physical units: `step` of them is one internal unit of the parameter (MW: the base).
pub(crate) fn warrant(w: &dc::Warrant, step: f64) -> c::Warrant {
    let end = |e: &dc::End| c::WarrantEnd {
        mw: plain(e.step * step),
        event: event(e.event),
        element: element(&e.element),
        price_jump: None,
        watched_bus: None,
        no_solution_beyond: false,
    };
    let (lower, upper) = (w.lower.as_ref().map(end), w.upper.as_ref().map(end));
    c::Warrant {
        kind: match w.kind {
            dc::WarrantKind::Regular => c::WarrantKind::Regular,
            dc::WarrantKind::OneSided => c::WarrantKind::OneSided,
            dc::WarrantKind::Degenerate => c::WarrantKind::Degenerate,
        },
        valid_mw: if w.point_only {
            (Some(0.0), Some(0.0))
        } else {
            (lower.as_ref().map(|e| e.mw), upper.as_ref().map(|e| e.mw))
        },
        ends: (lower, upper),
        price_interval: None,
        residual: w.residual,
        point_only: w.point_only,
    }
}

/// dLMP/d(target) in ($/MWh)/MW at every bus that takes part, from $/h per unit per unit.
pub(crate) fn column_values(network: &AnalysisNetwork, model: &DcModel, rates: &[f64]) -> Vec<c::BusValue> {
    let scale = network.base_mva * network.base_mva;
    (0..network.buses.len())
        .filter(|&b| model.bus_is_active(b))
        .map(|b| bus_value(network, b, rates[b] / scale))
        .collect()
}

/// The column of a target with what holds past both ends of its interval: two warm solves for most columns.
pub(crate) fn sensitivity_column(
    network: &AnalysisNetwork,
    model: &DcModel,
    s: &DcSolution,
    target: Target,
    case: &str,
) -> c::SensitivityColumn {
    let TwoSided {
        column,
        left,
        right,
        beyond,
        price_interval,
        watched,
    } = s.two_sided(&DualActiveSet, model, target);
    let (parameter, bus, branch) = match target {
        Target::Demand(b) => ("d", Some(network.buses[b].id), None),
        Target::Rating(b) => ("fmax", None, Some(network.branches[b].id)),
    };
    let values = |rates: Vec<f64>| column_values(network, model, &rates);
    let mut warrant = warrant(&column.warrant, network.base_mva);
    let in_units = |price: Option<f64>| price.map(|p| plain(p / network.base_mva));
    warrant.price_interval = price_interval.map(|(left, right)| (in_units(left), in_units(right)));
    for (end, beyond) in [(&mut warrant.ends.0, beyond.0), (&mut warrant.ends.1, beyond.1)] {
        let Some(end) = end else { continue };
        match beyond {
            Beyond::Jump(jump) => {
                end.price_jump = Some(plain(jump / network.base_mva));
                end.watched_bus = Some(network.buses[watched].id);
            }
            Beyond::NoSolution => end.no_solution_beyond = true,
            Beyond::Unknown => {}
        }
    }
    c::SensitivityColumn {
        case: case.to_string(),
        operand: "lmp".into(),
        parameter: parameter.into(),
        bus,
        branch,
        units: "($/MWh)/MW".into(),
        left: left.map(values),
        right: right.map(values),
        values: values(column.price),
        warrant,
    }
}
