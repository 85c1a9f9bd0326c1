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
    /// By bus.
    pub withdrawals: &'a [f64],
}

/// Where a limit is violated.
#[derive(Clone, Copy)]
enum Element {
    Line(usize),
    Generator(usize),
}

impl Element {
    fn of(self, model: &DcModel) -> &ElementRef {
        match self {
            Self::Line(l) => model.element_of_line(l),
            Self::Generator(row) => &model.gen_ids[row],
        }
    }
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
            withdrawals: &model.withdrawals(&data.demand),
        };
        Self::check(model, data, &point).0
    }

    /// Every test holds to the relative limit of an optimum.
    pub fn holds(&self) -> bool {
        self.failure().is_none()
    }

    /// The certificate of a point, and by line how far its row's value is above the lower limit and below the upper.
    pub(crate) fn check(model: &DcModel, data: &DcData, point: &Point) -> (Self, Vec<(f64, f64)>) {
        let base = model.base_mva;
        let withdrawals = point.withdrawals;
        let largest = |m: f64, x: f64| if x > m { x } else { m };
        let power_scale = withdrawals.iter().fold(1.0f64, |m, w| largest(m, w.abs()));

        let mut worst = (0.0, None);
        let mut complementarity = 0.0f64;
        let mut merged_apart = 0.0f64;
        // Lagrangian dual in closed form: minimum over each column's box, plus prices times withdrawals, plus the lines.
        let mut dual = model.constant_cost;
        for (price, w) in point.price.iter().zip(withdrawals) {
            dual += price * w;
        }
        let node = &model.merges.node_of_bus;
        let mut room = Vec::with_capacity(model.lines.len());
        // By bus: what it gives and draws, and the left-hand side of its price equation.
        let mut left: Vec<[f64; 2]> = withdrawals.iter().map(|w| [-w, 0.0]).collect();
        for (column, p) in model.columns.iter().zip(point.p) {
            left[column.bus][0] += p;
        }
        for (l, (s, (&flow, &y))) in model
            .stencils
            .iter()
            .zip(point.flow.iter().zip(point.line_y))
            .enumerate()
        {
            let (from, to) = (s.from as usize, s.to as usize);
            let rating = data.rating[s.row as usize];
            // Withdrawals count the shift's part of a flow already.
            let through = flow + s.shift_flow;
            let (value, (lo, hi), weight) = if s.is_plain {
                (flow, s.limits(rating), s.b)
            } else {
                let line = &model.lines[l];
                let value = match line.is_window() {
                    true => point.theta[from] - point.theta[to],
                    false => flow,
                };
                (value, line.limits(rating), line.weight())
            };
            let (above, below) = (value - lo, hi - value);
            room.push((above, below));
            let outside = -(if above < below { above } else { below });
            if outside > worst.0 {
                worst = (outside, Some(Element::Line(l)));
            }
            if y != 0.0 {
                let limit = if y > 0.0 { lo } else { hi };
                complementarity = complementarity.max((y * (value - limit)).abs());
                dual += y * (limit - model.lines[l].offset());
            }
            let apart = point.price[from] - point.price[to];
            left[from][0] -= through;
            left[to][0] += through;
            if !s.is_plain && model.lines[l].merged.is_some() {
                // Its flow is free to move: the prices at its ends differ by its multiplier.
                merged_apart = merged_apart.max((apart - y).abs());
                continue;
            }
            let push = s.b * apart - y * weight;
            left[node[from]][1] += push;
            left[node[to]][1] -= push;
        }
        for (column, &p) in model.columns.iter().zip(point.p) {
            let outside = (column.lo - p).max(p - column.hi);
            if outside > worst.0 {
                worst = (outside, Some(Element::Generator(column.generator)));
            }
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
        let (mut balance, mut stationarity) = (0.0, merged_apart);
        for (left, softness) in left.iter().zip(&model.softness) {
            balance = largest(balance, left[0].abs());
            stationarity = largest(stationarity, (left[1] * softness).abs());
        }
        let highest = point.price.iter().fold(0.0, |m, price| largest(m, price.abs()));
        let gap = point.objective - dual;
        let certificate = Self {
            primal_residual_mw: balance * base,
            worst_violation_mw: worst.0 * base,
            worst_element: worst.1.map(|element| element.of(model).clone()),
            stationarity_usd_per_mwh: stationarity / base,
            complementarity_usd_per_h: complementarity,
            duality_gap_usd_per_h: gap,
            relative_gap: gap.abs() / (1.0 + point.objective.abs()),
            power_scale_mw: power_scale * base,
            price_scale: (1.0 + highest) / base,
            cost_scale: 1.0 + point.objective.abs(),
        };
        (certificate, room)
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
