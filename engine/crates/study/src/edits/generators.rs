//! Edits of generators: limits, cost and status, in the network that a problem is of.

use super::amounts::{COST, GENERATOR_LIMIT};
use super::Edits;
use crate::case::Case;
use crate::contract::{self as c, GeneratorEdit};
use std::collections::{BTreeMap, BTreeSet};
use wattbook_network::analysis::{AnalysisNetwork, Cost, ElementRef, Generator};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::Message;
use wattbook_network::GeneratorValues;

/// Resolves keys of a case without edited values; edits without a value are left out.
///
/// Errors: `GENERATOR.UNKNOWN`, `GENERATOR.MALFORMED` also for one that is named twice, `GENERATOR.LIMITS`,
/// `GENERATOR.ISOLATED_BUS`.
pub(super) fn resolve(case: &Case, wanted: &c::GeneratorEdits) -> Result<BTreeMap<usize, GeneratorEdit>> {
    let network = &case.network;
    let mut edits = BTreeMap::new();
    for (key, edit) in wanted {
        let unknown = || EngineError::new("GENERATOR.UNKNOWN", message!("edit.unknown_generator", key = key));
        let row = case.keys.generator(key).ok_or_else(unknown)?;
        let unit = &network.generators[row];
        check(network, unit, edit)?;
        if edits.insert(row, edit.clone()).is_some() {
            let element = ElementRef::from(unit);
            let message = message!("edit.generator_twice", generator = &element);
            return Err(EngineError::new("GENERATOR.MALFORMED", message).at(element));
        }
    }
    edits.retain(|_, edit| *edit != GeneratorEdit::default());
    Ok(edits)
}

/// Errors: `GENERATOR.MALFORMED`, `GENERATOR.ISOLATED_BUS`, `GENERATOR.LIMITS`.
fn check(network: &AnalysisNetwork, unit: &Generator, edit: &GeneratorEdit) -> Result<()> {
    let element = ElementRef::from(unit);
    for limit in [edit.p_min, edit.p_max].into_iter().flatten() {
        GENERATOR_LIMIT.check(&element, limit)?;
    }
    if let Some(cost) = edit.cost {
        COST.check(&element, cost)?;
    }
    if let Some(c2) = edit.c2 {
        COST.check(&element, c2)?;
        if edit.cost.is_none() || c2 < 0.0 {
            let message = match edit.cost {
                None => message!("edit.c2_without_cost", generator = &element),
                Some(_) => message!("edit.cost_not_convex", generator = &element),
            };
            return Err(EngineError::new("GENERATOR.MALFORMED", message).at(element));
        }
    }
    let bus = &network.buses[unit.bus];
    if edit.status == Some(true) && !bus.in_service {
        let message = message!("edit.generator_isolated", generator = &element);
        return Err(EngineError::new("GENERATOR.ISOLATED_BUS", message).at(element));
    }
    let mut edited = unit.clone();
    put(&mut edited, edit, network.base_mva);
    if edited.in_service && edited.pmin_pu > edited.pmax_pu {
        let limits = [edited.pmin_pu, edited.pmax_pu];
        return Err(limits_cross(element, limits, network.base_mva));
    }
    Ok(())
}

/// The error of a lower limit of an output above the upper one, both per unit.
pub(crate) fn limits_cross(element: ElementRef, limits: [f64; 2], base_mva: f64) -> EngineError {
    let [minimum, maximum] = limits.map(|limit| mw_exact(limit * base_mva));
    let message = message!(
        "edit.generator_limits",
        generator = &element,
        minimum = minimum,
        maximum = maximum
    );
    EngineError::new("GENERATOR.LIMITS", message).at(element)
}

pub(super) fn put(unit: &mut Generator, edit: &GeneratorEdit, base_mva: f64) {
    unit.pmin_pu = edit.p_min.map_or(unit.pmin_pu, |limit| limit / base_mva);
    unit.pmax_pu = edit.p_max.map_or(unit.pmax_pu, |limit| limit / base_mva);
    unit.in_service = edit.status.unwrap_or(unit.in_service);
    if let Some(cost) = edit.cost {
        unit.cost = quadratic(cost, edit.c2.unwrap_or(0.0), base_mva);
    }
}

/// Whether an edit of a value of a generator moves what is there, so that a column by it can have an interval: an output may be without
/// a limit, and a cost that is a curve is replaced.
pub(crate) fn is_moved(unit: &Generator, value: c::GeneratorValue) -> bool {
    match value {
        c::GeneratorValue::PMin => unit.pmin_pu.is_finite(),
        c::GeneratorValue::PMax => unit.pmax_pu.is_finite(),
        c::GeneratorValue::Cost => matches!(unit.cost, Cost::Quadratic { c2: 0.0, .. }),
    }
}

/// The cost of an edit, $/MWh and $/MW²h, per unit.
fn quadratic(cost: f64, c2: f64, base_mva: f64) -> Cost {
    Cost::Quadratic {
        c2: c2 * base_mva * base_mva,
        c1: cost * base_mva,
        c0: 0.0,
    }
}

/// How a generator in service differs between two sets of edits: before and after, per unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeneratorChange {
    pub row: usize,
    pub p_min: [f64; 2],
    pub p_max: [f64; 2],
    /// Coefficients `[c2, c1, c0]` of the cost, $/h.
    pub cost: [[f64; 3]; 2],
}

impl GeneratorChange {
    /// The values that differ, with what they were and become: MW, or the marginal cost in $/MWh where it is one at every output.
    pub fn values(&self, base_mva: f64) -> Vec<[f64; 2]> {
        let limits = [self.p_min, self.p_max].map(|limit| limit.map(|pu| pu * base_mva));
        let cost = self.cost.map(|[_, c1, _]| c1 / base_mva);
        let differ = |&[from, to]: &[f64; 2]| from != to;
        limits.into_iter().chain([cost]).filter(differ).collect()
    }

    /// Change of the marginal cost at an output, $/h per unit.
    pub fn marginal_cost(&self, output: f64) -> f64 {
        let [before, after] = self.cost.map(|[c2, c1, _]| c1 + 2.0 * c2 * output);
        after - before
    }

    /// Change of the cost at an output, $/h.
    pub fn cost_at(&self, output: f64) -> f64 {
        let [before, after] = self.cost.map(|[c2, c1, c0]| (c2 * output + c1) * output + c0);
        after - before
    }

    /// Whether the cost ceases or begins to be a curve: the optimum is then not affine in the change.
    pub fn is_curved(&self) -> bool {
        self.cost[0][0] != self.cost[1][0]
    }
}

impl Edits {
    /// Whether the case can have the edit of a generator.
    ///
    /// Errors: `GENERATOR.MALFORMED`, `GENERATOR.ISOLATED_BUS`, `GENERATOR.LIMITS`.
    pub fn check_generator(&self, case: &Case, row: usize) -> Result<()> {
        let network = &case.original().network;
        match self.network.generators.get(&row) {
            Some(edit) => check(network, &network.generators[row], edit),
            None => Ok(()),
        }
    }

    /// How generators differ from those of another state, whose case is `case`; those out of service have no effect.
    ///
    /// Errors: `GENERATOR.NO_PREVIEW` for a change of status, of a piecewise-linear cost and of a limit that does not exist.
    pub fn generator_changes(&self, case: &Case, state: &Edits) -> Result<Vec<GeneratorChange>> {
        let rows: BTreeSet<usize> = self
            .network
            .generators
            .keys()
            .chain(state.network.generators.keys())
            .copied()
            .collect();
        let differing = rows.into_iter();
        let differing = differing.filter(|row| self.network.generators.get(row) != state.network.generators.get(row));
        let change = |row: usize| self.generator_change(case, row);
        differing.filter_map(|row| change(row).transpose()).collect()
    }

    fn generator_change(&self, case: &Case, row: usize) -> Result<Option<GeneratorChange>> {
        let network = &case.network;
        let (before, mut after) = (
            &network.generators[row],
            case.original().network.generators[row].clone(),
        );
        if let Some(edit) = self.network.generators.get(&row) {
            put(&mut after, edit, network.base_mva);
        }
        let refused = |message: fn(&ElementRef) -> Message| {
            let element = ElementRef::from(before);
            EngineError::new("GENERATOR.NO_PREVIEW", message(&element)).at(element)
        };
        if before.in_service != after.in_service {
            let message = |generator: &ElementRef| message!("edit.status_preview", generator = generator);
            return Err(refused(message));
        }
        let limits = [[before.pmin_pu, after.pmin_pu], [before.pmax_pu, after.pmax_pu]];
        if limits
            .iter()
            .any(|[from, to]| from != to && !(from.is_finite() && to.is_finite()))
        {
            let message = |generator: &ElementRef| message!("edit.unlimited_preview", generator = generator);
            return Err(refused(message));
        }
        let quadratic = |cost: &Cost| match *cost {
            Cost::Quadratic { c2, c1, c0 } => Some([c2, c1, c0]),
            Cost::PiecewiseLinear { .. } => None,
        };
        let cost = match (quadratic(&before.cost), quadratic(&after.cost)) {
            (Some(from), Some(to)) => [from, to],
            _ if before.cost == after.cost => [[0.0; 3]; 2],
            _ => {
                let message = |generator: &ElementRef| message!("edit.piecewise_preview", generator = generator);
                return Err(refused(message));
            }
        };
        let [p_min, p_max] = limits;
        Ok(before.in_service.then_some(GeneratorChange {
            row,
            p_min,
            p_max,
            cost,
        }))
    }

    /// Edits of generators by id.
    pub fn generators_by_id(&self, case: &Case) -> c::GeneratorEdits {
        let id = |row: usize| case.network.generators[row].id.to_string();
        let edits = self.network.generators.iter();
        edits.map(|(&row, edit)| (id(row), edit.clone())).collect()
    }
}

/// Values as they are stored in the module of the case.
pub(super) fn stored(edit: &GeneratorEdit) -> GeneratorValues {
    GeneratorValues {
        pmin_mw: edit.p_min,
        pmax_mw: edit.p_max,
        cost: edit.cost,
        c2: edit.c2,
        in_service: edit.status,
    }
}
