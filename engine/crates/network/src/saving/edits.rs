//! Edits of demand, ratings, generators, branches, HVDC links and storage units: in the network that solvers use, and stored in the module of a
//! case for `Study.saveModule`.

use powerio::{BalancedNetwork, GenCost, Generator, Load, LoadVoltageModel, PioModule, PioValue};
use std::collections::BTreeMap;

use crate::analysis::{AnalysisNetwork, Branch, Bus};
use crate::element::ElementRef;
use crate::error::{EngineError, Result};
use crate::message::amounts::mw_exact;
use crate::saving::added::AddedElements;
use crate::saving::branch_values::{change_branch, BranchValues};
use crate::saving::link_values::{change_link, LinkValues};
use crate::saving::storage_values::{change_storage, StorageValues};
use crate::{assemble, message, module};

/// Edits by dense row of the analysis network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredEdits {
    /// Changes, MW and MVAr.
    pub demand_mw: BTreeMap<usize, f64>,
    pub demand_mvar: BTreeMap<usize, f64>,
    pub rating_mw: BTreeMap<usize, f64>,
    pub generators: BTreeMap<usize, GeneratorValues>,
    pub branches: BTreeMap<usize, BranchValues>,
    pub links: BTreeMap<usize, LinkValues>,
    pub storages: BTreeMap<usize, StorageValues>,
    /// Elements that the edits above may be of.
    pub added: AddedElements,
}

/// Values of a generator that replace those of the case: limits in MW, cost in $/MWh and its quadratic coefficient in
/// $/MW²h.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GeneratorValues {
    pub pmin_mw: Option<f64>,
    pub pmax_mw: Option<f64>,
    pub cost: Option<f64>,
    pub c2: Option<f64>,
    pub in_service: Option<bool>,
}

/// The module with the edits applied.
///
/// - Demand, active and reactive: the first in-service load at the bus absorbs the change, so that the bus has its base
///   demand plus the change; a bus without a load gets one.
/// - Rating: `rate_a` becomes the base rating plus the change, even if that base was the fallback rating.
/// - Generator: the values themselves; a cost becomes a polynomial of degree 1, or 2 with a quadratic coefficient.
/// - Branch: the values themselves; a change of the rating counts from a rating that is set here.
/// - Link: the values themselves; a cost becomes a polynomial of degree 1.
/// - Storage unit: the values themselves.
/// - Added elements: rows behind those of the case.
///
/// Nothing else changes, and equal edits give equal text. Without edits, the result is the given text if this crate
/// wrote it.
///
/// # Errors
/// `EDIT.NOT_EDITABLE` for rows of three-winding transformers and lines without impedance and rating,
/// `RATE.NOT_POSITIVE`, `INPUT.NOT_FINITE`, `DELTA.UNKNOWN_BUS`, `RATE.UNKNOWN_BRANCH`, `GENERATOR.UNKNOWN`,
/// `BRANCH.UNKNOWN`, `LINK.UNKNOWN`, `STORAGE.UNKNOWN` for unknown rows, and the errors of [`crate::network_from_module`].
pub fn materialize_module(module_json: &str, edits: &StoredEdits) -> Result<String> {
    let mut parsed = module::open(module_json)?;
    let mut base = assemble::analysis_network(&parsed)?;
    let rows = ModuleRows::of(&base);
    if !edits.added.is_empty() {
        edits.added.append(network_of(&mut parsed)?, &base);
        base.add(&edits.added);
    }
    for (&row, values) in &edits.branches {
        if rows.branch(row).is_none() || row >= base.branches.len() {
            let message = message!("edit.unknown_branch", key = (row + 1).to_string());
            return Err(EngineError::new("BRANCH.UNKNOWN", message));
        }
        base.set_branch(row, values);
    }
    let demand = checked(&edits.demand_mw, |row| editable_bus(&base, row))?;
    let reactive = checked(&edits.demand_mvar, |row| editable_bus(&base, row))?;
    let rating = checked(&edits.rating_mw, |row| editable_branch(&base, row))?;
    let net = network_of(&mut parsed)?;
    if !demand.is_empty() || !reactive.is_empty() {
        for (bus, mw) in demand {
            change_demand(net.loads_mut(), bus, [mw, 0.0]);
        }
        for (bus, mvar) in reactive {
            change_demand(net.loads_mut(), bus, [0.0, mvar]);
        }
        // The parser assigns the uid of a new load.
        net.assign_missing_component_ids();
    }
    for (&row, values) in &edits.branches {
        if let Some(row) = rows.branch(row) {
            change_branch(&mut net.branches_mut()[row], values);
        }
    }
    for (branch, mw) in rating {
        let rate_a = branch.rating_pu * base.base_mva + mw;
        if rate_a <= 0.0 {
            let element = ElementRef::from(branch);
            let rating = mw_exact(branch.rating_pu * base.base_mva);
            let message = message!(
                "edit.rating_not_positive",
                branch = &element,
                rating = rating,
                change = mw_exact(mw)
            );
            return Err(EngineError::new("RATE.NOT_POSITIVE", message).at(element));
        }
        if let Some(row) = rows.branch(branch.id as usize - 1) {
            net.branches_mut()[row].rate_a = rate_a;
        }
    }
    for (&row, values) in &edits.generators {
        let unknown = || {
            EngineError::new(
                "GENERATOR.UNKNOWN",
                message!("edit.unknown_generator", key = (row + 1).to_string()),
            )
        };
        change_generator(net.generators_mut().get_mut(row).ok_or_else(unknown)?, values);
    }
    let links: Vec<usize> = assemble::links::rows(net).collect();
    for (&row, values) in &edits.links {
        let unknown = || {
            let message = message!("edit.unknown_link", key = (row + 1).to_string());
            EngineError::new("LINK.UNKNOWN", message)
        };
        change_link(&mut net.hvdc_mut()[*links.get(row).ok_or_else(unknown)?], values);
    }
    let sign = assemble::storages::sign(net.source_format());
    for (&row, values) in &edits.storages {
        let unknown = || {
            let message = message!("edit.unknown_storage", key = (row + 1).to_string());
            EngineError::new("STORAGE.UNKNOWN", message)
        };
        change_storage(net.storage_mut().get_mut(row).ok_or_else(unknown)?, values, sign);
    }
    module::write(&parsed)
}

/// Where the branches of a network stand in its module.
struct ModuleRows {
    canonical: usize,
    all: usize,
}

impl ModuleRows {
    fn of(network: &AnalysisNetwork) -> Self {
        Self {
            canonical: network.n_canonical_branches,
            all: network.branches.len(),
        }
    }

    /// `None` for the rows of three-winding transformers. Added branches follow these in the network and the canonical rows in the
    /// module.
    fn branch(&self, row: usize) -> Option<usize> {
        match row.checked_sub(self.all) {
            Some(added) => Some(self.canonical + added),
            None => (row < self.canonical).then_some(row),
        }
    }
}

fn network_of(parsed: &mut PioModule<PioValue>) -> Result<&mut BalancedNetwork> {
    match parsed.value_mut() {
        PioValue::BalancedNetwork(net) => Ok(net),
        _ => Err(EngineError::new("MODULE.KIND", message!("module.holds_no_network"))),
    }
}

/// Rows and nonzero changes.
fn checked<'a, T>(
    changes: &BTreeMap<usize, f64>,
    row: impl Fn(usize) -> Result<(&'a T, ElementRef)>,
) -> Result<Vec<(&'a T, f64)>> {
    let mut out = Vec::new();
    for (&at, &mw) in changes {
        let (row, element) = row(at)?;
        if !mw.is_finite() {
            return Err(
                EngineError::new("INPUT.NOT_FINITE", message!("edit.not_finite", element = &element)).at(element),
            );
        }
        if mw != 0.0 {
            out.push((row, mw));
        }
    }
    Ok(out)
}

fn editable_bus(base: &AnalysisNetwork, row: usize) -> Result<(&Bus, ElementRef)> {
    let unknown = || EngineError::new("DELTA.UNKNOWN_BUS", message!("edit.no_bus_row", row = row));
    let bus = base.buses.get(row).ok_or_else(unknown)?;
    let element = ElementRef::from(bus);
    if bus.editable {
        return Ok((bus, element));
    }
    Err(lowered(element))
}

fn editable_branch(base: &AnalysisNetwork, row: usize) -> Result<(&Branch, ElementRef)> {
    let unknown = || EngineError::new("RATE.UNKNOWN_BRANCH", message!("edit.no_branch_row", row = row));
    let branch = base.branches.get(row).ok_or_else(unknown)?;
    let element = ElementRef::from(branch);
    if !branch.editable {
        return Err(lowered(element));
    }
    if !branch.is_rated() {
        let message = message!("edit.no_rating", branch = &element);
        return Err(EngineError::new("EDIT.NOT_EDITABLE", message).at(element));
    }
    Ok((branch, element))
}

fn lowered(element: ElementRef) -> EngineError {
    let message = message!("edit.three_windings", element = &element);
    EngineError::new("EDIT.NOT_EDITABLE", message).at(element)
}

fn change_generator(generator: &mut Generator, values: &GeneratorValues) {
    generator.pmin = values.pmin_mw.unwrap_or(generator.pmin);
    generator.pmax = values.pmax_mw.unwrap_or(generator.pmax);
    generator.in_service = values.in_service.unwrap_or(generator.in_service);
    if let Some(cost) = values.cost {
        let coefficients = match values.c2 {
            Some(c2) if c2 != 0.0 => vec![c2, cost, 0.0],
            _ => vec![cost, 0.0],
        };
        generator.cost = Some(GenCost::new(2, 0.0, 0.0, coefficients));
    }
}

fn change_demand(loads: &mut Vec<Load>, bus: &Bus, [mw, mvar]: [f64; 2]) {
    let at = |l: &&mut Load| l.bus.0 as u64 == bus.id && l.in_service;
    let Some(load) = loads.iter_mut().find(at) else {
        // Bus numbers fit in 32 bits (`buses::read`).
        loads.push(Load::new(powerio::BusId(bus.id as usize), mw, mvar));
        return;
    };
    load.p += mw;
    load.q += mvar;
    // The parts of a voltage-dependent load sum to its power.
    match &mut load.voltage_model {
        Some(LoadVoltageModel::Zip {
            p_constant_power,
            q_constant_power,
            ..
        }) => {
            *p_constant_power += mw;
            *q_constant_power += mvar;
        }
        Some(LoadVoltageModel::Exponential { p, q, .. }) => {
            *p += mw;
            *q += mvar;
        }
        _ => {}
    }
}
