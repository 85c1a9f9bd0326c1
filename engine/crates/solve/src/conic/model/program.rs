//! The numeric conic program: `min c'x + x'Hx/2`, `A x = b`, `G x + s = h`, `s` in a product of half-lines and Lorentz cones.

use super::branch_flow::Coefficients;
use super::pair::PairRow;
use super::vectors::{ConeVector, Vector};
use std::ops::Range;

/// A variable of one balance: an active output or cost segment, a reactive output, or an elastic term; or of two, the
/// power of an HVDC link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub node: usize,
    /// 0 active, 1 reactive.
    pub part: usize,
    /// Its coefficient in the balance, +1 or -1; that of a link with both ends at one node is less its loss factor.
    pub sign: f64,
    /// The delivering end of a link.
    pub beyond: Option<Beyond>,
    pub lo: f64,
    /// Infinite without an upper bound.
    pub hi: f64,
    /// Cost `q x^2 / 2 + c x`, $/h with x per unit.
    pub c: f64,
    pub q: f64,
}

/// Variables with at most this range are constants, per unit.
pub(crate) const FIXED_RANGE: f64 = 1e-9;

/// A variable that is a column of the program, or a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Output {
    Column(usize),
    Fixed(f64),
}

/// A column with an artificial lower or upper bound because its generator has no limit there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub column: usize,
    pub node: usize,
    pub below: bool,
    pub above: bool,
}

/// A second active balance of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beyond {
    pub node: usize,
    /// Its coefficient there.
    pub share: f64,
    /// Place of the two nodes among the pairs of the factor: those with branches, then those with links only.
    pub place: usize,
}

/// Two nodes with branches between them, the earlier one first.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub nodes: [usize; 2],
    /// Sums of its branches' flows out of each end: `P, Q` at the first, `P, Q` at the second.
    pub flow: [Coefficients; 4],
    /// Its rows and its rated branch ends.
    pub rows: Range<usize>,
    pub thermal: Range<usize>,
    pub boost: Boost,
}

/// The hyperbolic rotation of the first and third axis of a Jabr cone, by the logarithm of `beta`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boost {
    pub beta: f64,
    pub inverse: f64,
}

impl Boost {
    pub fn new(beta: f64) -> Self {
        let inverse = 1.0 / beta;
        Self { beta, inverse }
    }
}

/// A rated branch end: `|(p, q)| <= limit + t`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thermal {
    /// Dense branch row and end (0 from, 1 to).
    pub branch: usize,
    pub end: usize,
    pub p: Coefficients,
    pub q: Coefficients,
    pub limit: f64,
    /// Divisor of the cone's rows, and its reciprocal.
    pub scale: f64,
    pub inverse: f64,
    /// Variable by which the limit may be violated.
    pub elastic: Option<usize>,
    /// Whether the limit is the source's rating rather than the fallback.
    pub is_rated: bool,
}

/// A bound of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub variable: usize,
    pub is_upper: bool,
    pub limit: f64,
}

impl Bound {
    pub fn sign(&self) -> f64 {
        if self.is_upper {
            1.0
        } else {
            -1.0
        }
    }
}

/// A bound or pair row that may be violated: `row <= limit + slope t`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Softened {
    /// Index among the linear rows: bounds, then rows of pairs.
    pub row: usize,
    pub variable: usize,
    pub slope: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub n: usize,
    /// Squared voltage limits of nodes.
    pub w_box: Vec<[f64; 2]>,
    /// Squared voltages that are fixed, by node.
    pub held: Vec<Option<f64>>,
    /// Coefficients of the squared voltage in the balances of its node: `-Gs`, `+Bs`.
    pub shunt: Vec<[f64; 2]>,
    /// Demand of each node.
    pub demand: Vec<[f64; 2]>,
    pub columns: Vec<Column>,
    pub pairs: Vec<Pair>,
    /// Number of node pairs that links join and no branches.
    pub n_link_pairs: usize,
    pub rows: Vec<PairRow>,
    pub thermal: Vec<Thermal>,
    /// Number of elastic ratings and softened rows; their variables come last.
    pub n_elastic: usize,
    pub softened: Vec<Softened>,
    pub bounds: Vec<Bound>,
    /// Divisor of the objective.
    pub cost_scale: f64,
    /// Largest magnitude in each column of `(A; G)`, at least 1: variables, then pairs.
    pub column_norm: Vec<f64>,
    pub pair_norm: Vec<[f64; 2]>,
}

/// `a . x`.
#[inline(always)]
pub(crate) fn dot4(a: &[f64; 4], x: &[f64; 4]) -> f64 {
    (a[0] * x[0] + a[1] * x[1]) + (a[2] * x[2] + a[3] * x[3])
}

/// The boosted Jabr cone of `(w_f, w_t, e, wi)`: `4 e (w_f + w_t - e) >= (w_f - w_t)^2 + (2 wi)^2`, which is
/// `wr^2 + wi^2 <= w_f w_t`.
#[inline(always)]
pub(crate) fn jabr_cone(x: &[f64; 4], Boost { beta, inverse }: Boost) -> [f64; 4] {
    let (a, b) = (beta * x[2], (x[0] + x[1] - x[2]) * inverse);
    [a + b, x[0] - x[1], b - a, 2.0 * x[3]]
}

/// The transpose of `jabr_cone`.
#[inline(always)]
pub(crate) fn jabr_transposed(s: &[f64; 4], Boost { beta, inverse }: Boost) -> [f64; 4] {
    let (a, b) = (beta * (s[0] - s[2]), (s[0] + s[2]) * inverse);
    [b + s[1], b - s[1], a - b, 2.0 * s[3]]
}

impl Program {
    /// Number of variables besides those of pairs.
    pub fn n_outer(&self) -> usize {
        self.n + self.columns.len() + self.n_elastic
    }

    /// Lists the bounds and scales the columns once all else is set.
    pub fn complete(mut self) -> Self {
        let n = self.n;
        self.bounds.clear();
        let bound = |variable, is_upper, limit| Bound {
            variable,
            is_upper,
            limit,
        };
        for node in (0..n).filter(|&node| self.held[node].is_none()) {
            self.bounds.push(bound(node, false, self.w_box[node][0]));
            self.bounds.push(bound(node, true, self.w_box[node][1]));
        }
        for (k, column) in self.columns.iter().enumerate() {
            self.bounds.push(bound(n + k, false, column.lo));
            if column.hi.is_finite() {
                self.bounds.push(bound(n + k, true, column.hi));
            }
        }
        for k in 0..self.n_elastic {
            self.bounds.push(bound(n + self.columns.len() + k, false, 0.0));
        }
        self.column_norm = vec![1.0; self.n_outer()];
        for s in &self.softened {
            self.column_norm[s.variable] = s.slope.max(1.0);
        }
        self.pair_norm = vec![[1.0; 2]; self.pairs.len()];
        for (k, pair) in self.pairs.iter().enumerate() {
            let mut norm = [0.0f64; 4];
            let mut see = |row: &[f64; 4], factor: f64| {
                for (n, r) in norm.iter_mut().zip(row) {
                    *n = n.max((r * factor).abs());
                }
            };
            pair.flow.iter().for_each(|row| see(row, 1.0));
            self.rows[pair.rows.clone()].iter().for_each(|row| see(&row.row, 1.0));
            for t in &self.thermal[pair.thermal.clone()] {
                see(&t.p, 1.0 / t.scale);
                see(&t.q, 1.0 / t.scale);
            }
            for axis in 0..4 {
                let mut unit = [0.0; 4];
                unit[axis] = 1.0;
                see(&jabr_transposed(&unit, pair.boost), 1.0);
            }
            for (node, norm) in pair.nodes.iter().zip(norm) {
                self.column_norm[*node] = self.column_norm[*node].max(norm);
            }
            self.pair_norm[k] = [norm[2].max(1.0), norm[3].max(1.0)];
        }
        self
    }

    /// The row that bounds an elastic variable below by zero.
    pub fn own_bound(&self, variable: usize) -> usize {
        self.bounds.len() + variable - self.n_outer()
    }

    /// `(w_f, w_t, e, wi)` of a pair.
    #[inline(always)]
    pub fn local(&self, pair: usize, x: &[f64], u: &[[f64; 2]]) -> [f64; 4] {
        let [f, t] = self.pairs[pair].nodes;
        [x[f], x[t], u[pair][0], u[pair][1]]
    }

    /// Which ends of a pair have a fixed squared voltage.
    #[inline(always)]
    pub fn held_ends(&self, pair: &Pair) -> [bool; 2] {
        [self.held[pair.nodes[0]].is_some(), self.held[pair.nodes[1]].is_some()]
    }

    /// A zero vector of the program's shape.
    pub fn zeros(&self) -> Vector {
        Vector {
            x: vec![0.0; self.n_outer()],
            u: vec![[0.0; 2]; self.pairs.len()],
            y: vec![[0.0; 2]; self.n],
            z: ConeVector {
                linear: vec![0.0; self.bounds.len() + self.rows.len()],
                jabr: vec![[0.0; 4]; self.pairs.len()],
                thermal: vec![[0.0; 3]; self.thermal.len()],
            },
        }
    }

    /// Adds `-h`, the constants of `G x + s = h`.
    pub fn subtract_h(&self, out: &mut ConeVector) {
        let (bounds, rows) = out.linear.split_at_mut(self.bounds.len());
        for (out, b) in bounds.iter_mut().zip(&self.bounds) {
            *out -= if b.is_upper { b.limit } else { -b.limit };
        }
        for (out, row) in rows.iter_mut().zip(&self.rows) {
            *out -= row.limit;
        }
        for (out, t) in out.thermal.iter_mut().zip(&self.thermal) {
            out[0] -= t.limit / t.scale;
        }
    }

    /// Adds the linear costs in the scale of the objective.
    pub fn add_cost_gradient(&self, x: &[f64], out: &mut [f64]) {
        for (k, column) in self.columns.iter().enumerate() {
            out[self.n + k] += (column.c + column.q * x[self.n + k]) / self.cost_scale;
        }
        if self.n_elastic > 0 {
            for out in &mut out[self.n + self.columns.len()..] {
                *out += 1.0;
            }
        }
    }

    /// Objective in its scale, without constants.
    pub fn objective(&self, x: &[f64]) -> f64 {
        let columns = self.columns.iter().zip(&x[self.n..]);
        let cost: f64 = columns.map(|(c, x)| (c.c + 0.5 * c.q * x) * x).sum();
        let elastic: f64 = x[self.n + self.columns.len()..].iter().sum();
        cost / self.cost_scale + elastic
    }
}
