//! Fruchterman and Reingold's force refinement ("Graph drawing by force-directed placement", 1991).

use super::graph::Adjacency;
use super::quadtree::Quadtree;

/// Repulsion acts up to this many `k`, a wider cut-off than the 2 `k` of the paper's grid variant (section "Speeding
/// up"). Without a cut-off, the far field of a large graph stretches its core and compresses the outer lines; the
/// large-scale shape comes from the coarser graphs, whose `k` is longer. Below 145 vertices the range exceeds the
/// frame.
const REACH: f64 = 12.0;

/// Work of a vertex per iteration (`wattbook_interrupt`): some hundred cells and nearby vertices.
const OF_VERTEX: usize = 500;

/// The refinement of a connected graph, one iteration at a time.
///
/// "Repulsion k^2/d, attraction d^2/k, k = sqrt(1/n), capped displacement, linearly cooled temperature": every vertex moves
/// by its force, at most by the temperature `t0 * (1 - iteration / iterations)`.
pub(super) struct Refinement {
    pub positions: Vec<[f64; 2]>,
    start_temperature: f64,
    iterations: usize,
    done: usize,
    tree: Quadtree,
    moves: Vec<[f64; 2]>,
}

impl Refinement {
    /// `start_temperature` is in units of the positions, the unit square.
    pub fn new(positions: Vec<[f64; 2]>, start_temperature: f64, iterations: usize) -> Self {
        Self {
            moves: vec![[0.0; 2]; positions.len()],
            positions,
            start_temperature,
            iterations,
            done: 0,
            tree: Quadtree::default(),
        }
    }

    /// Number of remaining iterations.
    pub fn left(&self) -> usize {
        self.iterations - self.done
    }

    /// One iteration over all vertices.
    pub fn iterate(&mut self, graph: &Adjacency) {
        let n = self.positions.len();
        let k2 = 1.0 / n as f64;
        let k = k2.sqrt();
        let temperature = self.start_temperature * (1.0 - self.done as f64 / self.iterations as f64);
        self.tree.build(&self.positions);
        for v in self.tree.order() {
            let p = self.positions[v as usize];
            wattbook_interrupt::work(OF_VERTEX);
            let away = self.tree.repulsion(p, REACH * k);
            let mut force = [k2 * away[0], k2 * away[1]];
            for &w in graph.of(v as usize) {
                let q = self.positions[w as usize];
                let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
                // Attraction d^2/k along the unit vector: d/k times the difference.
                let pull = (dx * dx + dy * dy).sqrt() / k;
                force[0] += dx * pull;
                force[1] += dy * pull;
            }
            let size = (force[0] * force[0] + force[1] * force[1]).sqrt();
            let cap = if size > temperature { temperature / size } else { 1.0 };
            self.moves[v as usize] = [force[0] * cap, force[1] * cap];
        }
        for (p, m) in self.positions.iter_mut().zip(&self.moves) {
            *p = [p[0] + m[0], p[1] + m[1]];
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::spiral::golden_spiral;

    #[test]
    fn two_vertices_rest_at_the_distance_k() {
        // k^2/d = d^2/k gives d = k = sqrt(1/2).
        let graph = Adjacency::new(2, &[(0, 1)]);
        let mut run = Refinement::new(golden_spiral(2), 0.1, 2000);
        while run.left() > 0 {
            run.iterate(&graph);
        }
        let [a, b] = [run.positions[0], run.positions[1]];
        let d = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
        assert!((d - 0.5_f64.sqrt()).abs() < 1e-3, "{d}");
    }

    #[test]
    fn no_vertex_moves_further_than_the_temperature() {
        let graph = Adjacency::new(50, &(1..50).map(|v| (0, v)).collect::<Vec<_>>());
        let mut run = Refinement::new(golden_spiral(50), 0.02, 10);
        for i in 0..10 {
            let before = run.positions.clone();
            run.iterate(&graph);
            let cap = 0.02 * (1.0 - f64::from(i) / 10.0);
            for (p, q) in before.iter().zip(&run.positions) {
                assert!(((p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)).sqrt() <= cap * (1.0 + 1e-12));
            }
        }
        assert_eq!(run.left(), 0);
    }
}
