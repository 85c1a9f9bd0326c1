//! Approximate repulsion: a quadtree whose far cells act as one vertex at their centre of mass (Barnes and Hut 1986).

/// A cell of side `s` at the distance `d` acts as one vertex when `s < THETA * d`.
const THETA: f64 = 0.9;
/// Cells with at most this many vertices are leaves.
const LEAF: usize = 6;
/// Bits of a coordinate in the sorting key, and hence the largest depth of the tree.
const BITS: u32 = 24;

/// A cell, stored depth first.
#[derive(Clone, Copy)]
struct Cell {
    centre: [f64; 2],
    mass: f64,
    /// Square of side over `THETA`.
    open_below: f64,
    /// The first cell after this one and its descendants.
    next: u32,
    /// Range of `order`; empty for a divided cell.
    points: (u32, u32),
}

/// Quadtree over a set of points, which reuses its memory for the next build.
#[derive(Default)]
pub(super) struct Quadtree {
    cells: Vec<Cell>,
    keys: Vec<(u64, u32)>,
    /// Points in the order of their keys, so that a leaf reads adjacent memory.
    sorted: Vec<[f64; 2]>,
}

impl Quadtree {
    /// Sorts the points by their Morton keys and builds the cells. Equal input gives equal cells on every platform.
    pub fn build(&mut self, points: &[[f64; 2]]) {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in points {
            for axis in 0..2 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        }
        let side = (high[0] - low[0]).max(high[1] - low[1]).max(1e-12) * 1.000_001;
        let scale = f64::from(1u32 << BITS) / side;
        self.keys.clear();
        self.keys.extend(points.iter().enumerate().map(|(i, p)| {
            let x = ((p[0] - low[0]) * scale) as u64;
            let y = ((p[1] - low[1]) * scale) as u64;
            (spread(x) | spread(y) << 1, i as u32)
        }));
        self.keys.sort_unstable();
        self.sorted.clear();
        self.sorted.extend(self.keys.iter().map(|&(_, i)| points[i as usize]));
        self.cells.clear();
        if !points.is_empty() {
            self.add(0, points.len(), 0, side);
        }
    }

    /// Adds the cell of the keys `from..to`, which share their first `depth` digits; `depth` is at most `BITS`.
    fn add(&mut self, from: usize, to: usize, depth: u32, side: f64) {
        let own = self.cells.len();
        let mut sum = [0.0; 2];
        for p in &self.sorted[from..to] {
            sum[0] += p[0];
            sum[1] += p[1];
        }
        let mass = (to - from) as f64;
        self.cells.push(Cell {
            centre: [sum[0] / mass, sum[1] / mass],
            mass,
            open_below: (side / THETA) * (side / THETA),
            next: 0,
            points: (from as u32, to as u32),
        });
        if to - from > LEAF && depth < BITS {
            self.cells[own].points = (0, 0);
            let shift = 2 * (BITS - 1 - depth);
            let mut start = from;
            while start < to {
                let digit = self.keys[start].0 >> shift;
                let end = start + self.keys[start..to].partition_point(|&(key, _)| key >> shift == digit);
                self.add(start, end, depth + 1, side * 0.5);
                start = end;
            }
        }
        self.cells[own].next = self.cells.len() as u32;
    }

    /// Vertices in the order of their keys: neighbours in this order see nearly the same cells.
    pub fn order(&self) -> impl Iterator<Item = u32> + '_ {
        self.keys.iter().map(|&(_, i)| i)
    }

    /// Sum of `(p - q) / |p - q|^2` over all other points `q` within about `reach`; the repulsion `k^2 / d` is this sum
    /// times `k^2`.
    pub fn repulsion(&self, p: [f64; 2], reach: f64) -> [f64; 2] {
        let mut force = [0.0; 2];
        let mut at = 0;
        while at < self.cells.len() {
            let cell = &self.cells[at];
            let (dx, dy) = (p[0] - cell.centre[0], p[1] - cell.centre[1]);
            let square = dx * dx + dy * dy;
            if square > cell.open_below {
                if square < reach * reach {
                    let factor = cell.mass / square;
                    force[0] += dx * factor;
                    force[1] += dy * factor;
                }
                at = cell.next as usize;
            } else if cell.points.1 > cell.points.0 {
                for q in &self.sorted[cell.points.0 as usize..cell.points.1 as usize] {
                    let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
                    let square = dx * dx + dy * dy;
                    if square > 0.0 {
                        force[0] += dx / square;
                        force[1] += dy / square;
                    }
                }
                at = cell.next as usize;
            } else {
                at += 1;
            }
        }
        force
    }
}

/// Puts a zero bit before every bit.
fn spread(x: u64) -> u64 {
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    let x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    let x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let x = (x | x << 2) & 0x3333_3333_3333_3333;
    (x | x << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::spiral::golden_spiral;

    fn exact(points: &[[f64; 2]], p: [f64; 2]) -> [f64; 2] {
        points.iter().fold([0.0; 2], |sum, q| {
            let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
            let square = dx * dx + dy * dy;
            if square == 0.0 {
                return sum;
            }
            [sum[0] + dx / square, sum[1] + dy / square]
        })
    }

    #[test]
    fn the_approximation_stays_within_three_percent_of_the_exact_sum() {
        let points = golden_spiral(2000);
        let mut tree = Quadtree::default();
        tree.build(&points);
        let (mut error, mut size) = (0.0_f64, 0.0_f64);
        for &p in &points {
            let (near, full) = (tree.repulsion(p, f64::INFINITY), exact(&points, p));
            error += (near[0] - full[0]).powi(2) + (near[1] - full[1]).powi(2);
            size += full[0].powi(2) + full[1].powi(2);
        }
        assert!((error / size).sqrt() < 0.03, "{}", (error / size).sqrt());
    }

    #[test]
    fn points_in_one_place_end_the_division() {
        let mut tree = Quadtree::default();
        tree.build(&vec![[0.25, 0.5]; 1000]);
        assert_eq!(tree.repulsion([0.25, 0.5], 9.0), [0.0, 0.0]);
        assert!(tree.repulsion([1.25, 0.5], 9.0)[0] > 999.0);
    }
}
