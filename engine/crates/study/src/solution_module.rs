//! Exact results as solution modules, and back without a solve.

use crate::contract as c;
use crate::convert::{self, bus_value, plain, About, Published};
use crate::study::Study;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, Cost, Generator};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::{
    materialize_module, network_from_module, read_solution_module, write_solution_module, Formula, SolutionColumns,
};
use wattbook_solve::dc::{Certificate, Claim, Convention, DcData, DcModel};

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
    /// Branches held by their angle window, whose multiplier is not that of a thermal limit: dense row, $/MWh.
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

impl Study {
    /// The committed optimum with the edited network as the text of a solution module. `module_json` is the module that the
    /// Study was made from.
    ///
    /// Errors: `MODULE.OTHER_CASE` for another module, `MODULE.WRITE`.
    pub fn save_solution_module_json(&self, module_json: &str) -> Result<String> {
        if crate::sha256_hex(module_json.as_bytes()) != self.problem.sha256 {
            let message = "This is not the module that the Study was made from.";
            return Err(EngineError::new("MODULE.OTHER_CASE", message));
        }
        let edited = materialize_module(module_json, &self.edits.demand, &self.edits.rating)?;
        write_solution_module(&edited, &self.solution_columns()?)
    }

    fn solution_columns(&self) -> Result<SolutionColumns> {
        let (network, model, s) = (&self.problem.network, &self.problem.model, &*self.current);
        let base = network.base_mva;
        let published = self.solution();
        let mut injection_mw: Vec<f64> = s.data.demand.iter().map(|d| -d * base).collect();
        for (row, bus) in injection_mw.iter_mut().enumerate() {
            *bus = if model.bus_is_active(row) { *bus } else { 0.0 };
        }
        let mut dispatch_mw = vec![0.0; network.generators.len()];
        let mut left_out = LeftOut::default();
        for (row, g) in network.generators.iter().enumerate() {
            if g.in_service && model.bus_is_active(g.bus) {
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
                angle_multipliers.push((b, flow.shadow));
            } else if s.shadow[b] >= 0.0 {
                upper[b] = flow.shadow;
            } else {
                lower[b] = flow.shadow;
            }
        }
        let (n_bus, n_branch) = (network.n_canonical_buses, network.n_canonical_branches);
        let lowered_bus = |v: &&c::BusValue| self.problem.keys.bus(&v.bus.to_string()).is_some_and(|b| b >= n_bus);
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
            case: published.case.clone(),
            case_sha256: self.problem.sha256.clone(),
            dc_convention: published.dc_convention,
            deltas: by_id(&self.edits.demand, &|row| network.buses[row].id),
            rates: by_id(&self.edits.rating, &|row| network.branches[row].id),
            result_sha256: published.result_sha256.clone(),
            certificate: published.certificate.clone(),
            diagnostics: published.diagnostics.clone(),
            va_rad: va_rad[..n_bus].to_vec(),
            loading: loading[..n_branch].to_vec(),
            angle_multipliers,
            left_out,
            lowered,
            details_sha256: String::new(),
        };
        details.details_sha256 = details.sha256(&published.flows);
        let extension = serde_json::to_value(&details)
            .map_err(|e| EngineError::new("MODULE.WRITE", format!("The result cannot be written: {e}.")))?;
        Ok(SolutionColumns {
            formula: match model.convention() {
                Convention::Matpower => Formula::TapAdjusted,
                Convention::Service | Convention::PowerModels => Formula::Series,
            },
            objective: published.objective,
            angle_deg: va_rad.iter().map(|va| va.to_degrees()).collect(),
            injection_mw,
            price,
            flow_mw,
            upper_multiplier: upper,
            lower_multiplier: lower,
            dispatch_mw,
            mismatch_mw: Some(published.certificate.primal_residual_mw),
            producer: Some(format!("wattbook {}", crate::CONTRACT_VERSION)),
            extension: Some(extension),
        })
    }
}

impl Details {
    /// Over case, edits, certificate and flow rows with loading and multipliers.
    fn sha256(&self, flows: &[c::BranchFlow]) -> String {
        let edits = (&self.case_sha256, self.dc_convention, &self.deltas, &self.rates);
        crate::sha256_hex(crate::to_json(&(edits, &self.certificate, flows)).as_bytes())
    }
}

/// Reads a solution module without a solve (`SolutionModule`).
///
/// Our own come back bit for bit and are checked: the result against its hash, the network against the result. Modules of
/// other producers are read from their slots; the certificate is then taken here and a diagnostic tells what it found.
///
/// Errors: `MODULE.INVALID`, `MODULE.KIND`, `MODULE.NO_SOLUTION`, `MODULE.INCOMPLETE`, `MODULE.TAMPERED`, `MODULE.VERSION`,
/// and those of the network in it.
pub fn read_solution_module_json(text: &str) -> Result<String> {
    let (columns, module_json) = read_solution_module(text)?;
    let network = network_from_module(&module_json)?;
    let Some(extension) = &columns.extension else {
        let solution = foreign(&network, &columns)?;
        return Ok(crate::to_json(&c::SolutionModule {
            solution,
            module_json,
            producer: columns.producer,
            case_sha256: None,
            deltas: None,
            rates: None,
        }));
    };
    if extension.get("version").and_then(serde_json::Value::as_u64) != Some(u64::from(VERSION)) {
        let message = "The solution module was saved by another version of Wattbook, which stores results differently.";
        return Err(EngineError::new("MODULE.VERSION", message));
    }
    let details: Details = serde_json::from_value(extension.clone()).map_err(|e| tampered(&format!("({e})")))?;
    let solution = own(&network, &columns, &details)?;
    Ok(crate::to_json(&c::SolutionModule {
        solution,
        module_json,
        producer: columns.producer,
        case_sha256: Some(details.case_sha256),
        deltas: Some(details.deltas),
        rates: Some(details.rates),
    }))
}

fn tampered(what: &str) -> EngineError {
    let message = format!("The solution module is not as Wattbook saved it {what}; solve its case again.");
    EngineError::new("MODULE.TAMPERED", message)
}

/// The columns of one of our modules.
fn own(network: &AnalysisNetwork, columns: &SolutionColumns, details: &Details) -> Result<c::Solution> {
    let (n_bus, n_branch) = (network.n_canonical_buses, network.n_canonical_branches);
    if details.va_rad.len() != n_bus || details.loading.len() != n_branch {
        return Err(tampered("(another number of rows)"));
    }
    let turned = details.va_rad.iter().zip(&columns.angle_deg);
    if turned.clone().any(|(rad, deg)| rad.to_degrees() != *deg) {
        return Err(tampered("(the angles)"));
    }
    let LeftOut {
        buses,
        branches,
        generators,
    } = &details.left_out;
    let taking_part = |n: usize, left_out: &[usize]| -> Vec<usize> {
        (0..n).filter(|row| left_out.binary_search(row).is_err()).collect()
    };
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
    let rows = taking_part(n_bus, buses);
    let column = |values: &[f64], lowered: &[c::BusValue]| {
        let own = rows.iter().map(|&b| bus_value(network, b, values[b]));
        own.chain(lowered.iter().cloned()).collect::<Vec<_>>()
    };
    let flows = taking_part(n_branch, branches).into_iter().map(|b| c::BranchFlow {
        branch: network.branches[b].id,
        mw: columns.flow_mw[b],
        loading: details.loading[b],
        shadow: shadow[b],
    });
    let dispatch = taking_part(network.generators.len(), generators).into_iter();
    let published = Published {
        prices: column(&columns.price, &details.lowered.prices),
        va: column(&details.va_rad, &details.lowered.va),
        flows: flows.chain(details.lowered.flows.iter().cloned()).collect(),
        dispatch: dispatch
            .map(|g| c::GeneratorDispatch {
                gen: network.generators[g].id,
                bus: network.buses[network.generators[g].bus].id,
                mw: columns.dispatch_mw[g],
            })
            .collect(),
    };
    let solution = published.into_solution(About {
        case: details.case.clone(),
        status: c::SolveStatus::Optimal,
        dc_convention: details.dc_convention,
        objective: columns.objective,
        certificate: details.certificate.clone(),
        diagnostics: details.diagnostics.clone(),
    });
    if solution.result_sha256 != details.result_sha256 {
        return Err(tampered("(the result has another hash)"));
    }
    if details.sha256(&solution.flows) != details.details_sha256 {
        return Err(tampered("(what belongs to the result has another hash)"));
    }
    match disagreement(network, &solution) {
        Some(what) => Err(tampered(&format!("({what})"))),
        None => Ok(solution),
    }
}

/// Where a network is not the one of a result: nodal balances, ratings, cost.
fn disagreement(network: &AnalysisNetwork, s: &c::Solution) -> Option<String> {
    let base = network.base_mva;
    let mut row_of_bus = BTreeMap::new();
    let mut balance = vec![None; network.buses.len()];
    for (row, bus) in network.buses.iter().enumerate() {
        row_of_bus.insert(bus.id, row);
    }
    let mut scale = 1.0f64;
    for value in &s.prices {
        let Some(&row) = row_of_bus.get(&value.bus) else {
            return Some(format!("it has no bus {}", value.bus));
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
            return Some(format!("it has no branch {}", flow.branch));
        };
        add(branch.from, -flow.mw);
        add(branch.to, flow.mw);
        let rating = branch.rating_pu * base;
        if (flow.loading * rating - flow.mw.abs()).abs() > SAME * (1.0 + flow.mw.abs()) {
            return Some(format!("branch {} has another rating", flow.branch));
        }
    }
    let mut cost = 0.0;
    for unit in &s.dispatch {
        let Some(generator) = network.generators.get((unit.gen as usize).wrapping_sub(1)) else {
            return Some(format!("it has no generator {}", unit.gen));
        };
        add(generator.bus, unit.mw);
        cost += cost_of(generator, unit.mw / base);
    }
    let worst = balance
        .iter()
        .enumerate()
        .find(|(_, sum)| sum.is_some_and(|mw| mw.abs() > SAME * scale));
    if let Some((row, _)) = worst {
        return Some(format!(
            "bus {} has another demand or another branch",
            network.buses[row].id
        ));
    }
    let apart = (cost - s.objective).abs() > SAME * (1.0 + s.objective.abs());
    apart.then(|| "the generators have other costs".to_owned())
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
fn foreign(network: &AnalysisNetwork, columns: &SolutionColumns) -> Result<c::Solution> {
    if network.buses.len() > network.n_canonical_buses {
        let message = "The network has three-winding transformers, and a solution module of another producer says nothing of their star points.";
        return Err(EngineError::new("MODULE.INCOMPLETE", message));
    }
    let base = network.base_mva;
    let scaled = |column: &[f64], factor: f64| -> Vec<f64> { column.iter().map(|x| x * factor).collect() };
    let theta: Vec<f64> = columns.angle_deg.iter().map(|deg| deg.to_radians()).collect();
    let flow = scaled(&columns.flow_mw, 1.0 / base);
    let conventions: &[Convention] = match columns.formula {
        Formula::Series => &[Convention::Service, Convention::PowerModels],
        Formula::TapAdjusted => &[Convention::Matpower],
        Formula::ReactanceOnly => {
            let message = "The solution module's susceptances are 1/x, which is none of the conventions here.";
            return Err(EngineError::new("MODULE.INCOMPLETE", message));
        }
    };
    let law = |&convention: &Convention| flow_law(network, convention, &theta, &flow);
    let convention = *conventions
        .iter()
        .min_by(|a, b| law(a).total_cmp(&law(b)))
        .unwrap_or(&Convention::Service);
    let model = DcModel::new(network, convention)?;
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
    let data = DcData::base(network);
    let certificate = Certificate::of_claim(&model, &data, &claim);
    let law_mw = law(&convention) * base;
    let holds = certificate.holds() && law_mw <= SAME * base.max(1.0);
    let message = format!(
        "This result was computed by {}, not here. Checked without solving: nodal balances hold to {} MW, flows follow the angles to {} MW, limits are kept to {} MW, the duality gap is {} $/h; {}.",
        columns.producer.as_deref().unwrap_or("a program that the module does not name"),
        told(certificate.primal_residual_mw),
        told(law_mw),
        told(certificate.worst_violation_mw),
        told(certificate.duality_gap_usd_per_h.abs()),
        if holds { "it is an optimum" } else { "it is not an optimum to a relative 0.000001" }
    );
    let active_buses = || (0..network.buses.len()).filter(|&b| model.bus_is_active(b));
    let active_branches = (0..network.branches.len()).filter(|&b| model.branch_is_active(b));
    let running = network.generators.iter().enumerate();
    let published = Published {
        prices: active_buses()
            .map(|b| bus_value(network, b, columns.price[b]))
            .collect(),
        va: active_buses().map(|b| bus_value(network, b, theta[b])).collect(),
        flows: active_branches
            .map(|b| c::BranchFlow {
                branch: network.branches[b].id,
                mw: plain(columns.flow_mw[b]),
                loading: flow[b].abs() / data.rating[b],
                shadow: shadow[b].abs() / base,
            })
            .collect(),
        dispatch: running
            .filter(|(_, g)| g.in_service && model.bus_is_active(g.bus))
            .map(|(k, g)| c::GeneratorDispatch {
                gen: g.id,
                bus: network.buses[g.bus].id,
                mw: plain(columns.dispatch_mw[k]),
            })
            .collect(),
    };
    Ok(published.into_solution(About {
        case: network.name.clone(),
        status: if holds {
            c::SolveStatus::Optimal
        } else {
            c::SolveStatus::Feasible
        },
        dc_convention: convert::convention_id(&model),
        objective: columns.objective,
        certificate: convert::certificate(&certificate),
        diagnostics: vec![c::Diagnostic {
            code: "SOLUTION.OTHER_PRODUCER".into(),
            message,
            element: None,
            element_name: None,
        }],
    }))
}

/// A residual in a sentence: small ones as zero with nine decimals would hide nothing worth telling.
fn told(x: f64) -> String {
    if x == 0.0 || x >= 1e-3 {
        format!("{x:.3}")
    } else {
        format!("{x:.1e}")
    }
}

/// Largest difference of a flow and what the angles at its ends drive, per unit.
fn flow_law(network: &AnalysisNetwork, convention: Convention, theta: &[f64], flow: &[f64]) -> f64 {
    let rows = network.branches.iter().zip(flow);
    rows.filter(|(b, _)| b.in_service && b.x_pu != 0.0)
        .fold(0.0, |worst, (b, flow)| {
            let (r, x) = (b.r_pu, b.x_pu);
            let susceptance = match convention {
                Convention::Matpower => 1.0 / (x * b.tap),
                _ => x / (r * r + x * x),
            };
            let shift = if convention == Convention::PowerModels {
                0.0
            } else {
                b.shift_rad
            };
            let driven = susceptance * (theta[b.from] - theta[b.to] - shift);
            f64::max(worst, (driven - flow).abs())
        })
}
