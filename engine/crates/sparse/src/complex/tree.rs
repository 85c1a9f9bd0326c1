//! Values and factors of a matrix whose groups form trees almost everywhere.

use super::blocks::{backward, eliminate, forward, row, with_sizes, Group};
use super::ldl::{ComplexLdl, ComplexRows};
use super::tree_order::{Step, TreeOrder};
use super::{size, C};
use crate::ldl::{Singular, NONE};

/// A matrix, rows and columns in the order of elimination.
#[derive(Clone, Debug)]
pub struct TreeMatrix {
    order: TreeOrder,
    triangles: Vec<C>,
    links: Vec<C>,
    /// Entries between different groups in meshes; rows are counted from the first in a mesh, and the larger comes
    /// first.
    meshes: Vec<([u32; 2], C)>,
}

/// Factors `A = L D L^T`, with their order of elimination.
#[derive(Clone, Debug)]
pub struct TreeFactors {
    order: TreeOrder,
    triangles: Vec<C>,
    links: Vec<C>,
    meshes: ComplexLdl,
}

/// The position of an entry.
enum Place {
    Triangle(usize),
    Link(usize),
    /// Its rows, counted from the first in a mesh.
    Meshes([u32; 2]),
}

impl TreeMatrix {
    /// A matrix without entries.
    pub fn new(order: TreeOrder) -> Self {
        let end = |starts: &[u32]| starts.last().map_or(0, |end| *end as usize);
        Self {
            triangles: vec![C::default(); end(&order.triangle)],
            links: vec![C::default(); end(&order.link)],
            meshes: Vec::new(),
            order,
        }
    }

    pub fn order(&self) -> &TreeOrder {
        &self.order
    }

    /// Adds to the symmetric entry of two rows. Their groups must be equal or a pair of the order.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: C) {
        match self.place(i, j) {
            Place::Triangle(at) => self.triangles[at] += value,
            Place::Link(at) => self.links[at] += value,
            Place::Meshes(rows) => self.meshes.push((rows, value)),
        }
    }

    #[inline]
    fn place(&self, i: usize, j: usize) -> Place {
        let order = &self.order;
        let (i, j) = (i.max(j), i.min(j));
        let (a, b) = (order.group[i] as usize, order.group[j] as usize);
        let (in_a, in_b) = (i - order.first[a] as usize, j - order.first[b] as usize);
        if a == b {
            Place::Triangle(order.triangle[a] as usize + row(in_a) + in_b)
        } else if b < order.parent.len() {
            debug_assert_eq!(order.parent[b] as usize, a, "a pair of groups that is not in the order");
            let (_, width) = sizes(order, a);
            Place::Link(order.link[b] as usize + in_b * width + in_a)
        } else {
            let first = order.first_in_meshes();
            Place::Meshes([i, j].map(|k| (k - first) as u32))
        }
    }

    /// Factors the matrix. A pivot smaller than `smallest_ratio` times its original diagonal entry is rejected as a
    /// rounding error.
    ///
    /// # Errors
    /// The caller's row whose pivot is rejected.
    pub fn factor(mut self, smallest_ratio: f64) -> Result<TreeFactors, Singular> {
        let mut smallest = Vec::with_capacity(self.order.len());
        for (k, &group) in self.order.group.iter().enumerate() {
            let group = group as usize;
            let own =
                self.triangles[self.order.triangle[group] as usize + row(k - self.order.first[group] as usize + 1) - 1];
            smallest.push(smallest_ratio * size(own));
        }
        let order = &self.order;
        for (g, &parent) in order.parent.iter().enumerate() {
            let (first, n) = sizes(order, g);
            let (own, rest) = self.triangles.split_at_mut(order.triangle[g + 1] as usize);
            let triangle = &mut own[order.triangle[g] as usize..];
            let link = &mut self.links[order.link[g] as usize..order.link[g + 1] as usize];
            let smallest = &smallest[first..first + n];
            let (above, p) = match parent {
                NONE => (0, 0),
                above => (above as usize, sizes(order, above as usize).1),
            };
            let above = match p {
                0 => &mut rest[..0],
                _ => &mut rest[(order.triangle[above] - order.triangle[g + 1]) as usize..],
            };
            with_sizes!(n, p, eliminate(triangle, link, above, smallest, (n, p))).map_err(|k| Singular {
                row: order.order[first + k] as usize,
            })?;
        }
        let meshes = self.factored_meshes(&smallest)?;
        Ok(TreeFactors {
            order: self.order,
            triangles: self.triangles,
            links: self.links,
            meshes,
        })
    }

    /// Factors the meshes that remain after elimination of the trees.
    fn factored_meshes(&self, smallest: &[f64]) -> Result<ComplexLdl, Singular> {
        let order = &self.order;
        let Some(pattern) = &order.meshes else {
            return Ok(ComplexLdl::default());
        };
        let base = order.first_in_meshes();
        let trees = order.parent.len();
        let mut entries = self.meshes.clone();
        for g in trees..order.first.len() - 1 {
            let (first, n) = sizes(order, g);
            let triangle = &self.triangles[order.triangle[g] as usize..];
            for i in 0..n {
                for j in 0..=i {
                    let place = [i, j].map(|k| (first - base + k) as u32);
                    entries.push((place, triangle[row(i) + j]));
                }
            }
        }
        // Sorted by rows; entries of a row keep their order.
        entries.sort_by_key(|(place, _)| place[0]);
        let rows = order.len() - base;
        let start: Vec<u32> = (0..=rows)
            .map(|k| entries.partition_point(|(place, _)| (place[0] as usize) < k) as u32)
            .collect();
        let columns: Vec<u32> = entries.iter().map(|(place, _)| place[1]).collect();
        let values: Vec<C> = entries.iter().map(|(_, value)| *value).collect();
        let matrix = ComplexRows {
            start: &start,
            columns: &columns,
            values: &values,
        };
        ComplexLdl::factor(pattern, &matrix, &smallest[base..]).map_err(|k| Singular {
            row: order.order[base + k] as usize,
        })
    }
}

/// First row of a group, and its number of rows.
#[inline(always)]
fn sizes(order: &TreeOrder, group: usize) -> (usize, usize) {
    let first = order.first[group] as usize;
    (first, order.first[group + 1] as usize - first)
}

impl TreeFactors {
    pub fn order(&self) -> &TreeOrder {
        &self.order
    }

    /// Solves `A x = b` in place, in the order of elimination.
    pub fn solve(&self, x: &mut [C]) {
        for step in &self.order.steps {
            let (group, own, above) = self.group(step, x);
            let (n, p) = group.sizes;
            with_sizes!(n, p, forward(group, own, above));
        }
        if let Some(pattern) = &self.order.meshes {
            self.meshes.solve(pattern, &mut x[self.order.first_in_meshes()..]);
        }
        for step in self.order.steps.iter().rev() {
            let (group, own, above) = self.group(step, x);
            let (n, p) = group.sizes;
            with_sizes!(n, p, backward(group, own, above));
        }
    }

    /// A group of a tree, with the values of its rows and of its parent's.
    #[inline(always)]
    fn group<'a>(&self, step: &Step, x: &'a mut [C]) -> (Group<'_>, &'a mut [C], &'a mut [C]) {
        let [first, above, triangle, link, n, p] = [
            step.first,
            step.above,
            step.triangle,
            step.link,
            step.rows,
            step.rows_above,
        ]
        .map(|k| k as usize);
        let (own, rest) = x.split_at_mut(first + n);
        let group = Group {
            triangle: &self.triangles[triangle..triangle + row(n)],
            link: &self.links[link..link + n * p],
            sizes: (n, p),
        };
        (group, &mut own[first..], &mut rest[above - first - n..][..p])
    }
}
