//! LDL^T of a sparse symmetric matrix of 2 x 2 blocks, without pivoting between blocks: the up-looking variant of `ldl`
//! for repeated factorisations with one pattern.

use crate::ldl::{Shape, Singular, NONE};
use crate::symmetric::SymmetricBuilder;

/// A block by rows.
pub type Block = [f64; 4];
/// A symmetric block: first diagonal entry, off-diagonal entry, second diagonal entry.
pub type SymmetricBlock = [f64; 3];
/// Two entries of a vector.
pub type Pair = [f64; 2];

/// The ordered and analysed pattern of such a matrix.
#[derive(Clone, Debug)]
pub struct Pairs {
    shape: Shape,
    edges: Vec<(u32, u32)>,
    /// For each row in the order of elimination, the entries left of the diagonal: their columns, edges, and whether
    /// the edge is traversed from its second end.
    start: Vec<u32>,
    left: Vec<(u32, u32, bool)>,
    /// Rows of each column of the factor.
    rows: Vec<u32>,
    /// Number of block products per factorisation.
    work: usize,
}

/// A factor `P A P' = L D L'`.
#[derive(Clone, Debug)]
pub struct PairsFactor {
    values: Vec<Block>,
    d_inv: Vec<SymmetricBlock>,
}

/// `y l'`.
#[inline(always)]
fn times_transposed(y: &Block, l: &Block) -> Block {
    [
        y[0] * l[0] + y[1] * l[1],
        y[0] * l[2] + y[1] * l[3],
        y[2] * l[0] + y[3] * l[1],
        y[2] * l[2] + y[3] * l[3],
    ]
}

impl Pairs {
    /// A pattern of `n` block rows with off-diagonal blocks between these rows; duplicates are allowed.
    pub fn new(n: usize, edges: Vec<(u32, u32)>) -> Self {
        let mut builder = SymmetricBuilder::new(n, edges.len());
        for &(i, j) in &edges {
            builder.add(i as usize, j as usize, 0.0);
        }
        let shape = Shape::of(&builder.rows());
        let mut by_row: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); n];
        for (e, &(i, j)) in edges.iter().enumerate() {
            let (a, b) = (shape.position[i as usize], shape.position[j as usize]);
            // The later row contains the entry of the earlier one.
            if a > b {
                by_row[a].push((b as u32, e as u32, false));
            } else {
                by_row[b].push((a as u32, e as u32, true));
            }
        }
        let mut start = vec![0u32];
        let mut left = Vec::with_capacity(edges.len());
        for row in by_row {
            left.extend(row);
            start.push(left.len() as u32);
        }
        let mut pairs = Self {
            rows: vec![0; shape.col_start[n] as usize],
            shape,
            edges,
            start,
            left,
            work: 0,
        };
        let mut next = pairs.shape.col_start[..n].to_vec();
        let mut reach = Reach::new(n);
        for k in 0..n {
            let pattern = reach.of(&pairs, k);
            wattbook_interrupt::work(pattern.len());
            for &i in pattern {
                let end = &mut next[i as usize];
                pairs.work += (*end - pairs.shape.col_start[i as usize]) as usize + 2;
                pairs.rows[*end as usize] = k as u32;
                *end += 1;
            }
        }
        pairs
    }

    /// Number of block rows.
    pub fn len(&self) -> usize {
        self.shape.perm.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of block products per factorisation.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Factors the matrix with these diagonal blocks and, by edge, off-diagonal blocks (as seen from the edge's first
    /// end).
    ///
    /// # Errors
    /// The caller's row at which a block is singular or not finite.
    pub fn factor(&self, diagonal: &[SymmetricBlock], beside: &[Block]) -> Result<PairsFactor, Singular> {
        let n = self.len();
        let Shape { col_start, perm, .. } = &self.shape;
        let mut values = vec![[0.0; 4]; self.rows.len()];
        let mut d_inv = vec![[0.0; 3]; n];
        let mut next = col_start[..n].to_vec();
        let mut y = vec![[0.0; 4]; n];
        let mut reach = Reach::new(n);
        for k in 0..n {
            for &(i, e, turned) in self.left(k) {
                let b = &beside[e as usize];
                let b = if turned { [b[0], b[2], b[1], b[3]] } else { *b };
                let y = &mut y[i as usize];
                for c in 0..4 {
                    y[c] += b[c];
                }
            }
            let [mut p, mut q, mut r] = diagonal[perm[k]];
            let mut done = 0;
            for &i in reach.of(self, k) {
                let i = i as usize;
                let yi = std::mem::take(&mut y[i]);
                let (begin, end) = (col_start[i] as usize, next[i] as usize);
                done += 8 * (end - begin + 2);
                for (row, l) in self.rows[begin..end].iter().zip(&values[begin..end]) {
                    let by = times_transposed(&yi, l);
                    let y = &mut y[*row as usize];
                    for c in 0..4 {
                        y[c] -= by[c];
                    }
                }
                let d = &d_inv[i];
                let l = [
                    yi[0] * d[0] + yi[1] * d[1],
                    yi[0] * d[1] + yi[1] * d[2],
                    yi[2] * d[0] + yi[3] * d[1],
                    yi[2] * d[1] + yi[3] * d[2],
                ];
                let by = times_transposed(&l, &yi);
                p -= by[0];
                q -= by[1];
                r -= by[3];
                values[end] = l;
                next[i] += 1;
            }
            wattbook_interrupt::work(done);
            let determinant = p * r - q * q;
            if !determinant.is_finite() || determinant == 0.0 {
                return Err(Singular { row: perm[k] });
            }
            d_inv[k] = [r / determinant, -q / determinant, p / determinant];
        }
        Ok(PairsFactor { values, d_inv })
    }

    /// Solves in place.
    pub fn solve(&self, factor: &PairsFactor, b: &mut [Pair]) {
        let Shape { col_start, perm, .. } = &self.shape;
        wattbook_interrupt::work(8 * self.rows.len());
        let mut x: Vec<Pair> = perm.iter().map(|&row| b[row]).collect();
        let column = |k: usize| col_start[k] as usize..col_start[k + 1] as usize;
        for k in 0..x.len() {
            let xk = x[k];
            for (row, l) in self.rows[column(k)].iter().zip(&factor.values[column(k)]) {
                let x = &mut x[*row as usize];
                x[0] -= l[0] * xk[0] + l[1] * xk[1];
                x[1] -= l[2] * xk[0] + l[3] * xk[1];
            }
        }
        for k in (0..x.len()).rev() {
            let (d, xk) = (&factor.d_inv[k], x[k]);
            let mut sum = [d[0] * xk[0] + d[1] * xk[1], d[1] * xk[0] + d[2] * xk[1]];
            for (row, l) in self.rows[column(k)].iter().zip(&factor.values[column(k)]) {
                let x = &x[*row as usize];
                sum[0] -= l[0] * x[0] + l[2] * x[1];
                sum[1] -= l[1] * x[0] + l[3] * x[1];
            }
            x[k] = sum;
        }
        for (k, &row) in perm.iter().enumerate() {
            b[row] = x[k];
        }
    }

    /// `b - A x`.
    pub fn residual(&self, diagonal: &[SymmetricBlock], beside: &[Block], x: &[Pair], b: &[Pair]) -> Vec<Pair> {
        let mut left = b.to_vec();
        for ((left, d), x) in left.iter_mut().zip(diagonal).zip(x) {
            left[0] -= d[0] * x[0] + d[1] * x[1];
            left[1] -= d[1] * x[0] + d[2] * x[1];
        }
        for (&(i, j), b) in self.edges.iter().zip(beside) {
            let (i, j) = (i as usize, j as usize);
            let (xi, xj) = (x[i], x[j]);
            left[i][0] -= b[0] * xj[0] + b[1] * xj[1];
            left[i][1] -= b[2] * xj[0] + b[3] * xj[1];
            left[j][0] -= b[0] * xi[0] + b[2] * xi[1];
            left[j][1] -= b[1] * xi[0] + b[3] * xi[1];
        }
        left
    }

    fn left(&self, k: usize) -> &[(u32, u32, bool)] {
        &self.left[self.start[k] as usize..self.start[k + 1] as usize]
    }
}

/// The columns of the factor in which a row has entries, in order of their dependencies.
struct Reach {
    pattern: Vec<u32>,
    flag: Vec<u32>,
}

impl Reach {
    fn new(n: usize) -> Self {
        Self {
            pattern: vec![0; n],
            flag: vec![NONE; n],
        }
    }

    fn of(&mut self, pairs: &Pairs, k: usize) -> &[u32] {
        let n = self.pattern.len();
        let mut top = n;
        self.flag[k] = k as u32;
        for &(first, _, _) in pairs.left(k) {
            let mut i = first as usize;
            let mut len = 0;
            while self.flag[i] != k as u32 {
                self.pattern[len] = i as u32;
                len += 1;
                self.flag[i] = k as u32;
                i = pairs.shape.parent[i] as usize;
            }
            while len > 0 {
                len -= 1;
                top -= 1;
                self.pattern[top] = self.pattern[len];
            }
        }
        &self.pattern[top..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring with chords of quasi-definite blocks and a duplicate edge; the solution is checked against the matrix
    /// itself.
    #[test]
    fn solves_what_it_factors() {
        let n = 60;
        let mut edges: Vec<(u32, u32)> = (0..n as u32).map(|i| (i, (i + 1) % n as u32)).collect();
        edges.extend(
            (0..20)
                .map(|i| (3 * i % n as u32, (7 * i + 11) % n as u32))
                .filter(|e| e.0 != e.1),
        );
        edges.push((5, 4));
        let beside: Vec<Block> = (0..edges.len())
            .map(|e| [-0.1 * (e % 3) as f64, -1.0, -1.0 - (e % 2) as f64, 0.0])
            .collect();
        let diagonal: Vec<SymmetricBlock> = (0..n).map(|i| [0.5 + i as f64, 4.0, -0.3 * (i % 4) as f64]).collect();
        let pairs = Pairs::new(n, edges);
        let factor = pairs.factor(&diagonal, &beside).unwrap();
        let b: Vec<Pair> = (0..n).map(|i| [(i % 5) as f64 - 2.0, (i % 7) as f64 - 3.0]).collect();
        let mut x = b.clone();
        pairs.solve(&factor, &mut x);
        let left = pairs.residual(&diagonal, &beside, &x, &b);
        for pair in left {
            assert!(pair.iter().all(|r| r.abs() < 1e-10), "{pair:?}");
        }
        assert!(pairs.work() > n);
    }

    #[test]
    fn names_the_singular_row() {
        let pairs = Pairs::new(2, vec![(0, 1)]);
        let diagonal = [[1.0, 0.0, -1.0], [0.0, 0.0, 0.0]];
        assert_eq!(pairs.factor(&diagonal, &[[0.0; 4]]).unwrap_err(), Singular { row: 1 });
    }
}
