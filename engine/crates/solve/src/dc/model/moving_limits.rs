//! The program for moving limits of generators, and for unlimited generators that need wider bounds, where only bounds of
//! columns change; and for moving phase shifts, which are constants of balances and lines.
//!
//! A path keeps one set of columns, so that an active set has the same meaning along the whole path. A piecewise-linear
//! unit has a column for every segment of its curve on the path, of zero width outside its limits; a unit whose limits
//! have not separated yet has its own cost.

use crate::dc::model::{Convention, DcData, DcModel, DcOutline, Stencil};
use crate::generator_columns::{segments, GenColumn, OPEN};
use crate::vocabulary::Direction;
use std::borrow::Cow;
use std::ops::Range;

/// Limits within this distance of the end of a segment are at that end, relative to 1 + limit, per unit.
const SAME_LIMIT: f64 = 1e-12;

/// Rates of the limits of one unit, per unit of step.
#[derive(Clone, Copy, Debug, Default)]
struct Rates {
    min: f64,
    max: f64,
}

impl Direction {
    /// Whether limits of generators move along the direction.
    pub(crate) fn moves_limits(&self) -> bool {
        !self.output_min.is_empty() || !self.output_max.is_empty()
    }

    /// The direction with the limits of these generators unmoved.
    pub(crate) fn without_units(&self, is_left_out: impl Fn(usize) -> bool) -> Self {
        let mut others = self.clone();
        for list in [&mut others.output_min, &mut others.output_max] {
            list.retain(|(unit, _)| !is_left_out(*unit));
        }
        others
    }

    fn rates_of(&self, generator: usize) -> Rates {
        let of = |list: &[(usize, f64)]| list.iter().filter(|(row, _)| *row == generator).map(|(_, d)| d).sum();
        Rates {
            min: of(&self.output_min),
            max: of(&self.output_max),
        }
    }

    /// Generators with moving limits, without duplicates.
    fn units(&self) -> Vec<usize> {
        let mut units: Vec<usize> = self
            .output_min
            .iter()
            .chain(&self.output_max)
            .map(|(row, _)| *row)
            .collect();
        units.sort_unstable();
        units.dedup();
        units
    }
}

impl DcOutline {
    /// The outline with its phase shifts after a step along a direction.
    pub(crate) fn with_shifts(&self, direction: &Direction, step: f64) -> Cow<'_, Self> {
        if direction.phase_shift.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut moved = self.clone();
        moved.move_shifts(direction, step);
        Cow::Owned(moved)
    }

    /// Moves phase shifts, which change withdrawals and the constants of lines but no coefficient.
    fn move_shifts(&mut self, direction: &Direction, step: f64) {
        for &(branch, d) in &direction.phase_shift {
            let Some(l) = self.shifting_line(branch) else { continue };
            let radians = step * d;
            let line = &mut self.lines[l];
            let flow = line.b * radians;
            line.shift_flow += flow;
            line.shift_room = [line.shift_room[0] + radians, line.shift_room[1] - radians];
            if line.limits_follow_shift {
                line.angle_min += radians;
                line.angle_max += radians;
            }
            let (from, to) = (line.from, line.to);
            self.stencils[l] = Stencil::new(line);
            self.move_combinations(l, flow);
            self.fixed_demand[from] -= flow;
            self.fixed_demand[to] += flow;
            self.shifted.push((l, radians));
        }
    }

    /// The phase shift of a branch, radians, that moves as much power as one unit of demand; 1 for a branch without susceptance.
    pub fn shift_per_power(&self, branch: usize) -> f64 {
        let b = self.shifting_line(branch).map_or(0.0, |l| self.lines[l].b.abs());
        if b > 0.0 {
            1.0 / b
        } else {
            1.0
        }
    }

    /// The line of a branch whose phase shift the convention has.
    pub(crate) fn shifting_line(&self, branch: usize) -> Option<usize> {
        self.line_of_branch[branch].filter(|_| self.convention != Convention::PowerModels)
    }
}

impl DcModel {
    /// The program at a position of a path along `direction` that starts at this program.
    pub fn at(&self, direction: &Direction, step: f64) -> Cow<'_, Self> {
        if !direction.moves_limits() && direction.phase_shift.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut moved = self.clone();
        moved.outline.move_shifts(direction, step);
        for generator in direction.units() {
            let rates = direction.rates_of(generator);
            if let Some((lo, hi)) = self.output_limits(generator) {
                let limits = (lo + step * rates.min, hi + step * rates.max);
                let columns = self.columns_of_unit(generator);
                set_limits(&mut moved.columns[columns], limits, rates);
            }
        }
        Cow::Owned(moved)
    }

    /// The program for data with more demand than the bounds of its unlimited generators allow; `None` if they suffice.
    pub fn reaching(&self, data: &DcData) -> Option<Self> {
        let demand: f64 = data.demand.iter().map(|d| d.abs()).sum();
        let is_open = |c: &GenColumn| c.limits() != (c.lo, c.hi);
        if demand <= self.most_demand || !demand.is_finite() || !self.columns.iter().any(is_open) {
            return None;
        }
        let mut wider = self.clone();
        for column in &mut wider.columns {
            column.widen(OPEN * (demand - self.most_demand));
        }
        wider.most_demand = demand;
        Some(wider)
    }

    /// Steps along `direction` until the limits of a unit meet; infinite if they do not.
    pub(crate) fn limits_meet_at(&self, direction: &Direction) -> f64 {
        let meeting = |generator: usize| {
            let rates = direction.rates_of(generator);
            let (lo, hi) = self.output_limits(generator)?;
            let closing = rates.min - rates.max;
            (closing > 0.0).then(|| (hi - lo).max(0.0) / closing)
        };
        let all = direction.units().into_iter().filter_map(meeting);
        all.fold(f64::INFINITY, f64::min)
    }

    /// The program for a path along `direction`; `None` if it is this one.
    pub(crate) fn for_path(&self, direction: &Direction) -> Option<Self> {
        let needs_columns = |generator: &usize| {
            let is_fixed = |(lo, hi): (f64, f64)| lo >= hi;
            self.curve_of(*generator).is_some() || self.output_limits(*generator).is_some_and(is_fixed)
        };
        let units: Vec<usize> = direction.units().into_iter().filter(needs_columns).collect();
        if units.is_empty() {
            return None;
        }
        let mut columns = self.columns.clone();
        let mut constant = 0.0;
        // The last ones come first, so that earlier columns keep their indices.
        for &generator in units.iter().rev() {
            let own = self.columns_of_unit(generator);
            let whole = self.whole_unit(generator, direction.rates_of(generator));
            let cost = |columns: &[GenColumn]| columns.iter().map(|c| (0.5 * c.q * c.lo + c.c) * c.lo).sum::<f64>();
            constant += cost(&self.columns[own.clone()]) - cost(&whole);
            columns.splice(own, whole);
        }
        let mut program = self.clone();
        let (scale, islands) = (self.cost_scale, self.islands.clone());
        // A unit with moving limits counts as movable: it is not fixed, nor the only one behind a bridge if it is fixed
        // now.
        let mut parted = columns.clone();
        for column in parted.iter_mut().filter(|c| units.contains(&c.generator)) {
            column.hi = column.hi.max(column.lo + 1.0);
        }
        program.set_columns(parted);
        for (island, before) in program.islands.iter_mut().zip(islands) {
            island.movable |= before.movable;
        }
        program.columns = columns;
        program.cost_scale = scale;
        program.constant_cost += constant;
        Some(program)
    }

    fn curve_of(&self, generator: usize) -> Option<&[[f64; 2]]> {
        let of = |(row, _): &&(usize, Vec<[f64; 2]>)| *row == generator;
        let (_, points) = self.curves.iter().find(of)?;
        (points.len() > 1).then_some(points)
    }

    /// Columns of a generator; empty for generators outside the model.
    pub(crate) fn columns_of_unit(&self, generator: usize) -> Range<usize> {
        let begin = self.columns.partition_point(|c| c.generator < generator);
        let end = self.columns.partition_point(|c| c.generator <= generator);
        begin..end
    }

    /// Lower and upper limit of a generator in the model, per unit.
    fn output_limits(&self, generator: usize) -> Option<(f64, f64)> {
        let columns = &self.columns[self.columns_of_unit(generator)];
        let sum = |bound: fn(&GenColumn) -> f64| columns.iter().map(bound).sum();
        (!columns.is_empty()).then(|| (sum(|c| c.lo), sum(|c| c.hi)))
    }

    /// Columns of a unit for each segment of its curve, at its own limits, which move at these rates.
    fn whole_unit(&self, generator: usize, rates: Rates) -> Vec<GenColumn> {
        let own = &self.columns[self.columns_of_unit(generator)];
        let (Some(unit), Some(limits)) = (own.first(), self.output_limits(generator)) else {
            return own.to_vec();
        };
        let mut columns = Vec::new();
        match self.curve_of(generator) {
            Some(points) => {
                for (k, segment) in segments(points).enumerate() {
                    let origin = if k == 0 { 0.0 } else { segment.from };
                    columns.push(GenColumn {
                        c: segment.slope,
                        q: 0.0,
                        beside: (segment.slope, 0.0),
                        segment: (segment.from - origin, segment.to - origin),
                        ..unit.clone()
                    });
                }
            }
            None => columns.push(GenColumn {
                c: unit.beside.0,
                q: unit.beside.1,
                ..unit.clone()
            }),
        }
        set_limits(&mut columns, limits, rates);
        columns
    }
}

/// Sets the limits of one unit's columns. The first and the last column are those whose bounds move next at these
/// rates.
fn set_limits(columns: &mut [GenColumn], (lo, hi): (f64, f64), rates: Rates) {
    if let [column] = columns {
        (column.lo, column.hi) = (lo, hi);
        return;
    }
    let near = |limit: f64| SAME_LIMIT * (1.0 + limit.abs());
    let (mut first, mut last) = (None, None);
    let mut origin = 0.0;
    let most = columns.len().saturating_sub(1);
    for (k, column) in columns.iter_mut().enumerate() {
        let (from, to) = column.segment;
        (column.lo, column.hi) = ((lo - origin).clamp(from, to), (hi - origin).clamp(from, to));
        let end = origin + to;
        // At the end of a segment, this segment applies if the limit falls, otherwise the next.
        if first.is_none() && (k == most || lo < end - near(lo) || (rates.min < 0.0 && lo <= end + near(lo))) {
            first = Some(k);
        }
        if last.is_none() && (k == most || hi < end - near(hi) || (rates.max <= 0.0 && hi <= end + near(hi))) {
            last = Some(k);
        }
        origin = end;
    }
    for (k, column) in columns.iter_mut().enumerate() {
        (column.is_first, column.is_last) = (first == Some(k), last == Some(k));
    }
}
