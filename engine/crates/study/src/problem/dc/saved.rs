//! Optima in the slots of solution modules, and back without a solve.

use super::results::{certificate, convention_id};
use super::{Dc, DcState};
use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{branch_ref, bus_ref, plain, told};
use crate::problem::State;
use crate::results::{dense, Results};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, Cost, ElementKind, ElementRef, Generator};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::residual;
use wattbook_network::message::Message;
use wattbook_network::sha256::sha256_hex;
use wattbook_network::{Formula, SolutionColumns};
use wattbook_solve::dc::{Certificate, Claim, Convention};

/// Layout of [`Details`].
const VERSION: u32 = 1;
/// A stored network that disagrees with its result by more, relative to what is compared, is another one.
const SAME: f64 = 1e-6;

/// What of a result has no slot in a solution module; lists of the canonical rows but for `lowered`.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Details {
    version: u32,
    case: String,
    case_sha256: String,
    dc_convention: c::DcConvention,
    /// MW from the case, by id.
    deltas: c::DemandDeltas,
    rates: c::RatingDeltas,
    result_sha256: String,
    certificate: c::Certificate,
    diagnostics: Vec<c::Diagnostic>,
    /// The slot has degrees, from which radians do not come back bit for bit.
    va_rad: Vec<f64>,
    loading: Vec<f64>,
    /// Branches held by their angle-difference limit, whose multiplier is not that of a thermal limit: dense row, $/MWh.
    angle_multipliers: Vec<(usize, f64)>,
    left_out: LeftOut,
    lowered: Lowered,
    /// Over what `result_sha256` leaves out.
    details_sha256: String,
}

/// Dense rows that take no part.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct LeftOut {
    buses: Vec<usize>,
    branches: Vec<usize>,
    generators: Vec<usize>,
}

/// Published rows of lowered three-winding transformers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Lowered {
    prices: Vec<c::BusValue>,
    va: Vec<c::BusValue>,
    flows: Vec<c::BranchFlow>,
}

/// Rows of an optimum.
struct Published {
    prices: Vec<c::BusValue>,
    va: Vec<c::BusValue>,
    flows: Vec<c::BranchFlow>,
    dispatch: Vec<c::GeneratorDispatch>,
}

impl Published {
    fn of(results: &Results, case: &Case) -> Self {
        let c::Solution {
            prices,
            va,
            flows,
            dispatch,
            ..
        } = results.solution(case, "");
        Self {
            prices: prices.unwrap_or_default(),
            va: va.unwrap_or_default(),
            flows: flows.unwrap_or_default(),
            dispatch: dispatch.unwrap_or_default(),
        }
    }
}

/// $/MWh, >= 0.
fn shadow_of(flow: &c::BranchFlow) -> f64 {
    flow.shadow.unwrap_or_default()
}

/// The result by slots; what has none is in the extension.
pub(super) fn slots(state: &DcState, case_id: &str) -> Result<SolutionColumns> {
    let (problem, s) = (state.dc(), &state.solution);
    let Dc { case, model, .. } = problem;
    let network = &case.network;
    let base = network.base_mva;
    let results = state.results();
    let published = Published::of(&results, case);
    let certificate = certificate(&s.certificate);
    let mut injection_mw: Vec<f64> = s.data.demand.iter().map(|d| -d * base).collect();
    for (row, bus) in injection_mw.iter_mut().enumerate() {
        *bus = if model.bus_is_active(row) { *bus } else { 0.0 };
    }
    let mut dispatch_mw = vec![0.0; network.generators.len()];
    let mut left_out = LeftOut::default();
    for (row, g) in network.generators.iter().enumerate() {
        if problem.runs(row) {
            dispatch_mw[row] = plain(s.dispatch[row] * base);
            injection_mw[g.bus] += dispatch_mw[row];
        } else {
            left_out.generators.push(row);
        }
    }
    left_out.buses = (0..network.buses.len()).filter(|&b| !model.bus_is_active(b)).collect();
    left_out.branches = (0..network.branches.len())
        .filter(|&b| !model.branch_is_active(b))
        .collect();
    let mut price = vec![0.0; network.buses.len()];
    let mut va_rad = price.clone();
    let active_buses = (0..network.buses.len()).filter(|&b| model.bus_is_active(b));
    for (b, (p, va)) in active_buses.zip(published.prices.iter().zip(&published.va)) {
        (price[b], va_rad[b]) = (p.value, va.value);
    }
    let mut flow_mw = vec![0.0; network.branches.len()];
    let (mut loading, mut upper, mut lower) = (flow_mw.clone(), flow_mw.clone(), flow_mw.clone());
    let mut angle_multipliers = Vec::new();
    let active_branches = (0..network.branches.len()).filter(|&b| model.branch_is_active(b));
    for (b, flow) in active_branches.zip(&published.flows) {
        (flow_mw[b], loading[b]) = (flow.mw, flow.loading);
        if s.held_by_angle.contains(&b) {
            angle_multipliers.push((b, shadow_of(flow)));
        } else if s.shadow[b] >= 0.0 {
            upper[b] = shadow_of(flow);
        } else {
            lower[b] = shadow_of(flow);
        }
    }
    let (n_bus, n_branch) = (network.n_canonical_buses, network.n_canonical_branches);
    let lowered_bus = |v: &&c::BusValue| case.keys.bus(&v.bus.to_string()).is_some_and(|b| b >= n_bus);
    let lowered = Lowered {
        prices: published.prices.iter().filter(lowered_bus).cloned().collect(),
        va: published.va.iter().filter(lowered_bus).cloned().collect(),
        flows: published
            .flows
            .iter()
            .filter(|f| f.branch as usize > n_branch)
            .cloned()
            .collect(),
    };
    let by_id = |edits: &BTreeMap<usize, f64>, id: &dyn Fn(usize) -> u64| {
        edits.iter().map(|(&row, &mw)| (id(row).to_string(), mw)).collect()
    };
    let mut details = Details {
        version: VERSION,
        case: case_id.to_string(),
        case_sha256: case.sha256.clone(),
        dc_convention: convention_id(model),
        deltas: by_id(&state.edits.demand, &|row| network.buses[row].id),
        rates: by_id(&state.edits.rating, &|row| network.branches[row].id),
        result_sha256: results.sha256(),
        certificate: certificate.clone(),
        diagnostics: results.diagnostics.clone(),
        va_rad: va_rad[..n_bus].to_vec(),
        loading: loading[..n_branch].to_vec(),
        angle_multipliers,
        left_out,
        lowered,
        details_sha256: String::new(),
    };
    details.details_sha256 = details.sha256(&published.flows);
    let extension = serde_json::to_value(&details)
        .map_err(|e| EngineError::new("MODULE.WRITE", message!("module.write", cause = e.to_string())))?;
    Ok(SolutionColumns {
        formula: match model.convention() {
            Convention::Matpower => Formula::TapAdjusted,
            Convention::Service | Convention::PowerModels => Formula::Series,
        },
        objective: s.objective,
        angle_deg: va_rad.iter().map(|va| va.to_degrees()).collect(),
        injection_mw,
        price,
        flow_mw,
        upper_multiplier: upper,
        lower_multiplier: lower,
        dispatch_mw,
        mismatch_mw: Some(certificate.primal_residual_mw),
        producer: Some(format!("wattbook {}", crate::CONTRACT_VERSION)),
        extension: Some(extension),
    })
}

impl Details {
    /// Over case, edits, certificate and flow rows with loading and multipliers.
    fn sha256(&self, flows: &[c::BranchFlow]) -> String {
        let edits = (&self.case_sha256, self.dc_convention, &self.deltas, &self.rates);
        sha256_hex(crate::json::to_json(&(edits, &self.certificate, flows)).as_bytes())
    }
}

/// What was read from a solution module.
pub(crate) struct Saved {
    pub results: Results,
    /// The case as it was called.
    pub case_id: String,
    /// Of our own modules: the case that was studied, and its edits.
    pub edits: Option<(String, c::DemandDeltas, c::RatingDeltas)>,
}

/// Reads the result of a network (`case`, the edits stored in it).
///
/// Errors: `MODULE.INCOMPLETE`, `MODULE.TAMPERED`, `MODULE.VERSION`.
pub(crate) fn read(case: &Arc<Case>, columns: &SolutionColumns) -> Result<Saved> {
    let Some(extension) = &columns.extension else {
        return Ok(Saved {
            results: foreign(case, columns)?,
            case_id: case.network.name.clone(),
            edits: None,
        });
    };
    if extension.get("version").and_then(serde_json::Value::as_u64) != Some(u64::from(VERSION)) {
        return Err(EngineError::new("MODULE.VERSION", message!("module.version")));
    }
    let details: Details = serde_json::from_value(extension.clone())
        .map_err(|e| tampered(message!("module.changed.unreadable", cause = e.to_string())))?;
    Ok(Saved {
        results: own(case, columns, &details)?,
        case_id: details.case,
        edits: Some((details.case_sha256, details.deltas, details.rates)),
    })
}

fn tampered(what: Message) -> EngineError {
    EngineError::new("MODULE.TAMPERED", message!("module.changed", what = what))
}

/// The columns of one of our modules.
fn own(case: &Arc<Case>, columns: &SolutionColumns, details: &Details) -> Result<Results> {
    let network = &case.network;
    let (n_bus, n_branch) = (network.n_canonical_buses, network.n_canonical_branches);
    if details.va_rad.len() != n_bus || details.loading.len() != n_branch {
        return Err(tampered(message!("module.changed.rows")));
    }
    let turned = details.va_rad.iter().zip(&columns.angle_deg);
    if turned.clone().any(|(rad, deg)| rad.to_degrees() != *deg) {
        return Err(tampered(message!("module.changed.angles")));
    }
    let LeftOut {
        buses,
        branches,
        generators,
    } = &details.left_out;
    let takes_part = |row: usize, left_out: &[usize]| left_out.binary_search(&row).is_err();
    let mut shadow: Vec<f64> = columns
        .upper_multiplier
        .iter()
        .zip(&columns.lower_multiplier)
        .map(|(u, l)| u + l)
        .collect();
    for &(row, multiplier) in &details.angle_multipliers {
        if let Some(shadow) = shadow.get_mut(row) {
            *shadow += multiplier;
        }
    }
    let bus_row = |v: &c::BusValue| case.keys.bus(&v.bus.to_string()).filter(|row| *row >= n_bus);
    let bus_column = |values: &[f64], lowered: &[c::BusValue]| -> Result<Vec<f64>> {
        let mut column = vec![f64::NAN; network.buses.len()];
        let own = values.iter().enumerate().filter(|(row, _)| takes_part(*row, buses));
        own.for_each(|(row, value)| column[row] = *value);
        for value in lowered {
            column[bus_row(value).ok_or_else(|| tampered(message!("module.changed.rows")))?] = value.value;
        }
        Ok(column)
    };
    let branch_column = |values: &[f64], lowered: &dyn Fn(&c::BranchFlow) -> f64| -> Result<Vec<f64>> {
        let mut column = vec![f64::NAN; network.branches.len()];
        let own = values.iter().enumerate().filter(|(row, _)| takes_part(*row, branches));
        own.for_each(|(row, value)| column[row] = *value);
        for flow in &details.lowered.flows {
            let row = (flow.branch as usize).checked_sub(1).filter(|row| *row >= n_branch);
            let cell = row.and_then(|row| column.get_mut(row));
            *cell.ok_or_else(|| tampered(message!("module.changed.rows")))? = lowered(flow);
        }
        Ok(column)
    };
    let lmp = bus_column(&columns.price, &details.lowered.prices)?;
    let results = Results {
        formulation: c::FormulationId::Dcopf,
        status: c::SolveStatus::Optimal,
        dc_convention: Some(details.dc_convention),
        objective: Some(columns.objective),
        columns: table(
            network,
            Slots {
                va_rad: bus_column(&details.va_rad, &details.lowered.va)?,
                flow_mw: branch_column(&columns.flow_mw, &|f| f.mw)?,
                loading: branch_column(&details.loading, &|f| f.loading)?,
                shadow: branch_column(&shadow, &shadow_of)?,
                dispatch_mw: columns
                    .dispatch_mw
                    .iter()
                    .enumerate()
                    .map(|(row, mw)| if takes_part(row, generators) { *mw } else { f64::NAN })
                    .collect(),
                lmp,
            },
        ),
        slack: None,
        power_flow: None,
        iterations: None,
        certificate: c::ResponseCertificate::Optimum(details.certificate.clone()),
        diagnostics: details.diagnostics.clone(),
    };
    let solution = Published::of(&results, case);
    if results.sha256() != details.result_sha256 {
        return Err(tampered(message!("module.changed.result")));
    }
    if details.sha256(&solution.flows) != details.details_sha256 {
        return Err(tampered(message!("module.changed.details")));
    }
    match disagreement(network, &solution, columns.objective) {
        Some(what) => Err(tampered(what)),
        None => Ok(results),
    }
}

/// What a module says of a result, by dense row; NaN where a row takes no part.
struct Slots {
    lmp: Vec<f64>,
    va_rad: Vec<f64>,
    flow_mw: Vec<f64>,
    loading: Vec<f64>,
    shadow: Vec<f64>,
    dispatch_mw: Vec<f64>,
}

/// The table of a result, demand and ratings being those of the network.
fn table(network: &AnalysisNetwork, slots: Slots) -> Vec<Column> {
    let base = network.base_mva;
    let takes_part = |column: &[f64], row: usize| !column[row].is_nan();
    let demand_mw = dense(
        network.buses.len(),
        |row| takes_part(&slots.lmp, row),
        |row| network.buses[row].demand_pu * base,
    );
    let rating_mw = dense(
        network.branches.len(),
        |row| takes_part(&slots.flow_mw, row),
        |row| network.branches[row].rating_pu * base,
    );
    vec![
        Column::new(ColumnName::Lmp, slots.lmp),
        Column::new(ColumnName::VaRad, slots.va_rad),
        Column::new(ColumnName::DemandMw, demand_mw),
        Column::new(ColumnName::FlowMw, slots.flow_mw),
        Column::new(ColumnName::Loading, slots.loading),
        Column::new(ColumnName::Shadow, slots.shadow),
        Column::new(ColumnName::RatingMw, rating_mw),
        Column::new(ColumnName::DispatchMw, slots.dispatch_mw),
    ]
}

/// Where a network is not the one of a result: nodal balances, ratings, cost.
fn disagreement(network: &AnalysisNetwork, s: &Published, objective: f64) -> Option<Message> {
    let base = network.base_mva;
    let mut row_of_bus = BTreeMap::new();
    let mut balance = vec![None; network.buses.len()];
    for (row, bus) in network.buses.iter().enumerate() {
        row_of_bus.insert(bus.id, row);
    }
    let mut scale = 1.0f64;
    for value in &s.prices {
        let Some(&row) = row_of_bus.get(&value.bus) else {
            return Some(message!(
                "module.changed.no_bus",
                bus = &missing(ElementKind::Bus, value.bus)
            ));
        };
        let bus = &network.buses[row];
        let drawn = (bus.demand_pu + bus.gs_pu) * base;
        scale = scale.max(drawn.abs());
        balance[row] = Some(-drawn);
    }
    let mut add = |row: usize, mw: f64| {
        if let Some(sum) = &mut balance[row] {
            *sum += mw;
        }
    };
    for flow in &s.flows {
        let Some(branch) = network.branches.get((flow.branch as usize).wrapping_sub(1)) else {
            let branch = missing(ElementKind::Branch, flow.branch);
            return Some(message!("module.changed.no_branch", branch = &branch));
        };
        add(branch.from, -flow.mw);
        add(branch.to, flow.mw);
        let rating = branch.rating_pu * base;
        if (flow.loading * rating - flow.mw.abs()).abs() > SAME * (1.0 + flow.mw.abs()) {
            return Some(message!("module.changed.rating", branch = &branch_ref(branch)));
        }
    }
    let mut cost = 0.0;
    for unit in &s.dispatch {
        let Some(generator) = network.generators.get((unit.gen as usize).wrapping_sub(1)) else {
            let generator = missing(ElementKind::Generator, unit.gen);
            return Some(message!("module.changed.no_generator", generator = &generator));
        };
        add(generator.bus, unit.mw);
        cost += cost_of(generator, unit.mw / base);
    }
    let worst = balance
        .iter()
        .enumerate()
        .find(|(_, sum)| sum.is_some_and(|mw| mw.abs() > SAME * scale));
    if let Some((row, _)) = worst {
        return Some(message!("module.changed.balance", bus = &bus_ref(&network.buses[row])));
    }
    let apart = (cost - objective).abs() > SAME * (1.0 + objective.abs());
    apart.then(|| message!("module.changed.costs"))
}

fn missing(kind: ElementKind, id: u64) -> ElementRef {
    ElementRef { kind, id, uid: None }
}

/// $/h of a generator at a power.
fn cost_of(generator: &Generator, p: f64) -> f64 {
    match &generator.cost {
        Cost::Quadratic { c2, c1, c0 } => (c2 * p + c1) * p + c0,
        Cost::PiecewiseLinear { points } => {
            // The segment that holds p; the first and the last one extend outwards.
            let segments = points.windows(2);
            let k = segments.clone().skip(1).take_while(|s| s[0][0] <= p).count();
            let at = |s: &[[f64; 2]]| s[0][1] + (p - s[0][0]) * (s[1][1] - s[0][1]) / (s[1][0] - s[0][0]);
            segments.clone().nth(k).map_or(0.0, at)
        }
    }
}

/// The columns of another producer's module, with a certificate taken here.
fn foreign(case: &Arc<Case>, columns: &SolutionColumns) -> Result<Results> {
    let network = &case.network;
    if network.buses.len() > network.n_canonical_buses {
        return Err(EngineError::new("MODULE.INCOMPLETE", message!("module.star_points")));
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
    let Dc { model, base: data, .. } = Dc::new(case, convention)?;
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
    let holds = certificate.holds() && law_mw <= SAME * base.max(1.0);
    let (balance, flow_law) = (residual(certificate.primal_residual_mw, "MW"), residual(law_mw, "MW"));
    let limits = residual(certificate.worst_violation_mw, "MW");
    let gap = residual(certificate.duality_gap_usd_per_h.abs(), "$/h");
    // The four of them differ in whole clauses.
    macro_rules! said {
        ($key:literal $(, $producer:ident)?) => {
            message!($key $(, producer = $producer)?, balance = balance, flow_law = flow_law, limits = limits, gap = gap)
        };
    }
    let said = match (columns.producer.as_deref(), holds) {
        (Some(producer), true) => said!("module.producer_optimum", producer),
        (Some(producer), false) => said!("module.producer_no_optimum", producer),
        (None, true) => said!("module.unknown_producer_optimum"),
        (None, false) => said!("module.unknown_producer_no_optimum"),
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
        dc_convention: Some(convention_id(&model)),
        objective: Some(columns.objective),
        columns: table(
            network,
            Slots {
                lmp: by_bus(&|b| columns.price[b]),
                va_rad: by_bus(&|b| theta[b]),
                flow_mw: by_branch(&|b| columns.flow_mw[b]),
                loading: by_branch(&|b| flow[b].abs() / data.rating[b]),
                shadow: by_branch(&|b| shadow[b].abs() / base),
                dispatch_mw: dense(network.generators.len(), runs, |g| columns.dispatch_mw[g]),
            },
        ),
        slack: None,
        power_flow: None,
        iterations: None,
        certificate: c::ResponseCertificate::Optimum(self::certificate(&certificate)),
        diagnostics: vec![told("SOLUTION.OTHER_PRODUCER", &said, None)],
    })
}

/// Largest difference of a flow and what the angles at its ends drive, per unit.
fn flow_law(network: &AnalysisNetwork, convention: Convention, theta: &[f64], flow: &[f64]) -> f64 {
    let rows = network.branches.iter().zip(flow);
    rows.filter(|(b, _)| b.in_service && b.x_pu != 0.0)
        .fold(0.0, |worst, (b, flow)| {
            let angle = theta[b.from] - theta[b.to] - convention.phase_shift(b);
            let driven = convention.susceptance(b) * angle;
            f64::max(worst, (driven - flow).abs())
        })
}
