//! The certificate of a day: residuals that are recomputed from its dispatch, energies and bus prices.

use super::proximal::Optimum;
use super::{Constants, Day, HourOptimum};
use crate::dc::model::DcModel;
use wattbook_network::error::EngineError;
use wattbook_network::message;

/// Largest residuals with which an optimum is published: per unit, and of costs and prices relative to their scale.
const POWER: f64 = 1e-7;
const RELATIVE: f64 = 1e-7;

/// Residuals of the optimality conditions of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DayCertificate {
    /// Largest imbalance of an island, per unit.
    pub balance: f64,
    /// Largest excess of a limit of a line, per unit.
    pub line_excess: f64,
    /// Largest excess of a bound of an output, of a stored energy or of a change of output, per unit.
    pub bound_excess: f64,
    /// Largest error of a stored energy from its hour, per unit.
    pub energy: f64,
    /// Largest reduced cost of the wrong sign, $/h per unit.
    pub reduced_cost: f64,
    /// Cost less the bound of the prices, $.
    pub gap: f64,
    /// The sum of the sizes of the terms of the gap, $, to which it is relative.
    pub gap_scale: f64,
}

impl DayCertificate {
    pub(super) fn check(day: &Day, constants: &Constants, optimum: &Optimum, hours: &[HourOptimum]) -> Self {
        let (model, width) = (&day.model, day.model.columns.len());
        let mut found = Self::default();
        let excess = |x: f64, [lo, hi]: [f64; 2]| (lo - x).max(x - hi).max(0.0);
        // Cost less `sum of price times withdrawal`, limits and ends, by the sign of each reduced cost.
        let (mut gap, mut size) = (0.0f64, 0.0f64);
        let mut add = |term: f64| {
            gap += term;
            size += term.abs();
        };
        for (hour, result) in hours.iter().enumerate() {
            let p = &optimum.x[hour * width..(hour + 1) * width];
            let injection = day.injection(hour, p);
            let mut imbalance = vec![0.0; model.islands.len()];
            for (bus, injected) in injection
                .iter()
                .enumerate()
                .filter(|(bus, _)| model.bus_is_active(*bus))
            {
                imbalance[model.island_of_bus[bus]] += injected;
            }
            for sum in imbalance {
                found.balance = found.balance.max(sum.abs());
            }
            let values = model.row_values(&result.theta, &injection);
            for (value, &(lo, hi)) in values.iter().zip(constants.zero[hour].line_limits.iter()) {
                found.line_excess = found.line_excess.max(excess(*value, [lo, hi]));
            }
            // Reduced costs of the outputs, with the part of stored energy and of changes of output.
            let mut coupled = vec![0.0; model.n_gen];
            for (k, storage) in day.storages.iter().enumerate() {
                let value = result.energy_value[k];
                let [charging, discharging] = storage.generators;
                coupled[charging] -= storage.charge_efficiency * value;
                coupled[discharging] -= value / storage.discharge_efficiency;
            }
            for (k, ramp) in day.ramps.iter().enumerate() {
                let next = hours.get(hour + 1).map_or(0.0, |next| next.ramp_value[k]);
                coupled[ramp.generator] += next - result.ramp_value[k];
            }
            for ((column, &(lo, hi)), &p) in model.columns.iter().zip(&constants.bounds[hour]).zip(p) {
                found.bound_excess = found.bound_excess.max(excess(p, [lo, hi]));
                let reduced = column.c + column.q * p - result.price[column.bus] - coupled[column.generator];
                found.judge(reduced, p, [lo, hi]);
                let at = if reduced >= 0.0 { lo } else { hi };
                add(reduced * (p - at));
            }
            for (l, (value, &(lo, hi))) in values.iter().zip(constants.zero[hour].line_limits.iter()).enumerate() {
                let line = &model.lines[l];
                let shadow = result.shadow[line.row];
                if line.tie.is_none() && shadow != 0.0 {
                    add(shadow * (if shadow > 0.0 { hi - value } else { lo - value }));
                }
            }
        }
        found.check_storages(day, hours, &mut add);
        found.check_ramps(day, constants, hours, &mut add);
        found.gap = gap * day.length;
        found.gap_scale = size * day.length;
        let cost: f64 = hours
            .iter()
            .flat_map(|hour| hour.dispatch.iter().map(|p| p.abs()))
            .sum();
        found.gap_scale += cost * model.cost_scale * day.length;
        found
    }

    /// Records a reduced cost with the wrong sign for the position between two bounds.
    fn judge(&mut self, reduced: f64, x: f64, [lo, hi]: [f64; 2]) {
        let rounding = 1e-9 * (1.0 + x.abs());
        let wrong = match (x - lo <= rounding, hi - x <= rounding) {
            (true, true) => 0.0,
            (true, false) => (-reduced).max(0.0),
            (false, true) => reduced.max(0.0),
            (false, false) => reduced.abs(),
        };
        self.reduced_cost = self.reduced_cost.max(wrong);
    }

    fn check_storages(&mut self, day: &Day, hours: &[HourOptimum], add: &mut impl FnMut(f64)) {
        for (k, storage) in day.storages.iter().enumerate() {
            let [charging, discharging] = storage.generators;
            for (hour, result) in hours.iter().enumerate() {
                let before = match hour.checked_sub(1) {
                    Some(before) => hours[before].energy[k],
                    None => storage.start.unwrap_or(hours[hours.len() - 1].energy[k]),
                };
                let stored = -result.dispatch[charging] * storage.charge_efficiency
                    - result.dispatch[discharging] / storage.discharge_efficiency
                    + storage.inflow.get(hour).copied().unwrap_or(0.0);
                let spilled = before / day.length + stored - result.energy[k] / day.length;
                let has_inflow = storage.has_inflow();
                self.energy = self.energy.max(if has_inflow { -spilled } else { spilled.abs() });
                if has_inflow {
                    // Energy that is spilled is worth nothing.
                    add(result.energy_value[k] * spilled);
                }
                let next = match (hours.get(hour + 1), storage.start) {
                    (Some(next), _) => next.energy_value[k],
                    (None, None) => hours[0].energy_value[k],
                    (None, Some(_)) => storage.value_at_end,
                };
                let [lo, hi] = storage
                    .limits(hour + 1 == hours.len())
                    .map(|energy| energy / day.length);
                let energy = result.energy[k] / day.length;
                self.bound_excess = self.bound_excess.max((lo - energy).max(energy - hi).max(0.0));
                let reduced = result.energy_value[k] - next;
                self.judge(reduced, energy, [lo, hi]);
                let at = if reduced >= 0.0 { lo } else { hi };
                if at.is_finite() {
                    add(reduced * (energy - at));
                }
            }
        }
    }

    fn check_ramps(&mut self, day: &Day, constants: &Constants, hours: &[HourOptimum], add: &mut impl FnMut(f64)) {
        for (k, ramp) in day.ramps.iter().enumerate() {
            for hour in 1..hours.len() {
                let [before, now] = [hour - 1, hour].map(|h| hours[h].dispatch[ramp.generator]);
                let value = hours[hour].ramp_value[k];
                let [lo, hi] = day.change_limits(ramp, hour, constants);
                let change = now - before;
                self.bound_excess = self.bound_excess.max((lo - change).max(change - hi).max(0.0));
                if value != 0.0 {
                    add(value * (if value > 0.0 { hi } else { lo } - change));
                }
            }
        }
    }

    /// The error of an optimum whose residuals are too large.
    pub(super) fn error(&self, model: &DcModel) -> Option<EngineError> {
        let powers = [self.balance, self.line_excess, self.bound_excess, self.energy];
        let holds = powers.iter().all(|power| *power <= POWER)
            && self.reduced_cost <= RELATIVE * model.cost_scale
            && self.gap.abs() <= RELATIVE * self.gap_scale;
        (!holds).then(|| EngineError::new("SOLVE.NOT_CONVERGED", message!("day.not_certified")))
    }
}
