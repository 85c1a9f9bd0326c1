//! Order of elimination, elimination tree and column counts.

use super::NONE;
use crate::order::fill_reducing_order;
use crate::symmetric::Rows;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Order of elimination, elimination tree and column counts of a factor.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub perm: Vec<usize>,
    pub position: Vec<usize>,
    pub parent: Vec<u32>,
    pub col_start: Vec<u32>,
}

/// Orders of elimination of the matrices that were factored last, the latest first. They are functions of the patterns
/// alone, so that a factor has the same bits with and without them.
#[derive(Debug, Default)]
pub struct Orders(Mutex<VecDeque<(Pattern, Shape)>>);

/// Patterns that are stored.
const STORED: usize = 4;

impl Orders {
    pub(super) fn shape(&self, matrix: &Rows) -> Shape {
        let stored = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pattern = Pattern::of(matrix);
        if let Some((_, shape)) = stored().iter().find(|(known, _)| *known == pattern) {
            return shape.clone();
        }
        let shape = Shape::of(matrix);
        let mut stored = stored();
        stored.push_front((pattern, shape.clone()));
        stored.truncate(STORED);
        shape
    }
}

/// The columns of each row without duplicates, in the order of their first entries.
#[derive(Debug, PartialEq)]
struct Pattern {
    lengths: Vec<u32>,
    columns: Vec<u32>,
}

impl Pattern {
    fn of(matrix: &Rows) -> Self {
        let n = matrix.len();
        let mut seen_from = vec![NONE; n];
        let (mut lengths, mut columns) = (Vec::with_capacity(n), Vec::with_capacity(matrix.columns.len()));
        for row in 0..n {
            let before = columns.len();
            for &column in &matrix.columns[matrix.range(row)] {
                if std::mem::replace(&mut seen_from[column as usize], row as u32) != row as u32 {
                    columns.push(column);
                }
            }
            lengths.push((columns.len() - before) as u32);
        }
        Self { lengths, columns }
    }
}

impl Shape {
    pub fn of(matrix: &Rows) -> Self {
        Self::in_order(matrix, fill_reducing_order(matrix))
    }

    /// The shape in an order of elimination by row.
    pub fn in_order(matrix: &Rows, order: Vec<u32>) -> Self {
        let n = matrix.len();
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
        // Columns by height and then by length. Any order in which every column precedes its parent has the same fill.
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

/// A stable sort by small keys, indexed by item.
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
