use super::pattern::inverse;
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
fn four_columns_of_the_inverse_are_those_of_single_solves() {
    let pairs = pairs(13);
    let pattern = BlockPattern::new(169, &pairs);
    let lu = BlockLu::factor(&pattern, &Matrix::new(&pattern, &pairs, 1.0).rows()).unwrap();
    for rows in [[0, 168], [168, 0], [40, 41], [7, 7]] {
        let mut four = vec![[[0.0; 4]; 2]; 169];
        for (column, row) in [rows[0], rows[0], rows[1], rows[1]].into_iter().enumerate() {
            four[row][column % 2][column] = 1.0;
        }
        lu.solve_four(&pattern, rows, &mut four);
        for column in 0..4 {
            let mut one = vec![[0.0; 2]; 169];
            one[rows[column / 2]][column % 2] = 1.0;
            lu.solve(&pattern, &mut one);
            for (four, one) in four.iter().zip(&one) {
                assert_eq!([four[0][column], four[1][column]], *one);
            }
        }
    }
}

#[test]
fn new_values_give_the_factors_of_a_new_start() {
    let pairs = pairs(6);
    let pattern = BlockPattern::new(36, &pairs);
    let (one, other) = (Matrix::new(&pattern, &pairs, 1.0), Matrix::new(&pattern, &pairs, 0.7));
    let mut factors = BlockLu::factor(&pattern, &one.rows()).unwrap();
    factors.refactor(&pattern, &other.rows()).unwrap();
    let anew = BlockLu::factor(&pattern, &other.rows()).unwrap();
    assert_eq!(
        (factors.lower, factors.upper, factors.d_inv),
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
