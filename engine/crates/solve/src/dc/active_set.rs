//! Dual active set with lazy lines: the DC OPF solver.
//!
//! The network is eliminated: columns are generators, rows are island balances and the few lines that were ever violated
//! (`pool`). Every column and every line has finite bounds, so every basis can be made dual feasible and no phase one
//! exists. Linear, quadratic and mixed costs take the same steps, without any regularisation: a violated constraint enters
//! along a dual direction, and what it leaves unbalanced is cleared by residual steps (`dc-method.md` sections 2.3 to 2.11;
//! Goldfarb and Idnani, Math. Prog. 27 (1983); Boland, Math. Prog. 78 (1997) for semidefinite Q).

use super::infeasible;
use super::kkt::{Item, Kkt, Status};
use super::merit_order;
use super::model::{DcData, DcModel};
use super::pool::Rows;
use super::solution::{DcSolution, Progress};
use super::DcOptimizer;
use wattbook_network::error::{EngineError, Result};

/// Limit violations below this (per unit) are met.
const PRIMAL_TOLERANCE: f64 = 1e-8;
/// Reduced costs and multipliers of the wrong sign below this (scaled prices) are zero.
const DUAL_TOLERANCE: f64 = 1e-9;
/// Curvature below this is linear.
const CURVATURE_TOLERANCE: f64 = 1e-9;
/// Relative residual of a solve at which the inverse is formed anew.
const INVERSE_TOLERANCE: f64 = 1e-7;
/// Lines added to the pool in one round, at least.
const LINES_PER_ROUND: usize = 16;
/// Scaled prices beyond this in a mixed problem raise the question whether it is feasible at all.
const SUSPICIOUS_PRICE: f64 = 1e3;

/// The method of `dc-method.md`. Stateless: all state is in the solution it returns.
#[derive(Clone, Copy, Debug, Default)]
pub struct DualActiveSet;

impl DcOptimizer for DualActiveSet {
    fn optimum(&self, model: &DcModel, data: &DcData, start: Option<&DcSolution>) -> Result<DcSolution> {
        infeasible::check_limits(model, data)?;
        let mut rows = Rows::new(model);
        if let Some(start) = start {
            let mut run = Run::new(model, data, start.rows.clone());
            run.restore(start);
            match run.finish(data) {
                Ok(solution) => return Ok(solution),
                Err(Failure::Infeasible(error)) => return Err(error),
                // Any stall restarts cold, with the lines known so far.
                Err(Failure::Stalled(_)) => rows = run.rows,
            }
        }
        let mut reason = "";
        for attempt in 0..4 {
            let mut run = Run::new(model, data, rows);
            run.perturb(1e-6 * 30f64.powi(attempt));
            let outcome = run.merit_order().and_then(|()| run.optimise()).and_then(|()| {
                run.remove_perturbation();
                run.finish(data)
            });
            match outcome {
                Ok(solution) => return Ok(solution),
                Err(Failure::Infeasible(error)) => return Err(error),
                Err(Failure::Stalled(why)) => reason = why,
            }
            rows = run.rows;
        }
        Err(EngineError::new(
            "SOLVE.NOT_CONVERGED",
            format!("The DC OPF did not converge: {reason}."),
        ))
    }
}

/// Why a run ended without an optimum.
enum Failure {
    Infeasible(EngineError),
    Stalled(&'static str),
}

type Step<T> = std::result::Result<T, Failure>;

/// A constraint that enters: a free column outside a bound, or a pooled line outside a limit.
#[derive(Clone, Copy, Debug)]
struct Entering {
    constraint: Constraint,
    /// +1 where the value must rise, -1 where it must fall.
    sign: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Constraint {
    Column(usize),
    Row(usize),
}

/// A multiplier that reaches zero at step `t`.
struct Breakpoint {
    t: f64,
    rate: f64,
    range: f64,
    constraint: Constraint,
    can_flip: bool,
}

struct Run<'a> {
    model: &'a DcModel,
    rows: Rows,
    /// Demand of each island, and each line's value without generation.
    island_demand: Vec<f64>,
    line_base: Vec<f64>,
    line_limits: Vec<(f64, f64)>,
    /// Scaled costs.
    c: Vec<f64>,
    q: Vec<f64>,
    status: Vec<Status>,
    p: Vec<f64>,
    rc: Vec<f64>,
    /// Active rows, the side each row is held at (+1 upper, -1 lower, 0 inactive or balance), multipliers by row.
    active: Vec<usize>,
    side: Vec<i8>,
    y: Vec<f64>,
    kkt: Kkt,
    pivots: usize,
    zero_steps: usize,
    known_feasible: bool,
    progress: Vec<Progress>,
}

impl<'a> Run<'a> {
    fn new(model: &'a DcModel, data: &DcData, rows: Rows) -> Self {
        let withdrawals = model.withdrawals(&data.demand);
        let mut island_demand = vec![0.0; model.islands.len()];
        for (bus, w) in withdrawals.iter().enumerate() {
            if model.bus_is_active(bus) {
                island_demand[model.island_of_bus[bus]] += w;
            }
        }
        let injection: Vec<f64> = withdrawals.iter().map(|w| -w).collect();
        let theta = model.angles(&injection);
        let n = model.columns.len();
        let n_rows = rows.len();
        Self {
            line_base: model.lines.iter().map(|l| model.row_value(l, &theta)).collect(),
            line_limits: model.lines.iter().map(|l| l.limits(data.rating[l.row])).collect(),
            c: model.columns.iter().map(|g| g.c / model.cost_scale).collect(),
            q: model.columns.iter().map(|g| g.q / model.cost_scale).collect(),
            status: vec![Status::AtLower; n],
            p: model.columns.iter().map(|g| g.lo).collect(),
            rc: vec![0.0; n],
            active: Vec::new(),
            side: vec![0; n_rows],
            y: vec![0.0; n_rows],
            kkt: Kkt::default(),
            pivots: 0,
            zero_steps: 0,
            known_feasible: false,
            progress: Vec::new(),
            island_demand,
            rows,
            model,
        }
    }

    /// Takes over the active set of an optimum of the same model.
    fn restore(&mut self, start: &DcSolution) {
        self.status.clone_from(&start.status);
        self.p.clone_from(&start.p);
        self.active.clone_from(&start.active);
        self.side.clone_from(&start.side);
        self.y = start.y.iter().map(|y| y / self.model.cost_scale).collect();
        self.kkt = start.kkt.clone();
        for j in 0..self.p.len() {
            if self.status[j] != Status::Free {
                self.rc[j] = self.c[j] + self.q[j] * self.p[j];
            }
        }
        for &row in &self.active {
            let mut part = vec![0.0; self.p.len()];
            self.rows.add_scaled(row, -self.y[row], &mut part);
            for (rc, part) in self.rc.iter_mut().zip(part) {
                *rc += part;
            }
        }
        for (rc, status) in self.rc.iter_mut().zip(&self.status) {
            if *status == Status::Free {
                *rc = 0.0;
            }
        }
    }

    /// Breaks ties between equal units: `c += xi u (|c| + 1)`, u in [0.5, 1] from a fixed xorshift.
    fn perturb(&mut self, xi: f64) {
        let mut random = Random::default();
        for c in &mut self.c {
            *c += xi * (0.5 + 0.5 * random.unit()) * (c.abs() + 1.0);
        }
    }

    fn remove_perturbation(&mut self) {
        for (c, column) in self.c.iter_mut().zip(&self.model.columns) {
            *c = column.c / self.model.cost_scale;
        }
    }

    /// Dual feasible start: each island in merit order, its balance active where something can move.
    fn merit_order(&mut self) -> Step<()> {
        for island in 0..self.rows.n_islands {
            let members: Vec<usize> = (0..self.p.len())
                .filter(|&j| self.rows.island_of_column[j] == island)
                .collect();
            let demand = self.island_demand[island];
            let costs = (&self.c[..], &self.q[..]);
            match merit_order::dispatch(
                &self.model.columns,
                &members,
                costs,
                demand,
                &mut self.status,
                &mut self.p,
            ) {
                Ok(price) => {
                    if self.model.islands[island].movable {
                        self.active.push(island);
                        self.y[island] = price;
                    }
                }
                Err(shortfall) => {
                    return Err(Failure::Infeasible(infeasible::island_balance(
                        self.model, island, shortfall,
                    )))
                }
            }
        }
        self.refactor()
    }

    fn refactor(&mut self) -> Step<()> {
        self.kkt = Kkt::factor(&self.rows, &self.active, &self.status, &self.q)
            .ok_or(Failure::Stalled("the system of the active set became singular"))?;
        Ok(())
    }

    /// Constant of a row: what its value is without generation.
    fn base(&self, row: usize) -> f64 {
        match row.checked_sub(self.rows.n_islands) {
            Some(k) => {
                let r = &self.rows.pooled[k];
                r.kappa * self.island_demand[r.island] + self.line_base[r.line]
            }
            None => 0.0,
        }
    }

    /// Limits of `g'p` for a row.
    fn limits(&self, row: usize) -> (f64, f64) {
        match row.checked_sub(self.rows.n_islands) {
            Some(k) => {
                let (lo, hi) = self.line_limits[self.rows.pooled[k].line];
                let base = self.base(row);
                (lo - base, hi - base)
            }
            None => (self.island_demand[row], self.island_demand[row]),
        }
    }

    /// Right-hand side an active row is held at.
    fn target(&self, row: usize) -> f64 {
        let (lo, hi) = self.limits(row);
        if self.side[row] > 0 {
            hi
        } else {
            lo
        }
    }

    fn residuals(&self) -> Vec<f64> {
        self.active
            .iter()
            .map(|&row| self.target(row) - self.rows.dot(row, &self.p))
            .collect()
    }

    /// `-G_N' dy` on non-free columns, zero on free ones.
    fn reduced_cost_rates(&self, dy: &[f64]) -> Vec<f64> {
        let mut rates = vec![0.0; self.p.len()];
        for (&row, dy) in self.active.iter().zip(dy) {
            self.rows.add_scaled(row, -dy, &mut rates);
        }
        for (rate, status) in rates.iter_mut().zip(&self.status) {
            if *status == Status::Free {
                *rate = 0.0;
            }
        }
        rates
    }

    /// Multipliers that move towards zero, by the step at which they reach it.
    fn breakpoints(&self, dy: &[f64], drc: &[f64]) -> Vec<Breakpoint> {
        let mut found = Vec::new();
        for (j, column) in self.model.columns.iter().enumerate() {
            let (rc, rate) = (self.rc[j], drc[j]);
            let towards = match self.status[j] {
                Status::AtLower => rate < -1e-11,
                Status::AtUpper => rate > 1e-11,
                Status::Free => false,
            };
            if towards && column.hi > column.lo {
                let t = (-rc / rate).max(0.0);
                let range = column.hi - column.lo;
                let can_flip = self.q[j] == 0.0;
                found.push(Breakpoint {
                    t,
                    rate: rate.abs(),
                    range,
                    constraint: Constraint::Column(j),
                    can_flip,
                });
            }
        }
        for (&row, &rate) in self.active.iter().zip(dy) {
            // y >= 0 at a lower limit, <= 0 at an upper one; balances are free.
            let towards = match self.side[row] {
                -1 => rate < -1e-11,
                1 => rate > 1e-11,
                _ => false,
            };
            let (lo, hi) = self.limits(row);
            if towards && hi > lo {
                let t = (-self.y[row] / rate).max(0.0);
                let constraint = Constraint::Row(row);
                found.push(Breakpoint {
                    t,
                    rate: rate.abs(),
                    range: hi - lo,
                    constraint,
                    can_flip: true,
                });
            }
        }
        found.sort_by(|a, b| a.t.total_cmp(&b.t));
        found
    }

    /// Moves a constraint to its other side.
    fn flip(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Column(j) => {
                let column = &self.model.columns[j];
                (self.status[j], self.p[j]) = match self.status[j] {
                    Status::AtLower => (Status::AtUpper, column.hi),
                    _ => (Status::AtLower, column.lo),
                };
            }
            Constraint::Row(row) => self.side[row] = -self.side[row],
        }
    }

    /// Lets a constraint go: a column becomes free, a row inactive.
    fn release(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Column(j) => {
                self.status[j] = Status::Free;
                self.rc[j] = 0.0;
            }
            Constraint::Row(row) => {
                self.active.retain(|&r| r != row);
                self.side[row] = 0;
                self.y[row] = 0.0;
            }
        }
    }

    /// Puts the entering constraint into the active set with multiplier `t` at the side it violates.
    fn insert(&mut self, entering: Entering, t: f64) {
        match entering.constraint {
            Constraint::Column(j) => {
                let column = &self.model.columns[j];
                (self.status[j], self.p[j]) = if entering.sign > 0.0 {
                    (Status::AtLower, column.lo)
                } else {
                    (Status::AtUpper, column.hi)
                };
                self.rc[j] = entering.sign * t;
            }
            Constraint::Row(row) => {
                self.active.push(row);
                self.side[row] = if entering.sign > 0.0 { -1 } else { 1 };
                self.y[row] = entering.sign * t;
            }
        }
    }

    /// Lets a constraint go where that alone keeps the system regular.
    fn let_go(&mut self, constraint: Constraint) -> Step<()> {
        self.pivots += 1;
        let (rows, q) = (&self.rows, &self.q);
        let updated = match constraint {
            Constraint::Column(j) if q[j] > 0.0 => self.kkt.change_quadratic(rows, q, j, true),
            Constraint::Column(j) => self.kkt.add(rows, q, Item::Column(j), 0.0),
            Constraint::Row(row) => self.kkt.remove(Item::Row(row)),
        };
        self.release(constraint);
        self.refactor_unless(updated)
    }

    /// Takes a constraint in where that alone keeps the system regular.
    fn take_in(&mut self, entering: Entering, multiplier: f64) -> Step<()> {
        self.pivots += 1;
        let (rows, q) = (&self.rows, &self.q);
        let updated = match entering.constraint {
            Constraint::Column(j) if q[j] > 0.0 => self.kkt.change_quadratic(rows, q, j, false),
            Constraint::Column(j) => self.kkt.remove(Item::Column(j)),
            Constraint::Row(row) => self.kkt.add(rows, q, Item::Row(row), 0.0),
        };
        self.insert(entering, multiplier);
        self.refactor_unless(updated)
    }

    /// Swaps two linear constraints, neither of which could change alone: what comes gets an extra diagonal until what goes
    /// is gone (dc-method.md section 2.7).
    fn exchange(&mut self, entering: Entering, multiplier: f64, leaving: Constraint) -> Step<()> {
        self.pivots += 1;
        let (rows, q, kkt) = (&self.rows, &self.q, &mut self.kkt);
        let updated = match (entering.constraint, leaving) {
            (Constraint::Row(e), Constraint::Row(j)) => {
                let (e, j) = (Item::Row(e), Item::Row(j));
                kkt.add(rows, q, e, 1.0) && kkt.remove(j) && kkt.correct(e, -1.0)
            }
            (Constraint::Row(e), Constraint::Column(j)) if q[j] == 0.0 => {
                let (e, j) = (Item::Row(e), Item::Column(j));
                kkt.add(rows, q, e, 1.0) && kkt.add(rows, q, j, 0.0) && kkt.correct(e, -1.0)
            }
            (Constraint::Column(e), Constraint::Column(j)) if q[e] == 0.0 && q[j] == 0.0 => {
                let (e, j) = (Item::Column(e), Item::Column(j));
                kkt.add(rows, q, j, -1.0) && kkt.remove(e) && kkt.correct(j, 1.0)
            }
            (Constraint::Column(e), Constraint::Row(j)) if q[e] == 0.0 => {
                kkt.remove_both(Item::Column(e), Item::Row(j))
            }
            _ => false,
        };
        self.release(leaving);
        self.insert(entering, multiplier);
        self.refactor_unless(updated)
    }

    fn refactor_unless(&mut self, updated: bool) -> Step<()> {
        if updated {
            return Ok(());
        }
        self.refactor()
    }

    fn advance(&mut self, t: f64, dy: &[f64], drc: &[f64]) {
        for (&row, dy) in self.active.iter().zip(dy) {
            self.y[row] += t * dy;
        }
        for (rc, d) in self.rc.iter_mut().zip(drc) {
            *rc += t * d;
        }
    }

    fn count_step(&mut self, t: f64) -> Step<()> {
        self.zero_steps = if t > 1e-13 { 0 } else { self.zero_steps + 1 };
        if self.zero_steps > 200 {
            return Err(Failure::Stalled("it made no progress for 200 steps"));
        }
        if self.pivots > 20_000 + 10 * self.rows.len() {
            return Err(Failure::Stalled("it used up its pivots"));
        }
        Ok(())
    }

    /// Residual steps (dc-method.md section 2.7): moves until every active row is met, multipliers keeping their sign.
    fn clear_residual(&mut self) -> Step<()> {
        let mut full = false;
        loop {
            let r = self.residuals();
            let scale = self.p.iter().fold(1.0f64, |m, p| m.max(p.abs()));
            let worst = r.iter().fold(0.0f64, |m, r| m.max(r.abs()));
            if !worst.is_finite() {
                return Err(Failure::Stalled("a number overflowed"));
            }
            if worst <= 1e-11 * scale || (full && worst <= 1e-7 * scale) {
                return Ok(());
            }
            let zero = vec![0.0; self.p.len()];
            let (dy, dp) = self.kkt.solve(&self.rows, &self.q, &r, &zero);
            let drc = self.reduced_cost_rates(&dy);
            let slope0: f64 = dp.iter().zip(&self.q).map(|(d, q)| q * d * d).sum();
            let mut flipped = 0.0;
            let mut flips = Vec::new();
            let mut blocking = None;
            let mut t = 1.0;
            for b in self.breakpoints(&dy, &drc) {
                if b.t >= 1.0 {
                    break;
                }
                if slope0 * (1.0 - b.t) - flipped <= 0.0 {
                    break;
                }
                if b.can_flip && slope0 * (1.0 - b.t) - flipped - b.rate * b.range > 0.0 {
                    flipped += b.rate * b.range;
                    flips.push(b.constraint);
                } else {
                    t = b.t;
                    blocking = Some(b.constraint);
                    break;
                }
            }
            if blocking.is_none() && flipped > 0.0 {
                t = (1.0 - flipped / slope0).clamp(0.0, 1.0);
            }
            self.advance(t, &dy, &drc);
            for (p, d) in self.p.iter_mut().zip(&dp) {
                *p += t * d;
            }
            for f in flips {
                self.flip(f);
            }
            full = t == 1.0 && blocking.is_none();
            if let Some(constraint) = blocking {
                self.let_go(constraint)?;
            }
            self.pivots += 1;
            self.count_step(t)?;
        }
    }

    /// Fresh powers, multipliers and reduced costs from the factored system, refined on the unfactored one; the system is
    /// factored anew where its inverse has become inaccurate.
    fn refresh(&mut self) -> Step<()> {
        let fixed: Vec<f64> = (0..self.p.len())
            .map(|j| if self.status[j] == Status::Free { 0.0 } else { self.p[j] })
            .collect();
        let rhs: Vec<f64> = self
            .active
            .iter()
            .map(|&row| self.target(row) - self.rows.dot(row, &fixed))
            .collect();
        let (mut u, mut v) = self.kkt.solve(&self.rows, &self.q, &rhs, &self.c);
        for attempt in 0..3 {
            let r: Vec<f64> = self
                .active
                .iter()
                .zip(&rhs)
                .map(|(&row, rhs)| rhs - self.rows.dot(row, &v))
                .collect();
            let mut s = self.c.clone();
            for (&row, u) in self.active.iter().zip(&u) {
                self.rows.add_scaled(row, -u, &mut s);
            }
            for ((s, q), v) in s.iter_mut().zip(&self.q).zip(&v) {
                *s += q * v;
            }
            let size = |v: &[f64]| v.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            let error = r.iter().fold(0.0f64, |m, r| m.max(r.abs())) / size(&v);
            let dual = s
                .iter()
                .zip(&self.status)
                .filter(|(_, status)| **status == Status::Free);
            let error = dual.fold(error, |m, (s, _)| m.max(s.abs() / size(&u)));
            if error.is_nan() || (attempt == 0 && error > INVERSE_TOLERANCE) {
                self.refactor()?;
                (u, v) = self.kkt.solve(&self.rows, &self.q, &rhs, &self.c);
                continue;
            }
            if error < 1e-13 {
                break;
            }
            let (du, dv) = self.kkt.solve(&self.rows, &self.q, &r, &s);
            for (u, d) in u.iter_mut().zip(du) {
                *u += d;
            }
            for (v, d) in v.iter_mut().zip(dv) {
                *v += d;
            }
        }
        for (&row, u) in self.active.iter().zip(&u) {
            self.y[row] = *u;
        }
        for j in 0..self.p.len() {
            if self.status[j] == Status::Free {
                self.p[j] = v[j];
            }
            self.rc[j] = self.c[j] + self.q[j] * self.p[j];
        }
        for &row in &self.active {
            self.rows.add_scaled(row, -self.y[row], &mut self.rc);
        }
        for (rc, status) in self.rc.iter_mut().zip(&self.status) {
            if *status == Status::Free {
                *rc = 0.0;
            }
        }
        Ok(())
    }

    /// Makes multipliers of the wrong sign right: linear columns and rows flip, quadratic columns flip or become free.
    /// True where something changed.
    fn repair(&mut self) -> Step<bool> {
        let scale = self.y.iter().fold(1.0f64, |m, y| m.max(y.abs()));
        let tolerance = DUAL_TOLERANCE * scale;
        let mut changed = false;
        for (j, column) in self.model.columns.iter().enumerate() {
            let wrong = match self.status[j] {
                Status::AtLower => self.rc[j] < -tolerance,
                Status::AtUpper => self.rc[j] > tolerance,
                Status::Free => false,
            };
            if !wrong || column.hi <= column.lo {
                continue;
            }
            changed = true;
            let range = column.hi - column.lo;
            if self.q[j] > 0.0 && self.rc[j].abs() < self.q[j] * range {
                self.status[j] = Status::Free;
            } else {
                (self.status[j], self.p[j]) = match self.status[j] {
                    Status::AtLower => (Status::AtUpper, column.hi),
                    _ => (Status::AtLower, column.lo),
                };
            }
        }
        for k in 0..self.active.len() {
            let row = self.active[k];
            let wrong = match self.side[row] {
                -1 => self.y[row] < -tolerance,
                1 => self.y[row] > tolerance,
                _ => false,
            };
            if wrong {
                self.side[row] = -self.side[row];
                changed = true;
            }
        }
        if changed {
            self.refactor()?;
        }
        Ok(changed)
    }

    /// The constraint of the pool that is violated most.
    fn worst_violation(&self) -> Option<Entering> {
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
    fn add_lines(&mut self) -> bool {
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

    /// Cost of the present dispatch at true costs, $/h.
    fn objective(&self) -> f64 {
        let mut sum = self.model.constant_cost;
        for (column, p) in self.model.columns.iter().zip(&self.p) {
            sum += (0.5 * column.q * p + column.c) * p;
        }
        sum
    }

    /// Brings one violated constraint into the active set.
    fn enter(&mut self, entering: Entering) -> Step<()> {
        let mut multiplier = 0.0;
        loop {
            // Response to one unit of its multiplier: G_F dp = 0, G_F' dy - Q dp = -sign g_e.
            let mut gradient = vec![0.0; self.p.len()];
            match entering.constraint {
                Constraint::Column(j) => gradient[j] = entering.sign,
                Constraint::Row(row) => self.rows.add_scaled(row, entering.sign, &mut gradient),
            }
            let s: Vec<f64> = gradient.iter().map(|g| -g).collect();
            let zero = vec![0.0; self.active.len()];
            let (dy, dp) = self.kkt.solve(&self.rows, &self.q, &zero, &s);
            let curvature: f64 = dp.iter().zip(&self.q).map(|(d, q)| q * d * d).sum();
            if !curvature.is_finite() {
                return Err(Failure::Stalled("a number overflowed"));
            }
            if curvature > CURVATURE_TOLERANCE {
                return self.take_in(entering, multiplier);
            }

            // Linear: only multipliers move. Long-step ratio test with bound flips.
            let mut drc = self.reduced_cost_rates(&dy);
            for ((d, g), status) in drc.iter_mut().zip(&gradient).zip(&self.status) {
                if *status != Status::Free {
                    *d -= g;
                }
            }
            let (flips, blocking) = self.long_step(entering, &dy, &drc)?;
            let Some(blocking) = blocking else {
                let ray: Vec<(usize, f64)> = self.active.iter().copied().zip(dy.iter().copied()).collect();
                return Err(self.infeasible(entering, ray));
            };
            self.advance(blocking.t, &dy, &drc);
            multiplier += blocking.t;
            for f in flips {
                self.flip(f);
            }
            self.count_step(blocking.t)?;

            if self.curvature_of(blocking.constraint) > CURVATURE_TOLERANCE {
                self.let_go(blocking.constraint)?;
                continue;
            }
            return self.exchange(entering, multiplier, blocking.constraint);
        }
    }

    /// Walks the breakpoints of a linear dual direction while the dual objective still rises; returns the constraints to
    /// flip and the blocking one (Harris: among nearly equal steps the largest rate), or none where nothing blocks.
    fn long_step(&self, entering: Entering, dy: &[f64], drc: &[f64]) -> Step<(Vec<Constraint>, Option<Breakpoint>)> {
        let r = self.residuals();
        let violation = match entering.constraint {
            Constraint::Column(j) => {
                let column = &self.model.columns[j];
                if entering.sign > 0.0 {
                    column.lo - self.p[j]
                } else {
                    self.p[j] - column.hi
                }
            }
            Constraint::Row(row) => {
                let (lo, hi) = self.limits(row);
                let value = self.rows.dot(row, &self.p);
                if entering.sign > 0.0 {
                    lo - value
                } else {
                    value - hi
                }
            }
        };
        let mut slope = violation + r.iter().zip(dy).map(|(r, d)| r * d).sum::<f64>();
        let mut points = self.breakpoints(dy, drc);
        let mut stop = None;
        for (k, b) in points.iter().enumerate() {
            let after = slope - b.rate * b.range;
            if b.can_flip && after > 0.0 {
                slope = after;
            } else {
                stop = Some(k);
                break;
            }
        }
        let Some(stop) = stop else {
            return Ok((Vec::new(), None));
        };
        let t_max = points[stop..]
            .iter()
            .fold(f64::INFINITY, |m, b| m.min(b.t + 1e-9 / b.rate));
        let mut chosen = stop;
        for (k, b) in points.iter().enumerate().skip(stop) {
            if b.t <= t_max && b.rate > points[chosen].rate {
                chosen = k;
            }
        }
        let blocking = points.swap_remove(chosen);
        points.truncate(stop);
        Ok((points.into_iter().map(|b| b.constraint).collect(), Some(blocking)))
    }

    /// Curvature along the primal ray that opens when this constraint alone is let go, per unit of its own movement.
    fn curvature_of(&self, constraint: Constraint) -> f64 {
        let zero = vec![0.0; self.p.len()];
        let (rhs, own) = match constraint {
            Constraint::Column(j) => (
                self.active.iter().map(|&row| -self.rows.at(row, j)).collect::<Vec<_>>(),
                self.q[j],
            ),
            Constraint::Row(row) => (
                self.active.iter().map(|&r| if r == row { 1.0 } else { 0.0 }).collect(),
                0.0,
            ),
        };
        let (_, z) = self.kkt.solve(&self.rows, &self.q, &rhs, &zero);
        own + z.iter().zip(&self.q).map(|(z, q)| q * z * z).sum::<f64>()
    }

    /// A dual ray was found: verify it, and name what contradicts.
    fn infeasible(&self, entering: Entering, mut ray: Vec<(usize, f64)>) -> Failure {
        if let Constraint::Row(row) = entering.constraint {
            ray.push((row, entering.sign));
        }
        let rows: Vec<infeasible::RayRow> = ray
            .into_iter()
            .map(|(row, u)| infeasible::RayRow {
                row,
                u,
                limits: self.limits(row),
            })
            .collect();
        match infeasible::contradiction(self.model, &self.rows, &rows) {
            Some(error) => Failure::Infeasible(error),
            None => Failure::Stalled("a proof of infeasibility did not verify"),
        }
    }

    /// A mixed problem that is infeasible lets its prices diverge slowly; a linear one shows its ray at once
    /// (dc-method.md section 2.8). Random costs: ties would cost pivots.
    fn check_feasible(&mut self) -> Step<()> {
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
        for row in check.rows.pooled[self.rows.pooled.len()..].to_vec() {
            self.rows.row_of_line[row.line] = Some(self.rows.len());
            self.rows.pooled.push(row);
            self.side.push(0);
            self.y.push(0.0);
        }
        Ok(())
    }

    /// Runs to the optimum of the present costs.
    fn optimise(&mut self) -> Step<()> {
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
    fn finish(&mut self, data: &DcData) -> Step<DcSolution> {
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
}

/// Fixed-seed xorshift: the same numbers on every platform.
struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Random {
    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
