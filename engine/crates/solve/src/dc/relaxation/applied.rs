//! The original case with a relaxation applied, and whether it has a dispatch.

use super::entry::{angle_at, Entry, What, NEGLIGIBLE};
use super::relaxed::Relaxed;
use crate::dc::basis::lazy_rows::Elastic;
use crate::dc::dual_active_set::DualActiveSet;
use crate::dc::infeasibility::violation_bound::row_values;
use crate::dc::infeasibility::Limit;
use crate::dc::model::{DcData, DcModel, Line};
use crate::dc::optimize::{minimum_violation, DcOptimizer, COST_SCALE};

impl Relaxed {
    /// The original case with the named limits relaxed by these amounts, each at least that of its entry.
    fn apply(&self, amounts: &[f64]) -> (DcModel, DcData) {
        let mut model = self.model.clone();
        let mut data = self.original.clone();
        let mut columns = model.columns.clone();
        for (entry, amount) in self.entries.iter().zip(amounts) {
            let more = amount - entry.amount;
            match (entry.what, entry.limit) {
                (What::Column(j), Limit::Minimum) => columns[j].lo = columns[j].lo.min(self.p[j] - more),
                (What::Column(j), _) => columns[j].hi = columns[j].hi.max(self.p[j] + more),
                (What::Demand(bus), Limit::Injection) => data.demand[bus] += amount,
                (What::Demand(bus), _) => data.demand[bus] -= amount,
                (What::Line { line, value }, _) => {
                    let line = &mut model.lines[line];
                    let (lo, hi) = line.limits(data.rating[line.row]);
                    let reached = if value - hi > lo - value {
                        value + more
                    } else {
                        value - more
                    };
                    widen(line, &mut data.rating[line.row], value);
                    widen(line, &mut data.rating[line.row], reached);
                }
            }
        }
        model.set_columns(columns);
        (model, data)
    }

    /// Whether the original case, relaxed by these amounts, has a dispatch, verified on that case however it was found.
    pub fn is_feasible(&self, amounts: &[f64]) -> bool {
        let (model, data) = self.apply(amounts);
        if meets_all(&model, &data, &self.p) {
            return true;
        }
        let cuts = |(entry, amount): (&Entry, &f64)| matches!(entry.what, What::Demand(_)) && *amount != entry.amount;
        if !self.entries.iter().zip(amounts).any(cuts) {
            return false;
        }
        // Reducing demand by less than the search did needs another dispatch.
        let mut program = model.clone();
        let mut columns = model.columns.clone();
        for column in &mut columns {
            (column.c, column.q) = (0.0, 0.0);
        }
        program.set_columns(columns);
        program.cost_scale = COST_SCALE;
        match minimum_violation(&program, &data, Elastic::None, None) {
            Ok(found) => meets_all(&model, &data, &found.p),
            Err(_) => false,
        }
    }

    /// Whether the solver finds and certifies an optimum of the original case relaxed by these amounts. If they leave
    /// no margin, there is a single dispatch, which rounding may hide.
    pub fn has_optimum(&self, amounts: &[f64]) -> bool {
        let (model, data) = self.apply(amounts);
        DualActiveSet.optimum(&model, &data, None).is_ok()
    }
}

/// Whether a dispatch by column is within all limits and meets the demand of every island.
fn meets_all(model: &DcModel, data: &DcData, p: &[f64]) -> bool {
    let mut injection: Vec<f64> = model.withdrawals(&data.demand).iter().map(|w| -w).collect();
    model.add_generation(p, &mut injection);
    let mut missed = vec![0.0; model.islands.len()];
    for (injection, &island) in injection.iter().zip(&model.island_of_bus) {
        if let Some(missed) = missed.get_mut(island) {
            *missed += injection;
        }
    }
    let [theta, _] = model.refined_angles([&injection, &vec![0.0; model.n_bus]], 2);
    let flow = model.flows(&theta, &injection);
    let values = row_values(&model.lines, &theta, &flow);
    let within = |lo: f64, hi: f64, value: f64| value >= lo - NEGLIGIBLE && value <= hi + NEGLIGIBLE;
    let lines_hold = model.lines.iter().zip(&values).enumerate().all(|(l, (line, &value))| {
        let (lo, hi) = line.limits(data.rating[line.row]);
        let angle_holds = line.merged.is_none() || within(line.angle_min, line.angle_max, 0.0);
        model.is_undetermined(l) || (angle_holds && within(lo, hi, value))
    });
    let tied = |l: usize| model.direct(l).map(|(terminal, share)| share * injection[terminal]);
    let ties_hold = model.ties().all(|l| tied(l).sum::<f64>().abs() <= NEGLIGIBLE);
    let units_hold = model.columns.iter().zip(p).all(|(c, &p)| within(c.lo, c.hi, p));
    lines_hold && ties_hold && units_hold && missed.iter().all(|m| m.abs() <= NEGLIGIBLE * (1.0 + model.capacity))
}

/// Widens rating and angle-difference limit so that a line's row can have this value.
fn widen(line: &mut Line, rating: &mut f64, value: f64) {
    let angle = angle_at(line, value);
    if line.carries_flow() {
        *rating = rating.max(value.abs());
    }
    line.angle_min = line.angle_min.min(angle);
    line.angle_max = line.angle_max.max(angle);
}
