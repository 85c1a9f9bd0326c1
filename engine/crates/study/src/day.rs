//! Market days: many hours of a Study as one program.

use crate::case::Case;
use crate::contract as c;
use crate::edits::{self, text, Edits, Target};
use crate::job::{Finished, Job};
use crate::problem::work::{Adopted, DifferentiableDay};
use crate::problem::DayRequest;
use crate::results::Reply;
use crate::study::Study;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::Ramp;

/// Longest day, steps.
const MOST_STEPS: u32 = 10_000;

impl Job {
    /// The hours of a day as one program, from the committed state of a DC OPF: a `DayHead` and the columns of all steps. `values` has a
    /// step after the other, in the order of a [`c::DaySpec`]. If ended early, the day is solved to its end.
    ///
    /// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, the codes of targets and edits, `SOLVE.*`.
    pub fn day(study: &Study, spec_json: &str, values: &[f64]) -> Result<Self> {
        let spec: c::DaySpec = crate::json::from_json("day", spec_json)?;
        let state = Arc::clone(&study.current);
        let problem = state.problem();
        let request = requested(problem.case(), problem.parts(), state.edits(), &spec, values)?;
        state.day(request).map(Self::of)
    }
}

/// A solved day, for its derivatives.
#[derive(Clone, Debug)]
pub struct SolvedDay(Arc<dyn DifferentiableDay>);

impl SolvedDay {
    /// Derivatives of all prices and outputs by the demand of a bus (`SensTarget`) in a step, counted from 0: a `DaySensitivity` and the columns
    /// of all steps.
    ///
    /// Errors: `INPUT.REQUEST`, `BUS.UNKNOWN`, the codes of targets, `SENS.UNSUPPORTED` where the price is not unique.
    pub fn column(&self, target_json: &str, step: usize) -> Result<Reply> {
        let target: Option<c::SensTarget> = crate::json::from_json("target", target_json)?;
        let target = target.ok_or_else(|| refused(message!("request.day_bus")))?;
        self.0.column(&target, step)
    }
}

impl Finished {
    /// The day of a [`Job::day`].
    pub fn day(&self) -> Option<SolvedDay> {
        match &self.adopted {
            Adopted::Day(day) => Some(SolvedDay(Arc::clone(day))),
            _ => None,
        }
    }
}

/// A request with its elements by dense row, each checked.
fn requested(
    case: &Arc<Case>,
    parts: &dyn edits::Parts,
    base: &Edits,
    spec: &c::DaySpec,
    values: &[f64],
) -> Result<DayRequest> {
    let length = spec.hours.unwrap_or(1.0);
    if !(length.is_finite() && length > 0.0) {
        return Err(refused(message!("request.day_hours")));
    }
    let targets = targets(case, parts, spec)?;
    let units = rows(&spec.generators, |key| generator(case, key))?;
    let reservoirs = rows(&spec.inflow, |key| storage(case, key))?;
    let own: Vec<c::ElementKey> = spec.storage.iter().map(|own| own.storage.clone()).collect();
    let own = rows(&own, |key| storage(case, key))?;
    let storages: BTreeMap<usize, c::DayStorage> = own.into_iter().zip(spec.storage.iter().cloned()).collect();
    storages
        .iter()
        .try_for_each(|(&row, own)| check_storage(case, row, own))?;
    let ramped: Vec<c::ElementKey> = spec.ramps.iter().map(|limit| limit.generator.clone()).collect();
    rows(&ramped, |key| generator(case, key))?;
    let width = targets.len() + units.len() + reservoirs.len();
    let steps = spec.steps as usize;
    if spec.steps == 0 || spec.steps > MOST_STEPS || values.len() != width * steps {
        let message = message!(
            "request.day_values",
            steps = steps,
            elements = width,
            values = values.len()
        );
        return Err(refused(message));
    }
    let of_step = |step: usize| &values[step * width..(step + 1) * width];
    let mut request = DayRequest {
        steps: Vec::with_capacity(steps),
        availability: Vec::with_capacity(steps),
        inflow: reservoirs.iter().map(|&row| (row, Vec::with_capacity(steps))).collect(),
        ramps: spec
            .ramps
            .iter()
            .map(|limit| ramp(case, limit))
            .collect::<Result<_>>()?,
        storages,
        end: spec.end,
        length,
    };
    for step in 0..steps {
        let (changes, rest) = of_step(step).split_at(targets.len());
        let (shares, inflow) = rest.split_at(units.len());
        let mut edits = base.clone();
        for (&target, &mw) in targets.iter().zip(changes) {
            edits.set(case, target, mw)?;
        }
        request.steps.push(edits);
        let shares = units.iter().zip(shares);
        let shares = shares.map(|(&row, &share)| available(case, row, share).map(|()| (row, share)));
        request.availability.push(shares.collect::<Result<_>>()?);
        for ((row, own), &mw) in request.inflow.iter_mut().zip(inflow) {
            if !(mw.is_finite() && mw >= 0.0) {
                let storage = ElementRef::from(&case.network.storages[*row]);
                return Err(refused(message!("request.day_inflow", storage = &storage)).at(storage));
            }
            own.push(mw);
        }
    }
    Ok(request)
}

fn refused(message: wattbook_network::message::Message) -> EngineError {
    EngineError::new("INPUT.REQUEST", message)
}

fn targets(case: &Case, parts: &dyn edits::Parts, spec: &c::DaySpec) -> Result<Vec<Target>> {
    let buses = spec.buses.iter().cloned().map(|bus| c::SensTarget::Bus { bus });
    let branches = spec.branches.iter().cloned();
    let branches = branches.map(|branch| c::SensTarget::Branch { branch, value: None });
    let mut named = BTreeSet::new();
    let mut targets = Vec::new();
    for key in buses.chain(branches) {
        let target = edits::target(case, parts, &key)?;
        edits::check_editable(case, target)?;
        let place = match target {
            Target::Demand(row) => (0, row),
            Target::Rating(row) => (1, row),
        };
        if !named.insert(place) {
            return Err(refused(message!("request.day_twice", element = target.element(case))));
        }
        targets.push(target);
    }
    Ok(targets)
}

/// Distinct rows of keys.
fn rows(keys: &[c::ElementKey], row: impl Fn(&c::ElementKey) -> Result<(usize, ElementRef)>) -> Result<Vec<usize>> {
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        let (row, element) = row(key)?;
        if found.contains(&row) {
            return Err(refused(message!("request.day_twice", element = &element)).at(element));
        }
        found.push(row);
    }
    Ok(found)
}

fn generator(case: &Case, key: &c::ElementKey) -> Result<(usize, ElementRef)> {
    let key = text(key);
    let unknown = || EngineError::new("GENERATOR.UNKNOWN", message!("edit.unknown_generator", key = &key));
    let row = case.keys.generator(&key).ok_or_else(unknown)?;
    Ok((row, ElementRef::from(&case.network.generators[row])))
}

fn storage(case: &Case, key: &c::ElementKey) -> Result<(usize, ElementRef)> {
    let key = text(key);
    let unknown = || EngineError::new("STORAGE.UNKNOWN", message!("edit.unknown_storage", key = &key));
    let row = case.keys.storage(&key).ok_or_else(unknown)?;
    Ok((row, ElementRef::from(&case.network.storages[row])))
}

/// Errors: `STORAGE.MALFORMED` for a cost below zero and for stored energy outside its limits.
fn check_storage(case: &Case, row: usize, own: &c::DayStorage) -> Result<()> {
    let unit = &case.network.storages[row];
    let element = ElementRef::from(unit);
    let costs = [own.charge_cost, own.discharge_cost].into_iter().flatten();
    let malformed = |message| EngineError::new("STORAGE.MALFORMED", message).at(element.clone());
    if costs.into_iter().any(|cost| !(cost.is_finite() && cost >= 0.0)) {
        return Err(malformed(message!("request.day_wear", storage = &element)));
    }
    let base = case.network.base_mva;
    let limits = [unit.energy_min_pu, unit.energy_max_pu].map(|pu| pu * base);
    match own.start_mwh {
        Some(mwh) if !(mwh >= limits[0] && mwh <= limits[1] && mwh.is_finite()) => {
            Err(malformed(message!("request.day_start", storage = &element)))
        }
        _ => Ok(()),
    }
}

/// Checks the part of Pmax that a unit has.
fn available(case: &Case, row: usize, share: f64) -> Result<()> {
    let unit = &case.network.generators[row];
    let element = ElementRef::from(unit);
    if !(0.0..=1.0).contains(&share) {
        return Err(refused(message!("request.day_availability", generator = &element)).at(element));
    }
    let left = share * unit.pmax_pu;
    if share > 0.0 && unit.in_service && left < unit.pmin_pu {
        return Err(edits::limits_cross(
            element,
            [unit.pmin_pu, left],
            case.network.base_mva,
        ));
    }
    Ok(())
}

fn ramp(case: &Case, limit: &c::RampLimit) -> Result<Ramp> {
    let (row, element) = generator(case, &limit.generator)?;
    let per_unit = |mw: Option<f64>| match mw {
        None => Some(f64::INFINITY),
        Some(mw) => (mw.is_finite() && mw >= 0.0).then(|| mw / case.network.base_mva),
    };
    let limits = [limit.up_mw_per_h, limit.down_mw_per_h].map(per_unit);
    let [Some(up), Some(down)] = limits else {
        return Err(refused(message!("request.day_ramp", generator = &element)).at(element));
    };
    Ok(Ramp {
        generator: row,
        up,
        down,
    })
}
