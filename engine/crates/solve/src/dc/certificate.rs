//! The independent check of an optimum, from powers and multipliers alone, in physical units (contract.md section 3).

use super::model::{DcData, DcModel};
use wattbook_network::analysis::ElementRef;

/// Largest relative residual that still counts as optimal.
const RELATIVE_LIMIT: f64 = 1e-6;

#[derive(Clone, Debug)]
pub struct Certificate {
    /// Largest nodal balance residual, MW.
    pub primal_residual_mw: f64,
    /// Largest violation of a line or generator limit, MW, and where.
    pub worst_violation_mw: f64,
    pub worst_element: Option<ElementRef>,
    /// Largest residual of the price equations at a bus, $/MWh.
    pub stationarity_usd_per_mwh: f64,
    /// Largest product of a multiplier and the distance to its limit, $/h.
    pub complementarity_usd_per_h: f64,
    /// Primal minus dual objective, $/h, and relative to the objective.
    pub duality_gap_usd_per_h: f64,
    pub relative_gap: f64,
    /// Scales the relative tests are taken against.
    power_scale_mw: f64,
    price_scale: f64,
    cost_scale: f64,
}

/// A result from elsewhere, to be certified without a solve. Per unit by dense row; prices and multipliers in $/h per unit,
/// multipliers positive at the upper limit.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    pub dispatch: &'a [f64],
    pub theta: &'a [f64],
    pub flow: &'a [f64],
    pub price: &'a [f64],
    pub shadow: &'a [f64],
    /// $/h.
    pub objective: f64,
}

/// What is certified: powers by column, multipliers by line ($/h per unit; positive at a lower limit), island prices.
pub(crate) struct Point<'a> {
    pub p: &'a [f64],
    pub line_y: &'a [f64],
    pub theta: &'a [f64],
    /// Flow by line.
    pub flow: &'a [f64],
    /// Price at each bus, $/h per unit.
    pub price: &'a [f64],
    pub objective: f64,
}

impl Certificate {
    /// Certifies a result from elsewhere.
    pub fn of_claim(model: &DcModel, data: &DcData, claim: &Claim) -> Self {
        let mut left = claim.dispatch.to_vec();
        let mut p = vec![0.0; model.columns.len()];
        // Segments of one generator follow one another; the first begins at its lower limit, the others at zero.
        for (p, column) in p.iter_mut().zip(&model.columns) {
            let left = &mut left[column.generator];
            *p = if column.is_last { *left } else { left.min(column.hi) };
            *left -= *p;
        }
        let by_line =
            |rows: &[f64], sign: f64| -> Vec<f64> { model.lines.iter().map(|l| sign * rows[l.row]).collect() };
        let (flow, line_y) = (by_line(claim.flow, 1.0), by_line(claim.shadow, -1.0));
        let point = Point {
            p: &p,
            line_y: &line_y,
            theta: claim.theta,
            flow: &flow,
            price: claim.price,
            objective: claim.objective,
        };
        Self::check(model, data, &point)
    }

    /// Every test holds to the relative limit of an optimum.
    pub fn holds(&self) -> bool {
        self.failure().is_none()
    }

    pub(crate) fn check(model: &DcModel, data: &DcData, point: &Point) -> Self {
        let base = model.base_mva;
        let withdrawals = model.withdrawals(&data.demand);
        let mut balance: Vec<f64> = withdrawals.iter().map(|w| -w).collect();
        model.add_generation(point.p, &mut balance);
        let power_scale = withdrawals.iter().fold(1.0f64, |m, w| m.max(w.abs()));

        let mut worst = (0.0, None);
        let mut violated = |amount: f64, element: &ElementRef| {
            if amount > worst.0 {
                worst = (amount, Some(element.clone()));
            }
        };
        let mut complementarity = 0.0f64;
        let mut merged_apart = 0.0f64;
        // Lagrangian dual in closed form: minimum over each column's box, plus prices times withdrawals, plus the lines.
        let mut dual = model.constant_cost;
        for (price, w) in point.price.iter().zip(&withdrawals) {
            dual += price * w;
        }
        let node = &model.merges.node_of_bus;
        let mut stationarity = vec![0.0; model.n_bus];
        let mut diagonal = vec![0.0f64; model.n_bus];
        for ((l, line), &y) in model.lines.iter().enumerate().zip(point.line_y) {
            // Withdrawals count the shift's part of a flow already.
            let flow = point.flow[l] + line.shift_flow;
            balance[line.from] -= flow;
            balance[line.to] += flow;
            let value = match line.is_window() {
                true => point.theta[line.from] - point.theta[line.to],
                false => point.flow[l],
            };
            let (lo, hi) = line.limits(data.rating[line.row]);
            violated((lo - value).max(value - hi), model.element_of_line(l));
            let limit = if y > 0.0 { lo } else { hi };
            if y != 0.0 {
                complementarity = complementarity.max((y * (value - limit)).abs());
                dual += y * (limit - line.offset());
            }
            if line.merged.is_some() {
                // Its flow is free to move: the prices at its ends differ by its multiplier.
                let apart = (point.price[line.from] - point.price[line.to] - y).abs();
                merged_apart = merged_apart.max(apart);
                continue;
            }
            let push = line.b * (point.price[line.from] - point.price[line.to]) - y * line.weight();
            for (bus, push) in [(line.from, push), (line.to, -push)] {
                stationarity[node[bus]] += push;
                diagonal[node[bus]] += line.b.abs();
            }
        }
        for (column, &p) in model.columns.iter().zip(point.p) {
            violated((column.lo - p).max(p - column.hi), &model.gen_ids[column.generator]);
            let net = column.c - point.price[column.bus];
            let rc = net + column.q * p;
            let distance = if rc > 0.0 { p - column.lo } else { column.hi - p };
            complementarity = complementarity.max((rc * distance).abs());
            let at_best = if column.q > 0.0 {
                (-net / column.q).clamp(column.lo, column.hi)
            } else if net > 0.0 {
                column.lo
            } else {
                column.hi
            };
            dual += (0.5 * column.q * at_best + net) * at_best;
        }
        let max = |v: &[f64]| v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let stationarity = stationarity
            .iter()
            .zip(&diagonal)
            .enumerate()
            .filter(|(bus, (_, d))| model.bus_is_active(*bus) && **d > 0.0)
            .fold(merged_apart, |m, (_, (s, d))| m.max((s / d).abs()));
        let gap = point.objective - dual;
        Self {
            primal_residual_mw: max(&balance) * base,
            worst_violation_mw: worst.0 * base,
            worst_element: worst.1,
            stationarity_usd_per_mwh: stationarity / base,
            complementarity_usd_per_h: complementarity,
            duality_gap_usd_per_h: gap,
            relative_gap: gap.abs() / (1.0 + point.objective.abs()),
            power_scale_mw: power_scale * base,
            price_scale: (1.0 + max(point.price)) / base,
            cost_scale: 1.0 + point.objective.abs(),
        }
    }

    /// The first test that fails, with its value, or none.
    pub(crate) fn failure(&self) -> Option<(&'static str, f64)> {
        let tests = [
            ("primal_residual_mw", self.primal_residual_mw, self.power_scale_mw),
            ("worst_violation_mw", self.worst_violation_mw, self.power_scale_mw),
            (
                "stationarity_usd_per_mwh",
                self.stationarity_usd_per_mwh,
                self.price_scale,
            ),
            (
                "complementarity_usd_per_h",
                self.complementarity_usd_per_h,
                self.cost_scale,
            ),
            ("relative_gap", self.relative_gap, 1.0),
        ];
        tests
            .into_iter()
            .find(|(_, value, scale)| value.is_nan() || *value > RELATIVE_LIMIT * scale)
            .map(|(name, value, _)| (name, value))
    }
}
