//! The parts shared by linear and quadratic programs: repair of signs, lazy lines, and the conclusion.

use super::modes::{Factor, Start};
use super::state::{Failure, Method, SolverState, Step};
use super::PRIMAL_TOLERANCE;
use crate::dc::basis::kkt::Status;
use crate::dc::basis::system::{System, UnitRow};
use crate::dc::infeasibility::refusals;
use crate::dc::model::DcData;
use crate::dc::result::solution::{ActiveSet, DcSolution, Progress};
use std::sync::Arc;

/// Reduced costs and multipliers of the wrong sign below this (scaled prices) count as zero.
const DUAL_TOLERANCE: f64 = 1e-9;

/// Most updates of a factor with which a solution may be computed, and its largest relative residual.
const KEPT_UPDATES: usize = 100;
const KEPT_RESIDUAL: f64 = 1e-11;

impl<M: Method> SolverState<'_, M> {
    /// Solves to the optimum at the current costs.
    pub(super) fn optimise(&mut self) -> Step<()> {
        M::optimise(self)
    }

    /// Corrects multipliers of the wrong sign: linear columns and rows flip, quadratic columns flip or become free.
    /// Returns whether anything changed.
    pub(super) fn repair(&mut self) -> Step<bool> {
        let scale = self.y.iter().fold(1.0f64, |m, y| m.max(y.abs()));
        let tolerance = DUAL_TOLERANCE * scale;
        let mut changed = false;
        for j in 0..self.p.len() {
            let wrong = match self.status[j] {
                Status::AtLower => self.rc[j] < -tolerance,
                Status::AtUpper => self.rc[j] > tolerance,
                Status::Free => false,
            };
            let range = self.hi(j) - self.lo(j);
            if !wrong || range <= 0.0 {
                continue;
            }
            changed = true;
            if self.q[j] > 0.0 && self.rc[j].abs() < self.q[j] * range {
                self.status[j] = Status::Free;
            } else {
                (self.status[j], self.p[j]) = match self.status[j] {
                    Status::AtLower => (Status::AtUpper, self.hi(j)),
                    _ => (Status::AtLower, self.lo(j)),
                };
            }
        }
        for &row in &self.active {
            let wrong = match self.side[row] {
                -1 => self.y[row] < -tolerance,
                1 => self.y[row] > tolerance,
                _ => false,
            };
            let (lo, hi) = self.limits(row);
            if wrong && hi > lo {
                self.side[row] = -self.side[row];
                changed = true;
            }
        }
        if changed {
            self.factor = Factor::Changed;
        }
        Ok(changed)
    }

    /// Contribution of powers, or of their rates, to each line's row.
    pub(super) fn line_values(&self, p: &[f64]) -> Vec<f64> {
        let mut injection = vec![0.0; self.model.n_bus];
        self.model.add_generation(p, &mut injection);
        let theta = self.model.angles(&injection);
        let mut values = self.model.row_rates(&theta, &injection);
        for (row, pooled) in self.rows.lazy.iter().enumerate() {
            values[pooled.line] += self.rows.slack(self.rows.n_islands + row, p);
        }
        values
    }

    /// Lines outside their limits that no bound enforces, worst first. Records the progress of the solve.
    pub(super) fn violated_lines(&mut self) -> Vec<usize> {
        let values = self.line_values(&self.p);
        let mut violated: Vec<(f64, usize)> = Vec::new();
        let mut worst = 0.0f64;
        let of_lines = values
            .iter()
            .zip(&self.problem.line_base)
            .zip(self.problem.line_limits.iter());
        for (l, ((value, base), &(lo, hi))) in of_lines.enumerate() {
            let value = base + value;
            let (below, above) = (lo - value, value - hi);
            let violation = if below > above { below } else { above };
            if violation > PRIMAL_TOLERANCE {
                let active = self.rows.row_of_line[l].is_some_and(|row| self.side[row] != 0);
                if !active && !self.problem.bounds.is_bound[l] {
                    worst = worst.max(violation);
                    violated.push((violation, l));
                }
            }
        }
        violated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.progress.push(Progress {
            objective: self.objective(),
            violation: worst,
        });
        violated.into_iter().map(|v| v.1).collect()
    }

    /// Adds lazy rows for lines, and returns these rows.
    pub(super) fn add_lazy_rows(&mut self, lines: &[usize]) -> Vec<usize> {
        self.rows.add_lines(self.model, lines);
        self.side.resize(self.rows.len(), 0);
        self.y.resize(self.rows.len(), 0.0);
        self.method.rows_added(self.rows.len());
        self.add_slacks();
        self.products.follow(self.model, &self.rows);
        lines.iter().filter_map(|&l| self.rows.row_of_line[l]).collect()
    }

    /// Optimises at the true costs and concludes.
    pub(super) fn finish(&mut self, data: &DcData) -> Step<DcSolution> {
        self.optimise()?;
        self.conclude(data)
    }

    /// Solves with the factor of the active set and certifies the result. Afterwards only the rows of the state are
    /// valid.
    pub(super) fn conclude(&mut self, data: &DcData) -> Step<DcSolution> {
        let active_set = self.final_set()?;
        let progress = std::mem::take(&mut self.progress);
        self.certified(DcSolution::new(self.model, data, active_set, progress, self.pivots))
    }

    /// `conclude` from another optimum, whose demand differs from that of `data` by `demand`: its angles and prices are
    /// updated if that is equally accurate.
    pub(super) fn conclude_from(
        &mut self,
        start: &DcSolution,
        demand: &[(usize, f64)],
        data: &DcData,
    ) -> Step<DcSolution> {
        let active_set = self.final_set()?;
        let progress = std::mem::take(&mut self.progress);
        let mut moved = start.moved(self.model, data, demand, active_set);
        if moved.is_tight() {
            (moved.progress, moved.pivots) = (progress, self.pivots);
            return self.certified(moved);
        }
        let active_set = ActiveSet {
            rows: moved.rows,
            status: moved.status,
            p: moved.p,
            side: moved.side,
            y: moved.y,
            system: moved.system,
        };
        self.certified(DcSolution::new(self.model, data, active_set, progress, self.pivots))
    }

    fn certified(&self, solution: DcSolution) -> Step<DcSolution> {
        if let Some(error) = solution.unbounded(self.model) {
            return Err(Failure::Infeasible(error));
        }
        if let Some(link) = solution.circulating(self.model) {
            return Err(Failure::Infeasible(refusals::circulating(self.model, link)));
        }
        match solution.certificate.error() {
            Some(error) => Err(match solution.overloaded_loop(self.model) {
                Some(l) => Failure::Infeasible(refusals::merged_loop(self.model, &solution.data, l)),
                None => Failure::Uncertified(error),
            }),
            None => Ok(solution),
        }
    }

    /// Powers and multipliers of the final active set.
    fn final_set(&mut self) -> Step<ActiveSet> {
        self.solve_active_set()?;
        let units = self.publish_units();
        self.products.follow(self.model, &self.rows);
        self.sort_active();
        let scale = self.model.cost_scale;
        Ok(ActiveSet {
            rows: Arc::new(self.rows.clone()),
            status: std::mem::take(&mut self.status),
            p: std::mem::take(&mut self.p),
            side: std::mem::take(&mut self.side),
            y: self.y.iter().map(|y| y * scale).collect(),
            system: Arc::new(System {
                core: self.method.take_core(),
                products: std::mem::take(&mut self.products),
                units,
                active: self.active.clone(),
            }),
        })
    }

    /// Solves with the factor of the final active set: the canonical one, or the updated factor of the starting optimum
    /// if it is accurate. In both cases the result is a function of the start and the data alone.
    pub(super) fn solve_active_set(&mut self) -> Step<()> {
        self.sort_active();
        let keeps = self.factor == Factor::Canonical || (self.start == Start::Warm && self.factor_is_accurate());
        if !keeps {
            self.refactor()?;
        }
        self.settle()
    }

    /// Whether a solve of the whole system leaves rounding errors only, after few updates of its factor.
    fn factor_is_accurate(&mut self) -> bool {
        if self.method.updates() > KEPT_UPDATES {
            return false;
        }
        let system = System {
            core: self.method.take_core(),
            products: std::mem::take(&mut self.products),
            units: Vec::new(),
            active: std::mem::take(&mut self.active),
        };
        // One unit at every second limit, at the true costs.
        let r: Vec<f64> = (0..system.active.len()).map(|k| (k % 2) as f64).collect();
        let is_free = |j: usize| self.status[j] == Status::Free;
        let (u, v) = system.solve(self.model, &self.rows, &self.q, &r, &self.c);
        let residual = system.residual(self.model, &self.rows, &self.q, (&r, &self.c), (&u, &v), is_free);
        self.method.set_core(system.core);
        (self.products, self.active) = (system.products, system.active);
        residual <= KEPT_RESIDUAL
    }

    /// Sorts balances first, then lines in their order.
    fn sort_active(&mut self) {
        let rows = &self.rows;
        self.active
            .sort_by_key(|&row| rows.line(row).map_or((0, row), |r| (1, r.line)));
    }

    /// Computes powers and multipliers from the factor alone, independent of the path to the active set, and refines
    /// them.
    fn settle(&mut self) -> Step<()> {
        for j in 0..self.p.len() {
            if self.status[j] == Status::Free {
                self.p[j] = 0.0;
            }
        }
        self.y.fill(0.0);
        for _ in 0..3 {
            M::refresh(self)?;
        }
        Ok(())
    }

    /// Replaces bounds that represent a binding bridge by the row of that line: the unit is free and the row fixes it.
    fn publish_units(&mut self) -> Vec<UnitRow> {
        let mut units = Vec::new();
        for j in 0..self.p.len() {
            let source = match self.status[j] {
                Status::AtLower => self.problem.bounds.below[j],
                Status::AtUpper => self.problem.bounds.above[j],
                Status::Free => None,
            };
            let Some(line) = source else { continue };
            let Some(bridge) = &self.model.bridge_rows[line] else {
                continue;
            };
            let row = self.rows.add_line(self.model, line);
            self.side.resize(self.rows.len(), 0);
            self.y.resize(self.rows.len(), 0.0);
            let at_upper = self.status[j] == Status::AtUpper;
            self.side[row] = if at_upper == (bridge.sign > 0.0) { 1 } else { -1 };
            self.y[row] = bridge.sign * self.rc[j];
            self.status[j] = Status::Free;
            self.active.push(row);
            units.push(UnitRow {
                row,
                column: j,
                sign: bridge.sign,
            });
        }
        units
    }
}
