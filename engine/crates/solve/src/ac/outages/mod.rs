//! N-1 screening by AC power flows: the voltages and flows after every single branch outage.
//!
//! The outage of a branch changes the power flow equations at its two ends only. If `E` are the unit vectors of the four
//! powers there and `D` is the derivative of the powers into the branch by the voltages of its ends, the Jacobian without
//! the branch is `J - E D E'`, and
//!
//! ```text
//! (J - E D E')^-1 r = y + Z M^-1 D E'y,    y = J^-1 r,  Z = J^-1 E,  M = 1 - D E'Z
//! ```
//!
//! (Woodbury; Alsac, Stott and Tinney, IEEE Trans. PAS-102 (1983), on compensation). Steps with this matrix, whose factor
//! is that of the base, and with Broyden's updates lead to the power flow without the branch: their mismatch is that of the
//! true equations, with the admittances of the network without the branch. Where they converge slowly, Newton's method
//! follows from the base, and then from the starts of a power flow without a solution nearby.

mod steps;
mod without;

use crate::ac::model::admittance::TwoPort;
use crate::ac::model::analysis::AcModel;
use crate::ac::model::elements::AcBranch;
use crate::ac::model::topology::NO_NODE;
use crate::ac::newton::equations::{Equations, Voltages};
use crate::ac::newton::method::{Newton, TOLERANCE};
use crate::ac::newton::reactive::{are_kept, enforce, ReactiveLimits};
use crate::ac::newton::starts::{self, Start};
use crate::ac::result::base::{put_limits, AcBase};
use crate::ac::result::outputs::flows;
use crate::ac::result::solution::{limited, AcFlows, AcSolution, Found};
use crate::dc::{Convention, DcModel};
use crate::topology::bridges::Bridges;
use num_complex::Complex64;
use std::sync::OnceLock;
use steps::Iterate;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::Result;
use without::Without;

/// A loading within this of 1 counts as 1, and a voltage within this of its limit (pu) as at its limit.
const SAME: f64 = 1e-6;

/// The limits that an outage may violate.
#[derive(Clone, Debug, PartialEq)]
pub struct AcLimits {
    /// Apparent power, per unit by dense branch row.
    pub rating: Vec<f64>,
    /// Lowest and highest voltage, per unit by dense bus row.
    pub voltage: Vec<[f64; 2]>,
}

/// The outages to screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcSelection {
    /// Dense branch rows; all energised branches if absent.
    pub branches: Option<Vec<usize>>,
    /// Outages whose estimated loading is below this are not solved.
    pub least_estimate: Option<f64>,
}

/// Outage of one branch.
#[derive(Clone, Debug, PartialEq)]
pub struct AcOutage {
    /// Dense branch row.
    pub branch: usize,
    /// The most loaded branch by line outage distribution factors, which move the active flows of the base while the
    /// reactive flows remain, and its loading. Absent where no other branch has a rating, and where the outage splits an
    /// island or a node.
    pub estimate: Option<(usize, f64)>,
    pub effect: AcEffect,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AcEffect {
    Solved(Box<AcAfter>),
    /// Neither these steps nor Newton's method found a power flow.
    NotConverged,
    /// The estimated loading is below the least one of the selection.
    Estimated,
    /// The outage splits an island: buses of the smaller part, with their demand and generation, per unit.
    Islanding {
        buses: Vec<usize>,
        demand: f64,
        generation: f64,
    },
}

/// Flows and voltages after an outage, compared with the limits.
#[derive(Clone, Debug, PartialEq)]
pub struct AcAfter {
    /// The most loaded branch; absent if no other branch carries power.
    pub worst: Option<AcLoading>,
    /// Number of overloaded branches, and of those that were neither overloaded nor at their limit before.
    pub overloads: usize,
    pub new_overloads: usize,
    /// The new overload with the largest increase.
    pub worst_new: Option<AcNewOverload>,
    /// Dense bus row and magnitude, per unit.
    pub lowest: (usize, f64),
    pub highest: (usize, f64),
    /// Number of buses beyond a voltage limit, and of those that were within their limits before.
    pub violations: usize,
    pub new_violations: usize,
    pub limits: ReactiveLimits,
}

/// The loading of a branch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcLoading {
    /// Dense branch row.
    pub branch: usize,
    /// Active power into the branch at its from end, and the larger apparent power of its ends, per unit.
    pub flow: f64,
    pub apparent: f64,
    pub loading: f64,
}

/// A branch that an outage overloads and that was neither overloaded nor at its limit before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcNewOverload {
    pub after: AcLoading,
    pub base_loading: f64,
}

/// How many outages were solved in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcCounts {
    /// With the factor of the base, and the number of steps.
    pub by_steps: usize,
    pub steps: usize,
    /// With a new factorisation: slow steps, reactive limits, branches without impedance.
    pub by_newton: usize,
    pub not_converged: usize,
}

/// A screening in progress.
#[derive(Clone, Debug)]
pub struct AcScreening {
    limits: AcLimits,
    least_estimate: Option<f64>,
    /// Outages as indices of the model's branches, and the first that is not done.
    outages: Vec<usize>,
    next: usize,
    /// By branch of the model: the buses that a bridge separates.
    cut_off: Vec<Option<Vec<usize>>>,
    /// Loading of each branch row, and whether each bus row is within its voltage limits.
    base_loading: Vec<f64>,
    base_within: Vec<bool>,
    /// The branches with a rating.
    rated: Vec<Rated>,
    /// The DC model of the estimates; `None` if the network has none.
    dc: OnceLock<Option<DcModel>>,
    without: Without,
    iterate: Iterate,
    pub counts: AcCounts,
}

/// What the passes over all branches read of a branch with a rating.
#[derive(Clone, Copy, Debug)]
struct Rated {
    row: u32,
    nodes: [u32; 2],
    port: TwoPort,
    /// Square of the reciprocal rating; infinite for a rating of zero.
    weight: f64,
    /// Powers into the branch at both ends in the base.
    base: [[f64; 2]; 2],
}

impl Rated {
    fn new(branch: &AcBranch, solution: &AcSolution, rating: f64) -> Self {
        Self {
            row: branch.row as u32,
            nodes: branch.nodes.map(|node| node as u32),
            port: branch.port,
            weight: 1.0 / (rating * rating),
            base: [solution.flow_from[branch.row], solution.flow_to[branch.row]],
        }
    }
}

/// Flows after an outage.
enum Flows {
    /// Of the iterate's voltages, in a network without branches that have no impedance.
    OfIterate,
    Rows(AcFlows),
}

/// Powers into a branch at both ends, active and reactive.
#[inline(always)]
fn powers(port: &TwoPort, f: Complex64, t: Complex64) -> [[f64; 2]; 2] {
    let s_f = f * (port.ff * f + port.ft * t).conj();
    let s_t = t * (port.tf * f + port.tt * t).conj();
    [[s_f.re, s_f.im], [s_t.re, s_t.im]]
}

/// The larger apparent power of two ends.
#[inline(always)]
fn apparent(from: [f64; 2], to: [f64; 2]) -> f64 {
    larger_square(from, to).sqrt()
}

#[inline(always)]
fn larger_square(from: [f64; 2], to: [f64; 2]) -> f64 {
    let square = |[p, q]: [f64; 2]| p * p + q * q;
    let (from, to) = (square(from), square(to));
    if from > to {
        from
    } else {
        to
    }
}

impl AcScreening {
    /// Prepares outages of branches of the model; `base` must be a solution of it. Rows of branches that are not
    /// energised are ignored.
    pub fn new(model: &AcModel, base: &AcBase, limits: AcLimits, selection: AcSelection) -> Self {
        let solution = &base.solution;
        let edges = model.branches.iter().enumerate();
        let edges = edges.map(|(k, branch)| (k, branch.buses[0], branch.buses[1]));
        let references: Vec<usize> = model.references.iter().map(|&(_, bus)| bus).collect();
        let bridges = Bridges::find(model.n_bus, edges, &references);
        let mut cut_off = vec![None; model.branches.len()];
        for bridge in &bridges.bridges {
            let island = model.island_of_node[model.node_of_bus[bridge.below]];
            cut_off[bridge.line] = Some(bridges.smaller_part(bridge, bridges.islands[island]));
        }
        let mut chosen = vec![selection.branches.is_none(); model.n_branch];
        for row in selection.branches.into_iter().flatten() {
            if let Some(chosen) = chosen.get_mut(row) {
                *chosen = true;
            }
        }
        let outages = (0..model.branches.len()).filter(|&k| chosen[model.branches[k].row]);
        let loading = |row: usize| {
            let power = apparent(solution.flow_from[row], solution.flow_to[row]);
            crate::loading(power, limits.rating[row])
        };
        let rated = model.branches.iter().filter(|b| limits.rating[b.row] != f64::INFINITY);
        let within = |bus: usize| is_within(limits.voltage[bus], solution.magnitude[bus]);
        Self {
            least_estimate: selection.least_estimate,
            outages: outages.collect(),
            next: 0,
            cut_off,
            base_loading: (0..model.n_branch).map(loading).collect(),
            base_within: (0..model.n_bus).map(within).collect(),
            rated: rated.map(|b| Rated::new(b, solution, limits.rating[b.row])).collect(),
            limits,
            dc: OnceLock::new(),
            without: Without::new(model),
            iterate: Iterate::new(base),
            counts: AcCounts::default(),
        }
    }

    /// Screens up to `budget` further outages; empty once all are done. Model and base must be those of `new`, and
    /// `network` the network of the model.
    ///
    /// # Errors
    /// The data errors of `AcModel::solve`.
    pub fn step(
        &mut self,
        model: &AcModel,
        base: &AcBase,
        network: &AnalysisNetwork,
        budget: usize,
    ) -> Result<Vec<AcOutage>> {
        let end = self.outages.len().min(self.next + budget.max(1));
        let equations = equations_of(model, base)?;
        let mut done = Vec::with_capacity(end - self.next);
        while self.next < end {
            let k = self.outages[self.next];
            done.push(self.outage(&equations, base, network, k)?);
            self.next += 1;
        }
        Ok(done)
    }

    /// Completed share of the outages, 0 to 1.
    pub fn fraction(&self) -> f64 {
        match self.outages.len() {
            0 => 1.0,
            all => self.next as f64 / all as f64,
        }
    }

    /// Voltages and flows after the outage of a branch row; `Err` with the effect if it has no power flow.
    ///
    /// # Errors
    /// The data errors of `AcModel::solve`.
    pub fn flows_after(
        &mut self,
        model: &AcModel,
        base: &AcBase,
        network: &AnalysisNetwork,
        branch: usize,
    ) -> Result<std::result::Result<AcFlows, AcEffect>> {
        let Some(k) = model.branch_of_row.get(branch).copied().flatten() else {
            return Ok(Err(AcEffect::Estimated));
        };
        if let Some(buses) = &self.cut_off[k] {
            return Ok(Err(islanding(model, base, buses)));
        }
        let equations = equations_of(model, base)?;
        let after = match self.solve(&equations, base, network, k)? {
            None => Err(AcEffect::NotConverged),
            Some((Flows::Rows(flows), _)) => Ok(flows),
            Some((Flows::OfIterate, _)) => {
                let voltages = &self.iterate.voltages;
                let (flow_from, flow_to) = flows(&self.without.model, &voltages.phasor, &[]);
                let at = |values: &[f64], bus: usize| values.get(model.node_of_bus[bus]).copied().unwrap_or(0.0);
                Ok(AcFlows {
                    magnitude: (0..model.n_bus).map(|bus| at(&voltages.magnitude, bus)).collect(),
                    angle: (0..model.n_bus).map(|bus| at(&voltages.angle, bus)).collect(),
                    flow_from,
                    flow_to,
                })
            }
        };
        self.without.put_back(k, &model.branches[k]);
        Ok(after)
    }

    fn outage(
        &mut self,
        equations: &Equations,
        base: &AcBase,
        network: &AnalysisNetwork,
        k: usize,
    ) -> Result<AcOutage> {
        let model = equations.model;
        let branch = model.branches[k].row;
        if let Some(buses) = &self.cut_off[k] {
            return Ok(AcOutage {
                branch,
                estimate: None,
                effect: islanding(model, base, buses),
            });
        }
        let estimate = self.estimate(network, branch, base.solution.flow_from[branch][0]);
        // Outages without an estimate are solved.
        let is_light = |least: f64| estimate.is_some_and(|(_, loading)| loading < least);
        let effect = if self.least_estimate.is_some_and(is_light) {
            AcEffect::Estimated
        } else {
            match self.solve(equations, base, network, k)? {
                None => AcEffect::NotConverged,
                Some((flows, limits)) => AcEffect::Solved(Box::new(self.after(model, branch, &flows, limits))),
            }
        };
        self.without.put_back(k, &model.branches[k]);
        Ok(AcOutage {
            branch,
            estimate,
            effect,
        })
    }

    /// The most loaded branch after an outage by distribution factors, and its loading.
    fn estimate(&self, network: &AnalysisNetwork, out: usize, flow: f64) -> Option<(usize, f64)> {
        let dc = self.dc.get_or_init(|| DcModel::new(network, Convention::Matpower).ok());
        let factors = dc.as_ref()?.lodf_column(out)?;
        let mut worst: Option<(usize, f64)> = None;
        let mut watched = 0.0;
        for branch in &self.rated {
            let row = branch.row as usize;
            let by = factors[row] * flow;
            let [[p_f, q_f], [p_t, q_t]] = branch.base;
            let (from, to) = ([p_f + by, q_f], [p_t - by, q_t]);
            if larger_square(from, to) * branch.weight < watched || row == out {
                continue;
            }
            let loading = crate::loading(apparent(from, to), self.limits.rating[row]);
            if loading > worst.map_or(0.0, |(_, worst)| worst) {
                worst = Some((row, loading));
                watched = loading * loading;
            }
        }
        worst
    }

    /// Compares the flows and voltages after an outage with the limits.
    fn after(&self, model: &AcModel, out: usize, flows: &Flows, limits: ReactiveLimits) -> AcAfter {
        let mut after = AcAfter {
            worst: None,
            overloads: 0,
            new_overloads: 0,
            worst_new: None,
            lowest: (0, f64::INFINITY),
            highest: (0, f64::NEG_INFINITY),
            violations: 0,
            new_violations: 0,
            limits,
        };
        let mut watched = 0.0;
        for branch in &self.rated {
            let row = branch.row as usize;
            let [from, to] = match flows {
                Flows::Rows(flows) => [flows.flow_from[row], flows.flow_to[row]],
                Flows::OfIterate => {
                    let [f, t] = branch.nodes.map(|node| self.iterate.voltages.phasor[node as usize]);
                    powers(&branch.port, f, t)
                }
            };
            // Below the worst loading so far and below 1, without a root and a quotient. NaN is not below.
            if larger_square(from, to) * branch.weight < watched || row == out {
                continue;
            }
            let apparent = apparent(from, to);
            let loading = crate::loading(apparent, self.limits.rating[row]);
            let used = AcLoading {
                branch: row,
                flow: from[0],
                apparent,
                loading,
            };
            if loading > after.worst.map_or(0.0, |worst| worst.loading) {
                after.worst = Some(used);
                watched = (loading * loading).min(1.0);
            }
            if loading <= 1.0 + SAME {
                continue;
            }
            after.overloads += 1;
            let base_loading = self.base_loading[row];
            if base_loading >= 1.0 - SAME {
                continue;
            }
            after.new_overloads += 1;
            let rise = |new: AcNewOverload| new.after.loading - new.base_loading;
            if loading - base_loading > after.worst_new.map_or(0.0, rise) {
                after.worst_new = Some(AcNewOverload {
                    after: used,
                    base_loading,
                });
            }
        }
        for (bus, &node) in model
            .node_of_bus
            .iter()
            .enumerate()
            .filter(|(_, node)| **node != NO_NODE)
        {
            let magnitude = match flows {
                Flows::Rows(flows) => flows.magnitude[bus],
                Flows::OfIterate => self.iterate.voltages.magnitude[node],
            };
            if magnitude < after.lowest.1 {
                after.lowest = (bus, magnitude);
            }
            if magnitude > after.highest.1 {
                after.highest = (bus, magnitude);
            }
            if !is_within(self.limits.voltage[bus], magnitude) {
                after.violations += 1;
                after.new_violations += usize::from(self.base_within[bus]);
            }
        }
        after
    }

    /// The power flow after an outage that does not split an island; `None` if there is none. The branch stays out of
    /// `without`.
    fn solve(
        &mut self,
        equations: &Equations,
        base: &AcBase,
        network: &AnalysisNetwork,
        k: usize,
    ) -> Result<Option<(Flows, ReactiveLimits)>> {
        let (model, solution) = (equations.model, &base.solution);
        let branch = &model.branches[k];
        let found = if branch.is_merged() {
            self.counts.by_newton += 1;
            rebuilt(model, base, network, branch.row)?
        } else {
            self.without.take_out(k);
            let stepped = branch.nodes[0] != branch.nodes[1] && self.iterate.solve(equations, base, &self.without, k);
            self.counts.steps = self.iterate.steps;
            let kept = |iterate: &Iterate| match solution.reactive_limits {
                ReactiveLimits::Kept { .. } => {
                    are_kept(equations, &iterate.injections, &iterate.voltages, &solution.sides)
                }
                _ => true,
            };
            if stepped && kept(&self.iterate) {
                self.counts.by_steps += 1;
                let limits = match solution.reactive_limits {
                    ReactiveLimits::Kept { .. } => ReactiveLimits::Kept { rounds: 0 },
                    other => other,
                };
                let flows = match model.zero_impedance.is_empty() {
                    true => Flows::OfIterate,
                    false => self.rows(base, limits)?,
                };
                return Ok(Some((flows, limits)));
            }
            self.counts.by_newton += 1;
            let from = stepped.then_some(&self.iterate.voltages);
            newton(&self.without.model, base, from)?
        };
        self.counts.not_converged += usize::from(found.is_none());
        Ok(found.map(|(flows, limits)| (Flows::Rows(flows), limits)))
    }

    /// Flows of the iterate by row.
    fn rows(&self, base: &AcBase, limits: ReactiveLimits) -> Result<Flows> {
        let model = &self.without.model;
        let found = Found {
            equations: equations_of(model, base)?,
            voltages: self.iterate.voltages.clone(),
            sides: base.solution.sides.clone(),
            limits,
            start: Start::Base,
        };
        let mut newton = Newton::default();
        newton.injections.clone_from(&self.iterate.injections);
        Ok(Flows::Rows(found.flows(&base.solution.data, &newton)))
    }
}

fn is_within([low, high]: [f64; 2], magnitude: f64) -> bool {
    magnitude >= low - SAME && magnitude <= high + SAME
}

/// The equations of the base.
fn equations_of<'a>(model: &'a AcModel, base: &AcBase) -> Result<Equations<'a>> {
    let solution = &base.solution;
    let mut equations = Equations::new(model, &solution.data, solution.options.slack)?;
    put_limits(&mut equations, solution);
    Ok(equations)
}

fn islanding(model: &AcModel, base: &AcBase, buses: &[usize]) -> AcEffect {
    let solution = &base.solution;
    let is_inside = |bus: usize| buses.binary_search(&bus).is_ok();
    let demand = &solution.data.demand;
    let beyond = model.voltage_dependent.iter().filter(|demand| is_inside(demand.bus));
    let beyond = beyond.map(|demand| demand.beyond(solution.magnitude[demand.bus]).re);
    let units = model.units.iter().filter(|unit| is_inside(unit.bus));
    AcEffect::Islanding {
        demand: buses.iter().map(|&bus| demand[bus]).sum::<f64>() + beyond.sum::<f64>(),
        generation: units.map(|unit| solution.output[unit.row]).sum(),
        buses: buses.to_vec(),
    }
}

/// Newton's method on a model without a branch: from the solution of the other steps, if they converged, otherwise from
/// the base, and then from the starts of a power flow.
fn newton(model: &AcModel, base: &AcBase, from: Option<&Voltages>) -> Result<Option<(AcFlows, ReactiveLimits)>> {
    let solution = &base.solution;
    let (data, options) = (&solution.data, solution.options);
    let mut newton = Newton::default();
    let mut equations = equations_of(model, base)?;
    let mut voltages = from.unwrap_or(&solution.voltages).clone();
    let mut sides = solution.sides.clone();
    let mut limits = solution.reactive_limits;
    let mut solved = newton.solve(&equations, &mut voltages, TOLERANCE).is_ok();
    if let (true, ReactiveLimits::Kept { .. }) = (solved, limits) {
        match enforce(&mut newton, &mut equations, &mut voltages, &mut sides) {
            Some(rounds) => limits = ReactiveLimits::Kept { rounds },
            None => solved = false,
        }
    }
    if !solved {
        equations = Equations::new(model, data, options.slack)?;
        let Some(found) = starts::without_stored(&mut newton, &equations) else {
            return Ok(None);
        };
        voltages = found;
        sides.fill(None);
        limits = limited(&mut newton, &mut equations, &mut voltages, &mut sides, options);
    }
    let found = Found {
        equations,
        voltages,
        sides,
        limits,
        start: Start::Base,
    };
    Ok(Some((found.flows(data, &newton), limits)))
}

/// The power flow of the network without a branch that has no impedance. Its ends may no longer be one node.
fn rebuilt(
    model: &AcModel,
    base: &AcBase,
    network: &AnalysisNetwork,
    row: usize,
) -> Result<Option<(AcFlows, ReactiveLimits)>> {
    let mut network = network.clone();
    network.branches[row].in_service = false;
    let mut without = AcModel::new(&network)?;
    let solution = &base.solution;
    for (stored, &bus) in without.stored.iter_mut().zip(&without.bus_of_node) {
        if model.energised(bus) {
            *stored = (solution.magnitude[bus], solution.angle[bus]);
        }
    }
    Ok(match without.solve(&solution.data, solution.options) {
        Ok(solution) => {
            let flows = AcFlows {
                magnitude: solution.magnitude,
                angle: solution.angle,
                flow_from: solution.flow_from,
                flow_to: solution.flow_to,
            };
            Some((flows, solution.reactive_limits))
        }
        Err(error) if error.code == "SOLVE.NOT_CONVERGED" => None,
        Err(error) => return Err(error),
    })
}
