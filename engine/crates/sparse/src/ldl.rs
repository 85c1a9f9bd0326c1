//! LDL^T of a sparse symmetric matrix, without pivoting (Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006,
//! section 4.8, the up-looking variant of his LDL package).

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

/// Evaluates an expression of a column length with that length as a constant where it is short: loops are unrolled.
macro_rules! by_length {
    ($len:expr, |$n:ident| $call:expr, $($short:literal)*) => {
        match $len {
            $($short => {
                let $n: usize = $short;
                $call
            })*
            $n => $call,
        }
    };
    ($len:expr, |$n:ident| $call:expr) => {
        by_length!($len, |$n| $call, 0 1 2 3 4 5 6 7 8)
    };
}

/// Factors `P A P' = L D L'`.
///
/// Columns stand by their height in the elimination tree and in it by their length: neighbours do not depend on each other,
/// and a solve meets runs of columns of one length.
#[derive(Clone, Debug)]
pub struct Ldl {
    n: usize,
    /// `perm[k]` is the caller's row that is eliminated k-th.
    perm: Vec<usize>,
    /// `position[row]` is the place of the caller's row in the order of elimination.
    position: Vec<usize>,
    col_start: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    d_inv: Vec<f64>,
    /// All columns.
    whole: Part,
}

pub(crate) const NONE: u32 = u32::MAX;

impl Ldl {
    /// Orders and factors. Fails with the caller's row where a pivot vanishes or is not finite.
    pub fn factor(matrix: &SymmetricBuilder) -> Result<Self, Singular> {
        let matrix = matrix.rows();
        let shape = Shape::of(&matrix);
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
            for &i in &pattern[top..n] {
                let i = i as usize;
                let yi = y[i];
                y[i] = 0.0;
                let end = next[i] as usize;
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

    /// Solves `A x = b` in place.
    pub fn solve(&self, b: &mut [f64]) {
        let mut x: Vec<f64> = self.perm.iter().map(|&row| b[row]).collect();
        self.solve_ordered(&mut x);
        for (k, &row) in self.perm.iter().enumerate() {
            b[row] = x[k];
        }
    }

    /// Place of each of the caller's rows in the order of elimination, which `solve_ordered` and `solve_part` work in.
    pub fn positions(&self) -> &[usize] {
        &self.position
    }

    /// Entries below the diagonal of the factor.
    pub fn fill(&self) -> usize {
        self.values.len()
    }

    /// As `solve`, with `x` in the order of elimination.
    pub fn solve_ordered(&self, x: &mut [f64]) {
        self.solve_part(&self.whole, x);
    }

    /// As `solve_ordered` for several right-hand sides at once, interleaved.
    pub fn solve_ordered_together<const W: usize>(&self, x: &mut [[f64; W]]) {
        self.solve_part_together(&self.whole, x);
    }

    /// The part of the factor that matters where the right-hand side is zero and the solution unread outside `places`
    /// (in the order of elimination): they and their ancestors in the elimination tree (Gilbert, SIAM J. Matrix Anal.
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

    /// As `solve_ordered`, on a part of the factor: entries of `x` outside it are neither read nor written.
    pub fn solve_part(&self, part: &Part, x: &mut [f64]) {
        for run in part.runs() {
            by_length!(run.len, |len| self.forward(run, len, x));
        }
        for run in part.runs().rev() {
            by_length!(run.len, |len| self.backward(run, len, x));
        }
    }

    /// Rows and values of a column.
    #[inline(always)]
    fn column(&self, start: u32, len: usize) -> (&[u32], &[f64]) {
        let start = start as usize;
        (&self.rows[start..start + len], &self.values[start..start + len])
    }

    // Loops by index: chains of iterators were not inlined here.
    #[inline(always)]
    fn forward(&self, run: Run, len: usize, x: &mut [f64]) {
        for c in 0..run.columns.len() {
            let xk = x[run.columns[c] as usize];
            if xk != 0.0 {
                let (rows, values) = self.column(run.starts[c], len);
                for i in 0..len {
                    x[rows[i] as usize] -= values[i] * xk;
                }
            }
        }
    }

    #[inline(always)]
    fn backward(&self, run: Run, len: usize, x: &mut [f64]) {
        for c in (0..run.columns.len()).rev() {
            let k = run.columns[c] as usize;
            let (rows, values) = self.column(run.starts[c], len);
            // Two partial sums: one order everywhere, and shorter dependency chains.
            let (mut even, mut odd) = (x[k] * self.d_inv[k], 0.0);
            for i in 0..len / 2 {
                even -= values[2 * i] * x[rows[2 * i] as usize];
                odd -= values[2 * i + 1] * x[rows[2 * i + 1] as usize];
            }
            if len % 2 == 1 {
                even -= values[len - 1] * x[rows[len - 1] as usize];
            }
            x[k] = even + odd;
        }
    }

    /// As `solve_part` for several right-hand sides at once, interleaved: the factor is read once for all. Compiled a second
    /// time for wider registers, as `kernels` are: the same sums in the same order.
    pub fn solve_part_together<const W: usize>(&self, part: &Part, x: &mut [[f64; W]]) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn wide<const W: usize>(factor: &Ldl, part: &Part, x: &mut [[f64; W]]) {
                factor.solve_together(part, x);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has what the function was compiled for.
                return unsafe { wide(self, part, x) };
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            #[target_feature(enable = "simd128")]
            fn wide<const W: usize>(factor: &Ldl, part: &Part, x: &mut [[f64; W]]) {
                factor.solve_together(part, x);
            }
            return wide(self, part, x);
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.solve_together(part, x);
    }

    #[inline(always)]
    fn solve_together<const W: usize>(&self, part: &Part, x: &mut [[f64; W]]) {
        for run in part.runs() {
            by_length!(run.len, |len| self.forward_together(run, len, x));
        }
        for run in part.runs().rev() {
            by_length!(run.len, |len| self.backward_together(run, len, x));
        }
    }

    #[inline(always)]
    fn forward_together<const W: usize>(&self, run: Run, len: usize, x: &mut [[f64; W]]) {
        for c in 0..run.columns.len() {
            let xk = x[run.columns[c] as usize];
            let (rows, values) = self.column(run.starts[c], len);
            for i in 0..len {
                let target = &mut x[rows[i] as usize];
                for w in 0..W {
                    target[w] -= values[i] * xk[w];
                }
            }
        }
    }

    #[inline(always)]
    fn backward_together<const W: usize>(&self, run: Run, len: usize, x: &mut [[f64; W]]) {
        for c in (0..run.columns.len()).rev() {
            let k = run.columns[c] as usize;
            let (rows, values) = self.column(run.starts[c], len);
            let mut sum = x[k];
            for s in &mut sum {
                *s *= self.d_inv[k];
            }
            for i in 0..len {
                let source = &x[rows[i] as usize];
                for w in 0..W {
                    sum[w] -= values[i] * source[w];
                }
            }
            x[k] = sum;
        }
    }
}

/// Order of elimination, elimination tree and column counts of a factor.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub perm: Vec<usize>,
    pub position: Vec<usize>,
    pub parent: Vec<u32>,
    pub col_start: Vec<u32>,
}

impl Shape {
    pub fn of(matrix: &Rows) -> Self {
        let n = matrix.len();
        let order = fill_reducing_order(matrix);
        let mut elimination_index = vec![0u32; n];
        for (k, &row) in order.iter().enumerate() {
            elimination_index[row as usize] = k as u32;
        }
        // Elimination tree and column counts in this order (Davis, section 4.1).
        let mut parent = vec![NONE; n];
        let mut flag = vec![NONE; n];
        let mut count = vec![0u32; n];
        for (k, &row) in order.iter().enumerate() {
            flag[k] = k as u32;
            for &column in &matrix.columns[matrix.range(row as usize)] {
                let mut i = elimination_index[column as usize] as usize;
                if i > k {
                    continue;
                }
                while flag[i] != k as u32 {
                    if parent[i] == NONE {
                        parent[i] = k as u32;
                    }
                    count[i] += 1;
                    flag[i] = k as u32;
                    i = parent[i] as usize;
                }
            }
        }
        // Columns by height and then by length. An order in which every column stands before its parent has the same fill.
        let mut height = vec![0u32; n];
        for k in 0..n {
            if parent[k] != NONE {
                let above = parent[k] as usize;
                height[above] = height[above].max(height[k] + 1);
            }
        }
        let by_length = sorted_by(&count, (0..n as u32).collect());
        let columns = sorted_by(&height, by_length);
        let mut moved = elimination_index;
        for (new, &old) in columns.iter().enumerate() {
            moved[old as usize] = new as u32;
        }
        let mut found = Self {
            perm: Vec::with_capacity(n),
            position: vec![0; n],
            parent: Vec::with_capacity(n),
            col_start: Vec::with_capacity(n + 1),
        };
        let mut end = 0;
        found.col_start.push(0);
        for (new, &old) in columns.iter().enumerate() {
            let row = order[old as usize] as usize;
            found.perm.push(row);
            found.position[row] = new;
            let parent = parent[old as usize];
            found.parent.push(moved.get(parent as usize).copied().unwrap_or(NONE));
            end += count[old as usize];
            found.col_start.push(end);
        }
        found
    }
}

/// A stable sort by small keys, which are looked up by item.
fn sorted_by(key: &[u32], items: Vec<u32>) -> Vec<u32> {
    let largest = key.iter().fold(0, |m, &k| m.max(k)) as usize;
    let mut next = vec![0u32; largest + 2];
    for &k in key {
        next[k as usize + 1] += 1;
    }
    for k in 0..largest {
        next[k + 1] += next[k];
    }
    let mut out = vec![0u32; items.len()];
    for item in items {
        let place = &mut next[key[item as usize] as usize];
        out[*place as usize] = item;
        *place += 1;
    }
    out
}

/// Columns of a factor, see `Ldl::part`.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// In ascending order, and where the entries of each begin.
    columns: Vec<u32>,
    starts: Vec<u32>,
    /// End of each run of columns of one length, and that length.
    runs: Vec<(u32, u32)>,
    work: usize,
}

/// Columns of one length.
#[derive(Clone, Copy)]
struct Run<'a> {
    columns: &'a [u32],
    starts: &'a [u32],
    len: usize,
}

impl Part {
    fn of(col_start: &[u32], columns: Vec<u32>) -> Self {
        let mut starts = Vec::with_capacity(columns.len());
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut work = columns.len();
        for (i, &k) in columns.iter().enumerate() {
            let (start, end) = (col_start[k as usize], col_start[k as usize + 1]);
            starts.push(start);
            work += (end - start) as usize;
            match runs.last_mut() {
                Some(run) if run.1 == end - start => run.0 = i as u32 + 1,
                _ => runs.push((i as u32 + 1, end - start)),
            }
        }
        Self {
            columns,
            starts,
            runs,
            work,
        }
    }

    /// Entries of the factor that a solve touches, twice.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Columns in ascending order.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    fn runs(&self) -> impl DoubleEndedIterator<Item = Run<'_>> {
        (0..self.runs.len()).map(|i| {
            let begin = if i == 0 { 0 } else { self.runs[i - 1].0 as usize };
            let (end, len) = self.runs[i];
            Run {
                columns: &self.columns[begin..end as usize],
                starts: &self.starts[begin..end as usize],
                len: len as usize,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laplacian of a w x w grid plus the identity; the solution is checked against the matrix itself.
    #[test]
    fn solves_a_grid_laplacian() {
        let w = 17;
        let n = w * w;
        let mut a = SymmetricBuilder::new(n, 0);
        let mut dense = vec![vec![0.0; n]; n];
        let mut add = |i: usize, j: usize, v: f64| {
            a.add(i, j, v);
            dense[i][j] += v;
            if i != j {
                dense[j][i] += v;
            }
        };
        for i in 0..n {
            add(i, i, 1e-3);
            for j in [(i + 1, (i + 1) % w != 0), (i + w, i + w < n)] {
                if j.1 {
                    let y = 1.0 + (i % 7) as f64;
                    add(i, i, y);
                    add(j.0, j.0, y);
                    add(i, j.0, -y);
                }
            }
        }
        let f = Ldl::factor(&a).unwrap();
        let b: Vec<f64> = (0..n).map(|i| ((i * 37) % 11) as f64 - 5.0).collect();
        let mut x = b.clone();
        f.solve(&mut x);
        for i in 0..n {
            let ax: f64 = (0..n).map(|j| dense[i][j] * x[j]).sum();
            assert!((ax - b[i]).abs() < 1e-9, "row {i}: {ax} against {}", b[i]);
        }
    }

    #[test]
    fn a_part_of_the_factor_solves_its_own_rows() {
        let n = 40;
        let mut a = SymmetricBuilder::new(n, 0);
        for i in 0..n {
            a.add(i, i, 3.0 + i as f64);
            if i > 0 {
                a.add(i, (i * 7) % i, -1.0);
            }
        }
        let f = Ldl::factor(&a).unwrap();
        let wanted = [3, 17, 31];
        let part = f.part(wanted.iter().map(|&row| f.positions()[row]));
        let (mut whole, mut x) = (vec![0.0; n], vec![0.0; n]);
        for row in wanted {
            whole[row] = 1.0 + row as f64;
            x[f.positions()[row]] = whole[row];
        }
        f.solve(&mut whole);
        f.solve_part(&part, &mut x);
        for row in wanted {
            assert_eq!(x[f.positions()[row]].to_bits(), whole[row].to_bits());
        }
        assert!(part.work() < f.fill() + n);
        let mut together = vec![[0.0; 4]; n];
        for row in wanted {
            together[f.positions()[row]] = [0.0, 1.0, 2.0, -1.0].map(|factor| factor * (1.0 + row as f64));
        }
        f.solve_part_together(&part, &mut together);
        for row in wanted {
            let x = together[f.positions()[row]];
            for (x, factor) in x.iter().zip([0.0, 1.0, 2.0, -1.0]) {
                assert!((x - factor * whole[row]).abs() <= 1e-14 * whole[row].abs());
            }
        }
    }

    #[test]
    fn names_the_singular_row() {
        let mut a = SymmetricBuilder::new(3, 0);
        a.add(0, 0, 1.0);
        a.add(1, 1, 1.0);
        assert_eq!(Ldl::factor(&a).unwrap_err(), Singular { row: 2 });
    }

    #[test]
    fn indefinite_matrices_need_no_pivoting_when_pivots_exist() {
        let mut a = SymmetricBuilder::new(2, 0);
        a.add(0, 0, -2.0);
        a.add(0, 1, 1.0);
        a.add(1, 1, 3.0);
        let f = Ldl::factor(&a).unwrap();
        let mut x = [0.0, 7.0];
        f.solve(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14, "{x:?}");
    }
}
