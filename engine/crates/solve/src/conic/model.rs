//! From the network to the conic program.

use super::branch_flow::{flow_rows, substituted, turned};
use super::data::ConicData;
use super::pair::{angle_rows, lifted_cuts, Band};
use super::program::{Column, Pair, Program, Thermal};
use super::topology::{has_impedance, Topology, NO_NODE};
use crate::generator_columns::{gen_columns, GenColumn};
use crate::topology::least_norm_flows::LeastNormFlows;
use crate::topology::union_find::components;
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, Branch, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_sparse::BlockLdl;

/// Which constraints tighten the relaxation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cuts {
    /// Lifted nonlinear cuts, as PowerModels and BASELINE.md have them.
    #[default]
    Lifted,
    None,
}

/// Variables whose range is at most this are constants, per unit.
const FIXED_RANGE: f64 = 1e-9;
/// Largest boost of a Jabr cone.
const LARGEST_BOOST: f64 = 1e4;

/// A variable that is a column of the program, or a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Output {
    Column(usize),
    Fixed(f64),
}

/// Where the angle-difference limits of a pair come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairLimits {
    pub angle: [f64; 2],
    /// Dense branch rows that set the lower and the upper limit.
    pub set_by: [usize; 2],
}

/// A branch with impedance between two nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairBranch {
    pub pair: usize,
    /// The pair's first node is the branch's to end.
    pub is_turned: bool,
    /// Its cones: from, to.
    pub thermal: [usize; 2],
}

/// Everything about a case that edits leave alone.
#[derive(Clone, Debug)]
pub struct ConicModel {
    pub(crate) base_mva: f64,
    pub(crate) network: AnalysisNetwork,
    pub(crate) topology: Topology,
    pub(crate) program: Program,
    pub(crate) pattern: Arc<BlockLdl>,
    pub(crate) limits: Vec<PairLimits>,
    /// By branch row; none out of service, without impedance or with both ends at one node.
    pub(crate) branches: Vec<Option<PairBranch>>,
    /// Active columns: segments of a generator's cost apart; and reactive ones, by generator in service.
    pub(crate) active: Vec<(GenColumn, Output)>,
    pub(crate) reactive: Vec<(usize, Output)>,
    /// Buses that set the lower and the upper voltage limit of each node.
    pub(crate) limiting_buses: Vec<[usize; 2]>,
    pub(crate) cost_constant: f64,
    /// Branches without impedance (dense rows), and what they carry.
    pub(crate) ties: Vec<usize>,
    pub(crate) tie_flows: LeastNormFlows,
    pub(crate) cuts: Cuts,
}

pub(crate) fn bus_ref(network: &AnalysisNetwork, bus: usize) -> ElementRef {
    let row = &network.buses[bus];
    ElementRef {
        kind: ElementKind::Bus,
        id: row.id,
        uid: row.uid.clone(),
    }
}

pub(crate) fn branch_ref(network: &AnalysisNetwork, branch: usize) -> ElementRef {
    let row = &network.branches[branch];
    ElementRef {
        kind: ElementKind::Branch,
        id: row.id,
        uid: row.uid.clone(),
    }
}

pub(crate) fn generator_ref(network: &AnalysisNetwork, generator: usize) -> ElementRef {
    let row = &network.generators[generator];
    ElementRef {
        kind: ElementKind::Generator,
        id: row.id,
        uid: row.uid.clone(),
    }
}

impl ConicModel {
    /// Reads and analyses the network.
    ///
    /// # Errors
    /// `PHYSICS.UNSUPPORTED` for branches that cannot be modelled and voltage limits that are not finite, `SOLVE.INFEASIBLE` where
    /// limits exclude each other at one element.
    pub fn new(network: &AnalysisNetwork, cuts: Cuts) -> Result<Self> {
        for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
            let transforms = b.tap != 1.0 || b.shift_rad != 0.0;
            let what = match (!has_impedance(b) && transforms, b.tap > 0.0) {
                (true, _) => "has a tap ratio or a phase shift but no impedance; give it one".to_string(),
                (_, false) => format!("has the tap ratio {}; it must be positive", b.tap),
                _ => continue,
            };
            let message = format!("Branch {} {what}.", b.id);
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(branch_ref(network, row)));
        }
        let topology = Topology::new(network)?;
        let n = topology.bus_of_node.len();
        let (w_box, limiting_buses) = voltage_boxes(network, &topology)?;
        let held: Vec<Option<f64>> = w_box
            .iter()
            .map(|[lo, hi]| (hi - lo <= FIXED_RANGE).then_some(0.5 * (lo + hi)))
            .collect();

        let mut shunt = vec![[0.0; 2]; n];
        for (bus, &node) in topology.node_of_bus.iter().enumerate().filter(|(_, n)| **n != NO_NODE) {
            shunt[node][0] -= network.buses[bus].gs_pu;
            shunt[node][1] += network.buses[bus].bs_pu;
        }
        let mut program = Program {
            n,
            w_box,
            held,
            shunt,
            demand: vec![[0.0; 2]; n],
            columns: Vec::new(),
            pairs: Vec::new(),
            rows: Vec::new(),
            thermal: Vec::new(),
            n_elastic: 0,
            bounds: Vec::new(),
            cost_scale: 1.0,
            column_norm: Vec::new(),
            pair_norm: Vec::new(),
        };
        let (branches, limits) = add_pairs(network, &topology, cuts, &mut program)?;
        let reach = reach(network, &topology, &program);
        let (columns, cost_constant) = gen_columns(network, &topology.island_of_bus);
        let mut constant = cost_constant;
        let active = columns.into_iter().map(|mut c| {
            let node = topology.node_of_bus[c.bus];
            // Bounds that no dispatch reaches, in place of none.
            if c.open_below && c.is_first {
                c.lo = -reach[node];
            }
            if c.open_above && c.is_last {
                c.hi = reach[node].max(c.lo);
            }
            if c.hi - c.lo <= FIXED_RANGE {
                let at = 0.5 * (c.lo + c.hi);
                constant += (c.c + 0.5 * c.q * at) * at;
                return (c, Output::Fixed(at));
            }
            program.columns.push(Column {
                node,
                part: 0,
                sign: 1.0,
                lo: c.lo,
                hi: c.hi,
                c: c.c,
                q: c.q,
            });
            (c, Output::Column(program.columns.len() - 1))
        });
        let active: Vec<_> = active.collect();
        program.cost_scale = cost_scale(&program.columns);
        let mut reactive = Vec::new();
        for (row, g) in network.generators.iter().enumerate().filter(|(_, g)| g.in_service) {
            let node = topology.node_of_bus[g.bus];
            if node == NO_NODE {
                continue;
            }
            let lo = if g.qmin_pu.is_finite() { g.qmin_pu } else { -reach[node] };
            let hi = if g.qmax_pu.is_finite() { g.qmax_pu } else { reach[node] };
            if lo > hi {
                let message = format!(
                    "Generator {} has a lower reactive limit of {} MVAr above its upper limit of {} MVAr.",
                    g.id,
                    g.qmin_pu * network.base_mva,
                    g.qmax_pu * network.base_mva
                );
                return Err(EngineError::new("SOLVE.INFEASIBLE", message).at(generator_ref(network, row)));
            }
            if hi - lo <= FIXED_RANGE {
                reactive.push((row, Output::Fixed(0.5 * (lo + hi))));
                continue;
            }
            program.columns.push(Column {
                node,
                part: 1,
                sign: 1.0,
                lo,
                hi,
                c: 0.0,
                q: 0.0,
            });
            reactive.push((row, Output::Column(program.columns.len() - 1)));
        }
        let rows = network.branches.iter().enumerate();
        let ties = rows
            .filter(|(_, b)| b.in_service && !has_impedance(b))
            .map(|(row, _)| row);
        let ties: Vec<usize> = ties.collect();
        let ends = ties
            .iter()
            .map(|&row| (network.branches[row].from, network.branches[row].to));
        let ends: Vec<(usize, usize)> = ends.collect();
        let first = components(network.buses.len(), ends.iter().copied());
        Ok(Self {
            base_mva: network.base_mva,
            tie_flows: LeastNormFlows::new(&first, ends),
            ties,
            pattern: Arc::new(BlockLdl::new(n, &topology.pairs)),
            network: network.clone(),
            program: program.complete(),
            topology,
            limits,
            branches,
            active,
            reactive,
            limiting_buses,
            cost_constant: constant,
            cuts,
        })
    }

    /// The program of these data.
    pub(crate) fn program(&self, data: &ConicData) -> Program {
        let mut program = self.program.clone();
        self.set_demand(data, &mut program);
        for t in &mut program.thermal {
            t.limit = data.rating[t.branch];
            t.scale = t.limit;
        }
        program.complete()
    }

    /// Demand less what fixed generators give.
    pub(crate) fn set_demand(&self, data: &ConicData, program: &mut Program) {
        program.demand.fill([0.0; 2]);
        for (bus, &node) in self.topology.node_of_bus.iter().enumerate() {
            if node != NO_NODE {
                program.demand[node][0] += data.demand[bus];
                program.demand[node][1] += data.demand_q[bus];
            }
        }
        for (column, output) in &self.active {
            if let Output::Fixed(at) = output {
                program.demand[self.topology.node_of_bus[column.bus]][0] -= at;
            }
        }
        for &(row, output) in &self.reactive {
            if let Output::Fixed(at) = output {
                program.demand[self.topology.node_of_bus[self.network.generators[row].bus]][1] -= at;
            }
        }
    }

    /// The bus (dense row) is part of an island with generators.
    pub fn energised(&self, bus: usize) -> bool {
        self.topology.node_of_bus.get(bus).is_some_and(|&node| node != NO_NODE)
    }

    /// Buses in service but left out: no generator is connected to them, and nothing there draws power.
    pub fn left_out(&self) -> impl Iterator<Item = usize> + '_ {
        self.topology.dead.iter().copied()
    }

    /// Number of islands with generators.
    pub fn islands(&self) -> usize {
        self.topology.references.len()
    }
}

type Boxes = (Vec<[f64; 2]>, Vec<[usize; 2]>);

/// Limits of squared voltages by node, and the buses that set them.
fn voltage_boxes(network: &AnalysisNetwork, topology: &Topology) -> Result<Boxes> {
    let n = topology.bus_of_node.len();
    let mut boxes = vec![[0.0, f64::INFINITY]; n];
    let mut set_by = vec![[0usize; 2]; n];
    for (bus, &node) in topology.node_of_bus.iter().enumerate().filter(|(_, n)| **n != NO_NODE) {
        let row = &network.buses[bus];
        if !row.vmax_pu.is_finite() || row.vmin_pu.is_nan() {
            let message = format!(
                "Bus {} has voltage limits of {} and {} pu; the relaxation needs finite ones.",
                row.id, row.vmin_pu, row.vmax_pu
            );
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(bus_ref(network, bus)));
        }
        let lo = row.vmin_pu.max(0.0);
        let hi = row.vmax_pu.max(0.0);
        if lo * lo >= boxes[node][0] {
            (boxes[node][0], set_by[node][0]) = (lo * lo, bus);
        }
        if hi * hi < boxes[node][1] {
            (boxes[node][1], set_by[node][1]) = (hi * hi, bus);
        }
        if boxes[node][0] > boxes[node][1] || row.vmax_pu < 0.0 {
            let [low, high] = set_by[node].map(|bus| &network.buses[bus]);
            let message = format!(
                "Bus {} has a lower voltage limit of {} pu above the upper limit of {} pu of bus {}.",
                low.id, low.vmin_pu, high.vmax_pu, high.id
            );
            return Err(EngineError::new("SOLVE.INFEASIBLE", message).at(bus_ref(network, set_by[node][0])));
        }
    }
    Ok((boxes, set_by))
}

/// A power that no dispatch exceeds at a node: bound of generators without limits.
fn reach(network: &AnalysisNetwork, topology: &Topology, program: &Program) -> Vec<f64> {
    let mut reach: Vec<f64> = (program.w_box.iter().zip(&program.shunt))
        .map(|([_, hi], [g, b])| 1.0 + hi * (g.abs() + b.abs()))
        .collect();
    let mut add = |bus: usize, power: f64| {
        if let Some(reach) = reach.get_mut(topology.node_of_bus[bus]) {
            *reach += if power.is_finite() { power.abs() } else { 0.0 };
        }
    };
    for (bus, row) in network.buses.iter().enumerate() {
        add(bus, row.demand_pu);
        add(bus, row.demand_q_pu);
    }
    for b in network.branches.iter().filter(|b| b.in_service) {
        add(b.from, b.rating_pu);
        add(b.to, b.rating_pu);
    }
    for g in network.generators.iter().filter(|g| g.in_service) {
        for bound in [g.pmin_pu, g.pmax_pu, g.qmin_pu, g.qmax_pu] {
            add(g.bus, bound);
        }
    }
    reach.iter().map(|reach| 2.0 * reach).collect()
}

/// The larger of median and capacity-weighted mean of the marginal costs at half output.
fn cost_scale(columns: &[Column]) -> f64 {
    let marginal = |c: &Column| (c.c + 0.5 * c.q * (c.lo + c.hi)).abs();
    let mut found: Vec<f64> = columns.iter().map(marginal).filter(|m| *m > 0.0).collect();
    if found.is_empty() {
        return 1.0;
    }
    found.sort_unstable_by(f64::total_cmp);
    let median = found[found.len() / 2];
    let weight: f64 = columns.iter().map(|c| c.hi - c.lo).sum();
    let mean = columns.iter().map(|c| marginal(c) * (c.hi - c.lo)).sum::<f64>() / weight;
    median.max(mean)
}

type Pairs = (Vec<Option<PairBranch>>, Vec<PairLimits>);

/// Adds pairs with their rows and cones, and shunts of branches whose ends are one node.
fn add_pairs(network: &AnalysisNetwork, topology: &Topology, cuts: Cuts, program: &mut Program) -> Result<Pairs> {
    let mut of_pair: Vec<Vec<usize>> = vec![Vec::new(); topology.pairs.len()];
    for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
        let (f, t) = (topology.node_of_bus[b.from], topology.node_of_bus[b.to]);
        if f == NO_NODE || t == NO_NODE {
            continue;
        }
        if f == t {
            add_loop(b, f, program);
        } else if let Ok(pair) = topology.pairs.binary_search(&(f.min(t) as u32, f.max(t) as u32)) {
            of_pair[pair].push(row);
        }
    }
    let mut branches = vec![None; network.branches.len()];
    let mut limits = Vec::with_capacity(of_pair.len());
    for (k, (members, &(f, t))) in of_pair.iter().zip(&topology.pairs).enumerate() {
        let nodes = [f as usize, t as usize];
        let mut flow = [[0.0; 4]; 4];
        let first_thermal = program.thermal.len();
        let mut limit = PairLimits {
            angle: [f64::NEG_INFINITY, f64::INFINITY],
            set_by: [members[0]; 2],
        };
        let (mut impedance, mut largest) = (f64::INFINITY, None);
        for &row in members {
            let b = &network.branches[row];
            let is_turned = topology.node_of_bus[b.from] != nodes[0];
            let window = match is_turned {
                false => [b.angle_min_rad, b.angle_max_rad],
                true => [-b.angle_max_rad, -b.angle_min_rad],
            };
            if window[0] > limit.angle[0] {
                (limit.angle[0], limit.set_by[0]) = (window[0], row);
            }
            if window[1] < limit.angle[1] {
                (limit.angle[1], limit.set_by[1]) = (window[1], row);
            }
            let rows = flow_rows(b).map(|r| substituted(if is_turned { turned(r) } else { r }));
            let ends = if is_turned { [1, 0] } else { [0, 1] };
            for (place, end) in ends.into_iter().enumerate() {
                for part in 0..2 {
                    for c in 0..4 {
                        flow[2 * place + part][c] += rows[2 * end + part][c];
                    }
                }
            }
            for end in 0..2 {
                program.thermal.push(Thermal {
                    branch: row,
                    end,
                    p: rows[2 * end],
                    q: rows[2 * end + 1],
                    limit: b.rating_pu,
                    scale: b.rating_pu,
                    elastic: None,
                    is_rated: !b.rating_is_fallback,
                });
            }
            impedance = impedance.min((b.r_pu * b.r_pu + b.x_pu * b.x_pu).sqrt());
            if !b.rating_is_fallback {
                largest = Some(b.rating_pu.max(largest.unwrap_or(0.0)));
            }
            branches[row] = Some(PairBranch {
                pair: k,
                is_turned,
                thermal: [program.thermal.len() - 2, program.thermal.len() - 1],
            });
        }
        let [lo, hi] = limit.angle;
        if lo > hi {
            let [a, b] = limit.set_by.map(|row| network.branches[row].id);
            let message = format!("The angle-difference limits of branches {a} and {b} exclude each other.");
            return Err(EngineError::new("SOLVE.INFEASIBLE", message).at(branch_ref(network, limit.set_by[0])));
        }
        let first_row = program.rows.len();
        program.rows.extend(angle_rows(lo, hi));
        if cuts == Cuts::Lifted {
            let band = |node: usize| Band {
                min: program.w_box[node][0].sqrt(),
                max: program.w_box[node][1].sqrt(),
            };
            program.rows.extend(lifted_cuts(lo, hi, band(nodes[0]), band(nodes[1])));
        }
        let size = largest.unwrap_or(1.0).max(0.1);
        program.pairs.push(Pair {
            nodes,
            flow,
            rows: first_row..program.rows.len(),
            thermal: first_thermal..program.thermal.len(),
            beta: (2.0 / (impedance * size)).clamp(1.0, LARGEST_BOOST),
        });
        limits.push(limit);
    }
    Ok((branches, limits))
}

/// A branch whose ends are one node draws power there as a shunt does.
fn add_loop(b: &Branch, node: usize, program: &mut Program) {
    let drawn = loop_power(b);
    program.shunt[node][0] -= drawn[0] + drawn[2];
    program.shunt[node][1] -= drawn[1] + drawn[3];
}

/// Powers into the ends of a branch whose ends are one node, at 1 pu there.
pub(crate) fn loop_power(b: &Branch) -> [f64; 4] {
    if !has_impedance(b) {
        let half = -0.5 * b.b_pu;
        return [0.0, half, 0.0, half];
    }
    flow_rows(b).map(|row| row[0] + row[1] + row[2])
}
