//! Solves with the factored Laplacian: angles for injections, and shift factors of lines.

use crate::dc::model::DcModel;
use crate::topology::NO_ISLAND;
use wattbook_sparse::{Ldl, Part};

/// Lines whose shift factors are computed together.
const TOGETHER: usize = 4;
/// A few rounding errors.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The off-diagonal part of the Laplacian by row: the other node and the susceptance of each line at a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Joins {
    start: Vec<u32>,
    entries: Vec<(u32, f64)>,
}

impl Joins {
    /// Builds the rows from lines between nodes; index `n` stands for the references.
    pub fn new(n: usize, lines: &[(usize, usize, f64)]) -> Self {
        let mut start = vec![0u32; n + 2];
        for &(a, b, _) in lines {
            start[a + 1] += 1;
            start[b + 1] += 1;
        }
        for k in 0..=n {
            start[k + 1] += start[k];
        }
        let mut next = start.clone();
        let mut entries = vec![(0, 0.0); 2 * lines.len()];
        for &(a, b, value) in lines {
            for (from, to) in [(a, b), (b, a)] {
                entries[next[from] as usize] = (to as u32, value);
                next[from] += 1;
            }
        }
        Self { start, entries }
    }
}

impl DcModel {
    /// Solves `B theta = injection` with theta zero at the references. Buses outside the model get zero.
    pub(crate) fn angles(&self, injection: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.n_reduced];
        for (&elimination_index, value) in self.elimination_index.iter().zip(injection) {
            if elimination_index != NO_ISLAND {
                x[elimination_index] += value;
            }
        }
        self.laplacian.solve_ordered(&mut x);
        let angle = |&k: &usize| if k == NO_ISLAND { 0.0 } else { x[k] };
        self.elimination_index.iter().map(angle).collect()
    }

    /// Zeros for two right-hand sides of `solve_two`.
    pub(crate) fn rest(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2]; self.n_reduced + 1]
    }

    /// Entry of a bus in vectors of `solve_two`.
    #[inline]
    pub(crate) fn entry(&self, bus: usize) -> usize {
        self.elimination_index[bus].min(self.n_reduced)
    }

    /// Solves for two right-hand sides in place; the last entry, for references and buses outside the model, stays
    /// unchanged.
    pub(crate) fn solve_two(&self, x: &mut [[f64; 2]]) {
        self.laplacian.solve_ordered_together(&mut x[..self.n_reduced]);
    }

    /// Angle of each bus, radians, and flow of each branch at the from end, per unit, for a demand and a dispatch that
    /// balance, both per unit by dense row; zero for rows outside the model. Excesses of limits may be missing at the end
    /// of the dispatch, where they are zero.
    pub fn angles_and_flows(&self, demand: &[f64], dispatch: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut injection: Vec<f64> = self.drawn(demand).map(|drawn| -drawn).collect();
        for column in self.columns.iter().filter(|column| column.is_first) {
            injection[column.bus] += dispatch.get(column.generator).copied().unwrap_or(0.0);
        }
        let [theta] = self.refined_angles([&injection], 2);
        let mut flow = vec![0.0; self.n_branch];
        for (line, value) in self.lines.iter().zip(self.flows(&theta, &injection)) {
            flow[line.row] = value;
        }
        (theta, flow)
    }

    /// `angles` for several injections at once, with at most `steps` rounds of iterative refinement on the unfactored
    /// matrix. Refinement stops when the error is that of rounding the angles themselves (componentwise: Arioli, Demmel
    /// and Duff, SIAM J. Matrix Anal. Appl. 10 (1989)).
    pub(crate) fn refined_angles<const W: usize>(&self, injections: [&[f64]; W], steps: usize) -> [Vec<f64>; W] {
        // The last entry is that of all references.
        let mut rhs = vec![[0.0; W]; self.n_reduced + 1];
        for (bus, &elimination_index) in self.elimination_index.iter().enumerate() {
            let sum = &mut rhs[elimination_index.min(self.n_reduced)];
            for w in 0..W {
                sum[w] += injections[w][bus];
            }
        }
        rhs[self.n_reduced] = [0.0; W];
        let mut theta = if steps == 0 {
            std::mem::take(&mut rhs)
        } else {
            rhs.clone()
        };
        self.laplacian.solve_ordered_together(&mut theta[..self.n_reduced]);
        for _ in 0..steps {
            let Some(mut correction) = self.misfit(&rhs, &theta) else {
                break;
            };
            self.laplacian.solve_ordered_together(&mut correction[..self.n_reduced]);
            for (theta, d) in theta[..self.n_reduced].iter_mut().zip(&correction) {
                for k in 0..W {
                    theta[k] += d[k];
                }
            }
        }
        let mut out = [const { Vec::new() }; W];
        for (w, out) in out.iter_mut().enumerate() {
            out.extend(
                self.elimination_index
                    .iter()
                    .map(|&elimination_index| theta[elimination_index.min(self.n_reduced)][w]),
            );
        }
        out
    }

    /// `rhs - B theta`; `None` if it is within rounding error.
    fn misfit<const W: usize>(&self, rhs: &[[f64; W]], theta: &[[f64; W]]) -> Option<Vec<[f64; W]>> {
        let mut left = rhs.to_vec();
        let mut done = true;
        for k in 0..self.n_reduced {
            let (here, mut sum) = (theta[k], rhs[k]);
            let mut scale = sum;
            for s in &mut scale {
                *s = s.abs();
            }
            let row = self.joins.start[k] as usize..self.joins.start[k + 1] as usize;
            for &(other, b) in &self.joins.entries[row] {
                let there = &theta[other as usize];
                for w in 0..W {
                    let (a, b) = (b * here[w], b * there[w]);
                    sum[w] -= a - b;
                    scale[w] += a.abs() + b.abs();
                }
            }
            for w in 0..W {
                done &= sum[w].abs() <= ROUNDING * scale[w];
            }
            left[k] = sum;
        }
        (!done).then_some(left)
    }

    /// The part of the factor for solves between generator buses and the ends of these lines.
    pub(crate) fn part(&self, lines: impl Iterator<Item = usize>) -> Part {
        self.part_between(self.gen_buses.clone(), lines)
    }

    /// The part of the factor for solves between these buses and the ends of these lines.
    pub(crate) fn part_between(&self, mut buses: Vec<usize>, lines: impl Iterator<Item = usize>) -> Part {
        for l in lines {
            for (line, _) in self.terms(l) {
                buses.extend([self.lines[line].from, self.lines[line].to]);
            }
        }
        let places = buses
            .iter()
            .map(|&bus| self.elimination_index[bus])
            .filter(|&k| k != NO_ISLAND);
        self.laplacian.part(places)
    }

    /// Solves for several right-hand sides of transfers between buses in place; entries as in `solve_two`, that of the
    /// references ending as zero.
    pub(crate) fn solve_transfers<const W: usize>(&self, x: &mut [[f64; W]]) {
        x[self.n_reduced] = [0.0; W];
        self.laplacian.solve_ordered_together(&mut x[..self.n_reduced]);
    }

    /// `solve_transfers` on a part of the factor.
    pub(crate) fn solve_transfers_on<const W: usize>(&self, part: &Part, x: &mut [[f64; W]]) {
        x[self.n_reduced] = [0.0; W];
        self.laplacian.solve_part_together(part, &mut x[..self.n_reduced]);
    }

    /// The factor of the susceptance matrix without its references.
    pub(crate) fn laplacian(&self) -> &Ldl {
        &self.laplacian
    }

    /// Index of a bus in vectors of `solve_part`; `None` for references, whose angle is zero.
    #[inline]
    pub(crate) fn elimination_index(&self, bus: usize) -> Option<usize> {
        Some(self.elimination_index[bus]).filter(|&k| k != NO_ISLAND)
    }

    pub(crate) fn n_places(&self) -> usize {
        self.n_reduced
    }

    /// Solves with a part of the factor, in its order.
    pub(crate) fn solve_part(&self, part: &Part, x: &mut [f64]) {
        self.laplacian.solve_part(part, x);
    }

    /// `solve_part` for several right-hand sides at once.
    pub(crate) fn solve_part_together<const W: usize>(&self, part: &Part, x: &mut [[f64; W]]) {
        self.laplacian.solve_part_together(part, x);
    }

    /// `B^-1 w (e_f - e_t)` of lines at generator buses, which by reciprocity are their shift factors. `part` must
    /// cover the lines.
    pub(crate) fn shift_factors(&self, part: &Part, lines: &[usize]) -> Vec<Vec<f64>> {
        let mut found = Vec::with_capacity(lines.len());
        let mut x = vec![[0.0; TOGETHER]; self.n_reduced];
        for chunk in lines.chunks(TOGETHER) {
            for &k in part.columns() {
                x[k as usize] = [0.0; TOGETHER];
            }
            for (i, &l) in chunk.iter().enumerate() {
                for (o, c) in self.terms(l) {
                    if let Some(k) = self.elimination_index(self.lines[o].from) {
                        x[k][i] += c;
                    }
                    if let Some(k) = self.elimination_index(self.lines[o].to) {
                        x[k][i] -= c;
                    }
                }
            }
            self.laplacian.solve_part_together(part, &mut x);
            for (i, &l) in chunk.iter().enumerate() {
                let at = |&bus: &usize| self.elimination_index(bus).map_or(0.0, |k| x[k][i]);
                let mut factors: Vec<f64> = self.gen_buses.iter().map(at).collect();
                for (bus, coefficient) in self.direct(l) {
                    if let Ok(k) = self.gen_buses.binary_search(&bus) {
                        factors[k] += coefficient;
                    }
                }
                found.push(factors);
            }
        }
        found
    }

    /// A line's shift factors at every bus.
    pub(crate) fn shift_factors_everywhere(&self, l: usize) -> Vec<f64> {
        let mut rhs = vec![0.0; self.n_bus];
        for (o, c) in self.terms(l) {
            rhs[self.lines[o].from] += c;
            rhs[self.lines[o].to] -= c;
        }
        let mut factors = self.angles(&rhs);
        for (bus, coefficient) in self.direct(l) {
            factors[bus] += coefficient;
        }
        factors
    }
}
