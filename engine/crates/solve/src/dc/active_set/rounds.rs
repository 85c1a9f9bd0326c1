//! The outer loop: clear, refresh, repair, enter; then look for violated lines.

use super::random::Random;
use super::run::{Constraint, Entering, Failure, Run, Step};
use crate::dc::kkt::{Kkt, Status};
use crate::dc::model::DcData;
use crate::dc::solution::{DcSolution, Progress};

/// Limit violations below this (per unit) are met.
const PRIMAL_TOLERANCE: f64 = 1e-8;
/// Lines added to the pool in one round, at least.
const LINES_PER_ROUND: usize = 16;
/// Scaled prices beyond this in a mixed problem raise the question whether it is feasible at all.
const SUSPICIOUS_PRICE: f64 = 1e3;

impl Run<'_> {
    /// Runs to the optimum of the present costs.
    pub(super) fn optimise(&mut self) -> Step<()> {
        let mixed = self.q.iter().any(|&q| q > 0.0);
        let mut repairs = 0;
        loop {
            self.clear_residual()?;
            self.refresh()?;
            if self.repair()? {
                repairs += 1;
                if repairs > 200 {
                    return Err(Failure::Stalled("prices of the wrong sign kept coming back"));
                }
                continue;
            }
            if mixed && !self.known_feasible && self.y.iter().any(|y| y.abs() > SUSPICIOUS_PRICE) {
                self.check_feasible()?;
            }
            if let Some(entering) = self.worst_violation() {
                self.enter(entering)?;
            } else if !self.add_lines() {
                return Ok(());
            }
        }
    }

    /// Optimises at true costs, then refactors in canonical order and certifies.
    pub(super) fn finish(&mut self, data: &DcData) -> Step<DcSolution> {
        self.optimise()?;
        let n_islands = self.rows.n_islands;
        let pooled = &self.rows.pooled;
        self.active.sort_by_key(|&row| match row.checked_sub(n_islands) {
            Some(k) => (1, pooled[k].line),
            None => (0, row),
        });
        self.refactor()?;
        self.refresh()?;
        let scale = self.model.cost_scale;
        let solution = DcSolution::new(
            self.model,
            data,
            self.rows.clone(),
            self.status.clone(),
            self.p.clone(),
            self.active.clone(),
            self.side.clone(),
            self.y.iter().map(|y| y * scale).collect(),
            self.kkt.clone(),
            std::mem::take(&mut self.progress),
        );
        if let Some(error) = solution.unbounded(self.model) {
            return Err(Failure::Infeasible(error));
        }
        if solution.certificate.failure().is_some() {
            return Err(Failure::Stalled("the result did not pass its certificate"));
        }
        Ok(solution)
    }

    /// The constraint of the pool that is violated most.
    pub(super) fn worst_violation(&self) -> Option<Entering> {
        let mut worst = PRIMAL_TOLERANCE;
        let mut found = None;
        let mut consider = |constraint, below: f64, above: f64| {
            if below > worst {
                worst = below;
                found = Some(Entering { constraint, sign: 1.0 });
            }
            if above > worst {
                worst = above;
                found = Some(Entering { constraint, sign: -1.0 });
            }
        };
        for (j, column) in self.model.columns.iter().enumerate() {
            if self.status[j] == Status::Free {
                consider(Constraint::Column(j), column.lo - self.p[j], self.p[j] - column.hi);
            }
        }
        for row in self.rows.n_islands..self.rows.len() {
            if self.side[row] == 0 {
                let (lo, hi) = self.limits(row);
                let value = self.rows.dot(row, &self.p);
                consider(Constraint::Row(row), lo - value, value - hi);
            }
        }
        found
    }

    /// Adds the worst violated lines to the pool; false where none is violated.
    pub(super) fn add_lines(&mut self) -> bool {
        let mut injection = vec![0.0; self.model.n_bus];
        self.model.add_generation(&self.p, &mut injection);
        let theta = self.model.angles(&injection);
        let mut violated: Vec<(f64, usize)> = Vec::new();
        for (l, line) in self.model.lines.iter().enumerate() {
            if self.rows.row_of_line[l].is_some() {
                continue;
            }
            let value = self.line_base[l] + line.weight() * (theta[line.from] - theta[line.to]);
            let (lo, hi) = self.line_limits[l];
            let violation = (lo - value).max(value - hi);
            if violation > PRIMAL_TOLERANCE {
                violated.push((violation, l));
            }
        }
        violated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.progress.push(Progress {
            objective: self.objective(),
            violation: violated.first().map_or(0.0, |v| v.0),
        });
        let take = LINES_PER_ROUND.max(self.active.len() / 4);
        for &(_, line) in violated.iter().take(take) {
            self.rows.add_line(self.model, line);
            self.side.push(0);
            self.y.push(0.0);
        }
        !violated.is_empty()
    }

    /// A mixed problem that is infeasible lets its prices diverge slowly; a linear one shows its ray at once
    /// (dc-method.md section 2.8). Random costs: ties would cost pivots.
    pub(super) fn check_feasible(&mut self) -> Step<()> {
        self.known_feasible = true;
        let mut random = Random::default();
        let c = self
            .model
            .columns
            .iter()
            .zip(self.c.iter().zip(&self.q))
            .map(|(column, (c, q))| {
                (c + 0.5 * q * (column.lo + column.hi)) * (1.0 + 0.1 * random.unit()) + 0.1 * random.unit()
            });
        let mut check = Run {
            model: self.model,
            rows: self.rows.clone(),
            island_demand: self.island_demand.clone(),
            line_base: self.line_base.clone(),
            line_limits: self.line_limits.clone(),
            c: c.collect(),
            q: vec![0.0; self.q.len()],
            status: vec![Status::AtLower; self.p.len()],
            p: self.p.clone(),
            rc: vec![0.0; self.p.len()],
            active: Vec::new(),
            side: vec![0; self.rows.len()],
            y: vec![0.0; self.rows.len()],
            kkt: Kkt::default(),
            pivots: 0,
            zero_steps: 0,
            known_feasible: true,
            progress: Vec::new(),
        };
        check.merit_order()?;
        // The lines it found are worth knowing here too.
        match check.optimise() {
            Err(Failure::Infeasible(error)) => return Err(Failure::Infeasible(error)),
            Err(Failure::Stalled(_)) | Ok(()) => {}
        }
        for row in check.rows.pooled.drain(self.rows.pooled.len()..) {
            self.rows.row_of_line[row.line] = Some(self.rows.len());
            self.rows.pooled.push(row);
            self.side.push(0);
            self.y.push(0.0);
        }
        Ok(())
    }
}
