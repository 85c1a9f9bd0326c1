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
    /// Its cost beside a limit that moves, as `(c, q)`: a fixed unit has a curve of its own too.
    pub beside: (f64, f64),
    /// First and last column of the generator: their outer bounds are the generator's own.
    pub is_first: bool,
    pub is_last: bool,
    /// The outer bound is an invented one: the generator has no limit there.
    pub open_below: bool,
    pub open_above: bool,
}

/// Generators as columns: one each, or one per segment of a piecewise-linear cost; fixed units have no cost slope of their own.
pub(crate) fn gen_columns(network: &AnalysisNetwork, island_of_bus: &[usize]) -> (Vec<GenColumn>, f64) {
    let mut columns = Vec::new();
    let mut constant = 0.0;
    // An unlimited generator gets a bound that no feasible dispatch reaches; reaching it means the problem is unbounded.
    let mut total = 1.0;
    for bus in &network.buses {
        total += bus.demand_pu.abs() + bus.gs_pu.abs();
    }
    for g in &network.generators {
        for bound in [g.pmin_pu, g.pmax_pu] {
            if bound.is_finite() {
                total += bound.abs();
            }
        }
    }
    for (row, g) in network.generators.iter().enumerate() {
        if !g.in_service || island_of_bus[g.bus] == NO_ISLAND {
            continue;
        }
        let lo = if g.pmin_pu.is_finite() {
            g.pmin_pu
        } else {
            -10.0 * total
        };
        let hi = if g.pmax_pu.is_finite() { g.pmax_pu } else { 10.0 * total };
        let column = GenColumn {
            generator: row,
            bus: g.bus,
            island: island_of_bus[g.bus],
            lo,
            hi,
            c: 0.0,
            q: 0.0,
            beside: (0.0, 0.0),
            is_first: true,
            is_last: true,
            open_below: !g.pmin_pu.is_finite(),
            open_above: !g.pmax_pu.is_finite(),
        };
        match &g.cost {
            Cost::Quadratic { c2, c1, c0 } => {
                constant += c0;
                let q = if lo == hi { 0.0 } else { 2.0 * c2 };
                let c = if lo == hi { c1 + c2 * lo } else { *c1 };
                let beside = (*c1, 2.0 * c2);
                columns.push(GenColumn { c, q, beside, ..column });
            }
            Cost::PiecewiseLinear { points } => constant += add_segments(&mut columns, &column, points),
        }
    }
    (columns, constant)
}

/// One column per segment inside `[lo, hi]`; the first starts at `lo`, the others at zero. Returns the constant, so that
/// the columns' costs add up to the declared curve.
fn add_segments(columns: &mut Vec<GenColumn>, unit: &GenColumn, points: &[[f64; 2]]) -> f64 {
    let slope = |a: [f64; 2], b: [f64; 2]| (b[1] - a[1]) / (b[0] - a[0]);
    let mut pieces: Vec<(f64, f64, f64)> = Vec::new();
    let last = points.len().saturating_sub(2);
    for (k, pair) in points.windows(2).enumerate() {
        let from = if k == 0 { unit.lo } else { pair[0][0].max(unit.lo) };
        let to = if k == last { unit.hi } else { pair[1][0].min(unit.hi) };
        if to > from || (unit.lo == unit.hi && pieces.is_empty() && to >= from) {
            pieces.push((from, to, slope(pair[0], pair[1])));
        }
    }
    let Some(&(start, _, first_slope)) = pieces.first() else {
        columns.push(unit.clone());
        return points.first().map_or(0.0, |p| p[1]);
    };
    let n = pieces.len();
    for (k, &(from, to, c)) in pieces.iter().enumerate() {
        let (lo, hi) = if k == 0 { (from, to) } else { (0.0, to - from) };
        columns.push(GenColumn {
            lo,
            hi,
            c,
            beside: (c, 0.0),
            is_first: k == 0,
            is_last: k + 1 == n,
            ..unit.clone()
        });
    }
    // The curve's value at `start`, minus what the first column charges for it.
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
