//! Edits: demand and rating deltas by element key, checked and applied to the base data.

use crate::contract::{DemandDeltas, ElementKey, RatingDeltas, SensTarget};
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_solve::dc::{DcData, DcModel, Target};

/// Finds dense rows by original id or uid.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    bus_ids: BTreeMap<u64, usize>,
    bus_uids: BTreeMap<String, usize>,
    n_branch: usize,
    branch_uids: BTreeMap<String, usize>,
}

impl Keys {
    pub fn new(network: &AnalysisNetwork) -> Self {
        let uids = |rows: &mut dyn Iterator<Item = Option<&String>>| {
            rows.enumerate()
                .filter_map(|(k, uid)| Some((uid?.clone(), k)))
                .collect()
        };
        Self {
            bus_ids: network.buses.iter().enumerate().map(|(k, b)| (b.id, k)).collect(),
            bus_uids: uids(&mut network.buses.iter().map(|b| b.uid.as_ref())),
            n_branch: network.branches.len(),
            branch_uids: uids(&mut network.branches.iter().map(|b| b.uid.as_ref())),
        }
    }

    pub fn bus(&self, key: &str) -> Option<usize> {
        match digits(key) {
            Some(id) => self.bus_ids.get(&id?).copied(),
            None => self.bus_uids.get(key).copied(),
        }
    }

    pub fn branch(&self, key: &str) -> Option<usize> {
        match digits(key) {
            Some(id) => usize::try_from(id?).ok()?.checked_sub(1).filter(|k| *k < self.n_branch),
            None => self.branch_uids.get(key).copied(),
        }
    }
}

/// `Some` where the key consists of digits: an original id (`None` inside where it does not fit).
fn digits(key: &str) -> Option<Option<u64>> {
    (!key.is_empty() && key.bytes().all(|b| b.is_ascii_digit())).then(|| key.parse().ok())
}

fn at(kind: ElementKind, id: u64) -> ElementRef {
    ElementRef { kind, id, uid: None }
}

/// Absolute edits from the base case in MW by dense row; zero entries dropped, both spellings of one element added up.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edits {
    pub demand: BTreeMap<usize, f64>,
    pub rating: BTreeMap<usize, f64>,
}

impl Edits {
    /// Resolves keys.
    ///
    /// Errors: `DELTA.MALFORMED`, `DELTA.UNKNOWN_BUS`, `DELTA.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`, `RATE.MALFORMED`,
    /// `RATE.UNKNOWN_BRANCH`, `RATE.OUT_OF_SERVICE`.
    pub fn resolve(
        network: &AnalysisNetwork,
        keys: &Keys,
        model: &DcModel,
        deltas: &DemandDeltas,
        rates: &RatingDeltas,
    ) -> Result<Self> {
        let mut edits = Self::default();
        for (key, &mw) in deltas {
            let bus = keys
                .bus(key)
                .ok_or_else(|| EngineError::new("DELTA.UNKNOWN_BUS", format!("There is no bus {key} in this case.")))?;
            let row = &network.buses[bus];
            check_amount("DELTA.MALFORMED", "demand change at bus", key, mw)
                .map_err(|e| e.at(at(ElementKind::Bus, row.id)))?;
            if !row.editable {
                return Err(not_editable("bus", key).at(at(ElementKind::Bus, row.id)));
            }
            if !model.bus_is_active(bus) {
                let message = format!("Bus {key} is isolated; its demand takes no part.");
                return Err(EngineError::new("DELTA.ISOLATED_BUS", message).at(at(ElementKind::Bus, row.id)));
            }
            *edits.demand.entry(bus).or_insert(0.0) += mw;
        }
        for (key, &mw) in rates {
            let branch = keys.branch(key).ok_or_else(|| {
                EngineError::new("RATE.UNKNOWN_BRANCH", format!("There is no branch {key} in this case."))
            })?;
            let row = &network.branches[branch];
            check_amount("RATE.MALFORMED", "rating change of branch", key, mw)
                .map_err(|e| e.at(at(ElementKind::Branch, row.id)))?;
            if !row.editable {
                return Err(not_editable("branch", key).at(at(ElementKind::Branch, row.id)));
            }
            if !model.branch_is_active(branch) {
                let message = format!("Branch {key} is out of service; its rating takes no part.");
                return Err(EngineError::new("RATE.OUT_OF_SERVICE", message).at(at(ElementKind::Branch, row.id)));
            }
            *edits.rating.entry(branch).or_insert(0.0) += mw;
        }
        edits.demand.retain(|_, mw| *mw != 0.0);
        edits.rating.retain(|_, mw| *mw != 0.0);
        Ok(edits)
    }

    /// The base data with these edits.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`, `RATE.NOT_POSITIVE`.
    pub fn apply(&self, network: &AnalysisNetwork, base: &DcData) -> Result<DcData> {
        let mut data = base.clone();
        for (&bus, &mw) in &self.demand {
            let demand = base.demand[bus] + mw / network.base_mva;
            // A bus that already injects (negative demand) may go up, not further down.
            if demand < base.demand[bus].min(0.0) - 1e-12 {
                let id = network.buses[bus].id;
                let message = format!(
                    "The demand at bus {id} is {}; a change of {} would make it negative.",
                    told(base.demand[bus] * network.base_mva),
                    told(mw)
                );
                return Err(EngineError::new("DELTA.NEGATIVE_DEMAND", message).at(at(ElementKind::Bus, id)));
            }
            data.demand[bus] = demand;
        }
        for (&branch, &mw) in &self.rating {
            let rating = base.rating[branch] + mw / network.base_mva;
            if rating <= 0.0 {
                let id = network.branches[branch].id;
                let message = format!(
                    "The rating of branch {id} is {}; a change of {} leaves none.",
                    told(base.rating[branch] * network.base_mva),
                    told(mw)
                );
                return Err(EngineError::new("RATE.NOT_POSITIVE", message).at(at(ElementKind::Branch, id)));
            }
            data.rating[branch] = rating;
        }
        Ok(data)
    }
}

/// The most MW that an edit or a demand may have: a million gigawatts, far beyond any grid and within what sums can tell apart.
pub(crate) const MOST_MW: f64 = 1e9;

fn check_amount(code: &'static str, what: &str, key: &str, mw: f64) -> Result<()> {
    let why = if !mw.is_finite() {
        "is not a finite number".into()
    } else if mw.abs() > MOST_MW {
        format!("is {mw:.1e} MW; at most {MOST_MW:.0e} MW can be asked for")
    } else {
        return Ok(());
    };
    Err(EngineError::new(code, format!("The {what} {key} {why}.")))
}

/// Demand and shunts are amounts that sums can tell apart.
///
/// Errors: `PHYSICS.UNSUPPORTED`.
pub(crate) fn check_demand(network: &AnalysisNetwork) -> Result<()> {
    for bus in &network.buses {
        let mw = bus.demand_pu.abs().max(bus.gs_pu.abs()) * network.base_mva;
        if mw.is_nan() || mw > MOST_MW {
            let message = format!(
                "Demand or shunt of bus {} is {mw:.1e} MW; at most {MOST_MW:.0e} MW can be solved.",
                bus.id
            );
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(at(ElementKind::Bus, bus.id)));
        }
    }
    Ok(())
}

/// MW with up to three decimals, short whatever they are.
fn told(mw: f64) -> String {
    if mw.abs() >= 1e7 {
        format!("{mw:.1e} MW")
    } else {
        format!("{mw:.3} MW")
    }
}

/// Whether a target may be edited.
///
/// Errors: `EDIT.NOT_EDITABLE`.
pub(crate) fn check_editable(network: &AnalysisNetwork, target: Target) -> Result<()> {
    match target {
        Target::Demand(row) if !network.buses[row].editable => {
            let id = network.buses[row].id;
            Err(not_editable("bus", &id.to_string()).at(at(ElementKind::Bus, id)))
        }
        Target::Rating(row) if !network.branches[row].editable => {
            let id = network.branches[row].id;
            Err(not_editable("branch", &id.to_string()).at(at(ElementKind::Branch, id)))
        }
        _ => Ok(()),
    }
}

fn not_editable(kind: &str, key: &str) -> EngineError {
    EngineError::new(
        "EDIT.NOT_EDITABLE",
        format!("The {kind} {key} stands for part of a three-winding transformer; edit the transformer's own rows."),
    )
}

/// Dense row of a sensitivity target.
///
/// Errors: `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`.
pub(crate) fn target(keys: &Keys, model: &DcModel, target: &SensTarget) -> Result<Target> {
    let text = |key: &ElementKey| match key {
        ElementKey::Id(id) => id.to_string(),
        ElementKey::Key(key) => key.clone(),
    };
    match target {
        SensTarget::Bus { bus } => {
            let key = text(bus);
            let row = keys
                .bus(&key)
                .ok_or_else(|| EngineError::new("BUS.UNKNOWN", format!("There is no bus {key} in this case.")))?;
            if !model.bus_is_active(row) {
                return Err(EngineError::new(
                    "DELTA.ISOLATED_BUS",
                    format!("Bus {key} is isolated; it has no price."),
                ));
            }
            Ok(Target::Demand(row))
        }
        SensTarget::Branch { branch } => {
            let key = text(branch);
            let row = keys
                .branch(&key)
                .ok_or_else(|| EngineError::new("BRANCH.UNKNOWN", format!("There is no branch {key} in this case.")))?;
            if !model.branch_is_active(row) {
                let message = format!("Branch {key} is out of service; its rating takes no part.");
                return Err(EngineError::new("RATE.OUT_OF_SERVICE", message));
            }
            Ok(Target::Rating(row))
        }
    }
}
