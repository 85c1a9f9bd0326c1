//! Sparse symmetric matrices by their entries, and orders for their elimination.

/// Collects entries of a symmetric matrix; duplicates add up.
#[derive(Clone, Debug, Default)]
pub struct SymmetricBuilder {
    pub(crate) n: usize,
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
    pub(crate) fn upper_columns(&self) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
        // Scattered by column in the order they were added, the diagonal last; columns are short, so an insertion sort by row
        // is quick, and as it is stable, sums of duplicates have one order everywhere.
        let mut first = vec![0usize; self.n + 1];
        for &(col, _, _) in &self.entries {
            first[col + 1] += 1;
        }
        for col in 0..self.n {
            first[col + 1] += first[col] + 1;
        }
        let mut next = first[..self.n].to_vec();
        let mut scattered = vec![(0u32, 0.0f64); first[self.n]];
        for &(col, row, value) in &self.entries {
            scattered[next[col]] = (row as u32, value);
            next[col] += 1;
        }
        let mut starts = Vec::with_capacity(self.n + 1);
        let mut rows = Vec::with_capacity(scattered.len());
        let mut values = Vec::with_capacity(scattered.len());
        starts.push(0);
        for col in 0..self.n {
            let column = &mut scattered[first[col]..first[col + 1]];
            if let Some(diagonal) = column.last_mut() {
                *diagonal = (col as u32, 0.0);
            }
            if column.len() <= 32 {
                for i in 1..column.len() {
                    let entry = column[i];
                    let mut at = i;
                    while at > 0 && column[at - 1].0 > entry.0 {
                        column[at] = column[at - 1];
                        at -= 1;
                    }
                    column[at] = entry;
                }
            } else {
                column.sort_by_key(|entry| entry.0);
            }
            let mut last = None;
            for &(row, value) in column.iter() {
                match (last == Some(row), values.last_mut()) {
                    (true, Some(sum)) => *sum += value,
                    _ => {
                        rows.push(row as usize);
                        values.push(value);
                    }
                }
                last = Some(row);
            }
            starts.push(rows.len());
        }
        (starts, rows, values)
    }
}

/// Fill-reducing order. `amd` only fails on malformed input, which `upper_columns` cannot produce; the natural order is then
/// still correct.
pub(crate) fn minimum_degree(n: usize, ap: &[usize], ai: &[usize]) -> Vec<usize> {
    if n == 0 {
        return Vec::new();
    }
    match amd::order(n, ap, ai, &amd::Control::default()) {
        Ok((perm, _, _)) => perm,
        Err(_) => (0..n).collect(),
    }
}

/// Upper triangle of `P A P'` by columns.
pub(crate) fn permute_upper(
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
