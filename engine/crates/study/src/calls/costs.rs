//! Assumed costs for cases without costs, written into the module or as edits of a Study.

use crate::contract as c;
use crate::json::from_json;
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::costs::{self, CostOf};
use wattbook_network::error::Result;
use wattbook_network::{message, EngineError};

/// The table of typical costs: `TypicalCost[]` as JSON.
pub fn typical_costs_json() -> String {
    let rows = costs::TYPICAL.iter().map(|one| c::TypicalCost {
        fuel: one.fuel.to_owned(),
        from_mw: one.from_mw,
        heat_rate: one.heat_rate,
        fuel_price: one.fuel_price,
        variable: one.variable,
        cost: one.cost(),
    });
    crate::json::to_json(&rows.collect::<Vec<_>>())
}

/// The generators of a case by fuel, largest total capacity first: `FuelUnits[]` as JSON. `fuels` is a JSON list of the
/// fuel of each generator, or `null` to use those of the module.
///
/// Errors: `COST.MALFORMED`, `INPUT.REQUEST`, `MODULE.*`.
pub fn units_by_fuel_json(module_json: &str, fuels: &str) -> Result<String> {
    let fuels: Option<Vec<String>> = from_json("fuels", fuels)?;
    let rows = costs::units_by_fuel(module_json, &fuels.unwrap_or_default())?;
    let units = rows.into_iter().map(|row| c::FuelUnits {
        fuel: row.fuel,
        units: row.units as u32,
        free: row.free as u32,
        p_max_mw: row.p_max_mw,
        typical: row.typical,
    });
    Ok(crate::json::to_json(&units.collect::<Vec<_>>()))
}

/// The module with assumed costs, which its first warning states. `request` is `AssumedCosts` as JSON. A non-empty
/// `table` holds the bytes of a CSV file of costs and replaces the given ones.
///
/// Errors: `COST.MALFORMED`, `GENERATOR.UNKNOWN`, `INPUT.REQUEST`, `INPUT.*` of the table, `MODULE.*`.
pub fn assume_costs(module_json: &str, request: &str, table: &[u8]) -> Result<String> {
    let (wanted, fuels) = wanted(request, table)?;
    costs::assume_costs(module_json, &wanted, &fuels)
}

/// The same costs as edits of a Study: `GeneratorEdits` by id as JSON, with `cost` and `c2`.
///
/// Errors: as [`assume_costs`]; `COST.MALFORMED` for a constant term, which an edit does not have.
pub fn cost_edits_json(module_json: &str, request: &str, table: &[u8]) -> Result<String> {
    let (wanted, fuels) = wanted(request, table)?;
    let mut edits = c::GeneratorEdits::new();
    for (row, [c2, c1, c0]) in costs::assumed_costs(module_json, &wanted, &fuels)? {
        let id = row as u64 + 1;
        if c0 != 0.0 {
            let generator = ElementRef::numbered(ElementKind::Generator, id);
            let message = message!("costs.constant", generator = &generator);
            return Err(EngineError::new("COST.MALFORMED", message).at(generator));
        }
        let edit = c::GeneratorEdit {
            cost: Some(c1),
            c2: (c2 != 0.0).then_some(c2),
            ..c::GeneratorEdit::default()
        };
        edits.insert(id.to_string(), edit);
    }
    Ok(crate::json::to_json(&edits))
}

fn wanted(request: &str, table: &[u8]) -> Result<(costs::AssumedCosts, Vec<String>)> {
    let c::AssumedCosts { given, fuels } = from_json("costs", request)?;
    let wanted = match given {
        _ if !table.is_empty() => costs::AssumedCosts::Table(table.to_vec()),
        Some(given) => costs::AssumedCosts::Given(given.into_iter().map(given_cost).collect::<Result<_>>()?),
        None => costs::AssumedCosts::Typical,
    };
    Ok((wanted, fuels.unwrap_or_default()))
}

/// Whether the header of a file is that of a cost table: a column `generator` or `fuel`, and a column of costs.
pub fn is_cost_table(bytes: &[u8]) -> bool {
    costs::is_cost_table(bytes)
}

fn given_cost(one: c::GivenCost) -> Result<costs::GivenCost> {
    let of = match (one.fuel, one.generator) {
        (Some(fuel), None) => CostOf::Fuel(fuel),
        (None, Some(number)) => CostOf::Generator(number),
        _ => return Err(EngineError::new("COST.MALFORMED", message!("costs.fuel_or_generator"))),
    };
    let cost = [one.c2.unwrap_or(0.0), one.c1, one.c0.unwrap_or(0.0)];
    Ok(costs::GivenCost { of, cost, row: None })
}
