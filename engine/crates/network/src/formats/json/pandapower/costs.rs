//! Costs of units, by table and index (`opf/make_objective.py`).

use std::collections::BTreeMap;

use powerio::GenCost;
use serde_json::Value as Json;

use super::document::{number, Row};
use super::{counted, Reading};
use crate::error::Result;
use crate::message;

const KINDS: [&str; 5] = ["ext_grid", "gen", "sgen", "load", "storage"];

impl Reading<'_> {
    pub(super) fn costs(&mut self) -> Result<()> {
        let (mut left_out, mut reactive) = (BTreeMap::<String, usize>::new(), 0);
        for table in ["poly_cost", "pwl_cost"] {
            for row in self.document.rows(table) {
                let kind = row.text("et").unwrap_or_default().to_string();
                if row.text("power_type") == Some("q") {
                    reactive += 1;
                    continue;
                }
                reactive += usize::from(has_reactive(&row));
                let is_kind = |known: &&str| *known == kind;
                let unit = KINDS.into_iter().find(is_kind).zip(row.whole("element"));
                // Fixed static generators, loads and storage are not units and have no cost in `rundcopp` either.
                let Some(unit) = unit.and_then(|unit| self.units.get(&unit).copied()) else {
                    *left_out.entry(kind).or_default() += 1;
                    continue;
                };
                let sign = if ["load", "storage"].contains(&kind.as_str()) {
                    -1.0
                } else {
                    1.0
                };
                let cost = match table {
                    "poly_cost" => polynomial(&row, sign),
                    _ => piecewise(&row, sign)?,
                };
                if self.generators[unit].cost.replace(cost).is_some() {
                    *left_out.entry(kind).or_default() += 1;
                }
            }
        }
        // Power that is not dispatched has a constant cost, which is zero in `rundcopp`.
        if self.generators.iter().any(|unit| unit.cost.is_some()) {
            for unit in self.generators.iter_mut().filter(|unit| is_fixed(unit)) {
                unit.cost
                    .get_or_insert_with(|| GenCost::new(2, 0.0, 0.0, vec![0.0, 0.0]));
            }
        }
        if !left_out.is_empty() {
            let kinds = left_out.iter().map(|(kind, count)| (kind.as_str(), *count));
            self.tell("INPUT.LEFT_OUT", message!("pandapower.costs", kinds = counted(kinds)));
        }
        if reactive > 0 {
            self.tell(
                "COST.REACTIVE_IGNORED",
                message!("pandapower.reactive_costs", count = reactive),
            );
        }
        Ok(())
    }
}

fn is_fixed(unit: &powerio::Generator) -> bool {
    unit.pmin == unit.pmax
}

fn has_reactive(row: &Row<'_>) -> bool {
    let columns = ["cq0_eur", "cq1_eur_per_mvar", "cq2_eur_per_mvar2"];
    columns.into_iter().any(|column| row.number_or(column, 0.0) != 0.0)
}

fn polynomial(row: &Row<'_>, sign: f64) -> GenCost {
    let coefficient = |column: &str| sign * row.number_or(column, 0.0) + 0.0;
    let mut coefficients = vec![coefficient("cp1_eur_per_mw"), coefficient("cp0_eur")];
    let square = coefficient("cp2_eur_per_mw2");
    if square != 0.0 {
        coefficients.insert(0, square);
    }
    GenCost::new(2, 0.0, 0.0, coefficients)
}

/// Segments with a lower and an upper end and a slope, as points of a curve through the origin (`costs_from_areas`).
///
/// # Errors
/// `INPUT.TABLE` if a segment does not begin at the end of the previous one or is invalid.
fn piecewise(row: &Row<'_>, sign: f64) -> Result<GenCost> {
    let wrong = || {
        let message = message!("pandapower.cost_areas", row = row.label());
        crate::error::EngineError::new("INPUT.TABLE", message)
    };
    let areas = row.cell("points").and_then(Json::as_array).ok_or_else(wrong)?;
    let mut points: Vec<f64> = Vec::new();
    for area in areas {
        let end = |k: usize| area.get(k).and_then(number).ok_or_else(wrong);
        let (lower, upper, slope) = (end(0)?, end(1)?, end(2)? * sign);
        let at_lower = match points[..] {
            [] => {
                points.extend([lower, lower * slope]);
                lower * slope
            }
            [.., at, cost] if at == lower => cost,
            _ => return Err(wrong()),
        };
        points.extend([upper, at_lower + (upper - lower) * slope]);
    }
    match points.len() {
        0 => Err(wrong()),
        _ => Ok(GenCost::new(1, 0.0, 0.0, points)),
    }
}
