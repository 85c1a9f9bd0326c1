//! Patterns of the factors, analysed once for all values.

use crate::ldl::NONE;
use crate::order::fill_reducing_order;
use crate::symmetric::SymmetricBuilder;

/// Order of elimination and patterns of the factors.
#[derive(Clone, Debug)]
pub struct BlockPattern {
    /// The caller's row that is eliminated k-th.
    pub(super) order: Vec<u32>,
    /// Off-diagonal columns of L, ascending in each row.
    pub(super) lower: Rows,
    /// Off-diagonal columns of U, ascending in each row: the transposed pattern of L.
    pub(super) upper: Rows,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub start: Vec<u32>,
    pub columns: Vec<u32>,
}

impl Rows {
    /// An empty pattern with capacity for the starts of `n` rows.
    fn with_room(n: usize) -> Self {
        let mut start = Vec::with_capacity(n + 1);
        start.push(0);
        Self {
            start,
            columns: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }
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

    /// `new` for a matrix in which two groups of rows are either fully coupled or not at all. `pairs` are pairs of
    /// groups, `group` is that of each row, counted from zero. Order and patterns are found on the smaller graph of
    /// groups.
    pub fn grouped(pairs: &[(usize, usize)], group: &[u32]) -> Self {
        let n_groups = group.iter().map(|g| *g as usize + 1).max().unwrap_or(0);
        let groups = Self::new(n_groups, pairs);
        // Rows of each group, one group after the other in the order of elimination.
        let place = inverse(&groups.order);
        let mut start = vec![0u32; n_groups + 2];
        for &g in group {
            start[place[g as usize] as usize + 2] += 1;
        }
        for k in 2..n_groups + 2 {
            start[k] += start[k - 1];
        }
        let mut order = vec![0u32; group.len()];
        for (row, &g) in group.iter().enumerate() {
            let next = &mut start[place[g as usize] as usize + 1];
            order[*next as usize] = row as u32;
            *next += 1;
        }
        let (mut lower, mut upper) = (Rows::with_room(group.len()), Rows::with_room(group.len()));
        for k in 0..n_groups {
            let own = start[k]..start[k + 1];
            for row in own.clone() {
                for &before in &groups.lower.columns[groups.lower.range(k)] {
                    lower.columns.extend(start[before as usize]..start[before as usize + 1]);
                }
                lower.columns.extend(own.start..row);
                lower.start.push(lower.columns.len() as u32);
                upper.columns.extend(row + 1..own.end);
                for &after in &groups.upper.columns[groups.upper.range(k)] {
                    upper.columns.extend(start[after as usize]..start[after as usize + 1]);
                }
                upper.start.push(upper.columns.len() as u32);
            }
        }
        Self { order, lower, upper }
    }

    /// Patterns of the factors of a matrix whose rows are eliminated in a fill-reducing order.
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
        // Subtrees are contiguous, so that a row reads recently written values.
        let post = postorder(&parent);
        let order: Vec<u32> = post.iter().map(|&k| by_degree[k as usize]).collect();
        elimination_index = inverse(&order);
        let moved = inverse(&post);
        let parent: Vec<u32> = post
            .iter()
            .map(|&k| moved.get(parent[k as usize] as usize).copied().unwrap_or(NONE))
            .collect();

        let mut lower = Rows::with_room(n);
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

    /// Number of rows and columns, in blocks.
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

    /// Off-diagonal columns of L in a row.
    #[inline(always)]
    pub(crate) fn lower(&self, row: usize) -> &[u32] {
        &self.lower.columns[self.lower.range(row)]
    }

    /// Positions of a row of the upper triangle among all entries, and their columns.
    #[inline(always)]
    pub(crate) fn upper(&self, row: usize) -> (std::ops::Range<usize>, &[u32]) {
        let range = self.upper.range(row);
        (range.clone(), &self.upper.columns[range])
    }

    /// Number of off-diagonal blocks of L.
    pub fn fill(&self) -> usize {
        self.lower.columns.len()
    }
}

/// Position of each item of a permutation.
pub(super) fn inverse(order: &[u32]) -> Vec<u32> {
    let mut elimination_index = vec![0; order.len()];
    for (k, &item) in order.iter().enumerate() {
        elimination_index[item as usize] = k as u32;
    }
    elimination_index
}

/// The nodes of a forest in postorder: children before their parent, and subtrees contiguous.
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
