//! LDL^T of a sparse symmetric matrix, without pivoting (Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006,
//! section 4.8, the up-looking variant of his LDL package), ordered by approximate minimum degree.

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

/// Collects entries of a symmetric matrix; duplicates add up.
#[derive(Clone, Debug, Default)]
pub struct SymmetricBuilder {
    n: usize,
    entries: Vec<(usize, usize, f64)>,
}

impl SymmetricBuilder {
    /// An empty `n` x `n` matrix.
    pub fn new(n: usize) -> Self {
        Self { n, entries: Vec::new() }
    }

    /// Adds `value` at `(i, j)` and, by symmetry, at `(j, i)`.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        debug_assert!(i < self.n && j < self.n);
        self.entries.push(if i <= j { (j, i, value) } else { (i, j, value) });
    }

    /// Upper triangle by columns, rows ascending: `(column starts, rows, values)`.
    fn upper_columns(&self) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
        let mut entries = self.entries.clone();
        for d in 0..self.n {
            entries.push((d, d, 0.0));
        }
        // A stable sort keeps duplicates in the order they were added, so sums have one order everywhere.
        entries.sort_by_key(|&(col, row, _)| (col, row));
        let mut starts = vec![0; self.n + 1];
        let (mut rows, mut values): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut last = None;
        for (col, row, value) in entries {
            if last == Some((col, row)) {
                if let Some(v) = values.last_mut() {
                    *v += value;
                }
            } else {
                rows.push(row);
                values.push(value);
                starts[col + 1] = rows.len();
                last = Some((col, row));
            }
        }
        (starts, rows, values)
    }
}

/// Factors `P A P' = L D L'`.
#[derive(Clone, Debug)]
pub struct Ldl {
    n: usize,
    /// `perm[k]` is the caller's row that is eliminated k-th.
    perm: Vec<usize>,
    /// `position[row]` is the place of the caller's row in the order of elimination.
    position: Vec<usize>,
    col_start: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    d_inv: Vec<f64>,
}

const NONE: usize = usize::MAX;

impl Ldl {
    /// Orders and factors. Fails with the caller's row where a pivot vanishes or is not finite.
    pub fn factor(matrix: &SymmetricBuilder) -> Result<Self, Singular> {
        let n = matrix.n;
        let (ap, ai, ax) = matrix.upper_columns();
        let perm = minimum_degree(n, &ap, &ai);
        let (cp, ci, cx) = permute_upper(n, &ap, &ai, &ax, &perm);

        // Elimination tree and column counts.
        let mut parent = vec![NONE; n];
        let mut flag = vec![NONE; n];
        let mut count = vec![0usize; n];
        for k in 0..n {
            flag[k] = k;
            for &row in &ci[cp[k]..cp[k + 1]] {
                let mut i = row;
                while flag[i] != k {
                    if parent[i] == NONE {
                        parent[i] = k;
                    }
                    count[i] += 1;
                    flag[i] = k;
                    i = parent[i];
                }
            }
        }
        let mut col_start = vec![0usize; n + 1];
        for k in 0..n {
            col_start[k + 1] = col_start[k] + count[k];
        }

        // Numeric factorisation, one row of L at a time.
        let nnz = col_start[n];
        let (mut rows, mut values) = (vec![0u32; nnz], vec![0f64; nnz]);
        let mut next = col_start[..n].to_vec();
        let (mut y, mut d, mut d_inv) = (vec![0f64; n], vec![0f64; n], vec![0f64; n]);
        let mut pattern = vec![0usize; n];
        flag.fill(NONE);
        for k in 0..n {
            let mut top = n;
            flag[k] = k;
            let mut diagonal = 0.0;
            let mut scale = 0.0f64;
            for p in cp[k]..cp[k + 1] {
                let (mut i, value) = (ci[p], cx[p]);
                if i == k {
                    diagonal += value;
                    scale = scale.max(value.abs());
                    continue;
                }
                y[i] += value;
                let mut len = 0;
                while flag[i] != k {
                    pattern[len] = i;
                    len += 1;
                    flag[i] = k;
                    i = parent[i];
                }
                while len > 0 {
                    len -= 1;
                    top -= 1;
                    pattern[top] = pattern[len];
                }
            }
            for &i in &pattern[top..n] {
                let yi = y[i];
                y[i] = 0.0;
                for p in col_start[i]..next[i] {
                    y[rows[p] as usize] -= values[p] * yi;
                }
                let l = yi * d_inv[i];
                diagonal -= l * yi;
                scale = scale.max((l * yi).abs());
                rows[next[i]] = k as u32;
                values[next[i]] = l;
                next[i] += 1;
            }
            if !diagonal.is_finite() || diagonal.abs() <= 1e-13 * scale {
                return Err(Singular { row: perm[k] });
            }
            d[k] = diagonal;
            d_inv[k] = 1.0 / diagonal;
        }
        let mut position = vec![0; n];
        for (k, &row) in perm.iter().enumerate() {
            position[row] = k;
        }
        Ok(Self {
            n,
            perm,
            position,
            col_start,
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
        for k in 0..self.n {
            self.forward(k, x);
        }
        for k in (0..self.n).rev() {
            self.backward(k, x);
        }
    }

    /// The part of the factor that matters where the right-hand side is zero and the solution unread outside `places`
    /// (in the order of elimination): they and their ancestors in the elimination tree (Gilbert, SIAM J. Matrix Anal.
    /// Appl. 15 (1994)).
    pub fn part(&self, places: impl Iterator<Item = usize>) -> Part {
        let mut wanted = vec![false; self.n];
        for place in places {
            let mut k = place;
            while !wanted[k] {
                wanted[k] = true;
                match self.rows.get(self.col_start[k]) {
                    Some(&parent) if self.col_start[k] < self.col_start[k + 1] => k = parent as usize,
                    _ => break,
                }
            }
        }
        let columns: Vec<u32> = (0..self.n as u32).filter(|&k| wanted[k as usize]).collect();
        let size = |&k: &u32| self.col_start[k as usize + 1] - self.col_start[k as usize];
        Part {
            work: columns.iter().map(size).sum::<usize>() + columns.len(),
            columns,
        }
    }

    /// As `solve_ordered`, on a part of the factor: entries of `x` outside it are neither read nor written.
    pub fn solve_part(&self, part: &Part, x: &mut [f64]) {
        for &k in &part.columns {
            self.forward(k as usize, x);
        }
        for &k in part.columns.iter().rev() {
            self.backward(k as usize, x);
        }
    }

    #[inline]
    fn forward(&self, k: usize, x: &mut [f64]) {
        let xk = x[k];
        if xk != 0.0 {
            let column = self.col_start[k]..self.col_start[k + 1];
            for (&row, &value) in self.rows[column.clone()].iter().zip(&self.values[column]) {
                x[row as usize] -= value * xk;
            }
        }
    }

    #[inline]
    fn backward(&self, k: usize, x: &mut [f64]) {
        let column = self.col_start[k]..self.col_start[k + 1];
        let (rows, values) = (&self.rows[column.clone()], &self.values[column]);
        // Two partial sums: one order everywhere, and shorter dependency chains.
        let (mut even, mut odd) = (x[k] * self.d_inv[k], 0.0);
        let (mut r, mut v) = (rows.chunks_exact(2), values.chunks_exact(2));
        for (r, v) in (&mut r).zip(&mut v) {
            even -= v[0] * x[r[0] as usize];
            odd -= v[1] * x[r[1] as usize];
        }
        if let (Some(&r), Some(&v)) = (r.remainder().first(), v.remainder().first()) {
            even -= v * x[r as usize];
        }
        x[k] = even + odd;
    }

    /// As `solve_part` for several right-hand sides at once, interleaved: the factor is read once for all.
    pub fn solve_part_together(&self, part: &Part, x: &mut [[f64; TOGETHER]]) {
        for &k in &part.columns {
            let k = k as usize;
            let xk = x[k];
            if xk != [0.0; TOGETHER] {
                let column = self.col_start[k]..self.col_start[k + 1];
                for (&row, &value) in self.rows[column.clone()].iter().zip(&self.values[column]) {
                    let target = &mut x[row as usize];
                    for i in 0..TOGETHER {
                        target[i] -= value * xk[i];
                    }
                }
            }
        }
        for &k in part.columns.iter().rev() {
            let k = k as usize;
            let mut sum = x[k].map(|x| x * self.d_inv[k]);
            let column = self.col_start[k]..self.col_start[k + 1];
            for (&row, &value) in self.rows[column.clone()].iter().zip(&self.values[column]) {
                let source = &x[row as usize];
                for i in 0..TOGETHER {
                    sum[i] -= value * source[i];
                }
            }
            x[k] = sum;
        }
    }
}

/// Right-hand sides that `solve_part_together` takes.
pub const TOGETHER: usize = 4;

/// Columns of a factor, see `Ldl::part`.
#[derive(Clone, Debug, Default)]
pub struct Part {
    columns: Vec<u32>,
    work: usize,
}

impl Part {
    /// Entries of the factor that a solve touches, twice.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Columns in ascending order.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }
}

/// Fill-reducing order. `amd` only fails on malformed input, which `upper_columns` cannot produce; the natural order is then
/// still correct.
fn minimum_degree(n: usize, ap: &[usize], ai: &[usize]) -> Vec<usize> {
    if n == 0 {
        return Vec::new();
    }
    match amd::order(n, ap, ai, &amd::Control::default()) {
        Ok((perm, _, _)) => perm,
        Err(_) => (0..n).collect(),
    }
}

/// Upper triangle of `P A P'` by columns.
fn permute_upper(
    n: usize,
    ap: &[usize],
    ai: &[usize],
    ax: &[f64],
    perm: &[usize],
) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
    let mut inverse = vec![0; n];
    for (k, &row) in perm.iter().enumerate() {
        inverse[row] = k;
    }
    let mut starts = vec![0; n + 1];
    for j in 0..n {
        for &i in &ai[ap[j]..ap[j + 1]] {
            starts[inverse[i].max(inverse[j]) + 1] += 1;
        }
    }
    for k in 0..n {
        starts[k + 1] += starts[k];
    }
    let mut next = starts[..n].to_vec();
    let (mut rows, mut values) = (vec![0; ai.len()], vec![0.0; ai.len()]);
    for j in 0..n {
        for p in ap[j]..ap[j + 1] {
            let (a, b) = (inverse[ai[p]], inverse[j]);
            let q = &mut next[a.max(b)];
            rows[*q] = a.min(b);
            values[*q] = ax[p];
            *q += 1;
        }
    }
    (starts, rows, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laplacian of a w x w grid plus the identity; the solution is checked against the matrix itself.
    #[test]
    fn solves_a_grid_laplacian() {
        let w = 17;
        let n = w * w;
        let mut a = SymmetricBuilder::new(n);
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
        let mut a = SymmetricBuilder::new(n);
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
        let mut together = vec![[0.0; TOGETHER]; n];
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
        let mut a = SymmetricBuilder::new(3);
        a.add(0, 0, 1.0);
        a.add(1, 1, 1.0);
        assert_eq!(Ldl::factor(&a).unwrap_err(), Singular { row: 2 });
    }

    #[test]
    fn indefinite_matrices_need_no_pivoting_when_pivots_exist() {
        let mut a = SymmetricBuilder::new(2);
        a.add(0, 0, -2.0);
        a.add(0, 1, 1.0);
        a.add(1, 1, 3.0);
        let f = Ldl::factor(&a).unwrap();
        let mut x = [0.0, 7.0];
        f.solve(&mut x);
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14, "{x:?}");
    }
}
