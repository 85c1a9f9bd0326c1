//! Fill-reducing orders of elimination of sparse symmetric matrices.
//!
//! Rows with at most two neighbours are eliminated first: they have the least degree throughout and need no search, and
//! in power systems they are two thirds of all rows. The rest is ordered by approximate minimum degree (Amestoy, Davis
//! and Duff, SIAM J. Matrix Anal. Appl. 17 (1996)).

use crate::symmetric::Rows;

/// Rows with at most this many neighbours are eliminated first.
const FEW: u32 = 2;

/// The rows of a matrix in a fill-reducing order of elimination.
pub(crate) fn fill_reducing_order(matrix: &Rows) -> Vec<u32> {
    let mut graph = Graph::new(matrix);
    let mut order = graph.eliminate_few();
    graph.order_rest(&mut order);
    order
}

/// Pairs beside a row with a longer list than this, which would be searched too often, are left to the general method.
const LONG: usize = 200;

/// Neighbours of each row; eliminated ones remain in the lists and are skipped.
struct Graph<'a> {
    start: &'a [u32],
    neighbours: Vec<u32>,
    /// End of each list after removal of duplicates.
    end: Vec<u32>,
    /// Number of remaining neighbours.
    degree: Vec<u32>,
    is_gone: Vec<bool>,
}

impl<'a> Graph<'a> {
    fn new(matrix: &'a Rows) -> Self {
        let n = matrix.len();
        let mut neighbours = matrix.columns.clone();
        let mut end = vec![0u32; n];
        let mut degree = vec![0u32; n];
        let mut seen_from = vec![u32::MAX; n];
        for row in 0..n {
            let range = matrix.range(row);
            let first = range.start;
            let mut to = first;
            for from in range {
                let column = neighbours[from];
                if std::mem::replace(&mut seen_from[column as usize], row as u32) != row as u32 {
                    neighbours[to] = column;
                    to += 1;
                }
            }
            end[row] = to as u32;
            degree[row] = (to - first) as u32;
        }
        Self {
            start: &matrix.start,
            neighbours,
            end,
            degree,
            is_gone: vec![false; n],
        }
    }

    fn range(&self, row: u32) -> std::ops::Range<usize> {
        self.start[row as usize] as usize..self.end[row as usize] as usize
    }

    /// Remaining neighbours.
    fn left(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        let all = self.neighbours[self.range(row)].iter().copied();
        all.filter(|&other| !self.is_gone[other as usize])
    }

    /// Replaces an eliminated neighbour by another.
    fn replace(&mut self, row: u32, gone: u32, by: u32) {
        let range = self.range(row);
        if let Some(entry) = self.neighbours[range].iter_mut().find(|other| **other == gone) {
            *entry = by;
        }
    }

    /// Repeatedly eliminates rows with few neighbours in the order of a queue, so that dependency chains remain short.
    fn eliminate_few(&mut self) -> Vec<u32> {
        let n = self.degree.len();
        let mut order = Vec::with_capacity(n);
        let mut queue: Vec<u32> = (0..n as u32).filter(|&row| self.degree[row as usize] <= FEW).collect();
        let mut next = 0;
        while let Some(&row) = queue.get(next) {
            next += 1;
            let mut left = self.left(row);
            let (a, b) = (left.next(), left.next());
            drop(left);
            if self.degree[row as usize] == FEW && [a, b].into_iter().flatten().any(|o| self.range(o).len() > LONG) {
                continue;
            }
            self.is_gone[row as usize] = true;
            order.push(row);
            let Some(a) = a else { continue };
            let joined = b.is_some_and(|b| {
                let (short, other) = if self.range(a).len() <= self.range(b).len() {
                    (a, b)
                } else {
                    (b, a)
                };
                self.neighbours[self.range(short)].contains(&other)
            });
            match b {
                // The pair become neighbours of each other.
                Some(b) if !joined => {
                    self.replace(a, row, b);
                    self.replace(b, row, a);
                }
                _ => {
                    for other in [Some(a), b].into_iter().flatten() {
                        let degree = &mut self.degree[other as usize];
                        *degree -= 1;
                        // With more neighbours they were not in the queue, with fewer they are already.
                        if *degree == FEW {
                            queue.push(other);
                        }
                    }
                }
            }
        }
        order
    }

    /// Appends the remaining rows by approximate minimum degree.
    fn order_rest(&self, order: &mut Vec<u32>) {
        let n = self.degree.len();
        let rest: Vec<u32> = (0..n as u32).filter(|&row| !self.is_gone[row as usize]).collect();
        if rest.is_empty() {
            return;
        }
        let mut elimination_index = vec![0u32; n];
        for (k, &row) in rest.iter().enumerate() {
            elimination_index[row as usize] = k as u32;
        }
        // The upper triangle by columns.
        let mut starts = Vec::with_capacity(rest.len() + 1);
        let mut rows: Vec<usize> = Vec::with_capacity(self.neighbours.len());
        starts.push(0);
        for (k, &row) in rest.iter().enumerate() {
            let first = rows.len();
            let above = self.left(row).map(|other| elimination_index[other as usize] as usize);
            rows.extend(above.filter(|&other| other < k));
            rows[first..].sort_unstable();
            starts.push(rows.len());
        }
        // It only fails on malformed input, which this is not; in that case any order is correct.
        match amd::order(rest.len(), &starts, &rows, &amd::Control::default()) {
            Ok((found, _, _)) => order.extend(found.into_iter().map(|k| rest[k])),
            Err(_) => order.extend(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetric::SymmetricBuilder;

    fn order(n: usize, pairs: &[(usize, usize)]) -> Vec<u32> {
        let mut matrix = SymmetricBuilder::new(n, pairs.len());
        for &(i, j) in pairs {
            matrix.add(i, j, -1.0);
        }
        fill_reducing_order(&matrix.rows())
    }

    #[test]
    fn every_row_comes_once_and_rows_with_few_neighbours_first() {
        // A complete graph of five with a path between two of its rows and a double line to a leaf.
        let mut pairs = vec![(0, 5), (5, 6), (6, 1), (4, 7), (7, 4)];
        for i in 0..5 {
            pairs.extend((0..i).map(|j| (i, j)));
        }
        let found = order(8, &pairs);
        let mut first: Vec<u32> = found[..3].to_vec();
        first.sort_unstable();
        assert_eq!(first, [5, 6, 7]);
        let mut all = found.clone();
        all.sort_unstable();
        assert_eq!(all, (0..8).collect::<Vec<u32>>());
    }

    #[test]
    fn a_ring_with_chords_is_eliminated_to_the_end() {
        let n = 30;
        let mut pairs: Vec<(usize, usize)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        pairs.push((0, 10));
        let found = order(n, &pairs);
        assert_eq!(found.len(), n);
        assert!(order(0, &[]).is_empty());
        assert_eq!(order(3, &[]), [0, 1, 2]);
    }
}
