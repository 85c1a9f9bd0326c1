//! Parts of a factor, as runs of columns of equal length.

/// Columns of a factor, see `Ldl::part`.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// In ascending order, with the start of each column's entries.
    columns: Vec<u32>,
    starts: Vec<u32>,
    /// End of each run of columns of equal length, and that length.
    runs: Vec<(u32, u32)>,
    work: usize,
}

/// Columns of equal length.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub columns: &'a [u32],
    pub starts: &'a [u32],
    pub len: usize,
}

impl Part {
    pub(super) fn of(col_start: &[u32], columns: Vec<u32>) -> Self {
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

    /// Number of entries of the factor that a solve accesses, twice.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Columns in ascending order.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    #[inline]
    pub(super) fn runs(&self) -> impl DoubleEndedIterator<Item = Run<'_>> {
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
