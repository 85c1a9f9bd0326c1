//! Edits: demand and rating deltas by element key, checked, and what they make of the base case.

use crate::case::Case;
use crate::contract::{self as c, ElementKey, SensTarget};
use crate::convert::{branch_ref, bus_ref};
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::{mw_exact, power_of_ten};
use wattbook_network::message::{Message, Value};
use wattbook_solve::vocabulary::Parameter;

/// An element that is edited, moved or differentiated by: its dense row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The demand of a bus.
    Demand(usize),
    /// The rating of a branch.
    Rating(usize),
}

impl Target {
    /// As the solvers name it.
    pub fn parameter(self) -> Parameter {
        match self {
            Self::Demand(row) => Parameter::Demand(row),
            Self::Rating(row) => Parameter::Rating(row),
        }
    }
}

/// Which elements take part in a problem.
pub(crate) trait Parts {
    fn bus_takes_part(&self, row: usize) -> bool;
    fn branch_takes_part(&self, row: usize) -> bool;
}

/// Absolute edits from the base case in MW by dense row; zero entries dropped, both spellings of one element added up.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edits {
    pub demand: BTreeMap<usize, f64>,
    pub rating: BTreeMap<usize, f64>,
    /// Reactive demand of its own, MVAr from the base case; see [`Edits::reactive_pu`] for all others. A zero is kept: that
    /// demand stays.
    pub reactive: BTreeMap<usize, f64>,
}

impl Edits {
    /// Resolves keys.
    ///
    /// Errors: `DELTA.MALFORMED`, `DELTA.UNKNOWN_BUS`, `DELTA.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`, `RATE.MALFORMED`,
    /// `RATE.UNKNOWN_BRANCH`, `RATE.OUT_OF_SERVICE`.
    pub fn resolve(case: &Case, parts: &dyn Parts, wanted: &c::Edits) -> Result<Self> {
        let mut edits = Self::default();
        for (key, &mw) in &wanted.deltas {
            let bus = edited_bus(case, parts, key, &DEMAND, mw)?;
            *edits.demand.entry(bus).or_insert(0.0) += mw;
        }
        for (key, &mvar) in &wanted.reactive {
            let bus = edited_bus(case, parts, key, &REACTIVE_DEMAND, mvar)?;
            *edits.reactive.entry(bus).or_insert(0.0) += mvar;
        }
        for (key, &mw) in &wanted.rates {
            let branch = case
                .keys
                .branch(key)
                .ok_or_else(|| EngineError::new("RATE.UNKNOWN_BRANCH", message!("edit.unknown_branch", key = key)))?;
            let row = &case.network.branches[branch];
            let element = branch_ref(row);
            check_amount(&RATING, &element, mw)?;
            if !row.editable {
                return Err(not_editable(element));
            }
            if !parts.branch_takes_part(branch) {
                return Err(out_of_service(element));
            }
            *edits.rating.entry(branch).or_insert(0.0) += mw;
        }
        edits.demand.retain(|_, mw| *mw != 0.0);
        edits.rating.retain(|_, mw| *mw != 0.0);
        Ok(edits)
    }

    /// The base case.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Change of a target from the base case, MW.
    pub fn of(&self, target: Target) -> f64 {
        let found = match target {
            Target::Demand(row) => self.demand.get(&row),
            Target::Rating(row) => self.rating.get(&row),
        };
        found.copied().unwrap_or(0.0)
    }

    /// The same edits with another value for the target.
    pub fn moved(&self, target: Target, mw: f64) -> Self {
        let mut edits = self.clone();
        let (map, row) = match target {
            Target::Demand(row) => (&mut edits.demand, row),
            Target::Rating(row) => (&mut edits.rating, row),
        };
        map.remove(&row);
        if mw != 0.0 {
            map.insert(row, mw);
        }
        edits
    }

    /// Demand of the edited buses, per unit by dense row.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`.
    pub fn demand_pu(&self, case: &Case) -> Result<Vec<(usize, f64)>> {
        let network = &case.network;
        let edited = |(&bus, &mw): (&usize, &f64)| {
            let base = network.buses[bus].demand_pu;
            let demand = base + mw / network.base_mva;
            // A bus that already injects (negative demand) may go up, not further down.
            if demand < base.min(0.0) - 1e-12 {
                let element = bus_ref(&network.buses[bus]);
                let (demand, change) = (mw_exact(base * network.base_mva), mw_exact(mw));
                let said = message!("edit.negative_demand", bus = &element, demand = demand, change = change);
                return Err(EngineError::new("DELTA.NEGATIVE_DEMAND", said).at(element));
            }
            Ok((bus, demand))
        };
        self.demand.iter().map(edited).collect()
    }

    /// Rating of the edited branches, per unit by dense row.
    ///
    /// Errors: `RATE.NOT_POSITIVE`.
    pub fn rating_pu(&self, case: &Case) -> Result<Vec<(usize, f64)>> {
        let network = &case.network;
        let edited = |(&branch, &mw): (&usize, &f64)| {
            let base = network.branches[branch].rating_pu;
            let rating = base + mw / network.base_mva;
            if rating <= 0.0 {
                let element = branch_ref(&network.branches[branch]);
                let (rating, change) = (mw_exact(base * network.base_mva), mw_exact(mw));
                let said = message!(
                    "edit.rating_not_positive",
                    branch = &element,
                    rating = rating,
                    change = change
                );
                return Err(EngineError::new("RATE.NOT_POSITIVE", said).at(element));
            }
            Ok((branch, rating))
        };
        self.rating.iter().map(edited).collect()
    }

    /// Reactive demand of the edited buses, per unit by dense row: the bus's own change in MVAr where one is given. Otherwise the
    /// power factor stays, so that reactive demand moves in proportion to active demand; where there is no active demand, no
    /// power factor exists and reactive demand stays.
    pub fn reactive_pu(&self, case: &Case) -> Vec<(usize, f64)> {
        let buses = &case.network.buses;
        let changes = self.reactive_changes_pu(case).into_iter();
        changes.map(|(bus, q)| (bus, buses[bus].demand_q_pu + q)).collect()
    }

    /// What [`Edits::reactive_pu`] adds to the base case, MVAr by dense row.
    pub fn reactive_mvar(&self, case: &Case) -> BTreeMap<usize, f64> {
        let base = case.network.base_mva;
        let changes = self.reactive_changes_pu(case).into_iter();
        changes.map(|(bus, q)| (bus, q * base)).collect()
    }

    fn reactive_changes_pu(&self, case: &Case) -> BTreeMap<usize, f64> {
        let base = case.network.base_mva;
        let by_factor = self.demand.iter();
        let by_factor = by_factor.map(|(&bus, mw)| (bus, mw / base * self.reactive_per_active(case, bus)));
        let mut changes: BTreeMap<usize, f64> = by_factor.collect();
        changes.extend(self.reactive.iter().map(|(&bus, mvar)| (bus, mvar / base)));
        changes
    }

    /// What the reactive demand of a bus changes by while its active demand changes by one, by the same rule.
    pub fn reactive_per_active(&self, case: &Case, bus: usize) -> f64 {
        let row = &case.network.buses[bus];
        if self.reactive.contains_key(&bus) || row.demand_pu == 0.0 {
            0.0
        } else {
            row.demand_q_pu / row.demand_pu
        }
    }
}

fn edited_bus(case: &Case, parts: &dyn Parts, key: &str, what: &Edited, amount: f64) -> Result<usize> {
    let unknown = || EngineError::new("DELTA.UNKNOWN_BUS", message!("edit.unknown_bus", key = key));
    let bus = case.keys.bus(key).ok_or_else(unknown)?;
    let row = &case.network.buses[bus];
    let element = bus_ref(row);
    check_amount(what, &element, amount)?;
    if !row.editable {
        return Err(not_editable(element));
    }
    if !parts.bus_takes_part(bus) {
        let said = message!("edit.bus_isolated", bus = &element);
        return Err(EngineError::new("DELTA.ISOLATED_BUS", said).at(element));
    }
    Ok(bus)
}

/// The most MW that an edit or a demand may have: a million gigawatts, far beyond any grid and within what sums can tell apart.
const MOST_MW: f64 = 1e9;

/// What is said of an amount that is none.
struct Edited {
    code: &'static str,
    not_finite: fn(&ElementRef) -> Message,
    too_large: fn(&ElementRef, f64) -> Message,
}

const DEMAND: Edited = Edited {
    code: "DELTA.MALFORMED",
    not_finite: |bus| message!("edit.demand_not_finite", bus = bus),
    too_large: |bus, mw| {
        message!(
            "edit.demand_too_large",
            bus = bus,
            amount = large(mw),
            most = large(MOST_MW)
        )
    },
};

const REACTIVE_DEMAND: Edited = Edited {
    code: "DELTA.MALFORMED",
    not_finite: |bus| message!("edit.reactive_not_finite", bus = bus),
    too_large: |bus, mvar| {
        let (amount, most) = (power_of_ten(mvar, "MVAr"), power_of_ten(MOST_MW, "MVAr"));
        message!("edit.reactive_too_large", bus = bus, amount = amount, most = most)
    },
};

const RATING: Edited = Edited {
    code: "RATE.MALFORMED",
    not_finite: |branch| message!("edit.rating_not_finite", branch = branch),
    too_large: |branch, mw| {
        message!(
            "edit.rating_too_large",
            branch = branch,
            amount = large(mw),
            most = large(MOST_MW)
        )
    },
};

fn large(mw: f64) -> Value {
    power_of_ten(mw, "MW")
}

fn check_amount(what: &Edited, element: &ElementRef, amount: f64) -> Result<()> {
    let said = if !amount.is_finite() {
        (what.not_finite)(element)
    } else if amount.abs() > MOST_MW {
        (what.too_large)(element, amount)
    } else {
        return Ok(());
    };
    Err(EngineError::new(what.code, said).at(element.clone()))
}

/// Demand and shunts are amounts that sums can tell apart.
///
/// Errors: `PHYSICS.UNSUPPORTED`.
pub(crate) fn check_demand(network: &AnalysisNetwork) -> Result<()> {
    for bus in &network.buses {
        let mw = bus.demand_pu.abs().max(bus.gs_pu.abs()) * network.base_mva;
        if mw.is_nan() || mw > MOST_MW {
            let element = bus_ref(bus);
            let (amount, most) = (large(mw), large(MOST_MW));
            let said = message!("physics.demand_too_large", bus = &element, amount = amount, most = most);
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", said).at(element));
        }
    }
    Ok(())
}

/// Whether a target may be edited.
///
/// Errors: `EDIT.NOT_EDITABLE`.
pub(crate) fn check_editable(case: &Case, target: Target) -> Result<()> {
    match target {
        Target::Demand(row) if !case.network.buses[row].editable => {
            Err(not_editable(bus_ref(&case.network.buses[row])))
        }
        Target::Rating(row) if !case.network.branches[row].editable => {
            Err(not_editable(branch_ref(&case.network.branches[row])))
        }
        _ => Ok(()),
    }
}

fn not_editable(element: ElementRef) -> EngineError {
    let said = message!("edit.three_windings", element = &element);
    EngineError::new("EDIT.NOT_EDITABLE", said).at(element)
}

fn out_of_service(branch: ElementRef) -> EngineError {
    let said = message!("edit.branch_out_of_service", branch = &branch);
    EngineError::new("RATE.OUT_OF_SERVICE", said).at(branch)
}

/// Dense row of a sensitivity target.
///
/// Errors: `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`.
pub(crate) fn target(case: &Case, parts: &dyn Parts, target: &SensTarget) -> Result<Target> {
    let text = |key: &ElementKey| match key {
        ElementKey::Id(id) => id.to_string(),
        ElementKey::Key(key) => key.clone(),
    };
    match target {
        SensTarget::Bus { bus } => {
            let key = text(bus);
            let row = case
                .keys
                .bus(&key)
                .ok_or_else(|| EngineError::new("BUS.UNKNOWN", message!("edit.unknown_bus", key = key)))?;
            if !parts.bus_takes_part(row) {
                let element = bus_ref(&case.network.buses[row]);
                let said = message!("edit.bus_without_price", bus = &element);
                return Err(EngineError::new("DELTA.ISOLATED_BUS", said).at(element));
            }
            Ok(Target::Demand(row))
        }
        SensTarget::Branch { branch } => {
            let key = text(branch);
            let row = case
                .keys
                .branch(&key)
                .ok_or_else(|| EngineError::new("BRANCH.UNKNOWN", message!("edit.unknown_branch", key = key)))?;
            if !parts.branch_takes_part(row) {
                return Err(out_of_service(branch_ref(&case.network.branches[row])));
            }
            Ok(Target::Rating(row))
        }
    }
}

/// Rows whose edit differs: `(row, from, to)` in MW.
pub(crate) fn difference(to: &BTreeMap<usize, f64>, from: &BTreeMap<usize, f64>) -> Vec<(usize, f64, f64)> {
    let rows: std::collections::BTreeSet<usize> = to.keys().chain(from.keys()).copied().collect();
    rows.into_iter()
        .map(|row| {
            (
                row,
                from.get(&row).copied().unwrap_or(0.0),
                to.get(&row).copied().unwrap_or(0.0),
            )
        })
        .filter(|(_, from, to)| from != to)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE_BUS: &str = include_str!("../tests/three_bus.m");

    #[test]
    fn reactive_demand_keeps_the_power_factor_unless_it_has_a_change_of_its_own() {
        let text = THREE_BUS.replace("2 1 90 0 ", "2 1 90 30 ");
        let read = wattbook_network::ingest_case(text.as_bytes(), "matpower").expect("a good case");
        let case = Case::keep(read.network, read.sha256);
        let (base, bus) = (case.network.base_mva, &case.network.buses[1]);
        assert_eq!((bus.demand_pu, bus.demand_q_pu), (0.9, 0.3));
        let rows = |demand: &[(usize, f64)], reactive: &[(usize, f64)]| {
            let edits = Edits {
                demand: demand.iter().copied().collect(),
                reactive: reactive.iter().copied().collect(),
                ..Edits::default()
            };
            edits.reactive_pu(&case)
        };
        // A third more of both.
        let third = bus.demand_pu * base / 3.0;
        let [(1, grown)] = rows(&[(1, third)], &[])[..] else {
            panic!("one row")
        };
        assert!((grown - bus.demand_q_pu * 4.0 / 3.0).abs() < 1e-15);
        assert_eq!(rows(&[(1, third)], &[(1, 0.0)]), [(1, bus.demand_q_pu)]);
        assert_eq!(rows(&[(1, third)], &[(1, 6.0)]), [(1, bus.demand_q_pu + 6.0 / base)]);
        assert_eq!(rows(&[], &[(1, 6.0)]), [(1, bus.demand_q_pu + 6.0 / base)]);
        // Bus 1 has no demand, and therefore no power factor.
        assert_eq!(case.network.buses[0].demand_pu, 0.0);
        assert_eq!(rows(&[(0, 5.0)], &[]), [(0, case.network.buses[0].demand_q_pu)]);
    }
}
