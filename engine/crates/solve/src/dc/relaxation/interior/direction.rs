//! Newton directions: all variables except angles and prices are eliminated unit by unit and line by line.

use super::{Interior, Row};
use wattbook_sparse::{Block, Pair, PairsFactor, SymmetricBlock};

/// Keeps blocks regular if neither prices nor angles have a curvature of their own.
const LEAST: f64 = 1e-12;
/// Rounds of refinement with the unfactored matrix.
const REFINEMENTS: usize = 2;

/// The matrix of angles and prices at a point, factored.
pub(super) struct System {
    diagonal: Vec<SymmetricBlock>,
    beside: Vec<Block>,
    factor: PairsFactor,
}

pub(super) struct Direction {
    theta: Vec<f64>,
    price: Vec<f64>,
    /// By unit: its power and the multipliers of its bounds.
    units: Vec<(f64, [f64; 2])>,
    rows: Vec<RowStep>,
}

#[derive(Clone, Copy)]
struct RowStep {
    t: f64,
    over: f64,
    under: f64,
    y: f64,
    z: [f64; 4],
}

/// Target values of the complementarity products, by pair.
pub(super) type Targets = (Vec<[f64; 2]>, Vec<[f64; 4]>);

/// For a line: the flexibility of `t`, `over` and `under`, and the resulting stiffness of its row.
fn flexibility(row: &Row) -> ([f64; 3], f64) {
    let slack = row.slack();
    let soft = [
        1.0 / (row.z[0] / slack[0] + row.z[1] / slack[1]),
        slack[2] / row.z[2],
        slack[3] / row.z[3],
    ];
    (soft, 1.0 / (soft[0] + soft[1] + soft[2]))
}

impl Interior {
    /// Factors the system; `None` if the matrix is singular.
    pub(super) fn system(&self) -> Option<System> {
        let mut diagonal = vec![[LEAST, 0.0, -LEAST]; self.theta.len()];
        for unit in &self.units {
            let slack = unit.slack();
            diagonal[unit.node][2] -= 1.0 / (unit.z[0] / slack[0] + unit.z[1] / slack[1]);
        }
        let mut beside = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let stiff = row.weight * row.weight * flexibility(row).1;
            let [f, t] = row.ends;
            let mut block = [-stiff, -row.b, -row.b, 0.0];
            // Seen from the first end, rows are its own angle and price.
            if self.is_reference[f] {
                (block[0], block[1]) = (0.0, 0.0);
            }
            if self.is_reference[t] {
                (block[0], block[2]) = (0.0, 0.0);
            }
            beside.push(block);
            for node in [f, t] {
                if !self.is_reference[node] {
                    diagonal[node][0] += stiff;
                    diagonal[node][1] += row.b;
                }
            }
        }
        for (diagonal, _) in diagonal.iter_mut().zip(&self.is_reference).filter(|(_, is)| **is) {
            diagonal[0] = 1.0;
        }
        let factor = self.pairs.factor(&diagonal, &beside).ok()?;
        Some(System {
            diagonal,
            beside,
            factor,
        })
    }

    fn solve(&self, system: &System, rhs: &[Pair]) -> Vec<Pair> {
        let mut x = rhs.to_vec();
        self.pairs.solve(&system.factor, &mut x);
        for _ in 0..REFINEMENTS {
            let mut left = self.pairs.residual(&system.diagonal, &system.beside, &x, rhs);
            self.pairs.solve(&system.factor, &mut left);
            for (x, d) in x.iter_mut().zip(left) {
                *x = [x[0] + d[0], x[1] + d[1]];
            }
        }
        x
    }

    /// The direction in which all equations hold and products reach these targets, to first order.
    pub(super) fn direction(&self, system: &System, targets: &Targets) -> Direction {
        let mut rhs: Vec<Pair> = self.demand.iter().map(|d| [0.0, -d]).collect();
        let of_unit = |u: usize| {
            let (unit, target) = (&self.units[u], targets.0[u]);
            let slack = unit.slack();
            let pull = [0, 1].map(|k| target[k] / slack[k] - unit.z[k]);
            let dual = unit.cost - self.price[unit.node] - unit.z[0] + unit.z[1];
            let stiff = unit.z[0] / slack[0] + unit.z[1] / slack[1];
            (slack, pull, pull[0] - pull[1] - dual, stiff)
        };
        for (u, unit) in self.units.iter().enumerate() {
            let (_, _, push, stiff) = of_unit(u);
            rhs[unit.node][1] += unit.x + push / stiff;
        }
        let of_row = |r: usize| {
            let (row, target) = (&self.rows[r], targets.1[r]);
            let slack = row.slack();
            let pull = [0, 1, 2, 3].map(|k| target[k] / slack[k] - row.z[k]);
            let push = [
                pull[0] - pull[1] - (row.y - row.z[0] + row.z[1]),
                pull[2] - (row.cost + row.y - row.z[2]),
                pull[3] - (row.cost - row.y - row.z[3]),
            ];
            let (soft, stiff) = flexibility(row);
            let value = row.weight * (self.theta[row.ends[0]] - self.theta[row.ends[1]]) + row.offset;
            let missed =
                row.t + row.over - row.under - value + push[0] * soft[0] + push[1] * soft[1] - push[2] * soft[2];
            (slack, pull, push, soft, stiff, missed)
        };
        for (r, row) in self.rows.iter().enumerate() {
            let (_, _, _, _, stiff, missed) = of_row(r);
            let [f, t] = row.ends;
            let apart = self.price[f] - self.price[t];
            let along = row.weight * (row.y + stiff * missed) - row.b * apart;
            let flow = row.b * (self.theta[f] - self.theta[t]);
            rhs[f] = [rhs[f][0] + along, rhs[f][1] - flow];
            rhs[t] = [rhs[t][0] - along, rhs[t][1] + flow];
        }
        for (rhs, _) in rhs.iter_mut().zip(&self.is_reference).filter(|(_, is)| **is) {
            rhs[0] = 0.0;
        }
        let moved = self.solve(system, &rhs);
        let units = (0..self.units.len()).map(|u| {
            let (slack, pull, push, stiff) = of_unit(u);
            let unit = &self.units[u];
            let x = (moved[unit.node][1] + push) / stiff;
            let z = [pull[0] - unit.z[0] / slack[0] * x, pull[1] + unit.z[1] / slack[1] * x];
            (x, z)
        });
        let rows = (0..self.rows.len()).map(|r| {
            let (slack, pull, push, soft, stiff, missed) = of_row(r);
            let row = &self.rows[r];
            let value = row.weight * (moved[row.ends[0]][0] - moved[row.ends[1]][0]);
            let y = stiff * (missed - value);
            let (t, over, under) = (
                (push[0] - y) * soft[0],
                (push[1] - y) * soft[1],
                (push[2] + y) * soft[2],
            );
            let by = [t, -t, over, under];
            let z = [0, 1, 2, 3].map(|k| pull[k] - row.z[k] / slack[k] * by[k]);
            RowStep { t, over, under, y, z }
        });
        Direction {
            units: units.collect(),
            rows: rows.collect(),
            theta: moved.iter().map(|m| m[0]).collect(),
            price: moved.iter().map(|m| m[1]).collect(),
        }
    }

    /// Slack and multiplier of every pair, with their directions.
    fn for_pairs(&self, d: &Direction, mut f: impl FnMut(f64, f64, f64, f64)) {
        for (unit, (x, z)) in self.units.iter().zip(&d.units) {
            let slack = unit.slack();
            f(slack[0], *x, unit.z[0], z[0]);
            f(slack[1], -x, unit.z[1], z[1]);
        }
        for (row, s) in self.rows.iter().zip(&d.rows) {
            let slack = row.slack();
            let by = [s.t, -s.t, s.over, s.under];
            for k in 0..4 {
                f(slack[k], by[k], row.z[k], s.z[k]);
            }
        }
    }

    /// Largest steps of powers and multipliers along a direction, at most one: a share of the distance to the boundary.
    pub(super) fn step_to_boundary(&self, d: &Direction, share: f64) -> [f64; 2] {
        let mut most = [f64::INFINITY; 2];
        self.for_pairs(d, |slack, by, z, dz| {
            if by < 0.0 {
                most[0] = most[0].min(-slack / by);
            }
            if dz < 0.0 {
                most[1] = most[1].min(-z / dz);
            }
        });
        most.map(|most| (share * most).min(1.0))
    }

    pub(super) fn gap_after(&self, d: &Direction, [primal, dual]: [f64; 2]) -> f64 {
        let mut sum = 0.0;
        self.for_pairs(d, |slack, by, z, dz| sum += (slack + primal * by) * (z + dual * dz));
        sum
    }

    /// Targets of products after a predictor: `centre` less the second-order terms of the predictor.
    pub(super) fn targets(&self, d: &Direction, centre: f64) -> Targets {
        let units = d.units.iter().map(|(x, z)| [centre - x * z[0], centre + x * z[1]]);
        let rows = d.rows.iter().map(|s| {
            let by = [s.t, -s.t, s.over, s.under];
            [0, 1, 2, 3].map(|k| centre - by[k] * s.z[k])
        });
        (units.collect(), rows.collect())
    }

    pub(super) fn take(&mut self, d: &Direction, [primal, dual]: [f64; 2]) {
        for (unit, (x, z)) in self.units.iter_mut().zip(&d.units) {
            unit.x += primal * x;
            unit.z = [unit.z[0] + dual * z[0], unit.z[1] + dual * z[1]];
        }
        for (row, s) in self.rows.iter_mut().zip(&d.rows) {
            row.t += primal * s.t;
            row.over += primal * s.over;
            row.under += primal * s.under;
            row.y += dual * s.y;
            for k in 0..4 {
                row.z[k] += dual * s.z[k];
            }
        }
        for (theta, by) in self.theta.iter_mut().zip(&d.theta) {
            *theta += primal * by;
        }
        for (price, by) in self.price.iter_mut().zip(&d.price) {
            *price += dual * by;
        }
    }
}
