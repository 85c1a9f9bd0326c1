//! Derivatives of the optimum and the interval in which they are exact.
//!
//! Inside a region of fixed active set the optimum of a DC OPF is affine in demand and rating (implicit function theorem on
//! the KKT system; Ralph and Dempe, Math. Prog. 70 (1995)), so one back-solve with the factor of the optimum gives the
//! column, and a ratio test over every limit and multiplier gives the interval.

use super::kkt::Status;
use super::model::DcModel;
use super::solution::{nodal, DcSolution};
use wattbook_network::analysis::ElementRef;

/// A change of demand and rating, per unit per unit of step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Direction {
    /// `(dense bus row, change)`.
    pub demand: Vec<(usize, f64)>,
    /// `(dense branch row, change)`.
    pub rating: Vec<(usize, f64)>,
}

/// One element to differentiate by, one per unit of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Demand(usize),
    Rating(usize),
}

impl From<Target> for Direction {
    fn from(target: Target) -> Self {
        match target {
            Target::Demand(bus) => Self {
                demand: vec![(bus, 1.0)],
                rating: Vec::new(),
            },
            Target::Rating(branch) => Self {
                demand: Vec::new(),
                rating: vec![(branch, 1.0)],
            },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    GeneratorReachesMax,
    GeneratorReachesMin,
    GeneratorReachesBreakpoint,
    GeneratorLeavesLimit,
    LineBinds,
    LineUnbinds,
    EditLimit,
}

/// What ends the interval on one side.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Step from the present state.
    pub step: f64,
    pub event: Event,
    pub element: ElementRef,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarrantKind {
    /// The interval reaches to both sides.
    Regular,
    /// The present state is a breakpoint: the column holds to one side.
    OneSided,
    /// Several limits meet here: this active set holds in no direction.
    Degenerate,
}

/// Where a column is exact; an end that is `None` is unbounded.
#[derive(Clone, Debug, PartialEq)]
pub struct Warrant {
    pub kind: WarrantKind,
    pub lower: Option<End>,
    pub upper: Option<End>,
    /// Relative residual of the linear system.
    pub residual: f64,
}

impl Warrant {
    /// Ends of the interval in steps, infinite where unbounded.
    pub fn interval(&self) -> (f64, f64) {
        (
            self.lower.as_ref().map_or(f64::NEG_INFINITY, |e| e.step),
            self.upper.as_ref().map_or(f64::INFINITY, |e| e.step),
        )
    }
}

/// Derivative of the optimum along a direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Change of each bus price, $/h per unit per step.
    pub price: Vec<f64>,
    /// First derivative of the objective, $/h per step; its second derivative.
    pub objective: f64,
    pub objective_curvature: f64,
    pub warrant: Warrant,
}

/// A step this small is no interval.
const ZERO_STEP: f64 = 1e-9;
/// Rates below this do not move anything.
const ZERO_RATE: f64 = 1e-12;

impl DcSolution {
    /// Differentiates the optimum along `direction`.
    pub fn derivative(&self, model: &DcModel, direction: &Direction) -> Column {
        let mut demand_rate = vec![0.0; model.n_bus];
        for &(bus, d) in &direction.demand {
            if model.bus_is_active(bus) {
                demand_rate[bus] += d;
            }
        }
        let mut rating_rate = vec![0.0; model.n_branch];
        for &(branch, d) in &direction.rating {
            rating_rate[branch] += d;
        }
        let mut island_rate = vec![0.0; self.rows.n_islands];
        for (bus, d) in demand_rate.iter().enumerate() {
            if *d != 0.0 {
                island_rate[model.island_of_bus[bus]] += d;
            }
        }
        let withdrawn: Vec<f64> = demand_rate.iter().map(|d| -d).collect();
        let base_rate = model.row_rates(&model.angles(&withdrawn), &withdrawn);

        // Right-hand side of the active rows.
        let rhs: Vec<f64> = self
            .active
            .iter()
            .map(|&row| match row.checked_sub(self.rows.n_islands) {
                None => island_rate[row],
                Some(k) => {
                    let pooled = &self.rows.pooled[k];
                    let line = &model.lines[pooled.line];
                    let (lo, hi) = self.limit_rates(model, pooled.line, rating_rate[line.row]);
                    let limit = if self.side[row] > 0 { hi } else { lo };
                    limit - pooled.kappa * island_rate[pooled.island] - base_rate[pooled.line]
                }
            })
            .collect();
        let q: Vec<f64> = model.columns.iter().map(|g| g.q / model.cost_scale).collect();
        let (dy, dp) = self.system.solve(&self.rows, &q, &rhs, &vec![0.0; q.len()]);
        let residual = self.residual(&q, &rhs, &dy, &dp);

        let mut island_price = vec![0.0; self.rows.n_islands];
        let mut line_y = vec![0.0; model.lines.len()];
        let dy: Vec<f64> = dy.iter().map(|y| y * model.cost_scale).collect();
        for (&row, &d) in self.active.iter().zip(&dy) {
            match row.checked_sub(self.rows.n_islands) {
                None => island_price[row] += d,
                Some(k) => {
                    let pooled = &self.rows.pooled[k];
                    line_y[pooled.line] = d;
                    island_price[pooled.island] -= d * pooled.kappa;
                }
            }
        }
        let price = nodal(model, &island_price, &line_y, 1);

        let mut objective = 0.0;
        let mut curvature = 0.0;
        for (bus, d) in demand_rate.iter().enumerate() {
            objective += self.price[bus] * d;
            curvature += price[bus] * d;
        }
        for (l, line) in model.lines.iter().enumerate() {
            let d = rating_rate[line.row];
            if d != 0.0 {
                let (lo, hi) = self.limit_rates(model, l, d);
                let limit_rate = if self.shadow[line.row] >= 0.0 { hi } else { lo };
                objective -= self.shadow[line.row] * limit_rate;
                curvature += line_y[l] * limit_rate;
            }
        }

        let mut injection = withdrawn;
        model.add_generation(&dp, &mut injection);
        let line_rate = model.row_rates(&model.angles(&injection), &injection);
        let warrant = self.warrant(model, direction, &dy, &dp, &price, &line_rate, &rating_rate, residual);
        Column {
            price,
            objective,
            objective_curvature: curvature,
            warrant,
        }
    }

    /// How the limits of a line move with its rating: only where the rating, not the angle window, is the limit.
    fn limit_rates(&self, model: &DcModel, line: usize, rating_rate: f64) -> (f64, f64) {
        let line = &model.lines[line];
        let rating = self.data.rating[line.row];
        if line.is_window() {
            return (0.0, 0.0);
        }
        let (lo, hi) = line.limits(rating);
        (
            if lo == -rating { -rating_rate } else { 0.0 },
            if hi == rating { rating_rate } else { 0.0 },
        )
    }

    fn residual(&self, q: &[f64], rhs: &[f64], dy: &[f64], dp: &[f64]) -> f64 {
        let scale = rhs.iter().chain(dy).chain(dp).fold(1.0f64, |m, x| m.max(x.abs()));
        let primal = self
            .active
            .iter()
            .zip(rhs)
            .fold(0.0f64, |m, (&row, r)| m.max((r - self.rows.dot(row, dp)).abs()));
        let mut dual: Vec<f64> = q.iter().zip(dp).map(|(q, d)| q * d).collect();
        for (&row, dy) in self.active.iter().zip(dy) {
            self.rows.add_scaled(row, -dy, &mut dual);
        }
        let dual = dual
            .iter()
            .zip(&self.status)
            .filter(|(_, s)| **s == Status::Free)
            .fold(0.0f64, |m, (d, _)| m.max(d.abs()));
        primal.max(dual) / scale
    }

    #[allow(clippy::too_many_arguments)]
    fn warrant(
        &self,
        model: &DcModel,
        direction: &Direction,
        dy: &[f64],
        dp: &[f64],
        price_rate: &[f64],
        line_rate: &[f64],
        rating_rate: &[f64],
        residual: f64,
    ) -> Warrant {
        let mut ends = Ends::default();
        for (j, column) in model.columns.iter().enumerate() {
            let element = &model.gen_ids[column.generator];
            if self.status[j] == Status::Free {
                let max = if column.is_last {
                    Event::GeneratorReachesMax
                } else {
                    Event::GeneratorReachesBreakpoint
                };
                let min = if column.is_first {
                    Event::GeneratorReachesMin
                } else {
                    Event::GeneratorReachesBreakpoint
                };
                ends.approach(column.hi - self.p[j], dp[j], max, element);
                ends.approach(self.p[j] - column.lo, -dp[j], min, element);
            } else if column.hi > column.lo {
                let rc = column.c + column.q * self.p[j] - self.price[column.bus];
                let rate = -price_rate[column.bus];
                let sign = if self.status[j] == Status::AtLower { 1.0 } else { -1.0 };
                ends.approach(
                    sign * rc / model.cost_scale,
                    -sign * rate / model.cost_scale,
                    Event::GeneratorLeavesLimit,
                    element,
                );
            }
        }
        for (&row, d) in self.active.iter().zip(dy) {
            if let Some(k) = row.checked_sub(self.rows.n_islands) {
                let sign = if self.side[row] > 0 { -1.0 } else { 1.0 };
                let element = model.element_of_line(self.rows.pooled[k].line);
                ends.approach(
                    sign * self.y[row] / model.cost_scale,
                    -sign * d / model.cost_scale,
                    Event::LineUnbinds,
                    element,
                );
            }
        }
        for (l, line) in model.lines.iter().enumerate() {
            if self.rows.row_of_line[l].is_some_and(|row| self.side[row] != 0) {
                continue;
            }
            let (value, rate) = match line.is_window() {
                true => (self.theta[line.from] - self.theta[line.to], line_rate[l]),
                false => (self.flow[line.row], line_rate[l]),
            };
            let (lo, hi) = line.limits(self.data.rating[line.row]);
            let (lo_rate, hi_rate) = self.limit_rates(model, l, rating_rate[line.row]);
            let element = model.element_of_line(l);
            ends.approach(hi - value, rate - hi_rate, Event::LineBinds, element);
            ends.approach(value - lo, lo_rate - rate, Event::LineBinds, element);
        }
        for &(bus, d) in &direction.demand {
            if self.data.demand[bus] > 0.0 {
                ends.approach(self.data.demand[bus], -d, Event::EditLimit, &model.bus_ids[bus]);
            }
        }
        for &(branch, d) in &direction.rating {
            ends.approach(
                self.data.rating[branch],
                -d,
                Event::EditLimit,
                &model.branch_ids[branch],
            );
        }
        let at_zero = |end: &Option<End>| end.as_ref().is_some_and(|e| e.step.abs() <= ZERO_STEP);
        let kind = match (at_zero(&ends.lower), at_zero(&ends.upper)) {
            (false, false) => WarrantKind::Regular,
            (true, true) => WarrantKind::Degenerate,
            _ => WarrantKind::OneSided,
        };
        Warrant {
            kind,
            lower: ends.lower,
            upper: ends.upper,
            residual,
        }
    }
}

/// The nearest event on each side.
#[derive(Default)]
struct Ends {
    lower: Option<End>,
    upper: Option<End>,
}

impl Ends {
    /// A slack `distance` (>= 0) that shrinks at `rate` per step: forwards where the rate is positive, else backwards.
    fn approach(&mut self, distance: f64, rate: f64, event: Event, element: &ElementRef) {
        if rate.abs() <= ZERO_RATE || distance.is_nan() {
            return;
        }
        let step = distance.max(0.0) / rate;
        let side = if rate > 0.0 { &mut self.upper } else { &mut self.lower };
        if side.as_ref().is_none_or(|e| step.abs() < e.step.abs()) {
            *side = Some(End {
                step,
                event,
                element: element.clone(),
            });
        }
    }
}
