//! DC power flow: angles and branch flows for the dispatch of the case file (MATPOWER manual, section 4.1.3).

use crate::dc::model::{DcData, DcModel};
use crate::largest::raise;
use crate::power_scale::least_power;
use crate::topology::NO_ISLAND;
use serde_json::json;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::amounts::residual;

/// Largest nodal mismatch of a solution, relative to the powers at the bus.
const RELATIVE_LIMIT: f64 = 1e-6;
/// An island whose injections cancel to this, relative to the largest, needs no slack.
const BALANCED: f64 = 1e-9;

/// The slack of one island.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// Dense bus row.
    pub bus: usize,
    /// Injection in addition to the file's dispatch, per unit.
    pub added: f64,
    /// Whether the generators of the bus would exceed their limits by this.
    pub beyond_limits: bool,
}

/// Solved DC power flow. Per unit, radians, dense rows.
#[derive(Clone, Debug)]
pub struct DcPowerFlow {
    pub data: DcData,
    /// Angle relative to the slack bus of the island, radians; zero for buses outside the model.
    pub theta: Vec<f64>,
    /// Flow of each branch at the from end; zero for branches outside the model.
    pub flow: Vec<f64>,
    /// Generation less demand at each bus, including slack; zero for buses outside the model.
    pub injection: Vec<f64>,
    /// One for each island, islands by their first bus.
    pub slack: Vec<Slack>,
    /// Largest imbalance at a bus, and that bus: injection less shunt conductance less outgoing flows.
    pub mismatch: f64,
    pub worst_bus: Option<usize>,
}

impl DcPowerFlow {
    /// Solves `B theta = P` for the file's dispatch of the in-service generators.
    ///
    /// Each island is balanced at one slack bus: the file's reference bus if a generator runs there, otherwise the bus
    /// with the largest capacity of running generators (the first of equals). The file's output is used as it is,
    /// within limits or not; ratings and angle-difference limits have no effect.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE` for an island that consumes or injects power without a generator in service,
    /// `SOLVE.NOT_CONVERGED` if the certificate fails.
    pub fn solve(network: &AnalysisNetwork, model: &DcModel, data: &DcData) -> Result<Self> {
        let mut injection: Vec<f64> = model.withdrawals(&data.demand).iter().map(|w| -w).collect();
        for g in running(network, model) {
            injection[g.bus] += g.pg_pu;
        }
        for (bus, p) in stored(network, model) {
            injection[bus] += p;
        }
        // The model withdraws the constant loss of a link.
        for (_, link) in network.links_in_service() {
            injection[link.from] -= link.pf_pu;
            injection[link.to] += link.delivered_pu(link.pf_pu) + link.loss0_pu;
        }
        let slack = balance(network, model, &mut injection)?;

        let [mut theta] = model.refined_angles([&injection], 2);
        let at_slack: Vec<f64> = slack.iter().map(|s| theta[s.bus]).collect();
        for (theta, &island) in theta.iter_mut().zip(&model.island_of_bus) {
            if island != NO_ISLAND {
                *theta -= at_slack[island];
            }
        }
        let mut flow = vec![0.0; model.n_branch];
        for (line, value) in model.lines.iter().zip(model.flows(&theta, &injection)) {
            flow[line.row] = value;
        }

        theta.truncate(network.buses.len());
        flow.truncate(network.branches.len());
        let mut solved = Self {
            data: data.clone(),
            injection: net_generation(network, model, data, &slack),
            theta,
            flow,
            slack,
            mismatch: 0.0,
            worst_bus: None,
        };
        solved.certify(network, model)?;
        Ok(solved)
    }

    /// Checks the nodal balance from the published columns and the rows of the case, independently of the factored
    /// matrix.
    fn certify(&mut self, network: &AnalysisNetwork, model: &DcModel) -> Result<()> {
        let mut left = self.injection.clone();
        for (_, link) in network.links_in_service() {
            left[link.from] -= link.pf_pu;
            left[link.to] += link.delivered_pu(link.pf_pu);
        }
        let mut size: Vec<f64> = left.iter().map(|injection| injection.abs()).collect();
        for (row, branch) in network.branches.iter().enumerate() {
            left[branch.from] -= self.flow[row];
            left[branch.to] += self.flow[row];
            size[branch.from] += self.flow[row].abs();
            size[branch.to] += self.flow[row].abs();
        }
        let (mut most, least) = (0.0f64, least_power(network.base_mva));
        let conductance = network.conductance_pu();
        for (bus, left) in left.iter_mut().enumerate().filter(|(b, _)| model.bus_is_active(*b)) {
            *left -= conductance[bus];
            raise(&mut most, left.abs() / size[bus].max(least));
            // NaN compares false and must not be overlooked.
            if self.worst_bus.is_none() || left.abs() > self.mismatch || left.is_nan() {
                (self.mismatch, self.worst_bus) = (left.abs(), Some(bus));
            }
        }
        match self.worst_bus {
            Some(bus) if most.is_nan() || most > RELATIVE_LIMIT => {
                let (bus, mismatch) = (&model.bus_ids[bus], self.mismatch * model.base_mva);
                let message = message!("power_flow.mismatch", bus = bus, mismatch = residual(mismatch, "MW"));
                Err(EngineError::new("SOLVE.NOT_CONVERGED", message).at(bus.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// Generators of the model.
fn running<'a>(
    network: &'a AnalysisNetwork,
    model: &'a DcModel,
) -> impl Iterator<Item = &'a wattbook_network::analysis::Generator> {
    network
        .generators
        .iter()
        .filter(|g| g.in_service && model.bus_is_active(g.bus))
}

/// Powers that storage units of the model inject, with their buses.
fn stored<'a>(network: &'a AnalysisNetwork, model: &'a DcModel) -> impl Iterator<Item = (usize, f64)> + 'a {
    let storages = network.storages_injecting();
    storages
        .filter(|(_, storage)| model.bus_is_active(storage.bus))
        .map(|(_, storage)| (storage.bus, storage.p_pu))
}

/// Chooses the slack bus of each island and adds its injection.
fn balance(network: &AnalysisNetwork, model: &DcModel, injection: &mut [f64]) -> Result<Vec<Slack>> {
    let n = network.buses.len();
    let (mut output, mut lower, mut upper) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut runs = vec![false; n];
    for g in running(network, model) {
        output[g.bus] += g.pg_pu;
        lower[g.bus] += g.pmin_pu;
        upper[g.bus] += g.pmax_pu;
        runs[g.bus] = true;
    }
    let n_islands = model.islands.len();
    let mut chosen: Vec<Option<usize>> = vec![None; n_islands];
    let (mut imbalance, mut scale) = (vec![0.0; n_islands], vec![0.0f64; n_islands]);
    // References with a generator first, then other buses with one; capacity before order.
    let rank = |bus: usize| {
        let capacity = if runs[bus] { upper[bus] } else { 0.0 };
        (runs[bus], runs[bus] && network.buses[bus].is_reference, capacity)
    };
    let of_network = model.island_of_bus[..n].iter().enumerate();
    for (bus, &island) in of_network.filter(|(_, i)| **i != NO_ISLAND) {
        imbalance[island] -= injection[bus];
        scale[island] = scale[island].max(injection[bus].abs());
        if chosen[island].is_none_or(|best| rank(bus) > rank(best)) {
            chosen[island] = Some(bus);
        }
    }
    let mut slack = Vec::with_capacity(n_islands);
    for (island, bus) in chosen.into_iter().enumerate() {
        let Some(bus) = bus else { continue };
        let added = imbalance[island];
        if !runs[bus] && added.abs() > BALANCED * scale[island] {
            return Err(no_supply(model, island, added));
        }
        injection[bus] += added;
        let total = output[bus] + added;
        let slip = BALANCED * total.abs().max(1.0);
        slack.push(Slack {
            bus,
            added,
            beyond_limits: runs[bus] && (total > upper[bus] + slip || total < lower[bus] - slip),
        });
    }
    Ok(slack)
}

/// Generation less demand, from the rows of the case.
fn net_generation(network: &AnalysisNetwork, model: &DcModel, data: &DcData, slack: &[Slack]) -> Vec<f64> {
    let mut net = vec![0.0; network.buses.len()];
    for (bus, net) in net.iter_mut().enumerate().filter(|(b, _)| model.bus_is_active(*b)) {
        *net -= data.demand[bus];
    }
    for g in running(network, model) {
        net[g.bus] += g.pg_pu;
    }
    for (bus, p) in stored(network, model) {
        net[bus] += p;
    }
    for s in slack {
        net[s.bus] += s.added;
    }
    net
}

fn no_supply(model: &DcModel, island: usize, shortfall: f64) -> EngineError {
    let bus = model.island_of_bus.iter().position(|&i| i == island).unwrap_or(0);
    let mw = shortfall * model.base_mva;
    let message = message!(
        "power_flow.no_generator",
        bus = &model.bus_ids[bus],
        shortfall = mw_exact(mw)
    );
    EngineError::new("SOLVE.INFEASIBLE", message)
        .at(model.bus_ids[bus].clone())
        .with_details(json!({ "kind": "balance", "shortfall_mw": mw, "lines": [] }))
}
