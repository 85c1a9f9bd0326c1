//! The least exceedance of limits: the linear program of `explain`.
//!
//! Generators cost nothing, so everything ties. The costs are taken `1 / cost_scale` times as large as they are told, so that
//! perturbations, and what the method takes for zero, are a billionth of what exceeding costs: hardly anything is left to
//! improve once the perturbation is gone, and primal steps do that (`primal`).

use super::random::Random;
use super::run::{Case, Failure, Run, Step};
use super::{Options, COLD_STARTS, PERTURBATION, STRONGER};
use crate::dc::kkt::Status;
use crate::dc::model::{DcData, DcModel};
use crate::dc::pool::{Elastic, Rows};
use wattbook_network::error::{EngineError, Result};

/// Price scale of these programs: one MW costs this much less inside the method.
pub(crate) const COST_SCALE: f64 = 1e-4;
/// An optimum of the program: powers by column, multipliers by line (positive at the lower limit), island prices.
pub(crate) struct Exceedance {
    pub p: Vec<f64>,
    pub line_y: Vec<f64>,
    pub island_price: Vec<f64>,
    /// Where the search stands.
    pub held: Held,
}

/// An active set, to go on from with more columns and with lines that no longer stand behind a unit's bound.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    lines: Vec<usize>,
    columns: usize,
    status: Vec<Status>,
    p: Vec<f64>,
    active: Vec<usize>,
    side: Vec<i8>,
    /// Lines that bind as the bound of a unit: the unit, and the side the line is held at.
    units: Vec<(usize, usize, i8)>,
}

/// The least cost at which a dispatch exists: of the columns of `model`, and of limits of the `elastic` lines that are
/// exceeded, by `slack_cost`. Lines of `model.unit_lines` hold as bounds of their units and are not exceeded.
///
/// `model` has linear costs, in units of its `cost_scale`. `held` comes from a program whose columns are the first ones of
/// these, and whose other columns stand at zero.
///
/// Errors: `SOLVE.INFEASIBLE`, `SOLVE.NOT_CONVERGED`.
pub(crate) fn least_exceedance(
    model: &DcModel,
    data: &DcData,
    elastic: Elastic,
    held: Option<&Held>,
) -> Result<Exceedance> {
    let found = exceedance_within(model, data, elastic, held, &mut None)?;
    found.ok_or_else(|| not_converged(super::EXHAUSTED))
}

/// As `least_exceedance`, none where it takes more work than is allowed (`Run::spend`), which is taken off.
pub(crate) fn exceedance_within(
    model: &DcModel,
    data: &DcData,
    elastic: Elastic,
    held: Option<&Held>,
    allowance: &mut Option<usize>,
) -> Result<Option<Exceedance>> {
    let case = Case::new(model, data, Options { presolve: true });
    let mut rows = Rows::new(model);
    rows.elastic = elastic;
    if let Some(held) = held {
        match resume(&case, rows.clone(), held, allowance) {
            Ok(found) => return Ok(Some(found)),
            Err(Failure::Infeasible(error)) => return Err(error),
            Err(Failure::Exhausted) => return Ok(None),
            Err(Failure::Stalled(_)) => rows.add_lines(model, &held.lines),
        }
    }
    let mut reason = "";
    let mut strength = PERTURBATION;
    for attempt in 0..COLD_STARTS {
        let mut run = Run::new(case.clone(), rows);
        run.is_cautious = attempt > 0;
        run.allowance = *allowance;
        run.perturb_alike(strength);
        strength *= STRONGER;
        let outcome = run
            .merit_order()
            .and_then(|()| run.optimise())
            .and_then(|()| finished(&mut run));
        *allowance = run.allowance;
        match outcome {
            Ok(found) => return Ok(Some(found)),
            Err(Failure::Infeasible(error)) => return Err(error),
            Err(Failure::Exhausted) => return Ok(None),
            Err(Failure::Stalled(why)) => reason = why,
        }
        rows = run.rows;
    }
    Err(not_converged(reason))
}

fn not_converged(reason: &str) -> EngineError {
    let message = format!("The search for the least relaxation did not converge: {reason}.");
    EngineError::new("SOLVE.NOT_CONVERGED", message)
}

/// Goes on from where a search stands: its dispatch is feasible here, and new columns may only improve it.
fn resume(case: &Case, mut rows: Rows, held: &Held, allowance: &mut Option<usize>) -> Step<Exceedance> {
    let model = case.model;
    rows.add_lines(model, &held.lines);
    let released: Vec<_> = held
        .units
        .iter()
        .filter(|(_, line, _)| !case.bounds.is_bound[*line])
        .collect();
    let of_units: Vec<usize> = released.iter().map(|unit| unit.1).collect();
    rows.add_lines(model, &of_units);
    let mut run = Run::new(case.clone(), rows);
    let columns = model.columns.len();
    for j in 0..run.p.len() {
        let before = if j < columns {
            (j < held.columns).then_some(j)
        } else {
            Some(j - columns + held.columns).filter(|&k| k < held.p.len())
        };
        (run.status[j], run.p[j]) = match before {
            Some(k) => (held.status[k], held.p[k]),
            None if run.hi(j) == 0.0 => (Status::AtUpper, 0.0),
            None => (Status::AtLower, run.lo(j)),
        };
    }
    run.active.clone_from(&held.active);
    run.side[..held.side.len()].copy_from_slice(&held.side);
    for &&(column, line, side) in &released {
        let Some(row) = run.rows.row_of_line[line] else {
            return Err(Failure::Stalled("a line was not pooled"));
        };
        run.status[column] = Status::Free;
        run.active.push(row);
        run.side[row] = side;
    }
    run.refactor()?;
    run.allowance = *allowance;
    let outcome = finished(&mut run);
    *allowance = run.allowance;
    outcome
}

/// Takes the perturbation away, and reads off the optimum at the true costs.
fn finished(run: &mut Run) -> Step<Exceedance> {
    run.remove_perturbation();
    run.clean()?;
    run.solve_active_set()?;
    let model = run.model;
    let mut found = Exceedance {
        p: run.p[..model.columns.len()].to_vec(),
        line_y: vec![0.0; model.lines.len()],
        island_price: vec![0.0; model.islands.len()],
        held: Held {
            lines: run.rows.pooled.iter().map(|r| r.line).collect(),
            columns: model.columns.len(),
            status: run.status.clone(),
            p: run.p.clone(),
            active: run.active.clone(),
            side: run.side.clone(),
            units: Vec::new(),
        },
    };
    for &row in &run.active {
        let y = run.y[row] * model.cost_scale;
        match run.rows.line(row) {
            None => found.island_price[row] += y,
            Some(line) => {
                found.line_y[line.line] = y;
                found.island_price[line.island] -= y * line.kappa;
            }
        }
    }
    for j in 0..model.columns.len() {
        let (source, upper) = match run.status[j] {
            Status::AtLower => (run.case.bounds.below[j], false),
            Status::AtUpper => (run.case.bounds.above[j], true),
            Status::Free => (None, false),
        };
        let Some((line, bridge)) = source.and_then(|l| Some((l, model.bridges[l].as_ref()?))) else {
            continue;
        };
        let y = bridge.sign * run.rc[j] * model.cost_scale;
        found.line_y[line] = y;
        found.island_price[model.columns[j].island] -= y * bridge.kappa;
        let side = if upper == (bridge.sign > 0.0) { 1 } else { -1 };
        found.held.units.push((j, line, side));
    }
    Ok(found)
}

impl Run<'_> {
    /// Breaks ties between columns by as much for those without a cost as for the others.
    fn perturb_alike(&mut self, xi: f64) {
        let mut random = Random::default();
        for (c, column) in self.c.iter_mut().zip(&self.model.columns) {
            let by = xi * (0.5 + 0.5 * random.unit());
            *c += if column.c < 0.0 { -by } else { by };
        }
    }
}
