//! The most that one bus can take.

use super::proof::Proof;
use crate::dc::active_set::{least_exceedance, COST_SCALE};
use crate::dc::columns::GenColumn;
use crate::dc::infeasible;
use crate::dc::model::{DcData, DcModel};
use wattbook_network::error::{EngineError, Result};

/// By how much the demand of a bus must move back towards `data.demand[bus] - back` for a solution to exist, everything else
/// as it is, per unit with the sign of `back`; none where there is none even there. Exact, and proved by the multipliers of the
/// program that finds it.
///
/// Errors: `SOLVE.NOT_CONVERGED`, and those of data that contradict on their own.
pub fn demand_limit(model: &DcModel, data: &DcData, bus: usize, back: f64) -> Result<Option<f64>> {
    infeasible::check_limits(model, data)?;
    let mut program = model.clone();
    let mut columns = model.columns.clone();
    for column in &mut columns {
        (column.c, column.q) = (0.0, 0.0);
    }
    columns.push(GenColumn {
        generator: model.n_gen,
        bus,
        island: model.island_of_bus[bus],
        lo: back.min(0.0),
        hi: back.max(0.0),
        c: back.signum(),
        q: 0.0,
        is_first: true,
        is_last: true,
        open_below: false,
        open_above: false,
    });
    program.gen_ids.push(model.bus_ids[bus].clone());
    program.constant_cost = 0.0;
    program.set_columns(columns);
    program.cost_scale = COST_SCALE;
    let found = match least_exceedance(&program, data, false, None) {
        Ok(found) => found,
        Err(error) if error.code == "SOLVE.INFEASIBLE" => return Ok(None),
        Err(error) => return Err(error),
    };
    let moved = found.p.last().copied().unwrap_or_default();
    let proof = Proof::new(&program, data, &found);
    if proof.gap(&program, data, moved.abs(), false).is_none() {
        let message = "The most that the bus can take could not be verified.";
        return Err(EngineError::new("SOLVE.NOT_CONVERGED", message).at(model.bus_ids[bus].clone()));
    }
    Ok(Some(moved))
}
