//! Cholesky factors of symmetric positive semidefinite matrices with dense blocks, of which only neighbours are coupled.

use crate::kernels::{add_scaled, dot, products};

/// Pivots below this part of their diagonal entry count as zero.
const VANISHING: f64 = 1e-14;

/// A symmetric block tridiagonal matrix `A`, and after [`BlockTridiagonal::factor`] its factor `L` with `A = L L'`.
///
/// A row whose pivot vanishes depends on rows before it. Its pivot becomes infinite, so that its entry in a solution is zero: the
/// solution of a consistent system is then a solution of the whole (Wright, SIAM J. Optim. 9 (1999)).
#[derive(Clone, Debug, Default)]
pub struct BlockTridiagonal {
    /// First row of each block, and the number of rows.
    start: Vec<usize>,
    /// Lower triangles of the blocks on the diagonal, row by row with the stride of the block.
    diagonal: Vec<Vec<f64>>,
    /// Blocks below the diagonal: the rows of the next block by the columns of this one.
    below: Vec<Vec<f64>>,
    /// Rows of each block that have entries left of it.
    coupled: Vec<Vec<usize>>,
    vanishing: Vec<usize>,
}

impl BlockTridiagonal {
    /// A zero matrix with blocks of these sizes.
    pub fn new(sizes: &[usize]) -> Self {
        let mut start = vec![0];
        for size in sizes {
            start.push(start[start.len() - 1] + size);
        }
        let pairs = sizes.windows(2).map(|pair| vec![0.0; pair[0] * pair[1]]);
        Self {
            start,
            diagonal: sizes.iter().map(|m| vec![0.0; m * m]).collect(),
            below: pairs.collect(),
            coupled: vec![Vec::new(); sizes.len()],
            vanishing: Vec::new(),
        }
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        let blocks = self.diagonal.iter_mut().chain(&mut self.below);
        blocks.for_each(|block| block.fill(0.0));
        self.coupled.iter_mut().for_each(Vec::clear);
        self.vanishing.clear();
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.start.last().copied().unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// First row of a block.
    pub fn first(&self, block: usize) -> usize {
        self.start[block]
    }

    fn size(&self, block: usize) -> usize {
        self.start[block + 1] - self.start[block]
    }

    /// Adds to the entry of two rows of a block, and to its mirror image.
    #[inline]
    pub fn add_within(&mut self, block: usize, i: usize, j: usize, value: f64) {
        let size = self.size(block);
        let (i, j) = if i >= j { (i, j) } else { (j, i) };
        self.diagonal[block][i * size + j] += value;
    }

    /// Adds to the entry of row `i` of the block after `block` and row `j` of `block`, and to its mirror image.
    #[inline]
    pub fn add_between(&mut self, block: usize, i: usize, j: usize, value: f64) {
        let size = self.size(block);
        self.below[block][i * size + j] += value;
    }

    /// Adds to all entries on the diagonal.
    pub fn shift(&mut self, value: f64) {
        for block in 0..self.diagonal.len() {
            let size = self.size(block);
            for i in 0..size {
                self.diagonal[block][i * size + i] += value;
            }
        }
    }

    /// Replaces the matrix by its factor.
    pub fn factor(&mut self) {
        for block in 0..self.diagonal.len() {
            let m = self.size(block);
            wattbook_interrupt::work(m * m * m / 6);
            cholesky(&mut self.diagonal[block], m, self.start[block], &mut self.vanishing);
            if block + 1 == self.diagonal.len() {
                break;
            }
            let n = self.size(block + 1);
            let below = &mut self.below[block];
            let is_coupled = |i: &usize| below[i * m..(i + 1) * m].iter().any(|x| *x != 0.0);
            let coupled: Vec<usize> = (0..n).filter(is_coupled).collect();
            wattbook_interrupt::work(coupled.len() * m * (m + coupled.len()) / 2);
            let mut rows: Vec<f64> = Vec::with_capacity(coupled.len() * m);
            coupled
                .iter()
                .for_each(|i| rows.extend_from_slice(&below[i * m..(i + 1) * m]));
            forward_rows(&self.diagonal[block], m, &mut rows);
            let mut sums = vec![0.0; coupled.len()];
            for (k, &i) in coupled.iter().enumerate() {
                let row = &rows[k * m..(k + 1) * m];
                products(&rows, m, row, &mut sums[..=k]);
                for (&j, sum) in coupled.iter().zip(&sums[..=k]) {
                    self.diagonal[block + 1][i * n + j] -= sum;
                }
                below[i * m..(i + 1) * m].copy_from_slice(row);
            }
            self.coupled[block + 1] = coupled;
        }
    }

    /// Rows whose pivot vanished in `factor`.
    pub fn vanishing(&self) -> &[usize] {
        &self.vanishing
    }

    /// Replaces `x` by the solution of `A x = b` for the right-hand side `x`.
    pub fn solve(&self, x: &mut [f64]) {
        for block in 0..self.diagonal.len() {
            let m = self.size(block);
            let (before, own) = x[..self.start[block + 1]].split_at_mut(self.start[block]);
            if block > 0 {
                let n = self.size(block - 1);
                let before = &before[self.start[block - 1]..];
                for &i in &self.coupled[block] {
                    own[i] -= dot(&self.below[block - 1][i * n..(i + 1) * n], before);
                }
            }
            forward(&self.diagonal[block], m, own);
        }
        for block in (0..self.diagonal.len()).rev() {
            let m = self.size(block);
            let (before, own) = x[..self.start[block + 1]].split_at_mut(self.start[block]);
            backward(&self.diagonal[block], m, own);
            if block > 0 {
                let n = self.size(block - 1);
                let before = &mut before[self.start[block - 1]..];
                for &i in &self.coupled[block] {
                    add_scaled(before, -own[i], &self.below[block - 1][i * n..(i + 1) * n]);
                }
            }
        }
    }
}

/// The Cholesky factor of a dense block; its diagonal has the reciprocals of the pivots, zero where one vanishes.
fn cholesky(a: &mut [f64], m: usize, first: usize, vanishing: &mut Vec<usize>) {
    let mut sums = vec![0.0; m];
    for j in 0..m {
        let (done, rest) = a.split_at_mut((j + 1) * m);
        let row = &mut done[j * m..=j * m + j];
        let pivot = row[j] - dot(&row[..j], &row[..j]);
        row[j] = if pivot > VANISHING * row[j] && pivot.is_finite() {
            1.0 / pivot.sqrt()
        } else {
            vanishing.push(first + j);
            0.0
        };
        let sums = &mut sums[..m - j - 1];
        products(rest, m, &row[..j], sums);
        for (below, sum) in rest.chunks_exact_mut(m).zip(sums) {
            below[j] = (below[j] - *sum) * row[j];
        }
    }
}

/// Solves `L x = b` for the rows of a matrix.
fn forward_rows(l: &[f64], m: usize, rows: &mut [f64]) {
    let mut sums = vec![0.0; rows.len().checked_div(m).unwrap_or(0)];
    for j in 0..m {
        let own = &l[j * m..=j * m + j];
        products(rows, m, &own[..j], &mut sums);
        for (row, sum) in rows.chunks_exact_mut(m).zip(&sums) {
            row[j] = (row[j] - sum) * own[j];
        }
    }
}

fn forward(l: &[f64], m: usize, x: &mut [f64]) {
    for i in 0..m {
        x[i] = (x[i] - dot(&l[i * m..i * m + i], &x[..i])) * l[i * m + i];
    }
}

fn backward(l: &[f64], m: usize, x: &mut [f64]) {
    for i in (0..m).rev() {
        x[i] *= l[i * m + i];
        let (before, own) = x.split_at_mut(i);
        add_scaled(before, -own[0], &l[i * m..i * m + i]);
    }
}

#[cfg(test)]
mod tests {
    use super::BlockTridiagonal;

    /// The matrix `G G'` of a block bidiagonal `G`, and its product with `x`.
    fn example() -> (BlockTridiagonal, Vec<Vec<f64>>) {
        let sizes = [3, 2, 4];
        let n: usize = sizes.iter().sum();
        let block_of: Vec<usize> = sizes.iter().enumerate().flat_map(|(k, m)| vec![k; *m]).collect();
        let mut g = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                // Column j belongs to its own block and the next one.
                if block_of[i] == block_of[j] || block_of[i] == block_of[j] + 1 {
                    g[i][j] = ((i * 7 + j * 3) % 5) as f64 - 1.5 + if i == j { 6.0 } else { 0.0 };
                }
            }
        }
        let mut a = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                a[i][j] = (0..n).map(|k| g[i][k] * g[j][k]).sum();
            }
        }
        let mut blocks = BlockTridiagonal::new(&sizes);
        for i in 0..n {
            for j in 0..=i {
                let (bi, bj) = (block_of[i], block_of[j]);
                let (oi, oj) = (i - blocks.first(bi), j - blocks.first(bj));
                match bi - bj {
                    0 => blocks.add_within(bi, oi, oj, a[i][j]),
                    1 => blocks.add_between(bj, oi, oj, a[i][j]),
                    _ => assert_eq!(a[i][j], 0.0),
                }
            }
        }
        (blocks, a)
    }

    #[test]
    fn solves_systems_of_coupled_blocks() {
        let (mut blocks, a) = example();
        blocks.factor();
        assert!(blocks.vanishing().is_empty());
        let x: Vec<f64> = (0..a.len()).map(|i| 1.0 + i as f64).collect();
        let mut b: Vec<f64> = a
            .iter()
            .map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum())
            .collect();
        blocks.solve(&mut b);
        for (found, x) in b.iter().zip(&x) {
            assert!((found - x).abs() < 1e-10, "{found} instead of {x}");
        }
    }

    #[test]
    fn a_dependent_row_gets_the_solution_zero() {
        // Row 1 is twice row 0.
        let mut blocks = BlockTridiagonal::new(&[2, 1]);
        blocks.add_within(0, 0, 0, 4.0);
        blocks.add_within(0, 1, 0, 8.0);
        blocks.add_within(0, 1, 1, 16.0);
        blocks.add_within(1, 0, 0, 4.0);
        blocks.factor();
        assert_eq!(blocks.vanishing(), [1]);
        let mut x = [4.0, 8.0, 12.0];
        blocks.solve(&mut x);
        assert_eq!(x, [1.0, 0.0, 3.0]);
    }
}
