//! The optimum of changed data while the active set of another optimum remains optimal: that optimum plus its
//! derivative.
//!
//! Inside a region the optimum is affine in demand and rating, so one linearised system and one solve with the
//! Laplacian update it to the new data (`sensitivity/tangent.rs`). No knowledge of the region is assumed: limits, signs
//! of multipliers and the certificate are checked on the result itself, and a failed check returns nothing.

use crate::dc::basis::kkt::Status;
use crate::dc::model::{DcData, DcModel};
use crate::dc::result::solution::{ActiveSet, DcSolution, Progress};
use crate::dc::sensitivity::Perturbation;
use crate::vocabulary::Direction;

/// Tolerance of limits, per unit, equal to the solver's.
const PRIMAL_TOLERANCE: f64 = 1e-8;
/// Multipliers of the wrong sign below this share of the largest count as zero.
const DUAL_TOLERANCE: f64 = 1e-9;
/// Largest relative residual of the linearised system.
const RESIDUAL: f64 = 1e-10;
/// Largest relative duality gap.
const GAP: f64 = 1e-10;
/// Values compared together.
const TOGETHER: usize = 32;

impl DcData {
    /// The change from other data of the same model.
    pub(crate) fn changes_from(&self, from: &DcData) -> Direction {
        Direction {
            demand: changes(&self.demand, &from.demand),
            rating: changes(&self.rating, &from.rating),
            ..Direction::default()
        }
    }
}

#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn changes(to: &[f64], from: &[f64]) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    for (k, (to, from)) in to.chunks(TOGETHER).zip(from.chunks(TOGETHER)).enumerate() {
        let pairs = || to.iter().zip(from);
        if pairs().fold(0, |bits, (to, from)| bits | (to.to_bits() ^ from.to_bits())) != 0 {
            let rows = pairs().enumerate().filter(|(_, (to, from))| to != from);
            found.extend(rows.map(|(i, (to, from))| (k * TOGETHER + i, to - from)));
        }
    }
    found
}

impl DcSolution {
    /// The optimum of `data`, which differ by `change`, with this active set; `None` if it is not optimal there.
    pub(crate) fn same_basis_update(&self, model: &DcModel, data: &DcData, change: &Direction) -> Option<DcSolution> {
        if self.shifted != model.shifted {
            return None;
        }
        let perturbation = Perturbation::of_direction(self, model, change);
        let rates = self.reduced_tangent(model, &perturbation);
        if rates.residual.is_nan() || rates.residual > RESIDUAL {
            return None;
        }
        let p: Vec<f64> = self.p.iter().zip(&rates.p).map(|(p, dp)| p + dp).collect();
        let mut y = self.y.clone();
        for (&row, dy) in self.active.iter().zip(&rates.y) {
            y[row] += dy;
        }
        let foreseen = |j: usize| self.price[model.columns[j].bus] + rates.aty[j];
        if !self.signs_hold(model, &p, foreseen, &y) {
            return None;
        }
        let active_set = ActiveSet {
            rows: self.rows.clone(),
            status: self.status.clone(),
            p,
            side: self.side.clone(),
            y,
            system: self.system.clone(),
        };
        let mut found = self.moved(model, data, &change.demand, active_set);
        found.progress.push(Progress {
            objective: found.objective,
            violation: 0.0,
        });
        let holds = found.outside <= PRIMAL_TOLERANCE
            && found.circulating(model).is_none()
            && found.is_tight()
            && self.signs_hold(model, &found.p, |j| found.price[model.columns[j].bus], &found.y)
            && found.active_lines_are_at_their_limits(model);
        holds.then_some(found)
    }

    /// Whether it passes its certificate with a gap of rounding errors only.
    pub(crate) fn is_tight(&self) -> bool {
        self.certificate.holds() && self.certificate.relative_gap <= GAP
    }

    /// Powers and multipliers of the same model at `data`, whose demand differs by `demand`, with angles and prices.
    /// These are updated from this optimum by one solve for the changes of injections and multipliers.
    pub(crate) fn moved(&self, model: &DcModel, data: &DcData, demand: &[(usize, f64)], to: ActiveSet) -> DcSolution {
        let multipliers = |set: &[usize], y: &[f64]| to.rows.multipliers(set.iter().map(|&row| (row, y[row])));
        let (mut island, lines) = multipliers(&to.system.active, &to.y);
        let (island_before, lines_before) = multipliers(&self.active, &self.y);
        for (island, before) in island.iter_mut().zip(&island_before) {
            *island -= before;
        }
        let line_y = differences(&lines, &lines_before);

        // Prices first, then angles; the last entry is that of all references.
        let mut x = model.rest();
        let last = x.len() - 1;
        for (column, (to, from)) in model.columns.iter().zip(to.p.iter().zip(&self.p)) {
            x[model.entry(column.bus)][1] += to - from;
        }
        for &(bus, d) in demand {
            x[model.entry(bus)][1] -= d;
        }
        for &(l, y) in &line_y {
            for (o, c) in model.terms(l) {
                x[model.entry(model.lines[o].from)][0] += y * c;
                x[model.entry(model.lines[o].to)][0] -= y * c;
            }
        }
        x[last] = [0.0; 2];
        model.solve_two(&mut x);
        let mut theta = Vec::with_capacity(model.n_bus);
        let mut price = Vec::with_capacity(model.n_bus);
        for (bus, (theta_before, price_before)) in self.theta.iter().zip(&self.price).enumerate() {
            let by = x[model.entry(bus)];
            theta.push(theta_before + by[1]);
            let of_island = island.get(model.island_of_bus[bus]).copied().unwrap_or(0.0);
            price.push(price_before + by[0] + of_island);
        }
        for &(l, y) in &line_y {
            for (bus, coefficient) in model.direct(l) {
                price[bus] += y * coefficient;
            }
        }
        DcSolution::at(model, data, to, theta, price)
    }

    /// Whether free columns are inside their bounds and multipliers have the sign of their side. `price` is that at a
    /// column's bus.
    fn signs_hold(&self, model: &DcModel, p: &[f64], price: impl Fn(usize) -> f64, y: &[f64]) -> bool {
        let largest = self.active.iter().fold(model.cost_scale, |m, &row| m.max(y[row].abs()));
        let wrong = DUAL_TOLERANCE * largest;
        let columns = model.columns.iter().zip(&self.status).zip(p).enumerate();
        let mut columns = columns.map(|(j, ((column, status), &p))| {
            let rc = || column.c + column.q * p - price(j);
            match status {
                Status::Free => column.lo - p <= PRIMAL_TOLERANCE && p - column.hi <= PRIMAL_TOLERANCE,
                // If limits of a unit have moved, it is no longer fixed there.
                Status::AtLower => {
                    (p - column.lo).abs() <= PRIMAL_TOLERANCE && (rc() >= -wrong || column.lo == column.hi)
                }
                Status::AtUpper => {
                    (column.hi - p).abs() <= PRIMAL_TOLERANCE && (rc() <= wrong || column.lo == column.hi)
                }
            }
        });
        columns.all(|holds| holds)
            && self
                .active
                .iter()
                .all(|&row| f64::from(self.side[row]) * y[row] <= wrong || self.is_tie(model, row))
    }

    fn active_lines_are_at_their_limits(&self, model: &DcModel) -> bool {
        let lines = self
            .active
            .iter()
            .filter_map(|&row| Some((row, &model.lines[self.rows.line(row)?.line])));
        lines.into_iter().all(|(row, line)| {
            let (lo, hi) = line.limits(self.data.rating[line.row]);
            let value = self.row_value(line);
            let distance = if self.side[row] > 0 { hi - value } else { value - lo };
            distance.abs() <= PRIMAL_TOLERANCE * (1.0 + value.abs())
        })
    }
}

/// Nonzero differences of two lists of multipliers, both in the order of their lines.
fn differences(to: &[(usize, f64)], from: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut found = Vec::with_capacity(to.len().max(from.len()));
    let (mut i, mut k) = (0, 0);
    while i < to.len() || k < from.len() {
        let line_of = |list: &[(usize, f64)], at: usize| list.get(at).map_or(usize::MAX, |e| e.0);
        let (a, b) = (line_of(to, i), line_of(from, k));
        let line = a.min(b);
        let mut d = 0.0;
        if a == line {
            d += to[i].1;
            i += 1;
        }
        if b == line {
            d -= from[k].1;
            k += 1;
        }
        if d != 0.0 {
            found.push((line, d));
        }
    }
    found
}
