//! N-1 screening of the displayed state: every single branch outage by line outage distribution factors.
//!
//! Outage of line k moves its flow onto the others: `f_l' = f_l + f_k ptdf_lk / (1 - ptdf_kk)`, with `ptdf_lk` the flow on
//! l of a unit transfer from k's from bus to its to bus (Wood, Wollenberg and Sheble, *Power Generation, Operation and
//! Control*, 3rd ed., section 7.6). Dispatch and demand stay. A line that is a bridge splits its island instead.

use super::model::DcModel;
use super::solution::DcSolution;

/// Outage of one branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Outage {
    /// Dense branch row of the outage.
    pub branch: usize,
    pub effect: Effect,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The branch that is loaded most afterwards (dense row), its flow and loading, and how many exceed their rating.
    Loading {
        worst: Option<usize>,
        flow: f64,
        loading: f64,
        overloads: usize,
    },
    /// The outage splits an island: buses of the smaller part, their demand and generation, per unit.
    Islanding {
        buses: Vec<usize>,
        demand: f64,
        generation: f64,
    },
}

/// A screening in progress. One sparse solve and one pass over the lines for each outage.
#[derive(Clone, Debug)]
pub struct Screening {
    flows: Vec<f64>,
    bridges: Bridges,
    next: usize,
}

impl Screening {
    pub fn new(model: &DcModel) -> Self {
        Self {
            flows: Vec::new(),
            bridges: Bridges::find(model),
            next: 0,
        }
    }

    /// Screens up to `budget` further outages of `solution`; empty when all are done. The solution must be the same in
    /// every call.
    pub fn step(&mut self, model: &DcModel, solution: &DcSolution, budget: usize) -> Vec<Outage> {
        if self.flows.is_empty() {
            self.flows = model.lines.iter().map(|l| solution.flow[l.row]).collect();
        }
        let end = model.lines.len().min(self.next + budget.max(1));
        let outages = (self.next..end).map(|k| self.outage(model, solution, k)).collect();
        self.next = end;
        outages
    }

    /// Part of the outages done, 0 to 1.
    pub fn fraction(&self, model: &DcModel) -> f64 {
        self.next as f64 / model.lines.len().max(1) as f64
    }

    fn outage(&self, model: &DcModel, solution: &DcSolution, k: usize) -> Outage {
        let out = &model.lines[k];
        let effect = match self.bridges.smaller_part(k) {
            Some(buses) if out.b != 0.0 => {
                let demand = buses.iter().map(|&b| solution.data.demand[b]).sum();
                let generation = model
                    .columns
                    .iter()
                    .zip(&solution.p)
                    .filter(|(c, _)| buses.binary_search(&c.bus).is_ok())
                    .map(|(_, p)| p)
                    .sum();
                Effect::Islanding {
                    buses,
                    demand,
                    generation,
                }
            }
            _ => self.redistributed(model, solution, k),
        };
        Outage {
            branch: out.row,
            effect,
        }
    }

    fn redistributed(&self, model: &DcModel, solution: &DcSolution, k: usize) -> Effect {
        let out = &model.lines[k];
        let mut moved = 0.0;
        let mut angle = Vec::new();
        if out.b != 0.0 {
            // Angles of a transfer that gives line k one unit more than it had.
            angle = model.shift_factors(out);
            let own = angle[out.from] - angle[out.to];
            moved = self.flows[k] / (1.0 - own) / out.b;
        }
        let (mut worst, mut flow, mut loading, mut overloads) = (None, 0.0, 0.0, 0);
        for (l, line) in model.lines.iter().enumerate() {
            if l == k || line.b == 0.0 {
                continue;
            }
            let shifted = if moved == 0.0 {
                0.0
            } else {
                moved * line.b * (angle[line.from] - angle[line.to])
            };
            let f = self.flows[l] + shifted;
            let rating = solution.data.rating[line.row];
            let used = if rating > 0.0 { f.abs() / rating } else { 0.0 };
            if used > 1.0 + 1e-6 {
                overloads += 1;
            }
            if used > loading {
                (worst, flow, loading) = (Some(line.row), f, used);
            }
        }
        Effect::Loading {
            worst,
            flow,
            loading,
            overloads,
        }
    }
}

/// Lines whose loss splits an island (Tarjan, Inf. Process. Lett. 2 (1974): low points of a depth-first search).
#[derive(Clone, Debug)]
struct Bridges {
    /// Buses in the order of the search, so that what hangs below a bus is a stretch of it.
    order: Vec<usize>,
    /// For each line that is a bridge: the stretch below it, and the stretch of its island.
    below: Vec<Option<(usize, usize, usize, usize)>>,
}

impl Bridges {
    fn find(model: &DcModel) -> Self {
        let n = model.n_bus;
        let mut first = vec![0; n + 1];
        for line in model.lines.iter().filter(|l| l.b != 0.0) {
            first[line.from + 1] += 1;
            first[line.to + 1] += 1;
        }
        for i in 0..n {
            first[i + 1] += first[i];
        }
        let mut fill = first.clone();
        let mut incident = vec![(0, 0); first[n]];
        for (k, line) in model.lines.iter().enumerate().filter(|(_, l)| l.b != 0.0) {
            incident[fill[line.from]] = (line.to, k);
            fill[line.from] += 1;
            incident[fill[line.to]] = (line.from, k);
            fill[line.to] += 1;
        }
        const NOT_YET: usize = usize::MAX;
        let mut place = vec![NOT_YET; n];
        let mut low = vec![0; n];
        let mut order = Vec::with_capacity(n);
        let mut below = vec![None; model.lines.len()];
        let mut stack: Vec<(usize, usize, usize)> = Vec::new();
        for root in (0..n).filter(|&b| model.bus_is_active(b)) {
            if place[root] != NOT_YET {
                continue;
            }
            let island_from = order.len();
            let mut found = Vec::new();
            place[root] = order.len();
            low[root] = order.len();
            order.push(root);
            stack.push((root, NOT_YET, first[root]));
            while let Some(&mut (bus, by, ref mut next)) = stack.last_mut() {
                if *next < first[bus + 1] {
                    let (other, line) = incident[*next];
                    *next += 1;
                    if line == by {
                        continue;
                    }
                    if place[other] == NOT_YET {
                        place[other] = order.len();
                        low[other] = order.len();
                        order.push(other);
                        stack.push((other, line, first[other]));
                    } else {
                        low[bus] = low[bus].min(place[other]);
                    }
                } else {
                    stack.pop();
                    if let Some(&(parent, _, _)) = stack.last() {
                        low[parent] = low[parent].min(low[bus]);
                        if low[bus] > place[parent] {
                            found.push((by, place[bus], order.len()));
                        }
                    }
                }
            }
            for (line, from, to) in found {
                below[line] = Some((from, to, island_from, order.len()));
            }
        }
        Self { order, below }
    }

    /// The buses of the smaller part that the loss of a line cuts off (the part below the line where both are equal), in
    /// ascending order.
    fn smaller_part(&self, line: usize) -> Option<Vec<usize>> {
        let (from, to, island_from, island_to) = self.below[line]?;
        let mut buses: Vec<usize> = if 2 * (to - from) <= island_to - island_from {
            self.order[from..to].to_vec()
        } else {
            let outside = (island_from..from).chain(to..island_to);
            outside.map(|k| self.order[k]).collect()
        };
        buses.sort_unstable();
        Some(buses)
    }
}
