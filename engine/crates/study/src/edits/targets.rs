//! The element that is edited, moved or differentiated by.

use super::Edits;
use crate::case::Case;
use crate::contract::{BranchValue, ElementKey, GeneratorValue, InterfaceLimit, InterfaceValue, SensTarget};
use wattbook_network::analysis::{Branch, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::{mw_exact, plain};
use wattbook_network::message::Value;
use wattbook_network::union_find::components;
use wattbook_solve::vocabulary::Parameter;

/// An element that is edited, moved or differentiated by: its dense row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The demand of a bus.
    Demand(usize),
    /// The rating of a branch.
    Rating(usize),
}

/// What a column is by: an edit that can be followed, a value of a generator or a link, the phase shift of a branch, or a
/// limit of an interface, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnTarget {
    Edit(Target),
    Generator(usize, GeneratorValue),
    Link(usize, GeneratorValue),
    Shift(usize),
    Interface(usize, InterfaceValue),
}

impl Target {
    /// The bus or the branch.
    pub fn element(self, case: &Case) -> ElementRef {
        match self {
            Self::Demand(row) => ElementRef::from(&case.network.buses[row]),
            Self::Rating(row) => ElementRef::from(&case.network.branches[row]),
        }
    }

    /// As the solvers name it.
    pub fn parameter(self) -> Parameter {
        match self {
            Self::Demand(row) => Parameter::Demand(row),
            Self::Rating(row) => Parameter::Rating(row),
        }
    }
}

/// Degrees to three decimals.
pub(crate) fn degrees(value: f64) -> Value {
    plain((value * 1e3).round() / 1e3, "degrees")
}

impl ColumnTarget {
    pub fn element(self, case: &Case, parts: &dyn Parts) -> ElementRef {
        match self {
            Self::Edit(target) => target.element(case),
            Self::Generator(row, _) => ElementRef::from(&case.network.generators[row]),
            Self::Link(row, _) => ElementRef::from(&case.network.links[row]),
            Self::Shift(row) => ElementRef::from(&case.network.branches[row]),
            Self::Interface(i, _) => {
                let name = parts.interfaces().get(i).map(|limit| limit.name.clone());
                ElementRef::interface(i, name.unwrap_or_default())
            }
        }
    }

    /// One unit of the solvers in the unit of the target: MW, $/MWh or degrees.
    pub fn step(self, base_mva: f64) -> f64 {
        match self {
            Self::Generator(_, GeneratorValue::Cost) | Self::Link(_, GeneratorValue::Cost) => 1.0 / base_mva,
            Self::Edit(_) | Self::Generator(..) | Self::Link(..) | Self::Interface(..) => base_mva,
            Self::Shift(_) => 1.0f64.to_degrees(),
        }
    }

    /// A position on the axis of the target, as messages state it.
    pub fn position(self, value: f64) -> Value {
        match self {
            Self::Shift(_) => degrees(value),
            Self::Edit(_) | Self::Generator(..) | Self::Link(..) | Self::Interface(..) => mw_exact(value),
        }
    }
}

/// Which elements take part in a problem.
pub(crate) trait Parts {
    /// The interfaces whose flow the problem limits.
    fn interfaces(&self) -> &[InterfaceLimit] {
        &[]
    }

    fn bus_takes_part(&self, row: usize) -> bool;
    fn branch_takes_part(&self, row: usize) -> bool;
}

/// Whether a target may be edited.
///
/// Errors: `EDIT.NOT_EDITABLE`.
pub(crate) fn check_editable(case: &Case, target: Target) -> Result<()> {
    let is_editable = match target {
        Target::Demand(row) => case.network.buses[row].editable,
        Target::Rating(row) => case.network.branches[row].editable,
    };
    match target {
        _ if !is_editable => Err(not_editable(target.element(case))),
        Target::Rating(row) if !case.network.branches[row].is_rated() => Err(not_rated(&case.network.branches[row])),
        _ => Ok(()),
    }
}

impl Edits {
    /// Whether every edited element takes part, or is a bus without demand that these edits leave without a generator.
    ///
    /// Errors: `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`, `SOLVE.INFEASIBLE` where a bus has demand and these edits leave it without
    /// a generator.
    pub fn check_parts(&self, case: &Case, parts: &dyn Parts) -> Result<()> {
        let buses = self.demand.keys().chain(self.reactive.keys());
        for &row in buses.filter(|row| !parts.bus_takes_part(**row)) {
            match self.unit_lost(case, row) {
                Some(unit) => self.check_no_demand(case, row, unit)?,
                None => return Err(isolated(ElementRef::from(&case.network.buses[row]))),
            }
        }
        // The change of a rating stays while these edits keep the branch out of service, so that it applies again afterwards.
        let is_opened = |row: &usize| {
            self.network
                .branches
                .get(row)
                .is_some_and(|edit| edit.status == Some(false))
        };
        let mut ratings = self.rating.keys().filter(|row| !is_opened(row));
        ratings.try_for_each(|&row| check_part(case, parts, Target::Rating(row)))
    }

    /// A generator that these edits take out of service, in the island of a bus.
    fn unit_lost(&self, case: &Case, bus: usize) -> Option<usize> {
        let network = &case.original().network;
        let is_lost = |row: &usize| {
            let is_off = self
                .network
                .generators
                .get(row)
                .is_some_and(|edit| edit.status == Some(false));
            is_off && network.generators[*row].in_service
        };
        let mut lost = self.network.generators.keys().copied().filter(is_lost).peekable();
        if !network.buses[bus].in_service || lost.peek().is_none() {
            return None;
        }
        let branches = network.branches.iter().filter(|b| b.in_service);
        let island = components(network.buses.len(), branches.map(|b| (b.from, b.to)));
        lost.find(|&row| island[network.generators[row].bus] == island[bus])
    }

    /// Errors: `SOLVE.INFEASIBLE`, `DELTA.NEGATIVE_DEMAND`.
    fn check_no_demand(&self, case: &Case, bus: usize, unit: usize) -> Result<()> {
        let row = &case.network.buses[bus];
        let edited = |values: Vec<(usize, f64)>, base: f64| {
            let own = values.into_iter().find(|(edited, _)| *edited == bus);
            own.map_or(base, |(_, value)| value)
        };
        let demand = edited(self.demand_pu(case)?, row.demand_pu);
        if demand == 0.0 && edited(self.reactive_pu(case), row.demand_q_pu) == 0.0 {
            return Ok(());
        }
        let (bus, generator) = (ElementRef::from(row), ElementRef::from(&case.network.generators[unit]));
        let message = message!("edit.no_supply", generator = &generator, bus = &bus);
        Err(EngineError::new("SOLVE.INFEASIBLE", message).at(bus))
    }
}

/// Whether a target takes part, a rating also whether there is one.
///
/// Errors: `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`, `EDIT.NOT_EDITABLE`.
fn check_part(case: &Case, parts: &dyn Parts, target: Target) -> Result<()> {
    match target {
        Target::Demand(row) if !parts.bus_takes_part(row) => Err(isolated(ElementRef::from(&case.network.buses[row]))),
        Target::Rating(row) if !parts.branch_takes_part(row) => {
            Err(out_of_service(ElementRef::from(&case.network.branches[row])))
        }
        Target::Rating(row) if !case.network.branches[row].is_rated() => Err(not_rated(&case.network.branches[row])),
        _ => Ok(()),
    }
}

/// Whether what a column is by takes part.
///
/// Errors: `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`, `GENERATOR.OUT_OF_SERVICE`, `LINK.OUT_OF_SERVICE`, `EDIT.NOT_EDITABLE`.
pub(crate) fn check_column(case: &Case, parts: &dyn Parts, target: ColumnTarget) -> Result<()> {
    let row = match target {
        ColumnTarget::Edit(target) => return check_part(case, parts, target),
        ColumnTarget::Generator(row, _) => row,
        ColumnTarget::Link(row, _) => return check_link(case, parts, row),
        ColumnTarget::Shift(row) => return check_shift(case, parts, row),
        ColumnTarget::Interface(..) => return Ok(()),
    };
    let unit = &case.network.generators[row];
    if unit.in_service && parts.bus_takes_part(unit.bus) {
        return Ok(());
    }
    let element = ElementRef::from(unit);
    let message = message!("edit.generator_out_of_service", generator = &element);
    Err(EngineError::new("GENERATOR.OUT_OF_SERVICE", message).at(element))
}

/// Errors: `LINK.OUT_OF_SERVICE`.
fn check_link(case: &Case, parts: &dyn Parts, row: usize) -> Result<()> {
    let link = &case.network.links[row];
    if link.in_service && parts.bus_takes_part(link.from) && parts.bus_takes_part(link.to) {
        return Ok(());
    }
    let element = ElementRef::from(link);
    let message = message!("edit.link_out_of_service", link = &element);
    Err(EngineError::new("LINK.OUT_OF_SERVICE", message).at(element))
}

/// Errors: `RATE.OUT_OF_SERVICE`, `EDIT.NOT_EDITABLE`.
fn check_shift(case: &Case, parts: &dyn Parts, row: usize) -> Result<()> {
    let branch = &case.network.branches[row];
    let element = ElementRef::from(branch);
    if !parts.branch_takes_part(row) {
        return Err(out_of_service(element));
    }
    if !branch.editable {
        return Err(not_editable(element));
    }
    if branch.is_zero_impedance() {
        let message = message!("edit.no_shift", branch = &element);
        return Err(EngineError::new("EDIT.NOT_EDITABLE", message).at(element));
    }
    Ok(())
}

pub(super) fn isolated(bus: ElementRef) -> EngineError {
    let message = message!("edit.bus_isolated", bus = &bus);
    EngineError::new("DELTA.ISOLATED_BUS", message).at(bus)
}

pub(super) fn not_editable(element: ElementRef) -> EngineError {
    let message = message!("edit.three_windings", element = &element);
    EngineError::new("EDIT.NOT_EDITABLE", message).at(element)
}

pub(super) fn not_rated(row: &Branch) -> EngineError {
    let branch = ElementRef::from(row);
    let message = match row.is_zero_impedance() {
        true => message!("edit.no_rating", branch = &branch),
        false => message!("edit.no_assumed_rating", branch = &branch),
    };
    EngineError::new("EDIT.NOT_EDITABLE", message).at(branch)
}

pub(super) fn out_of_service(branch: ElementRef) -> EngineError {
    let message = message!("edit.branch_out_of_service", branch = &branch);
    EngineError::new("RATE.OUT_OF_SERVICE", message).at(branch)
}

/// Dense row of a bus or a branch.
///
/// Errors: `BUS.UNKNOWN`, `BUS.AMBIGUOUS`, `BRANCH.UNKNOWN`, `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`, `INPUT.REQUEST` for a generator or a link.
pub(crate) fn target(case: &Case, parts: &dyn Parts, requested: &SensTarget) -> Result<Target> {
    match column_target(case, parts, requested)? {
        ColumnTarget::Edit(target) => Ok(target),
        ColumnTarget::Shift(row) => {
            let element = ElementRef::from(&case.network.branches[row]);
            let message = message!("request.shift_target", branch = &element);
            Err(EngineError::new("INPUT.REQUEST", message).at(element))
        }
        ColumnTarget::Generator(row, _) => {
            let element = ElementRef::from(&case.network.generators[row]);
            let message = message!("request.generator_target", generator = &element);
            Err(EngineError::new("INPUT.REQUEST", message).at(element))
        }
        ColumnTarget::Link(row, _) => {
            let element = ElementRef::from(&case.network.links[row]);
            let message = message!("request.link_target", link = &element);
            Err(EngineError::new("INPUT.REQUEST", message).at(element))
        }
        found @ ColumnTarget::Interface(..) => {
            let element = found.element(case, parts);
            let message = message!("request.interface_target", interface = &element);
            Err(EngineError::new("INPUT.REQUEST", message).at(element))
        }
    }
}

/// An id or a uid as a text.
pub(crate) fn text(key: &ElementKey) -> String {
    match key {
        ElementKey::Id(id) => id.to_string(),
        ElementKey::Key(key) => key.clone(),
    }
}

/// Dense row of a branch.
///
/// Errors: `BRANCH.UNKNOWN`.
pub(crate) fn branch_row(case: &Case, key: &ElementKey) -> Result<usize> {
    let key = text(key);
    let row = case.keys.branch(&key);
    row.ok_or_else(|| EngineError::new("BRANCH.UNKNOWN", message!("edit.unknown_branch", key = key)))
}

/// Dense row of a generator.
///
/// Errors: `GENERATOR.UNKNOWN`.
pub(crate) fn generator_row(case: &Case, key: &ElementKey) -> Result<usize> {
    let key = text(key);
    let row = case.keys.generator(&key);
    row.ok_or_else(|| EngineError::new("GENERATOR.UNKNOWN", message!("edit.unknown_generator", key = key)))
}

/// Dense row of a sensitivity target. A generator or link that is out of service is found too: [`check_column`] refuses it.
///
/// Errors: `BUS.UNKNOWN`, `BUS.AMBIGUOUS`, `BRANCH.UNKNOWN`, `GENERATOR.UNKNOWN`, `LINK.UNKNOWN`, `DELTA.ISOLATED_BUS`,
/// `RATE.OUT_OF_SERVICE`.
pub(crate) fn column_target(case: &Case, parts: &dyn Parts, target: &SensTarget) -> Result<ColumnTarget> {
    match target {
        SensTarget::Bus { bus } => {
            let row = case.bus_row(&text(bus), "BUS.UNKNOWN")?;
            if !parts.bus_takes_part(row) {
                let element = ElementRef::from(&case.network.buses[row]);
                let message = message!("edit.bus_without_price", bus = &element);
                return Err(EngineError::new("DELTA.ISOLATED_BUS", message).at(element));
            }
            Ok(ColumnTarget::Edit(Target::Demand(row)))
        }
        SensTarget::Branch { branch, value } => {
            let row = branch_row(case, branch)?;
            if !parts.branch_takes_part(row) {
                return Err(out_of_service(ElementRef::from(&case.network.branches[row])));
            }
            Ok(match value.unwrap_or_default() {
                BranchValue::Rating => ColumnTarget::Edit(Target::Rating(row)),
                BranchValue::Shift => ColumnTarget::Shift(row),
            })
        }
        SensTarget::Generator { generator, value } => {
            let row = generator_row(case, generator)?;
            Ok(ColumnTarget::Generator(row, value.unwrap_or_default()))
        }
        SensTarget::Link { link, value } => {
            let key = text(link);
            let row = case
                .keys
                .link(&key)
                .ok_or_else(|| EngineError::new("LINK.UNKNOWN", message!("edit.unknown_link", key = key)))?;
            Ok(ColumnTarget::Link(row, value.unwrap_or_default()))
        }
        SensTarget::Interface { interface, value } => interface_target(parts, interface, value.unwrap_or_default()),
    }
}

/// Errors: `INPUT.REQUEST` for an interface that is not limited, or not in this direction.
fn interface_target(parts: &dyn Parts, name: &str, value: InterfaceValue) -> Result<ColumnTarget> {
    let refused = |message| Err(EngineError::new("INPUT.REQUEST", message));
    let Some(i) = parts.interfaces().iter().position(|limit| limit.name == name) else {
        return refused(message!("request.unknown_interface", name = name));
    };
    let limit = &parts.interfaces()[i];
    match (value, limit.min_mw, limit.max_mw) {
        (InterfaceValue::MaxMw, _, None) => refused(message!("request.no_upper_limit", name = name)),
        (InterfaceValue::MinMw, None, _) => refused(message!("request.no_lower_limit", name = name)),
        _ => Ok(ColumnTarget::Interface(i, value)),
    }
}
