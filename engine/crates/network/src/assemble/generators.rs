//! Generator rows and their costs.

use std::collections::HashMap;

use powerio::network::GeneratorEnergySource;
use powerio::{BalancedNetwork, BusId};

use crate::analysis::{Bus, Cost, EnergySource, Generator, Warning};
use crate::assemble::buses::BusIndex;
use crate::assemble::{cost, finite, source_uid};
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::message::amounts::plain;
use crate::message::{Message, Value};
use crate::{message, message_key};

const FREE: Cost = Cost::Quadratic {
    c2: 0.0,
    c1: 0.0,
    c0: 0.0,
};

/// Extra of a bus: the energy sources of its units, in their order. The parser's module cannot express coal and gas.
pub(crate) const ENERGY_SOURCES: &str = "wattbook_energy_sources";

/// Generator rows in source order, per unit. An inactive generator keeps its row, and its cost is read if possible.
///
/// # Errors
/// `INPUT.COST` naming generator and row, `INPUT.GENERATOR_LIMITS`, `INPUT.NOT_FINITE`, `INPUT.UNKNOWN_BUS`.
pub(crate) fn read(
    net: &BalancedNetwork,
    index: &BusIndex,
    buses: &[Bus],
    base: f64,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Generator>> {
    let (mut free, mut extended, mut rounded) = (Vec::new(), Vec::new(), Vec::new());
    let sources = energy_sources(net);
    let mut out = Vec::with_capacity(net.generators().len());
    for (row, g) in net.generators().iter().enumerate() {
        let id = row as u64 + 1;
        let element = ElementRef::new(ElementKind::Generator, id, source_uid(net, &g.uid));
        let bus = index.row_of(g.bus.0, &element)?;
        let in_service = g.in_service && buses[bus].in_service;
        let regulated = g.regulated_bus.map(|bus| index.row_of(bus.0, &element)).transpose()?;
        let pmin_pu = limit(g.pmin, message_key!("quantity.lower_active_limit"), &element)? / base;
        let pmax_pu = limit(g.pmax, message_key!("quantity.upper_active_limit"), &element)? / base;
        if (g.pmin == f64::INFINITY || g.pmax == f64::NEG_INFINITY) && in_service {
            let message = message!(
                "case.no_output",
                generator = &element,
                bus = at(g),
                minimum = plain(g.pmin, "MW"),
                maximum = plain(g.pmax, "MW")
            );
            return Err(EngineError::new("INPUT.GENERATOR_LIMITS", message).at(element));
        }
        if in_service && pmin_pu > pmax_pu {
            let message = message!(
                "case.generator_limits",
                generator = &element,
                bus = at(g),
                minimum = plain(g.pmin, "MW"),
                maximum = plain(g.pmax, "MW")
            );
            return Err(EngineError::new("INPUT.GENERATOR_LIMITS", message).at(element));
        }
        let cost = match g.cost.as_ref().map(|c| cost::read(c, base)) {
            Some(Ok(curve)) => {
                if in_service && curve.rounded {
                    rounded.push(element.clone());
                }
                curve.cost
            }
            Some(Err(why)) if in_service => {
                let message = message!(
                    "cost.refused",
                    generator = &element,
                    bus = at(g),
                    row = row + 1,
                    why = why
                );
                return Err(EngineError::new("INPUT.COST", message).at(element));
            }
            Some(Err(why)) => {
                let message = message!("cost.left_out", generator = &element, why = why);
                warnings.push(Warning {
                    element: Some(element.clone()),
                    ..Warning::new("COST.REFUSED_ROW", message)
                });
                FREE
            }
            None => FREE,
        };
        if in_service && g.cost.is_none() {
            free.push(element.clone());
        }
        if in_service && cost::extended(&cost, pmin_pu, pmax_pu) {
            extended.push(element.clone());
        }
        out.push(Generator {
            id,
            bus,
            in_service,
            pg_pu: finite(g.pg / base, message_key!("quantity.active_set_point"), &element)?,
            qg_pu: finite(g.qg / base, message_key!("quantity.reactive_set_point"), &element)?,
            pmin_pu,
            pmax_pu,
            qmin_pu: limit(g.qmin, message_key!("quantity.lower_reactive_limit"), &element)? / base,
            qmax_pu: limit(g.qmax, message_key!("quantity.upper_reactive_limit"), &element)? / base,
            vset_pu: finite(g.vg, message_key!("quantity.voltage_set_point"), &element)?,
            regulates_voltage: g.voltage_regulation_on,
            regulated_bus: regulated.filter(|&regulated| regulated != bus && buses[regulated].in_service),
            cost,
            has_cost: g.cost.is_some(),
            energy_source: sources[row],
            uid: element.uid,
        });
    }
    // If the format has no costs, its reader has warned once.
    let warned = warnings.iter().any(|w| w.code == "COST.NOT_IN_FORMAT");
    let free = if warned { Vec::new() } else { free };
    let mut tell = |code, generators: Vec<ElementRef>, key: &'static str| {
        if !generators.is_empty() {
            let values = vec![("count", generators.len().into()), ("generators", generators.into())];
            warnings.push(Warning::new(code, Message { key, values }));
        }
    };
    tell("COST.MISSING", free, message_key!("cost.missing", count, generators));
    tell(
        "COST.EXTENDED",
        extended,
        message_key!("cost.extended", count, generators),
    );
    tell("COST.ROUNDED", rounded, message_key!("cost.rounded", count, generators));
    Ok(out)
}

/// The energy source of each generator, by row.
pub(crate) fn energy_sources(net: &BalancedNetwork) -> Vec<EnergySource> {
    let mut units: HashMap<BusId, usize> = HashMap::new();
    for unit in net.generators() {
        *units.entry(unit.bus).or_default() += 1;
    }
    let at_buses = net.buses().iter().filter_map(|bus| {
        let words = bus.extras.get(ENERGY_SOURCES)?.as_array()?;
        (units.get(&bus.id) == Some(&words.len())).then_some((bus.id, words.iter()))
    });
    let mut words: HashMap<BusId, _> = at_buses.collect();
    let sources = net.generators().iter().map(|unit| {
        let word = words.get_mut(&unit.bus).and_then(Iterator::next);
        match (unit.energy_source, word.and_then(serde_json::Value::as_str)) {
            (GeneratorEnergySource::Thermal, Some("coal")) => EnergySource::Coal,
            (GeneratorEnergySource::Thermal, Some("gas")) => EnergySource::Gas,
            (GeneratorEnergySource::Thermal, _) => EnergySource::Thermal,
            (GeneratorEnergySource::Hydro, _) => EnergySource::Hydro,
            (GeneratorEnergySource::Nuclear, _) => EnergySource::Nuclear,
            (GeneratorEnergySource::Wind, _) => EnergySource::Wind,
            (GeneratorEnergySource::Solar, _) => EnergySource::Solar,
            _ => EnergySource::Other,
        }
    });
    sources.collect()
}

/// Stores the energy source of a unit that is about to be added at a bus where the parser's module cannot express it.
pub(crate) fn add_energy_source(net: &mut BalancedNetwork, at: BusId, source: EnergySource) {
    let units = net.generators().iter().filter(|unit| unit.bus == at).count();
    let word = match source {
        EnergySource::Coal => Some("coal"),
        EnergySource::Gas => Some("gas"),
        _ => None,
    };
    let Some(bus) = net.buses_mut().iter_mut().find(|bus| bus.id == at) else {
        return;
    };
    let stored = bus.extras.get(ENERGY_SOURCES).and_then(|words| words.as_array());
    let stored = stored.filter(|words| words.len() == units).cloned();
    if stored.is_none() && word.is_none() {
        return;
    }
    let mut words = stored.unwrap_or_else(|| vec![serde_json::Value::Null; units]);
    words.push(word.into());
    bus.extras.insert(ENERGY_SOURCES.into(), words.into());
}

/// A limit, which may be infinite (no limit) but not NaN.
pub(crate) fn limit(value: f64, what: &'static str, element: &ElementRef) -> Result<f64> {
    if value.is_nan() {
        finite(value, what, element)
    } else {
        Ok(value)
    }
}

/// The bus number of a generator.
fn at(generator: &powerio::Generator) -> Value {
    Value::from(generator.bus.to_string())
}
