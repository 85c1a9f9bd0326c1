//! The DC OPF as a general program for peers, with bus angles as variables. It is written from the analysis network
//! alone, independently of the engine's reduced model, so that equal objectives confirm both.
//!
//! `min sum quad x^2 / 2 + cost x  s.t.  lo <= x <= hi, row_lo <= A x <= row_hi`, rows of A compressed. Balances come
//! first, one per active bus; limits of lines are rows `lo/b <= theta_f - theta_t <= hi/b`, which HiGHS solves several
//! times faster than the same rows times `b`.

use serde_json::{json, Value};
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, Branch, Cost};
use wattbook_network::union_find::components;
use wattbook_solve::dc::Convention;

/// Stands for "no bound", because JSON has no infinity.
pub const NO_BOUND: f64 = 1e30;

#[derive(Default)]
struct Program {
    cost: Vec<f64>,
    quad: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    row_lo: Vec<f64>,
    row_hi: Vec<f64>,
    rows: Vec<BTreeMap<usize, f64>>,
    constant: f64,
}

impl Program {
    fn column(&mut self, lo: f64, hi: f64, cost: f64, quad: f64) -> usize {
        self.lo.push(lo.max(-NO_BOUND));
        self.hi.push(hi.min(NO_BOUND));
        self.cost.push(cost);
        self.quad.push(quad);
        self.cost.len() - 1
    }

    fn row(&mut self, lo: f64, hi: f64, terms: &[(usize, f64)]) -> usize {
        self.row_lo.push(lo.max(-NO_BOUND));
        self.row_hi.push(hi.min(NO_BOUND));
        self.rows.push(BTreeMap::new());
        let row = self.rows.len() - 1;
        self.add(row, terms);
        row
    }

    fn add(&mut self, row: usize, terms: &[(usize, f64)]) {
        for &(column, value) in terms {
            *self.rows[row].entry(column).or_insert(0.0) += value;
        }
    }
}

/// A program with the balance row of each active bus.
pub struct Problem {
    program: Program,
    /// By dense bus row.
    pub balance: Vec<Option<usize>>,
    /// Lines that carry flow.
    lines: Vec<Line>,
}

/// The row of a line, with its susceptance, its phase shift and its rating in the source; per unit.
struct Line {
    row: usize,
    b: f64,
    shift: f64,
    rating: f64,
}

/// The role of a branch.
enum Part {
    /// `flow = b (theta_f - theta_t - shift)`.
    Flow { b: f64, shift: f64 },
    /// No impedance: equal angles, free flow.
    Joined,
    /// No flow, only an angle-difference limit.
    AngleOnly,
}

fn part(branch: &Branch, convention: Convention) -> Part {
    if branch.is_zero_impedance() {
        return Part::Joined;
    }
    let (b, shift) = (convention.susceptance(branch), convention.phase_shift(branch));
    if b == 0.0 {
        Part::AngleOnly
    } else {
        Part::Flow { b, shift }
    }
}

impl Problem {
    pub fn new(network: &AnalysisNetwork, convention: Convention) -> Self {
        let branches = || network.branches.iter().filter(|b| b.in_service);
        let island = islands(network, convention);
        let mut used = vec![false; network.buses.len()];
        let conductance = network.conductance_pu();
        for (k, bus) in network.buses.iter().enumerate() {
            used[island[k]] |= bus.in_service && (bus.demand_pu != 0.0 || conductance[k] != 0.0);
        }
        let generators = || network.generators.iter().filter(|g| g.in_service);
        for g in generators().filter(|g| network.buses[g.bus].in_service) {
            used[island[g.bus]] = true;
        }
        let takes_part = |bus: usize| network.buses[bus].in_service && used[island[bus]];

        let mut p = Program::default();
        let mut balance = vec![None; network.buses.len()];
        let mut lines = Vec::new();
        let mut angle = vec![0; network.buses.len()];
        for (k, bus) in network.buses.iter().enumerate().filter(|(k, _)| takes_part(*k)) {
            // The first bus of an island fixes its angle.
            let most = if island[k] == k { 0.0 } else { NO_BOUND };
            angle[k] = p.column(-most, most, 0.0, 0.0);
            let demand = bus.demand_pu + conductance[k];
            balance[k] = Some(p.row(demand, demand, &[]));
        }
        for g in generators() {
            let Some(row) = balance[g.bus] else { continue };
            let column = match &g.cost {
                Cost::Quadratic { c2, c1, c0 } => {
                    p.constant += c0;
                    p.column(g.pmin_pu, g.pmax_pu, *c1, 2.0 * c2)
                }
                Cost::PiecewiseLinear { points } => {
                    let power = p.column(g.pmin_pu, g.pmax_pu, 0.0, 0.0);
                    let cost = p.column(-NO_BOUND, NO_BOUND, 1.0, 0.0);
                    for pair in points.windows(2) {
                        let slope = (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0]);
                        let at_zero = pair[0][1] - slope * pair[0][0];
                        p.row(at_zero, NO_BOUND, &[(cost, 1.0), (power, -slope)]);
                    }
                    power
                }
            };
            p.add(row, &[(column, 1.0)]);
        }
        for branch in branches() {
            let (Some(from), Some(to)) = (balance[branch.from], balance[branch.to]) else {
                continue;
            };
            let (f, t) = (angle[branch.from], angle[branch.to]);
            let (mut lo, mut hi) = (branch.angle_min_rad, branch.angle_max_rad);
            let mut carried = None;
            match part(branch, convention) {
                Part::Flow { b, shift } => {
                    p.add(from, &[(f, -b), (t, b)]);
                    p.add(to, &[(f, b), (t, -b)]);
                    for (row, sign) in [(from, -1.0), (to, 1.0)] {
                        p.row_lo[row] += sign * b * shift;
                        p.row_hi[row] += sign * b * shift;
                    }
                    let most = branch.rating_pu / b.abs();
                    (lo, hi) = (lo.max(shift - most), hi.min(shift + most));
                    carried = Some((b, shift));
                }
                Part::Joined => {
                    let flow = p.column(-branch.rating_pu, branch.rating_pu, 0.0, 0.0);
                    p.add(from, &[(flow, -1.0)]);
                    p.add(to, &[(flow, 1.0)]);
                    (lo, hi) = (0.0, 0.0);
                }
                Part::AngleOnly if island[branch.from] != island[branch.to] => continue,
                Part::AngleOnly => {}
            }
            if branch.from != branch.to {
                let row = p.row(lo, hi, &[(f, 1.0), (t, -1.0)]);
                let is_rated = !branch.rating_is_fallback && branch.rating_pu.is_finite();
                let rating = if is_rated { branch.rating_pu } else { NO_BOUND };
                lines.extend(carried.map(|(b, shift)| Line { row, b, shift, rating }));
            }
        }
        Self {
            program: p,
            balance,
            lines,
        }
    }

    /// The minimum relaxation of a network with demands multiplied by `factor`: the least sum of MW of unserved demand,
    /// of output below its minimum, and of flows beyond their limits. Generator costs are ignored.
    pub fn relaxed(network: &AnalysisNetwork, convention: Convention, factor: f64) -> Self {
        let mut network = network.clone();
        for bus in &mut network.buses {
            bus.demand_pu *= if bus.demand_pu > 0.0 { factor } else { 1.0 };
        }
        for g in &mut network.generators {
            let (c2, c1, c0) = (0.0, 0.0, 0.0);
            g.cost = Cost::Quadratic { c2, c1, c0 };
        }
        let mut problem = Self::new(&network, convention);
        let (p, base) = (&mut problem.program, network.base_mva);
        let mut give_way = |row: usize, most: f64, share: f64| {
            let column = p.column(0.0, most, base, 0.0);
            p.add(row, &[(column, share)]);
        };
        for (bus, row) in network.buses.iter().zip(&problem.balance) {
            if let Some(row) = row.filter(|_| bus.demand_pu != 0.0) {
                give_way(row, bus.demand_pu.abs(), bus.demand_pu.signum());
            }
        }
        for g in network.generators.iter().filter(|g| g.in_service && g.pmin_pu > 0.0) {
            if let Some(row) = problem.balance[g.bus] {
                give_way(row, g.pmin_pu, -1.0);
            }
        }
        for &Line { row, b, .. } in &problem.lines {
            give_way(row, NO_BOUND, 1.0 / b.abs());
            give_way(row, NO_BOUND, -1.0 / b.abs());
        }
        problem
    }

    /// Whether some cost is quadratic.
    pub fn is_quadratic(&self) -> bool {
        self.program.quad.iter().any(|q| *q != 0.0)
    }

    /// [`Problem::json`] with the lines, by which a peer adds limits after outages.
    pub fn json_with_lines(&self) -> Value {
        let all = |value: &dyn Fn(&Line) -> f64| self.lines.iter().map(value).collect::<Vec<f64>>();
        let mut found = self.json();
        found["lines"] = json!({
            "row": self.lines.iter().map(|line| line.row).collect::<Vec<_>>(),
            "b": all(&|line| line.b), "shift": all(&|line| line.shift), "rating": all(&|line| line.rating),
        });
        found
    }

    pub fn json(&self) -> Value {
        let p = &self.program;
        let (mut starts, mut index, mut value) = (vec![0], Vec::new(), Vec::new());
        for row in &p.rows {
            for (&column, &x) in row.iter().filter(|(_, x)| **x != 0.0) {
                index.push(column);
                value.push(x);
            }
            starts.push(index.len());
        }
        json!({
            "cost": p.cost, "quad": p.quad, "lo": p.lo, "hi": p.hi, "constant": p.constant,
            "row_lo": p.row_lo, "row_hi": p.row_hi, "starts": starts, "index": index, "value": value,
        })
    }
}

/// The first bus of the island of each bus; islands are buses between which power can flow.
fn islands(network: &AnalysisNetwork, convention: Convention) -> Vec<usize> {
    let conducting = |b: &&Branch| b.in_service && !matches!(part(b, convention), Part::AngleOnly);
    let pairs = network.branches.iter().filter(conducting).map(|b| (b.from, b.to));
    components(network.buses.len(), pairs)
}
