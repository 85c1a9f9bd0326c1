//! LDL^T of a sparse symmetric matrix, without pivoting (Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006,
//! section 4.8, the up-looking variant of his LDL package).

mod descent;
mod part;
mod shape;
mod solve;
#[cfg(test)]
mod tests;

pub use descent::{Descent, Wanted};
pub use part::Part;
pub use shape::Orders;
pub(crate) use shape::Shape;

use crate::order::fill_reducing_order;
use crate::symmetric::{Rows, SymmetricBuilder};

/// The matrix has no usable pivot at this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    /// Row in the caller's numbering.
    pub row: usize,
}

impl std::fmt::Display for Singular {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the matrix is singular at row {}", self.row)
    }
}

impl std::error::Error for Singular {}

/// Factors `P A P' = L D L'`.
///
/// Columns are ordered by their height in the elimination tree and then by their length: adjacent columns are
/// independent, and a solve meets runs of columns of equal length.
#[derive(Clone, Debug)]
pub struct Ldl {
    n: usize,
    /// `perm[k]` is the caller's row that is eliminated k-th.
    perm: Vec<usize>,
    /// `position[row]` is the index of the caller's row in the order of elimination.
    position: Vec<usize>,
    col_start: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    d_inv: Vec<f64>,
    /// All columns.
    whole: Part,
}

pub(crate) const NONE: u32 = u32::MAX;

/// Largest number of postponed rows.
const MOST_LATE: usize = 8;

impl Ldl {
    /// Orders and factors. A row with a vanishing pivot is postponed until after all others: if entries of both signs
    /// cancel, an indefinite matrix may be regular without a pivot there. Fails with the caller's row if that does not
    /// help or a pivot is not finite.
    pub fn factor(matrix: &SymmetricBuilder) -> Result<Self, Singular> {
        let matrix = matrix.rows();
        let shape = Shape::of(&matrix);
        Self::of_rows(&matrix, shape)
    }

    /// [`Ldl::factor`] with an order of elimination that is stored, if it is.
    pub fn factor_with(matrix: &SymmetricBuilder, orders: &Orders) -> Result<Self, Singular> {
        let matrix = matrix.rows();
        let shape = orders.shape(&matrix);
        Self::of_rows(&matrix, shape)
    }

    fn of_rows(matrix: &Rows, shape: Shape) -> Result<Self, Singular> {
        let mut factored = Self::of_shape(matrix, shape);
        let mut late = Vec::new();
        while let Err(Singular { row }) = factored {
            let row = row as u32;
            if late.len() == MOST_LATE || late.contains(&row) {
                break;
            }
            late.push(row);
            let mut order = fill_reducing_order(matrix);
            order.retain(|row| !late.contains(row));
            order.extend(&late);
            factored = Self::of_shape(matrix, Shape::in_order(matrix, order));
        }
        factored
    }

    fn of_shape(matrix: &Rows, shape: Shape) -> Result<Self, Singular> {
        let n = matrix.len();
        let nnz = shape.col_start[n] as usize;
        let (mut rows, mut values) = (vec![0u32; nnz], vec![0f64; nnz]);
        let mut next = shape.col_start[..n].to_vec();
        let (mut y, mut d_inv) = (vec![0f64; n], vec![0f64; n]);
        let mut pattern = vec![0u32; n];
        let mut flag = vec![NONE; n];
        // One row of L at a time.
        for k in 0..n {
            let row = shape.perm[k];
            let mut top = n;
            flag[k] = k as u32;
            for at in matrix.range(row) {
                let mut i = shape.position[matrix.columns[at] as usize];
                if i > k {
                    continue;
                }
                y[i] += matrix.values[at];
                let mut len = 0;
                while flag[i] != k as u32 {
                    pattern[len] = i as u32;
                    len += 1;
                    flag[i] = k as u32;
                    i = shape.parent[i] as usize;
                }
                while len > 0 {
                    len -= 1;
                    top -= 1;
                    pattern[top] = pattern[len];
                }
            }
            let mut diagonal = matrix.diagonal[row];
            let mut scale = diagonal.abs();
            let mut done = n - top;
            for &i in &pattern[top..n] {
                let i = i as usize;
                let yi = y[i];
                y[i] = 0.0;
                let end = next[i] as usize;
                done += end - shape.col_start[i] as usize;
                for at in shape.col_start[i] as usize..end {
                    y[rows[at] as usize] -= values[at] * yi;
                }
                let l = yi * d_inv[i];
                diagonal -= l * yi;
                scale = scale.max((l * yi).abs());
                rows[end] = k as u32;
                values[end] = l;
                next[i] += 1;
            }
            wattbook_interrupt::work(done);
            if !diagonal.is_finite() || diagonal.abs() <= 1e-13 * scale {
                return Err(Singular { row });
            }
            d_inv[k] = 1.0 / diagonal;
        }
        Ok(Self {
            n,
            whole: Part::of(&shape.col_start, (0..n as u32).collect()),
            perm: shape.perm,
            position: shape.position,
            col_start: shape.col_start,
            rows,
            values,
            d_inv,
        })
    }

    /// Order of the matrix.
    pub fn len(&self) -> usize {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Index of each of the caller's rows in the order of elimination, which `solve_ordered` and `solve_part` use.
    pub fn positions(&self) -> &[usize] {
        &self.position
    }

    /// Number of entries below the diagonal of the factor.
    pub fn fill(&self) -> usize {
        self.values.len()
    }

    /// The part of the factor for right-hand sides that are zero, and solutions that are unused, outside `places` (in
    /// the order of elimination): these and their ancestors in the elimination tree (Gilbert, SIAM J. Matrix Anal.
    /// Appl. 15 (1994)).
    pub fn part(&self, places: impl Iterator<Item = usize>) -> Part {
        let mut wanted = vec![false; self.n];
        let mut columns = Vec::new();
        for place in places {
            let mut k = place;
            while !wanted[k] {
                wanted[k] = true;
                columns.push(k as u32);
                let column = self.col_start[k] as usize..self.col_start[k + 1] as usize;
                match self.rows[column].first() {
                    Some(&parent) => k = parent as usize,
                    None => break,
                }
            }
        }
        columns.sort_unstable();
        Part::of(&self.col_start, columns)
    }
}
