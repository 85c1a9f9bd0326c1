//! Regions of a path that are points, in precise solves with quadratic and mixed costs.
//!
//! Where prices rise by 1e6 and more within a millionth of a unit, a region may be so short that no position lies
//! inside it, and the constraint that enters at its start would leave the powers undetermined except for rounding. Its
//! start and end are then one pivot of two constraints, as with linear costs.

use super::method::Quadratic;
use super::response::Response;
use crate::dc::basis::kkt::Status;
use crate::dc::optimize::problem_data::ProblemData;
use crate::dc::optimize::state::{Constraint, Entering, SolverState, Step};
use crate::dc::optimize::{Options, PRIMAL_TOLERANCE};

/// Step for the rates of limits, per unit.
const PROBE: f64 = 1e-6;
/// Constraints with rates below this share of the largest do not move towards their limits.
const ZERO_SHARE: f64 = 1e-9;

/// Rates along a direction: powers and reduced costs by column, multipliers and limits by row.
struct Speeds {
    p: Vec<f64>,
    rc: Vec<f64>,
    y: Vec<f64>,
    limits: Vec<(f64, f64)>,
}

impl Speeds {
    /// The rate at which the violation of a constraint grows.
    fn violation(&self, state: &SolverState<'_, Quadratic>, entering: Entering) -> f64 {
        let (value, (lo, hi)) = match entering.constraint {
            Constraint::Column(j) => (self.p[j], (0.0, 0.0)),
            Constraint::Row(row) => {
                let injections = state.products.injections(state.model, &self.p);
                let value = state.products.value(&state.rows, row, &self.p, &injections);
                (value, self.limits[row])
            }
        };
        if entering.sign > 0.0 {
            lo - value
        } else {
            value - hi
        }
    }
}

impl SolverState<'_, Quadratic> {
    /// Whether the region of the entering constraint is a point.
    pub(in crate::dc::optimize) fn is_degenerate_entry(
        &self,
        entering: Entering,
        curvature: f64,
        response: &Response,
        own: &[f64],
    ) -> bool {
        if !self.precision.is_refined() {
            return false;
        }
        let drc: Vec<f64> = response.gradient.iter().zip(own).map(|(g, own)| -g - own).collect();
        let step = self.bound_flipping_search(self.violation(entering), 0.0, &response.dy, &drc);
        let speed = self
            .speeds_ahead()
            .map_or(1.0, |speeds| speeds.violation(self, entering));
        !step.is_unbounded && curvature * step.t <= self.precision.degenerate_length() * speed
    }

    /// Rates of the optimum along the direction of the data, per unit, with the current active set.
    fn speeds_ahead(&self) -> Option<Speeds> {
        let ahead = self.problem.ahead?;
        let data = ahead.data.moved(ahead.direction, PROBE);
        let later = ProblemData::new(self.model, &data, Options { presolve: false });
        let rate = |row: usize| {
            let (now, later) = (self.limits(row), later.limits(&self.rows, row));
            ((later.0 - now.0) / PROBE, (later.1 - now.1) / PROBE)
        };
        let mut r = vec![0.0; self.rows.len()];
        for &row in &self.active {
            let (lo, hi) = rate(row);
            r[row] = if self.side[row] > 0 { hi } else { lo };
        }
        let response = self.respond(&r, None);
        let mut y = vec![0.0; self.rows.len()];
        for &(row, dy) in &response.dy {
            y[row] = dy;
        }
        Some(Speeds {
            limits: (0..self.rows.len()).map(rate).collect(),
            rc: response.gradient.iter().map(|g| -g).collect(),
            p: response.dp,
            y,
        })
    }

    /// Removes a constraint whose multiplier is zero. If another constraint blocks within a point, that one enters at
    /// once.
    pub(in crate::dc::optimize) fn leave(&mut self, leaving: Constraint) -> Step<()> {
        if !self.precision.is_refined() {
            return self.let_go(leaving);
        }
        let sign = match leaving {
            Constraint::Column(j) if self.status[j] == Status::AtLower => 1.0,
            Constraint::Column(_) => -1.0,
            Constraint::Row(row) => -f64::from(self.side[row]),
        };
        let mut r = vec![0.0; self.rows.len()];
        match leaving {
            Constraint::Column(j) => self
                .active
                .iter()
                .for_each(|&row| r[row] = -sign * self.rows.at(row, j)),
            Constraint::Row(row) => r[row] = sign,
        }
        let speeds = self.speeds_ahead();
        let mut dp = self.respond(&r, None).dp;
        let mut curvature = self.curvature(&dp);
        if let Constraint::Column(j) = leaving {
            dp[j] = sign;
            curvature += self.q[j];
        }
        self.pivots += 1;
        let speed = speeds.map_or(1.0, |speeds| match leaving {
            Constraint::Column(j) => speeds.rc[j].abs(),
            Constraint::Row(row) => speeds.y[row].abs(),
        });
        let stop = self.first_stop(leaving, &dp);
        self.release(leaving);
        if let Some((_, entering)) =
            stop.filter(|(way, _)| curvature * way <= self.precision.degenerate_length() * speed)
        {
            let constraint = match entering.constraint {
                Constraint::Row(line) => Constraint::Row(self.add_lazy_rows(&[line])[0]),
                column => column,
            };
            self.insert_quadratic(Entering { constraint, ..entering }, 0.0);
        }
        self.refactor()
    }

    /// The first constraint (a line by its index) that stops a movement of the powers, and its distance; of those at
    /// nearly the same distance, the one that moves fastest.
    fn first_stop(&self, leaving: Constraint, dp: &[f64]) -> Option<(f64, Entering)> {
        let mut stops: Vec<(f64, f64, Entering)> = Vec::new();
        let mut longest = f64::INFINITY;
        let mut consider = |rate: f64, least: f64, (below, above): (f64, f64), constraint: Constraint| {
            let slack = if rate > 0.0 { above } else { below };
            if rate.abs() > least && slack.is_finite() {
                let slack = slack.max(0.0);
                longest = longest.min((slack + PRIMAL_TOLERANCE) / rate.abs());
                let sign = -rate.signum();
                let entering = Entering {
                    constraint,
                    sign,
                    violation: f64::MIN_POSITIVE,
                };
                stops.push((slack / rate.abs(), rate.abs(), entering));
            }
        };
        let largest = |rates: &[f64]| rates.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let least = ZERO_SHARE * largest(dp);
        for (j, &rate) in dp.iter().enumerate() {
            if self.status[j] == Status::Free || leaving == Constraint::Column(j) {
                let p = self.p[j];
                consider(rate, least, (p - self.lo(j), self.hi(j) - p), Constraint::Column(j));
            }
        }
        let (values, rates) = (self.line_values(&self.p), self.line_values(dp));
        let least = ZERO_SHARE * largest(&rates);
        for (l, (value, rate)) in values.into_iter().zip(rates).enumerate() {
            let is_active = self.rows.row_of_line[l].is_some_and(|row| self.side[row] != 0);
            if !is_active && !self.problem.bounds.is_bound[l] {
                let (lo, hi) = self.problem.line_limits[l];
                let value = self.problem.line_base[l] + value;
                consider(rate, least, (value - lo, hi - value), Constraint::Row(l));
            }
        }
        let near = stops.into_iter().filter(|stop| stop.0 <= longest);
        let fastest = near.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((fastest.0, fastest.2))
    }
}
