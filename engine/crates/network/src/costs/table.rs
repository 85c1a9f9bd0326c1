//! Tables of costs: CSV with a row for each fuel or unit.

use std::collections::BTreeMap;

use super::{at_row, malformed, CostOf, GivenCost};
use crate::error::{EngineError, Result};
use crate::input::table::Table;
use crate::message;

const UNIT: &str = "generator";
const FUELS: [&str; 3] = ["fuel", "energy_source", "carrier"];
const LINEAR: [&str; 2] = ["cost_c1", "cost"];

/// Indices of the columns in a row.
struct Columns {
    name: usize,
    /// `cost_c2`, `cost_c1` and `cost_c0`; only `cost_c1` is required.
    coefficients: [Option<usize>; 3],
}

impl Columns {
    fn of(header: &[String]) -> Option<Self> {
        let names: Vec<String> = header.iter().map(|name| name.trim().to_lowercase()).collect();
        let at = |wanted: &[&str]| wanted.iter().find_map(|one| names.iter().position(|name| name == one));
        let linear = at(&LINEAR)?;
        Some(Self {
            name: at(&[UNIT]).or_else(|| at(&FUELS))?,
            coefficients: [at(&["cost_c2"]), Some(linear), at(&["cost_c0"])],
        })
    }
}

/// Whether the header is that of a cost table: a column `generator` or `fuel`, and one of costs.
pub fn is_cost_table(bytes: &[u8]) -> bool {
    let table = Table::of_bytes(bytes);
    table.is_ok_and(|table| table.rows.first().is_some_and(|header| Columns::of(header).is_some()))
}

/// Reads a table. Numbers have a decimal comma if `;` separates the cells. Line numbers ignore blank lines and
/// comments.
///
/// # Errors
/// `COST.MALFORMED`, which names the row; `INPUT.*` for bytes that are not text.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<GivenCost>> {
    let table = Table::of_bytes(bytes)?;
    let Some((header, rows)) = table.rows.split_first() else {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.no_rows")));
    };
    let columns = Columns::of(header).ok_or_else(|| malformed(message!("costs.no_columns")))?;
    let mut given = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (k, cells) in rows.iter().enumerate() {
        let row = k + 2;
        let refuse = |sentence| at_row(malformed(sentence), Some(row));
        let name = cells.get(columns.name).map_or("", |cell| cell.trim());
        if name.is_empty() {
            return Err(refuse(message!("costs.no_name")));
        }
        if let Some(first) = seen.insert(name.to_lowercase(), row) {
            return Err(refuse(message!("costs.twice", whose = name, first = first)));
        }
        let mut cost = [0.0; 3];
        for (power, place) in columns.coefficients.iter().enumerate() {
            let cell = place.and_then(|place| cells.get(place)).map_or("", |cell| cell.trim());
            // A blank cell is zero, except for `cost_c1`.
            if cell.is_empty() && power != 1 {
                continue;
            }
            let read = table.number(cell);
            cost[power] = read.ok_or_else(|| refuse(message!("costs.no_number", whose = name, value = cell)))?;
        }
        let whole = name.parse::<f64>().ok().filter(|n| *n >= 0.0 && *n == libm::trunc(*n));
        let of = match whole {
            Some(number) => CostOf::Generator(number as u64),
            None => CostOf::Fuel(name.to_owned()),
        };
        let row = Some(row);
        given.push(GivenCost { of, cost, row });
    }
    Ok(given)
}
