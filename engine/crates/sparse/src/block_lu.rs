//! LU of sparse matrices of 2 x 2 blocks, row by row and with pivots on the diagonal (Davis, *Direct Methods for Sparse
//! Linear Systems*, SIAM 2006, chapters 4 and 6).
//!
//! The pattern is symmetric, values are not. Ordering and patterns of the factors are found once for all values.

use crate::ldl::{Singular, NONE};
use crate::order::fill_reducing_order;
use crate::pairs::Block;
use crate::symmetric::SymmetricBuilder;

/// A pivot with a determinant smaller than this, relative to the square of its largest entry, is singular.
const SINGULAR: f64 = 1e-14;

/// Order of elimination and patterns of the factors.
#[derive(Clone, Debug)]
pub struct BlockPattern {
    /// The caller's row that is eliminated k-th.
    order: Vec<u32>,
    /// Columns of L beside its diagonal, ascending in each row.
    lower: Rows,
    /// Columns of U beside its diagonal, ascending in each row: the transposed pattern of L.
    upper: Rows,
}

#[derive(Clone, Debug, Default)]
struct Rows {
    start: Vec<u32>,
    columns: Vec<u32>,
}

impl Rows {
    #[inline(always)]
    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }
}

/// Values of a matrix, rows and columns in the order of elimination. No column comes twice in a row.
#[derive(Clone, Copy, Debug)]
pub struct BlockRows<'a> {
    /// Begin of each row in `columns` and `blocks`, and the end of the last.
    pub start: &'a [u32],
    /// Columns beside the diagonal.
    pub columns: &'a [u32],
    pub blocks: &'a [Block],
    pub diagonal: &'a [Block],
}

impl BlockPattern {
    /// Analyses an `n` x `n` matrix of blocks with entries at `pairs` and at `pairs` transposed, duplicates allowed.
    pub fn new(n: usize, pairs: &[(usize, usize)]) -> Self {
        let mut builder = SymmetricBuilder::new(n, pairs.len());
        for &(i, j) in pairs.iter().filter(|(i, j)| i != j) {
            builder.add(i, j, -1.0);
        }
        let matrix = builder.rows();
        let by_degree = fill_reducing_order(&matrix);
        Self::analysed(&matrix, &by_degree)
    }

    /// As `new`, in an order that keeps the rows of a group together: found on the graph of groups, which has fewer vertices and
    /// gives the same fill where rows of neighbouring groups all meet. `group` of each row; groups are counted from zero.
    pub fn grouped(pairs: &[(usize, usize)], group: &[u32]) -> Self {
        let n = group.len();
        let n_groups = group.iter().map(|g| *g as usize + 1).max().unwrap_or(0);
        let mut builder = SymmetricBuilder::new(n_groups, pairs.len());
        for &(i, j) in pairs {
            let (i, j) = (group[i] as usize, group[j] as usize);
            if i != j {
                builder.add(i, j, -1.0);
            }
        }
        let position = inverse(&fill_reducing_order(&builder.rows()));
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&row| position[group[row as usize] as usize]);
        let mut builder = SymmetricBuilder::new(n, pairs.len());
        for &(i, j) in pairs.iter().filter(|(i, j)| i != j) {
            builder.add(i, j, -1.0);
        }
        Self::analysed(&builder.rows(), &order)
    }

    /// Patterns of the factors of a matrix whose rows are eliminated in an order of little fill.
    fn analysed(matrix: &crate::symmetric::Rows, by_degree: &[u32]) -> Self {
        let n = matrix.len();
        let mut elimination_index = inverse(by_degree);
        // Elimination tree with compressed paths (Liu, SIAM J. Matrix Anal. Appl. 11 (1990)).
        let (mut parent, mut ancestor) = (vec![NONE; n], vec![NONE; n]);
        for (k, &row) in by_degree.iter().enumerate() {
            for &column in &matrix.columns[matrix.range(row as usize)] {
                let mut i = elimination_index[column as usize];
                while i != NONE && (i as usize) < k {
                    let above = std::mem::replace(&mut ancestor[i as usize], k as u32);
                    if above == NONE {
                        parent[i as usize] = k as u32;
                    }
                    i = above;
                }
            }
        }
        // Subtrees next to each other: what a row reads was written not long before.
        let post = postorder(&parent);
        let order: Vec<u32> = post.iter().map(|&k| by_degree[k as usize]).collect();
        elimination_index = inverse(&order);
        let moved = inverse(&post);
        let parent: Vec<u32> = post
            .iter()
            .map(|&k| moved.get(parent[k as usize] as usize).copied().unwrap_or(NONE))
            .collect();

        let mut lower = Rows {
            start: vec![0],
            columns: Vec::new(),
        };
        let mut count = vec![0u32; n + 1];
        let mut flag = vec![NONE; n];
        for (k, &row) in order.iter().enumerate() {
            let first = lower.columns.len();
            flag[k] = k as u32;
            for &column in &matrix.columns[matrix.range(row as usize)] {
                let mut i = elimination_index[column as usize] as usize;
                while i < k && flag[i] != k as u32 {
                    flag[i] = k as u32;
                    lower.columns.push(i as u32);
                    count[i + 1] += 1;
                    i = parent[i] as usize;
                }
            }
            lower.columns[first..].sort_unstable();
            lower.start.push(lower.columns.len() as u32);
        }
        for k in 0..n {
            count[k + 1] += count[k];
        }
        let mut upper = Rows {
            start: count.clone(),
            columns: vec![0; lower.columns.len()],
        };
        for k in 0..n {
            for &i in &lower.columns[lower.range(k)] {
                let next = &mut count[i as usize];
                upper.columns[*next as usize] = k as u32;
                *next += 1;
            }
        }
        Self { order, lower, upper }
    }

    /// Rows and columns, in blocks.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The caller's rows in the order of elimination.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Columns of L in a row beside its diagonal.
    #[inline(always)]
    pub(crate) fn lower(&self, row: usize) -> &[u32] {
        &self.lower.columns[self.lower.range(row)]
    }

    /// Places of a row of the upper triangle among all entries, and their columns.
    #[inline(always)]
    pub(crate) fn upper(&self, row: usize) -> (std::ops::Range<usize>, &[u32]) {
        let range = self.upper.range(row);
        (range.clone(), &self.upper.columns[range])
    }

    /// Blocks of L beside its diagonal.
    pub fn fill(&self) -> usize {
        self.lower.columns.len()
    }
}

/// Place of each item of a permutation.
fn inverse(order: &[u32]) -> Vec<u32> {
    let mut elimination_index = vec![0; order.len()];
    for (k, &item) in order.iter().enumerate() {
        elimination_index[item as usize] = k as u32;
    }
    elimination_index
}

/// The nodes of a forest, children before their parent and subtrees together.
fn postorder(parent: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let (mut first_child, mut sibling) = (vec![NONE; n], vec![NONE; n]);
    let mut roots = NONE;
    for k in (0..n).rev() {
        let list = match parent[k] {
            NONE => &mut roots,
            above => &mut first_child[above as usize],
        };
        sibling[k] = std::mem::replace(list, k as u32);
    }
    let mut out = Vec::with_capacity(n);
    let mut stack = Vec::new();
    let mut next = roots;
    loop {
        while next != NONE {
            stack.push(next);
            next = first_child[next as usize];
        }
        let Some(k) = stack.pop() else { break };
        out.push(k);
        next = sibling[k as usize];
    }
    out
}

/// Factors `A = L (D + U)`, L with a unit diagonal.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    lower: Vec<Block>,
    upper: Vec<Block>,
    d_inv: Vec<Block>,
    /// Zero between factorisations.
    work: Vec<Block>,
}

#[inline(always)]
fn times(a: &Block, b: &Block) -> Block {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    ]
}

/// `x -= a y`.
#[inline(always)]
fn subtract(x: &mut [f64; 2], a: &Block, y: &[f64; 2]) {
    x[0] -= a[0] * y[0] + a[1] * y[1];
    x[1] -= a[2] * y[0] + a[3] * y[1];
}

/// `x -= a' y`.
#[inline(always)]
fn subtract_transposed(x: &mut [f64; 2], a: &Block, y: &[f64; 2]) {
    x[0] -= a[0] * y[0] + a[2] * y[1];
    x[1] -= a[1] * y[0] + a[3] * y[1];
}

fn inverted(d: &Block) -> Option<Block> {
    let det = d[0] * d[3] - d[1] * d[2];
    let largest = d.iter().fold(0.0f64, |m, x| if x.abs() > m { x.abs() } else { m });
    if !det.is_finite() || det.abs() <= SINGULAR * largest * largest {
        return None;
    }
    Some([d[3] / det, -d[1] / det, -d[2] / det, d[0] / det])
}

impl BlockLu {
    /// Factors a matrix with the analysed pattern.
    ///
    /// # Errors
    /// The caller's row at which a pivot is singular.
    pub fn factor(pattern: &BlockPattern, matrix: &BlockRows) -> Result<Self, Singular> {
        let mut factors = Self::default();
        factors.refactor(pattern, matrix)?;
        Ok(factors)
    }

    /// Replaces the factors by those of other values. After an error they must not be used.
    ///
    /// # Errors
    /// The caller's row at which a pivot is singular.
    pub fn refactor(&mut self, pattern: &BlockPattern, matrix: &BlockRows) -> Result<(), Singular> {
        let n = pattern.len();
        self.lower.resize(pattern.fill(), [0.0; 4]);
        self.upper.resize(pattern.fill(), [0.0; 4]);
        self.d_inv.resize(n, [0.0; 4]);
        self.work.resize(n, [0.0; 4]);
        let row = self.eliminate_wide(pattern, matrix);
        if row == n {
            return Ok(());
        }
        self.work.clear();
        Err(Singular {
            row: pattern.order[row] as usize,
        })
    }

    /// As `eliminate`, compiled a second time for wider registers, as `kernels` are: the same sums in the same order.
    fn eliminate_wide(&mut self, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn wide(factors: &mut BlockLu, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
                factors.eliminate(pattern, matrix)
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has what the function was compiled for.
                return unsafe { wide(self, pattern, matrix) };
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            #[target_feature(enable = "simd128")]
            fn wide(factors: &mut BlockLu, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
                factors.eliminate(pattern, matrix)
            }
            return wide(self, pattern, matrix);
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.eliminate(pattern, matrix)
    }

    // Loops by index, here and below: iterators that run together were not inlined.
    /// Gives the number of rows that were eliminated: all, or those before a singular pivot.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn eliminate(&mut self, pattern: &BlockPattern, matrix: &BlockRows) -> usize {
        let n = pattern.len();
        let w = &mut self.work[..n];
        for k in 0..n {
            let row = matrix.start[k] as usize..matrix.start[k + 1] as usize;
            for (&column, block) in matrix.columns[row.clone()].iter().zip(&matrix.blocks[row]) {
                w[column as usize] = *block;
            }
            w[k] = matrix.diagonal[k];
            let row = pattern.lower.range(k);
            let (columns, row) = (&pattern.lower.columns[row.clone()], &mut self.lower[row]);
            for at in 0..columns.len() {
                let j = columns[at] as usize;
                let f = times(&std::mem::take(&mut w[j]), &self.d_inv[j]);
                row[at] = f;
                let above = pattern.upper.range(j);
                let (columns, blocks) = (&pattern.upper.columns[above.clone()], &self.upper[above]);
                for i in 0..columns.len() {
                    let t = &mut w[columns[i] as usize];
                    let product = times(&f, &blocks[i]);
                    *t = [
                        t[0] - product[0],
                        t[1] - product[1],
                        t[2] - product[2],
                        t[3] - product[3],
                    ];
                }
            }
            let Some(inverse) = inverted(&std::mem::take(&mut w[k])) else {
                return k;
            };
            self.d_inv[k] = inverse;
            let row = pattern.upper.range(k);
            for (&column, u) in pattern.upper.columns[row.clone()].iter().zip(&mut self.upper[row]) {
                *u = std::mem::take(&mut w[column as usize]);
            }
        }
        n
    }

    /// Solves `A x = b` in place, in the order of elimination.
    #[allow(clippy::needless_range_loop)]
    pub fn solve(&self, pattern: &BlockPattern, x: &mut [[f64; 2]]) {
        let n = pattern.len();
        for k in 0..n {
            let mut sum = x[k];
            let row = pattern.lower.range(k);
            let (columns, blocks) = (&pattern.lower.columns[row.clone()], &self.lower[row]);
            for i in 0..columns.len() {
                subtract(&mut sum, &blocks[i], &x[columns[i] as usize]);
            }
            x[k] = sum;
        }
        for k in (0..n).rev() {
            let mut sum = x[k];
            let row = pattern.upper.range(k);
            let (columns, blocks) = (&pattern.upper.columns[row.clone()], &self.upper[row]);
            for i in 0..columns.len() {
                subtract(&mut sum, &blocks[i], &x[columns[i] as usize]);
            }
            let d = &self.d_inv[k];
            x[k] = [d[0] * sum[0] + d[1] * sum[1], d[2] * sum[0] + d[3] * sum[1]];
        }
    }

    /// Solves `A' x = b` in place, in the order of elimination.
    #[allow(clippy::needless_range_loop)]
    pub fn solve_transposed(&self, pattern: &BlockPattern, x: &mut [[f64; 2]]) {
        let n = pattern.len();
        for k in 0..n {
            let (b, d) = (x[k], &self.d_inv[k]);
            let z = [d[0] * b[0] + d[2] * b[1], d[1] * b[0] + d[3] * b[1]];
            x[k] = z;
            let row = pattern.upper.range(k);
            let (columns, blocks) = (&pattern.upper.columns[row.clone()], &self.upper[row]);
            for i in 0..columns.len() {
                subtract_transposed(&mut x[columns[i] as usize], &blocks[i], &z);
            }
        }
        for k in (0..n).rev() {
            let z = x[k];
            let row = pattern.lower.range(k);
            let (columns, blocks) = (&pattern.lower.columns[row.clone()], &self.lower[row]);
            for i in 0..columns.len() {
                subtract_transposed(&mut x[columns[i] as usize], &blocks[i], &z);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid with a few long chords; entries without symmetry.
    fn pairs(w: usize) -> Vec<(usize, usize)> {
        let n = w * w;
        let mut pairs = vec![(0, n - 1), (w, n / 2), (3, 1), (1, 3)];
        for i in 0..n {
            if (i + 1) % w != 0 {
                pairs.push((i, i + 1));
            }
            if i + w < n {
                pairs.push((i + w, i));
            }
        }
        pairs
    }

    /// The matrix by rows in the order of elimination, and dense in the same order.
    struct Matrix {
        start: Vec<u32>,
        columns: Vec<u32>,
        blocks: Vec<Block>,
        diagonal: Vec<Block>,
    }

    impl Matrix {
        fn new(pattern: &BlockPattern, pairs: &[(usize, usize)], scale: f64) -> Self {
            let n = pattern.len();
            let elimination_index = inverse(&pattern.order);
            let mut neighbours = vec![std::collections::BTreeSet::new(); n];
            for &(i, j) in pairs {
                let (i, j) = (elimination_index[i], elimination_index[j]);
                neighbours[i as usize].insert(j);
                neighbours[j as usize].insert(i);
            }
            let value = |i: usize, j: usize, k: usize| scale * (((i * 31 + j * 17 + k * 7) % 23) as f64 - 11.0) / 11.0;
            let mut matrix = Self {
                start: vec![0],
                columns: Vec::new(),
                blocks: Vec::new(),
                diagonal: Vec::new(),
            };
            for (i, row) in neighbours.iter().enumerate() {
                for &j in row {
                    matrix.columns.push(j);
                    matrix.blocks.push([0, 1, 2, 3].map(|k| value(i, j as usize, k)));
                }
                matrix.start.push(matrix.columns.len() as u32);
                // Small on its own diagonal: the block's inverse matters.
                matrix.diagonal.push([0.1, 9.0 + (i % 5) as f64, -8.0, 0.2]);
            }
            matrix
        }

        fn rows(&self) -> BlockRows<'_> {
            BlockRows {
                start: &self.start,
                columns: &self.columns,
                blocks: &self.blocks,
                diagonal: &self.diagonal,
            }
        }

        fn times(&self, x: &[[f64; 2]], transposed: bool) -> Vec<[f64; 2]> {
            let mut y = vec![[0.0; 2]; x.len()];
            let mut add = |i: usize, j: usize, a: &Block| {
                if transposed {
                    subtract_transposed(&mut y[j], a, &x[i]);
                } else {
                    subtract(&mut y[i], a, &x[j]);
                }
            };
            for i in 0..x.len() {
                add(i, i, &self.diagonal[i]);
                for at in self.start[i] as usize..self.start[i + 1] as usize {
                    add(i, self.columns[at] as usize, &self.blocks[at]);
                }
            }
            y.iter().map(|y| [-y[0], -y[1]]).collect()
        }
    }

    #[test]
    fn solves_and_solves_transposed_with_values_that_change() {
        let pairs = pairs(13);
        let pattern = BlockPattern::new(169, &pairs);
        let mut lu = BlockLu::default();
        for scale in [1.0, -2.5, 0.3] {
            let matrix = Matrix::new(&pattern, &pairs, scale);
            lu.refactor(&pattern, &matrix.rows()).unwrap();
            let b: Vec<[f64; 2]> = (0..169).map(|i| [(i % 7) as f64 - 3.0, (i % 5) as f64]).collect();
            for transposed in [false, true] {
                let mut x = b.clone();
                if transposed {
                    lu.solve_transposed(&pattern, &mut x);
                } else {
                    lu.solve(&pattern, &mut x);
                }
                for (got, want) in matrix.times(&x, transposed).iter().zip(&b) {
                    let error = (got[0] - want[0]).abs().max((got[1] - want[1]).abs());
                    assert!(error < 1e-10, "{got:?} against {want:?}");
                }
            }
        }
    }

    #[test]
    fn new_values_give_the_factors_of_a_new_start() {
        let pairs = pairs(6);
        let pattern = BlockPattern::new(36, &pairs);
        let (one, other) = (Matrix::new(&pattern, &pairs, 1.0), Matrix::new(&pattern, &pairs, 0.7));
        let mut kept = BlockLu::factor(&pattern, &one.rows()).unwrap();
        kept.refactor(&pattern, &other.rows()).unwrap();
        let anew = BlockLu::factor(&pattern, &other.rows()).unwrap();
        assert_eq!(
            (kept.lower, kept.upper, kept.d_inv),
            (anew.lower, anew.upper, anew.d_inv)
        );
    }

    #[test]
    fn names_the_singular_row_and_recovers() {
        let pattern = BlockPattern::new(3, &[(0, 1)]);
        let elimination_index = inverse(pattern.order());
        let mut diagonal = vec![[1.0, 0.0, 0.0, 1.0]; 3];
        diagonal[elimination_index[2] as usize] = [1.0, 2.0, 2.0, 4.0];
        fn matrix(diagonal: &[Block]) -> BlockRows<'_> {
            BlockRows {
                start: &[0, 0, 0, 0],
                columns: &[],
                blocks: &[],
                diagonal,
            }
        }
        let mut lu = BlockLu::default();
        assert_eq!(lu.refactor(&pattern, &matrix(&diagonal)), Err(Singular { row: 2 }));
        diagonal[elimination_index[2] as usize] = [1.0, 2.0, 3.0, 4.0];
        lu.refactor(&pattern, &matrix(&diagonal)).unwrap();
        let mut x = vec![[1.0, 1.0]; 3];
        lu.solve(&pattern, &mut x);
        assert_eq!(x[elimination_index[2] as usize], [-1.0, 1.0]);
        assert!(BlockPattern::new(0, &[]).is_empty());
    }
}
