//! Edits: changes of demand, ratings, generators, branches, HVDC links, storage units and limits of interfaces from the base case, and the
//! case that they make of it.

mod added;
mod amounts;
mod branches;
mod derived_case;
mod generators;
mod interfaces;
mod links;
mod resolving;
mod storages;
mod targets;
mod texts;

pub(crate) use added::resolve as resolve_added;
pub(crate) use amounts::{at_power_factor, check_demand};
pub(crate) use branches::{resolve as resolve_branches, BranchPreviews};
pub(crate) use derived_case::edited;
pub(crate) use generators::{is_moved, limits_cross, GeneratorChange};
pub(crate) use interfaces::{limited, unread as unread_interfaces};
pub(crate) use targets::{
    branch_row, check_column, check_editable, column_target, degrees, generator_row, target, text, ColumnTarget, Parts,
    Target,
};
pub use texts::EditsJson;

use crate::case::Case;
use crate::contract::{BranchEdit, GeneratorEdit, GeneratorValue, InterfaceEdits, LinkEdit, StorageEdit};
use amounts::{DEMAND, RATING};
use std::collections::BTreeMap;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::AddedElements;

/// Absolute edits from the base case in MW by dense row; zero entries dropped, both spellings of one element added up.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Edits {
    pub demand: BTreeMap<usize, f64>,
    pub rating: BTreeMap<usize, f64>,
    /// Explicit changes of reactive demand, MVAr from the base case; [`Edits::reactive_pu`] has those of all other buses.
    /// A zero is stored, because it holds the reactive demand of the case.
    pub reactive: BTreeMap<usize, f64>,
    pub network: NetworkEdits,
}

/// Elements added to the case, and values by dense row that replace those of the case. Values equal to those of the case
/// are absent. A network with other values is another problem of the same case.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NetworkEdits {
    pub added: AddedElements,
    pub generators: BTreeMap<usize, GeneratorEdit>,
    pub branches: BTreeMap<usize, BranchEdit>,
    pub links: BTreeMap<usize, LinkEdit>,
    pub storages: BTreeMap<usize, StorageEdit>,
    /// By name; limits equal to those of the options are absent.
    pub interfaces: InterfaceEdits,
}

impl NetworkEdits {
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.has_no_values() && self.interfaces.is_empty()
    }

    /// Whether all elements have the values of the case and the added elements.
    pub fn has_no_values(&self) -> bool {
        self.generators.is_empty() && self.branches.is_empty() && self.links.is_empty() && self.storages.is_empty()
    }

    /// Whether an element is added or put in or out of service.
    pub fn switches(&self) -> bool {
        !self.added.is_empty()
            || self.generators.values().any(|unit| unit.status.is_some())
            || self.branches.values().any(|branch| branch.status.is_some())
            || self.links.values().any(|link| link.status.is_some())
            || self.storages.values().any(|storage| storage.status.is_some())
    }
}

impl Edits {
    /// Whether demand and ratings are those of the base case, whatever the network.
    pub fn is_empty(&self) -> bool {
        self.demand.is_empty() && self.rating.is_empty() && self.reactive.is_empty()
    }

    /// The base case with the network of these edits, from which the states of one problem are stepped.
    pub fn base(&self) -> Self {
        Self {
            network: self.network.clone(),
            ..Self::default()
        }
    }

    /// Change of a target from the base case, MW.
    pub fn of(&self, target: Target) -> f64 {
        let found = match target {
            Target::Demand(row) => self.demand.get(&row),
            Target::Rating(row) => self.rating.get(&row),
        };
        found.copied().unwrap_or(0.0)
    }

    /// The same edits with another value for a limit of a generator, MW.
    pub fn with_limit(&self, row: usize, value: GeneratorValue, mw: f64) -> Self {
        let mut edits = self.clone();
        let edit = edits.network.generators.entry(row).or_default();
        match value {
            GeneratorValue::PMin => edit.p_min = Some(mw),
            GeneratorValue::PMax => edit.p_max = Some(mw),
            GeneratorValue::Cost => {}
        }
        edits
    }

    /// The same edits with another value for a limit of a link, MW; the limit that the link has in the case is no edit.
    pub fn with_link_limit(&self, case: &Case, row: usize, value: GeneratorValue, mw: f64) -> Self {
        let mut edits = self.clone();
        let (link, base) = (&case.original().network.links[row], case.network.base_mva);
        let mut edit = edits.network.links.remove(&row).unwrap_or_default();
        match value {
            GeneratorValue::PMin => edit.p_min = (mw / base != link.pmin_pu).then_some(mw),
            GeneratorValue::PMax => edit.p_max = (mw / base != link.pmax_pu).then_some(mw),
            GeneratorValue::Cost => {}
        }
        if edit != LinkEdit::default() {
            edits.network.links.insert(row, edit);
        }
        edits
    }

    /// The same edits with another phase shift of a branch, degrees; the shift that the branch has in the case is no edit.
    pub fn with_shift(&self, case: &Case, row: usize, degrees: f64) -> Self {
        let mut edits = self.clone();
        let mut edit = edits.network.branches.remove(&row).unwrap_or_default();
        let is_of_case = degrees.to_radians() == case.original().network.branches[row].shift_rad;
        edit.shift = (!is_of_case).then_some(degrees);
        if edit != BranchEdit::default() {
            edits.network.branches.insert(row, edit);
        }
        edits
    }

    /// The same edits with another value for the target.
    pub fn moved(&self, target: Target, mw: f64) -> Self {
        let mut edits = self.clone();
        edits.put(target, mw);
        edits
    }

    fn put(&mut self, target: Target, mw: f64) {
        let (map, row) = match target {
            Target::Demand(row) => (&mut self.demand, row),
            Target::Rating(row) => (&mut self.rating, row),
        };
        if mw != 0.0 {
            map.insert(row, mw);
        } else {
            map.remove(&row);
        }
    }

    /// Sets the change of a target, MW from the base case.
    ///
    /// Errors: `DELTA.MALFORMED`, `RATE.MALFORMED`.
    pub fn set(&mut self, case: &Case, target: Target, mw: f64) -> Result<()> {
        let what = match target {
            Target::Demand(_) => &DEMAND,
            Target::Rating(_) => &RATING,
        };
        what.check_of(|| target.element(case), mw)?;
        self.put(target, mw);
        Ok(())
    }

    /// Demand of the edited buses, per unit by dense row.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`.
    pub fn demand_pu(&self, case: &Case) -> Result<Vec<(usize, f64)>> {
        let network = &case.network;
        let edited = |(&bus, &mw): (&usize, &f64)| {
            let base = network.buses[bus].demand_pu;
            let demand = base + mw / network.base_mva;
            // Demand that is negative in the file is an injection, which may be of any size.
            if base >= 0.0 && demand < -1e-12 {
                let element = ElementRef::from(&network.buses[bus]);
                let (demand, change) = (mw_exact(base * network.base_mva), mw_exact(mw));
                let message = message!("edit.negative_demand", bus = &element, demand = demand, change = change);
                return Err(EngineError::new("DELTA.NEGATIVE_DEMAND", message).at(element));
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
                let element = ElementRef::from(&network.branches[branch]);
                let (rating, change) = (mw_exact(base * network.base_mva), mw_exact(mw));
                let message = message!(
                    "edit.rating_not_positive",
                    branch = &element,
                    rating = rating,
                    change = change
                );
                return Err(EngineError::new("RATE.NOT_POSITIVE", message).at(element));
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
        let by_factor = by_factor.map(|(&bus, mw)| (bus, self.reactive_with(case, bus, mw / base)));
        let mut changes: BTreeMap<usize, f64> = by_factor.collect();
        changes.extend(self.reactive.iter().map(|(&bus, mvar)| (bus, mvar / base)));
        changes
    }

    /// What the reactive demand of a bus changes by while its active demand changes by one, by the same rule.
    pub fn reactive_per_active(&self, case: &Case, bus: usize) -> f64 {
        self.reactive_with(case, bus, 1.0)
    }

    /// What the reactive demand of a bus changes by with a change of its active demand, in the unit of that.
    fn reactive_with(&self, case: &Case, bus: usize, active: f64) -> f64 {
        let row = &case.network.buses[bus];
        if self.reactive.contains_key(&bus) {
            return 0.0;
        }
        at_power_factor([row.demand_pu, row.demand_q_pu], active).unwrap_or(0.0)
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

    const THREE_BUS: &str = include_str!("../../tests/three_bus.m");

    #[test]
    fn reactive_demand_follows_the_power_factor_unless_edited_independently() {
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
