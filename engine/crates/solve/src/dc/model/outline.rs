//! The DC model of a network before anything is factored: susceptances, islands, bridges, generator columns.

use crate::dc::model::bridge_rows::{bridge_rows, BridgeRow};
use crate::dc::model::links::{lowered, Apart, Lowered};
use crate::dc::model::{Convention, Line, Stencil};
use crate::generator_columns::{gen_columns, GenColumn};
use crate::topology::bridges::Bridges;
use crate::topology::islands::{find_islands, leave_out_idle_islands};
use crate::topology::zero_impedance::ZeroImpedanceBranches;
use crate::topology::NO_ISLAND;
use std::f64::consts::FRAC_PI_3;
use wattbook_network::analysis::{AnalysisNetwork, Branch, Cost, ElementKind, ElementRef, Generator};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::power_of_ten;
use wattbook_network::message::Message;

/// Beside larger susceptances (per unit) all others lose their precision.
const STIFFEST: f64 = 1e12;

#[derive(Clone, Debug)]
pub(crate) struct Island {
    /// Whether columns of the island can move.
    pub movable: bool,
}

/// The network of a DC model before anything is ordered or factored, independent of edits of demand and rating.
#[derive(Clone, Debug)]
pub struct DcOutline {
    pub(crate) convention: Convention,
    pub(crate) base_mva: f64,
    pub(crate) n_bus: usize,
    pub(crate) n_branch: usize,
    pub(crate) n_gen: usize,
    pub(crate) bus_ids: Vec<ElementRef>,
    pub(crate) branch_ids: Vec<ElementRef>,
    pub(crate) gen_ids: Vec<ElementRef>,
    /// Branches, ties of links, and combinations of flows, in this order.
    pub(crate) lines: Vec<Line>,
    /// Number of lines that are no combinations.
    pub(crate) n_lines: usize,
    pub(crate) stencils: Vec<Stencil>,
    /// By bus, the reciprocal of the sum of the sizes of its node's susceptances; zero for buses outside the model.
    pub(crate) inverse_diagonal: Vec<f64>,
    /// Line index of each branch row.
    pub(crate) line_of_branch: Vec<Option<usize>>,
    pub(crate) columns: Vec<GenColumn>,
    /// Piecewise-linear cost curves by generator row; `columns` contain the segments between the limits.
    pub(crate) curves: Vec<(usize, Vec<[f64; 2]>)>,
    pub(crate) islands: Vec<Island>,
    /// Island of each bus; `NO_ISLAND` for buses outside the model.
    pub(crate) island_of_bus: Vec<usize>,
    /// Reference bus of each island.
    pub(crate) references: Vec<usize>,
    /// Buses joined by branches without impedance.
    pub(crate) zero_impedance: ZeroImpedanceBranches,
    /// Lines whose loss splits an island.
    pub(crate) bridges: Bridges,
    /// By line: its row if it is a bridge with few columns on one side.
    pub(crate) bridge_rows: Vec<Option<BridgeRow>>,
    /// Bridges that bound a single unit, by line.
    pub(crate) unit_lines: Vec<usize>,
    /// Distinct buses of the columns, and the index of each column's bus among them.
    pub(crate) gen_buses: Vec<usize>,
    pub(crate) gen_bus_of_column: Vec<u32>,
    /// Upper bound on every flow, per unit: the largest power that the whole system can move.
    pub(crate) capacity: f64,
    /// Largest sum of demand magnitudes for which the artificial bounds of unlimited generators suffice, per unit.
    pub(crate) most_demand: f64,
    /// Whether all costs are linear or piecewise linear.
    pub(crate) is_linear: bool,
    /// Injection of phase shifters and shunt conductance at each bus, with the sign of a demand.
    pub(super) fixed_demand: Vec<f64>,
    /// Phase shifts that differ from those of the network (`DcModel::at`): lines, and radians more.
    pub(crate) shifted: Vec<(usize, f64)>,
    /// Buses of islands without generators and demand, which the model omits.
    pub(crate) idle_buses: Vec<usize>,
    /// Constant cost, $/h.
    pub(crate) constant_cost: f64,
    /// Divisor of prices inside the solver, after which they are of order one ($/h per unit).
    pub(crate) cost_scale: f64,
    /// HVDC links, whose terminals, columns and ties are the last rows of each kind.
    pub(crate) links: Lowered,
}

impl DcOutline {
    /// Reads the network in a convention.
    ///
    /// # Errors
    /// `PHYSICS.UNSUPPORTED` for a branch without a susceptance in the convention.
    pub fn new(network: &AnalysisNetwork, convention: Convention) -> Result<Self> {
        Self::with_apart(network, convention, &Apart::default())
    }

    /// [`DcOutline::new`] with further terminals.
    ///
    /// # Errors
    /// Those of [`DcOutline::new`].
    pub fn with_apart(network: &AnalysisNetwork, convention: Convention, apart: &Apart) -> Result<Self> {
        let (network, links) = lowered(network, apart)?;
        let network = &*network;
        let n_bus = network.buses.len();
        let bus_ids = ids(network.buses.iter().map(|b| (b.id, &b.uid)), ElementKind::Bus);
        let branches = network.branches.iter().map(|b| (b.id, &b.uid));
        let branch_ids = ids_to(branches, ElementKind::Branch, links.n_branches);
        let generators = network.generators.iter().map(|g| (g.id, &g.uid));
        let mut gen_ids = ids_to(generators, ElementKind::Generator, links.n_generators);
        for &(_, generator) in &links.lost_loads {
            gen_ids[generator].kind = ElementKind::Bus;
        }
        for &(_, generator) in &links.storages {
            gen_ids[generator].kind = ElementKind::Storage;
        }

        let mut lines = Vec::new();
        for (row, branch) in network.branches[..links.n_branches].iter().enumerate() {
            if !branch.in_service {
                continue;
            }
            let (r, x) = (branch.r_pu, branch.x_pu);
            let merged = branch.is_zero_impedance().then_some(0);
            let b = convention.susceptance(branch);
            let refuse =
                |message: Message| EngineError::new("PHYSICS.UNSUPPORTED", message).at(branch_ids[row].clone());
            if convention == Convention::Matpower && x == 0.0 && merged.is_none() {
                return Err(refuse(message!("physics.no_reactance", branch = &branch_ids[row])));
            }
            if !b.is_finite() || b.abs() > STIFFEST {
                let z = r.hypot(x);
                return Err(refuse(message!(
                    "physics.impedance_too_small",
                    branch = &branch_ids[row],
                    impedance = power_of_ten(z, "per unit"),
                    least = power_of_ten(1.0 / STIFFEST, "per unit"),
                )));
            }
            let shift = convention.phase_shift(branch);
            let centre = match branch.angle_limits_about_shift {
                true => branch.shift_rad - shift,
                false => 0.0,
            };
            if merged.is_some() && shift != 0.0 {
                return Err(refuse(message!(
                    "physics.phase_shift_without_impedance",
                    branch = &branch_ids[row]
                )));
            }
            lines.push(Line {
                row,
                from: branch.from,
                to: branch.to,
                b,
                shift_flow: b * shift,
                angle_min: branch.angle_min_rad - centre,
                angle_max: branch.angle_max_rad - centre,
                limits_follow_shift: branch.angle_limits_about_shift && shift != 0.0,
                shift_room: shift_room(branch),
                merged,
                tie: None,
                combination: None,
            });
        }
        let ties = links.ties().map(|(row, [from, to], share)| Line {
            row,
            from,
            to,
            b: 0.0,
            shift_flow: 0.0,
            angle_min: f64::NEG_INFINITY,
            angle_max: f64::INFINITY,
            limits_follow_shift: false,
            shift_room: [f64::INFINITY; 2],
            merged: None,
            tie: Some(share),
            combination: None,
        });
        lines.extend(ties);
        let terminals = || links.hosts.iter().zip(links.n_buses..).map(|(&host, bus)| (host, bus));

        let (mut island_of_bus, mut references) = find_islands(
            network,
            connections(&lines).map(|(_, from, to)| (from, to)).chain(terminals()),
        );
        let idle_buses = leave_out_idle_islands(network, &mut island_of_bus, &mut references);
        // A line without flow only couples angles within its own island.
        lines.retain(|l: &Line| {
            let (f, t) = (island_of_bus[l.from], island_of_bus[l.to]);
            (f == t || l.tie.is_some()) && f != NO_ISLAND && t != NO_ISLAND
        });
        let mut line_of_branch = vec![None; network.branches.len()];
        for (k, line) in lines.iter().enumerate() {
            line_of_branch[line.row] = Some(k);
        }
        let mut fixed_demand = network.conductance_pu();
        for line in &lines {
            fixed_demand[line.from] -= line.shift_flow;
            fixed_demand[line.to] += line.shift_flow;
        }

        let merged = lines.iter().enumerate().filter(|(_, l)| l.merged.is_some());
        let merged: Vec<_> = merged.map(|(l, line)| (l, line.from, line.to)).collect();
        for (k, &(l, ..)) in merged.iter().enumerate() {
            lines[l].merged = Some(k);
        }
        let impedant = lines
            .iter()
            .enumerate()
            .filter(|(_, l)| l.merged.is_none() && l.b != 0.0);
        let impedant = impedant.map(|(l, line)| (l, line.from, line.to));
        let zero_impedance = ZeroImpedanceBranches::new(n_bus, &merged, impedant, terminals());
        // Terminals belong to the node of their bus, so nothing can separate them from it.
        let to_terminals = terminals()
            .enumerate()
            .map(|(k, (host, bus))| (lines.len() + k, host, bus));
        let mut bridges = Bridges::find(n_bus, connections(&lines).chain(to_terminals), &references);
        bridges.bridges.retain(|bridge| bridge.line < lines.len());
        let (columns, constant_cost) = gen_columns(network, &island_of_bus);
        let mut capacity = 0.0;
        for (bus, conductance) in network.buses.iter().zip(network.conductance_pu()) {
            capacity += bus.demand_pu.abs() + conductance.abs();
        }
        let units = network.generators.iter().enumerate();
        for (_, g) in units.filter(|(row, _)| !links.loses_load(*row)) {
            // The output of an unlimited generator is bounded by what all others supply or draw.
            let magnitude = |limit: f64| if limit.is_finite() { limit.abs() } else { 0.0 };
            capacity += magnitude(g.pmin_pu).max(magnitude(g.pmax_pu));
        }

        let mut stiffness = vec![0.0; n_bus];
        for line in lines.iter().filter(|l| l.merged.is_none()) {
            for bus in [line.from, line.to] {
                stiffness[zero_impedance.node_of_bus[bus]] += line.b.abs();
            }
        }
        let inverse_diagonal = |(&island, &s): (&usize, &f64)| match island != NO_ISLAND && s > 0.0 {
            true => 1.0 / s,
            false => 0.0,
        };
        let inverse_diagonal = island_of_bus.iter().zip(&stiffness).map(inverse_diagonal).collect();
        let mut outline = Self {
            stencils: Vec::new(),
            inverse_diagonal,
            convention,
            base_mva: network.base_mva,
            n_bus,
            n_branch: network.branches.len(),
            n_gen: network.generators.len(),
            bus_ids,
            branch_ids,
            gen_ids,
            n_lines: lines.len(),
            lines,
            line_of_branch,
            columns: Vec::new(),
            curves: network.generators.iter().enumerate().filter_map(curve).collect(),
            islands: vec![Island { movable: false }; references.len()],
            island_of_bus,
            references,
            zero_impedance,
            bridges,
            bridge_rows: Vec::new(),
            unit_lines: Vec::new(),
            gen_buses: Vec::new(),
            gen_bus_of_column: Vec::new(),
            capacity,
            most_demand: network.buses.iter().map(|b| b.demand_pu.abs()).sum(),
            is_linear: true,
            fixed_demand,
            shifted: Vec::new(),
            idle_buses,
            constant_cost,
            cost_scale: 1.0,
            links,
        };
        outline.set_columns(columns);
        Ok(outline)
    }

    /// Sets the columns, and what depends on them and on the angle-difference limits of lines.
    pub(crate) fn set_columns(&mut self, columns: Vec<GenColumn>) {
        self.stencils = self.lines.iter().map(Stencil::new).collect();
        self.islands.fill(Island { movable: false });
        let (mut sum, mut count) = (0.0, 0.0f64);
        for column in columns.iter().filter(|c| c.hi > c.lo) {
            if let Some(island) = self.islands.get_mut(column.island) {
                island.movable = true;
            }
            sum += column.c.abs() + column.q * column.hi.abs();
            count += 1.0;
        }
        self.cost_scale = if sum > 0.0 { sum / count } else { 1.0 };
        self.is_linear = columns.iter().all(|c| c.q == 0.0);
        self.bridge_rows = bridge_rows(
            &self.bridges,
            &self.lines,
            &columns,
            &self.island_of_bus,
            &self.zero_impedance.node_of_bus,
        );
        let bounds_a_unit = |l: &usize| self.bridge_rows[*l].as_ref().is_some_and(|b| b.unit.is_some());
        self.unit_lines = (0..self.lines.len()).filter(bounds_a_unit).collect();
        self.gen_buses = columns.iter().map(|c| c.bus).collect();
        self.gen_buses.sort_unstable();
        self.gen_buses.dedup();
        let at = |c: &GenColumn| self.gen_buses.partition_point(|&bus| bus < c.bus) as u32;
        self.gen_bus_of_column = columns.iter().map(at).collect();
        self.columns = columns;
    }

    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// Dense rows of buses that the model omits because nothing in their island generates or consumes.
    pub fn idle_buses(&self) -> &[usize] {
        &self.idle_buses
    }

    /// Buses with a price that no unit sets, since every generator of their island is fixed. Their prices are reported
    /// as zero.
    pub fn unpriced_buses(&self) -> Vec<usize> {
        (0..self.links.n_buses)
            .filter(|&bus| self.bus_is_active(bus) && !self.is_priced(bus))
            .collect()
    }

    /// Whether a movable generator is in the island of the bus.
    pub fn is_priced(&self, bus: usize) -> bool {
        let island = self.islands.get(self.island_of_bus[bus]);
        island.is_some_and(|island| island.movable)
    }

    /// Whether the bus is in the model.
    pub fn bus_is_active(&self, bus: usize) -> bool {
        self.island_of_bus[bus] != NO_ISLAND
    }

    /// Whether the branch is in the model.
    pub fn branch_is_active(&self, branch: usize) -> bool {
        self.line_of_branch[branch].is_some()
    }

    /// Dense rows of branches in the model without flow: with impedance, but without susceptance in the convention.
    pub fn branches_without_flow(&self) -> impl Iterator<Item = usize> + '_ {
        self.lines.iter().filter(|l| l.is_angle_difference()).map(|l| l.row)
    }

    /// By branch row: whether its loss splits its island.
    pub fn bridge_branches(&self) -> Vec<bool> {
        let mut found = vec![false; self.n_branch];
        for bridge in &self.bridges.bridges {
            found[self.lines[bridge.line].row] = true;
        }
        found
    }

    /// Whether the flow of a branch is determined: it does not close a loop of branches without impedance.
    pub fn flow_is_unique(&self, branch: usize) -> bool {
        self.line_of_branch[branch].is_none_or(|l| self.lines[l].merged.is_none() || !self.side(l).is_empty())
    }

    pub(crate) fn element_of_line(&self, line: usize) -> &ElementRef {
        &self.branch_ids[self.lines[line].row]
    }
}

fn curve((row, unit): (usize, &Generator)) -> Option<(usize, Vec<[f64; 2]>)> {
    match &unit.cost {
        Cost::PiecewiseLinear { points } => Some((row, points.clone())),
        Cost::Quadratic { .. } => None,
    }
}

/// See `Line::shift_room`: assumed limits are about zero for phase shifts of up to 60 degrees, and else about the shift.
fn shift_room(branch: &Branch) -> [f64; 2] {
    let (shift, infinite) = (branch.shift_rad, f64::INFINITY);
    match (branch.angle_limits_assumed, branch.angle_limits_about_shift) {
        (false, _) => [infinite; 2],
        (true, false) => [shift + FRAC_PI_3, FRAC_PI_3 - shift],
        (true, true) if shift > 0.0 => [shift - FRAC_PI_3, infinite],
        (true, true) => [infinite, -FRAC_PI_3 - shift],
    }
}

/// Lines that carry flow, with their ends.
pub(super) fn connections(lines: &[Line]) -> impl Iterator<Item = (usize, usize, usize)> + Clone + '_ {
    let carrying = lines.iter().enumerate().filter(|(_, l)| l.carries_flow());
    carrying.map(|(l, line)| (l, line.from, line.to))
}

/// References to rows, of which those from `n` on are links.
fn ids_to<'a>(rows: impl Iterator<Item = (u64, &'a Option<String>)>, kind: ElementKind, n: usize) -> Vec<ElementRef> {
    let mut found = ids(rows, kind);
    for of_link in &mut found[n..] {
        of_link.kind = ElementKind::Hvdc;
    }
    found
}

fn ids<'a>(rows: impl Iterator<Item = (u64, &'a Option<String>)>, kind: ElementKind) -> Vec<ElementRef> {
    rows.map(|(id, uid)| ElementRef::new(kind, id, uid.clone())).collect()
}
