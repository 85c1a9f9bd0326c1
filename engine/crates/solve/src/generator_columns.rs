//! Generators as columns of the program.

use crate::topology::NO_ISLAND;
use wattbook_network::analysis::{AnalysisNetwork, Cost};

/// One column of the program: a generator, or one segment of its piecewise-linear cost.
#[derive(Clone, Debug)]
pub(crate) struct GenColumn {
    /// Dense generator row.
    pub generator: usize,
    pub bus: usize,
    pub island: usize,
    pub lo: f64,
    pub hi: f64,
    /// Cost `q p^2 / 2 + c p` in $/h with p per unit.
    pub c: f64,
    pub q: f64,
    /// Its cost beside a moving limit, as `(c, q)`: a fixed unit has a cost curve too.
    pub beside: (f64, f64),
    /// Widest bounds of this column: its segment of the cost curve, in the coordinates of the column.
    pub segment: (f64, f64),
    /// Whether it is the first or the last column of the generator, whose outer bounds are the generator's own.
    pub is_first: bool,
    pub is_last: bool,
    /// Whether the outer bound is artificial because the generator has no limit there.
    pub open_below: bool,
    pub open_above: bool,
}

impl GenColumn {
    /// Bounds of the column, infinite if its generator has no limit.
    pub fn limits(&self) -> (f64, f64) {
        let no_limit = (self.open_below && self.is_first, self.open_above && self.is_last);
        let lo = if no_limit.0 { f64::NEG_INFINITY } else { self.lo };
        (lo, if no_limit.1 { f64::INFINITY } else { self.hi })
    }

    /// Whether it is the excess of limits (`dc::model::combined_rows`), which is no power of the network.
    pub fn is_excess(&self) -> bool {
        self.island == NO_ISLAND
    }

    /// Widens the artificial bounds of an unlimited generator.
    pub fn widen(&mut self, by: f64) {
        if self.open_below && self.is_first {
            self.lo -= by;
        }
        if self.open_above && self.is_last {
            self.hi += by;
        }
    }
}

/// Artificial bounds as a multiple of the largest possible output of unlimited generators.
pub(crate) const OPEN: f64 = 10.0;

/// The segment of a column without bounds.
pub(crate) const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Generators as columns: one each, or one per segment of a piecewise-linear cost; fixed units have no cost slope of their own.
pub(crate) fn gen_columns(network: &AnalysisNetwork, island_of_bus: &[usize]) -> (Vec<GenColumn>, f64) {
    let mut columns = Vec::new();
    let mut constant = 0.0;
    // An unlimited generator gets a bound that no feasible dispatch reaches, so a solution at it means an unbounded
    // problem. Its largest possible output consists of demand, the range of other generators, and the flows that phase
    // shifts and angle-difference limits force.
    let mut total = 1.0;
    for (bus, conductance) in network.buses.iter().zip(network.conductance_pu()) {
        total += bus.demand_pu.abs() + conductance.abs();
    }
    for g in &network.generators {
        for bound in [g.pmin_pu, g.pmax_pu] {
            if bound.is_finite() {
                total += bound.abs();
            }
        }
    }
    for b in network
        .branches
        .iter()
        .filter(|b| b.in_service && !b.is_zero_impedance())
    {
        let forced = b.shift_rad.abs() + b.angle_min_rad.max(0.0) + (-b.angle_max_rad).max(0.0);
        if forced > 0.0 {
            total += forced / (b.r_pu * b.r_pu + b.x_pu * b.x_pu).sqrt();
        }
    }
    for (row, g) in network.generators.iter().enumerate() {
        if !g.in_service || island_of_bus[g.bus] == NO_ISLAND {
            continue;
        }
        let unit = Unit {
            row,
            bus: g.bus,
            island: island_of_bus[g.bus],
            limits: [g.pmin_pu, g.pmax_pu],
        };
        constant += add_columns(&mut columns, unit, OPEN * total, &g.cost);
    }
    drop_curvature_of_rounding(&mut columns);
    (columns, constant)
}

/// A unit with an output: its dense row, bus and island, and its limits, infinite where there are none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub row: usize,
    pub bus: usize,
    pub island: usize,
    pub limits: [f64; 2],
}

/// Adds the columns of one unit and returns the constant part of its cost; `open` replaces missing limits.
pub(crate) fn add_columns(columns: &mut Vec<GenColumn>, unit: Unit, open: f64, cost: &Cost) -> f64 {
    let [pmin, pmax] = unit.limits;
    let lo = if pmin.is_finite() { pmin } else { -open };
    let hi = if pmax.is_finite() { pmax } else { open };
    let column = GenColumn {
        generator: unit.row,
        bus: unit.bus,
        island: unit.island,
        lo,
        hi,
        c: 0.0,
        q: 0.0,
        beside: (0.0, 0.0),
        segment: EVERYWHERE,
        is_first: true,
        is_last: true,
        open_below: !pmin.is_finite(),
        open_above: !pmax.is_finite(),
    };
    match cost {
        Cost::Quadratic { c2, c1, c0 } => {
            let q = if lo == hi { 0.0 } else { 2.0 * c2 };
            let c = if lo == hi { c1 + c2 * lo } else { *c1 };
            let beside = (*c1, 2.0 * c2);
            columns.push(GenColumn { c, q, beside, ..column });
            *c0
        }
        Cost::PiecewiseLinear { points } => add_segments(columns, &column, points),
    }
}

/// Drops quadratic costs below the rounding error of prices: those with which the marginal cost of a unit rises by no
/// more over its whole range.
fn drop_curvature_of_rounding(columns: &mut [GenColumn]) {
    let dearest = |c: &GenColumn| (c.c + c.q * c.lo).abs().max((c.c + c.q * c.hi).abs());
    let rounding = f64::EPSILON * columns.iter().map(dearest).fold(0.0, f64::max);
    for column in columns
        .iter_mut()
        .filter(|c| c.q > 0.0 && c.q * (c.hi - c.lo) <= rounding)
    {
        column.c += 0.5 * column.q * (column.lo + column.hi);
        column.q = 0.0;
        column.beside = (column.c, 0.0);
    }
}

/// A segment of a piecewise-linear cost curve; the first and the last extend beyond the curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub from: f64,
    pub to: f64,
    pub slope: f64,
}

pub(crate) fn segments(points: &[[f64; 2]]) -> impl Iterator<Item = Segment> + '_ {
    let last = points.len().saturating_sub(2);
    points.windows(2).enumerate().map(move |(k, pair)| Segment {
        from: if k == 0 { f64::NEG_INFINITY } else { pair[0][0] },
        to: if k == last { f64::INFINITY } else { pair[1][0] },
        slope: (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0]),
    })
}

/// Adds one column per segment inside `[lo, hi]`; the first starts at `lo`, the others at zero. Returns the constant
/// with which the columns' costs sum to the declared curve.
fn add_segments(columns: &mut Vec<GenColumn>, unit: &GenColumn, points: &[[f64; 2]]) -> f64 {
    let mut pieces: Vec<(f64, f64, Segment)> = Vec::new();
    for segment in segments(points) {
        let (from, to) = (segment.from.max(unit.lo), segment.to.min(unit.hi));
        if to > from || (unit.lo == unit.hi && pieces.is_empty() && to >= from) {
            pieces.push((from, to, segment));
        }
    }
    let Some(&(start, _, Segment { slope: first_slope, .. })) = pieces.first() else {
        columns.push(unit.clone());
        return points.first().map_or(0.0, |p| p[1]);
    };
    let n = pieces.len();
    for (k, &(from, to, piece)) in pieces.iter().enumerate() {
        let (lo, hi) = if k == 0 { (from, to) } else { (0.0, to - from) };
        let (c, origin) = (piece.slope, if k == 0 { 0.0 } else { from });
        columns.push(GenColumn {
            lo,
            hi,
            c,
            beside: (c, 0.0),
            segment: (piece.from - origin, piece.to - origin),
            is_first: k == 0,
            is_last: k + 1 == n,
            ..unit.clone()
        });
    }
    // The curve's value at `start`, less the first column's cost there.
    let mut value = points[0][1];
    let mut x = points[0][0];
    for pair in points.windows(2) {
        if pair[1][0] > start && pair[0][0] <= start {
            value = pair[0][1];
            x = pair[0][0];
        }
    }
    let at = if let Some(end) = points.last().filter(|p| p[0] <= start) {
        end[1] + first_slope * (start - end[0])
    } else {
        value + first_slope * (start - x)
    };
    at - first_slope * start
}
