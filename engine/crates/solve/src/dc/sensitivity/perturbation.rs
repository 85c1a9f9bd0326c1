//! Right-hand sides of the linearised KKT system, one per parameter.

use crate::dc::basis::kkt::Status;
use crate::dc::model::combined_rows::Followed;
use crate::dc::model::{DcModel, Line};
use crate::dc::result::solution::DcSolution;
use crate::generator_columns::GenColumn;
use crate::vocabulary::{not_available, Direction, Parameter};
use wattbook_network::error::Result;

/// Difference of the rating and angle-difference limit of a line (per unit) below which the one that binds ahead
/// applies.
pub(super) const SAME_LIMIT: f64 = 1e-9;

/// Whether the optimum is affine in this parameter for a constant active set, so that the derivative is exact in an
/// interval. For other parameters it is a tangent.
pub(super) fn is_affine(parameter: Parameter) -> bool {
    !matches!(
        parameter,
        Parameter::CostQuadratic(_) | Parameter::SeriesSusceptance(_) | Parameter::Switching(_)
    )
}

/// Changes of the program's data per unit of step, as sparse lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Perturbation {
    /// Power injected at buses.
    pub injection: Vec<(usize, f64)>,
    /// Lines with moving limits: the rates of the rating and of both angle-difference limits of the row.
    pub moving_lines: Vec<(usize, f64, f64)>,
    /// Lower and upper flow limits of lines fixed at a limit.
    pub limits: Vec<(usize, f64, f64)>,
    /// Flow of lines at constant angles.
    pub flow: Vec<(usize, f64)>,
    /// Right-hand side of the price equations `B pi = ...` at buses, $/h per unit.
    pub potential: Vec<(usize, f64)>,
    /// Marginal cost of columns, $/h per unit.
    pub cost: Vec<(usize, f64)>,
    /// Position of columns fixed at a bound.
    pub bound: Vec<(usize, f64)>,
    /// Lower and upper bounds of columns, whether or not they are fixed there.
    pub moving: Vec<(usize, f64, f64)>,
}

impl Perturbation {
    /// The perturbation of a step along edits of demand, ratings and generators.
    pub fn of_direction(s: &DcSolution, model: &DcModel, direction: &Direction) -> Self {
        let mut out = Self::default();
        for &(bus, d) in &direction.demand {
            if model.bus_is_active(bus) {
                out.injection.push((bus, -d));
            }
        }
        for &(branch, d) in &direction.rating {
            out.rating(s, model, branch, d);
        }
        for &(branch, d) in &direction.phase_shift {
            out.phase_shift(s, model, branch, d);
        }
        for &(generator, d) in &direction.output_min {
            out.limits_of(s, model, generator, (d, 0.0));
        }
        for &(generator, d) in &direction.output_max {
            out.limits_of(s, model, generator, (0.0, d));
        }
        for &(generator, d) in &direction.cost {
            out.cost.extend(columns_of(model, generator).map(|(j, _)| (j, d)));
        }
        out
    }

    /// The perturbation of one unit of a parameter.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for a parameter that DC OPF does not have.
    pub fn of_parameter(s: &DcSolution, model: &DcModel, parameter: Parameter) -> Result<Self> {
        let mut out = Self::default();
        match parameter {
            Parameter::Demand(bus) => {
                if model.bus_is_active(bus) {
                    out.injection.push((bus, -1.0));
                }
                for (row, rate) in model.following(Followed::Demand(bus)) {
                    out.rating(s, model, row, rate);
                }
            }
            Parameter::Rating(branch) => {
                for (row, rate) in model.limits_with(branch) {
                    out.rating(s, model, row, rate);
                }
            }
            Parameter::CostLinear(generator) => {
                out.cost.extend(columns_of(model, generator).map(|(j, _)| (j, 1.0)));
            }
            Parameter::CostQuadratic(generator) => {
                let slope = 2.0 * s.dispatch[generator];
                out.cost.extend(columns_of(model, generator).map(|(j, _)| (j, slope)));
            }
            Parameter::OutputMin(generator) => out.limits_of(s, model, generator, (1.0, 0.0)),
            Parameter::OutputMax(generator) => out.limits_of(s, model, generator, (0.0, 1.0)),
            Parameter::SeriesSusceptance(branch) => out.susceptance(s, model, branch, -1.0),
            Parameter::Switching(branch) => {
                if let Some(l) = model.line_of_branch[branch] {
                    out.susceptance(s, model, branch, model.lines[l].b);
                }
            }
            Parameter::PhaseShift(branch) => out.phase_shift(s, model, branch, 1.0),
            other => return Err(not_available("any result", &format!("{other:?}"), "dcopf")),
        }
        Ok(out)
    }

    fn rating(&mut self, s: &DcSolution, model: &DcModel, branch: usize, d: f64) {
        let Some(l) = model.line_of_branch[branch] else { return };
        // If rating and angle-difference limit are equal, the one that binds after a step applies.
        let ahead = s.data.rating[branch] + SAME_LIMIT * d.signum();
        let (lo, hi) = held_by_rating(&model.lines[l], ahead);
        self.moving_lines.push((l, d, 0.0));
        let rate = |held: bool, rate: f64| if held { rate } else { 0.0 };
        self.limits.push((l, rate(lo, -d), rate(hi, d)));
    }

    /// Moves the lower and the upper limit of a generator, which are those of its first and its last column.
    fn limits_of(&mut self, s: &DcSolution, model: &DcModel, generator: usize, (min, max): (f64, f64)) {
        for (j, column) in columns_of(model, generator) {
            let rate = |outer: bool, rate: f64| if outer { rate } else { 0.0 };
            let (lo, hi) = (rate(column.is_first, min), rate(column.is_last, max));
            if lo == 0.0 && hi == 0.0 {
                continue;
            }
            self.moving.push((j, lo, hi));
            match s.held_at(model, j) {
                Status::AtLower => self.bound.push((j, lo)),
                Status::AtUpper => self.bound.push((j, hi)),
                Status::Free => {}
            }
        }
    }

    /// Increases the coefficient `b` of the angle difference by `d`, which affects the flow `b (theta - shift)`, the
    /// balances and price equations of both ends, and angle-difference limits.
    fn susceptance(&mut self, s: &DcSolution, model: &DcModel, branch: usize, d: f64) {
        let Some(l) = model.line_of_branch[branch].filter(|&l| model.lines[l].b != 0.0) else {
            return;
        };
        let line = &model.lines[l];
        let shift = line.shift_flow / line.b;
        let angle = s.theta[line.from] - s.theta[line.to] - shift;
        self.at_ends(line, -d * angle);
        self.flow.push((l, d * angle));
        // y is positive at the lower limit, the published shadow price at the upper.
        let y = -s.shadow[branch];
        let z = d * (y - (s.price[line.from] - s.price[line.to]));
        self.potential.extend([(line.from, z), (line.to, -z)]);
        let (lo, hi) = held_by_rating(line, s.data.rating[branch]);
        let (low, high) = if line.b > 0.0 {
            (line.angle_min, line.angle_max)
        } else {
            (line.angle_max, line.angle_min)
        };
        let rate = |held: bool, angle: f64| if held { 0.0 } else { d * (angle - shift) };
        self.limits.push((l, rate(lo, low), rate(hi, high)));
    }

    /// Increases the phase shift by `d`, which affects the flow `b (theta - shift)`, the balances of both ends and
    /// angle-difference limits.
    fn phase_shift(&mut self, s: &DcSolution, model: &DcModel, branch: usize, d: f64) {
        let Some(l) = model.shifting_line(branch) else { return };
        let line = &model.lines[l];
        self.at_ends(line, d * line.b);
        self.flow.push((l, -d * line.b));
        let containing = model.containing(l);
        self.flow
            .extend(containing.map(|(k, weight)| (k, -d * line.b * weight)));
        let angle_rate = d * line.angle_limit_rate();
        self.moving_lines.push((l, 0.0, angle_rate));
        // If rating and angle-difference limit are equal, the one that binds after a step applies.
        let (rating, ahead) = (s.data.rating[branch], SAME_LIMIT * angle_rate.signum());
        let (lo, _) = held_by_rating(line, rating + ahead);
        let (_, hi) = held_by_rating(line, rating - ahead);
        let rate = |held: bool| if held { 0.0 } else { angle_rate };
        self.limits.push((l, rate(lo), rate(hi)));
    }

    fn at_ends(&mut self, line: &Line, power: f64) {
        self.injection.extend([(line.from, power), (line.to, -power)]);
    }
}

impl DcSolution {
    /// The side at which a column is fixed while its limit moves; for a fixed unit, the side that its price implies
    /// once the limits separate.
    pub(crate) fn held_at(&self, model: &DcModel, j: usize) -> Status {
        if model.columns[j].hi > model.columns[j].lo {
            return self.status[j];
        }
        match self.reduced_cost_beside(model, j) < 0.0 {
            true => Status::AtUpper,
            false => Status::AtLower,
        }
    }

    /// Marginal cost of a column beside its moving limit, less the price at its bus, $/h per unit.
    pub(super) fn reduced_cost_beside(&self, model: &DcModel, j: usize) -> f64 {
        let column = &model.columns[j];
        let (c, q) = column.beside;
        c + q * self.p[j] - self.price[column.bus]
    }
}

fn columns_of(model: &DcModel, generator: usize) -> impl Iterator<Item = (usize, &GenColumn)> {
    let of_generator = move |(_, c): &(usize, &GenColumn)| c.generator == generator;
    model.columns.iter().enumerate().filter(of_generator)
}

/// Whether the lower and the upper limit of a line is its rating rather than its angle-difference limit.
fn held_by_rating(line: &Line, rating: f64) -> (bool, bool) {
    if line.is_angle_difference() {
        return (false, false);
    }
    let (lo, hi) = line.limits(rating);
    (lo == -rating, hi == rating)
}
