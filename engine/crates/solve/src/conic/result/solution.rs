//! The optimum in terms of the network.

use crate::conic::infeasibility::dual_bound::joined;
use crate::conic::infeasibility::multipliers::ConicMultipliers;
use crate::conic::interior_point::cone::{margin, tail};
use crate::conic::interior_point::method::{ConicResiduals, InteriorPoint};
use crate::conic::interior_point::start::Point;
use crate::conic::model::bus_pairs::loop_power;
use crate::conic::model::data::ConicData;
use crate::conic::model::formulation::{ConicModel, Output};
use crate::conic::model::link_columns::{circulating, link_powers};
use crate::conic::model::program::{dot4, Program};
use crate::conic::model::topology::NO_NODE;
use crate::links::LinkPower;

/// The state of the relaxation at two connected buses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairState {
    /// Dense bus rows.
    pub buses: [usize; 2],
    /// `wr, wi`: the product of the first voltage and the second's conjugate.
    pub product: [f64; 2],
    /// `1 - |W|^2 / (w_f w_t)`; at zero the cone is tight and the product is that of two voltages.
    pub looseness: f64,
    /// Slack and multiplier sum of the boosted cone; in a tight cone the slack is far smaller.
    pub slack: f64,
    pub multiplier: f64,
}

/// A cone is tight if its looseness is below this.
pub const TIGHT: f64 = 1e-6;

impl PairState {
    pub fn is_tight(&self) -> bool {
        self.looseness < TIGHT
    }
}

/// An optimum of the relaxation, per unit and $/h by dense row; zero for buses that are not energised and rows out of
/// service.
#[derive(Clone, Debug)]
pub struct ConicSolution {
    pub data: ConicData,
    /// $/h, a lower bound on the cost of AC optimal power flow.
    pub objective: f64,
    pub iterations: usize,
    /// Factorisations in double the precision.
    pub precise_factors: usize,
    pub residuals: ConicResiduals,
    /// Whether it was found from another optimum.
    pub is_warm: bool,
    /// Active and reactive output of generators.
    pub dispatch: Vec<f64>,
    pub dispatch_q: Vec<f64>,
    /// Powers of HVDC links, and the links that send power in both directions, which no dispatch does.
    pub links: Vec<LinkPower>,
    pub circulating: Vec<usize>,
    /// Squared voltage magnitudes of buses.
    pub voltage_squared: Vec<f64>,
    /// Products `wr, wi` of branches, from end first.
    pub product: Vec<[f64; 2]>,
    /// `P, Q` into branches at their from and to ends.
    pub flow_from: Vec<[f64; 2]>,
    pub flow_to: Vec<[f64; 2]>,
    /// Larger apparent power of the ends over the rating.
    pub loading: Vec<f64>,
    /// Prices of active and reactive power, $/h per unit.
    pub price: Vec<f64>,
    pub price_q: Vec<f64>,
    /// Saving per additional unit of a branch's rating, $/h.
    pub shadow: Vec<f64>,
    /// Cost of raising the lower and saving of raising the upper limit of a bus's squared voltage by one unit, $/h, at
    /// the bus that sets it.
    pub voltage_shadow: Vec<[f64; 2]>,
    /// Multipliers of a branch's lower and upper angle-difference limit if it sets that of its buses, $/h per unit of
    /// `sin(limit) wr - cos(limit) wi`.
    pub angle_shadow: Vec<[f64; 2]>,
    /// Generation less the demand of loads.
    pub losses: f64,
    pub pairs: Vec<PairState>,
    /// Pair of each branch.
    pub pair_of_branch: Vec<Option<usize>>,
    pub multipliers: ConicMultipliers,
    pub(crate) program: Program,
    pub(crate) point: Point,
}

/// `w_f w_t - |W|^2` over `w_f w_t` without cancellation.
fn looseness(local: &[f64; 4]) -> f64 {
    let [wf, wt, e, wi] = *local;
    let difference = wf - wt;
    let slack = e * (wf + wt - e) - 0.25 * difference * difference - wi * wi;
    slack / (wf * wt)
}

impl ConicSolution {
    /// The solution at the best iterate; `before` counts iterations of earlier phases.
    pub(crate) fn new(
        model: &ConicModel,
        data: ConicData,
        solved: &InteriorPoint,
        before: usize,
        is_warm: bool,
    ) -> Self {
        let program = solved.program.clone();
        let (point, residuals) = solved.best();
        let point = point.clone();
        let network = &model.network;
        let (n_bus, n_branch) = (network.buses.len(), network.branches.len());
        let v = &point.v;
        let scale = program.cost_scale;
        let node_of_bus = &model.topology.node_of_bus;
        let by_bus = |at: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let value = |&node: &usize| if node == NO_NODE { 0.0 } else { at(node) };
            node_of_bus.iter().map(value).collect()
        };
        let output = |o: Output| match o {
            Output::Column(k) => v.x[program.n + k],
            Output::Fixed(at) => at,
        };
        let mut dispatch = vec![0.0; network.generators.len()];
        let mut dispatch_q = dispatch.clone();
        for (column, o) in &model.active {
            dispatch[column.generator] += output(*o);
        }
        for &(row, o) in &model.reactive {
            dispatch_q[row] = output(o);
        }
        let pairs: Vec<PairState> = (program.pairs.iter().enumerate())
            .map(|(k, pair)| {
                let local = program.local(k, &v.x, &v.u);
                let (s, z) = (&point.s.jabr[k], &v.z.jabr[k]);
                PairState {
                    buses: pair.nodes.map(|node| model.topology.bus_of_node[node]),
                    product: [0.5 * (local[0] + local[1]) - local[2], local[3]],
                    looseness: looseness(&local),
                    slack: crate::conic::interior_point::cone::margin(s),
                    multiplier: (z[0] + crate::conic::interior_point::cone::tail(z)) * scale,
                }
            })
            .collect();
        let mut found = Self {
            objective: program.objective(&v.x) * scale + model.cost_constant,
            iterations: before + solved.iterations,
            precise_factors: solved.precise_factors,
            residuals,
            is_warm,
            dispatch,
            dispatch_q,
            links: link_powers(network, &model.links, &model.link_reactive, output),
            circulating: circulating(network.links.len(), &model.links, output),
            voltage_squared: by_bus(&|node| v.x[node]),
            product: vec![[0.0; 2]; n_branch],
            flow_from: vec![[0.0; 2]; n_branch],
            flow_to: vec![[0.0; 2]; n_branch],
            loading: vec![0.0; n_branch],
            price: by_bus(&|node| -v.y[node][0] * scale),
            price_q: by_bus(&|node| -v.y[node][1] * scale),
            shadow: vec![0.0; n_branch],
            voltage_shadow: vec![[0.0; 2]; n_bus],
            angle_shadow: vec![[0.0; 2]; n_branch],
            losses: 0.0,
            pair_of_branch: vec![None; n_branch],
            multipliers: ConicMultipliers::new(model, &program, &v.y, &v.z, scale),
            pairs,
            data,
            program,
            point,
        };
        found.fill_branches(model);
        found.fill_limit_shadows(model);
        let given: f64 = found.dispatch.iter().sum();
        let energised = (0..n_bus).filter(|&bus| model.energised(bus));
        let drawn: f64 = energised.map(|bus| found.data.demand[bus]).sum();
        found.losses = given - drawn;
        found
    }

    fn fill_branches(&mut self, model: &ConicModel) {
        let network = &model.network;
        let v = &self.point.v;
        for (row, branch) in model.branches.iter().enumerate() {
            let b = &network.branches[row];
            let Some(branch) = branch else {
                // A branch with both ends at one node draws power there.
                if b.in_service && model.energised(b.from) {
                    let w = self.voltage_squared[b.from];
                    let drawn = loop_power(b).map(|p| p * w);
                    (self.flow_from[row], self.flow_to[row]) = ([drawn[0], drawn[1]], [drawn[2], drawn[3]]);
                    self.product[row] = [w, 0.0];
                }
                continue;
            };
            let local = self.program.local(branch.pair, &v.x, &v.u);
            let [wr, wi] = self.pairs[branch.pair].product;
            self.product[row] = [wr, if branch.is_turned { -wi } else { wi }];
            let flow = branch.thermal.map(|k| {
                let t = &self.program.thermal[k];
                let (s, z) = (&self.point.s.thermal[k], &self.point.v.z.thermal[k]);
                // A limit whose slack exceeds its multiplier does not bind; the residual multiplier is the width of the
                // central path.
                if margin(s) <= z[0] + tail(z) {
                    self.shadow[row] += z[0] * self.program.cost_scale / t.scale;
                }
                [dot4(&t.p, &local), dot4(&t.q, &local)]
            });
            (self.flow_from[row], self.flow_to[row]) = (flow[0], flow[1]);
            self.pair_of_branch[row] = Some(branch.pair);
        }
        self.fill_zero_impedance(model);
        for (row, loading) in self.loading.iter_mut().enumerate() {
            let size = |[p, q]: [f64; 2]| (p * p + q * q).sqrt();
            let most = size(self.flow_from[row]).max(size(self.flow_to[row]));
            if network.branches[row].in_service {
                *loading = crate::loading(most, self.data.rating[row]);
            }
        }
    }

    /// Branches without impedance carry the remaining surplus of their buses.
    fn fill_zero_impedance(&mut self, model: &ConicModel) {
        if model.ties.is_empty() {
            return;
        }
        let network = &model.network;
        let demand = self.data.demand.iter().zip(&self.data.demand_q);
        let mut surplus: Vec<[f64; 2]> = demand.map(|(p, q)| [-p, -q]).collect();
        for ((bus, w), surplus) in network.buses.iter().zip(&self.voltage_squared).zip(&mut surplus) {
            *surplus = [surplus[0] - bus.gs_pu * w, surplus[1] + bus.bs_pu * w];
        }
        for (row, g) in network.generators.iter().enumerate() {
            surplus[g.bus][0] += self.dispatch[row];
            surplus[g.bus][1] += self.dispatch_q[row];
        }
        for (link, power) in network.links.iter().zip(&self.links) {
            for (end, bus) in [link.from, link.to].into_iter().enumerate() {
                let sign = [-1.0, 1.0][end];
                surplus[bus][0] += sign * power.active[end];
                surplus[bus][1] += power.reactive[end];
            }
        }
        for (row, b) in network.branches.iter().enumerate() {
            for part in 0..2 {
                surplus[b.from][part] -= self.flow_from[row][part];
                surplus[b.to][part] -= self.flow_to[row][part];
            }
        }
        for (&row, flow) in model.ties.iter().zip(model.tie_flows.solve(surplus.into_iter())) {
            for part in 0..2 {
                self.flow_from[row][part] += flow[part];
                self.flow_to[row][part] -= flow[part];
            }
        }
    }

    fn fill_limit_shadows(&mut self, model: &ConicModel) {
        for (pair, limits) in self.multipliers.pairs.iter().zip(&model.limits) {
            for (side, &branch) in limits.set_by.iter().enumerate() {
                let is_turned = model.branches[branch].is_some_and(|b| b.is_turned);
                self.angle_shadow[branch][if is_turned { 1 - side } else { side }] = pair.angle[side];
            }
        }
        let z = &self.point.v.z.linear;
        for (bound, z) in self.program.bounds.iter().zip(z) {
            if let Some(buses) = model.limiting_buses.get(bound.variable) {
                let side = usize::from(bound.is_upper);
                self.voltage_shadow[buses[side]][side] = z * self.program.cost_scale;
            }
        }
    }

    /// The branches without impedance whose flow exceeds their rating, which the relaxation does not limit.
    pub fn unlimited(&self, model: &ConicModel) -> Vec<usize> {
        let first = joined(&model.network);
        let branches = model.network.branches.iter().enumerate();
        branches
            .filter(|(row, b)| b.in_service && first[b.from] == first[b.to] && self.loading[*row] > 1.0 + TIGHT)
            .map(|(row, _)| row)
            .collect()
    }
}
