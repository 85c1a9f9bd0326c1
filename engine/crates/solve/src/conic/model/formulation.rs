//! From the network to the conic program.

use super::bus_pairs::{add_pairs, PairBranch, PairLimits};
use super::data::ConicData;
pub(crate) use super::element_refs::{branch_ref, bus_ref, generator_ref};
use super::link_columns::{add_links, LinkColumn, LinkReactive};
pub use super::pair::Cuts;
pub(crate) use super::program::Output;
use super::program::{Bound, Column, Open, Program, FIXED_RANGE};
use super::ranges::{cost_scale, reach, voltage_boxes};
use super::topology::{has_impedance, Topology, NO_NODE};
use crate::generator_columns::{gen_columns, GenColumn};
use crate::storages::with_storages;
use crate::topology::least_norm_flows::LeastNormFlows;
use std::sync::Arc;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::{mvar, plain};
use wattbook_network::union_find::components;
use wattbook_sparse::BlockLdl;

/// Everything about a case that does not depend on edits.
#[derive(Clone, Debug)]
pub struct ConicModel {
    pub(crate) base_mva: f64,
    /// With generators for storage units.
    pub(crate) network: AnalysisNetwork,
    pub(crate) topology: Topology,
    pub(crate) program: Program,
    pub(crate) pattern: Arc<BlockLdl>,
    pub(crate) limits: Vec<PairLimits>,
    /// By branch row; `None` out of service, without impedance, or with both ends at one node.
    pub(crate) branches: Vec<Option<PairBranch>>,
    /// Active columns, where segments of a generator's cost are separate, and reactive ones, by generator in service.
    pub(crate) active: Vec<(GenColumn, Output)>,
    pub(crate) reactive: Vec<(usize, Output)>,
    /// The active powers of HVDC links by direction and segment of their cost, and the reactive powers of their ends.
    pub(crate) links: Vec<LinkColumn>,
    pub(crate) link_reactive: Vec<LinkReactive>,
    /// In column order.
    pub(crate) open: Vec<Open>,
    /// Buses that set the lower and the upper voltage limit of each node.
    pub(crate) limiting_buses: Vec<[usize; 2]>,
    pub(crate) cost_constant: f64,
    /// Branches without impedance (dense rows), and their flows.
    pub(crate) ties: Vec<usize>,
    pub(crate) tie_flows: LeastNormFlows,
    pub(crate) cuts: Cuts,
}

impl ConicModel {
    /// Reads and analyses the network.
    ///
    /// # Errors
    /// `PHYSICS.UNSUPPORTED` for branches that cannot be modelled and for voltage limits that are not finite;
    /// `SOLVE.INFEASIBLE` if limits contradict each other at one element.
    pub fn new(network: &AnalysisNetwork, cuts: Cuts) -> Result<Self> {
        let network = &*with_storages(network);
        for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
            let transforms = b.tap != 1.0 || b.shift_rad != 0.0;
            let branch = branch_ref(network, row);
            let message = match (!has_impedance(b) && transforms, b.tap > 0.0) {
                _ if b.rating_pu == 0.0 => message!("physics.no_flow_admitted", branch = &branch),
                (true, _) => message!("physics.transformer_without_impedance", branch = &branch),
                (_, false) => message!("physics.tap_ratio", branch = &branch, ratio = plain(b.tap, "")),
                _ => continue,
            };
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(branch));
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
            n_link_pairs: topology.link_pairs.len(),
            rows: Vec::new(),
            thermal: Vec::new(),
            n_elastic: 0,
            softened: Vec::new(),
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
            // A missing limit becomes a bound that no dispatch reaches.
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
                beyond: None,
                lo: c.lo,
                hi: c.hi,
                c: c.c,
                q: c.q,
            });
            (c, Output::Column(program.columns.len() - 1))
        });
        let active: Vec<_> = active.collect();
        let mut open: Vec<Open> = Vec::new();
        for (c, output) in &active {
            let (below, above) = (c.open_below && c.is_first, c.open_above && c.is_last);
            if let (Output::Column(column), true) = (output, below || above) {
                let node = topology.node_of_bus[c.bus];
                open.push(Open {
                    column: *column,
                    node,
                    below,
                    above,
                });
            }
        }
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
                let generator = generator_ref(network, row);
                let message = message!(
                    "socwr.reactive_limits",
                    generator = &generator,
                    lower = mvar(g.qmin_pu * network.base_mva),
                    upper = mvar(g.qmax_pu * network.base_mva)
                );
                return Err(EngineError::new("SOLVE.INFEASIBLE", message).at(generator));
            }
            if hi - lo <= FIXED_RANGE {
                reactive.push((row, Output::Fixed(0.5 * (lo + hi))));
                continue;
            }
            program.columns.push(Column {
                node,
                part: 1,
                sign: 1.0,
                beyond: None,
                lo,
                hi,
                c: 0.0,
                q: 0.0,
            });
            let column = program.columns.len() - 1;
            let (below, above) = (!g.qmin_pu.is_finite(), !g.qmax_pu.is_finite());
            if below || above {
                open.push(Open {
                    column,
                    node,
                    below,
                    above,
                });
            }
            reactive.push((row, Output::Column(column)));
        }
        let (links, link_reactive) = add_links(network, &topology, &reach, &mut program, &mut open, &mut constant)?;
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
            pattern: Arc::new(BlockLdl::new(n, &[&topology.pairs[..], &topology.link_pairs].concat())),
            network: network.clone(),
            program: program.complete(),
            topology,
            limits,
            branches,
            active,
            reactive,
            links,
            link_reactive,
            open,
            limiting_buses,
            cost_constant: constant,
            cuts,
        })
    }

    /// The program for these data.
    pub(crate) fn program(&self, data: &ConicData) -> Program {
        let mut program = self.program.clone();
        self.set_demand(data, &mut program);
        for t in &mut program.thermal {
            t.limit = data.rating[t.branch];
            t.scale = t.limit;
            t.inverse = 1.0 / t.scale;
        }
        for (open, by) in self.widened(data) {
            let column = &mut program.columns[open.column];
            column.lo -= if open.below { by } else { 0.0 };
            column.hi += if open.above { by } else { 0.0 };
        }
        program.complete()
    }

    /// The columns whose artificial bounds must be widened for these data, and by how much. All demand of a node is
    /// supplied by its own generators or through its branches.
    fn widened<'a>(&'a self, data: &ConicData) -> impl Iterator<Item = (&'a Open, f64)> + 'a {
        let mut more = vec![0.0; if self.open.is_empty() { 0 } else { self.program.n }];
        let mut add = |bus: usize, by: f64| {
            if let Some(more) = more.get_mut(self.topology.node_of_bus[bus]) {
                *more += by;
            }
        };
        for (bus, row) in self.network.buses.iter().enumerate() {
            add(
                bus,
                (data.demand[bus] - row.demand_pu).abs() + (data.demand_q[bus] - row.demand_q_pu).abs(),
            );
        }
        for (b, rating) in self.network.branches.iter().zip(&data.rating) {
            if *rating > b.rating_pu {
                add(b.from, rating - b.rating_pu);
                add(b.to, rating - b.rating_pu);
            }
        }
        let by = self.open.iter().map(move |open| (open, 2.0 * more[open.node]));
        by.filter(|(_, by)| *by > 0.0)
    }

    /// Whether the bound replaces a missing limit.
    pub(crate) fn is_invented(&self, bound: &Bound) -> bool {
        let column = bound.variable.checked_sub(self.program.n);
        let found = column.and_then(|column| self.open.binary_search_by_key(&column, |open| open.column).ok());
        found.is_some_and(|k| match bound.is_upper {
            true => self.open[k].above,
            false => self.open[k].below,
        })
    }

    /// Whether the artificial bounds of the program are wide enough for these data.
    pub(crate) fn reaches(&self, program: &Program, data: &ConicData) -> bool {
        self.widened(data).all(|(open, by)| {
            let (column, first) = (&program.columns[open.column], &self.program.columns[open.column]);
            !(open.below && column.lo > first.lo - by || open.above && column.hi < first.hi + by)
        })
    }

    /// Sets the demand less the output of fixed generators and links.
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
        for link in &self.links {
            if let Output::Fixed(at) = link.output {
                program.demand[link.nodes[0]][0] += at;
                program.demand[link.nodes[1]][0] -= link.share * at;
            }
        }
        for end in &self.link_reactive {
            if let Output::Fixed(at) = end.output {
                program.demand[end.node][1] -= at;
            }
        }
        // The constant loss is withdrawn at the to end.
        for (_, link) in self.network.links_in_service() {
            program.demand[self.topology.node_of_bus[link.to]][0] += link.loss0_pu;
        }
    }

    /// Whether the bus (dense row) is part of an island with generators.
    pub fn energised(&self, bus: usize) -> bool {
        self.topology.node_of_bus.get(bus).is_some_and(|&node| node != NO_NODE)
    }

    /// Buses in service in islands with neither generators nor demand, which the model omits.
    pub fn left_out(&self) -> impl Iterator<Item = usize> + '_ {
        self.topology.dead.iter().copied()
    }

    /// Number of islands with generators.
    pub fn islands(&self) -> usize {
        self.topology.references.len()
    }
}
