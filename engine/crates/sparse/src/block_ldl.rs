//! LDL^T of sparse quasi-definite matrices of 3 x 3 blocks (Vanderbei, SIAM J. Optim. 5 (1995)): up-looking, without
//! pivoting between blocks, for repeated factorisations with one pattern.
//!
//! In each block the first row belongs to the positive part of the matrix and the other two to the negative part, so an
//! accurate factorisation has pivots of these signs. Pivots of other signs are counted.

use crate::double_double::Number;
use crate::ldl::{Shape, NONE};
use crate::symmetric::SymmetricBuilder;

/// A symmetric block: its upper triangle by rows.
pub type Diagonal<T> = [T; 6];
/// A block by rows.
pub type Block3<T> = [T; 9];

/// A fill-reducing order of elimination for a symmetric matrix with these off-diagonal entries: `order[k]` is
/// eliminated k-th.
pub fn elimination_order(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut builder = SymmetricBuilder::new(n, edges.len());
    for &(i, j) in edges {
        builder.add(i, j, 0.0);
    }
    Shape::of(&builder.rows()).perm
}

/// The analysed pattern. Rows are numbered in the order of elimination.
#[derive(Clone, Debug)]
pub struct BlockLdl {
    n: usize,
    /// For each row, its edges to earlier rows.
    left_start: Vec<u32>,
    left: Vec<(u32, u32)>,
    /// Columns of the factor: start of each, and its rows.
    col_start: Vec<u32>,
    rows: Vec<u32>,
    /// Rows of the factor: start of each, and `(column, index in that column)` in ascending order.
    row_start: Vec<u32>,
    row: Vec<(u32, u32)>,
}

/// A factor, with the number of pivots whose sign is wrong or undefined.
#[derive(Clone, Debug, Default)]
pub struct BlockFactor<T> {
    values: Vec<Block3<T>>,
    d_inv: Vec<Diagonal<T>>,
    scratch: Vec<Block3<T>>,
    pub wrong_pivots: usize,
}

#[inline(always)]
fn times_transposed<T: Number>(y: &Block3<T>, l: &Block3<T>) -> Block3<T> {
    let dot = |i: usize, j: usize| y[i] * l[j] + y[i + 1] * l[j + 1] + y[i + 2] * l[j + 2];
    [
        dot(0, 0),
        dot(0, 3),
        dot(0, 6),
        dot(3, 0),
        dot(3, 3),
        dot(3, 6),
        dot(6, 0),
        dot(6, 3),
        dot(6, 6),
    ]
}

#[inline(always)]
fn times_symmetric<T: Number>(y: &Block3<T>, d: &Diagonal<T>) -> Block3<T> {
    let mut out = [T::default(); 9];
    for r in 0..3 {
        let [a, b, c] = [y[3 * r], y[3 * r + 1], y[3 * r + 2]];
        out[3 * r] = a * d[0] + b * d[1] + c * d[2];
        out[3 * r + 1] = a * d[1] + b * d[3] + c * d[4];
        out[3 * r + 2] = a * d[2] + b * d[4] + c * d[5];
    }
    out
}

/// The inverse of a diagonal block by scalar pivots, first the first row and then the larger of the other two, with the
/// number of wrong signs.
fn invert<T: Number>(d: &Diagonal<T>) -> (Diagonal<T>, usize) {
    let wrong_sign = |pivot: T, sign: f64| usize::from(!(pivot.to_f64() * sign > 0.0 && pivot.to_f64().is_finite()));
    let one = T::from_f64(1.0);
    let [ww, wp, wq, pp, pq, qq] = *d;
    let (lp, lq) = (wp / ww, wq / ww);
    let (pp, pq, qq) = (pp - wp * lp, pq - wp * lq, qq - wq * lq);
    let swap = pp.to_f64().abs() < qq.to_f64().abs();
    let (first, second) = if swap { (qq, pp) } else { (pp, qq) };
    let l = pq / first;
    let second = second - pq * l;
    let wrong = wrong_sign(ww, 1.0) + wrong_sign(first, -1.0) + wrong_sign(second, -1.0);
    let i_second = one / second;
    let i_beside = -(l * i_second);
    let i_first = one / first + l * l * i_second;
    let (ipp, iqq) = if swap { (i_second, i_first) } else { (i_first, i_second) };
    let (iwp, iwq) = (-(ipp * lp + i_beside * lq), -(i_beside * lp + iqq * lq));
    let iww = one / ww - (lp * iwp + lq * iwq);
    ([iww, iwp, iwq, ipp, i_beside, iqq], wrong)
}

impl BlockLdl {
    /// Analyses the pattern of a matrix of `n` block rows with off-diagonal blocks at `edges`, each given once as
    /// `(earlier, later)`.
    pub fn new(n: usize, edges: &[(u32, u32)]) -> Self {
        let mut left_start = vec![0u32; n + 1];
        for &(_, later) in edges {
            left_start[later as usize + 1] += 1;
        }
        for k in 0..n {
            left_start[k + 1] += left_start[k];
        }
        let mut next = left_start.clone();
        let mut left = vec![(0, 0); edges.len()];
        for (e, &(earlier, later)) in edges.iter().enumerate() {
            let at = &mut next[later as usize];
            left[*at as usize] = (earlier, e as u32);
            *at += 1;
        }
        // Row patterns by the elimination tree (Davis, section 4.1).
        let mut parent = vec![NONE; n];
        let mut flag = vec![NONE; n];
        let mut count = vec![0u32; n];
        let mut row_start = vec![0u32];
        let mut pattern: Vec<u32> = Vec::new();
        for k in 0..n {
            flag[k] = k as u32;
            let begin = pattern.len();
            for &(first, _) in &left[left_start[k] as usize..left_start[k + 1] as usize] {
                let mut i = first as usize;
                while flag[i] != k as u32 {
                    if parent[i] == NONE {
                        parent[i] = k as u32;
                    }
                    pattern.push(i as u32);
                    count[i] += 1;
                    flag[i] = k as u32;
                    i = parent[i] as usize;
                }
            }
            pattern[begin..].sort_unstable();
            wattbook_interrupt::work(4 * (pattern.len() - begin));
            row_start.push(pattern.len() as u32);
        }
        let mut col_start = vec![0u32; n + 1];
        for k in 0..n {
            col_start[k + 1] = col_start[k] + count[k];
        }
        let mut next = col_start[..n].to_vec();
        let mut rows = vec![0u32; pattern.len()];
        let mut row = Vec::with_capacity(pattern.len());
        for k in 0..n {
            for &i in &pattern[row_start[k] as usize..row_start[k + 1] as usize] {
                let slot = &mut next[i as usize];
                rows[*slot as usize] = k as u32;
                row.push((i, *slot));
                *slot += 1;
            }
        }
        Self {
            n,
            left_start,
            left,
            col_start,
            rows,
            row_start,
            row,
        }
    }

    /// Number of block rows.
    pub fn len(&self) -> usize {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Number of blocks below the diagonal of the factor.
    pub fn fill(&self) -> usize {
        self.rows.len()
    }

    /// Factors the matrix with these diagonal blocks and, by edge, off-diagonal blocks whose rows are those of the
    /// later row. The factor is overwritten and unusable if pivots are wrong.
    pub fn factor<T: Number>(&self, diagonal: &[Diagonal<T>], beside: &[Block3<T>], factor: &mut BlockFactor<T>) {
        let zero = [T::default(); 9];
        factor.values.resize(self.rows.len(), zero);
        factor.d_inv.resize(self.n, [T::default(); 6]);
        factor.scratch.clear();
        factor.scratch.resize(self.n, zero);
        factor.wrong_pivots = 0;
        let (values, y) = (&mut factor.values, &mut factor.scratch);
        for (k, block) in diagonal.iter().enumerate() {
            for &(i, e) in &self.left[self.left_start[k] as usize..self.left_start[k + 1] as usize] {
                y[i as usize] = beside[e as usize];
            }
            let mut d = *block;
            let mut done = 0;
            for &(i, slot) in &self.row[self.row_start[k] as usize..self.row_start[k + 1] as usize] {
                let (i, slot) = (i as usize, slot as usize);
                let yi = std::mem::replace(&mut y[i], zero);
                let begin = self.col_start[i] as usize;
                done += 27 * (slot - begin + 2);
                for (row, l) in self.rows[begin..slot].iter().zip(&values[begin..slot]) {
                    let by = times_transposed(&yi, l);
                    let y = &mut y[*row as usize];
                    for c in 0..9 {
                        y[c] = y[c] - by[c];
                    }
                }
                let l = times_symmetric(&yi, &factor.d_inv[i]);
                let by = times_transposed(&l, &yi);
                for (c, from) in [0, 1, 2, 4, 5, 8].into_iter().enumerate() {
                    d[c] = d[c] - by[from];
                }
                values[slot] = l;
            }
            wattbook_interrupt::work(done);
            let (inverse, wrong) = invert(&d);
            factor.d_inv[k] = inverse;
            factor.wrong_pivots += wrong;
        }
    }

    /// Solves in place.
    pub fn solve<T: Number>(&self, factor: &BlockFactor<T>, x: &mut [[T; 3]]) {
        wattbook_interrupt::work(18 * self.rows.len());
        for k in 0..self.n {
            let [a, b, c] = x[k];
            let column = self.col_start[k] as usize..self.col_start[k + 1] as usize;
            for (row, l) in self.rows[column.clone()].iter().zip(&factor.values[column]) {
                let x = &mut x[*row as usize];
                for r in 0..3 {
                    x[r] = x[r] - (l[3 * r] * a + l[3 * r + 1] * b + l[3 * r + 2] * c);
                }
            }
        }
        for k in (0..self.n).rev() {
            let (d, [a, b, c]) = (&factor.d_inv[k], x[k]);
            let mut sum = [
                d[0] * a + d[1] * b + d[2] * c,
                d[1] * a + d[3] * b + d[4] * c,
                d[2] * a + d[4] * b + d[5] * c,
            ];
            let column = self.col_start[k] as usize..self.col_start[k + 1] as usize;
            for (row, l) in self.rows[column.clone()].iter().zip(&factor.values[column]) {
                let [a, b, c] = x[*row as usize];
                for r in 0..3 {
                    sum[r] = sum[r] - (l[r] * a + l[r + 3] * b + l[r + 6] * c);
                }
            }
            x[k] = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::double_double::DoubleDouble;

    type Matrix = (Vec<(u32, u32)>, Vec<Diagonal<f64>>, Vec<Block3<f64>>);

    /// A ring with chords of quasi-definite blocks.
    fn matrix(n: usize) -> Matrix {
        let mut edges: Vec<(usize, usize)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        edges.extend((0..n / 3).map(|i| (3 * i % n, (7 * i + 11) % n)).filter(|e| e.0 != e.1));
        let order = elimination_order(n, &edges);
        let mut place = vec![0; n];
        for (k, &row) in order.iter().enumerate() {
            place[row] = k;
        }
        let turned = |&(i, j): &(usize, usize)| {
            let (a, b) = (place[i] as u32, place[j] as u32);
            (a.min(b), a.max(b))
        };
        let mut edges: Vec<(u32, u32)> = edges.iter().map(turned).collect();
        edges.sort_unstable();
        edges.dedup();
        let diagonal = (0..n)
            .map(|i| [5.0 + i as f64, 0.3, -1.0, -4.0 - (i % 4) as f64, 0.5, -6.0])
            .collect();
        let beside = (0..edges.len())
            .map(|e| {
                [
                    -0.4,
                    1.0,
                    (e % 3) as f64,
                    -2.0,
                    0.6,
                    0.1,
                    0.7,
                    0.2,
                    0.5 * (e % 2) as f64,
                ]
            })
            .collect();
        (edges, diagonal, beside)
    }

    fn residual((edges, diagonal, beside): &Matrix, x: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
        let mut left = b.to_vec();
        for (i, d) in diagonal.iter().enumerate() {
            let [u, v, w] = x[i];
            left[i][0] -= d[0] * u + d[1] * v + d[2] * w;
            left[i][1] -= d[1] * u + d[3] * v + d[4] * w;
            left[i][2] -= d[2] * u + d[4] * v + d[5] * w;
        }
        for (&(a, b), block) in edges.iter().zip(beside) {
            let (a, b) = (a as usize, b as usize);
            for r in 0..3 {
                for c in 0..3 {
                    left[b][r] -= block[3 * r + c] * x[a][c];
                    left[a][c] -= block[3 * r + c] * x[b][r];
                }
            }
        }
        left.iter().flatten().fold(0.0, |m, r| r.abs().max(m))
    }

    #[test]
    fn solves_what_it_factors_in_both_precisions() {
        let n = 60;
        let all = matrix(n);
        let pattern = BlockLdl::new(n, &all.0);
        let b: Vec<[f64; 3]> = (0..n).map(|i| [1.0, (i % 5) as f64 - 2.0, (i % 7) as f64]).collect();
        let mut factor = BlockFactor::default();
        pattern.factor(&all.1, &all.2, &mut factor);
        assert_eq!(factor.wrong_pivots, 0);
        let mut x = b.clone();
        pattern.solve(&factor, &mut x);
        assert!(residual(&all, &x, &b) < 1e-12);

        let wide = |d: &[f64]| d.iter().map(|&v| DoubleDouble::from_f64(v)).collect::<Vec<_>>();
        let diagonal: Vec<Diagonal<DoubleDouble>> = all.1.iter().map(|d| wide(d).try_into().unwrap()).collect();
        let beside: Vec<Block3<DoubleDouble>> = all.2.iter().map(|d| wide(d).try_into().unwrap()).collect();
        let mut factor = BlockFactor::default();
        pattern.factor(&diagonal, &beside, &mut factor);
        let mut exact: Vec<[DoubleDouble; 3]> = b.iter().map(|b| b.map(DoubleDouble::from_f64)).collect();
        pattern.solve(&factor, &mut exact);
        for (x, exact) in x.iter().flatten().zip(exact.iter().flatten()) {
            assert!((x - exact.to_f64()).abs() < 1e-13);
        }
    }

    #[test]
    fn counts_pivots_of_the_wrong_sign() {
        let (edges, mut diagonal, beside) = matrix(10);
        let pattern = BlockLdl::new(10, &edges);
        let mut factor = BlockFactor::default();
        diagonal[0] = [-5.0, 0.0, 0.0, -4.0, 0.0, -6.0];
        pattern.factor(&diagonal, &beside, &mut factor);
        assert!(factor.wrong_pivots >= 1);
        diagonal[0][0] = f64::NAN;
        pattern.factor(&diagonal, &beside, &mut factor);
        assert!(factor.wrong_pivots >= 1);
    }
}
