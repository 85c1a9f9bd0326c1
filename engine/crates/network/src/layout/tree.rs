//! Tidy tree: the drawing of graphs with next to no cycles.

use super::graph::Adjacency;
use super::outline::{join, side_by_side, Outline};

/// "When the count of independent cycles is at most max(2, ceil(0.02 * n)) the graph is drawn as a tidy tree": for a
/// connected graph of `n` vertices there are `edges - n + 1` independent cycles. Parallel circuits count as one edge
/// because they are drawn as one.
pub(super) fn is_tree_like(graph: &Adjacency) -> bool {
    let n = graph.len();
    let cycles = (graph.n_edges() + 1).saturating_sub(n);
    // ceil(n / 50) is ceil(0.02 n) without the rounding of 0.02.
    cycles <= n.div_ceil(50).max(2)
}

/// "Root is a source bus if known, else an endpoint of a breadth-first diameter": the vertex furthest from vertex 0,
/// the lowest of equally far ones. (In a tree that vertex is the end of a longest path.)
pub(super) fn root(graph: &Adjacency, source: Option<u32>) -> u32 {
    if let Some(source) = source {
        return source;
    }
    let (order, parent) = graph.breadth_first(0);
    let depth = depths(&order, &parent);
    let deepest = order.iter().map(|&v| depth[v as usize]).max().unwrap_or(0);
    let far = order.iter().copied().filter(|&v| depth[v as usize] == deepest);
    far.min().unwrap_or(0)
}

/// Positions of a connected graph drawn as the breadth-first tree from `root`: neighbours on a level at least 1 apart,
/// a parent midway over its outermost children, subtrees as close as their outlines allow (Kennedy 1996). The root is
/// at the top, or at the left if the tree is deeper than wide.
pub(super) fn tidy_tree(graph: &Adjacency, root: u32) -> Vec<[f64; 2]> {
    let (order, parent) = graph.breadth_first(root);
    let depth = depths(&order, &parent);
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); graph.len()];
    for &v in &order[1..] {
        children[parent[v as usize] as usize].push(v);
    }
    let mut offset = vec![0.0; graph.len()];
    let mut outline: Vec<Outline> = (0..graph.len()).map(|_| Outline::default()).collect();
    for &v in order.iter().rev() {
        deepest_in_the_middle(&mut children[v as usize], &outline, depth[v as usize]);
        let below: Vec<Outline> = children[v as usize]
            .iter()
            .map(|&c| std::mem::take(&mut outline[c as usize]))
            .collect();
        let places = side_by_side(&below);
        for (&child, &place) in children[v as usize].iter().zip(&places) {
            offset[child as usize] = place;
        }
        outline[v as usize] = join(below, &places);
    }
    let mut across = vec![0.0; graph.len()];
    for &v in &order[1..] {
        across[v as usize] = across[parent[v as usize] as usize] + offset[v as usize];
    }
    let width =
        across.iter().fold(f64::NEG_INFINITY, |m, &x| m.max(x)) - across.iter().fold(f64::INFINITY, |m, &x| m.min(x));
    let levels = depth.iter().copied().max().unwrap_or(0);
    let gap = if levels == 0 {
        1.0
    } else {
        (0.62 * width / f64::from(levels)).clamp(1.0, 4.0)
    };
    let to_the_right = f64::from(levels) * gap > width;
    (0..graph.len())
        .map(|v| {
            let down = f64::from(depth[v]) * gap;
            if to_the_right {
                [down, -across[v]]
            } else {
                [across[v], -down]
            }
        })
        .collect()
}

/// Orders children by the depth of their subtrees, with the deepest in the middle and the others alternating on both
/// sides; the first side changes from level to level. A long feeder then runs straight instead of drifting to one side.
/// Equal children stay in numerical order.
fn deepest_in_the_middle(children: &mut [u32], outline: &[Outline], depth: u32) {
    let height = |c: u32| outline[c as usize].height();
    if children.windows(2).all(|c| height(c[0]) == height(c[1])) {
        return;
    }
    children.sort_by_key(|&c| (std::cmp::Reverse(height(c)), c));
    let (back, front): (Vec<_>, Vec<_>) = (0..children.len()).partition(|i| (i + depth as usize) % 2 == 1);
    let dealt: Vec<u32> = front.iter().rev().chain(&back).map(|&i| children[i]).collect();
    children.copy_from_slice(&dealt);
}

fn depths(order: &[u32], parent: &[u32]) -> Vec<u32> {
    let mut depth = vec![0; parent.len()];
    for &v in order.iter().skip(1) {
        depth[v as usize] = depth[parent[v as usize] as usize] + 1;
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(n: u32) -> Adjacency {
        Adjacency::new(n as usize, &(1..n).map(|v| (v - 1, v)).collect::<Vec<_>>())
    }

    /// A ring of `n` vertices and `extra` chords: `1 + extra` independent cycles.
    fn ring(n: u32, extra: u32) -> Adjacency {
        let mut edges: Vec<(u32, u32)> = (0..n).map(|v| (v, (v + 1) % n)).collect();
        edges.extend((0..extra).map(|k| (k, k + 2)));
        Adjacency::new(n as usize, &edges)
    }

    #[test]
    fn the_rule_counts_cycles_as_the_specification_does() {
        assert!(is_tree_like(&path(1)) && is_tree_like(&path(2)));
        assert!(is_tree_like(&ring(10, 1)), "2 <= max(2, 1)");
        assert!(!is_tree_like(&ring(10, 2)), "3 > max(2, 1)");
        assert!(is_tree_like(&ring(101, 2)), "3 <= max(2, ceil(2.02))");
        assert!(!is_tree_like(&ring(100, 2)), "3 > max(2, 2)");
        assert!(is_tree_like(&ring(1000, 19)) && !is_tree_like(&ring(1000, 20)));
    }

    #[test]
    fn the_root_is_the_source_or_the_end_of_a_longest_path() {
        assert_eq!(root(&path(9), Some(4)), 4);
        assert_eq!(root(&path(9), None), 8);
        let star = Adjacency::new(5, &[(0, 1), (0, 2), (0, 3), (3, 4)]);
        assert_eq!(root(&star, None), 4);
    }

    #[test]
    fn a_small_tree_is_symmetric_with_the_parent_in_the_middle() {
        let graph = Adjacency::new(7, &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]);
        let p = tidy_tree(&graph, 0);
        let x: Vec<f64> = p.iter().map(|p| p[0]).collect();
        assert_eq!(x, [0.0, -1.0, 1.0, -1.5, -0.5, 0.5, 1.5]);
        assert!(p[0][1] > p[1][1] && p[1][1] > p[3][1] && p[1][1] == p[2][1]);
    }

    #[test]
    fn small_subtrees_between_large_ones_are_spaced_evenly() {
        // Root with a broad child, a leaf, a leaf and a broad child: the leaves divide the space in thirds.
        let mut edges = vec![(0, 1), (0, 2), (0, 3), (0, 4)];
        edges.extend((5..11).map(|v| (1, v)));
        edges.extend((11..17).map(|v| (4, v)));
        let p = tidy_tree(&Adjacency::new(17, &edges), 0);
        assert!((p[2][0] + p[3][0]).abs() < 1e-12 && (p[1][0] + p[4][0]).abs() < 1e-12);
        assert!((p[4][0] - p[1][0] - 6.0).abs() < 1e-12);
    }

    #[test]
    fn no_two_vertices_of_a_level_come_closer_than_one() {
        let n = 3000u32;
        let edges: Vec<(u32, u32)> = (1..n).map(|v| (v, (v * 7919 % v.max(1)) / 2)).collect();
        let graph = Adjacency::new(n as usize, &edges);
        let p = tidy_tree(&graph, 0);
        let mut by_level: Vec<[f64; 2]> = p.clone();
        by_level.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
        for pair in by_level.windows(2) {
            assert!(pair[0][1] != pair[1][1] || pair[1][0] - pair[0][0] > 1.0 - 1e-9);
        }
    }

    #[test]
    fn a_deep_path_and_a_deep_comb_are_drawn_in_linear_time() {
        let n = 200_000u32;
        let comb: Vec<(u32, u32)> = (1..n)
            .map(|v| if v % 2 == 0 { (v, v - 2) } else { (v, v - 1) })
            .collect();
        let p = tidy_tree(&Adjacency::new(n as usize, &comb), 0);
        assert!(p.iter().flatten().all(|x| x.is_finite()));
    }
}
