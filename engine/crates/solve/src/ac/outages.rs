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

use super::model::admittance::TwoPort;
use super::model::analysis::AcModel;
use super::model::elements::AcBranch;
use super::model::topology::NO_NODE;
use super::newton::equations::{Equations, Voltages};
use super::newton::jacobian::inverse_of;
use super::newton::method::{Newton, COLLAPSED, TOLERANCE};
use super::newton::reactive::{are_kept, enforce, ReactiveLimits};
use super::newton::starts::{self, Start};
use super::result::base::{put_limits, AcBase};
use super::result::outputs::flows;
use super::result::solution::{limited, AcFlows, AcSolution, Found};
use crate::topology::bridges::Bridges;
use num_complex::Complex64;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::Result;
use wattbook_sparse::{Block, BlockLu, BlockRows, FourPairs};

/// A loading within this of 1 counts as 1, and a voltage within this of its limit (pu) as at its limit.
const SAME: f64 = 1e-6;
/// Largest mismatch after the steps, per unit: below that of a solution, so that voltages agree with those of Newton's
/// method, whose last step leaves next to none.
const CLOSE: f64 = 0.1 * TOLERANCE;
/// The steps end once the mismatch has not been halved this often.
const MOST_SLOW: usize = 2;
const MOST_STEPS: usize = 20;
/// Share of a transfer that the other branches must carry for distribution factors to exist.
const SMALLEST_SHARE: f64 = 1e-9;

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
    factors: Option<Factors>,
    without: Without,
    iterate: Iterate,
    pub counts: AcCounts,
}

/// The model without the branch of one outage. The pattern of its admittances remains.
#[derive(Clone, Debug)]
struct Without {
    model: AcModel,
    /// Admittance to ground of each node.
    ground: Vec<Complex64>,
    /// Start of each node in `at_node`, followed by the end of the last; branches at each node in their order.
    start: Vec<u32>,
    at_node: Vec<u32>,
}

/// Buffers of the steps.
#[derive(Clone, Debug)]
struct Iterate {
    voltages: Voltages,
    injections: Vec<Complex64>,
    mismatch: Vec<[f64; 2]>,
    z: Vec<FourPairs>,
    z_slack: Vec<[f64; 4]>,
    taken: Vec<Step>,
}

/// A step, with its slack and its square.
#[derive(Clone, Debug, Default)]
struct Step {
    x: Vec<[f64; 2]>,
    slack: Vec<f64>,
    square: f64,
}

/// What the passes over all branches read of a branch with a rating.
#[derive(Clone, Copy, Debug)]
struct Rated {
    row: u32,
    nodes: [u32; 2],
    port: TwoPort,
    /// Square of the reciprocal rating; infinite for a rating of zero.
    weight: f64,
    /// Susceptance of the distribution factors, zero between buses of one node.
    b: f64,
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
            b: if has_angle(branch) { susceptance(branch) } else { 0.0 },
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

impl Without {
    fn new(model: &AcModel) -> Self {
        let n = model.kinds.len();
        let mut ground = vec![Complex64::default(); n];
        for (bus, &node) in model
            .node_of_bus
            .iter()
            .enumerate()
            .filter(|(_, node)| **node != NO_NODE)
        {
            ground[node] += model.shunts[bus];
        }
        let mut start = vec![0u32; n + 2];
        for node in model.branches.iter().flat_map(ends) {
            start[node + 2] += 1;
        }
        for k in 2..n + 2 {
            start[k] += start[k - 1];
        }
        let mut at_node = vec![0u32; start[n + 1] as usize];
        for (k, branch) in model.branches.iter().enumerate() {
            for node in ends(branch) {
                let next = &mut start[node + 1];
                at_node[*next as usize] = k as u32;
                *next += 1;
            }
        }
        Self {
            model: model.clone(),
            ground,
            start,
            at_node,
        }
    }

    /// Takes a branch out.
    fn take_out(&mut self, k: usize) {
        let branch = &mut self.model.branches[k];
        (branch.port, branch.impedance) = (TwoPort::default(), 0.0);
        self.sum_up(k);
    }

    /// Puts a branch back.
    fn put_back(&mut self, k: usize, branch: &AcBranch) {
        self.model.branches[k] = branch.clone();
        self.sum_up(k);
    }

    /// Sums the admittances of the nodes of a branch in the order of `Admittance::new`: a difference would keep roundings of
    /// the branch.
    fn sum_up(&mut self, k: usize) {
        let Self {
            model,
            ground,
            start,
            at_node,
        } = self;
        let [f, t] = model.branches[k].nodes;
        let at = |node: usize| at_node[start[node] as usize..start[node + 1] as usize].iter();
        for node in [f, t] {
            let mut sum = ground[node];
            for &k in at(node) {
                let AcBranch { nodes, port, .. } = &model.branches[k as usize];
                match [nodes[0] == node, nodes[1] == node] {
                    [true, true] => sum = sum + port.ff + port.ft + port.tf + port.tt,
                    [true, false] => sum += port.ff,
                    _ => sum += port.tt,
                }
            }
            model.admittance.diagonal[node] = sum;
        }
        for (row, column) in [(f, t), (t, f)] {
            let Some(position) = model.admittance.position(row, column) else {
                continue;
            };
            let mut sum = Complex64::default();
            for &k in at(row) {
                let AcBranch { nodes, port, .. } = &model.branches[k as usize];
                if *nodes == [row, column] {
                    sum += port.ft;
                } else if *nodes == [column, row] {
                    sum += port.tf;
                }
            }
            model.admittance.values[position] = sum;
        }
    }
}

/// The nodes of a branch, each once.
fn ends(branch: &AcBranch) -> impl Iterator<Item = usize> {
    let [f, t] = branch.nodes;
    [Some(f), (f != t).then_some(t)].into_iter().flatten()
}

/// Powers into a branch at both ends, active and reactive.
#[inline(always)]
fn powers(port: &TwoPort, f: Complex64, t: Complex64) -> [[f64; 2]; 2] {
    let s_f = f * (port.ff * f + port.ft * t).conj();
    let s_t = t * (port.tf * f + port.tt * t).conj();
    [[s_f.re, s_f.im], [s_t.re, s_t.im]]
}

/// Derivatives of the powers into a branch, in the order of `powers`, by the angle and the logarithm of the magnitude of
/// its from end, then by those of its to end.
fn derivatives(port: &TwoPort, f: Complex64, t: Complex64) -> [[f64; 4]; 4] {
    let own = [port.ff.conj() * f.norm_sqr(), port.tt.conj() * t.norm_sqr()];
    let other = [f * (port.ft * t).conj(), t * (port.tf * f).conj()];
    let mut rows = [[0.0; 4]; 4];
    for end in 0..2 {
        let (own, other) = (own[end], other[end]);
        let (here, there) = (2 * end, 2 - 2 * end);
        rows[2 * end][here] = -other.im;
        rows[2 * end][here + 1] = 2.0 * own.re + other.re;
        rows[2 * end][there] = other.im;
        rows[2 * end][there + 1] = other.re;
        rows[2 * end + 1][here] = other.re;
        rows[2 * end + 1][here + 1] = 2.0 * own.im + other.im;
        rows[2 * end + 1][there] = -other.re;
        rows[2 * end + 1][there + 1] = other.im;
    }
    rows
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
            factors: Factors::new(model),
            without: Without::new(model),
            iterate: Iterate {
                voltages: solution.voltages.clone(),
                injections: base.injections.clone(),
                mismatch: Vec::new(),
                z: Vec::new(),
                z_slack: Vec::new(),
                taken: Vec::new(),
            },
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
        let estimate = match &mut self.factors {
            Some(factors) => {
                let flow = base.solution.flow_from[branch][0];
                factors.estimate(model, &self.rated, &self.limits.rating, k, flow)
            }
            None => None,
        };
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
            let stepped = branch.nodes[0] != branch.nodes[1] && self.steps(equations, base, k);
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

    /// Steps from the base with the Jacobian without branch `k`, corrected by Broyden's updates (Kelley, *Iterative Methods
    /// for Linear and Nonlinear Equations*, SIAM 1995, section 7.3); whether they converge.
    fn steps(&mut self, equations: &Equations, base: &AcBase, k: usize) -> bool {
        let model = equations.model;
        let branch = &model.branches[k];
        let [f, t] = branch.nodes;
        let Iterate {
            voltages,
            injections,
            mismatch,
            z,
            z_slack,
            taken,
        } = &mut self.iterate;
        voltages.clone_from(&base.solution.voltages);
        base.jacobian.solve_units(model, [f, t], z, z_slack);
        let d = derivatives(&branch.port, voltages.phasor[f], voltages.phasor[t]);
        // E'Z by rows.
        let at_ends = [z[f][0], z[f][1], z[t][0], z[t][1]];
        let m = (0..4).map(|i| {
            let entry = |j: usize| {
                let product = (0..4).fold(0.0, |sum, l| sum + d[i][l] * at_ends[l][j]);
                f64::from(u8::from(i == j)) - product
            };
            (0..4).map(entry).collect()
        });
        let Some(inverse) = inverse_of(m.collect()) else {
            return false;
        };
        let times_inverse = |b: [f64; 4]| {
            let row = |i: usize| (0..4).fold(0.0, |sum, j| sum + inverse[i][j] * b[j]);
            [row(0), row(1), row(2), row(3)]
        };
        // At the base, the mismatch is that of the lost powers.
        let [[p_f, q_f], [p_t, q_t]] = powers(&branch.port, voltages.phasor[f], voltages.phasor[t]);
        let mut factors = times_inverse([p_f, q_f, p_t, q_t]);
        let (mut before, mut slow) = (f64::INFINITY, 0);
        for step in 0..MOST_STEPS {
            if taken.len() == step {
                taken.push(Step::default());
            }
            let (earlier, next) = taken.split_at_mut(step);
            let Step { x, slack, square } = &mut next[0];
            if step == 0 {
                x.clear();
                x.resize(model.kinds.len(), [0.0; 2]);
                slack.clear();
                slack.resize(model.references.len(), 0.0);
            } else {
                x.clear();
                x.extend(mismatch.iter().map(|f| [-f[0], -f[1]]));
                *slack = base.jacobian.solve(model, x);
                let at_ends = [x[f][0], x[f][1], x[t][0], x[t][1]];
                let row = |i: usize| (0..4).fold(0.0, |sum, j| sum + d[i][j] * at_ends[j]);
                factors = times_inverse([row(0), row(1), row(2), row(3)]);
            }
            add_columns(x, &factors, z);
            for (slack, z) in slack.iter_mut().zip(&*z_slack) {
                *slack += (factors[0] * z[0] + factors[1] * z[1]) + (factors[2] * z[2] + factors[3] * z[3]);
            }
            for pair in earlier.windows(2) {
                let factor = product(&pair[0].x, x) / pair[0].square;
                add_scaled(x, factor, &pair[1].x);
                slack
                    .iter_mut()
                    .zip(&pair[1].slack)
                    .for_each(|(s, of)| *s += factor * of);
            }
            if let Some(last) = earlier.last() {
                let scale = 1.0 / (1.0 - product(&last.x, x) / last.square);
                if !(scale.is_finite() && scale > 0.0) {
                    return false;
                }
                x.iter_mut().for_each(|x| *x = [scale * x[0], scale * x[1]]);
                slack.iter_mut().for_each(|s| *s *= scale);
            }
            *square = product(x, x);
            voltages.turn(x, slack);
            self.counts.steps += 1;
            self.without.model.admittance.times(&voltages.phasor, injections);
            for (s, v) in injections.iter_mut().zip(&voltages.phasor) {
                *s = Complex64::new(v.re * s.re + v.im * s.im, v.im * s.re - v.re * s.im);
            }
            let largest = equations.mismatch(injections, voltages, mismatch);
            if largest <= CLOSE.max(model.rounding) {
                return voltages.magnitude.iter().all(|&v| v > COLLAPSED);
            }
            slow += usize::from(largest > 0.5 * before);
            if slow >= MOST_SLOW || largest.is_nan() {
                return false;
            }
            before = largest;
        }
        false
    }
}

/// `a'b` in two sums.
fn product(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let [mut first, mut second] = [0.0; 2];
    for (a, b) in a.iter().zip(b) {
        first += a[0] * b[0];
        second += a[1] * b[1];
    }
    first + second
}

/// `x += factor y`.
fn add_scaled(x: &mut [[f64; 2]], factor: f64, y: &[[f64; 2]]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = [x[0] + factor * y[0], x[1] + factor * y[1]];
    }
}

/// `x += z factors`.
fn add_columns(x: &mut [[f64; 2]], factors: &[f64; 4], z: &[FourPairs]) {
    let along = |z: &[f64; 4]| (factors[0] * z[0] + factors[1] * z[1]) + (factors[2] * z[2] + factors[3] * z[3]);
    for (x, z) in x.iter_mut().zip(z) {
        *x = [x[0] + along(&z[0]), x[1] + along(&z[1])];
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

/// Line outage distribution factors of the nodes (Wood, Wollenberg and Sheble, *Power Generation, Operation and Control*,
/// 3rd ed., section 7.6), with `b = 1 / (x tau)`.
#[derive(Clone, Debug)]
struct Factors {
    lu: BlockLu,
    x: Vec<[f64; 2]>,
}

impl Factors {
    /// `None` if reactances cancel.
    fn new(model: &AcModel) -> Option<Self> {
        let y = &model.admittance;
        let mut blocks: Vec<Block> = vec![[0.0; 4]; y.columns.len()];
        let mut diagonal: Vec<Block> = vec![[0.0, 0.0, 0.0, 1.0]; model.kinds.len()];
        for branch in model.branches.iter().filter(|branch| has_angle(branch)) {
            let [f, t] = branch.nodes;
            let b = susceptance(branch);
            diagonal[f][0] += b;
            diagonal[t][0] += b;
            for (row, column) in [(f, t), (t, f)] {
                if let Some(at) = y.position(row, column) {
                    blocks[at][0] -= b;
                }
            }
        }
        for &(node, _) in &model.references {
            diagonal[node][0] = 1.0;
            blocks[y.range(node)].fill([0.0; 4]);
        }
        let matrix = BlockRows {
            start: &y.start,
            columns: &y.columns,
            blocks: &blocks,
            diagonal: &diagonal,
        };
        let lu = BlockLu::factor(&model.pattern, &matrix).ok()?;
        Some(Self { lu, x: Vec::new() })
    }

    fn estimate(
        &mut self,
        model: &AcModel,
        rated: &[Rated],
        rating: &[f64],
        k: usize,
        flow: f64,
    ) -> Option<(usize, f64)> {
        let out = &model.branches[k];
        if !has_angle(out) {
            return None;
        }
        let [f, t] = out.nodes;
        let x = &mut self.x;
        x.clear();
        x.resize(model.kinds.len(), [0.0; 2]);
        (x[f][0], x[t][0]) = (1.0, -1.0);
        for &(reference, _) in &model.references {
            x[reference][0] = 0.0;
        }
        self.lu.solve(&model.pattern, x);
        let rest = 1.0 - susceptance(out) * (x[f][0] - x[t][0]);
        let moved = flow / rest;
        if !(rest.abs() > SMALLEST_SHARE && moved.is_finite()) {
            return None;
        }
        let mut worst: Option<(usize, f64)> = None;
        let mut watched = 0.0;
        for branch in rated {
            let [f, t] = branch.nodes.map(|node| node as usize);
            let by = moved * branch.b * (x[f][0] - x[t][0]);
            let [[p_f, q_f], [p_t, q_t]] = branch.base;
            let (from, to) = ([p_f + by, q_f], [p_t - by, q_t]);
            let row = branch.row as usize;
            if larger_square(from, to) * branch.weight < watched || row == out.row {
                continue;
            }
            let loading = crate::loading(apparent(from, to), rating[row]);
            if loading > worst.map_or(0.0, |(_, worst)| worst) {
                worst = Some((row, loading));
                watched = loading * loading;
            }
        }
        worst
    }
}

/// Whether the flow of a branch follows from angles.
fn has_angle(branch: &AcBranch) -> bool {
    !branch.is_merged() && branch.nodes[0] != branch.nodes[1]
}

fn susceptance(branch: &AcBranch) -> f64 {
    1.0 / (branch.reactance * branch.data.tap)
}
