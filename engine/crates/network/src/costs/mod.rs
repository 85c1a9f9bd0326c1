//! Costs for a case without costs: given by unit or fuel, or typical ones; they are written into the module and marked
//! as assumed.

mod fuels;
mod table;
mod typical;
mod warnings;

use powerio::{BalancedNetwork, GenCost};
use std::collections::{BTreeMap, BTreeSet};

use crate::error::{EngineError, Result};
use crate::message::amounts::plain;
use crate::message::{written, Message, Value};
use crate::{message, module};
pub use fuels::fuels_of;
pub use table::is_cost_table;
pub use typical::{TypicalCost, TYPICAL};
use warnings::Assumed;

/// Coefficients of a cost in $/h for an output of p MW: c2 p^2 + c1 p + c0.
pub type Polynomial = [f64; 3];
/// The largest coefficient, equal to that of edits.
const MOST: f64 = 1e9;

/// The units to which a cost applies.
#[derive(Clone, Debug, PartialEq)]
pub enum CostOf {
    /// Every unit of a fuel, by any synonym; `unknown` names the units without fuel data.
    Fuel(String),
    /// A generator by its number, the 1-based row.
    Generator(u64),
}

/// A given cost.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenCost {
    pub of: CostOf,
    pub cost: Polynomial,
    /// Line of its table, for messages.
    pub row: Option<usize>,
}

/// Costs to assume.
#[derive(Clone, Debug, PartialEq)]
pub enum AssumedCosts {
    /// [`TYPICAL`], for the units without a cost.
    Typical,
    /// Given costs; that of a unit overrides that of its fuel, and other units keep their costs.
    Given(Vec<GivenCost>),
    /// Given costs as the bytes of a CSV file.
    Table(Vec<u8>),
}

/// Units of one fuel.
#[derive(Clone, Debug, PartialEq)]
pub struct FuelUnits {
    /// The fuel as in the case, in lower case; `unknown` without one.
    pub fuel: String,
    pub units: usize,
    /// Number of units without a cost.
    pub free: usize,
    /// Sum of the upper limits, MW, ignoring unlimited units.
    pub p_max_mw: f64,
    /// Mean of the typical costs, $/MWh, weighted by the upper limits.
    pub typical: f64,
}

/// The module with assumed costs. `fuels` are the fuels of the units by row if the module does not contain them
/// (`mpc.genfuel`), or empty to use those of the module. The first warnings of the result say what is
/// assumed, also of earlier calls, and replace the warning about missing costs.
///
/// # Errors
/// `COST.MALFORMED`, `GENERATOR.UNKNOWN`, `INPUT.*` (a table), `MODULE.*`.
pub fn assume_costs(module_json: &str, costs: &AssumedCosts, fuels: &[String]) -> Result<String> {
    let mut parsed = module::open(module_json)?;
    let net = module::balanced_mut(&mut parsed)?;
    let fuels = of_units(net, fuels)?;
    let (chosen, as_gas) = chosen_of(net, costs, &fuels)?;
    let units = net.generators().len();
    let rows = net.generators_mut();
    for (&row, cost) in &chosen {
        rows[row].cost = Some(GenCost::new(2, 0.0, 0.0, cost.to_vec()));
    }
    let assumed = Assumed {
        typical: matches!(costs, AssumedCosts::Typical),
        rows: chosen.into_keys().collect(),
        as_gas: as_gas.into_iter().map(|row| (row, fuels[row].clone())).collect(),
    };
    warnings::mark(&parsed, assumed, units)
}

/// The costs that [`assume_costs`] writes, by row of a generator.
///
/// # Errors
/// As there.
pub fn assumed_costs(module_json: &str, costs: &AssumedCosts, fuels: &[String]) -> Result<BTreeMap<usize, Polynomial>> {
    let parsed = module::open(module_json)?;
    let net = module::balanced(&parsed)?;
    let fuels = of_units(net, fuels)?;
    Ok(chosen_of(net, costs, &fuels)?.0)
}

/// The units of a case by fuel, in order of capacity. `fuels` as in [`assume_costs`].
///
/// # Errors
/// `COST.MALFORMED` for a wrong number of fuels, `MODULE.*`.
pub fn units_by_fuel(module_json: &str, fuels: &[String]) -> Result<Vec<FuelUnits>> {
    let parsed = module::open(module_json)?;
    let net = module::balanced(&parsed)?;
    let fuels = of_units(net, fuels)?;
    let mut found: BTreeMap<&str, FuelUnits> = BTreeMap::new();
    for (unit, fuel) in net.generators().iter().zip(&fuels) {
        let name = if fuel.is_empty() { fuels::UNKNOWN } else { fuel };
        let size = typical::size(unit.pmax);
        let row = found.entry(name).or_insert_with(|| FuelUnits {
            fuel: name.to_owned(),
            units: 0,
            free: 0,
            p_max_mw: 0.0,
            typical: 0.0,
        });
        row.units += 1;
        row.free += usize::from(unit.cost.is_none());
        row.p_max_mw += size;
        row.typical += size * typical::class(fuel, size).cost();
    }
    let mut rows: Vec<FuelUnits> = found.into_values().collect();
    for row in &mut rows {
        row.typical = if row.p_max_mw > 0.0 {
            row.typical / row.p_max_mw
        } else {
            typical::class(&row.fuel, 0.0).cost()
        };
    }
    rows.sort_by(|a, b| b.p_max_mw.total_cmp(&a.p_max_mw));
    Ok(rows)
}

/// The fuel of each unit in lower case, empty if unknown.
fn of_units(net: &BalancedNetwork, given: &[String]) -> Result<Vec<String>> {
    let own = fuels::of_network(net);
    if given.is_empty() {
        return Ok(own);
    }
    if given.len() != own.len() {
        let message = message!("costs.fuel_count", count = given.len(), units = own.len());
        return Err(malformed(message));
    }
    Ok(given.iter().map(|fuel| fuel.trim().to_lowercase()).collect())
}

/// Costs by row of a generator, and the rows that get a cost of gas although their fuel is unknown.
type Chosen = (BTreeMap<usize, Polynomial>, BTreeSet<usize>);

fn chosen_of(net: &BalancedNetwork, costs: &AssumedCosts, fuels: &[String]) -> Result<Chosen> {
    match costs {
        AssumedCosts::Typical => typical_of(net, fuels),
        AssumedCosts::Given(given) => given_of(given, fuels),
        AssumedCosts::Table(bytes) => given_of(&table::read(bytes)?, fuels),
    }
}

fn typical_of(net: &BalancedNetwork, fuels: &[String]) -> Result<Chosen> {
    let units = net.generators().iter().zip(fuels).enumerate();
    let free = units.filter(|(_, (unit, _))| unit.cost.is_none());
    let chosen: BTreeMap<_, _> = free
        .map(|(row, (unit, fuel))| (row, typical::of_unit(fuel, unit.pmax)))
        .collect();
    if chosen.is_empty() {
        return Err(malformed(message!("costs.none_free")));
    }
    let unknown = |row: &usize| fuels::is_vague(&fuels[*row]) || !typical::is_known(&fuels[*row]);
    let as_gas = chosen.keys().copied().filter(unknown).collect();
    Ok((chosen, as_gas))
}

fn given_of(given: &[GivenCost], fuels: &[String]) -> Result<Chosen> {
    if given.is_empty() {
        return Err(malformed(message!("costs.nothing_given")));
    }
    let mut by_class = BTreeMap::new();
    let mut by_word = BTreeMap::new();
    let mut by_unit = BTreeMap::new();
    for one in given {
        let in_row = |error: EngineError| at_row(error, one.row);
        check(one).map_err(in_row)?;
        match &one.of {
            CostOf::Generator(number) => {
                let row = usize::try_from(*number).ok().and_then(|n| n.checked_sub(1));
                let known = row.filter(|row| *row < fuels.len());
                let row = known.ok_or_else(|| unknown_generator(&number.to_string(), fuels.len()));
                by_unit.insert(row.map_err(in_row)?, one.cost);
            }
            CostOf::Fuel(given) => {
                let word = given.trim().to_lowercase();
                let mut found = false;
                for (row, fuel) in fuels.iter().enumerate() {
                    if fuels::names_itself(&word, fuel) {
                        by_word.insert(row, one.cost);
                        found = true;
                    } else if fuels::names_class(&word, fuel) {
                        by_class.insert(row, one.cost);
                        found = true;
                    }
                }
                if !found {
                    return Err(in_row(no_such_fuel(given, fuels)));
                }
            }
        }
    }
    // A unit's own cost overrides that of its literal word, which overrides that of the word's fuel.
    by_word.extend(by_unit);
    let class_alone = |row: &usize| !by_word.contains_key(row) && fuels::is_vague(&fuels[*row]);
    let as_gas = by_class.keys().copied().filter(class_alone).collect();
    by_class.extend(by_word);
    Ok((by_class, as_gas))
}

fn check(one: &GivenCost) -> Result<()> {
    let whose: Value = match &one.of {
        CostOf::Fuel(word) => message!("costs.of_fuel", fuel = word).into(),
        CostOf::Generator(number) => message!("element.generator", id = number.to_string()).into(),
    };
    if let Some(wrong) = one.cost.iter().find(|c| !c.is_finite() || c.abs() > MOST) {
        let message = message!(
            "costs.beyond",
            whose = whose,
            value = written(wrong),
            most = plain(MOST, "$/MWh")
        );
        return Err(malformed(message));
    }
    if one.cost[0] < 0.0 {
        let message = message!("costs.not_convex", whose = whose, value = written(one.cost[0]));
        return Err(malformed(message));
    }
    Ok(())
}

fn no_such_fuel(word: &str, fuels: &[String]) -> EngineError {
    let known: BTreeSet<&str> = fuels.iter().filter(|f| !f.is_empty()).map(|f| &f[..]).collect();
    let details = serde_json::json!({ "fuel": word, "fuels": known });
    let message = if known.is_empty() {
        message!("costs.no_fuels", fuel = word)
    } else {
        let list: Vec<Value> = known.into_iter().map(Value::from).collect();
        message!("costs.no_such_fuel", fuel = word, fuels = Value::List(list))
    };
    malformed(message).with_details(details)
}

fn unknown_generator(number: &str, units: usize) -> EngineError {
    let message = message!("costs.unknown_generator", generator = number, last = units);
    EngineError::new("GENERATOR.UNKNOWN", message)
}

fn malformed(message: Message) -> EngineError {
    EngineError::new("COST.MALFORMED", message)
}

/// Adds the row of the table to the error.
fn at_row(error: EngineError, row: Option<usize>) -> EngineError {
    let Some(row) = row else {
        return error;
    };
    let why = (*error.sentence).clone();
    error.with_sentence(message!("costs.in_row", row = row, why = why))
}
