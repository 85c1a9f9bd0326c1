//! Sparse symmetric matrices by their entries.

/// Collects entries of a symmetric matrix; duplicates are added.
#[derive(Clone, Debug, Default)]
pub struct SymmetricBuilder {
    diagonal: Vec<f64>,
    entries: Vec<(u32, u32, f64)>,
}

impl SymmetricBuilder {
    /// An empty `n` x `n` matrix with capacity for off-diagonal entries.
    pub fn new(n: usize, entries: usize) -> Self {
        Self {
            diagonal: vec![0.0; n],
            entries: Vec::with_capacity(entries),
        }
    }

    /// Adds `value` at `(i, j)` and, by symmetry, at `(j, i)`.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        debug_assert!(i < self.diagonal.len() && j < self.diagonal.len());
        if i == j {
            self.diagonal[i] += value;
        } else {
            self.entries.push((i as u32, j as u32, value));
        }
    }

    /// The matrix by rows.
    pub(crate) fn rows(&self) -> Rows<'_> {
        let n = self.diagonal.len();
        // Counted one position further, so that filling leaves each start at its own position.
        let mut start = vec![0u32; n + 2];
        for &(i, j, _) in &self.entries {
            start[i as usize + 2] += 1;
            start[j as usize + 2] += 1;
        }
        for k in 2..n + 2 {
            start[k] += start[k - 1];
        }
        let mut columns = vec![0u32; 2 * self.entries.len()];
        let mut values = vec![0f64; 2 * self.entries.len()];
        for &(i, j, value) in &self.entries {
            for (row, column) in [(i, j), (j, i)] {
                let next = &mut start[row as usize + 1];
                columns[*next as usize] = column;
                values[*next as usize] = value;
                *next += 1;
            }
        }
        start.truncate(n + 1);
        Rows {
            diagonal: &self.diagonal,
            start,
            columns,
            values,
        }
    }
}

/// A symmetric matrix by rows: its diagonal, and its off-diagonal entries in the order of addition, including
/// duplicates.
pub(crate) struct Rows<'a> {
    pub diagonal: &'a [f64],
    pub start: Vec<u32>,
    pub columns: Vec<u32>,
    pub values: Vec<f64>,
}

impl Rows<'_> {
    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }
}
