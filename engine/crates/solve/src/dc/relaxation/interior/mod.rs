//! The minimum relaxation by an interior point method, for cases whose thousands of equal relaxations exhaust an active
//! set.
//!
//! A primal-dual method with predictor and corrector (Mehrotra, SIAM J. Optim. 2 (1992)) for the whole network: each
//! bus has an angle and a price, a 2 x 2 block in the pattern of the susceptance matrix. It starts from a dispatch that
//! meets every balance, with flows beyond their limits where necessary, and from a uniform price. Steps preserve both,
//! so each point is a relaxation and its multipliers are a lower bound. The number of steps hardly depends on the case
//! (20 to 40).

mod direction;
mod start;

pub(super) use start::at_one_level;

use crate::dc::model::{DcData, DcModel};
use wattbook_sparse::Pairs;

/// Final gap relative to the relaxation.
const GAP: f64 = 1e-10;
/// Final gap in absolute terms, per unit.
const LEAST_GAP: f64 = 1e-11;
/// Largest step as a share of the distance to the boundary.
const TO_BOUNDARY: f64 = 0.9995;
/// Largest number of steps.
const MOST_STEPS: usize = 200;
/// Steps shorter than this make no progress.
const SHORT: f64 = 1e-5;

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stepped {
    On,
    /// The gap is closed.
    Done,
    /// Rounding errors prevent further progress.
    Stuck,
}

/// A movable column, between its bounds.
#[derive(Clone, Debug)]
struct Unit {
    /// Its index in the program.
    column: usize,
    node: usize,
    lo: f64,
    hi: f64,
    cost: f64,
    x: f64,
    /// Multipliers of its bounds.
    z: [f64; 2],
}

/// A line, whose value is `t + over - under` with `t` within its limits.
#[derive(Clone, Debug)]
struct Row {
    line: usize,
    ends: [usize; 2],
    weight: f64,
    b: f64,
    offset: f64,
    lo: f64,
    hi: f64,
    cost: f64,
    t: f64,
    over: f64,
    under: f64,
    /// Multiplier of the row, positive at the lower limit.
    y: f64,
    /// Multipliers of the limits of `t`, and of `over` and `under` at zero.
    z: [f64; 4],
}

impl Unit {
    fn slack(&self) -> [f64; 2] {
        [self.x - self.lo, self.hi - self.x]
    }
}

impl Row {
    fn slack(&self) -> [f64; 4] {
        [self.t - self.lo, self.hi - self.t, self.over, self.under]
    }
}

/// A point of the method.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    pairs: Pairs,
    /// Node of each bus; `usize::MAX` for buses outside the model.
    node_of_bus: Vec<usize>,
    /// Nodes whose angle is zero.
    is_reference: Vec<bool>,
    units: Vec<Unit>,
    rows: Vec<Row>,
    theta: Vec<f64>,
    price: Vec<f64>,
    /// Net demand of each node without the units.
    demand: Vec<f64>,
    pub steps: usize,
    short_steps: usize,
    first_gap: f64,
}

/// A point in terms of the program.
pub(super) struct Multipliers {
    pub p: Vec<f64>,
    pub line_y: Vec<f64>,
    pub island_price: Vec<f64>,
}

impl Interior {
    /// Complementarity of all pairs, and their number.
    fn gap(&self) -> (f64, f64) {
        let (mut sum, mut count) = (0.0, 0.0);
        let mut add = |slack: &[f64], z: &[f64]| {
            for (slack, z) in slack.iter().zip(z) {
                sum += slack * z;
                count += 1.0;
            }
        };
        self.units.iter().for_each(|u| add(&u.slack(), &u.z));
        self.rows.iter().for_each(|r| add(&r.slack(), &r.z));
        (sum, count)
    }

    fn cost(&self) -> f64 {
        let units: f64 = self.units.iter().map(|u| u.cost * u.x).sum();
        let rows: f64 = self.rows.iter().map(|r| r.cost * (r.over + r.under)).sum();
        units + rows
    }

    /// Performs one step: a factorisation and two directions.
    pub fn step(&mut self) -> Stepped {
        let (gap, pairs) = self.gap();
        if gap <= GAP * self.cost() + LEAST_GAP {
            return Stepped::Done;
        }
        if self.steps >= MOST_STEPS || !gap.is_finite() {
            return Stepped::Stuck;
        }
        self.steps += 1;
        let Some(system) = self.system() else {
            return Stepped::Stuck;
        };
        let mu = gap / pairs;
        let no_targets = (vec![[0.0; 2]; self.units.len()], vec![[0.0; 4]; self.rows.len()]);
        let predictor = self.direction(&system, &no_targets);
        let step = self.step_to_boundary(&predictor, 1.0);
        let ahead = self.gap_after(&predictor, step) / pairs;
        let centre = (ahead / mu).powi(3) * mu;
        let corrector = self.direction(&system, &self.targets(&predictor, centre));
        let step = self.step_to_boundary(&corrector, TO_BOUNDARY.max(1.0 - mu));
        self.take(&corrector, step);
        self.short_steps = if step[0].min(step[1]) < SHORT {
            self.short_steps + 1
        } else {
            0
        };
        if self.short_steps > 3 {
            return Stepped::Stuck;
        }
        Stepped::On
    }

    /// Progress in closing the gap, 0 to 1, on a logarithmic scale.
    pub fn fraction(&self) -> f64 {
        let decades = |gap: f64| (gap / (GAP * self.cost() + LEAST_GAP)).max(1.0).ln();
        let whole = decades(self.first_gap).max(1.0);
        (1.0 - decades(self.gap().0) / whole).clamp(0.0, 1.0)
    }

    /// Work of a step in block products.
    pub fn work(&self) -> usize {
        self.pairs.work()
    }

    /// The point by columns, lines and islands of the program. Values within rounding of a bound are set to it, and
    /// columns between their bounds meet the balances.
    pub fn multipliers(&self, program: &DcModel, data: &DcData) -> Multipliers {
        let mut p: Vec<f64> = program.columns.iter().map(|c| c.lo).collect();
        let mut slack = vec![(0.0, usize::MAX); program.islands.len()];
        for unit in &self.units {
            let [below, above] = unit.slack();
            p[unit.column] = if below < unit.z[0] {
                unit.lo
            } else if above < unit.z[1] {
                unit.hi
            } else {
                unit.x
            };
            let most = &mut slack[program.columns[unit.column].island];
            if below.min(above) > most.0 {
                *most = (below.min(above), unit.column);
            }
        }
        let mut missed = vec![0.0; program.islands.len()];
        for (withdrawal, &island) in program.withdrawals(&data.demand).iter().zip(&program.island_of_bus) {
            if let Some(missed) = missed.get_mut(island) {
                *missed += withdrawal;
            }
        }
        for (column, p) in program.columns.iter().zip(&p) {
            missed[column.island] -= p;
        }
        for (missed, (_, column)) in missed.iter().zip(slack) {
            if let Some(p) = p.get_mut(column) {
                *p += missed;
            }
        }
        let mut line_y = vec![0.0; program.lines.len()];
        for row in &self.rows {
            // Neither at a limit nor beyond it: a rounding error.
            let [a, b, over, under] = row.slack();
            let is_held = a < row.z[0] || b < row.z[1] || over > row.z[2] || under > row.z[3];
            line_y[row.line] = if is_held { row.y.clamp(-row.cost, row.cost) } else { 0.0 };
        }
        let price = |&bus: &usize| self.price[self.node_of_bus[bus]];
        Multipliers {
            p,
            line_y,
            island_price: program.references.iter().map(price).collect(),
        }
    }
}
