//! N-1 screening of the displayed state: every single branch outage by line outage distribution factors.
//!
//! Outage of line k moves its flow onto the others: `f_l' = f_l + f_k ptdf_lk / (1 - ptdf_kk)`, with `ptdf_lk` the flow on
//! l of a unit transfer from k's from bus to its to bus (Wood, Wollenberg and Sheble, *Power Generation, Operation and
//! Control*, 3rd ed., section 7.6). Dispatch and demand stay. A line that is a bridge splits its island instead. The loss of
//! a branch without impedance parts its node: the angle between the two parts becomes what sends no power over the branch.
//! Round a loop of such branches flows are the least-norm ones that balance.
//! A branch that is full already hides what an outage adds elsewhere, so overloads of branches that were not full are counted
//! and named on their own.

use crate::dc::model::DcModel;
use crate::dc::result::solution::DcSolution;
use crate::topology::least_norm_flows::LeastNormFlows;
use wattbook_network::union_find::components;

/// A loading this close to 1 is 1: above it a branch is overloaded, below it there is room left.
const SAME_LOADING: f64 = 1e-6;

/// Outage of one branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Outage {
    /// Dense branch row of the outage.
    pub branch: usize,
    pub effect: Effect,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The branch that is loaded most afterwards (dense row), its flow and loading; how many exceed their rating, how many of
    /// those neither exceeded it nor were binding before, and which of these rises most.
    Loading {
        worst: Option<usize>,
        flow: f64,
        loading: f64,
        overloads: usize,
        new_overloads: usize,
        worst_new: Option<NewOverload>,
    },
    /// The outage splits an island: buses of the smaller part, their demand and generation, per unit.
    Islanding {
        buses: Vec<usize>,
        demand: f64,
        generation: f64,
    },
}

/// A branch that an outage overloads and that was neither overloaded nor binding before.
#[derive(Clone, Debug, PartialEq)]
pub struct NewOverload {
    /// Dense branch row.
    pub branch: usize,
    /// Flow afterwards, per unit at the from end, and loading afterwards and before, as a fraction of the rating.
    pub flow: f64,
    pub loading: f64,
    pub base_loading: f64,
}

/// A screening in progress. One sparse solve and one pass over the lines for each outage.
#[derive(Clone, Debug)]
pub struct Screening {
    /// Flow and loading by line, and the buses that each bridge cuts off.
    flows: Vec<f64>,
    loadings: Vec<f64>,
    cut_off: Vec<Option<Vec<usize>>>,
    next: usize,
}

impl Screening {
    pub fn new(model: &DcModel, solution: &DcSolution) -> Self {
        let bridges = &model.bridges;
        let mut cut_off = vec![None; model.lines.len()];
        for bridge in &bridges.bridges {
            let island = bridges.islands[model.island_of_bus[bridge.below]];
            cut_off[bridge.line] = Some(bridges.smaller_part(bridge, island));
        }
        Self {
            flows: model.lines.iter().map(|l| solution.flow[l.row]).collect(),
            loadings: model
                .lines
                .iter()
                .map(|l| crate::loading(solution.flow[l.row].abs(), solution.data.rating[l.row]))
                .collect(),
            cut_off,
            next: 0,
        }
    }

    /// Screens up to `budget` further outages; empty when all are done. The solution is the one it was made with.
    pub fn step(&mut self, model: &DcModel, solution: &DcSolution, budget: usize) -> Vec<Outage> {
        let end = model.lines.len().min(self.next + budget.max(1));
        let outages = (self.next..end).map(|k| self.outage(model, solution, k)).collect();
        self.next = end;
        outages
    }

    /// Flow of every branch after the outage of one, per unit by dense branch row: zero there, and as before on branches that take
    /// no part. None where the outage splits an island, or the branch takes no part itself.
    pub fn flows_after(&self, model: &DcModel, solution: &DcSolution, branch: usize) -> Option<Vec<f64>> {
        let k = model.lines.iter().position(|line| line.row == branch)?;
        if self.cut_off[k].is_some() {
            return None;
        }
        let mut flows = solution.flow.clone();
        for (line, moved) in model.lines.iter().zip(self.moved(model, k)) {
            if !line.is_angle_difference() {
                flows[line.row] += moved;
            }
        }
        flows[branch] = 0.0;
        Some(flows)
    }

    /// Part of the outages done, 0 to 1.
    pub fn fraction(&self, model: &DcModel) -> f64 {
        self.next as f64 / model.lines.len().max(1) as f64
    }

    fn outage(&self, model: &DcModel, solution: &DcSolution, k: usize) -> Outage {
        let out = &model.lines[k];
        let effect = match self.cut_off[k].clone() {
            Some(buses) => {
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
        let moved = self.moved(model, k);
        let (mut worst, mut flow, mut loading) = (None, 0.0, 0.0);
        let (mut overloads, mut new_overloads, mut worst_new): (_, _, Option<NewOverload>) = (0, 0, None);
        for (l, line) in model.lines.iter().enumerate() {
            if l == k || line.is_angle_difference() {
                continue;
            }
            let f = self.flows[l] + moved[l];
            let used = crate::loading(f.abs(), solution.data.rating[line.row]);
            if used > loading {
                (worst, flow, loading) = (Some(line.row), f, used);
            }
            if used <= 1.0 + SAME_LOADING {
                continue;
            }
            overloads += 1;
            let base_loading = self.loadings[l];
            if base_loading >= 1.0 - SAME_LOADING {
                continue;
            }
            new_overloads += 1;
            let rise = worst_new.as_ref().map_or(0.0, |w| w.loading - w.base_loading);
            if used - base_loading > rise {
                worst_new = Some(NewOverload {
                    branch: line.row,
                    flow: f,
                    loading: used,
                    base_loading,
                });
            }
        }
        Effect::Loading {
            worst,
            flow,
            loading,
            overloads,
            new_overloads,
            worst_new,
        }
    }

    /// What the outage of a line that is no bridge adds to the flow of each line.
    fn moved(&self, model: &DcModel, k: usize) -> Vec<f64> {
        let mut moved = self.moved_by_angles(model, k);
        let merged = model.zero_impedance.lines();
        if merged.iter().any(|&l| model.is_undetermined(l)) {
            self.move_round_loops(model, k, &mut moved);
        }
        moved
    }

    /// Where merged branches form loops, those that remain have the least-norm flows.
    fn move_round_loops(&self, model: &DcModel, k: usize, moved: &mut [f64]) {
        // What they have to carry away from each bus: what merged branches carried before, what the lost line did, and what
        // flows of other lines have become less by.
        let mut surplus = vec![0.0; model.n_bus];
        for (l, line) in model.lines.iter().enumerate() {
            let carried = if l == k || line.merged.is_some() {
                self.flows[l]
            } else if line.is_angle_difference() {
                0.0
            } else {
                -moved[l]
            };
            surplus[line.from] += carried;
            surplus[line.to] -= carried;
        }
        let merged = model.zero_impedance.lines().iter();
        let merged: Vec<usize> = merged.copied().filter(|&l| l != k).collect();
        let ends = merged.iter().map(|&l| (model.lines[l].from, model.lines[l].to));
        let node_of_bus = components(model.n_bus, ends.clone());
        let flows = LeastNormFlows::new(&node_of_bus, ends.collect());
        for (&l, [flow]) in merged.iter().zip(flows.solve(surplus.iter().map(|s| [*s]))) {
            moved[l] = flow - self.flows[l];
        }
    }

    /// What changed angles add: nothing after the outage of a branch that closes a loop of merged branches.
    fn moved_by_angles(&self, model: &DcModel, k: usize) -> Vec<f64> {
        let out = &model.lines[k];
        let (mut moved, own) = model.outage_rates(k);
        let factor = if out.merged.is_none() {
            self.flows[k] / out.b
        } else {
            self.flows[k]
        } / own;
        if !factor.is_finite() {
            // A branch without susceptance carries nothing, and a branch in a loop without impedance nothing that others can tell.
            moved.fill(0.0);
            return moved;
        }
        moved.iter_mut().for_each(|f| *f *= factor);
        moved
    }
}
