//! The proof that no smaller relaxation exists, from powers and multipliers alone.

use crate::dc::model::prices::{finish_prices, line_price_rhs, nonzero};
use crate::dc::model::{DcData, DcModel, Line};
use crate::dc::result::certificate::{Certificate, Point};

/// Largest relative difference between the relaxation and the value of the multipliers.
const GAP: f64 = 1e-6;
/// Rounding error of a sum, as a share of its terms.
const ROUNDING: f64 = 1e-12;
/// Residual of the price equations, relative.
const STATIONARITY: f64 = 1e-8;
/// The value of a Farkas ray is significant above this share of the terms of its sum.
const SIGNIFICANT: f64 = 1e-10;

/// The optimum of a program of violations, from its powers and multipliers.
pub(crate) struct Proof {
    /// By column.
    pub p: Vec<f64>,
    /// By line, positive at the lower limit.
    pub line_y: Vec<f64>,
    /// By bus: MW of relaxation per MW of demand.
    pub price: Vec<f64>,
    /// Value of each line's row.
    pub value: Vec<f64>,
    theta: Vec<f64>,
    flow: Vec<f64>,
}

/// Value of each line's row: its flow, or the angle difference of a line without flow.
pub(crate) fn row_values(lines: &[Line], theta: &[f64], flow: &[f64]) -> Vec<f64> {
    let value = |(line, flow): (&Line, &f64)| match line.is_angle_difference() {
        true => theta[line.from] - theta[line.to],
        false => *flow,
    };
    lines.iter().zip(flow).map(value).collect()
}

impl Proof {
    /// The proof of powers by column, multipliers by line, and prices of islands.
    pub fn new(program: &DcModel, data: &DcData, p: &[f64], line_y: &[f64], island_price: &[f64]) -> Self {
        let mut injection: Vec<f64> = program.withdrawals(&data.demand).iter().map(|w| -w).collect();
        program.add_generation(p, &mut injection);
        let set = nonzero(line_y);
        let aty = line_price_rhs(program, &set);
        let [theta, mut price] = program.refined_angles([&injection, &aty], 2);
        finish_prices(program, island_price, &set, &mut price);
        let flow = program.flows(&theta, &injection);
        Self {
            price,
            value: row_values(&program.lines, &theta, &flow),
            p: p.to_vec(),
            line_y: line_y.to_vec(),
            theta,
            flow,
        }
    }

    /// The difference, per unit, by which the multipliers' value is below `cost`; `None` if it exceeds `GAP` or they
    /// prove nothing. `program` has all possible columns; those that the search did not add come last and are zero.
    /// Limits of lines may be exceeded if `is_elastic`.
    ///
    /// If no multiplier exceeds the cost of its slack, the Lagrangian bound of the program without slacks also bounds
    /// the program with slacks: a positive bound is a Farkas ray of the data.
    pub fn gap(&self, program: &DcModel, data: &DcData, cost: f64, is_elastic: bool) -> Option<f64> {
        let (gap, holds) = self.judged(program, data, cost, is_elastic);
        holds.then_some(gap)
    }

    /// The value of the multipliers as a bound; `None` if they do not satisfy their conditions.
    pub fn bound(&self, program: &DcModel, data: &DcData, cost: f64) -> Option<f64> {
        let (check, multipliers_hold, prices) = self.checked(program, data, cost);
        let holds = multipliers_hold && check.stationarity_usd_per_mwh * program.base_mva <= STATIONARITY * prices;
        Some(cost - check.duality_gap_usd_per_h).filter(|bound| holds && bound.is_finite())
    }

    /// The certificate of the point, whether each multiplier is at most the cost of its slack, and the highest price.
    fn checked(&self, program: &DcModel, data: &DcData, cost: f64) -> (Certificate, bool, f64) {
        let mut p = self.p.clone();
        p.resize(program.columns.len(), 0.0);
        let point = Point {
            p: &p,
            line_y: &nonzero(&self.line_y),
            theta: &self.theta,
            price: &self.price,
            objective: cost,
        };
        let (check, _) = Certificate::check(program, data, &point, |l, _, _| self.flow[l]);
        let prices = self.price.iter().fold(1.0f64, |m, price| m.max(price.abs()));
        let multipliers_hold = program
            .lines
            .iter()
            .zip(&self.line_y)
            .all(|(line, y)| line.tie.is_some() || y.abs() <= line.slack_cost() * (1.0 + GAP));
        (check, multipliers_hold, prices)
    }

    fn judged(&self, program: &DcModel, data: &DcData, cost: f64, is_elastic: bool) -> (f64, bool) {
        let (check, multipliers_hold, prices) = self.checked(program, data, cost);
        let mut p = self.p.clone();
        p.resize(program.columns.len(), 0.0);
        let terms = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x * y).abs()).sum::<f64>();
        let supplied: Vec<f64> = program.columns.iter().map(|c| self.price[c.bus]).collect();
        let scale = terms(&self.price, &program.withdrawals(&data.demand))
            + terms(&self.line_y, &self.value)
            + terms(&supplied, &p);
        let gap = check.duality_gap_usd_per_h;
        let holds = gap.abs() <= GAP * cost + ROUNDING * scale
            && (cost == 0.0 || cost - gap > SIGNIFICANT * scale)
            && check.stationarity_usd_per_mwh * program.base_mva <= STATIONARITY * prices
            && check.primal_residual_mw <= GAP * (1.0 + cost) * program.base_mva
            && (multipliers_hold || !is_elastic);
        (gap, holds)
    }
}
