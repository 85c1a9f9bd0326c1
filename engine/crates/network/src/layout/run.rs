//! The resumable layout: a fixed sequence of work in steps of a given budget.

use super::coarsen::{hierarchy, Coarse};
use super::force::Refinement;
use super::graph::{components, Component, LayoutGraph};
use super::pack;
use super::spiral::{direction, golden_spiral, jitter};
use super::tree::{is_tree_like, root, tidy_tree};

/// Iterations of the force refinement. Published drawings use the defaults; other values give other pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutOptions {
    /// Iterations on the coarsest graph, which starts from the spiral.
    pub coarsest_iterations: usize,
    /// Iterations on every finer graph.
    pub iterations: usize,
}

impl Default for LayoutOptions {
    fn default() -> Self {
        Self {
            coarsest_iterations: 300,
            iterations: 90,
        }
    }
}

/// Progress of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub done: bool,
    /// Completed share of the work, 0 to 1, weighted by the vertices of each iteration.
    pub fraction: f64,
}

/// The deterministic synthetic layout of a graph, in steps so that a worker can yield and cancel between them.
///
/// Each connected component has its own layout: a tidy tree if it has next to no cycles, force refinement otherwise;
/// the components are packed side by side. Equal graphs give equal bits natively and in WebAssembly for any budget,
/// since only sums in a fixed order, square roots and `libm` are used.
pub struct Layout {
    n: usize,
    options: LayoutOptions,
    waiting: std::vec::IntoIter<Component>,
    current: Option<Multilevel>,
    finished: Vec<(Vec<u32>, Vec<[f64; 2]>)>,
    work_done: usize,
    work: usize,
}

impl Layout {
    /// Prepares the layout without positions.
    pub fn new(graph: &LayoutGraph, options: LayoutOptions) -> Self {
        let parts = components(graph);
        let work = parts.iter().map(|p| planned_work(p, options)).sum();
        Self {
            n: graph.len(),
            options,
            waiting: parts.into_iter(),
            current: None,
            finished: Vec::new(),
            work_done: 0,
            work,
        }
    }

    /// Works for about `budget_iterations` iterations over the whole graph (an iteration over a coarser or smaller
    /// graph counts by its share of the vertices), and at least a little, so that repeated calls finish.
    pub fn step(&mut self, budget_iterations: usize) -> Progress {
        let budget = budget_iterations.max(1).saturating_mul(self.n.max(1));
        let mut spent = 0usize;
        while spent < budget {
            if let Some(run) = &mut self.current {
                spent += run.iterate();
                if run.is_done() {
                    self.finish_component();
                }
            } else if let Some(part) = self.waiting.next() {
                spent += part.vertices.len();
                self.work_done += part.vertices.len();
                self.start(part);
            } else {
                return Progress {
                    done: true,
                    fraction: 1.0,
                };
            }
        }
        let done = self.current.is_none() && self.waiting.as_slice().is_empty();
        let running = self.current.as_ref().map_or(0, |run| run.work_done);
        let fraction = (self.work_done + running) as f64 / self.work.max(1) as f64;
        Progress {
            done,
            fraction: if done { 1.0 } else { fraction.min(0.999) },
        }
    }

    /// Completes the layout and returns the position of each vertex: y upwards, the bounding box centred at the origin
    /// with a longer side of 1, and one scale for both axes.
    pub fn finish(mut self) -> Vec<[f64; 2]> {
        while !self.step(1000).done {}
        let (vertices, mut drawings): (Vec<_>, Vec<_>) = self.finished.into_iter().unzip();
        pack::side_by_side(&mut drawings);
        let mut positions = vec![[0.0; 2]; self.n];
        for (&v, &p) in vertices.iter().flatten().zip(drawings.iter().flatten()) {
            positions[v as usize] = p;
        }
        pack::normalise(&mut positions);
        positions
    }

    fn start(&mut self, part: Component) {
        if is_tree_like(&part.graph) {
            let mut points = tidy_tree(&part.graph, root(&part.graph, part.source));
            pack::unit_edges(&mut points, part.graph.edges());
            self.finished.push((part.vertices, points));
        } else {
            self.current = Some(Multilevel::new(part, self.options));
        }
    }

    fn finish_component(&mut self) {
        if let Some(run) = self.current.take() {
            self.work_done += run.work_done;
            let mut points = run.refinement.positions;
            pack::lay_flat(&mut points);
            pack::unit_edges(&mut points, run.part.graph.edges());
            self.finished.push((run.part.vertices, points));
        }
    }
}

fn planned_work(part: &Component, options: LayoutOptions) -> usize {
    let own = part.vertices.len();
    if is_tree_like(&part.graph) {
        return own;
    }
    // Each coarser graph has about half the vertices.
    own + own * options.iterations * 2
}

/// Force refinement of one component from its coarsest graph to itself.
struct Multilevel {
    part: Component,
    coarser: Vec<Coarse>,
    options: LayoutOptions,
    refinement: Refinement,
    work_done: usize,
}

impl Multilevel {
    fn new(part: Component, options: LayoutOptions) -> Self {
        let coarser = hierarchy(&part.graph);
        let n = coarser.last().map_or(part.graph.len(), |c| c.graph.len());
        // A tenth of the frame, as Fruchterman and Reingold start.
        let refinement = Refinement::new(golden_spiral(n), 0.1, options.coarsest_iterations.max(1));
        Self {
            part,
            coarser,
            options,
            refinement,
            work_done: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.coarser.is_empty() && self.refinement.left() == 0
    }

    /// Performs one iteration or the step to the next finer graph; returns the number of vertices processed.
    fn iterate(&mut self) -> usize {
        let n = self.refinement.positions.len();
        if self.refinement.left() > 0 {
            let graph = self.coarser.last().map_or(&self.part.graph, |c| &c.graph);
            self.refinement.iterate(graph);
        } else if let Some(coarse) = self.coarser.pop() {
            self.refinement = self.refine(&coarse.parent);
        }
        self.work_done += n;
        n
    }

    /// Start of the next finer graph: every vertex near its coarse one, slightly apart from the others there.
    fn refine(&self, parent: &[u32]) -> Refinement {
        let k = (1.0 / parent.len() as f64).sqrt();
        let positions = parent
            .iter()
            .enumerate()
            .map(|(v, &group)| {
                let at = self.refinement.positions[group as usize];
                let (away, nudge) = (direction(v), jitter(v));
                let spread = 0.2 * k;
                [
                    at[0] + spread * away[0] + nudge[0] * k,
                    at[1] + spread * away[1] + nudge[1] * k,
                ]
            })
            .collect();
        Refinement::new(positions, 2.0 * k, self.options.iterations.max(1))
    }
}
