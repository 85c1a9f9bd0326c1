//! Quadratic and mixed costs: residual steps, and the entry of a violated constraint (docs/method/dc-opf.md, section 3).
//!
//! Free quadratic columns follow the price. In each line search those at a bound whose reduced cost reaches zero join them,
//! and after each step those that left their bounds stop there: both raise the dual objective, which each step maximises
//! along its direction, so no active set comes twice.

use super::bound_flipping_ratio_test::RatioTest;
use super::random::Random;
use super::state::{Constraint, Entering, Failure, SolverState, Step};
use super::PERTURBATION;
use crate::dc::basis::kkt::{Item, Status};

/// Curvature below this is linear.
const CURVATURE_TOLERANCE: f64 = 1e-9;
/// Entries between two looks at all lines, and lines watched in between.
const ENTRIES_PER_LOOK: usize = 8;
const WATCHED: usize = 16;
/// A column stops at its bound only where this share of its curvature remains without it.
const CURVATURE_LEFT: f64 = 1e-3;
/// A linear column stops at its bound only where its pivot is at least this share of its row of the inverse.
const REMOVABLE: f64 = 1e-3;
/// Steps after which ties are broken more strongly, besides four for each item of the system, and how strongly at most.
const BUDGET: usize = 400;
const STRONGEST: f64 = 1e-3;
/// Updates of the inverse between two factors after a stall.
const CAUTIOUS_UPDATES: usize = 20;
/// Scaled prices beyond this raise the question whether the problem is feasible at all.
const SUSPICIOUS_PRICE: f64 = 1e3;
/// Error of a solve at which the inverse is formed anew.
const INVERSE_TOLERANCE: f64 = 1e-7;

/// Response of the system to a right-hand side.
pub(super) struct Response {
    /// Rates of the active rows' multipliers.
    pub dy: Vec<(usize, f64)>,
    /// `sum dy g`, by column.
    pub gradient: Vec<f64>,
    /// Rates of the free columns' powers, zero elsewhere.
    pub dp: Vec<f64>,
    /// Right-hand side by item, the free quadratic columns eliminated, and what the inverse makes of it.
    rhs: Vec<f64>,
    solved: Vec<f64>,
}

/// Entries of `S` between a constraint and its items, the product of the inverse with them, and the diagonal.
struct Border {
    entries: Vec<f64>,
    solved: Vec<f64>,
    diagonal: f64,
}

impl SolverState<'_> {
    /// Runs to the optimum of the present costs.
    pub(super) fn optimise_quadratic(&mut self) -> Step<()> {
        let mut repairs = 0;
        let mut watched: Vec<usize> = Vec::new();
        let mut entered = ENTRIES_PER_LOOK;
        let (mut budget, mut strength) = (self.pivots + BUDGET, PERTURBATION);
        self.missed = self.residuals_by_row();
        loop {
            if self.is_cautious && self.kkt.updates() > CAUTIOUS_UPDATES {
                self.refactor()?;
            }
            self.clear_residual()?;
            let mut next = self.worst_of(&watched);
            if next.is_none() || entered >= ENTRIES_PER_LOOK {
                self.refresh_quadratic()?;
                if self.repair()? {
                    self.refactor()?;
                    self.missed = self.residuals_by_row();
                    repairs += 1;
                    if repairs > 200 {
                        return Err(Failure::Stalled("prices of the wrong sign kept coming back"));
                    }
                    continue;
                }
                entered = 0;
                // Many ties make many steps.
                if self.pivots > budget && self.is_perturbed && strength < STRONGEST {
                    strength *= 10.0;
                    self.perturb_more(strength);
                    budget = self.pivots + BUDGET + 4 * self.kkt.items.len();
                }
                let mut lines = self.violated_lines();
                lines.truncate(WATCHED);
                watched = self.add_lazy_rows(&lines);
                next = self.worst_of(&watched);
            }
            if !self.known_feasible && self.y.iter().any(|y| y.abs() > SUSPICIOUS_PRICE) {
                self.check_feasible()?;
            }
            let Some(entering) = next else { return Ok(()) };
            self.enter(entering)?;
            entered += 1;
        }
    }

    /// Solves `G_F dp = r`, `G_F' dy - Q dp = s` with `r` by row and `s` by column; refined once where the solve is precise.
    pub(super) fn respond(&self, r: &[f64], s: Option<&[f64]>) -> Response {
        let mut response = self.respond_once(r, s);
        if !self.is_precise {
            return response;
        }
        let mut left = vec![0.0; self.rows.len()];
        let values = self.products.values(self.model, &self.rows, &self.active, &response.dp);
        for (&row, value) in self.active.iter().zip(values) {
            left[row] = r[row] - value;
        }
        let mut wrong = vec![0.0; self.p.len()];
        for j in (0..self.p.len()).filter(|&j| self.status[j] == Status::Free) {
            wrong[j] = s.map_or(0.0, |s| s[j]) - (response.gradient[j] - self.q[j] * response.dp[j]);
        }
        let correction = self.respond_once(&left, Some(&wrong));
        let add = |x: &mut [f64], by: &[f64]| x.iter_mut().zip(by).for_each(|(x, by)| *x += by);
        add(&mut response.dp, &correction.dp);
        add(&mut response.gradient, &correction.gradient);
        for (y, by) in response.dy.iter_mut().zip(&correction.dy) {
            y.1 += by.1;
        }
        response
    }

    fn respond_once(&self, r: &[f64], s: Option<&[f64]>) -> Response {
        let mut by_row = r.to_vec();
        if let Some(s) = s {
            let mut pulled = vec![0.0; self.p.len()];
            let mut any = false;
            for &j in &self.kkt.quadratic {
                pulled[j] = s[j] / self.q[j];
                any |= s[j] != 0.0;
            }
            if any {
                let values = self.products.values(self.model, &self.rows, &self.active, &pulled);
                for (&row, value) in self.active.iter().zip(values) {
                    by_row[row] += value;
                }
            }
        }
        let entry = |item: &Item| match *item {
            Item::Row(row) => by_row[row],
            Item::Column(j) => s.map_or(0.0, |s| s[j]),
        };
        let rhs: Vec<f64> = self.kkt.items.iter().map(entry).collect();
        let x = self.kkt.times(&rhs);
        let mut dy = Vec::with_capacity(self.active.len());
        let mut dp = vec![0.0; self.p.len()];
        for (item, &x) in self.kkt.items.iter().zip(&x) {
            match *item {
                Item::Row(row) => dy.push((row, x)),
                Item::Column(j) => dp[j] = x,
            }
        }
        let gradient = self.products.gradient(self.model, &self.rows, &dy);
        for &j in &self.kkt.quadratic {
            dp[j] = (gradient[j] - s.map_or(0.0, |s| s[j])) / self.q[j];
        }
        Response {
            dy,
            gradient,
            dp,
            rhs,
            solved: x,
        }
    }

    /// `sum q dp^2` over the free quadratic columns.
    pub(super) fn curvature(&self, dp: &[f64]) -> f64 {
        self.kkt.quadratic.iter().map(|&j| self.q[j] * dp[j] * dp[j]).sum()
    }

    fn residuals_by_row(&self) -> Vec<f64> {
        let mut r = vec![0.0; self.rows.len()];
        for (&row, value) in self.active.iter().zip(self.residuals()) {
            r[row] = value;
        }
        r
    }

    /// Residual steps: moves until every active row is met, multipliers keeping their sign.
    pub(super) fn clear_residual(&mut self) -> Step<()> {
        let (mut full, mut rose) = (false, false);
        loop {
            if !self.is_cautious && self.stop_at_bounds(rose)? {
                full = false;
            }

            let scale = self.p.iter().fold(1.0f64, |m, p| m.max(p.abs()));
            let r = &self.missed;
            let worst = r.iter().fold(0.0f64, |m, r| m.max(r.abs()));
            if !worst.is_finite() {
                return Err(Failure::Stalled("a number overflowed"));
            }
            if worst <= 1e-11 * scale || (full && worst <= 1e-7 * scale) {
                return Ok(());
            }
            let response = self.respond(r, None);
            let slope = self.curvature(&response.dp);
            let drc: Vec<f64> = response.gradient.iter().map(|g| -g).collect();
            let ratio_test = if slope > 0.0 {
                self.bound_flipping_ratio_test(slope, slope, &response.dy, &drc)
            } else {
                RatioTest {
                    t: 1.0,
                    ..RatioTest::default()
                }
            };
            full = ratio_test.t >= 1.0 && ratio_test.blocking.is_none();
            self.pivots += 1;
            for r in &mut self.missed {
                *r -= ratio_test.t * *r;
            }
            self.apply(&ratio_test, &response, &drc)?;
            if let Some(b) = ratio_test.blocking {
                self.let_go(b.constraint)?;
            }
            self.count_step(ratio_test.t)?;
            rose = ratio_test.t > 1e-9;
        }
    }

    /// Free columns outside their bounds stop there, where the rest of the system stays regular without them. Linear ones do
    /// only after a step that raised the dual objective, which their stop does not.
    fn stop_at_bounds(&mut self, linear: bool) -> Step<bool> {
        let mut any = false;
        for k in (0..self.kkt.items.len()).rev().filter(|_| linear) {
            let Some(&Item::Column(j)) = self.kkt.items.get(k) else {
                continue;
            };
            let (below, above) = (self.lo(j) - self.p[j], self.p[j] - self.hi(j));
            if below.max(above) <= super::PRIMAL_TOLERANCE || self.kkt.is_old() || !self.kkt.can_remove(k, REMOVABLE) {
                continue;
            }
            if self.kkt.remove(Item::Column(j)) {
                any = true;
                self.pivots += 1;
                let sign = if below > 0.0 { 1.0 } else { -1.0 };
                let violation = below.max(above);
                let constraint = Constraint::Column(j);
                self.insert_quadratic(
                    Entering {
                        constraint,
                        sign,
                        violation,
                    },
                    0.0,
                );
            }
        }
        for k in (0..self.kkt.quadratic.len()).rev() {
            let Some(&j) = self.kkt.quadratic.get(k) else { continue };
            let (below, above) = (self.lo(j) - self.p[j], self.p[j] - self.hi(j));
            if below.max(above) <= super::PRIMAL_TOLERANCE {
                continue;
            }
            if self.kkt.is_old() {
                self.refactor()?;
                return self.stop_at_bounds(linear).map(|more| more || any);
            }
            if !self.kkt.change_quadratic(&self.rows, &self.q, j, false, CURVATURE_LEFT) {
                continue;
            }
            any = true;
            self.pivots += 1;
            let (status, bound) = if below > 0.0 {
                (Status::AtLower, self.lo(j))
            } else {
                (Status::AtUpper, self.hi(j))
            };
            self.rc[j] = self.q[j] * (bound - self.p[j]);
            self.status[j] = status;
            self.move_column(j, bound);
            self.is_canonical = false;
        }
        Ok(any)
    }

    /// Moves one column, followed by what the active rows miss.
    fn move_column(&mut self, j: usize, to: f64) {
        let by = to - self.p[j];
        for &row in &self.active {
            self.missed[row] -= self.rows.at(row, j) * by;
        }
        self.p[j] = to;
    }

    fn flip_quadratic(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Column(j) => {
                let from = self.p[j];
                self.flip(constraint);
                let to = std::mem::replace(&mut self.p[j], from);
                self.move_column(j, to);
            }
            Constraint::Row(row) => {
                let before = self.target(row);
                self.flip(constraint);
                self.missed[row] += self.target(row) - before;
            }
        }
    }

    /// Puts a constraint in at its side, where its value jumps to.
    pub(super) fn insert_quadratic(&mut self, entering: Entering, multiplier: f64) {
        match entering.constraint {
            Constraint::Column(j) => {
                let from = self.p[j];
                self.insert(entering, multiplier);
                let to = std::mem::replace(&mut self.p[j], from);
                self.move_column(j, to);
            }
            Constraint::Row(row) => {
                let violation = self.violation_of(row, entering.sign);
                self.insert(entering, multiplier);
                self.missed[row] = entering.sign * violation;
            }
        }
    }

    /// Makes a step: multipliers, powers, flips, and the quadratic columns that start to follow the price.
    fn apply(&mut self, ratio_test: &RatioTest, response: &Response, drc: &[f64]) -> Step<()> {
        let t = ratio_test.t;
        for &(row, dy) in &response.dy {
            self.y[row] += t * dy;
        }
        for (j, dp) in response.dp.iter().enumerate() {
            if self.status[j] == Status::Free {
                self.p[j] += t * dp;
            } else {
                self.rc[j] += t * drc[j];
            }
        }
        for &flip in &ratio_test.flips {
            self.flip_quadratic(flip);
        }
        for &j in &ratio_test.passed {
            self.flip_quadratic(Constraint::Column(j));
            let range = self.hi(j) - self.lo(j);
            self.rc[j] += if self.status[j] == Status::AtUpper {
                self.q[j] * range
            } else {
                -self.q[j] * range
            };
        }
        for &j in &ratio_test.started {
            self.move_column(j, self.p[j] - self.rc[j] / self.q[j]);
            self.pivots += 1;
            let updated = self.kkt.change_quadratic(&self.rows, &self.q, j, true, 0.0);
            self.release(Constraint::Column(j));
            self.refactor_unless(updated)?;
        }
        Ok(())
    }

    /// Brings one violated constraint into the active set.
    pub(super) fn enter(&mut self, entering: Entering) -> Step<()> {
        let mut multiplier = 0.0;
        let nothing = vec![0.0; self.rows.len()];
        loop {
            // Response to one unit of its multiplier: G_F dp = 0, G_F' dy - Q dp = -sign g_e.
            let own: Vec<f64> = match entering.constraint {
                Constraint::Column(j) => {
                    let mut own = vec![0.0; self.p.len()];
                    own[j] = entering.sign;
                    own
                }
                Constraint::Row(row) => self.products.gradient(self.model, &self.rows, &[(row, entering.sign)]),
            };
            let s: Vec<f64> = own.iter().map(|g| -g).collect();
            let response = self.respond(&nothing, Some(&s));
            let curvature = self.curvature(&response.dp);
            if !curvature.is_finite() {
                return Err(Failure::Stalled("a number overflowed"));
            }
            if curvature > CURVATURE_TOLERANCE && !self.is_degenerate_entry(entering, curvature, &response, &own) {
                let border = self.border(entering, &own, &response);
                return self.take_in(entering, multiplier, &border);
            }

            // Linear: only multipliers move.
            let total = response.gradient.iter().zip(&own);
            let drc: Vec<f64> = total.map(|(g, own)| -g - own).collect();
            let aty = response.dy.iter().map(|&(row, d)| self.missed[row] * d);
            let slope = self.violation(entering) + aty.sum::<f64>();
            let ratio_test = self.bound_flipping_ratio_test(slope, 0.0, &response.dy, &drc);
            if ratio_test.is_unbounded {
                let mut ray = response.dy.clone();
                if let Constraint::Row(row) = entering.constraint {
                    ray.push((row, entering.sign));
                }
                return Err(self.infeasible(&mut self.rows.clone(), &ray));
            }
            let border = self.border(entering, &own, &response);
            let still = Response {
                dp: vec![0.0; self.p.len()],
                ..response
            };
            self.apply(&ratio_test, &still, &drc)?;
            multiplier += ratio_test.t;
            self.count_step(ratio_test.t)?;
            let Some(blocking) = ratio_test.blocking.filter(|_| ratio_test.started.is_empty()) else {
                continue;
            };
            if !self.is_precise && self.curvature_of(blocking.constraint) > CURVATURE_TOLERANCE {
                self.let_go(blocking.constraint)?;
                continue;
            }
            return self.swap(entering, multiplier, blocking.constraint, &border);
        }
    }

    /// How far the entering constraint is outside now.
    pub(super) fn violation(&self, entering: Entering) -> f64 {
        match entering.constraint {
            Constraint::Column(j) if entering.sign > 0.0 => self.lo(j) - self.p[j],
            Constraint::Column(j) => self.p[j] - self.hi(j),
            Constraint::Row(row) => self.violation_of(row, entering.sign),
        }
    }

    /// Curvature along the primal ray that opens when this linear constraint alone is let go, per unit of its own movement.
    fn curvature_of(&self, constraint: Constraint) -> f64 {
        let mut r = vec![0.0; self.rows.len()];
        match constraint {
            Constraint::Column(j) => self.active.iter().for_each(|&row| r[row] = -self.rows.at(row, j)),
            Constraint::Row(row) => r[row] = 1.0,
        }
        self.curvature(&self.respond(&r, None).dp)
    }

    /// Lets a constraint go where that alone keeps the system regular.
    pub(super) fn let_go(&mut self, constraint: Constraint) -> Step<()> {
        self.pivots += 1;
        let updated = match constraint {
            Constraint::Column(j) if self.q[j] > 0.0 => self.kkt.change_quadratic(&self.rows, &self.q, j, true, 0.0),
            Constraint::Column(j) => {
                let border = self.kkt.border_of_column(&self.rows, j);
                self.kkt.add(Item::Column(j), &border, 0.0)
            }
            Constraint::Row(row) => self.kkt.remove(Item::Row(row)),
        };
        self.release(constraint);
        self.refactor_unless(updated)
    }

    /// Entries of `S` for the entering constraint, from its own row `own = sign g` and its response: the entries were its
    /// right-hand side.
    fn border(&self, entering: Entering, own: &[f64], response: &Response) -> Border {
        let signed = |x: &[f64]| x.iter().map(|x| -entering.sign * x).collect();
        Border {
            entries: signed(&response.rhs),
            solved: signed(&response.solved),
            diagonal: self.kkt.quadratic.iter().map(|&j| own[j] * own[j] / self.q[j]).sum(),
        }
    }

    /// Takes a constraint in where that alone keeps the system regular.
    fn take_in(&mut self, entering: Entering, multiplier: f64, border: &Border) -> Step<()> {
        self.pivots += 1;
        if self.is_precise {
            self.insert_quadratic(entering, multiplier);
            return self.refactor();
        }
        let updated = match entering.constraint {
            Constraint::Column(j) if self.q[j] > 0.0 => self.kkt.change_quadratic(&self.rows, &self.q, j, false, 0.0),
            Constraint::Column(j) => self.kkt.remove(Item::Column(j)),
            Constraint::Row(row) => self
                .kkt
                .add_with(Item::Row(row), &border.entries, &border.solved, border.diagonal),
        };
        self.insert_quadratic(entering, multiplier);
        self.refactor_unless(updated)
    }

    /// Swaps two linear constraints, neither of which could change alone: what comes gets an extra diagonal until what goes
    /// is gone.
    fn swap(&mut self, entering: Entering, multiplier: f64, leaving: Constraint, border: &Border) -> Step<()> {
        self.pivots += 1;
        if self.is_precise {
            self.release(leaving);
            self.insert_quadratic(entering, multiplier);
            return self.refactor();
        }
        let updated = match (entering.constraint, leaving) {
            (Constraint::Row(e), leaving) => {
                let e = Item::Row(e);
                self.kkt
                    .add_with(e, &border.entries, &border.solved, border.diagonal + 1.0)
                    && match leaving {
                        Constraint::Row(j) => self.kkt.remove(Item::Row(j)),
                        Constraint::Column(j) => {
                            let border = self.kkt.border_of_column(&self.rows, j);
                            self.q[j] == 0.0 && self.kkt.add(Item::Column(j), &border, 0.0)
                        }
                    }
                    && self.kkt.correct(e, -1.0)
            }
            (Constraint::Column(e), Constraint::Column(j)) if self.q[e] == 0.0 && self.q[j] == 0.0 => {
                let border = self.kkt.border_of_column(&self.rows, j);
                let (e, j) = (Item::Column(e), Item::Column(j));
                self.kkt.add(j, &border, -1.0) && self.kkt.remove(e) && self.kkt.correct(j, 1.0)
            }
            (Constraint::Column(e), Constraint::Row(j)) if self.q[e] == 0.0 => {
                self.kkt.remove_both(Item::Column(e), Item::Row(j))
            }
            _ => false,
        };
        self.release(leaving);
        self.insert_quadratic(entering, multiplier);
        self.refactor_unless(updated)
    }

    fn refactor_unless(&mut self, updated: bool) -> Step<()> {
        if updated {
            return Ok(());
        }
        self.refactor()
    }

    /// Corrects powers and multipliers by what the rows and the free columns miss of them; reduced costs anew from the
    /// multipliers.
    pub(super) fn refresh_quadratic(&mut self) -> Step<()> {
        let last = if self.is_precise { 7 } else { 3 };
        for attempt in 0..=last {
            let r = self.residuals_by_row();
            let gradient = self.gradient_of(&self.y);
            let mut s = vec![0.0; self.p.len()];
            let (mut largest_power, mut largest_price) = (1.0f64, 1.0f64);
            let mut wrong = 0.0f64;
            for j in 0..self.p.len() {
                largest_power = largest_power.max(self.p[j].abs());
                if self.status[j] == Status::Free {
                    s[j] = self.c[j] + self.q[j] * self.p[j] - gradient[j];
                    wrong = wrong.max(s[j].abs());
                }
            }
            for &row in &self.active {
                largest_price = largest_price.max(self.y[row].abs());
            }
            let missed = r.iter().fold(0.0f64, |m, r| m.max(r.abs()));
            let error = (missed / largest_power).max(wrong / largest_price);
            if error.is_nan() || (attempt > 0 && error > INVERSE_TOLERANCE) {
                if attempt == last {
                    return Err(Failure::Stalled("the inverse of the system was inaccurate"));
                }
                if !self.is_precise || self.kkt.updates() > 0 {
                    self.refactor()?;
                }
            }
            if error <= 1e-12 || (attempt > 0 && error <= 1e-10) {
                self.set_reduced_costs(&gradient);
                self.missed = r;
                return Ok(());
            }
            let correction = self.respond(&r, Some(&s));
            for (row, dy) in correction.dy {
                self.y[row] += dy;
            }
            for (p, dp) in self.p.iter_mut().zip(&correction.dp) {
                *p += dp;
            }
        }
        let gradient = self.gradient_of(&self.y);
        self.set_reduced_costs(&gradient);
        self.missed = self.residuals_by_row();
        Ok(())
    }

    /// A mixed problem that is infeasible lets its prices diverge slowly; a linear one shows its ray at once
    /// (docs/method/dc-opf.md, section 3). Random costs: ties would cost pivots.
    fn check_feasible(&mut self) -> Step<()> {
        self.known_feasible = true;
        let mut check = SolverState::new(self.problem.clone(), self.rows.clone());
        let mut random = Random::default();
        for j in 0..self.c.len() {
            let middle = self.c[j] + 0.5 * self.q[j] * (self.lo(j) + self.hi(j));
            check.c[j] = middle * (1.0 + 0.1 * random.unit()) + 0.1 * random.unit();
            check.q[j] = 0.0;
        }
        check.is_linear = true;
        let outcome = check.merit_order().and_then(|()| check.optimise_linear());
        if let Err(Failure::Infeasible(error)) = outcome {
            return Err(Failure::Infeasible(error));
        }
        // The lines it found are worth knowing here too.
        self.rows = check.rows;
        self.side.resize(self.rows.len(), 0);
        self.y.resize(self.rows.len(), 0.0);
        self.missed.resize(self.rows.len(), 0.0);
        self.products = check.products;
        Ok(())
    }
}
