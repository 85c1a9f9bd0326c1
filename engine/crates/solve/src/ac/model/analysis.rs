//! The AC model of a network: the part that does not depend on edits of powers and set-points.

use super::admittance::{Admittance, BranchData};
use super::elements::{AcBranch, Unit};
use super::topology::{NodeKind, Topology, NO_NODE};
use super::zero_impedance::ZeroImpedance;
use crate::links::{own_generators, unit_ref, with_converters};
use num_complex::Complex64;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::plain;
use wattbook_sparse::BlockPattern;

/// Number of roundings, each relative to the largest flow at a node, that may accumulate in its balance.
const ROUNDINGS: f64 = 16.0;

/// Everything about a case that does not depend on edits of powers and set-points: admittances, islands, kinds of nodes
/// and the symbolic factorisation of the Jacobian. A node is a bus, or several buses joined by branches without
/// impedance. Nodes are numbered in the order of elimination.
#[derive(Clone, Debug)]
pub struct AcModel {
    pub(crate) base_mva: f64,
    pub(crate) n_bus: usize,
    pub(crate) n_branch: usize,
    pub(crate) n_generator: usize,
    pub(crate) bus_ids: Vec<ElementRef>,
    pub(crate) branch_ids: Vec<ElementRef>,
    pub(crate) generator_ids: Vec<ElementRef>,
    /// By bus; `NO_NODE` where the bus is not energised.
    pub(crate) node_of_bus: Vec<usize>,
    /// First bus of each node.
    pub(crate) bus_of_node: Vec<usize>,
    pub(crate) kinds: Vec<NodeKind>,
    pub(crate) island_of_node: Vec<usize>,
    /// For each island, the node whose angle is fixed under distributed slack, and its bus.
    pub(crate) references: Vec<(usize, usize)>,
    /// Buses in service in islands without voltage control, and the generators there with their buses.
    pub(crate) dead: Vec<usize>,
    pub(crate) dead_units: Vec<(usize, usize)>,
    pub(crate) admittance: Admittance,
    /// Mismatch that rounding may leave on a power base other than the file's, per unit; zero on the file's base.
    pub(crate) rounding: f64,
    pub(crate) pattern: BlockPattern,
    pub(crate) branches: Vec<AcBranch>,
    /// By branch row.
    pub(crate) branch_of_row: Vec<Option<usize>>,
    pub(crate) zero_impedance: ZeroImpedance,
    pub(crate) units: Vec<Unit>,
    /// By node: sums of the reactive limits of the units that control its voltage.
    pub(crate) q_limits: Vec<[f64; 2]>,
    /// By node: sum of the participation factors of its units.
    pub(crate) participation: Vec<f64>,
    /// By bus: admittance to ground, of shunts and of demand with constant impedance.
    pub(crate) shunts: Vec<Complex64>,
    /// Buses with voltage-dependent demand.
    pub(crate) voltage_dependent: Vec<VoltageDependent>,
    /// Nodes whose units control the voltage of another node.
    pub(crate) remote: Vec<Remote>,
    /// By node: the voltage stored in the source, with 1 pu and angle 0 in place of unusable numbers.
    pub(crate) stored: Vec<(f64, f64)>,
}

/// Voltage-dependent demand of a bus, per unit at 1 pu voltage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VoltageDependent {
    pub bus: usize,
    pub node: usize,
    /// The parts proportional to the voltage and to its square.
    pub constant_current: Complex64,
    pub constant_impedance: Complex64,
}

impl VoltageDependent {
    /// Demand at this voltage in excess of the demand at 1 pu.
    pub fn beyond(&self, magnitude: f64) -> Complex64 {
        self.constant_current * (magnitude - 1.0) + self.constant_impedance * (magnitude * magnitude - 1.0)
    }
}

/// A node whose units control the voltage of another node, and the last of these units, whose set-point applies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remote {
    pub node: usize,
    pub regulated: usize,
    pub unit: usize,
}

/// The quantities that edits change, per unit by dense row.
#[derive(Clone, Debug, PartialEq)]
pub struct AcData {
    /// Active and reactive demand of each bus at 1 pu voltage.
    pub demand: Vec<f64>,
    pub demand_q: Vec<f64>,
    /// Scheduled active output of each generator; the solution adds what balances its island.
    pub output: Vec<f64>,
    /// Reactive output of each generator, used where the generator does not control a voltage.
    pub output_q: Vec<f64>,
    /// Voltage set-point of each generator. The last generator in service at a bus determines it, as in MATPOWER.
    pub set_point: Vec<f64>,
}

impl AcData {
    /// Powers and set-points of the case as read from its file. The converters of HVDC links in service are further
    /// generators after those of the case, two for each link, at its from and its to end.
    pub fn base(network: &AnalysisNetwork) -> Self {
        let network = with_converters(network);
        let (buses, generators) = (&network.buses, &network.generators);
        Self {
            demand: buses.iter().map(|b| b.demand_pu).collect(),
            demand_q: buses.iter().map(|b| b.demand_q_pu).collect(),
            output: generators.iter().map(|g| g.pg_pu).collect(),
            output_q: generators.iter().map(|g| g.qg_pu).collect(),
            set_point: generators.iter().map(|g| g.vset_pu).collect(),
        }
    }
}

impl AcModel {
    /// Reads and analyses the network.
    ///
    /// # Errors
    /// `PHYSICS.UNSUPPORTED` for a branch that transforms the voltage without an impedance, or whose ratio is not
    /// positive.
    pub fn new(network: &AnalysisNetwork) -> Result<Self> {
        let network = &*with_converters(network);
        let branch_ids = ids(network.branches.iter().map(|b| (b.id, &b.uid)), ElementKind::Branch);
        for (branch, id) in network.branches.iter().zip(&branch_ids).filter(|(b, _)| b.in_service) {
            let is_ideal = branch.is_zero_impedance();
            let transforms = branch.tap != 1.0 || branch.shift_rad != 0.0;
            let message = match (is_ideal && transforms, branch.tap > 0.0) {
                (true, _) => message!("physics.transformer_without_impedance", branch = id),
                (_, false) => message!("physics.tap_ratio", branch = id, ratio = plain(branch.tap, "")),
                _ => continue,
            };
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(id.clone()));
        }

        let topology = Topology::new(network);
        let in_part = |bus: usize| topology.node_of_bus[bus] != NO_NODE;
        let rows = || {
            network
                .branches
                .iter()
                .enumerate()
                .filter(|(_, b)| b.in_service && in_part(b.from))
        };
        let pairs: Vec<(usize, usize)> = rows()
            .map(|(_, b)| (topology.node_of_bus[b.from], topology.node_of_bus[b.to]))
            .filter(|(f, t)| f != t)
            .collect();
        let pattern = BlockPattern::new(topology.bus_of_node.len(), &pairs);
        let mut elimination_index = vec![0; pattern.len()];
        for (k, &node) in pattern.order().iter().enumerate() {
            elimination_index[node as usize] = k;
        }
        let eliminated = |node: usize| elimination_index.get(node).copied().unwrap_or(NO_NODE);
        let node_of_bus: Vec<usize> = topology.node_of_bus.iter().map(|&node| eliminated(node)).collect();

        let branches: Vec<AcBranch> = rows()
            .map(|(row, b)| {
                let data = BranchData::new(b);
                let impedance = (b.r_pu * b.r_pu + b.x_pu * b.x_pu).sqrt();
                AcBranch {
                    row,
                    buses: [b.from, b.to],
                    nodes: [node_of_bus[b.from], node_of_bus[b.to]],
                    data,
                    port: data.two_port(),
                    impedance,
                    reactance: if b.x_pu == 0.0 { impedance } else { b.x_pu },
                }
            })
            .collect();
        let mut branch_of_row = vec![None; network.branches.len()];
        for (k, branch) in branches.iter().enumerate() {
            branch_of_row[branch.row] = Some(k);
        }

        let mut shunts: Vec<Complex64> = network.buses.iter().map(|b| Complex64::new(b.gs_pu, b.bs_pu)).collect();
        let voltage_dependent: Vec<VoltageDependent> = network
            .buses
            .iter()
            .enumerate()
            .filter(|(bus, b)| {
                let parts = [b.constant_current_pu, b.constant_impedance_pu];
                node_of_bus[*bus] != NO_NODE && parts != [[0.0; 2]; 2]
            })
            .map(|(bus, b)| VoltageDependent {
                bus,
                node: node_of_bus[bus],
                constant_current: Complex64::new(b.constant_current_pu[0], b.constant_current_pu[1]),
                constant_impedance: Complex64::new(b.constant_impedance_pu[0], b.constant_impedance_pu[1]),
            })
            .collect();
        for demand in &voltage_dependent {
            shunts[demand.bus] += demand.constant_impedance.conj();
        }
        let mut ground = vec![Complex64::default(); pattern.len()];
        for (bus, &node) in node_of_bus.iter().enumerate().filter(|(_, node)| **node != NO_NODE) {
            ground[node] += shunts[bus];
        }
        let ports: Vec<_> = branches.iter().map(|b| (b.nodes[0], b.nodes[1], b.port)).collect();

        let order = || pattern.order().iter().map(|&node| node as usize);
        let bus_of_node: Vec<usize> = order().map(|node| topology.bus_of_node[node]).collect();
        let island_of_node: Vec<usize> = order().map(|node| topology.island_of_node[node]).collect();
        let usable = |value: f64, low: f64, other: f64| if value.is_finite() && value > low { value } else { other };
        let admittance = Admittance::new(ground, &ports);
        let mut model = Self {
            rounding: match network.base_exponent {
                0 => 0.0,
                _ => ROUNDINGS * f64::EPSILON * admittance.diagonal.iter().map(|y| y.norm()).fold(0.0, f64::max),
            },
            base_mva: network.base_mva,
            n_bus: network.buses.len(),
            n_branch: network.branches.len(),
            n_generator: network.generators.len(),
            bus_ids: ids(network.buses.iter().map(|b| (b.id, &b.uid)), ElementKind::Bus),
            generator_ids: (0..network.generators.len())
                .map(|row| unit_ref(network, row))
                .collect(),
            branch_ids,
            kinds: order().map(|node| topology.kind_of_node[node]).collect(),
            references: topology
                .references
                .iter()
                .map(|&(node, bus)| (eliminated(node), bus))
                .collect(),
            admittance,
            zero_impedance: ZeroImpedance::new(network.buses.len(), &branches),
            stored: bus_of_node
                .iter()
                .map(|&bus| &network.buses[bus])
                .map(|b| (usable(b.vm_pu, 0.0, 1.0), usable(b.va_rad, f64::NEG_INFINITY, 0.0)))
                .collect(),
            units: Vec::new(),
            q_limits: vec![[0.0; 2]; pattern.len()],
            participation: vec![0.0; pattern.len()],
            dead: topology.dead,
            dead_units: Vec::new(),
            bus_of_node,
            island_of_node,
            node_of_bus,
            pattern,
            branches,
            branch_of_row,
            shunts,
            voltage_dependent,
            remote: Vec::new(),
        };
        // The angle of a reference node is that of the bus which makes it a reference.
        for &(node, bus) in &model.references {
            model.stored[node].1 = usable(network.buses[bus].va_rad, f64::NEG_INFINITY, 0.0);
        }
        model.add_units(network, &topology.kind_of_bus);
        Ok(model)
    }

    fn add_units(&mut self, network: &AnalysisNetwork, kind_of_bus: &[NodeKind]) {
        let own = own_generators(network);
        let units = network.generators.iter().enumerate().filter(|(_, g)| g.in_service);
        for (row, g) in units {
            if self.node_of_bus[g.bus] == NO_NODE {
                self.dead_units.push((row, g.bus));
                continue;
            }
            let unit = Unit {
                row,
                bus: g.bus,
                node: self.node_of_bus[g.bus],
                holds_voltage: g.regulates_voltage && kind_of_bus[g.bus] != NodeKind::Pq,
                is_at_reference: kind_of_bus[g.bus] == NodeKind::Reference,
                is_converter: row >= own,
                q_limits: [g.qmin_pu, g.qmax_pu],
                p_limits: [g.pmin_pu, g.pmax_pu],
                participation: g.pmax_pu.max(0.0),
            };
            if unit.holds_voltage {
                self.add_remote(&unit, g.regulated_bus);
                for (sum, limit) in self.q_limits[unit.node].iter_mut().zip(unit.q_limits) {
                    *sum += limit;
                }
            }
            self.units.push(unit);
        }
        self.share_slack();
    }

    /// A unit controls its own bus if the regulated bus lies in another island or belongs to the unit's own node.
    fn add_remote(&mut self, unit: &Unit, regulated_bus: Option<usize>) {
        let (node, unit) = (unit.node, unit.row);
        let regulated = regulated_bus.map(|bus| self.node_of_bus[bus]);
        let regulated = regulated.filter(|&other| {
            other != NO_NODE && other != node && self.island_of_node[other] == self.island_of_node[node]
        });
        self.remote.retain(|earlier| earlier.node != node);
        if let Some(regulated) = regulated {
            self.remote.push(Remote { node, regulated, unit });
        }
    }

    /// Each unit's share of the capacity of its island. If some units are unlimited, they share equally and the others
    /// take nothing: the limit of the shares as a capacity grows. If no unit has capacity, all share equally.
    fn share_slack(&mut self) {
        let n_islands = self.references.len();
        let (mut capacity, mut count) = (vec![0.0; n_islands], vec![0.0; n_islands]);
        let mut unlimited = vec![0.0; n_islands];
        for unit in &self.units {
            let island = self.island_of_node[unit.node];
            match unit.participation.is_finite() {
                true => capacity[island] += unit.participation,
                false => unlimited[island] += 1.0,
            }
            count[island] += if unit.is_converter { 0.0 } else { 1.0 };
        }
        for unit in &mut self.units {
            let island = self.island_of_node[unit.node];
            if unit.is_converter {
                continue; // its power is the schedule
            }
            unit.participation = match (unlimited[island] > 0.0, unit.participation.is_finite()) {
                (true, true) => 0.0,
                (true, false) => 1.0 / unlimited[island],
                _ if capacity[island] > 0.0 => unit.participation / capacity[island],
                _ => 1.0 / count[island],
            };
            self.participation[unit.node] += unit.participation;
        }
    }

    /// Whether the bus (dense row) is part of an island with voltage control.
    pub fn energised(&self, bus: usize) -> bool {
        self.node_of_bus.get(bus).is_some_and(|&node| node != NO_NODE)
    }

    /// Number of energised islands.
    pub fn islands(&self) -> usize {
        self.references.len()
    }

    /// Buses in service but not energised: no generator controls the voltage in their island, and nothing there draws power.
    pub fn left_out(&self) -> impl Iterator<Item = usize> + '_ {
        self.dead.iter().copied()
    }
}

fn ids<'a>(rows: impl Iterator<Item = (u64, &'a Option<String>)>, kind: ElementKind) -> Vec<ElementRef> {
    let reference = |(id, uid): (u64, &Option<String>)| ElementRef::new(kind, id, uid.clone());
    rows.map(reference).collect()
}
