//! Left and right derivatives at a breakpoint, and price jumps at the ends of an interval.
//!
//! At a breakpoint the price curve has a corner (quadratic costs) or a step (linear costs), so only one-sided
//! derivatives exist (Robinson, Math. Oper. Res. 5 (1980); Ralph and Dempe, Math. Prog. 70 (1995)). Each side is the
//! region that a path enters there (`path`), so its column is the exact one of that region rather than a regularised
//! mean.

use crate::dc::model::DcModel;
use crate::dc::model::Target;
use crate::dc::optimize::DcOptimizer;
use crate::dc::parametric::path_tracer::PathTracer;
use crate::dc::result::solution::DcSolution;
use crate::dc::sensitivity::{End, Event, SensitivityColumn, WarrantKind, ZERO_STEP};
use crate::vocabulary::Direction;

/// Prices closer than this, relative, are equal.
const SAME_PRICE: f64 = 1e-8;

/// The state beyond one end of a column's interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PastEnd {
    /// Jump of the price at the watched bus from this side of the end to the other, $/h per unit.
    Jump(f64),
    /// No optimum exists beyond.
    NoSolution,
    /// There is no end, the edit itself ends here, or the region beyond was not found.
    Unknown,
}

/// A column, with the derivatives and jumps on either side of it.
#[derive(Clone, Debug)]
pub struct OneSidedDerivatives {
    /// The column of the optimum's own active set.
    pub column: SensitivityColumn,
    /// At a breakpoint: derivatives of the prices for a decrease and for an increase, by bus, $/h per unit per unit;
    /// `None` if no optimum exists on that side.
    pub left: Option<Vec<f64>>,
    pub right: Option<Vec<f64>>,
    /// Beyond the lower and the upper end of the warrant.
    pub past_ends: (PastEnd, PastEnd),
    /// For a demand whose bus has no unique price: left and right derivative of the minimum cost, $/h per unit, each
    /// `None` if no optimum exists on that side. The whole field is also `None` if the region beyond an end was not
    /// found.
    pub price_interval: Option<(Option<f64>, Option<f64>)>,
    /// The bus of the price jumps: the target, or for a branch the bus whose price moves most.
    pub watched: usize,
}

impl DcSolution {
    /// Differentiates with respect to a target, and examines both ends of the interval by at most two warm solves.
    pub fn one_sided_derivatives(
        &self,
        optimizer: &impl DcOptimizer,
        model: &DcModel,
        target: Target,
    ) -> OneSidedDerivatives {
        let column = self.derivative(model, &model.with_following(&target.into()));
        let watched = match target {
            Target::Demand(bus) => bus,
            Target::Rating(_) | Target::PhaseShift(_) | Target::Interface(..) => {
                most_moved(&column.price[..model.links.n_buses])
            }
        };
        let look = |end: &Option<End>, sign: f64| self.look_past(optimizer, model, target, &column, end, sign, watched);
        let (lower, left) = look(&column.warrant.lower, -1.0);
        let (upper, right) = look(&column.warrant.upper, 1.0);
        let at_breakpoint = column.warrant.kind != WarrantKind::Regular;
        let price_interval = match target {
            Target::Demand(bus) => self.price_interval(model, bus, &column, (lower, upper)),
            Target::Rating(_) | Target::PhaseShift(_) | Target::Interface(..) => None,
        };
        // If the current active set is optimal on one side, its column is the one-sided derivative.
        let one_sided = |end: &Option<End>, found: Option<Vec<f64>>| match end {
            _ if !at_breakpoint => None,
            Some(end) if end.step.abs() <= ZERO_STEP => found,
            _ => Some(column.price.clone()),
        };
        OneSidedDerivatives {
            left: one_sided(&column.warrant.lower, left),
            right: one_sided(&column.warrant.upper, right),
            past_ends: (lower, upper),
            price_interval,
            watched,
            column,
        }
    }

    /// The prices of a bus that support the optimum, if there are several: the minimum cost is convex in the demand,
    /// and its subgradients lie between the one-sided derivatives (Rockafellar, Convex Analysis, theorem 23.4).
    fn price_interval(
        &self,
        model: &DcModel,
        bus: usize,
        column: &SensitivityColumn,
        past_ends: (PastEnd, PastEnd),
    ) -> Option<(Option<f64>, Option<f64>)> {
        if model.bus_is_active(bus) && !model.islands[model.island_of_bus[bus]].movable {
            // Every generator of the island is fixed, so any price supports its only dispatch.
            return Some((None, None));
        }
        let price = self.price[bus];
        let side = |end: &Option<End>, beyond: PastEnd| match (end, beyond) {
            (Some(end), PastEnd::Jump(jump)) if end.step.abs() <= ZERO_STEP => Some(Some(price + jump)),
            (Some(end), PastEnd::NoSolution) if end.step.abs() <= ZERO_STEP => Some(None),
            (Some(end), PastEnd::Unknown) if end.step.abs() <= ZERO_STEP && end.event != Event::EditLimit => None,
            _ => Some(Some(price)),
        };
        let left = side(&column.warrant.lower, past_ends.0)?;
        let right = side(&column.warrant.upper, past_ends.1)?;
        match (left, right) {
            (Some(a), Some(b)) if (b - a).abs() <= SAME_PRICE * (model.cost_scale + a.abs()) => None,
            _ => Some((left, right)),
        }
    }

    /// The jump of the watched price at an end, and the derivatives in the region beyond.
    #[allow(clippy::too_many_arguments)]
    fn look_past(
        &self,
        optimizer: &impl DcOptimizer,
        model: &DcModel,
        target: Target,
        column: &SensitivityColumn,
        end: &Option<End>,
        sign: f64,
        watched: usize,
    ) -> (PastEnd, Option<Vec<f64>>) {
        let Some(end) = end.as_ref().filter(|e| e.event != Event::EditLimit) else {
            return (PastEnd::Unknown, None);
        };
        let direction = model.with_following(&Direction::from(target).times(sign));
        let entered = PathTracer::new(optimizer, model, self, &direction).enter(self, end.step.abs(), end.change);
        match entered {
            Ok(point) => {
                let before = self.price[watched] + end.step * column.price[watched];
                let back = point.at - end.step.abs();
                let after = point.solution.price[watched] - back * point.column.price[watched];
                let rates = point.column.price.iter().map(|d| sign * d).collect();
                (PastEnd::Jump(after - before), Some(rates))
            }
            Err(error) if error.code == "SOLVE.INFEASIBLE" => (PastEnd::NoSolution, None),
            Err(_) => (PastEnd::Unknown, None),
        }
    }
}

fn most_moved(rates: &[f64]) -> usize {
    let mut best = 0;
    for (bus, rate) in rates.iter().enumerate() {
        if rate.abs() > rates[best].abs() {
            best = bus;
        }
    }
    best
}
