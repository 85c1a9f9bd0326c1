//! The order of elimination of groups that form trees, and of the meshes between them.

use crate::block_lu::BlockPattern;
use crate::ldl::NONE;

/// Order of elimination: groups of trees, each before its parent, followed by groups in meshes.
#[derive(Clone, Debug)]
pub struct TreeOrder {
    /// The caller's row that is eliminated k-th.
    pub(super) order: Vec<u32>,
    /// By row in the order of elimination: its group, counted in this order too.
    pub(super) group: Vec<u32>,
    /// First row of each group, followed by the end of the last.
    pub(super) first: Vec<u32>,
    /// By group of a tree: its parent, `NONE` for a root. Groups in meshes have no entry.
    pub(super) parent: Vec<u32>,
    /// Start of each group's lower triangle, followed by the end of the last.
    pub(super) triangle: Vec<u32>,
    /// Start of the entries between each group of a tree and its parent, followed by the end of the last.
    pub(super) link: Vec<u32>,
    /// By group of a tree: the data for its elimination.
    pub(super) steps: Vec<Step>,
    /// The meshes, if there are any: their rows are the last ones, in the pattern's order.
    pub(super) meshes: Option<BlockPattern>,
}

/// A group of a tree and its parent: their starts and sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub first: u32,
    /// First row of the parent; without a parent, the group's own end.
    pub above: u32,
    pub triangle: u32,
    pub link: u32,
    pub rows: u32,
    pub rows_above: u32,
}

impl TreeOrder {
    /// Analyses a matrix in which two groups of rows are either fully coupled or not at all. `pairs` are pairs of
    /// groups, duplicates allowed; `group` is that of each row, counted from zero, without empty groups.
    pub fn new(pairs: &[(usize, usize)], group: &[u32]) -> Self {
        let count = group.iter().map(|g| *g as usize + 1).max().unwrap_or(0);
        let Peeled { mut groups, parent } = peel(count, pairs);
        let trees = groups.len();
        let mut meshes = None;
        if trees < count {
            let (pattern, more) = analysed(pairs, group, &groups, count);
            groups.extend(more);
            meshes = Some(pattern);
        }
        let mut place = vec![NONE; count];
        for (k, &g) in groups.iter().enumerate() {
            place[g as usize] = k as u32;
        }

        // Rows of each group, one group after the other.
        let mut first = vec![0u32; count + 2];
        for &g in group {
            first[place[g as usize] as usize + 2] += 1;
        }
        for k in 2..count + 2 {
            first[k] += first[k - 1];
        }
        let (mut order, mut group_of) = (vec![0u32; group.len()], vec![0u32; group.len()]);
        for (row, &g) in group.iter().enumerate() {
            let own = place[g as usize];
            let next = &mut first[own as usize + 1];
            order[*next as usize] = row as u32;
            group_of[*next as usize] = own;
            *next += 1;
        }
        first.truncate(count + 1);

        let size = |g: usize| first[g + 1] - first[g];
        let parent: Vec<u32> = groups[..trees]
            .iter()
            .map(|&g| match parent[g as usize] {
                NONE => NONE,
                above => place[above as usize],
            })
            .collect();
        let mut triangle = Vec::with_capacity(count + 1);
        triangle.push(0);
        triangle.extend((0..count).scan(0, |end, g| {
            *end += size(g) * (size(g) + 1) / 2;
            Some(*end)
        }));
        let mut link = Vec::with_capacity(trees + 1);
        link.push(0);
        link.extend(parent.iter().enumerate().scan(0, |end, (g, &above)| {
            if above != NONE {
                *end += size(g) * size(above as usize);
            }
            Some(*end)
        }));
        let steps = parent.iter().enumerate().map(|(g, &above)| Step {
            first: first[g],
            above: if above == NONE {
                first[g + 1]
            } else {
                first[above as usize]
            },
            triangle: triangle[g],
            link: link[g],
            rows: size(g),
            rows_above: if above == NONE { 0 } else { size(above as usize) },
        });
        Self {
            steps: steps.collect(),
            order,
            group: group_of,
            first,
            parent,
            triangle,
            link,
            meshes,
        }
    }

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

    /// First row in a mesh.
    pub(super) fn first_in_meshes(&self) -> usize {
        self.first[self.parent.len()] as usize
    }
}

/// Groups of trees, each before its parent, and the parent of every group.
struct Peeled {
    groups: Vec<u32>,
    parent: Vec<u32>,
}

/// Repeatedly removes groups with at most one neighbour.
fn peel(count: usize, pairs: &[(usize, usize)]) -> Peeled {
    let mut start = vec![0u32; count + 2];
    for &(i, j) in pairs {
        start[i + 2] += 1;
        start[j + 2] += 1;
    }
    for k in 2..count + 2 {
        start[k] += start[k - 1];
    }
    let mut neighbours = vec![0u32; 2 * pairs.len()];
    for &(i, j) in pairs {
        for (own, other) in [(i, j), (j, i)] {
            let next = &mut start[own + 1];
            neighbours[*next as usize] = other as u32;
            *next += 1;
        }
    }
    // Number of distinct remaining neighbours, and their exclusive or, which for a single one is the neighbour itself.
    let (mut degree, mut left) = (vec![0u32; count], vec![0u32; count]);
    let mut seen_from = vec![NONE; count];
    for own in 0..count {
        seen_from[own] = own as u32;
        for &other in &neighbours[start[own] as usize..start[own + 1] as usize] {
            if std::mem::replace(&mut seen_from[other as usize], own as u32) != own as u32 {
                degree[own] += 1;
                left[own] ^= other;
            }
        }
    }
    let mut parent = vec![NONE; count];
    let mut groups = Vec::with_capacity(count);
    let mut is_gone = vec![false; count];
    // A stack, so that a group directly follows its last child.
    let mut stack = Vec::with_capacity(count);
    stack.extend((0..count as u32).rev().filter(|&g| degree[g as usize] <= 1));
    while let Some(group) = stack.pop() {
        let own = group as usize;
        if std::mem::replace(&mut is_gone[own], true) {
            continue;
        }
        groups.push(group);
        if degree[own] == 1 {
            let above = left[own] as usize;
            parent[own] = above as u32;
            left[above] ^= group;
            degree[above] -= 1;
            if degree[above] <= 1 {
                stack.push(above as u32);
            }
        }
    }
    Peeled { groups, parent }
}

/// Pattern of the groups outside trees, and these groups in its order.
fn analysed(pairs: &[(usize, usize)], group: &[u32], trees: &[u32], count: usize) -> (BlockPattern, Vec<u32>) {
    let mut local = vec![0; count];
    trees.iter().for_each(|&g| local[g as usize] = NONE);
    let meshed: Vec<u32> = (0..count as u32).filter(|&g| local[g as usize] != NONE).collect();
    for (k, &g) in meshed.iter().enumerate() {
        local[g as usize] = k as u32;
    }
    let is_meshed = |g: &u32| *g != NONE;
    let rows: Vec<u32> = group.iter().map(|&g| local[g as usize]).filter(is_meshed).collect();
    let between = pairs.iter().map(|&(i, j)| (local[i], local[j]));
    let between: Vec<(usize, usize)> = between
        .filter(|(i, j)| is_meshed(i) && is_meshed(j))
        .map(|(i, j)| (i as usize, j as usize))
        .collect();
    let pattern = BlockPattern::grouped(&between, &rows);
    let mut groups: Vec<u32> = pattern
        .order()
        .iter()
        .map(|&row| meshed[rows[row as usize] as usize])
        .collect();
    groups.dedup();
    (pattern, groups)
}
