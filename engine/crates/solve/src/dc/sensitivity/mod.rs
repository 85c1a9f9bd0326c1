//! Derivatives of the optimum, and the intervals in which they are exact.
//!
//! Inside a region of fixed active set the optimum of a DC OPF is affine in demand, ratings, phase shifts, limits and linear costs (implicit
//! function theorem on the KKT system; Ralph and Dempe, Math. Prog. 70 (1995)), so one back-solve with the factor of the optimum
//! gives the column, and a ratio test over every limit and multiplier gives the interval.

mod cells;
mod perturbation;
mod tangent;
mod warrant;

pub use cells::Cells;

use crate::dc::basis::kkt::Status;
use crate::dc::model::DcModel;
use crate::dc::result::solution::DcSolution;
use crate::vocabulary::Direction;
pub(crate) use perturbation::Perturbation;
use wattbook_network::analysis::ElementRef;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    GeneratorReachesMax,
    GeneratorReachesMin,
    GeneratorReachesBreakpoint,
    GeneratorLeavesLimit,
    LineBinds,
    LineUnbinds,
    ExcessBegins,
    ExcessEnds,
    LostLoadBegins,
    LostLoadEnds,
    EditLimit,
}

/// The end of the interval on one side.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Step from the present state.
    pub step: f64,
    pub event: Event,
    pub element: ElementRef,
    /// The change of the active set at the end.
    pub change: ActiveSetChange,
}

/// The constraint of an event, by the solver's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActiveSetChange {
    /// A free column reaches one of its own bounds.
    Bound { column: usize, upper: bool },
    /// The reduced cost of a column at a bound reaches zero.
    Leaving(usize),
    /// A line reaches a limit.
    Limit { line: usize, upper: bool },
    /// The multiplier of an active line reaches zero.
    Unbinding(usize),
    /// The rating of an active line passes its angle-difference limit: the same side remains active at another rate.
    OtherLimit,
    /// The edit reaches its end.
    Edit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarrantKind {
    /// The interval extends to both sides.
    Regular,
    /// The present state is a breakpoint: the column is valid on one side.
    OneSided,
    /// Several limits meet here: this active set is valid in no direction.
    Degenerate,
}

/// The interval in which a column is exact; an end that is `None` is unbounded.
#[derive(Clone, Debug, PartialEq)]
pub struct Warrant {
    pub kind: WarrantKind,
    pub lower: Option<End>,
    pub upper: Option<End>,
    /// Relative residual of the linear system.
    pub residual: f64,
    /// The derivative is that of the present state, without an interval: the optimum is not affine in the parameter, or
    /// the interval was not sought.
    pub point_only: bool,
}

impl Warrant {
    /// The warrant for the present state alone, without an interval.
    fn at_the_point(mut self) -> Self {
        self.point_only = true;
        (self.lower, self.upper) = (None, None);
        self
    }

    /// Ends of the interval in steps, infinite where unbounded.
    pub fn interval(&self) -> (f64, f64) {
        if self.point_only {
            return (0.0, 0.0);
        }
        (
            self.lower.as_ref().map_or(f64::NEG_INFINITY, |e| e.step),
            self.upper.as_ref().map_or(f64::INFINITY, |e| e.step),
        )
    }
}

/// Derivative of the optimum along a direction.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityColumn {
    /// Change of each bus price, $/h per unit per step.
    pub price: Vec<f64>,
    /// First and second derivative of the objective, $/h per step.
    pub objective: f64,
    pub objective_curvature: f64,
    /// Change of the multiplier of each line that is fixed at a limit (dense branch rows), $/h per unit per step,
    /// signed as in `DcSolution::shadow`.
    pub shadow: Vec<(usize, f64)>,
    /// Change of the output of each moving generator (dense rows), per unit per step.
    pub dispatch: Vec<(usize, f64)>,
    pub warrant: Warrant,
}

/// A smaller step is not an interval.
pub(crate) const ZERO_STEP: f64 = 1e-9;

impl DcSolution {
    /// Differentiates the optimum along edits of demand, branches and generators.
    pub fn derivative(&self, model: &DcModel, direction: &Direction) -> SensitivityColumn {
        let change = Perturbation::of_direction(self, model, direction);
        let tangent = self.tangent(model, &change);
        let mut objective = 0.0;
        let mut curvature = 0.0;
        for &(bus, d) in &change.injection {
            objective -= self.price[bus] * d;
            curvature -= tangent.price[bus] * d;
        }
        for &(l, lo, hi) in &change.limits {
            let shadow = self.shadow[model.lines[l].row];
            // At a breakpoint the multiplier of a fixed line may be zero.
            let side = self.rows.row_of_line[l].map_or(0, |row| self.side[row]);
            let rate = if side > 0 { hi } else { lo };
            objective -= shadow * rate;
            curvature += tangent.line_y[l] * rate;
        }
        for &(l, d) in &change.flow {
            objective += self.shadow[model.lines[l].row] * d;
            curvature -= tangent.line_y[l] * d;
        }
        for &(j, d) in &change.cost {
            objective += self.p[j] * d;
            curvature += tangent.p[j] * d;
        }
        for &(j, lo, hi) in &change.moving {
            let rate = match self.held_at(model, j) {
                Status::AtLower => lo,
                Status::AtUpper => hi,
                Status::Free => continue,
            };
            let column = &model.columns[j];
            let own = change.cost.iter().filter(|cost| cost.0 == j).map(|cost| cost.1);
            objective += self.reduced_cost_beside(model, j) * rate;
            curvature += (own.sum::<f64>() + column.beside.1 * tangent.p[j] - tangent.price[column.bus]) * rate;
        }
        let data = &self.data;
        let demand = direction.demand.iter().filter(|(bus, _)| data.demand[*bus] > 0.0);
        let rating = direction.rating.iter().filter(|(row, _)| !model.is_interface(*row));
        let edits = demand
            .map(|&(bus, d)| (&model.bus_ids[bus], data.demand[bus], d))
            .chain(rating.map(|&(b, d)| (&model.branch_ids[b], data.rating[b], d)));
        let shifts = direction.phase_shift.iter().flat_map(|&(branch, d)| {
            let [below, above] = model
                .shifting_line(branch)
                .map_or([f64::INFINITY; 2], |l| model.lines[l].shift_room);
            [(below, d), (above, -d)].map(|(room, rate)| (&model.branch_ids[branch], room, rate))
        });
        let warrant = self.warrant(model, &change, &tangent, edits.chain(shifts));
        let held = self.active.iter().filter_map(|&row| self.rows.line(row));
        let held = held.filter(|pooled| model.lines[pooled.line].tie.is_none());
        SensitivityColumn {
            dispatch: model.outputs_that_move(&tangent.p),
            shadow: held
                .map(|pooled| (model.lines[pooled.line].row, -tangent.line_y[pooled.line]))
                .collect(),
            price: tangent.price,
            objective,
            objective_curvature: curvature,
            warrant,
        }
    }
}
