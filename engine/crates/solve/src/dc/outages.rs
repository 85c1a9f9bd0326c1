//! N-1 screening of a solution: every single branch outage, by line outage distribution factors.
//!
//! The outage of line k moves its flow to the others: `f_l' = f_l + f_k ptdf_lk / (1 - ptdf_kk)`, where `ptdf_lk` is
//! the flow on l of a unit transfer from k's from bus to its to bus (Wood, Wollenberg and Sheble, *Power Generation,
//! Operation and Control*, 3rd ed., section 7.6). Dispatch and demand are constant. The outage of a bridge splits its
//! island instead. The outage of a branch without impedance splits its node: the angle between the two parts adjusts so
//! that no power flows over the branch. Around a loop of such branches, flows are the least-norm ones that balance. A
//! branch at its limit hides overloads that an outage causes elsewhere, so overloads of branches that were below their
//! limits are counted and named separately.

use crate::dc::model::DcModel;
use crate::dc::result::solution::DcSolution;
use crate::topology::least_norm_flows::LeastNormFlows;
use wattbook_network::union_find::components;

/// A loading within this of 1 counts as 1: above it a branch is overloaded, below it the branch has a margin.
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
    /// The most heavily loaded branch afterwards (dense row), its flow and loading; the number of overloaded branches;
    /// how many of them were neither overloaded nor binding before; and the one of these with the largest increase.
    Loading {
        worst: Option<usize>,
        flow: f64,
        loading: f64,
        overloads: usize,
        new_overloads: usize,
        worst_new: Option<NewOverload>,
    },
    /// The outage splits an island: buses of the smaller part, with their demand and generation, per unit.
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
    /// Flow afterwards, per unit at the from end, and loading afterwards and before, as fractions of the rating.
    pub flow: f64,
    pub loading: f64,
    pub base_loading: f64,
}

/// A screening in progress, with one sparse solve and one pass over the lines per outage.
#[derive(Clone, Debug)]
pub struct Screening {
    /// Flow and loading by line, and the buses that each bridge separates.
    flows: Vec<f64>,
    loadings: Vec<f64>,
    cut_off: Vec<Option<Vec<usize>>>,
    /// The lines whose outages are screened, and the first that is not done.
    lines: Vec<usize>,
    next: usize,
}

impl Screening {
    /// Prepares the outages of branches by dense row; of all energised ones without a choice.
    pub fn new(model: &DcModel, solution: &DcSolution, branches: Option<&[usize]>) -> Self {
        let bridges = &model.bridges;
        let mut cut_off = vec![None; model.lines.len()];
        for bridge in &bridges.bridges {
            let island = bridges.islands[model.island_of_bus[bridge.below]];
            cut_off[bridge.line] = Some(bridges.smaller_part(bridge, island));
        }
        let lines = match branches {
            None => (0..model.ties().start).collect(),
            Some(rows) => {
                let lines = rows.iter().filter_map(|&row| model.line_of_branch.get(row).copied()?);
                let mut lines: Vec<usize> = lines.collect();
                lines.sort_unstable();
                lines.dedup();
                lines
            }
        };
        Self {
            lines,
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

    /// Screens up to `budget` further outages; empty once all are done. `solution` must be the one of `Screening::new`.
    pub fn step(&mut self, model: &DcModel, solution: &DcSolution, budget: usize) -> Vec<Outage> {
        let end = self.lines.len().min(self.next + budget.max(1));
        let outages = self.lines[self.next..end].iter();
        let outages = outages.map(|&k| self.outage(model, solution, k)).collect();
        self.next = end;
        outages
    }

    /// Flow of every branch after the outage of one, per unit by dense branch row: zero for that branch, unchanged for
    /// branches outside the model. `None` if the outage splits an island or the branch is outside the model.
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

    /// Completed share of the outages, 0 to 1.
    pub fn fraction(&self) -> f64 {
        match self.lines.len() {
            0 => 1.0,
            all => self.next as f64 / all as f64,
        }
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
                let buses = buses.into_iter().filter(|&bus| model.host(bus) == bus).collect();
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

    /// Change of each line's flow after the outage of a line that is not a bridge.
    fn moved(&self, model: &DcModel, k: usize) -> Vec<f64> {
        let mut moved = self.moved_by_angles(model, k);
        let merged = model.zero_impedance.lines();
        if merged.iter().any(|&l| model.is_undetermined(l)) {
            self.move_round_loops(model, k, &mut moved);
        }
        moved
    }

    /// If merged branches form loops, the remaining ones have the least-norm flows.
    fn move_round_loops(&self, model: &DcModel, k: usize, moved: &mut [f64]) {
        // Power to carry away from each bus: the previous flows of the merged branches and of the lost line, less the
        // changes of the flows of other lines.
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

    /// Effect of changed angles; zero after the outage of a branch that closes a loop of merged branches.
    fn moved_by_angles(&self, model: &DcModel, k: usize) -> Vec<f64> {
        let out = &model.lines[k];
        let (mut moved, own) = model.outage_rates(k);
        let factor = if out.merged.is_none() {
            self.flows[k] / out.b
        } else {
            self.flows[k]
        } / own;
        if !factor.is_finite() {
            // The outage of a branch without susceptance, or in a loop without impedance, does not affect other lines.
            moved.fill(0.0);
            return moved;
        }
        moved.iter_mut().for_each(|f| *f *= factor);
        moved
    }
}
